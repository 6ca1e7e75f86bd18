"""Names that a person has identified: which model, weight format and card a record means.

Format: `{"models": {name: …}, "gpus": {name: …}, "records": {id: …}}`; an entry's `facts_id` is
a Hugging Face id or null (not certain), `quant` a weight format or null, `overrides` the sizes
in which a model of the same shapes differs. `candidate` is a guess and never used.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from workbench.intake.engine_logs import LogRecord
from workbench.spec.errors import UserError
from workbench.spec.quoting import quoted

_SECTIONS = ("models", "gpus", "records")
LARGEST_SIZE = 2**40


@dataclass(frozen=True, slots=True)
class Identity:
    """What a person knows of a record's model; `facts_id` None: not certain."""

    facts_id: str | None = None
    weight_format: str | None = None
    overrides: tuple[tuple[str, int], ...] = ()
    same_shapes: bool = False
    """Another model with the same decoder: its own longest length is not known."""
    weights_usable: bool = True
    """False where the model's weights are more than those of the shapes named."""


@dataclass(frozen=True, slots=True)
class Aliases:
    """The sections of a file of aliases as they were parsed."""

    models: Mapping[str, Any]
    gpus: Mapping[str, Any]
    records: Mapping[str, Any]

    def identity(self, record: LogRecord) -> Identity | None:
        """Return what is known of a record's model, None when the file does not speak of it."""
        by_name = _object(self.models.get(record.model)) if record.model else None
        by_record = _object(self.records.get(record.id))
        if by_name is None and by_record is None:
            return None
        # The record's own line knows its weight format; notes and overrides stand with the name.
        merged = (by_name or {}) | (by_record or {})
        note = merged.get("note")
        return Identity(
            facts_id=_text(merged.get("facts_id")),
            weight_format=_text(merged.get("quant")),
            overrides=_sizes(merged.get("overrides")),
            same_shapes=merged.get("match") == "same_shapes",
            weights_usable=not (isinstance(note, str) and "weights not usable" in note),
        )

    def gpu_id(self, record: LogRecord) -> str | None:
        """Return the id of a record's card, None when it is not identified."""
        for entry in (self.records.get(record.id), self.gpus.get(record.gpu or "")):
            found = _text((_object(entry) or {}).get("gpu_id"))
            if found is not None:
                return found
        return None


def read_aliases(content: Any, name: str) -> Aliases:
    """Return the aliases of a parsed file; `name` is used in messages."""
    if not isinstance(content, dict):
        raise UserError("json_not_an_object", path=name)
    sections = {}
    for section in _SECTIONS:
        value = content.get(section, {})
        if not isinstance(value, dict):
            raise UserError(
                "field_wrong_type",
                path=name,
                where=section,
                value=quoted(value),
                accepted="object",
            )
        sections[section] = value
    return Aliases(**sections)


def _object(value: Any) -> dict[str, Any] | None:
    return value if isinstance(value, dict) else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None


def _sizes(value: Any) -> tuple[tuple[str, int], ...]:
    """Return the overrides that are whole positive numbers."""
    pairs = (_object(value) or {}).items()
    return tuple(
        (key, size) for key, size in pairs if type(size) is int and 1 <= size <= LARGEST_SIZE
    )
