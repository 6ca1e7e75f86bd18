"""vLLM as an engine profile: the flags that move memory, its rules and its fitted figures.

A flag that is None is the engine's own default for the release and card; the core resolves it
and the ledger shows it as defaulted. `rules` and `fits` are what `library.engines` found for the
release; they travel with the scenario, so a plan keeps its answer and can say what changed.
"""

from typing import Annotated, Literal

from pydantic import Field

from workbench.spec.base import Bytes, Frozen, Line, ReleaseName, Share, Tokens, Within
from workbench.spec.vllm_fits import VllmFits
from workbench.spec.vllm_rules import VllmRules

BlockTokens = Annotated[int, Within(ge=1, le=2**31)]
Sequences = Annotated[int, Within(ge=1, le=2**31)]
Blocks = Annotated[int, Within(ge=1, le=2**62)]


class VllmMeasured(Frozen):
    """Figures of the same start read from a log; each replaces the computed one."""

    weights_bytes: Bytes | None = None
    activation_bytes: Bytes | None = None
    non_torch_bytes: Bytes | None = None
    graphs_bytes: Bytes | None = None
    """What the graphs took, or what the release charged for them where it estimates."""
    available_kv_bytes: Bytes | None = None
    """The pool on each rank; the budget is then not worked out."""
    used_before_start_bytes: Bytes | None = None
    """In use before the engine's first snapshot: context, communication, other processes."""
    source: Line = ""


class VllmEngine(Frozen):
    """One engine process: its release, the flags that move memory."""

    kind: Literal["vllm"] = "vllm"
    release: ReleaseName
    """As asked for ("0.15.1"); `rules.read_release` names the rules it follows."""
    core: Literal["v0", "v1"] = "v1"
    rules: VllmRules
    fits: VllmFits
    usage: Literal["server", "offline"] = "server"
    gpu_memory_utilization: Annotated[float, Within(gt=0.0, le=1.0)] | None = None
    max_model_len: Tokens | None = None
    fit_max_model_len: bool = False
    """The flag `--max-model-len -1`: the longest length that fits."""
    max_num_seqs: Sequences | None = None
    max_num_batched_tokens: Tokens | None = None
    block_tokens: BlockTokens | None = None
    """The flag `--block-size`."""
    enable_prefix_caching: bool | None = None
    enable_chunked_prefill: bool | None = None
    enforce_eager: bool | None = None
    async_scheduling: bool | None = None
    second_generation_runner: bool | None = None
    hybrid_kv_cache_manager: bool | None = None
    kv_cache_memory_bytes: Bytes | None = None
    num_gpu_blocks_override: Blocks | None = None
    attention_block_tokens: tuple[BlockTokens, ...] | None = Field(default=None, max_length=16)
    """Block sizes that the attention kernel takes; None is the backend's own for the card."""
    speculative_tokens: Annotated[int, Within(ge=0, le=1024)] = 0
    max_cudagraph_capture_size: Sequences | None = None
    watermark: Share | None = None
    cpu_offload_bytes: Bytes | None = None
    """Weights of each rank kept in host memory."""
    kv_layout: Literal["LBNHC", "LBHNC", "BLHNC"] | None = None
    mamba_state_dtype: Literal["fp32", "bf16", "fp16"] | None = None
    measured: VllmMeasured = VllmMeasured()

    @property
    def untouched(self) -> "VllmEngine":
        """The profile of the same release before anyone changed a flag."""
        return VllmEngine(release=self.release, core=self.core, rules=self.rules, fits=self.fits)

    @property
    def weights_bytes(self) -> int | None:
        """Weights of a rank as measured; None works them out from the model."""
        return self.measured.weights_bytes
