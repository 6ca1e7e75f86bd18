"""Every built-in model: exact counts, what it caches, the names it answers to."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from pydantic_core import from_json

from tests.library.samples import builtin
from workbench.library import paths, preset_file
from workbench.library.check import report
from workbench.library.figures import kept
from workbench.library.headline import headline
from workbench.library.presets import KINDS, Library
from workbench.spec.layers import (
    ChunkedAttention,
    CompressedAttention,
    CrossAttention,
    LatentAttention,
    ParallelMixer,
    RecurrentState,
    SharedCache,
    SlidingAttention,
)
from workbench.spec.model import Component, ModelSpec, Tensor

COUNTS: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data" / "models" / "parameters.json").read_text("utf-8")
)["models"]


@cache
def model(name: str) -> ModelSpec:
    return builtin().model(name).value


def size(part: Component | None) -> int:
    return 0 if part is None else part.parameters


@pytest.mark.parametrize("hf_id", COUNTS)
def test_parameters_are_exact(hf_id: str) -> None:
    spec, row = model(hf_id), COUNTS[hf_id]
    assert spec.hf_id == hf_id
    assert spec.all_parameters == row["total"]
    assert spec.parameters == row["decoder"]
    assert spec.active_parameters == row["active"]
    assert [size(spec.draft), size(spec.vision), size(spec.audio)] == [
        row.get(part, 0) for part in ("draft", "vision", "audio")
    ]
    assert kept(spec).growing == row["full_context_elements"]
    assert spec.published_parameters == row.get("published")
    if spec.published_parameters is not None:
        given = spec.published_parameters - (spec.published_non_parameters or 0)
        assert spec.all_parameters - given == row.get("difference", 0)


def test_how_many_counts_are_confirmed() -> None:
    published = [row for row in COUNTS.values() if "published" in row]
    assert len(COUNTS) == 246
    assert len([row for row in published if not row.get("difference")]) == 228
    assert {hf_id: row["difference"] for hf_id, row in COUNTS.items() if "difference" in row} == {
        "XiaomiMiMo/MiMo-V2-Flash": -576,
        "mistralai/Mistral-Large-3-675B-Instruct-2512": -1_578_910_208,
        "moonshotai/Kimi-K3": -2_689_184,
    }


def test_counts_are_those_of_the_facts(shared: Path) -> None:
    facts = json.loads((shared / "facts" / "models.json").read_bytes())
    assert {fact["id"]: fact["params"]["total"] for fact in facts} == {
        hf_id: row["total"] for hf_id, row in COUNTS.items()
    }


def test_every_name_finds_its_preset() -> None:
    library = builtin()
    for item in library.listed("models"):
        names = {item.id, *item.aliases, *(name.rpartition("/")[2] for name in item.aliases)}
        for name in names | {name.lower() for name in names}:
            assert library.find("models", name).value.id == item.id


def test_check_compares_every_figure() -> None:
    found = report(builtin())
    assert [problem for problem in found.problems if problem.kind in ("models", "gpus")] == []
    apart = [item for item in found.compared if item.figure.found != item.figure.expected]
    assert {item.reference for item in apart} == {
        "builtin:kimi-k3",
        "builtin:mimo-v2-flash",
        "builtin:mistral-large-3-675b-instruct-2512",
    }
    figures: dict[str, int] = {}
    for item in found.compared:
        figures[item.figure.name] = figures.get(item.figure.name, 0) + 1
    assert figures["published parameters"] == 231
    assert figures["counted parameters"] == figures["active parameters"] == 246
    # Every layer of Mistral-7B-v0.1 and StarCoder2 has a window: nothing grows for good.
    assert figures["KV bytes a token at 16 bits"] == 244


def test_lists_read_names_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> object:
        raise AssertionError("a list validated a built-in preset")

    monkeypatch.setattr(preset_file, "loads", refuse)
    library = Library(paths.presets_dir())
    assert len(library.listed("models")) == 247
    assert all(item.problem is None for kind in KINDS for item in library.listed(kind))


def test_headlines_are_what_the_files_hold() -> None:
    for kind in KINDS:
        for path in sorted((paths.presets_dir() / kind).glob("*.json")):
            value = from_json(path.read_bytes())["preset"]
            other = (value.get("hf_id"), *value.get("aliases", ()))
            names = tuple(name for name in other if name)
            group = value.get("family") or value.get("vendor") or ""
            assert headline(path.read_bytes()) == (value["name"], names, group)


def test_headline_of_a_file_in_another_style() -> None:
    data = json.dumps({"preset": {"name": "One", "hf_id": "a/One", "aliases": ["b/One"]}})
    assert headline(data.encode()) == ("One", ("a/One", "b/One"), "")
    with pytest.raises(KeyError):
        headline(b'{"preset": {}}')


# What is quantised, and what is not


def every_tensor() -> list[tuple[str, Tensor]]:
    return [
        (item.id, tensor)
        for item in builtin().listed("models")
        for run in model(item.id).layers
        for tensor in run.tensors
    ]


def test_names_tell_what_a_format_quantises() -> None:
    never = ("norm", "bias", "conv", "mlp.gate", "A_log", "sinks", ".D", "dt_bias", "gate.scale")
    for preset_id, tensor in every_tensor():
        if tensor.name.endswith("_proj"):
            # The router of a block-sparse indexer and joining projections are no decoder layer.
            assert tensor.quantised or tensor.name.endswith(("weights_proj", "eh_proj")), preset_id
            assert len(tensor.shape) == 2
        if tensor.name.endswith(never) or len(tensor.shape) == 1:
            assert not tensor.quantised, (preset_id, tensor.name)
        if tensor.name.startswith("mlp.experts."):
            assert tensor.shard in ("experts", "experts_whole")
            assert tensor.copies == model(preset_id).moe.experts


def test_heads_divide_into_the_rows_they_name() -> None:
    for item in builtin().listed("models"):
        for run in model(item.id).layers:
            mixer = run.mixer.attention if isinstance(run.mixer, ParallelMixer) else run.mixer
            for tensor in run.tensors:
                if tensor.shard == "kv_heads":
                    assert tensor.shape[0] % mixer.kv_heads == 0
                if tensor.shard == "q_heads":
                    assert tensor.shape[0] % mixer.heads == 0


# What layers keep: figures worked out by hand from the published shapes


def kinds(name: str, kind: type) -> list[Any]:
    return [
        run.mixer
        for run in model(name).layers
        for _ in range(run.count)
        if isinstance(run.mixer, kind)
    ]


def test_latent_attention() -> None:
    layers = kinds("deepseek-ai/DeepSeek-V3.2", LatentAttention)
    assert len(layers) == 61
    assert {(m.kv_lora_rank + m.qk_rope_head_dim, m.indexer.head_dim) for m in layers} == {
        (576, 128)
    }
    own = [m for m in kinds("zai-org/GLM-5.2", LatentAttention) if m.indexer]
    assert len(own) == 21


def test_windows_chunks_and_shared_caches() -> None:
    windows = kinds("google/gemma-3-27b-it", SlidingAttention)
    assert (len(windows), {m.window_tokens for m in windows}) == (52, {1024})
    chunks = kinds("meta-llama/Llama-4-Scout-17B-16E-Instruct", ChunkedAttention)
    assert (len(chunks), {m.chunk_tokens for m in chunks}) == (36, {8192})
    readers = kinds("google/gemma-3n-E4B-it", SharedCache)
    assert {(m.source_layer, m.window_tokens) for m in readers} == {(19, None), (18, 512)}
    assert len(kinds("tencent/Tencent-Hunyuan-Large", SharedCache)) == 32
    cross = kinds("meta-llama/Llama-3.2-11B-Vision-Instruct", CrossAttention)
    assert (len(cross), {m.encoder_tokens for m in cross}) == (8, {4 * 1601})


def test_states() -> None:
    (mixer,) = set(kinds("Qwen/Qwen3.5-397B-A17B", RecurrentState))
    conv, state = mixer.tensors
    assert (conv.shape, state.shape) == ((2 * 16 * 128 + 64 * 128, 3), (64, 128, 128))
    assert (conv.dtype, state.dtype) == (None, "fp32")
    (mixer,) = set(kinds("nvidia/NVIDIA-Nemotron-Nano-9B-v2", RecurrentState))
    assert len(kinds("nvidia/NVIDIA-Nemotron-Nano-9B-v2", RecurrentState)) == 27
    assert mixer.tensors[0].shape == (10_240 + 2 * 8 * 128, 3)
    assert (mixer.groups, mixer.group_rows) == (8, 2 * 8 * 128)
    assert [mixer.groups_with(tp) for tp in (1, 2, 8, 16)] == [8, 8, 8, 16]
    both = kinds("tiiuae/Falcon-H1-34B-Instruct", ParallelMixer)
    assert len(both) == model("tiiuae/Falcon-H1-34B-Instruct").layer_count
    assert both[0].state.tensors[1].shape == (32, 128, 256)
    (lightning,) = set(kinds("MiniMaxAI/MiniMax-Text-01", RecurrentState))
    assert [tensor.name for tensor in lightning.tensors] == ["state"]


def test_compressed_attention_and_its_first_layers_without_a_router_bias() -> None:
    layers = kinds("deepseek-ai/DeepSeek-V4-Flash", CompressedAttention)
    assert [m.compress_ratio for m in layers].count(4) == 21
    spec = model("deepseek-ai/DeepSeek-V4-Flash")
    biased = [
        any(tensor.name.endswith("e_score_correction_bias") for tensor in run.tensors)
        for run in spec.layers
        for _ in range(run.count)
    ]
    assert biased == [False] * 3 + [True] * 40


def test_rotary_tables() -> None:
    def tables(name: str) -> list[tuple[int, int]]:
        return [(table.positions, table.width) for table in model(name).rotary_tables]

    assert tables("meta-llama/Llama-3.1-8B") == [(131_072, 128)]
    assert tables("deepseek-ai/DeepSeek-V3") == [(163_840, 64)]
    # The two holes of the facts, and three axes of positions.
    assert tables("google/gemma-3-27b-it") == [(131_072, 128), (8 * 131_072, 128)]
    assert tables("Qwen/Qwen3-Next-80B-A3B-Instruct") == [(262_144, 64)]
    assert tables("Qwen/Qwen2.5-VL-72B-Instruct") == [(4 * 128_000, 128)]
    assert tables("openai-community/gpt2") == []
    assert tables("tiiuae/Falcon-H1-7B-Instruct") == [
        (model("falcon-h1-7b-instruct").max_position_tokens, 128)
    ]
