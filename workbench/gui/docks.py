"""The side panels as real docks: a quiet handle while docked, the system's frame afloat."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QDockWidget, QSizePolicy, QWidget

from workbench.gui.labels import theme_of

_DOTS = 3


class _Handle(QWidget):
    """A thin strip to drag the dock by; the panels have headings of their own."""

    def __init__(self, dock: QDockWidget) -> None:
        super().__init__(dock)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.SizeAllCursor)

    def sizeHint(self) -> QSize:
        """Half a line."""
        height = self.fontMetrics().height()
        return QSize(height, height // 2)

    def minimumSizeHint(self) -> QSize:
        """As the size hint."""
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint three dots."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme_of(self).line))
        size = self.height() / 4
        middle = QPointF(self.width() / 2, self.height() / 2)
        for dot in range(_DOTS):
            at = middle + QPointF((dot - _DOTS // 2) * size * 3, 0)
            painter.drawEllipse(at, size / 2 + 0.5, size / 2 + 0.5)
        painter.end()


class Dock(QDockWidget):
    """A panel that can be moved, floated and closed, and comes back from the View menu."""

    def __init__(self, name: str, content: QWidget, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self.setAllowedAreas(
            Qt.DockWidgetArea.LeftDockWidgetArea | Qt.DockWidgetArea.RightDockWidgetArea
        )
        self._handle = _Handle(self)
        self.setTitleBarWidget(self._handle)
        self.setWidget(content)
        self.topLevelChanged.connect(self._float)

    def set_title(self, title: str) -> None:
        """Name the dock: in its frame, its tab, the View menu, and on its handle."""
        self.setWindowTitle(title)
        self.setAccessibleName(title)
        self._handle.setToolTip(title)

    def _float(self, floating: bool) -> None:
        self.setTitleBarWidget(None if floating else self._handle)  # type: ignore[arg-type]
        self._handle.setVisible(not floating)
