"""A waterfall: how one answer became another, a bar for each change, on one axis from 0.

The first and the last bar are the two answers, whole; each bar between them starts where the one
above ended and is as long as its step is large, so the steps add up by construction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, Literal

from workbench.charts.display import (
    BOLD,
    REGULAR,
    Box,
    DisplayList,
    HitKey,
    HitRegion,
    Item,
    Line,
    Rect,
    Text,
)
from workbench.charts.labels import Labels, english, filled
from workbench.charts.page import wrapped
from workbench.charts.palette import Theme
from workbench.charts.parts import HAIRLINE, Style
from workbench.charts.scale import Scale, resolve_unit, sized_fixed, whole
from workbench.charts.text import TextMeasure, elide, plain
from workbench.spec.units import MINUS, ByteUnit, group_digits

Quantity = Literal["bytes", "requests"]
START: Final = "start"
END: Final = "end"
STEP: Final = "step:"
NAME_SHARE: Final = 0.36
"""Part of the width that names may take at most, unless told."""
_NARROWEST_PLOT_EMS: Final = 10
_NARROWEST_BAR: Final = 2.0


@dataclass(frozen=True, slots=True)
class Step:
    """One change and what it did to the answer."""

    name: str
    delta: int


@dataclass(frozen=True, slots=True)
class Waterfall:
    """Two answers and the steps from one to the other."""

    scenario: str
    """Id of the scenario that the steps lead to, for hit regions."""
    start_name: str
    start: int
    steps: tuple[Step, ...]
    end_name: str
    quantity: Quantity

    @property
    def end(self) -> int:
        """The last answer: the first and every step."""
        return self.start + sum(step.delta for step in self.steps)

    @property
    def levels(self) -> tuple[int, ...]:
        """The answer before the first step and after each."""
        return tuple(accumulate((step.delta for step in self.steps), initial=self.start))


@dataclass(frozen=True, slots=True)
class _Lane:
    """One bar: what stands left and right of it, and from where to where it reaches."""

    part: str
    name: str
    text: str
    before: int
    after: int
    better: bool | None
    """None for an answer, which is neither, and for a step that changes nothing."""

    @property
    def is_answer(self) -> bool:
        return not self.part.startswith(STEP)


def waterfall(
    chart: Waterfall,
    *,
    width: float,
    theme: Theme,
    measure: TextMeasure,
    unit: ByteUnit = "auto",
    labels: Labels = english,
    text_px: float = 13.0,
    title: str = "",
    padding: float | None = None,
    name_share: float = NAME_SHARE,
    name_lines: int = 1,
    stretch: float = 1.0,
) -> DisplayList:
    """Draw the two answers and the steps between them, a lane each, from top to bottom.

    The list is wider than asked where names and figures would leave no room for the bars. Long
    names take up to `name_lines`; `stretch` makes lanes and bars thicker than their text asks for.
    """
    style = Style(theme, measure, chart_unit(chart, unit), max(1.0, text_px), stretch)
    em = style.em
    margin = em if padding is None else padding
    lanes = _lanes(chart, style.unit, labels)
    figures = max(style.width(lane.text, em, bold=not lane.is_answer) for lane in lanes)
    fixed = 2 * margin + figures + 2 * em + _NARROWEST_PLOT_EMS * em
    width = max(width, fixed / (1 - name_share))
    wanted = max(style.width(lane.name[:200], em) for lane in lanes)
    names = min(wanted, (width - 2 * margin) * name_share)
    left = whole(margin + names + em)
    low, high = min((0, *chart.levels)), max((0, *chart.levels))
    scale = Scale(left, width - margin - figures - em - left, max(1, high - low))
    items: list[Item] = []
    y = margin
    if title:
        line = style.line(em) * 1.5
        text = elide(title, width - 2 * margin, measure, em, bold=True)
        items.append(Text(margin, y + line / 2, text, em, theme.text, BOLD, role="title"))
        y = whole(y + line)
    hits: list[HitRegion] = []
    above = 0.0
    for lane in lanes:
        said = wrapped(lane.name, names, measure, em, name_lines)
        height = max(lane_height(style), whole(len(said) * style.line(em) + _gap(style)))
        top = y + whole((height - lane_height(style)) / 2) + _gap(style)
        if hits:
            x = scale.at(lane.before - low if not lane.is_answer else lane.after - low)
            items.append(Line(x, above, x, top, theme.line, HAIRLINE, role="joint"))
        above = top + lane_height(style) - 2 * _gap(style)
        items += _lane_items(lane, said, scale, low, Box(margin, top, names, above - top), style)
        area = Box(margin, y, width - 2 * margin, height)
        hits.append(HitRegion(area, HitKey(chart.scenario, 0, lane.part)))
        y += height
    return DisplayList(
        width,
        whole(y + margin),
        theme.surface,
        tuple(items),
        tuple(hits),
        "\n".join(_sentence(lane) for lane in lanes),
    )


def chart_unit(chart: Waterfall, unit: ByteUnit) -> ByteUnit:
    """Return the unit that suits all figures: "auto" looks at the largest."""
    return resolve_unit(unit, max(map(abs, chart.levels)))


def lane_height(style: Style) -> float:
    """Return the distance from bar to bar in pixels."""
    return whole(style.em * 1.92 * style.stretch)


def _gap(style: Style) -> float:
    """Half of the room between two bars."""
    return max(1.0, whole(style.em * 0.22 * style.stretch))


def _lanes(chart: Waterfall, unit: ByteUnit, labels: Labels) -> list[_Lane]:
    def answer(value: int) -> str:
        return amount_text(value, chart.quantity, unit, labels)

    lanes = [
        _Lane(START, plain(chart.start_name), answer(chart.start), 0, chart.start, better=None)
    ]
    for number, (step, before) in enumerate(zip(chart.steps, chart.levels, strict=False)):
        better = None
        if step.delta:
            better = (step.delta > 0) is (chart.quantity == "requests")
        text = signed_text(step.delta, chart.quantity, unit, labels)
        name, after = plain(step.name), before + step.delta
        lanes.append(_Lane(f"{STEP}{number}", name, text, before, after, better))
    lanes.append(_Lane(END, plain(chart.end_name), answer(chart.end), 0, chart.end, better=None))
    return lanes


def _lane_items(
    lane: _Lane, said: Sequence[str], scale: Scale, low: int, place: Box, style: Style
) -> list[Item]:
    """Draw name, bar and figure of one lane; a step that changes nothing is a short mark."""
    theme, em = style.theme, style.em
    middle = place.y + place.height / 2
    role, bold = ("answer", REGULAR) if lane.is_answer else ("step", BOLD)
    ink = {True: theme.success, False: theme.danger, None: theme.muted}[lane.better]
    start, end = sorted((scale.at(lane.before - low), scale.at(lane.after - low)))
    if end - start < _NARROWEST_BAR and lane.before != lane.after:
        # A small step must not vanish; it grows back into the plot where it is at its end.
        end = min(start + _NARROWEST_BAR, max(end, scale.right))
        start = min(start, end - _NARROWEST_BAR)
    step, first = style.line(em), middle - style.line(em) * (len(said) - 1) / 2
    items: list[Item] = [
        Text(place.x, first + number * step, line, em, theme.text, role=f"name:{role}")
        for number, line in enumerate(said)
    ]
    bar = Box(start, place.y, max(end - start, HAIRLINE), place.height)
    items.append(Rect(*bar, fill=ink, radius=2.0 if bar.width > 4 else 0.0, role=f"bar:{role}"))
    figure_ink = theme.text if lane.is_answer else ink
    items.append(
        Text(
            max(end, start + HAIRLINE) + em * 0.6,
            middle,
            lane.text,
            em,
            figure_ink,
            bold,
            tabular=True,
            role=f"figure:{role}",
        )
    )
    return items


# Words


def amount_text(value: int, quantity: Quantity, unit: ByteUnit, labels: Labels) -> str:
    """Return an answer with its unit: "64.48 GiB", "15 requests"."""
    sign = MINUS if value < 0 else ""
    return sign + _sized(abs(value), quantity, unit, labels)


def signed_text(delta: int, quantity: Quantity, unit: ByteUnit, labels: Labels) -> str:
    """Return a difference with its sign and unit; "=" for none."""
    if delta == 0:
        return "="
    sign = "+" if delta > 0 else MINUS
    return sign + _sized(abs(delta), quantity, unit, labels)


def _sized(size: int, quantity: Quantity, unit: ByteUnit, labels: Labels) -> str:
    if quantity == "requests":
        code = "count.request" if size == 1 else "count.requests"
        return filled(labels(code), number=group_digits(size))
    return sized_fixed(size, unit)


def describe(
    chart: Waterfall, part: str, *, unit: ByteUnit = "auto", labels: Labels = english
) -> str:
    """Say what one line of the chart is, exact; empty for a part it does not have."""
    unit = chart_unit(chart, unit)
    lane = next((lane for lane in _lanes(chart, unit, labels) if lane.part == part), None)
    if lane is None:
        return ""
    text = _sentence(lane)
    if chart.quantity == "bytes" and lane.after != lane.before:
        text += f" ({_exact(lane)} B)"
    if not lane.is_answer:
        text += f" → {amount_text(lane.after, chart.quantity, unit, labels)}"
    return text


def _exact(lane: _Lane) -> str:
    """Return the last digit of an answer, or of a change with its sign."""
    size = lane.after - lane.before
    sign = MINUS if size < 0 else "" if lane.is_answer else "+"
    return sign + group_digits(abs(size))


def _sentence(lane: _Lane) -> str:
    return f"{lane.name}: {lane.text}"


def waterfall_table(
    chart: Waterfall, *, unit: ByteUnit = "auto", labels: Labels = english
) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Return the chart as text: a header, then a line a step with its change and what follows.

    Of bytes there is a last column, exact, so that the changes add up to the last digit.
    """
    unit = chart_unit(chart, unit)
    lanes = _lanes(chart, unit, labels)
    codes = ("table.step", "table.change", "table.after")
    header = tuple(plain(labels(code)) for code in codes)
    lines = [
        (
            lane.name,
            "" if lane.is_answer else lane.text,
            amount_text(lane.after, chart.quantity, unit, labels),
        )
        for lane in lanes
    ]
    if chart.quantity == "requests":
        return header, tuple(lines)
    exact = (_exact(lane) if lane.after != lane.before else "0" for lane in lanes)
    return (*header, plain(labels("table.bytes"))), tuple(
        (*line, size) for line, size in zip(lines, exact, strict=True)
    )
