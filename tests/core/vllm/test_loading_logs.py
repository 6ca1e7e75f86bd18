"""Loaded weights against public start-up logs: "Model loading took X GiB"."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import pytest

from workbench.cli.accuracy import LibraryCatalogue
from workbench.core.engines.vllm.loading import LoadedWeights, loaded_weights
from workbench.core.memory.shares import vllm_stages
from workbench.intake.aliases import read_aliases
from workbench.intake.engine_logs import Fault, left_out, read_records
from workbench.intake.resolve import Question, resolve
from workbench.library.presets import Library
from workbench.spec.units import GIB
from workbench.spec.vllm import VllmEngine

PRESETS = Path(__file__).parents[3] / "presets"


@dataclass(frozen=True)
class Compared:
    """A record's weights and ours; of several stages the one that is nearest."""

    id: str
    complete: bool
    measured_gib: float
    half_unit_gib: float
    loaded: LoadedWeights

    @property
    def error(self) -> float:
        """Relative, signed."""
        return self.loaded.bytes / GIB / self.measured_gib - 1


@pytest.fixture(scope="module")
def compared(shared: Path) -> list[Compared]:
    logs = json.loads((shared / "logs" / "vllm.json").read_text(encoding="utf-8"))
    names = json.loads((shared / "logs" / "aliases.json").read_text(encoding="utf-8"))
    catalogue, aliases = LibraryCatalogue(Library(PRESETS)), read_aliases(names, "aliases")
    questions = (resolve(record, catalogue, aliases) for record in read_records(logs, "logs"))
    return [one for found in questions if not isinstance(found, Fault) for one in _compare(found)]


def _compare(question: Question) -> Iterator[Compared]:
    record, scenario = question.record, question.readings[0]
    printed, engine = record.printed("weights_gib"), scenario.engine
    if printed is None or not question.weights_known or left_out(record) is not None:
        return
    assert isinstance(engine, VllmEngine)
    if record.bool_flag("enable_lora"):
        return  # adapters are no weights of the model
    stages = [
        loaded_weights(
            scenario.model,
            scenario.precision,
            scenario.deployment,
            stage,
            rules=engine.rules,
            cpu_offload_bytes=engine.cpu_offload_bytes or 0,
        )
        for stage in vllm_stages(scenario.model, scenario.deployment)
    ]
    nearest = min(stages, key=lambda stage: abs(stage.bytes - printed.value * GIB))
    yield Compared(record.id, question.complete, printed.value, printed.half_unit, nearest)


def spread(records: list[Compared]) -> tuple[int, float, float]:
    """How many, the median and the 90th percentile of the errors, in percent."""
    errors = sorted(abs(record.error) * 100 for record in records)
    return len(errors), median(errors), errors[int(0.9 * len(errors))]


def test_records_with_complete_inputs(compared: list[Compared]) -> None:
    count, middle, most = spread([record for record in compared if record.complete])
    assert count >= 60
    assert middle <= 0.05
    assert most <= 0.5


def test_all_records_whose_format_is_known(compared: list[Compared]) -> None:
    count, middle, most = spread(compared)
    assert count >= 110
    assert middle <= 0.05
    assert most <= 1.5


def test_outside_the_one_campaign(compared: list[Compared]) -> None:
    count, middle, most = spread(
        [record for record in compared if not record.id.startswith("llmd")]
    )
    assert count >= 60
    assert middle <= 0.1
    assert most <= 3.0


def test_the_campaign_is_met_to_the_digits_it_prints(compared: list[Compared]) -> None:
    campaign = [record for record in compared if record.id.startswith("llmd")]
    off = {
        record.id: record.error
        for record in campaign
        if abs(record.loaded.bytes / GIB - record.measured_gib) > record.half_unit_gib + 0.03
    }
    assert off == {}
