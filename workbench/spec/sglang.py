"""SGLang as an engine profile: the flags that move memory, and what one release does with them.

A flag that is None is the engine's own default for the release and card; the core resolves it
and the ledger shows it as defaulted. `rules` is what the release table (`presets/engines`) says
of the release; it travels with the scenario, so a plan keeps its answer.
"""

from typing import Annotated, Literal

from pydantic import Field

from workbench.spec.base import Bytes, Frozen, Line, Name, ReleaseName, Share, Tokens, Within
from workbench.spec.vllm_fits import RuntimeFit, Spread

PageTokens = Annotated[int, Within(ge=1, le=2**20)]
Requests = Annotated[int, Within(ge=1, le=2**31)]
Batch = Annotated[int, Within(ge=1, le=2**20)]
Mib = Annotated[int, Within(ge=0, le=2**30)]
Fraction = Annotated[float, Within(gt=0.0, le=1.0)]
Ratio = Annotated[float, Within(gt=0.0, le=1000.0)]
Coefficient = Annotated[float, Within(ge=0, le=1e9)]

Algorithm = Literal["EAGLE", "STANDALONE", "NGRAM"]
"""Speculative decoding by a draft head or module, by a small model of its own, without one."""
Backend = Literal[
    "fa3", "flashinfer", "triton", "trtllm_mha", "trtllm_mla", "flashmla", "cutlass_mla", "aiter"
]


class CardTier(Frozen):
    """Defaults of cards below so many MiB (nvidia-smi); the last tier takes every card."""

    below_mib: Mib | None = None
    chunked_prefill_size: Batch
    graph_max_bs: Batch
    """Largest batch that a decode graph is captured for."""
    graph_max_bs_wide: Batch
    """The same from TP 4 on."""
    reserved_gib: Coefficient = 0.0
    """What the rule `by_card` keeps of the card."""
    reserved_gib_per_rank: Coefficient = 0.0
    """And for each of the tp × pp ranks."""


class RankFraction(Frozen):
    """Default fraction from so many ranks on."""

    ranks_from: Annotated[int, Within(ge=1, le=4096)]
    fraction: Fraction


class SglangRules(Frozen):
    """The switches of one release; every rule that changed between releases is one of them."""

    read_release: ReleaseName
    """The release whose source was read and whose rules these are ("0.5.23")."""
    assumed: tuple[Name, ...] = Field(default=(), max_length=60)
    """Fields whose value is known but not the release that brought it."""

    # Default fraction (§2)
    fraction_rule: Literal["by_tp", "by_ranks", "by_card", "by_batch"]
    """What the default static fraction hangs on: TP; tp × pp and the card; a reserve by card;
    a reserve by chunk, graphs and ranks."""
    rank_fractions: tuple[RankFraction, ...] = Field(default=(), max_length=20)
    card_tiers: tuple[CardTier, ...] = Field(min_length=1, max_length=20)
    unknown_tier: CardTier
    """Where nothing is known of the card's memory."""
    unknown_fraction: Fraction
    floor_mib: Mib = 0
    """Least reserve of cards above 60 GiB."""
    speculative_mib: Mib = 0
    standalone_mib: Mib = 0
    dp_attention_reserve: Literal["none", "fixed", "graphs"]
    prefill_graphs: Literal["none", "on_request", "default"]
    """Graphs of prefill steps: none, with a flag, or without one."""
    prefill_graphs_with_draft: bool = False
    prefill_graph_most_latent: Batch = 2048
    """Most tokens of a prefill graph of models with latent attention."""
    vision_rule: Literal["none", "flat", "complexity"]
    vision_factor: Fraction = 1.0
    graphs_follow_requests: bool = False
    """A smaller limit of requests also limits the decode graphs."""
    graphs_reserved_always: bool = True
    """The reserve holds the decode graphs even where none are captured."""
    aiter_by_default: bool = False
    """AMD cards take the AITER backend, which lowers the fraction for long contexts."""

    # Cells and pools (§3)
    value_heads: Literal["as_keys", "own"]
    """Whether a value head of another size than the key head is seen."""
    sparse_rows: Literal["raw", "stored"] = "raw"
    """How a latent row beside a sparse indexer counts in fp8: without or with its scales."""
    index_rows: Literal["every_layer", "own_layers"] = "every_layer"
    """Layers that are charged with the key row of a sparse indexer."""
    draft_pool: Literal["beside", "cell"]
    """Whether the draft's cache is charged; else it lies beside the budget."""
    draft_margin: bool
    """The pool grows by what drafts of all requests may hold at once."""
    window_architectures: tuple[Name, ...] = Field(default=(), max_length=100)
    """Models with sliding layers that keep a pool for them; others keep every token."""
    window_split: Literal["tokens", "capacity", "cell"] = "cell"
    """How the two pools are solved: tokens of equal layers (over-counted), the bytes of the
    capacity of all layers, or the budget itself."""
    chunk_split: bool = False
    """Llama-4 divides its pool with `--hybrid-kvcache-ratio` only."""
    window_check: bool = False
    window_request_pool: bool = False
    """Without radix cache the window pool is what the given number of requests needs."""
    window_eviction_tokens: Annotated[int, Within(ge=0, le=2**20)] = 0
    state_rule: Literal["none", "drafts_divide", "drafts_first", "padding_slot"]
    """How slots of recurrent states are counted; none: hybrids are not served."""
    states_without_radix: tuple[Name, ...] = Field(default=(), max_length=20)
    """State families whose models lose the radix cache."""
    state_slots_unasked: Requests | None = None
    """Slots without radix cache and without a limit of requests; None: by the ratio."""
    extra_buffer: tuple[Name, ...] = Field(default=(), max_length=100)
    """Architectures that track states in an extra buffer by default."""
    multimodal_mib: Mib = 0
    """Taken off the budget of multimodal models."""

    # Requests (§4)
    request_rule: Literal["rows", "estimate", "tokens"]
    """What limits the requests that run: table rows estimated from the pool whatever the flag;
    the estimate or the flag; the flag, or half the tokens."""
    printed_plus_one: bool = False
    most_rows: Requests = 4096
    draft_columns: bool = True
    """The request table has a column more for each draft token."""
    blackwell_page_tokens: PageTokens = 1
    """Page that the default attention backend of Blackwell data-centre cards takes."""

    # What lives in the slack, by rule of thumb
    graph_mib_per_request: Coefficient
    graph_spread: Spread
    before_load: tuple[RuntimeFit, ...] = Field(min_length=1, max_length=50)
    """In use before the weights are loaded: context and communicators."""
    forward_intermediates: Coefficient
    forward_hiddens: Coefficient
    activation_spread: Spread


class SglangMeasured(Frozen):
    """Figures of the same start read from a log; each replaces the computed one."""

    before_load_bytes: Bytes | None = None
    """Free before the weights were loaded ("Load weight begin")."""
    after_load_bytes: Bytes | None = None
    """Free after ("Load weight end")."""
    weights_bytes: Bytes | None = None
    pool_bytes: Bytes | None = None
    """The KV pool as allocated, its padding page included; the budget is then not worked out."""
    graphs_bytes: Bytes | None = None
    source: Line = ""


class SglangEngine(Frozen):
    """One engine process: its release, the flags that move memory."""

    kind: Literal["sglang"] = "sglang"
    release: ReleaseName
    """As asked for ("0.5.5"); `rules.read_release` names the rules it follows."""
    rules: SglangRules
    mem_fraction_static: Fraction | None = None
    max_model_len: Tokens | None = None
    """The flag `--context-length`."""
    max_num_seqs: Requests | None = None
    """The flag `--max-running-requests`, of the whole server."""
    max_total_tokens: Tokens | None = None
    block_tokens: PageTokens | None = None
    """The flag `--page-size`."""
    chunked_prefill_size: Annotated[int, Within(ge=-1, le=2**31)] | None = None
    """-1: prompts are not cut."""
    max_prefill_tokens: Tokens | None = None
    attention_backend: Backend | None = None
    dp_attention: Annotated[int, Within(ge=1, le=4096)] = 1
    """The flags `--enable-dp-attention --dp-size`: groups of ranks with requests of their own."""
    disable_radix_cache: bool | None = None
    disable_overlap_schedule: bool | None = None
    disable_cuda_graph: bool | None = None
    cuda_graph_max_bs: Batch | None = None
    prefill_cuda_graph: bool | None = None
    swa_full_tokens_ratio: Annotated[float, Within(gt=0.0, le=1.0)] | None = None
    disable_hybrid_swa_memory: bool | None = None
    hybrid_kvcache_ratio: Share | None = None
    max_mamba_cache_size: Requests | None = None
    mamba_full_memory_ratio: Ratio | None = None
    mamba_state_dtype: Literal["fp32", "bf16", "fp16"] | None = None
    """The flag `--mamba-ssm-dtype`."""
    mamba_extra_buffer: bool | None = None
    speculative_algorithm: Algorithm | None = None
    speculative_steps: Annotated[int, Within(ge=0, le=1024)] | None = None
    speculative_topk: Annotated[int, Within(ge=1, le=1024)] | None = None
    speculative_tokens: Annotated[int, Within(ge=0, le=1024)] | None = None
    """The flag `--speculative-num-draft-tokens`."""
    draft_layers: Annotated[int, Within(ge=1, le=1000)] | None = None
    """Attention layers of the draft; None takes those of the model's own module, else one."""
    bytes_per_full_token: Annotated[int, Within(ge=1, le=2**40)] | None = None
    """What a start-up log of DeepSeek-V4 prints under this name."""
    measured: SglangMeasured = SglangMeasured()

    @property
    def untouched(self) -> "SglangEngine":
        """The profile of the same release before anyone changed a flag."""
        return SglangEngine(release=self.release, rules=self.rules)

    @property
    def weights_bytes(self) -> int | None:
        """Weights of a rank as measured; None works them out from the model."""
        measured = self.measured
        if measured.weights_bytes is not None:
            return measured.weights_bytes
        if measured.before_load_bytes is None or measured.after_load_bytes is None:
            return None
        return max(0, measured.before_load_bytes - measured.after_load_bytes)
