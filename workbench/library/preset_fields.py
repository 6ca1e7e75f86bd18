"""The fields of a preset as a person edits them: read, printed, typed, written.

They are derived from the types themselves, so that a member which is added to a type can be
edited without a word here; a name says its unit (`_bytes`, `_tokens`, `_bytes_per_s`).
"""

from __future__ import annotations

import types
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from workbench.spec import units
from workbench.spec.base import Frozen
from workbench.spec.errors import UserError

FieldKind = Literal[
    "whole",
    "signed",
    "tokens",
    "bytes",
    "mebibytes",
    "share",
    "number",
    "speed",
    "operations",
    "text",
    "long",
    "lines",
    "sizes",
    "choice",
    "switch",
]
YES: Final = "yes"
NO: Final = "no"
_LONG: Final = frozenset({"checked", "source"})
_MAY_BE_EMPTY: Final = ("text", "long", "lines")
_SCALES: Final = {"P": 10**15, "T": 10**12, "G": 10**9, "M": 10**6}


@dataclass(frozen=True, slots=True)
class EditField:
    """One field of a value: how it is read and written, and how it is typed."""

    path: str
    """Way to it from the value, "link.bytes_per_s"."""
    kind: FieldKind
    read: Callable[[Any], Any]
    write: Callable[[Any, Any], Any]
    optional: bool = False
    """Empty is accepted and means "not known" or "the default"."""
    choices: tuple[str, ...] = ()
    applies: Callable[[Any], bool] = lambda value: True

    @property
    def name(self) -> str:
        """The last step of the path, which says what it is."""
        return self.path.rpartition(".")[2]

    def text(self, value: Any) -> str:
        """Print the field of a value so that typing it again gives the same; empty for None."""
        found = self.read(value) if self.applies(value) else None
        return "" if found is None else print_leaf(self.kind, found)

    def parse(self, text: str, value: Any = None) -> Any:
        """Read what was typed; raises `UserError`."""
        if not text.strip():
            if self.optional:
                return None
            if self.kind not in ("tokens", "bytes", "whole", "share", "number", "mebibytes"):
                raise UserError("value_missing")
        current = None if value is None else self.read(value)
        return parse_leaf(self.kind, text, current)

    def typed(self, value: Any, text: str) -> Any:
        """Return the value with the field as typed; raises `UserError` or `ValidationError`."""
        return self.write(value, self.parse(text, value))


def parse_leaf(kind: FieldKind, text: str, current: Any = None) -> Any:
    """Read a value of a kind; a factor ("x2") takes the current one."""
    if kind == "tokens":
        return units.parse_tokens(text, current)
    if kind == "bytes":
        return units.parse_bytes(text, current)
    if kind == "share":
        return units.parse_share(text, current)
    if kind == "number":
        return units.parse_number(text, current)
    if kind == "whole":
        return units.parse_count(text, current)
    if kind == "signed":
        negative = text.strip().startswith("-")
        number = units.parse_count(text.strip().removeprefix("-"))
        return -number if negative else number
    if kind == "mebibytes":
        plain = text.strip()[-1:].isdigit()
        return units.parse_bytes(f"{text} MiB" if plain else text) // units.MIB
    if kind == "speed":
        bare = text.strip().removesuffix("/s").removesuffix("ps")
        return float(units.parse_bytes(bare, None if current is None else int(current)))
    if kind == "operations":
        return _operations(text, current)
    if kind == "switch":
        return {YES: True, NO: False}.get(text)
    if kind == "lines":
        return tuple(line.strip() for line in text.splitlines() if line.strip())
    if kind == "sizes":
        parts = text.replace("×", " ").replace("x", " ").replace("*", " ").replace(",", " ").split()
        return tuple(units.parse_count(part) for part in parts)
    return text if kind == "long" else text.strip()


def _operations(text: str, current: Any) -> float:
    """Read "989 T", "989 TFLOPS" or "9.89e14" as operations a second."""
    bare = text.strip().upper().removesuffix("/S")
    for ending in ("FLOPS", "FLOP", "OPS", "OP"):
        bare = bare.removesuffix(ending)
    scale = _SCALES.get(bare[-1:], 1)
    if scale == 1:
        return units.parse_number(text, current)
    return units.parse_number(bare[:-1]) * scale


def print_leaf(kind: FieldKind, value: Any) -> str:
    """Print a value of a kind so that `parse_leaf` gives it back."""
    if kind == "tokens":
        return units.format_tokens(value)
    if kind == "bytes":
        return units.format_bytes(value)
    if kind == "share":
        return units.format_share(value)
    if kind == "number":
        return units.format_number(value)
    if kind == "mebibytes":
        return f"{value} MiB"
    if kind == "speed":
        return _speed(value)
    if kind == "operations":
        return _scaled(value)
    if kind == "switch":
        return YES if value else NO
    if kind == "lines":
        return "\n".join(value)
    if kind == "sizes":
        return " × ".join(str(width) for width in value)
    return str(value)


def _speed(value: float) -> str:
    for unit, size in (("TB/s", 10**12), ("GB/s", 10**9), ("MB/s", 10**6)):
        if value >= size:
            return f"{_plain(value, size)} {unit}"
    return f"{_plain(value, 1)} B/s"


def _scaled(value: float) -> str:
    for letter, size in _SCALES.items():
        if value >= size and (size < 10**15 or value >= 10**16):
            return f"{_plain(value, size)} {letter}"
    return _plain(value, 1)


def _plain(value: float, size: int) -> str:
    """Print a number in a unit without losing a digit of it."""
    text = f"{Decimal(repr(value)) / size:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


# Derived from the types


@cache
def edit_fields(model: type[Frozen], prefix: str = "") -> tuple[EditField, ...]:
    """Return the fields of a type that hold one value each, or a list of plain values."""
    return tuple(_fields(model, prefix))


def _fields(model: type[Frozen], prefix: str) -> Iterator[EditField]:
    for name, info in model.model_fields.items():
        members = tuple(_members(info.annotation))
        plain = tuple(member for member in members if member is not type(None))
        kind = _kind(name, plain)
        if kind is None:
            continue
        choices: tuple[str, ...] = ()
        if kind == "choice":
            choices = tuple(str(choice) for choice in get_args(plain[0]))
            if len(choices) == 1:
                # The tag of a union.
                continue
        elif kind == "switch":
            choices = (YES, NO)
        field = EditField(
            name,
            kind,
            _reader(name),
            _writer(name),
            optional=type(None) in members or (kind in _MAY_BE_EMPTY and not _needed(info)),
            choices=choices,
        )
        # An empty text is stored as such, not as None.
        if kind in ("text", "long") and type(None) not in members:
            field = replace(field, write=_writer(name, empty=""))
        if kind in ("lines", "sizes") and type(None) not in members:
            field = replace(field, write=_writer(name, empty=()))
        yield nested(prefix, field) if prefix else field


def _needed(info: FieldInfo) -> bool:
    """Whether an empty text or list is refused."""
    return any((getattr(rule, "min_length", None) or 0) > 0 for rule in info.metadata)


def _reader(name: str) -> Callable[[Any], Any]:
    return lambda value: getattr(value, name)


def _writer(name: str, empty: Any = None) -> Callable[[Any, Any], Any]:
    return lambda value, new: value.with_(**{name: empty if new is None else new})


def nested(prefix: str, field: EditField, make: Callable[[], Any] | None = None) -> EditField:
    """Return a field of a part of a value; a part that is not there is made by `make`."""
    prefix, _, rest = prefix.partition(".")
    if rest:
        field = nested(rest, field, make)

    def read(value: Any) -> Any:
        part = getattr(value, prefix)
        return None if part is None else field.read(part)

    def write(value: Any, new: Any) -> Any:
        part = getattr(value, prefix)
        if part is None:
            if make is None or new in (None, "", ()):
                return value
            part = make()
        return value.with_(**{prefix: field.write(part, new)})

    def applies(value: Any) -> bool:
        part = getattr(value, prefix, None)
        return make is not None if part is None else field.applies(part)

    return replace(field, path=f"{prefix}.{field.path}", read=read, write=write, applies=applies)


def _members(annotation: Any) -> Iterator[Any]:
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from _members(get_args(annotation)[0])
    elif origin in (Union, types.UnionType):
        for member in get_args(annotation):
            yield from _members(member)
    else:
        yield annotation


def _kind(name: str, plain: tuple[Any, ...]) -> FieldKind | None:
    if len(plain) != 1:
        return None
    (only,) = plain
    if get_origin(only) is Literal:
        return "choice"
    if get_origin(only) is tuple:
        (item, *_) = _members(get_args(only)[0])
        if item is int:
            return "sizes"
        return "lines" if item is str else None
    if isinstance(only, type) and issubclass(only, BaseModel):
        return None
    if only is bool:
        return "switch"
    if only is int:
        return _int_kind(name)
    return _float_kind(name) if only is float else _text_kind(name)


def _int_kind(name: str) -> FieldKind:
    if name == "published_non_parameters":
        return "signed"
    if name.endswith("_mib"):
        return "mebibytes"
    if name.endswith("tokens"):
        return "tokens"
    sized = "_bytes_" in f"{name}_" and not name.endswith("scale_bytes")
    return "bytes" if sized else "whole"


def _float_kind(name: str) -> FieldKind:
    if name.endswith("bytes_per_s"):
        return "speed"
    if name in ("fp32", "bf16", "fp16", "fp8", "fp4", "int8"):
        return "operations"
    return "share" if name == "q" or name.endswith("_share") else "number"


def _text_kind(name: str) -> FieldKind:
    return "long" if name in _LONG else "text"


def kind_of(path: str, value: Any) -> FieldKind:
    """Return how a value at the end of a path is printed."""
    name = path.rpartition(".")[2].partition("[")[0]
    if isinstance(value, bool):
        return "switch"
    if isinstance(value, int):
        return _int_kind(name)
    if isinstance(value, float):
        return _float_kind(name)
    if isinstance(value, tuple):
        return "sizes" if value and isinstance(value[0], int) else "lines"
    return _text_kind(name)
