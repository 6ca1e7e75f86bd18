"""Sentences of errors that a person can do something about."""

from __future__ import annotations

from collections.abc import Mapping

ACCEPTED: Mapping[str, str] = {
    "tokens": "tokens such as 128k or 131072",
    "count": "a whole number such as 16 or 2k",
    "bytes": "bytes such as 80 GiB, 80 GB or 81559 MiB",
    "share": "a share such as 0.9 or 90 %",
    "amount": "bytes such as 2 GiB or a share such as 5 %",
    "number": "a number such as 2.5",
}

ERRORS: Mapping[str, str] = {
    "quantity_too_long": "At most {limit} characters are read here: type {accepted}.",
    "quantity_empty": "Type {accepted}.",
    "quantity_negative": "{text} is below zero: type {accepted}.",
    "factor_without_value": "{text} needs a value to multiply: type {accepted}.",
    "quantity_unreadable": "{text} cannot be read: type {accepted}.",
    "unit_unknown": "The unit {unit} in {text} is not known here: type {accepted}.",
    "thousands_or_decimal": "{text} can mean {whole} or {decimal}: type one of these.",
    "not_whole": "{text} is {value}, no whole number: type {accepted}.",
    "number_too_large": "{text} is too large: type {accepted}, below 9.2 × 10¹⁸.",
    "share_out_of_range": "{text} is no share: type a value from 0 to 1, or 0 % to 100 %.",
    "layers_differ": "The layers of {model} differ: only a model with equal layers can be "
    "reshaped here.",
}
