"""The founding note's arithmetic in whole blocks: no engine's rule in particular.

Source: founding note 002, "a script that can be used as it is": the card less weights less an
activation share less a fragmentation share is the pool; both reserves are floored to bytes.
"""

from __future__ import annotations

from functools import lru_cache

from workbench.core.engines.request_entries import request_entries
from workbench.core.engines.rule import PoolPlan, Resolved, StagePages
from workbench.core.load.demand import Demand, demand_of
from workbench.core.load.lengths import blocks_of, sized_tokens
from workbench.core.memory.kv import kv_bytes_per_token_formula
from workbench.core.memory.shares import Stage, parallelism_fault, stages_of
from workbench.core.memory.weights import given_weights_formula, weights_formula
from workbench.core.terms import card_total
from workbench.spec.engine import Amount, PlainEngine
from workbench.spec.layers import FullAttention, NoMixer
from workbench.spec.ledger import (
    Admission,
    Entry,
    EntryKind,
    Evidence,
    Formula,
    Group,
    Refusal,
    Source,
    Term,
)
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import Scenario

DEFAULT_MAX_NUM_SEQS = 256
_DEFAULTS = PlainEngine()


class PlainRule:
    """Budget and pages by the founding note."""

    def rules_name(self, scenario: Scenario) -> str:
        """There is one set of rules."""
        return "1"

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
        engine = _engine(scenario)
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
            max_model_len,
            max_num_seqs,
            values,
            tuple(flag for flag, default in unchanged.items() if default),
            # No engine's scheduler: only a limit that a person has set holds.
            request_limit=engine.max_num_seqs,
        )

    def stages(self, scenario: Scenario) -> tuple[Stage, ...]:
        """Layers as evenly as they go; an impossible layout is drawn as a single stage."""
        deployment = scenario.deployment
        if deployment.pp > scenario.model.layer_count:
            deployment = deployment.with_(pp=1, pp_partition=None)
        return stages_of(scenario.model, deployment)

    def stage_budget(self, scenario: Scenario, stage: Stage) -> tuple[int, tuple[Entry, ...]]:
        """The plain budget is the whole card."""
        return scenario.gpu.device_total_bytes, self._fixed_entries(scenario, stage)

    def _fixed_entries(self, scenario: Scenario, stage: Stage) -> tuple[Entry, ...]:
        """Entries of a rank that do not depend on the requests."""
        engine, total_bytes = _engine(scenario), scenario.gpu.device_total_bytes
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
        layers = sum(run.count for run in stage.runs if isinstance(run.mixer, FullAttention))
        return _pages(scenario, layers)

    def demand(self, scenario: Scenario, tokens: int) -> Demand:
        """Whole blocks of one block table."""
        return demand_of(tokens, _engine(scenario).block_tokens, scenario.workload.prefix_groups)

    def pool(
        self,
        scenario: Scenario,
        pages: tuple[StagePages, ...],
        available_bytes: tuple[int, ...],
    ) -> PoolPlan | None:
        """The stage with the fewest whole blocks decides."""
        counts = [
            max(0, available) // stage.bytes_per_block
            for stage, available in zip(pages, available_bytes, strict=True)
            if stage.bytes_per_block
        ]
        if not counts:
            return None
        blocks, block_tokens = min(counts), _engine(scenario).block_tokens
        longest = self.resolve(scenario).max_model_len
        concurrency = None if longest is None else blocks / blocks_of(longest, block_tokens)
        return PoolPlan(blocks, blocks, blocks * block_tokens, concurrency, longest)

    def request_entries(
        self, scenario: Scenario, pages: StagePages, demand: Demand, requests: int
    ) -> tuple[Entry, ...]:
        """Own blocks, shared prefixes and the tails of last blocks."""
        return request_entries(scenario, pages, demand, requests)

    def refusal(self, scenario: Scenario) -> Refusal | None:
        """What it has no rule for, an impossible layout, or a request longer than allowed."""
        if self.unsupported(scenario):
            return Refusal("unsupported", has_pages=False)
        if parallelism_fault(scenario.model, scenario.deployment):
            return Refusal("bad_parallelism")
        longest = sized_tokens(scenario.workload.lengths, "max")
        allowed = self.resolve(scenario).max_model_len
        if allowed is not None and longest > allowed:
            limit = scenario.model.max_position_tokens
            suggested = longest if limit is None or longest <= limit else None
            return Refusal("max_len_too_long", suggested)
        return None

    def admission(
        self, scenario: Scenario, blocks: int, prompt_tokens: int, output_tokens: int
    ) -> Admission | None:
        """There is no scheduler in the note's arithmetic."""
        return None

    def start_is_open(self, scenario: Scenario) -> bool:
        """Nothing here is fitted."""
        return False

    def not_modelled(self, scenario: Scenario) -> tuple[str, ...]:
        """What real engines also keep on a card and this arithmetic has no line for."""
        missing = []
        if not scenario.model.has_weights and _engine(scenario).weights_bytes is None:
            missing.append("weights")
        if _engine(scenario).runtime_bytes is None:
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


@lru_cache(maxsize=64)
def _pages(scenario: Scenario, layers: int) -> StagePages:
    block_tokens = _engine(scenario).block_tokens
    attentions = _attentions(scenario.model)
    if not attentions or not layers:
        return StagePages(0, Formula("0"), 0, block_tokens, ())
    bytes_per_token, formula = kv_bytes_per_token_formula(scenario, attentions[0], layers)
    group = Group("full", layers, block_tokens, bytes_per_token // layers * block_tokens, 0)
    return StagePages(
        bytes_per_token, formula, bytes_per_token * block_tokens, block_tokens, (group,)
    )


PLAIN = PlainRule()


def _engine(scenario: Scenario) -> PlainEngine:
    assert isinstance(scenario.engine, PlainEngine)
    return scenario.engine


def _attentions(model: ModelSpec) -> tuple[FullAttention, ...]:
    return tuple({run.mixer: None for run in model.layers if isinstance(run.mixer, FullAttention)})


def _amount_value(amount: Amount) -> object:
    return amount.share if amount.share is not None else amount.size_bytes


def _weights_entry(scenario: Scenario, stage: Stage) -> tuple[Entry, ...]:
    """Weights as given, else from the inventory; no line for a model without either."""
    given = _engine(scenario).weights_bytes
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
        card_total(total_bytes),
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
