"""LMDeploy, the small fifth engine: its pool, its reserve, and what must hold for any scenario."""

from __future__ import annotations

import os
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.formulas import computed_terms, evaluate
from tests.core.scenarios import Data, random_data, tokens
from workbench.core.budget import budget
from workbench.core.engines.lmdeploy.pool import pool_blocks, runtime_reserve
from workbench.core.explain import figure
from workbench.library.compose import new_scenario
from workbench.library.engine_choice import with_engine
from workbench.library.paths import presets_dir
from workbench.library.presets import Library
from workbench.library.release_table import known_releases, rules_of
from workbench.spec import words
from workbench.spec.ledger import Ledger, Status
from workbench.spec.scenario import Scenario

COUNT = int(os.environ.get("KVW_LMDEPLOY_SCENARIOS", "200"))
BLOCK = 64 * 131_072
"""64 tokens of Llama-3.1-8B in 16 bits."""


@cache
def library() -> Library:
    return Library(presets_dir())


def scenario_of(release: str = "", kv: str = "bf16", **flags: object) -> Scenario:
    made = new_scenario(
        library(), "s", "s", library().model("llama-3.1-8b"), library().gpu("a100-80-sxm")
    )
    asked = with_engine(made, "lmdeploy", release)
    precision = asked.precision.with_(kv=library().kv_format(kv).value)
    return asked.with_(engine=asked.engine.with_(**flags), precision=precision)


def spent(ledger: Ledger) -> int:
    kept = [entry for entry in ledger.ranks[0].entries if entry.kind in ("weights", "runtime")]
    return sum(entry.bytes for entry in kept)


def test_turbomind_takes_a_share_of_what_is_free() -> None:
    ledger = budget(scenario_of())
    free = ledger.ranks[0].total_bytes - spent(ledger)
    assert ledger.pool is not None
    assert ledger.pool.blocks == int(free * 0.8) // BLOCK
    # Activations live beside the pool, in what the share leaves.
    (activations,) = [e for e in ledger.ranks[0].entries if e.label == "activations"]
    assert not activations.in_budget
    assert ledger.scenario.resolved["max_num_seqs"] == 384


def test_the_oldest_documents_take_the_share_of_the_card() -> None:
    ledger = budget(scenario_of("0.2.0", cache_max_entry_count=0.5))
    total = ledger.ranks[0].total_bytes
    assert ledger.pool is not None
    assert ledger.pool.blocks == int(total * 0.5) // BLOCK
    assert ledger.scenario.resolved["max_num_seqs"] == 128


def test_the_pytorch_engine_keeps_a_reserve_for_logits() -> None:
    ledger = budget(scenario_of(backend="pytorch", max_num_batched_tokens=4_096))
    reserve = (4_096 + 2 * 384) * 128_256 * 2
    (kept,) = [e for e in ledger.ranks[0].entries if e.label == "activations"]
    assert kept.bytes == reserve
    free = ledger.ranks[0].total_bytes - spent(ledger)
    assert ledger.pool is not None
    assert ledger.pool.blocks == int((free - reserve) * 0.8) // BLOCK


def test_the_reserve_is_halved_until_sixteen_blocks_fit() -> None:
    asked = {"prefill_tokens": 8_192, "sequences": 128, "vocab_size": 100_000}
    free = 8_448 * 200_000 + 5 * 10**6
    # Four blocks fit at first; half the tokens leave room for many more.
    halved = runtime_reserve(free, 1 - 1e-9, 10**6, **asked)
    assert halved is not None
    assert halved.prefill_tokens == 4_096
    assert halved.bytes == (4_096 + 256) * 200_000
    # With two or fewer it gives up at once.
    assert runtime_reserve(free - 3 * 10**6, 1 - 1e-9, 10**6, **asked) is None


def test_too_few_blocks_refuse_under_the_pytorch_engine() -> None:
    scenario = scenario_of(backend="pytorch", block_tokens=2**19)
    verdict = budget(scenario).verdict
    assert verdict.status is Status.REFUSES
    assert verdict.refusal is not None
    assert verdict.refusal.category == "no_memory"


@pytest.mark.parametrize(("kv", "per_token"), [("int8", 32 * 8 * 2 * 132), ("fp8", 65_536)])
def test_scales_of_quantised_caches(kv: str, per_token: int) -> None:
    pool = budget(scenario_of(kv=kv)).pool
    assert pool is not None
    assert pool.kv_bytes_per_token == per_token


@given(
    free=st.integers(0, 2**40),
    block=st.integers(1, 2**28),
    share=st.floats(0.01, 0.99),
    prefill=st.integers(1, 2**16),
    sequences=st.integers(1, 2048),
    vocab=st.integers(1, 300_000),
)
def test_a_reserve_leaves_sixteen_blocks(
    free: int, block: int, share: float, prefill: int, sequences: int, vocab: int
) -> None:
    found = runtime_reserve(
        free, share, block, prefill_tokens=prefill, sequences=sequences, vocab_size=vocab
    )
    if found is None:
        return
    assert found.prefill_tokens <= prefill
    assert pool_blocks(free - found.bytes, share, block) >= 16


# Random scenarios


def random_lmdeploy(pick: Random) -> Scenario:
    data = random_data(pick)
    data["deployment"] = {n: v for n, v in data["deployment"].items() if n in ("tp", "dp")}
    data["model"] |= {"vocab_size": pick.choice((100, 32_000))}
    if pick.random() < 0.4:
        data["model"] |= {"hidden_size": 64, "intermediate_size": 256}
    data["engine"] = _random_engine(pick)
    return Scenario.model_validate(data)


def _random_engine(pick: Random) -> Data:
    def maybe(value: object) -> object:
        return value if pick.random() < 0.4 else None

    release, block = pick.choice(known_releases("lmdeploy")), pick.choice((16, 64, 128))
    return {
        "kind": "lmdeploy",
        "release": release,
        "rules": rules_of("lmdeploy", release),
        "backend": maybe(pick.choice(("turbomind", "pytorch"))),
        "cache_max_entry_count": maybe(pick.choice((0.01, 0.5, 0.99))),
        "max_model_len": maybe(tokens(pick, block) + pick.choice((0, 10_000))),
        "max_num_seqs": maybe(pick.choice((1, 64))),
        "max_num_batched_tokens": maybe(pick.choice((1, 64, 4_096))),
        "block_tokens": maybe(block),
        "enable_prefix_caching": maybe(pick.random() < 0.7),
    }


@cache
def answers() -> tuple[tuple[Scenario, Ledger], ...]:
    return tuple(_answers())


def _answers() -> Iterator[tuple[Scenario, Ledger]]:
    for seed in range(COUNT):
        scenario = random_lmdeploy(Random(seed))
        yield scenario, budget(scenario)


def test_every_rank_adds_up_and_every_formula_gives_its_entry() -> None:
    statuses = set()
    for scenario, ledger in answers():
        statuses.add(ledger.verdict.status)
        assert "{" not in words.verdict_text(ledger)
        assert all("{" not in words.finding_text(finding) for finding in ledger.findings)
        rank = ledger.ranks[0]
        held = sum(entry.bytes for entry in rank.entries)
        assert held + rank.headroom_bytes + rank.free_bytes == rank.total_bytes
        for entry in rank.entries:
            assert evaluate(entry.formula) == entry.bytes, (scenario.id, entry.label)
            for term in computed_terms(entry.formula):
                assert term.formula is not None
                assert isinstance(term.value, int | Fraction)
                assert evaluate(term.formula) == term.value, (entry.label, term.symbol)
    assert statuses == set(Status)


def test_figures_are_explained() -> None:
    checked = 0
    for scenario, ledger in answers():
        for name in ("pool_bytes", "pool_blocks", "pool_tokens", "most_requests"):
            term = figure(scenario, ledger, name)
            if term is not None and term.formula is not None:
                assert evaluate(term.formula) == term.value, (name, term.formula)
                checked += 1
    assert checked > 500
