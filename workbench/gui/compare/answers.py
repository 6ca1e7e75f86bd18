"""The lines of what each column could hold at most: requests and context, headroom kept or not."""

from __future__ import annotations

from collections.abc import Callable

from workbench.core.compare import Column, Comparison
from workbench.core.load.lengths import sized_tokens
from workbench.core.solve import Answer, largest_concurrency, told_context
from workbench.gui.compare import cells as show
from workbench.gui.compare.cells import NONE, SAME, Cell, Line, Piece
from workbench.gui.compare.whys import answer_why, difference_why
from workbench.gui.tr import sentences, translate, words
from workbench.gui.why import Why
from workbench.spec import words as spec_words
from workbench.spec.ledger import Status, Unit
from workbench.spec.units import group_digits, show_tokens

_WAITING = Piece("…", "muted")
_MUCH = 1.5
"""From this factor on, "×2" says more than "+15"."""


class Answers:
    """Makes the lines; `figure` explains a figure of a column's ledger by its name."""

    def __init__(self, comparison: Comparison, figure: Callable[[Column, str], Why | None]) -> None:
        self._columns = comparison.columns
        self._base = comparison.columns[comparison.baseline]
        self._figure = figure
        self._kept = any(column.scenario.headroom_bytes for column in self._columns)

    def lines(self) -> list[Line]:
        """Return the largest concurrency and context; also what is held with no headroom left."""
        concurrency = translate("Compare", "largest concurrency that fits")
        context = translate("Compare", "largest context at its concurrency")
        if self._kept:
            concurrency = translate("Compare", "largest concurrency, headroom kept")
            context = translate("Compare", "largest context, headroom kept")
        most, longest, held = (
            tuple(map(cell, self._columns))
            for cell in (self._concurrency, self._context, self._held)
        )
        lines = [
            Line("largest_concurrency", concurrency, most, "large"),
            Line("largest_context", context, longest),
        ]
        if self._kept and any(cell.value_text != NONE for cell in held):
            name = translate("Compare", "concurrency, no headroom left")
            lines.insert(1, Line("held", name, held))
        return lines

    def _concurrency(self, column: Column) -> Cell:
        answer, base = column.largest_concurrency, self._base.largest_concurrency
        if answer.answer is None:
            return unanswered(answer)
        value = Piece(group_digits(answer.answer), bold=True)
        return Cell(
            (value, *_tight(answer)),
            self._diff(column, answer.answer, base.answer, group_digits),
            tip=limit_text(answer),
            why=answer_why(column, answer, "largest_concurrency", "count"),
            diff_why=self._diff_why(column, answer.answer, base.answer, "count"),
        )

    def _held(self, column: Column) -> Cell:
        held, base = _held(column), _held(self._base)
        if held is None:
            return Cell((Piece(NONE, "muted"),))
        return Cell(
            (Piece(group_digits(held)),),
            self._diff(column, held, base, group_digits),
            why=self._figure(column, "steady"),
            diff_why=self._diff_why(column, held, base, "count"),
        )

    def _context(self, column: Column) -> Cell:
        answer, base = column.largest_context, self._base.largest_context
        if answer.answer is None:
            return unanswered(answer)
        told = told_context(answer.answer)
        before = None if base.answer is None else told_context(base.answer)
        asked = sized_tokens(column.scenario.workload.lengths, "max")
        diff = self._diff(column, told, before, show_tokens)
        if asked > answer.answer:
            text = translate("Compare", "asked {tokens}").format(tokens=show_tokens(asked))
            diff = (Piece(text, "muted"),)
        return Cell(
            (Piece(show_tokens(told)), *_tight(answer)),
            diff,
            tip=sentences(
                translate("Compare", "{tokens} tokens at {requests} requests.").format(
                    tokens=group_digits(answer.answer),
                    requests=group_digits(column.scenario.workload.concurrency or 1),
                ),
                limit_text(answer),
            ),
            why=answer_why(column, answer, "largest_context", "tokens"),
            diff_why=self._diff_why(column, told, before, "tokens"),
        )

    def _diff(
        self, column: Column, value: int, base: int | None, said: Callable[[int], str]
    ) -> tuple[Piece, ...]:
        """Say how much more or less: a factor where it is much more."""
        if column.is_baseline or base is None:
            return ()
        delta = value - base
        if delta == 0:
            return (Piece(SAME, "muted"),)
        factor = show.ratio(value, base)
        text = show.signed(delta, said)
        if factor is not None and factor >= _MUCH:
            text = show.factor_text(factor)
        return (Piece(text, "success" if delta > 0 else "danger", bold=True),)

    def _diff_why(self, column: Column, value: int, base: int | None, unit: Unit) -> Why | None:
        if column.is_baseline or base is None or value == base:
            return None
        names = column.scenario.name, self._base.scenario.name
        return difference_why(value, base, value - base, unit, names)


def _held(column: Column) -> int | None:
    return largest_concurrency(column.ledger, column.scenario.workload.sizing)


def _tight(answer: Answer) -> tuple[Piece, ...]:
    """Say that not even one fits with the headroom kept."""
    if answer.verified.answer is not Status.TIGHT:
        return ()
    return (Piece(words(spec_words.STATUS[Status.TIGHT.value]), "warning"),)


def unanswered(answer: Answer) -> Cell:
    """Return a cell that says: nothing fits, or nobody has looked yet."""
    if answer.steps == 0:
        return Cell((_WAITING,))
    return Cell((Piece(translate("Compare", "none fits"), "danger"),), tip=limit_text(answer))


def limit_text(answer: Answer) -> str:
    """Say what stops the next step of a search."""
    limit = words(spec_words.LIMITS.get(answer.binding, answer.binding))
    return translate("Compare", "What stops one more: {limit}.").format(limit=limit)
