"""What TensorRT-LLM takes for the flags nobody gave, by release and backend.

Sources: TensorRT-LLM about 1.1 `llmapi/llm_args.py` (tensorrt-llm.md §1); the values that differ
between releases stand in `TrtllmRules`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from workbench.spec.ledger import Source
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import Scenario
from workbench.spec.trtllm import Backend, Policy, TrtllmEngine

NO_LENGTH_TOKENS = 2048
"""Longest request of a model whose config names none."""


@dataclass(frozen=True, slots=True)
class Flags:
    """The flags of one start, all filled in."""

    backend: Backend
    free_gpu_memory_fraction: float
    max_model_len: int
    """`max_seq_len` before the pool may cut it."""
    max_num_seqs: int
    max_num_batched_tokens: int
    block_tokens: int
    enable_prefix_caching: bool
    enable_chunked_prefill: bool
    capacity_scheduler_policy: Policy
    attention_ranks: int
    """TP ranks that each keep requests of their own: TP with attention DP, else 1."""
    defaulted: tuple[str, ...]


_FROM_RULES = {
    "backend": ("default_backend",),
    "free_gpu_memory_fraction": ("default_fraction",),
    "max_num_seqs": ("default_max_num_seqs",),
    "max_num_batched_tokens": ("default_max_num_batched_tokens",),
}
"""The switch that each default comes from; that of a block is its backend's."""


def flags_of(scenario: Scenario) -> Flags:
    """Return the flags of a scenario of TensorRT-LLM with the release's defaults filled in."""
    engine = engine_of(scenario)
    return _flags(engine, scenario.model, scenario.deployment.tp)


def engine_of(scenario: Scenario) -> TrtllmEngine:
    """Return the scenario's engine, which is TensorRT-LLM."""
    assert isinstance(scenario.engine, TrtllmEngine)
    return scenario.engine


@lru_cache(maxsize=512)
def _flags(engine: TrtllmEngine, model: ModelSpec, tp: int) -> Flags:
    rules = engine.rules
    backend = engine.backend or rules.default_backend
    fraction = engine.free_gpu_memory_fraction
    block_tokens = engine.block_tokens
    if block_tokens is None:
        pytorch = backend == "pytorch"
        block_tokens = rules.pytorch_block_tokens if pytorch else rules.tensorrt_block_tokens
    left = {
        "backend": engine.backend,
        "free_gpu_memory_fraction": fraction,
        "max_model_len": engine.max_model_len,
        "max_num_seqs": engine.max_num_seqs,
        "max_num_batched_tokens": engine.max_num_batched_tokens,
        "block_tokens": engine.block_tokens,
        "enable_prefix_caching": engine.enable_prefix_caching,
        "enable_chunked_prefill": engine.enable_chunked_prefill,
        "capacity_scheduler_policy": engine.capacity_scheduler_policy,
    }
    return Flags(
        backend=backend,
        free_gpu_memory_fraction=rules.default_fraction if fraction is None else fraction,
        max_model_len=engine.max_model_len or model.max_position_tokens or NO_LENGTH_TOKENS,
        max_num_seqs=engine.max_num_seqs or rules.default_max_num_seqs,
        max_num_batched_tokens=(
            engine.max_num_batched_tokens or rules.default_max_num_batched_tokens
        ),
        block_tokens=block_tokens,
        enable_prefix_caching=engine.enable_prefix_caching is not False,
        enable_chunked_prefill=engine.enable_chunked_prefill is True,
        capacity_scheduler_policy=engine.capacity_scheduler_policy or "guaranteed_no_evict",
        attention_ranks=tp if engine.enable_attention_dp else 1,
        defaulted=tuple(name for name, value in left.items() if value is None),
    )


def origin(name: str, engine: TrtllmEngine, model: ModelSpec) -> Source:
    """Say where the default of a flag comes from, and whether its date is certain."""
    if name == "max_model_len":
        return Source("model", model.id)
    switches = _FROM_RULES.get(name, ())
    if name == "block_tokens":
        switches = (f"{engine.backend or engine.rules.default_backend}_block_tokens",)
    unsure = {*switches} & {*engine.rules.assumed}
    code = "engine_default_assumed" if unsure else "engine_default"
    return Source(code, f"TensorRT-LLM {engine.rules.read_release}")
