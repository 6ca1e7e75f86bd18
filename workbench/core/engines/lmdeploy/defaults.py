"""What LMDeploy takes for the flags nobody gave, by release and card.

Source: LMDeploy `messages.py` and `utils.py:get_max_batch_size`; the values stand in
`LmdeployRules`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from workbench.spec.gpu import GpuSpec
from workbench.spec.ledger import Source
from workbench.spec.lmdeploy import Backend, LmdeployEngine
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import Scenario

NO_LENGTH_TOKENS = 2048
"""Longest request of a model whose config names none."""


@dataclass(frozen=True, slots=True)
class Flags:
    """The flags of one start, all filled in."""

    backend: Backend
    cache_max_entry_count: float
    max_model_len: int
    max_num_seqs: int
    max_num_batched_tokens: int
    block_tokens: int
    enable_prefix_caching: bool
    defaulted: tuple[str, ...]


_FLAGS = (
    "backend",
    "cache_max_entry_count",
    "max_model_len",
    "max_num_seqs",
    "max_num_batched_tokens",
    "block_tokens",
    "enable_prefix_caching",
)
_FROM_RULES = {
    "backend": "default_backend",
    "cache_max_entry_count": "default_share",
    "max_num_seqs": "sequences_by_card",
    "max_num_batched_tokens": "default_max_num_batched_tokens",
    "block_tokens": "default_block_tokens",
}
"""The switch that each default comes from."""


def engine_of(scenario: Scenario) -> LmdeployEngine:
    """Return the scenario's engine, which is LMDeploy."""
    assert isinstance(scenario.engine, LmdeployEngine)
    return scenario.engine


def flags_of(scenario: Scenario) -> Flags:
    """Return the flags of a scenario of LMDeploy with the release's defaults filled in."""
    return _flags(engine_of(scenario), scenario.model, scenario.gpu)


@lru_cache(maxsize=512)
def _flags(engine: LmdeployEngine, model: ModelSpec, gpu: GpuSpec) -> Flags:
    rules = engine.rules
    by_card = (c.sequences for c in rules.sequences_by_card if c.mark in gpu.name.lower())
    return Flags(
        backend=engine.backend or rules.default_backend,
        cache_max_entry_count=engine.cache_max_entry_count or rules.default_share,
        max_model_len=engine.max_model_len or model.max_position_tokens or NO_LENGTH_TOKENS,
        max_num_seqs=engine.max_num_seqs or next(by_card, rules.default_max_num_seqs),
        max_num_batched_tokens=(
            engine.max_num_batched_tokens or rules.default_max_num_batched_tokens
        ),
        block_tokens=engine.block_tokens or rules.default_block_tokens,
        enable_prefix_caching=engine.enable_prefix_caching is True,
        defaulted=tuple(name for name in _FLAGS if getattr(engine, name) is None),
    )


def origin(name: str, engine: LmdeployEngine, model: ModelSpec) -> Source:
    """Say where the default of a flag comes from, and whether its date is certain."""
    if name == "max_model_len":
        return Source("model", model.id)
    unsure = _FROM_RULES.get(name) in engine.rules.assumed
    code = "engine_default_assumed" if unsure else "engine_default"
    return Source(code, f"LMDeploy {engine.rules.read_release}")
