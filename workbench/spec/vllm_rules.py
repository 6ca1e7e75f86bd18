"""What one release of vLLM does, as switches: a row of the release table in `presets/engines`.

Every rule that changed between the releases that were read is a field here, so the planner and
the budget hold no release numbers of their own. The sections named are those of the notes the
table was taken from (vLLM 0.6.6, 0.8.5, 0.10.2, 0.11.2, 0.19.1 and 0.33.0, Python sources).
"""

from typing import Annotated, Literal

from pydantic import Field

from workbench.spec.base import Frozen, Name, ReleaseName, Share, Within

StateFamily = Literal["mamba1", "mamba2", "gdn", "kda", "linear", "conv"]
"""Families of recurrent layers, told apart because each keeps its state in its own shapes."""

BatchSize = Annotated[int, Within(ge=1, le=2**31)]


class BatchTier(Frozen):
    """Batch limits the engine takes by itself on cards of at least `min_total_gib` (§3.3)."""

    min_total_gib: Annotated[int, Within(ge=0, le=100_000)] = 0
    not_a100: bool = False
    """A card whose name holds "a100" falls to the next tier."""
    not_gb10: bool = False
    """A card of compute capability 12.1 (GB10) falls to the next tier."""
    offline_tokens: BatchSize
    server_tokens: BatchSize
    offline_seqs: BatchSize
    server_seqs: BatchSize


class VllmRules(Frozen):
    """The switches of one release; every rule that changed between releases is one of them."""

    read_release: ReleaseName
    """The release whose source was read and whose rules these are ("0.11.2")."""
    core: Literal["v0", "v1"] = "v1"
    assumed: tuple[Name, ...] = Field(default=(), max_length=60)
    """Fields whose value is known but not the release that brought it."""

    # Budget (§2)
    default_utilization: Share
    budget_rounding: Literal["down", "up"]
    """How total × utilisation becomes whole bytes."""
    foreign_memory_charged: bool
    """Memory that other processes hold counts against this one."""
    graph_estimate: Literal["none", "flag", "charged"]
    """Whether an estimate of the CUDA graphs is taken off: never, on request, by default."""
    free_gate: bool
    """Start is refused when less memory is free than is requested."""

    # Defaults (§3)
    yarn_from_original: bool
    """YaRN multiplies the original positions by its factor; else the config's own count."""
    batch_tiers: tuple[BatchTier, ...] = Field(min_length=1, max_length=10)
    tier_open_bytes: Annotated[int, Within(ge=1, le=2**62)] | None = None
    """Cards of at least so many bytes have a tier of their own in a later release; when it came
    is not known."""
    default_block_tokens: BatchSize = 16
    default_block: Literal["fixed", "first_backend", "all_backends"]
    """Whose kernels are asked before the default block is taken (§3.6): nobody's, those of the
    first attention layer (not on hybrids), or those of every backend."""
    prefix_caching: bool
    """Prefix caching by default, for models without recurrent layers."""
    prefix_caching_hybrid: bool
    """Prefix caching by default, for models with recurrent layers."""
    chunked_prefill: bool
    chunked_prefill_above_tokens: Annotated[int, Within(ge=1, le=2**31)] | None = None
    """A longer maximum length turns chunked prefill on by itself (V0)."""
    async_scheduling: bool
    second_generation_runner: bool
    latent_block_rule: Literal["kernel", "flashmla_64", "flashmla_64_cutlass_128"]
    """What decides the block of a latent-attention model (§3.6)."""

    # Pages (§4)
    value_heads: Literal["as_keys", "full_only", "own"]
    """Whether a value head of another size than the key head is seen, and on which layers."""
    latent_row_elements: Annotated[int, Within(ge=1, le=4096)] = 1
    """A latent row is rounded up to a multiple of this many elements."""
    state_layers: bool
    """Recurrent layers are planned; else they are refused (V1) or not budgeted (V0)."""
    state_alignment: Literal["fixed", "fixed_or_chunk", "kernel"]
    """How the block of a hybrid is raised (§4.3): steps of 16; steps of 16, or of the state's
    chunk with prefix caching; or steps of the kernel's size."""
    state_chunk_tokens: Annotated[int, Within(ge=1, le=2**20)] = 256
    """Chunk of the state kernels that `fixed_or_chunk` aligns to."""
    state_blocks: Literal["one", "length", "mode", "mode_and_checkpoint"]
    """State blocks a request may hold (§4.6)."""
    wider_conv: tuple[StateFamily, ...] = ()
    """Families whose convolution state grows by the speculative tokens (§4.2)."""
    kda_convolutions: Literal[1, 3]
    """Convolution tensors of a KDA layer."""
    sliding_own_block: bool
    """Sliding layers choose the largest kernel block whose page fits (§4.4)."""

    # Groups (§5)
    hybrid_groups: bool
    """Layers of several kinds keep groups of their own; else all are planned as full."""
    grouping_scope: Literal["stage", "model"]
    dealing: Literal["runs", "strided"]
    """How the layers of a kind are dealt to its groups."""
    group_order: Literal["layers", "type"]
    """Groups in the order of their first layers, or sorted by the engine's name of their type."""
    equality: Literal["page", "description"]
    """Layers are alike when kind, block and page agree, or only in their whole description."""
    one_and_a_half_rule: bool
    """A kind at most 1.5 times the smallest sets the size of the groups."""
    layer_pages: bool
    """Layers of one kind may have pages of their own size inside one group."""
    page_unification: Literal["none", "scale", "scale_and_pad"]
    packed_groups: bool
    """Block-outermost layouts pack layers of differing pages."""
    chunked_hybrid: bool
    """Chunked-local layers keep groups of their own by default."""

    # Counts and checks (§3.5, §6)
    in_flight: Literal["batch", "concurrent"]
    """Tokens that may be in flight: one batch, or one for each concurrent batch."""
    stage_block_count: bool
    """Each pipeline stage allocates its own number of blocks."""
    need: Literal["layers", "groups", "blocks"]
    """What one request needs in the check: the layers before they are promoted, the groups, or
    (V0) the tokens of all blocks."""
    withheld_block_in_checks: bool
    override_in_checks: bool
    tokens: Literal["blocks", "groups", "request"]
    """How the printed token count is taken (§6.4)."""
    suggests_length: bool
    """The refusal names the longest length that would fit."""
    watermark: Share = 0.0
    """Share of the blocks kept free when a request is admitted."""
    admission: Literal["prompt", "chunk", "sequence"]
    """Blocks that must be free to admit a request: its prompt's, its first chunk's, or those of
    its whole sequence so far."""
