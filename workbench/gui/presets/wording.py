"""Words of the preset library: names of fields, their values, where they stand."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from workbench.export.preset_words import field_word, number_text, way_words
from workbench.gui.labels import visible
from workbench.gui.tr import labelled, listed, translate
from workbench.gui.tr import words as words_tr
from workbench.library.preset_fields import kind_of, print_leaf
from workbench.spec import units, words
from workbench.spec.ledger import Term


def says(text: str) -> Callable[[], str]:
    """Return what says a text of this part of the window in the language now spoken."""
    return partial(translate, "Presets", text)


def kind_name(kind: str) -> str:
    """Return the name of a kind of presets."""
    return words_tr(words.PRESET_KINDS[kind])


def field_name(name: str) -> str:
    """Return the name of a field by the last step of its path."""
    return field_word(name, words_tr)


def choice_name(code: str) -> str:
    """Return the word of a choice; a term of the field stays as it is."""
    return words_tr(words.PRESET_CHOICES.get(code) or words.SIZINGS.get(code, code))


def path_name(path: str) -> str:
    """Say where a field stands: "layer run 1: KV heads"."""
    *place, last = way_words(path, words_tr)
    return labelled(listed(place), last) if place else last


def leaf_text(path: str, value: Any) -> str:
    """Print a value of a preset for reading; an en dash where there is none."""
    if value is None or value == ():
        return "–"
    kind = kind_of(path, value)
    if kind == "bytes":
        return (
            both_readings(int(value)) if int(value) >= units.MIB else units.show_bytes(int(value))
        )
    if kind == "tokens":
        return units.show_tokens(int(value))
    if kind == "whole":
        return units.group_digits(int(value))
    if kind == "number":
        return number_text(value)
    if kind == "mebibytes":
        return f"{units.group_digits(int(value))} MiB"
    if kind in ("choice", "switch", "text", "long"):
        return visible(choice_name(print_leaf(kind, value)))
    if kind == "lines":
        return visible(", ".join(str(line) for line in value))
    return print_leaf(kind, value)


def both_readings(size_bytes: int) -> str:
    """Say bytes in GB, in GiB and in full."""
    return translate("Presets", "{gb} = {gib} = {full} B").format(
        gb=units.show_bytes(size_bytes, "GB"),
        gib=units.show_bytes(size_bytes, "GiB"),
        full=units.group_digits(size_bytes),
    )


def figure_name(term: Term) -> str:
    """Return the name of a figure that follows from a preset; a window says its length."""
    name = words_tr(words.SYMBOLS.get(term.symbol, term.symbol))
    if term.symbol == "window_bytes" and term.formula is not None:
        tokens = next(t.value for t in term.formula.terms if t.symbol == "window_tokens")
        return f"{name} ({units.format_tokens(int(tokens))})"
    return name


def figure_text(term: Term) -> str:
    """Print a figure: bytes in a unit and in full, numbers with their digits grouped."""
    value = term.value
    if term.unit == "bytes":
        size = int(value)
        full = f"{units.group_digits(size)} B"
        return full if size < units.KIB else f"{units.show_bytes(size)} = {full}"
    if term.unit == "tokens":
        return units.show_tokens(int(value))
    if isinstance(value, str):
        return visible(value)
    if isinstance(value, int) and value >= 10**9:
        return f"{units.group_digits(value)} ({value / 10**9:,.1f}B)"
    return units.show_number(value)
