"""Relations between two ledgers that hold whatever the figures are.

Each holds for `KVW_METAMORPHIC_EACH` random scenarios that the plain rule accepts.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import cache
from random import Random

import pytest

from tests.core.scenarios import lengths, prefix_groups, random_scenario, with_card
from workbench.core.budget import ledger_of
from workbench.spec.engine import Amount
from workbench.spec.fields import FIELDS
from workbench.spec.formats import KvFormat
from workbench.spec.layers import FullAttention, SlidingAttention
from workbench.spec.ledger import EntryKind, Ledger, RankLedger, Status
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import Scenario
from workbench.spec.units import format_bytes, format_share, parse_bytes, parse_share
from workbench.spec.workload import (
    ConstantLength,
    PrefixGroup,
    QuantilePoint,
    QuantileTable,
    Workload,
)

EACH = int(os.environ.get("KVW_METAMORPHIC_EACH", "200"))
REQUEST_LABELS = ("block_tails", "prefix", "kv")
RELATIONS: list[Callable[[Scenario, Random], None]] = []


def relation(check: Callable[[Scenario, Random], None]) -> Callable[[Scenario, Random], None]:
    RELATIONS.append(check)
    return check


@cache
def accepted() -> tuple[Scenario, ...]:
    """Scenarios with KV that the engine would start, whether they fit or not."""
    return tuple(scenario for scenario, _ in zip(_accepted(), range(EACH), strict=False))


def _accepted() -> Iterator[Scenario]:
    seed = 0
    while True:
        seed += 1
        scenario = random_scenario(Random(f"metamorphic {seed}"))
        ledger = ledger_of(scenario)
        if ledger.verdict.status is not Status.REFUSES and ledger.pool is not None:
            yield scenario


# --- helpers ------------------------------------------------------------------------------------


def sizes(rank: RankLedger) -> dict[str, int]:
    return {entry.label: entry.bytes for entry in rank.entries if entry.bytes}


def figures(ledger: Ledger) -> object:
    """All that a renaming or another spelling must leave alone."""
    ranks = [(sizes(r), r.headroom_bytes, r.free_bytes, r.stage) for r in ledger.ranks]
    return ranks, ledger.pool, ledger.capacity, ledger.verdict, ledger.concurrency, ledger.request


def per_token(ledger: Ledger) -> int:
    assert ledger.pool is not None
    value = ledger.pool.kv_bytes_per_token
    assert type(value) is int
    return value


def requests_bytes(rank: RankLedger) -> int:
    return sum(sizes(rank).get(label, 0) for label in REQUEST_LABELS)


def steady(ledger: Ledger, sizing: str) -> int:
    assert ledger.capacity.steady_state is not None
    return int(getattr(ledger.capacity.steady_state, sizing))


def deployed(scenario: Scenario, **changes: object) -> Scenario:
    return scenario.with_(deployment=scenario.deployment.with_(**changes))


def on_one_rank(scenario: Scenario) -> Scenario:
    return deployed(scenario, tp=1, pp=1, pp_partition=None)


def working(scenario: Scenario, **changes: object) -> Scenario:
    return scenario.with_(workload=scenario.workload.with_(**changes))


def running(scenario: Scenario, **changes: object) -> Scenario:
    return scenario.with_(engine=scenario.engine.with_(**changes))


def without_limits(scenario: Scenario) -> Scenario:
    """The scenario with no longest request, so that lengths can be changed freely."""
    free = scenario.with_(model=scenario.model.with_(max_position_tokens=None))
    return running(free, max_model_len=None)


def with_kv(scenario: Scenario, **changes: object) -> Scenario:
    return scenario.with_(
        precision=scenario.precision.with_(kv=scenario.precision.kv.with_(**changes))
    )


def without_scales(scenario: Scenario, bits: int) -> Scenario:
    kv = KvFormat(id="k", name="k", k_bits=bits, v_bits=bits)
    return scenario.with_(precision=scenario.precision.with_(kv=kv))


def with_attention(scenario: Scenario, **changes: object) -> Scenario:
    """The scenario with another attention in every layer that has one."""
    runs = tuple(
        run.with_(mixer=run.mixer.with_(**changes)) if isinstance(run.mixer, FullAttention) else run
        for run in scenario.model.layers
    )
    return scenario.with_(model=scenario.model.with_(layers=runs))


def attention(scenario: Scenario) -> FullAttention:
    return next(r.mixer for r in scenario.model.layers if isinstance(r.mixer, FullAttention))


def without_weights(scenario: Scenario) -> Scenario:
    runs = tuple(run.with_(tensors=()) for run in scenario.model.layers)
    return scenario.with_(model=scenario.model.with_(layers=runs, tensors=()))


def only_layer_weights(scenario: Scenario) -> Scenario:
    bare = scenario.with_(model=scenario.model.with_(tensors=(), tied_embeddings=False))
    return running(bare, weights_bytes=None)


def in_bytes(scenario: Scenario) -> Scenario:
    """Every reserve as the bytes it stands for on this card."""
    total, engine, reserves = scenario.gpu.device_total_bytes, scenario.engine, scenario.reserves
    fixed = running(
        scenario,
        activation_reserve=Amount(size_bytes=engine.activation_reserve.of(total)),
        fragmentation_reserve=Amount(size_bytes=engine.fragmentation_reserve.of(total)),
    )
    tight = reserves.tight_below
    return fixed.with_(
        reserves=reserves.with_(
            headroom=Amount(size_bytes=reserves.headroom.of(total)),
            tight_below=None if tight is None else Amount(size_bytes=tight.of(total)),
        )
    )


def times_layers(scenario: Scenario, factor: int) -> Scenario:
    runs = tuple(run.with_(count=run.count * factor) for run in scenario.model.layers)
    return scenario.with_(model=scenario.model.with_(layers=runs))


# --- accounts -----------------------------------------------------------------------------------


@relation
def entries_headroom_and_free_are_the_card(scenario: Scenario, pick: Random) -> None:
    for rank in ledger_of(scenario).ranks:
        entries = sum(entry.bytes for entry in rank.entries)
        assert entries + rank.headroom_bytes + rank.free_bytes == rank.total_bytes
        assert rank.total_bytes == scenario.gpu.device_total_bytes


@relation
def the_ranks_of_a_stage_are_alike(scenario: Scenario, pick: Random) -> None:
    ledger = ledger_of(scenario)
    assert len(ledger.ranks) == scenario.deployment.ranks
    assert [rank.rank for rank in ledger.ranks] == list(range(scenario.deployment.ranks))
    by_stage: dict[int, set[str]] = {}
    for rank in ledger.ranks:
        by_stage.setdefault(rank.stage, set()).add(repr((rank.entries, rank.free_bytes)))
    assert all(len(kinds) == 1 for kinds in by_stage.values())


@relation
def what_requests_hold_is_whole_blocks(scenario: Scenario, pick: Random) -> None:
    ledger = on_one_rank(scenario)
    answer = ledger_of(ledger)
    assert answer.pool is not None
    assert requests_bytes(answer.ranks[0]) % answer.pool.bytes_per_block == 0


@relation
def a_byte_more_of_runtime_is_a_byte_less_left(scenario: Scenario, pick: Random) -> None:
    target = working(scenario, concurrency=pick.randint(1, 50))
    base = ledger_of(running(target, runtime_bytes=1_000))
    more = ledger_of(running(target, runtime_bytes=1_777))
    for before, after in zip(base.ranks, more.ranks, strict=True):
        assert before.left_bytes - after.left_bytes == 777


@relation
def the_same_question_has_the_same_answer(scenario: Scenario, pick: Random) -> None:
    again = Scenario.model_validate_json(scenario.model_dump_json())
    assert again == scenario
    assert hash(again) == hash(scenario)
    assert ledger_of(again) == ledger_of(scenario)


@relation
def names_notes_and_prices_change_no_figure(scenario: Scenario, pick: Random) -> None:
    other = scenario.with_(
        id="other",
        name="另一个",
        notes="a\nb",
        gpu=scenario.gpu.with_(name="Card", marketing_gb=80, smi_total_mib=1),
        model=scenario.model.with_(name="Model", aliases=("x",)),
    )
    assert figures(ledger_of(other)) == figures(ledger_of(scenario))


# --- spelling and units -------------------------------------------------------------------------


@relation
def switching_units_changes_no_byte(scenario: Scenario, pick: Random) -> None:
    total = scenario.gpu.device_total_bytes
    field = FIELDS["gpu.device_total_bytes"]
    texts = [format_bytes(total), f"{total} B", f"{total:,}", str(total), f"{total}.0B"]
    if "," in texts[2] and texts[2].count(",") == 1:
        texts.pop(2)  # 12,345 can be read both ways
    for text in texts:
        read = field.parse(text, 1)
        assert read == total, text
        assert field.write(scenario, read) == scenario
    share = scenario.engine.activation_reserve.share
    if share is not None:
        assert parse_share(format_share(share)) == share
    assert parse_bytes(f"{total}", 1) == total


@relation
def a_share_is_the_bytes_it_stands_for(scenario: Scenario, pick: Random) -> None:
    base, spelled = ledger_of(scenario), ledger_of(in_bytes(scenario))
    assert figures(base) == figures(spelled)


@relation
def a_run_of_layers_may_be_cut_in_two(scenario: Scenario, pick: Random) -> None:
    runs = []
    for run in scenario.model.layers:
        cut = pick.randint(0, run.count)
        runs += [run.with_(count=n) for n in (cut, run.count - cut) if n]
    other = scenario.with_(model=scenario.model.with_(layers=tuple(runs)))
    assert figures(ledger_of(other)) == figures(ledger_of(scenario))


@relation
def the_even_partition_may_be_spelled_out(scenario: Scenario, pick: Random) -> None:
    pp, count = scenario.deployment.pp, scenario.model.layer_count
    even = tuple(count // pp + (stage < count % pp) for stage in range(pp))
    base = ledger_of(deployed(scenario, pp_partition=None))
    assert figures(base) == figures(ledger_of(deployed(scenario, pp_partition=even)))


@relation
def a_constant_length_is_a_table_of_one_length(scenario: Scenario, pick: Random) -> None:
    free, tokens = without_limits(scenario), pick.randint(1, 5_000)
    points = (QuantilePoint(q=0.0, tokens=tokens), QuantilePoint(q=1.0, tokens=tokens))
    one = ledger_of(working(free, lengths=ConstantLength(tokens=tokens)))
    other = ledger_of(working(free, lengths=QuantileTable(points=points)))
    assert [sizes(rank) for rank in one.ranks] == [sizes(rank) for rank in other.ranks]
    assert one.capacity.steady_state == other.capacity.steady_state
    assert one.concurrency == other.concurrency


@relation
def sizing_says_nothing_of_equal_lengths(scenario: Scenario, pick: Random) -> None:
    constant = working(without_limits(scenario), lengths=ConstantLength(tokens=pick.randint(1, 99)))
    answers = [ledger_of(working(constant, sizing=s)) for s in ("mean", "p50", "p95", "p99", "max")]
    assert all(sizes(a.ranks[0]) == sizes(answers[0].ranks[0]) for a in answers)


@relation
def tight_below_left_out_is_the_headroom(scenario: Scenario, pick: Random) -> None:
    reserves = scenario.reserves
    one = scenario.with_(reserves=reserves.with_(tight_below=None))
    other = scenario.with_(reserves=reserves.with_(tight_below=reserves.headroom))
    left_out, stated = ledger_of(one), ledger_of(other)
    # Whoever states a threshold, be it 0, has said what is kept: that is not near the limit.
    assert not stated.verdict.near_limit
    verdict = replace(stated.verdict, near_limit=left_out.verdict.near_limit)
    assert figures(left_out) == figures(replace(stated, verdict=verdict))


# --- the model ----------------------------------------------------------------------------------


@relation
def twice_the_layers_are_twice_the_kv(scenario: Scenario, pick: Random) -> None:
    one = on_one_rank(scenario)
    assert per_token(ledger_of(times_layers(one, 2))) == 2 * per_token(ledger_of(one))


@relation
def weights_grow_in_equal_steps_with_the_layers(scenario: Scenario, pick: Random) -> None:
    one = on_one_rank(running(scenario, weights_bytes=None))
    steps = [sizes(ledger_of(times_layers(one, n)).ranks[0]).get("weights", 0) for n in (1, 2, 3)]
    assert steps[2] - steps[1] == steps[1] - steps[0]


@relation
def a_quarter_of_the_kv_heads_is_a_quarter_of_the_kv(scenario: Scenario, pick: Random) -> None:
    one = without_weights(on_one_rank(scenario))
    heads = attention(one).kv_heads
    four = with_attention(one, kv_heads=heads * 4, heads=heads * 8)
    few = with_attention(one, kv_heads=heads, heads=heads * 8)
    assert per_token(ledger_of(four)) == 4 * per_token(ledger_of(few))


@relation
def query_heads_cost_no_cache(scenario: Scenario, pick: Random) -> None:
    one = without_weights(on_one_rank(scenario))
    more = with_attention(one, heads=attention(one).heads * 8)
    assert figures(ledger_of(more)) == figures(ledger_of(one))


@relation
def the_head_size_scales_the_kv_without_scales(scenario: Scenario, pick: Random) -> None:
    one = without_weights(on_one_rank(without_scales(scenario, pick.choice((8, 16, 32)))))
    dim = attention(one).head_dim
    narrow = with_attention(one, head_dim=dim, v_head_dim=None)
    wide = with_attention(one, head_dim=4 * dim, v_head_dim=None)
    assert per_token(ledger_of(wide)) == 4 * per_token(ledger_of(narrow))


@relation
def a_larger_head_never_costs_less(scenario: Scenario, pick: Random) -> None:
    one = without_weights(on_one_rank(scenario))
    wide = with_attention(one, head_dim=attention(one).head_dim + pick.randint(1, 9))
    assert per_token(ledger_of(wide)) >= per_token(ledger_of(one))


@relation
def half_the_bits_are_half_the_kv(scenario: Scenario, pick: Random) -> None:
    # Of several stages another may decide: the relation is about one.
    bits, one = pick.choice((32, 16)), deployed(scenario, pp=1, pp_partition=None)
    whole, half = without_scales(one, bits), without_scales(one, bits // 2)
    assert per_token(ledger_of(whole)) == 2 * per_token(ledger_of(half))


@relation
def scales_are_added_to_the_elements(scenario: Scenario, pick: Random) -> None:
    bare = with_attention(without_scales(scenario, 8), values_are_keys=False)
    add_k, add_v = pick.randint(0, 9), pick.randint(0, 9)
    scaled = with_kv(bare, k_head_scale_bytes=add_k, v_head_scale_bytes=add_v)
    ledgers = [ledger_of(working(s, concurrency=1)) for s in (bare, scaled)]
    layers = sum(r.count for r in bare.model.layers if isinstance(r.mixer, FullAttention))
    if bare.deployment.pp == 1:
        heads = max(1, -(-attention(bare).kv_heads // bare.deployment.tp))
        more = layers * heads * (add_k + add_v)
        assert per_token(ledgers[1]) - per_token(ledgers[0]) == more


@relation
def layer_scales_are_counted_once_a_layer(scenario: Scenario, pick: Random) -> None:
    target = working(with_kv(scenario, layer_scale_bytes=0), concurrency=pick.randint(1, 9))
    size = pick.randint(1, 10_000)
    base, scaled = ledger_of(target), ledger_of(with_kv(target, layer_scale_bytes=size))
    layers = sum(r.count for r in target.model.layers if isinstance(r.mixer, FullAttention))
    stages = {rank.stage: rank for rank in scaled.ranks}
    assert sum(sizes(rank).get("kv_scales", 0) for rank in stages.values()) == size * layers
    for before, after in zip(base.ranks, scaled.ranks, strict=True):
        runtime = after.kind_bytes(EntryKind.RUNTIME) - before.kind_bytes(EntryKind.RUNTIME)
        assert before.left_bytes - after.left_bytes == runtime


@relation
def weight_bits_say_nothing_of_tensors_left_alone(scenario: Scenario, pick: Random) -> None:
    runs = tuple(
        run.with_(tensors=tuple(t.with_(quantised=False) for t in run.tensors))
        for run in scenario.model.layers
    )
    tensors = tuple(t.with_(quantised=False) for t in scenario.model.tensors)
    alone = scenario.with_(model=scenario.model.with_(layers=runs, tensors=tensors))
    weights = alone.precision.weights
    other = weights.with_(bits=weights.bits + 1, row_scale_bytes=7, tensor_scale_bytes=9)
    changed = alone.with_(precision=alone.precision.with_(weights=other))
    assert figures(ledger_of(alone)) == figures(ledger_of(changed))


@relation
def a_layer_without_a_rule_is_refused_whatever_else(scenario: Scenario, pick: Random) -> None:
    run = scenario.model.layers[-1]
    sliding = SlidingAttention(heads=4, kv_heads=4, head_dim=8, window_tokens=pick.randint(1, 99))
    odd: ModelSpec = scenario.model.with_(
        layers=(*scenario.model.layers, run.with_(count=1, mixer=sliding, tensors=()))
    )
    refused = ledger_of(scenario.with_(model=odd))
    assert refused.verdict.status is Status.REFUSES
    assert refused.verdict.refusal is not None
    assert refused.verdict.refusal.category == "unsupported"


# --- how it is spread ---------------------------------------------------------------------------


@relation
def more_tp_never_adds_to_a_rank(scenario: Scenario, pick: Random) -> None:
    base = deployed(scenario, pp=1, pp_partition=None)
    more = deployed(base, tp=base.deployment.tp * 2)
    one, two = ledger_of(base), ledger_of(with_attention(more, heads=attention(more).heads))
    if two.verdict.status is Status.REFUSES:
        return
    assert per_token(two) <= per_token(one)
    assert sizes(two.ranks[0]).get("weights", 0) <= sizes(one.ranks[0]).get("weights", 0)


@relation
def tp_beyond_the_kv_heads_copies_them(scenario: Scenario, pick: Random) -> None:
    free = without_weights(deployed(scenario, pp=1, pp_partition=None))
    kv_heads, times = pick.choice((1, 2, 4, 8)), pick.choice((2, 4, 8))
    free = with_attention(free, kv_heads=kv_heads, heads=kv_heads * 64)
    whole = per_token(ledger_of(deployed(free, tp=1)))
    even = per_token(ledger_of(deployed(free, tp=kv_heads)))
    copied = per_token(ledger_of(deployed(free, tp=kv_heads * times)))
    assert even * kv_heads == whole
    assert copied == even
    assert copied * kv_heads * times == whole * times


@relation
def stages_together_hold_the_cache_of_one(scenario: Scenario, pick: Random) -> None:
    target = working(scenario, concurrency=pick.randint(1, 99))
    cut, whole = ledger_of(target), ledger_of(deployed(target, pp=1, pp_partition=None))
    stages = {rank.stage: requests_bytes(rank) for rank in cut.ranks}
    assert sum(stages.values()) == requests_bytes(whole.ranks[0])


@relation
def stages_together_hold_the_weights_of_one(scenario: Scenario, pick: Random) -> None:
    target = only_layer_weights(scenario)
    cut, whole = ledger_of(target), ledger_of(deployed(target, pp=1, pp_partition=None))
    stages = {rank.stage: sizes(rank).get("weights", 0) for rank in cut.ranks}
    assert sum(stages.values()) == sizes(whole.ranks[0]).get("weights", 0)


@relation
def the_stage_with_the_fewest_blocks_decides(scenario: Scenario, pick: Random) -> None:
    # One request of one block makes the cache of a stage the size of its block.
    one = working(without_limits(scenario), lengths=ConstantLength(tokens=1), prefix_groups=())
    ledger = ledger_of(deployed(working(one, concurrency=1), dp=1, replicas=1))
    assert ledger.pool is not None
    blocks = []
    for rank in ledger.ranks:
        room = max(0, rank.left_bytes + requests_bytes(rank))
        if requests_bytes(rank):
            blocks.append(room // requests_bytes(rank))
    assert ledger.pool.blocks == min(blocks)
    assert steady(ledger, "max") == min(blocks)


@relation
def replicas_multiply_what_is_held_at_once(scenario: Scenario, pick: Random) -> None:
    times = pick.randint(2, 9)
    one = ledger_of(deployed(working(scenario, concurrency=None), dp=1, replicas=1))
    many = ledger_of(deployed(working(scenario, concurrency=None), dp=1, replicas=times))
    for sizing in ("mean", "p50", "p95", "p99", "max"):
        assert steady(many, sizing) == times * steady(one, sizing)
    assert many.concurrency == one.concurrency
    assert many.scenario.gpus == times * one.scenario.gpus
    assert [sizes(rank) for rank in many.ranks] == [sizes(rank) for rank in one.ranks]


@relation
def dp_and_replicas_count_alike(scenario: Scenario, pick: Random) -> None:
    times = pick.randint(2, 9)
    one = ledger_of(deployed(scenario, dp=times, replicas=1))
    other = ledger_of(deployed(scenario, dp=1, replicas=times))
    assert figures(one) == figures(other)


@relation
def cards_are_tp_times_pp_times_copies(scenario: Scenario, pick: Random) -> None:
    spread, echo = scenario.deployment, ledger_of(scenario).scenario
    assert echo.gpus == spread.tp * spread.pp * spread.dp * spread.replicas
    assert echo.replicas == spread.dp * spread.replicas


# --- requests -----------------------------------------------------------------------------------


@relation
def a_longer_context_never_takes_less(scenario: Scenario, pick: Random) -> None:
    free = working(without_limits(scenario), concurrency=pick.randint(1, 99), prefix_groups=())
    tokens = pick.randint(1, 5_000)
    short = ledger_of(working(free, lengths=ConstantLength(tokens=tokens)))
    longer = ConstantLength(tokens=tokens + pick.choice((1, 16, 999)))
    long = ledger_of(working(free, lengths=longer))
    for before, after in zip(short.ranks, long.ranks, strict=True):
        assert requests_bytes(before) <= requests_bytes(after)
    assert steady(short, "max") >= steady(long, "max")


@relation
def a_request_more_takes_a_request_more(scenario: Scenario, pick: Random) -> None:
    free = deployed(working(scenario, prefix_groups=()), dp=1, replicas=1)
    count = pick.randint(1, 999)
    one, two, three = (ledger_of(working(free, concurrency=count + n)) for n in range(3))
    for a, b, c in zip(one.ranks, two.ranks, three.ranks, strict=True):
        assert requests_bytes(c) - requests_bytes(b) == requests_bytes(b) - requests_bytes(a)
        assert requests_bytes(b) > requests_bytes(a) or not requests_bytes(b)


@relation
def more_requests_never_take_less(scenario: Scenario, pick: Random) -> None:
    count = pick.randint(1, 999)
    few = ledger_of(working(scenario, concurrency=count))
    many = ledger_of(working(scenario, concurrency=count + pick.randint(1, 99)))
    for before, after in zip(few.ranks, many.ranks, strict=True):
        assert requests_bytes(before) <= requests_bytes(after)


@relation
def the_largest_number_fits_and_the_next_does_not(scenario: Scenario, pick: Random) -> None:
    scenario = running(scenario, max_num_seqs=None)
    sizing = scenario.workload.sizing
    most = steady(ledger_of(scenario), sizing)
    if most:
        fits = ledger_of(working(scenario, concurrency=most))
        assert fits.verdict.status in (Status.FITS, Status.TIGHT)
        assert fits.capacity.target is not None
        assert fits.capacity.target.met
    next_one = ledger_of(working(scenario, concurrency=most + 1))
    assert next_one.verdict.status is Status.DOES_NOT_FIT
    assert next_one.capacity.target is not None
    assert not next_one.capacity.target.met


@relation
def without_a_target_the_largest_number_is_drawn(scenario: Scenario, pick: Random) -> None:
    free = running(working(scenario, concurrency=None), max_num_seqs=None)
    bare = free.with_(reserves=free.reserves.with_(headroom=Amount(size_bytes=0)))
    ledger = ledger_of(bare)
    copies = bare.deployment.copies
    assert ledger.concurrency == max(1, steady(ledger, bare.workload.sizing) // copies)
    assert ledger.capacity.target is None


@relation
def longer_requests_are_held_in_smaller_numbers(scenario: Scenario, pick: Random) -> None:
    free = working(without_limits(scenario), prefix_groups=())
    block = scenario.engine.block_tokens
    table = working(free, lengths=_lengths(lengths(pick, block)))
    answer = ledger_of(table)
    numbers = [steady(answer, sizing) for sizing in ("p50", "p95", "p99", "max")]
    assert numbers == sorted(numbers, reverse=True)


def _lengths(data: dict[str, object]) -> object:
    return Workload.model_validate({"lengths": data}).lengths


@relation
def blocks_of_one_token_have_no_tail(scenario: Scenario, pick: Random) -> None:
    target = working(running(scenario, block_tokens=1), concurrency=3)
    ledger = ledger_of(deployed(target, dp=1, replicas=1))
    assert all("block_tails" not in sizes(rank) for rank in ledger.ranks)
    assert ledger.request is not None
    assert ledger.request.tail_tokens == 0
    assert ledger.request.blocks == ledger.request.tokens


@relation
def a_block_twice_as_large_never_wastes_less(scenario: Scenario, pick: Random) -> None:
    free = working(scenario, concurrency=pick.randint(1, 99), prefix_groups=())
    small = ledger_of(free)
    large = ledger_of(running(free, block_tokens=scenario.engine.block_tokens * 2))
    for before, after in zip(small.ranks, large.ranks, strict=True):
        assert requests_bytes(before) <= requests_bytes(after)


@relation
def context_and_concurrency_may_be_swapped(scenario: Scenario, pick: Random) -> None:
    free = working(without_limits(scenario), prefix_groups=())
    free, block = deployed(free, dp=1, replicas=1), scenario.engine.block_tokens
    a, b = block * pick.randint(1, 40), block * pick.randint(1, 40)
    one = ledger_of(working(free, lengths=ConstantLength(tokens=a), concurrency=b))
    other = ledger_of(working(free, lengths=ConstantLength(tokens=b), concurrency=a))
    assert [sizes(rank) for rank in one.ranks] == [sizes(rank) for rank in other.ranks]
    assert all("block_tails" not in sizes(rank) for rank in one.ranks)


@relation
def a_scheduler_limit_caps_only_what_is_drawn(scenario: Scenario, pick: Random) -> None:
    free, limit = working(scenario, concurrency=None), pick.randint(1, 9)
    capped, without = (ledger_of(running(free, max_num_seqs=n)) for n in (limit, None))
    assert capped.capacity.steady_state == without.capacity.steady_state
    assert capped.concurrency == min(limit, without.concurrency)


# --- prefixes -----------------------------------------------------------------------------------


@relation
def the_order_of_prefix_groups_says_nothing(scenario: Scenario, pick: Random) -> None:
    found = Workload.model_validate(
        {
            "lengths": {"kind": "constant", "tokens": 1},
            "prefix_groups": prefix_groups(pick, scenario.engine.block_tokens),
        }
    ).prefix_groups
    groups = [*scenario.workload.prefix_groups, *(g.with_(request_share=0.0) for g in found)]
    one = ledger_of(working(scenario, prefix_groups=tuple(groups)))
    pick.shuffle(groups)
    other = ledger_of(working(scenario, prefix_groups=tuple(groups)))
    assert figures(one) == figures(other)


@relation
def a_prefix_nobody_uses_holds_its_blocks_only(scenario: Scenario, pick: Random) -> None:
    target = working(scenario, concurrency=pick.randint(1, 99))
    group = PrefixGroup(
        shared_tokens=pick.randint(1, 999), distinct_prefixes=pick.randint(1, 9), request_share=0.0
    )
    groups = (*scenario.workload.prefix_groups, group)
    base, more = ledger_of(target), ledger_of(working(target, prefix_groups=groups))
    block = scenario.engine.block_tokens
    held = group.distinct_prefixes * (group.shared_tokens // block) * block
    for before, after in zip(base.ranks, more.ranks, strict=True):
        old, new = sizes(before), sizes(after)
        assert [old.get(label) for label in ("kv", "block_tails")] == [
            new.get(label) for label in ("kv", "block_tails")
        ]
        added = new.get("prefix", 0) - old.get("prefix", 0)
        if scenario.deployment.pp == 1:
            assert added == held * per_token(base)
    assert base.request == more.request


@relation
def a_prefix_group_may_be_cut_in_two(scenario: Scenario, pick: Random) -> None:
    tokens, shares = pick.randint(1, 999), (pick.randint(0, 50), pick.randint(0, 50))
    whole = PrefixGroup(shared_tokens=tokens, distinct_prefixes=5, request_share=sum(shares) / 100)
    parts = tuple(
        PrefixGroup(shared_tokens=tokens, distinct_prefixes=count, request_share=share / 100)
        for count, share in zip((2, 3), shares, strict=True)
    )
    one = ledger_of(working(scenario, prefix_groups=(whole,)))
    assert figures(one) == figures(ledger_of(working(scenario, prefix_groups=parts)))


@relation
def a_shared_prefix_never_adds_to_a_requests_own_blocks(scenario: Scenario, pick: Random) -> None:
    target = working(scenario, concurrency=pick.randint(1, 999))
    alone = ledger_of(working(target, prefix_groups=()))
    sharing = ledger_of(target)
    for without, with_groups in zip(alone.ranks, sharing.ranks, strict=True):
        own = requests_bytes(with_groups) - sizes(with_groups).get("prefix", 0)
        assert own <= requests_bytes(without)


@relation
def a_prefix_below_one_block_changes_nothing(scenario: Scenario, pick: Random) -> None:
    block = scenario.engine.block_tokens
    if block == 1:
        return
    short = PrefixGroup(shared_tokens=pick.randint(1, block - 1), distinct_prefixes=9)
    base = ledger_of(working(scenario, prefix_groups=()))
    assert figures(base) == figures(ledger_of(working(scenario, prefix_groups=(short,))))


# --- the card and the reserves ------------------------------------------------------------------


@relation
def a_larger_card_never_holds_less(scenario: Scenario, pick: Random) -> None:
    fixed = in_bytes(scenario)
    total = fixed.gpu.device_total_bytes
    larger = with_card(fixed, total + pick.choice((1, 1_000, total, total * 9)))
    small, large = ledger_of(fixed), ledger_of(larger)
    for sizing in ("mean", "p50", "p95", "p99", "max"):
        assert steady(small, sizing) <= steady(large, sizing)
    order = [Status.DOES_NOT_FIT, Status.TIGHT, Status.FITS]
    if scenario.workload.concurrency is not None:
        assert order.index(small.verdict.status) <= order.index(large.verdict.status)


@relation
def more_headroom_never_draws_more(scenario: Scenario, pick: Random) -> None:
    free = in_bytes(working(scenario, concurrency=None))
    kept = free.reserves.headroom.size_bytes or 0
    more = Amount(size_bytes=kept + pick.choice((1, 1_000, free.gpu.device_total_bytes)))
    base = ledger_of(free)
    careful = ledger_of(free.with_(reserves=free.reserves.with_(headroom=more)))
    assert careful.capacity.steady_state == base.capacity.steady_state
    # Where no request leaves that much, the largest number that fits at all is drawn instead.
    if all(rank.headroom_bytes == more.size_bytes for rank in careful.ranks):
        assert careful.concurrency <= base.concurrency
    base_left = sum(rank.left_bytes for rank in base.ranks)
    careful_left = sum(rank.left_bytes for rank in careful.ranks)
    if careful.concurrency == base.concurrency:
        assert base_left == careful_left


@relation
def headroom_is_kept_where_one_request_leaves_it(scenario: Scenario, pick: Random) -> None:
    free = working(scenario, concurrency=None)
    reserve = free.reserves.headroom.of(free.gpu.device_total_bytes)
    ledger = ledger_of(free)
    one = ledger_of(deployed(working(free, concurrency=1), dp=1, replicas=1))
    if all(rank.left_bytes >= reserve for rank in one.ranks):
        assert all(rank.headroom_bytes == reserve for rank in ledger.ranks)
        assert all(rank.left_bytes >= reserve for rank in ledger.ranks)


@relation
def the_verdict_is_that_of_the_worst_rank(scenario: Scenario, pick: Random) -> None:
    ledger = ledger_of(scenario)
    total = scenario.gpu.device_total_bytes
    least = min(rank.left_bytes for rank in ledger.ranks)
    threshold = (scenario.reserves.tight_below or scenario.reserves.headroom).of(total)
    if least < 0:
        expected = Status.DOES_NOT_FIT
    else:
        expected = Status.TIGHT if least < threshold else Status.FITS
    assert ledger.verdict.status is expected
    assert ledger.worst_rank.left_bytes == least


@relation
def what_decides_is_the_largest_that_can(scenario: Scenario, pick: Random) -> None:
    """Before the requests comes what no change of the requests could cure."""
    ledger = ledger_of(scenario)
    verdict, worst = ledger.verdict, ledger.worst_rank
    if verdict.status is Status.TIGHT:
        assert verdict.binding == "headroom"
    if verdict.status is not Status.DOES_NOT_FIT:
        return
    assert verdict.shortfall_bytes == worst.over_bytes > 0
    by_requests = requests_bytes(worst)
    if worst.over_bytes > by_requests:
        kinds = [EntryKind.WEIGHTS, EntryKind.RUNTIME, EntryKind.ACTIVATIONS]
    else:
        kinds = [EntryKind.KV, EntryKind.PREFIX]
    assert worst.kind_bytes(EntryKind(verdict.binding)) == max(map(worst.kind_bytes, kinds))
    assert verdict.binding in kinds


@relation
def weights_may_be_given_instead_of_listed(scenario: Scenario, pick: Random) -> None:
    one = on_one_rank(running(scenario, weights_bytes=None))
    base = ledger_of(one)
    listed = sizes(base.ranks[0]).get("weights", 0)
    given = ledger_of(running(one, weights_bytes=listed))
    assert figures(base) == figures(given)


@relation
def the_pool_is_its_blocks_and_less_than_one_more(scenario: Scenario, pick: Random) -> None:
    pool = ledger_of(scenario).pool
    assert pool is not None
    assert 0 <= pool.bytes - pool.blocks * pool.bytes_per_block < pool.bytes_per_block
    assert pool.tokens == pool.blocks * pool.block_tokens
    assert pool.bytes_per_block == pool.block_tokens * per_token(ledger_of(scenario))
    if pool.tokens_per_mib is not None:
        exact = Fraction(2**20, per_token(ledger_of(scenario)))
        assert abs(Fraction(pool.tokens_per_mib) - exact) <= exact / 10**12


@pytest.mark.parametrize("check", RELATIONS, ids=lambda check: check.__name__)
def test_relation(check: Callable[[Scenario, Random], None]) -> None:
    for number, scenario in enumerate(accepted()):
        try:
            check(scenario, Random(number))
        except AssertionError as error:
            data = scenario.model_dump(exclude_unset=True)
            raise AssertionError(f"{check.__name__} number {number}: {data}") from error


def test_there_are_enough_relations() -> None:
    assert len(RELATIONS) >= 25
    assert len(accepted()) == EACH
