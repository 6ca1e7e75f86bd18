"""What SGLang takes for the flags nobody gave, by release, card and model.

Sources: SGLang `server_args.py`, `arg_groups/memory_hook.py`, `arg_groups/attention_hook.py` as
read in 0.4.9.post2, 0.5.5.post3, 0.5.10.post1 and 0.5.23; sglang.md §2. What changed between
releases stands in `SglangRules`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from workbench.core.engines.sglang.fraction import Launch, default_fraction
from workbench.core.engines.sglang.start import Start, start_of
from workbench.spec.gpu import GpuSpec
from workbench.spec.layers import LatentAttention, ParallelMixer, RecurrentState
from workbench.spec.ledger import Source
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import Scenario
from workbench.spec.sglang import Algorithm, Backend, CardTier, SglangEngine, SglangRules
from workbench.spec.units import MIB

MAX_PREFILL_TOKENS = 16_384
WINDOW_RATIO = 0.8
STATE_RATIO = 0.9
SPECULATIVE_REQUESTS = 48
"""Most requests at once with a draft, where nobody gives a limit."""
NO_LENGTH_TOKENS = 2048
"""Context of a model whose config names none."""
_AITER_FACTOR = 0.85
_AITER_ABOVE_TOKENS = 8192
_BLACKWELL = ("10.0", "10.3")
_FORCED_PAGES: dict[str, tuple[int, ...]] = {
    "flashmla": (64,),
    "cutlass_mla": (128,),
    "trtllm_mla": (64, 32),
    "trtllm_mha": (64, 16, 32, 128),
}
"""Pages that a backend takes; the first is what it changes any other to."""
_SPARSE_PAGE = 64
_COMPRESSED_PAGE = 256


@dataclass(frozen=True, slots=True)
class Flags:
    """The flags of one start, all filled in."""

    mem_fraction_static: float
    max_model_len: int
    derived_max_model_len: int
    max_num_seqs: int | None
    """Limit of requests of the whole server; None leaves it to the pool."""
    block_tokens: int
    chunked_prefill_size: int
    """Of one group of ranks; -1 leaves prompts whole."""
    max_prefill_tokens: int
    attention_backend: Backend | None
    dp_attention: int
    radix_cache: bool
    overlap_schedule: bool
    graph_max_bs: int
    """0 without decode graphs."""
    prefill_graph_tokens: int
    swa_full_tokens_ratio: float
    mamba_full_memory_ratio: float
    extra_buffer: bool
    algorithm: Algorithm | None
    steps: int
    topk: int
    draft_tokens: int
    """Tokens that a step verifies; 0 without a draft."""
    draft_layers: int | None
    defaulted: tuple[str, ...]
    assumed: tuple[str, ...]
    """Defaulted flags whose default is not certain."""

    @property
    def drafts(self) -> bool:
        """Whether a draft model with a cache of its own runs."""
        return self.algorithm in ("EAGLE", "STANDALONE")


def flags_of(scenario: Scenario) -> Flags:
    """Return the flags of a scenario of SGLang with the release's defaults filled in."""
    return flags_of_start(start_of(scenario))


@lru_cache(maxsize=512)
def flags_of_start(start: Start) -> Flags:
    """Return the flags of a start with the release's defaults filled in."""
    model, _, deployment, gpu, engine = start
    rules = engine.rules
    derived = derived_length(model)
    length = engine.max_model_len or derived
    algorithm = algorithm_of(engine)
    tier = tier_of(rules, smi_mib(gpu))
    chunk = engine.chunked_prefill_size
    if chunk is None:
        chunk = tier.chunked_prefill_size
    if chunk > 0 and engine.dp_attention > 1:
        chunk = max(1, chunk // engine.dp_attention)
    limit = engine.max_num_seqs
    if limit is None and algorithm is not None:
        limit = SPECULATIVE_REQUESTS
    graph_max_bs = _graph_max_bs(engine, tier, limit, deployment.tp)
    backend = engine.attention_backend or _default_backend(rules, gpu)
    prefill_tokens = _prefill_graph_tokens(start, chunk, algorithm)
    overlap = not engine.disable_overlap_schedule
    buffered = _extra_buffer(engine, model, overlap=overlap)
    max_prefill = engine.max_prefill_tokens or MAX_PREFILL_TOKENS
    fraction = engine.mem_fraction_static
    if fraction is None:
        launch = Launch(
            smi_mib=smi_mib(gpu),
            tp=deployment.tp,
            pp=deployment.pp,
            chunked_prefill_size=chunk,
            max_prefill_tokens=max_prefill,
            graph_max_bs=graph_max_bs,
            decode_graphs=not engine.disable_cuda_graph,
            prefill_graph_tokens=prefill_tokens,
            latent=has_latent(model),
            dp_attention=engine.dp_attention,
            algorithm=algorithm,
            multimodal=is_multimodal(model),
        )
        fraction = default_fraction(rules, tier, launch)
    if backend == "aiter" and length > _AITER_ABOVE_TOKENS:
        fraction *= _AITER_FACTOR
    draft_tokens = 0
    if algorithm is not None:
        draft_tokens = engine.speculative_tokens or 1
    return Flags(
        mem_fraction_static=fraction,
        max_model_len=length,
        derived_max_model_len=derived,
        max_num_seqs=limit,
        block_tokens=page_of(engine, model, gpu),
        chunked_prefill_size=chunk,
        max_prefill_tokens=max_prefill,
        attention_backend=backend,
        dp_attention=engine.dp_attention,
        radix_cache=_radix_cache(engine, model),
        overlap_schedule=overlap,
        graph_max_bs=0 if engine.disable_cuda_graph else graph_max_bs,
        prefill_graph_tokens=prefill_tokens,
        swa_full_tokens_ratio=engine.swa_full_tokens_ratio or WINDOW_RATIO,
        mamba_full_memory_ratio=engine.mamba_full_memory_ratio or STATE_RATIO,
        extra_buffer=buffered,
        algorithm=algorithm,
        steps=max(0, draft_tokens - 1)
        if engine.speculative_steps is None
        else engine.speculative_steps,
        topk=engine.speculative_topk or 1,
        draft_tokens=draft_tokens,
        draft_layers=engine.draft_layers,
        defaulted=_defaulted(engine),
        assumed=_assumed(start),
    )


FLAGS = {
    "mem_fraction_static": "mem_fraction_static",
    "max_model_len": "max_model_len",
    "max_num_seqs": "max_num_seqs",
    "block_size": "block_tokens",
    "chunked_prefill_size": "chunked_prefill_size",
    "max_prefill_tokens": "max_prefill_tokens",
    "attention_backend": "attention_backend",
    "cuda_graph_max_bs": "cuda_graph_max_bs",
    "swa_full_tokens_ratio": "swa_full_tokens_ratio",
    "mamba_full_memory_ratio": "mamba_full_memory_ratio",
    "disable_radix_cache": "disable_radix_cache",
}
"""Names under which values are shown, and the field of the profile that sets each."""
_FROM_RULES = {
    "mem_fraction_static": ("fraction_rule", "card_tiers", "prefill_graphs"),
    "chunked_prefill_size": ("card_tiers",),
    "cuda_graph_max_bs": ("card_tiers",),
    "max_num_seqs": ("request_rule",),
    "block_size": ("blackwell_page_tokens",),
}


def _defaulted(engine: SglangEngine) -> tuple[str, ...]:
    return tuple(flag for flag, field in FLAGS.items() if getattr(engine, field) is None)


def _assumed(start: Start) -> tuple[str, ...]:
    """Defaults that hang on a switch without a known date, or on what the card does not state."""
    doubtful = {
        flag
        for flag in _defaulted(start.engine)
        if any(switch in start.engine.rules.assumed for switch in _FROM_RULES.get(flag, ()))
    }
    if start.gpu.smi_total_mib is None:
        doubtful |= {"mem_fraction_static", "chunked_prefill_size", "cuda_graph_max_bs"}
    if start.engine.rules.vision_rule == "complexity" and is_multimodal(start.model):
        # The factor hangs on layers and width of the tower, which are not on record.
        doubtful.add("mem_fraction_static")
    return tuple(flag for flag in _defaulted(start.engine) if flag in doubtful)


def origin(flags: Flags, flag: str, engine: SglangEngine) -> Source:
    """Where a defaulted flag's value comes from."""
    code = "engine_default_assumed" if flag in flags.assumed else "engine_default"
    release = f"SGLang {engine.release}"
    if engine.rules.read_release != engine.release:
        release += f" ({engine.rules.read_release})"
    return Source(code, release)


# Card


def smi_mib(gpu: GpuSpec) -> int:
    """Memory of the card as nvidia-smi prints it, in MiB; else what the runtime reports."""
    return gpu.smi_total_mib or max(1, gpu.device_total_bytes // MIB)


def tier_of(rules: SglangRules, memory_mib: int | None) -> CardTier:
    """The first tier that a card stays below; the last one takes every card."""
    if memory_mib is None:
        return rules.unknown_tier
    for tier in rules.card_tiers:
        if tier.below_mib is None or memory_mib < tier.below_mib:
            return tier
    return rules.card_tiers[-1]


def _graph_max_bs(engine: SglangEngine, tier: CardTier, limit: int | None, tp: int) -> int:
    """Largest captured batch: given, or by the card, from 0.5.2x no more than the requests."""
    if engine.cuda_graph_max_bs is not None:
        return engine.cuda_graph_max_bs
    most = tier.graph_max_bs if tp < 4 else tier.graph_max_bs_wide
    if engine.rules.graphs_follow_requests and limit is not None:
        return min(most, limit)
    return most


def _default_backend(rules: SglangRules, gpu: GpuSpec) -> Backend | None:
    """AITER on AMD cards; elsewhere the choice moves memory by its page alone (`page_of`)."""
    return "aiter" if rules.aiter_by_default and "amd" in gpu.vendor.casefold() else None


def page_of(engine: SglangEngine, model: ModelSpec, gpu: GpuSpec) -> int:
    """Tokens of a page: the flag, what the backend forces, else 1 (sglang.md §2.5)."""
    kinds = {run.mixer.kind for run in model.layers}
    if "compressed" in kinds:
        return _COMPRESSED_PAGE
    if has_indexer(model):
        return _SPARSE_PAGE
    forced = _FORCED_PAGES.get(engine.attention_backend or "")
    if forced is not None:
        given = engine.block_tokens
        return given if given in forced else forced[0]
    if engine.block_tokens is not None:
        return engine.block_tokens
    if gpu.compute_capability in _BLACKWELL and engine.attention_backend is None:
        states = has_state(model)
        return 1 if states or has_latent(model) else engine.rules.blackwell_page_tokens
    return 1


def _prefill_graph_tokens(start: Start, chunk: int, algorithm: Algorithm | None) -> int:
    """Largest prefill graph in tokens; 0 where none is captured.

    Without a flag they are left out on other makers' cards, with pipeline stages, for multimodal
    models and for KDA; up to 0.5.10 also with a draft or DP attention (`server_args.py`).
    """
    model, _, deployment, gpu, engine = start
    rules = engine.rules
    wanted = engine.prefill_cuda_graph
    if rules.prefill_graphs == "none" or wanted is False:
        return 0
    if wanted is None:
        if rules.prefill_graphs == "on_request" or engine.disable_cuda_graph:
            return 0
        if deployment.pp > 1 or is_multimodal(model) or "nvidia" not in gpu.vendor.casefold():
            return 0
        if not rules.prefill_graphs_with_draft and (algorithm or engine.dp_attention > 1):
            return 0
        if any(getattr(run.mixer, "variant", "") == "kda" for run in model.layers):
            return 0
    tokens = max(chunk, 1)
    if has_latent(model):
        tokens = min(tokens, rules.prefill_graph_most_latent)
    return tokens if engine.max_total_tokens is None else min(tokens, engine.max_total_tokens)


# Model


def derived_length(model: ModelSpec) -> int:
    """Context that the engine derives from a config (`get_context_length`), in tokens.

    A stretched rotary encoding multiplies it, unless the config names the original length.
    """
    positions, scaling = model.max_position_tokens or NO_LENGTH_TOKENS, model.rope_scaling
    if scaling is None or scaling.kind == "llama3":
        return positions
    if scaling.original_max_position_tokens is not None:
        return positions
    return max(1, int(scaling.factor * positions))


def algorithm_of(engine: SglangEngine) -> Algorithm | None:
    """The draft's algorithm; tokens without one are those of the model's own module."""
    if engine.speculative_algorithm is not None:
        return engine.speculative_algorithm
    return "EAGLE" if engine.speculative_tokens else None


def _radix_cache(engine: SglangEngine, model: ModelSpec) -> bool:
    if engine.disable_radix_cache is not None:
        return not engine.disable_radix_cache
    variants = {getattr(part, "variant", None) for part in _state_parts(model)}
    return not variants & {*engine.rules.states_without_radix}


def _extra_buffer(engine: SglangEngine, model: ModelSpec, *, overlap: bool) -> bool:
    """States are tracked in an extra buffer: by flag, or by default where the model can."""
    if engine.mamba_extra_buffer is not None:
        return engine.mamba_extra_buffer
    return overlap and model.architecture in engine.rules.extra_buffer


def _state_parts(model: ModelSpec) -> tuple[object, ...]:
    return tuple(
        run.mixer.state if isinstance(run.mixer, ParallelMixer) else run.mixer
        for run in model.layers
    )


def has_state(model: ModelSpec) -> bool:
    """Whether some layer keeps a recurrent state."""
    return any(isinstance(run.mixer, RecurrentState | ParallelMixer) for run in model.layers)


def has_latent(model: ModelSpec) -> bool:
    """Whether some layer keeps a latent row."""
    return any(isinstance(run.mixer, LatentAttention) for run in model.layers)


def has_indexer(model: ModelSpec) -> bool:
    """Whether some layer keeps the keys of a sparse indexer beside a latent row."""
    return any(
        isinstance(run.mixer, LatentAttention) and run.mixer.indexer is not None
        for run in model.layers
    )


def is_multimodal(model: ModelSpec) -> bool:
    """Whether the model has a vision or audio tower."""
    return model.vision is not None or model.audio is not None
