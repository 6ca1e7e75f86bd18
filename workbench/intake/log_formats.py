"""Which number formats a record had: of the weights, of the KV cache, of the activations."""

from __future__ import annotations

from typing import Final

from workbench.intake.aliases import Identity
from workbench.intake.catalogue import Catalogue
from workbench.intake.engine_logs import LogRecord, Unreadable
from workbench.intake.log_names import format_in_name, format_of, kv_format_of
from workbench.spec.formats import KvFormat, WeightFormat
from workbench.spec.gpu import GpuSpec
from workbench.spec.model import ModelSpec

_ACTIVATION_DTYPES: Final = {"float32": "fp32", "float16": "fp16", "bfloat16": "bf16"}


def weight_format_of(
    record: LogRecord, catalogue: Catalogue, identity: Identity | None, model: ModelSpec
) -> tuple[WeightFormat, bool]:
    """Return the weight format and whether it is certain; an uncertain one is 16 bits."""
    plain = catalogue.weight_format("bf16")
    if plain is None:
        raise Unreadable("bf16")
    if identity is not None and identity.facts_id is not None:
        found = identity.weight_format
        usable = identity.weights_usable
    else:
        found, usable = _stated_format(record, model), True
    weights = None if found is None else catalogue.weight_format(found)
    return (plain, False) if weights is None else (weights, usable)


def _stated_format(record: LogRecord, model: ModelSpec) -> str | None:
    """Return the weight format that name and `weight_format` state, None when not certain."""
    quantised, in_name = format_in_name(record.model or "")
    stated = format_of(record.weight_format)
    if quantised:
        return in_name
    if record.weight_format is not None:
        # "fp8" of a checkpoint that is published so means the way it is published.
        return (
            model.shipped_format
            if stated in (None, "fp8_tensor") and _ships(model, record.weight_format)
            else stated
        )
    if record.weight_dtype is not None and model.shipped_format is None:
        return format_of(record.weight_dtype)
    # A default is taken only where the record names a whole repository.
    if "/" not in (record.model or ""):
        return None
    return model.shipped_format or "bf16"


def _ships(model: ModelSpec, text: str) -> bool:
    """Whether a stated format is of the kind in which the model is published."""
    shipped = model.shipped_format
    return shipped is not None and shipped.partition("_")[0] in text.lower().replace("-", "_")


def kv_formats_of(
    record: LogRecord,
    catalogue: Catalogue,
    weights: WeightFormat,
    model: ModelSpec,
    cards: tuple[GpuSpec, ...],
) -> tuple[KvFormat, ...]:
    """Return the KV formats it can have had.

    "auto" is the model's own type unless the checkpoint names another: NVFP4 checkpoints may
    (logs show both), so both are readings. GLM with sparse latent attention takes fp8 on
    Blackwell data-centre cards by itself (vllm.md section 3.2).
    """
    stated = kv_format_of(record.kv_dtype or "auto")
    if stated is not None:
        names: tuple[str, ...] = (stated,)
    elif _is_sparse_glm(model) and all(c.compute_capability.startswith("10.") for c in cards):
        names = ("fp8",)
    elif "nvfp4" in f"{weights.id} {record.weight_format} {record.model}".lower():
        names = ("bf16", "fp8")
    elif activation_dtype_of(record) == "fp32":
        names = ("fp32",)
    else:
        names = ("bf16",)
    found = tuple(catalogue.kv_format(name) for name in names)
    return tuple(kv for kv in found if kv is not None) if None not in found else ()


def _is_sparse_glm(model: ModelSpec) -> bool:
    return "glm" in f"{model.family} {model.architecture} {model.hf_id}".lower() and any(
        getattr(run.mixer, "indexer", None) is not None for run in model.layers
    )


def activation_dtype_of(record: LogRecord) -> str:
    """Return the type the model ran in: as stated, else 16 bits, which the engine takes itself."""
    for text in (record.weight_dtype, record.weight_format):
        found = _ACTIVATION_DTYPES.get((text or "").lower())
        if found is not None:
            return found
    return "bf16"
