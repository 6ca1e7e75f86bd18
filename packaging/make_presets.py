"""Writes the files of `presets/` from tables of facts; the same facts give the same bytes.

Run it as `python packaging/make_presets.py --facts DIR [--traces DIR] [--out presets]`. DIR
holds models.json, gpus.json, quant.json and workloads.json; the traces give the quantiles of
the total length, which the tables of facts do not hold.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import math
import re
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from workbench.spec.formats import KvFormat, WeightFormat
from workbench.spec.gpu import GpuSet, GpuSpec, Link, PeakRates
from workbench.spec.layers import FullAttention
from workbench.spec.model import LayerRun, ModelSpec, StageTensor, Tensor
from workbench.spec.workload import (
    QuantilePoint,
    TraceSummary,
    Workload,
    WorkloadPreset,
)

MODELS = {
    "meta-llama/Llama-3.1-8B": "llama-3.1-8b",
    "meta-llama/Llama-3.1-70B": "llama-3.1-70b",
    "Qwen/Qwen3-32B": "qwen3-32b",
}
GPUS = {
    "h100-sxm": ("h100-sxm-80gb",),
    "a100-80-sxm": ("a100-sxm-80gb",),
    "l40s": (),
    "h200": ("h200-sxm-141gb",),
}
GPU_SETS = {"h100-sxm": "8x-h100-sxm", "h200": "8x-h200-sxm"}
WORKLOADS = {
    "azure2023_conv": ("azure2023-conv", "Azure conversations, 2023"),
    "mooncake_conversation": ("mooncake-conversation", "Mooncake conversations"),
    "sharegpt_8k": ("sharegpt-8k", "ShareGPT, up to 8k tokens"),
}
NOTE_000 = "Founding note 000: 32 layers, 8 KV heads, head size 128, 16-bit, no weights"
NOTE_002 = "Founding note 002: a card of exactly 80 GiB"

Json = dict[str, Any]


def main() -> None:
    """Write every preset."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--facts", type=Path, required=True)
    options.add_argument("--traces", type=Path)
    options.add_argument(
        "--out", type=Path, default=Path(__file__).resolve().parents[1] / "presets"
    )
    chosen = options.parse_args()
    facts: Path = chosen.facts
    out = Writer(chosen.out)
    write_models(out, _load(facts / "models.json"))
    write_gpus(out, _load(facts / "gpus.json"))
    write_formats(out, _load(facts / "quant.json"))
    write_workloads(out, _load(facts / "workloads.json"), chosen.traces or facts.parent / "traces")


def _load(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


class Writer:
    """Writes preset files below one folder."""

    def __init__(self, out: Path) -> None:
        self._out = out

    def write(self, kind: str, preset: Any, published: Json | None = None) -> None:
        """Write one preset; what is not known (None) is left out."""
        content: Json = {
            "format": "kvw-preset",
            "schema_version": 1,
            "kind": kind,
            "preset": preset.model_dump(mode="json", exclude_none=True),
        }
        if published:
            content["published"] = published
        path = self._out / kind / f"{preset.id}.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(content, ensure_ascii=False, sort_keys=True, indent=2)
        path.write_text(f"{text}\n", encoding="utf-8")


# Models


def write_models(out: Writer, facts: list[Json]) -> None:
    """Write the model of note 000 and the chosen models of the facts."""
    attention = FullAttention(heads=32, kv_heads=8, head_dim=128)
    lab = ModelSpec(
        id="ledger-lab",
        name="Ledger lab",
        family="Founding note",
        layers=(LayerRun(count=32, mixer=attention),),
        sources=(NOTE_000,),
        checked="128 KiB a token at 16 bits, as the note computes it",
    )
    out.write("models", lab, {"kv_elements_per_token": 65_536})
    for fact in facts:
        if fact["id"] in MODELS:
            out.write("models", dense_model(fact), _published_of(fact))


def _published_of(fact: Json) -> Json:
    return {
        "parameters": fact["params"]["published_total"],
        "kv_elements_per_token": fact["kv"]["full_context_elements_per_token"],
        "checkpoint_bytes": fact["checkpoint"]["bytes"],
    }


def dense_model(fact: Json) -> ModelSpec:
    """Return a model of equal full-attention layers with a gated feed-forward part."""
    (geometry,) = fact["attn"].values()
    plain = {"kind", "num_heads", "num_kv_heads", "head_dim", "window", "qk_norm"}
    if (
        geometry["kind"] != "gqa"
        or geometry["window"] is not None
        or set(geometry) - plain
        or set(fact["ffn_types"]) != {"dense"}
        or fact["counting"]
    ):
        raise SystemExit(f"{fact['id']} is no plain dense model; it needs a builder of its own")
    hidden, vocabulary = fact["hidden_size"], fact["vocab_size"]
    run = LayerRun(
        count=fact["num_hidden_layers"],
        mixer=FullAttention(
            heads=geometry["num_heads"],
            kv_heads=geometry["num_kv_heads"],
            head_dim=geometry["head_dim"],
        ),
        tensors=_layer_tensors(fact, geometry),
    )
    outside = [
        StageTensor(
            name="model.embed_tokens", shape=(vocabulary, hidden), shard="vocab", stage="first"
        ),
        StageTensor(name="model.norm", shape=(hidden,), stage="last"),
    ]
    if not fact["tie_word_embeddings"]:
        outside.append(
            StageTensor(name="lm_head", shape=(vocabulary, hidden), shard="vocab", stage="last")
        )
    return ModelSpec(
        id=MODELS[fact["id"]],
        name=fact["id"].partition("/")[2],
        hf_id=fact["id"],
        aliases=tuple(fact.get("aliases", ())),
        family=fact["family"],
        architecture=fact["architecture"],
        license_note=fact["license"],
        hidden_size=hidden,
        intermediate_size=fact["intermediate_size"],
        vocab_size=vocabulary,
        max_position_tokens=fact["max_position_embeddings"],
        rope_theta=float(fact["rope_theta"]),
        tied_embeddings=fact["tie_word_embeddings"],
        checkpoint_dtype={"bfloat16": "bf16", "float16": "fp16"}[fact["dtype"]],
        layers=(run,),
        tensors=tuple(outside),
        published_parameters=fact["params"]["published_total"],
        sources=tuple(fact["sources"]),
        checked=fact["verified"],
    )


def _layer_tensors(fact: Json, geometry: Json) -> tuple[Tensor, ...]:
    hidden, inner = fact["hidden_size"], fact["intermediate_size"]
    head = geometry["head_dim"]
    queries, keys = geometry["num_heads"] * head, geometry["num_kv_heads"] * head

    def matrix(name: str, rows: int, columns: int, shard: Any) -> Tensor:
        return Tensor(name=name, shape=(rows, columns), shard=shard, quantised=True)

    tensors = [
        Tensor(name="input_layernorm", shape=(hidden,)),
        matrix("self_attn.q_proj", queries, hidden, "q_heads"),
        matrix("self_attn.k_proj", keys, hidden, "kv_heads"),
        matrix("self_attn.v_proj", keys, hidden, "kv_heads"),
        matrix("self_attn.o_proj", hidden, queries, "o_heads"),
    ]
    if geometry.get("qk_norm") == "head":
        tensors += [
            Tensor(name="self_attn.q_norm", shape=(head,)),
            Tensor(name="self_attn.k_norm", shape=(head,)),
        ]
    return (
        *tensors,
        Tensor(name="post_attention_layernorm", shape=(hidden,)),
        matrix("mlp.gate_proj", inner, hidden, "column"),
        matrix("mlp.up_proj", inner, hidden, "column"),
        matrix("mlp.down_proj", hidden, inner, "row"),
    )


# Cards


def write_gpus(out: Writer, facts: list[Json]) -> None:
    """Write the card and set of note 002 and the chosen cards and sets of the facts."""
    note_card = GpuSpec(
        id="80-gib",
        name="80 GiB card",
        device_total_bytes=85_899_345_920,
        device_total_basis="as the note gives it: 80 × 1,073,741,824 bytes",
        sources=(NOTE_002,),
        checked="given, not measured: no card reports exactly this to an engine",
    )
    out.write("gpus", note_card)
    out.write("gpus", _set_of(note_card, "4x-80-gib", 4, "4 × 80 GiB card"))
    for fact in facts:
        if fact["id"] in GPUS:
            card = gpu(fact)
            out.write("gpus", card)
            if card.id in GPU_SETS:
                out.write("gpus", _set_of(card, GPU_SETS[card.id], 8, f"8 × {card.name}"))


def _set_of(card: GpuSpec, set_id: str, count: int, name: str) -> GpuSet:
    return GpuSet(
        id=set_id,
        name=name,
        card=card,
        count=count,
        tp=count,
        link=card.link,
        sources=card.sources,
        checked=card.checked,
    )


def gpu(fact: Json) -> GpuSpec:
    """Return a card of the facts; rates in units a second, not in G or T."""
    rates, link = fact["tflops_dense"], fact["interconnect"]
    price = fact["price_per_gpu_hour"] or {}
    notes = [fact["notes"]] if fact["notes"] else []
    return GpuSpec(
        id=fact["id"],
        name=fact["name"],
        aliases=(*fact["aliases"], *GPUS[fact["id"]]),
        vendor=fact["vendor"],
        architecture=fact["architecture"],
        compute_capability=fact["compute_capability"] or "",
        device_total_bytes=fact["planning_bytes"],
        device_total_basis=fact["planning_basis"],
        smi_total_mib=fact["smi_total_mib"],
        marketing_gb=fact["memory_gb_marketing"],
        memory_type=fact["memory_type"],
        memory_bytes_per_s=_scaled(fact["memory_bandwidth_gbs"], 10**9),
        peak_ops_per_s=PeakRates(**{name: _scaled(rate, 10**12) for name, rate in rates.items()}),
        link=Link(
            kind=link["kind"],
            bytes_per_s=_scaled(link["gbs_one_way"], 10**9),
            host=link["pcie"] or "",
        ),
        power_w=_scaled(fact["tdp_w"], 1),
        max_per_node=fact["max_per_node"],
        nvlink_domain=fact["nvlink_domain"],
        price_per_hour_low=_scaled(price.get("low"), 1),
        price_per_hour_high=_scaled(price.get("high"), 1),
        price_note="USD, a rough guide of April 2026" if price.get("low") is not None else "",
        sources=tuple(fact["sources"]),
        checked="; ".join([f"confidence {fact['confidence']}", *notes]),
        uncertain=tuple(fact["uncertain_fields"]),
    )


def _scaled(value: float | None, factor: int) -> float | None:
    return None if value is None else float(value * factor)


# Number formats


def write_formats(out: Writer, facts: Json) -> None:
    """Write the formats that `spec.formats` describes exactly."""
    weights = {fact["id"]: fact for fact in facts["weight_formats"]}
    for fact_id, preset_id, more in (
        ("bf16", "bf16", {"bits": 16, "aliases": ("bfloat16", "float16")}),
        ("fp8_tensor", "fp8", {"bits": 8, "tensor_scale_bytes": 4, "aliases": ("fp8_tensor",)}),
    ):
        out.write("formats/weights", WeightFormat(**_format(weights[fact_id], preset_id, more)))
    caches = {fact["id"]: fact for fact in facts["kv_formats"]}
    per_head = {"k_head_scale_bytes": 4, "v_head_scale_bytes": 4}
    named = "int{}_per_token_head"
    for fact_id, bits, more in (
        ("bf16", 16, {"aliases": ("bfloat16", "float16")}),
        ("fp8", 8, {"layer_scale_bytes": 8}),
        ("fp8_per_token_head", 8, per_head | {"aliases": ("fp8_per_token_head",)}),
        ("int8", 8, per_head | {"aliases": (named.format(8),)}),
        ("int4", 4, per_head | {"aliases": (named.format(4),)}),
        ("nvfp4", 4, {"group_elements": 16, "group_scale_bytes": 1}),
    ):
        preset_id = fact_id.replace("_", "-")
        values = _format(caches[fact_id], preset_id, {"k_bits": bits, "v_bits": bits} | more)
        out.write("formats/kv", KvFormat(**values))


def _format(fact: Json, preset_id: str, more: Json) -> Json:
    values: Json = {
        "id": preset_id,
        "name": fact["name"],
        "sources": ("Engines: " + "; ".join(fact["engines"]),),
        "checked": "; ".join(
            text for text in (fact["verified"], fact.get("overhead"), fact["notes"]) if text
        ),
    }
    if "stays_16bit" in fact and fact["stays_16bit"] != ["all"]:
        values["left_alone"] = tuple(fact["stays_16bit"])
    return values | more | {"aliases": (*fact["aliases"], *more.get("aliases", ()))}


# Workloads


def write_workloads(out: Writer, facts: Json, traces: Path) -> None:
    """Write the chosen traces as quantiles of total and of output length."""
    for key, (preset_id, name) in WORKLOADS.items():
        fact = facts[key]
        arrivals = fact.get("arrivals", {})
        source = f"{fact['source']}; licence: {fact['licence']}"
        totals = read_totals(traces / fact["saved"]["file"])
        if len(totals) != fact["count"]:
            raise SystemExit(f"{key}: {len(totals)} requests, the facts count {fact['count']}")
        workload = Workload(
            lengths=_summary(fact, "total", quantiles(totals), source),
            outputs=_summary(fact, "output", fact["output_quantiles_101"], source),
            arrivals_per_s=arrivals.get("rate_per_s"),
            burstiness_cv=arrivals.get("interarrival_cv"),
        )
        preset = WorkloadPreset(
            id=preset_id,
            name=name,
            aliases=(key,) if key != preset_id else (),
            workload=workload,
            sources=(source,),
            checked="quantiles of the trace's own rows, rounded up to whole tokens",
        )
        out.write("workloads", preset)


def _summary(fact: Json, part: str, values: list[Any], source: str) -> TraceSummary:
    return TraceSummary(
        requests=fact["count"],
        mean_tokens=fact[part]["mean"],
        points=tuple(
            # A millionth off: the tables hold 1118.5000000000036 for 1118.5.
            QuantilePoint(q=step / 100, tokens=max(1, math.ceil(round(value, 6))))
            for step, value in enumerate(values)
        ),
        source=source,
    )


def read_totals(path: Path) -> list[int]:
    """Return the total length in tokens of each request of a trace, ascending."""
    totals = []
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        if re.search(r"\.jsonl\.gz$", path.name):
            for line in lines:
                row = json.loads(line)
                totals.append(row["input_length"] + row["output_length"])
        else:
            for row in csv.DictReader(lines):
                prompt = row.get("ContextTokens") or row["num_prefill_tokens"]
                totals.append(
                    int(prompt) + int(row.get("GeneratedTokens") or row["num_decode_tokens"])
                )
    return sorted(totals)


def quantiles(ascending: list[int]) -> list[Fraction]:
    """Return the 101 percentiles, linear between neighbours, exactly."""
    found = []
    for step in range(101):
        place = Fraction((len(ascending) - 1) * step, 100)
        below = int(place)
        above = min(below + 1, len(ascending) - 1)
        found.append(ascending[below] + (place - below) * (ascending[above] - ascending[below]))
    return found


if __name__ == "__main__":
    main()
