"""By how much an answer moves when presets or rules have changed since a plan was saved."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from tests.export.plans import chinese
from workbench.core.budget import budget
from workbench.library import compose
from workbench.library.move_words import move_text, stale_text
from workbench.library.paths import presets_dir
from workbench.library.presets import Library, fork
from workbench.library.stale import all_adopted, figures_of, moves, stale_parts
from workbench.spec.deployment import Reserves
from workbench.spec.engine import Amount
from workbench.spec.scenario import Scenario
from workbench.spec.workload import ConstantLength, Workload

GIB = 2**30


@pytest.fixture
def library(tmp_path: Path) -> Library:
    return Library(presets_dir(), tmp_path / "presets")


@pytest.fixture
def scenario(library: Library) -> Scenario:
    """One whose model and card are presets of the person."""
    model = library.save_user(fork(library.model("llama-3.1-8b"), "mine", "Mine"))
    gpu = library.save_user(fork(library.gpu("80-gib"), "card", "Card"))
    made = compose.new_scenario(library, "s", "S", model, gpu)
    return made.with_(
        workload=Workload(lengths=ConstantLength(tokens=8192), concurrency=16),
        reserves=Reserves(headroom=Amount(size_bytes=GIB)),
    )


def change_card(library: Library, size_bytes: int) -> None:
    preset = library.gpu("user:card")
    value = preset.value.with_(device_total_bytes=size_bytes)
    library.save_user(replace(preset, value=value), overwrite=True)


def change_model(library: Library, layers: int) -> None:
    preset = library.model("user:mine")
    value = preset.value.with_layer_count(layers)
    library.save_user(replace(preset, value=value), overwrite=True)


def test_nothing_moves_where_nothing_changed(library: Library, scenario: Scenario) -> None:
    parts = stale_parts(library, scenario)
    assert parts == ()
    assert moves(library, scenario, parts) == ()


def test_each_part_alone_and_all_together(library: Library, scenario: Scenario) -> None:
    change_card(library, 40 * GIB)
    change_model(library, 64)
    parts = stale_parts(library, scenario)
    assert [part.part for part in parts] == ["model", "gpu"]
    model, card, both = moves(library, scenario, parts)
    before = figures_of(budget(scenario))
    deep = scenario.with_(model=scenario.model.with_layer_count(64))
    small = scenario.gpu.with_(device_total_bytes=40 * GIB)
    assert (model.before, card.before, both.before) == (before, before, before)
    assert model.after == figures_of(budget(deep))
    assert card.after == figures_of(budget(scenario.with_(gpu=small)))
    assert both.after == figures_of(budget(deep.with_(gpu=small)))
    assert len({model.after, card.after, both.after, before}) == 4
    most = before.most_requests, card.after.most_requests
    assert f"max concurrency {most[0]} → {most[1]}" in move_text(card)
    assert "device_total_bytes" in move_text(card)
    assert move_text(both).startswith("all changes together: ")


def test_a_name_alone_moves_nothing(library: Library, scenario: Scenario) -> None:
    preset = library.gpu("user:card")
    library.save_user(replace(preset, value=preset.value.with_(vendor="V")), overwrite=True)
    (move,) = moves(library, scenario, stale_parts(library, scenario))
    assert not move.moves
    assert move_text(move).endswith("the answer stays as it is")


def test_a_preset_that_is_gone_is_said(library: Library, scenario: Scenario) -> None:
    library.user_path("gpus", "card").unlink()
    library.forget("gpus", "card")
    change_model(library, 64)
    parts = stale_parts(library, scenario)
    gone = next(part for part in parts if part.gone)
    assert stale_text(gone) == f"the preset {scenario.gpu_ref} is gone"
    assert [move.stale[0].part for move in moves(library, scenario, parts)] == ["model"]


def test_a_change_that_is_not_valid_is_said_and_never_raised(
    library: Library, scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    change_card(library, 40 * GIB)
    change_model(library, 64)

    def refused(scenario: Scenario, preset: object) -> Scenario:
        Scenario.model_validate({})
        return scenario

    monkeypatch.setattr(compose, "with_model", refused)
    parts = stale_parts(library, scenario)
    model, card, both = moves(library, scenario, parts)
    assert (model.after, both.after) == (None, None)
    assert card.after is not None
    assert move_text(model).endswith("the scenario is not valid with it")
    assert all_adopted(library, scenario, parts) is None
    assert model.distance > card.distance


def test_changed_rules_of_an_engine_move_the_answer(library: Library) -> None:
    now = chinese().plan.scenarios[0]
    fits = now.engine.fits  # type: ignore[union-attr]
    lighter = tuple(fit.with_(logit_bytes=fit.logit_bytes / 2) for fit in fits.activation)
    old = now.with_(engine=now.engine.with_(fits=fits.with_(activation=lighter)))
    parts = stale_parts(library, old)
    assert [part.part for part in parts] == ["engine"]
    assert parts[0].fields == ("fits.activation",)
    (move,) = moves(library, old, parts)
    assert move.before == figures_of(budget(old))
    assert move.after == figures_of(budget(now))
    assert move.before.left_bytes > move.after.left_bytes
    assert "left per GPU" in move_text(move)
    assert move_text(move).startswith(f"the rules of vllm@{now.engine.release} have changed")  # type: ignore[union-attr]
