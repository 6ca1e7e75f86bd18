"""The left dock: everything that a scenario is made of, as a form. Live, without a button."""

from __future__ import annotations

from functools import partial
from typing import Final

from PySide6.QtCore import QSize, Qt, QTimer
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from workbench.gui.fields.notes import NotesEdit
from workbench.gui.fields.quantity_edit import QuantityEdit
from workbench.gui.labels import Label, heading
from workbench.gui.language import follow_language, on_language
from workbench.gui.paint_turn import Refresh
from workbench.gui.panels.engine_section import EngineSection, PlainSection
from workbench.gui.panels.explain import entry_using
from workbench.gui.panels.flags_section import FlagsSection
from workbench.gui.panels.scrolling import scrolled
from workbench.gui.panels.section import Section, Shown
from workbench.gui.panels.sections import (
    DeploymentSection,
    GpuSection,
    ModelSection,
    ReserveSection,
)
from workbench.gui.panels.several_line import SeveralLine
from workbench.gui.panels.workload_section import WorkloadSection
from workbench.gui.session import Session
from workbench.gui.soon import Turn
from workbench.gui.tr import translate
from workbench.spec.scenario import Scenario

_SECTIONS: Final[tuple[type[Section], ...]] = (
    ModelSection,
    GpuSection,
    DeploymentSection,
    EngineSection,
    PlainSection,
    WorkloadSection,
    ReserveSection,
)


class ScenarioPanel(QWidget):
    """Shows and edits the current scenario of the session."""

    def __init__(
        self, session: Session, parent: QWidget | None = None, *, at_once: bool = True
    ) -> None:
        """Without `at_once` the sections are left to `build_next`."""
        super().__init__(parent)
        self._session = session
        self._scenario: Scenario | None = None
        self._key: object = None
        self._shown: Shown | None = None
        self._behind: tuple[Section, ...] = ()
        """Sections that show the answer before."""
        self._soon = Refresh(self._catch_up, self, Turn.FORM)
        self._wanted = list(_SECTIONS)
        self._build()
        if at_once:
            self.build_all()

    def _build(self) -> None:
        session = self._session
        self.form = QWidget(self)
        self.sections: tuple[Section, ...] = ()
        em = self.fontMetrics().height()
        self._rows = QVBoxLayout(self.form)
        self._rows.setContentsMargins(em, em * 2 // 3, em // 2, em)
        self.notes_title = heading("", self.form)
        self.notes = NotesEdit(session, self.form)
        self.notes_title.setBuddy(self.notes)
        self.empty = Label("", self, role="muted", wrap=True)
        self.area = scrolled(self.form, self)
        self.several = SeveralLine(session, self)
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        outer.addWidget(self.several)
        outer.addWidget(self.empty)
        outer.addWidget(self.area)

    def build_next(self) -> None:
        """Make one section more; nothing happens when all are there."""
        if not self._wanted:
            return
        section = self._wanted.pop(0)(self._session, self.form)
        self._rows.setSpacing(section.box.spacing())
        # A section without a heading goes on with the rows of the one above.
        apart = self.sections and section.title is not None
        section.box.setContentsMargins(0, self._lead() if apart else 0, 0, 0)
        self.sections = (*self.sections, section)
        self._rows.addWidget(section)
        self._follow(section)
        if not self._wanted:
            self._finish()

    def build_all(self) -> None:
        """Make what is missing."""
        while self._wanted:
            self.build_next()

    def _lead(self) -> int:
        """The room above a heading, beyond that between rows."""
        return self.fontMetrics().height() - self._rows.spacing()

    def _finish(self) -> None:
        session = self._session
        self._rows.addSpacing(self._lead())
        for widget in (self.notes_title, self.notes):
            self._rows.addWidget(widget)
        self._rows.addStretch(1)
        self._align()
        session.plan_changed.connect(self._refresh)
        session.current_changed.connect(self._refresh)
        session.preview_changed.connect(self._refresh)
        session.library_changed.connect(self._follow_library)
        session.focus_field.connect(self.focus_field)
        self._refresh()
        follow_language(self._say)
        on_language(self._say_again)

    def _say(self) -> None:
        self.setAccessibleName(translate("Panels", "Scenario"))
        self.notes_title.set_text(translate("Panels", "Notes"))
        self.empty.set_text(translate("Panels", "No scenario: add one to begin."))

    def _say_again(self) -> None:
        """Show the same state in other words; columns follow the width of their labels."""
        self._forget()
        self._refresh()
        self._align()

    def _follow(self, section: Section) -> None:
        self._follow_fields(tuple(section.fields.values()))
        section.grown.connect(self._grow)

    def _grow(self, edits: tuple[QuantityEdit, ...]) -> None:
        self._follow_fields(edits)
        self._align()

    def _follow_fields(self, edits: tuple[QuantityEdit, ...]) -> None:
        for edit in edits:
            edit.explain_requested.connect(self._explain)
            edit.vary_requested.connect(self._session.vary_wanted)
            edit.refused.connect(self._bring_into_sight)

    def _add_flags(self, kind: str) -> None:
        """Add the flags of an engine: half as many rows again, which a plain plan never needs."""
        section = FlagsSection(kind, self._session, self.form)
        section.hide()
        place = 1 + next(i for i, s in enumerate(self.sections) if isinstance(s, PlainSection))
        self._rows.insertWidget(self._rows.indexOf(self.sections[place]), section)
        self.sections = (*self.sections[:place], section, *self.sections[place:])
        self._behind = (*self._behind, section)
        self._follow(section)
        self._align()

    def _align(self) -> None:
        rows = [row for section in self.sections for row in section.rows()]
        width = max(section.label_width() for section in self.sections)
        for row in rows:
            row.set_label_width(width)  # type: ignore[attr-defined]

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 44, super().sizeHint().height())

    # Showing

    def _refresh(self, _: object = None) -> None:
        scenario = self._session.current
        self.empty.setVisible(scenario is None)
        self.area.setVisible(scenario is not None)
        self._scenario = scenario
        if scenario is None:
            self._forget()
            self._behind = ()
            return
        plan = self._session.plan
        key = (scenario, self._session.shown(scenario.id), plan.scenario(str(plan.baseline)))
        if self._key is not None and key == self._key:
            return
        self._key = key
        before, self._shown = self._shown, Shown.of(self._session, scenario)
        changed = self._shown.changed_since(before)
        self._behind = tuple(
            section for section in self.sections if self._can_wait(section, changed)
        )
        for section in self.sections:
            if section not in self._behind:
                section.show_state(self._shown)
        self.notes.show_state(scenario)
        if self._is_behind() and changed is None:
            self._soon.ask_unseen()
        elif self._is_behind():
            self._soon.ask()

    def _is_behind(self) -> bool:
        """Whether a section is to be filled, or made."""
        return bool(self._behind) or self._lacks_flags()

    def _lacks_flags(self) -> bool:
        known = {section.of_engine for section in self.sections}
        return self._scenario is not None and self._scenario.engine.kind not in known

    def _can_wait(self, section: Section, changed: frozenset[str] | None) -> bool:
        """Whether a section can show the new state in a later turn.

        What was changed is seen at once; what follows from it elsewhere comes after.
        """
        kind = "" if self._scenario is None else self._scenario.engine.kind
        if section.of_engine not in ("", kind):
            # It goes: nobody may set a flag that the engine no longer has.
            return False
        if section.of_engine and (section.isHidden() or changed is None):
            # Half of all rows, in a turn of their own; what is being typed is shown at once.
            return not section.isAncestorOf(QApplication.focusWidget() or self)
        return not self.isVisible() or (changed is not None and not changed & section.parts())

    def showEvent(self, event: QShowEvent) -> None:
        """Show nothing that is out of date."""
        super().showEvent(event)
        if self._is_behind():
            self._soon.ask_unseen()

    def _catch_up(self) -> None:
        if self._scenario is not None and self._lacks_flags():
            # Half as many rows again: they are filled in the turn after.
            self._add_flags(self._scenario.engine.kind)
            self._soon.ask()
            return
        try:
            while self._behind:
                section, self._behind = self._behind[0], self._behind[1:]
                if self._shown is not None:
                    section.show_state(self._shown)
        finally:
            # One that fails says so, and keeps none of the others from showing the scenario.
            if self._behind:
                self._soon.ask()

    def _follow_library(self) -> None:
        """What a preset says today decides what counts as changed."""
        self._forget()
        self._refresh()

    def _forget(self) -> None:
        """Let everything be shown anew."""
        self._key = self._shown = None

    # Verbs

    def focus_field(self, field_id: object) -> None:
        """Give the keyboard to a field and bring it into sight."""
        if field_id is None:
            field_id = "model.preset"
        # Rows of another engine are there a few turns later.
        while self._is_behind():
            self._catch_up()
        for section in self.sections:
            target = section.row(str(field_id))
            if target is None:
                continue
            section.unfold(str(field_id))
            if target.isHidden():
                target = section.choices.get("workload.lengths", target)
            target.setFocus(Qt.FocusReason.ShortcutFocusReason)
            self.area.ensureWidgetVisible(target)
            # A row that was folded away has its place only in the next turn.
            self._bring_into_sight(target)
            return

    def _bring_into_sight(self, widget: QWidget) -> None:
        """Scroll to a row, or to the reason below it, once it has a place."""
        QTimer.singleShot(0, widget, partial(self.area.ensureWidgetVisible, widget))

    def focus_first(self) -> None:
        """Give the keyboard to the first field."""
        self.focus_field("model.preset")

    def commit_pending(self) -> bool:
        """Take over what is being typed; False when some text cannot be read."""
        taken = [edit.commit() for section in self.sections for edit in section.fields.values()]
        taken += [row.commit() for section in self.sections for row in section.typed.values()]
        self.notes.commit()
        return all(taken)

    def _explain(self, field_id: str) -> None:
        """Select the entry whose formula a field goes into."""
        if self._scenario is None:
            return
        rank = self._session.ledger(self._scenario.id).worst_rank
        entry = entry_using(rank, field_id)
        if entry is not None:
            self._session.select(self._scenario.id, rank.rank, entry.label)
