"""What a model is: its layers in order and every tensor it loads."""

from typing import Annotated, Literal, Self

from pydantic import AfterValidator, Field, model_validator
from pydantic_core import PydanticCustomError

from workbench.spec.base import Count, Frozen, Line, Name, Slug, Text, Title, Within
from workbench.spec.layers import (
    FullAttention,
    Mixer,
    ParallelMixer,
    RecurrentState,
    SoftmaxAttention,
    Width,
)

MAX_LAYERS = 10_000

Shard = Literal[
    "replicated",  # whole on every rank: norms, routers, latent down-projections
    "column",  # first dimension is divided
    "row",  # last dimension is divided
    "vocab",  # first dimension is padded, then divided
    "q_heads",  # first dimension is query heads × head size
    "kv_heads",  # first dimension is KV heads × head size; copied when TP exceeds the heads
    "o_heads",  # last dimension is query heads × head size
    "experts",  # as many copies as experts; divided by EP, else inside each expert by TP
    "experts_whole",  # as many copies as experts; divided by EP only (biases of down projections)
    "groups",  # first dimension: rows that divide, and `RecurrentState.group_rows` rows of B and
    # C groups, which are raised to TP or its next multiple before they divide (Mamba-2)
]
ROUTED = ("experts", "experts_whole")
"""Shards of the routed experts."""

TensorName = Annotated[str, Within(pattern=r"^[A-Za-z0-9_.-]{1,100}$")]
TensorDtype = Literal["fp32", "bf16", "fp16", "fp8", "int8"]
"""Types of a tensor that no weight format touches."""


class Tensor(Frozen):
    """A class of equal tensors: name, shape, how many, how each is shared out."""

    name: TensorName
    shape: tuple[Width, ...] = Field(min_length=1, max_length=8)
    copies: Annotated[int, Within(ge=1, le=2**20)] = 1
    """How many a layer holds (experts), or the model where it stands outside the layers."""
    shard: Shard = "replicated"
    quantised: bool = False
    """True for the matrices that a weight format quantises."""
    dtype: TensorDtype | None = None
    """A type of its own ("fp32"); None follows the weight format."""

    @property
    def elements(self) -> int:
        """Elements of all copies."""
        product = self.copies
        for width in self.shape:
            product *= width
        return product


def _names_differ(tensors: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    """Refuse two tensors of one name: a formula names each of its terms once."""
    seen: set[str] = set()
    for tensor in tensors:
        if tensor.name in seen:
            raise PydanticCustomError(
                "tensor_name_repeats",
                "names the tensor {name} twice; give it once with copies, or two names",
                {"name": tensor.name},
            )
        seen.add(tensor.name)
    return tensors


class StageTensor(Tensor):
    """A tensor outside the layers and the pipeline stage that holds it."""

    stage: Literal["first", "last", "all"] = "first"


class LayerRun(Frozen):
    """A run of `count` equal layers."""

    count: Annotated[int, Within(ge=1, le=MAX_LAYERS)]
    mixer: Mixer
    ffn: Literal["dense", "moe", "dense+moe", "none"] = "dense"
    intermediate_size: Width | None = None
    """Feed-forward width of these layers where it differs from the model's."""
    tensors: Annotated[tuple[Tensor, ...], AfterValidator(_names_differ)] = Field(
        default=(), max_length=200
    )
    """The tensors of one layer; empty when the model's weights are not known."""


class MixtureOfExperts(Frozen):
    """Shape of the sparse feed-forward layers."""

    experts: Width
    experts_per_token: Width
    expert_intermediate_size: Width
    shared_experts: Annotated[int, Within(ge=0, le=2**20)] = 0
    shared_intermediate_size: Width | None = None
    expert_input_size: Width | None = None
    """Width the experts work in where it is not the model's (latent experts)."""


class RopeScaling(Frozen):
    """How rotary positions are stretched beyond those trained, as the published config says.

    An engine's derived length is `max_position_tokens`, times `factor` where it multiplies for
    the kind (vllm.md §3.1: linear and dynamic; not llama3, yarn, longrope, nor Gemma-3).
    """

    kind: Name
    factor: Annotated[float, Within(gt=0, le=1e6)]
    original_max_position_tokens: Width | None = None


class RotaryTable(Frozen):
    """A table of rotary cosines and sines that an engine computes once and keeps."""

    positions: Width
    """Rows: the longest position, times a linear factor, times 4 for multimodal positions."""
    width: Width
    """Elements of a row: the rotated part of a head."""
    used_by: Literal["full", "sliding"] | None = None
    """The only layers that use it; None means all that rotate."""


class Component(Frozen):
    """A part beside the decoder: a vision or audio tower, or a draft (MTP, EAGLE) module."""

    name: Name
    tensors: Annotated[tuple[StageTensor, ...], AfterValidator(_names_differ)] = Field(
        default=(), max_length=400
    )
    layers: tuple[LayerRun, ...] = Field(default=(), max_length=200)

    @property
    def parameters(self) -> int:
        """Elements of all its tensors."""
        return parameters_of(self.layers) + sum(tensor.elements for tensor in self.tensors)


def parameters_of(layers: tuple[LayerRun, ...]) -> int:
    """Elements of the tensors of runs of layers."""
    return sum(run.count * sum(tensor.elements for tensor in run.tensors) for run in layers)


class ModelSpec(Frozen):
    """Identity, layers and exact weight inventory of a model."""

    id: Slug
    rev: Count = 1
    name: Title
    hf_id: Name | None = None
    aliases: tuple[Name, ...] = Field(default=(), max_length=200)
    family: Line = ""
    architecture: Line = ""
    license_note: Line = ""
    hidden_size: Width | None = None
    intermediate_size: Width | None = None
    vocab_size: Width | None = None
    max_position_tokens: Width | None = None
    max_position_extended_tokens: Width | None = None
    """Longest position with an extension that the model card offers and the config leaves off."""
    rope_scaling: RopeScaling | None = None
    rope_theta: Annotated[float, Within(gt=0, le=1e18)] | None = None
    rotary: Annotated[tuple[RotaryTable, ...], Field(max_length=20)] | None = None
    """Rotary tables where they are not one row of a whole head for each position; an empty
    tuple means none (learned positions, ALiBi, none at all). See `rotary_tables`."""
    tied_embeddings: bool = False
    checkpoint_dtype: Name = "bf16"
    shipped_format: Slug | None = None
    """Weight format of the published checkpoint where it is quantised."""
    layers: tuple[LayerRun, ...] = Field(min_length=1, max_length=1_000)
    tensors: Annotated[tuple[StageTensor, ...], AfterValidator(_names_differ)] = Field(
        default=(), max_length=400
    )
    """Embedding, final norm, head: the tensors outside the layers."""
    moe: MixtureOfExperts | None = None
    vision: Component | None = None
    audio: Component | None = None
    draft: Component | None = None
    published_parameters: Count | None = None
    published_non_parameters: Annotated[int, Within(ge=-(2**50), le=2**50)] | None = None
    """What the published count holds that is no parameter: scales, buffers, masks; negative where
    it leaves parameters out."""
    sources: tuple[Text, ...] = Field(default=(), max_length=50)
    checked: Text = ""
    """How the shape was verified."""
    uncertain: tuple[Line, ...] = Field(default=(), max_length=50)

    @model_validator(mode="after")
    def _bounded(self) -> Self:
        if self.layer_count > MAX_LAYERS:
            raise PydanticCustomError(
                "too_many_layers",
                "holds {layers} layers, at most {limit} are accepted",
                {"layers": self.layer_count, "limit": MAX_LAYERS},
            )
        return self

    @property
    def layer_count(self) -> int:
        """Number of decoder layers."""
        return sum(run.count for run in self.layers)

    @property
    def parameters(self) -> int:
        """Elements of all tensors of the decoder, 0 when the weights are not known."""
        return parameters_of(self.layers) + sum(tensor.elements for tensor in self.tensors)

    @property
    def all_parameters(self) -> int:
        """Elements of all tensors: decoder, vision and audio towers, draft module."""
        parts = (self.vision, self.audio, self.draft)
        return self.parameters + sum(part.parameters for part in parts if part is not None)

    @property
    def active_parameters(self) -> int:
        """Elements of the decoder that one token passes through: its share of the experts."""
        if self.moe is None:
            return self.parameters
        idle = self.moe.experts - self.moe.experts_per_token
        routed = sum(
            run.count * sum(t.elements for t in run.tensors if t.shard in ROUTED)
            for run in self.layers
        )
        return self.parameters - routed * idle // self.moe.experts

    @property
    def rotary_tables(self) -> tuple[RotaryTable, ...]:
        """The rotary tables, each kept once on every pipeline stage whose layers use it."""
        if self.rotary is not None or self.max_position_tokens is None:
            return self.rotary or ()
        for run in self.layers:
            mixer = run.mixer.attention if isinstance(run.mixer, ParallelMixer) else run.mixer
            width = getattr(mixer, "qk_rope_head_dim", None) or getattr(mixer, "head_dim", None)
            if width is not None and not isinstance(mixer, RecurrentState):
                return (RotaryTable(positions=self.max_position_tokens, width=width),)
        return ()

    @property
    def has_weights(self) -> bool:
        """Whether the inventory lists any tensor."""
        return bool(self.tensors) or any(run.tensors for run in self.layers)

    @property
    def uniform_attention(self) -> FullAttention | None:
        """The attention of a model whose layers all keep the same full cache, else None."""
        mixer = self.layers[0].mixer
        if not isinstance(mixer, FullAttention):
            return None
        return mixer if all(run.mixer == mixer for run in self.layers) else None

    def with_layer_count(self, count: int) -> Self:
        """Return the model with `count` layers; only for a model of one run of layers."""
        (run,) = self.layers
        return self.with_(layers=(run.with_(count=count),))

    def with_attention(self, *, kv_heads: int | None = None, head_dim: int | None = None) -> Self:
        """Return a uniform model with other KV heads or head size, its projections resized.

        Raises `ValueError` for a model whose layers differ.
        """
        old = self.uniform_attention
        if old is None:
            raise ValueError("only a model with equal full-attention layers can be reshaped")
        changes = {
            "kv_heads": old.kv_heads if kv_heads is None else kv_heads,
            "head_dim": old.head_dim if head_dim is None else head_dim,
        }
        new = old.with_(**changes)
        return self.with_(layers=tuple(reshaped(run, old, new) for run in self.layers))


def reshaped(run: LayerRun, old: SoftmaxAttention, new: SoftmaxAttention) -> LayerRun:
    """Return a run with other attention in its layers, its projections resized."""
    tensors = tuple(_resized(tensor, old, new) for tensor in run.tensors)
    return run.with_(mixer=new, tensors=tensors)


def _resized(tensor: Tensor, old: SoftmaxAttention, new: SoftmaxAttention) -> Tensor:
    """Scale the dimension of a projection that counts heads × head size."""
    sizes = {
        "q_heads": (0, old.heads * old.head_dim, new.heads * new.head_dim),
        "kv_heads": (0, old.kv_heads * old.head_dim, new.kv_heads * new.head_dim),
        "o_heads": (len(tensor.shape) - 1, old.heads * old.value_dim, new.heads * new.value_dim),
    }
    axis, times = 0, 1
    if tensor.shape == (old.heads,) and tensor.shard == "q_heads":
        # One figure a head: sinks.
        after = new.heads
    elif tensor.shard in sizes:
        axis, before, after = sizes[tensor.shard]
        times, rest = divmod(tensor.shape[axis], before)
        # A gate may stand in one matrix with the projection it belongs to.
        if rest or times not in (1, 2):
            return tensor
    elif tensor.shape == (old.head_dim,) and "bias" not in tensor.name:
        # A norm of one head; as many experts as that have a bias.
        after = new.head_dim
    else:
        return tensor
    shape = (*tensor.shape[:axis], times * after, *tensor.shape[axis + 1 :])
    return tensor.with_(shape=shape)
