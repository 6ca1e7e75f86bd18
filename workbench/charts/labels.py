"""Codes of every word that charts show, with the English sentence of each.

Charts take a callable from code to text and fill in `{size}` (number with unit), `{number}`
(without) and `{total}` (the card, with unit). The window passes translations, the command line
`english`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from workbench.charts.text import plain
from workbench.spec.words.labels import KINDS

Labels = Callable[[str], str]

ENGLISH: Final[Mapping[str, str]] = {
    # Parts of a bar
    **KINDS,
    "over": "Over budget",
    "part.inside": "{number} of {total}",
    "outside": "{part}, outside the budget",
    # Above the limit line
    "limit.card": "card {size}",
    "limit.host": "host {size}",
    "limit.engine": "engine may use {number} of {total}",
    # Right of a bar
    "result.fits": "{size} free",
    "result.needed": "{size} needed",
    "result.tight": "{size} left, tight",
    "result.over": "{size} over",
    "result.does_not_fit": "does not fit",
    "result.refuses": "does not start",
    "without.weights": "without weights",
    "near.limit": "near the limit",
    # The table twin
    "table.scenario": "Scenario",
    "table.rank": "Rank",
    "table.used": "Used",
    "table.budget": "Engine may use",
    "table.total": "Card",
    "table.status": "Result",
    "status.fits": "fits",
    "status.near": "near the limit",
    "status.tight": "tight",
    "status.does_not_fit": "does not fit",
    "status.refuses": "engine refuses to start",
    "baseline": "baseline",
    # The heat map
    "map.over": "does not fit",
    "map.refuses": "engine refuses",
    "map.frontier": "largest that fits",
    "map.baseline": "{name}, baseline",
    "map.drawn": "{name}, drawn here",
    "map.differs": "{name}, other inputs differ",
    "map.summary": "{x} by {y}: {fitting} of {cells} cells fit.",
    # The waterfall
    "count.request": "{number} request",
    "count.requests": "{number} requests",
    "table.step": "Step",
    "table.change": "Change",
    "table.after": "Result",
    "table.bytes": "Bytes",
}


def english(code: str) -> str:
    """Return the English text of a code."""
    return ENGLISH[code]


def filled(template: str, **values: str) -> str:
    """Put values into a template's `{name}`s; other braces stay as they are."""
    for name, value in values.items():
        template = template.replace("{" + name + "}", value)
    return plain(template)


def part_label(labels: Labels, part: str) -> str:
    """Return the name of a part of a bar, "outside:runtime" included."""
    if part.startswith("outside:"):
        return filled(labels("outside"), part=labels(part.removeprefix("outside:")))
    return plain(labels(part))
