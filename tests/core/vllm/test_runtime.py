"""Memory outside torch, by class of cards."""

from __future__ import annotations

import json

import pytest

from tests.core.formulas import evaluate
from workbench.core.engines.vllm.runtime import non_torch, persistent_buffers, used_before_start
from workbench.core.engines.vllm.shape import ProfileRun, StageShape, link_of
from workbench.library.engine_fits import vllm_fits
from workbench.library.paths import presets_dir
from workbench.spec.deployment import Deployment
from workbench.spec.gpu import GpuSpec
from workbench.spec.vllm_fits import VllmFits

GIB = 2**30
LLAMA_8B = StageShape("llama-3.1-8b", 4096, 128_256, 14_336, 32)


def card(name: str) -> GpuSpec:
    text = (presets_dir() / "gpus" / f"{name}.json").read_text("utf-8")
    return GpuSpec.model_validate_json(json.dumps(json.loads(text)["preset"]))


@pytest.mark.parametrize(
    ("release", "core", "gpu", "deployment", "printed_gib"),
    [
        ("0.11.0", "v1", "h100-sxm", Deployment(), 0.13),
        ("0.15.1", "v1", "h100-sxm", Deployment(tp=2), 0.545),
        ("0.19.0", "v1", "h100-sxm", Deployment(), 0.25),
        ("0.19.0", "v1", "h100-sxm", Deployment(tp=2), 2.07),
        ("0.19.0", "v1", "h100-sxm", Deployment(tp=4), 2.13),
        ("0.19.0", "v1", "h100-sxm", Deployment(pp=2), 0.07),
        ("0.10.2", "v1", "h200", Deployment(tp=2), 1.38),
        ("0.10.2", "v1", "l40s", Deployment(tp=8), 0.21),
        ("0.7.2", "v0", "l40s", Deployment(tp=2), 0.31),
    ],
)
def test_growth_that_engines_printed(release, core, gpu, deployment, printed_gib):
    growth = non_torch(vllm_fits(release, core), card(gpu), deployment)
    assert growth.bytes / GIB == pytest.approx(printed_gib, abs=0.03)
    assert growth.low_bytes <= growth.bytes <= growth.high_bytes
    assert evaluate(growth.formula) == growth.bytes


def test_a_class_without_logs_takes_the_next_narrower_one():
    fits = vllm_fits("0.19.0", "v1")
    h100 = card("h100-sxm")
    assert non_torch(fits, h100, Deployment(tp=8)) == non_torch(fits, h100, Deployment(tp=4))
    # Two cards over PCIe were never logged in V1; eight were.
    l40s = card("l40s")
    assert non_torch(fits, l40s, Deployment(tp=2)) == non_torch(fits, l40s, Deployment(tp=8))


def test_what_is_in_use_before_the_first_snapshot():
    h100 = card("h100-sxm")
    used = used_before_start(vllm_fits("0.19.0", "v1"), h100, Deployment())
    assert used.bytes / GIB == pytest.approx(0.51, abs=0.01)
    together = used_before_start(vllm_fits("0.19.0", "v1"), h100, Deployment(tp=2))
    # Utilization 0.98 of 79.19 GiB asks for more than is free.
    assert h100.device_total_bytes - together.high_bytes < 0.98 * h100.device_total_bytes


def test_nothing_is_said_without_figures():
    assert non_torch(VllmFits(), card("h100-sxm"), Deployment()) is None


def test_the_second_runner_keeps_counts_for_penalties():
    run = ProfileRun(8192, 1024, runner="second")
    kept = persistent_buffers(vllm_fits("0.33.0", "v1"), LLAMA_8B, run)
    assert kept.bytes == 1024 * 128_256 * 4 + 1024 * 128_256 // 8
    assert evaluate(kept.formula) == kept.bytes
    parted = persistent_buffers(
        vllm_fits("0.33.0", "v1"), LLAMA_8B, ProfileRun(8192, 1024, tp=2, runner="second")
    )
    assert parted.bytes == kept.bytes + 8 * 2**20
    assert evaluate(parted.formula) == parted.bytes
    assert persistent_buffers(vllm_fits("0.19.0", "v1"), LLAMA_8B, run) is None
    first = ProfileRun(8192, 1024)
    assert persistent_buffers(vllm_fits("0.33.0", "v1"), LLAMA_8B, first) is None


@pytest.mark.parametrize(
    ("kind", "ranks", "link"),
    [
        ("NVLink 4", 1, "none"),
        ("NVLink 4", 2, "fast"),
        ("Infinity Fabric", 8, "fast"),
        ("NVLink bridge (pair)", 2, "pcie"),
        ("NVLink-C2C 900 to Grace", 2, "pcie"),
        ("PCIe only", 2, "pcie"),
        (None, 2, "pcie"),
    ],
)
def test_links(kind, ranks, link):
    assert link_of(kind, ranks) == link
