"""llama.cpp's rule for the formula sheet: everything is allocated at start, by flags.

    card = weights + compute buffer + states + cells of windows + cells of the context
    requests hold cells of their slot, or of one pool; nothing grows afterwards
Source: llama-cpp.md §1 to §9; every difference between builds is a switch of `LlamacppRules`.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from workbench.core.engines.llamacpp.cells import BLOCKS, LayerCache
from workbench.core.engines.llamacpp.defaults import NO_LENGTH_TOKENS, Flags, flags_of, origin
from workbench.core.engines.llamacpp.entries import fixed_entries, held_entries, pool_tokens
from workbench.core.engines.llamacpp.fit import start_of
from workbench.core.engines.llamacpp.start import Device, Start
from workbench.core.engines.llamacpp.terms import ruled
from workbench.core.engines.llamacpp.weights import file_type_of
from workbench.core.engines.rule import NO_PAGES, PoolPlan, Resolved, StagePages
from workbench.core.load.demand import Demand, demand_over
from workbench.core.load.lengths import sized_tokens
from workbench.core.memory.shares import Stage
from workbench.spec.engine import ENGINE_NAMES
from workbench.spec.formats import KvFormat, WeightFormat
from workbench.spec.layers import LatentAttention
from workbench.spec.ledger import Admission, Entry, Formula, Group, Refusal
from workbench.spec.llamacpp import CacheType, LlamacppEngine
from workbench.spec.model import LayerRun
from workbench.spec.scenario import Scenario

_WIDE: Final = ("f32", "f16", "bf16")


class LlamacppRule:
    """Budget and pages of the build that a scenario asks for."""

    def rules_name(self, scenario: Scenario) -> str:
        """The build whose rules are followed."""
        return _engine(scenario).rules.read_release

    def resolve(self, scenario: Scenario) -> Resolved:
        """Every flag that moves memory, with the build's defaults, fitted to the cards."""
        engine, flags, start = _engine(scenario), flags_of(scenario), start_of(scenario)
        layers = scenario.model.layer_count + 1
        values: dict[str, object] = {
            "quantization": scenario.precision.weights.id,
            "ctx_size": flags.context_tokens,
            "parallel": flags.slots,
            "kv_unified": flags.unified,
            "batch_size": flags.batch_tokens,
            "ubatch_size": flags.micro_batch_tokens,
            "gpu_layers": layers if flags.gpu_layers is None else min(flags.gpu_layers, layers),
            "cpu_moe_layers": flags.cpu_moe_layers,
            "split_mode": flags.split_mode,
            "flash_attention": flags.flash_attention,
            "cache_type_k": flags.cache_type_k,
            "cache_type_v": flags.cache_type_v,
            "swa_full": flags.swa_full,
            "kv_offload": flags.kv_offload,
            "fit": flags.fit,
            "fit_margin_bytes": flags.fit_margin_bytes,
            "fit_context_tokens": flags.fit_context_tokens,
        }
        longest = scenario.model.max_position_tokens or NO_LENGTH_TOKENS
        if isinstance(start, Start):
            values |= {
                "ctx_size": start.context.tokens,
                "gpu_layers": start.gpu_layers,
                "cpu_moe_layers": start.cpu_moe_layers,
            }
            longest = slot_limit(scenario, start)
        # As the other engines call them: what the block table and the tails are asked about.
        values["block_size"] = _block_tokens(start) if isinstance(start, Start) else 1
        values["max_num_seqs"] = flags.slots
        return Resolved(
            longest,
            flags.slots,
            values,
            flags.defaulted,
            request_limit=flags.slots,
            origins={flag: origin(flags, flag, engine) for flag in flags.defaulted},
        )

    def stages(self, scenario: Scenario) -> tuple[Stage, ...]:
        """One stage a card, with the layers it holds, and the host."""
        start = start_of(scenario)
        if not isinstance(start, Start):
            ranks = scenario.deployment.ranks
            return (Stage(0, True, True, scenario.model.layers, ranks=ranks),)
        return _stages(start)

    def stage_budget(self, scenario: Scenario, stage: Stage) -> tuple[int, tuple[Entry, ...]]:
        """The whole card; the host's memory is as given, or what it needs."""
        start = start_of(scenario)
        total = scenario.gpu.device_total_bytes
        if not isinstance(start, Start):
            return total, ()
        device = start.devices[stage.index]
        entries = fixed_entries(start, device)
        if stage.place == "card":
            return total, entries
        given = _engine(scenario).host_memory_bytes
        if given is not None:
            return given, entries
        pages = self.pages(scenario, stage)
        pool = pages.taken_at_start * pages.bytes_per_block
        return sum(entry.bytes for entry in entries) + pool, entries

    def pages(self, scenario: Scenario, stage: Stage) -> StagePages:
        """A block is a slot, or one cell of a pool that all slots share."""
        start = start_of(scenario)
        if not isinstance(start, Start):
            return NO_PAGES
        return _pages(start, start.devices[stage.index])

    def demand(self, scenario: Scenario, tokens: int) -> Demand:
        """A slot each, or as many cells as tokens; nothing is shared between requests."""
        start = start_of(scenario)
        assert isinstance(start, Start), "a scenario without a plan has no demand"
        block = _block_tokens(start)
        blocks = -(-tokens // block)
        return demand_over(
            tokens, (blocks,), shareable_block_tokens=(), tail_tokens=blocks * block - tokens
        )

    def pool(
        self,
        scenario: Scenario,
        pages: tuple[StagePages, ...],
        available_bytes: tuple[int, ...],
    ) -> PoolPlan | None:
        """The cells that the flags ask for; a card without room for them fails to start."""
        start = start_of(scenario)
        if not isinstance(start, Start) or not any(page.bytes_per_block for page in pages):
            return None
        blocks = max(page.taken_at_start for page in pages)
        limit = slot_limit(scenario, start)
        needs = [page.taken_at_start * page.bytes_per_block for page in pages]
        rooms = zip(start.devices, needs, available_bytes, strict=True)
        short = [
            (need, free) for device, need, free in rooms if device.place == "card" and free < need
        ]
        refusal = None
        if short:
            need, free = max(short, key=lambda pair: pair[0] - pair[1])
            refusal = Refusal(
                "no_memory",
                reason="cache_not_allocated",
                params={"needed_bytes": need, "available_bytes": max(0, free)},
                field="engine.ctx_size",
            )
        tokens = pool_tokens(start)
        return PoolPlan(blocks, blocks, tokens, tokens / start.context.slot_tokens, limit, refusal)

    def request_entries(
        self, scenario: Scenario, pages: StagePages, demand: Demand, requests: int
    ) -> tuple[Entry, ...]:
        """Cells held, the ends of slots, and cells that nobody holds."""
        return held_entries(scenario, pages, demand, requests)

    def refusal(self, scenario: Scenario) -> Refusal | None:
        """What the engine refuses before it allocates anything."""
        engine, flags, start = _engine(scenario), flags_of(scenario), start_of(scenario)
        foreign = _foreign_format(scenario, engine, flags)
        if foreign is not None:
            return foreign
        for size, field in ((scenario.deployment.ep, "ep"), (scenario.deployment.dcp, "dcp")):
            if size > 1:
                return Refusal(
                    "unsupported",
                    reason="no such parallelism",
                    field=f"deployment.{field}",
                    has_pages=False,
                )
        if not isinstance(start, Start):
            return Refusal("unsupported", reason=start, has_pages=False)
        return (
            _sequences_fault(engine, flags)
            or _cache_type_fault(scenario, engine, flags, start)
            or _length_fault(scenario, start)
        )

    def admission(
        self, scenario: Scenario, blocks: int, prompt_tokens: int, output_tokens: int
    ) -> Admission | None:
        """A request waits for a slot: nothing is admitted block by block."""
        return None

    def start_is_open(self, scenario: Scenario) -> bool:
        """What the bands leave open is whether the cells fit: the pool says so."""
        return False

    def not_modelled(self, scenario: Scenario) -> tuple[str, ...]:
        """What a real process also holds and no entry counts."""
        start, missing = start_of(scenario), []
        if isinstance(start, Start):
            if not start.inputs.weights.is_known:
                missing.append("weights")
            if start.inputs.widths is None:
                missing.append("activations")
        if scenario.model.vision is not None:
            missing.append("projector")
        if scenario.workload.prefix_groups:
            missing.append("prompt_reuse")
        return (*missing, "prompt_cache", "repacked_weights", "kernel_pool", "speed")


@lru_cache(maxsize=32)
def _stages(start: Start) -> tuple[Stage, ...]:
    last = start.placement.output_card
    return tuple(
        Stage(
            index,
            is_first=device.place == "host",
            is_last=index == last or (last is None and device.place == "host"),
            runs=_runs(start.inputs.model.layers, device.first, device.last),
            place=device.place,
            ranks=1,
        )
        for index, device in enumerate(start.devices)
    )


def _runs(layers: tuple[LayerRun, ...], first: int, last: int) -> tuple[LayerRun, ...]:
    """The runs of a range of layers."""
    found, at = [], 0
    for run in layers:
        taken = min(last, at + run.count) - max(first, at)
        if taken > 0:
            found.append(run if taken == run.count else run.with_(count=taken))
        at += run.count
    return tuple(found)


def _block_tokens(start: Start) -> int:
    """Tokens of a block: a cell of a shared pool, else a whole slot."""
    return 1 if start.context.shared else start.context.slot_tokens


@lru_cache(maxsize=128)
def _pages(start: Start, device: Device) -> StagePages:
    block = _block_tokens(start)
    size, layers = device.token_bytes, device.base_layers
    if not size:
        return StagePages(0, Formula("0"), 0, block, ())
    term = ruled("cell_bytes", size, "bytes", "precision.kv")
    group = Group("full", layers, block, block * size // layers, 0)
    return StagePages(
        bytes_per_token=size,
        token_formula=Formula("{cell_bytes}", (term,)),
        bytes_per_block=block * size,
        block_tokens=block,
        groups=(group,),
        taken_at_start=pool_tokens(start) // block,
    )


def slot_limit(scenario: Scenario, start: Start) -> int:
    """Longest request of a slot, in tokens: never beyond what the model was trained on."""
    trained = scenario.model.max_position_tokens
    slot = start.context.slot_tokens
    return slot if trained is None else min(slot, trained)


RULE = LlamacppRule()


def _engine(scenario: Scenario) -> LlamacppEngine:
    assert isinstance(scenario.engine, LlamacppEngine)
    return scenario.engine


# Refusals


def _foreign_format(scenario: Scenario, engine: LlamacppEngine, flags: Flags) -> Refusal | None:
    """A number format that no GGUF file or cache has."""
    weights, kv = scenario.precision.weights, scenario.precision.kv
    is_gguf = file_type_of(weights) is not None or weights.id.startswith("gguf-")
    form: WeightFormat | KvFormat = weights
    field = "precision.weights"
    if is_gguf or engine.weights_bytes is not None or not scenario.model.has_weights:
        if flags.cache_type_k is not None and flags.cache_type_v is not None:
            return None
        form, field = kv, "precision.kv"
    readers = form.engines or tuple(
        name for kind, name in ENGINE_NAMES.items() if kind != engine.kind
    )
    return Refusal(
        "unsupported",
        reason="format_of_other_engines",
        params={"format": form.name, "engines": ", ".join(readers)},
        field=field,
        has_pages=False,
    )


def _sequences_fault(engine: LlamacppEngine, flags: Flags) -> Refusal | None:
    most = engine.rules.most_sequences
    if flags.slots <= most:
        return None
    return Refusal(
        "unsupported",
        reason="too_many_sequences",
        params={"sequences": flags.slots, "limit": most},
        field="engine.parallel",
    )


def _cache_type_fault(
    scenario: Scenario, engine: LlamacppEngine, flags: Flags, start: Start
) -> Refusal | None:
    """Quantised values need flash attention, whole blocks a head; latent rows one type."""
    key, value = flags.cache_type_k, flags.cache_type_v
    assert key is not None
    assert value is not None
    if value not in _WIDE and not flags.flash_attention:
        return Refusal(
            "unsupported",
            reason="quantised_values_need_flash",
            params={"format": value},
            field="engine.flash_attention",
        )
    is_latent = any(isinstance(run.mixer, LatentAttention) for run in scenario.model.layers)
    if is_latent and engine.rules.equal_latent_types and key != value:
        return Refusal(
            "unsupported",
            reason="cache_types_differ",
            params={"key": key, "value": value},
            field="engine.cache_type_v",
        )
    for kept in start.inputs.cache.kinds:
        found = _undivided(kept, key, value)
        if found is not None:
            width, kind = found
            return Refusal(
                "unsupported",
                reason="cache_block_not_divided",
                params={"format": kind, "width": width},
                field="precision.kv",
            )
    return None


def _undivided(kept: LayerCache, key: CacheType, value: CacheType) -> tuple[int, str] | None:
    """A head's row that whole blocks do not fill, with the type."""
    for width, kind in ((kept.key_head, key), (kept.value_head, value)):
        if width % BLOCKS[kind][0]:
            return width, kind
    return None


def _length_fault(scenario: Scenario, start: Start) -> Refusal | None:
    """A request longer than a slot."""
    longest, limit = sized_tokens(scenario.workload.lengths, "max"), slot_limit(scenario, start)
    if longest <= limit:
        return None
    return Refusal(
        "max_len_too_long",
        reason="slot_too_short",
        params={"context_tokens": longest, "limit_tokens": limit},
        field="engine.ctx_size",
    )
