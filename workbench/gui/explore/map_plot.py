"""The map itself: cells as one image of pyqtgraph, everything on them from the display list.

pyqtgraph only shows: pointer and keyboard belong to the widget around it, which has a name, a
role and a ring; the graphics view inside takes neither.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import numpy as np
import pyqtgraph as pg
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPen
from PySide6.QtWidgets import QStyleOptionGraphicsItem, QWidget

from workbench.charts.display import Box, DisplayList, Item, Line
from workbench.charts.heatmap import GAP, map_items
from workbench.charts.map_axes import Grid
from workbench.charts.map_legend import Mark
from workbench.charts.palette import Theme
from workbench.charts.parts import Style
from workbench.charts.shades import Measure, Shades
from workbench.core.surface import Surface
from workbench.export.raster import QtMeasure, paint
from workbench.gui.explore.map_model import Place
from workbench.gui.tr import chart_label

_HAIR: Final = 1.0


class _Drawn(pg.GraphicsObject):
    """Items of a display list, painted over the image in pixels of the view."""

    def __init__(self, measure: QtMeasure) -> None:
        super().__init__()
        self._measure = measure
        self._list: DisplayList | None = None
        self._area = QRectF()

    def show_items(self, items: list[Item], area: QRectF) -> None:
        self.prepareGeometryChange()
        self._area = area
        self._list = DisplayList(0, 0, "", tuple(items))
        self.update()

    def boundingRect(self) -> QRectF:
        return self._area

    def paint(
        self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None
    ) -> None:
        if self._list is not None:
            painter.save()
            painter.resetTransform()
            paint(self._list, painter, self._measure)
            painter.restore()


class MapPlot(pg.GraphicsView):
    """Shows a surface; asks nothing and answers nobody."""

    def __init__(self, measure: QtMeasure, parent: QWidget) -> None:
        super().__init__(parent, background=None)
        self._measure = measure
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.box = pg.ViewBox(enableMenu=False, enableMouse=False, defaultPadding=0.0)
        self.setCentralItem(self.box)
        self.image = pg.ImageItem(axisOrder="col-major")
        self.drawn = _Drawn(measure)
        self.across = pg.InfiniteLine(angle=0, movable=False)
        self.upright = pg.InfiniteLine(angle=90, movable=False)
        for item in (self.image, self.drawn, self.across, self.upright):
            self.box.addItem(item, ignoreBounds=True)
        self._shape = (0, 0)
        self._ink = ""

    def show_map(
        self,
        surface: Surface,
        colours: Shades,
        marks: tuple[Mark, ...],
        value: Measure,
        style: Style,
    ) -> None:
        """Show the same arrays that the exported picture is drawn from."""
        columns, rows = surface.status.shape
        self.image.setImage(_pixels(colours, style.theme), autoLevels=False, levels=None)
        self._look(style.theme, (columns, rows))
        grid = Grid(Box(0, 0, self.width(), self.height()), columns, rows)
        items = _gaps(grid, style.theme) + map_items(
            surface,
            colours,
            grid,
            style,
            marks=marks,
            value=value,
            labels=chart_label,
            fills=False,
        )
        self.drawn.show_items(items, QRectF(0, 0, columns, rows))

    def _look(self, theme: Theme, shape: Place) -> None:
        """Follow the number of cells and the theme: each sets off a lot in a plot."""
        if shape != self._shape:
            self._shape = (columns, rows) = shape
            self.image.setRect(QRectF(0, 0, columns, rows))
            ranges = {"xRange": (0, columns), "yRange": (0, rows)}
            self.box.setRange(**ranges, padding=0, disableAutoRange=True)
        if theme.muted != self._ink:
            self._ink = theme.muted
            pen = QPen(QColor(theme.muted), _HAIR, Qt.PenStyle.DashLine)
            pen.setCosmetic(True)
            for line in (self.across, self.upright):
                line.setPen(pen)

    def point(self, place: Place | None) -> None:
        """Put the cross-hair through the middle of a cell, or take it away."""
        for line in (self.across, self.upright):
            line.setVisible(place is not None)
        if place is not None:
            self.upright.setValue(place[0] + 0.5)
            self.across.setValue(place[1] + 0.5)

    def place_at(self, x: float, y: float) -> Place | None:
        """Return the cell at a position in the view."""
        at = self.box.mapSceneToView(self.mapToScene(int(x), int(y)))
        columns, rows = self._shape
        place = int(np.floor(at.x())), int(np.floor(at.y()))
        return place if 0 <= place[0] < columns and 0 <= place[1] < rows else None

    def area_of(self, place: Place) -> QRectF:
        """Return where a cell is in the view."""
        low = self.box.mapViewToScene(pg.Point(place[0], place[1]))
        high = self.box.mapViewToScene(pg.Point(place[0] + 1, place[1] + 1))
        corners = self.mapFromScene(low), self.mapFromScene(high)
        return QRectF(corners[0].toPointF(), corners[1].toPointF()).normalized()


def _pixels(colours: Shades, theme: Theme) -> np.ndarray:
    """One pixel a cell; a cell without an answer is the ground."""
    names = [*(step.fill for step in colours.steps), theme.surface]
    return _table(tuple(names))[colours.cells]


@lru_cache(maxsize=16)
def _table(names: tuple[str, ...]) -> np.ndarray:
    return np.array([QColor(name).getRgb() for name in names], dtype=np.uint8)


def _gaps(grid: Grid, theme: Theme) -> list[Item]:
    """The lines between cells, where the exported picture shows its ground."""
    half, area = GAP / 2, grid.area
    items: list[Item] = []
    for column in range(1, grid.columns):
        x = grid.x(column) - half
        items.append(Line(x, area.y, x, area.bottom, theme.surface, GAP))
    for row in range(1, grid.rows):
        y = grid.y(row) - half
        items.append(Line(area.x, y, area.right, y, theme.surface, GAP))
    return items
