"""What the weights take on one rank as vLLM loads them: "Model loading took X GiB".

weights = Σ layers × tensors of a layer       fused, sharded, with their scales
        + embedding, norms, head, towers      of the stage
        + rotary tables                       of the stage's layers
        + what the allocator rounds up        (`allocator`)
        − what is kept in host memory

Source: vLLM 0.33.0 as vllm.md §5.4 and §8 restate it; checked against its start-up logs
(tests/core/vllm/test_loading_logs.py).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Generic, TypeVar

from workbench.core.engines.vllm.allocator import Blocks, allocated_bytes
from workbench.core.engines.vllm.loading_tensors import (
    Layout,
    Loaded,
    attention_kind,
    loaded_tensors,
)
from workbench.core.memory.shares import Stage
from workbench.core.memory.weights import stage_tensors
from workbench.spec.deployment import Deployment
from workbench.spec.formats import Precision
from workbench.spec.layers import Mixer
from workbench.spec.ledger import Evidence, Formula, Source, Term
from workbench.spec.model import Component, LayerRun, ModelSpec, Tensor
from workbench.spec.vllm_rules import VllmRules
from workbench.spec.weight_format import Kernel

Value = TypeVar("Value")


@dataclass(frozen=True, slots=True)
class Part:
    """Bytes of one part of the model: attention, experts, rotary, rounding …"""

    code: str
    bytes: int


@dataclass(frozen=True, slots=True)
class LoadedWeights:
    """Weights of one rank of a stage; low and high differ where kernels pad differently."""

    bytes: int
    low_bytes: int
    high_bytes: int
    formula: Formula
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class _Keyed(Generic[Value]):
    """A value looked up by its key: to hash a whole model would take longer than the sum."""

    key: Hashable
    value: Value = field(compare=False)


def loaded_weights(
    model: ModelSpec,
    precision: Precision,
    deployment: Deployment,
    stage: Stage,
    *,
    rules: VllmRules | None = None,
    with_draft: bool = False,
    cpu_offload_bytes: int = 0,
) -> LoadedWeights:
    """Return the weights of the fullest rank of a stage (`shares.vllm_stages`), with the formula.

    `with_draft`: speculative decoding by the model's own draft module is on. What is stored has
    not changed between the releases read, so `rules` decide nothing yet.
    """
    del rules
    # The model is kept by its key, so the ids of its tensors stay theirs.
    runs = tuple((run.count, id(run.tensors[0]) if run.tensors else 0) for run in stage.runs)
    return _loaded_weights(
        _Keyed(id(model), model),
        _Keyed(id(precision), precision),
        deployment,
        _Keyed((stage.is_first, stage.is_last, runs), stage),
        with_draft,
        cpu_offload_bytes,
    )


@lru_cache(maxsize=128)
def _loaded_weights(
    model: _Keyed[ModelSpec],
    precision: _Keyed[Precision],
    deployment: Deployment,
    stage: _Keyed[Stage],
    with_draft: bool,
    cpu_offload_bytes: int,
) -> LoadedWeights:
    weights = precision.value.weights.for_model(has_experts=model.value.moe is not None)
    used = precision.value.with_(weights=weights)
    question = _Question(model.value, used, deployment, stage.value, with_draft)
    sums = [_summed(question, kernel, cpu_offload_bytes) for kernel in weights.kernels or (None,)]
    sizes = [each.bytes for each in sums]
    first = sums[0]
    return LoadedWeights(first.bytes, min(sizes), max(sizes), first.formula, first.parts)


_DENSE_AS_ONE_EXPERT = ("JambaForCausalLM",)
"""Architectures whose dense feed-forward is built as a mixture of one expert, so that formats
which quantise experts alone take it too (`models/jamba.py:JambaMLP`)."""


@dataclass(frozen=True, slots=True)
class _Question:
    model: ModelSpec
    precision: Precision
    deployment: Deployment
    stage: Stage
    with_draft: bool

    @property
    def layout(self) -> Layout:
        """Experts are divided over tp × dp ranks: whole ones with EP, else inside each."""
        tp, ranks = self.deployment.tp, self.deployment.tp * self.deployment.dp
        return Layout(tp, 1, ranks) if self.deployment.ep > 1 else Layout(tp, ranks, 1)

    @property
    def components(self) -> Iterator[tuple[str, Component]]:
        """Towers that the stage holds and the draft module of the last stage."""
        if self.stage.is_first:
            for part, component in (("vision", self.model.vision), ("audio", self.model.audio)):
                if component is not None:
                    yield part, component
        if self.with_draft and self.stage.is_last and self.model.draft is not None:
            yield "draft", self.model.draft


@dataclass(slots=True)
class _Sum:
    """The terms of a formula, what they add up to, and the tensors in the order of loading."""

    question: _Question
    kernel: Kernel | None
    parts: dict[str, int] = field(default_factory=dict)
    runs: list[tuple[Blocks, int]] = field(default_factory=list)
    terms: list[Term] = field(default_factory=list)
    summands: list[str] = field(default_factory=list)
    layers_bytes: int = 0
    known: dict[Hashable, tuple[Loaded, ...]] = field(default_factory=dict)

    def add(self, tensors: Iterable[Loaded], part: str | None = None, count: int = 1) -> None:
        """Load tensors `count` times over."""
        tensors = tuple(tensors)
        self.runs.append(([(t.bytes // t.copies, t.copies) for t in tensors], count))
        for tensor in tensors:
            code = part or tensor.kind
            self.parts[code] = self.parts.get(code, 0) + count * tensor.bytes

    def show(self, term: Term, summand: str | None = None) -> None:
        """Name a summand: the term itself, or what is made of it."""
        self.terms.append(term)
        self.summands.append(summand or f"{{{term.symbol}}}")

    def tensors(
        self, tensors: Iterable[Tensor], mixer: Mixer | None = None, part: str | None = None
    ) -> tuple[Loaded, ...]:
        """The tensors of one layer as they are loaded; the runs of a hybrid repeat few layers."""
        question, listed = self.question, tuple(tensors)
        # Plain tuples: to hash the tensors themselves takes longer than to load them.
        key = (
            part,
            mixer,
            *((t.name, t.shape, t.copies, t.shard, t.quantised, t.dtype) for t in listed),
        )
        if key not in self.known:
            if question.model.architecture in _DENSE_AS_ONE_EXPERT:
                listed = tuple(_as_expert(tensor) for tensor in listed)
            precision = question.precision
            if part == "draft":
                precision = precision.with_(weights=precision.weights.for_draft())
            self.known[key] = loaded_tensors(listed, precision, question.layout, mixer, self.kernel)
        return self.known[key]

    def layers(
        self, runs: tuple[LayerRun, ...], part: str | None = None, *, shared: bool = False
    ) -> None:
        """Load runs of layers; equal layers are one summand, wherever they stand.

        `shared`: embedding and head are those of another model on the same rank.
        """
        counts: dict[tuple[Loaded, ...], int] = {}
        for run in runs:
            own = (tensor for tensor in run.tensors if not (shared and tensor.shard == "vocab"))
            layer = self.tensors(own, run.mixer, part)
            if layer:
                counts[layer] = counts.get(layer, 0) + run.count
                self.add(layer, part, run.count)
                self.layers_bytes += run.count * sum(tensor.bytes for tensor in layer)
        prefix = f"{part}_" if part else ""
        source = Source("model", self.question.model.id)
        for number, (layer, count) in enumerate(counts.items(), start=1):
            suffix = "" if len(counts) == 1 else f"_{number}"
            symbol = f"{prefix}layers{suffix}"
            self.terms.append(Term(symbol, count, "count", Evidence.GIVEN, source, "model.layers"))
            each = self._sum_term(f"{prefix}layer_bytes{suffix}", layer)
            self.show(each, f"{{{symbol}}} × {{{each.symbol}}}")

    def outside(self, symbol: str, loaded: tuple[Loaded, ...]) -> None:
        """Show tensors that stand outside the layers."""
        if loaded:
            self.show(self._sum_term(symbol, loaded))

    def _sum_term(self, symbol: str, tensors: tuple[Loaded, ...]) -> Term:
        terms = tuple(
            Term(
                tensor.name,
                tensor.bytes,
                "bytes",
                Evidence.COMPUTED,
                Source("tensor", tensor.text),
            )
            for tensor in tensors
        )
        total = sum(tensor.bytes for tensor in tensors)
        formula = Formula(" + ".join(f"{{{term.symbol}}}" for term in terms), terms)
        source = Source("model", self.question.model.id)
        return Term(symbol, total, "bytes", Evidence.COMPUTED, source, None, formula)


def _summed(question: _Question, kernel: Kernel | None, cpu_offload_bytes: int) -> LoadedWeights:
    total = _Sum(question, kernel)
    model, stage = question.model, question.stage
    # In the order of loading: embedding, layers with the tables they share, norm and head.
    outside = stage_tensors(model, stage)
    first = total.tensors(tensor for tensor in outside if tensor.stage != "last")
    total.add(first)
    _add_rotary(total)
    total.layers(stage.runs)
    last = total.tensors(tensor for tensor in outside if tensor.stage == "last")
    total.add(last)
    total.outside("outside_layers_bytes", first + last)
    for part, component in question.components:
        shared = part == "draft" and question.deployment.pp == 1
        # On one stage a draft module reads the target's embedding and head.
        own = (t for t in component.tensors if not (shared and t.shard == "vocab"))
        loaded = total.tensors(own, None, part)
        total.add(loaded, part)
        total.layers(component.layers, part, shared=shared)
        total.outside(f"{part}_bytes", loaded)
    asked = sum(total.parts.values())
    size = allocated_bytes(total.runs)
    if size > asked:
        total.parts["rounding"] = size - asked
        source = Source("engine_rule")
        total.show(Term("allocator_rounding", size - asked, "bytes", Evidence.COMPUTED, source))
    expression = " + ".join(total.summands) or "0"
    if cpu_offload_bytes:
        # Only layers move to the host: a larger flag leaves embedding, head and tables behind.
        layers_bytes = total.layers_bytes + size - asked
        moved = min(cpu_offload_bytes, layers_bytes)
        size, expression = size - moved, f"{expression} − {{moved_to_host}}"
        total.terms.append(_moved_term(cpu_offload_bytes, layers_bytes, moved))
    parts = tuple(Part(code, part) for code, part in total.parts.items() if part)
    return LoadedWeights(size, size, size, Formula(expression, tuple(total.terms)), parts)


def _moved_term(cpu_offload_bytes: int, layers_bytes: int, moved: int) -> Term:
    """What `--cpu-offload-gb` moves: V2-Lite with 30 GiB keeps 0.80, its embedding and head."""
    typed = Source("typed")
    terms = (
        Term(
            "cpu_offload_bytes",
            cpu_offload_bytes,
            "bytes",
            Evidence.GIVEN,
            typed,
            "engine.cpu_offload_bytes",
        ),
        Term("all_layers_bytes", layers_bytes, "bytes", Evidence.COMPUTED, Source("model")),
    )
    formula = Formula("min({cpu_offload_bytes}, {all_layers_bytes})", terms)
    return Term("moved_to_host", moved, "bytes", Evidence.COMPUTED, typed, None, formula)


def _as_expert(tensor: Tensor) -> Tensor:
    """A dense feed-forward matrix under the name of an expert."""
    stem, _, last = tensor.name.rpartition(".")
    if stem != "mlp" or not last.endswith("_proj"):
        return tensor
    return tensor.with_(name=f"mlp.experts.{last}", shard="experts")


def _add_rotary(total: _Sum) -> None:
    """Add the rotary tables of the stage: positions × width × bytes of an element, once each."""
    question = total.question
    kinds = {attention_kind(run.mixer) for run in question.stage.runs}
    if not kinds - {"state", "none"}:
        return
    tables = [
        table
        for table in question.model.rotary_tables
        if table.used_by is None or table.used_by in kinds
    ]
    for number, table in enumerate(tables, start=1):
        suffix = "" if len(tables) == 1 else f"_{number}"
        bits = question.precision.weights.other_bits
        size = table.positions * table.width * bits // 8
        text = f"{table.positions} × {table.width} · {bits} bit"
        symbol = f"rotary_bytes{suffix}"
        total.add((Loaded(symbol, "rotary", size, text),))
        total.show(Term(symbol, size, "bytes", Evidence.COMPUTED, Source("tensor", text)))
