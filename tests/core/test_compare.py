"""Scenarios side by side, presets side by side, and the way from one scenario to another."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.scenarios import random_scenario
from tests.core.test_solve import scenarios
from tests.core.vllm_scenarios import card, deployed, flagged, library, random_vllm, start, working
from workbench.core.budget import ledger_of
from workbench.core.compare import Comparison, InputRow, MemoryRow, compare, parts_of
from workbench.core.compare_presets import PresetRow, compare_presets
from workbench.core.inputs import INPUTS, PARTS, answers_alike, changed_inputs
from workbench.core.waterfall import OTHER, Waterfall, waterfall
from workbench.library.engine_choice import ENGINES, vllm_engine, with_engine
from workbench.spec import words
from workbench.spec.fields import FIELDS
from workbench.spec.ledger import Status
from workbench.spec.scenario import Scenario
from workbench.spec.workload import PrefixGroup, QuantilePoint, QuantileTable

A = start("llama-3.1-70b", deployment={"tp": 4}, context=32_768, concurrency=12)
FP8 = start("llama-3.1-70b", deployment={"tp": 4}, context=32_768, concurrency=24, kv="fp8")
LONG = start("llama-3.1-70b", deployment={"tp": 4}, context=131_072, concurrency=6)


def compared(*made: Scenario, baseline: int = 0, **how: Any) -> Comparison:
    return compare(made, baseline, ledger_of, **how)


def row(made: Comparison, input_id: str) -> InputRow:
    return next(found for found in made.inputs if found.id == input_id)


def memory(made: Comparison, part: str) -> MemoryRow:
    return next(found for found in made.memory if found.part == part)


# --- inputs -------------------------------------------------------------------------------------


def test_inputs_come_in_form_order_each_once() -> None:
    ids = [item.id for item in INPUTS]
    assert len(set(ids)) == len(ids)
    assert set(FIELDS) <= set(ids)
    order = [PARTS.index(item.part) for item in INPUTS]
    assert order == sorted(order)
    for part in PARTS:
        own = [item.id for item in INPUTS if item.part == part and in_order(item.id)]
        assert own == [f for f in FIELDS if f.startswith(f"{part}.") and in_order(f)]


def in_order(field_id: str) -> bool:
    """Figures of a log and shared prefixes are folds of their own at the end of the form's part."""
    return field_id in FIELDS and "measured" not in field_id and "prefix" not in field_id


def test_every_input_has_a_name() -> None:
    for item in INPUTS:
        assert item.id in words.FIELDS or item.id in words.INPUT_NAMES, item.id


@given(scenarios)
def test_a_scenario_does_not_differ_from_itself(scenario: Scenario) -> None:
    renamed = scenario.with_(id="other", name="other", notes="remark")
    assert changed_inputs(scenario, renamed) == ()
    assert answers_alike(scenario, renamed)


# --- scenarios ----------------------------------------------------------------------------------


def test_only_what_differs_is_marked() -> None:
    made = compared(A, FP8, LONG)
    assert [found.id for found in made.inputs_that_differ] == [
        "precision.kv",
        "workload.context",
        "workload.concurrency",
    ]
    kv, context, concurrency = made.inputs_that_differ
    assert [cell.differs for cell in kv.cells] == [False, True, False]
    assert context.cells[2].factor == 4
    assert context.cells[2].delta == 98_304
    assert [cell.factor for cell in concurrency.cells] == [None, 2, Fraction(1, 2)]
    assert concurrency.cells[2].delta == -6


def test_the_baseline_may_be_any_column() -> None:
    made = compared(A, LONG, baseline=1)
    context = row(made, "workload.context")
    assert [cell.differs for cell in context.cells] == [True, False]
    assert context.cells[0].factor == Fraction(1, 4)
    assert [column.is_baseline for column in made.columns] == [False, True]


def test_flags_left_to_the_engine_show_what_it_takes() -> None:
    made = compared(A, flagged(A, gpu_memory_utilization=0.8, block_tokens=32))
    utilization = row(made, "engine.gpu_memory_utilization")
    assert [cell.value for cell in utilization.cells] == [None, 0.8]
    assert utilization.cells[0].default == 0.92
    assert utilization.differs
    assert row(made, "engine.block_tokens").cells[0].default == 16


def test_an_engine_without_a_flag_does_not_differ_in_it() -> None:
    plain = A.with_(engine=type(random_scenario(Random("plain")).engine)())
    made = compared(A, plain)
    reserve = row(made, "engine.activation_reserve")
    assert [cell.applies for cell in reserve.cells] == [False, True]
    assert not reserve.differs
    assert row(made, "engine.kind").differs


def test_answers_are_those_of_the_solver() -> None:
    made = compared(A, FP8, LONG)
    largest = [column.largest_concurrency.answer for column in made.columns]
    assert largest == [column.ledger.most_requests for column in made.columns]
    long = made.columns[2]
    assert long.largest_context.answer is not None
    assert long.largest_context.answer < 131_072
    assert (long.gpus, long.gpus_to_fit) == (4, 8)
    without = compared(A, answers=False).columns[0]
    assert without.largest_context.answer is None
    assert without.largest_context.steps == 0


@given(st.tuples(scenarios, scenarios))
def test_the_memory_of_a_rank_and_of_all_ranks_adds_up(pair: tuple[Scenario, Scenario]) -> None:
    made = compared(*pair, answers=False)
    for number, column in enumerate(made.columns):
        for per, ranks in (("gpu", (column.ledger.worst_rank,)), ("all", column.ledger.ranks)):
            copies = 1 if per == "gpu" else column.scenario.deployment.copies
            cells = {found.part: found.cells(per) for found in made.memory}  # type: ignore[arg-type]
            sizes = {part: found[number].value or 0 for part, found in cells.items()}
            parts = [parts_of(rank) for rank in ranks]
            assert sum(sizes.values()) == copies * sum(sum(p.values()) for p in parts)  # type: ignore[arg-type]
            used = sum(
                size
                for part, size in sizes.items()
                if part not in ("headroom", "free", "unrequested") and ":" not in part
            )
            assert used == column.used_bytes(per)  # type: ignore[arg-type]
            deltas = [found[number].delta or 0 for found in cells.values()]
            base = [found[made.baseline].value or 0 for found in cells.values()]
            assert sum(deltas) == sum(sizes.values()) - sum(base)  # type: ignore[arg-type]


def test_memory_rows_stand_in_the_order_of_the_bars() -> None:
    made = compared(A, FP8)
    assert [found.part for found in made.memory] == [
        *("weights", "runtime", "activations", "fragmentation", "kv", "headroom", "free"),
        *("outside:runtime", "unrequested"),
    ]
    assert not memory(made, "weights").differs
    kv = memory(made, "kv")
    assert kv.per_gpu[1].value == kv.per_gpu[0].value


def test_a_part_that_one_scenario_lacks_is_all_difference() -> None:
    shared = working(A, prefix_groups=(PrefixGroup(shared_tokens=4096, distinct_prefixes=4),))
    prefix = memory(compared(A, shared), "prefix")
    assert not prefix.per_gpu[0].applies
    assert prefix.per_gpu[1].delta == prefix.per_gpu[1].value
    assert prefix.per_gpu[1].factor is None


def test_replicas_count_in_the_total() -> None:
    twice = deployed(A, replicas=2, dp=2)
    weights = memory(compared(A, twice), "weights")
    assert weights.per_gpu[1].value == weights.per_gpu[0].value
    assert weights.total[1].value == 4 * weights.total[0].value  # type: ignore[operator]
    assert weights.total[1].factor == 4


def test_assumptions_are_shared_or_differ() -> None:
    same = compared(A, LONG)
    assert same.assumptions
    kinds = {found.kind for found in same.assumptions}
    assert kinds == {"entry", "term", "default"}
    shared = {found.code for found in same.assumptions if not found.differs}
    assert {"activations", "engine.gpu_memory_utilization"} <= shared
    given_flag = flagged(A, gpu_memory_utilization=0.8)
    differing = {found.code for found in compared(A, given_flag).assumptions if found.differs}
    assert "engine.gpu_memory_utilization" in differing


# --- presets ------------------------------------------------------------------------------------


def different(rows: tuple[PresetRow, ...]) -> dict[str, PresetRow]:
    return {found.path: found for found in rows if found.differs}


def test_a_forked_model_differs_where_it_was_edited() -> None:
    model = library().model("llama-3.1-70b").value
    fork = model.with_attention(kv_heads=4).with_(id="fork", name="Fork")
    rows = compare_presets([model, fork])
    found = different(rows)
    heads = found["layers[0].mixer.kv_heads"]
    assert [cell.value for cell in heads.cells] == [8, 4]
    assert heads.cells[1].factor == Fraction(1, 2)
    assert {found[path].group for path in found if "tensors[" in path} == {"weights"}
    assert {path for path in found if found[path].group == "identity"} == {"id", "name"}
    assert found["parameters"].cells[1].delta == fork.parameters - model.parameters
    assert "hidden_size" not in found


def test_cards_differ_in_bytes() -> None:
    rows = compare_presets([card("h100-sxm"), card("80-gib")])
    total = different(rows)["device_total_bytes"]
    assert (total.unit, total.group) == ("bytes", "facts")
    assert total.cells[1].delta == 85_899_345_920 - 85_056_458_588
    paths = [found.path for found in rows]
    assert "link" not in paths
    assert different(rows)["link.kind"].cells[1].applies is False


def test_a_set_of_cards_is_compared_by_its_card() -> None:
    rows = compare_presets([card("80-gib"), library().gpu("4x-80-gib").value])
    assert not [found.path for found in rows if found.path.startswith("card.")]
    total = next(found for found in rows if found.path == "device_total_bytes")
    assert [cell.value for cell in total.cells] == [85_899_345_920] * 2
    assert {path for path, found in different(rows).items() if found.group == "facts"} == {
        "count",
        "tp",
    }


@pytest.mark.parametrize("kind", ["models", "gpus", "formats/weights", "formats/kv", "workloads"])
def test_every_pair_of_presets_has_rows_for_every_field(kind: Any) -> None:
    listed = [found for found in library().listed(kind) if found.problem is None]
    presets = [library().get(kind, found.namespace, found.id).value for found in listed]
    pick = Random(kind)
    for _ in range(30):
        one, other = pick.choice(presets), pick.choice(presets)
        rows = compare_presets([one, other], baseline=1)
        paths = [found.path for found in rows]
        assert len(set(paths)) == len(paths)
        assert bool(different(rows)) == (one != other)
        assert not any(cell.differs for found in rows for cell in found.cells[1:])


# --- the way from one to another ----------------------------------------------------------------


def check(made: Waterfall, before: Scenario, after: Scenario) -> None:
    """Steps join and sum exactly, for memory, for each kind and for the requests."""
    assert made.start.scenario == before
    assert made.end.scenario == after
    levels = [made.start, *(step.after for step in made.steps)]
    for step, level in zip(made.steps, levels, strict=False):
        assert step.before == level
        assert step.used_delta_bytes == sum(step.part_deltas.values())
        assert step.inputs
    if made.steps:
        assert levels[-1] == made.end
    start_level, end = made.start, made.end
    assert sum(s.used_delta_bytes for s in made.steps) == end.used_bytes - start_level.used_bytes
    moved = sum(step.concurrency_delta for step in made.steps)
    assert moved == end.concurrency - start_level.concurrency
    total = sum(s.after.total_used_bytes - s.before.total_used_bytes for s in made.steps)
    assert total == end.total_used_bytes - start_level.total_used_bytes
    for kind in {*start_level.parts, *end.parts}:
        grown = sum(step.part_deltas.get(kind, 0) for step in made.steps)
        assert grown == end.parts.get(kind, 0) - start_level.parts.get(kind, 0)
    named = [name for step in made.steps for name in step.inputs]
    assert OTHER not in named
    assert len(set(named)) == len(named)
    # In form order; what goes together in one step as well.
    places = [next(n for n, i in enumerate(INPUTS) if i.id == name) for name in named]
    assert places == sorted(places)
    for step in made.steps[:-1]:
        assert step.after.status is not Status.REFUSES


@given(st.tuples(scenarios, scenarios))
def test_steps_sum_exactly_for_any_pair(pair: tuple[Scenario, Scenario]) -> None:
    check(waterfall(*pair, ledger_of), *pair)


@given(st.integers(0, 10**6), st.integers(0, 10**6))
def test_steps_sum_exactly_for_scenarios_of_one_machine(seed: int, other: int) -> None:
    """Near each other, so that few inputs differ and most states between them are valid."""
    one, two = random_vllm(seed), random_vllm(other)
    after = one.with_(
        workload=two.workload, reserves=two.reserves, precision=two.precision, name="after"
    )
    check(waterfall(one, after, ledger_of), one, after)


def test_nothing_moves_between_a_scenario_and_its_copy() -> None:
    made = waterfall(A, A.with_(name="copy"), ledger_of)
    assert made.steps == ()
    assert made.start.used_bytes == made.end.used_bytes


def test_each_input_is_a_step_of_its_own() -> None:
    after = start(
        "llama-3.1-70b",
        "h200",
        "0.19.0",
        deployment={"tp": 8},
        context=131_072,
        concurrency=6,
        kv="fp8",
    )
    made = waterfall(A, after, ledger_of)
    assert [step.inputs for step in made.steps] == [
        ("precision.kv",),
        ("gpu.preset",),
        ("deployment.tp",),
        ("engine.release",),
        ("workload.context",),
        ("workload.concurrency",),
    ]
    halved = made.steps[0]
    assert halved.part_deltas["kv"] == -A_KV_BYTES // 2
    check(made, A, after)


A_KV_BYTES = sum(e.bytes for e in ledger_of(A).worst_rank.entries if e.label == "kv")


def test_a_state_that_does_not_start_joins_what_follows() -> None:
    """TP 7 divides 28 heads and not 32: changed alone, neither model nor TP is possible."""
    before = start("llama-3.1-8b", context=4096)
    after = deployed(start("qwen2.5-7b-instruct", context=4096), tp=7)
    made = waterfall(before, after, ledger_of)
    check(made, before, after)
    backwards = waterfall(after, before, ledger_of)
    assert backwards.steps[0].inputs == ("model.preset", "deployment.tp")
    check(backwards, after, before)


def test_inputs_that_are_only_valid_together_are_copied_together() -> None:
    before = deployed(start("llama-3.1-8b"), pp=2, pp_partition=(10, 22))
    after = deployed(start("llama-3.1-8b"), pp=3, pp_partition=(10, 12, 10))
    made = waterfall(before, after, ledger_of)
    assert [step.inputs for step in made.steps] == [("deployment.pp_partition", "deployment.pp")]
    check(made, before, after)


def test_lengths_that_cross_go_in_another_order() -> None:
    def table(*sizes: int) -> QuantileTable:
        shares = (0.5, 0.95, 1.0)
        points = zip(shares, sizes, strict=True)
        return QuantileTable(points=tuple(QuantilePoint(q=q, tokens=t) for q, t in points))

    before = working(A, lengths=table(100, 200, 300))
    after = working(A, lengths=table(1000, 2000, 3000))
    made = waterfall(before, after, ledger_of)
    check(made, before, after)
    assert {name for step in made.steps for name in step.inputs} == {
        "workload.p50",
        "workload.p95",
        "workload.longest",
    }


def test_another_engine_is_one_step_before_its_flags() -> None:
    plain = random_scenario(Random("an engine"))
    vllm = A.with_(engine=vllm_engine("0.19.0").with_(gpu_memory_utilization=0.8))
    made = waterfall(plain, vllm, ledger_of)
    named = [name for step in made.steps for name in step.inputs]
    assert named.index("engine.kind") < named.index("engine.gpu_memory_utilization")
    check(made, plain, vllm)


@pytest.mark.parametrize("kinds", list(permutations(ENGINES, 2)), ids="-".join)
def test_any_engine_can_be_compared_with_any_other(kinds: tuple[str, str]) -> None:
    """They do not all have the same limits of their own: llama.cpp has no longest request."""
    one, other = (with_engine(A, kind) for kind in kinds)
    named = [name for step in waterfall(one, other, ledger_of).steps for name in step.inputs]
    assert "engine.kind" in named


def test_a_forked_model_is_told_by_what_was_edited() -> None:
    fork = A.model.with_attention(kv_heads=4).with_(id="fork", name="Fork")
    made = waterfall(A, A.with_(model=fork), ledger_of)
    assert [step.inputs for step in made.steps] == [("model.preset",), ("model.kv_heads",)]
    assert made.steps[0].part_deltas == {}
    assert made.steps[1].part_deltas["kv"] < 0
    smaller = A.gpu.with_(device_total_bytes=A.gpu.device_total_bytes - 2**30)
    (step,) = waterfall(A, A.with_(gpu=smaller), ledger_of).steps
    assert step.inputs == ("gpu.device_total_bytes",)


def test_a_refusal_at_either_end_is_a_level_too() -> None:
    refused = flagged(A, max_model_len=4096)
    made = waterfall(A, refused, ledger_of)
    check(made, A, refused)
    assert made.end.concurrency == 0
