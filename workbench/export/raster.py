"""Display lists painted by Qt: on a widget, into an image, into a PNG file.

The only module outside the window that knows Qt. Text needs a running QGuiApplication:
`headless_application` makes one that needs no display.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetricsF,
    QGuiApplication,
    QImage,
    QPaintEngine,
    QPainter,
    QPen,
    QTransform,
)

from workbench.charts.display import (
    Dash,
    DisplayList,
    Hatch,
    Item,
    Line,
    Rect,
    Span,
    Text,
    items_in,
)
from workbench.spec.errors import UserError

FAMILIES: Final = (
    "Inter",
    "Noto Sans",
    "Segoe UI",
    "DejaVu Sans",
    "Noto Sans CJK SC",
    "Microsoft YaHei",
    "PingFang SC",
    "WenQuanYi Micro Hei",
    "sans-serif",
)
"""Looked up in order, character by character: a Latin face first, then one with Chinese."""
_DASHES: Final[dict[Dash, list[float]]] = {"dashed": [4.0, 3.0], "dotted": [1.0, 2.0]}
_UPRIGHT: Final = (
    QTransform.TransformationType.TxNone,
    QTransform.TransformationType.TxTranslate,
    QTransform.TransformationType.TxScale,
)
_NO_PEN: Final = Qt.PenStyle.NoPen
_NO_BRUSH: Final = Qt.BrushStyle.NoBrush
_CSS_DPI: Final = 96
_METRES_PER_INCH: Final = 0.0254
_MOST_WIDTHS: Final = 2_000
_MOST_PIXELS: Final = 100_000_000
_MOST_ON_A_SIDE: Final = 32_000


def headless_application() -> QGuiApplication:
    """Make the application that fonts need, without a display; the caller keeps it alive."""
    running = QGuiApplication.instance()
    if isinstance(running, QGuiApplication):
        return running
    return QGuiApplication(["kvw", "-platform", "offscreen"])


# --- fonts --------------------------------------------------------------------------------------


class QtMeasure:
    """Fonts for display lists: `paint` uses them, and the charts measure text with them."""

    def __init__(self, families: Sequence[str] = FAMILIES) -> None:
        self.families = tuple(families)
        self._known: dict[tuple[int, bool], tuple[QFont, QFontMetricsF]] = {}
        self._heights: dict[float, float] = {}
        self._widths: dict[tuple[str, float, bool], float] = {}

    def width(self, text: str, size: float, bold: bool = False) -> float:
        """Return how far the text reaches from left to right, in pixels."""
        key = (text, size, bold)
        found = self._widths.get(key)
        if found is None:
            if len(self._widths) >= _MOST_WIDTHS:
                self._widths.clear()
            found = self._widths[key] = self.font(size, bold)[1].horizontalAdvance(text)
        return found

    def height(self, size: float) -> float:
        """Return the height of one line, in pixels."""
        found = self._heights.get(size)
        if found is None:
            found = self._heights[size] = self.font(size)[1].height()
        return found

    def font(self, size: float, bold: bool = False) -> tuple[QFont, QFontMetricsF]:
        """Return the font of a text `size` pixels high, a whole number, and its metrics."""
        key = (max(1, round(size)), bold)
        found = self._known.get(key)
        if found is None:
            made = _font(*key, self.families)
            found = self._known[key] = made, QFontMetricsF(made)
        return found


def _font(pixels: int, bold: bool, families: Sequence[str]) -> QFont:
    made = QFont()
    made.setFamilies(list(families))
    made.setPixelSize(pixels)
    made.setWeight(QFont.Weight.Bold if bold else QFont.Weight.Normal)
    # With full hinting a text is not exactly twice as wide at twice the scale.
    made.setHintingPreference(QFont.HintingPreference.PreferVerticalHinting)
    # Digits of equal width everywhere, so that what was measured is what is painted.
    made.setFeature(QFont.Tag("tnum"), 1)
    return made


# --- painting -----------------------------------------------------------------------------------


def paint(
    display_list: DisplayList,
    painter: QPainter,
    measure: QtMeasure | None = None,
    *,
    within: Span | None = None,
) -> None:
    """Paint the items in order, 1 unit = 1 logical pixel of the painter; no background.

    `measure` is the one that the list was laid out with; keeping it keeps its fonts. What lies
    outside the band `within` is left out.
    """
    items: Sequence[Item] = display_list.items
    if within is not None:
        items = items_in(items, within)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
    brushes = _Painter(painter, measure or QtMeasure())
    # Runs of equal look go to Qt in one call.
    for (kind, _), alike in groupby(items, key=_look):
        if kind is Rect:
            brushes.rects(list(alike))  # type: ignore[arg-type]
        elif kind is Line:
            brushes.lines(list(alike))  # type: ignore[arg-type]
        elif kind is Text:
            brushes.texts(alike)  # type: ignore[arg-type]
        else:
            brushes.hatches(alike)  # type: ignore[arg-type]
    painter.restore()


def _look(item: Item) -> tuple[type[Item], object]:
    if isinstance(item, Rect):
        return Rect, (item.fill, item.stroke, item.stroke_width, item.dash, item.radius)
    if isinstance(item, Line):
        return Line, (item.ink, item.width, item.dash)
    return type(item), None


class _Painter:
    """Puts items on a QPainter, edges on whole device pixels where there are any."""

    def __init__(self, painter: QPainter, measure: QtMeasure) -> None:
        self._painter = painter
        self._measure = measure
        self._grid = _Grid(painter)

    def rects(self, rects: Sequence[Rect]) -> None:
        """Draw rectangles of one look."""
        first, painter = rects[0], self._painter
        painter.setBrush(_colour(first.fill) if first.fill else _NO_BRUSH)
        inset = 0.0
        if first.stroke:
            thickness = self._grid.thickness(first.stroke_width)
            painter.setPen(_pen(first.stroke, thickness, first.dash))
            inset = thickness / 2
        else:
            painter.setPen(_NO_PEN)
        areas = [self._snapped(rect, inset) for rect in rects]
        if first.radius:
            for area in areas:
                painter.drawRoundedRect(area, first.radius, first.radius)
        else:
            painter.drawRects(areas)

    def lines(self, lines: Sequence[Line]) -> None:
        """Draw lines of one look."""
        first = lines[0]
        upright = all(line.x1 == line.x2 or line.y1 == line.y2 for line in lines)
        width = self._grid.thickness(first.width) if upright else first.width
        straight = [self._straight(line, width / 2) for line in lines]
        if upright and first.dash == "solid" and self._grid.is_pixel(width):
            straight = self._pixels_wide(straight, first.ink, width)
        self._painter.setPen(_pen(first.ink, width, first.dash))
        self._painter.drawLines(straight)

    def _pixels_wide(self, lines: list[QLineF], ink: str, width: float) -> list[QLineF]:
        """Fill the lines that are whole pixels; return the others.

        Qt takes ten times as long for a line that is one pixel wide as for the same rectangle.
        """
        grid, half = self._grid, width / 2
        whole: list[QLineF] = []
        others: list[QLineF] = []
        for line in lines:
            (whole if grid.has_corners(line) else others).append(line)
        if whole:
            self._painter.setPen(_NO_PEN)
            self._painter.setBrush(_colour(ink))
            self._painter.drawRects(
                [
                    QRectF(line.x1() - half, line.y1(), width, line.y2() - line.y1())
                    if line.x1() == line.x2()
                    else QRectF(line.x1(), line.y1() - half, line.x2() - line.x1(), width)
                    for line in whole
                ]
            )
        return others

    def hatches(self, items: Iterable[Hatch]) -> None:
        """Draw the lines of hatched areas."""
        for item in items:
            self._painter.setPen(_pen(item.ink, item.line_width, "solid"))
            self._painter.drawLines([QLineF(*line) for line in item.lines])

    def texts(self, items: Iterable[Text]) -> None:
        """Write texts on their baselines."""
        painter, measure, face = self._painter, self._measure, None
        for item in items:
            used, metrics = measure.font(item.size, item.bold)
            if used is not face:
                painter.setFont(used)
                face, rise = used, metrics.capHeight() / 2
            x = item.x
            if item.anchor != "start":
                width = measure.width(item.text, item.size, item.bold)
                x -= width / 2 if item.anchor == "middle" else width
            painter.setPen(_colour(item.ink))
            painter.drawText(QPointF(x, self._grid.y(item.y + rise)), item.text)

    def _snapped(self, rect: Rect, inset: float) -> QRectF:
        """Put the edges between device pixels; what has a size keeps at least one pixel."""
        grid = self._grid
        left, right = grid.x(rect.x), grid.x(rect.x + rect.width)
        top, bottom = grid.y(rect.y), grid.y(rect.y + rect.height)
        width = max(right - left, grid.pixel if rect.width > 0 else 0.0)
        height = max(bottom - top, grid.pixel if rect.height > 0 else 0.0)
        return QRectF(left + inset, top + inset, width - 2 * inset, height - 2 * inset)

    def _straight(self, line: Line, half: float) -> QLineF:
        """Move an upright or level line so that its sides lie between device pixels."""
        x1, y1, x2, y2 = line.x1, line.y1, line.x2, line.y2
        if x1 == x2:
            x1 = x2 = self._grid.x(x1 - half) + half
        elif y1 == y2:
            y1 = y2 = self._grid.y(y1 - half) + half
        return QLineF(x1, y1, x2, y2)


class _Grid:
    """The device's pixels, in the units of the painter; without a raster nothing is moved."""

    def __init__(self, painter: QPainter) -> None:
        self.pixel = 0.0
        if painter.paintEngine().type() != QPaintEngine.Type.Raster:
            return
        way = painter.deviceTransform()
        if way.type() in _UPRIGHT and way.m11() > 0 < way.m22():
            self._scales, self._shifts = (way.m11(), way.m22()), (way.dx(), way.dy())
            self.pixel = 1 / way.m11()

    def x(self, x: float) -> float:
        """Return the nearest edge between two columns of pixels."""
        return self._nearest(x, 0)

    def y(self, y: float) -> float:
        """Return the nearest edge between two rows of pixels."""
        return self._nearest(y, 1)

    def is_pixel(self, width: float) -> bool:
        """Whether a width is that of one pixel."""
        return bool(self.pixel) and width == self.pixel

    def has_corners(self, line: QLineF) -> bool:
        """Whether an upright or level line of one pixel begins and ends between pixels."""
        x1, y1, x2, y2 = line.x1(), line.y1(), line.x2(), line.y2()
        if x1 == x2:
            return self.y(y1) == y1 and self.y(y2) == y2
        return self.x(x1) == x1 and self.x(x2) == x2

    def thickness(self, width: float) -> float:
        """Return the nearest thickness of whole pixels, at least one."""
        if not self.pixel:
            return width
        return max(1.0, (width / self.pixel + 0.5) // 1) * self.pixel

    def _nearest(self, at: float, axis: int) -> float:
        if not self.pixel:
            return at
        scale, shift = self._scales[axis], self._shifts[axis]
        return ((at * scale + shift + 0.5) // 1 - shift) / scale


@functools.lru_cache(maxsize=256)
def _colour(colour: str) -> QColor:
    return QColor(colour)


@functools.lru_cache(maxsize=256)
def _pen(ink: str, width: float, dash: Dash) -> QPen:
    pen = QPen(_colour(ink), width)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    pen.setJoinStyle(Qt.PenJoinStyle.MiterJoin)
    if dash in _DASHES:
        pen.setDashPattern(_DASHES[dash])
    return pen


# --- images -------------------------------------------------------------------------------------


def render_image(
    display_list: DisplayList,
    scale: float = 1.0,
    measure: QtMeasure | None = None,
    *,
    transparent: bool = False,
) -> QImage:
    """Return an image of the whole list, `scale` device pixels a unit; opaque unless asked for.

    Raises `UserError` when the image would be too large.
    """
    width = max(1, round(display_list.width * scale))
    height = max(1, round(display_list.height * scale))
    if width * height > _MOST_PIXELS or max(width, height) > _MOST_ON_A_SIDE:
        raise UserError("picture_too_large", width=width, height=height, limit=_MOST_PIXELS)
    kinds = QImage.Format
    image = QImage(width, height, kinds.Format_ARGB32 if transparent else kinds.Format_RGB32)
    image.fill(Qt.GlobalColor.transparent if transparent else QColor(display_list.background))
    per_metre = round(_CSS_DPI * scale / _METRES_PER_INCH)
    painter = QPainter(image)
    painter.scale(scale, scale)
    paint(display_list, painter, measure)
    painter.end()
    # Last: the resolution of the device would change the fonts.
    image.setDotsPerMeterX(per_metre)
    image.setDotsPerMeterY(per_metre)
    return image


def png_bytes(
    display_list: DisplayList,
    scale: float = 1.0,
    measure: QtMeasure | None = None,
    *,
    transparent: bool = False,
) -> bytes:
    """Return a PNG of the list: no time stamps, the same bytes for the same list and fonts."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    # A format argument, not a name: Qt would otherwise guess it from the device.
    image = render_image(display_list, scale, measure, transparent=transparent)
    image.save(buffer, "PNG")  # type: ignore[call-overload]
    buffer.close()
    return bytes(data.data())
