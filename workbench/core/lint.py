"""Findings: what a careful colleague would point at, as codes and parameters."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from workbench.core import lint_advice
from workbench.core.engines import rule_of
from workbench.core.lint_advice import LedgerOf
from workbench.core.lint_refusals import refusal_findings
from workbench.core.memory.weights import storage_of
from workbench.spec.engine import flag_of, given_pool
from workbench.spec.ledger import EntryKind, Finding, Fix, Ledger, Status
from workbench.spec.scenario import Scenario

Lint = Callable[[Scenario, Ledger, LedgerOf], Iterator[Finding]]


def findings_of(scenario: Scenario, ledger: Ledger, ledger_of: LedgerOf) -> tuple[Finding, ...]:
    """All findings, the most severe first."""
    found = [finding for lint in LINTS for finding in lint(scenario, ledger, ledger_of)]
    return tuple(sorted(found, key=lambda finding: _SEVERITY[finding.severity]))


_SEVERITY = {"error": 0, "warning": 1, "info": 2}


# What keeps it from running


def _does_not_fit(scenario: Scenario, ledger: Ledger, ledger_of: LedgerOf) -> Iterator[Finding]:
    """Weights that don't fit, with the smallest change that would (claim B15)."""
    refusal = ledger.verdict.refusal
    no_memory = refusal is not None and refusal.reason == "no_room_for_a_block"
    if ledger.verdict.status is not Status.DOES_NOT_FIT and not no_memory:
        return
    # Only what does not fit needs the solver, and the start of the window does not wait for it.
    from workbench.core.solve import (
        fits_in_eight_bits,
        largest_concurrency,
        smallest_tp_that_fits,
    )

    given = getattr(scenario.engine, "kv_cache_memory_bytes", None)
    if no_memory and given is not None and ledger.pool is not None:
        params: dict[str, object] = {
            "given_bytes": given,
            "block_bytes": ledger.pool.bytes_per_block,
        }
        yield Finding("pool_below_one_block", "error", "engine.kv_cache_memory_bytes", params)
        return
    rank = ledger.worst_rank
    over_bytes = rank.over_bytes
    if ledger.verdict.binding == "prefix":
        params = {
            "prefix_bytes": rank.kind_bytes(EntryKind.PREFIX),
            "over_bytes": over_bytes,
        }
        yield Finding("prefix_does_not_fit", "error", "workload.prefix_distinct", params)
        return
    if ledger.verdict.binding == "kv":
        if any(_overdrawn(scenario, ledger, ledger_of)):
            # No number of requests would be few enough.
            return
        # As many as leave the headroom free; else as many as there is room for at all.
        held = ledger.most_requests or largest_concurrency(ledger, scenario.workload.sizing) or 0
        fix = Fix("workload.concurrency", held) if held else None
        params = {"over_bytes": over_bytes, "held": held}
        if ledger.most_requests and scenario.headroom_bytes:
            params["kept_bytes"] = scenario.headroom_bytes
        yield Finding("requests_do_not_fit", "error", "workload.concurrency", params, fix)
        return
    tp = smallest_tp_that_fits(scenario, ledger_of)
    params = {
        "weights_bytes": rank.kind_bytes(EntryKind.WEIGHTS),
        "budget_bytes": rank.budget_bytes,
        "over_bytes": over_bytes,
        "tp": tp,
    }
    if fits_in_eight_bits(scenario, ledger_of):
        yield Finding("weights_fit_in_8_bits", "error", "precision.weights", params)
    if tp is not None:
        fix = Fix("deployment.tp", tp)
        yield Finding("weights_fit_with_tp", "error", "deployment.tp", params, fix)
    elif not fits_in_eight_bits(scenario, ledger_of):
        yield Finding("weights_do_not_fit", "error", "deployment.tp", params)


def _not_a_pass(scenario: Scenario, ledger: Ledger, ledger_of: LedgerOf) -> Iterator[Finding]:
    """Near the limit is not a pass (claim A13)."""
    rank = ledger.worst_rank
    if ledger.verdict.status is Status.TIGHT:
        reserves = scenario.reserves
        limit = reserves.tight_below or reserves.headroom
        params = {"left_bytes": rank.left_bytes, "reserve_bytes": limit.of(rank.total_bytes)}
        yield Finding("inside_the_reserve", "warning", "reserves.headroom", params)
    elif (
        ledger.verdict.status is Status.FITS
        and scenario.reserves.headroom.of(rank.total_bytes) == 0
        and scenario.reserves.tight_below is None
    ):
        if ledger.verdict.near_limit:
            params = {"left_bytes": rank.left_bytes}
            yield Finding("near_the_limit", "warning", "reserves.headroom", params)
        else:
            yield Finding("no_headroom_kept", "info", "reserves.headroom", {})


def _overcommitted(scenario: Scenario, ledger: Ledger, ledger_of: LedgerOf) -> Iterator[Finding]:
    """What lives outside the engine's budget needs more than is left outside it."""
    for rank in ledger.ranks:
        outside = sum(entry.bytes for entry in rank.entries if not entry.in_budget)
        room = rank.total_bytes - rank.budget_bytes
        if outside > room:
            params = {"outside_bytes": outside, "room_bytes": max(0, room)}
            asked = (name for name in _SHARES if hasattr(scenario.engine, name))
            field = f"engine.{next(asked, 'kind')}"
            yield Finding("overcommitted", "warning", field, params)
            return


_SHARES = ("gpu_memory_utilization", "mem_fraction_static", "free_gpu_memory_fraction")
"""The flag by which an engine is told how much of a card it may use."""


def _overdrawn(scenario: Scenario, ledger: Ledger, ledger_of: LedgerOf) -> Iterator[Finding]:
    """A pool given by hand that the memory does not hold."""
    pool, given = ledger.pool, given_pool(scenario.engine)
    if pool is None:
        return
    # The pool as planned: an engine that was given too much may take less of it.
    room_bytes = pool.bytes
    if given is not None:
        beside_bytes, total_bytes = _beside_pool(ledger)
        room_bytes = min(room_bytes, max(0, total_bytes - beside_bytes))
    asked_bytes = pool.blocks * pool.bytes_per_block
    if flag_of(scenario.engine, "num_gpu_blocks_override") is not None:
        if asked_bytes > room_bytes:
            params = {"blocks": pool.blocks, "asked_bytes": asked_bytes, "pool_bytes": room_bytes}
            field = "engine.num_gpu_blocks_override"
            fitting = room_bytes // pool.bytes_per_block
            fix = Fix(field, fitting) if fitting else None
            yield Finding("override_beyond_memory", "error", field, params, fix)
    elif given is not None and pool.bytes > room_bytes:
        params = {
            "given_bytes": pool.bytes,
            "beside_bytes": beside_bytes,
            "total_bytes": total_bytes,
        }
        yield Finding("pool_beyond_card", "error", given.field, params)


def _beside_pool(ledger: Ledger) -> tuple[int, int]:
    """Return the least that stands beside the pool of the fullest rank, and the rank's memory."""
    ranks = (
        (
            sum(
                entry.bytes if entry.low_bytes is None else entry.low_bytes
                for entry in rank.entries
                if entry.in_budget and entry.kind in _BESIDE_POOL
            ),
            rank.total_bytes,
        )
        for rank in ledger.ranks
    )
    return max(ranks, key=lambda rank: rank[0] - rank[1])


_BESIDE_POOL = (EntryKind.WEIGHTS, EntryKind.RUNTIME, EntryKind.ACTIVATIONS)


def _bands(scenario: Scenario, ledger: Ledger, ledger_of: LedgerOf) -> Iterator[Finding]:
    """Fitted figures leave the answer open, or a small pool is what large figures leave over."""
    band, pool = ledger.band, ledger.pool
    if band is None or pool is None:
        return
    params = {
        "pool_bytes": pool.bytes,
        "low_bytes": band.pool_low_bytes,
        "high_bytes": band.pool_high_bytes,
    }
    if band.straddles and rule_of(scenario.engine).start_is_open(scenario):
        field = "engine.gpu_memory_utilization"
        yield Finding("start_is_open", "warning", field, {})
    elif band.straddles:
        given = given_pool(scenario.engine)
        is_fixed = band.pool_low_bytes == band.pool_high_bytes
        code = "pool_may_be_beyond_card" if is_fixed else "band_straddles"
        yield Finding(code, "warning", None if given is None else given.field, params)
    if THIN * (band.pool_high_bytes - band.pool_low_bytes) > pool.bytes > 0:
        yield Finding("thin_pool", "warning", None, params)


THIN = 4
"""A pool of which the bands leave more than one part in so many open is called thin."""


def _assumed_defaults(scenario: Scenario, ledger: Ledger, ledger_of: LedgerOf) -> Iterator[Finding]:
    """Defaults of the release that nobody has seen in its source or in a log."""
    origins = ledger.scenario.origins
    assumed = [flag for flag, origin in origins.items() if origin.code.endswith("_assumed")]
    if assumed:
        params: dict[str, object] = {
            "flags": ", ".join(assumed),
            "release": ledger.scenario.release,
        }
        yield Finding("defaults_assumed", "info", None, params)


def _formats(scenario: Scenario, ledger: Ledger, ledger_of: LedgerOf) -> Iterator[Finding]:
    """A weight format that changes nothing, and one whose checkpoints choose the KV format."""
    model, precision = scenario.model, scenario.precision
    weights = precision.weights
    if weights.bits < 16 and model.has_weights and not _quantises(scenario):
        params: dict[str, object] = {"format": weights.name, "model": model.name}
        yield Finding("format_without_effect", "warning", "precision.weights", params)
    if weights.id == "nvfp4" and scenario.engine.kind == "vllm" and not precision.kv.is_quantised:
        yield Finding("kv_may_be_switched", "info", "precision.kv", {})


def _quantises(scenario: Scenario) -> bool:
    weights = scenario.precision.weights.for_model(has_experts=scenario.model.moe is not None)
    left_alone = scenario.precision.left_alone or ()
    tensors = (t for run in scenario.model.layers for t in run.tensors)
    return any(
        storage_of(tensor, weights, left_alone) is not None
        for tensor in (*tensors, *scenario.model.tensors)
    )


def _release(scenario: Scenario, ledger: Ledger, ledger_of: LedgerOf) -> Iterator[Finding]:
    """A release that follows the rules of another one."""
    release, rules = ledger.scenario.release, ledger.scenario.rules
    if release.split(".")[:2] != rules.split(".")[:2]:
        yield Finding("release_not_read", "info", None, {"release": release, "rules": rules})


def _prefix_without_caching(
    scenario: Scenario, ledger: Ledger, ledger_of: LedgerOf
) -> Iterator[Finding]:
    if scenario.workload.prefix_groups and (
        ledger.scenario.resolved.get("enable_prefix_caching") is False
    ):
        yield Finding("prefix_caching_off", "warning", "workload.prefix_tokens", {})


def _remarks(scenario: Scenario, ledger: Ledger, ledger_of: LedgerOf) -> Iterator[Finding]:
    """What the engine's own rule has to say of its pool."""
    yield from ledger.remarks


LINTS: tuple[Lint, ...] = (
    refusal_findings,
    _remarks,
    _does_not_fit,
    _not_a_pass,
    _overcommitted,
    _overdrawn,
    _bands,
    lint_advice.heads,
    lint_advice.bits,
    lint_advice.gb_and_gib,
    lint_advice.max_model_len,
    lint_advice.beyond_the_model,
    lint_advice.kv_format,
    lint_advice.replication,
    lint_advice.prefix,
    _formats,
    _prefix_without_caching,
    _release,
    _assumed_defaults,
    lint_advice.scheduler_limit,
    lint_advice.lengths,
    lint_advice.no_weights,
)
