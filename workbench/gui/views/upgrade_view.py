"""Tab "Upgrade": the same scenario under two releases, difference by entry, with the reasons."""

from __future__ import annotations

from collections.abc import Callable

from pydantic import ValidationError
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from workbench.core.budget import ledger_of
from workbench.core.upgrade import Upgrade, upgrade
from workbench.gui import engine_names
from workbench.gui.fields.release_box import ReleaseBox
from workbench.gui.fields.wording import refusal
from workbench.gui.labels import Label, muted
from workbench.gui.tr import translate
from workbench.gui.tr import words as words_tr
from workbench.gui.views import upgrade_rows as rows
from workbench.gui.views.page import Block, Page
from workbench.gui.views.view import View
from workbench.gui.why import field_why, set_why
from workbench.library import engine_choice
from workbench.library.release_table import known_releases, read_releases
from workbench.spec import units, words
from workbench.spec.engine import ENGINE_NAMES
from workbench.spec.errors import UserError
from workbench.spec.scenario import Scenario


class UpgradeView(View):
    """Two releases to choose, what differs between them, and a button that takes the second."""

    def _build(self) -> None:
        self._before = ""
        """Empty is the scenario's own release."""
        self._after = ""
        """Empty is the newest release that was read."""
        self._kind = ""
        self.head = self._build_head()
        self.problem = Label("", self, role="danger", wrap=True, selectable=True)
        self.problem.hide()
        self._refusal: Callable[[], str] | None = None
        self.empty = muted("", self)
        self.page = Page(self)
        body = self.page.body
        self.summary = muted("", body)
        self.verdicts = Block("", ("",) * 2, body, stretch=1)
        self.entries = Block("", ("",) * 4, body)
        self.figures = Block("", ("",) * 4, body)
        self.flags = Block("", ("",) * 3, body)
        self.switches = Block("", ("",) * 3, body)
        for widget in (
            self.summary,
            self.verdicts,
            self.entries,
            self.figures,
            self.flags,
            self.switches,
        ):
            self.page.add(widget)
        self.page.finish()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.head)
        layout.addWidget(self.problem)
        layout.addWidget(self.empty)
        layout.addWidget(self.page, 1)
        self.session.current_changed.connect(self._forget)

    def _build_head(self) -> QWidget:
        head = QWidget(self)
        self.before = ReleaseBox(head)
        self.before.chosen.connect(self._choose_before)
        self.after = ReleaseBox(head)
        self.after.chosen.connect(self._choose_after)
        self.apply = QPushButton(head)
        self.apply.clicked.connect(self._apply)
        for control in (self.before, self.after, self.apply):
            set_why(control, field_why(None, "engine.release"))
        row = QHBoxLayout(head)
        em = self.fontMetrics().height()
        row.setContentsMargins(em // 2, em // 3, 0, 0)
        self.sides = tuple(Label("", head, role="muted") for _ in range(2))
        for label, box in zip(self.sides, (self.before, self.after), strict=True):
            label.setBuddy(box)
            row.addWidget(label)
            row.addWidget(box)
        row.addWidget(self.apply)
        row.addStretch(1)
        return head

    def _say(self) -> None:
        self.empty.set_text(
            translate("Views", "The plain arithmetic has no releases: choose an engine.")
        )
        names = (translate("Views", "from"), translate("Views", "to"))
        said = (
            translate("Views", "Release to compare from"),
            translate("Views", "Release to compare with"),
        )
        for label, name in zip(self.sides, names, strict=True):
            label.set_text(name)
        for box, text in zip((self.before, self.after), said, strict=True):
            box.setAccessibleName(text)
            box.line.setAccessibleName(text)
        self.verdicts.say(
            translate("Views", "Verdict"),
            (translate("Views", "Release"), translate("Views", "Verdict")),
        )
        for block, title in (
            (
                self.entries,
                translate("Views", "Memory per GPU, {unit}").format(unit=units.large_unit()),
            ),
            (self.figures, translate("Views", "Pool and capacity")),
            (self.flags, translate("Views", "Defaults that change")),
            (self.switches, translate("Views", "Rules that differ")),
        ):
            # Their columns are named by the releases that are compared.
            block.say(title, block.table.cells.headings)
        self._show_problem(self._refusal)

    # Showing

    def _show(self) -> None:
        scenario = self.session.shown(str(self.session.current_id))
        has_releases = scenario.engine.kind != "plain"
        self.head.setVisible(has_releases)
        self.page.setVisible(has_releases)
        self.empty.setVisible(not has_releases)
        if not has_releases:
            self._show_problem(None)
            return
        self._follow_engine(scenario.engine.kind)
        own = scenario.engine.release
        self.before.show_release(self._before or own)
        self.after.show_release(self._after)
        self.apply.setText(translate("Views", "Use {release}").format(release=self._after))
        self.apply.setEnabled(self._after != own)
        before, after = _at(scenario, self._before or own), _at(scenario, self._after)
        self._show_difference(before, after, upgrade(before, after, ledger_of))

    def _follow_engine(self, kind: str) -> None:
        """Offer the releases of the scenario's engine."""
        if kind != self._kind:
            self._kind, self._before = kind, ""
            self._after = read_releases(kind)[-1]
            for box in (self.before, self.after):
                box.set_releases(known_releases(kind))

    def _show_difference(self, before: Scenario, after: Scenario, found: Upgrade) -> None:
        self.summary.set_text(rows.summary(found, ENGINE_NAMES[self._kind]))
        set_why(self.summary, field_why(None, "engine.release"))
        one, two = found.before_release, found.after_release
        self.verdicts.show_rows(
            [
                rows.verdict_row(one, words.verdict_text(ledger_of(before), words_tr)),
                rows.verdict_row(two, words.verdict_text(ledger_of(after), words_tr)),
            ]
        )
        change = translate("Views", "Change")
        for block, name in (
            (self.entries, translate("Views", "Entry")),
            (self.figures, translate("Views", "Figure")),
        ):
            block.table.say(block.title.full_text, (name, one, two, change))
        for block, name in (
            (self.flags, translate("Views", "Flag")),
            (self.switches, translate("Views", "Rule")),
        ):
            block.table.say(block.title.full_text, (name, one, two))
        self.entries.show_rows([rows.entry_row(found, entry) for entry in found.entries])
        self.figures.show_rows([rows.figure_row(found, figure) for figure in found.figures])
        self.flags.show_rows([rows.flag_row(flag) for flag in found.flags])
        self.switches.show_rows(
            [rows.switch_row(switch) for switch in found.switches], rows.rules_remark(found)
        )

    # Verbs

    def _choose_before(self, text: str) -> None:
        if self._is_release(self.before, text):
            self._before = text.removeprefix("v")
            self._show()

    def _choose_after(self, text: str) -> None:
        if self._is_release(self.after, text):
            self._after = text.removeprefix("v")
            self._show()

    def _is_release(self, box: ReleaseBox, text: str) -> bool:
        """Whether a text names a release; else it stays, with a sentence below."""
        try:
            engine_choice.engine_of(self._kind, text)
        except (UserError, ValidationError) as error:
            box.mark(invalid=True)
            self._show_problem(refusal(error))
            return False
        box.mark(invalid=False)
        self._show_problem(None)
        return True

    def _show_problem(self, why: Callable[[], str] | None) -> None:
        self._refusal = why
        text = "" if why is None else why()
        self.problem.set_text(text)
        self.problem.setVisible(bool(text))

    def _apply(self) -> None:
        self.session.choose_engine(self._kind, self._after)

    def _forget(self, _: object = None) -> None:
        """Compare another scenario from its own release."""
        self._before = ""


def _at(scenario: Scenario, release: str) -> Scenario:
    """The scenario under a release, all flags kept."""
    if scenario.engine.release == release:
        return scenario
    core = engine_names.kept_core(scenario.engine, release)
    return engine_choice.with_engine(scenario, scenario.engine.kind, release, core)
