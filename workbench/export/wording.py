"""Names and values of a comparison in words, the same in every export and on the command line."""

from __future__ import annotations

from fractions import Fraction
from typing import Final, cast, get_args

from pydantic import BaseModel

from workbench.charts.scale import sized_fixed
from workbench.core.assumed import count_unsure
from workbench.core.compare import OUTSIDE
from workbench.core.inputs import BY_ID, InputKind
from workbench.core.waterfall import Step
from workbench.export.options import Language
from workbench.export.subject import Subject
from workbench.spec import units, words
from workbench.spec.engine import ENGINE_NAMES, Amount
from workbench.spec.fields import format_quantity
from workbench.spec.ledger import Entry, Term
from workbench.spec.units import ByteUnit, QuantityKind
from workbench.spec.words.pictures import PICTURE_NOTES
from workbench.spec.words.tables import TABLE_WORDS

QUANTITIES: Final = get_args(QuantityKind)
ENGLISH: Final = Language()
NONE: Final = "–"
_MOST_NAMED: Final = 3
_NAMES: Final = {**ENGINE_NAMES, "p50": "P50", "p95": "P95", "p99": "P99"}
"""What codes are called in every language."""


def input_name(input_id: str, language: Language = ENGLISH) -> str:
    """Name of an input; an id that has none is shown as it is."""
    name = words.FIELDS.get(input_id) or words.INPUT_NAMES.get(input_id)
    return input_id if name is None else language.words(name)


def input_alone(input_id: str, language: Language = ENGLISH) -> str:
    """Name of an input as it reads without the heading of its part above it."""
    alone = words.INPUTS_ALONE.get(input_id)
    return language.words(alone) if alone else input_name(input_id, language)


def part_name(part: str, language: Language = ENGLISH) -> str:
    """Name of a part of the bar."""
    name = language.labels(part.removeprefix(OUTSIDE))
    if part.startswith(OUTSIDE):
        return language.labels("outside").replace("{part}", name)
    return name


def input_text(value: object, kind: InputKind, language: Language = ENGLISH) -> str:
    """A value of an input in the language shown; empty for None."""
    if value is None:
        return ""
    if kind in QUANTITIES and isinstance(value, int | float | Amount):
        return format_quantity(cast(QuantityKind, kind), value)
    if isinstance(value, bool):
        return language.words(TABLE_WORDS["on" if value else "off"])
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    if isinstance(value, BaseModel):
        value = getattr(value, "kind", "")
    return value_word(words.visible(str(value)), language)


def value_word(text: str, language: Language = ENGLISH) -> str:
    """A value where it is a word or a name: "80 GiB card", "constant", "vLLM", "P95"."""
    name = _NAMES.get(text, text)
    return language.words(words.VALUE_WORDS[name]) if name in words.VALUE_WORDS else name


def engine_text(kind: str, release: str, language: Language = ENGLISH) -> str:
    """Name an engine with its release."""
    return f"{value_word(kind, language)} {release}".strip()


def factor_text(factor: Fraction) -> str:
    """How many times the baseline's a value is: "×2", "÷4"."""
    if factor < 1:
        return f"÷{units.show_number(1 / factor)}"
    return f"×{units.show_number(factor)}"


def size_text(size_bytes: int, unit: ByteUnit = "auto") -> str:
    """A size by itself; in a unit that those around it have, with as many decimals as they."""
    return units.show_bytes(size_bytes) if unit == "auto" else sized_fixed(size_bytes, unit)


def signed_bytes(size_bytes: int, unit: ByteUnit = "auto", *, plus: str = "+") -> str:
    """A difference of sizes with its sign."""
    sign = units.MINUS if size_bytes < 0 else plus if size_bytes else ""
    return f"{sign}{units.show_bytes(abs(size_bytes), unit)}"


def step_name(step: Step, language: Language = ENGLISH) -> str:
    """Name what a step of a waterfall changes: "KV format bf16 → fp8"."""
    named = [_change(input_id, step, language) for input_id in step.inputs[:_MOST_NAMED]]
    changes = language.words(TABLE_WORDS["comma"]).join(named)
    more = len(step.inputs) - len(named)
    if not more:
        return changes
    template = language.words(TABLE_WORDS["and_more"])
    return template.format(changes=changes, count=more)


def _change(input_id: str, step: Step, language: Language) -> str:
    item = BY_ID.get(input_id)
    name = input_alone(input_id, language)
    if item is None:
        return name
    left_open = language.words(TABLE_WORDS["default_word"])
    before, after = (
        input_text(item.read(level.scenario), item.kind, language) or left_open
        if item.applies(level.scenario)
        else NONE
        for level in (step.before, step.after)
    )
    return name if before == after else f"{name} {before} → {after}"


def assumption_name(kind: str, code: str, language: Language = ENGLISH) -> str:
    """Name of what is assumed: an entry, an input of a formula, a flag left to the engine."""
    if kind == "default":
        return input_alone(code, language)
    name = words.LABELS.get(code) if kind == "entry" else words.SYMBOLS.get(code)
    name = name or words.LABELS.get(code) or words.SYMBOLS.get(code)
    return code if name is None else language.words(name)


def assumed_note(subject: Subject, language: Language = ENGLISH) -> str:
    """Say how much of a plan is assumed, the same everywhere: different values, by name.

    Of one scenario it is the number on the window's tab; of several, that of the lines that a
    table of assumptions has for them.
    """
    say, found = language.words, count_unsure(subject.ledgers)
    several = len(subject.ledgers)
    params = {"count": found.assumed, "scenarios": found.scenarios, "all": several}
    note = words.fill(say(PICTURE_NOTES["assumed_in" if several > 1 else "assumed"]), params)
    if not found.fitted:
        return note
    return f"{note}; {words.fill(say(PICTURE_NOTES['fitted']), {'count': found.fitted})}"


def assumption_text(item: object, unit: ByteUnit = "auto", language: Language = ENGLISH) -> str:
    """What one scenario assumes; empty for nothing."""
    if item is None:
        return ""
    if isinstance(item, Entry):
        return size_text(item.bytes, unit)
    if isinstance(item, Term):
        if item.unit == "bytes" and not isinstance(item.value, str):
            return size_text(int(item.value), unit)
        return words.visible(words.value_text(item.value, item.unit))
    if isinstance(item, bool):
        return language.words(TABLE_WORDS["on" if item else "off"])
    if isinstance(item, int):
        return units.group_digits(item)
    if isinstance(item, float):
        return units.format_number(item)
    return value_word(words.visible(str(item)), language)
