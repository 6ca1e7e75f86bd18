"""The admission table of the Capacity tab: the core's figures, each with a sentence."""

from __future__ import annotations

import pytest

from tests.gui import parts
from workbench.core.admission import admission_of
from workbench.gui.views.explorer_tabs import ExplorerTabs
from workbench.spec.units import group_digits
from workbench.spec.workload import ConstantLength

FULL = parts.vllm("f", "llama-3.1-8b", "h100-sxm")
SLIDING = parts.vllm("s", "gemma-3-27b-it", "a100-80-sxm", tp=2)
UNSUPPORTED = parts.vllm("u", "deepseek-v4-pro", "8x-h200-sxm")


def with_outputs(scenario, tokens):
    outputs = ConstantLength(tokens=tokens)
    return scenario.with_(workload=scenario.workload.with_(outputs=outputs))


@pytest.fixture
def shown(qtbot):
    made = []

    def show(scenario):
        session = parts.session(scenario)
        tabs = ExplorerTabs(session)
        made.append(parts.show(qtbot, session, tabs, width=800, height=500))
        tabs.setCurrentWidget(tabs.capacity)
        parts.follow()
        return session, tabs.capacity

    yield show
    for window in made:
        window.close()


def figures(view) -> dict[str, str]:
    parts.follow()
    return {name.text: value.text for name, value, _ in view.admission.table.cells.rows}


def test_every_figure_is_the_cores_and_has_a_sentence(shown):
    scenario = with_outputs(FULL, 2_048)
    session, view = shown(scenario)
    admission = admission_of(scenario, session.ledger("f"))
    assert figures(view) == {
        "Prompt": "6,144 tokens",
        "Output": "2,048 tokens",
        "Free to be admitted": f"{group_digits(admission.needed_blocks)} blocks",
        "Held after the prompt": f"{group_digits(admission.after_prompt_blocks)} blocks",
        "Held at the end": f"{group_digits(admission.at_end_blocks)} blocks",
        "Held at most": f"{group_digits(admission.peak_blocks)} blocks",
        "Admitted together": f"{group_digits(admission.admitted_together)} requests",
        "Withheld": "1 block",
        "Watermark": f"{group_digits(admission.watermark_blocks)} blocks",
        "In flight": f"{group_digits(admission.in_flight_tokens)} tokens",
    }
    assert all(row[2].text.endswith(".") for row in view.admission.table.cells.rows)
    assert admission.growth_blocks == 128
    assert "Nobody keeps the 128 blocks" in view.admission.remark.full_text


def test_an_output_that_is_not_known_is_said_to_be(shown):
    _session, view = shown(FULL)
    assert figures(view)["Output"] == "1 token"
    sentences = {row[0].text: row[2].text for row in view.admission.table.cells.rows}
    assert "Not stated" in sentences["Output"]
    assert "not known" in view.admission.remark.full_text


def test_a_window_lets_go_of_blocks_and_the_peak_is_named(shown):
    scenario = with_outputs(SLIDING, 2_048)
    session, view = shown(scenario)
    admission = admission_of(scenario, session.ledger("s"))
    sentences = {row[0].text: row[2].text for row in view.admission.table.cells.rows}
    fewer = admission.after_prompt_blocks - admission.at_end_blocks
    assert sentences["Held at the end"].startswith(f"{fewer} fewer")
    more = admission.peak_blocks - admission.needed_blocks
    assert sentences["Held at most"] == f"At some step {more} more than had to be free."


@pytest.mark.parametrize("scenario", [parts.ledger_lab(), UNSUPPORTED], ids=["plain", "no rule"])
def test_where_no_scheduler_is_followed_there_is_no_section(shown, scenario):
    _session, view = shown(scenario)
    assert not view.admission.isVisible()


def test_the_section_comes_and_goes_with_the_engine(shown):
    session, view = shown(parts.ledger_lab("a"))
    session.choose_engine("vllm", "0.19.1")
    parts.follow()
    assert view.admission.isVisible()
    session.undo()
    parts.follow()
    assert not view.admission.isVisible()


def test_without_a_pool_every_figure_says_so(shown):
    _session, view = shown(parts.vllm("r", "llama-3.1-405b", "h100-sxm"))
    assert "no pool" in view.steady.sentence.full_text
    assert "no pool" in view.at_risk.sentence.full_text
