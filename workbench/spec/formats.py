"""Number formats of weights and of the KV cache."""

from pydantic import Field

from workbench.spec.base import Frozen, Name
from workbench.spec.kv_format import KvFormat
from workbench.spec.weight_format import Pattern, WeightFormat

__all__ = ["KvFormat", "Precision", "WeightFormat"]


class Precision(Frozen):
    """Weight format, KV format and type of the activations."""

    weights: WeightFormat
    kv: KvFormat
    activation_dtype: Name = "bf16"
    left_alone: tuple[Pattern, ...] | None = Field(default=None, max_length=100)
    """Modules that this checkpoint keeps in 16 bits although the format would quantise them.

    Patterns over tensor names, as its `ignore`, `modules_to_not_convert` or `exclude_modules`
    lists them: `self_attn.*`, `*.shared_expert.*`.
    """
