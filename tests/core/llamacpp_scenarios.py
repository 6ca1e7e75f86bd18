"""Random scenarios of llama.cpp over the real presets: every kind of layer, card and build."""

from __future__ import annotations

import os
from functools import cache
from random import Random
from typing import Any

from tests.core.vllm_scenarios import CARDS, MODELS, _reserves, _workload, card, start
from workbench.core.budget import budget
from workbench.core.engines.llamacpp.fit import start_of
from workbench.core.engines.llamacpp.start import Start
from workbench.library.engine_choice import with_engine
from workbench.spec.ledger import Ledger
from workbench.spec.llamacpp import LlamacppEngine
from workbench.spec.scenario import Scenario
from workbench.spec.units import GIB
from workbench.spec.workload import Workload

BUILDS = (
    *("b1761", "b2961", "b4020", "b5080", "b5430", "b5636", "b6000", "b6500", "b7079"),
    *("b7410", "b8000", "b11312", "b11312", "b11312", "b20000"),
)
WEIGHT_FORMATS = (
    *("gguf-q4-k-m", "gguf-q4-k-m", "gguf-q8-0", "gguf-iq3-xs", "gguf-q2-k", "gguf-mxfp4-moe"),
    *("bf16", "fp8", "fp32", "gguf-q5-k-s"),
)
KV_FORMATS = (
    *("bf16", "bf16", "llamacpp-q8-0", "llamacpp-q4-0", "llamacpp-iq4-nl", "fp32", "fp8"),
)
COUNT = int(os.environ.get("KVW_LLAMACPP_SCENARIOS", "300"))
"""How many are tried; a larger number is for a quiet evening."""
SEEDS_OF_A_MACHINE = 6


def llamacpp(
    model: str = "llama-3.1-8b",
    gpu: str = "rtx-4090",
    build: str = "b11312",
    *,
    weights: str = "gguf-q4-k-m",
    flags: dict[str, Any] | None = None,
    **parts: Any,
) -> Scenario:
    """A scenario of llama.cpp with some flags."""
    scenario = with_engine(start(model, gpu, weights=weights, **parts), "llamacpp", build)
    return flagged(scenario, **(flags or {}))


def flagged(scenario: Scenario, **flags: Any) -> Scenario:
    """The scenario with flags of its engine changed."""
    assert isinstance(scenario.engine, LlamacppEngine)
    return scenario.with_(engine=scenario.engine.with_(**flags))


def started(scenario: Scenario) -> Start:
    """The start of a scenario that the engine has rules for."""
    found = start_of(scenario)
    assert isinstance(found, Start), found
    return found


def _flags(pick: Random, total: int) -> dict[str, Any]:
    types = ("f16", "q8_0", "q4_0", "f32", "bf16", "q5_1", "iq4_nl")
    flags: dict[str, Any] = {
        "program": pick.choice(("server", "tools", "ollama")),
        "ctx_size": pick.choice((1, 31, 257, 4096, 8000, 32_768, 131_072, 10**7)),
        "parallel": pick.choice((1, 2, 3, 4, 16, 257)),
        "kv_unified_per_slot": pick.choice((256, 4096, 100_000)),
        "batch_size": pick.choice((1, 100, 512, 4096)),
        "ubatch_size": pick.choice((1, 128, 512, 2048)),
        "gpu_layers": pick.choice((0, 1, 10, 33, 999)),
        "cpu_moe_layers": pick.choice((0, 1, 8, 999)),
        "split_mode": pick.choice(("layer", "row", "tensor", "none")),
        "tensor_split": pick.choice(((0.5, 0.5), (0.9, 0.1, 0.3), (0.0, 1.0), (0.0,), ())),
        "cache_type_k": pick.choice(types),
        "cache_type_v": pick.choice(types),
        "fit_margin_bytes": pick.choice((0, GIB // 2, 8 * GIB, total)),
        "fit_context_tokens": pick.choice((1, 512, 4096, 10**6)),
        "weights_bytes": pick.choice((0, 1, total // 3, total, 3 * total)),
        "context_bytes": pick.choice((0, GIB, 2 * total)),
        "gpu_overhead_bytes": pick.choice((0, GIB, 2 * total)),
        "host_memory_bytes": pick.choice((0, GIB, 64 * GIB, 4096 * GIB)),
    }
    for name in ("kv_unified", "flash_attention", "swa_full", "kv_offload", "fit"):
        flags[name] = pick.random() < 0.5
    share = pick.choice((0.0, 0.1, 0.2, 0.5))
    return {name: value for name, value in flags.items() if pick.random() < share}


@cache
def _machine(seed: int) -> Scenario:
    pick = Random(f"llamacpp machine {seed}")
    gpu = card(pick.choice(CARDS))
    if pick.random() < 0.2:
        total = max(1, int(gpu.device_total_bytes * pick.choice((1e-9, 0.01, 0.3, 2, 20))))
        gpu = gpu.with_(device_total_bytes=total)
    scenario = llamacpp(
        pick.choice(MODELS),
        build=pick.choice(BUILDS),
        weights=pick.choice(WEIGHT_FORMATS),
        kv=pick.choice(KV_FORMATS),
    )
    cards = {"tp": pick.choice((1, 1, 2, 4)), "pp": pick.choice((1, 1, 2))}
    cards["replicas"] = pick.choice((1, 1, 3))
    return scenario.with_(gpu=gpu, deployment=scenario.deployment.with_(**cards))


def random_llamacpp(seed: int) -> Scenario:
    """One random scenario of a seed; models of every kind come up equally often."""
    pick, machine = Random(f"llamacpp {seed}"), _machine(seed // SEEDS_OF_A_MACHINE)
    total = machine.gpu.device_total_bytes
    limit = min(machine.model.max_position_tokens or 100_000, pick.choice((4096, 10**6)))
    workload = Workload.model_validate(_workload(pick, limit))
    return flagged(machine, **_flags(pick, total)).with_(
        id=f"s{seed}",
        workload=workload,
        reserves=machine.reserves.with_(**_reserves(pick, total)),
    )


@cache
def answers(count: int = COUNT) -> tuple[tuple[Scenario, Ledger], ...]:
    """The first `count` random scenarios with their ledgers."""
    return tuple(map(_answer, range(count)))


@cache
def _answer(seed: int) -> tuple[Scenario, Ledger]:
    scenario = random_llamacpp(seed)
    return scenario, budget(scenario)
