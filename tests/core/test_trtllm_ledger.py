"""Ledgers of TensorRT-LLM: what must hold for any scenario, and a few worked ones."""

from __future__ import annotations

import os
from collections import Counter
from fractions import Fraction

from tests.core.formulas import computed_terms, evaluate
from tests.core.trtllm_scenarios import answers
from workbench.core.admission import admission_of
from workbench.core.budget import ledger_of
from workbench.core.explain import figure
from workbench.core.grid import capacity_row
from workbench.spec import words
from workbench.spec.ledger import Ledger, Status
from workbench.spec.scenario import Scenario

COUNT = int(os.environ.get("KVW_TRTLLM_SCENARIOS", "500"))


def drawn() -> list[tuple[Scenario, Ledger]]:
    return [(s, ledger) for s, ledger in answers(COUNT) if ledger.pool is not None]


def test_nothing_raises_and_every_verdict_occurs() -> None:
    found = Counter(ledger.verdict.status for _, ledger in answers(COUNT))
    assert set(found) == set(Status)
    refusals = Counter(
        ledger.verdict.refusal.reason or ledger.verdict.refusal.category
        for _, ledger in answers(COUNT)
        if ledger.verdict.refusal is not None
    )
    assert {
        *("no_room_for_a_block", "trtllm_window_too_large", "trtllm_beams_do_not_fit"),
        *("trtllm_prompt_beyond_step", "max_len_too_long", "bad_parallelism"),
    } <= set(refusals), refusals
    codes = {finding.code for _, ledger in answers(COUNT) for finding in ledger.remarks}
    assert codes == {
        *("trtllm_length_cut", "trtllm_length_cut.requests_refused", "trtllm_long_prompts"),
        *("trtllm_small_for_profile", "trtllm_windows_kept_whole", "trtllm_host_cache"),
        "trtllm_window_pools",
    }


def test_every_finding_and_verdict_has_a_sentence() -> None:
    for _, ledger in answers(COUNT):
        assert "{" not in words.verdict_text(ledger)
        for finding in ledger.findings:
            assert "{" not in words.finding_text(finding), finding


def test_every_rank_adds_up_to_its_card() -> None:
    for scenario, ledger in answers(COUNT):
        for rank in ledger.ranks:
            held = sum(entry.bytes for entry in rank.entries)
            whole = held + rank.headroom_bytes + rank.free_bytes
            assert whole == scenario.gpu.device_total_bytes, scenario.id
            assert all(entry.bytes >= 0 for entry in rank.entries)


def test_the_pool_is_whole_blocks_of_the_fraction() -> None:
    for scenario, ledger in drawn():
        pool = ledger.pool
        assert pool is not None
        assert pool.tokens == pool.blocks * pool.block_tokens
        assert pool.blocks * pool.bytes_per_block <= pool.bytes or pool.blocks == 0
        if ledger.most_requests is None:
            continue
        copies = scenario.deployment.copies
        limit = int(str(ledger.scenario.resolved["max_num_seqs"])) * copies
        ranks = scenario.deployment.tp if scenario.engine.enable_attention_dp else 1
        assert ledger.most_requests <= limit * ranks


def test_one_request_more_than_the_most_does_not_fit() -> None:
    checked = 0
    for scenario, ledger in drawn():
        most = ledger.most_requests
        if not most or ledger.verdict.refusal is not None:
            continue
        copies = scenario.deployment.copies
        both = []
        for asked in (most, most + copies):
            workload = scenario.workload.with_(concurrency=asked)
            again = ledger_of(scenario.with_(workload=workload))
            left = min(rank.left_bytes for rank in again.ranks)
            target = again.capacity.target
            assert target is not None
            reserve = scenario.reserves.headroom.of(scenario.gpu.device_total_bytes)
            both.append(target.met and left >= reserve)
        assert both == [True, False], (scenario.id, most)
        checked += 1
    assert checked > COUNT // 10


def test_the_grid_answers_as_the_ledger() -> None:
    for scenario, ledger in drawn()[:200]:
        target = scenario.workload.concurrency
        if target is None:
            continue
        row = capacity_row(scenario, (target,))
        rank = ledger.worst_rank
        assert int(row.left_bytes[0]) == rank.left_bytes


def test_formulas_give_their_entries() -> None:
    checked = 0
    for scenario, ledger in answers(COUNT):
        for rank in {rank.stage: rank for rank in ledger.ranks}.values():
            for entry in rank.entries:
                value = evaluate(entry.formula)
                assert value == entry.bytes, (scenario.id, entry.label, entry.formula)
                for term in computed_terms(entry.formula):
                    assert term.formula is not None
                    assert isinstance(term.value, int | Fraction)
                    assert evaluate(term.formula) == term.value, (entry.label, term.symbol)
                    checked += 1
    assert checked > COUNT * 3


def test_figures_are_explained() -> None:
    for scenario, ledger in drawn()[:150]:
        for name in ("pool_bytes", "pool_blocks", "pool_tokens", "most_requests", "engine_log"):
            term = figure(scenario, ledger, name)
            if term is not None and term.formula is not None and isinstance(term.value, int):
                assert evaluate(term.formula) == term.value, (name, term.formula)


def test_admission_asks_for_the_whole_request() -> None:
    seen = 0
    for scenario, ledger in drawn():
        view = admission_of(scenario, ledger)
        if view is None:
            continue
        seen += 1
        policy = scenario.engine.capacity_scheduler_policy or "guaranteed_no_evict"
        if policy == "max_utilization":
            assert view.needed_blocks == view.after_prompt_blocks
        else:
            assert view.needed_blocks >= view.at_end_blocks
    assert seen > COUNT // 8


def test_more_memory_or_a_larger_fraction_never_holds_less() -> None:
    checked = 0
    for scenario, ledger in drawn()[:400]:
        pool = ledger.pool
        assert pool is not None
        if scenario.engine.measured.available_kv_bytes is not None:
            continue
        total = scenario.gpu.device_total_bytes
        larger = scenario.with_(gpu=scenario.gpu.with_(device_total_bytes=total + total // 3 + 1))
        fraction = scenario.engine.free_gpu_memory_fraction or 0.9
        fuller = scenario.with_(
            engine=scenario.engine.with_(free_gpu_memory_fraction=min(1.0, fraction + 0.05))
        )
        for changed in (larger, fuller):
            other = ledger_of(changed).pool
            assert other is not None
            alone = scenario.engine.rules.max_tokens_alone
            assert other.blocks >= pool.blocks or (changed is fuller and alone), scenario.id
            checked += 1
    assert checked > COUNT // 5
