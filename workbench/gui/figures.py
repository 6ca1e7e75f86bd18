"""The figures below the bars: three capacities, named apart, and three sizes of the cache."""

from __future__ import annotations

from PySide6.QtWidgets import QGridLayout, QWidget

from workbench.gui.focus import Group
from workbench.gui.labels import Label
from workbench.gui.language import on_language
from workbench.gui.session import Session
from workbench.gui.soon import Soon, Turn
from workbench.gui.tr import labelled, translate, words
from workbench.gui.why import figure_why, set_why
from workbench.spec import words as spec_words
from workbench.spec.ledger import Ledger, Status
from workbench.spec.units import format_tokens, group_digits, show_bytes, show_number, show_share

_NONE = "–"
_COLUMNS = 3
_EXPLAINED = (
    *("engine_log", "steady", "at_risk"),
    *("kv_bytes_per_token", "cache_bytes", "tokens_per_mib"),
)
"""Names of the six figures in `core.explain`."""


def capacity_figures(ledger: Ledger, sizing: str) -> tuple[tuple[str, str], ...]:
    """Name and value of the three capacities; a dash where the ledger has none."""
    capacity = ledger.capacity
    log, steady, risk = capacity.engine_log, capacity.steady_state, capacity.at_risk
    engine = translate("Figures", "engine log")
    if log is not None:
        engine = translate("Figures", "engine log at {tokens}").format(
            tokens=format_tokens(log.tokens_per_request)
        )
    held = translate("Figures", "steady state {length}").format(
        length=words(spec_words.SIZINGS[sizing])
    )
    overflow = translate("Figures", "at overflow risk")
    if risk is not None:
        overflow = translate("Figures", "at {share} overflow risk").format(
            share=show_share(risk.probability, 1)
        )
    return (
        (engine, _NONE if log is None else f"{log.concurrency:.2f}×"),
        (held, _NONE if steady is None else group_digits(getattr(steady, sizing))),
        (overflow, _NONE if risk is None else group_digits(risk.concurrency)),
    )


def cache_figures(ledger: Ledger) -> tuple[tuple[str, str], ...]:
    """Name and value of the three sizes of the KV cache on the deciding rank."""
    pool, worst = ledger.pool, ledger.worst_rank
    per_token = None if pool is None else pool.kv_bytes_per_token
    per_mib = None if pool is None else pool.tokens_per_mib
    total = _NONE if pool is None else show_bytes(worst.cache_bytes)
    return (
        (
            translate("Figures", "KV per token"),
            _NONE if per_token is None else show_bytes(int(per_token)),
        ),
        (translate("Figures", "KV total"), total),
        (
            translate("Figures", "tokens per MiB"),
            _NONE if per_mib is None else show_number(per_mib),
        ),
    )


class Figures(QWidget):
    """Six figures of the current scenario, each with its name; all can be selected."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._cells: list[tuple[Label, Label]] = []
        self._build()
        self._soon = Soon(self.refresh, self, Turn.FIGURES)
        session.plan_changed.connect(self._soon.ask)
        session.preview_changed.connect(self._soon.ask)
        session.current_changed.connect(self.refresh)
        self.refresh()
        on_language(self.refresh)

    def _build(self) -> None:
        em = self.fontMetrics().height()
        layout = QGridLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setHorizontalSpacing(em // 2)
        layout.setVerticalSpacing(em // 3)
        for index in range(2 * _COLUMNS):
            row, column = divmod(index, _COLUMNS)
            name = Label("", self, role="muted", selectable=True)
            value = Label("", self, selectable=True)
            font = value.font()
            font.setBold(True)
            value.setFont(font)
            layout.addWidget(name, row, 3 * column)
            layout.addWidget(value, row, 3 * column + 1)
            layout.setColumnStretch(3 * column + 2, 1)
            self._cells.append((name, value))
        Group([value for _, value in self._cells], self)

    def set_compact(self, compact: bool) -> None:
        """Show the capacities only; the sizes of the cache stand in the tabs too."""
        for name, value in self._cells[_COLUMNS:]:
            name.setVisible(not compact)
            value.setVisible(not compact)

    def refresh(self) -> None:
        """Show the figures of the scenario that is looked at."""
        current = self._session.current_id
        self.setVisible(current is not None)
        if current is None:
            return
        ledger = self._session.ledger(current)
        sizing = self._session.shown(current).workload.sizing
        figures = (*capacity_figures(ledger, sizing), *cache_figures(ledger))
        shown = zip(self._cells, figures, _EXPLAINED, strict=True)
        for (name_label, value_label), (name, value), explained in shown:
            name_label.set_text(name)
            value_label.set_text(value)
            value_label.setAccessibleName(labelled(name, value))
            for label in (name_label, value_label):
                set_why(label, figure_why(current, explained), by_click=True)


def left_figure(ledger: Ledger) -> str:
    """Return the name of the figure that a verdict tells: over, free beside the headroom, left."""
    if ledger.worst_rank.over_bytes:
        return "over"
    return "free" if ledger.verdict.status is Status.FITS else "left"
