"""Types: strict, frozen, bounded, validated on change, the same in JSON and back."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pydantic import ValidationError

from tests.core.scenarios import random_scenario
from workbench.spec.base import (
    MAX_INT,
    MAX_NAME_CHARACTERS,
    MAX_TEXT_CHARACTERS,
    canonical_json,
    fingerprint,
    unwanted_character,
)
from workbench.spec.deployment import MAX_RANKS, Deployment, Prices, Reserves
from workbench.spec.engine import Amount, PlainEngine
from workbench.spec.formats import KvFormat, WeightFormat
from workbench.spec.gpu import GpuSpec
from workbench.spec.layers import FullAttention
from workbench.spec.model import MAX_LAYERS, LayerRun, ModelSpec, Tensor
from workbench.spec.scenario import MAX_SCENARIOS, Plan, PresetRef, Scenario, Unknown
from workbench.spec.workload import (
    ConstantLength,
    PrefixGroup,
    QuantilePoint,
    QuantileTable,
    TraceSummary,
    Workload,
)

GPU = GpuSpec(id="g", name="g", device_total_bytes=1)
RUN = LayerRun(count=1, mixer=FullAttention(heads=1, kv_heads=1, head_dim=1))
MODEL = ModelSpec(id="m", name="m", layers=(RUN,))
SOME = [random_scenario(Random(seed)) for seed in range(200)]


def points(*pairs: tuple[float, int]) -> tuple[QuantilePoint, ...]:
    return tuple(QuantilePoint(q=q, tokens=tokens) for q, tokens in pairs)


# --- strict -------------------------------------------------------------------------------------

NOT_WHOLE: list[Any] = [True, False, "12", 2.0, 1.5, float("nan"), float("inf"), None, [1], b"1"]
NOT_REAL: list[Any] = [True, "0.5", float("nan"), float("inf"), float("-inf"), None, [0.5]]


@pytest.mark.parametrize("value", NOT_WHOLE, ids=repr)
def test_whole_numbers_are_whole_numbers(value: object) -> None:
    with pytest.raises(ValidationError):
        ConstantLength.model_validate({"tokens": value})
    with pytest.raises(ValidationError):
        Deployment.model_validate({"tp": value})
    with pytest.raises(ValidationError):
        GPU.with_(device_total_bytes=value)
    with pytest.raises(ValidationError):
        LayerRun.model_validate({"count": value, "mixer": RUN.mixer})


@pytest.mark.parametrize("value", NOT_REAL, ids=repr)
def test_shares_and_rates_are_finite_numbers(value: object) -> None:
    with pytest.raises(ValidationError):
        PrefixGroup.model_validate({"shared_tokens": 1, "request_share": value})
    with pytest.raises(ValidationError):
        Prices.model_validate({"per_gpu_hour": value})
    with pytest.raises(ValidationError):
        QuantilePoint.model_validate({"q": value, "tokens": 1})


@pytest.mark.parametrize("value", [1, None, b"a", ["a"], True])
def test_texts_are_texts(value: object) -> None:
    with pytest.raises(ValidationError):
        MODEL.with_(name=value)


@pytest.mark.parametrize(
    "text", ["1e400", "NaN", "Infinity", "-Infinity", "true", '"1"', "2.0", "null", "-1", "1e3"]
)
def test_json_is_as_strict(text: str) -> None:
    with pytest.raises(ValidationError):
        ConstantLength.model_validate_json(f'{{"kind": "constant", "tokens": {text}}}')


def test_unknown_keys_are_refused() -> None:
    for value in (GPU, MODEL, RUN, Reserves(), PlainEngine(), SOME[0]):
        with pytest.raises(ValidationError, match="Extra inputs"):
            type(value).model_validate(value.model_dump() | {"surprise": 1})


# --- texts --------------------------------------------------------------------------------------

BAD_CHARACTERS = [
    "\x00", "\x07", "\x1b", "\x7f", "\x85", "\ud800", "\udfff", "\ufffe", "\uffff", "\ufdd0",
    "\U0001ffff", "\U0010fffe", "\r",
]  # fmt: skip


@pytest.mark.parametrize("character", BAD_CHARACTERS, ids=ascii)
def test_controls_surrogates_and_non_characters_are_refused(character: str) -> None:
    for text in (character, f"a{character}b"):
        assert unwanted_character(text) == f"U+{ord(character):04X}"
        assert unwanted_character(text, multiline=True) is not None
        with pytest.raises(ValidationError):
            MODEL.with_(name=text)
        with pytest.raises(ValidationError):
            MODEL.with_(checked=text)
        with pytest.raises(ValidationError):
            SOME[0].with_(notes=text)


@pytest.mark.parametrize("character", ["\n", "\t", "\u2028", "\u2029"], ids=ascii)
def test_line_breaks_stand_in_texts_only(character: str) -> None:
    with pytest.raises(ValidationError):
        MODEL.with_(name=f"a{character}b")
    assert SOME[0].with_(notes=f"a{character}b").notes == f"a{character}b"


@pytest.mark.parametrize("text", ["模型", "Größe", "a b", "😀", "\u202eabc", "e\u0301", "\ufffd"])
def test_names_of_every_language_are_kept(text: str) -> None:
    assert MODEL.with_(name=text).name == text


def test_texts_are_bounded() -> None:
    assert MODEL.with_(name="x" * MAX_NAME_CHARACTERS)
    assert SOME[0].with_(notes="x" * MAX_TEXT_CHARACTERS)
    for bad in ("", "x" * (MAX_NAME_CHARACTERS + 1)):
        with pytest.raises(ValidationError):
            MODEL.with_(name=bad)
    with pytest.raises(ValidationError):
        SOME[0].with_(notes="x" * (MAX_TEXT_CHARACTERS + 1))


@pytest.mark.parametrize("slug", ["", "A", "-a", ".a", "a b", "a/b", "é", "a\n", "x" * 101])
def test_ids_are_plain(slug: str) -> None:
    with pytest.raises(ValidationError):
        MODEL.with_(id=slug)


@pytest.mark.parametrize("scenario_id", ["", "A", "a.b", "a\n", "a_b", "x" * 65])
def test_scenario_ids_are_plain(scenario_id: str) -> None:
    with pytest.raises(ValidationError):
        SOME[0].with_(id=scenario_id)


@given(st.text(max_size=30))
@example(" ")
def test_a_name_is_kept_or_refused(text: str) -> None:
    bad = unwanted_character(text) is not None or not text.strip()
    try:
        value = MODEL.with_(name=text)
    except ValidationError:
        assert bad
    else:
        assert not bad
        assert value.name == text
        assert ModelSpec.model_validate_json(canonical_json(value)) == value
        canonical_json(value).encode("utf-8")


# --- frozen, equal, hashed ----------------------------------------------------------------------


def test_values_cannot_be_changed() -> None:
    for value, name in ((GPU, "name"), (MODEL, "layers"), (SOME[0], "gpu"), (Plan(), "title")):
        with pytest.raises(ValidationError, match="frozen"):
            setattr(value, name, getattr(value, name))
        with pytest.raises(ValidationError):
            delattr(value, name)
        with pytest.raises(ValidationError):
            value.surprise = 1  # type: ignore[union-attr]


def test_with_validates_and_leaves_the_original() -> None:
    scenario = SOME[0]
    before = canonical_json(scenario)
    with pytest.raises(ValidationError):
        scenario.with_(id="NOT AN ID")
    with pytest.raises(ValidationError):
        scenario.with_(surprise=1)
    with pytest.raises(ValidationError):
        scenario.with_(gpu={"id": "g"})
    assert scenario.with_(name="other").name == "other"
    assert canonical_json(scenario) == before
    assert scenario.with_() == scenario


def test_equal_values_have_equal_hashes_and_fingerprints() -> None:
    again = [random_scenario(Random(seed)) for seed in range(len(SOME))]
    for one, other in zip(SOME, again, strict=True):
        assert one == other
        assert one is not other
        assert hash(one) == hash(other)
        assert fingerprint(one) == fingerprint(other)
    assert len(set(SOME)) == len({canonical_json(scenario) for scenario in SOME})
    assert len({fingerprint(scenario) for scenario in SOME}) == len(set(SOME))


def test_json_there_and_back() -> None:
    for scenario in SOME:
        text = canonical_json(scenario)
        assert Scenario.model_validate_json(text) == scenario
        assert canonical_json(Scenario.model_validate_json(text)) == text
        assert json.loads(text) == json.loads(scenario.model_dump_json())
        assert "NaN" not in text
        assert "Infinity" not in text


def test_the_fingerprint_is_that_of_the_content() -> None:
    assert fingerprint(Amount(size_bytes=1)) == fingerprint(Amount(size_bytes=1, share=None))
    # Written down: a plan's fingerprints must mean the same in every later release.
    assert canonical_json(Amount(size_bytes=1)) == '{"share":null,"size_bytes":1}'
    assert fingerprint(Amount(size_bytes=1)) == "c3746c15c6652994"
    assert canonical_json(ConstantLength(tokens=2)) == '{"kind":"constant","tokens":2}'
    assert fingerprint(MODEL) != fingerprint(MODEL.with_(name="n"))
    assert len(fingerprint(GPU)) == 16


def test_edited_presets_are_noticed() -> None:
    ref = PresetRef(namespace="builtin", id="m", fingerprint=fingerprint(MODEL))
    scenario = SOME[0].with_(model=MODEL, model_ref=ref)
    assert not scenario.model_is_edited
    assert scenario.with_(model=MODEL.with_(name="n")).model_is_edited
    assert not scenario.with_(model_ref=None).model_is_edited
    assert str(ref) == "builtin:m@1"
    gpu_ref = ref.with_(id="g", fingerprint=fingerprint(GPU))
    assert not scenario.with_(gpu=GPU, gpu_ref=gpu_ref).gpu_is_edited
    assert scenario.with_(gpu=GPU.with_(name="h"), gpu_ref=gpu_ref).gpu_is_edited


# --- bounds and rules between fields ------------------------------------------------------------


@pytest.mark.parametrize("value", [0, -1, MAX_INT + 1, 2**64])
def test_tokens_and_counts_are_bounded(value: int) -> None:
    with pytest.raises(ValidationError):
        ConstantLength(tokens=value)
    with pytest.raises(ValidationError):
        PlainEngine(max_model_len=value)
    with pytest.raises(ValidationError):
        Workload(lengths=ConstantLength(tokens=1), concurrency=value)


def test_the_largest_numbers_are_taken() -> None:
    assert ConstantLength(tokens=MAX_INT).tokens == MAX_INT
    assert GPU.with_(device_total_bytes=MAX_INT).device_total_bytes == MAX_INT
    assert Amount(size_bytes=MAX_INT).of(1) == MAX_INT


@pytest.mark.parametrize(("tp", "pp"), [(0, 1), (1, 0), (MAX_RANKS + 1, 1), (65, 64), (-1, 1)])
def test_layouts_are_bounded(tp: int, pp: int) -> None:
    with pytest.raises(ValidationError):
        Deployment(tp=tp, pp=pp)


def test_a_partition_names_every_stage() -> None:
    assert Deployment(pp=2, pp_partition=(1, 2)).pp_partition == (1, 2)
    for partition in ((1,), (1, 2, 3), (), (0, 3)):
        with pytest.raises(ValidationError):
            Deployment(pp=2, pp_partition=partition)
    with pytest.raises(ValidationError):
        Deployment(pp=2, pp_partition=(1, 2)).with_(pp=3)


def test_counts_of_cards() -> None:
    spread = Deployment(tp=2, pp=3, dp=5, replicas=7)
    assert (spread.ranks, spread.copies, spread.gpus) == (6, 35, 210)


@pytest.mark.parametrize("fields", [{}, {"size_bytes": 1, "share": 0.1}, {"share": 1.5}])
def test_an_amount_is_bytes_or_a_share(fields: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Amount(**fields)


@pytest.mark.parametrize("share", [-0.1, 1.1, 2])
def test_shares_lie_between_nothing_and_all(share: float) -> None:
    with pytest.raises(ValidationError):
        Amount(share=share)


@pytest.mark.parametrize(
    "bad",
    [
        ((0.5, 10),),
        ((0.5, 10), (0.5, 20), (1.0, 30)),
        ((0.5, 10), (0.4, 20), (1.0, 30)),
        ((0.5, 10), (1.0, 9)),
        ((1.0, 10), (0.5, 20)),
        (),
    ],
)
def test_quantiles_rise_to_the_longest(bad: tuple[tuple[float, int], ...]) -> None:
    with pytest.raises(ValidationError):
        QuantileTable(points=points(*bad))
    with pytest.raises(ValidationError):
        TraceSummary(requests=1, mean_tokens=1.0, points=points(*bad))


def test_prefix_groups_take_at_most_all_requests() -> None:
    def groups(*shares: float) -> tuple[PrefixGroup, ...]:
        return tuple(PrefixGroup(shared_tokens=1, request_share=share) for share in shares)

    one = ConstantLength(tokens=1)
    assert Workload(lengths=one, prefix_groups=groups(0.5, 0.5))
    assert Workload(lengths=one, prefix_groups=groups(*[0.1] * 10))
    assert Workload(lengths=one, prefix_groups=groups(0.3333, 0.3333, 0.3334))
    with pytest.raises(ValidationError):
        Workload(lengths=one, prefix_groups=groups(0.6, 0.5))
    with pytest.raises(ValidationError):
        Workload(lengths=one, prefix_groups=groups(*[0.0] * 101))


def test_models_are_bounded() -> None:
    with pytest.raises(ValidationError):
        MODEL.with_(layers=())
    assert MODEL.with_(layers=(RUN.with_(count=MAX_LAYERS),)).layer_count == MAX_LAYERS
    with pytest.raises(ValidationError):
        MODEL.with_(layers=(RUN.with_(count=MAX_LAYERS), RUN))
    with pytest.raises(ValidationError):
        Tensor(name="t", shape=())
    with pytest.raises(ValidationError):
        Tensor(name="t", shape=(1,) * 9)
    with pytest.raises(ValidationError):
        Tensor(name="t", shape=(0,))


@pytest.mark.parametrize("bits", [0, -1, 1025, 2.0, True])
def test_formats_are_bounded(bits: Any) -> None:
    with pytest.raises(ValidationError):
        WeightFormat(id="w", name="w", bits=bits)
    with pytest.raises(ValidationError):
        KvFormat(id="k", name="k", k_bits=bits, v_bits=8)


def test_a_reshaped_model_has_reshaped_projections() -> None:
    q, k = (
        Tensor(name=n, shape=(32, 8), shard=s) for n, s in (("q", "q_heads"), ("k", "kv_heads"))
    )
    o = Tensor(name="o", shape=(8, 32), shard="o_heads")
    norm = Tensor(name="n", shape=(4,))
    run = LayerRun(
        count=2,
        mixer=FullAttention(heads=8, kv_heads=8, head_dim=4),
        tensors=(q, k, o, norm),
    )
    model = MODEL.with_(layers=(run,))
    few = model.with_attention(kv_heads=2)
    assert [t.shape for t in few.layers[0].tensors] == [(32, 8), (8, 8), (8, 32), (4,)]
    wide = model.with_attention(head_dim=16)
    assert [t.shape for t in wide.layers[0].tensors] == [(128, 8), (128, 8), (8, 128), (16,)]
    assert wide.with_attention(head_dim=4) == model
    assert model.with_layer_count(5).parameters * 2 == model.parameters * 5


# --- plans --------------------------------------------------------------------------------------


def scenarios(*ids: str) -> tuple[Scenario, ...]:
    return tuple(SOME[number].with_(id=name) for number, name in enumerate(ids))


def test_plans_are_consistent() -> None:
    assert Plan().scenarios == ()
    plan = Plan(scenarios=scenarios("a", "b"), baseline="b")
    assert plan.scenario("a").id == "a"
    with pytest.raises(KeyError):
        plan.scenario("c")
    for ids, baseline in ((("a", "a"), "a"), (("a", "b"), "c"), (("a",), None), ((), "a")):
        with pytest.raises(ValidationError):
            Plan(scenarios=scenarios(*ids), baseline=baseline)
    with pytest.raises(ValidationError):
        plan.with_(scenarios=scenarios("a"))


def test_replacing_keeps_order_and_baseline() -> None:
    plan = Plan(scenarios=scenarios("a", "b", "c"), baseline="b")
    new = SOME[9].with_(id="b")
    other = plan.replacing(new)
    assert [s.id for s in other.scenarios] == ["a", "b", "c"]
    assert other.scenario("b") == new
    assert other.baseline == "b"
    assert plan.replacing(SOME[9].with_(id="z")) == plan
    assert Plan.model_validate_json(canonical_json(other)) == other


def test_plans_are_bounded() -> None:
    many = tuple(SOME[0].with_(id=f"s{number}") for number in range(MAX_SCENARIOS + 1))
    assert Plan(scenarios=many[:-1], baseline="s0")
    with pytest.raises(ValidationError):
        Plan(scenarios=many, baseline="s0")


def test_unknown_keys_of_files_are_kept_as_text() -> None:
    extra = (Unknown(pointer="/future", json_text='{"a": 1}'),)
    scenario = SOME[0].with_(extra=extra)
    assert Scenario.model_validate_json(canonical_json(scenario)).extra == extra
