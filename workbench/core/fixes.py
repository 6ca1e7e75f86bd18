"""Changes that make a scenario fit, each one tried: what a person can take with one click.

They come in the order of how little they take from the planner: a setting that costs nothing,
fewer requests, shorter ones, a narrower KV cache, narrower weights, more cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import ValidationError

from workbench.core.load.lengths import sized_tokens
from workbench.core.solve import (
    LedgerOf,
    Search,
    finished,
    search_concurrency,
    search_context,
    told_context,
    tps,
    with_longest,
    with_tp,
)
from workbench.spec.formats import KvFormat, WeightFormat
from workbench.spec.ledger import EntryKind, Ledger, Params, Refusal, Status
from workbench.spec.scenario import Scenario
from workbench.spec.workload import ConstantLength

MOST_FIXES: Final = 3
_MOST_FIRST_CHANGES: Final = 6


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a fix."""

    code: str
    """Its caption is `words.FIX_CAPTIONS[code]`, its cost `words.FIX_COSTS[code]`."""
    params: Params


@dataclass(frozen=True, slots=True)
class VerifiedFix:
    """A changed scenario that fits."""

    changes: tuple[Change, ...]
    """One, or two where no single one helps."""
    scenario: Scenario
    status: Status
    """The verdict with it: fits; tight only where the scenario is worse."""

    @property
    def named(self) -> tuple[tuple[str, Params], ...]:
        """The changes as `words.fix_caption` and `words.fix_cost` take them."""
        return tuple((change.code, change.params) for change in self.changes)


@dataclass(frozen=True, slots=True)
class Fixes:
    """What to try, or the reason why nothing that was tried helps."""

    fixes: tuple[VerifiedFix, ...]
    reason: str | None = None
    """A code of `words.NO_FIX` where there is no fix; None too where none is needed."""
    params: Params = field(default_factory=dict)


_Candidate = tuple[str, dict[str, object], Scenario]
_Candidates = Iterator[_Candidate | None]
"""None is a stop on the way to the next one."""
_Prefixed = tuple[tuple[Change, ...], _Candidate | None]
"""A candidate, and what was changed before it."""


@dataclass(frozen=True, slots=True)
class Formats:
    """Formats that a fix may take, in the order in which they are tried."""

    kv: tuple[KvFormat, ...] = ()
    weights: tuple[WeightFormat, ...] = ()


NO_FORMATS: Final = Formats()


def fixes_of(scenario: Scenario, ledger_of: LedgerOf, formats: Formats = NO_FORMATS) -> Fixes:
    """Up to three fixes of a scenario that is tight, does not fit or does not start."""
    return finished(search_fixes(scenario, ledger_of, formats))


def search_fixes(
    scenario: Scenario, ledger_of: LedgerOf, formats: Formats = NO_FORMATS
) -> Search[Fixes]:
    """Look for fixes a trial at a time, for whoever has other things to do in between.

    The first of each kind of change that fits is offered; where no single change helps, the
    first pair that does.
    """
    ledger = ledger_of(scenario)
    if ledger.verdict.status is Status.FITS:
        return Fixes(())
    single = (((), candidate) for candidate in _candidates(scenario, ledger_of, formats))
    found = yield from _verified(scenario, single, ledger_of, MOST_FIXES)
    if not found:
        pairs = _pairs(scenario, ledger_of, formats)
        found = yield from _verified(scenario, pairs, ledger_of, 1)
    return Fixes(found) if found else _no_fix(scenario, ledger, ledger_of)


def _verified(
    scenario: Scenario, candidates: Iterator[_Prefixed], ledger_of: LedgerOf, most: int
) -> Search[tuple[VerifiedFix, ...]]:
    """Those that fit; behind them those that are tight, if the scenario is worse than that."""
    now = ledger_of(scenario).verdict.status
    good: dict[str, VerifiedFix] = {}
    tight: dict[str, VerifiedFix] = {}
    for before, candidate in candidates:
        yield
        if candidate is None:
            continue
        code, params, changed = candidate
        if code in good or changed == scenario:
            continue
        status = ledger_of(changed).verdict.status
        fix = VerifiedFix((*before, Change(code, params)), changed, status)
        if status is Status.FITS:
            good[code] = fix
        elif status is Status.TIGHT and now is not Status.TIGHT:
            tight.setdefault(code, fix)
        if len(good) == most:
            break
    rest = (fix for code, fix in tight.items() if code not in good)
    return (*good.values(), *rest)[:most]


def _candidates(scenario: Scenario, ledger_of: LedgerOf, formats: Formats) -> _Candidates:
    ledger = ledger_of(scenario)
    yield from _settings(scenario, ledger)
    yield from _fewer_requests(scenario, ledger_of)
    yield from _shorter(scenario, ledger_of)
    yield from _narrower(scenario, ledger, formats)
    yield from _more_cards(scenario)


def _pairs(scenario: Scenario, ledger_of: LedgerOf, formats: Formats) -> Iterator[_Prefixed]:
    """A setting or more cards, and a change of what that makes of the scenario."""
    firsts = list(_settings(scenario, ledger_of(scenario)))
    firsts = (firsts or list(_more_cards(scenario)))[:_MOST_FIRST_CHANGES]
    for code, params, changed in firsts:
        for second in _candidates(changed, ledger_of, formats):
            yield (Change(code, params),), second


# Settings that keep the engine from starting


def _settings(scenario: Scenario, ledger: Ledger) -> Iterator[_Candidate]:
    """Flags and layout that another value cures at no cost, valid ones only."""
    refusal = ledger.verdict.refusal
    if refusal is not None:
        for name, value in _by_reason(scenario, refusal):
            yield from _with_flag(scenario, name, value)
        yield from _layout(scenario, refusal)
    for name in ("num_gpu_blocks_override", "kv_cache_memory_bytes"):
        if getattr(scenario.engine, name, None) is not None:
            yield from _with_flag(scenario, name, None)


def _by_reason(scenario: Scenario, refusal: Refusal) -> Iterator[tuple[str, object]]:
    """Flags with the values that a refusal asks for."""
    params = refusal.params
    if refusal.category == "max_len_too_long":
        if refusal.suggested_max_model_len is not None:
            yield "max_model_len", refusal.suggested_max_model_len
        yield "max_model_len", sized_tokens(scenario.workload.lengths, "max")
    elif refusal.reason == "batch_below_length":
        yield "enable_chunked_prefill", True
        yield "max_num_batched_tokens", params["limit_tokens"]
    elif refusal.reason == "batch_below_sequences":
        yield "max_num_batched_tokens", params["sequences"]
        yield "max_num_seqs", params["batch_tokens"]
    elif refusal.reason == "too_few_state_blocks":
        yield "max_num_seqs", params["blocks"]
    elif refusal.category == "free_memory_below_request":
        free_bytes = params["free_bytes"]
        assert isinstance(free_bytes, int)
        percent = free_bytes * 100 // scenario.gpu.device_total_bytes
        for lower in range(percent, max(0, percent - 3), -1):
            yield "gpu_memory_utilization", lower / 100


def _with_flag(scenario: Scenario, name: str, value: Any) -> Iterator[_Candidate]:
    engine = scenario.engine
    if name not in type(engine).model_fields:
        return
    params: dict[str, object] = {"value": value, "before": getattr(engine, name)}
    if name in ("max_model_len", "max_num_batched_tokens"):
        params = {f"{key}_tokens": number for key, number in params.items()}
    elif name == "gpu_memory_utilization":
        params = {f"{key}_share": number for key, number in params.items()}
    code = name if value is not None else f"{name}.default"
    yield from _valid(code, params, lambda: scenario.with_(engine=engine.with_(**{name: value})))


def _layout(scenario: Scenario, refusal: Refusal) -> Iterator[_Candidate]:
    """A parallel layout that is possible."""
    deployment, layers = scenario.deployment, scenario.model.layer_count
    changes: list[tuple[str, dict[str, Any]]] = []
    if refusal.category not in ("bad_parallelism", "unsupported"):
        return
    if deployment.pp_partition is not None:
        changes.append(("even_stages", {"pp_partition": None}))
    if deployment.pp > layers:
        changes.append(("pp", {"pp": layers, "pp_partition": None}))
    if deployment.dcp > 1:
        changes.append(("dcp", {"dcp": 1}))
    if deployment.ep > 1 and scenario.engine.kind == "plain":
        changes.append(("ep", {"ep": 1}))
    for code, change in changes:
        params: dict[str, object] = {"value": change.get(code)}
        yield from _valid(code, params, lambda c=change: _deployed(scenario, c))  # type: ignore[misc]
    if refusal.category == "bad_parallelism":
        below = [tp for tp in tps(scenario, above=0) if tp < deployment.tp]
        for tp in reversed(below):
            yield "tp", _tp_params(scenario, tp), with_tp(scenario, tp)


def _deployed(scenario: Scenario, change: Mapping[str, Any]) -> Scenario:
    return scenario.with_(deployment=scenario.deployment.with_(**change))


def _valid(
    code: str, params: dict[str, object], change: Callable[[], Scenario]
) -> Iterator[_Candidate]:
    try:
        yield code, params, change()
    except ValidationError:
        return


# Asking for less


def _fewer_requests(scenario: Scenario, ledger_of: LedgerOf) -> _Candidates:
    target = scenario.workload.concurrency
    if target is None or target == 1:
        return
    found = yield from search_concurrency(scenario, ledger_of)
    if found.scenario is not None and found.answer is not None and found.answer < target:
        yield "requests", {"requests": found.answer, "before": target}, found.scenario


def _shorter(scenario: Scenario, ledger_of: LedgerOf) -> _Candidates:
    """A shorter constant length, or all lengths in proportion."""
    longest = sized_tokens(scenario.workload.lengths, "max")
    found = yield from search_context(scenario, ledger_of)
    if found.answer is None or found.answer >= longest:
        return
    # Rounded as it is told elsewhere, where that fits as well.
    constant = isinstance(scenario.workload.lengths, ConstantLength)
    for tokens in dict.fromkeys((told_context(found.answer), found.answer)):
        params: dict[str, object] = {
            "context_tokens": tokens,
            "before_tokens": longest,
            "length_share": tokens / longest,
        }
        yield "context" if constant else "lengths", params, with_longest(scenario, tokens)


# Narrower formats


def _narrower(scenario: Scenario, ledger: Ledger, formats: Formats) -> Iterator[_Candidate]:
    """Formats that store fewer bits, or any where the engine does not read the present one."""
    precision, kind = scenario.precision, scenario.engine.kind
    refusal = ledger.verdict.refusal
    foreign = refusal.field if refusal and refusal.reason == "format_of_other_engines" else None
    for form in formats.kv:
        narrower = form.k_bits + form.v_bits < precision.kv.k_bits + precision.kv.v_bits
        if _takes(kind, form) and (narrower or foreign == "precision.kv"):
            params: dict[str, object] = {"format": form.name, "id": form.id.upper()}
            yield "kv_format", params, scenario.with_(precision=precision.with_(kv=form))
    if not scenario.model.has_weights or scenario.engine.weights_bytes is not None:
        return
    for stored in formats.weights:
        narrower = stored.bits < precision.weights.bits
        if _takes(kind, stored) and (narrower or foreign == "precision.weights"):
            params = {"format": stored.name, "id": stored.id.upper()}
            changed = precision.with_(weights=stored)
            yield "weight_format", params, scenario.with_(precision=changed)


def _takes(engine: str, form: KvFormat | WeightFormat) -> bool:
    return form.engines is None or engine in form.engines


# More cards


def _more_cards(scenario: Scenario) -> Iterator[_Candidate]:
    for tp in tps(scenario, above=scenario.deployment.tp):
        yield "tp", _tp_params(scenario, tp), with_tp(scenario, tp)


def _tp_params(scenario: Scenario, tp: int) -> dict[str, object]:
    gpus = scenario.deployment.gpus
    return {"tp": tp, "gpus": gpus // scenario.deployment.tp * tp, "before": gpus}


# Why nothing helps


def _no_fix(scenario: Scenario, ledger: Ledger, ledger_of: LedgerOf) -> Fixes:
    refusal = ledger.verdict.refusal
    if ledger.verdict.status is Status.TIGHT:
        return Fixes((), "tight")
    if refusal is not None and refusal.category in ("unsupported", "cannot_fit_one_token"):
        return Fixes((), "unsupported", {"model": scenario.model.name})
    tried = tps(scenario, above=0)
    if not tried:
        return Fixes((), "no_layout", {"model": scenario.model.name})
    largest = with_tp(scenario, tried[-1])
    rank = ledger_of(largest).worst_rank
    fixed = {
        kind: rank.kind_bytes(kind)
        for kind in (EntryKind.WEIGHTS, EntryKind.RUNTIME, EntryKind.ACTIVATIONS)
    }
    params: dict[str, object] = {
        "tp": tried[-1],
        "weights_bytes": fixed[EntryKind.WEIGHTS],
        "fixed_bytes": sum(fixed.values()),
        "budget_bytes": rank.budget_bytes,
    }
    if fixed[EntryKind.WEIGHTS] > rank.budget_bytes:
        return Fixes((), "weights", params)
    if sum(fixed.values()) > rank.budget_bytes:
        return Fixes((), "fixed", params)
    return Fixes((), "refuses" if refusal is not None else "nothing", params)
