"""Number formats of weights and of the KV cache."""

from __future__ import annotations

from workbench.spec.base import Frozen, Name
from workbench.spec.kv_format import KvFormat
from workbench.spec.weight_format import WeightFormat

__all__ = ["KvFormat", "Precision", "WeightFormat"]


class Precision(Frozen):
    """Weight format, KV format and type of the activations."""

    weights: WeightFormat
    kv: KvFormat
    activation_dtype: Name = "bf16"
