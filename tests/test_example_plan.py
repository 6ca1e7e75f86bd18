"""The plan of a first start: what it asks, and that its file is what the presets give."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from workbench.core.budget import budget
from workbench.library import plans
from workbench.library.paths import resources_dir
from workbench.spec.ledger import EntryKind, Status
from workbench.spec.units import GIB

EXAMPLE = resources_dir() / "plans" / "example.kvw"


def test_file_is_what_the_presets_give(pytestconfig: object) -> None:
    script = Path(__file__).parents[1] / "packaging" / "make_example.py"
    spec = importlib.util.spec_from_file_location("make_example", script)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert plans.dumps(module.example()) == EXAMPLE.read_bytes()


def test_it_opens_on_the_founding_question() -> None:
    plan = plans.load(EXAMPLE).plan
    lab, llama, four = plan.scenarios
    assert plan.baseline == lab.id
    assert budget(lab).worst_rank.kind_bytes(EntryKind.KV) == 16 * GIB
    assert [s.gpu.id for s in plan.scenarios] == ["80-gib"] * 3
    assert {s.engine.kind for s in plan.scenarios} == {"plain"}
    assert llama.model == four.model
    assert four.deployment.tp == 4
    assert four.workload.prefix_groups
    assert all(budget(s).verdict.status is Status.FITS for s in plan.scenarios)


def test_the_third_bar_has_five_named_segments() -> None:
    rank = budget(plans.load(EXAMPLE).plan.scenarios[2]).worst_rank
    for kind in ("weights", "activations", "fragmentation", "prefix", "kv"):
        assert rank.kind_bytes(EntryKind(kind)) > rank.total_bytes // 50
