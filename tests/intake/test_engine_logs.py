"""Records of logs: what is read, what is refused, what has no place in statistics."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.intake.samples import Shelf, raw, record
from workbench.intake.aliases import read_aliases
from workbench.intake.engine_logs import Fault, LogRecord, Unreadable, left_out, read_records
from workbench.intake.resolve import Question, resolve
from workbench.spec.errors import UserError


@pytest.mark.parametrize("content", [{}, "text", 3, None, True])
def test_what_is_no_list_is_refused(content: Any) -> None:
    with pytest.raises(UserError) as caught:
        read_records(content, "logs.json")
    assert caught.value.code == "field_wrong_type"


def test_numbers_know_how_they_were_rounded() -> None:
    found = record(
        measured={"weights_gib": 15.0, "kv_available_gib": 14.9888, "max_concurrency_x": 2.7}
    )
    assert found.printed("weights_gib").half_unit == pytest.approx(0.005)  # type: ignore[union-attr]
    assert found.printed("kv_available_gib").half_unit == pytest.approx(0.00005)  # type: ignore[union-attr]
    assert found.printed("max_concurrency_x").half_unit == pytest.approx(0.005)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "changes",
    [
        {"measured": {"weights_gib": "14.99"}},
        {"measured": {"weights_gib": True}},
        {"measured": []},
        {"measured": {"kv_available_gib": 2.0**60}},
        {"measured": {"kv_available_gib": -(2.0**60)}},
        {"measured": {"nvidia_smi_mib": 2.0**60}},
        {"gpu_total_gib": -1},
        {"gpu_total_gib": 1e300},
        {"gpus": 1.5},
        {"deployment": "tp1"},
        {"deployment": {"tp": 0}},
        {"model": 3},
        {"release": {"x": 1}},
        {"flags": {"max_model_len": "8192"}},
        {"flags": {"max_num_seqs": [1]}},
        {"flags": {"gpu_memory_utilization": 90}},
        {"flags": {"enforce_eager": "perhaps"}},
    ],
)
def test_odd_values_make_the_record_unreadable_and_nothing_worse(changes: dict[str, Any]) -> None:
    found = resolve(record(**changes), Shelf(), None)
    assert isinstance(found, Fault)
    assert found.code == "unreadable"


def test_values_beside_the_numbers_are_not_read() -> None:
    found = record(
        measured={"weights_gib": 1.5, "per_rank": [{"weights": 1}], "limiting_rank": "Worker_PP1"}
    )
    assert found.fault is None
    assert set(found.measured or {}) == {"weights_gib"}


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)


@given(key=st.sampled_from(sorted(raw())), value=json_values)
def test_whatever_stands_in_a_field_the_record_is_resolved_or_has_a_fault(
    key: str, value: Any
) -> None:
    for item in read_records([raw(**{key: value}), value], "logs.json"):
        assert isinstance(item, LogRecord)
        assert isinstance(resolve(item, Shelf(), None), Question | Fault)
        left_out(item)


@given(name=st.sampled_from(["max_model_len", "spec_decode", "block_size"]), value=json_values)
def test_whatever_a_flag_says_the_record_is_resolved_or_has_a_fault(name: str, value: Any) -> None:
    item = record(flags={"gpu_memory_utilization": 0.9, name: value})
    assert isinstance(resolve(item, Shelf(), None), Question | Fault)


@given(value=json_values)
def test_whatever_stands_in_the_aliases_is_read_or_refused(value: Any) -> None:
    try:
        names = read_aliases(
            {"models": {"m": value}, "records": {"one": value}, "gpus": {"g": value}}, "a.json"
        )
    except UserError:
        return
    assert isinstance(resolve(record(), Shelf(), names), Question | Fault)


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({}, None),
        ({"consistency": "odd-cumem"}, "odd"),
        ({"consistency": "mixed-run"}, "odd"),
        ({"consistency": "rank-asymmetry"}, "odd"),
        ({"consistency": "util-as-printed-contradicts-sum"}, "odd"),
        ({"consistency": "ok-hybrid-or-rounding"}, None),
        ({"gpu": "NVIDIA GB10 (DGX Spark) x2"}, "unified_memory"),
        ({"gpu": "NVIDIA Jetson Thor (unified)"}, "unified_memory"),
        ({"gpu": "AMD Strix Halo gfx1151 (80.0 GiB carve-out)"}, "unified_memory"),
        ({"gpu": "GB200-class (184.31 GiB, 152 SMs)"}, None),
        ({"flags": {"kv_cache_memory": "6.00 GiB per GPU (fixed)"}}, "pinned_pool"),
        ({"flags": {"kv_cache_memory_bytes": 20_000_000_000}}, "pinned_pool"),
        ({"derived_fields": ["kv_available_gib (pinned by flag, not profiled)"]}, "pinned_pool"),
    ],
)
def test_what_has_no_place_in_statistics(changes: dict[str, Any], reason: str | None) -> None:
    assert left_out(record(**changes)) == reason


def test_a_start_whose_figures_leave_no_room_is_a_refusal() -> None:
    assert record(measured={"kv_available_gib": -2.14}).refused
    assert record(measured={"max_concurrency_x": 0.82}).refused
    assert record(record="refused-start").refused
    assert not record().refused


def test_synonyms_of_flags() -> None:
    found = record(
        flags={"chunked_prefill": "on by default (long)", "dcp": 4, "max_capture_size": 512}
    )
    assert found.bool_flag("enable_chunked_prefill", "chunked_prefill") is True
    assert found.count_flag("decode_context_parallel_size", "dcp") == 4
    with pytest.raises(Unreadable):
        found.count_flag("chunked_prefill")
