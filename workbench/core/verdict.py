"""The verdict with the constraint that binds."""

from __future__ import annotations

from workbench.spec.ledger import EntryKind, RankLedger, Refusal, Status, Verdict
from workbench.spec.scenario import Scenario

_NEAR = 20
"""Less than one part in so many left of the card, and no headroom kept, is near the limit."""
_REFUSAL_BINDING = {
    "unsupported": "architecture",
    "bad_parallelism": "parallelism",
    "max_len_too_long": "max_model_len",
    "cannot_fit_one_token": "kv",
    "free_memory_below_request": "utilization",
}


def verdict_of(
    scenario: Scenario,
    ranks: tuple[RankLedger, ...],
    refusal: Refusal | None,
    short_of_blocks: bool = False,
) -> Verdict:
    """Judge the worst rank: fits, tight (inside the stated reserve), does not fit, refuses.

    `short_of_blocks`: the drawn requests need more blocks than the pool has.
    """
    worst = min((rank for rank in ranks if rank.decides), key=lambda rank: rank.left_bytes)
    shortfall = worst.over_bytes or None
    if refusal is not None:
        if refusal.category == "no_memory":
            return _no_memory(worst, shortfall, refusal)
        return Verdict(Status.REFUSES, _REFUSAL_BINDING[refusal.category], shortfall, refusal)
    if shortfall is not None:
        return Verdict(Status.DOES_NOT_FIT, _binding_entry(worst), shortfall)
    if short_of_blocks:
        return Verdict(Status.DOES_NOT_FIT, EntryKind.KV.value)
    if worst.left_bytes < _tight_below_bytes(scenario):
        return Verdict(Status.TIGHT, "headroom")
    return Verdict(
        Status.FITS,
        "kv" if worst.kind_bytes(EntryKind.KV) else "weights",
        near_limit=is_near_limit(scenario, worst.left_bytes),
    )


def is_near_limit(scenario: Scenario, left_bytes: int) -> bool:
    """Whether what fits has little left on a card and nobody said what to keep (claim A13)."""
    if scenario.headroom_bytes or scenario.reserves.tight_below is not None:
        return False
    return left_bytes * _NEAR < scenario.gpu.device_total_bytes


def _no_memory(worst: RankLedger, shortfall: int | None, refusal: Refusal) -> Verdict:
    """Without room for a block the engine refuses; what exceeds the card dies while loading."""
    fixed = {kind: worst.kind_bytes(kind) for kind in _FIXED}
    binding = max(fixed, key=lambda kind: fixed[kind]).value
    charged = sum(e.bytes for e in worst.entries if e.in_budget and e.kind in _FIXED)
    if charged <= worst.budget_bytes and refusal.reason in _POOL_REASONS:
        # A pool of a given size is too small by itself.
        binding = EntryKind.KV.value
    if fixed[EntryKind.WEIGHTS] > worst.total_bytes:
        return Verdict(Status.DOES_NOT_FIT, binding, shortfall)
    return Verdict(Status.REFUSES, binding, shortfall, refusal)


_POOL_REASONS = ("no_room_for_a_block", "cache_not_allocated")
"""The pool itself is what does not fit, whatever stands beside it."""
_FIXED = (EntryKind.WEIGHTS, EntryKind.RUNTIME, EntryKind.ACTIVATIONS)


def _tight_below_bytes(scenario: Scenario) -> int:
    reserves, total_bytes = scenario.reserves, scenario.gpu.device_total_bytes
    limit = reserves.headroom if reserves.tight_below is None else reserves.tight_below
    return limit.of(total_bytes)


def _binding_entry(rank: RankLedger) -> str:
    """The entry that decides: what no change of the requests could cure comes first."""
    fixed = {kind: rank.kind_bytes(kind) for kind in _FIXED}
    reserve = sum(e.bytes for e in rank.entries if e.label == "fragmentation_reserve")
    if sum(fixed.values()) + reserve > rank.budget_bytes:
        return max(fixed, key=lambda kind: fixed[kind]).value
    return max((EntryKind.KV, EntryKind.PREFIX), key=lambda kind: rank.kind_bytes(kind)).value
