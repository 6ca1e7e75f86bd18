"""Turns a pydantic error into the one `UserError` a person can act on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from pydantic import ValidationError

from workbench.spec.errors import UserError

_ACCEPTED_BY_TYPE: Final[Mapping[str, str]] = {
    "int_type": "integer",
    "int_parsing": "integer",
    "int_from_float": "integer",
    "int_parsing_size": "integer",
    "float_type": "decimal",
    "float_parsing": "decimal",
    "finite_number": "decimal",
    "string_type": "text",
    "string_unicode": "text",
    "bool_type": "boolean",
    "bool_parsing": "boolean",
    "tuple_type": "list",
    "list_type": "list",
    "model_type": "object",
    "model_attributes_type": "object",
    "dict_type": "object",
    "none_required": "null",
    "union_tag_not_found": "object_with_kind",
}
_FORMS: Final[Mapping[str, str]] = {
    r"^[a-z0-9][a-z0-9._-]{0,99}$": "slug",
    r"^[a-z0-9-]{1,64}$": "scenario_id",
    r"^[0-9a-f]{16}$": "fingerprint",
    r"^[A-Z]{3}$": "currency",
}
_LONGEST_VALUE: Final = 40


def refusal(error: ValidationError, value: Any, name: str, prefix: str = "") -> UserError:
    """Return what is wrong with `value`, the parsed file `name`: field, fault, what is accepted."""
    details = error.errors(include_url=False)
    too_long = [detail for detail in details if detail["type"] == "too_long"]
    first = next(filter(_is_telling, too_long or details), details[0])
    steps = _steps(first["loc"], value)
    where = _where(prefix, steps)
    context = first.get("ctx") or {}
    code, params = _meaning(first["type"], context)
    if first["type"] == "union_tag_invalid":
        # The object as a whole says nothing; its unknown kind is what is wrong.
        where = f"{where}.kind" if where else "kind"
        params["value"] = brief(context.get("tag"))
    elif "value" in params:
        params["value"] = brief(first["input"])
    return UserError(code, path=name, where=where or "/", **params)


def _is_telling(detail: Mapping[str, Any]) -> bool:
    """Whether an error is the one to report, not the complaint of a wrong member of a union."""
    return not (detail["type"] == "literal_error" and detail["loc"][-1:] == ("kind",))


def brief(value: Any) -> str:
    """Return a value as a short, one-line text for a message."""
    if isinstance(value, dict):
        return "{…}"
    if isinstance(value, list | tuple):
        return "[…]"
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    text = " ".join(str(value).split())
    return text if len(text) <= _LONGEST_VALUE else f"{text[: _LONGEST_VALUE - 1]}…"


def _steps(location: tuple[int | str, ...], value: Any) -> list[int | str]:
    """Drop the names of union members, which are no part of the file, from a location."""
    steps: list[int | str] = []
    current = value
    for index, step in enumerate(location):
        if _has(current, step):
            current = current[step]
        elif not isinstance(current, dict) or index < len(location) - 1:
            continue
        steps.append(step)
    return steps


def _has(value: Any, step: int | str) -> bool:
    if isinstance(value, dict):
        return step in value
    return isinstance(value, list) and isinstance(step, int) and 0 <= step < len(value)


def _where(prefix: str, steps: list[int | str]) -> str:
    where = prefix
    for step in steps:
        if isinstance(step, int):
            where += f"[{step}]"
        else:
            where += f".{step}" if where else step
    return where


def _meaning(kind: str, context: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return our code and its parameters for a kind of pydantic error."""
    if kind == "missing":
        return "field_missing", {}
    if kind == "extra_forbidden":
        return "key_unknown", {}
    if kind in _ACCEPTED_BY_TYPE:
        return "field_wrong_type", {"accepted": _ACCEPTED_BY_TYPE[kind], "value": ""}
    if kind in ("greater_than_equal", "greater_than"):
        limit = context.get("ge", context.get("gt"))
        return "field_too_small", {"limit": limit, "value": ""}
    if kind in ("less_than_equal", "less_than"):
        limit = context.get("le", context.get("lt"))
        return "field_too_large", {"limit": limit, "value": ""}
    if kind == "too_long":
        return "list_too_long", {"limit": context.get("max_length")}
    if kind == "too_short":
        return "list_too_short", {"limit": context.get("min_length")}
    if kind == "string_too_long":
        return "text_too_long", {"limit": context.get("max_length")}
    if kind == "string_too_short":
        return "text_too_short", {"limit": context.get("min_length")}
    if kind == "string_pattern_mismatch":
        pattern = str(context.get("pattern"))
        return "field_wrong_form", {"accepted": _FORMS.get(pattern, pattern), "value": ""}
    if kind in ("literal_error", "union_tag_invalid", "enum"):
        choices = context.get("expected", context.get("expected_tags", ""))
        return "field_not_a_choice", {"accepted": str(choices), "value": ""}
    if kind in OWN_RULES:
        return kind, dict(context)
    return "field_refused", {"rule": kind, "value": ""}


OWN_RULES: Final = frozenset(
    {
        "amount_needs_one",
        "baseline_missing",
        "baseline_unknown",
        "partition_length",
        "prefix_shares_over_one",
        "quantiles_need_the_longest",
        "quantiles_not_rising",
        "scenario_ids_repeat",
        "tensor_name_repeats",
        "too_fine",
        "too_many_layers",
        "too_many_ranks",
        "unwanted_character",
    }
)
"""Rules of `spec` that carry their own code and parameters."""
