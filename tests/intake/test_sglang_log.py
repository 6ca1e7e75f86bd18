"""SGLang's start-up logs: what is read of a record, and how near the predictions come."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from workbench.cli.accuracy import LibraryCatalogue
from workbench.cli.common import open_library
from workbench.core.accuracy import Pair, summary_of
from workbench.core.prediction import predict
from workbench.intake.engine_logs import Fault, LogRecord, read_records
from workbench.intake.resolve import Question
from workbench.intake.sglang_log import compare, engine_flags, resolve

H200 = {
    "id": "h200",
    "engine": "sglang",
    "release": "0.4.6.post5",
    "record": "startup-log",
    "model": "meta-llama/Meta-Llama-3-8B-Instruct",
    "weight_format": "bfloat16",
    "gpu": "NVIDIA H200",
    "gpu_total_gib": 140.401,
    "gpus": 1,
    "deployment": {"tp": 1},
    "flags": {"mem_fraction_static": 0.8717961202189594, "page_size": 1},
    "measured": {
        "load_weight_begin_avail_mem_gib": 139.2,
        "load_weight_end_avail_mem_gib": 124.23,
        "weights_mem_usage_gib": 14.98,
        "kv_tokens": 871_371,
        "k_size_gib": 53.18,
        "v_size_gib": 53.18,
        "context_len": 8192,
    },
}


def record(**changes: Any) -> LogRecord:
    """The record of an H200 with some keys changed."""
    return read_records([H200 | changes], "logs")[0]


@pytest.fixture(scope="module")
def catalogue() -> LibraryCatalogue:
    return LibraryCatalogue(open_library())


def pairs(catalogue: LibraryCatalogue, **changes: Any) -> dict[str, Pair]:
    question = resolve(record(**changes), catalogue, None)
    assert isinstance(question, Question), question
    return {pair.field: pair for pair in compare(question, predict).pairs}


def test_tokens_of_the_printed_memory(catalogue: LibraryCatalogue) -> None:
    found = pairs(catalogue)
    assert found["kv_tokens_from_pool"].predicted == 871_497
    assert abs(found["kv_tokens_from_pool"].error_pct) < 0.02
    assert found["kv_size_gib_from_memory"].predicted == pytest.approx(106.38, abs=0.01)
    assert abs(found["weights_gib"].error_pct) < 0.5
    assert abs(found["free_before_load_gib"].error_pct) < 1


def test_tokens_of_the_printed_pool_without_memory(catalogue: LibraryCatalogue) -> None:
    measured = {"kv_tokens": 20_480, "k_size_gib": 1.25, "v_size_gib": 1.25}
    found = pairs(catalogue, measured=measured, release=None)
    assert found["kv_tokens_from_pool"].within_log_rounding
    # The padding row is part of what is allocated.
    assert found["kv_tokens_from_pool"].predicted == 20_479
    assert set(found) == {"kv_tokens_from_pool"}


def test_an_open_release_leaves_only_what_all_releases_agree_on(
    catalogue: LibraryCatalogue,
) -> None:
    found = pairs(catalogue, release="0.4.x")
    assert set(found) == {"weights_gib", "kv_tokens_from_pool", "kv_size_gib_from_memory"}


def test_without_a_fraction_an_open_release_says_nothing_of_the_pool(
    catalogue: LibraryCatalogue,
) -> None:
    measured = {k: v for k, v in H200["measured"].items() if k[1:] != "_size_gib"}  # type: ignore[attr-defined]
    found = pairs(catalogue, release=None, flags={}, measured=measured)
    assert set(found) == {"weights_gib"}


def test_a_draft_that_is_not_known_is_not_compared(catalogue: LibraryCatalogue) -> None:
    flags = {"mem_fraction_static": 0.8, "speculative_algorithm": "EAGLE"}
    assert not {"kv_tokens_from_pool", "weights_gib"} & set(pairs(catalogue, flags=flags))
    # Steps without an algorithm are the defaults of a draft that does not run.
    steps = {"mem_fraction_static": 0.8717961202189594, "speculative_num_steps": 5}
    assert pairs(catalogue, flags=steps)["kv_tokens_from_pool"].predicted == 871_497


def test_groups_of_dp_attention_lie_inside_tp(catalogue: LibraryCatalogue) -> None:
    flags = {"mem_fraction_static": 0.8, "enable_dp_attention": True, "dp_size": 4}
    question = resolve(record(flags=flags, deployment={"tp": 8, "dp": 4}, gpus=8), catalogue, None)
    assert isinstance(question, Question)
    reading = question.readings[0]
    assert (reading.deployment.tp, reading.deployment.dp) == (8, 1)
    assert reading.engine.dp_attention == 4  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"model": None}, "model_not_stated"),
        ({"model": "an 8B class"}, "model_is_prose"),
        ({"deployment": {}, "gpus": 4}, "deployment_not_stated"),
        ({"flags": {"mem_fraction_static": 1.5}}, "unreadable"),
        ({"flags": {"chunked_prefill_size": -7}}, "unreadable"),
        ({"flags": {"page_size": "big"}}, "unreadable"),
        ({"kv_dtype": "a-format-of-nobody"}, "kv_format_unknown"),
    ],
)
def test_what_cannot_be_read_is_named(
    catalogue: LibraryCatalogue, changes: dict[str, Any], code: str
) -> None:
    fault = resolve(record(**changes), catalogue, None)
    assert isinstance(fault, Fault)
    assert fault.code == code


def test_a_printed_fraction_holds_the_factor_of_aiter() -> None:
    stated = record(gpu="AMD Instinct MI300X", flags={"mem_fraction_static": 0.7})
    assert engine_flags(stated)["attention_backend"] == "triton"
    open_one = record(gpu="AMD Instinct MI300X", flags={})
    assert engine_flags(open_one)["attention_backend"] is None


# --- the public logs ----------------------------------------------------------------------------


@pytest.fixture(scope="module")
def compared(shared: Path, catalogue: LibraryCatalogue) -> list[tuple[LogRecord, Pair]]:
    content = json.loads((shared / "logs" / "sglang.json").read_text(encoding="utf-8"))
    return list(_compared(content, catalogue))


def _compared(content: Any, catalogue: LibraryCatalogue) -> Iterator[tuple[LogRecord, Pair]]:
    for entry in read_records(content, "logs"):
        question = resolve(entry, catalogue, None)
        if isinstance(question, Question):
            for pair in compare(question, predict).pairs:
                yield entry, pair


def test_tokens_of_public_logs(compared: list[tuple[LogRecord, Pair]]) -> None:
    tokens = [(r, p) for r, p in compared if p.field == "kv_tokens_from_pool"]
    alone = [abs(pair.error_pct) for entry, pair in tokens if entry.gpus == 1]
    several = [abs(pair.error_pct) for entry, pair in tokens if entry.gpus != 1]
    assert len(alone) >= 7
    assert max(alone) <= 0.1
    assert len(several) >= 5
    assert max(several) <= 2


def test_weights_of_public_logs(compared: list[tuple[LogRecord, Pair]]) -> None:
    found = summary_of(pair for _, pair in compared if pair.field == "weights_gib")
    assert found.n >= 12
    assert found.median_abs_pct is not None
    assert found.median_abs_pct < 0.5
