"""Every visible number can be copied and has an answer to "why"; how a person asks."""

from __future__ import annotations

import time

import pytest
from PySide6.QtTest import QTest

from tests.core.vllm_scenarios import start
from tests.gui import number_walk
from tests.gui.window_kit import opened_bench
from workbench.gui.app import example_plan
from workbench.spec.scenario import Plan


def vllm_plan() -> Plan:
    """Scenarios of vLLM whose tables, findings and bands are all filled."""
    scenarios = (
        start(context=8192).with_(id="a", name="Dense"),
        start("gemma-3-27b-it", deployment={"tp": 2}, context=32_768).with_(id="b", name="Windows"),
        start("qwen3-next-80b-a3b-instruct", deployment={"tp": 4}).with_(id="c", name="States"),
        start("llama-3.1-70b", concurrency=64, context=131_072).with_(id="d", name="Over"),
        start(kv="fp8", deployment={"pp": 2, "replicas": 2}).with_(id="e", name="Small KV"),
    )
    return Plan(scenarios=scenarios, baseline="a")


def names_of(bench) -> tuple[str, ...]:
    """Names that people gave, or the presets that they chose: they hold digits, no figures."""
    found = []
    for scenario in bench.session.plan.scenarios:
        card = scenario.gpu.name
        found += [scenario.name, scenario.model.name, card, card.removeprefix(scenario.gpu.vendor)]
        found += [scenario.precision.weights.name, scenario.precision.kv.name]
    return tuple(name.strip() for name in found)


def settled_faults(bench, names: tuple[str, ...]) -> list[str]:
    """Faults that stay: the map is worked out bit by bit, and explains itself a moment later."""
    end = time.monotonic() + 10
    while True:
        found = number_walk.faults(bench.session, bench.window, names)
        if not found or time.monotonic() > end:
            return found
        QTest.qWait(100)


@pytest.mark.parametrize("make", [example_plan, vllm_plan], ids=["example", "vllm"])
def test_every_visible_number_defends_itself(qapp, tmp_path, make):
    with opened_bench(qapp, tmp_path, make()) as bench:
        window, session = bench.window, bench.session
        seen, wrong = 0, []
        for scenario in session.plan.scenarios:
            session.set_current(scenario.id)
            for tab in range(window.tabs.count()):
                window.tabs.setCurrentIndex(tab)
                QTest.qWait(20)
                names = names_of(bench)
                seen += sum(1 for _ in number_walk.numbers(window, names))
                at = f"{scenario.name}, {window.tabs.tabText(tab)}"
                wrong += [f"{at}: {line}" for line in settled_faults(bench, names)]
        unlike = {line.partition(": ")[2]: line for line in wrong}
        assert not unlike, "\n".join(unlike.values())
        assert seen > 500
