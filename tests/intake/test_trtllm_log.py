"""TensorRT-LLM's logs: which question a record asks, and the block arithmetic to the block."""

from __future__ import annotations

from functools import cache
from typing import Any

import pytest

from workbench.cli.accuracy import LibraryCatalogue
from workbench.core.accuracy import Pair
from workbench.core.prediction import predict
from workbench.intake.accuracy_report import Report, report_of
from workbench.intake.aliases import Aliases, read_aliases
from workbench.intake.engine_logs import read_records
from workbench.library.paths import presets_dir
from workbench.library.presets import Library

QWEN: dict[str, Any] = {
    "id": "qwen",
    "engine": "tensorrt-llm",
    "record": "startup-log",
    "release": "0.13.0.dev2024082000",
    "model": "meta-llama/Llama-2-7b-hf",
    "gpus": 1,
    "gpu_total_gib": 39.39,
    "deployment": {"tp": 1},
    "measured": {"available_gib": 21.89, "primary_blocks": 631},
}
"""Issue 2268: a model of Llama-2-7B's cache, all flags left to the engine."""
GPT: dict[str, Any] = {
    "id": "gpt",
    "engine": "tensorrt-llm",
    "record": "startup-log",
    "release": "1.1.0rc3",
    "model": "openai/gpt-oss-120b",
    "gpus": 1,
    "gpu_total_gib": 119.7,
    "deployment": {"tp": 1},
    "flags": {"backend": "pytorch", "free_gpu_memory_fraction": 0.9, "max_num_tokens": 8192},
    "measured": {
        "kv_bytes_per_token": 73728,
        "activation_gib": 0.85,
        "available_kv_gib": 5.95,
        "kv_allocated_gib": 5.95,
        "kv_tokens": 86720,
        "max_seq_len_tokens": 86720,
        "temporary_kv_tokens": 8224,
    },
}
"""The complete profile of the PyTorch backend (tensorrt-llm.md §8, 7)."""


@cache
def catalogue() -> LibraryCatalogue:
    return LibraryCatalogue(Library(presets_dir()))


def report(*records: dict[str, Any], aliases: Aliases | None = None) -> Report:
    return report_of(read_records(list(records), "logs"), catalogue(), aliases, predict)


def pairs(record: dict[str, Any], **changes: Any) -> dict[str, Pair]:
    found = report(record | changes)
    return {pair.field: pair for pair in (*found.pairs, *found.extrapolated_pairs)}


def test_blocks_from_free_memory_and_the_default_fraction_are_exact() -> None:
    found = pairs(QWEN)
    assert found["kv_tokens_from_pool"].predicted == found["kv_tokens_from_pool"].measured == 631


def test_a_stated_fraction_and_block_size_are_used() -> None:
    flags = {"free_gpu_memory_fraction": 0.5, "tokens_per_block": 128}
    found = pairs(QWEN, flags=flags, measured={"available_gib": 21.89, "primary_blocks": 176})
    assert found["kv_tokens_from_pool"].predicted == 176


def test_max_tokens_caps_the_pool() -> None:
    measured = {"available_gib": 21.89, "primary_blocks": 63}
    found = pairs(QWEN, flags={"max_tokens": 4_000}, measured=measured)
    assert found["kv_tokens_from_pool"].predicted == 63


def test_the_profile_of_the_pytorch_backend() -> None:
    found = pairs(GPT)
    # 5.95 GiB are printed to 0.005 GiB: 73 tokens either way.
    tokens = found["kv_tokens_from_pool"]
    assert abs(tokens.error) <= 96
    assert tokens.within_log_rounding
    assert found["max_seq_len_from_pool"].within_log_rounding
    assert found["temporary_kv_tokens"].error == 0.0
    assert found["activation_peak_gib"].inside_band


def test_blocks_of_a_release_with_two_possible_sizes_are_not_guessed() -> None:
    found = pairs(QWEN, release="0.20.0")
    assert "kv_tokens_from_pool" not in found
    # Tokens hardly depend on it.
    measured = {"available_gib": 21.89, "kv_tokens": 40_384}
    found = pairs(QWEN, release="0.20.0", measured=measured)
    assert found["kv_tokens_from_pool"].within_log_rounding
    # Blocks of 128 tokens would make a difference of a quarter of a percent.
    assert "kv_tokens_from_pool" not in pairs(QWEN, release=None, measured=measured)
    larger = {"available_gib": 70.0, "kv_tokens": 258_048}
    found = pairs(QWEN, release=None, kv_dtype="fp8", gpu_total_gib=79.1, measured=larger)
    assert found["kv_tokens_from_pool"].within_log_rounding


def test_fp8_checkpoints_leave_the_cache_open_unless_bytes_are_printed() -> None:
    model = {"model": "nvidia/Llama-3.1-8B-Instruct-FP8", "release": "1.1.0"}
    measured = {"available_gib": 60.0, "kv_tokens": 884_736}
    assert "kv_tokens_from_pool" not in pairs(QWEN, **model, measured=measured)
    printed = measured | {"kv_bytes_per_token": 65_536}
    found = pairs(QWEN, **model, measured=printed)["kv_tokens_from_pool"]
    assert found.predicted == 884_736
    stated = pairs(QWEN, **model, kv_dtype="fp8", measured=measured)["kv_tokens_from_pool"]
    assert stated.predicted == 884_736


def test_built_engines_are_compared_by_their_size_and_context() -> None:
    measured = {"engine_size_mib": 12_855, "execution_context_mib": 640.0}
    found = pairs(QWEN, measured=measured)
    assert found["weights_gib"].measured == pytest.approx(12.554, abs=0.001)
    assert abs(found["weights_gib"].error_pct) < 0.5
    assert found["activation_peak_gib"].low is not None


def test_what_cannot_be_known_is_unresolved_with_its_reason() -> None:
    reasons = {
        "model_is_prose": QWEN | {"model": "Qwen1.5-7B (fine-tuned)"},
        "model_not_stated": QWEN | {"model": None},
        "deployment_not_stated": QWEN | {"gpus": 2, "deployment": {}},
        "kv_format_unknown": QWEN | {"kv_dtype": "fp3"},
        "unreadable": QWEN | {"flags": {"free_gpu_memory_fraction": 9}},
        "nothing_printed": QWEN | {"measured": {"total_gib": 39.39}},
    }
    for number, (code, record) in enumerate(reasons.items()):
        found = report(record | {"id": str(number)})
        if code == "nothing_printed":
            assert found.unresolved
            continue
        assert [fault.code for _, fault in found.unresolved] == [code]


def test_a_person_may_say_which_model_a_record_means() -> None:
    entry = {"facts_id": "meta-llama/Llama-2-7b-hf", "match": "same_shapes"}
    aliases = read_aliases({"records": {"qwen": entry}}, "aliases")
    found = report(QWEN | {"model": "Qwen1.5-7B (fine-tuned)"}, aliases=aliases)
    (pair,) = found.pairs
    assert pair.predicted == pair.measured == 631


def test_unified_memory_is_left_out() -> None:
    found = report(GPT | {"gpu": "NVIDIA GB10 (DGX Spark)"})
    assert (found.cases, found.excluded) == (0, 1)


def test_other_engines_are_named() -> None:
    found = report(QWEN | {"engine": "mlc-llm"})
    assert [fault.code for _, fault in found.unresolved] == ["engine_not_modelled"]
