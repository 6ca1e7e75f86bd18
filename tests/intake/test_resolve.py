"""Records become questions: models, cards, formats, deployment, what is complete."""

from __future__ import annotations

from typing import Any

import pytest

from tests.core.builders import CARD_80_GIB
from tests.intake.samples import HYBRID, LLAMA, WINDOWED, Shelf, question, record
from workbench.intake.aliases import Aliases, read_aliases
from workbench.intake.engine_logs import Fault
from workbench.intake.resolve import Question, attention_of, resolve
from workbench.spec.units import GIB
from workbench.spec.vllm import VllmEngine


def engine_of(found: Question) -> VllmEngine:
    engine = found.readings[0].engine
    assert isinstance(engine, VllmEngine)
    return engine


def fault_of(aliases: Aliases | None = None, **changes: Any) -> str:
    found = resolve(record(**changes), Shelf(), aliases)
    assert isinstance(found, Fault), found
    return found.code


def names(**sections: Any) -> Aliases:
    return read_aliases(sections, "aliases.json")


def test_a_record_with_all_inputs_is_one_question() -> None:
    found = question()
    assert len(found.readings) == 1
    assert found.complete
    assert (found.era, found.attention) == ("0.17-0.19", "uniform")
    engine = engine_of(found)
    assert (engine.release, engine.core) == ("0.19.0", "v1")
    assert engine.gpu_memory_utilization == 0.9
    assert engine.max_model_len == 8192
    assert found.readings[0].gpu.id == CARD_80_GIB.id
    assert found.readings[0].gpu.device_total_bytes == int(79.19 * GIB)


def test_models_go_by_alias_or_by_the_last_part_without_quantisation() -> None:
    assert question(model="llama-3.1-8b").readings[0].model == LLAMA
    assert question(model="someone/LLAMA-3.1-8B-AWQ").readings[0].model == LLAMA
    assert question(model="x/Meta-Llama-3.1-8B-Instruct-FP8").readings[0].model == LLAMA
    assert fault_of(model=None) == "model_not_stated"
    assert fault_of(model="Llama-3.1-8B class (15 GiB)") == "model_is_prose"
    assert fault_of(model="DeepSeek-V9") == "model_not_in_library"


def test_other_engines_are_named() -> None:
    assert fault_of(engine="sglang") == "engine_not_modelled"


def test_aliases_identify_models_cards_and_formats() -> None:
    aliases = names(
        models={
            "my model": {
                "facts_id": "meta-llama/Llama-3.1-8B",
                "match": "same_shapes",
                "quant": "bf16",
                "overrides": {"vocab_size": 40_000, "max_position_embeddings": 16_384},
            },
            "open": {"facts_id": None, "candidate": "meta-llama/Llama-3.1-8B"},
        },
        gpus={"odd card": {"gpu_id": "80-gib"}},
        records={"two": {"facts_id": "Qwen/Qwen3.5-4B", "quant": "awq4_g128"}},
    )
    found = resolve(record(model="my model", gpu="odd card"), Shelf(), aliases)
    assert isinstance(found, Question)
    model = found.readings[0].model
    assert model.tensors[0].shape == (40_000, 4096)
    assert model.max_position_tokens == 16_384
    assert found.weights_known
    assert found.readings[0].gpu.id == "80-gib"
    by_record = resolve(record(id="two", model=None), Shelf(), aliases)
    assert isinstance(by_record, Question)
    assert by_record.readings[0].precision.weights.bits == 4
    assert fault_of(aliases, model="open") == "model_not_certain"


def test_another_model_of_the_same_shapes_accepts_the_length_it_was_started_with() -> None:
    flags = {"gpu_memory_utilization": 0.9, "max_model_len": 262_144}
    for match, longest in (("same_shapes", 262_144), ("same_model", 131_072)):
        entry = {"facts_id": "meta-llama/Llama-3.1-8B", "match": match, "quant": "bf16"}
        found = resolve(record(flags=flags), Shelf(), names(records={"one": entry}))
        assert isinstance(found, Question)
        assert found.readings[0].model.max_position_tokens == longest


def test_a_weight_format_that_nobody_is_sure_of_leaves_weights_open() -> None:
    sure = {"facts_id": "meta-llama/Llama-3.1-8B", "quant": None}
    found = resolve(record(), Shelf(), names(records={"one": sure}))
    assert isinstance(found, Question)
    assert not found.weights_known
    assert not found.complete
    vision = {"facts_id": "meta-llama/Llama-3.1-8B", "quant": "bf16", "note": "weights not usable"}
    found = resolve(record(), Shelf(), names(records={"one": vision}))
    assert isinstance(found, Question)
    assert not found.weights_known


def test_16_bits_are_taken_only_where_a_whole_repository_is_named() -> None:
    assert question(weight_format=None, weight_dtype=None).weights_known
    bare = question(model="Llama-3.1-8B", weight_format=None, weight_dtype=None)
    assert not bare.weights_known
    assert not question(weight_format="auto_round int4").weights_known


def test_tensor_parallelism_is_certain_for_one_card_only() -> None:
    assert question(deployment={"tp": None}).readings[0].deployment.tp == 1
    assert fault_of(deployment={}, gpus=2) == "deployment_not_stated"
    assert fault_of(deployment={}, gpus=None) == "deployment_not_stated"
    four = question(deployment={"tp": 4}, gpus=4, flags={"enable_expert_parallel": True})
    assert (four.readings[0].deployment.tp, four.readings[0].deployment.ep) == (4, 4)


def test_what_a_record_leaves_open_becomes_readings() -> None:
    open_release = question(release="0.11-ish")
    assert not open_release.release_known
    assert len({reading.engine.release for reading in open_release.readings}) > 3
    assert not open_release.complete
    open_card = question(gpu="24 GB-class GPU", gpu_total_gib=None)
    assert not open_card.card_known
    assert len(open_card.readings) == 2
    open_kv = question(model="x/Llama-3.1-8B-NVFP4", weight_format="nvfp4")
    assert {reading.precision.kv.id for reading in open_kv.readings} == {"bf16", "fp8"}
    assert fault_of(kv_dtype="quantised") == "kv_format_unknown"


def test_a_total_denies_the_card_that_a_text_names() -> None:
    assert question(gpu="some H100", gpu_total_gib=79.19).readings[0].gpu.id == "80-gib"
    assert question(gpu="H100 class", gpu_total_gib=139.72).readings[0].gpu.id == "unnamed"


def test_utilisation_may_come_from_what_was_requested() -> None:
    found = question(flags={"max_model_len": 8192}, measured={"requested_gib": 71.271})
    assert engine_of(found).gpu_memory_utilization == pytest.approx(0.9)
    assert not question(flags={"max_model_len": 8192}).budget_known


def test_the_length_may_come_from_the_line_about_concurrency() -> None:
    found = question(
        flags={"gpu_memory_utilization": 0.9}, measured={"max_concurrency_tokens": 4096}
    )
    assert engine_of(found).max_model_len == 4096
    assert found.complete


def test_hybrids_need_the_prefix_flag_and_ignore_the_block_size() -> None:
    assert attention_of(HYBRID) == "hybrid"
    assert attention_of(WINDOWED) == "windowed"
    flags = {"gpu_memory_utilization": 0.9, "max_model_len": 8192, "block_size": 544}
    assert not question(model="Qwen/Qwen3.5-4B", flags=flags).complete
    stated = question(model="Qwen/Qwen3.5-4B", flags=flags | {"enable_prefix_caching": True})
    assert stated.complete
    assert engine_of(stated).block_tokens is None
    assert engine_of(question(flags=flags)).block_tokens == 544


def test_draft_models() -> None:
    flags = {"gpu_memory_utilization": 0.9, "max_model_len": 8192}
    assert not question(flags=flags | {"spec_decode": "MTP 3"}).draft_known
    assert not question(flags=flags | {"spec_decode": True}).draft_known
    assert question(flags=flags | {"spec_decode": False}).draft_known


def test_eras() -> None:
    assert question(release="0.6.4", core="V0").era == "v0"
    assert question(release="0.9.2").era == "0.8-0.9"
    assert question(release="0.16.0").era == "0.10-0.16"
    assert question(release="0.31.0").era == "0.20+"
    assert question(release=None).era is None
