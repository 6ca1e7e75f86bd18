"""What moves a verdict, scenarios beside each other: the same rows on pictures and slides."""

from __future__ import annotations

from collections.abc import Iterator

from workbench.charts.rows import chart_unit
from workbench.charts.scale import fixed
from workbench.core.compare import OUTSIDE, Column
from workbench.core.compare import Cell as Compared
from workbench.export.cells import MISSING, heading
from workbench.export.options import Options
from workbench.export.subject import Subject
from workbench.export.table import Cell, CellLook, Row
from workbench.export.wording import NONE, part_name
from workbench.spec import words
from workbench.spec.ledger import EntryKind
from workbench.spec.units import ByteUnit
from workbench.spec.words.pictures import PICTURE_NOTES
from workbench.spec.words.tables import TABLE_HEADINGS, TABLE_WORDS


def memory_rows(subject: Subject, options: Options) -> Iterator[Row]:
    """Return a heading with the unit, parts, sums, and what is taken outside the budget.

    All in one unit: figures under each other can be compared.
    """
    made, say = subject.quick_comparison, options.language.words
    unit = chart_unit(subject.rows, options.unit)
    yield heading(words.fill(say(TABLE_HEADINGS["sizes"]), {"unit": unit}))
    for row in made.memory:
        if not row.part.startswith((OUTSIDE, EntryKind.UNREQUESTED.value)):
            pairs = zip(row.per_gpu, made.columns, strict=True)
            sizes = (_size(row.part, *pair, unit, options) for pair in pairs)
            yield Row((Cell(part_name(row.part, options.language)), *sizes), row.part)
    used = [column.used_bytes("gpu") for column in made.columns]
    budgets = [column.budget_bytes("gpu") for column in made.columns]
    for code, sums in (("used", used), ("budget", budgets)):
        cells = (Cell(fixed(size, unit), size, "bytes", "strong") for size in sums)
        yield Row((Cell(options.language.labels(f"table.{code}"), look="strong"), *cells))
    taken = [column.taken_bytes("gpu") for column in made.columns]
    if taken != used:
        beside = (whole - size for whole, size in zip(taken, used, strict=True))
        cells = (Cell(fixed(size, unit), size, "bytes") if size else MISSING for size in beside)
        yield Row((Cell(say(PICTURE_NOTES["outside"])), *cells))
        cells = (Cell(fixed(size, unit), size, "bytes", "strong") for size in taken)
        yield Row((Cell(say(PICTURE_NOTES["taken"]), look="strong"), *cells))


def _size(part: str, cell: Compared, column: Column, unit: ByteUnit, options: Options) -> Cell:
    """Show bytes, and by how much they differ from the baseline's.

    Of a part that is wholly outside the budget that is said: the bar draws it.
    """
    say = options.language.words
    if cell.value is None and column.part_bytes(OUTSIDE + part, "gpu"):
        return Cell(say(PICTURE_NOTES["beside"]), look="muted")
    size = cell.value if isinstance(cell.value, int) else None
    text = NONE if size is None else fixed(size, unit)
    if cell.delta:
        delta = fixed(int(cell.delta), unit, plus="+")
        text = words.fill(say(TABLE_WORDS["delta"]), {"size": text, "delta": delta})
    look: CellLook = "muted" if size is None else "bad" if size < 0 else "plain"
    return Cell(text, size, "bytes", look)
