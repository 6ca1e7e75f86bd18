from __future__ import annotations

from itertools import combinations, pairwise, product

import numpy as np
import pytest
from colorspacious import deltaE

from tests.charts.map_samples import PAIRS, llama, made, marks
from tests.charts.test_bars import area, inside
from tests.charts.test_palette import VISIONS, seen, themes
from workbench.charts.display import Box, DisplayList, Hatch, Line, Rect, Text
from workbench.charts.heatmap import Edge, Names, frontier_edges, heat_map
from workbench.charts.labels import english
from workbench.charts.map_axes import told_places
from workbench.charts.map_legend import BASELINE, BASELINE_ELSEWHERE, CURRENT, OTHER, Mark
from workbench.charts.map_text import axis_texts, cell_text, frontier_text, map_table, value_text
from workbench.charts.palette import LIGHT, THEMES, Theme, contrast, ink_on, luminance
from workbench.charts.shades import MEASURES, shades
from workbench.charts.text import FixedMeasure
from workbench.core.axis import Axis
from workbench.core.grid import STATUSES
from workbench.core.surface import INVALID, PENDING, Surface, surface
from workbench.spec.engine import Amount
from workbench.spec.ledger import Status

MEASURE = FixedMeasure()
NAMES = Names("context", "concurrency", "Heat map")


def chart(of: Surface, **options: object) -> DisplayList:
    options = {
        "names": NAMES,
        "width": 720,
        "height": 480,
        "theme": LIGHT,
        "measure": MEASURE,
    } | options
    return heat_map(of, **options)  # type: ignore[arg-type]


def cells(shown: DisplayList) -> dict[tuple[int, int], list[object]]:
    found: dict[tuple[int, int], list[object]] = {}
    for item in shown.with_role("cell:"):
        _, x, y = item.role.split(":")
        found.setdefault((int(x), int(y)), []).append(item)
    return found


def check(shown: DisplayList, of: Surface) -> None:
    """Check what holds for every map."""
    canvas = Box(0, 0, shown.width, shown.height)
    assert all(inside(area(item), canvas) for item in shown.items)
    columns, rows = of.status.shape
    assert len(shown.hits) == columns * rows
    for one, other in combinations(shown.hits, 2):
        assert not one.box.overlaps(other.box)
    painted = cells(shown)
    for hit in shown.hits:
        _, x, y = hit.key.part.split(":")
        (first, *_) = painted[int(x), int(y)]
        assert inside(area(first), hit.box)
        assert shown.hit(hit.box.x + 1, hit.box.y + 1) == hit.key
    for role in ("axis:x", "axis:y", "legend"):
        words = [area(item) for item in shown.items if item.role == role and isinstance(item, Text)]
        for one, other in combinations(words, 2):
            shrunk = Box(one.x, one.y, one.width - 1e-6, one.height - 1e-6)
            assert not shrunk.overlaps(other)
    assert shown.to_json() == shown.to_json()


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("value", MEASURES)
@pytest.mark.parametrize("size", [(1, 1), (420, 300), (720, 480), (1600, 900)])
def test_any_map_is_orderly(name: str, value: str, size: tuple[int, int]):
    of = made(name)
    shown = chart(of, value=value, width=size[0], height=size[1], marks=marks(of))
    assert shown.width >= size[0]
    assert shown.height >= size[1]
    check(shown, of)


@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("value", MEASURES)
def test_what_does_not_fit_is_hatched_and_what_fits_is_not(name: str, value: str):
    of = made(name)
    painted = cells(chart(of, value=value))
    for x, y in product(range(len(of.x.values)), range(len(of.y.values))):
        hatched = any(isinstance(item, Hatch) for item in painted[x, y])
        answered = of.status[x, y] not in (PENDING, INVALID)
        assert hatched == bool(answered and not of.fits[x, y])


def test_shades_grow_deeper_towards_the_limit_and_break_there():
    of = made("requests")
    colours = shades(of, "used", LIGHT, english)
    for x, y in product(range(len(of.x.values)), range(len(of.y.values))):
        share, step = float(of.share[x, y]), colours.steps[int(colours.cells[x, y])]
        if of.fits[x, y]:
            assert share <= 1
            bound = float(step.label.removeprefix("≤ ").removesuffix(" %")) / 100
            assert share <= bound
            assert share > {0.5: 0, 0.75: 0.5, 0.9: 0.75, 1.0: 0.9}[bound]
        else:
            assert step.label in ("≤ 125 %", "> 125 %")
            assert (share > 1.25) == (step.label == "> 125 %")
    fits = [step for step in colours.steps if step.hatched is None]
    assert [step.label for step in fits] == ["≤ 50 %", "≤ 75 %", "≤ 90 %", "≤ 100 %"]


@pytest.mark.parametrize("value", MEASURES)
def test_the_legend_names_each_step_of_the_scale_and_a_refusal_where_it_occurs(value: str):
    of = made("requests")
    shown = chart(of, value=value)
    colours = shades(of, value, LIGHT, english)
    texts = [item.text for item in shown.with_role("legend") if isinstance(item, Text)]
    assert texts == [*(step.label for step in colours.told), "largest that fits"]
    assert ("engine refuses" in texts) == (colours.cells == len(colours.steps) - 1).any()
    drawn = {
        item.fill for items in cells(shown).values() for item in items if isinstance(item, Rect)
    }
    swatches = {item.fill for item in shown.with_role("legend:") if isinstance(item, Rect)}
    assert swatches >= drawn


def test_steps_of_free_memory_hold_what_they_say():
    of = made("requests")
    colours = shades(of, "free", LIGHT, english)
    for x, y in np.argwhere(of.fits):
        label = colours.steps[int(colours.cells[x, y])].label
        bound = float(label.split()[1]) * 2**30
        free = int(of.free_bytes[x, y])
        assert free >= bound if label.startswith("≥") else free < bound


def test_steps_of_the_largest_concurrency_hold_what_they_say():
    of = made("requests")
    colours = shades(of, "held", LIGHT, english)
    labels = [step.label for step in colours.told]
    assert labels[0].startswith("< ")
    for x, y in np.argwhere(of.fits):
        label = colours.steps[int(colours.cells[x, y])].label
        bound, held = int(label.split()[1].replace(",", "")), int(of.held_requests[x, y])
        assert held >= bound if label.startswith("≥") else held < bound


@pytest.mark.parametrize("name", PAIRS)
def test_the_frontier_lies_between_cells_that_fit_and_neighbours_that_do_not(name: str):
    of = made(name)
    known = (of.status != PENDING) & (of.status != INVALID)
    lines = set()
    for edge in frontier_edges(of):
        assert (edge.x1 == edge.x2) != (edge.y1 == edge.y2)
        if edge.x1 == edge.x2:
            lines |= {("up", edge.x1, y) for y in range(edge.y1, edge.y2)}
        else:
            lines |= {("level", x, edge.y1) for x in range(edge.x1, edge.x2)}
    wanted = set()
    columns, rows = of.status.shape
    for x, y in product(range(columns), range(rows)):
        for way, (other_x, other_y) in (("up", (x + 1, y)), ("level", (x, y + 1))):
            if other_x == columns or other_y == rows:
                continue
            both_known = known[x, y] and known[other_x, other_y]
            if both_known and of.fits[x, y] != of.fits[other_x, other_y]:
                wanted.add(("up", x + 1, y) if way == "up" else ("level", x, y + 1))
    assert lines == wanted


def test_the_frontier_of_requests_is_a_staircase_at_the_exact_numbers():
    of = made("requests")
    for place, most in of.exact.items():
        top = sum(value <= most for value in of.y.values)
        if top < len(of.y.values):
            level = [e for e in frontier_edges(of) if e.y1 == e.y2 == top and e.x1 <= place < e.x2]
            assert len(level) == 1
    lines = chart(of).with_role("frontier")
    assert len(lines) == len(frontier_edges(of))
    assert all(isinstance(line, Line) and line.width >= 2 for line in lines)


def test_a_map_where_everything_or_nothing_fits_has_no_frontier():
    everything = surface(llama(), Axis("workload.context", (128, 256)), Axis("deployment.tp", (8,)))
    nothing = surface(llama(), Axis("workload.context", (128, 256)), Axis("deployment.tp", (1,)))
    for of, fits in ((everything, True), (nothing, False)):
        assert bool(of.fits.all()) == fits
        assert bool(of.fits.any()) == fits
        assert frontier_edges(of) == ()
        for value in MEASURES:
            check(chart(of, value=value), of)


def test_a_map_that_is_not_filled_yet_is_drawn_empty():
    of = Surface(llama(), made("requests").x, made("requests").y)
    shown = chart(of)
    check(shown, of)
    assert frontier_edges(of) == ()
    assert all(item.stroke == LIGHT.line for items in cells(shown).values() for item in items)
    assert cell_text(of, 0, 0, "used") == "–"


def test_figures_stand_in_cells_except_under_a_mark():
    of = made("requests")
    shown = chart(of, value="held", marks=marks(of), width=900)
    figures = [item for item in shown.with_role("figure") if isinstance(item, Text)]
    fitting = int(of.fits.sum())
    assert fitting - 4 <= len(figures) < fitting
    assert chart(of, value="used").with_role("figure") == ()
    marked = [area(item) for item in shown.with_role("mark:")]
    assert marked
    assert not any(one.overlaps(area(figure)) for one in marked for figure in figures)


def test_a_mark_stands_where_its_values_are():
    of = made("requests")
    shown = chart(of, marks=marks(of))
    (symbol,) = (item for item in shown.with_role("mark:s") if item.text == CURRENT)
    x, y = of.x.index(32_768), of.y.index(6)
    hit = shown.hit(symbol.x, symbol.y)
    assert hit is not None
    assert hit.part == f"cell:{x}:{y}"
    # Between two values it stands between their cells.
    (other,) = (item for item in shown.with_role("mark:b") if item.text == "☆")
    low, high = (next(h.box for h in shown.hits if h.key.part == f"cell:0:{n}") for n in (1, 2))
    assert high.y < other.y < low.bottom


def test_two_marks_on_one_cell_stand_beside_each_other():
    of = made("requests")
    same = tuple(Mark(str(n), f"Scenario {n}", CURRENT, 2.0, 2.0) for n in range(3))
    symbols = [item for item in chart(of, marks=same).items if item.role in ("mark:0", "mark:1")]
    assert not area(symbols[0]).overlaps(area(symbols[1]))


def test_the_legend_says_what_each_symbol_means():
    of = made("requests")
    symbols = (BASELINE + CURRENT, BASELINE_ELSEWHERE, OTHER)
    marks = [Mark(one, "S", one, 1.0, 1.0, one is BASELINE_ELSEWHERE) for one in symbols]
    said = [item.text for item in chart(of, marks=marks).with_role("legend:mark")]
    assert said[::2] == ["S, baseline, drawn here", "S, baseline, other inputs differ", "S"]
    assert tuple(said[1::2]) == symbols


def test_names_are_plain_and_may_be_long():
    of = made("requests")
    wild = (Mark("s", "<img src=x>" * 200, CURRENT, 1.0, 1.0),)
    shown = chart(of, marks=wild, names=Names("x" * 4_000, "y" * 4_000, "<b>t</b>" * 900))
    check(shown, of)
    assert any("<img src=x>" in item.text for item in shown.with_role("legend:mark"))


def test_the_table_says_what_the_cells_say():
    of = made("requests")
    for value in MEASURES:
        header, lines = map_table(of, "context", "concurrency", value)
        assert header[0] == "concurrency \\ context"
        assert header[1:] == tuple(value_text(of.x.field, v) for v in of.x.values)
        assert len(lines) == len(of.y.values) + 1
        for row, y in enumerate(reversed(range(len(of.y.values)))):
            assert lines[row][0] == value_text(of.y.field, of.y.values[y])
            for x in range(len(of.x.values)):
                assert lines[row][x + 1] == cell_text(of, x, y, value)
        assert lines[-1][0] == "largest that fits"
        assert lines[-1][1:] == tuple(frontier_text(of, x) for x in range(len(of.x.values)))
        numbers = [int(text.replace(",", "")) for text in lines[-1][1:] if text != "–"]
        assert numbers == sorted(numbers, reverse=True)


def test_the_summary_says_the_frontier_in_words():
    text = chart(made("requests")).summary
    fitting = int(made("requests").fits.sum())
    assert text.startswith(f"context by concurrency: {fitting} of {made('requests').status.size}")
    assert f"32k: {made('requests').exact[made('requests').x.index(32_768)]}" in text


def test_values_are_shown_short():
    assert value_text("workload.context", 131_072) == "128k"
    assert value_text("gpu.device_total_bytes", 85_056_458_588) == "79.2 GiB"
    assert value_text("reserves.headroom", Amount(size_bytes=2**31)) == "2 GiB"
    assert value_text("reserves.headroom", Amount(share=0.06)) == "6 %"
    assert value_text("engine.gpu_memory_utilization", 0.9) == "90 %"


def test_a_cell_that_the_engine_refuses_says_so():
    of = made("requests")
    wide = surface(llama(), Axis("workload.context", (32_768, 2**20)), of.y)
    assert STATUSES[wide.status[1, 0]] is Status.REFUSES
    assert cell_text(wide, 1, 0, "used") == "engine refuses"
    words = [item.text for item in chart(wide).with_role("legend") if isinstance(item, Text)]
    assert "engine refuses" in words


@themes
def test_steps_are_told_apart_by_lightness_alone(theme: Theme):
    steps = shades(made("requests"), "used", theme, english).steps
    fits = [luminance(step.fill) for step in steps if step.hatched is None]
    away = [abs(one - luminance(theme.surface)) for one in fits]
    assert away == sorted(away)
    assert all(contrast(one.fill, other.fill) >= 1.1 for one, other in pairwise(steps[:4]))
    # The last step before the limit and the first beyond it, in every theme.
    for step in steps:
        assert contrast(ink_on(step.fill), step.fill) >= 4.5
        if step.hatched is not None:
            assert contrast(step.hatched, step.fill) >= 1.15


@themes
@pytest.mark.parametrize("vision", VISIONS)
def test_the_break_at_the_limit_is_seen_with_any_colour_vision(theme: Theme, vision: str | None):
    steps = shades(made("requests"), "used", theme, english).steps
    last, *beyond = steps[3], *(step for step in steps[4:6])
    for over in beyond:
        distance = deltaE(
            seen(last.fill, vision),
            seen(over.fill, vision),
            input_space="sRGB1",
            uniform_space="CAM02-UCS",
        )
        assert distance >= 8, (over.label, distance)


@pytest.mark.parametrize("theme", THEMES)
def test_themes_differ_in_colour_only(theme: str):
    one = chart(made("requests"))
    other = chart(made("requests"), theme=THEMES[theme])
    assert [area(item) for item in one.items] == [area(item) for item in other.items]
    assert other.background == THEMES[theme].surface


def test_an_edge_is_as_long_as_it_can_be():
    of = Surface(llama(), Axis("workload.context", (1, 2, 3)), Axis("workload.concurrency", (1, 2)))
    of.status[:] = STATUSES.index(Status.DOES_NOT_FIT)
    of.status[:, 0] = STATUSES.index(Status.FITS)
    assert frontier_edges(of) == (Edge(0, 1, 3, 1),)


def test_values_of_an_axis_are_left_out_evenly_and_those_of_marks_never():
    def spans(high: float) -> list[tuple[float, float]]:
        return [(place * 12.0, place * 12.0 + high) for place in range(11)]

    assert told_places(spans(12.0), ()) == list(range(11))
    assert told_places(spans(13.0), ()) == [0, 2, 4, 6, 8, 10]
    # From the bottom 1, 2, 4, 8, 16, 32, 48, …: 48 is this scenario's, 16 the baseline's.
    assert told_places(spans(13.0), (6, 4)) == [0, 2, 4, 6, 8, 10]
    assert told_places(spans(13.0), (5,)) == [1, 3, 5, 7, 9]
    # A longer step that meets both comes before a gap.
    assert told_places(spans(13.0), (6, 3)) == [0, 3, 6, 9]
    assert told_places(spans(13.0), (9, 4)) == [1, 4, 7, 9]
    # Where both cannot be, this scenario's is.
    assert told_places(spans(13.0), (6, 5)) == [0, 2, 4, 6, 8, 10]
    assert told_places([], ()) == []


def test_every_marked_row_and_column_says_its_value():
    of = made("requests")
    for height in (200, 260, 330):
        low = chart(of, width=300, height=height, marks=marks(of))
        own, _ = marks(of)
        for role, axis, place in (("axis:x", of.x, own.x), ("axis:y", of.y, own.y)):
            told = [item.text for item in low.with_role(role) if isinstance(item, Text)]
            assert axis_texts(axis)[int(place)] in told
            assert len(told) < len(axis.values) or role == "axis:x"
