"""The founding note's arithmetic in whole blocks: no engine's rule in particular.

Source: founding note 002, "a script that can be used as it is": the card less weights less an
activation share less a fragmentation share is the pool; both reserves are floored to bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from workbench.core.memory.kv import kv_bytes_per_token_formula
from workbench.core.memory.shares import Stage
from workbench.core.memory.weights import given_weights_formula, weights_formula
from workbench.spec.engine import Amount, PlainEngine
from workbench.spec.layers import FullAttention, NoMixer
from workbench.spec.ledger import Entry, EntryKind, Evidence, Formula, Group, Source, Term
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import Scenario

DEFAULT_MAX_NUM_SEQS = 256
_DEFAULTS = PlainEngine()


@dataclass(frozen=True, slots=True)
class Resolved:
    """Flags of the engine with the defaults filled in."""

    block_tokens: int
    max_model_len: int | None
    """None where neither a person nor the model names a longest request."""
    max_num_seqs: int
    values: Mapping[str, object]
    defaulted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class StagePages:
    """KV of one stage: bytes a token and a block take on each of its ranks."""

    layers: int
    bytes_per_token: int
    formula: Formula
    block_tokens: int
    groups: tuple[Group, ...]
    """Layers that share a block table; `plain` has one such group."""

    @property
    def bytes_per_block(self) -> int:
        """Bytes of one block of all layers of the stage."""
        return self.bytes_per_token * self.block_tokens


class PlainRule:
    """Budget and pages by the founding note."""

    rules_name = "1"

    def unsupported(self, scenario: Scenario) -> str | None:
        """Name what the plain arithmetic has no rule for, or None.

        A layer that is not full attention would be counted wrong, so it is refused.
        """
        kinds = {run.mixer.kind for run in scenario.model.layers}
        for kind in sorted(kinds - {"full", "none"}):
            return f"layers.{kind}"
        if any(attention.indexer for attention in _attentions(scenario.model)):
            return "layers.indexer"
        if len(_attentions(scenario.model)) > 1:
            return "layers.differ"
        if scenario.deployment.ep > 1:
            return "deployment.ep"
        if scenario.deployment.dcp > 1:
            return "deployment.dcp"
        return None

    def resolve(self, scenario: Scenario) -> Resolved:
        """Fill in what the person left to the engine."""
        engine = scenario.engine
        max_model_len = engine.max_model_len or scenario.model.max_position_tokens
        max_num_seqs = engine.max_num_seqs or DEFAULT_MAX_NUM_SEQS
        values: dict[str, object] = {
            "block_size": engine.block_tokens,
            "max_model_len": max_model_len,
            "max_num_seqs": max_num_seqs,
            "activation_reserve": _amount_value(engine.activation_reserve),
            "fragmentation_reserve": _amount_value(engine.fragmentation_reserve),
        }
        unchanged = {
            "block_size": engine.block_tokens == _DEFAULTS.block_tokens,
            "max_model_len": engine.max_model_len is None,
            "max_num_seqs": engine.max_num_seqs is None,
            "activation_reserve": engine.activation_reserve == _DEFAULTS.activation_reserve,
            "fragmentation_reserve": engine.fragmentation_reserve
            == _DEFAULTS.fragmentation_reserve,
        }
        return Resolved(
            engine.block_tokens,
            max_model_len,
            max_num_seqs,
            values,
            tuple(flag for flag, default in unchanged.items() if default),
        )

    def budget_bytes(self, total_bytes: int) -> int:
        """The plain budget is the whole card."""
        return total_bytes

    def fixed_entries(self, scenario: Scenario, stage: Stage) -> tuple[Entry, ...]:
        """Entries of a rank that do not depend on the requests."""
        engine, total_bytes = scenario.engine, scenario.gpu.device_total_bytes
        entries = [
            *_weights_entry(scenario, stage),
            *_runtime_entry(engine),
            _reserve_entry(
                EntryKind.ACTIVATIONS,
                "activation_reserve",
                engine.activation_reserve,
                _DEFAULTS.activation_reserve,
                total_bytes,
            ),
            _reserve_entry(
                EntryKind.FRAGMENTATION,
                "fragmentation_reserve",
                engine.fragmentation_reserve,
                _DEFAULTS.fragmentation_reserve,
                total_bytes,
            ),
            *_layer_scale_entry(scenario, stage),
        ]
        return tuple(entries)

    def pages(self, scenario: Scenario, stage: Stage) -> StagePages:
        """KV pages of a stage: all its attention layers share one block table."""
        block_tokens = scenario.engine.block_tokens
        attentions = _attentions(scenario.model)
        layers = sum(run.count for run in stage.runs if isinstance(run.mixer, FullAttention))
        if not attentions or not layers:
            return StagePages(0, 0, Formula("0"), block_tokens, ())
        attention = attentions[0]
        bytes_per_token, formula = kv_bytes_per_token_formula(scenario, attention, layers)
        group = Group("full", layers, block_tokens, bytes_per_token // layers * block_tokens, 0)
        return StagePages(layers, bytes_per_token, formula, block_tokens, (group,))

    def not_modelled(self, scenario: Scenario) -> tuple[str, ...]:
        """What real engines also keep on a card and this arithmetic has no line for."""
        missing = []
        if not scenario.model.has_weights and scenario.engine.weights_bytes is None:
            missing.append("weights")
        if scenario.engine.runtime_bytes is None:
            missing.append("runtime")
        return (
            *missing,
            "block_tables",
            "alignment",
            "workspaces",
            "eviction",
            "kv_quantisation_error",
            "speed",
        )


PLAIN = PlainRule()


def _attentions(model: ModelSpec) -> tuple[FullAttention, ...]:
    return tuple({run.mixer: None for run in model.layers if isinstance(run.mixer, FullAttention)})


def _amount_value(amount: Amount) -> object:
    return amount.share if amount.share is not None else amount.size_bytes


def _weights_entry(scenario: Scenario, stage: Stage) -> tuple[Entry, ...]:
    """Weights as given, else from the inventory; no line for a model without either."""
    given = scenario.engine.weights_bytes
    if given is not None:
        size, formula = given_weights_formula(given, scenario.deployment)
        source, evidence = Source("typed"), Evidence.GIVEN
    elif scenario.model.has_weights:
        size, formula = weights_formula(scenario, stage)
        source, evidence = Source("model", scenario.model.id), Evidence.COMPUTED
    else:
        return ()
    return (Entry(EntryKind.WEIGHTS, "weights", size, evidence, formula, source),)


def _runtime_entry(engine: PlainEngine) -> tuple[Entry, ...]:
    if engine.runtime_bytes is None:
        return ()
    term = Term(
        "runtime_bytes",
        engine.runtime_bytes,
        "bytes",
        Evidence.GIVEN,
        Source("typed"),
        "engine.runtime_bytes",
    )
    return (
        Entry(
            EntryKind.RUNTIME,
            "runtime",
            engine.runtime_bytes,
            Evidence.GIVEN,
            Formula("{runtime_bytes}", (term,)),
            Source("typed"),
        ),
    )


def _reserve_entry(
    kind: EntryKind, label: str, amount: Amount, default: Amount, total_bytes: int
) -> Entry:
    """A reserve: a share of the card is a rule of thumb, bytes are a person's figure.

    The note's own prose takes about half of what its script reserves (4 of 8 GiB on 80 GiB):
    that half is the low end of the default's band; nothing is known of a high end.
    """
    size = amount.of(total_bytes)
    is_default = amount == default
    source = Source("founding_note", "002") if is_default else Source("typed")
    field = f"engine.{label}"
    if amount.share is None:
        term = Term(label, size, "bytes", Evidence.GIVEN, source, field)
        return Entry(kind, label, size, Evidence.GIVEN, Formula(f"{{{label}}}", (term,)), source)
    terms = (
        Term(
            "device_total_bytes",
            total_bytes,
            "bytes",
            Evidence.GIVEN,
            Source("gpu"),
            "gpu.device_total_bytes",
        ),
        Term(label, amount.share, "share", Evidence.ASSUMED, source, field),
    )
    formula = Formula(f"⌊{{device_total_bytes}} × {{{label}}}⌋", terms)
    low = size // 2 if is_default else None
    return Entry(kind, label, size, Evidence.ASSUMED, formula, source, low_bytes=low)


def _layer_scale_entry(scenario: Scenario, stage: Stage) -> tuple[Entry, ...]:
    """Scales that a KV format keeps once a layer."""
    kv_format = scenario.precision.kv
    layers = sum(run.count for run in stage.runs if not isinstance(run.mixer, NoMixer))
    size = layers * kv_format.layer_scale_bytes
    if not size:
        return ()
    source = Source("kv_format", kv_format.id)
    terms = (
        Term(
            "layers",
            layers,
            "count",
            Evidence.GIVEN,
            Source("model", scenario.model.id),
            "model.layers",
        ),
        Term(
            "layer_scale_bytes",
            kv_format.layer_scale_bytes,
            "bytes",
            Evidence.GIVEN,
            source,
            "precision.kv",
        ),
    )
    formula = Formula("{layers} × {layer_scale_bytes}", terms)
    return (Entry(EntryKind.RUNTIME, "kv_scales", size, Evidence.COMPUTED, formula, source),)
