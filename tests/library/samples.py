"""Small plans, and a library, that the tests of this folder start from."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

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


def slim(value: Any) -> Any:
    """Leave out of a JSON value what has no content: for readers it is all optional."""
    if isinstance(value, dict):
        kept = {key: slim(item) for key, item in value.items()}
        return {key: item for key, item in kept.items() if item not in (None, "", [], {})}
    if isinstance(value, list):
        return [slim(item) for item in value]
    return value
