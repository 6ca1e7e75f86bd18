"""How an export looks and what it says: the choices of the dialog and of the command line."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Literal, get_args

from workbench.charts.labels import Labels, english
from workbench.spec.units import ByteUnit

What = Literal["bars", "compare", "waterfall", "heatmap", "deck", "record", "tables"]
"""One picture; all of them a page each; the capacity record; the numbers."""
PICTURES: Final[tuple[What, ...]] = ("bars", "compare", "waterfall", "heatmap")
Ratio = Literal["16:9", "4:3", "free"]
Look = Literal["light", "dark", "transparent", "grey"]
"""`grey` prints well: no colour, a pattern in every fill."""
Scale = Literal[1, 2, 3]
WHATS: Final[tuple[What, ...]] = get_args(What)
RATIOS: Final[tuple[Ratio, ...]] = get_args(Ratio)
LOOKS: Final[tuple[Look, ...]] = get_args(Look)


def same(text: str) -> str:
    """Return the English text itself."""
    return text


@dataclass(frozen=True, slots=True)
class Language:
    """Where the words of an export come from; English unless the window lends its own."""

    words: Callable[[str], str] = same
    """From a template of `spec.words` to the language shown."""
    labels: Labels = english
    """From a code of `charts.labels` to the text of it."""
    code: str = "en"
    """Of the language, as documents name it: "en", "zh-CN"."""


@dataclass(frozen=True, slots=True)
class Options:
    """What a person chose. Texts are plain, never markup."""

    what: What = "bars"
    ratio: Ratio = "16:9"
    look: Look = "light"
    scale: Scale = 2
    """Device pixels a unit, of a PNG."""
    title: str | None = None
    """None for the title that the subject gives; empty for none."""
    footnote: bool = True
    """Whether date, file, engine release and the number of assumed values stand below."""
    date: str = ""
    """As it is printed, "2026-11-30"; empty leaves it out: the same plan gives the same bytes."""
    scenario: str | None = None
    """Id of the scenario that a waterfall leads to or a heat map varies; None for the first that is
    not the baseline, and for the baseline."""
    unit: ByteUnit = "auto"
    language: Language = field(default_factory=Language)


class Cancelled(Exception):
    """The person does not want the export any more."""


Progress = Callable[[int, int], None]
"""Told how many of how many parts are done; raises `Cancelled` to end the work."""


def silent(done: int, total: int) -> None:
    """Tell nobody."""
