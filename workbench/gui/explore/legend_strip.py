"""The legend below the map, drawn like that of the exported picture."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontInfo, QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from workbench.charts.display import Box, DisplayList
from workbench.charts.map_legend import legend
from workbench.charts.parts import Style
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
        self._shown: tuple[object, DisplayList] | None = None
        self._height = 0
        self._brief = False
        model.changed.connect(self._follow)

    def set_brief(self, brief: bool) -> None:
        """Show the steps of the scale only, in a line."""
        if brief != self._brief:
            self._brief = brief
            self.updateGeometry()
            self.update()

    def display_list(self, width: float) -> DisplayList | None:
        """Return the legend at a width, None while there is no map."""
        model, theme = self._model, theme_of(self)
        surface = model.surface
        if surface is None:
            return None
        em = float(QFontInfo(self.font()).pixelSize())
        colours = model.shades(surface, theme)
        # The layout asks for the height at the same width again and again.
        brief = self._brief
        key = (width, em, brief, theme, colours.told, model.marks, chart_label("map.frontier"))
        if self._shown is None or self._shown[0] != key:
            style = Style(theme, self._measure, "auto", em)
            area = Box(0, 0, max(1.0, width), 0)
            height, items = legend(colours, model.marks, style, chart_label, area, brief=brief)
            self._shown = (key, DisplayList(width, height, theme.surface, tuple(items)))
        return self._shown[1]

    def _follow(self) -> None:
        if not self.isVisible():
            return
        before, height = self._shown, self.heightForWidth(self.width())
        if height != self._height:
            self._height = height
            self.updateGeometry()
        if self._shown is not before:
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
