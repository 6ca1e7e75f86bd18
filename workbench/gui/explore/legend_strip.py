"""The legend below the map, drawn like that of the exported picture."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontInfo, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.charts.display import Box, DisplayList
from workbench.charts.map_legend import legend
from workbench.charts.parts import Style
from workbench.charts.shades import shades
from workbench.export.raster import QtMeasure, paint
from workbench.gui.explore.map_model import MapModel
from workbench.gui.labels import theme_of
from workbench.gui.tr import chart_label


class LegendStrip(QWidget):
    """As high as the legend of the map needs at its width; says nothing that the map does not."""

    def __init__(self, model: MapModel, measure: QtMeasure, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._model = model
        self._measure = measure
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        model.changed.connect(self._follow)

    def display_list(self, width: float) -> DisplayList | None:
        """Return the legend at a width, None while there is no map."""
        surface = self._model.surface
        if surface is None:
            return None
        em = float(QFontInfo(self.font()).pixelSize())
        style = Style(theme_of(self), self._measure, "auto", em)
        colours = shades(surface, self._model.measure, style.theme, chart_label)
        area = Box(0, 0, max(1.0, width), 0)
        height, items = legend(colours, self._model.marks, style, chart_label, area)
        return DisplayList(width, height, style.theme.surface, tuple(items))

    def _follow(self) -> None:
        self.updateGeometry()
        self.update()

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        shown = self.display_list(width)
        return 0 if shown is None else round(shown.height)

    def sizeHint(self) -> QSize:
        width = max(self.width(), self.fontMetrics().height() * 10)
        return QSize(width, self.heightForWidth(width))

    def minimumSizeHint(self) -> QSize:
        return QSize(0, self.heightForWidth(max(1, self.width())))

    def paintEvent(self, event: QPaintEvent) -> None:
        shown = self.display_list(self.width())
        if shown is not None:
            painter = QPainter(self)
            paint(shown, painter, self._measure)
            painter.end()
