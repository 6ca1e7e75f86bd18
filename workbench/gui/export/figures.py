"""The figures of what is exported: as text beside a picture, and as the tables to look at."""

from __future__ import annotations

from workbench.charts.map_text import map_table
from workbench.export.delimited import tsv_text
from workbench.export.heat import surface_of
from workbench.export.options import Options
from workbench.export.pictures import chosen_scenario
from workbench.export.subject import Subject
from workbench.export.table import Table
from workbench.export.tables import (
    answers_table,
    assumptions_table,
    findings_table,
    inputs_table,
    memory_table,
    waterfall_table,
)
from workbench.gui.export.mime import tsv_of
from workbench.spec.scenario import Scenario
from workbench.spec.words import FIELDS


def figures_text(subject: Subject, options: Options) -> str:
    """Return the figures of a picture as lines of tab-separated cells."""
    if options.what == "heatmap":
        return _map_text(subject, options)
    return "\n".join(tsv_text(table) for table in _tables(subject, options))


def preview_tables(subject: Subject, options: Options) -> tuple[Table, ...]:
    """Return the tables that a workbook has, as far as they are read at a glance."""
    made = [
        answers_table(subject, options),
        memory_table(subject, options),
        inputs_table(subject, options),
        assumptions_table(subject, options),
        findings_table(subject, options),
    ]
    target = led_to(subject, options)
    if target is not None:
        made.append(waterfall_table(subject, target, options))
    return tuple(made)


def led_to(subject: Subject, options: Options) -> Scenario | None:
    """Return the scenario that a waterfall leads to; None where there is only the baseline."""
    others = [s for at, s in enumerate(subject.plan.scenarios) if at != subject.baseline]
    chosen = [scenario for scenario in others if scenario.id == options.scenario]
    return next(iter(chosen or others), None)


def _tables(subject: Subject, options: Options) -> tuple[Table, ...]:
    if options.what == "waterfall":
        target = led_to(subject, options)
        return () if target is None else (waterfall_table(subject, target, options),)
    if options.what == "compare":
        return (
            answers_table(subject, options),
            inputs_table(subject, options, only_differences=True),
            memory_table(subject, options),
        )
    return (memory_table(subject, options, with_deltas=False),)


def _map_text(subject: Subject, options: Options) -> str:
    """Return a map as its axes and, in each cell, how much of the memory is used."""
    base = chosen_scenario(subject, options)
    surface = surface_of(subject, base, _nothing)
    if surface is None:
        return ""
    say = options.language.words
    x, y = (say(FIELDS[axis.field]) for axis in (surface.x, surface.y))
    return tsv_of(*map_table(surface, x, y, "used", options.language.labels, options.unit))


def _nothing() -> None:
    """Nobody waits for this."""
