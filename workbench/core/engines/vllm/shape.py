"""What the fitted models need to know of a pipeline stage and of the profile run."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.core.memory.shares import Stage
from workbench.spec.gpu import GpuSpec
from workbench.spec.model import ModelSpec
from workbench.spec.vllm_fits import Link, Maker, Runner


@dataclass(frozen=True, slots=True)
class Experts:
    """Routed experts of a layer."""

    count: int
    per_token: int
    intermediate_size: int
    input_size: int
    """Width they work in: the model's, or that of a latent space."""


@dataclass(frozen=True, slots=True)
class StageShape:
    """Widths of a pipeline stage, before tensor parallelism."""

    model: str
    hidden_size: int
    vocab_size: int
    intermediate_size: int
    """Widest dense or shared-expert feed-forward; 0 without one."""
    layers: int
    experts: Experts | None = None
    recurrent: bool = False
    encoder: bool = False
    """A vision or audio tower, on the first stage."""
    is_first: bool = True
    is_last: bool = True

    @property
    def alone(self) -> bool:
        """Whether there is no pipeline."""
        return self.is_first and self.is_last


@dataclass(frozen=True, slots=True)
class ProfileRun:
    """What the engine runs to measure its peak: resolved flags of one start."""

    max_num_batched_tokens: int
    max_num_seqs: int
    tp: int = 1
    ep: int = 1
    element_bytes: int = 2
    """Bytes of an activation."""
    weight_format: str = "bf16"
    """Id of the weight format."""
    runner: Runner = "first"
    pooling: bool = False
    """An embedding or classification model: no logits are sampled."""
    multimodal: bool = True
    """False when the flags allow no image, video or sound."""


def stage_shape(model: ModelSpec, stage: Stage) -> StageShape | None:
    """Return the widths of a stage, or None when the model does not state them."""
    if model.hidden_size is None or model.vocab_size is None:
        return None
    sparse = any(run.ffn in ("moe", "dense+moe") for run in stage.runs)
    dense = [
        run.intermediate_size or model.intermediate_size or 0
        for run in stage.runs
        if run.ffn in ("dense", "dense+moe")
    ]
    experts = None
    if sparse and model.moe is not None:
        moe = model.moe
        experts = Experts(
            moe.experts,
            moe.experts_per_token,
            moe.expert_intermediate_size,
            moe.expert_input_size or model.hidden_size,
        )
        if moe.shared_experts:
            each = moe.shared_intermediate_size or moe.expert_intermediate_size
            dense.append(each if moe.shared_intermediate_size else each * moe.shared_experts)
    return StageShape(
        model.id,
        model.hidden_size,
        model.vocab_size,
        max(dense, default=0),
        stage.layer_count,
        experts,
        any(run.mixer.kind in ("state", "parallel") for run in stage.runs),
        stage.is_first and (model.vision is not None or model.audio is not None),
        stage.is_first,
        stage.is_last,
    )


def maker_of(gpu: GpuSpec) -> Maker:
    """Class of a card's runtime: CUDA, ROCm, or neither."""
    vendor = gpu.vendor.casefold()
    if "nvidia" in vendor:
        return "nvidia"
    return "amd" if "amd" in vendor else "other"


def link_of(kind: str | None, ranks: int) -> Link:
    """Class of the link between the ranks of a replica, from the card's kind of link.

    A card whose link is not on record counts as PCIe. So does an NVLink bridge, which is an
    option that few machines have; NVLink-C2C leads to the host alone.
    """
    if ranks == 1:
        return "none"
    name = (kind or "").casefold()
    fast = "nvlink" in name or "infinity fabric" in name or "xgmi" in name
    elsewhere = "c2c" in name or "bridge" in name
    return "fast" if fast and not elsewhere else "pcie"
