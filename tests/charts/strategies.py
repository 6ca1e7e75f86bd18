"""Ledgers of every size and shape that add up, for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from tests.charts.samples import entry
from workbench.charts.rows import Row
from workbench.spec.ledger import STACK_ORDER, Entry, EntryKind, RankLedger, Status
from workbench.spec.units import GIB

_CARDS = st.just(80 * GIB) | st.integers(0, 200 * GIB) | st.sampled_from((0, 1, 2**20, 2**63 - 1))


def _entries(draw: st.DrawFn, budget: int) -> list[Entry]:
    most = draw(st.sampled_from((budget // 8, budget // 2, budget * 3, budget * 10_000))) + 1
    kinds = draw(st.lists(st.sampled_from(STACK_ORDER), max_size=9))
    sizes = st.integers(0, most) | st.sampled_from((0, 1, most))
    return [entry(kind, draw(sizes), f"{kind}-{i}") for i, kind in enumerate(kinds)]


@st.composite
def ledgers(draw: st.DrawFn, card: st.SearchStrategy[int] = _CARDS) -> RankLedger:
    """A rank: entries + headroom + free = total."""
    total = draw(card)
    budget = draw(st.just(total) | st.integers(0, total))
    entries = _entries(draw, budget)
    charged = sum(item.bytes for item in entries)
    beside = total - budget
    if draw(st.booleans()):
        graphs = draw(st.integers(0, beside))
        entries.append(entry(EntryKind.RUNTIME, graphs, "graphs", in_budget=False))
        beside -= graphs
    if beside:
        entries.append(entry(EntryKind.UNREQUESTED, beside, in_budget=False))
    headroom = max(0, min(draw(st.sampled_from((0, 1, budget // 20))), budget - charged))
    free = budget - charged - headroom
    order = draw(st.permutations(entries))
    return RankLedger(draw(st.integers(0, 7)), 0, total, budget, tuple(order), headroom, free)


_NAMES = st.text(max_size=30) | st.sampled_from(
    ("A", "x" * 10_000, "שלום עולם", "👩\u200d👩\u200d👧 plan", "128k 上下文", "<b>&amp;")
)
_CARDS_TOGETHER = st.sampled_from((st.just(80 * GIB), _CARDS))


@st.composite
def rows(draw: st.DrawFn, most: int = 4) -> tuple[Row, ...]:
    """Some rows, often of the same card, as in a plan."""
    card = draw(_CARDS_TOGETHER)
    return tuple(
        Row(
            f"s{number}",
            draw(_NAMES),
            draw(ledgers(card)),
            draw(st.sampled_from(Status)),
            draw(st.just("") | _NAMES),
            is_baseline=number == 0,
            selected=draw(st.booleans()),
            previous=draw(st.none() | ledgers(card)),
            tried=draw(st.none() | ledgers(card)),
            tried_status=draw(st.sampled_from(Status)),
        )
        for number in range(draw(st.integers(0, most)))
    )
