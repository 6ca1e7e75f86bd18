"""Tab "Scaling": change one input, see whether the cache changes as it should."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from pydantic import ValidationError
from PySide6.QtWidgets import QVBoxLayout

from workbench.core.budget import ledger_of
from workbench.core.explain.rows import scaling_terms
from workbench.core.pool_table import pool_table
from workbench.core.sensitivity import EXERCISES, ScalingCheck, scaling_check
from workbench.gui.fields.wording import field_label
from workbench.gui.tr import translate
from workbench.gui.tr import words as words_tr
from workbench.gui.views.page import Block, Page
from workbench.gui.views.table import Cell, number, word
from workbench.gui.views.view import View
from workbench.gui.why import Why
from workbench.spec import units, words
from workbench.spec.errors import UserError
from workbench.spec.fields import FIELDS
from workbench.spec.scenario import Scenario

_BOUNDED: Final = frozenset(("sliding", "chunked", "state"))
"""Kinds of layers that keep no more for a longer request."""


class ScalingView(View):
    """One row an exercise: input, expected ratio, actual ratio, ✔ or the reason."""

    def _build(self) -> None:
        self.page = Page(self)
        self.table = Block("", ("",) * 6, self.page.body, stretch=5)
        self.page.add(self.table)
        self.page.finish()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.page)

    def _say(self) -> None:
        headings = (
            translate("Views", "Input"),
            translate("Views", "From"),
            translate("Views", "To"),
            translate("Views", "Expected"),
            translate("Views", "KV bytes"),
            translate("Views", "Result"),
        )
        self.table.say(translate("Views", "Change one input"), headings)

    def _show(self) -> None:
        current = str(self.session.current_id)
        scenario = self.session.shown(current)
        table = pool_table(scenario, self.session.ledger(current))
        kinds = () if table is None else table.kinds
        checks = [_check(scenario, *exercise) for exercise in EXERCISES]
        rows = [
            _row(check, reason_of(check, scenario, kinds)) for check in checks if check is not None
        ]
        text = translate(
            "Views",
            "The KV cache grows in proportion to layers, KV heads, head size, context and "
            "concurrency. Where a row says otherwise, it says why.",
        )
        self.table.show_rows(rows, text)


def _check(scenario: Scenario, field_id: str, factor: Fraction) -> ScalingCheck | None:
    """Run an exercise; None where the changed input is more than any scenario may hold."""
    try:
        return scaling_check(scenario, ledger_of, field_id, factor)
    except (UserError, ValidationError):
        return None


def reason_of(check: ScalingCheck, scenario: Scenario, kinds: Sequence[str]) -> str:
    """Code of what keeps the cache from scaling; an engine has reasons besides whole blocks."""
    if check.reason == "block_rounding" and scenario.engine.kind != "plain":
        if check.field == "workload.context" and not _BOUNDED.isdisjoint(kinds):
            return "bounded_layers"
        if check.field == "workload.concurrency":
            return "in_flight"
    return check.reason


def _row(check: ScalingCheck, reason: str) -> tuple[Cell, ...]:
    kind = FIELDS[check.field].kind
    show = units.format_tokens if kind == "tokens" else units.group_digits
    mark = "✔" if check.is_expected else "▲"
    before, after, expected, actual = (Why(None, term=term) for term in scaling_terms(check))
    return (
        word(field_label(check.field)),
        number(show(check.before), why=before),
        number(show(check.after), why=after),
        number(_ratio(check.expected_ratio), why=expected),
        number(_ratio(check.actual_ratio), why=actual),
        word(f"{mark} {words_tr(words.REASONS[reason])}"),
    )


def _ratio(ratio: Fraction) -> str:
    """×4, ÷4 or ×1.998."""
    if ratio.numerator == 1 and ratio.denominator > 1:
        return f"÷{ratio.denominator}"
    return f"×{units.show_number(ratio, 4)}"
