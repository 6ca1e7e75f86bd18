"""Scenarios from presets: what comes along, and what goes again."""

from __future__ import annotations

from workbench.core.budget import budget
from workbench.library import compose
from workbench.library.paths import presets_dir
from workbench.library.presets import Library
from workbench.spec.deployment import Deployment
from workbench.spec.scenario import Scenario

LIBRARY = Library(presets_dir())


def on(gpu: str) -> Scenario:
    return compose.new_scenario(LIBRARY, "a", "A", LIBRARY.model("llama-3.1-8b"), LIBRARY.gpu(gpu))


def test_a_set_brings_its_parallelism() -> None:
    scenario = on("8x-h100-sxm")
    assert scenario.deployment.tp == 8
    assert scenario.gpu.id == "h100-sxm"
    assert str(scenario.gpu_set_ref) == "builtin:8x-h100-sxm@1"
    assert not scenario.gpu_is_edited


def test_a_single_card_after_a_set_stands_alone() -> None:
    """TP 8 left behind by a set would answer for eight cards under the name of one."""
    alone = compose.with_gpu(on("8x-h100-sxm"), LIBRARY.gpu("h100-sxm"))
    assert alone.deployment == Deployment()
    assert alone.gpu_set_ref is None
    assert budget(alone).scenario.gpus == 1


def test_another_card_keeps_a_layout_that_was_typed() -> None:
    typed = on("h100-sxm").with_(deployment=Deployment(tp=2))
    assert compose.with_gpu(typed, LIBRARY.gpu("h200")).deployment.tp == 2


def test_a_workload_preset_keeps_the_target() -> None:
    scenario = on("h100-sxm")
    asked = scenario.with_(workload=scenario.workload.with_(concurrency=12))
    changed = compose.with_workload(asked, LIBRARY.workload("azure2023-conv"))
    assert changed.workload.concurrency == 12
    assert changed.workload.lengths.kind == "trace"
