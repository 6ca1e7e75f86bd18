"""Scenario to ledger: the product's formula sheet, read from top to bottom.

budget       = what the engine may use of the card
fixed        = weights + runtime + activations + fragmentation reserve       on each rank
pool         = budget − fixed, in whole blocks of all layers of a stage
demand       = blocks of the prefixes, once + own blocks of each request
entries      = fixed + prefix + tail of last blocks + kv
left         = budget − entries
headroom     = the part of what is left that the planner keeps
free         = the rest of what is left
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from workbench.core.load.demand import Demand
from workbench.core.ranks import rank_ledgers
from workbench.core.sheet import Sheet, sheet_of
from workbench.core.verdict import verdict_of
from workbench.spec.ledger import Capacity, Echo, Finding, Ledger, Request
from workbench.spec.scenario import Scenario

# A ledger takes some 30 kB with all its terms: what is looked at now and was a moment ago is
# remembered, not a day's work.


@lru_cache(maxsize=128)
def budget(scenario: Scenario) -> Ledger:
    """Return the ledger of a scenario with its findings. Never raises for a valid scenario."""
    # Who shows no findings, as the window until it is painted, does not wait for the lints.
    from workbench.core.lint import findings_of

    ledger = ledger_of(scenario)
    return replace(ledger, findings=findings_of(scenario, ledger, ledger_of))


@lru_cache(maxsize=256)
def ledger_of(scenario: Scenario) -> Ledger:
    """Return the ledger without findings: what lints and solvers ask many times."""
    sheet = sheet_of(scenario)
    refusal = sheet.rule.refusal(scenario)
    pool, capacity, most = None, Capacity(None, None, None, None), None
    demand, band = None, None
    remarks: tuple[Finding, ...] = ()
    requests = 0
    if refusal is None or refusal.has_pages:
        demand = sheet.demand(scenario.workload.sizing)
        plan = sheet.pool()
        if refusal is None and plan is not None:
            refusal, remarks = plan.refusal, plan.remarks
        most = sheet.most_requests(demand)
        requests = sheet.drawn_requests(demand)
        pool = sheet.described_pool(plan, demand)
        band = sheet.band(demand)
        if refusal is None or refusal.category == "max_len_too_long":
            capacity = sheet.capacity(plan)
        else:
            most = None
    # More requests than blocks, though bytes are left: a pool smaller than its budget. Or a
    # pool that a person gave more blocks than there is memory for.
    short = (
        demand is not None
        and refusal is None
        and (blocks := sheet.usable_blocks()) is not None
        and (requests > demand.requests_in(blocks) or sheet.overdrawn_bytes > 0)
    )
    ranks = rank_ledgers(sheet, demand, requests)
    return Ledger(
        scenario=_echo(sheet),
        verdict=verdict_of(scenario, ranks, refusal, short),
        ranks=ranks,
        pool=pool,
        request=None if demand is None else _request(demand),
        concurrency=requests,
        most_requests=None if most is None else most * scenario.deployment.copies,
        capacity=capacity,
        findings=(),
        not_modelled=sheet.rule.not_modelled(scenario),
        band=band,
        remarks=remarks,
    )


def _request(demand: Demand) -> Request:
    return Request(demand.tokens, demand.blocks, demand.shared_blocks, demand.tail_tokens)


def _echo(sheet: Sheet) -> Echo:
    scenario, resolved = sheet.scenario, sheet.resolved
    return Echo(
        name=scenario.name,
        model=scenario.model.id,
        gpu=scenario.gpu.id,
        gpus=scenario.deployment.gpus,
        replicas=scenario.deployment.copies,
        engine=scenario.engine.kind,
        release=scenario.engine.release,
        rules=sheet.rule.rules_name(scenario),
        resolved=resolved.values,
        defaulted=resolved.defaulted,
        origins=resolved.origins,
    )
