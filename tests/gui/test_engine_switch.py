"""Another engine for any scenario: nothing raises, nothing is dropped unsaid, undo is exact."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from tests.core.scenarios import random_scenario
from tests.core.sglang_scenarios import random_sglang
from tests.core.trtllm_scenarios import random_trtllm
from tests.core.vllm_scenarios import random_vllm
from workbench.core.budget import budget
from workbench.gui.session import Session
from workbench.gui.tr import message_text
from workbench.library.engine_choice import ENGINES, carried, changed_flags, engine_of, with_engine
from workbench.library.plans import dumps
from workbench.spec.engine_flags import flags_of
from workbench.spec.scenario import Plan, Scenario

_IDENTITY = frozenset({"kind", "release", "core", "rules", "fits"})


def scenario_of(seed: int) -> Scenario:
    """A random scenario of a random engine with random flags."""
    pick = Random(seed)
    makers = (
        lambda: random_scenario(pick),
        lambda: random_vllm(seed),
        lambda: random_sglang(seed),
        lambda: random_trtllm(pick),
        lambda: llamacpp(pick),
    )
    return makers[seed % len(makers)]().with_(id="a", name="A")


def llamacpp(pick: Random) -> Scenario:
    engine: Any = engine_of("llamacpp")
    chosen = {
        flag.name: pick.choice(tuple(flag.values.values()))
        for flag in flags_of(type(engine))
        if flag.kind == "choice" and pick.random() < 0.4
    }
    counts = {"ctx_size": pick.choice([None, 4_096, 65_536]), "parallel": pick.choice([None, 3])}
    return random_scenario(pick).with_(engine=engine.with_(**chosen, **counts))


@pytest.mark.parametrize("seed", range(100))
def test_any_scenario_under_any_engine(qapp, seed: int) -> None:
    scenario, pick = scenario_of(seed), Random(seed)
    session = Session(None, Plan(scenarios=(scenario,), baseline="a"))
    heard: list[Any] = []
    session.message.connect(heard.append)
    before = dumps(session.plan)
    kind = pick.choice([other for other in ENGINES if other != scenario.engine.kind])
    session.choose_engine(kind)
    old, new = scenario.engine, session.current.engine
    assert new.kind == kind
    # The answer is one, whatever the engine makes of the question.
    assert budget(session.current).ranks
    # Every flag that was set is kept with its value, or named.
    told = carried(old, new)
    assert set(told.kept) | set(told.lost) == set(changed_flags(old))
    for name in told.kept:
        assert getattr(new, name) == getattr(old, name)
    assert bool(told.lost) == bool(heard)
    # All the rest of the scenario stays as it is.
    for part in type(scenario).model_fields:
        if part != "engine":
            assert getattr(session.current, part) == getattr(scenario, part)
    session.undo()
    assert dumps(session.plan) == before


def test_what_is_left_behind_is_named(qapp) -> None:
    scenario = random_vllm(3).with_(id="a", engine=engine_of("vllm"))
    changed = scenario.engine.with_(gpu_memory_utilization=0.8, max_num_seqs=64, watermark=0.02)
    session = Session(None, Plan(scenarios=(scenario.with_(engine=changed),), baseline="a"))
    heard: list[Any] = []
    session.message.connect(heard.append)
    session.choose_engine("sglang")
    assert session.current.engine.max_num_seqs == 64
    text = message_text(heard[-1])
    assert text.startswith("SGLang ")
    assert "GPU memory utilization, watermark" in text
    assert "max sequences" not in text


@pytest.mark.parametrize("kind", ENGINES)
def test_another_release_keeps_every_flag(kind: str) -> None:
    if kind == "plain":
        return
    from workbench.library.release_table import known_releases

    scenario = random_vllm(1).with_(engine=engine_of(kind))
    quantity = next(flag for flag in flags_of(type(scenario.engine)) if flag.kind == "choice")
    value = list(quantity.values.values())[-1]
    scenario = scenario.with_(engine=scenario.engine.with_(**{quantity.name: value}))
    for release in known_releases(kind):
        other = with_engine(scenario, kind, release).engine
        assert other.release == release
        for name in type(other).model_fields:
            if name not in _IDENTITY:
                assert getattr(other, name) == getattr(scenario.engine, name)
