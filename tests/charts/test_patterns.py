"""Patterns: geometry that stays in its box, and bars that can be read on grey paper."""

from __future__ import annotations

import os
from itertools import combinations

import pytest
from colorspacious import cspace_convert
from hypothesis import given
from hypothesis import strategies as st

from tests.charts.samples import LAB, TENSOR_PARALLEL, ledger, row
from tests.charts.test_goldens import FOLDER
from workbench.charts.bars import stacked_bars
from workbench.charts.display import Box, DisplayList, Hatch, Rect
from workbench.charts.palette import FILLED_KINDS, LIGHT, THEMES, Theme, contrast
from workbench.charts.parts import Style, part_items
from workbench.charts.patterns import pattern
from workbench.charts.text import FixedMeasure
from workbench.spec.ledger import EntryKind

EM = 13.0
BAR = Box(10, 20, 90, 33)
themes = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
BASIC = {"weights": 20, "runtime": 8, "activations": 8, "fragmentation": 8, "prefix": 8, "kv": 20}
ROW = row("All", ledger(80, **BASIC))


def drawn(theme: Theme) -> DisplayList:
    return stacked_bars([ROW], width=760, theme=theme, measure=FixedMeasure())


def made(kind: EntryKind, theme: Theme, box: Box = BAR) -> Hatch | None:
    return pattern(kind, box, theme.with_patterns(), EM, "part")


def look(hatch: Hatch | None) -> tuple[object, ...]:
    """What a pattern is made of, wherever it stands: directions and lengths of its lines."""
    if hatch is None:
        return ()
    return tuple(sorted({(round(x2 - x1, 1), round(y2 - y1, 1)) for x1, y1, x2, y2 in hatch.lines}))


def test_display_list_with_patterns_is_the_golden_one():
    text = stacked_bars(
        (LAB, TENSOR_PARALLEL),
        width=760,
        theme=LIGHT.with_patterns(),
        measure=FixedMeasure(),
        title="Memory per GPU",
    ).to_json()
    golden = FOLDER / "bars-lab-patterns-en.json"
    if os.environ.get("KVW_REGENERATE"):
        golden.write_text(text, encoding="utf-8", newline="\n")
    assert text == golden.read_text(encoding="utf-8")


@given(
    x=st.floats(0, 500),
    y=st.floats(0, 500),
    width=st.floats(0.5, 700),
    height=st.floats(0.5, 60),
    kind=st.sampled_from(FILLED_KINDS),
)
def test_no_line_leaves_its_box(x: float, y: float, width: float, height: float, kind: EntryKind):
    box = Box(x, y, width, height)
    hatch = made(kind, LIGHT, box)
    for x1, y1, x2, y2 in hatch.lines if hatch else ():
        # Flat ends: a line reaches half its thickness to its sides only.
        across = hatch.line_width / 2
        side_x, side_y = (across, 0) if x1 == x2 else (0, across)
        assert box.x - 1e-6 <= min(x1, x2) - side_x
        assert max(x1, x2) + side_x <= box.right + 1e-6
        assert box.y - 1e-6 <= min(y1, y2) - side_y
        assert max(y1, y2) + side_y <= box.bottom + 1e-6


@themes
def test_every_fill_has_a_pattern_of_its_own(theme: Theme):
    looks = [look(made(kind, theme)) for kind in FILLED_KINDS]
    assert len(set(looks)) == len(FILLED_KINDS)


@themes
def test_bars_and_legend_have_patterns_only_when_asked_for(theme: Theme):
    with_patterns = drawn(theme.with_patterns())
    for prefix in ("segment:", "legend:"):
        found = {i.role for i in with_patterns.with_role(prefix) if isinstance(i, Hatch)}
        assert found == {prefix + kind.value for kind in FILLED_KINDS if kind.value != "weights"}
    plain = [i for i in drawn(LIGHT).items if isinstance(i, Hatch)]
    assert plain == []


@themes
def test_a_pattern_is_seen_on_its_fill_in_grey(theme: Theme):
    for kind in FILLED_KINDS:
        hatch = made(kind, theme)
        if hatch is not None:
            assert contrast(grey(hatch.ink), grey(theme.fill(kind))) >= 1.8


@themes
def test_on_grey_paper_parts_differ_by_pattern_or_lightness(theme: Theme):
    for one, other in combinations(FILLED_KINDS, 2):
        apart = abs(lightness(theme.fill(one)) - lightness(theme.fill(other)))
        assert apart >= 15 or look(made(one, theme)) != look(made(other, theme))


@themes
def test_digits_stand_on_a_plate_and_not_on_the_pattern(theme: Theme):
    items = drawn(theme.with_patterns()).items
    labels = [n for n, item in enumerate(items) if item.role == "label:kv"]
    assert labels
    for number in labels:
        plate = items[number - 1]
        assert isinstance(plate, Rect)
        assert plate.fill == theme.fill(EntryKind.KV)


def test_a_bar_too_low_for_a_pattern_has_none():
    style = Style(LIGHT.with_patterns(), FixedMeasure(), "GiB", EM)
    items = part_items("kv", Box(0, 0, 90, 3), style, "ghost:kv")
    assert [type(item) for item in items] == [Rect]


def lightness(colour: str) -> float:
    rgb = [int(colour[i : i + 2], 16) for i in (1, 3, 5)]
    return float(cspace_convert(rgb, "sRGB255", "CIELab")[0])


def grey(colour: str) -> str:
    """The colour as a printer without colours sees it."""
    value = cspace_convert([lightness(colour), 0, 0], "CIELab", "sRGB255")[0]
    return f"#{round(min(max(value, 0), 255)):02X}" + f"{round(min(max(value, 0), 255)):02X}" * 2
