"""CUDA graphs: which sizes are captured and what they are thought to take."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.core.formulas import evaluate
from workbench.core.engines.vllm.graphs import capture_sizes, graphs
from workbench.core.engines.vllm.shape import Experts, StageShape
from workbench.library.engine_fits import vllm_fits
from workbench.spec.vllm_fits import VllmFits

GIB = 2**30
LLAMA_8B = StageShape("llama-3.1-8b", 4096, 128_256, 14_336, 32)


def sizes(release: str, **flags: int | bool) -> tuple[int, ...]:
    given = {"max_num_seqs": 256, "max_num_batched_tokens": 2048} | flags
    return capture_sizes(vllm_fits(release, "v1"), **given)


def test_the_default_list():
    assert len(sizes("0.11.2")) == 51
    assert sizes("0.11.2")[:5] == (1, 2, 4, 8, 16)
    assert sizes("0.11.2")[-3:] == (480, 496, 512)
    assert len(sizes("0.10.2")) == 67  # steps of 8 all the way


def test_what_limits_the_list():
    assert sizes("0.33.0", max_num_seqs=4) == (1, 2, 4, 8)
    assert sizes("0.33.0", max_num_seqs=1024, large=True)[-1] == 1024
    assert sizes("0.33.0", max_num_seqs=1024)[-1] == 512
    assert sizes("0.33.0", most=128)[-1] == 128
    assert sizes("0.33.0", max_num_batched_tokens=300)[-2:] == (288, 300)
    # 3 tokens a request with two drafts: 50 requests are 150 tokens.
    assert 150 in sizes("0.33.0", max_num_seqs=50, speculative_tokens=2)
    assert sizes("0.33.0", max_num_seqs=1, max_num_batched_tokens=1) == (1,)


@pytest.mark.parametrize(("layers", "printed_gib"), [(8, 0.51), (16, 0.65), (32, 0.91), (46, 1.23)])
def test_what_capturing_took_on_an_h100(layers, printed_gib):
    taken = graphs(
        vllm_fits("0.19.0", "v1"), replace(LLAMA_8B, layers=layers), "captured", eager=False
    )
    assert taken.bytes / GIB == pytest.approx(printed_gib, abs=0.1)
    assert taken.low_bytes < taken.bytes < taken.high_bytes
    assert evaluate(taken.formula) == taken.bytes


def test_experts_and_states_have_a_band_of_their_own():
    fits = vllm_fits("0.21.0", "v1")
    sparse = replace(LLAMA_8B, experts=Experts(8, 2, 14_336, 4096))
    charged = graphs(fits, sparse, "estimated", eager=False)
    assert charged.evidence == "assumed"
    assert charged.high_bytes > 4.9 * GIB
    assert graphs(fits, replace(LLAMA_8B, recurrent=True), "estimated", eager=False) == charged


def test_nothing_is_captured_when_eager():
    nothing = graphs(vllm_fits("0.21.0", "v1"), LLAMA_8B, "estimated", eager=True)
    assert (nothing.bytes, nothing.low_bytes, nothing.high_bytes) == (0, 0, 0)


def test_nothing_is_said_without_figures():
    assert graphs(VllmFits(), LLAMA_8B, "captured", eager=False) is None
    # V0 set nothing aside.
    assert graphs(vllm_fits("0.7.2", "v0"), LLAMA_8B, "estimated", eager=False) is None
