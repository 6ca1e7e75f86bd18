"""What the bars show of a session, and what each part says in words."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from workbench.charts.display import HitKey
from workbench.charts.labels import part_label
from workbench.charts.rows import Row, describe, subtitle_of
from workbench.core.budget import ledger_of
from workbench.gui.labels import visible
from workbench.gui.session import Session
from workbench.gui.tr import chart_label, translate, words
from workbench.spec.ledger import Status
from workbench.spec.scenario import Scenario
from workbench.spec.units import group_digits, show_bytes, show_share


def rows_of(session: Session) -> tuple[Row, ...]:
    """Return a bar a scenario, its worst rank as shown now, and one for what the host holds."""
    rows = []
    for scenario in session.plan.scenarios:
        rows.append(_row(session, scenario))
        rows += _host_rows(session, scenario)
    return tuple(rows)


def _host_rows(session: Session, scenario: Scenario) -> list[Row]:
    """The host where an engine keeps a part of the model there, unless it decides anyway."""
    ledger = session.ledger(scenario.id)
    hosts = [rank for rank in ledger.ranks if rank.place == "host" and rank.charged_bytes]
    return [
        Row(
            scenario=scenario.id,
            name=translate("Bars", "host memory"),
            ledger=rank,
            status=Status.DOES_NOT_FIT if rank.over_bytes else Status.FITS,
            subtitle=visible(scenario.name),
        )
        for rank in hosts
        if rank is not ledger.worst_rank
    ]


def _row(session: Session, scenario: Scenario) -> Row:
    ledger = session.ledger(scenario.id)
    shown = session.shown(scenario.id)
    tried = None
    if session.ghost is not None and session.ghost.id == scenario.id:
        tried = ledger_of(session.ghost)
    return Row(
        scenario=scenario.id,
        name=visible(scenario.name),
        ledger=ledger.worst_rank,
        status=ledger.verdict.status,
        subtitle=visible(subtitle_of(shown, words)),
        is_baseline=scenario.id == session.plan.baseline,
        selected=scenario.id == session.current_id and len(session.plan.scenarios) > 1,
        tried=None if tried is None else tried.worst_rank,
        without_weights="weights" in ledger.not_modelled,
        near_limit=ledger.verdict.near_limit,
        tried_status=ledger.verdict.status if tried is None else tried.verdict.status,
        tried_near_limit=tried is not None and tried.verdict.near_limit,
    )


def row_of(rows: Sequence[Row], key: HitKey) -> Row | None:
    """Return the bar that a place in the chart belongs to."""
    own = (row for row in rows if (row.scenario, row.ledger.rank) == (key.scenario, key.rank))
    return next(own, None)


def part_text(session: Session, rows: Sequence[Row], key: HitKey) -> str:
    """Say what a part of a bar is: scenario, name, size, share, difference to the baseline."""
    row = row_of(rows, key)
    baseline = next((row for row in rows if row.is_baseline), None)
    if row is None:
        return ""
    if baseline is not None and baseline is not row and row.ledger.place == "card":
        row = dataclasses.replace(row, previous=baseline.ledger)
    facts = describe(row, key.part)
    if facts is None:
        return ""
    text = translate("Bars", "{name}, {part}: {size} ({bytes} B)").format(
        name=row.name,
        part=part_label(chart_label, key.part),
        size=show_bytes(facts.bytes),
        bytes=group_digits(facts.bytes),
    )
    if facts.share_of_budget is not None:
        share = translate("Bars", "{share} of usable").format(
            share=show_share(facts.share_of_budget, 0)
        )
        text += f" · {share}"
    if facts.delta_bytes:
        sign = "+" if facts.delta_bytes > 0 else "−"
        delta = translate("Bars", "{delta} to the baseline").format(
            delta=sign + show_bytes(abs(facts.delta_bytes))
        )
        text += f" · {delta}"
    return text
