"""The flags of every engine as the form, the command line and comparisons see them."""

from __future__ import annotations

import pytest

from workbench.spec import words
from workbench.spec.engine import ENGINE_CLASSES, ENGINE_NAMES
from workbench.spec.engine_fields import DECLARED
from workbench.spec.engine_flags import DEFAULT, flags_of, measured_sizes
from workbench.spec.fields import FIELDS

EVERY = pytest.mark.parametrize("kind", ENGINE_CLASSES)


def flag(kind: str, name: str):
    return next(flag for flag in flags_of(ENGINE_CLASSES[kind]) if flag.name == name)


@EVERY
def test_every_flag_has_a_name_and_every_quantity_a_field(kind: str):
    for one in flags_of(ENGINE_CLASSES[kind]):
        assert one.id in words.FIELDS or one.id in words.INPUT_NAMES, one
        assert (one.id in FIELDS) == one.is_quantity
        if one.is_quantity:
            assert FIELDS[one.id].kind == one.kind
    for name in measured_sizes(ENGINE_CLASSES[kind]):
        assert f"engine.measured_{name}" in FIELDS
        assert f"engine.measured_{name}" in words.FIELDS
    assert kind == "plain" or kind in ENGINE_NAMES
    assert words.ENGINE_RULES[kind]
    assert ENGINE_CLASSES[kind].model_fields["kind"].default == kind


def test_the_plain_engine_needs_no_class_of_another_for_its_fields():
    quantities = {one.id for one in flags_of(ENGINE_CLASSES["plain"]) if one.is_quantity}
    assert quantities <= {field.id for field in DECLARED}


@pytest.mark.parametrize(
    ("kind", "name", "found"),
    [
        ("vllm", "gpu_memory_utilization", "share"),
        ("vllm", "max_model_len", "tokens"),
        ("vllm", "max_num_seqs", "count"),
        ("vllm", "kv_cache_memory_bytes", "bytes"),
        ("vllm", "max_cudagraph_capture_size", "count"),
        ("vllm", "speculative_tokens", "count"),
        ("vllm", "attention_block_tokens", "list"),
        ("plain", "activation_reserve", "amount"),
        ("sglang", "chunked_prefill_size", "tokens"),
        ("sglang", "mamba_full_memory_ratio", "number"),
        ("sglang", "max_mamba_cache_size", "count"),
        ("llamacpp", "tensor_split", "list"),
        ("llamacpp", "ctx_size", "tokens"),
        ("llamacpp", "batch_size", "tokens"),
    ],
)
def test_a_flag_is_what_its_declaration_says(kind: str, name: str, found: str):
    assert flag(kind, name).kind == found


def test_the_first_code_of_a_choice_is_the_untouched_one():
    for engine_class in ENGINE_CLASSES.values():
        for one in flags_of(engine_class):
            if one.kind == "choice":
                first = next(iter(one.values.values()))
                assert first == engine_class.model_fields[one.name].default, one
                assert (DEFAULT in one.values) == one.optional
