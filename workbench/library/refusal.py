"""Turns a pydantic error into the one `UserError` a person can act on."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from pydantic import ValidationError

from workbench.spec.errors import UserError
from workbench.spec.quoting import place, quoted, shortened

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
}
FORMS: Final[Mapping[str, str]] = {
    r"^[a-z0-9][a-z0-9._-]{0,99}$": "slug",
    r"^[a-z0-9-]{1,64}$": "scenario_id",
    r"^[0-9a-f]{16}$": "fingerprint",
    r"^[A-Z]{3}$": "currency",
    r"\S": "title",
    r"^[!-~]([ -~]{0,198}[!-~])?$": "release",
    r"^[A-Za-z0-9_.-]{1,100}$": "tensor_name",
    r"^[A-Za-z0-9_.*?\[\]!-]{1,100}$": "tensor_pattern",
}
_CHOICE: Final = re.compile(r"'([^']*)'")


def refusal(
    error: ValidationError, value: Any, name: str, prefix: str = "", model: Any = None
) -> UserError:
    """Return what is wrong with `value`, the parsed file `name`: field, fault, what is accepted.

    `prefix` is the place of `value` in the file; `model` the type that refused it, from which the
    kinds are taken that an object without one may have.
    """
    details = error.errors(include_url=False)
    too_long = [detail for detail in details if detail["type"] == "too_long"]
    first = next(filter(_is_telling, too_long or details), details[0])
    steps = _steps(first["loc"], value)
    context = first.get("ctx") or {}
    code, params = _meaning(first["type"], context)
    if first["type"] == "union_tag_not_found":
        params["accepted"] = _kinds(model, steps, value)
        steps.append("kind")
    elif first["type"] == "union_tag_invalid":
        # The object as a whole says nothing; its unknown kind is what is wrong.
        steps.append("kind")
        found = first["input"]
        params["value"] = quoted(found["kind"] if _has(found, "kind") else context.get("tag"))
    elif "value" in params:
        params["value"] = quoted(first["input"])
    if first["type"] == "literal_error" and steps[-1:] != ["kind"]:
        kind = _kind_of(value, steps[:-1])
        if kind is not None:
            code, params = "choice_of_kind_wrong", params | {"kind": quoted(kind)}
    return UserError(code, path=name, where=place(steps, prefix), **params)


def _kind_of(value: Any, steps: list[int | str]) -> str | None:
    """Return the kind that the object at a place of a parsed file says it is of."""
    for step in steps:
        value = value[step] if _has(value, step) else None
    kind = value.get("kind") if isinstance(value, dict) else None
    return kind if isinstance(kind, str) else None


def _kinds(model: Any, steps: list[int | str], value: Any) -> str:
    """Return the kinds that the object at a place may have."""
    # Only a refusal asks for it, and what tells the types apart reads files by this module.
    from workbench.library.unknown import kinds_at

    kinds = kinds_at(model, steps, value)
    return ", ".join(map(quoted, kinds)) if kinds else "object_with_kind"


def _is_telling(detail: Mapping[str, Any]) -> bool:
    """Whether an error is the one to report, not the complaint of a wrong member of a union."""
    return not (detail["type"] == "literal_error" and detail["loc"][-1:] == ("kind",))


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


def _meaning(kind: str, context: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Return our code and its parameters for a kind of pydantic error."""
    if kind == "missing":
        return "field_missing", {}
    if kind == "union_tag_not_found":
        return "kind_missing", {}
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
        return "text_too_short", {"limit": context.get("min_length"), "value": ""}
    if kind == "string_pattern_mismatch":
        pattern = str(context.get("pattern"))
        return "field_wrong_form", {"accepted": FORMS.get(pattern, pattern), "value": ""}
    if kind in ("literal_error", "union_tag_invalid", "enum"):
        choices = str(context.get("expected", context.get("expected_tags", "")))
        accepted = _CHOICE.sub(r'"\1"', choices).replace('" or "', '", "')
        return "field_not_a_choice", {"accepted": accepted, "value": ""}
    if kind in OWN_RULES:
        return kind, {
            name: shortened(value) if isinstance(value, str) else value
            for name, value in context.items()
        }
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
