"""What the columns take for granted: the lines that differ, and a sentence about all of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from workbench.core.compare import AssumptionRow, Column, Comparison
from workbench.gui.compare import values
from workbench.gui.compare.cells import DIFFERENT, NONE, Cell, Line, Look, Piece
from workbench.gui.tr import listed, translate
from workbench.gui.why import Why, field_why
from workbench.spec.ledger import Entry, Term

PartWhy = Callable[[Column, str], Why | None]
"""Explains an entry of a column's ledger."""


def assumption_lines(
    comparison: Comparison, look: Look, part_why: PartWhy, *, in_plan: bool
) -> list[Line]:
    """Return what is assumed, where that differs; with everything shown all of it."""
    rows = [row for row in comparison.told_assumptions if row.differs or not look.only_differences]
    if not rows:
        return []
    title = translate("Compare", "Assumptions")
    if look.only_differences:
        title = translate("Compare", "Assumptions that differ")
    cell = partial(_cell, comparison, look, part_why, in_plan)
    lines = [Line("assumptions", title, style="section")]
    for row in rows:
        cells = [cell(row, *pair) for pair in zip(row.items, comparison.columns, strict=True)]
        name = values.assumption_name(row.kind, row.code)
        lines.append(Line(f"assumed:{row.kind}:{row.code}", name, tuple(cells)))
    return lines


def _cell(
    comparison: Comparison,
    look: Look,
    part_why: PartWhy,
    in_plan: bool,
    row: AssumptionRow,
    item: object,
    column: Column,
) -> Cell:
    text = values.assumption_text(item, look.unit)
    base = values.assumption_text(row.items[comparison.baseline], look.unit)
    differs = row.differs and text != base
    why: Why | None = None
    if isinstance(item, Entry):
        why = part_why(column, item.label)
    elif isinstance(item, Term):
        why = Why(None, term=item)
    elif in_plan:
        why = field_why(column.scenario.id, row.code)
    value = Piece(text) if text else Piece(NONE, "muted")
    diff = (Piece(DIFFERENT, "accent", bold=True),) if differs else ()
    return Cell((value,), diff, why=why, tinted=differs)


def assumption_sentence(comparison: Comparison) -> str:
    """Say how many assumed values and defaults are shared, and name those that differ."""
    told = comparison.told_assumptions
    shared = [row for row in told if not row.differs]
    counted = sum(row.counts for row in shared)
    said = [
        translate("Compare", "Assumed values shared by all: {count}").format(count=counted),
        translate("Compare", "engine defaults: {count}").format(count=len(shared) - counted),
    ]
    names = listed(values.assumption_name(row.kind, row.code) for row in told if row.differs)
    if names:
        said.append(translate("Compare", "differ: {names}").format(names=names))
    else:
        said.append(translate("Compare", "none differs"))
    return " · ".join(said)
