"""Sentences of what can go wrong with an export, by code."""

from __future__ import annotations

from collections.abc import Mapping

EXPORT_ERRORS: Mapping[str, str] = {
    "nothing_to_export": "The plan has no scenario: add one, then export.",
    "export_suffix": "{path} does not end as this kind of file does: accepted is {accepted}.",
    "export_over_input": "{path} is read for this export and is not written over: choose another "
    "name.",
    "export_not_kept": "{path} does not hold what was written: save to another place.",
}
