"""Fields of presets in words: what differs between two models or two cards."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import Final

from workbench.library.preset_fields import kind_of, print_leaf
from workbench.spec import units, words
from workbench.spec.model import Tensor

Words = Callable[[str], str]
_STEP: Final = re.compile(r"([a-z0-9_]+)(?:\[([^\]]*)\])?")
_SILENT: Final = ("mixer", "tensors", "attention", "workload")
"""Steps of a way that say nothing to a person."""


def path_text(path: str, translated: Words) -> str:
    """Name a field of a preset by its way: "layer run 1 · KV heads"."""
    return " · ".join(way_words(path, translated))


def way_words(path: str, translated: Words) -> list[str]:
    """Name the steps of a way to a field of a preset, the field last; some say nothing."""
    steps = _STEP.findall(path)
    said = []
    for number, (name, item) in enumerate(steps, 1):
        if item and not item.isdigit():
            said.append(words.visible(item))
        elif item:
            said.append(item_word(name, int(item), translated))
        elif name not in _SILENT or number == len(steps):
            said.append(field_word(name, translated))
    return said


def field_word(name: str, translated: Words) -> str:
    """Name one step of a way."""
    known = words.PRESET_FIELDS.get(name) or words.PRESET_FIGURES.get(name)
    return words.visible(name) if known is None else translated(known)


def item_word(name: str, at: int, translated: Words) -> str:
    """Name a member of a list, which is at a place from 0: "layer run 1"."""
    template = words.PRESET_ITEMS.get(name)
    if template is None:
        return f"{field_word(name, translated)} {at + 1}"
    return words.fill(translated(template), {"number": at + 1})


def number_text(value: float) -> str:
    """Print a number in full, with its digits grouped."""
    text = f"{Decimal(repr(value)):,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def preset_value(path: str, value: object, translated: Words) -> str:
    """Print a field of a preset as it reads best; empty where it says nothing."""
    if value in (None, "", ()):
        return ""
    if value == 0 and path.endswith("parameters"):
        return ""  # A model whose tensors are not on record.
    if isinstance(value, Tensor):
        shape = " × ".join(map(units.group_digits, value.shape))
        return f"{value.copies} × ({shape})" if value.copies > 1 else f"({shape})"
    kind = kind_of(path, value)
    if kind == "bytes" and isinstance(value, int):
        return units.show_bytes(value)
    if isinstance(value, int) and kind in ("whole", "signed", "tokens"):
        return units.show_tokens(value) if kind == "tokens" else units.group_digits(value)
    if isinstance(value, int | float) and kind == "number":
        return number_text(value)
    text = print_leaf(kind, value)
    return words.visible(translated(words.PRESET_CHOICES.get(text, text)))
