"""Records of made-up logs, and a catalogue of two models and a card."""

from __future__ import annotations

from typing import Any, Literal

from tests.core.builders import BF16, CARD_80_GIB, FP8, WEIGHTS_16, shape
from workbench.intake.engine_logs import LogRecord, read_records
from workbench.intake.resolve import Question, resolve
from workbench.spec.formats import KvFormat, WeightFormat
from workbench.spec.gpu import GpuSpec
from workbench.spec.layers import FullAttention, RecurrentState, SlidingAttention, StateTensor
from workbench.spec.model import LayerRun, ModelSpec, StageTensor
from workbench.spec.vllm_fits import VllmFits
from workbench.spec.vllm_rules import VllmRules

ATTENTION = FullAttention(heads=32, kv_heads=8, head_dim=128)
LLAMA = shape().with_(
    id="llama-3.1-8b",
    name="Llama-3.1-8B",
    hf_id="meta-llama/Llama-3.1-8B",
    aliases=("meta-llama/Llama-3.1-8B-Instruct",),
    vocab_size=32_000,
    max_position_tokens=131_072,
    tensors=(StageTensor(name="embedding", shape=(32_000, 4096), shard="vocab"),),
)
STATE = RecurrentState(
    variant="gdn", tensors=(StateTensor(name="state", shape=(32, 128, 128), dtype="fp32"),)
)
HYBRID = LLAMA.with_(
    id="qwen3.5-4b",
    name="Qwen3.5-4B",
    hf_id="Qwen/Qwen3.5-4B",
    aliases=(),
    layers=(LayerRun(count=3, mixer=STATE), LayerRun(count=1, mixer=ATTENTION)),
)
WINDOWED = LLAMA.with_(
    id="gemma-2-9b",
    name="Gemma-2-9B",
    hf_id="google/gemma-2-9b-it",
    aliases=(),
    layers=(
        LayerRun(
            count=2,
            mixer=SlidingAttention(heads=32, kv_heads=8, head_dim=128, window_tokens=4096),
        ),
        LayerRun(count=2, mixer=ATTENTION),
    ),
)
MODELS = (LLAMA, HYBRID, WINDOWED)
FORMATS = {
    name: WeightFormat(id=name.replace("_", "-"), name=name, bits=bits)
    for name, bits in (("fp8_tensor", 8), ("fp8_block128", 8), ("awq4_g128", 4), ("nvfp4", 4))
} | {"bf16": WEIGHTS_16}


class Shelf:
    """The part of the library that the tests need, found by whole names and last parts."""

    def model(self, name: str) -> ModelSpec | None:
        for model in MODELS:
            names = [model.id, model.hf_id or "", *model.aliases]
            names += [text.rpartition("/")[2] for text in names]
            if name.casefold() in {text.casefold() for text in names}:
                return model
        return None

    def card(self, name: str) -> GpuSpec | None:
        return CARD_80_GIB if name.casefold() in ("h100", "h100-80gb", "80-gib") else None

    def weight_format(self, name: str) -> WeightFormat | None:
        return FORMATS.get(name)

    def kv_format(self, name: str) -> KvFormat | None:
        return {"bf16": BF16, "fp8": FP8}.get(name)

    def rules(self, release: str, core: Literal["v0", "v1"]) -> VllmRules:
        return VllmRules.model_construct(read_release=release)

    def fits(self, release: str, core: Literal["v0", "v1"]) -> VllmFits:
        return VllmFits.model_construct()


def raw(**changes: Any) -> dict[str, Any]:
    """A record with complete inputs, as it stands in a file."""
    return {
        "id": "one",
        "engine": "vllm",
        "record": "startup-log",
        "release": "0.19.0",
        "core": "V1",
        "model": "meta-llama/Llama-3.1-8B-Instruct",
        "weight_format": "bfloat16",
        "weight_dtype": "bfloat16",
        "kv_dtype": "auto",
        "gpu": "NVIDIA H100 80GB (79.19 GiB)",
        "gpu_total_gib": 79.19,
        "gpus": 1,
        "deployment": {"tp": 1, "pp": 1, "dp": 1, "ep": None},
        "flags": {"gpu_memory_utilization": 0.9, "max_model_len": 8192},
        "measured": {"weights_gib": 14.99, "kv_available_gib": 50.0, "kv_tokens": 409_600},
        "consistency": "ok",
    } | changes


def record(**changes: Any) -> LogRecord:
    return read_records([raw(**changes)], "logs.json")[0]


def question(**changes: Any) -> Question:
    found = resolve(record(**changes), Shelf(), None)
    assert isinstance(found, Question), found
    return found
