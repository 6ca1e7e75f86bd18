"""The page of the compare view: switches, table, and what moved the answer."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QFontInfo, QGuiApplication, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QFrame, QMenu, QTabBar, QVBoxLayout, QWidget

from workbench.charts.bars import stacked_bars
from workbench.charts.columns import axis_end_bytes
from workbench.charts.display import DisplayList, HitKey
from workbench.charts.joined import below_each_other
from workbench.core.compare import Comparison
from workbench.export.raster import QtMeasure
from workbench.gui.bar_facts import part_text
from workbench.gui.compare.assumed import assumption_sentence
from workbench.gui.compare.cells import Head, Line
from workbench.gui.compare.head import CompareHead
from workbench.gui.compare.lines import Lines, column_rows
from workbench.gui.compare.preset_lines import field_lines, held_lines, preset_heads
from workbench.gui.compare.shown import Shown
from workbench.gui.compare.table import CompareTable
from workbench.gui.compare.waterfall_card import WaterfallCard
from workbench.gui.compare.whys import assumptions_why
from workbench.gui.compare.worked import Question, Worked, Worker, at_once
from workbench.gui.export.dragging import DragOut
from workbench.gui.export.feature import exports_of
from workbench.gui.export.mime import Leaving, chart_mime, guarded_tsv
from workbench.gui.jobs import Jobs
from workbench.gui.labels import theme_of
from workbench.gui.language import follow_language, on_language
from workbench.gui.messages import Message
from workbench.gui.paint_turn import Refresh
from workbench.gui.session import Session
from workbench.gui.tr import chart_label, translate
from workbench.spec.base import MAX_NAME_CHARACTERS
from workbench.spec.errors import UserError
from workbench.spec.scenario import Scenario

PICTURE_EMS = 60
_UNBOUNDED = 16_777_215
"""The largest height that Qt knows."""
LEAST_TABLE_EMS = 24
"""Height of the table from which on there is room for what moved the answer below it."""


class ComparePage(QWidget):
    """Follows the plan while it is shown; Esc leaves it."""

    leaving = Signal()

    def __init__(
        self,
        session: Session,
        shown: Shown,
        jobs: Jobs,
        measure: QtMeasure,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._shown = shown
        self._measure = measure
        self._worker = Worker(jobs, self)
        self._worker.done.connect(self._take)
        self._worked: Worked | None = None
        self._question: Question | None = None
        self._comparison: Comparison | None = None
        self._target = ""
        self._stale = True
        self._soon = Refresh(self._catch_up, self)
        self._build()
        for signal in (session.plan_changed, session.preview_changed, shown.changed):
            signal.connect(self._on_change)
        session.current_changed.connect(self._follow_current)
        session.selected_changed.connect(self._follow_picks)
        follow_language(self._say)
        on_language(self._on_language)

    def _build(self) -> None:
        em = self.fontMetrics().height()
        card = QFrame(self)
        card.setProperty("card", True)
        self.head = CompareHead(self._session, self._shown, card)
        self.head.copying.connect(self.copy)
        self.head.exporting.connect(self.export)
        self.table = CompareTable(self._measure, card)
        self.table.part_words = self._part_words
        self.table.menu_filled.connect(self._fill_menu)
        inner = QVBoxLayout(card)
        inner.setContentsMargins(em // 2, em * 2 // 3, em // 2, em // 2)
        inner.setSpacing(em // 2)
        inner.addWidget(self.head)
        self.tabs = QTabBar(card)
        self.tabs.setDrawBase(False)
        self.tabs.setExpanding(False)
        for _ in range(2):
            self.tabs.addTab("")
        self.tabs.currentChanged.connect(self._share_height)
        inner.addWidget(self.tabs)
        inner.addWidget(self.table, 1)
        self._inner = inner
        self.card = card
        self.fall = WaterfallCard(self._measure, self)
        self.fall.target_chosen.connect(self._choose_target)
        self.fall.turned.connect(self._share_height)
        self.fall.view.copying.connect(self.copy_fall)
        self.fall.view.exporting.connect(self.export_fall)
        self._drag = DragOut(self.fall.view, self.leaving_fall)
        layout = self._outer = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(em * 2 // 3)
        layout.addWidget(card, 1)
        layout.addWidget(self.fall)
        self._share_height()

    def _say(self) -> None:
        self.setAccessibleName(translate("Compare", "Compare"))
        self.tabs.setTabText(0, translate("Compare", "Side by side"))
        self.tabs.setTabText(1, translate("Compare", "What moved the answer"))
        self.tabs.setAccessibleName(translate("Compare", "Parts of the comparison"))
        self.tabs.setAccessibleDescription(
            translate("Compare", "The window is too low for both parts: one at a time is shown.")
        )

    # Following

    def _on_change(self, _: object = None) -> None:
        self._stale = True
        if self.isVisible():
            self._soon.ask()

    def _on_language(self) -> None:
        self._stale = True
        if self.isVisible():
            # Words of two languages are not seen side by side.
            self._soon.ask_unseen()

    def _catch_up(self) -> None:
        if self.isVisible():
            self.refresh()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._stale:
            # In a turn of its own, before the window is painted: the page as it was is not seen.
            self._soon.ask_unseen()

    def _follow_current(self, current: object) -> None:
        if isinstance(current, str):
            self._target = current
        self._on_change()

    def _follow_picks(self, picked: object) -> None:
        """Picking several on the strip chooses the columns."""
        several = isinstance(picked, tuple) and len(picked) > 1
        if several and self.isVisible() and self._shown.subject == "scenarios":
            self._shown.show_picked()

    def _choose_target(self, key: object) -> None:
        self._target = str(key)
        self._on_change()

    # Showing

    def refresh(self) -> None:
        """Show everything as it is now; what has to be solved for follows in a moment."""
        if not self._stale:
            return
        self._stale = False
        scenarios = self._scenarios()
        question = None
        if scenarios:
            question = Question(scenarios, self._shown.baseline, self._target_index(scenarios))
        if question != self._question or self._worked is None:
            self._question = question
            self._comparison = None if question is None else at_once(question, self._worked)
            if question is not None:
                self._worker.ask(question)
        self._show()

    @property
    def busy(self) -> bool:
        """Whether something is still to be shown or solved for."""
        return self._worker.busy or (self._stale and self.isVisible())

    def _take(self, worked: object) -> None:
        if isinstance(worked, Worked) and worked.question is self._question:
            self._worked, self._comparison = worked, worked.comparison
            self._show()

    def _scenarios(self) -> tuple[Scenario, ...]:
        if self._shown.subject == "scenarios":
            return tuple(map(self._session.shown, self._shown.scenario_ids()))
        return tuple(self._shown.candidates())

    def _target_index(self, scenarios: Sequence[Scenario]) -> int | None:
        """The column that the waterfall leads to: the chosen one, else the first beside."""
        if self._shown.subject != "scenarios" or len(scenarios) < 2:
            return None
        ids = [scenario.id for scenario in scenarios]
        wanted = (self._target, self._session.current_id)
        return next((ids.index(id_) for id_ in wanted if id_ in ids[1:]), 1)

    def _show(self) -> None:
        heads, lines = self._heads_and_lines()
        comparison = self._comparison
        ledgers = [] if comparison is None else [c.ledger.worst_rank for c in comparison.columns]
        self.head.show_heads(heads)
        self.table.show_lines(heads, lines, axis_end_bytes(ledgers))
        self._show_way(heads)
        self._share_height()

    def _heads_and_lines(self) -> tuple[tuple[Head, ...], list[Line]]:
        shown, made = self._shown, self._maker()
        if shown.subject == "scenarios":
            return ((), []) if made is None else (made.heads(), made.lines())
        only = shown.look.only_differences
        current = self._session.current
        held = [] if made is None or current is None else held_lines(made, current)
        fields = field_lines(shown.presets, shown.baseline, only_differences=only)
        return preset_heads(shown.presets, shown.baseline), held + fields

    def _maker(self) -> Lines | None:
        if self._comparison is None:
            return None
        in_plan = self._shown.subject == "scenarios"
        return Lines(self._comparison, self._shown.look, in_plan=in_plan)

    def _show_way(self, heads: Sequence[Head]) -> None:
        """Show what moved the answer; the way of a moment ago stays until the new one is known."""
        question, worked, comparison = self._question, self._worked, self._comparison
        target = None if question is None else question.target
        if question is None or target is None or comparison is None:
            return
        wanted = (question.scenarios[question.baseline].id, question.scenarios[target].id)
        way = None if worked is None else worked.way
        if way is not None and (way.start.scenario.id, way.end.scenario.id) != wanted:
            way = None
        look = self._shown.look
        self.fall.show_columns(heads, wanted[1])
        self.fall.show_remark(assumption_sentence(comparison), assumptions_why(comparison))
        self.fall.show_way(way, look.unit, look.per)

    @property
    def _has_way(self) -> bool:
        """Whether there is a column that something leads to."""
        return self._question is not None and self._question.target is not None

    def _share_height(self, _tab: int = 0) -> None:
        """Show table and waterfall below each other where both have room, else one at a time."""
        margins, gap = self._inner.contentsMargins(), self._inner.spacing()
        around = self.head.sizeHint().height() + margins.top() + margins.bottom() + gap
        room = self.height() - self._outer.spacing() - around
        table, fall = self.table.height_of_all(), self.fall.wanted_height()
        least = min(table, self.fontMetrics().height() * LEAST_TABLE_EMS)
        apart = self._has_way and room - fall < least
        way_alone = apart and self.tabs.currentIndex() == 1
        # The rest of a high page belongs to the waterfall.
        low, high = (0, _UNBOUNDED) if apart else (max(fall, room - table),) * 2
        self.fall.setMinimumHeight(low)
        self.fall.setMaximumHeight(high)
        self._outer.setStretch(0, 0 if way_alone else 1)
        self._outer.setStretch(1, 1 if way_alone else 0)
        self.setFocusProxy(self.fall.view if way_alone else self.table)
        self.tabs.setVisible(apart)
        self.table.setVisible(not way_alone)
        self.fall.setVisible(way_alone or (self._has_way and not apart))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._share_height()

    def _part_words(self, key: HitKey) -> str:
        if self._comparison is None:
            return ""
        return part_text(self._session, column_rows(self._comparison), key)

    # Verbs

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc leaves."""
        if event.key() == Qt.Key.Key_Escape:
            self.leaving.emit()
            return
        super().keyPressEvent(event)

    def _fill_menu(self, menu: object, index: object) -> None:
        """Offer what can be done with the column that the menu is for."""
        if not (isinstance(menu, QMenu) and isinstance(index, QModelIndex) and index.isValid()):
            return
        head = self.table.lines.heads[index.column()]
        if not head.is_baseline:
            menu.addSeparator()
            base = menu.addAction(translate("Compare", "Compare with this one"))
            base.triggered.connect(partial(self._set_baseline, head.key))
            gone = menu.addAction(translate("Compare", "Remove this column"))
            gone.triggered.connect(partial(self._remove, head.key))
        if self.table.lines.lines[index.row()].key == "gpus_to_fit":
            self._offer_scenario(menu, index.column())

    def _set_baseline(self, key: str, _checked: bool = False) -> None:
        self._shown.choose_baseline(key)

    def _remove(self, key: str, _checked: bool = False) -> None:
        self._shown.remove(key)

    def _offer_scenario(self, menu: QMenu, number: int) -> None:
        """Offer to add what would fit to the plan."""
        if self._comparison is None or self._shown.subject != "scenarios":
            return
        column = self._comparison.columns[number]
        fitting = column.smallest_tp.scenario
        if fitting is not None and fitting != column.scenario:
            action = menu.addAction(translate("Compare", "Make it a scenario"))
            action.triggered.connect(partial(self._add_scenario, fitting))

    def _add_scenario(self, fitting: Scenario, _checked: bool = False) -> None:
        name = f"{fitting.name} · TP {fitting.deployment.tp}"[:MAX_NAME_CHARACTERS]
        added = self._session.add(fitting.with_(name=name))
        if added is not None:
            self._shown.set_scenario(added, shown=True)

    # Leaving with it

    def picture(self) -> DisplayList:
        """Return the charts of the page as one picture: the bars, and below what moved them."""
        em = float(QFontInfo(self.font()).pixelSize())
        width = max(float(self.width()), em * PICTURE_EMS)
        rows = () if self._comparison is None else column_rows(self._comparison)
        bars = stacked_bars(
            rows,
            width=width,
            theme=theme_of(self),
            measure=self._measure,
            unit=self._shown.look.unit,
            labels=chart_label,
            text_px=em,
            title=translate("Bars", "Memory per GPU"),
        )
        if not self._has_way or self.fall.chart is None:
            return bars
        title = translate("Compare", "What moved the answer")
        return below_each_other((bars, self.fall.view.drawn(bars.width, title=title)))

    def copy(self) -> None:
        """Put the whole table as text and the charts as a picture on the clipboard."""
        leaving = Leaving(self.picture(), guarded_tsv(self.table.tsv()), "comparison")
        self._copy(leaving, "comparison_copied")

    def copy_fall(self) -> None:
        """Put the steps on the clipboard: their picture and their table."""
        leaving = self.leaving_fall()
        if leaving is not None:
            self._copy(leaving, "chart_copied")

    def leaving_fall(self) -> Leaving | None:
        """Return what moved the answer as the clipboard and a drag take it."""
        title = translate("Compare", "What moved the answer")
        return self.fall.leaving(float(QFontInfo(self.font()).pixelSize()) * PICTURE_EMS, title)

    def _copy(self, leaving: Leaving, code: str) -> None:
        try:
            QGuiApplication.clipboard().setMimeData(chart_mime(leaving, self._measure))
        except UserError as error:
            self._session.tell(Message.of_error(error, slot="compare"))
            return
        self._session.tell(Message("info", code, slot="compare"))

    def compared(self) -> tuple[tuple[Scenario, ...], int]:
        """Return what is side by side, and which of it is the baseline."""
        return self._scenarios(), self._shown.baseline

    def export(self) -> None:
        """Open the export dialog with the comparison."""
        exports = exports_of(self)
        if exports is not None:
            exports.show("compare")

    def export_fall(self) -> None:
        """Open the export dialog with what moved the answer."""
        exports, question = exports_of(self), self._question
        if exports is not None and question is not None and question.target is not None:
            exports.show("waterfall", question.scenarios[question.target].id)
