"""The colour of a part of the bar, as cells and native charts have it."""

from __future__ import annotations

from typing import Any, Final

from workbench.charts.palette import LIGHT
from workbench.charts.parts import OVER, kind_of
from workbench.export.sheets.pen import Pen
from workbench.spec.ledger import EntryKind

_STRIPES: Final = 8
"""Number of the diagonal pattern among a spreadsheet's."""
_DASHES: Final = {"headroom": "round_dot", "free": "dash"}


def swatch(pen: Pen, row: int, column: int, part: str) -> None:
    """Put a part's colour beside its name."""
    kind = kind_of(part)
    if part == OVER:
        pen.ground(row, column, LIGHT.surface, pattern=_STRIPES, fg_color=LIGHT.danger)
    elif kind is None or kind is EntryKind.UNREQUESTED:
        pen.ground(row, column, LIGHT.surface, border=1, border_color=LIGHT.muted)
    elif kind is EntryKind.STATE:
        pen.ground(row, column, LIGHT.surface, pattern=_STRIPES, fg_color=LIGHT.fill(kind))
    else:
        pen.ground(row, column, LIGHT.fill(kind))


def series_look(part: str) -> dict[str, Any]:
    """Return fill, pattern and border of a part in a native chart."""
    kind = kind_of(part)
    if part == OVER:
        return {"pattern": _stripes(LIGHT.danger), "border": {"color": LIGHT.danger, "width": 0.75}}
    if kind is None or kind is EntryKind.UNREQUESTED:
        line = {"color": LIGHT.muted, "width": 0.75, "dash_type": _DASHES.get(part, "solid")}
        return {"fill": {"color": LIGHT.surface}, "border": line}
    border = {"color": LIGHT.surface, "width": 0.75}
    fill = LIGHT.fill(kind)
    if kind is EntryKind.STATE:
        return {"pattern": _stripes(fill), "border": border}
    return {"fill": {"color": fill}, "border": border}


def _stripes(colour: str) -> dict[str, str]:
    return {"pattern": "wide_upward_diagonal", "fg_color": colour, "bg_color": LIGHT.surface}
