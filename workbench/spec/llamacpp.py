"""llama.cpp as an engine profile, ollama's defaults included: flags that move memory, rules.

A flag that is None is the engine's own default for the build; the core resolves it and the
ledger shows it as defaulted. `rules` is the row of the release table in `presets/engines` that
the build follows. Releases are builds ("b7079").
"""

from typing import Annotated, Literal

from pydantic import Field

from workbench.spec.base import Bytes, Frozen, Name, Rate, ReleaseName, Tokens, Within

CacheType = Literal["f32", "f16", "bf16", "q8_0", "q5_1", "q5_0", "q4_1", "q4_0", "iq4_nl"]
"""Types of cached keys and values (`common/arg.cpp:kv_cache_types`)."""
Program = Literal["server", "tools", "ollama"]
"""Which program starts the engine: each has defaults of its own."""
Sequences = Annotated[int, Within(ge=1, le=2**31)]
Batch = Annotated[int, Within(ge=1, le=2**31)]
Layers = Annotated[int, Within(ge=0, le=100_000)]


class LlamacppRules(Frozen):
    """The switches of one build; every rule that changed between builds is one of them."""

    read_release: ReleaseName
    """The build whose source was read, or whose start-up logs show its rules."""
    assumed: tuple[Name, ...] = Field(default=(), max_length=60)
    """Fields whose value is known but not the build that brought it."""

    # Defaults (§1)
    default_context_tokens: Tokens | None = None
    """Context without `-c`; None takes the model's own length."""
    default_batch_tokens: Batch = 2048
    default_micro_batch_tokens: Batch = 512
    server_slots: Sequences
    """Slots of the server without `-np`."""
    unified_with_default_slots: bool
    """Slots that nobody asked for share one pool of cells."""
    default_flash_attention: Literal["off", "auto"]
    """"auto" turns it on wherever a card can."""
    default_gpu_layers: Literal["none", "all"]
    """Layers that a CUDA build takes on the cards without `-ngl`."""
    fit: bool
    """Context and layers are fitted to free memory by default (§7)."""
    most_sequences: Sequences = 256
    """LLAMA_MAX_SEQ."""

    # Context (§2)
    streams: Literal["one", "choice"]
    """One buffer of cells for all slots; or one for each slot unless it is unified."""
    cell_rounding: Literal["kernel", "256"]
    """Cells are rounded up to 32, or 256 with flash attention; or always to 256."""

    # Cache (§3)
    window_cells: Literal["context", "batch", "micro_batch", "micro_batch_256"]
    """Cells of a sliding layer: the whole context; window × sequences and a batch or micro batch,
    rounded as the cache is; or the same rounded to 256."""
    latent: Literal["heads", "keys_and_values", "keys"]
    """What a latent (MLA) layer caches: full heads; the latent row and its values; the row."""
    equal_latent_types: bool = False
    """A latent cache takes one type for keys and values only."""
    sparse_indexer: bool = False
    """Keys of a sparse indexer are cached."""

    # Compute buffer (§6)
    logit_rows: Literal["batch", "slots"]
    """Rows of logits the server's graph reserves: a whole micro batch, or one a slot."""


class LlamacppEngine(Frozen):
    """One engine process: its build, the flags that move memory."""

    kind: Literal["llamacpp"] = "llamacpp"
    release: ReleaseName
    """As asked for ("b7079"); `rules.read_release` names the rules it follows."""
    rules: LlamacppRules
    program: Program = "server"
    """The stock server, another tool of the project, or the server as ollama starts it."""
    ctx_size: Tokens | None = None
    """The flag `-c`: cells for all slots together; under ollama `num_ctx`, those of one slot."""
    parallel: Sequences | None = None
    """The flag `-np`; under ollama `OLLAMA_NUM_PARALLEL`."""
    kv_unified: bool | None = None
    kv_unified_per_slot: Tokens | None = None
    """The flag `--kv-unified-per-slot`: cells each slot adds to one pool, and its own limit."""
    batch_size: Batch | None = None
    ubatch_size: Batch | None = None
    gpu_layers: Layers | None = None
    """The flag `-ngl`; the output layer counts as one."""
    cpu_moe_layers: Layers | None = None
    """The flag `-ncmoe`: layers, from the first, whose experts stay in host memory."""
    split_mode: Literal["layer", "row", "tensor", "none"] | None = None
    tensor_split: tuple[Rate, ...] | None = Field(default=None, max_length=128)
    """The flag `-ts` as proportions such as 3, 1, one a card; None divides by free memory."""
    flash_attention: bool | None = None
    cache_type_k: CacheType | None = None
    """The flag `-ctk`; None takes the scenario's KV format."""
    cache_type_v: CacheType | None = None
    swa_full: bool | None = None
    kv_offload: bool | None = None
    """False is the flag `-nkvo`: the cache stays in host memory."""
    fit: bool | None = None
    fit_margin_bytes: Bytes | None = None
    """The flag `-fitt`: left free on every card when fitting."""
    fit_context_tokens: Tokens | None = None
    """The flag `-fitc`: the shortest context that fitting may choose."""
    weights_bytes: Bytes | None = None
    """Size of the model file as given; None works it out from the model and the file type."""
    context_bytes: Bytes | None = None
    """Driver context and libraries on each card as given; None takes a rule of thumb."""
    gpu_overhead_bytes: Bytes | None = None
    """ollama's `OLLAMA_GPU_OVERHEAD`: taken off each card before its defaults are chosen."""
    host_memory_bytes: Bytes | None = None
    """Memory of the host; None asks for as much as is needed."""

    @property
    def untouched(self) -> "LlamacppEngine":
        """The profile of the same build before anyone changed a flag."""
        return LlamacppEngine(release=self.release, rules=self.rules)
