"""A cell of a surface is what the whole ledger says of the scenario with those two values."""

from __future__ import annotations

from itertools import product
from random import Random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.core.scenarios import random_scenario
from tests.core.test_extremes import base, vllm_base
from tests.core.vllm_scenarios import random_vllm, start
from workbench.core.axis import Axis, axis_of, fields_of, first_axes
from workbench.core.budget import ledger_of
from workbench.core.grid import MOST_BYTES, NO_POOL, STATUSES, Rows
from workbench.core.solve import FITTING, largest_concurrency
from workbench.core.surface import INVALID, PENDING, KnownRows, Surface, slices, surface, with_pair
from workbench.spec.engine import Amount
from workbench.spec.errors import UserError
from workbench.spec.fields import FIELDS
from workbench.spec.ledger import Ledger
from workbench.spec.model import Tensor
from workbench.spec.scenario import Scenario
from workbench.spec.workload import ConstantLength, QuantilePoint, QuantileTable

CONTEXT, CONCURRENCY = "workload.context", "workload.concurrency"
LLAMA = start()


def ledger_at(made: Surface, x: int, y: int) -> Ledger | None:
    one, other = made.x, made.y
    try:
        trial = with_pair(made.scenario, one.field, one.values[x], other.field, other.values[y])
    except (UserError, ValidationError):
        return None
    return ledger_of(trial)


def check(made: Surface) -> None:
    """Every cell, and the frontier, against the ledger itself."""
    assert made.done
    for x, y in product(range(len(made.x.values)), range(len(made.y.values))):
        ledger = ledger_at(made, x, y)
        if ledger is None:
            assert made.status[x, y] == INVALID
            continue
        worst = ledger.worst_rank
        assert STATUSES[made.status[x, y]] is ledger.verdict.status, (x, y)
        assert made.usable_bytes[x, y] == worst.budget_bytes
        if worst.over_bytes < MOST_BYTES // 2:
            assert made.used_bytes[x, y] == worst.budget_bytes - worst.left_bytes
            assert made.free_bytes[x, y] == worst.free_bytes
        held = largest_concurrency(ledger, made.scenario.workload.sizing)
        assert made.held_requests[x, y] == (NO_POOL if held is None else held)
        assert made.fits[x, y] == (ledger.verdict.status in FITTING)
        if worst.over_bytes:
            assert made.share[x, y] > 1
    check_frontier(made)


def check_frontier(made: Surface) -> None:
    for x in range(len(made.x.values)):
        fitting = [value for value, fits in zip(made.y.values, made.fits[x], strict=True) if fits]
        if made.y.field != CONCURRENCY:
            assert made.frontier(x) == (fitting[-1] if fitting else None)
        elif made.frontier(x) is None:
            assert not fitting
        else:
            most = int(str(made.frontier(x)))
            assert [value for value in made.y.values if value <= most] == fitting
            # The number itself fits, and one more for every copy does not.
            trial = FIELDS[made.x.field].write(made.scenario, made.x.values[x])
            if most < 2**62:
                assert status_with(trial, most)
                assert not status_with(trial, most + 1)


def status_with(scenario: Scenario, requests: int) -> bool:
    workload = scenario.workload.with_(concurrency=requests)
    return ledger_of(scenario.with_(workload=workload)).verdict.status in FITTING


def axis(scenario: Scenario, field_id: str, pick: Random, most: int = 4) -> Axis:
    whole = axis_of(field_id, scenario)
    places = sorted(pick.sample(range(len(whole.values)), min(most, len(whole.values))))
    return Axis(field_id, tuple(whole.values[place] for place in places), whole.card_bytes)


def scenario_of(seed: int) -> Scenario:
    return random_vllm(seed) if seed % 2 else random_scenario(Random(seed))


@settings(max_examples=40)
@given(st.integers(0, 100_000))
def test_any_pair_of_any_scenario(seed: int):
    pick, scenario = Random(seed), scenario_of(seed)
    one, other = pick.sample(fields_of(scenario), 2)
    check(surface(scenario, axis(scenario, one, pick), axis(scenario, other, pick)))


@settings(max_examples=40)
@given(st.integers(0, 100_000))
def test_pairs_with_the_concurrency_are_answered_row_by_row_and_equal_all_the_same(seed: int):
    pick, scenario = Random(seed), scenario_of(seed)
    others = [field for field in fields_of(scenario) if field != CONCURRENCY]
    pair = [pick.choice(others), CONCURRENCY]
    if pick.random() < 0.4:
        pair[0] = first_axes(scenario)[0]
    if pick.random() < 0.3:
        pair.reverse()
    check(surface(scenario, *(axis(scenario, field, pick, 5) for field in pair)))


@pytest.mark.parametrize("seed", range(12))
def test_default_axes(seed: int):
    scenario = scenario_of(seed)
    check(surface(scenario, *(axis_of(field, scenario) for field in first_axes(scenario))))


def test_given_blocks_for_which_there_is_no_memory_fit_nothing():
    scenario = FIELDS["engine.num_gpu_blocks_override"].write(LLAMA, 2**20)
    made = surface(scenario, axis_of(CONTEXT, scenario), axis_of(CONCURRENCY, scenario))
    assert not made.fits.any()
    check(made)


def test_weights_beyond_the_card_do_not_fit_rather_than_refuse():
    scenario = start("llama-3.1-70b", "h100-sxm")
    made = surface(scenario, axis_of(CONTEXT, scenario), axis_of(CONCURRENCY, scenario))
    assert STATUSES[made.status[0, 0]].value == "does_not_fit"
    check(made)


def test_two_lengths_may_be_allowed_together_though_one_alone_is_not():
    table = QuantileTable(
        points=tuple(
            QuantilePoint(q=q, tokens=tokens)
            for q, tokens in ((0.5, 1_000), (0.95, 2_000), (1.0, 100_000))
        )
    )
    scenario = LLAMA.with_(workload=LLAMA.workload.with_(lengths=table))
    x, y = Axis("workload.p50", (1_000, 8_192)), Axis("workload.p95", (2_000, 16_384))
    made = surface(scenario, x, y)
    assert made.status[1, 1] not in (INVALID, PENDING)
    assert made.status[1, 0] == INVALID
    assert np.isnan(made.share[1, 0])
    check(made)


def test_a_map_comes_in_slices_and_stops_when_nobody_asks_on():
    scenario = LLAMA
    x, y = axis_of("deployment.tp", scenario), axis_of("engine.gpu_memory_utilization", scenario)
    made = Surface(scenario, x, y)
    ticks = iter(range(10_000))
    parts = slices(made, seconds=2, now=lambda: next(ticks))
    next(parts)
    first = int((made.status != PENDING).sum())
    assert 0 < first < made.status.size
    next(parts)
    assert first < int((made.status != PENDING).sum()) < made.status.size
    assert not made.done
    for _ in parts:
        pass
    check(made)


def test_axes_hold_the_current_value_and_round_ones():
    scenario = FIELDS[CONTEXT].write(LLAMA, 5_000)
    made = axis_of(CONTEXT, scenario, exact=[7_000], covered=[600_000])
    assert made.values[:3] == (1024, 2048, 4096)
    assert {5_000, 7_000, 2**20} <= set(made.values)
    assert list(made.values) == sorted(set(made.values))
    assert made.index(5_000) == 3
    assert made.index(5_001) is None
    assert made.position(3 * 1024 - 1024) == 1
    assert 0 < made.position(1_500) < 1
    assert made.position(100) is None


@pytest.mark.parametrize("scenario", [LLAMA, random_scenario(Random(3))], ids=["vllm", "plain"])
def test_every_field_has_an_axis_of_a_sensible_length(scenario: Scenario):
    for field_id in fields_of(scenario):
        made, field = axis_of(field_id, scenario), FIELDS[field_id]
        assert 2 <= len(made.values) <= 34, field_id
        numbers = [made.position(value) for value in made.values]
        assert numbers == [float(place) for place in range(len(numbers))], field_id
        own = field.read(scenario)
        assert own is None or made.index(own) is not None
        for value in made.values:
            assert isinstance(value, int | float | Amount)


def test_an_amount_keeps_its_unit_along_the_axis():
    scenario = FIELDS["reserves.headroom"].write(LLAMA, Amount(size_bytes=3 * 2**30))
    made = axis_of("reserves.headroom", scenario)
    assert all(value.size_bytes is not None for value in made.values)
    scenario = FIELDS["reserves.headroom"].write(LLAMA, Amount(share=0.055))
    made = axis_of("reserves.headroom", scenario)
    assert Amount(share=0.055) in made.values
    assert all(value.share is not None for value in made.values)


def test_a_value_typed_far_beyond_does_not_make_an_endless_axis():
    scenario = FIELDS[CONCURRENCY].write(LLAMA, 2**60)
    made = axis_of(CONCURRENCY, scenario)
    assert len(made.values) <= 34
    assert made.values[-1] == 2**60
    check(surface(scenario, Axis(CONTEXT, (1024, 2**17)), made))


@pytest.mark.parametrize("engine", ["plain", "vllm"])
@pytest.mark.parametrize("pair", [("workload.context", CONCURRENCY), ("deployment.tp", CONTEXT)])
def test_widths_that_no_model_has_are_written_as_the_most_an_array_holds(
    engine: str, pair: tuple[str, str]
):
    scenario = base() if engine == "plain" else vllm_base()
    (run,) = scenario.model.layers
    wide = Tensor(name="t", shape=(2**40,) * 8, copies=2**20)
    model = scenario.model.with_(layers=(run.with_(count=10_000, tensors=(wide,)),))
    scenario = scenario.with_(model=model)
    made = surface(scenario, *(axis(scenario, field, Random(1)) for field in pair))
    assert (made.free_bytes == -MOST_BYTES).all()
    assert (made.used_bytes == MOST_BYTES).all()
    assert not made.fits.any()
    assert (made.share > 1).all()


def test_requests_of_very_many_copies_are_written_as_the_most_an_array_holds():
    scenario = base().with_(gpu=base().gpu.with_(device_total_bytes=2**63 - 1))
    deployment = scenario.deployment.with_(replicas=2**19)
    scenario = scenario.with_(
        deployment=deployment,
        workload=scenario.workload.with_(lengths=ConstantLength(tokens=1), prefix_groups=()),
    )
    (run,) = scenario.model.layers
    tiny = run.with_(count=1, mixer=run.mixer.with_(heads=1, kv_heads=1, head_dim=1), tensors=())
    scenario = scenario.with_(model=scenario.model.with_(layers=(tiny,)))
    made = surface(
        scenario, axis(scenario, CONTEXT, Random(1)), axis(scenario, CONCURRENCY, Random(1))
    )
    assert made.held_requests.max() == MOST_BYTES


@pytest.mark.parametrize("seed", range(6))
def test_rows_of_an_earlier_surface_are_lent_only_to_the_same_question(seed: int):
    """Values, columns, other inputs and other scenarios in random order: all as if new."""
    random, known = Random(seed), KnownRows()
    scenarios = [random_scenario(random) for _ in range(2)]
    for _ in range(12):
        scenario = random.choice(scenarios)
        other = random.choice([CONTEXT, "deployment.tp"])
        if not FIELDS[other].applies(scenario):
            continue
        values = sorted(random.sample([1, 2, 4, 8, 512, 4096, 100_000], 4))
        axes = Axis(other, tuple(values)), Axis(CONCURRENCY, tuple(random.sample([1, 3, 9], 2)))
        x, y = axes if random.random() < 0.5 else axes[::-1]
        made, fresh = Surface(scenario, x, y), surface(scenario, x, y)
        for _ in slices(made, known=known):
            pass
        for name in ("status", "used_bytes", "usable_bytes", "free_bytes", "held_requests"):
            assert np.array_equal(getattr(made, name), getattr(fresh, name)), name
        assert made.exact == fresh.exact


def test_an_edit_along_an_axis_asks_for_one_row(monkeypatch):
    asked = []
    of_context = Rows.of_context
    monkeypatch.setattr(
        Rows, "of_context", lambda rows, tokens: asked.append(tokens) or of_context(rows, tokens)
    )
    known, y = KnownRows(), Axis(CONCURRENCY, (1, 2))
    for values in ((1, 10, 100), (1, 10, 42, 100)):
        # Another name is no other question.
        named = LLAMA.with_(name=f"with {len(values)}")
        for _ in slices(Surface(named, Axis(CONTEXT, values), y), known=known):
            pass
    assert asked == [1, 10, 100, 42]
