"""Every field of the list: what is written is read, what is printed is typed back."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

import pytest
from pydantic import ValidationError

from tests.core.scenarios import random_scenario
from workbench.library.engine_choice import ENGINES, engine_of
from workbench.spec.engine import Amount
from workbench.spec.errors import UserError
from workbench.spec.fields import FIELDS, Field
from workbench.spec.layers import FullAttention
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import Scenario
from workbench.spec.units import GIB
from workbench.spec.workload import PrefixGroup, QuantilePoint, QuantileTable

OTHERS = tuple(engine_of(kind) for kind in ENGINES if kind != "plain")
QUANTILES = ("workload.p50", "workload.p95", "workload.p99", "workload.longest")
_ALLOWED = {
    # SGLang does not cut prompts then.
    ("engine.chunked_prefill_size", "-1"),
    ("engine.mamba_full_memory_ratio", "2.5"),
}
EVERY = pytest.mark.parametrize("field", FIELDS.values(), ids=lambda field: field.id)


@cache
def numbered(seed: int) -> Scenario:
    return random_scenario(Random(seed))


@cache
def uniform(seed: int) -> Scenario:
    """A random scenario made to have every field: one run of layers, a table, a prefix."""
    scenario = numbered(seed)
    mixer = FullAttention(heads=8, kv_heads=4, head_dim=64)
    run = scenario.model.layers[0].with_(mixer=mixer, tensors=())
    model: ModelSpec = scenario.model.with_(layers=(run,))
    points = tuple(
        QuantilePoint(q=q, tokens=t)
        for q, t in ((0.5, 1_000), (0.95, 2_000), (0.99, 3_000), (1.0, 4_000))
    )
    workload = scenario.workload.with_(
        lengths=QuantileTable(points=points), prefix_groups=(PrefixGroup(shared_tokens=64),)
    )
    spread = scenario.deployment.with_(pp_partition=None)
    return scenario.with_(model=model, workload=workload, deployment=spread)


def served(field: Field, scenario: Scenario) -> Scenario:
    """The scenario under the first engine that has the field, its own where that has it."""
    if field.applies(scenario):
        return scenario
    trials = (scenario.with_(engine=engine) for engine in OTHERS)
    return next((trial for trial in trials if field.applies(trial)), scenario)


@cache
def applying(field_id: str) -> tuple[Scenario, ...]:
    return tuple(_applying(FIELDS[field_id]))


def _applying(field: Field) -> Iterator[Scenario]:
    for seed in range(8):
        scenario = served(field, numbered(seed))
        # In a random table a quantile may leave no room for another value.
        if field.applies(scenario) and field.id not in QUANTILES:
            yield scenario
        scenario = served(field, uniform(seed))
        if field.applies(scenario):
            yield scenario


def samples(field: Field) -> list[Any]:
    """Values that the field takes, those of the slider's ends among them."""
    low, high = field.slider_low, field.slider_high
    if field.kind == "amount":
        return [
            Amount(size_bytes=0),
            Amount(size_bytes=3 * GIB),
            Amount(share=0.07),
            Amount(share=high),
        ]
    if field.id == "engine.gpu_memory_utilization":
        return [0.5, 1 / 3, 0.07, 1.0]
    if field.kind in ("share", "number"):
        return [float(low), 1 / 3, 0.07, float(high)]
    if field.id.startswith("workload.p") and field.id[10:].isdigit():
        return [{"50": 1_024, "95": 2_500, "99": 3_333}[field.id[10:]]]
    if field.id == "workload.longest":
        return [4_096, 2**40, 2**63 - 1]
    return [int(low) or 1, int(low) + 1, int(high)]


@EVERY
def test_some_scenario_has_it(field: Field) -> None:
    assert applying(field.id)


@EVERY
def test_what_is_written_is_read(field: Field) -> None:
    for scenario in applying(field.id):
        for value in samples(field):
            changed = _written(field, scenario, value)
            assert field.read(changed) == value
            assert type(field.read(changed)) is type(value)
            assert isinstance(changed, Scenario)


def _written(field: Field, scenario: Scenario, value: Any) -> Scenario:
    if field.id == "deployment.pp":
        scenario = scenario.with_(deployment=scenario.deployment.with_(pp_partition=None))
    if field.id == "workload.prefix_share":
        (first, *_) = scenario.workload.prefix_groups
        workload = scenario.workload.with_(prefix_groups=(first,))
        scenario = scenario.with_(workload=workload)
    return field.write(scenario, value)


@EVERY
def test_writing_what_was_read_changes_nothing(field: Field) -> None:
    for scenario in applying(field.id):
        value = field.read(scenario)
        if value is not None or field.optional:
            assert field.write(scenario, value) == scenario


@EVERY
def test_writing_touches_no_other_field(field: Field) -> None:
    # The projections and the order of quantiles belong to what the field says.
    for scenario in applying(field.id):
        for value in samples(field):
            changed = _written(field, scenario, value)
            for other in FIELDS.values():
                if other.id != field.id and other.applies(scenario) and other.applies(changed):
                    same_group = other.id.startswith("workload.prefix")
                    if not same_group or other.read(changed) is not None:
                        assert other.read(changed) == other.read(scenario), other.id


@EVERY
def test_what_is_printed_is_typed_back(field: Field) -> None:
    for scenario in applying(field.id):
        for value in [field.read(scenario), *samples(field)]:
            if value is None and not field.optional:
                continue
            text = field.format(value)
            assert field.parse(text, field.read(scenario)) == value, text
            assert type(field.parse(text)) is type(value)


@EVERY
def test_an_empty_text_is_the_default_or_refused(field: Field) -> None:
    if field.optional:
        assert field.parse("") is None
        assert field.parse("  ") is None
        assert field.format(None) == ""
        for scenario in applying(field.id):
            # Without a prefix its tokens are those of the next group; plain has a block size.
            own_default = ("workload.prefix_tokens", "engine.block_tokens")
            assert field.read(field.write(scenario, None)) is None or field.id in own_default
    else:
        with pytest.raises(UserError) as refused:
            field.parse("")
        assert refused.value.code == "quantity_empty"


@EVERY
def test_a_factor_multiplies_the_present_value(field: Field) -> None:
    for scenario in applying(field.id):
        value = field.read(scenario)
        if isinstance(value, int) and value < 2**40:
            assert field.parse("x2", value) == 2 * value


@EVERY
@pytest.mark.parametrize("value", [True, "12", 2.5, float("nan"), -1, 2**63, [1]], ids=repr)
def test_wrong_values_are_refused(field: Field, value: object) -> None:
    scenario = applying(field.id)[0]
    if (field.id, repr(value)) in _ALLOWED:
        return
    with pytest.raises((ValidationError, UserError)):
        field.write(scenario, value)


def test_ids_and_sliders_are_sound() -> None:
    for name, field in FIELDS.items():
        assert name == field.id
        assert field.slider_low < field.slider_high
        assert field.step > 0
        if field.log2:
            assert field.slider_low > 0


def test_fields_of_the_shape_apply_to_models_of_one_shape() -> None:
    scenario = uniform(1)
    run = scenario.model.layers[0]
    mixed = scenario.with_(
        model=scenario.model.with_(
            layers=(run, run.with_(mixer=run.mixer.with_(head_dim=run.mixer.head_dim + 1)))
        )
    )
    for name in ("model.kv_heads", "model.head_dim", "model.layers"):
        assert FIELDS[name].applies(scenario)
        assert not FIELDS[name].applies(mixed)
        with pytest.raises(UserError) as refused:
            FIELDS[name].write(mixed, 4)
        assert refused.value.code == "layers_differ"


def test_removing_a_prefix_leaves_the_other_groups() -> None:
    groups = tuple(PrefixGroup(shared_tokens=n, request_share=0.5) for n in (16, 32))
    scenario = uniform(2)
    scenario = scenario.with_(workload=scenario.workload.with_(prefix_groups=groups))
    changed = FIELDS["workload.prefix_tokens"].write(scenario, None)
    assert changed.workload.prefix_groups == groups[1:]
    none = scenario.with_(workload=scenario.workload.with_(prefix_groups=()))
    made = FIELDS["workload.prefix_tokens"].write(none, 99)
    assert made.workload.prefix_groups == (PrefixGroup(shared_tokens=99),)


def test_a_quantile_out_of_order_is_refused() -> None:
    scenario = uniform(3)
    with pytest.raises(ValidationError):
        FIELDS["workload.p95"].write(scenario, 999)
    with pytest.raises(ValidationError):
        FIELDS["workload.longest"].write(scenario, 2_999)
