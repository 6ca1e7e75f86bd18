"""Scenarios of the founding notes, built by hand."""

from __future__ import annotations

from workbench.spec.engine import Amount, PlainEngine
from workbench.spec.formats import KvFormat, Precision, WeightFormat
from workbench.spec.gpu import GpuSpec
from workbench.spec.layers import FullAttention
from workbench.spec.model import LayerRun, ModelSpec
from workbench.spec.scenario import Scenario
from workbench.spec.units import GIB
from workbench.spec.workload import ConstantLength, QuantilePoint, QuantileTable, Workload

BF16 = KvFormat(id="bf16", name="BF16", k_bits=16, v_bits=16)
FP8 = KvFormat(id="fp8", name="FP8", k_bits=8, v_bits=8, layer_scale_bytes=8)
FP8_SCALED = KvFormat(
    id="fp8-per-token-head",
    name="FP8, scale per token and head",
    k_bits=8,
    v_bits=8,
    k_head_scale_bytes=4,
    v_head_scale_bytes=4,
)
WEIGHTS_16 = WeightFormat(id="bf16", name="BF16", bits=16)
CARD_80_GIB = GpuSpec(id="80-gib", name="80 GiB card", device_total_bytes=80 * GIB)


def shape(layers: int = 32, kv_heads: int = 8, head_dim: int = 128, heads: int = 32) -> ModelSpec:
    """The shape of both notes: 32 layers, 8 KV heads, head size 128, no weights on record."""
    attention = FullAttention(heads=heads, kv_heads=kv_heads, head_dim=head_dim)
    run = LayerRun(count=layers, mixer=attention)
    return ModelSpec(id="ledger-lab", name="Ledger lab", layers=(run,))


def scenario(
    *,
    context: int = 8192,
    concurrency: int | None = 16,
    model: ModelSpec | None = None,
    kv: KvFormat = BF16,
    **parts: object,
) -> Scenario:
    """Ledger lab on 80 GiB: 8K context, 16 requests, FP16."""
    workload = Workload(lengths=ConstantLength(tokens=context), concurrency=concurrency)
    values: dict[str, object] = {
        "id": "a",
        "name": "A",
        "model": model or shape(),
        "gpu": CARD_80_GIB,
        "precision": Precision(weights=WEIGHTS_16, kv=kv),
        "workload": workload,
    }
    return Scenario(**(values | parts))


def script_scenario(context: int = 4096, **engine: object) -> Scenario:
    """The script of note 002: 16 GiB of weights, 6 % activations, 4 % fragmentation."""
    return scenario(
        context=context,
        concurrency=None,
        engine=PlainEngine(**({"weights_bytes": 16 * GIB} | engine)),
    )


def prose_scenario(context: int = 4000) -> Scenario:
    """The prose of note 002: 80 GiB less 16 GiB of weights less about 4 GiB."""
    return script_scenario(
        context,
        activation_reserve=Amount(size_bytes=4 * GIB),
        fragmentation_reserve=Amount(size_bytes=0),
        block_tokens=1,
    )


def quantiles(*points: tuple[float, int]) -> QuantileTable:
    """A quantile table from (q, tokens) pairs."""
    return QuantileTable(points=tuple(QuantilePoint(q=q, tokens=tokens) for q, tokens in points))
