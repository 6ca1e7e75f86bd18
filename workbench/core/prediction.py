"""What a start of an engine will print, as the ledger says it: one figure for each line of a log.

The figures are those of the rank whose pool is the smallest: it decides the number of blocks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import sqrt

from workbench.core.budget import ledger_of
from workbench.spec.ledger import Entry, EntryKind, Evidence, Ledger, RankLedger
from workbench.spec.scenario import Scenario

_OUTSIDE_TORCH = ("non_torch", "persistent_buffers")
"""What a log prints as growth outside torch; the second runner's buffers are part of it."""
_FIXED = (EntryKind.WEIGHTS, EntryKind.RUNTIME, EntryKind.ACTIVATIONS)


@dataclass(frozen=True, slots=True)
class Banded:
    """Bytes with the band that the figure lies in, where it has one."""

    bytes: int
    low_bytes: int | None = None
    high_bytes: int | None = None
    fitted: bool = True
    """False for a rule of thumb outside of what was fitted."""


@dataclass(frozen=True, slots=True)
class Prediction:
    """Figures of one start; None where the ledger has no such entry."""

    weights: Banded | None = None
    activation: Banded | None = None
    non_torch: Banded | None = None
    graphs: Banded | None = None
    graphs_charged: bool = False
    """Whether the graphs come out of the budget (as an estimate, vllm.md section 2.6)."""
    available: Banded | None = None
    """What is left for the pool; negative when the budget is spent before."""
    blocks: int | None = None
    tokens: int | None = None
    concurrency: float | None = None
    refusal: str | None = None
    """Category of the refusal, None for a good start."""


def predict(scenario: Scenario) -> Prediction:
    """Return what a start of the scenario will print."""
    return of_ledger(ledger_of(scenario))


def of_ledger(ledger: Ledger) -> Prediction:
    """Read the figures of a ledger."""
    rank = min(ledger.ranks, key=lambda rank: (_available(rank), rank.rank))
    graphs = [entry for entry in rank.entries if entry.label == "cuda_graphs"]
    pool, log = ledger.pool, ledger.capacity.engine_log
    refusal = ledger.verdict.refusal
    return Prediction(
        weights=_sum(entry for entry in rank.entries if entry.kind is EntryKind.WEIGHTS),
        activation=_sum(entry for entry in rank.entries if entry.kind is EntryKind.ACTIVATIONS),
        non_torch=_sum(entry for entry in rank.entries if entry.label in _OUTSIDE_TORCH),
        graphs=_sum(graphs),
        graphs_charged=any(entry.in_budget for entry in graphs),
        available=_available_band(rank),
        blocks=None if pool is None else pool.blocks,
        tokens=None if pool is None else pool.tokens,
        concurrency=None if log is None else log.concurrency,
        refusal=None if refusal is None else refusal.category,
    )


def _fixed(rank: RankLedger) -> list[Entry]:
    """The entries that come off the budget before the pool."""
    return [entry for entry in rank.entries if entry.kind in _FIXED and entry.in_budget]


def _available(rank: RankLedger) -> int:
    return rank.budget_bytes - sum(entry.bytes for entry in _fixed(rank))


def _available_band(rank: RankLedger) -> Banded:
    """What is left, with the bands of the entries that come off it."""
    spent = _sum(_fixed(rank))
    available = _available(rank)
    if spent is None or spent.low_bytes is None or spent.high_bytes is None:
        return Banded(available, fitted=spent is None or spent.fitted)
    return Banded(
        available,
        rank.budget_bytes - spent.high_bytes,
        rank.budget_bytes - spent.low_bytes,
        spent.fitted,
    )


def _sum(entries: Iterable[Entry]) -> Banded | None:
    """Add entries up. Their errors are independent, so their bands add up as squares do."""
    terms = list(entries)
    if not terms:
        return None
    total = sum(entry.bytes for entry in terms)
    below = [entry.bytes - entry.low_bytes for entry in terms if entry.low_bytes is not None]
    above = [entry.high_bytes - entry.bytes for entry in terms if entry.high_bytes is not None]
    fitted = all(entry.evidence is not Evidence.ASSUMED for entry in terms)
    if not below or not above:
        return Banded(total, fitted=fitted)
    return Banded(total, total - _length(below), total + _length(above), fitted)


def _length(parts: list[int]) -> int:
    return round(sqrt(sum(part * part for part in parts)))
