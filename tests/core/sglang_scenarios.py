"""Random scenarios of SGLang over the real presets: every kind of layer, card and release."""

from __future__ import annotations

import os
from functools import cache
from random import Random
from typing import Any

from tests.core.vllm_scenarios import CARDS, MODELS, _deployment, _reserves, _workload, card, start
from workbench.core.budget import budget
from workbench.core.load.lengths import sized_tokens
from workbench.library.engine_choice import with_engine
from workbench.spec.ledger import Ledger
from workbench.spec.scenario import Scenario
from workbench.spec.sglang import SglangEngine, SglangMeasured
from workbench.spec.units import GIB
from workbench.spec.workload import Workload

RELEASES = (
    *("0.4.2", "0.4.3", "0.4.5.post3", "0.4.6.post5", "0.4.7.post1", "0.4.9.post2", "0.5.0"),
    *("0.5.2", "0.5.3", "0.5.5.post3", "0.5.8", "0.5.10.post1", "0.5.15", "0.5.20", "0.5.23"),
    *("0.5.23", "0.6.0"),
)
WEIGHT_FORMATS = ("bf16", "bf16", "fp8", "fp8-block128", "awq4-g128", "mxfp4")
KV_FORMATS = ("bf16", "bf16", "bf16", "fp8", "mxfp8", "fp8-ds-mla", "nvfp4", "int8")
COUNT = int(os.environ.get("KVW_SGLANG_SCENARIOS", "600"))
"""How many are tried; a larger number is for a quiet evening."""
SEEDS_OF_A_MACHINE = 6


def sglang(
    model: str = "llama-3.1-8b",
    gpu: str = "h100-sxm",
    release: str = "0.5.23",
    *,
    measured: SglangMeasured | None = None,
    flags: dict[str, Any] | None = None,
    **parts: Any,
) -> Scenario:
    """A scenario of SGLang with some flags."""
    scenario = with_engine(start(model, gpu, **parts), "sglang", release)
    changes = dict(flags or {})
    if measured is not None:
        changes["measured"] = measured
    return flagged(scenario, **changes)


def flagged(scenario: Scenario, **flags: Any) -> Scenario:
    """The scenario with flags of its engine changed."""
    assert isinstance(scenario.engine, SglangEngine)
    return scenario.with_(engine=scenario.engine.with_(**flags))


def _flags(pick: Random, total: int, longest: int) -> dict[str, Any]:
    flags: dict[str, Any] = {
        "mem_fraction_static": pick.choice((0.1, 0.5, 0.8, 0.88, 0.95, 1.0, 1e-6)),
        "max_model_len": max(longest, pick.choice((1, 512, 8192, 131_072))),
        "max_num_seqs": pick.choice((1, 2, 16, 128, 2048, 10_000)),
        "max_total_tokens": pick.choice((1, 100, 20_480, 10**6, 10**9)),
        "block_tokens": pick.choice((1, 16, 32, 64, 128, 17)),
        "chunked_prefill_size": pick.choice((-1, 512, 2048, 8192, 16_384)),
        "max_prefill_tokens": pick.choice((1, 4096, 32_768)),
        "attention_backend": pick.choice(
            ("fa3", "flashinfer", "triton", "trtllm_mha", "trtllm_mla", "flashmla", "aiter")
        ),
        "dp_attention": pick.choice((1, 2, 4, 8)),
        "cuda_graph_max_bs": pick.choice((1, 8, 160, 512, 1000)),
        "swa_full_tokens_ratio": pick.choice((0.01, 0.1, 0.5, 0.8, 1.0, 1 / 3)),
        "hybrid_kvcache_ratio": pick.choice((0.0, 0.3, 1.0)),
        "max_mamba_cache_size": pick.choice((1, 3, 64, 4000)),
        "mamba_full_memory_ratio": pick.choice((0.1, 0.9, 10.0)),
        "mamba_state_dtype": pick.choice(("fp32", "bf16")),
        "speculative_algorithm": pick.choice(("EAGLE", "STANDALONE", "NGRAM")),
        "speculative_steps": pick.choice((0, 3, 5)),
        "speculative_topk": pick.choice((1, 4, 8)),
        "speculative_tokens": pick.choice((1, 4, 64)),
        "draft_layers": pick.choice((1, 2, 40)),
        "bytes_per_full_token": pick.choice((1, 5000, 10**5)),
    }
    for name in (
        *("disable_radix_cache", "disable_overlap_schedule", "disable_cuda_graph"),
        *("prefill_cuda_graph", "disable_hybrid_swa_memory", "mamba_extra_buffer"),
    ):
        flags[name] = pick.random() < 0.5
    share = pick.choice((0.0, 0.1, 0.2, 0.5))
    chosen = {name: value for name, value in flags.items() if pick.random() < share}
    if pick.random() < 0.1:
        # A window pool sized by the number of requests.
        chosen |= {"disable_radix_cache": True, "max_num_seqs": 64, "chunked_prefill_size": 2048}
        chosen |= {"block_tokens": 1, "mem_fraction_static": 0.95}
    return chosen


def _measured(pick: Random, total: int) -> SglangMeasured:
    names = ("before_load", "after_load", "weights", "pool", "graphs")
    sizes = (0, 1, GIB, total // 3, total // 2, total, 5 * total)
    chosen = {f"{name}_bytes": pick.choice(sizes) for name in names if pick.random() < 0.3}
    return SglangMeasured(**chosen, source="a.log")


@cache
def _machine(seed: int) -> Scenario:
    pick = Random(f"sglang machine {seed}")
    gpu = card(pick.choice(CARDS))
    if pick.random() < 0.2:
        total = max(1, int(gpu.device_total_bytes * pick.choice((1e-9, 0.01, 0.3, 2, 20))))
        gpu = gpu.with_(device_total_bytes=total)
    scenario = sglang(
        pick.choice(MODELS),
        release=pick.choice(RELEASES),
        weights=pick.choice(WEIGHT_FORMATS),
        kv=pick.choice(KV_FORMATS),
    )
    spread = scenario.deployment.with_(**_deployment(pick, scenario.model))
    return scenario.with_(gpu=gpu, deployment=spread)


def random_sglang(seed: int) -> Scenario:
    """One random scenario of a seed; models of every kind come up equally often."""
    pick, machine = Random(f"sglang {seed}"), _machine(seed // SEEDS_OF_A_MACHINE)
    total = machine.gpu.device_total_bytes
    limit = machine.model.max_position_tokens or 100_000
    workload = Workload.model_validate(_workload(pick, limit))
    longest = sized_tokens(workload.lengths, "max")
    scenario = flagged(machine, **_flags(pick, total, longest)).with_(
        id=f"s{seed}",
        workload=workload,
        reserves=machine.reserves.with_(**_reserves(pick, total)),
    )
    if pick.random() < 0.2:
        scenario = flagged(scenario, measured=_measured(pick, total))
    return scenario


@cache
def answers(count: int = COUNT) -> tuple[tuple[Scenario, Ledger], ...]:
    """The first `count` random scenarios with their ledgers."""
    return tuple(map(_answer, range(count)))


@cache
def _answer(seed: int) -> tuple[Scenario, Ledger]:
    scenario = random_sglang(seed)
    return scenario, budget(scenario)
