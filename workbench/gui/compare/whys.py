"""Why a number of the compare view is what it is, where no ledger of the plan holds it."""

from __future__ import annotations

from typing import Any

from workbench.charts.waterfall import END, START, STEP, Waterfall
from workbench.core.compare import Cell as Compared
from workbench.core.compare import Column, Comparison
from workbench.core.compare_presets import PresetRow
from workbench.core.explain import figure
from workbench.core.explain.asked import LEDGER, computed, less, sum_of
from workbench.core.solve import Answer
from workbench.core.terms import entry_term
from workbench.gui.labels import visible
from workbench.gui.tr import words
from workbench.gui.why import Why
from workbench.library.presets import Preset
from workbench.spec import words as spec_words
from workbench.spec.ledger import Entry, Evidence, Formula, Number, Source, Status, Term, Unit

_TRIED = Source("tried")


def difference_why(
    value: Number | None,
    baseline: Number | None,
    delta: Number,
    unit: Unit,
    names: tuple[str, str],
    symbols: tuple[str, str] = ("column_value", "baseline_value"),
) -> Why:
    """Explain a difference: what the scenario has, less what the baseline has."""
    parts = zip(symbols, (value, baseline), names, strict=True)
    terms = tuple(
        Term(symbol, number or 0, unit, Evidence.COMPUTED, Source("scenario", visible(name)))
        for symbol, number, name in parts
    )
    expression = less(symbols[0], terms[1:])
    return Why(None, term=computed("difference", delta, unit, expression, *terms))


def cell_difference_why(
    cell: Compared, baseline: Compared, unit: Unit, names: tuple[str, str]
) -> Why | None:
    """Explain the difference of two numbers of the form; None where they are no numbers."""
    if cell.delta is None or cell.factor is None:
        return None
    value, before = cell.value, baseline.value
    if not isinstance(value, int | float) or not isinstance(before, int | float):
        return None
    return difference_why(value, before, cell.delta, unit, names)


def answer_why(column: Column, answer: Answer, symbol: str, unit: Unit) -> Why | None:
    """Explain a solved answer: the verdict at it, and the one past it."""
    if answer.answer is None:
        return None
    tried = (
        ("verdict_at_answer", answer.verified.answer),
        ("verdict_past_answer", answer.verified.next),
    )
    terms = tuple(
        Term(name, _status_text(status), "text", Evidence.COMPUTED, _TRIED)
        for name, status in tried
        if status is not None
    )
    formula = Formula(" · ".join(f"{{{term.symbol}}}" for term in terms), terms)
    value = column.gpus_to_fit if answer.goal == "tp" else answer.answer
    term = Term(symbol, value or 0, unit, Evidence.COMPUTED, _TRIED, formula=formula)
    return Why(None, term=term)


def _status_text(status: Status) -> str:
    return words(spec_words.STATUS[status.value])


def assumptions_why(comparison: Comparison) -> Why:
    """Explain the number of assumed values that all columns share: by each of them."""
    shared = [row for row in comparison.assumptions if row.counts and not row.differs]
    items = [row.items[comparison.baseline] for row in shared]
    terms = [entry_term(item) for item in items if isinstance(item, Entry)]
    terms += [item for item in items if isinstance(item, Term)]
    known = tuple({term.symbol: term for term in terms}.values())
    formula = Formula(" · ".join(f"{{{term.symbol}}}" for term in known), known)
    term = Term(
        "assumptions_shared",
        len(shared),
        "count",
        Evidence.COMPUTED,
        LEDGER,
        formula=formula if known else None,
    )
    return Why(None, term=term)


# Of scenarios that are only tried out


def figure_of(column: Column, name: str) -> Why | None:
    """Explain a figure of a ledger that is not the plan's."""
    term = figure(column.scenario, column.ledger, name)
    return None if term is None else Why(None, term=term)


def part_of(column: Column, part: str) -> Why | None:
    """Explain a part of a bar, or one entry, of a ledger that is not the plan's."""
    if part in ("headroom", "free"):
        return figure_of(column, part)
    kind = part.removeprefix("outside:")
    beside = kind != part
    entries = [
        entry
        for entry in column.ledger.worst_rank.entries
        if entry.label == part or (entry.kind.value == kind and entry.in_budget is not beside)
    ]
    terms = tuple(map(entry_term, entries))
    if not terms:
        return None
    if len(terms) == 1:
        return Why(None, term=terms[0])
    total = sum(entry.bytes for entry in entries)
    return Why(None, term=computed(kind, total, "bytes", sum_of(terms), *terms))


# Of presets


def preset_why(row: PresetRow, cell: Compared, text: str, preset: Preset[Any]) -> Why | None:
    """Explain a field of a preset: where the preset says it is from."""
    if not text:
        return None
    origin = "; ".join(preset.value.sources[:2]) if hasattr(preset.value, "sources") else ""
    detail = f"{preset.namespace}:{preset.value.id}" + (f" ({origin})" if origin else "")
    value: Number | str = text
    if isinstance(cell.value, int | float) and not isinstance(cell.value, bool):
        value = cell.value
    symbol, source = row.path.rpartition(".")[2], Source("preset", visible(detail))
    unit: Unit = "text" if isinstance(value, str) else row.unit
    return Why(None, term=Term(symbol, value, unit, Evidence.GIVEN, source))


# Of steps


def step_why(chart: Waterfall, part: str) -> Why | None:
    """Explain a line of the waterfall: a step by the answers round it, the end by all steps."""
    unit: Unit = "bytes" if chart.quantity == "bytes" else "count"
    start = Term(
        "step_start", chart.start, unit, Evidence.COMPUTED, Source("scenario", chart.start_name)
    )
    if part == START:
        return Why(None, term=start)
    steps = tuple(
        Term(f"step_{number}", step.delta, unit, Evidence.COMPUTED, Source("step", step.name))
        for number, step in enumerate(chart.steps, 1)
    )
    if part == END:
        terms = (start, *steps)
        return Why(None, term=computed("step_end", chart.end, unit, sum_of(terms), *terms))
    number = int(part.removeprefix(STEP))
    before, after = chart.levels[number : number + 2]
    terms = (
        Term("step_after", after, unit, Evidence.COMPUTED, steps[number].source),
        Term("step_before", before, unit, Evidence.COMPUTED, _TRIED),
    )
    expression = less("step_after", terms[1:])
    return Why(None, term=computed("difference", after - before, unit, expression, *terms))
