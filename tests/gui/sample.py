"""A small plan for window tests, made without any preset file."""

from __future__ import annotations

from workbench.library.presets import Kind, Preset, PresetSpec
from workbench.spec.engine import Amount, PlainEngine
from workbench.spec.formats import KvFormat, Precision, WeightFormat
from workbench.spec.gpu import GpuSpec
from workbench.spec.layers import FullAttention
from workbench.spec.model import LayerRun, ModelSpec, Tensor
from workbench.spec.scenario import Plan, Scenario
from workbench.spec.units import GIB
from workbench.spec.workload import ConstantLength, Workload

BF16_WEIGHTS = WeightFormat(id="bf16", name="bf16", bits=16)
FP8_WEIGHTS = WeightFormat(id="fp8", name="fp8", bits=8)
BF16_KV = KvFormat(id="bf16", name="bf16", k_bits=16, v_bits=16)
FP8_KV = KvFormat(id="fp8", name="fp8", k_bits=8, v_bits=8)
CARD = GpuSpec(id="card-80", name="Card 80 GiB", device_total_bytes=80 * GIB)
SMALL_CARD = GpuSpec(id="card-24", name="Card 24 GiB", device_total_bytes=24 * GIB)


def preset(kind: Kind, value: PresetSpec) -> Preset[PresetSpec]:
    """A user's preset of a fact sheet, as the library would hand it over."""
    return Preset(kind, "user", value)


def model(name: str = "Small 8B", layers: int = 32) -> ModelSpec:
    attention = FullAttention(heads=32, kv_heads=8, head_dim=128)
    matrix = Tensor(name="mlp", shape=(14_336, 4_096), copies=3, shard="column", quantised=True)
    return ModelSpec(
        id="small-8b",
        name=name,
        hidden_size=4_096,
        vocab_size=128_256,
        max_position_tokens=131_072,
        layers=(LayerRun(count=layers, mixer=attention, tensors=(matrix,)),),
    )


def scenario(scenario_id: str = "a", name: str = "A", context: int = 32_768) -> Scenario:
    return Scenario(
        id=scenario_id,
        name=name,
        model=model(),
        gpu=CARD,
        precision=Precision(weights=BF16_WEIGHTS, kv=BF16_KV),
        engine=PlainEngine(runtime_bytes=GIB, activation_reserve=Amount(size_bytes=2 * GIB)),
        workload=Workload(lengths=ConstantLength(tokens=context), concurrency=4),
    )


def plan(*names: str) -> Plan:
    names = names or ("A", "B", "C")
    scenarios = tuple(scenario(name.lower(), name) for name in names)
    return Plan(scenarios=scenarios, baseline=scenarios[0].id)
