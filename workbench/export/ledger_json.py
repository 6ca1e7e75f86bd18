"""A ledger as the public JSON of `kvw budget --json`.

Keys may be added freely, never renamed or removed. Integers are exact bytes or tokens; null
means "does not apply"; what is not modelled is absent from the numbers and named.
"""

from __future__ import annotations

from dataclasses import asdict
from fractions import Fraction
from typing import Any

from workbench.spec.ledger import (
    Admission,
    Capacity,
    Entry,
    Finding,
    Ledger,
    Number,
    Pool,
    RankLedger,
)
from workbench.spec.words import entry_text, finding_text, formula_text, source_text

SCHEMA = 1


def ledger_json(ledger: Ledger, admission: Admission | None = None) -> dict[str, Any]:
    """Return the ledger as plain values, ready for `json.dumps`."""
    verdict, request = ledger.verdict, ledger.request
    refusal = verdict.refusal
    return {
        "schema": SCHEMA,
        "scenario": _scenario(ledger),
        "verdict": {
            "status": verdict.status.value,
            "binding": verdict.binding,
            "shortfall_bytes": verdict.shortfall_bytes,
            "refusal": None
            if refusal is None
            else {
                "category": refusal.category,
                "suggested_max_model_len": refusal.suggested_max_model_len,
                "reason": refusal.reason or None,
            },
        },
        "ranks": [_rank(rank) for rank in ledger.ranks],
        "pool": None if ledger.pool is None else _pool(ledger.pool),
        "request": None
        if request is None
        else {
            "tokens": request.tokens,
            "blocks": request.blocks,
            "shared_blocks": plain_number(request.shared_blocks),
            "tail_tokens": request.tail_tokens,
        },
        "drawn_concurrency": ledger.concurrency,
        "most_requests": ledger.most_requests,
        "cache_bytes": ledger.worst_rank.cache_bytes,
        "capacity": _capacity(ledger.capacity),
        "findings": [_finding(finding) for finding in ledger.findings],
        "not_modelled": list(ledger.not_modelled),
        "admission": None if admission is None else asdict(admission),
        "band": None
        if ledger.band is None
        else {
            "pool_low_bytes": ledger.band.pool_low_bytes,
            "pool_high_bytes": ledger.band.pool_high_bytes,
            "most_requests_low": ledger.band.most_requests_low,
            "most_requests_high": ledger.band.most_requests_high,
            "straddles": ledger.band.straddles,
        },
    }


def plain_number(value: Number | None) -> int | float | None:
    """Return an int where the value is whole, else a float."""
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else float(value)
    return value


def _scenario(ledger: Ledger) -> dict[str, Any]:
    echo = ledger.scenario
    return {
        "name": echo.name,
        "model": echo.model,
        "gpu": echo.gpu,
        "gpus": echo.gpus,
        "replicas": echo.replicas,
        "engine": echo.engine,
        "release": echo.release,
        "rules": echo.rules,
        "resolved": dict(echo.resolved),
        "defaulted": list(echo.defaulted),
        "origins": {flag: source_text(source) for flag, source in echo.origins.items()},
    }


def _rank(rank: RankLedger) -> dict[str, Any]:
    return {
        "rank": rank.rank,
        "stage": rank.stage,
        "place": rank.place,
        "total_bytes": rank.total_bytes,
        "budget_bytes": rank.budget_bytes,
        "entries": [_entry(entry) for entry in rank.entries],
        "headroom_bytes": rank.headroom_bytes,
        "free_bytes": rank.free_bytes,
    }


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "kind": entry.kind.value,
        "label": entry_text(entry),
        "code": entry.label,
        "bytes": entry.bytes,
        "low_bytes": entry.low_bytes,
        "high_bytes": entry.high_bytes,
        "evidence": entry.evidence.value,
        "in_budget": entry.in_budget,
        "formula": f"{formula_text(entry.formula, filled=False)} = {formula_text(entry.formula)}",
        "source": source_text(entry.source),
    }


def _pool(pool: Pool) -> dict[str, Any]:
    return {
        "bytes": pool.bytes,
        "blocks": pool.blocks,
        "bytes_per_block": pool.bytes_per_block,
        "block_tokens": pool.block_tokens,
        "tokens": pool.tokens,
        "kv_bytes_per_token": plain_number(pool.kv_bytes_per_token),
        "tokens_per_mib": plain_number(pool.tokens_per_mib),
        "groups": [
            {
                "kind": group.kind,
                "layers": group.layers,
                "block_tokens": group.block_tokens,
                "page_bytes": group.page_bytes,
                "blocks_per_request": group.blocks_per_request,
            }
            for group in pool.groups
        ],
    }


def _capacity(capacity: Capacity) -> dict[str, Any]:
    log, steady = capacity.engine_log, capacity.steady_state
    risk, target = capacity.at_risk, capacity.target
    return {
        "engine_log": None
        if log is None
        else {"tokens_per_request": log.tokens_per_request, "concurrency": log.concurrency},
        "steady_state": None
        if steady is None
        else {
            "mean": steady.mean,
            "p50": steady.p50,
            "p95": steady.p95,
            "p99": steady.p99,
            "max": steady.max,
        },
        "at_risk": None
        if risk is None
        else {"probability": risk.probability, "concurrency": risk.concurrency},
        "target": None
        if target is None
        else {"concurrency": target.concurrency, "met": target.met},
    }


def _finding(finding: Finding) -> dict[str, Any]:
    params = {
        name: plain_number(value) if isinstance(value, Fraction) else value
        for name, value in finding.params.items()
    }
    return {
        "code": finding.code,
        "severity": finding.severity,
        "field": finding.field,
        "params": params,
        "message": finding_text(finding),
    }
