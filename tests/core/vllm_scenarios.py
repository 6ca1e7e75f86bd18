"""Random scenarios of vLLM over the real presets: every kind of attention, card and release.

`start` is a plain scenario to change by hand, `random_vllm` one of a seed. Values are dense where
rules change their mind: block edges, window edges, memory that just suffices.
"""

from __future__ import annotations

import os
from functools import cache
from random import Random
from typing import Any

from workbench.core.budget import budget, ledger_of
from workbench.core.load.lengths import sized_tokens
from workbench.core.memory.shares import parallelism_fault
from workbench.library.engine_choice import vllm_engine
from workbench.library.paths import presets_dir
from workbench.library.presets import Library
from workbench.spec.deployment import Deployment
from workbench.spec.engine import Amount
from workbench.spec.formats import Precision
from workbench.spec.gpu import GpuSet, GpuSpec
from workbench.spec.ledger import Ledger, RankLedger
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import Scenario
from workbench.spec.units import GIB
from workbench.spec.vllm import VllmMeasured
from workbench.spec.workload import ConstantLength, Workload

MODELS = (
    *("llama-3.1-8b", "llama-3.1-70b", "qwen2.5-7b-instruct", "gemma-2b", "falcon-7b", "gpt2"),
    *("phi-3-mini-4k-instruct", "qwen3-30b-a3b", "mixtral-8x7b-v0.1", "qwen3-0.6b", "ledger-lab"),
    *(
        "minicpm3-4b",
        "deepseek-v2-lite",
        "deepseek-v3",
        "kimi-k2-instruct",
        "qwen2.5-vl-7b-instruct",
    ),
    *("deepseek-v3.2", "glm-5.2", "glm-5.1"),
    *("mistral-7b-v0.1", "starcoder2-15b"),
    *("gemma-2-9b-it", "gemma-3-27b-it", "gemma-3-1b-it", "gpt-oss-20b", "gpt-oss-120b"),
    *("gemma-4-31b-it", "gemma-4-e2b-it", "gemma-3n-e4b-it", "c4ai-command-a-03-2025"),
    *("llama-4-scout-17b-16e-instruct", "llama-3.2-11b-vision-instruct", "mimo-v2-flash"),
    *("qwen3-next-80b-a3b-instruct", "qwen3.5-397b-a17b", "qwen3.5-0.8b"),
    *("nemotron-h-8b-base-8k", "nvidia-nemotron-nano-9b-v2", "granite-4.0-h-tiny", "lfm2-1.2b"),
    *("ai21-jamba-mini-1.5", "minimax-text-01", "kimi-linear-48b-a3b-instruct", "ling-3.0-flash"),
    *("falcon-h1-7b-instruct", "llama-3_3-nemotron-super-49b-v1", "tencent-hunyuan-large"),
    *("deepseek-v4-flash", "minimax-m3"),
)
CARDS = (
    *("h100-sxm", "a100-80-sxm", "a100-40-pcie", "h200", "l40s", "l4", "t4", "rtx-4090", "b200"),
    *("mi300x", "gb10", "rtx-pro-6000-server", "v100-16", "gaudi3", "tpu-v6e", "80-gib"),
)
RELEASES = (
    *("0.6.6", "0.7.3", "0.8.5", "0.9.2", "0.10.2", "0.11.2", "0.13.0", "0.15.1", "0.17.1"),
    *("0.19.0", "0.19.1", "0.21.0", "0.25.1", "0.26.0", "0.31.0", "0.33.0", "0.33.0", "0.40.0"),
)
COUNT = int(os.environ.get("KVW_VLLM_SCENARIOS", "1200"))
"""How many are tried; a larger number is for a quiet evening."""
SEEDS_OF_A_MACHINE = 8
SIZES = (1, 2, 16, 128, 1024, 4096, 8192, 32_768, 131_072, 1_000_000)


@cache
def library() -> Library:
    """The presets that come with the program."""
    return Library(presets_dir())


def card(name: str) -> GpuSpec:
    """A card by its id."""
    found = library().gpu(name).value
    return found.card if isinstance(found, GpuSet) else found


def start(
    model: str = "llama-3.1-8b",
    gpu: str = "h100-sxm",
    release: str = "0.33.0",
    *,
    context: int = 8192,
    weights: str = "bf16",
    kv: str = "bf16",
    concurrency: int | None = None,
    deployment: dict[str, Any] | None = None,
    workload: dict[str, Any] | None = None,
    core: Any = None,
    **flags: Any,
) -> Scenario:
    """A scenario of presets with some flags given."""
    shelf, found = library(), library().model(model)
    scenario = Scenario(
        id="s",
        name="s",
        model=found.value,
        model_ref=found.ref,
        gpu=card(gpu),
        precision=Precision(
            weights=shelf.weight_format(weights).value, kv=shelf.kv_format(kv).value
        ),
        engine=vllm_engine(release, core).with_(**flags),
        workload=Workload(
            lengths=ConstantLength(tokens=context), concurrency=concurrency, **(workload or {})
        ),
    )
    spread = scenario.deployment.with_(**(deployment or {}))
    return scenario.with_(deployment=spread)


def flagged(scenario: Scenario, **flags: Any) -> Scenario:
    """The scenario with other flags of the engine."""
    return scenario.with_(engine=scenario.engine.with_(**flags))


def working(scenario: Scenario, **changes: Any) -> Scenario:
    """The scenario with another workload."""
    return scenario.with_(workload=scenario.workload.with_(**changes))


def lasting(scenario: Scenario, tokens: int) -> Scenario:
    """The scenario with requests of another constant length."""
    return working(scenario, lengths=ConstantLength(tokens=tokens))


def deployed(scenario: Scenario, **changes: Any) -> Scenario:
    """The scenario on other ranks."""
    return scenario.with_(deployment=scenario.deployment.with_(**changes))


def at_release(scenario: Scenario, release: str) -> Scenario:
    """The scenario under another release, every flag kept."""
    new = vllm_engine(release)
    engine = scenario.engine.with_(
        release=new.release, core=new.core, rules=new.rules, fits=new.fits
    )
    return scenario.with_(engine=engine)


# --- random ones --------------------------------------------------------------------------------


def _tokens(pick: Random, limit: int | None = None) -> int:
    """A length; with a limit at most that, mostly."""
    if limit is not None and pick.random() < 0.95:
        return max(1, min(limit - pick.choice((0, 0, 1)), _tokens(pick)))
    near = pick.choice((16, 64, 128, 544, 784, 1024, 4096, 8192)) * pick.choice((1, 1, 2, 7, 16))
    return max(1, pick.choice((*SIZES, near - 1, near, near + 1, pick.randint(1, 40_000))))


def _lengths(pick: Random, limit: int) -> dict[str, Any]:
    if pick.random() < 0.6:
        return {"kind": "constant", "tokens": _tokens(pick, limit)}
    sizes = sorted(_tokens(pick, limit) for _ in range(4))
    points = [
        {"q": q, "tokens": size} for q, size in zip((0.5, 0.95, 0.99, 1.0), sizes, strict=True)
    ]
    if pick.random() < 0.3:
        mean = pick.uniform(1, sizes[-1])
        return {"kind": "trace", "requests": 10, "mean_tokens": mean, "points": tuple(points)}
    return {"kind": "quantiles", "points": tuple(points)}


def _workload(pick: Random, limit: int) -> dict[str, Any]:
    found: dict[str, Any] = {"lengths": _lengths(pick, limit)}
    found["sizing"] = pick.choice(("mean", "p50", "p95", "p99", "max"))
    if pick.random() < 0.5:
        found["concurrency"] = pick.choice((1, 2, 7, 64, 256, 1000, pick.randint(1, 100_000)))
    if pick.random() < 0.4:
        shares = pick.choice(((1.0,), (0.5,), (0.5, 0.25), (0.3, 0.3, 0.4)))
        found["prefix_groups"] = tuple(
            {"shared_tokens": _tokens(pick), "request_share": share}
            | {"distinct_prefixes": pick.choice((1, 1, 3, 50))}
            for share in shares
        )
    return found


def _deployment(pick: Random, model: ModelSpec) -> dict[str, Any]:
    layers = model.layer_count
    sizes = [1, 2, 4, 8, 16, 3]
    if pick.random() < 0.97:
        sizes = [tp for tp in sizes if not parallelism_fault(model, Deployment(tp=tp))]
    found: dict[str, Any] = {"tp": pick.choice(sizes)}
    pp = pick.choice((1, 1, 1, 1, 2, 2, 3, 4, 8))
    found |= {"pp": pp, "dp": pick.choice((1, 1, 1, 2)), "replicas": pick.choice((1, 1, 3))}
    if pick.random() < 0.25:
        found["ep"] = pick.choice((2, 8, found["tp"]))
    if pick.random() < 0.08:
        found["dcp"] = pick.choice((2, 4, found["tp"]))
    if 1 < pp <= layers and pick.random() < 0.3:
        cuts = sorted(pick.sample(range(1, layers), pp - 1))
        found["pp_partition"] = tuple(
            last - first for first, last in zip([0, *cuts], [*cuts, layers], strict=True)
        )
    return found


def _flags(pick: Random, total: int, longest: int, limit: int) -> dict[str, Any]:
    flags: dict[str, Any] = {
        "usage": pick.choice(("server", "offline")),
        "gpu_memory_utilization": pick.choice((0.5, 0.9, 0.9, 0.92, 0.95, 0.99, 1.0, 1e-9)),
        "max_model_len": max(longest, _tokens(pick, limit)),
        "max_num_seqs": pick.choice((1, 2, 16, 64, 256, 1024, 10_000)),
        "max_num_batched_tokens": pick.choice((256, 512, 2048, 8192, 16_384, 131_072)),
        "block_tokens": pick.choice((1, 8, 16, 32, 64, 128, 256, 17)),
        "num_gpu_blocks_override": pick.choice((1, 2, 100, 10_000, 2**40)),
        "kv_cache_memory_bytes": pick.choice((0, 1, GIB, total // 2, total * 2)),
        "speculative_tokens": pick.choice((1, 3, 5)),
        "attention_block_tokens": pick.choice(((64,), (16, 32, 64), (128,))),
        "watermark": pick.choice((0.0, 0.01, 0.5, 1.0)),
        "cpu_offload_bytes": pick.choice((0, GIB, total * 9)),
        "kv_layout": pick.choice(("LBNHC", "LBHNC", "BLHNC")),
        "mamba_state_dtype": pick.choice(("fp32", "bf16", "fp16")),
        "fit_max_model_len": True,
        "max_cudagraph_capture_size": pick.choice((1, 512)),
    }
    if pick.random() < 0.2:
        flags |= {"max_model_len": _tokens(pick), "max_num_batched_tokens": 1}
    for name in (
        *("enable_prefix_caching", "enable_chunked_prefill", "enforce_eager", "async_scheduling"),
        *("second_generation_runner", "hybrid_kv_cache_manager"),
    ):
        flags[name] = pick.random() < 0.5
    share = pick.choice((0.0, 0.1, 0.2, 0.5))
    return {name: value for name, value in flags.items() if pick.random() < share}


def _measured(pick: Random, total: int) -> VllmMeasured:
    names = ("weights", "activation", "non_torch", "graphs", "available_kv", "used_before_start")
    sizes = (0, 1, GIB, total // 3, total, 5 * total)
    chosen = {f"{name}_bytes": pick.choice(sizes) for name in names if pick.random() < 0.3}
    return VllmMeasured(**chosen, source="a.log")


def _reserves(pick: Random, total: int) -> dict[str, Any]:
    amounts = (
        Amount(size_bytes=0),
        Amount(size_bytes=pick.randrange(total)),
        Amount(share=pick.choice((0.01, 0.05, 0.3))),
    )
    found = {"headroom": pick.choice(amounts)}
    if pick.random() < 0.2:
        found["tight_below"] = pick.choice(amounts)
    return found


WEIGHT_FORMATS = (
    "bf16",
    "bf16",
    "bf16",
    "fp8",
    "fp8-block128",
    "awq4-g128",
    "nvfp4",
    "mxfp4",
    "fp32",
)
KV_FORMATS = (
    *("bf16", "bf16", "bf16", "fp8", "fp8-per-token-head", "int8", "nvfp4", "turboquant-4bit-nc"),
    *("fp8-ds-mla", "fp32", "int4", "ultraquant-4bit"),
)


@cache
def _machine(seed: object) -> Scenario:
    """A model on cards in some formats; what takes longest to plan is shared by a few seeds."""
    pick = Random(f"vllm machine {seed}")
    gpu = card(pick.choice(CARDS))
    if pick.random() < 0.2:
        total = max(1, int(gpu.device_total_bytes * pick.choice((1e-9, 0.01, 0.3, 2, 20))))
        gpu = gpu.with_(device_total_bytes=total)
    scenario = start(
        pick.choice(MODELS),
        release=pick.choice(RELEASES),
        core=pick.choice((None, None, "v0", "v1")),
        weights=pick.choice(WEIGHT_FORMATS),
        kv=pick.choice(KV_FORMATS),
    )
    if pick.random() < 0.1:
        dtype = pick.choice(("fp32", "fp16"))
        scenario = scenario.with_(precision=scenario.precision.with_(activation_dtype=dtype))
    spread = scenario.deployment.with_(**_deployment(pick, scenario.model))
    return scenario.with_(gpu=gpu, deployment=spread)


def random_vllm(seed: int) -> Scenario:
    """One random scenario of a seed; models of every kind come up equally often."""
    pick, machine = Random(f"vllm {seed}"), _machine(seed // SEEDS_OF_A_MACHINE)
    total = machine.gpu.device_total_bytes
    limit = machine.model.max_position_tokens or 100_000
    workload = Workload.model_validate(_workload(pick, limit))
    longest = sized_tokens(workload.lengths, "max")
    scenario = flagged(machine, **_flags(pick, total, longest, limit)).with_(
        id=f"s{seed}",
        workload=workload,
        reserves=machine.reserves.with_(**_reserves(pick, total)),
    )
    if pick.random() < 0.3:
        scenario = flagged(scenario, measured=_measured(pick, total))
    if pick.random() < 0.1:
        scenario = near_the_edge(scenario, pick)
    return scenario


def near_the_edge(scenario: Scenario, pick: Random) -> Scenario:
    """Memory of which a pool of one request, give or take a byte, is left."""
    pool = ledger_of(scenario).pool
    if pool is None:
        return scenario
    blocks = sum(group.blocks_per_request for group in pool.groups) + pick.choice((0, 1, 2))
    size = blocks * pool.bytes_per_block + pick.choice((-1, 0, 1))
    return flagged(scenario, kv_cache_memory_bytes=max(0, size))


@cache
def answers(count: int = COUNT) -> tuple[tuple[Scenario, Ledger], ...]:
    """The first `count` random scenarios with their ledgers."""
    return tuple(map(_answer, range(count)))


@cache
def _answer(seed: int) -> tuple[Scenario, Ledger]:
    scenario = random_vllm(seed)
    return scenario, budget(scenario)


def different_ranks(ledger: Ledger) -> list[RankLedger]:
    """One rank of each stage: the others of its stage are the same."""
    return list({rank.stage: rank for rank in ledger.ranks}.values())
