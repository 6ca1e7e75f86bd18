"""Where a ledger and the oracle's answer differ, as sentences."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from workbench.spec.ledger import Ledger, RankLedger

Pair = tuple[str, object, object]


def differences(ledger: Ledger, answer: dict[str, Any]) -> list[str]:
    """Every figure that both know and that is not the same in both."""
    return [
        f"{name}: {ours!r}, oracle {theirs!r}"
        for name, ours, theirs in _pairs(ledger, answer)
        if ours != theirs or type(ours) is not type(theirs)
    ]


def _pairs(ledger: Ledger, answer: dict[str, Any]) -> Iterator[Pair]:
    refusal = ledger.verdict.refusal
    yield "status", ledger.verdict.status.value, answer["status"]
    yield "refusal", None if refusal is None else refusal.category, answer["refusal"]
    if "ranks" not in answer:  # refused before anything could be laid out
        return
    yield "drawn", ledger.concurrency, answer["drawn"]
    yield "shortfall", ledger.verdict.shortfall_bytes, answer["over"]
    yield "ranks", len(ledger.ranks), len(answer["ranks"])
    for rank, expected in zip(ledger.ranks, answer["ranks"], strict=True):
        yield from _rank_pairs(rank, expected)
    parts = (
        ("request", ledger.request, answer["request"]),
        ("pool", ledger.pool, answer["pool"]),
        ("steady", ledger.capacity.steady_state, answer["steady_state"]),
    )
    for name, ours, expected in parts:
        yield f"{name} known", ours is not None, expected is not None
        for key, value in (expected or {}).items():
            yield f"{name} {key}", getattr(ours, key, None), value


def _rank_pairs(rank: RankLedger, expected: dict[str, Any]) -> Iterator[Pair]:
    where = f"rank {rank.rank}"
    yield f"{where} stage", rank.stage, expected["stage"]
    entries = {entry.label: entry.bytes for entry in rank.entries}
    for label in entries | expected["entries"]:
        # A line of nothing may be left out, a line of something may not.
        yield f"{where} {label}", entries.get(label, 0), expected["entries"].get(label, 0)
    yield f"{where} headroom", rank.headroom_bytes, expected["headroom"]
    yield f"{where} free", rank.free_bytes, expected["free"]
