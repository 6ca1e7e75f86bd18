"""The bars: the same display list as every exported picture, with pointer and keyboard on it."""

from __future__ import annotations

import dataclasses
import math

from PySide6.QtCore import QEvent, QPoint, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QAccessible,
    QAccessibleAnnouncementEvent,
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QFontInfo,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QShowEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.charts.bars import stacked_bars
from workbench.charts.display import DisplayList, HitKey, HitRegion, Span, Text
from workbench.charts.parts import Style
from workbench.charts.row_items import DENSE, Drawn, row_height
from workbench.charts.rows import Row, bars_table
from workbench.charts.stack import drawn
from workbench.core.budget import ledger_of
from workbench.export.raster import QtMeasure, paint
from workbench.gui.bar_facts import part_text, row_of, rows_of
from workbench.gui.chart_role import be_chart
from workbench.gui.drawn_chart import DrawnChart
from workbench.gui.export.mime import Leaving, tsv_of
from workbench.gui.labels import theme_of
from workbench.gui.language import follow_language, on_language
from workbench.gui.session import Session
from workbench.gui.tr import chart_label, translate
from workbench.gui.why import FIGURE, Why

_OUTLINE = 3
"""Pixels that the outline of a part reaches past it."""
_AXIS_STEP_BITS = 4
"""Past a limit the axis grows by an eighth to a sixteenth of itself."""
_FIGURES = {"result": "", "limit:label": "budget"}
"""Texts beside the bars by role, and the figure of each; a result is what is left, or over."""
KEYBOARD = (
    Qt.FocusReason.TabFocusReason,
    Qt.FocusReason.BacktabFocusReason,
    Qt.FocusReason.ShortcutFocusReason,
)


class BarsView(DrawnChart):
    """One bar a scenario; arrows walk the parts, Enter or a click explains one."""

    described = Signal(object)
    """What is under the pointer or the keyboard, in words; empty for nothing."""
    menu_wanted = Signal(object)
    """A global position."""
    cursor_moved = Signal(object)
    """Where the keyboard is, to be kept in sight."""

    def __init__(self, session: Session, measure: QtMeasure, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.measure = measure
        self._rows: tuple[Row, ...] = ()
        self._drawn_rows = Drawn()
        self._hovered: HitKey | None = None
        self._cursor: HitKey | None = None
        self._by_keyboard = False
        self._room: int | None = None
        """Pixels that the chart may be high before it has to scroll."""
        self._stretch = 1.0
        self._has_moved = False
        """Whether another scenario has become the current one out of sight."""
        self._build()
        session.plan_changed.connect(self.refresh)
        session.preview_changed.connect(self.refresh)
        session.ghost_changed.connect(self.refresh)
        session.current_changed.connect(self._follow_current)
        session.selection_changed.connect(self._follow_selection)
        self.refresh()
        follow_language(self._say)
        on_language(self._forget)

    def _say(self) -> None:
        self.setAccessibleName(translate("Bars", "Memory per GPU"))

    def _build(self) -> None:
        be_chart(self)
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    # What is drawn

    def refresh(self) -> None:
        """Draw the session's scenarios; nothing happens when they answer as before."""
        rows = rows_of(self._session)
        if rows != self._rows or self._list is None:
            self._rows = rows
            self._redraw_when_seen()

    def _forget(self) -> None:
        self._drawn_rows.clear()
        self._rows = rows_of(self._session)
        self._redraw_when_seen()

    def showEvent(self, event: QShowEvent) -> None:
        """Bring the current scenario into sight if it was not the current one before."""
        super().showEvent(event)
        if self._has_moved:
            self._follow_current(self._session.current_id)

    def _redraw(self) -> None:
        before, self._list = self._list, None
        shown = self.display_list()
        keys = {region.key for region in shown.hits}
        if self._cursor not in keys:
            self._cursor = None
        if self._hovered not in keys:
            self._hovered = None
        self.setMinimumWidth(0)
        self.setFixedHeight(round(shown.height))
        self._tell()
        self._repaint(before, shown)

    def _repaint(self, before: DisplayList | None, shown: DisplayList) -> None:
        """Paint only the rows that have changed: most edits change one of many."""
        if before is None or (before.width, before.height) != (shown.width, shown.height):
            self.update()
            return
        band = shown.difference(before)
        if band is not None:
            top, bottom = math.floor(band.top), math.ceil(band.bottom)
            self.update(0, top - _OUTLINE, self.width(), bottom - top + 2 * _OUTLINE)

    def display_list(self) -> DisplayList:
        """Return what is painted now."""
        if self._list is None:
            # Before it has its place it is as wide as it would like to be.
            self._list = self._drawn(max(1, self.width() if self.isVisible() else self._wanted()))
        return self._list

    def picture(self) -> DisplayList:
        """Return the chart as it is copied and saved: no selection, a margin all round."""
        rows = tuple(dataclasses.replace(row, selected=False, tried=None) for row in self._rows)
        return stacked_bars(
            rows,
            width=max(self.width(), self._em() * 50),
            theme=theme_of(self),
            measure=self.measure,
            labels=chart_label,
            text_px=self._em(),
            title=translate("Bars", "Memory per GPU"),
        )

    def set_room(self, height: int) -> None:
        """Draw thinner rows where the chart is higher than so many pixels."""
        if height != self._room:
            self._room = height
            if self._list is None or self._fitting(self._list) != self._stretch:
                self._redraw_when_seen()

    def _drawn(self, width: float) -> DisplayList:
        made = self._stacked(width)
        fitting = self._fitting(made)
        if fitting != self._stretch:
            self._stretch = fitting
            made = self._stacked(width)
        return made

    def _fitting(self, made: DisplayList) -> float:
        """Return how thick the rows can be, known from the chart as it is."""
        if self._room is None:
            return 1.0
        style = Style(theme_of(self), self.measure, "auto", self._em(), self._stretch)
        calm = row_height(dataclasses.replace(style, stretch=1.0))
        more = (calm - row_height(style)) * len(self._rows)
        return 1.0 if made.height + more <= self._room else DENSE

    def _stacked(self, width: float) -> DisplayList:
        return stacked_bars(
            self._rows,
            width=width,
            theme=theme_of(self),
            measure=self.measure,
            labels=chart_label,
            text_px=self._em(),
            title=translate("Bars", "Memory per GPU"),
            padding=0.0,
            drawn_before=self._drawn_rows,
            in_steps=True,
            axis_at_least_bytes=self._still_axis(),
            stretch=self._stretch,
        )

    def _still_axis(self) -> int:
        """Keep the axis from shrinking under a value that is tried, and from creeping past a limit.

        Where a bar sticks out the axis grows in steps: an edit then moves one bar, not all.
        """
        end = 0
        if self._session.preview is not None:
            tried = self._session.plan.scenario(self._session.preview.id)
            before = ledger_of(tried).worst_rank
            end = max(drawn(before).extent_bytes, before.budget_bytes)
        ledgers = (ledger for row in self._rows for ledger in (row.ledger, row.previous, row.tried))
        over = [one.total_bytes + one.over_bytes for one in ledgers if one and one.over_bytes]
        if over:
            longest = max(over) + max(over) // 64
            step = 1 << max(0, longest.bit_length() - _AXIS_STEP_BITS)
            end = max(end, -(-longest // step) * step)
        return end

    def margin(self) -> float:
        """Pixels that the chart keeps free at its sides."""
        return self._em() / 2

    def _em(self) -> float:
        return float(QFontInfo(self.font()).pixelSize())

    def sizeHint(self) -> QSize:
        """As wide as it may be, as high as the bars take."""
        return QSize(self._wanted(), round(self.display_list().height))

    def _wanted(self) -> int:
        return max(self.width(), round(self._em() * 50))

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the display list and an outline on the part that is pointed at."""
        painter = QPainter(self)
        shown, area = self.display_list(), event.rect()
        within = Span(area.top(), area.bottom() + 1)
        paint(shown, painter, self.measure, within=within)
        marked = self._cursor if self.hasFocus() else None
        theme = theme_of(self)
        for key, thick in ((self._hovered, 1.5), (marked, 2.5)):
            region = self._region(key)
            if region is not None:
                painter.setPen(QPen(QColor(theme.text), thick))
                painter.setBrush(Qt.BrushStyle.NoBrush)
                box = region.box
                painter.drawRect(QRectF(box.x - 1, box.y - 1, box.width + 1, box.height + 2))
        if self._by_keyboard and self.hasFocus() and marked is None:
            painter.setPen(QPen(QColor(theme.accent), 1.0, Qt.PenStyle.DotLine))
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))
        painter.end()

    # Pointer and keyboard

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Show what is under the pointer."""
        at = event.position()
        self._hover(self.display_list().hit(at.x(), at.y()))

    def leaveEvent(self, event: QEvent) -> None:
        """Show nothing under the pointer."""
        super().leaveEvent(event)
        self._hover(None)

    def _hover(self, key: HitKey | None) -> None:
        if key != self._hovered:
            self._hovered = key
            over = Qt.CursorShape.PointingHandCursor if key else Qt.CursorShape.ArrowCursor
            self.setCursor(over)
            self._tell()
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Explain the part that is clicked."""
        if event.button() == Qt.MouseButton.LeftButton:
            at = event.position()
            key = self.display_list().hit(at.x(), at.y())
            beside = None if key is not None else self.figure_at(at.x(), at.y())
            if key is not None:
                self._cursor = key
                self._choose(key)
            elif beside is not None:
                self._choose(beside)
        else:
            super().mousePressEvent(event)

    def figure_at(self, x: float, y: float) -> HitKey | None:
        """Return the figure of a text beside the bars: what a row has left, or the limit."""
        text = next(
            (
                item
                for item in self.display_list().items
                if isinstance(item, Text) and item.role in _FIGURES and self._covers(item, x, y)
            ),
            None,
        )
        if text is None or not self._rows:
            return None
        lanes = [lane[0] for lane in self._lanes()]
        near = min(lanes, key=lambda lane: abs(lane.box.y + lane.box.height / 2 - text.y))
        row = row_of(self._rows, near.key)
        if row is None:
            return None
        name = _FIGURES[text.role] or ("over" if row.ledger.over_bytes else "left")
        return HitKey(near.key.scenario, near.key.rank, FIGURE + name)

    def _covers(self, text: Text, x: float, y: float) -> bool:
        return text.box(self.measure).contains(x, y)

    def _choose(self, key: HitKey) -> None:
        self._session.set_current(key.scenario)
        self._session.select(key.scenario, key.rank, key.part)
        self.update()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows walk parts and rows, Enter explains."""
        key = Qt.Key(event.key())
        moves = {
            Qt.Key.Key_Left: (-1, 0),
            Qt.Key.Key_Right: (1, 0),
            Qt.Key.Key_Up: (0, -1),
            Qt.Key.Key_Down: (0, 1),
            Qt.Key.Key_Home: (-10_000, 0),
            Qt.Key.Key_End: (10_000, 0),
        }
        if key in moves:
            self._walk(*moves[key])
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self._cursor:
            self._choose(self._cursor)
        elif key == Qt.Key.Key_Menu:
            self.menu_wanted.emit(self.mapToGlobal(QPoint(0, 0)))
        else:
            super().keyPressEvent(event)

    def _walk(self, across: int, down: int) -> None:
        lanes = self._lanes()
        if not lanes:
            return
        here = self._region(self._cursor)
        if here is None:
            ids = [lane[0].key.scenario for lane in lanes]
            current = self._session.current_id
            lane = lanes[ids.index(current) if current in ids else 0]
            self._move_to(lane[0])
            return
        row = next(i for i, lane in enumerate(lanes) if here in lane)
        if across:
            lane = lanes[row]
            self._move_to(lane[min(max(lane.index(here) + across, 0), len(lane) - 1)])
            return
        lane = lanes[min(max(row + down, 0), len(lanes) - 1)]
        # The same part in the next row, else what stands under the middle of this one.
        same = [region for region in lane if region.key.part == here.key.part]
        middle = here.box.x + here.box.width / 2
        self._move_to(same[0] if same else min(lane, key=lambda r: abs(r.box.x - middle)))

    def _lanes(self) -> list[list[HitRegion]]:
        lanes: dict[tuple[str, int], list[HitRegion]] = {}
        for region in self.display_list().hits:
            lanes.setdefault((region.key.scenario, region.key.rank), []).append(region)
        return list(lanes.values())

    def _move_to(self, region: HitRegion) -> None:
        self._cursor = region.key
        self._hovered = None
        self._tell()
        self.update()
        self._keep_in_sight(region)

    def _keep_in_sight(self, region: HitRegion) -> None:
        self.cursor_moved.emit(QRectF(*region.box).toRect())

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Say where the keyboard is."""
        super().focusInEvent(event)
        self._by_keyboard = event.reason() in KEYBOARD
        self._tell()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Say nothing more about the keyboard's part."""
        super().focusOutEvent(event)
        self._tell()

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        """Ask for the menu of the chart."""
        self.menu_wanted.emit(event.globalPos())

    def _region(self, key: HitKey | None) -> HitRegion | None:
        if key is None:
            return None
        return next((r for r in self.display_list().hits if r.key == key), None)

    # Words

    def _tell(self) -> None:
        key = self._hovered or (self._cursor if self.hasFocus() else None)
        text = self.text_of(key)
        self.described.emit(text)
        summary = self.display_list().summary
        twin = translate("Bars", "The tab Ledger has the same figures as a table.")
        description = text or f"{summary} {twin}"
        if description != self.accessibleDescription():
            self.setAccessibleDescription(description)
            if text and QAccessible.isActive():
                QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, text))

    def asked_why(self) -> Why | None:
        """Return what the part under the pointer or the cursor would ask."""
        key = self._hovered or self._cursor
        return None if key is None else Why(key.scenario, key.part, key.rank)

    def text_of(self, key: HitKey | None) -> str:
        """Say what a part is: scenario, part, size, share, difference to the baseline."""
        if key is None:
            return ""
        return part_text(self._session, self._rows, key)

    def _follow_current(self, current_id: object) -> None:
        self.refresh()
        self._has_moved = not self.isVisible()
        if self._has_moved:
            # Laid out when it is shown.
            return
        region = next((r for r in self.display_list().hits if r.key.scenario == current_id), None)
        if region is not None:
            self._keep_in_sight(region)

    def _follow_selection(self, selection: object) -> None:
        if isinstance(selection, tuple) and not self.hasFocus():
            key = HitKey(*selection)
            self._cursor = key if self._region(key) else None
            self.update()

    # Leaving with it

    def leaving(self) -> Leaving | None:
        """Return the chart as the clipboard and a drag take it; None without a bar."""
        if not self._rows:
            return None
        header, lines = bars_table(self._rows, labels=chart_label)
        return Leaving(self.picture(), tsv_of(header, lines), "memory")
