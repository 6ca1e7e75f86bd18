"""The bars of the example plan, as a display list: order, sums, and what can be seen."""

from __future__ import annotations

import pytest

from workbench.charts.bars import stacked_bars
from workbench.charts.display import DisplayList, HitRegion
from workbench.charts.palette import THEMES
from workbench.charts.rows import Row
from workbench.charts.text import FixedMeasure
from workbench.core.budget import budget
from workbench.library import plans
from workbench.library.paths import resources_dir
from workbench.spec.ledger import STACK_ORDER, EntryKind, RankLedger

PLAN = plans.load(resources_dir() / "plans" / "example.kvw").plan
RANKS = {scenario.id: budget(scenario).worst_rank for scenario in PLAN.scenarios}
WIDTHS = (620.0, 760.0, 1100.0)


def chart(width: float, theme: str) -> DisplayList:
    rows = [Row(s.id, s.name, RANKS[s.id], budget(s).verdict.status) for s in PLAN.scenarios]
    return stacked_bars(rows, width=width, theme=THEMES[theme], measure=FixedMeasure())


def bar(shown: DisplayList, scenario_id: str) -> list[HitRegion]:
    found = [hit for hit in shown.hits if hit.key.scenario == scenario_id and hit.key.part]
    return sorted(found, key=lambda hit: hit.box.x)


def part_bytes(rank: RankLedger, part: str) -> int:
    if part == "headroom":
        return rank.headroom_bytes
    if part == "free":
        return rank.free_bytes
    return rank.kind_bytes(EntryKind(part))


@pytest.mark.parametrize("theme", sorted(THEMES))
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("scenario_id", RANKS)
def test_segments_stand_in_order_and_add_up(scenario_id: str, width: float, theme: str) -> None:
    rank, regions = RANKS[scenario_id], bar(chart(width, theme), scenario_id)
    order = [*(kind.value for kind in STACK_ORDER), "headroom", "free"]
    parts = [hit.key.part for hit in regions]
    assert parts == sorted(parts, key=order.index)
    assert set(parts) == {part for part in order if part_bytes(rank, part)}
    assert sum(part_bytes(rank, part) for part in parts) == rank.total_bytes
    left, right = regions[0].box.x, regions[-1].box.right
    px_per_byte = (right - left) / rank.total_bytes
    end_bytes = 0
    for hit in regions:
        end_bytes += part_bytes(rank, hit.key.part)
        assert abs(hit.box.right - left - end_bytes * px_per_byte) <= 1
    assert abs(sum(hit.box.width for hit in regions) - (right - left)) <= 1


@pytest.mark.parametrize("theme", sorted(THEMES))
@pytest.mark.parametrize("width", WIDTHS)
def test_all_bars_of_equal_cards_are_equally_long(width: float, theme: str) -> None:
    shown = chart(width, theme)
    ends = {bar(shown, scenario_id)[-1].box.right for scenario_id in RANKS}
    assert max(ends) - min(ends) <= 1


@pytest.mark.parametrize("theme", sorted(THEMES))
def test_five_named_segments_show_in_the_third_bar(theme: str) -> None:
    shown = chart(760, theme)
    boxes = {hit.key.part: hit.box for hit in bar(shown, PLAN.scenarios[2].id)}
    for part in ("weights", "activations", "fragmentation", "prefix", "kv"):
        assert boxes[part].width >= 5
        fills = [item for item in shown.with_role(f"segment:{part}") if item.box.height > 5]
        assert fills, part
        assert any(shown.with_role(f"legend:{part}"))
