"""Planner inputs of well-known shapes, for tests."""

from __future__ import annotations

from typing import Any

from workbench.core.engines.vllm.inputs import PlanInputs, PlanRefusal
from workbench.core.engines.vllm.layers import (
    AttentionKv,
    IndexKv,
    KvRun,
    LatentKv,
    NoKv,
    StateKv,
)
from workbench.core.engines.vllm.plan import KvPlan, Prepared, plan, prepare
from workbench.library.engines import vllm_rules
from workbench.library.paths import presets_dir
from workbench.library.presets import Library
from workbench.spec.kv_format import KvFormat

_LIBRARY = Library(presets_dir())


def kv_format(name: str) -> KvFormat:
    return _LIBRARY.kv_format(name).value


def full(kv_heads: int, head_dim: int) -> AttentionKv:
    return AttentionKv("full", kv_heads, head_dim, head_dim)


def sliding(kv_heads: int, head_dim: int, window: int) -> AttentionKv:
    return AttentionKv("sliding", kv_heads, head_dim, head_dim, window)


def chunked(kv_heads: int, head_dim: int, chunk: int) -> AttentionKv:
    return AttentionKv("chunked", kv_heads, head_dim, head_dim, chunk)


DEEPSEEK_ROW = LatentKv(512, 64)
QWEN3_NEXT_STATE = StateKv("gdn", 3, 2 * 16 * 128 + 32 * 128, 0, 0, (32, 128, 128), 2, 2)
NEMOTRON_H_STATE = StateKv("mamba2", 3, 8192, 8, 2 * 128, (128, 64, 128), 2, 4, 1)

LLAMA_8B: tuple[KvRun, ...] = ((full(8, 128), 32),)
GPT_OSS_20B: tuple[KvRun, ...] = ((sliding(8, 64, 128), 1), (full(8, 64), 1)) * 12
GEMMA_3_27B: tuple[KvRun, ...] = (
    *(((sliding(16, 128, 1024), 5), (full(16, 128), 1)) * 10),
    (sliding(16, 128, 1024), 2),
)
QWEN3_NEXT: tuple[KvRun, ...] = ((QWEN3_NEXT_STATE, 3), (full(2, 256), 1)) * 12
NEMOTRON_H_8B: tuple[KvRun, ...] = (
    *(((NEMOTRON_H_STATE, 1), (NoKv(), 1)) * 24),
    *(((full(8, 128), 1), (NEMOTRON_H_STATE, 1)) * 3),
    (full(8, 128), 1),
)
DEEPSEEK_V3_2: tuple[KvRun, ...] = ((DEEPSEEK_ROW, 1), (IndexKv(128), 1)) * 61


def inputs(layers: tuple[KvRun, ...], release: str = "0.33.0", **more: Any) -> PlanInputs:
    """Return inputs on one rank, of 128k tokens at most and batches of 8k."""
    entries = sum(count for _, count in layers)
    values: dict[str, Any] = {
        "rules": vllm_rules(release),
        "layers": layers,
        "stages": ((0, entries),),
        "kv": kv_format("auto"),
        "max_model_len": 131_072,
        "max_num_batched_tokens": 8192,
    }
    return PlanInputs(**values | more)


def prepared(given: PlanInputs) -> Prepared:
    result = prepare(given)
    assert isinstance(result, Prepared), result
    return result


def planned(given: PlanInputs, *available_bytes: int) -> KvPlan:
    result = plan(prepared(given), available_bytes)
    assert isinstance(result, KvPlan), result
    return result


def refused(given: PlanInputs, *available_bytes: int) -> PlanRefusal:
    made = prepare(given)
    result = made if isinstance(made, PlanRefusal) else plan(made, available_bytes)
    assert isinstance(result, PlanRefusal), result
    return result
