"""`kvw budget --engine …`: command lines as the engines' own documentation spells them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.cli.test_budget_vllm import run

LLAMA = ("budget", "--model", "llama-3.1-8b", "--context", "8k", "--json")
ONE, TWO = ("--gpu", "h100-sxm"), ("--gpu", "2x-h100-sxm")


def resolved(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    _, out, err = run(capsys, *LLAMA, *arguments)
    assert not err, err
    return json.loads(out)["scenario"]["resolved"]


@pytest.mark.parametrize(
    ("arguments", "flag", "value"),
    [
        (("sglang", "--disable-radix-cache"), "disable_radix_cache", True),
        (("sglang", "--disable-radix-cache", "--page-size", "16"), "disable_radix_cache", True),
        (("sglang", "--disable-radix-cache", "off"), "disable_radix_cache", False),
        (("llamacpp", "-fa", "-ctk", "q8_0"), "flash_attention", True),
        (("llamacpp", "-fa", "auto"), "flash_attention", True),
        (("llamacpp", "-ngl", "auto"), "gpu_layers", 33),
        (("llamacpp", "-ngl", "all"), "gpu_layers", 33),
        (("llamacpp", "-nkvo"), "kv_offload", False),
        (("llamacpp", "--no-kv-offload"), "kv_offload", False),
        (("trtllm", "--max_batch_size", "64"), "max_num_seqs", 64),
        (("trtllm", "--max_seq_len=9000"), "max_model_len", 9000),
        (
            ("trtllm", "--kv_cache_free_gpu_memory_fraction", "0.8"),
            "free_gpu_memory_fraction",
            0.8,
        ),
    ],
)
def test_options_as_the_engines_spell_them(capsys, arguments, flag, value):
    assert resolved(capsys, *ONE, "--engine", *arguments)[flag] == value


def test_a_switch_takes_on_or_off_only(capsys):
    code, _, err = run(capsys, *LLAMA, *ONE, "--engine", "sglang", "--disable-radix-cache", "yes")
    assert (code, err.count("\n")) == (2, 1)
    assert "“yes” is not known for --disable-radix-cache" in err


@pytest.mark.parametrize("name", ["SGLang", "TensorRT-LLM", "llama.cpp@b11312", "vLLM@0.19.0"])
def test_an_engine_by_the_name_it_goes_by(capsys, name):
    assert resolved(capsys, *ONE, "--engine", name)


def test_a_split_is_given_in_proportions(capsys):
    def weights(split: str) -> list[int]:
        _, out, _ = run(capsys, *LLAMA, *TWO, "--engine", "llamacpp", "-ts", split)
        ranks = json.loads(out)["ranks"]
        return [rank["entries"][0]["bytes"] for rank in ranks if rank["place"] == "card"]

    assert weights("3,1") == weights("0.75,0.25")
    assert weights("3,1")[0] > 2 * weights("3,1")[1]
