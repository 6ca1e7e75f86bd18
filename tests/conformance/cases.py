"""Recorded cases -> planner inputs, and planner results -> the recorded vocabulary.

A case that names a kind, family, type or key that is not known here fails its test.
"""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path
from typing import Any

from workbench.core.engines.vllm.hold import held, prompts_admitted
from workbench.core.engines.vllm.inputs import KernelBlocks, PlanInputs, PlanRefusal
from workbench.core.engines.vllm.layers import (
    AttentionKv,
    IndexKv,
    KvLayer,
    LatentKv,
    NoKv,
    StateKv,
)
from workbench.core.engines.vllm.plan import KvPlan, Prepared, plan, prepare
from workbench.library.engines import vllm_rules
from workbench.library.paths import presets_dir
from workbench.library.presets import Library
from workbench.spec.kv_format import KvFormat

Json = dict[str, Any]

DATA = Path(__file__).parents[1] / "data" / "vllm"
DEFAULT_CASES = DATA / "vllm_kv_cases.json"
DEFAULT_HOLDS = DATA / "vllm_hold_cases.json"
NEWEST = "0.33.0"
ELEMENT_BYTES = {"bfloat16": 2, "float16": 2, "float32": 4}
MOST_PROMPTS = 3000


def load(path: Path) -> list[Json]:
    cases = json.loads(path.read_text("utf-8"))["cases"]
    if not cases:
        raise ValueError(f"{path} holds no cases")
    return cases


# Inputs


def inputs_of(case: Json) -> PlanInputs:
    """Read a case; `expected` gives only the stages, which are no result of planning."""
    if case["engine"] != "vllm":
        raise ValueError(f"unknown engine {case['engine']}")
    given = dict(case["inputs"])
    shape = case["shape"]
    kinds = {
        name: _layer(kind, shape["state_dtypes"]) for name, kind in shape["layer_kinds"].items()
    }
    layers = tuple((kinds[name], count) for name, count in shape["layers_rle"])
    if sum(count for _, count in layers) != shape["num_layers"]:
        raise ValueError("the runs of layers do not add up")
    stages = tuple((first, last) for first, last in case["expected"]["stage_layer_ranges"])
    if len(stages) != given.pop("pipeline_parallel"):
        raise ValueError("stages do not match the pipeline")
    given.pop("available_bytes")
    inputs = PlanInputs(
        rules=vllm_rules(case["engine_version"], "v1"),
        layers=layers,
        stages=stages,
        kv=_kv_format(given.pop("kv_dtype")),
        max_model_len=given.pop("max_model_len"),
        max_num_batched_tokens=given.pop("max_batched_tokens"),
        max_num_seqs=given.pop("max_seqs"),
        fit_max_model_len=given.pop("fit_max_model_len"),
        model_element_bytes=ELEMENT_BYTES[given.pop("model_dtype")],
        tp=given.pop("tensor_parallel"),
        dcp=given.pop("decode_context_parallel"),
        kernels=(_kernel(given.pop("kernel_block_sizes")),),
        block_tokens=given.pop("block_size_flag"),
        override_blocks=given.pop("blocks_override"),
        prefix_caching=given.pop("prefix_caching"),
        hybrid_manager=given.pop("hybrid_manager"),
        layout=given.pop("layout"),
        async_scheduling=given.pop("async_scheduling"),
        second_generation_runner=given.pop("second_generation_runner"),
        speculative_tokens=given.pop("speculative_tokens"),
    )
    if given:
        raise ValueError(f"unknown inputs {sorted(given)}")
    return inputs


@lru_cache(maxsize=1)
def _library() -> Library:
    return Library(presets_dir())


@lru_cache(maxsize=64)
def _kv_format(name: str) -> KvFormat:
    return _library().kv_format(name).value


def _kernel(text: str) -> KernelBlocks:
    if text.startswith("mult"):
        return KernelBlocks((int(text.removeprefix("mult")),), multiples=True)
    return KernelBlocks(tuple(int(size) for size in text.split(",")))


def _layer(kind: Json, state_dtypes: list[str] | None) -> KvLayer:
    rest = dict(kind)
    name = rest.pop("type")
    layer = _build(name, rest, state_dtypes)
    if rest:
        raise ValueError(f"unknown keys of the kind {name}: {sorted(rest)}")
    return layer


def _build(name: str, rest: Json, state_dtypes: list[str] | None) -> KvLayer:
    """Take the keys of a kind out of `rest`."""
    match name:
        case "full" | "sliding" | "chunked" | "cross":
            k_dim = rest.pop("head_dim")
            reach = {"sliding": "window", "chunked": "chunk"}.get(name)
            if name == "cross":
                # The engine limits encoder tokens to the batch, whatever the encoder makes.
                rest.pop("encoder_tokens", None)
            return AttentionKv(
                name,
                rest.pop("kv_heads"),
                k_dim,
                rest.pop("head_dim_v", k_dim),
                rest.pop(reach) if reach else 0,
            )
        case "mla":
            return LatentKv(rest.pop("latent"), rest.pop("rope"))
        case "mla_index":
            return IndexKv(rest.pop("index_dim"))
        case "none" | "shared":
            return NoKv()
        case "state":
            assert state_dtypes
            return _state(rest, [ELEMENT_BYTES[name] for name in state_dtypes])
    raise ValueError(f"unknown kind of layer {name}")


def _state(rest: Json, element_bytes: list[int]) -> StateKv:
    """Return a recurrent layer; shapes of vllm.md §4.2 before tensor parallelism."""
    families = {
        "mamba1": "mamba1",
        "mamba2": "mamba2",
        "gated_delta": "gdn",
        "kda": "kda",
        "linear": "linear",
        "short_conv": "conv",
    }
    family = families[rest.pop("family")]
    rows = rest.pop("conv") - 1 if family != "linear" else 0
    channels, groups, group_channels = 0, 0, 0
    state_shape: tuple[int, ...] = ()
    match family:
        case "mamba1":
            channels = rest.pop("intermediate")
            state_shape = (channels, rest.pop("state"))
        case "mamba2":
            channels, groups, size = (rest.pop(k) for k in ("intermediate", "groups", "state"))
            group_channels = 2 * size
            state_shape = (rest.pop("heads"), rest.pop("head_dim"), size)
        case "gdn":
            k_heads, k_dim = rest.pop("k_heads"), rest.pop("k_dim")
            v_heads, v_dim = rest.pop("v_heads"), rest.pop("v_dim")
            channels = 2 * k_heads * k_dim + v_heads * v_dim
            state_shape = (v_heads, v_dim, k_dim)
        case "kda":
            heads, size = rest.pop("heads"), rest.pop("head_dim")
            channels = 3 * heads * size
            state_shape = (heads, size, size)
        case "linear":
            heads, size = rest.pop("heads"), rest.pop("head_dim")
            state_shape = (heads, size, size)
        case "conv":
            channels = rest.pop("intermediate")
    return StateKv(
        family=family,
        conv_rows=rows,
        conv_channels=channels,
        groups=groups,
        group_channels=group_channels,
        state_shape=state_shape,
        conv_element_bytes=element_bytes[0],
        state_element_bytes=element_bytes[-1],
        checkpoint_blocks=rest.pop("checkpoint_blocks"),
    )


# Results


def results_of(case: Json) -> Json:
    """Plan a case and return what the vocabulary's `exact` names, in its own words."""
    prepared = prepare(inputs_of(case))
    if isinstance(prepared, PlanRefusal):
        return {"error": _error(prepared)}
    made = plan(prepared, tuple(case["inputs"]["available_bytes"]))
    if isinstance(made, PlanRefusal):
        return {"error": _error(made)}
    results: Json = {
        "error": None,
        "num_blocks": made.num_blocks,
        "kv_tokens": made.kv_tokens,
        "max_concurrency": made.max_concurrency,
        "max_concurrency_text": f"{made.max_concurrency:.2f}x",
        "kv_tensor_bytes_by_stage": list(made.kv_bytes_by_stage),
        "blocks_before_min_by_stage": list(made.blocks_before_min_by_stage),
        "resolved_block_size": prepared.block_tokens,
        "effective_max_model_len": made.effective_max_model_len,
        "groups": _groups(prepared, case["expected"].get("groups_scope", "whole_model")),
    }
    if case["engine_version"] == NEWEST:
        results |= _newest(prepared, made)
    if "hold_inputs" in case:
        results["hold"] = _hold(prepared, made, case["hold_inputs"])
    return results


def _error(refusal: PlanRefusal) -> Json:
    return {
        "category": refusal.category,
        "suggested_max_len": refusal.suggested_max_model_len,
    }


def _groups(prepared: Prepared, scope: str) -> list[Json]:
    """Return the groups as recorded; whole, or the first stage's share of each."""
    if scope not in ("whole_model", "first_stage"):
        raise ValueError(f"unknown scope {scope}")
    groups = []
    for group in prepared.groups:
        indices = list(group.layer_indices)
        page_bytes = group.page_bytes
        if scope == "first_stage":
            first, last = prepared.inputs.stages[0]
            indices = [index for index in indices if first <= index < last]
            if group.per_layer_pages:
                page_bytes = group.bytes_in(first, last)
        groups.append(
            {
                "block_tokens": group.block_tokens,
                "layer_indices": indices,
                "layers": len(indices),
                "page_bytes": page_bytes,
                "per_layer_pages": group.per_layer_pages,
            }
        )
    return groups


def _newest(prepared: Prepared, made: KvPlan) -> Json:
    return {
        "bytes_per_block_by_stage": list(prepared.bytes_per_block),
        "blocks_per_request_by_group": list(made.blocks_per_request),
        "bytes_needed_for_one_request_by_stage": list(prepared.needed_bytes),
        "reported_block_size": prepared.reported_block_tokens,
        "scheduler_block_tokens": prepared.scheduler_block_tokens,
        "hash_block_tokens": prepared.hash_block_tokens,
    }


def _hold(prepared: Prepared, made: KvPlan, given: Json) -> Json:
    unknown = given.keys() - {"prompt_tokens", "output_tokens", "watermark"}
    if unknown:
        raise ValueError(f"unknown hold inputs {sorted(unknown)}")
    one = held(prepared, given["prompt_tokens"], given["output_tokens"])
    admitted = prompts_admitted(
        prepared,
        made.num_blocks,
        given["prompt_tokens"],
        watermark=given["watermark"],
        limit=MOST_PROMPTS,
    )
    return {
        "blocks_held_after_prompt": list(one.after_prompt),
        "blocks_held_at_end": list(one.at_end),
        "peak_blocks_held": list(one.peak),
        "prompts_admitted_together": admitted,
        "capped_at_3000": admitted == MOST_PROMPTS,
        "usable_blocks_at_start": made.num_blocks - 1,
    }


# Comparison

_EXACT = (
    "num_blocks",
    "kv_tokens",
    "max_concurrency",
    "kv_tensor_bytes_by_stage",
    "resolved_block_size",
    "effective_max_model_len",
)
_EXACT_GROUP = ("layer_indices", "block_tokens", "page_bytes", "per_layer_pages", "layers")
_EXACT_NEWEST = (
    "blocks_before_min_by_stage",
    "bytes_per_block_by_stage",
    "blocks_per_request_by_group",
    "bytes_needed_for_one_request_by_stage",
    "reported_block_size",
    "scheduler_block_tokens",
    "hash_block_tokens",
)


def differences(case: Json) -> list[str]:
    """Name everything in which the planner differs from the recorded case."""
    expected, results = case["expected"], results_of(case)
    wanted = expected["error"]
    if wanted is not None:
        known = {key: wanted[key] for key in ("category", "suggested_max_len")}
        return _compare("error", known, results["error"])
    if results["error"] is not None:
        return _compare("error", None, results["error"])
    keys = list(_EXACT)
    if case["engine_version"] == NEWEST:
        keys += _EXACT_NEWEST
    elif "blocks_before_min_by_stage" in expected:
        keys.append("blocks_before_min_by_stage")
    if "hold_inputs" in case:
        keys.append("hold")
    found = [text for key in keys for text in _compare(key, expected[key], results[key])]
    found += _compare("number of groups", len(expected["groups"]), len(results["groups"]))
    for number, (want, have) in enumerate(zip(expected["groups"], results["groups"], strict=False)):
        for key in _EXACT_GROUP:
            # Which layers share a group matters, not the order they are listed in.
            wanted_value = sorted(want[key]) if key == "layer_indices" else want[key]
            found += _compare(f"groups[{number}].{key}", wanted_value, have[key])
    return found


def _compare(name: str, expected: object, found: object) -> list[str]:
    same = type(expected) is type(found) and expected == found
    return [] if same else [f"{name}: expected {expected!r}, found {found!r}"]
