"""The most requests: what the engine hands out of its whole pool, and what leaves the headroom."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.builders import script_scenario, shape
from tests.core.formulas import all_terms, evaluate
from tests.core.vllm_scenarios import at_release, flagged, start, working
from workbench.core.budget import ledger_of
from workbench.core.explain import FIGURES, figure
from workbench.core.grid import STATUSES, capacity_row
from workbench.core.sheet import sheet_of
from workbench.core.solve import max_concurrency
from workbench.spec.deployment import Deployment, Reserves
from workbench.spec.engine import Amount
from workbench.spec.layers import FullAttention, NoMixer
from workbench.spec.ledger import Formula, Status, Term
from workbench.spec.model import LayerRun, Tensor
from workbench.spec.scenario import Scenario
from workbench.spec.units import GIB
from workbench.spec.vllm import VllmMeasured

BLOCK_BYTES = 2**21
"""16 tokens × 32 layers × 8 heads × 2 × 128 × 2 bytes of Llama 3.1 8B."""


def keeping(scenario: Scenario, headroom_bytes: int) -> Scenario:
    reserves = Reserves(headroom=Amount(size_bytes=headroom_bytes))
    return scenario.with_(reserves=reserves)


def pool_of_1000(kept_blocks: int, **flags: Any) -> Scenario:
    """Memory for 1,000 blocks, requests of one block, and a headroom of so many of them."""
    flags = {"max_model_len": 16, "max_num_seqs": 1024, "watermark": 0.1} | flags
    given = start(context=16, kv_cache_memory_bytes=1000 * BLOCK_BYTES, **flags)
    return keeping(given, kept_blocks * BLOCK_BYTES)


def terms_of(scenario: Scenario) -> dict[str, Term]:
    """The terms of the most requests, by symbol; every formula gives its term's value."""
    most = figure(scenario, ledger_of(scenario), "most_requests")
    assert most is not None
    assert isinstance(most.formula, Formula)
    assert evaluate(most.formula) == most.value
    terms = {term.symbol: term for term in all_terms(most.formula)}
    for term in terms.values():
        assert term.formula is None or evaluate(term.formula) == term.value, term.symbol
    return terms


# --- a watermark and a headroom -----------------------------------------------------------------


@pytest.mark.parametrize(
    ("kept", "most"),
    [
        # 1,000 less the withheld one less the watermark's 100, whatever is kept of those.
        *[(0, 899), (1, 899), (50, 899), (100, 899)],
        # From here the headroom is the larger.
        *[(101, 898), (150, 849), (998, 1), (999, 0), (1001, 0)],
    ],
)
def test_the_larger_of_watermark_and_headroom_counts(kept: int, most: int) -> None:
    scenario = pool_of_1000(kept)
    assert ledger_of(scenario).most_requests == most
    found = max_concurrency(scenario, ledger_of)
    assert (found.answer if found.verified.answer is Status.FITS else 0) == most


def test_the_formula_names_both() -> None:
    terms = terms_of(pool_of_1000(150))
    assert terms["usable_blocks"].formula is not None
    assert terms["usable_blocks"].formula.expression == "min({engine_blocks}, {room_blocks})"
    assert (terms["engine_blocks"].value, terms["room_blocks"].value) == (899, 849)
    assert terms["usable_blocks"].value == 849
    # Of the whole pool, not of what the headroom leaves.
    assert terms["pool_blocks"].value == 1000


def test_without_a_headroom_only_the_engine_counts() -> None:
    terms = terms_of(pool_of_1000(0))
    assert "room_blocks" not in terms
    assert (terms["pool_blocks"].value, terms["usable_blocks"].value) == (1000, 899)


def test_the_watermark_that_v0_has_by_default_is_of_the_whole_pool() -> None:
    """0.6.6 keeps 1 % free and withholds no block: 1,000 less 10."""
    v0 = at_release(pool_of_1000(0, watermark=None), "0.6.6")
    for headroom, most in ((0, 990), (5, 990), (10, 990), (11, 989)):
        kept = keeping(v0, headroom * BLOCK_BYTES)
        assert ledger_of(kept).most_requests == max_concurrency(kept, ledger_of).answer == most


# --- blocks given by hand -----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kept", "most"),
    # 600 less the withheld one less 60. The 400 that are not taken count as kept.
    [(0, 539), (400, 539), (460, 539), (461, 538), (500, 499)],
)
def test_the_watermark_is_of_the_blocks_given(kept: int, most: int) -> None:
    scenario = pool_of_1000(kept, num_gpu_blocks_override=600)
    assert ledger_of(scenario).most_requests == most
    assert max_concurrency(scenario, ledger_of).answer == most
    assert terms_of(scenario)["engine_blocks" if kept else "usable_blocks"].value == 539


def test_more_blocks_than_memory_run_nothing() -> None:
    scenario = pool_of_1000(0, num_gpu_blocks_override=1001)
    ledger = ledger_of(scenario)
    assert (ledger.most_requests, ledger.verdict.status) == (0, Status.DOES_NOT_FIT)
    assert max_concurrency(scenario, ledger_of).answer is None
    most = figure(scenario, ledger, "most_requests")
    assert most is not None
    assert (most.value, most.formula, most.field) == (0, None, "engine.num_gpu_blocks_override")


# --- ranks that differ --------------------------------------------------------------------------


def test_what_lives_beside_the_budget_takes_from_its_own_rank() -> None:
    """The whole card is the budget: graphs and what was there before take from each rank's pool.

    The first stage has more layers and so larger graphs, the last one fewer blocks.
    """
    scenario = start(
        release="0.19.1",
        context=256,
        max_model_len=256,
        max_num_seqs=8192,
        gpu_memory_utilization=1.0,
        deployment={"pp": 2, "pp_partition": (17, 15)},
        measured=VllmMeasured(used_before_start_bytes=0, weights_bytes=8 * GIB),
    )
    scenario = keeping(scenario, 2 * GIB)
    total_bytes = scenario.gpu.device_total_bytes
    first, last = sheet_of(scenario).stages
    beside = [stage.outside_over_bytes(total_bytes) for stage in (first, last)]
    block_bytes = last.pages.bytes_per_block
    # By hand, 16 blocks a request: what is beside the first stage is nothing to the last.
    most, too_few = (
        ((last.left_bytes - outside - 2 * GIB) // block_bytes - 1) // 16
        for outside in (beside[1], beside[0])
    )
    assert too_few < most
    ledger, found = ledger_of(scenario), max_concurrency(scenario, ledger_of)
    assert ledger.most_requests == most == found.answer
    assert terms_of(scenario)["outside_over_bytes"].value == beside[1]


def with_a_full_rank(headroom_bytes: int) -> Scenario:
    """Two stages of 80 GiB: 40 GiB of weights without KV, then all the KV without weights."""
    base = script_scenario(activation_reserve=NOTHING, fragmentation_reserve=NOTHING)
    (run,) = shape().layers
    weights = Tensor(name="w", shape=(2**20, 2**10), copies=20, shard="replicated")
    bare = LayerRun(count=1, mixer=NoMixer(), tensors=(weights,))
    scenario = base.with_(
        model=shape().with_(layers=(bare, run)),
        engine=base.engine.with_(weights_bytes=None),
        deployment=Deployment(pp=2, pp_partition=(1, run.count)),
    )
    return keeping(scenario, headroom_bytes)


NOTHING = Amount(size_bytes=0)


def test_a_rank_without_kv_must_leave_the_headroom_too() -> None:
    enough, short = with_a_full_rank(40 * GIB), with_a_full_rank(40 * GIB + 1)
    assert sheet_of(enough).stages[0].pages.bytes_per_block == 0
    # 40 GiB in requests of 512 MiB; a byte more that is to be kept, and no number keeps it.
    assert ledger_of(enough).most_requests == max_concurrency(enough, ledger_of).answer == 80
    ledger, found = ledger_of(short), max_concurrency(short, ledger_of)
    assert (ledger.most_requests, ledger.verdict.status) == (0, Status.TIGHT)
    assert found.verified.answer is Status.TIGHT
    most = figure(short, ledger, "most_requests")
    assert most is not None
    assert (most.value, most.formula, most.field) == (0, None, "reserves.headroom")


def test_a_model_without_kv_must_leave_the_headroom_too() -> None:
    base = with_a_full_rank(0)
    bare = base.with_(model=base.model.with_(layers=base.model.layers[:1]), deployment=Deployment())
    for headroom_bytes, most in ((40 * GIB, 256), (40 * GIB + 1, 0)):
        kept = keeping(bare, headroom_bytes)
        assert ledger_of(kept).pool is None
        assert ledger_of(kept).most_requests == most
        # The scheduler's limit is what is left to hold it, tight or not.
        found = max_concurrency(kept, ledger_of)
        assert (found.answer, found.binding) == (256, "max_num_seqs")


@pytest.mark.parametrize("release", ["0.8.5", "0.33.0"])
@pytest.mark.parametrize("context", [16, 20_000])
def test_a_cache_whose_blocks_take_no_bytes_has_an_answer(release: str, context: int) -> None:
    """One head of one value in 4 bits is less than a byte."""
    model = start().model
    (run,) = model.layers
    mixer = FullAttention(heads=1, kv_heads=1, head_dim=1)
    tiny = model.with_(layers=(run.with_(mixer=mixer, tensors=()),), max_position_tokens=10_000)
    scenario = start(release=release, context=context, kv="ultraquant-4bit").with_(model=tiny)
    assert not any(stage.pages.bytes_per_block for stage in sheet_of(scenario).stages)
    ledger = ledger_of(scenario)
    assert not ledger.most_requests
    for name in FIGURES:
        figure(scenario, ledger, name)


# --- bands --------------------------------------------------------------------------------------


@pytest.mark.parametrize("headroom", [0.02, 0.2], ids=["below", "above"])
def test_an_end_of_a_band_is_the_answer_with_the_figure_at_that_end(headroom: float) -> None:
    """Only the activations are fitted here; the watermark is of the pool that they leave."""
    known = VllmMeasured(
        weights_bytes=16 * GIB, non_torch_bytes=GIB, graphs_bytes=GIB, used_before_start_bytes=0
    )
    scenario = start(context=256, max_num_seqs=8192, watermark=0.1, measured=known)
    scenario = scenario.with_(reserves=Reserves(headroom=Amount(share=headroom)))
    ledger = ledger_of(scenario)
    assert ledger.band is not None
    (fitted,) = (
        entry
        for entry in ledger.ranks[0].entries
        if entry.in_budget and entry.low_bytes is not None and entry.high_bytes is not None
    )
    assert fitted.label == "activations"
    ends = [
        ledger_of(flagged(scenario, measured=known.with_(activation_bytes=size))).most_requests
        for size in (fitted.high_bytes, fitted.low_bytes)
    ]
    assert [ledger.band.most_requests_low, ledger.band.most_requests_high] == ends
    assert ends[0] < ends[1]


# --- the grid -----------------------------------------------------------------------------------


@pytest.mark.parametrize("kept", [0, 50, 150])
def test_a_row_fits_as_far_as_the_ledger_does(kept: int) -> None:
    scenario = pool_of_1000(kept)
    most = max_concurrency(scenario, ledger_of).answer
    assert most is not None
    row = capacity_row(scenario, (most, most + 1))
    wanted = [ledger_of(working(scenario, concurrency=n)).verdict.status for n in (most, most + 1)]
    assert [STATUSES[status] for status in row.status] == wanted
    assert wanted[0] is Status.FITS is not wanted[1]
