"""The most that fit, targets beyond the engine's limit, and refusals that show no capacity."""

from __future__ import annotations

import pytest

from tests.core.builders import FP8, quantiles, scenario, script_scenario, shape
from workbench.core.budget import budget
from workbench.export.ledger_json import ledger_json
from workbench.spec.deployment import Deployment, Reserves
from workbench.spec.engine import Amount
from workbench.spec.ledger import Status
from workbench.spec.units import GIB
from workbench.spec.words import fill, how_many, left_text, shown_status, verdict_text
from workbench.spec.workload import PrefixGroup, Workload


def test_the_most_are_those_of_the_length_that_is_drawn() -> None:
    """Not of the longest, which far fewer requests have."""
    lengths = quantiles((0.5, 2_000), (0.95, 9_001), (1.0, 65_536))
    ledger = budget(script_scenario().with_(workload=Workload(lengths=lengths)))
    assert ledger.capacity.steady_state is not None
    assert ledger.most_requests == ledger.capacity.steady_state.p95
    assert f"at most {ledger.most_requests}" in verdict_text(ledger)


def test_the_most_leave_the_headroom_free() -> None:
    kept = script_scenario().with_(reserves=Reserves(headroom=Amount(size_bytes=2 * GIB)))
    ledger = budget(kept)
    assert ledger.capacity.steady_state is not None
    assert ledger.capacity.steady_state.p95 == 112
    assert ledger.most_requests == ledger.concurrency == 108
    assert "at most 108 with headroom" in verdict_text(ledger)


def test_near_the_limit_is_no_pass_in_words_and_looks_though_it_fits() -> None:
    """Claim A13; what is printed as JSON keeps the four words of `Status`."""
    full = budget(script_scenario())
    assert full.worst_rank.left_bytes * 20 < full.worst_rank.total_bytes
    assert full.verdict.near_limit
    assert full.verdict.shown is shown_status(full) is Status.TIGHT
    assert ledger_json(full)["verdict"]["status"] == "fits"
    assert verdict_text(full).startswith("Near the limit: ")
    assert left_text("1 MiB free", full) == "1 MiB free, near the limit"
    assert "near_the_limit" in {finding.code for finding in full.findings}
    for reserves in (
        Reserves(headroom=Amount(size_bytes=1)),
        Reserves(tight_below=Amount(size_bytes=0)),
    ):
        chosen = budget(script_scenario().with_(reserves=reserves))
        assert not chosen.verdict.near_limit
        assert verdict_text(chosen).startswith("Fits: ")


def test_one_of_a_thing_takes_its_singular() -> None:
    told = "{held} requests of {longest_tokens} tokens, {kv_heads} KV heads, {blocks} more blocks"
    once = {"held": 1, "longest_tokens": 1, "kv_heads": 1, "blocks": "1"}
    assert fill(told, once) == "1 request of 1 token, 1 KV head, 1 more block"
    many = {"held": 0, "longest_tokens": 1024, "kv_heads": 11, "blocks": "2,001"}
    assert fill(told, many) == "0 requests of 1k tokens, 11 KV heads, 2,001 more blocks"
    assert (how_many(1, "block"), how_many(2_048, "block")) == ("1 block", "2,048 blocks")


def test_a_target_beyond_the_engines_limit_is_not_met() -> None:
    limited = script_scenario(max_num_seqs=4)
    asked = limited.with_(workload=limited.workload.with_(concurrency=10))
    ledger = budget(asked)
    assert ledger.verdict.status is Status.FITS
    assert ledger.capacity.target is not None
    assert not ledger.capacity.target.met
    assert ledger.most_requests == 4


@pytest.mark.parametrize("tp", [3, 64])
def test_a_layout_that_is_refused_has_no_capacity(tp: int) -> None:
    ledger = budget(scenario(deployment=Deployment(tp=tp)))
    assert ledger.verdict.status is Status.REFUSES
    assert ledger.capacity.steady_state is ledger.capacity.at_risk is None
    assert ledger.most_requests is None


def test_prefixes_that_alone_exceed_the_pool_are_named() -> None:
    group = PrefixGroup(shared_tokens=4_096, distinct_prefixes=1_000)
    base = script_scenario()
    ledger = budget(base.with_(workload=base.workload.with_(prefix_groups=(group,))))
    assert ledger.verdict.binding == "prefix"
    assert ledger.findings[0].code == "prefix_does_not_fit"
    assert ledger.findings[0].field == "workload.prefix_distinct"


def test_near_the_limit_is_warned_of_without_any_headroom() -> None:
    codes = {finding.code: finding.severity for finding in budget(script_scenario()).findings}
    assert codes["near_the_limit"] == "warning"


def test_a_block_below_what_the_kernels_of_a_format_take() -> None:
    small = scenario(kv=FP8.with_(smallest_block_tokens=32))
    (finding,) = (f for f in budget(small).findings if f.code == "block_below_format")
    assert finding.fix is not None
    assert finding.fix.value == 32


def test_the_stated_risk_is_an_input() -> None:
    base = scenario()
    stated = base.with_(workload=base.workload.with_(risk_share=0.05))
    assert budget(stated).capacity.at_risk is not None
    assert budget(stated).capacity.at_risk.probability == 0.05  # type: ignore[union-attr]
    assert budget(base).capacity.at_risk.probability == 0.01  # type: ignore[union-attr]


def test_an_indexer_is_refused_not_ignored() -> None:
    model = shape()
    (run,) = model.layers
    indexed = run.mixer.with_(indexer={"heads": 4, "head_dim": 128})
    ledger = budget(scenario(model=model.with_(layers=(run.with_(mixer=indexed),))))
    assert ledger.verdict.refusal is not None
    assert ledger.verdict.refusal.category == "unsupported"
