"""How layers and heads are shared out over pipeline stages and tensor-parallel ranks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from workbench.spec.deployment import Deployment
from workbench.spec.ledger import Place
from workbench.spec.model import LayerRun, ModelSpec


@dataclass(frozen=True, slots=True)
class Stage:
    """The layers of one pipeline stage."""

    index: int
    is_first: bool
    is_last: bool
    runs: tuple[LayerRun, ...]
    place: Place = "card"
    """Where its ranks are; the host is a rank of its own with memory of its own."""
    ranks: int | None = None
    """Equal ranks of the stage; None is one for each tensor-parallel part."""

    @property
    def layer_count(self) -> int:
        """Layers of the stage."""
        return sum(run.count for run in self.runs)


def kv_heads_on_rank(kv_heads: int, tp: int) -> int:
    """KV heads that each tensor-parallel rank keeps; one is copied when TP exceeds the heads."""
    return max(1, -(-kv_heads // tp))


@lru_cache(maxsize=512)
def parallelism_fault(model: ModelSpec, deployment: Deployment) -> str | None:
    """Name the field that makes the layout impossible, or None.

    Query heads must divide by TP; KV heads must divide by TP, or TP by the KV heads (each head
    is then copied); a partition must name every layer; no stage may be empty.
    """
    tp = deployment.tp
    for run in model.layers:
        heads = getattr(run.mixer, "heads", None)
        kv_heads = getattr(run.mixer, "kv_heads", None)
        if heads is not None and heads % tp:
            return "deployment.tp"
        if kv_heads is not None and kv_heads % tp and tp % kv_heads:
            return "deployment.tp"
    if deployment.pp > model.layer_count:
        return "deployment.pp"
    partition = deployment.pp_partition
    if partition is not None and sum(partition) != model.layer_count:
        return "deployment.pp_partition"
    return None


@lru_cache(maxsize=512)
def undivided_width(model: ModelSpec, tp: int) -> tuple[str, int] | None:
    """Name a tensor whose width TP must divide and does not, with that width, or None.

    The vocabulary is padded to 64 rows first, whatever TP is (vllm.md §8.1). Heads and experts
    have rules of their own.
    """
    if tp == 1:
        return None
    for outside in model.tensors:
        if outside.shard == "vocab":
            rows = -(-outside.shape[0] // VOCAB_PADDING) * VOCAB_PADDING
            if rows % tp:
                return outside.name, rows
    for run in model.layers:
        for tensor in run.tensors:
            width = {"column": tensor.shape[0], "row": tensor.shape[-1]}.get(tensor.shard, 0)
            if width % tp:
                return tensor.name, width
    return None


VOCAB_PADDING = 64
"""vLLM `DEFAULT_VOCAB_PADDING_SIZE`."""


@lru_cache(maxsize=64)
def stages_of(model: ModelSpec, deployment: Deployment) -> tuple[Stage, ...]:
    """Cut the layers into pipeline stages; what does not divide goes to the first stages."""
    whole, rest = divmod(model.layer_count, deployment.pp)
    sizes = [whole + (1 if index < rest else 0) for index in range(deployment.pp)]
    return _stages(model, deployment, sizes)


@lru_cache(maxsize=64)
def vllm_stages(model: ModelSpec, deployment: Deployment) -> tuple[Stage, ...]:
    """Cut the layers into pipeline stages as vLLM does (`vllm_partition`)."""
    return _stages(model, deployment, vllm_partition(model.layer_count, deployment.pp))


def vllm_partition(layer_count: int, pp: int) -> list[int]:
    """Layers of each stage by vLLM's rule.

    layers ÷ pp each, rounded down; what is left goes one each to the stages -2, -3, …, so that
    the last, which also holds the head, never gets more, and the first only where needed.
    Source: vLLM 0.33.0 `distributed/utils.py:get_pp_indices` (vllm.md §5.4).
    """
    whole, rest = divmod(layer_count, pp)
    return [whole + (1 if 0 < pp - 1 - index <= rest else 0) for index in range(pp)]


def _stages(model: ModelSpec, deployment: Deployment, sizes: list[int]) -> tuple[Stage, ...]:
    """Cut the layers by the partition a person gave, else by `sizes`."""
    given, pp = deployment.pp_partition, deployment.pp
    if given is not None and sum(given) == model.layer_count:
        sizes = list(given)
    runs = _cut(model.layers, sizes)
    return tuple(
        Stage(index, index == 0, index == pp - 1, stage_runs)
        for index, stage_runs in enumerate(runs)
    )


def _cut(layers: tuple[LayerRun, ...], sizes: list[int]) -> Iterator[tuple[LayerRun, ...]]:
    """Yield the runs of each stage, splitting a run where a stage ends inside it."""
    pending = [(run, run.count) for run in layers]
    parts: dict[tuple[int, int], LayerRun] = {}
    for size in sizes:
        stage: list[LayerRun] = []
        while size and pending:
            run, left = pending[0]
            taken = min(size, left)
            part = (id(run), taken)
            if part not in parts:
                parts[part] = run if taken == run.count else run.with_(count=taken)
            stage.append(parts[part])
            size -= taken
            if taken == left:
                pending.pop(0)
            else:
                pending[0] = (run, left - taken)
        yield tuple(stage)
