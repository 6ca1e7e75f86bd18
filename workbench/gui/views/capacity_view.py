"""Tab "Capacity": three figures, named apart, and why they differ in this scenario."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from workbench.core.admission import admission_of
from workbench.core.explain.rows import admission_terms
from workbench.gui.labels import figure, heading, muted
from workbench.gui.tr import sentences, translate
from workbench.gui.tr import words as words_tr
from workbench.gui.views.admission_rows import (
    admission_headings,
    admission_remark,
    admission_rows,
)
from workbench.gui.views.page import Block, Page
from workbench.gui.views.view import View
from workbench.gui.why import Why, figure_why, set_why
from workbench.spec import units, words
from workbench.spec.ledger import Ledger
from workbench.spec.scenario import Scenario

_NONE = "–"


class _Figure(QWidget):
    """Name, value, one sentence; `explained` names the figure in `core.explain`."""

    def __init__(self, explained: str, parent: QWidget) -> None:
        super().__init__(parent)
        self._explained = explained
        self.name = heading("", self)
        self.value = figure("", self, role="headline")
        self.sentence = muted("", self)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(self.fontMetrics().height() // 6)
        for label in (self.name, self.value, self.sentence):
            box.addWidget(label)
        box.addStretch(1)

    def show_figure(self, value: str, sentence: str) -> None:
        self.value.set_text(value)
        self.sentence.set_text(sentence)
        why = None if value == _NONE else figure_why(None, self._explained)
        for label in (self.value, self.sentence):
            set_why(label, why, by_click=label is self.value)


class CapacityView(View):
    """Engine log, steady state, at risk; then the reasons and what is really admitted."""

    def _build(self) -> None:
        self.page = Page(self)
        body = self.page.body
        self.engine_log = _Figure("engine_log", body)
        self.steady = _Figure("steady", body)
        self.at_risk = _Figure("at_risk", body)
        self.why = muted("", body)
        reasons = QWidget(body)
        box = QVBoxLayout(reasons)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(self.fontMetrics().height() // 6)
        self.why_title = heading("", reasons)
        box.addWidget(self.why_title)
        box.addWidget(self.why)
        self.admission = Block("", ("",) * 3, body, stretch=2)
        figures = QWidget(body)
        side_by_side = QHBoxLayout(figures)
        side_by_side.setContentsMargins(0, 0, 0, 0)
        side_by_side.setSpacing(self.fontMetrics().height() * 3 // 2)
        for part in (self.engine_log, self.steady, self.at_risk):
            side_by_side.addWidget(part, 1)
        for widget in (figures, reasons, self.admission):
            self.page.add(widget)
        self.page.finish()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.page)

    def _say(self) -> None:
        self.engine_log.name.set_text(translate("Views", "Engine log"))
        self.steady.name.set_text(translate("Views", "Steady state"))
        self.at_risk.name.set_text(translate("Views", "At risk"))
        self.why_title.set_text(translate("Views", "Why they differ here"))
        self.admission.say(translate("Views", "Admission"), admission_headings())

    def _show(self) -> None:
        current = str(self.session.current_id)
        scenario, ledger = self.session.shown(current), self.session.ledger(current)
        self.engine_log.show_figure(*_engine_log(ledger))
        self.steady.show_figure(*_steady(scenario, ledger))
        self.at_risk.show_figure(*_at_risk(ledger))
        self.why.set_text(why_text(scenario, ledger))
        set_why(self.why, figure_why(None, "engine_log"))
        admission = admission_of(scenario, ledger)
        if admission is None:
            self.admission.show_rows(())
        else:
            growth = admission_terms(admission).get("growth_blocks")
            why = None if growth is None else Why(None, term=growth)
            self.admission.show_rows(admission_rows(admission), admission_remark(admission), why)


def _engine_log(ledger: Ledger) -> tuple[str, str]:
    log = ledger.capacity.engine_log
    if log is None:
        return _NONE, translate("Views", "The engine prints no concurrency: it does not start.")
    text = translate(
        "Views",
        "What one engine prints at start: requests of its longest length, {tokens} tokens, that "
        "the whole pool would hold.",
    ).format(tokens=units.format_tokens(log.tokens_per_request))
    return f"{log.concurrency:.2f}×", text


def _steady(scenario: Scenario, ledger: Ledger) -> tuple[str, str]:
    steady = ledger.capacity.steady_state
    if steady is None:
        return _NONE, translate("Views", "Nothing is held: there is no pool.")
    sizing = scenario.workload.sizing
    text = translate(
        "Views",
        "Requests of {tokens} tokens ({length}) held at once by the whole scenario, in whole "
        "blocks, tokens in flight included.",
    ).format(
        tokens=_NONE if ledger.request is None else units.format_tokens(ledger.request.tokens),
        length=words_tr(words.SIZINGS[sizing]),
    )
    band = band_text(ledger)
    if band:
        kept = translate("Views", "With the headroom kept: {band}.")
        text = sentences(text, kept.format(band=band))
    return units.group_digits(getattr(steady, sizing)), text


def _at_risk(ledger: Ledger) -> tuple[str, str]:
    risk = ledger.capacity.at_risk
    if risk is None and ledger.capacity.steady_state is None:
        return _NONE, translate("Views", "Nothing overflows: there is no pool.")
    if risk is None:
        return _NONE, translate(
            "Views",
            "Most requests at which the pool overflows with at most the stated probability; not "
            "worked out for lengths that vary.",
        )
    text = translate(
        "Views", "Most requests at which the pool overflows with a probability of at most {share}."
    ).format(share=units.show_share(risk.probability, 1))
    return units.group_digits(risk.concurrency), text


def band_text(ledger: Ledger) -> str:
    """Most requests with the range that fitted figures leave, empty without a band."""
    band, most = ledger.band, ledger.most_requests
    if band is None or most is None:
        return ""
    if band.most_requests_low == band.most_requests_high == most:
        return words.fill(translate("Views", "{most} requests"), {"most": most})
    ends = {"low": band.most_requests_low, "high": band.most_requests_high}
    text = translate("Views", "{most} requests, {low} to {high}")
    return words.fill(text, {"most": most, **ends})


def why_text(scenario: Scenario, ledger: Ledger) -> str:
    """Say why the three figures differ in this scenario, in sentences."""
    capacity, request = ledger.capacity, ledger.request
    parts: list[str] = []
    log, steady, risk = capacity.engine_log, capacity.steady_state, capacity.at_risk
    if log is not None and request is not None and steady is not None:
        length = units.format_tokens(log.tokens_per_request)
        tokens = units.format_tokens(request.tokens)
        if log.tokens_per_request == request.tokens:
            parts.append(
                translate("Views", "Engine log and steady state count requests of the same length.")
            )
        else:
            parts.append(
                translate(
                    "Views",
                    "The engine log fills the pool with {length} requests, steady state with "
                    "{tokens} requests of the workload.",
                ).format(length=length, tokens=tokens)
            )
        copies = scenario.deployment.copies
        if copies > 1:
            parts.append(
                translate(
                    "Views",
                    "The log is of one copy of the model, the other figures of all {copies}.",
                ).format(copies=units.group_digits(copies))
            )
        parts.append(
            translate(
                "Views",
                "The log's figure is a fraction; requests held are whole, each in whole blocks.",
            )
        )
    if risk is not None and steady is not None:
        if scenario.workload.lengths.kind == "constant":
            parts.append(
                translate(
                    "Views",
                    "All requests have one length, so nothing overflows by chance: at risk is "
                    "the number that fits.",
                )
            )
        else:
            parts.append(
                translate(
                    "Views",
                    "At risk lets lengths vary: long requests are rarely together, so it lies "
                    "between the mean and the longest.",
                )
            )
    limit = ledger.scenario.resolved.get("max_num_seqs")
    if steady is not None and isinstance(limit, int):
        held = getattr(steady, scenario.workload.sizing)
        if ledger.scenario.engine != "plain" and held > limit * scenario.deployment.copies:
            text = translate(
                "Views",
                "The engine runs at most {limit} requests at once, whatever the pool holds.",
            )
            parts.append(words.fill(text, {"limit": limit}))
    if not parts:
        return translate("Views", "Nothing to compare: no requests are held.")
    return sentences(*parts)
