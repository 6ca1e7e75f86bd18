"""Edits of a model that keep its inventory of tensors in step with its shape.

A figure is followed into those tensors whose dimensions say it plainly (a projection of KV
heads, a matrix with the model's width); fused or unusual ones stay as they are, and the editor
says when the parameters no longer add up to the published figure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Final

from workbench.library.figures import kept_by
from workbench.library.preset_fields import EditField, edit_fields, nested
from workbench.spec.errors import UserError
from workbench.spec.layers import (
    ChunkedAttention,
    FullAttention,
    LatentAttention,
    Mixer,
    NoMixer,
    ParallelMixer,
    RecurrentState,
    SharedCache,
    SlidingAttention,
    SoftmaxAttention,
    SparseIndexer,
)
from workbench.spec.model import ROUTED, LayerRun, ModelSpec, Tensor, reshaped

KINDS: Final = (
    "full",
    "sliding",
    "chunked",
    "latent",
    "state",
    "shared",
    "cross",
    "compressed",
    "parallel",
    "none",
)
"""All kinds of layer."""
CONVERTIBLE: Final = ("full", "sliding", "chunked", "latent", "shared", "none")
"""Kinds that a layer can be turned into: the others need more than a few figures."""
_WINDOW_TOKENS: Final = 4096
_HEADS: Final = 32
_HEAD_DIM: Final = 128


# All attention layers at once


def attention_of(run: LayerRun) -> SoftmaxAttention | None:
    """Return the softmax attention of a run of layers, None where it has none of its own."""
    if isinstance(run.mixer, ParallelMixer):
        return run.mixer.attention
    return run.mixer if isinstance(run.mixer, SoftmaxAttention) else None


def shared_figure(model: ModelSpec, name: str) -> int | None:
    """Return what all attention layers have alike ("kv_heads"), None where they differ."""
    found = {getattr(attention_of(run), name) for run in model.layers if attention_of(run)}
    return found.pop() if len(found) == 1 else None


def with_attention(model: ModelSpec, name: str, value: int) -> ModelSpec:
    """Return the model with one figure of all its attention layers changed."""
    if shared_figure(model, name) is None:
        raise UserError("layers_differ", model=model.name)
    runs = tuple(run_with(run, name, value) if attention_of(run) else run for run in model.layers)
    return model.with_(layers=runs)


def run_with(run: LayerRun, name: str, value: Any) -> LayerRun:
    """Return a run with a figure of its mixer changed, its projections resized."""
    old = attention_of(run)
    if old is None:
        return run.with_(mixer=run.mixer.with_(**{name: value}))
    new = old.with_(**{name: value})
    changed = reshaped(run, old, new) if type(old) is type(new) else run
    if isinstance(run.mixer, ParallelMixer):
        return changed.with_(mixer=run.mixer.with_(attention=new))
    return changed.with_(mixer=new)


# Widths


def with_width(model: ModelSpec, name: str, value: int | None) -> ModelSpec:
    """Return the model with another hidden size, vocabulary or feed-forward width."""
    old = getattr(model, name)
    if old is None or value is None or old == value:
        return model.with_(**{name: value})

    def follow(tensor: Tensor) -> Tensor:
        return _resized(tensor, name, old, value)

    def follow_run(run: LayerRun) -> LayerRun:
        if name == "intermediate_size" and run.intermediate_size not in (None, old):
            return run
        own = {"intermediate_size": value} if run.intermediate_size == old else {}
        own = own if name == "intermediate_size" else {}
        return run.with_(tensors=tuple(follow(tensor) for tensor in run.tensors), **own)

    changes: dict[str, Any] = {
        name: value,
        "layers": tuple(follow_run(run) for run in model.layers),
        "tensors": tuple(follow(tensor) for tensor in model.tensors),
    }
    if model.draft is not None:
        changes["draft"] = model.draft.with_(
            layers=tuple(follow_run(run) for run in model.draft.layers),
            tensors=tuple(follow(tensor) for tensor in model.draft.tensors),
        )
    return model.with_(**changes)


def run_with_width(run: LayerRun, model: ModelSpec, value: int | None) -> LayerRun:
    """Return a run with a feed-forward width of its own."""
    old, new = run.intermediate_size or model.intermediate_size, value or model.intermediate_size
    tensors = run.tensors
    if old is not None and new is not None:
        tensors = tuple(_resized(tensor, "intermediate_size", old, new) for tensor in tensors)
    own = None if value == model.intermediate_size else value
    return run.with_(intermediate_size=own, tensors=tensors)


def _resized(tensor: Tensor, name: str, old: int, new: int) -> Tensor:
    """Change the dimensions of a tensor that are the width of that name."""
    axes = _axes(tensor)[name]
    shape = list(tensor.shape)
    for axis in axes:
        # A gate and an up projection may be stored as one matrix.
        for times in (1, 2) if name == "intermediate_size" else (1,):
            if shape[axis] == times * old:
                shape[axis] = times * new
                break
    return tensor if tuple(shape) == tensor.shape else tensor.with_(shape=tuple(shape))


def _axes(tensor: Tensor) -> dict[str, tuple[int, ...]]:
    """Return which axes of a tensor can be the model's width, its inner width, its vocabulary."""
    first, last = 0, len(tensor.shape) - 1
    inner: tuple[int, ...] = ()
    vocabulary: tuple[int, ...] = ()
    taken: tuple[int, ...] = ()
    if tensor.shard == "vocab":
        vocabulary = taken = (first,)
    elif tensor.shard in ("q_heads", "kv_heads", "groups"):
        taken = (first,)
    elif tensor.shard == "o_heads":
        taken = (last,)
    elif tensor.shard == "column":
        inner = taken = (first,)
    elif tensor.shard == "row":
        inner = taken = (last,)
    elif tensor.shard in ROUTED:
        taken = (last,) if "down" in tensor.name else (first,)
    free = tuple(axis for axis in range(last + 1) if axis not in taken)
    return {"hidden_size": free, "intermediate_size": inner, "vocab_size": vocabulary}


def with_experts(model: ModelSpec, name: str, value: Any) -> ModelSpec:
    """Return the model with a figure of its experts changed, their matrices with it."""
    moe = model.moe
    if moe is None:
        return model
    old = getattr(moe, name)
    changed = model.with_(moe=moe.with_(**{name: value}))
    if old is None or value is None:
        return changed

    def follow(tensor: Tensor) -> Tensor:
        if name == "experts" and tensor.shard in ROUTED and tensor.copies == old:
            return tensor.with_(copies=value)
        is_router = tensor.shard == "replicated" and tensor.shape[0] == old
        if name == "experts" and is_router and "gate" in tensor.name:
            return tensor.with_(shape=(value, *tensor.shape[1:]))
        if name == "expert_intermediate_size" and tensor.shard in ROUTED:
            axis = len(tensor.shape) - 1 if "down" in tensor.name else 0
            if tensor.shape[axis] == old:
                shape = (*tensor.shape[:axis], value, *tensor.shape[axis + 1 :])
                return tensor.with_(shape=shape)
        return tensor

    runs = tuple(
        run.with_(tensors=tuple(follow(tensor) for tensor in run.tensors)) for run in model.layers
    )
    return changed.with_(layers=runs)


# Kinds of layer


def converted(run: LayerRun, kind: str) -> LayerRun:
    """Return a run whose layers are of another kind, with the figures that both have."""
    if kind == run.mixer.kind:
        return run
    if kind not in CONVERTIBLE:
        raise UserError("layer_kind_not_offered", accepted=", ".join(CONVERTIBLE))
    return run.with_(mixer=_converted(run.mixer, kind))


def _converted(mixer: Mixer, kind: str) -> Mixer:
    old = mixer.attention if isinstance(mixer, ParallelMixer) else mixer
    heads = getattr(old, "heads", None) or _HEADS
    head_dim = getattr(old, "head_dim", None) or getattr(old, "v_head_dim", None) or _HEAD_DIM
    window = getattr(old, "window_tokens", None) or getattr(old, "chunk_tokens", None)
    common: dict[str, Any] = {
        "heads": heads,
        "kv_heads": getattr(old, "kv_heads", None) or heads,
        "head_dim": head_dim,
        "v_head_dim": None
        if isinstance(old, LatentAttention)
        else getattr(old, "v_head_dim", None),
    }
    if isinstance(old, SoftmaxAttention) and kind != "shared":
        common = {name: getattr(old, name) for name in SoftmaxAttention.model_fields}
    if kind == "full":
        return FullAttention(**common)
    if kind == "sliding":
        return SlidingAttention(**common, window_tokens=window or _WINDOW_TOKENS)
    if kind == "chunked":
        return ChunkedAttention(**common, chunk_tokens=window or _WINDOW_TOKENS)
    if kind == "shared":
        return SharedCache(**common, source_layer=0, window_tokens=window)
    if kind == "latent":
        return LatentAttention(
            heads=heads,
            kv_lora_rank=512,
            qk_rope_head_dim=64,
            qk_nope_head_dim=head_dim,
            v_head_dim=head_dim,
        )
    return NoMixer()


# Fields and columns


def model_fields() -> dict[str, EditField]:
    """Return the fields of a model, those with tensors behind them writing these too."""
    fields = {field.path: field for field in edit_fields(ModelSpec)}
    for name in ("hidden_size", "intermediate_size", "vocab_size"):
        fields[name] = replace(fields[name], write=_width_writer(name))
    for field in edit_fields(FullAttention):
        if field.path in ("heads", "kv_heads", "head_dim"):
            path = f"attention.{field.path}"
            fields[path] = replace(
                field,
                path=path,
                read=_shared_reader(field.path),
                write=_shared_writer(field.path),
                applies=_shared_applies(field.path),
            )
    return fields


def _width_writer(name: str) -> Callable[[ModelSpec, Any], ModelSpec]:
    return lambda model, value: with_width(model, name, value)


def _shared_reader(name: str) -> Callable[[ModelSpec], int | None]:
    return lambda model: shared_figure(model, name)


def _shared_writer(name: str) -> Callable[[ModelSpec, Any], ModelSpec]:
    return lambda model, value: with_attention(model, name, value)


def _shared_applies(name: str) -> Callable[[ModelSpec], bool]:
    return lambda model: shared_figure(model, name) is not None


def expert_fields(model: ModelSpec) -> tuple[EditField, ...]:
    """Return the fields of a model's experts, none for a dense model."""
    if model.moe is None:
        return ()
    return tuple(
        replace(nested("moe", field), write=_expert_writer(field.path))
        for field in edit_fields(type(model.moe))
    )


def _expert_writer(name: str) -> Callable[[ModelSpec, Any], ModelSpec]:
    return lambda model, value: with_experts(model, name, value)


def run_columns(model: ModelSpec) -> tuple[EditField, ...]:
    """Return the columns of the table of layers."""
    run_fields = {field.path: field for field in edit_fields(LayerRun)}
    kind = EditField(
        "kind",
        "choice",
        lambda run: run.mixer.kind,
        converted,
        choices=KINDS,
    )
    attention = tuple(_mixer_column(name, "whole") for name in ("heads", "kv_heads", "head_dim"))
    window = EditField(
        "window_tokens",
        "tokens",
        lambda run: _window(run)[1],
        lambda run, value: run_with(run, _window(run)[0], value),
        applies=lambda run: bool(_window(run)[0]),
    )
    width = replace(
        run_fields["intermediate_size"],
        # Empty would say that there is none: layers without a width of their own have the model's.
        read=lambda run: run.intermediate_size or model.intermediate_size,
        write=lambda run, value: run_with_width(run, model, value),
        applies=lambda run: run.ffn in ("dense", "dense+moe"),
    )
    return (kind, run_fields["count"], *attention, window, run_fields["ffn"], width)


def _mixer_column(name: str, kind: Any) -> EditField:
    def read(run: LayerRun) -> Any:
        return getattr(attention_of(run) or run.mixer, name, None)

    return EditField(
        name,
        kind,
        read,
        lambda run, value: run_with(run, name, value),
        applies=lambda run: read(run) is not None,
    )


def _window(run: LayerRun) -> tuple[str, int | None]:
    """Return name and value of what ends the cache of a run, an empty name for none."""
    mixer = attention_of(run) or run.mixer
    for name in ("window_tokens", "chunk_tokens"):
        value = getattr(mixer, name, None)
        if value is not None:
            return name, value
    return "", None


def mixer_fields(run: LayerRun) -> tuple[EditField, ...]:
    """Return every field of a run's mixer, its parts included."""
    return tuple(_mixer_fields(run))


def _mixer_fields(run: LayerRun) -> Iterator[EditField]:
    mixer = run.mixer
    if isinstance(mixer, ParallelMixer):
        yield from (
            _of_mixer(field, f"attention.{field.path}", in_attention=True)
            for field in edit_fields(type(mixer.attention))
        )
        yield from (nested("mixer.state", field) for field in edit_fields(RecurrentState))
        return
    for field in edit_fields(type(mixer)):
        yield _of_mixer(field, field.path, in_attention=isinstance(mixer, SoftmaxAttention))
    if getattr(mixer, "indexer", None) is not None:
        for field in edit_fields(SparseIndexer):
            yield nested("mixer.indexer", field)


def _of_mixer(field: EditField, path: str, *, in_attention: bool) -> EditField:
    """Move a field of a mixer to its run, where changing it resizes the projections."""
    plain = nested("mixer", field)
    if not in_attention:
        return plain
    name = field.path

    def read(run: LayerRun) -> Any:
        return field.read(attention_of(run))

    def write(run: LayerRun, value: Any) -> LayerRun:
        return run_with(run, name, value)

    return replace(plain, path=f"mixer.{path}", read=read, write=write, applies=_has_attention)


def _has_attention(run: LayerRun) -> bool:
    return attention_of(run) is not None


def kept_elements(run: LayerRun) -> int:
    """Return K and V elements that one layer of a run adds with a token, a window's included."""
    own = kept_by(run.mixer)
    growing = -(-own.growing.numerator // own.growing.denominator)
    return growing + sum(elements for _, elements in own.windowed)
