"""The right side of the export dialog: pages as the file will have them, or its tables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from workbench.charts.display import DisplayList
from workbench.export.raster import QtMeasure, paint
from workbench.export.table import Row, Table
from workbench.gui.chart_role import be_chart
from workbench.gui.labels import Label, theme_of
from workbench.gui.language import follow_language
from workbench.gui.tr import translate
from workbench.gui.views.table import Cell, CopyTable, number, word

_CHECK_PX: Final = 8
_CHECKS: Final = ("#FFFFFF", "#D9DCE0")
"""Behind what is transparent, in every theme: that is what it means everywhere."""
_LARGEST_SCALE: Final = 2.0
_VEIL_ALPHA: Final = 190
_MOST_CHARACTERS: Final = 30


class PagePane(QWidget):
    """One page, as large as there is room."""

    def __init__(self, measure: QtMeasure, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._measure = measure
        self.page: DisplayList | None = None
        self._clear = False
        self._kept: QPixmap | None = None
        be_chart(self)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        follow_language(self._say)

    def _say(self) -> None:
        self.setAccessibleName(translate("Export", "Preview"))

    def show_page(self, page: DisplayList | None, *, clear: bool = False) -> None:
        """Show a page; one without a ground stands on a chequered one."""
        self.page, self._clear, self._kept = page, clear, None
        self.setAccessibleDescription("" if page is None else page.summary)
        self.update()

    def sizeHint(self) -> QSize:
        """Roomy."""
        em = self.fontMetrics().height()
        return QSize(em * 40, em * 24)

    def minimumSizeHint(self) -> QSize:
        """Small enough for the smallest window."""
        em = self.fontMetrics().height()
        return QSize(em * 16, em * 9)

    def area(self) -> QRectF:
        """Return where the page is."""
        page = self.page
        if page is None:
            return QRectF()
        room = QRectF(self.rect()).adjusted(3, 3, -3, -3)
        scale = min(room.width() / page.width, room.height() / page.height, _LARGEST_SCALE)
        width, height = max(1, round(page.width * scale)), max(1, round(page.height * scale))
        left = room.x() + (room.width() - width) // 2
        top = room.y() + (room.height() - height) // 2
        return QRectF(left, top, width, height)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the page, its edge, and a ring while the keyboard is here."""
        painter = QPainter(self)
        theme = theme_of(self)
        area = self.area()
        if self.page is not None:
            painter.drawPixmap(area.topLeft(), self._pixmap(area))
            painter.setPen(QPen(QColor(theme.line), 1.0))
            painter.drawRect(area.adjusted(-0.5, -0.5, 0.5, 0.5))
        if self.hasFocus():
            painter.setPen(QPen(QColor(theme.accent), 2.0))
            painter.drawRect(QRectF(self.rect()).adjusted(1, 1, -1, -1))
        painter.end()

    def _pixmap(self, area: QRectF) -> QPixmap:
        """Paint the page once for each size that it is shown at."""
        assert self.page is not None
        ratio = self.devicePixelRatioF()
        size = QSize(round(area.width() * ratio), round(area.height() * ratio))
        if self._kept is not None and self._kept.size() == size:
            return self._kept
        made = QPixmap(size)
        made.fill(QColor(self.page.background))
        painter = QPainter(made)
        if self._clear:
            _paint_checks(painter, size, round(_CHECK_PX * ratio))
        painter.scale(size.width() / self.page.width, size.height() / self.page.height)
        paint(self.page, painter, self._measure)
        painter.end()
        made.setDevicePixelRatio(ratio)
        self._kept = made
        return made


def _paint_checks(painter: QPainter, size: QSize, side: int) -> None:
    painter.fillRect(0, 0, size.width(), size.height(), QColor(_CHECKS[0]))
    dark = QColor(_CHECKS[1])
    for row in range(size.height() // side + 1):
        for column in range(row % 2, size.width() // side + 1, 2):
            painter.fillRect(column * side, row * side, side, side, dark)


class _Veil(QWidget):
    """Dims what stands below it; clicks and keys go on to that."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the ground of the dialog, so thin that what was there is made out."""
        painter = QPainter(self)
        colour = QColor(self.palette().color(QPalette.ColorRole.Window))
        colour.setAlpha(_VEIL_ALPHA)
        painter.fillRect(self.rect(), colour)
        painter.end()


class Preview(QWidget):
    """Pages one at a time, or tables one at a time; arrow keys and buttons turn them."""

    def __init__(self, measure: QtMeasure, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._pages: tuple[DisplayList, ...] = ()
        self._tables: tuple[Table, ...] = ()
        self._clear = False
        self.number = 0
        self._build(measure)
        follow_language(self._say)

    def _build(self, measure: QtMeasure) -> None:
        em = self.fontMetrics().height()
        self.pane = PagePane(measure, self)
        self.table: CopyTable | None = None
        self.stack = QStackedWidget(self)
        self.stack.addWidget(self.pane)
        self.back, self.forth = (QToolButton(self) for _ in range(2))
        self.back.setText("‹")
        self.forth.setText("›")
        self.back.clicked.connect(self.turn_back)
        self.forth.clicked.connect(self.turn_forth)
        self.place = Label("", self, role="muted")
        self.status = Label("", self, role="muted", selectable=True, elide=True)
        below = QHBoxLayout()
        below.addWidget(self.status, 1)
        for widget in (self.back, self.place, self.forth):
            below.addWidget(widget)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(em // 3)
        layout.addWidget(self.stack, 1)
        layout.addLayout(below)
        self.veil = _Veil(self)

    def _say(self) -> None:
        self.back.setAccessibleName(translate("Export", "Previous page"))
        self.forth.setAccessibleName(translate("Export", "Next page"))
        self._show()

    @property
    def count(self) -> int:
        """How many pages or tables there are."""
        return len(self._pages) or len(self._tables)

    @property
    def page(self) -> DisplayList | None:
        """The page in sight."""
        return self._pages[self.number] if self._pages else None

    def show_made(
        self, pages: Sequence[DisplayList], tables: Sequence[Table], *, clear: bool, again: bool
    ) -> None:
        """Show other pages or tables, from the first unless it is the same thing `again`."""
        self._pages, self._tables, self._clear = tuple(pages), tuple(tables), clear
        self.veil.hide()
        self.number = min(self.number, max(0, self.count - 1)) if again else 0
        self._show()

    def dim(self) -> None:
        """Let what is in sight step back: it is not what is chosen now."""
        self.veil.setGeometry(self.stack.geometry())
        self.veil.raise_()
        self.veil.show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the veil over all that it dims."""
        super().resizeEvent(event)
        self.veil.setGeometry(self.stack.geometry())

    def turn_back(self) -> None:
        """Show the page before."""
        self._turn(-1)

    def turn_forth(self) -> None:
        """Show the page behind."""
        self._turn(1)

    def _turn(self, by: int) -> None:
        self.number = min(max(self.number + by, 0), max(0, self.count - 1))
        self._show()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Turn pages by keys."""
        forth = (Qt.Key.Key_Right, Qt.Key.Key_PageDown, Qt.Key.Key_Down)
        back = (Qt.Key.Key_Left, Qt.Key.Key_PageUp, Qt.Key.Key_Up)
        if event.key() in (*forth, *back):
            self._turn(1 if event.key() in forth else -1)
        else:
            super().keyPressEvent(event)

    def _show(self) -> None:
        several = self.count > 1
        for widget in (self.back, self.place, self.forth):
            widget.setVisible(several)
        self.back.setEnabled(self.number > 0)
        self.forth.setEnabled(self.number + 1 < self.count)
        place = translate("Export", "{number} of {count}")
        place = place.format(number=self.number + 1, count=self.count)
        title = self._tables[self.number].title if self._tables else ""
        self.place.set_text(" · ".join(text for text in (title, place) if text))
        if self._tables:
            self._show_table(self._tables[self.number])
        else:
            self.pane.show_page(self.page, clear=self._clear)
            self.stack.setCurrentWidget(self.pane)

    def _show_table(self, shown: Table) -> None:
        old, self.table = (
            self.table,
            CopyTable(shown.title, shown.columns, self, stretch=len(shown.columns) - 1),
        )
        # A sentence must not push the other scenarios out of sight.
        self.table.most_characters = _MOST_CHARACTERS
        self.table.show_rows([_cells(row, shown) for row in shown.rows])
        self.stack.addWidget(self.table)
        self.stack.setCurrentWidget(self.table)
        if old is not None:
            if old.hasFocus():
                self.table.setFocus()
            self.stack.removeWidget(old)
            old.deleteLater()


def _cells(row: Row, shown: Table) -> list[Cell]:
    """Return the cells of a line; the heading of others has none behind it."""
    texts = [cell.text for cell in row.cells] + [""] * (len(shown.columns) - len(row.cells))
    return [
        number(text) if numeric else word(text)
        for text, numeric in zip(texts, shown.numeric, strict=True)
    ]
