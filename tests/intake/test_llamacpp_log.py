"""llama.cpp's logs: the printed geometry as a model, and sizes to the byte."""

from __future__ import annotations

import copy
import json
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from workbench.cli.accuracy import LibraryCatalogue, report_on
from workbench.core.accuracy import Pair, summary_of
from workbench.core.prediction import predict
from workbench.intake.accuracy_report import Report, report_of
from workbench.intake.engine_logs import Fault, read_records
from workbench.intake.llamacpp_model import model_of
from workbench.library.paths import presets_dir
from workbench.library.presets import Library
from workbench.spec.layers import LatentAttention, RecurrentState
from workbench.spec.model import ModelSpec

Record = dict[str, Any]

LLAMA: Record = {
    "id": "llama",
    "engine": "llama.cpp",
    "record": "startup-log",
    "release": "b5002 (2c3f8b85)",
    "weight_format": "Q8_0",
    "flags": {
        "n_ctx": 15360, "n_batch": 2048, "n_ubatch": 512, "n_seq_max": 1, "flash_attn": 0,
        "offloaded_layers": "81/81", "cache_type_k": "f16", "cache_type_v": "f16",
    },
    "model_meta": {
        "arch": "llama", "n_layer": 80, "n_head": 64, "n_head_kv": 8, "n_embd": 8192,
        "n_embd_k_gqa": 1024, "n_embd_v_gqa": 1024, "n_vocab": 128256, "n_swa": 0,
    },
    "measured": {
        "compute_buffer_CUDA0_mib": 2014.0, "compute_buffer_CUDA_Host_mib": 46.01,
        "kv_self_size_mib": 4800.0,
    },
}  # fmt: skip
"""Issue 12729."""
GEMMA: Record = {
    "id": "gemma",
    "engine": "llama.cpp",
    "record": "startup-log",
    "release": "b5636",
    "flags": {
        "n_ctx": 32768, "n_batch": 2048, "n_ubatch": 512, "n_seq_max": 2, "flash_attn": 1,
        "offloaded_layers": "63/63", "cache_type_k": "q8_0", "cache_type_v": "q8_0",
    },
    "model_meta": {
        "arch": "gemma3", "n_layer": 62, "n_head": 32, "n_head_kv": 16, "n_embd": 5376,
        "n_embd_k_gqa": 2048, "n_embd_v_gqa": 2048, "n_vocab": 262144, "n_swa": 1024,
    },
    "measured": {
        "kv_size_mib": 1360.0, "kv_cells": 32768, "kv_size_mib_2nd_cache": 552.5,
        "kv_cells_2nd_cache": 2560, "compute_buffer_CUDA0_mib": 522.5,
        "compute_buffer_CUDA_Host_mib": 79.51,
    },
}  # fmt: skip
"""Issue 14097."""


@cache
def catalogue() -> LibraryCatalogue:
    return LibraryCatalogue(Library(presets_dir()))


def report(*records: Record) -> Report:
    return report_of(read_records(list(records), "logs"), catalogue(), None, predict)


def changed(record: Record, part: str, **values: Any) -> Record:
    found = copy.deepcopy(record)
    found[part] = {
        name: value for name, value in (found[part] | values).items() if value is not None
    }
    return found


def pairs(record: Record) -> dict[str, Pair]:
    return {pair.field: pair for pair in report(record).pairs}


def fault(record: Record) -> str:
    ((_, found),) = report(record).unresolved
    return found.code


def test_sizes_of_a_plain_log_are_exact() -> None:
    found = pairs(LLAMA)
    assert found["kv_size_mib"].predicted == 4800.0
    assert found["compute_buffer_mib"].predicted == 2014.0


def test_both_caches_of_a_model_with_windows_count() -> None:
    found = pairs(GEMMA)
    assert (found["kv_size_mib"].predicted, found["kv_size_mib"].measured) == (1912.5, 1912.5)
    assert found["compute_buffer_mib"].predicted == 522.5


def test_cells_as_many_as_the_context_show_whole_windows() -> None:
    whole = changed(GEMMA, "measured", kv_cells_2nd_cache=32768, kv_size_mib_2nd_cache=7072.0)
    assert pairs(whole)["kv_size_mib"].predicted == 1360.0 + 7072.0


def test_a_build_that_is_not_stated_is_every_build_that_prints_alike() -> None:
    open_build = LLAMA | {"release": None}
    assert pairs(open_build)["kv_size_mib"].predicted == 4800.0
    # Some builds round to 256 cells, others to 32: with the newer line both are possible.
    odd = changed(open_build, "flags", n_ctx=8000)
    newer = changed(odd, "measured", kv_self_size_mib=None, kv_size_mib=2500.0)
    assert pairs(odd)["kv_size_mib"].predicted == 2500.0
    assert fault(newer) == "release_open"
    windows = GEMMA | {"release": "fork"}
    assert "kv_size_mib" not in pairs(changed(windows, "flags", n_seq_max=4))


def test_types_are_those_of_the_flags_else_of_the_record() -> None:
    bare = changed(LLAMA, "flags", cache_type_k=None, cache_type_v=None)
    assert pairs(bare | {"kv_dtype": "f32"})["kv_size_mib"].predicted == 9600.0
    mixed = pairs(bare | {"kv_dtype": "k:q4_0,v:f16"})["kv_size_mib"].predicted
    assert mixed == 80 * 15360 * (1024 // 32 * 18 + 2048) / 2**20
    assert fault(bare | {"kv_dtype": "fp8"}) == "kv_format_unknown"
    assert fault(bare) == "kv_format_unknown"


def test_several_backends_and_embedding_models_have_no_one_buffer() -> None:
    two = changed(LLAMA, "measured", compute_buffer_CUDA1_mib=2014.0)
    assert "compute_buffer_mib" not in pairs(two)
    assert "compute_buffer_mib" not in pairs(changed(LLAMA, "model_meta", arch="bert"))
    assert "compute_buffer_mib" not in pairs(changed(LLAMA, "flags", offloaded_layers=None))
    host = changed(LLAMA, "measured", compute_buffer_CUDA0_mib=None, compute_buffer_CPU_mib=2014.01)
    assert (
        pairs(changed(host, "flags", offloaded_layers=None))["compute_buffer_mib"].predicted
        == 2014.0
    )


def test_a_second_cache_without_windows_is_another_start() -> None:
    """Issue 14752: the log goes on with another context."""
    again = changed(
        LLAMA, "measured", kv_self_size_mib=None, kv_size_mib=4800.0, kv_size_mib_2nd_cache=19200.0
    )
    assert "kv_size_mib" not in pairs(again)


def test_what_is_missing_or_not_known_is_named() -> None:
    assert fault(LLAMA | {"model_meta": None}) == "geometry_not_printed"
    assert fault(changed(LLAMA, "model_meta", n_embd_k_gqa=None)) == "geometry_not_printed"
    assert fault(changed(LLAMA, "flags", n_ctx=None)) == "context_not_stated"
    assert fault(changed(GEMMA, "model_meta", arch="gemma9")) == "cache_not_known"
    assert fault(changed(LLAMA, "model_meta", n_embd_k_gqa=1001)) == "unreadable"
    assert fault(changed(LLAMA, "model_meta", n_layer=-1)) == "unreadable"
    assert fault(changed(LLAMA, "model_meta", n_head_kv="[1, 2]")) == "unreadable"
    assert fault(changed(LLAMA, "model_meta", n_head_kv="[1,")) == "unreadable"


# --- geometry -----------------------------------------------------------------------------------


def model(**meta: Any) -> ModelSpec:
    found = model_of(meta)
    assert not isinstance(found, Fault)
    return found


def state_elements(spec: ModelSpec) -> list[int]:
    mixer = spec.layers[0].mixer
    assert isinstance(mixer, RecurrentState)
    return [tensor.shape[0] * tensor.shape[1] for tensor in mixer.tensors]


def test_states_of_models_without_attention() -> None:
    """Issues 6189, 9315 and 12692: R and S of all layers in MiB."""
    mamba = state_elements(model(arch="mamba", n_layer=64, n_embd=2560))
    assert [4 * 64 * size / 2**20 for size in mamba] == [3.75, 20.0]
    rwkv = state_elements(model(arch="rwkv6", n_layer=32, n_embd=4096))
    assert [4 * 32 * size / 2**20 for size in rwkv] == [1.0, 32.0]
    qwerky = state_elements(model(arch="rwkv6qwen2", n_layer=80, n_embd=8192))
    assert [4 * 80 * size / 2**20 for size in qwerky] == [2.5, 320.0]


def test_one_head_with_a_longer_key_is_a_latent_row() -> None:
    spec = model(
        arch="deepseek2", n_layer=61, n_head=128, n_head_kv=1, n_embd_k_gqa=576, n_embd_v_gqa=512
    )
    mixer = spec.layers[0].mixer
    assert isinstance(mixer, LatentAttention)
    assert (mixer.kv_lora_rank, mixer.qk_rope_head_dim) == (512, 64)


def test_layers_differ_where_lists_are_printed() -> None:
    spec = model(
        arch="lfm2", n_layer=4, n_head=32, n_embd=2048, n_head_kv="[0, 8, 0, 8]",
        n_embd_k_gqa=[0, 512, 0, 512], n_embd_v_gqa=[0, 512, 0, 512],
    )  # fmt: skip
    assert [run.mixer.kind for run in spec.layers] == ["state", "full", "state", "full"]


# --- all of it ----------------------------------------------------------------------------------


def test_no_damaged_record_raises() -> None:
    pick = Random("damaged records of llama.cpp")
    odd = (None, -1, 0, 1, 2**40, 1e400, 0.5, "", "x", "[0]", [], [1], {}, True, float("nan"))
    for _ in range(400):
        record = copy.deepcopy(pick.choice((LLAMA, GEMMA)))
        for _ in range(pick.randint(1, 3)):
            part = pick.choice(("flags", "model_meta", "measured"))
            record[part][pick.choice([*record[part], "n_ff", "kv_unified"])] = pick.choice(odd)
        if pick.random() < 0.2:
            record[pick.choice(("release", "kv_dtype", "weight_format"))] = pick.choice(odd)
        report(record)


def test_the_shared_logs(shared: Path) -> None:
    """KV within 0.02 MiB in 95 % of the resolved cases, buffers within 2 % at the median."""
    path = shared / "logs" / "llama.cpp.json"
    found = report_on(path, None)
    assert found.cases == len(json.loads(path.read_text(encoding="utf-8")))
    assert found.resolved >= 0.9 * found.cases
    sizes = [pair for pair in found.pairs if pair.field == "kv_size_mib"]
    exact = sum(abs(pair.error) <= 0.02 for pair in sizes)
    assert exact >= 0.95 * len(sizes)
    buffers = summary_of(pair for pair in found.pairs if pair.field == "compute_buffer_mib")
    assert buffers.n >= 20
    assert buffers.median_abs_pct == pytest.approx(0, abs=2)
