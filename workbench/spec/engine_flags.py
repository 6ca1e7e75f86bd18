"""The flags of every engine's profile, told from its types: quantities, choices, texts.

What a flag is follows from how its field is declared: `int` named `…_bytes` is a size, named
`…_tokens` or `…_len` a length, else a count; a float up to 1 is a share; `bool` and `Literal`
are choices; a tuple of numbers is a list. So an engine that joins `ENGINE_CLASSES` has its form,
its options and its fields of comparison without another table.
"""

from __future__ import annotations

import math
import types
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from workbench.spec.engine import ENGINE_CLASSES, Amount
from workbench.spec.units import QuantityKind

DEFAULT: Final = "default"
"""Code of a flag that is left to the engine."""
_IDENTITY: Final = frozenset({"kind", "release", "core", "rules", "fits", "measured"})
_LENGTHS: Final = ("_tokens", "_len", "_size", "_window")
_COUNTS: Final = ("_batch_size", "_capture_size", "_cache_size")
"""Sizes that count requests or slots, not tokens."""


@dataclass(frozen=True, slots=True)
class Flag:
    """One field of an engine's profile."""

    name: str
    kind: QuantityKind | Literal["choice", "list", "text"]
    optional: bool
    """None leaves it to the engine."""
    values: Mapping[str, object]
    """Codes of a choice and what each stands for, the untouched one first; else empty."""
    element: QuantityKind = "tokens"
    """What a list is a list of."""
    lowest: float = -math.inf
    highest: float = math.inf
    """The ends of a quantity, a hundredth inside one that does not belong to it."""

    @property
    def id(self) -> str:
        """The id of its field or row."""
        return f"engine.{self.name}"

    @property
    def is_quantity(self) -> bool:
        """Whether it can be typed as a number with a unit."""
        return self.kind not in ("choice", "list", "text")


@cache
def flags_of(engine_class: type) -> tuple[Flag, ...]:
    """Return the flags of a profile in the order of its fields."""
    fields = engine_class.model_fields  # type: ignore[attr-defined]
    return tuple(
        _flag(name, field.annotation, field.metadata, field.default)
        for name, field in fields.items()
        if name not in _IDENTITY
    )


def quantities() -> dict[str, Flag]:
    """Return every quantity that some engine has, by name."""
    found: dict[str, Flag] = {}
    for engine_class in ENGINE_CLASSES.values():
        for flag in flags_of(engine_class):
            if flag.is_quantity:
                found.setdefault(flag.name, flag)
    return found


def measured_sizes(*engine_classes: Any) -> tuple[str, ...]:
    """Return the sizes that an engine, or any, takes from a log of the same start."""
    found: dict[str, None] = {}
    for engine_class in engine_classes or tuple(ENGINE_CLASSES.values()):
        measured = engine_class.model_fields.get("measured")
        if measured is not None:
            found |= dict.fromkeys(
                name for name in measured.annotation.model_fields if name.endswith("_bytes")
            )
    return tuple(found)


def _flag(name: str, annotation: Any, metadata: list[Any], default: object) -> Flag:
    inner, optional, bounds = _unwrapped(annotation, list(metadata))
    origin = get_origin(inner)
    if inner is bool or origin is Literal:
        return Flag(name, "choice", optional, _codes(inner, optional, default))
    if origin is tuple:
        of_floats = _unwrapped(get_args(inner)[0], [])[0] is float
        return Flag(name, "list", optional, {}, "number" if of_floats else "tokens")
    if inner is Amount:
        return Flag(name, "amount", optional, {})
    if inner is float:
        low, high = _ends(bounds)
        kind: QuantityKind = "share" if high <= 1 else "number"
        return Flag(name, kind, optional, {}, lowest=low, highest=high)
    if inner is int:
        low, high = _ends(bounds)
        return Flag(name, _kind_of_int(name), optional, {}, lowest=low, highest=high)
    return Flag(name, "text", optional, {})


def _unwrapped(annotation: Any, bounds: list[Any]) -> tuple[Any, bool, list[Any]]:
    """Return a type without None and without its bounds, whether None is allowed, the bounds."""
    origin = get_origin(annotation)
    if origin is Annotated:
        inner, *more = get_args(annotation)
        metas = [meta for one in more for meta in (getattr(one, "metadata", None) or [one])]
        return _unwrapped(inner, bounds + metas)
    if origin in (Union, types.UnionType):
        members = [member for member in get_args(annotation) if member is not type(None)]
        if len(members) == 1:
            inner, _, bounds = _unwrapped(members[0], bounds)
            return inner, True, bounds
    return annotation, False, bounds


def _ends(bounds: list[Any]) -> tuple[float, float]:
    """Return the lowest and the highest value that bounds allow."""
    lows, highs = [-math.inf], [math.inf]
    for bound in bounds:
        for name, ends, inside in (("ge", lows, 0), ("gt", lows, 0.01)):
            if getattr(bound, name, None) is not None:
                ends.append(getattr(bound, name) + inside)
        for name, ends, inside in (("le", highs, 0), ("lt", highs, 0.01)):
            if getattr(bound, name, None) is not None:
                ends.append(getattr(bound, name) - inside)
    return max(lows), min(highs)


def _codes(inner: Any, optional: bool, default: object) -> dict[str, object]:
    values: dict[str, object] = {DEFAULT: None} if optional else {}
    if inner is bool:
        values |= {"off": False, "on": True} if default is False else {"on": True, "off": False}
    else:
        values |= {str(value): value for value in get_args(inner)}
    first = next((code for code, value in values.items() if value == default), None)
    ordered = [first] if first is not None else []
    return {code: values[code] for code in dict.fromkeys([*ordered, *values])}


def _kind_of_int(name: str) -> QuantityKind:
    if name.endswith("_bytes"):
        return "bytes"
    is_length = name.endswith(_LENGTHS) and not name.endswith(_COUNTS)
    # Tokens of a draft are counted, not measured in k.
    return "tokens" if is_length and not name.startswith("speculative") else "count"
