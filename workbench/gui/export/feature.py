"""Offers exports: the dialog on Ctrl+E, the quick picture of the chart, and charts to drag."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget
from shiboken6 import Shiboken

from workbench.gui.export.dragging import DragOut
from workbench.gui.jobs import Jobs
from workbench.gui.messages import Message
from workbench.library.paths import shown
from workbench.spec.errors import UserError
from workbench.spec.scenario import Plan, Scenario

if TYPE_CHECKING:
    from workbench.export.options import What
    from workbench.export.subject import Subject
    from workbench.gui.app import Workbench
    from workbench.gui.dialogs import Dialogs
    from workbench.gui.export.dialog import ExportDialog
    from workbench.gui.export.making import Saver

COMPARE: Final = "compare"


class Exports(QObject):
    """Opens the dialog for the plan, or for what the compare page shows."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench.window)
        self._bench = bench
        self._previews = Jobs(self, threads=1)
        self._saver: Saver | None = None
        self._dialog: ExportDialog | None = None
        window = bench.window
        window.actions_by_id.bind({"file.export": self.open, "file.save_chart": self.save_chart})
        window.add_tool("file.export").setProperty("primary", True)
        bars = window.bars_card.bars
        self._drag = DragOut(bars, bars.leaving)
        bench.session.plan_changed.connect(self._show_possible)
        self._show_possible()

    def _show_possible(self) -> None:
        has_scenario = bool(self._bench.session.plan.scenarios)
        self._bench.window.actions_by_id["file.export"].setEnabled(has_scenario)

    def open(self) -> None:
        """Open the dialog as it was last used; on the compare page with the comparison."""
        self.show(COMPARE if self._bench.window.page == COMPARE else None)

    def show(self, what: What | None = None, scenario_id: str | None = None) -> ExportDialog | None:
        """Open the dialog, with something chosen already; None while there is no scenario."""
        from workbench.gui.export.dialog import ExportDialog, Source

        known = self._dialog
        if known is not None and Shiboken.isValid(known) and known.isVisible():
            return known
        subject = self._subject()
        if subject is None:
            return None
        bench = self._bench
        source = Source(subject, bench.session.path, bench.files.folder)
        dialog = self._dialog = ExportDialog(
            source,
            bench.store,
            self._dialogs,
            lambda: bench.language.code,
            (self._previews, bench.jobs),
            bench.window,
        )
        if what is not None:
            dialog.form.choose(what)
            if scenario_id is not None:
                dialog.form.lead_to(what, scenario_id)
        # Qt itself would take two thirds of the screen at most.
        dialog.resize(dialog.sizeHint())
        dialog.open()
        dialog.form.whats[dialog.form.what].setFocus()
        return dialog

    def _dialogs(self) -> Dialogs:
        dialogs = self._bench.files.dialogs
        assert dialogs is not None, "the window gives the dialogs"
        return dialogs

    def _subject(self) -> Subject | None:
        from workbench.export.subject import Subject

        session = self._bench.session
        plan, name = session.plan, "" if session.path is None else session.path.name
        page = self._bench.window.page_widget(COMPARE)
        if self._bench.window.page == COMPARE and page is not None:
            compared: tuple[Sequence[Scenario], int] = page.compared()  # type: ignore[attr-defined]
            scenarios, baseline = compared
            if scenarios:
                base = scenarios[baseline].id
                plan = plan.with_(scenarios=tuple(scenarios), baseline=base)
        return Subject(plan, name) if plan.scenarios else None

    def save_chart(self) -> None:
        """Write the bars as a PNG where the person says, looking as the last export did."""
        from workbench.export.formats import Job
        from workbench.export.options import Options
        from workbench.gui.export.making import Saver
        from workbench.gui.export.names import spoken, stem_of

        bench, session = self._bench, self._bench.session
        dialogs, plan = bench.files.dialogs, session.plan
        if dialogs is None or not plan.scenarios or (self._saver and self._saver.busy):
            return
        stem = stem_of(session.path, plan.title, "bars")
        path = dialogs.picture_to_save(str(Path(bench.files.folder) / f"{stem}.png"))
        subject = self._subject_of(plan)
        if path is None:
            return
        choice = bench.store.settings.export
        options = Options(
            ratio=choice.ratio,
            look=choice.look,
            scale=choice.scale,
            footnote=choice.footnote,
            language=spoken(bench.language.code),
        )
        if self._saver is None:
            self._saver = Saver(bench.jobs, self)
            self._saver.saved.connect(self._chart_saved)
            self._saver.failed.connect(self._chart_failed)
        self._saver.start("png", Job(subject, options), path, session.path)

    def _subject_of(self, plan: Plan) -> Subject:
        from workbench.export.subject import Subject

        path = self._bench.session.path
        return Subject(plan, "" if path is None else path.name)

    def _chart_saved(self, path: object) -> None:
        assert isinstance(path, Path)
        message = Message("info", "chart_saved", {"path": shown(path)}, slot="chart")
        self._bench.session.tell(message)

    def _chart_failed(self, error: object) -> None:
        assert isinstance(error, UserError)
        self._bench.session.tell(Message.of_error(error, slot="chart"))


def attach(bench: Workbench) -> None:
    """Offer exports."""
    Exports(bench)


def exports_of(widget: QWidget) -> Exports | None:
    """Return the exports of the window that a widget is in; None in a window without."""
    found = widget.window().findChild(Exports)
    return found if isinstance(found, Exports) else None
