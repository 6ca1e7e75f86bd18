"""The lines of scenarios side by side: verdicts, answers, inputs, memory, GPUs, assumptions."""

from __future__ import annotations

from collections.abc import Sequence

from workbench.charts.labels import part_label
from workbench.charts.rows import (
    SYMBOLS,
    Row,
    chart_unit,
    result_template,
    result_text,
    subtitle_of,
)
from workbench.core.compare import Cell as Compared
from workbench.core.compare import Column, Comparison, InputRow, MemoryRow
from workbench.core.inputs import InputKind
from workbench.gui.compare import cells as show
from workbench.gui.compare import values
from workbench.gui.compare.answers import Answers, unanswered
from workbench.gui.compare.assumed import assumption_lines
from workbench.gui.compare.cells import DIFFERENT, NONE, SAME, Cell, Head, Line, Look, Piece
from workbench.gui.compare.whys import (
    answer_why,
    cell_difference_why,
    difference_why,
    figure_of,
    part_of,
)
from workbench.gui.figures import left_figure
from workbench.gui.labels import Role, visible
from workbench.gui.tr import chart_label, translate, words
from workbench.gui.why import Why, field_why, figure_why
from workbench.spec import words as spec_words
from workbench.spec.ledger import Status, Unit
from workbench.spec.units import group_digits

_ROLES: dict[Status, Role] = {Status.FITS: "success", Status.TIGHT: "warning"}
_ALWAYS = ("headroom", "free")
"""Parts of the bar that tell what is left; their growth is no cost."""
_UNITS: dict[InputKind, Unit] = {
    "tokens": "tokens",
    "bytes": "bytes",
    "share": "share",
    "number": "ratio",
}


def column_rows(comparison: Comparison) -> tuple[Row, ...]:
    """Return the bar of each column."""
    return tuple(
        Row(
            scenario=column.scenario.id,
            name=visible(column.scenario.name),
            ledger=column.ledger.worst_rank,
            status=column.ledger.verdict.status,
            subtitle=visible(subtitle_of(column.scenario, words)),
            is_baseline=column.is_baseline,
            without_weights="weights" in column.ledger.not_modelled,
            near_limit=column.ledger.verdict.near_limit,
        )
        for column in comparison.columns
    )


class Lines:
    """Makes the lines of one comparison.

    `in_plan` says whether the columns are the plan's own scenarios, which the ledger panel can
    explain; what is only tried out explains each figure by itself.
    """

    def __init__(self, comparison: Comparison, look: Look, *, in_plan: bool = True) -> None:
        self._all = comparison
        self._look = look
        self._in_plan = in_plan
        self._columns = comparison.columns
        self._base = comparison.columns[comparison.baseline]
        self._rows = column_rows(comparison)
        self.answers = Answers(comparison, self._figure)
        """The largest concurrency and the largest context of each column."""

    def heads(self) -> tuple[Head, ...]:
        """Return the headings of the columns."""
        return tuple(
            Head(column.scenario.id, visible(column.scenario.name), column.is_baseline)
            for column in self._columns
        )

    def lines(self) -> list[Line]:
        """Return everything from the verdicts down."""
        return [
            *self.verdicts(),
            *self.answers.lines(),
            *self.inputs(),
            *self.memory(),
            *self.cost(),
            *assumption_lines(self._all, self._look, self._part, in_plan=self._in_plan),
        ]

    # Verdicts and bars

    def verdicts(self) -> list[Line]:
        """Return the verdict of each column, and its bar."""
        verdicts = [self._verdict(*pair) for pair in zip(self._columns, self._rows, strict=True)]
        bars = [self._bar(*pair) for pair in zip(self._columns, self._rows, strict=True)]
        return [
            Line("verdict", translate("Compare", "verdict"), tuple(verdicts), "verdict"),
            Line("bar", translate("Compare", "memory of a GPU"), tuple(bars), "bar"),
        ]

    def _bar(self, column: Column, row: Row) -> Cell:
        said = result_text(row, chart_unit((row,), "auto"), chart_label)
        said = spec_words.left_text(said, column.ledger, words)
        return Cell((Piece(said),), why=self._figure(column, "used"), bar=row)

    def _verdict(self, column: Column, row: Row) -> Cell:
        symbol = SYMBOLS[column.ledger.verdict.shown]
        # What is no clear yes looks as it does beside the large bars.
        role = _ROLES.get(spec_words.shown_status(column.ledger), "danger")
        said = result_text(row, self._look.unit, chart_label)
        text = f"{symbol} {spec_words.left_text(said, column.ledger, words)}"
        _, size = result_template(row)
        why = self._figure(column, left_figure(column.ledger))
        return Cell((Piece(text, role),), tip=show.exact_size(size) if size else "", why=why)

    # Inputs

    def inputs(self) -> list[Line]:
        """Return the inputs that differ, or all."""
        if self._look.only_differences:
            rows: Sequence[InputRow] = self._all.inputs_that_differ
            title = translate("Compare", "Inputs that differ")
            if not rows:
                title = translate("Compare", "Inputs: none differs")
        else:
            rows, title = self._all.inputs, translate("Compare", "Inputs")
        return [Line("inputs", title, style="section"), *map(self._input_line, rows)]

    def _input_line(self, row: InputRow) -> Line:
        cells = [
            self._input_cell(row, *pair) for pair in zip(row.cells, self._columns, strict=True)
        ]
        return Line(f"input:{row.id}", values.input_name(row.id), tuple(cells))

    def _input_cell(self, row: InputRow, cell: Compared, column: Column) -> Cell:
        if not cell.applies:
            return Cell((Piece(NONE, "muted"),))
        text = values.input_text(cell.value, row.kind)
        value = Piece(text)
        if not text:
            value = Piece(values.default_text(cell.default, row.kind) or NONE, "muted")
        pieces: list[Piece] = []
        if cell.differs:
            pieces.append(Piece(DIFFERENT, "accent", bold=True))
            factor = "" if cell.factor is None else show.factor_text(cell.factor)
            if factor:
                pieces.append(Piece(factor, "accent", bold=True))
        why = field_why(column.scenario.id, row.id) if self._in_plan else None
        base, unit = row.cells[self._all.baseline], _UNITS.get(row.kind, "count")
        return Cell(
            (value,),
            tuple(pieces),
            why=why,
            diff_why=cell_difference_why(cell, base, unit, self._names(column)),
            tinted=cell.differs,
        )

    # Memory

    def memory(self) -> list[Line]:
        """Return the parts of the bars with their difference, and what they come to."""
        unit, per = self._look.unit, self._look.per
        title = translate("Compare", "Memory in total")
        if per == "gpu":
            title = translate("Compare", "Memory per GPU")
        rows = [row for row in self._all.memory if self._is_wanted(row)]
        used = [row for row in rows if row.part not in _ALWAYS and not _is_beside(row.part)]
        rest = [row for row in rows if row not in used]
        return [
            Line("memory", title, style="section", unit=unit),
            *map(self._memory_line, used),
            self._total(),
            *map(self._memory_line, rest),
        ]

    def _is_wanted(self, row: MemoryRow) -> bool:
        """Kinds and what is left always; what lies beside the budget where it differs."""
        cells = row.cells(self._look.per)
        if row.part == "headroom":
            return any(cell.value for cell in cells)
        differs = any(cell.differs for cell in cells)
        return not _is_beside(row.part) or differs or not self._look.only_differences

    def _memory_line(self, row: MemoryRow) -> Line:
        cells = [
            self._memory_cell(row.part, *pair)
            for pair in zip(row.cells(self._look.per), self._columns, strict=True)
        ]
        name = part_label(chart_label, row.part)
        return Line(f"memory:{row.part}", name, tuple(cells), part=row.part)

    def _memory_cell(self, part: str, cell: Compared, column: Column) -> Cell:
        unit = self._look.unit
        size = cell.value if isinstance(cell.value, int) else None
        role: Role = "danger" if size is not None and size < 0 else "text"
        value = Piece(NONE, "muted") if size is None else Piece(show.size_text(size, unit), role)
        tip = "" if size is None else show.exact_size(size)
        why = self._part(column, part)
        if column.is_baseline:
            return Cell((value,), tip=tip, why=why)
        delta = int(cell.delta or 0)
        if delta == 0:
            same = () if size is None else (Piece(SAME, "muted"),)
            return Cell((value,), same, tip=tip, why=why)
        better = (delta > 0) is (part in _ALWAYS)
        diff_role: Role = "success" if better else "danger"
        if _is_beside(part):
            diff_role = "text"
        base = (size or 0) - delta
        return Cell(
            (value,),
            (Piece(show.signed_size(delta, unit), diff_role, bold=True),),
            tip=f"{tip} · {show.exact_delta(delta)}" if tip else show.exact_delta(delta),
            why=why,
            diff_why=difference_why(size, base, delta, "bytes", self._names(column)),
        )

    def _total(self) -> Line:
        name = translate("Compare", "total / engine may use")
        return Line("total", name, tuple(map(self._total_cell, self._columns)), "strong")

    def _total_cell(self, column: Column) -> Cell:
        per, unit = self._look.per, self._look.unit
        used, budget = column.used_bytes(per), column.budget_bytes(per)
        role: Role = "danger" if column.left_bytes(per) < 0 else "text"
        return Cell(
            (
                Piece(show.size_text(used, unit), role, bold=True),
                Piece(f"/ {show.size_text(budget, unit)}"),
            ),
            tip=f"{show.exact_size(used)} / {show.exact_size(budget)}",
            why=self._figure(column, "used"),
        )

    # GPUs

    def cost(self) -> list[Line]:
        """Return how many GPUs would do, and with everything shown how many it has."""
        fitting = tuple(map(self._fitting_cell, self._columns))
        lines = [
            Line("cost", translate("Compare", "Number of GPUs"), style="section"),
            Line("gpus_to_fit", translate("Compare", "GPUs to fit"), fitting),
        ]
        if not self._look.only_differences:
            taken = tuple(map(self._gpus_cell, self._columns))
            lines.append(Line("gpus", translate("Compare", "GPUs it has"), taken))
        return lines

    def _gpus_cell(self, column: Column) -> Cell:
        delta = column.gpus - self._base.gpus
        diff: tuple[Piece, ...] = ()
        why = None
        if not column.is_baseline:
            diff = (Piece(show.signed(delta) if delta else SAME, "muted"),)
        if delta:
            names = self._names(column)
            why = difference_why(column.gpus, self._base.gpus, delta, "count", names)
        value = Piece(group_digits(column.gpus))
        return Cell((value,), diff, why=self._figure(column, "gpus"), diff_why=why)

    def _fitting_cell(self, column: Column) -> Cell:
        answer = column.smallest_tp
        if column.gpus_to_fit is None:
            return unanswered(answer)
        delta = column.gpus_to_fit - column.gpus
        diff: tuple[Piece, ...] = ()
        why: Why | None = None
        if delta:
            name = column.scenario.name
            pair, symbols = (column.gpus_to_fit, column.gpus), ("smallest_tp", "gpus")
            why = difference_why(*pair, delta, "count", (name, name), symbols)
            role: Role = "danger" if delta > 0 else "success"
            diff = (Piece(f"({show.signed(delta)})", role, bold=True),)
        tip = translate("Compare", "TP {tp}, all else as it is").format(tp=answer.answer)
        return Cell(
            (Piece(group_digits(column.gpus_to_fit)),),
            diff,
            tip=tip,
            why=answer_why(column, answer, "smallest_tp", "count"),
            diff_why=why,
        )

    # Reasons

    def _names(self, column: Column) -> tuple[str, str]:
        return column.scenario.name, self._base.scenario.name

    def _figure(self, column: Column, name: str) -> Why | None:
        if self._in_plan:
            return figure_why(column.scenario.id, name)
        return figure_of(column, name)

    def _part(self, column: Column, part: str) -> Why | None:
        if self._in_plan:
            return Why(column.scenario.id, part)
        return part_of(column, part)


def _is_beside(part: str) -> bool:
    """Whether a part lies on the card beside the engine's budget."""
    return part.startswith("outside:") or part == "unrequested"
