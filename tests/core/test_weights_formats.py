"""Weight formats against the bytes of published checkpoints, and what each leaves alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from workbench.core.memory.weights import stored_parts, tensor_bytes
from workbench.library.presets import Library
from workbench.spec.model import Component, ModelSpec, StageTensor
from workbench.spec.weight_format import Storage, StoredAs, WeightFormat

ROOT = Path(__file__).parents[2]
DATA = json.loads((ROOT / "tests/data/vllm/weights.json").read_text(encoding="utf-8"))
LIBRARY = Library(ROOT / "presets")


def bytes_of(part: ModelSpec | Component, used: WeightFormat) -> int:
    in_layers = sum(
        run.count * sum(tensor_bytes(tensor, used, 1, run.mixer) for tensor in run.tensors)
        for run in part.layers
    )
    return in_layers + sum(tensor_bytes(tensor, used) for tensor in part.tensors)


@pytest.mark.parametrize(
    "checkpoint", DATA["checkpoints"], ids=lambda c: f"{c['model']}-{c['format']}"
)
def test_bytes_of_published_checkpoints(checkpoint: dict[str, Any]) -> None:
    model = LIBRARY.model(checkpoint["model"]).value
    stored = LIBRARY.weight_format(checkpoint["format"]).value
    used = stored.for_model(has_experts=model.moe is not None)
    found = bytes_of(model, used)
    for tower in (model.vision, model.audio):
        found += 0 if tower is None else bytes_of(tower, used)
    if model.draft is not None:
        found += bytes_of(model.draft, stored.for_draft())
    assert found == checkpoint["bytes"]


def test_what_qwen_quantises_to_fp8() -> None:
    """Qwen3.5-27B-FP8 holds 24,699,207,680 elements in 8 bits, its draft module included."""
    model, stored = LIBRARY.model("qwen3.5-27b").value, LIBRARY.weight_format("fp8-block128").value
    assert model.draft is not None
    found = sum(
        run.count * tensor.elements
        for run in (*model.layers, *model.draft.layers)
        for tensor in run.tensors
        if stored.storage_of(tensor.name, tensor.quantised) is not None
    )
    assert found == 24_699_207_680


@pytest.mark.parametrize(
    ("weights", "bits"),
    [
        ("bf16", 16),
        ("fp32", 32),
        ("awq4-g128", 4.15625),
        ("gptq4-g128", 4.15625 + 32 / 4096),
        ("gptq8-g128", 8.1875 + 32 / 4096),
        ("ct-w4a16-g128", 4.125 + 128 / 4096**2),
        ("mxfp8", 8.25),
        ("nvfp4", 4.5 + 64 / 4096**2),
        ("fp8-block128", 8 + 32 / 128**2),
        ("fp8-channel", 8 + 32 / 4096),
        ("bnb-nf4", 4 + 8 / 64 + 32 / (64 * 256) + 8 * 1092 / 4096**2),
        ("mlx6-g64", 6.5),
        ("mlx3-g64", 3.5),
        ("gguf-q8-0", 8.5),
        ("gguf-q6-k", 6.5625),
        ("gguf-q4-0", 4.5),
    ],
)
def test_bits_of_an_element(weights: str, bits: float) -> None:
    stored = LIBRARY.weight_format(weights).value
    total = sum(stored_parts(stored, 4096, 4096).values())
    assert total * 8 == pytest.approx(bits * 4096**2, abs=8)


@pytest.mark.parametrize(
    ("weights", "bits"), [("gguf-q4-k-m", 4.8944), ("gguf-q5-k-m", 5.7036), ("gguf-q3-k-l", 4.2979)]
)
def test_gguf_file_types_on_the_model_they_are_published_for(weights: str, bits: float) -> None:
    model, stored = LIBRARY.model("llama-3.1-8b").value, LIBRARY.weight_format(weights).value
    assert stored.approximate
    assert bytes_of(model, stored) * 8 / model.parameters == pytest.approx(bits, rel=3e-4)


def test_rounding_of_groups_tiles_and_blocks() -> None:
    tiles = Storage(bits=8, tile_rows=128, tile_columns=128, tile_scale_bytes=4)
    assert stored_parts(tiles, 129, 200) == {"elements": 129 * 200, "tile_scales": 2 * 2 * 4}
    zeros = Storage(bits=4, group_elements=128, group_scale_bytes=2, group_zero_bits=4)
    assert stored_parts(zeros, 3, 130) == {
        "elements": 195,
        "group_scales": 3 * 2 * 2,
        "group_zeros": 3,
    }
    block = Storage(bits=5, block_elements=256, block_bytes=144)
    assert stored_parts(block, 10, 512) == {"elements": 10 * 2 * 144}


def test_what_is_quantised() -> None:
    stored = WeightFormat(
        id="w",
        name="w",
        bits=4,
        left_alone=("vision tower (usually)", "*.shared_experts.*"),
        quantised_also=("lm_head",),
        mixture=(StoredAs(patterns=("*.experts.*",), bits=2),),
    )
    assert stored.storage_of("lm_head", quantised=False) is stored
    assert stored.storage_of("self_attn.q_proj", quantised=True) is stored
    assert stored.storage_of("self_attn.q_proj", quantised=False) is None
    assert stored.storage_of("self_attn.q_proj", True, ("self_attn.*",)) is None
    assert stored.storage_of("mlp.shared_experts.up_proj", quantised=True) is None
    experts = stored.storage_of("mlp.experts.up_proj", quantised=True)
    assert experts is not None
    assert experts.bits == 2


@pytest.mark.parametrize(
    ("weights", "router", "dense", "expert"),
    [
        ("fp8-block128", False, True, True),
        ("mxfp4", False, False, True),
        ("ct-int4-g32", False, False, True),
        ("nvfp4", False, False, True),
        ("int8-wo", False, False, True),
        ("bf16", False, True, True),
    ],
)
def test_formats_of_sparse_models(weights: str, router: bool, dense: bool, expert: bool) -> None:
    stored = LIBRARY.weight_format(weights).value.for_model(has_experts=True)
    names = (("mlp.gate", False, router), ("mlp.gate_proj", True, dense))
    for name, is_matrix, expected in (*names, ("mlp.experts.gate_proj", True, expert)):
        assert (stored.storage_of(name, is_matrix) is not None) is expected


NAMES = """
awq, gptq, gptq_marlin, awq_marlin, compressed-tensors W8A8-FP8, modelopt_fp4, modelopt nvfp4,
bitsandbytes, ptpc_fp8, fbgemm_fp8, mxfp8, gpt_oss_mxfp4, experts_int8, fp8_block128, awq4_g128,
gguf q4_k_m, fp32, deepseek_v4_fp8
"""


@pytest.mark.parametrize("name", [name.strip() for name in NAMES.split(",")])
def test_names_that_engines_and_logs_use(name: str) -> None:
    assert LIBRARY.weight_format(name).value


def test_every_preset_of_a_format_is_readable_and_no_name_means_two() -> None:
    listed = LIBRARY.listed("formats/weights")
    assert all(item.problem is None for item in listed)
    names = [
        name
        for item in listed
        for name in {text.casefold() for text in (item.id, item.name, *item.aliases)}
    ]
    assert {name for name in names if names.count(name) > 1} == set()


def test_a_tensor_of_one_dimension_is_one_row() -> None:
    norm = StageTensor(name="model.norm", shape=(100,))
    stored = WeightFormat(id="w", name="w", bits=4, quantised_also=("*",), row_scale_bytes=2)
    assert tensor_bytes(norm, stored) == 50 + 2
