"""What every type shares: frozen, strict, hashable, validated on construction and on change."""

from __future__ import annotations

import hashlib
import json
import unicodedata
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Annotated, Any, Final, Self

from pydantic import BaseModel, ConfigDict
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

MAX_INT = 2**63 - 1
MAX_TEXT_CHARACTERS = 10_000
MAX_NAME_CHARACTERS = 200
_LINE_BREAKS = "\u2028\u2029"


_SCHEMAS: Final[dict[type, Callable[..., CoreSchema]]] = {
    int: core_schema.int_schema,
    float: core_schema.float_schema,
    str: core_schema.str_schema,
}


class Within:
    """Bounds of a number or a text, and what is looked at then.

    They are handed to the core of pydantic as they are. `Field(…)` says the same, but to sort out
    what it holds takes longer than all else of a field, and a start makes hundreds of fields.
    """

    def __init__(self, then: Callable[[Any], Any] | None = None, **bounds: Any) -> None:
        """Take `ge`, `gt`, `le`, `lt`, `min_length`, `max_length`, `pattern`."""
        self._then = then
        self._bounds = bounds
        # To be read as from what pydantic makes of `Field(…)`.
        vars(self).update(bounds)

    def __get_pydantic_core_schema__(self, kind: type, _: object) -> CoreSchema:
        schema = _SCHEMAS[kind](**self._bounds)
        if self._then is None:
            return schema
        return core_schema.no_info_after_validator_function(self._then, schema)


def unwanted_character(text: str, *, multiline: bool = False) -> str | None:
    """Name the first character that must not enter a text field, as "U+0000", or None.

    Refused are control characters, lone surrogates (they cannot be written to a file) and
    non-characters (they break XML exports). A multi-line text may hold new lines and tabs.
    """
    allowed = "\n\t" if multiline else ""
    # Nearly every text ends here: each edit validates all texts of a scenario anew.
    if text.translate(dict.fromkeys(map(ord, allowed))).isprintable():
        return None
    for character in text:
        code = ord(character)
        if character in allowed:
            continue
        if (
            unicodedata.category(character) in ("Cc", "Cs")
            or code & 0xFFFE == 0xFFFE
            or 0xFDD0 <= code <= 0xFDEF
            or (not multiline and character in _LINE_BREAKS)
        ):
            return f"U+{code:04X}"
    return None


def _one_line(text: str) -> str:
    return _checked(text, multiline=False)


def _many_lines(text: str) -> str:
    return _checked(text, multiline=True)


def _checked(text: str, *, multiline: bool) -> str:
    character = unwanted_character(text, multiline=multiline)
    if character is not None:
        raise PydanticCustomError(
            "unwanted_character",
            "holds the character {character}, which no text field takes",
            {"character": character},
        )
    return text


Name = Annotated[str, Within(_one_line, min_length=1, max_length=MAX_NAME_CHARACTERS)]
Title = Annotated[
    str, Within(_one_line, min_length=1, max_length=MAX_NAME_CHARACTERS, pattern=r"\S")
]
"""A name that people read and choose by: something of it can be seen."""
Line = Annotated[str, Within(_one_line, max_length=MAX_TEXT_CHARACTERS)]
Text = Annotated[str, Within(_many_lines, max_length=MAX_TEXT_CHARACTERS)]
ReleaseName = Annotated[str, Within(pattern=r"^[!-~]([ -~]{0,198}[!-~])?$")]
"""A release of an engine as its log or a person writes it; what it names is not looked at."""
Slug = Annotated[str, Within(pattern=r"^[a-z0-9][a-z0-9._-]{0,99}$")]
Bytes = Annotated[int, Within(ge=0, le=MAX_INT)]
Tokens = Annotated[int, Within(ge=1, le=MAX_INT)]
Count = Annotated[int, Within(ge=1, le=MAX_INT)]


def _not_too_fine(number: float) -> float:
    if 0 < number < 1e-9:
        raise PydanticCustomError("too_fine", "must be 0 or at least 0.000000001")
    return number


Share = Annotated[float, Within(_not_too_fine, ge=0.0, le=1.0)]
Rate = Annotated[float, Within(_not_too_fine, ge=0.0, le=1e18)]


class Frozen(BaseModel):
    """A value: immutable, strict about types, finite, and without unknown keys."""

    __slots__ = ("_hash",)

    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        strict=True,
        allow_inf_nan=False,
        protected_namespaces=(),
    )

    def __hash__(self) -> int:
        """Hash all fields, once: results are looked up by whole scenarios."""
        try:
            return self._hash  # type: ignore[attr-defined, no-any-return]
        except AttributeError:
            value = hash((type(self), *self.__dict__.values()))
            object.__setattr__(self, "_hash", value)
            return value

    def with_(self, **changes: Any) -> Self:
        """Return a validated copy with the given fields changed.

        Raises `pydantic.ValidationError` when a change is not acceptable (`model_copy` would
        take it silently).
        """
        fields = {name: getattr(self, name) for name in type(self).model_fields}
        made = type(self).model_validate(fields | changes)
        # All fields are given. A set that says so takes half of a value; undo keeps thousands.
        object.__setattr__(made, "__pydantic_fields_set__", _all_fields(type(self)))
        return made


@cache
def _all_fields(kind: type[BaseModel]) -> set[str]:
    return set(kind.model_fields)


def canonical_json(value: BaseModel, *, known_only: bool = False) -> str:
    """Return the one JSON text of a value: sorted keys, no white space, non-ASCII kept.

    `known_only` leaves out what is None.
    """
    return json.dumps(
        value.model_dump(mode="json", exclude_none=known_only),
        sort_keys=True,
        separators=(",", ":"),
        ensure_ascii=False,
    )


@lru_cache(maxsize=1024)
def fingerprint(value: BaseModel) -> str:
    """Return the first 16 hex digits of the SHA-256 of the value's canonical JSON.

    What is None is left out, so that an optional member which a later release adds to a type
    does not make every older fingerprint differ.
    """
    text = canonical_json(value, known_only=True)
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]
