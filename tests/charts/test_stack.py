from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.charts.samples import entry, ledger
from tests.charts.strategies import ledgers
from workbench.charts.scale import Scale
from workbench.charts.stack import NARROWEST, place, stack
from workbench.spec.ledger import STACK_ORDER, EntryKind, RankLedger
from workbench.spec.units import GIB

ORDER = [
    *(kind.value for kind in STACK_ORDER),
    "headroom",
    "free",
    *(f"outside:{kind.value}" for kind in STACK_ORDER),
    "unrequested",
]


@given(ledgers())
def test_parts_stand_in_stack_order_and_add_up(rank: RankLedger):
    parts = stack(rank)
    names = [part.name for part in parts.inside + parts.outside]
    assert names == sorted(set(names), key=ORDER.index)
    assert parts.extent_bytes == rank.total_bytes + rank.over_bytes
    assert parts.inside_bytes == rank.budget_bytes + rank.over_bytes
    shown = [item for part in parts.inside + parts.outside for item in part.entries]
    assert sum(item.bytes for item in shown) == sum(item.bytes for item in rank.entries)


@given(ledgers(), st.integers(0, 2000), st.integers(1, 4))
def test_bars_are_as_long_as_their_bytes(rank: RankLedger, width: int, room: int):
    parts = stack(rank)
    scale = Scale(30, width, max(1, parts.extent_bytes * room))
    cells = place(parts, scale)
    assert [cell.part for cell in cells] == list(parts.inside + parts.outside)
    for one, other in pairwise(cells):
        assert one.right == other.left
    assert all(cell.width >= 0 for cell in cells)
    assert all(cell.left == int(cell.left) for cell in cells)
    if cells:
        assert cells[0].left == scale.at(0)
        whole_bar = sum(cell.width for cell in cells)
        assert abs(whole_bar - scale.length(parts.extent_bytes)) <= 1
        budget_end = next((c.left for c in cells if c.part in parts.outside), cells[-1].right)
        assert budget_end == scale.at(parts.inside_bytes)


@given(ledgers(), st.integers(50, 2000))
def test_small_parts_are_seen_and_large_ones_make_room(rank: RankLedger, width: int):
    parts = stack(rank)
    scale = Scale(0, width, max(1, parts.extent_bytes))
    groups = [list(parts.inside), list(parts.outside)]
    for cell in place(parts, scale):
        group = next(g for g in groups if cell.part in g)
        room = scale.length(sum(part.bytes for part in group))
        if room >= NARROWEST * len(group) + 1:
            assert cell.width >= 1
        if cell.part.bytes and scale.length(cell.part.bytes) > NARROWEST:
            given_up = NARROWEST * (len(group) - 1)
            assert abs(cell.width - scale.length(cell.part.bytes)) <= given_up + 1


def test_entries_of_a_kind_are_one_part_and_the_outside_is_its_own():
    rank = RankLedger(
        0,
        0,
        20 * GIB,
        15 * GIB,
        (
            entry(EntryKind.RUNTIME, GIB, "context"),
            entry(EntryKind.RUNTIME, 3 * GIB, "graphs", in_budget=False),
            entry(EntryKind.UNREQUESTED, 2 * GIB, in_budget=False),
            entry(EntryKind.RUNTIME, 2 * GIB, "nccl"),
            entry(EntryKind.KV, 0),
        ),
        0,
        12 * GIB,
    )
    parts = stack(rank)
    assert [(part.name, part.bytes // GIB) for part in parts.inside] == [
        ("runtime", 3),
        ("free", 12),
    ]
    assert [(part.name, part.bytes // GIB) for part in parts.outside] == [
        ("outside:runtime", 3),
        ("unrequested", 2),
    ]
    assert [item.label for item in parts.inside[0].entries] == ["context", "nccl"]


def test_what_does_not_fit_makes_the_bar_longer_than_the_card():
    rank = ledger(80, 72, weights=100, kv=20)
    parts = stack(rank)
    assert rank.over_bytes == 48 * GIB
    assert parts.extent_bytes == 128 * GIB
    assert [part.name for part in parts.inside + parts.outside] == ["weights", "kv", "unrequested"]
    assert Scale(0, 128, 128 * GIB).at(rank.budget_bytes) == pytest.approx(72)
