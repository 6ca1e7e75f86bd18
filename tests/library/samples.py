"""Small plans, and a library, that the tests of this folder start from."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from workbench.library import paths
from workbench.library.presets import Library
from workbench.spec.formats import Precision
from workbench.spec.scenario import Plan, Scenario
from workbench.spec.workload import ConstantLength, Workload

DATA = Path(__file__).parents[1] / "data" / "plans"


@cache
def builtin() -> Library:
    return Library(paths.presets_dir())


@cache
def scenario() -> Scenario:
    library = builtin()
    model, card = library.model("ledger-lab"), library.gpu("80-gib")
    return Scenario(
        id="lab",
        name="Ledger lab",
        model=model.value,
        model_ref=model.ref,
        gpu=card.value,
        gpu_ref=card.ref,
        precision=Precision(
            weights=library.weight_format("bf16").value, kv=library.kv_format("bf16").value
        ),
        workload=Workload(lengths=ConstantLength(tokens=8192), concurrency=16),
    )


@cache
def plan(title: str = "A plan") -> Plan:
    return Plan(scenarios=(scenario(),), baseline="lab", title=title)
