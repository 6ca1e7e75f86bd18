"""What holds for every KV plan, whatever the layers, the release and the memory."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tests.core.vllm.plans import DEEPSEEK_ROW, NEMOTRON_H_STATE, QWEN3_NEXT_STATE, kv_format
from workbench.core.engines.vllm.hold import held, prompts_admitted
from workbench.core.engines.vllm.inputs import PlanInputs, PlanRefusal, default_partition
from workbench.core.engines.vllm.layers import AttentionKv, IndexKv, KvLayer, NoKv
from workbench.core.engines.vllm.plan import (
    KvPlan,
    Prepared,
    plan,
    prepare,
    request_blocks,
    request_blocks_array,
    usable_blocks,
)
from workbench.library.engines import vllm_rules

RELEASES = ("0.6.6", "0.8.5", "0.10.2", "0.11.2", "0.15.1", "0.19.1", "0.26.0", "0.33.0")


@st.composite
def _layers(draw: st.DrawFn) -> KvLayer:
    kind = draw(st.sampled_from(("full", "sliding", "chunked", "latent", "index", "state", "none")))
    match kind:
        case "latent":
            return DEEPSEEK_ROW
        case "index":
            return IndexKv(128)
        case "state":
            return draw(st.sampled_from((QWEN3_NEXT_STATE, NEMOTRON_H_STATE)))
        case "none":
            return NoKv()
        case _:
            heads = draw(st.sampled_from((1, 2, 4, 8, 10)))
            dim = draw(st.sampled_from((64, 96, 128, 256)))
            reach = 0 if kind == "full" else draw(st.sampled_from((128, 1000, 4096)))
            return AttentionKv(kind, heads, dim, dim, reach)


@st.composite
def _inputs(draw: st.DrawFn) -> PlanInputs:
    kinds = draw(st.lists(_layers(), min_size=1, max_size=3))
    runs = tuple(
        (draw(st.sampled_from(kinds)), draw(st.integers(1, 6)))
        for _ in range(draw(st.integers(1, 12)))
    )
    entries = sum(count for _, count in runs)
    return PlanInputs(
        rules=vllm_rules(draw(st.sampled_from(RELEASES))),
        layers=runs,
        stages=default_partition(entries, draw(st.integers(1, min(4, entries)))),
        kv=kv_format(draw(st.sampled_from(("auto", "fp8", "int8_per_token_head", "fp8_ds_mla")))),
        max_model_len=draw(st.integers(1, 300_000)),
        max_num_batched_tokens=draw(st.sampled_from((256, 2048, 8192))),
        tp=draw(st.sampled_from((1, 2, 8))),
        dcp=draw(st.sampled_from((1, 1, 1, 2))),
        block_tokens=draw(st.sampled_from((None, None, 32, 128))),
        prefix_caching=draw(st.sampled_from((None, True, False))),
        hybrid_manager=draw(st.sampled_from((None, True, False))),
        layout=draw(st.sampled_from(("LBNHC", "LBNHC", "BLHNC"))),
        speculative_tokens=draw(st.sampled_from((0, 0, 3))),
    )


def _memory(made: Prepared, blocks: int) -> tuple[int, ...]:
    return tuple(blocks * size + size // 2 for size in made.bytes_per_block)


def _prepared(inputs: PlanInputs) -> Prepared | None:
    made = prepare(inputs)
    if isinstance(made, PlanRefusal):
        assert made.category == "unsupported"
        assert made.reason
        return None
    return made if made.groups else None


@given(_inputs())
def test_every_layer_with_a_cache_is_in_one_group(inputs: PlanInputs):
    made = _prepared(inputs)
    if made is None or len(inputs.stages) > 1:
        return
    held_entries = sorted(index for group in made.groups for index in group.layer_indices)
    paged = [index for _, start, count in made.pages.runs for index in range(start, start + count)]
    assert held_entries == sorted(paged)
    assert all(group.bytes_in(0, 10**6) <= made.bytes_per_block[0] for group in made.groups)


@given(_inputs(), st.integers(0, 100_000), st.integers(0, 1000))
def test_more_memory_is_never_worse(inputs: PlanInputs, blocks: int, more: int):
    made = _prepared(inputs)
    if made is None:
        return
    less, rich = (plan(made, _memory(made, count)) for count in (blocks, blocks + more))
    if isinstance(rich, PlanRefusal):
        assert isinstance(less, PlanRefusal)
        assert (less.suggested_max_model_len or 0) <= (rich.suggested_max_model_len or 0)
    elif isinstance(less, KvPlan):
        assert less.num_blocks <= rich.num_blocks
        assert less.kv_tokens <= rich.kv_tokens
        assert less.max_concurrency <= rich.max_concurrency


@given(_inputs(), st.integers(0, 20_000))
def test_the_suggested_length_is_the_longest_that_starts(inputs: PlanInputs, blocks: int):
    made = _prepared(inputs)
    if made is None:
        return
    refused = plan(made, _memory(made, blocks))
    if not isinstance(refused, PlanRefusal) or not refused.suggested_max_model_len:
        return
    assert refused.stage is not None
    assert refused.available_bytes is not None
    length = refused.suggested_max_model_len
    assert made.need_bytes(refused.stage, length) <= refused.available_bytes
    assert made.need_bytes(refused.stage, length + 1) > refused.available_bytes


@given(_inputs(), st.integers(1, 100_000))
def test_a_plan_fits_its_memory(inputs: PlanInputs, blocks: int):
    made = _prepared(inputs)
    if made is None:
        return
    if not all(made.bytes_per_block):
        return  # a stage without any cache asks for one block
    memory = _memory(made, blocks)
    done = plan(made, memory)
    if isinstance(done, KvPlan):
        assert done.num_blocks == blocks
        for taken, free in zip(done.kv_bytes_by_stage, memory, strict=True):
            assert taken <= free


@given(_inputs(), st.lists(st.integers(1, 400_000), min_size=1, max_size=20))
def test_many_requests_at_once_are_counted_alike(inputs: PlanInputs, lengths: list[int]):
    made = _prepared(inputs)
    if made is None:
        return
    counted = request_blocks_array(made, np.array(lengths, dtype=np.int64))
    assert counted.tolist() == [sum(request_blocks(made, length)) for length in lengths]
    assert sorted(counted.tolist()) == counted[np.argsort(lengths, kind="stable")].tolist()


@given(_inputs(), st.integers(1, 30_000), st.integers(1, 300))
def test_a_request_never_holds_more_than_it_can(inputs: PlanInputs, prompt: int, output: int):
    made = _prepared(inputs)
    if made is None or inputs.rules.read_release != "0.33.0":
        return
    one = held(made, prompt, output)
    most = request_blocks(made, prompt + output - 1)
    assert all(peak <= limit for peak, limit in zip(one.peak, most, strict=True))
    assert all(end <= peak for end, peak in zip(one.at_end, one.peak, strict=True))


@given(_inputs(), st.integers(1, 20_000), st.integers(1, 500))
def test_admitted_prompts_fit_the_usable_blocks(inputs: PlanInputs, prompt: int, blocks: int):
    made = _prepared(inputs)
    if made is None:
        return
    admitted = prompts_admitted(made, blocks, prompt, watermark=0.0)
    taken = sum(held(made, prompt, 1).after_prompt)
    assert admitted * taken <= usable_blocks(made, blocks, 0.0) or admitted == 0
    cautious = prompts_admitted(made, blocks, prompt, watermark=0.1)
    assert min(admitted, 1) <= cautious <= admitted
