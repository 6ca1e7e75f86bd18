"""Weights of a rank as vLLM loads them, against figures it printed and against rules by hand."""

from __future__ import annotations

import json
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from tests.core.builders import BF16, WEIGHTS_16
from tests.core.formulas import computed_terms, evaluate
from workbench.core.engines.vllm.allocator import allocated_bytes
from workbench.core.engines.vllm.loading import LoadedWeights, loaded_weights
from workbench.core.memory.shares import vllm_partition, vllm_stages
from workbench.library.presets import Library
from workbench.spec.deployment import Deployment
from workbench.spec.formats import Precision
from workbench.spec.layers import FullAttention, LatentAttention
from workbench.spec.ledger import Formula
from workbench.spec.model import (
    Component,
    LayerRun,
    MixtureOfExperts,
    ModelSpec,
    StageTensor,
    Tensor,
)
from workbench.spec.units import GIB, MIB
from workbench.spec.weight_format import Kernel, WeightFormat

ROOT = Path(__file__).parents[3]
DATA = json.loads((ROOT / "tests/data/vllm/weights.json").read_text(encoding="utf-8"))
LIBRARY = Library(ROOT / "presets")
BF16_WEIGHTS = Precision(weights=WEIGHTS_16, kv=BF16)


@cache
def preset(model: str) -> ModelSpec:
    return LIBRARY.model(model).value


@cache
def precision(weights: str) -> Precision:
    return Precision(weights=LIBRARY.weight_format(weights).value, kv=BF16)


def stages(
    model: ModelSpec, used: Precision = BF16_WEIGHTS, *, draft: bool = False, **layout: int
) -> list[LoadedWeights]:
    deployment = Deployment(**layout)
    return [
        loaded_weights(model, used, deployment, stage, with_draft=draft)
        for stage in vllm_stages(model, deployment)
    ]


def part(loaded: LoadedWeights, code: str) -> int:
    return sum(one.bytes for one in loaded.parts if one.code == code)


def named(formula: Formula, name: str) -> int:
    """Bytes of a tensor of a layer or outside the layers."""
    (found,) = (
        term.value
        for whole in computed_terms(formula)
        if whole.formula
        for term in whole.formula.terms
        if term.symbol == name
    )
    assert isinstance(found, int)
    return found


# Against what was printed


@pytest.mark.parametrize(
    "anchor", DATA["anchors"], ids=lambda a: f"{a['model']}-{a['format']}-{a['gib']}"
)
def test_printed_weights(anchor: dict[str, Any]) -> None:
    layout = {name: anchor[name] for name in ("tp", "pp", "dp", "ep") if name in anchor}
    found = stages(preset(anchor["model"]), precision(anchor["format"]), **layout)
    fullest = max(found, key=lambda stage: stage.bytes)
    loaded = found[anchor["stage"]] if "stage" in anchor else fullest
    assert abs(loaded.bytes / GIB - anchor["gib"]) <= anchor["within_gib"]


def test_the_kernels_of_gpt_oss_are_a_band() -> None:
    (loaded,) = stages(preset("gpt-oss-120b"), precision("mxfp4"))
    assert loaded.low_bytes == loaded.bytes
    assert abs(loaded.bytes / GIB - 64.38) < 0.01  # Triton on Hopper
    assert abs(loaded.high_bytes / GIB - 65.97) < 0.03  # Marlin


def test_zero_points_of_symmetric_checkpoints_are_kept_by_one_kernel() -> None:
    (loaded,) = stages(preset("phi-4"), precision("gptq4-g128"))
    assert abs(loaded.low_bytes / GIB - 8.51) < 0.005
    assert loaded.high_bytes == loaded.bytes


# The sum can be checked


@pytest.mark.parametrize("layout", [{}, {"tp": 4}, {"tp": 2, "pp": 3}, {"tp": 2, "dp": 4, "ep": 8}])
@pytest.mark.parametrize(
    ("model", "weights"),
    [
        ("llama-3.1-8b", "awq4-g128"),
        ("qwen3.5-397b-a17b", "fp8-block128"),
        ("deepseek-v3", "fp8-block128"),
        ("gpt-oss-20b", "mxfp4"),
        ("gemma-3-12b-it", "bnb-nf4"),
        ("nvidia-nemotron-nano-9b-v2", "fp8-channel"),
        ("ai21-jamba-mini-1.5", "int8-wo"),
        ("deepseek-v4-flash", "deepseek-v4-fp4"),
    ],
)
def test_formulas_and_parts_add_up(model: str, weights: str, layout: dict[str, int]) -> None:
    for loaded in stages(preset(model), precision(weights), draft=True, **layout):
        assert evaluate(loaded.formula) == loaded.bytes == sum(one.bytes for one in loaded.parts)
        for term in computed_terms(loaded.formula):
            assert term.formula is not None
            assert evaluate(term.formula) == term.value
        assert loaded.low_bytes <= loaded.bytes <= loaded.high_bytes


def test_the_same_question_is_answered_once() -> None:
    model, used, deployment = preset("llama-3.1-8b"), precision("bf16"), Deployment(tp=2)
    first, second = (
        loaded_weights(model, used, deployment, vllm_stages(model, deployment)[0]) for _ in range(2)
    )
    assert first is second


def test_every_preset_loads() -> None:
    for item in LIBRARY.listed("models"):
        model = preset(item.reference)
        if model.has_weights:
            (loaded,) = stages(model)
            assert evaluate(loaded.formula) == loaded.bytes
            assert loaded.bytes >= 2 * model.parameters * 0.99


# Pipeline stages


def test_partition() -> None:
    assert vllm_partition(32, 4) == [8, 8, 8, 8]
    assert vllm_partition(61, 2) == [31, 30]
    assert vllm_partition(61, 4) == [15, 15, 16, 15]
    assert vllm_partition(63, 4) == [16, 16, 16, 15]
    assert vllm_partition(62, 8) == [7, 8, 8, 8, 8, 8, 8, 7]


def test_a_given_partition_wins() -> None:
    deployment = Deployment(pp=2, pp_partition=(20, 12))
    sizes = [stage.layer_count for stage in vllm_stages(preset("llama-3.1-8b"), deployment)]
    assert sizes == [20, 12]


# Layouts by hand


def small(**changes: Any) -> ModelSpec:
    """Two layers of 8 query and 2 KV heads of 64, hidden 512, feed-forward 1024."""
    attention = FullAttention(heads=8, kv_heads=2, head_dim=64)
    layer = (
        Tensor(name="input_layernorm", shape=(512,)),
        Tensor(name="self_attn.q_proj", shape=(512, 512), shard="q_heads", quantised=True),
        Tensor(name="self_attn.k_proj", shape=(128, 512), shard="kv_heads", quantised=True),
        Tensor(name="self_attn.v_proj", shape=(128, 512), shard="kv_heads", quantised=True),
        Tensor(name="self_attn.o_proj", shape=(512, 512), shard="o_heads", quantised=True),
        Tensor(name="mlp.gate_proj", shape=(1024, 512), shard="column", quantised=True),
        Tensor(name="mlp.up_proj", shape=(1024, 512), shard="column", quantised=True),
        Tensor(name="mlp.down_proj", shape=(512, 1024), shard="row", quantised=True),
    )
    outside = (
        StageTensor(name="model.embed_tokens", shape=(1000, 512), shard="vocab"),
        StageTensor(name="lm_head", shape=(1000, 512), shard="vocab", stage="last"),
    )
    values = {"layers": (LayerRun(count=2, mixer=attention, tensors=layer),), "tensors": outside}
    return ModelSpec(id="small", name="small", **(values | changes))


def sparse(experts: int = 10) -> ModelSpec:
    """One layer of experts of 512 × 256."""
    run = LayerRun(
        count=1,
        mixer=FullAttention(heads=8, kv_heads=8, head_dim=64),
        ffn="moe",
        tensors=(
            Tensor(name="self_attn.o_proj", shape=(512, 512), shard="o_heads", quantised=True),
            *(
                Tensor(
                    name=f"mlp.experts.{name}",
                    shape=(256, 512),
                    copies=experts,
                    shard="experts",
                    quantised=True,
                )
                for name in ("gate_proj", "up_proj")
            ),
            Tensor(
                name="mlp.experts.down_proj",
                shape=(512, 256),
                copies=experts,
                shard="experts",
                quantised=True,
            ),
        ),
    )
    moe = MixtureOfExperts(experts=experts, experts_per_token=2, expert_intermediate_size=256)
    return ModelSpec(id="sparse", name="sparse", layers=(run,), moe=moe)


def test_vocabulary_is_padded_to_64_then_divided() -> None:
    (loaded,) = stages(small(), tp=8)
    assert named(loaded.formula, "lm_head") == 1024 // 8 * 512 * 2


def test_kv_heads_are_copied_when_tp_exceeds_them() -> None:
    (loaded,) = stages(small(), tp=8)
    assert named(loaded.formula, "self_attn.qkv_proj") == (64 + 2 * 64) * 512 * 2


def test_projections_of_one_input_are_one_tensor() -> None:
    (loaded,) = stages(small())
    assert named(loaded.formula, "self_attn.qkv_proj") == (512 + 2 * 128) * 512 * 2
    assert named(loaded.formula, "mlp.gate_up_proj") == 2 * 1024 * 512 * 2


def test_a_part_left_in_16_bits_is_no_part_of_the_fused_tensor() -> None:
    fp8 = WeightFormat(id="fp8", name="FP8", bits=8, tensor_scale_bytes=4)
    used = Precision(weights=fp8, kv=BF16, left_alone=("*.v_proj", "mlp.*"))
    (loaded,) = stages(small(), used)
    assert named(loaded.formula, "self_attn.qkv_proj") == (512 + 128) * 512
    assert named(loaded.formula, "self_attn.qkv_proj.tensor_scales") == 2 * 4
    assert named(loaded.formula, "self_attn.v_proj") == 128 * 512 * 2
    assert named(loaded.formula, "mlp.down_proj") == 512 * 1024 * 2


def test_in_activation_order_the_scales_of_all_inputs_stay_on_every_rank() -> None:
    ordered = WeightFormat(
        id="g",
        name="g",
        bits=4,
        group_elements=128,
        group_scale_bytes=2,
        column_index_bytes=4,
        index_loaded=True,
    )
    (loaded,) = stages(small(), Precision(weights=ordered, kv=BF16), tp=2)
    assert named(loaded.formula, "mlp.down_proj") == 512 * 512 // 2
    assert named(loaded.formula, "mlp.down_proj.group_scales") == 512 * 1024 // 128 * 2
    assert named(loaded.formula, "mlp.down_proj.index") == 512 * 4


def test_a_tied_head_is_loaded_on_first_and_last_stage() -> None:
    tied = small(tensors=small().tensors[:1], tied_embeddings=True)
    first, last = stages(tied, pp=2)
    assert part(first, "embeddings") == part(last, "embeddings") == 1024 * 512 * 2
    (whole,) = stages(tied)
    assert part(whole, "embeddings") == 1024 * 512 * 2


def test_experts_are_divided_whole_or_inside() -> None:
    expert = 3 * 256 * 512 * 2
    assert part(stages(sparse())[0], "experts") == 10 * expert
    assert part(stages(sparse(), tp=2)[0], "experts") == 10 * expert // 2
    assert part(stages(sparse(), tp=2, dp=2)[0], "experts") == 10 * expert // 4
    # 10 experts over 4 ranks: the first two hold three.
    assert part(stages(sparse(), tp=2, dp=2, ep=4)[0], "experts") == 3 * expert


def test_kernels_round_up_the_sizes_of_experts_only() -> None:
    mx4 = WeightFormat(
        id="mx",
        name="mx",
        bits=4,
        group_elements=32,
        group_scale_bytes=1,
        kernels=(
            Kernel(kernel="columns", column_multiple=1024),
            Kernel(kernel="sizes", intermediate_multiple=384, hidden_multiple=1024),
        ),
    )
    (loaded,) = stages(sparse(1), Precision(weights=mx4, kv=BF16))
    elements = (2 * 256 * 1024 + 512 * 1024) // 2
    assert part(loaded, "experts") == elements + 3 * 256 * 512 // 32
    assert part(loaded, "attention") == 512 * 512 // 2 + 512 * 512 // 32
    larger = 3 * 384 * 1024 // 2 + 3 * 384 * 1024 // 32
    assert loaded.high_bytes - part(loaded, "attention") >= larger


def test_latent_attention_keeps_two_absorbed_matrices() -> None:
    latent = LatentAttention(
        heads=16, kv_lora_rank=512, qk_rope_head_dim=64, qk_nope_head_dim=128, v_head_dim=96
    )
    tensors = (Tensor(name="self_attn.o_proj", shape=(512, 16 * 96), shard="o_heads"),)
    model = small(layers=(LayerRun(count=3, mixer=latent, tensors=tensors),))
    (loaded,) = stages(model, tp=4)
    assert part(loaded, "absorbed") == 3 * 4 * 512 * (128 + 96) * 2


def test_rotary_tables_stand_on_every_stage() -> None:
    model = small(max_position_tokens=4096)
    assert [part(stage, "rotary") for stage in stages(model, pp=2)] == [4096 * 64 * 2] * 2


def test_only_layers_move_to_the_host() -> None:
    model, deployment = preset("deepseek-v2-lite"), Deployment()
    (stage,) = vllm_stages(model, deployment)
    kept = [
        loaded_weights(model, BF16_WEIGHTS, deployment, stage, cpu_offload_bytes=moved * GIB)
        for moved in (0, 1, 30)
    ]
    assert kept[0].bytes - kept[1].bytes == GIB
    assert abs(kept[2].bytes / GIB - 0.80) < 0.005  # printed by 0.7.2 with 30 GiB moved
    assert all(evaluate(each.formula) == each.bytes for each in kept)


def test_a_draft_module_shares_embedding_and_head_on_one_stage() -> None:
    vocabulary = StageTensor(name="embed_tokens", shape=(1000, 512), shard="vocab", stage="last")
    own = StageTensor(name="eh_proj", shape=(512, 1024), stage="last")
    model = small(draft=Component(name="mtp", tensors=(own, vocabulary)))
    assert part(stages(model)[0], "draft") == 0
    assert part(stages(model, draft=True)[0], "draft") == 512 * 1024 * 2
    first, last = stages(model, draft=True, pp=2)
    assert part(first, "draft") == 0
    assert part(last, "draft") == 512 * 1024 * 2 + 1024 * 512 * 2


# The allocator


@pytest.mark.parametrize(
    ("sizes", "total"),
    [
        ([1], 512),
        ([MIB], MIB),
        ([MIB + 1], MIB + 512),
        ([9 * MIB] * 3, 27 * MIB),  # two of a segment of 20 MiB, one of the next
        ([19 * MIB], 20 * MIB),  # a remainder of 1 MiB is not split off
        ([19 * MIB - 512], 19 * MIB - 512),
        ([31 * MIB], 32 * MIB),
        ([259 * MIB + MIB // 2], 260 * MIB),
        ([4 * MIB, 15 * MIB, 12 * MIB], 4 * MIB + 16 * MIB + 12 * MIB),
    ],
)
def test_what_counts_as_allocated(sizes: list[int], total: int) -> None:
    assert allocated_bytes([([(size, 1) for size in sizes], 1)]) == total


def test_more_tensors_never_take_less() -> None:
    sizes = [size * 700_001 for size in range(1, 60)]
    blocks = [(size, 1) for size in sizes]
    found = [allocated_bytes([(blocks[:count], 1)]) for count in range(len(blocks))]
    assert all(before < after for before, after in pairwise(found))


def test_a_made_up_model_is_not_followed_block_by_block() -> None:
    # 2^20 copies in 10,000 layers: as a list they would fill the memory.
    blocks = [(MIB + 1, 2**20), (513, 2**20)]
    total = allocated_bytes([(blocks, 10_000)])
    asked = 2**20 * 10_000 * (MIB + 512 + 1024)
    assert asked <= total < asked + 2**40


def test_copies_are_taken_as_one_by_one() -> None:
    blocks = [(2 * MIB + 1, 30), (9 * MIB, 7), (19 * MIB - 5, 3), (MIB + 700, 40), (8 * MIB, 9)]
    one_by_one = [(size, 1) for size, count in blocks for _ in range(count)]
    assert allocated_bytes([(blocks, 3)]) == allocated_bytes([(one_by_one, 1)] * 3)
