"""The activation peak: figures that engines printed, formulas that give the same bytes."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.formulas import computed_terms, evaluate, value_of
from workbench.core.engines.vllm.activation import activation_peak, padded_vocabulary
from workbench.core.engines.vllm.experts import workspace
from workbench.core.engines.vllm.shape import Experts, ProfileRun, StageShape
from workbench.library.engine_fits import vllm_fits
from workbench.spec.vllm_fits import VllmFits

GIB = 2**30
LLAMA_8B = StageShape("llama-3.1-8b", 4096, 128_256, 14_336, 32)
LLAMA_70B = StageShape("llama-3.1-70b", 8192, 128_256, 28_672, 80)
QWEN_7B = StageShape("qwen2.5-7b", 3584, 152_064, 18_944, 28)
QWEN3_32B = StageShape("qwen3-32b", 5120, 151_936, 25_600, 64)
CODELLAMA = StageShape("codellama-7b", 4096, 32_016, 11_008, 32)
MIXTRAL = StageShape("mixtral-8x7b", 4096, 32_000, 0, 32, Experts(8, 2, 14_336, 4096))
V2_LITE = StageShape("deepseek-v2-lite", 2048, 102_400, 10_944, 27, Experts(64, 6, 1408, 2048))
QWEN_MOE = StageShape("qwen1.5-moe", 2048, 151_936, 5632, 24, Experts(60, 4, 1408, 2048))
SERVER = ProfileRun(8192, 1024)


@pytest.mark.parametrize(
    ("release", "shape", "run", "printed_gib"),
    [
        ("0.19.0", LLAMA_8B, SERVER, 1.89),
        ("0.19.0", LLAMA_8B, replace(SERVER, tp=4), 1.89),
        ("0.19.0", LLAMA_8B, replace(SERVER, element_bytes=4), 2.21),
        ("0.19.0", replace(LLAMA_8B, layers=16, is_first=False), SERVER, 2.01),
        ("0.19.0", replace(LLAMA_8B, layers=8, is_last=False), SERVER, 1.05),
        ("0.19.0", QWEN_7B, SERVER, 2.21),
        ("0.19.0", CODELLAMA, SERVER, 0.77),
        ("0.19.0", MIXTRAL, replace(SERVER, tp=2), 1.21),
        ("0.19.0", V2_LITE, SERVER, 1.93),
        ("0.19.0", QWEN_MOE, SERVER, 2.47),
        ("0.11.0", LLAMA_8B, SERVER, 4.76),
        ("0.11.0", replace(LLAMA_70B), replace(SERVER, tp=2), 4.84),
        ("0.15.1", QWEN3_32B, SERVER, 5.64),
    ],
)
def test_what_engines_printed_on_an_h100(release, shape, run, printed_gib):
    peak = activation_peak(vllm_fits(release, "v1"), shape, run)
    assert peak.bytes / GIB == pytest.approx(printed_gib, abs=0.02)
    assert peak.low_bytes <= peak.bytes <= peak.high_bytes
    assert peak.evidence == "fitted"


@pytest.mark.parametrize(
    ("release", "shape", "run", "printed_gib"),
    [
        ("0.6.4", LLAMA_8B, ProfileRun(20_000, 256, runner="v0"), 2.07),
        ("0.7.2", replace(QWEN_7B, vocab_size=152_064), ProfileRun(4096, 256, runner="v0"), 1.42),
        ("0.8.5", QWEN3_32B, ProfileRun(2048, 256, tp=4, runner="v0"), 1.41),
    ],
)
def test_v0_is_bound_by_the_forward_pass_or_the_sampler(release, shape, run, printed_gib):
    peak = activation_peak(vllm_fits(release, "v0"), shape, run)
    assert peak.bytes / GIB == pytest.approx(printed_gib, rel=0.02)


def test_later_releases_are_extrapolated_with_a_wide_band():
    peak = activation_peak(vllm_fits("0.31.0", "v1"), LLAMA_8B, ProfileRun(2048, 256))
    assert peak.evidence == "assumed"
    assert peak.low_bytes < 0.5 * peak.bytes
    assert peak.high_bytes > 1.44 * GIB  # printed on an A100, with the graph estimate


def test_a_release_without_figures_has_no_peak():
    assert activation_peak(VllmFits(), LLAMA_8B, SERVER) is None


def test_an_embedding_model_samples_nothing():
    fits = vllm_fits("0.19.0", "v1")
    assert (
        activation_peak(fits, LLAMA_8B, replace(SERVER, pooling=True)).bytes
        < activation_peak(fits, LLAMA_8B, SERVER).bytes
    )


def test_a_tower_adds_its_outputs_unless_no_image_is_allowed():
    fits = vllm_fits("0.19.0", "v1")
    seeing = replace(LLAMA_8B, encoder=True)
    text = activation_peak(fits, LLAMA_8B, SERVER)
    assert activation_peak(fits, seeing, SERVER).bytes > text.bytes
    assert activation_peak(fits, seeing, replace(SERVER, multimodal=False)) == text


def test_experts_by_kernel():
    fit = vllm_fits("0.19.0", "v1").activation[0]
    triton = workspace(fit, MIXTRAL, SERVER).value
    # e · (T·k·I + T·k·2·I): I is wider than H.
    assert triton == 2 * (8192 * 2 * 14_336 + 8192 * 2 * 2 * 14_336)
    assert workspace(fit, MIXTRAL, replace(SERVER, weight_format="fp8_block128")).value > triton
    assert workspace(fit, MIXTRAL, replace(SERVER, weight_format="mxfp4")) is None
    assert workspace(fit, MIXTRAL, replace(SERVER, tp=2, ep=2)).value == triton
    chunked = vllm_fits("0.11.2", "v1").activation[0]
    longest = workspace(chunked, MIXTRAL, replace(SERVER, max_num_batched_tokens=10**6)).value
    assert longest == 4 * triton  # at most 32,768 tokens at a time


widths = st.integers(1, 40_000)


@given(
    release=st.sampled_from(["0.6.4", "0.8.5", "0.11.0", "0.19.0", "0.22.1", "0.33.0"]),
    shape=st.builds(
        StageShape,
        st.just("m"),
        widths,
        st.integers(1, 300_000),
        st.integers(0, 60_000),
        st.integers(1, 100),
        st.none() | st.builds(Experts, st.integers(1, 512), st.integers(1, 16), widths, widths),
        st.booleans(),
        st.booleans(),
        st.booleans(),
        st.booleans(),
    ),
    run=st.builds(
        ProfileRun,
        st.integers(1, 200_000),
        st.integers(1, 5000),
        st.integers(1, 64),
        st.integers(1, 64),
        st.sampled_from([2, 4]),
        st.sampled_from(["bf16", "int8_w8a8", "fp8-block128", "mxfp4"]),
        pooling=st.booleans(),
        multimodal=st.booleans(),
    ),
)
def test_every_formula_gives_its_bytes(release, shape, run):
    core = "v0" if release == "0.6.4" else "v1"
    peak = activation_peak(vllm_fits(release, core), shape, run)
    assert evaluate(peak.formula) == peak.bytes
    for term in computed_terms(peak.formula):
        assert evaluate(term.formula) == value_of(term), term.symbol
    assert 0 <= peak.low_bytes <= peak.bytes <= peak.high_bytes


@pytest.mark.parametrize(("vocabulary", "padded"), [(1, 64), (64, 64), (151_936, 151_936)])
def test_logits_are_padded_to_64(vocabulary, padded):
    assert padded_vocabulary(vocabulary) == padded
