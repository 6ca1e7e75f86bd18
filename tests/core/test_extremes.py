"""Values at the edges of every field: a verdict or a sentence, never a crash, inf or a hang."""

from __future__ import annotations

import dataclasses
import math
import time
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations
from random import Random
from typing import Any

import pytest
from pydantic import ValidationError

from tests.core import oracle
from tests.core.compare import differences
from tests.core.scenarios import random_scenario
from tests.core.test_kinds import walk
from workbench.core.budget import budget
from workbench.library.engine_choice import vllm_engine
from workbench.spec import words
from workbench.spec.deployment import MAX_RANKS
from workbench.spec.engine import Amount
from workbench.spec.errors import UserError
from workbench.spec.fields import FIELDS
from workbench.spec.scenario import Scenario

EDGES = (0, 1, 2, 2**31 - 1, 2**31, 2**40, 2**63 - 1, 2**63, -1)
SHARE_EDGES = (0.0, 5e-324, 1e-9, 0.1 + 0.2, 1 - 2**-53, 1.0, 1.0000001, -0.0)
MAX_SECONDS = 5.0
MODEL_EDGES = ("heads", "kv_heads", "head_dim", "v_head_dim")
KV_EDGES = ("k_bits", "v_bits", "k_head_scale_bytes", "group_elements", "layer_scale_bytes")


@cache
def base() -> Scenario:
    return Scenario.model_validate(
        {
            "id": "s",
            "name": "s",
            "model": {
                "id": "m",
                "name": "m",
                "layers": (
                    {
                        "count": 4,
                        "mixer": {"kind": "full", "heads": 8, "kv_heads": 2, "head_dim": 64},
                        "tensors": ({"name": "t", "shape": (64, 64), "quantised": True},),
                    },
                ),
            },
            "gpu": {"id": "g", "name": "g", "device_total_bytes": 2**30, "kind": "card"},
            "precision": {
                "weights": {"id": "w", "name": "w", "bits": 16},
                "kv": {"id": "k", "name": "k", "k_bits": 16, "v_bits": 16},
            },
            "engine": {"kind": "plain"},
            "workload": {
                "lengths": {"kind": "constant", "tokens": 1_000},
                "prefix_groups": ({"shared_tokens": 100, "request_share": 0.5},),
            },
        }
    )


@cache
def vllm_base() -> Scenario:
    """The same model under vLLM, with widths, so that activations and graphs are worked out."""
    scenario = base()
    model = scenario.model.with_(hidden_size=512, vocab_size=32_000, max_position_tokens=4096)
    return scenario.with_(model=model, engine=vllm_engine("0.33.0"))


Change = Callable[[Scenario], Scenario]


def _field_change(name: str, value: object) -> Change:
    return lambda scenario: FIELDS[name].write(scenario, value)


def _attention_change(name: str, value: int) -> Change:
    def change(scenario: Scenario) -> Scenario:
        (run,) = scenario.model.layers
        run = run.with_(mixer=run.mixer.with_(**{name: value}))
        return scenario.with_(model=scenario.model.with_(layers=(run,)))

    return change


def _tensor_change(value: int) -> Change:
    def change(scenario: Scenario) -> Scenario:
        (run,) = scenario.model.layers
        tensor = run.tensors[0].with_(shape=(value, value), copies=min(value, 2**20))
        run = run.with_(tensors=(tensor,))
        return scenario.with_(model=scenario.model.with_(layers=(run,)))

    return change


def _part_change(path: str, value: object) -> Change:
    def change(scenario: Scenario) -> Scenario:
        outer, *inner, name = path.split(".")
        part: Any = getattr(scenario, outer)
        nested = part
        for step in inner:
            nested = getattr(nested, step)
        new = nested.with_(**{name: value})
        for step in reversed(inner):
            new = part.with_(**{step: new})
        return scenario.with_(**{outer: new})

    return change


def changes() -> Iterator[tuple[str, Change]]:
    """Every field at every edge."""
    for name, field in FIELDS.items():
        for value in EDGES:
            if field.kind == "amount":
                if 0 <= value < 2**63:
                    yield f"{name}={value}", _field_change(name, Amount(size_bytes=value))
            elif field.kind != "share":
                yield f"{name}={value}", _field_change(name, value)
        for share in SHARE_EDGES:
            if field.kind == "share":
                yield f"{name}={share}", _field_change(name, share)
            elif field.kind == "amount" and (share == 0 or 1e-9 <= share <= 1):
                yield f"{name}={share}", _field_change(name, Amount(share=share))
    for value in EDGES:
        for name in MODEL_EDGES:
            yield f"attention.{name}={value}", _attention_change(name, value)
        for name in KV_EDGES:
            yield f"kv.{name}={value}", _part_change(f"precision.kv.{name}", value)
        for name in ("bits", "row_scale_bytes", "group_elements"):
            yield f"weights.{name}={value}", _part_change(f"precision.weights.{name}", value)
        for name in ("ep", "dcp", "nodes"):
            yield f"deployment.{name}={value}", _part_change(f"deployment.{name}", value)
        yield f"max_position={value}", _part_change("model.max_position_tokens", value)
        yield f"tensor={value}", _tensor_change(value)


def check(scenario: Scenario) -> None:
    started = time.process_time()
    ledger = budget(scenario)
    took = time.process_time() - started
    assert took <= MAX_SECONDS, f"{took:.2f} s for {len(ledger.ranks)} ranks"
    shown = ledger.ranks[:8] + ledger.ranks[-8:]
    for path, value in walk(dataclasses.replace(ledger, ranks=shown)):
        if isinstance(value, float):
            assert math.isfinite(value), (path, value)
    for rank in ledger.ranks:
        entries = sum(entry.bytes for entry in rank.entries)
        assert entries + rank.headroom_bytes + rank.free_bytes == rank.total_bytes
        assert all(entry.bytes >= 0 for entry in rank.entries)
    if scenario.engine.kind == "plain":
        assert differences(ledger, oracle.answer(scenario.model_dump())) == []
    texts = [words.verdict_text(ledger)]
    texts += [words.finding_text(finding) for finding in ledger.findings]
    texts += [words.formula_text(entry.formula) for rank in shown[:1] for entry in rank.entries]
    assert not [text for text in texts if {"nan", "inf", "NaN", "Infinity"} & set(text.split())]


def changed(scenario: Scenario, change: Change) -> Scenario | None:
    """The changed scenario, None when the value is refused with a sentence."""
    try:
        return change(scenario)
    except ValidationError as refused:
        return _refused(refused.errors()[0]["msg"])
    except UserError as refused:
        return _refused(words.error_text(refused))


def _refused(sentence: str) -> None:
    assert " " in sentence, sentence
    assert "{" not in sentence, sentence


@cache
def others() -> list[Scenario]:
    """Random scenarios that the changes can be made to: one run of layers with a tensor."""
    found = (random_scenario(Random(seed)) for seed in range(500))
    return [
        scenario
        for scenario in found
        if len(scenario.model.layers) == 1
        and scenario.model.layers[0].tensors
        and scenario.model.layers[0].mixer.kind == "full"
    ][:3]


@pytest.mark.parametrize(
    ("name", "change"), [pytest.param(*item, id=item[0]) for item in changes()]
)
def test_one_field_at_its_edge(name: str, change: Change) -> None:
    for scenario in (base(), vllm_base(), *others()):
        other = changed(scenario, change)
        if other is not None:
            check(other)


@pytest.mark.parametrize("start", [base, vllm_base])
def test_two_fields_at_their_edges(start: Callable[[], Scenario]) -> None:
    pick, checked = Random(4), 0
    applying = [item for item in changes() if changed(start(), item[1]) is not None]
    pairs = list(combinations(applying, 2))
    for (_, one), (_, two) in pick.sample(pairs, 800):
        first = changed(start(), one)
        both = None if first is None else changed(first, two)
        if both is not None:
            check(both)
            checked += 1
    assert checked >= 600


@pytest.mark.parametrize("start", [base, vllm_base])
def test_many_fields_at_their_edges(start: Callable[[], Scenario]) -> None:
    pick, checked, listed = Random(5), 0, list(changes())
    for _ in range(300):
        scenario: Scenario | None = start()
        for _, change in pick.sample(listed, 12):
            scenario = changed(scenario, change) or scenario
        assert scenario is not None
        if scenario != start():
            check(scenario)
            checked += 1
    assert checked >= 250


@pytest.mark.parametrize(("tp", "pp"), [(MAX_RANKS, 1), (1, MAX_RANKS), (64, 64), (2, 2048)])
def test_the_largest_layouts(tp: int, pp: int) -> None:
    scenario = base()
    run = scenario.model.layers[0]
    mixer = run.mixer.with_(heads=4096, kv_heads=4096, head_dim=1)
    model = scenario.model.with_(layers=(run.with_(count=10_000, mixer=mixer),))
    spread = scenario.deployment.with_(tp=tp, pp=pp)
    check(scenario.with_(model=model, deployment=spread))
    partition = (10_000 - pp + 1, *([1] * (pp - 1)))
    check(scenario.with_(model=model, deployment=spread.with_(pp_partition=partition)))


def test_the_longest_tables() -> None:
    scenario = base()
    points = [{"q": i / 1000, "tokens": 2**62 + i} for i in range(1_001)]
    lengths = {"kind": "quantiles", "points": tuple(points)}
    groups = tuple(
        {"shared_tokens": 2**40 + i, "distinct_prefixes": 2**40, "request_share": 0.01}
        for i in range(100)
    )
    data = scenario.model_dump()
    data["workload"] |= {"lengths": lengths, "prefix_groups": groups}
    check(Scenario.model_validate(data))
    data["workload"] |= {"concurrency": 2**63 - 1, "sizing": "mean"}
    check(Scenario.model_validate(data))


def test_a_thousand_runs_of_layers() -> None:
    scenario = base()
    run = scenario.model.layers[0]
    tensors = tuple(run.tensors[0].with_(name=f"t{i}") for i in range(20))
    runs = tuple(run.with_(count=1 + i % 10, tensors=tensors) for i in range(1_000))
    model = scenario.model.with_(layers=runs)
    check(scenario.with_(model=model))
    check(scenario.with_(model=model, deployment=scenario.deployment.with_(tp=2, pp=64)))
