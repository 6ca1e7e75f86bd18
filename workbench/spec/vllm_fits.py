"""Coefficients fitted to measured start-up logs of vLLM, with how well they fit.

A scenario carries the ones of its own release alone. They are read by `library.engine_fits`
from `presets/engines/vllm-memory.json`, which `packaging/fit_vllm.py` writes; formulas stand in
`core.engines.vllm`, numbers never.
"""

from typing import Annotated, Literal

from pydantic import Field

from workbench.spec.base import Bytes, Frozen, Line, Within

Runner = Literal["v0", "first", "second"]
"""The engine core V0, and V1's model runners of the first and second generation."""
Link = Literal["none", "fast", "pcie"]
"""A single rank; ranks over NVLink or Infinity Fabric; ranks over PCIe."""
Maker = Literal["nvidia", "amd", "other"]
Coefficient = Annotated[float, Within(ge=0, le=1e9)]
SignedBytes = Annotated[int, Within(ge=-(2**62), le=2**62)]


class Spread(Frozen):
    """How sure a fitted figure is: residuals (measured − predicted) and what they come from."""

    evidence: Literal["fitted", "assumed"] = "assumed"
    n: Annotated[int, Within(ge=0, le=1_000_000)] = 0
    """Start-up logs behind it; 0 for a rule of thumb."""
    releases: tuple[Line, ...] = Field(default=(), max_length=100)
    gpus: tuple[Line, ...] = Field(default=(), max_length=100)
    low_bytes: SignedBytes = 0
    """Residual that 5 % of the logs lie below."""
    median_bytes: SignedBytes = 0
    high_bytes: SignedBytes = 0
    """Residual that 95 % of the logs lie below."""
    note: Line = ""


class ActivationFit(Frozen):
    """Peak of the profile run (`core.engines.vllm.activation`)."""

    runner: Runner
    logit_bytes: Coefficient
    """Bytes of the sampler for each of S × V logits."""
    low_logit_bytes: Coefficient
    high_logit_bytes: Coefficient
    wide_logit_bytes: Coefficient
    """More for each logit when the model runs in 32 bits."""
    sampler_hiddens: Coefficient
    """Copies of the T × H hidden states that live while sampling."""
    sampler_fixed_bytes: Bytes
    forward_intermediates: Coefficient
    """Feed-forward activations of T × I that live at once."""
    forward_hiddens: Coefficient
    """Copies of T × H that live beside them."""
    split_hiddens: Coefficient = 0.0
    """More of them when ranks add up their parts (tp > 1)."""
    stage_hiddens: Coefficient
    """Copies of T × H that a pipeline stage keeps for its neighbours (pp > 1)."""
    expert_workspace: Literal["kept", "chunked", "separate"]
    """Buffer of the fused experts: kept beside the sampler, released and at most a chunk of
    tokens, or released and three buffers of their own."""
    expert_chunk_tokens: Annotated[int, Within(ge=1, le=2**31)]
    int8_intermediates: Coefficient = 0.0
    """Bytes for each of T × I that 8-bit integer activations add."""
    encoder_pixels: Coefficient
    """Input elements kept for each token of an encoder's output."""
    text: Spread
    vision: Spread


class RuntimeFit(Frozen):
    """Bytes outside torch on a class of cards (`core.engines.vllm.runtime`)."""

    maker: Maker
    link: Link
    ranks_from: Annotated[int, Within(ge=1, le=4096)]
    """Holds from this tensor parallelism on, up to the next row."""
    pipeline: bool = False
    """Ranks talk along a pipeline only (tp = 1, pp > 1)."""
    size_bytes: Bytes
    spread: Spread


class GraphFit(Frozen):
    """CUDA graphs: a part of their own and a part for each layer of a rank."""

    what: Literal["captured", "estimated"]
    """What capturing takes, or what the engine sets aside for it before."""
    layers: Literal["dense", "other"]
    """Other: layers with experts or recurrent state."""
    fixed_bytes: Bytes
    layer_bytes: Bytes
    spread: Spread


class CaptureRule(Frozen):
    """Which batch sizes are captured (vLLM `config/vllm.py`)."""

    most: Annotated[int, Within(ge=1, le=2**20)] = 512
    most_large: Annotated[int, Within(ge=1, le=2**20)] = 512
    """On Blackwell data-centre cards and for gpt-oss."""
    per_sequence: Annotated[int, Within(ge=1, le=16)] = 2
    step_from_256: Annotated[int, Within(ge=1, le=256)] = 16


class PersistentFit(Frozen):
    """Buffers of the second-generation runner that count as consumed."""

    count_bytes: Coefficient
    """For each of S × V: how often a token was produced."""
    mask_bytes: Coefficient
    """For each of S × V: whether the prompt holds it."""
    all_reduce_bytes: Bytes
    """With tp > 1: the custom all-reduce's buffer."""
    spread: Spread


class VllmFits(Frozen):
    """Activation, runtime and graph models of a release; empty where nothing is known."""

    epoch: Line = ""
    """Releases that these figures hold for ("0.17"), as the window names them."""
    activation: tuple[ActivationFit, ...] = Field(default=(), max_length=8)
    non_torch: tuple[RuntimeFit, ...] = Field(default=(), max_length=50)
    """Growth outside torch between the engine's two snapshots."""
    before_start: tuple[RuntimeFit, ...] = Field(default=(), max_length=50)
    """In use before the first snapshot."""
    graphs: tuple[GraphFit, ...] = Field(default=(), max_length=8)
    capture: CaptureRule = CaptureRule()
    persistent: PersistentFit | None = None
