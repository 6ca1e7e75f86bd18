"""TensorRT-LLM as an engine profile: the flags that move memory and the rules of its release.

A flag that is None is the engine's own default for the release; the core resolves it and the
ledger shows it as defaulted. Flags that mean the same under every engine have the name they have
there: `max_model_len` is `max_seq_len`, `max_num_seqs` is `max_batch_size`,
`max_num_batched_tokens` is `max_num_tokens`, `enable_prefix_caching` is `enable_block_reuse`.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from workbench.spec.base import Bytes, Frozen, Line, Name, ReleaseName, Share, Tokens, Within

BlockTokens = Annotated[int, Within(ge=1, le=2**20)]
Sequences = Annotated[int, Within(ge=1, le=2**31)]
Beams = Annotated[int, Within(ge=1, le=1024)]
Backend = Literal["pytorch", "tensorrt"]
Policy = Literal["guaranteed_no_evict", "max_utilization", "static_batch"]


class TrtllmRules(Frozen):
    """The switches of one release; every rule that changed between releases is one of them."""

    read_release: ReleaseName
    """The release whose source, documents or logs were read and whose rules these are ("1.0.0")."""
    assumed: tuple[Name, ...] = Field(default=(), max_length=60)
    """Fields whose value is known but not the release that brought it."""

    default_backend: Backend
    """What runs the model when nobody says: the PyTorch backend, or a built TensorRT engine."""
    default_fraction: Share
    """Share of the memory left after weights and activations that the pool takes."""
    pytorch_block_tokens: BlockTokens
    tensorrt_block_tokens: BlockTokens
    default_max_num_seqs: Sequences
    default_max_num_batched_tokens: Sequences
    max_tokens_alone: bool
    """A number of tokens without a fraction sizes the pool by itself."""
    window_pools: bool
    """Layers of several windows have pools of their own; else the widest window serves all."""
    total_bytes_cap: bool
    """The release knows a cap of the pool in bytes (`max_gpu_total_bytes`)."""
    fail_fast: bool
    """The release can refuse to start instead of cutting the sequence length."""
    later_reserves: bool
    """Workspace of a long latent context and of a multimodal encoder are kept back (2026)."""


class TrtllmMeasured(Frozen):
    """Figures of the same start read from a log; each replaces the computed one."""

    weights_bytes: Bytes | None = None
    activation_bytes: Bytes | None = None
    non_torch_bytes: Bytes | None = None
    """In use outside torch, or outside the engine: context, communication, graphs."""
    available_kv_bytes: Bytes | None = None
    """What the fraction leaves to the pool of each rank; the budget is then not worked out."""
    source: Line = ""


class TrtllmEngine(Frozen):
    """One engine process: its release, the flags that move memory."""

    kind: Literal["trtllm"] = "trtllm"
    release: ReleaseName
    """As asked for ("1.1.0rc3"); `rules.read_release` names the rules it follows."""
    rules: TrtllmRules
    backend: Backend | None = None
    free_gpu_memory_fraction: Annotated[float, Within(ge=0.0, le=1.0)] | None = None
    kv_cache_max_tokens: Tokens | None = None
    """`max_tokens` of the KV cache configuration: most tokens of the pool."""
    max_gpu_total_bytes: Bytes | None = None
    """Most bytes of the pool; None and 0 leave it open."""
    max_model_len: Tokens | None = None
    max_num_seqs: Sequences | None = None
    max_num_batched_tokens: Sequences | None = None
    max_beam_width: Beams = 1
    block_tokens: BlockTokens | None = None
    """`tokens_per_block`."""
    max_attention_window: tuple[Tokens, ...] | None = Field(default=None, max_length=1_000)
    """Windows of the layers in tokens, repeated over them; None keeps every token everywhere."""
    fail_fast_on_attention_window_too_large: bool = False
    sink_token_length: Annotated[int, Within(ge=0, le=2**31)] = 0
    """First tokens that every window keeps."""
    enable_prefix_caching: bool | None = None
    enable_chunked_prefill: bool | None = None
    enable_attention_dp: bool = False
    """Each TP rank attends to requests of its own and keeps all their KV heads."""
    capacity_scheduler_policy: Policy | None = None
    max_output_tokens: Tokens | None = None
    """`max_tokens` that requests ask for; None takes the longest output of the workload."""
    host_cache_bytes: Bytes | None = None
    """`host_cache_size`: blocks that are kept in host memory for reuse."""
    speculative_tokens: Annotated[int, Within(ge=0, le=1024)] = 0
    measured: TrtllmMeasured = TrtllmMeasured()

    @property
    def untouched(self) -> TrtllmEngine:
        """The profile of the same release before anyone changed a flag."""
        return TrtllmEngine(release=self.release, rules=self.rules)

    @property
    def weights_bytes(self) -> int | None:
        """Weights of a rank as measured; None works them out from the model."""
        return self.measured.weights_bytes
