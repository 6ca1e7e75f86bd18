"""LMDeploy's rule for the formula sheet: TurboMind and the PyTorch engine.

    budget = weights + outside torch (+ reserve of the PyTorch engine) + blocks of the pool
A small profile: dense caches of full attention only. Activations of TurboMind live in what the
share leaves free, so they stand outside the budget.
"""

from __future__ import annotations

from functools import lru_cache

from workbench.core.engines.foreign import foreign_format
from workbench.core.engines.lmdeploy.defaults import engine_of, flags_of, origin
from workbench.core.engines.lmdeploy.pool import Reserve, pool_blocks, runtime_reserve
from workbench.core.engines.request_entries import request_entries
from workbench.core.engines.rule import PoolPlan, Resolved, StagePages
from workbench.core.load.demand import Demand, demand_of, demand_over
from workbench.core.load.lengths import blocks_of, sized_tokens, tail_tokens_of
from workbench.core.memory.kv import kv_bytes_per_token_formula
from workbench.core.memory.rules_of_thumb import outside_torch, step_activations
from workbench.core.memory.shares import Stage, parallelism_fault, stages_of
from workbench.core.memory.weights import tower_bytes, weights_formula, with_parts
from workbench.spec.layers import FullAttention
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


class LmdeployRule:
    """Budget, pages and pool of the release that a scenario asks for."""

    def rules_name(self, scenario: Scenario) -> str:
        """The release whose rules are followed."""
        return engine_of(scenario).rules.read_release

    def resolve(self, scenario: Scenario) -> Resolved:
        """Every flag that moves memory, with the release's defaults."""
        engine, flags = engine_of(scenario), flags_of(scenario)
        values: dict[str, object] = {
            "quantization": scenario.precision.weights.id,
            "kv_cache_dtype": scenario.precision.kv.id,
            "backend": flags.backend,
            "cache_max_entry_count": flags.cache_max_entry_count,
            "max_model_len": flags.max_model_len,
            "max_num_seqs": flags.max_num_seqs,
            "max_num_batched_tokens": flags.max_num_batched_tokens,
            "block_size": flags.block_tokens,
            "enable_prefix_caching": flags.enable_prefix_caching,
        }
        return Resolved(
            flags.max_model_len,
            flags.max_num_seqs,
            values,
            tuple(_shown(name) for name in flags.defaulted),
            request_limit=flags.max_num_seqs,
            origins={
                _shown(name): origin(name, engine, scenario.model) for name in flags.defaulted
            },
        )

    def stages(self, scenario: Scenario) -> tuple[Stage, ...]:
        """One stage: there is no pipeline parallelism."""
        return stages_of(scenario.model, scenario.deployment.with_(pp=1, pp_partition=None))

    def stage_budget(self, scenario: Scenario, stage: Stage) -> tuple[int, tuple[Entry, ...]]:
        """What is spent before the pool, and the pool; the rest of the card is not asked for."""
        loaded, flags = _loaded(scenario, stage), flags_of(scenario)
        total_bytes, block_bytes = scenario.gpu.device_total_bytes, _pages(scenario).bytes_per_block
        spent = sum(entry.bytes for entry in loaded)
        kept = _reserve_entries(scenario, total_bytes - spent, block_bytes)
        spent += sum(entry.bytes for entry in kept)
        outside: tuple[Entry, ...] = ()
        if flags.backend == "turbomind":
            activations = step_activations(scenario, stage, _step_term(scenario), in_budget=False)
            outside = () if activations is None else (activations,)
        entries = (*loaded, *kept, *outside)
        if spent > total_bytes:
            return total_bytes, entries
        return spent + self._pool_bytes(scenario, total_bytes, spent, block_bytes), entries

    def _pool_bytes(
        self, scenario: Scenario, total_bytes: int, spent: int, block_bytes: int
    ) -> int:
        """Whole blocks in the share of what is free; of the card in the oldest releases."""
        if not block_bytes:
            return 0
        free, share = total_bytes - spent, flags_of(scenario).cache_max_entry_count
        base = total_bytes if engine_of(scenario).rules.share_of == "total" else free
        blocks = pool_blocks(base, share, block_bytes)
        return min(blocks, free // block_bytes) * block_bytes

    def pages(self, scenario: Scenario, stage: Stage) -> StagePages:
        """All layers share one block table."""
        return _pages(scenario)

    def demand(self, scenario: Scenario, tokens: int) -> Demand:
        """Whole blocks of one block table."""
        flags, groups = flags_of(scenario), scenario.workload.prefix_groups
        if flags.enable_prefix_caching:
            return demand_of(tokens, flags.block_tokens, groups)
        return demand_over(
            tokens,
            (blocks_of(tokens, flags.block_tokens),),
            shareable_block_tokens=(),
            tail_tokens=tail_tokens_of(tokens, flags.block_tokens),
            prefix_groups=groups,
        )

    def pool(
        self,
        scenario: Scenario,
        pages: tuple[StagePages, ...],
        available_bytes: tuple[int, ...],
    ) -> PoolPlan | None:
        """Whole blocks of what is left."""
        (stage,), (available,) = pages, available_bytes
        if not stage.bytes_per_block:
            return None
        flags = flags_of(scenario)
        blocks = max(0, available) // stage.bytes_per_block
        refusal = None
        if not blocks or (flags.backend == "pytorch" and _reserve(scenario) is None):
            refusal = Refusal("no_memory", reason="no_room_for_a_block")
        longest = flags.max_model_len
        return PoolPlan(
            blocks,
            blocks,
            blocks * flags.block_tokens,
            None if refusal else blocks / blocks_of(longest, flags.block_tokens),
            longest,
            refusal,
        )

    def request_entries(
        self, scenario: Scenario, pages: StagePages, demand: Demand, requests: int
    ) -> tuple[Entry, ...]:
        """Own blocks, shared prefixes and the tails of last blocks."""
        if not flags_of(scenario).enable_prefix_caching:
            scenario = scenario.with_(workload=scenario.workload.with_(prefix_groups=()))
        return request_entries(scenario, pages, demand, requests, block=_block_term(scenario))

    def refusal(self, scenario: Scenario) -> Refusal | None:
        """What it has no rule for, an impossible layout, or a request longer than a session."""
        deployment = scenario.deployment
        field = parallelism_fault(scenario.model, deployment)
        if field is not None:
            return Refusal("bad_parallelism", field=field, has_pages=False)
        unknown = _unplanned(scenario)
        if unknown is not None:
            return Refusal("unsupported", reason=unknown, has_pages=False)
        foreign = foreign_format(scenario)
        if foreign is not None:
            return foreign
        longest, limit = sized_tokens(scenario.workload.lengths, "max"), flags_of(scenario)
        if longest <= limit.max_model_len:
            return None
        known = scenario.model.max_position_tokens
        return Refusal("max_len_too_long", longest if known is None or longest <= known else None)

    def admission(
        self, scenario: Scenario, blocks: int, prompt_tokens: int, output_tokens: int
    ) -> Admission | None:
        """The scheduler was not read."""
        return None

    def start_is_open(self, scenario: Scenario) -> bool:
        """The engine starts with whatever pool is left."""
        return False

    def not_modelled(self, scenario: Scenario) -> tuple[str, ...]:
        """What a real process also holds and no entry counts."""
        missing = [] if scenario.model.has_weights else ["weights"]
        labels = {e.label for e in self.stage_budget(scenario, self.stages(scenario)[0])[1]}
        if "activations" not in labels:
            missing.append("activations")
        return (*missing, "adapters", "workspaces", "eviction", "kv_quantisation_error", "speed")


RULE = LmdeployRule()


def _shown(name: str) -> str:
    """The name a flag has among the resolved ones."""
    return "block_size" if name == "block_tokens" else name


def _unplanned(scenario: Scenario) -> str | None:
    """Name what this small profile has no rule for, or None."""
    for run in scenario.model.layers:
        if run.mixer.kind not in ("full", "none"):
            return f"layers of kind {run.mixer.kind}"
        if getattr(run.mixer, "indexer", None) is not None:
            return "layers with a sparse indexer"
    if len(_attentions(scenario.model)) > 1:
        return "layers of several shapes"
    deployment = scenario.deployment
    for name in ("pp", "ep", "dcp"):
        if getattr(deployment, name) > 1:
            return f"{name.upper()} beyond 1"
    return None


def _attentions(model: ModelSpec) -> tuple[FullAttention, ...]:
    return tuple({r.mixer: None for r in model.layers if isinstance(r.mixer, FullAttention)})


def _pages(scenario: Scenario) -> StagePages:
    return _pages_of(scenario, flags_of(scenario).block_tokens)


@lru_cache(maxsize=64)
def _pages_of(scenario: Scenario, block_tokens: int) -> StagePages:
    attentions = _attentions(scenario.model)
    layers = sum(r.count for r in scenario.model.layers if isinstance(r.mixer, FullAttention))
    if not attentions or _unplanned(scenario) is not None:
        return StagePages(0, Formula("0"), 0, block_tokens, ())
    each, formula = kv_bytes_per_token_formula(scenario, attentions[0], layers)
    group = Group("full", layers, block_tokens, each // layers * block_tokens, 0)
    return StagePages(each, formula, each * block_tokens, block_tokens, (group,))


# Entries


def _loaded(scenario: Scenario, stage: Stage) -> tuple[Entry, ...]:
    """Weights and what is outside torch: in use when the pool is sized."""
    outside = outside_torch(scenario)
    if not scenario.model.has_weights:
        return (outside,)
    model, precision = scenario.model, scenario.precision
    size, formula = weights_formula(scenario, stage)
    # Towers stand whole on the first rank, which has the least left.
    size, formula = with_parts(model, size, formula, tower_bytes(model, precision, 1))
    source = Source("model", model.id)
    weights = Entry(EntryKind.WEIGHTS, "weights", size, Evidence.COMPUTED, formula, source)
    return weights, outside


def _reserve(scenario: Scenario) -> Reserve | None:
    """The PyTorch engine's reserve of a rank; None where the cache then finds no room."""
    rule, block_bytes = RULE, _pages(scenario).bytes_per_block
    loaded = _loaded(scenario, rule.stages(scenario)[0])
    free = scenario.gpu.device_total_bytes - sum(entry.bytes for entry in loaded)
    return _reserve_of(scenario, free, block_bytes)


def _reserve_of(scenario: Scenario, free_bytes: int, block_bytes: int) -> Reserve | None:
    flags = flags_of(scenario)
    if not block_bytes or scenario.model.vocab_size is None:
        return Reserve(0, flags.max_num_batched_tokens)
    return runtime_reserve(
        free_bytes,
        flags.cache_max_entry_count,
        block_bytes,
        prefill_tokens=flags.max_num_batched_tokens,
        sequences=flags.max_num_seqs,
        vocab_size=scenario.model.vocab_size,
    )


def _reserve_entries(scenario: Scenario, free_bytes: int, block_bytes: int) -> tuple[Entry, ...]:
    if flags_of(scenario).backend != "pytorch":
        return ()
    reserve = _reserve_of(scenario, free_bytes, block_bytes)
    if reserve is None or not reserve.bytes:
        return ()
    vocab = scenario.model.vocab_size or 0
    source, rule = Source("model", scenario.model.id), Source("engine_rule")
    step = _step_term(scenario)
    if reserve.prefill_tokens != step.value:
        # Halved until enough blocks fit.
        step = Term(
            step.symbol, reserve.prefill_tokens, "tokens", Evidence.COMPUTED, rule, step.field
        )
    sequences = _flag_term(scenario, "max_num_seqs", flags_of(scenario).max_num_seqs)
    formula = Formula(
        "({max_num_batched_tokens} + 2 × {max_num_seqs}) × {vocab_size} × 2",
        (step, sequences, Term("vocab_size", vocab, "count", Evidence.GIVEN, source)),
    )
    kind = EntryKind.ACTIVATIONS
    return (Entry(kind, "activations", reserve.bytes, Evidence.COMPUTED, formula, rule),)


def _step_term(scenario: Scenario) -> Term:
    tokens = flags_of(scenario).max_num_batched_tokens
    return _flag_term(scenario, "max_num_batched_tokens", tokens)


def _block_term(scenario: Scenario) -> Term:
    return _flag_term(scenario, "block_tokens", flags_of(scenario).block_tokens)


def _flag_term(scenario: Scenario, name: str, value: int) -> Term:
    engine, flags = engine_of(scenario), flags_of(scenario)
    typed = name not in flags.defaulted
    source = Source("typed") if typed else origin(name, engine, scenario.model)
    unit = "count" if name == "max_num_seqs" else "tokens"
    return Term(name, value, unit, Evidence.GIVEN, source, f"engine.{name}")  # type: ignore[arg-type]
