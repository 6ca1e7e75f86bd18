"""Names in logs: releases, quantisation suffixes, formats, cards."""

from __future__ import annotations

import pytest

from workbench.intake.log_names import (
    bare_model_name,
    card_names,
    core_of,
    format_in_name,
    format_of,
    is_prose,
    kv_format_of,
    release_of,
)


@pytest.mark.parametrize(
    ("text", "release"),
    [
        ("0.19.0", "0.19.0"),
        ("v0.8.5", "0.8.5"),
        ("0.22", "0.22"),
        ("0.6.4.post1", "0.6.4"),
        ("0.11.0rc2.dev98", "0.11.0"),
        ("0.14.0rc2.dev348+gdcd80206b", "0.14.0"),
        ("0.26.1.dev0+gd3d3b2cca", "0.26.1"),
        ("0.10.0-dev", "0.10.0"),
        ("0.19-dev", "0.19"),
        (None, None),
        ("0.6.x", None),
        ("0.2x", None),
        ("0.11-ish", None),
        ("0.29.0?", None),
        ("0.10.2+", None),
        (">=0.21", None),
        ("0.21-0.22", None),
        ("0.10.2/0.11", None),
        ("0.17/0.18 (PR)", None),
        ("0.9.x (custom)", None),
        ("fork", None),
        ("1Cat fork", None),
        ("vllm-ascend", None),
        ("Aphrodite (vLLM fork)", None),
        # A build without tags says 0.1; it says nothing about the release.
        ("0.1.dev20073+g8e685d198", None),
    ],
)
def test_releases(text: str | None, release: str | None) -> None:
    assert release_of(text) == release


def test_cores() -> None:
    assert core_of("0.7.2", "v1") == "v0"
    assert core_of("0.8.5", "v0") == "v0"
    assert core_of("0.8.5", None) == "v1"
    assert core_of("0.11.0", "v0") == "v1"
    assert core_of(None, "v0") == "v0"


@pytest.mark.parametrize(
    ("name", "bare", "weight_format"),
    [
        ("Qwen/Qwen3-8B-AWQ", "Qwen3-8B", "awq4_g128"),
        ("Qwen/Qwen3-30B-A3B-GPTQ-Int4", "Qwen3-30B-A3B", "gptq4_g128"),
        ("RedHatAI/Qwen3-32B-quantized.w4a16", "Qwen3-32B", "ct_w4a16_g128"),
        ("RedHatAI/X-8B-quantized.w8a8", "X-8B", "int8_w8a8"),
        ("RedHatAI/Llama-3.3-70B-Instruct-FP8-dynamic", "Llama-3.3-70B-Instruct", "fp8_channel"),
        ("neuralmagic/Meta-Llama-3-8B-Instruct-FP8", "Meta-Llama-3-8B-Instruct", "fp8_tensor"),
        ("Qwen/Qwen3-8B-FP8", "Qwen3-8B", "fp8_block128"),
        # Makers of NVFP4 checkpoints leave different layers in 8 or 16 bits.
        ("Salyut1/GLM-4.7-NVFP4", "GLM-4.7", None),
        ("Qwen3-8B-FP8", "Qwen3-8B", None),
        ("meta-llama/Meta-Llama-3.1-405B-Instruct-FP8", "Meta-Llama-3.1-405B-Instruct", None),
        ("unsloth/qwen2.5-7b-bnb-4bit", "qwen2.5-7b", "bnb_nf4"),
        ("Qwen3.6-27B AutoRound INT4", "Qwen3.6-27B", None),
        ("DeepSeek-R1-Distill-Qwen-32B Q4_K_M GGUF", "DeepSeek-R1-Distill-Qwen-32B", None),
    ],
)
def test_quantisation_in_names(name: str, bare: str, weight_format: str | None) -> None:
    assert bare_model_name(name) == bare
    assert format_in_name(name) == (True, weight_format)


def test_names_without_quantisation_stay_as_they_are() -> None:
    for name in ("Qwen/Qwen3-8B", "microsoft/phi-4", "openai/gpt-oss-120b", "FP8"):
        assert bare_model_name(name) == name.rpartition("/")[2]
        assert format_in_name(name) == (False, None)


def test_prose_is_no_name() -> None:
    assert is_prose("Llama-3.1/3-8B class")
    assert is_prose("Qwen3.8-27B + DFlash2")
    assert is_prose("MiMo (MTP1)")
    assert not is_prose("Qwen3-Next-80B-A3B")


def test_stated_formats() -> None:
    assert format_of("awq_marlin") == "awq4_g128"
    assert format_of("fp8 (block)") == "fp8_block128"
    assert format_of("modelopt_fp4") == "nvfp4"
    assert format_of("nvfp4 + fp8 mixed") is None
    assert format_of("auto_round int4") is None
    assert format_of("gguf q4_k_m") is None
    assert kv_format_of("auto (bf16)") is None
    assert kv_format_of("fp8_e5m2") == "fp8"
    assert kv_format_of("int8_per_token_head") == "int8_per_token_head"


def test_cards_are_looked_up_by_every_run_of_words() -> None:
    names = card_names("NVIDIA H100 80GB HBM3")
    assert names[0] == "NVIDIA H100 80GB HBM3"
    assert {"H100-80GB-HBM3", "h100-sxm", "H100"} <= set(names)
    assert card_names("") == ()
    assert "GB10" in card_names("NVIDIA GB10 (DGX Spark) x2")
    assert "h200" in card_names("139.72 GiB total (H200-class)")
    assert len(card_names("x " * 10_000)) < 300
