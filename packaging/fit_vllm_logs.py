"""Start-up logs as the fit needs them: shapes, resolved flags, classes of cards."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from workbench.core.engines.vllm.shape import Experts, ProfileRun, StageShape
from workbench.spec.releases import Release, parse_release

UNIFIED = ("gb10", "jetson", "strix", "thor", "spark")
ODD = ("odd-", "mixed-run", "util-as-printed-contradicts-sum", "rank-asymmetry")
RECURRENT = {"gdn", "kda", "mamba1", "mamba2", "lightning", "linear", "conv", "parallel"}
AMD = re.compile(r"amd|radeon|rocm|\bmi[0-9]{2,3}|gfx|hygon|dcu", re.IGNORECASE)
PATCHED = re.compile(r"fork|custom|patched|modified|aphrodite|ascend", re.IGNORECASE)
STATED_ELSEWHERE = {"gb200x4-glm52-nvfp4-ep": "0.26"}
"""Releases that the notes (vllm.md §10) give and the record leaves out."""


@dataclass(frozen=True)
class Log:
    """One start, in GiB as printed."""

    id: str
    era: Any
    release: Release
    release_text: str
    exact_release: bool
    complete: bool
    batch_known: bool
    """V0 takes its batch from the length; a log without either is guessed."""
    campaign: bool
    shape: StageShape | None
    run: ProfileRun
    gpu: str
    runtime_class: tuple[str, str, int, bool]
    eager: bool
    activation: float | None
    non_torch: float | None
    used_before: float | None
    graphs: float | None
    graph_estimate: float | None


def read_logs(logs: Path, facts: Path, eras: Sequence[Any]) -> list[Log]:
    """Read the records that can teach something, in their own order."""
    records = json.loads((logs / "vllm.json").read_text("utf-8"))
    names = json.loads((logs / "aliases.json").read_text("utf-8"))
    aliases = {
        record["id"]: (names["models"].get(record["model"]) or {})
        | (names["records"].get(record["id"]) or {})
        for record in records
    }
    models = {m["id"]: m for m in json.loads((facts / "models.json").read_text("utf-8"))}
    gpus = {g["id"]: g for g in json.loads((facts / "gpus.json").read_text("utf-8"))}
    read = (_log(record, aliases[record["id"]], models, gpus, eras) for record in records)
    return [log for log in read if log is not None]


def deciding(logs: Sequence[Log]) -> list[Log]:
    """Leave out the other ranks of a start that several ranks wrote about ("…-r1"): the first
    has most outside torch and samples for all, so it decides (vllm-logs.md §8)."""
    return [log for log in logs if not re.search(r"-r[1-9][0-9]*$", log.id)]


def _log(record: Any, alias: Any, models: Any, gpus: Any, eras: Sequence[Any]) -> Log | None:
    name = str(record["gpu"] or "")
    unified = any(word in name.casefold() for word in UNIFIED)
    odd = any(word in (record["consistency"] or "") for word in ODD)
    patched = "unsloth" in record["flags"] or PATCHED.search(record["release"] or "")
    if record["record"] != "startup-log" or unified or odd or patched:
        return None
    text = STATED_ELSEWHERE.get(record["id"], record["release"])
    release = parse_release(text or "")
    core = (record["core"] or ("v0" if release and release < (0, 8, 0) else "v1")).casefold()
    loose = release or _loose(text, core, eras)
    if loose is None:
        return None
    flags, measured = record["flags"], record["measured"]
    placed = record["deployment"] or {}
    tp, pp = placed.get("tp") or 1, placed.get("pp") or 1
    gpu = gpus.get(alias.get("gpu_id"))
    total = record["gpu_total_gib"]
    model = models.get(alias.get("facts_id"))
    free = measured.get("free_on_startup_gib")
    run = _run(flags, core, loose, total, alias, model, placed)
    consumed_only = "consumed_weights_plus_nontorch_gib" in measured and model is None
    return Log(
        record["id"],
        _era(eras, core, loose),
        loose,
        text or "unknown",
        release is not None,
        bool(
            release
            and model
            and alias.get("quant")
            and flags.get("max_model_len")
            and flags.get("gpu_memory_utilization")
            and placed.get("tp")
        ),
        core == "v1" or bool(flags.get("max_model_len") or flags.get("max_num_batched_tokens")),
        record["id"].startswith("llmd"),
        _shape(model, alias, pp) if model else None,
        run,
        gpu["name"] if gpu else "",
        (*_maker_and_link(gpu, name, total, tp, pp), tp if tp > 1 else pp, tp == 1 and pp > 1),
        bool(flags.get("enforce_eager")),
        None if consumed_only or not placed.get("tp") else measured.get("activation_peak_gib"),
        measured.get("non_torch_gib") if placed.get("tp") else None,
        round(total - free, 2) if total and free and placed.get("tp") else None,
        measured.get("cudagraph_gib"),
        measured.get("cudagraph_estimated_gib"),
    )


def _loose(text: str | None, core: str, eras: Sequence[Any]) -> Release | None:
    """A release near enough to tell the era: "0.21.x", "0.20/0.21", ">=0.21"; V0's whatever."""
    text = text or ""
    named = [(int(a), int(b), 0) for a, b in re.findall(r"(\d+)\.(\d+)(?!x)", text)]
    if core == "v0":
        return named[0] if named else (0, 7, 0)
    if not named or "ish" in text or "?" in text or text.startswith("0.1."):
        return None
    since = {_era(eras, core, release).since for release in named}
    return named[0] if len(since) == 1 else None


def _era(eras: Sequence[Any], core: str, release: Release) -> Any:
    of_core = [era for era in eras if era.core == core]
    held = [era for era in of_core if (parse_release(era.since) or (0, 0, 0)) <= release]
    return held[-1] if held else of_core[0]


def _run(
    flags: Any,
    core: str,
    release: Release,
    total: float | None,
    alias: Any,
    model: Any,
    placed: Any,
) -> ProfileRun:
    """Flags with the engine's defaults (vllm.md §3.3) where the log names none."""
    length = flags.get("max_model_len") or (model or {}).get("max_position_embeddings") or 2048
    tokens, sequences = flags.get("max_num_batched_tokens"), flags.get("max_num_seqs")
    large = core == "v1" and (total or 0) >= 70 and "a100" not in (alias.get("gpu_id") or "")
    if sequences is None:
        sequences = 1024 if large else 256
    if tokens is None and core == "v0":
        chunked = flags.get("enable_chunked_prefill", flags.get("chunked_prefill"))
        if (length > 32_768 and chunked is None) or chunked:
            tokens = 512 if release < (0, 6, 5) else 2048
        else:
            tokens = max(length, 2048)
    elif tokens is None:
        wide = release >= (0, 20, 0) and (total or 0) >= 160
        tokens = 16_384 if wide else 8192 if large else 2048
    limits = flags.get("limit_mm_per_prompt")
    return ProfileRun(
        tokens,
        min(sequences, tokens),
        placed.get("tp") or 1,
        placed.get("ep") or 1,
        4 if alias.get("quant") == "fp32" else 2,
        alias.get("quant") or "bf16",
        multimodal=not (isinstance(limits, dict) and not any(limits.values())),
    )


def _shape(model: Any, alias: Any, pp: int) -> StageShape:
    """The last stage: it holds the sampler and, with its buffers, decides."""
    changed = alias.get("overrides") or {}
    width = model["intermediate_size"] or 0
    moe = model.get("moe")
    experts = None
    if moe:
        experts = Experts(
            moe["num_experts"],
            moe["experts_per_token"],
            moe["moe_intermediate_size"],
            model["hidden_size"],
        )
        shared = moe.get("shared_expert_intermediate_size")
        dense = "dense" in model["ffn_types"]
        width = max(width if dense and not isinstance(width, list) else 0, shared or 0)
    params = model.get("params") or {}
    # Some logs are of a model with a tower whose decoder alone is on record.
    tower = "vision tower" in (alias.get("note") or "")
    return StageShape(
        model["id"],
        model["hidden_size"],
        changed.get("vocab_size", model["vocab_size"]),
        max(width) if isinstance(width, list) else width,
        -(-model["num_hidden_layers"] // pp),
        experts,
        bool(RECURRENT & {model["attn"][kind]["kind"] for kind in set(model["layer_types"])}),
        bool(params.get("vision") or params.get("audio") or tower) and pp == 1,
        pp == 1,
        True,
    )


def _maker_and_link(gpu: Any, name: str, total: float | None, tp: int, pp: int) -> tuple[str, str]:
    """As `workbench.core.engines.vllm.shape` has it; a big unnamed card is taken for an SXM."""
    vendor = gpu["vendor"].casefold() if gpu else ""
    maker = "amd" if "amd" in vendor or (not gpu and AMD.search(name)) else "nvidia"
    if "intel" in name.casefold():
        maker = "other"
    if tp * pp == 1:
        return maker, "none"
    if gpu:
        kind = ((gpu.get("interconnect") or {}).get("kind") or "").casefold()
        fast = "nvlink" in kind or "infinity fabric" in kind
        return maker, "fast" if fast and "bridge" not in kind and "c2c" not in kind else "pcie"
    return maker, "fast" if (total or 0) >= 60 else "pcie"
