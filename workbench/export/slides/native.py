"""Native bar charts for slides: our colours, labels only where they have room, own workbook."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from lxml import etree
from pptx.chart.data import CategoryChartData
from pptx.dml.color import RGBColor
from pptx.enum.chart import XL_CHART_TYPE, XL_TICK_LABEL_POSITION
from pptx.enum.dml import MSO_LINE, MSO_PATTERN
from pptx.util import Emu, Pt

from workbench.charts.palette import Theme, ink_on, mixed
from workbench.charts.parts import kind_of
from workbench.core.compare import OUTSIDE
from workbench.export.slides.measure import EMU_PER_PT, SlideMeasure
from workbench.export.slides.stack_data import ChartData, Series, workbook
from workbench.spec.ledger import EntryKind

_C: Final = "http://schemas.openxmlformats.org/drawingml/2006/chart"
_A: Final = "http://schemas.openxmlformats.org/drawingml/2006/main"
_GAP_PERCENT: Final = 45
_LABEL_SIZES: Final = (14.0, 12.0, 11.0, 10.0, 9.0)
_ROUNDING: Final = 1 + 1e-9
GAP_SHARE: Final = _GAP_PERCENT / (100 + _GAP_PERCENT)
"""Part of a category's lane that lies between two bars."""
_PATTERNS: Final[Mapping[EntryKind, Any]] = {
    EntryKind.RUNTIME: MSO_PATTERN.NARROW_HORIZONTAL,
    EntryKind.ACTIVATIONS: MSO_PATTERN.NARROW_VERTICAL,
    EntryKind.FRAGMENTATION: MSO_PATTERN.SMALL_GRID,
    EntryKind.PREFIX: MSO_PATTERN.HORIZONTAL_BRICK,
    EntryKind.KV: MSO_PATTERN.PERCENT_20,
}
"""For a theme with patterns, as near to those of `charts.patterns` as office programs have."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a chart stands on a slide, in EMU."""

    x: int
    y: int
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class Inner:
    """Where the bars stand within their chart, in shares of its width and height."""

    x: float
    y: float
    width: float
    height: float

    def left(self, place: Place, share: float) -> int:
        """Return the position of a share of the axis of values, on the slide."""
        return int(place.x + place.width * (self.x + self.width * share))

    def top(self, place: Place, index: int, count: int) -> int:
        """Return the upper edge of the lane of a category, on the slide."""
        return int(place.y + place.height * (self.y + self.height * index / count))


def axis_pt(text_pt: float) -> float:
    """Return the size of the numbers below an axis."""
    return max(8.0, text_pt - 2)


Paint = Callable[[Any, Series], None]
"""Gives the format of a series its fill and line."""
Ink = Callable[[Series], str]


Show = Callable[[Series, int], float | None]
"""The size of the number on a piece of a bar, in points; None for no number."""


@dataclass(frozen=True, slots=True)
class Look:
    """How a chart is painted and labelled."""

    theme: Theme
    text_pt: float
    paint: Paint
    ink: Ink
    show: Show


class _Held(CategoryChartData):  # type: ignore[misc]
    """Data of a chart with a workbook of ours, so that none is made that is thrown away."""

    def __init__(self, book: bytes) -> None:
        super().__init__(number_format="0.0")
        self._book = book

    @property
    def xlsx_blob(self) -> bytes:
        """The workbook behind the chart."""
        return self._book


def add_chart(slide: Any, data: ChartData, place: Place, inner: Inner, look: Look) -> Any:
    """Put a stacked bar chart on a slide, one bar a category from top to bottom."""
    made = _Held(workbook(data))
    # Placeholders: the texts of people get into the chart through XML alone, never a workbook that
    # another library writes.
    made.categories = [f"c{number}" for number in range(len(data.categories))]
    for number, series in enumerate(data.series):
        made.add_series(f"s{number}", series.values)
    frame = slide.shapes.add_chart(
        XL_CHART_TYPE.BAR_STACKED,
        *(Emu(part) for part in (place.x, place.y, place.width, place.height)),
        made,
    )
    chart = frame.chart
    _rename(chart, data)
    _dress(chart, data, look)
    _lay_out(chart, inner)
    for plotted, series in zip(chart.plots[0].series, data.series, strict=True):
        look.paint(plotted.format, series)
        plotted.invert_if_negative = False
        _label(plotted, series, look)
    return frame


def _rename(chart: Any, data: ChartData) -> None:
    """Write the names of categories and series into the chart's copies of the workbook's cells."""
    root = chart._chartSpace
    for series, name in zip(root.iter(f"{{{_C}}}ser"), data.series, strict=True):
        for value in series.find(f"{{{_C}}}tx").iter(f"{{{_C}}}v"):
            value.text = name.name
        cells = series.find(f"{{{_C}}}cat").iter(f"{{{_C}}}v")
        for value, category in zip(cells, data.categories, strict=True):
            value.text = category


def _dress(chart: Any, data: ChartData, look: Look) -> None:
    """Set axes, grid and texts."""
    theme = look.theme
    chart.has_title = False
    chart.font.size = Pt(look.text_pt)
    chart.font.color.rgb = rgb(theme.text)
    chart.has_legend = False
    plot = chart.plots[0]
    plot.overlap, plot.gap_width = 100, _GAP_PERCENT
    names, values = chart.category_axis, chart.value_axis
    names.reverse_order = True
    names.tick_label_position = XL_TICK_LABEL_POSITION.LOW
    names.format.line.color.rgb = rgb(theme.muted)
    names.has_major_gridlines = False
    names.tick_labels.font.size = Pt(look.text_pt)
    values.minimum_scale, values.maximum_scale = 0, data.axis_end
    values.major_unit = data.axis_step
    values.has_major_gridlines = True
    values.major_gridlines.format.line.color.rgb = rgb(theme.line)
    values.format.line.fill.background()
    # Reversed categories would put the numbers above the bars.
    values.tick_label_position = XL_TICK_LABEL_POSITION.HIGH
    values.tick_labels.font.size = Pt(axis_pt(look.text_pt))
    values.tick_labels.font.color.rgb = rgb(theme.muted)
    values.tick_labels.number_format = f'#,##0" {data.unit}"' if data.unit else "#,##0"
    values.tick_labels.number_format_is_linked = False


def _lay_out(chart: Any, inner: Inner) -> None:
    """Fix where the bars stand, so that lines and texts of ours meet them."""
    area = chart._chartSpace.chart.plotArea
    for old in area.findall(f"{{{_C}}}layout"):
        area.remove(old)
    layout = etree.SubElement(area, f"{{{_C}}}layout")
    area.insert(0, layout)
    manual = etree.SubElement(layout, f"{{{_C}}}manualLayout")
    for name, value in (
        ("layoutTarget", "inner"),
        ("xMode", "edge"),
        ("yMode", "edge"),
        ("x", f"{inner.x:.5f}"),
        ("y", f"{inner.y:.5f}"),
        ("w", f"{inner.width:.5f}"),
        ("h", f"{inner.height:.5f}"),
    ):
        etree.SubElement(manual, f"{{{_C}}}{name}").set("val", value)


def _label(plotted: Any, series: Series, look: Look) -> None:
    """Label the values that have room, each with its own number format."""
    element = plotted._element
    for old in element.findall(f"{{{_C}}}dLbls"):
        element.remove(old)
    labels = etree.Element(f"{{{_C}}}dLbls")
    for index in range(len(series.values)):
        size_pt = look.show(series, index)
        if size_pt is not None:
            labels.append(_one_label(index, size_pt, look.ink(series)))
    _switches(labels, shown=False)
    element.find(f"{{{_C}}}cat").addprevious(labels)


def _one_label(index: int, size_pt: float, ink: str) -> Any:
    label = etree.Element(f"{{{_C}}}dLbl")
    etree.SubElement(label, f"{{{_C}}}idx").set("val", str(index))
    form = etree.SubElement(label, f"{{{_C}}}numFmt")
    form.set("formatCode", "#,##0.0")
    form.set("sourceLinked", "0")
    etree.SubElement(etree.SubElement(label, f"{{{_C}}}spPr"), f"{{{_A}}}noFill")
    text = etree.SubElement(label, f"{{{_C}}}txPr")
    etree.SubElement(text, f"{{{_A}}}bodyPr").set("wrap", "none")
    etree.SubElement(text, f"{{{_A}}}lstStyle")
    paragraph = etree.SubElement(text, f"{{{_A}}}p")
    run = etree.SubElement(etree.SubElement(paragraph, f"{{{_A}}}pPr"), f"{{{_A}}}defRPr")
    run.set("sz", str(round(size_pt * 100)))
    run.set("b", "1")
    fill = etree.SubElement(run, f"{{{_A}}}solidFill")
    etree.SubElement(fill, f"{{{_A}}}srgbClr").set("val", ink.removeprefix("#"))
    etree.SubElement(label, f"{{{_C}}}dLblPos").set("val", "ctr")
    _switches(label, shown=True)
    return label


def _switches(label: Any, *, shown: bool) -> None:
    for name in ("LegendKey", "Val", "CatName", "SerName", "Percent", "BubbleSize"):
        value = "1" if shown and name == "Val" else "0"
        etree.SubElement(label, f"{{{_C}}}show{name}").set("val", value)


# --- colours ------------------------------------------------------------------------------------


def paint_part(theme: Theme) -> Paint:
    """Return what paints a part of a bar as the window does."""

    def paint(form: Any, series: Series) -> None:
        kind = kind_of(series.code)
        if kind is None or kind is EntryKind.UNREQUESTED:
            # What is empty is an outline: dotted for the reserve, dashed for what is free.
            dashes = {"headroom": MSO_LINE.ROUND_DOT, "free": MSO_LINE.DASH}
            form.fill.background()
            form.line.color.rgb = rgb(theme.muted)
            form.line.width = Pt(1)
            form.line.dash_style = dashes.get(series.code, MSO_LINE.SOLID)
            return
        fill = theme.fill(kind)
        form.line.color.rgb = rgb(theme.surface)
        form.line.width = Pt(1)
        pattern = _PATTERNS.get(kind) if theme.patterned else None
        if kind is EntryKind.STATE:
            pattern = MSO_PATTERN.WIDE_UPWARD_DIAGONAL
        if pattern is None:
            form.fill.solid()
            form.fill.fore_color.rgb = rgb(fill)
            return
        form.fill.patterned()
        form.fill.pattern = pattern
        stripes = theme.surface if kind is EntryKind.STATE else mixed(fill, ink_on(fill), 0.6)
        form.fill.fore_color.rgb = rgb(stripes)
        form.fill.back_color.rgb = rgb(fill)

    return paint


def ink_of_part(theme: Theme) -> Ink:
    """Return what tells the ink of a number on a part."""

    def ink(series: Series) -> str:
        kind = kind_of(series.code)
        if kind is None or kind is EntryKind.UNREQUESTED:
            return theme.muted
        return theme.ink(kind)

    return ink


def room_for(
    data: ChartData, place: Place, inner: Inner, text_pt: float, limits: Sequence[float]
) -> Show:
    """Return what labels the values whose piece is wider than their number.

    `limits` are the budgets of the bars in the unit of the chart: what passes them is covered, and
    numbered there.
    """
    measure = SlideMeasure()
    unit_pt = place.width * inner.width / EMU_PER_PT / data.axis_end
    sizes = [size for size in _LABEL_SIZES if size <= text_pt]
    starts: dict[tuple[str, int], float] = {}
    for index in range(len(data.categories)):
        at = 0.0
        for series in data.series:
            starts[series.code, index] = at
            at += series.values[index]

    def show(series: Series, index: int) -> float | None:
        value = series.values[index]
        if series.code.startswith(OUTSIDE):
            return None
        end = starts[series.code, index] + value
        if series.code != EntryKind.UNREQUESTED.value and end > limits[index] * _ROUNDING:
            return None
        text = f"{value:,.1f}"
        return next(
            (one for one in sizes if value * unit_pt >= measure.width(text, one, bold=True) + 4),
            None,
        )

    return show


def rgb(colour: str) -> RGBColor:
    """Return "#RRGGBB" as slides have it."""
    return RGBColor.from_string(colour.removeprefix("#"))
