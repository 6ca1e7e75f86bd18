"""Ledgers and rows made by hand, and the charts that are kept as goldens."""

from __future__ import annotations

from collections.abc import Mapping

from workbench.charts.labels import ENGLISH
from workbench.charts.rows import Row
from workbench.spec.ledger import Entry, EntryKind, Evidence, Formula, RankLedger, Source, Status
from workbench.spec.units import GIB, MIB


def entry(kind: EntryKind, size_bytes: int, label: str = "", *, in_budget: bool = True) -> Entry:
    return Entry(
        kind,
        label or kind.value,
        size_bytes,
        Evidence.COMPUTED,
        Formula("{bytes}"),
        Source("hand"),
        in_budget=in_budget,
    )


def ledger(
    total_gib: float = 79.19,
    budget_gib: float | None = None,
    *,
    reserve_gib: float = 0.0,
    outside_gib: float = 0.0,
    rank: int = 0,
    **kinds_gib: float,
) -> RankLedger:
    """Build a rank whose entries, headroom and free add up to the card."""
    total = int(total_gib * GIB)
    budget = total if budget_gib is None else int(budget_gib * GIB)
    entries = [entry(EntryKind(kind), int(size * GIB)) for kind, size in kinds_gib.items()]
    charged, beside = sum(item.bytes for item in entries), int(outside_gib * GIB)
    if beside:
        entries.append(entry(EntryKind.RUNTIME, beside, "graphs", in_budget=False))
    if total > budget + beside:
        rest = total - budget - beside
        entries.append(entry(EntryKind.UNREQUESTED, rest, in_budget=False))
    headroom = max(0, min(int(reserve_gib * GIB), budget - charged))
    free = budget - charged - headroom
    return RankLedger(rank, 0, total, budget, tuple(entries), headroom, free)


def row(name: str, rank_ledger: RankLedger, status: Status = Status.FITS, **more: object) -> Row:
    return Row(name.lower().replace(" ", "-"), name, rank_ledger, status, **more)  # type: ignore[arg-type]


_FITTED = {"weights": 32.9, "runtime": 2.13, "activations": 1.94, "fragmentation": 0.01}
_FITTED_WITH_PREFIX = _FITTED | {"prefix": 1.25}

LAB = row(
    "Ledger lab",
    ledger(80, weights=15, activations=4.8, fragmentation=3.2, kv=40, reserve_gib=4),
    is_baseline=True,
    subtitle="Llama-3.1-8B · 80 GiB",
)
TENSOR_PARALLEL = row(
    "TP 4, shared prompt",
    ledger(80, weights=13.75, activations=4.8, fragmentation=3.2, prefix=8, kv=44, reserve_gib=4),
    subtitle="Llama-3.1-8B · 4 × 80 GiB",
)
"""Weights, activations, fragmentation, prefix cache and KV cache all show."""
BASELINE = row(
    "A",
    ledger(79.19, 71.27, kv=26.25, **_FITTED_WITH_PREFIX),
    is_baseline=True,
    subtitle="Baseline",
)
TIGHT = row(
    "B",
    ledger(79.19, 71.27, kv=32.5, reserve_gib=2, **_FITTED_WITH_PREFIX),
    Status.TIGHT,
    subtitle="FP8 KV",
)
OVER = row(
    "C",
    ledger(79.19, 71.27, kv=58.13, **_FITTED_WITH_PREFIX),
    Status.DOES_NOT_FIT,
    subtitle="128k context",
    selected=True,
)
TRIED = row(
    "C",
    OVER.ledger,
    Status.DOES_NOT_FIT,
    subtitle="128k context",
    selected=True,
    tried=ledger(79.19, 71.27, kv=29.0, **_FITTED_WITH_PREFIX),
)
"""With a change that would make it fit."""
HYBRID = row(
    "Hybrid",
    ledger(141, 126.9, outside_gib=3.1, weights=60, runtime=2, state=22, kv=20, reserve_gib=5),
    subtitle="one card",
    previous=ledger(141, 126.9, weights=30, state=11, kv=10),
)
FAR_OVER = row(
    "Too big",
    ledger(79.19, 71.27, outside_gib=1, weights=140, runtime=2, activations=4, kv=20),
    Status.DOES_NOT_FIT,
)
REFUSED = row(
    "Refused", ledger(24, 21.6, weights=14, runtime=0.5), Status.REFUSES, subtitle="max_model_len"
)
MONSTER = row(
    "Monster", ledger(80, 72, weights=800_000, kv=3), Status.DOES_NOT_FIT, is_baseline=True
)
EMPTY = row("Empty", RankLedger(0, 0, 0, 0, (), 0, 0))
HUGE = row(
    "Huge",
    RankLedger(0, 0, 2**63 - 1, 2**63 - 1, (entry(EntryKind.KV, 2**62),), 0, 2**62 - 1),
)
SMALL = row("Small", ledger(80 * MIB / GIB, weights=40 * MIB / GIB))

CHINESE: Mapping[str, str] = ENGLISH | {
    "weights": "权重",
    "runtime": "运行时开销",
    "activations": "激活",
    "fragmentation": "碎片",
    "prefix": "前缀缓存",
    "kv": "KV 缓存",
    "headroom": "余量",
    "free": "空闲",
    "unrequested": "未申请",
    "over": "超出预算",
    "limit.engine": "引擎可用 {number} / {total}",
    "result.fits": "{size} 空闲",
    "result.tight": "剩 {size}，紧张",
    "result.over": "超出 {size}",
}

CASES: Mapping[str, tuple[Row, ...]] = {
    "lab": (LAB, TENSOR_PARALLEL),
    "over": (BASELINE, TIGHT, OVER),
    "tried": (BASELINE, TRIED),
    "budgets": (LAB, HYBRID, FAR_OVER, REFUSED),
    "ranks": tuple(
        row(f"GPU {rank}", ledger(80, 72, rank=rank, weights=30 + rank % 2, kv=20 + rank))
        for rank in range(4)
    ),
    "monster": (MONSTER, LAB),
    "none": (),
}
