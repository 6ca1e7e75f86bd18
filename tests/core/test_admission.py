"""What the scheduler admits: one request through the pool, and what is kept from requests."""

from __future__ import annotations

import pytest

from tests.core.builders import scenario as plain_scenario
from tests.core.test_grid import served
from workbench.core.admission import admission_of
from workbench.core.budget import budget
from workbench.spec.scenario import Scenario
from workbench.spec.workload import ConstantLength


def asking(scenario: Scenario, total: int, output: int | None) -> Scenario:
    outputs = None if output is None else ConstantLength(tokens=output)
    workload = scenario.workload.with_(lengths=ConstantLength(tokens=total), outputs=outputs)
    return scenario.with_(workload=workload)


def test_full_attention_grows_block_by_block():
    """1,000 + 200 tokens in blocks of 16: 63 after the prompt, 75 for 1,199 stored at the end."""
    question = asking(served("llama-3.1-8b", "h100-sxm", "0.33.0"), 1_200, 200)
    view = admission_of(question, budget(question))
    assert view is not None
    assert (view.prompt_tokens, view.output_tokens) == (1_000, 200)
    assert (view.needed_blocks, view.after_prompt_blocks) == (63, 63)
    assert (view.at_end_blocks, view.peak_blocks, view.growth_blocks) == (75, 75, 12)
    assert view.withheld_blocks == 1
    assert view.admitted_together == min(1_024, (view.pool_blocks - 1) // 63)


def test_a_window_gives_back_what_lies_behind_it():
    """A prompt of 4,000 in one batch holds all of it once, then little more than the windows."""
    question = asking(served("gemma-3-27b-it", "a100-80-sxm", "0.33.0", tp=2), 4_100, 100)
    view = admission_of(question, budget(question))
    assert view is not None
    # Six sliding groups and a full one, blocks of 16; A100 takes 2,048 tokens a step.
    assert view.after_prompt_blocks > view.at_end_blocks
    assert view.peak_blocks >= view.after_prompt_blocks
    assert view.in_flight_tokens == 3 * 2_048 or view.in_flight_tokens == 2 * 2_048


def test_without_output_lengths_the_whole_request_is_prompt():
    question = asking(served("llama-3.1-8b", "h100-sxm", "0.19.1"), 8_192, None)
    view = admission_of(question, budget(question))
    assert view is not None
    assert (view.prompt_tokens, view.output_tokens, view.growth_blocks) == (8_191, 1, 0)


def test_v0_keeps_a_watermark():
    question = asking(served("llama-3.1-8b", "l40s", "0.6.6"), 2_048, 48)
    view = admission_of(question, budget(question))
    assert view is not None
    assert view.withheld_blocks == 0
    assert view.watermark_blocks == int(0.01 * view.pool_blocks)


@pytest.mark.parametrize("output", [1, 7, 2**40])
def test_an_output_never_swallows_the_prompt(output):
    question = asking(served("llama-3.1-8b", "h100-sxm", "0.33.0"), 64, output)
    view = admission_of(question, budget(question))
    assert view is not None
    assert view.prompt_tokens >= 1
    assert view.prompt_tokens + view.output_tokens == 64


def test_plain_has_no_scheduler():
    question = plain_scenario()
    assert admission_of(question, budget(question)) is None
