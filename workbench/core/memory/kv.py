"""Bytes that one token adds to the KV cache of a rank."""

from __future__ import annotations

from workbench.core.memory.shares import kv_heads_on_rank
from workbench.spec.formats import KvFormat
from workbench.spec.layers import FullAttention
from workbench.spec.ledger import Evidence, Formula, Source, Term, Unit
from workbench.spec.scenario import Scenario


def vector_bytes(elements: int, bits: int, head_scale_bytes: int, kv_format: KvFormat) -> int:
    """Bytes of one cached key or value vector of a head, scales included."""
    size = -(-elements * bits // 8) + head_scale_bytes
    if kv_format.group_elements:
        size += -(-elements // kv_format.group_elements) * kv_format.group_scale_bytes
    return size


def head_bytes(attention: FullAttention, kv_format: KvFormat) -> int:
    """Bytes that a token adds for one KV head of one layer: its key and its value."""
    key = vector_bytes(
        attention.head_dim, kv_format.k_bits, kv_format.k_head_scale_bytes, kv_format
    )
    if attention.values_are_keys:
        return key
    value = vector_bytes(
        attention.value_dim, kv_format.v_bits, kv_format.v_head_scale_bytes, kv_format
    )
    multiple = kv_format.slot_multiple_bytes or 1
    return -(-(key + value) // multiple) * multiple


def layer_bytes_per_token(attention: FullAttention, kv_format: KvFormat, tp: int) -> int:
    """Bytes that a token adds for one layer on one rank."""
    return kv_heads_on_rank(attention.kv_heads, tp) * head_bytes(attention, kv_format)


def kv_bytes_per_token_formula(
    scenario: Scenario, attention: FullAttention, layers: int
) -> tuple[int, Formula]:
    """KV bytes per token and rank of `layers` equal layers, as 2 · N · H_kv · d · b.

    Source: founding note 002; the factor two is one key and one value.
    """
    kv_format, tp = scenario.precision.kv, scenario.deployment.tp
    model = Source("model", scenario.model.id)
    kv_heads = kv_heads_on_rank(attention.kv_heads, tp)
    total = layers * kv_heads * head_bytes(attention, kv_format)
    layers_term = Term("layers", layers, "count", Evidence.GIVEN, model, "model.layers")
    heads_term = _kv_heads_term(attention, tp, kv_heads, model)
    if _is_the_plain_product(attention, kv_format):
        terms = (
            layers_term,
            heads_term,
            Term("head_dim", attention.head_dim, "count", Evidence.GIVEN, model, "model.head_dim"),
            Term(
                "element_bytes",
                kv_format.k_bits // 8,
                "count",
                Evidence.GIVEN,
                Source("kv_format", kv_format.id),
                "precision.kv",
            ),
        )
        return total, Formula("2 × {layers} × {kv_heads} × {head_dim} × {element_bytes}", terms)
    head = Term(
        "kv_head_bytes",
        head_bytes(attention, kv_format),
        "bytes",
        Evidence.COMPUTED,
        Source("kv_format", kv_format.id),
        "precision.kv",
        _head_formula(attention, kv_format),
    )
    return total, Formula(
        "{layers} × {kv_heads} × {kv_head_bytes}", (layers_term, heads_term, head)
    )


def _is_the_plain_product(attention: FullAttention, kv_format: KvFormat) -> bool:
    """Whether keys and values are alike, in whole bytes, without scales per token."""
    return (
        not attention.values_are_keys
        and attention.value_dim == attention.head_dim
        and kv_format.k_bits == kv_format.v_bits
        and kv_format.k_bits % 8 == 0
        and kv_format.k_head_scale_bytes == kv_format.v_head_scale_bytes == 0
        and kv_format.group_elements is None
        and kv_format.slot_multiple_bytes is None
    )


def _kv_heads_term(attention: FullAttention, tp: int, on_rank: int, model: Source) -> Term:
    if tp == 1:
        return Term("kv_heads", on_rank, "count", Evidence.GIVEN, model, "model.kv_heads")
    terms = (
        Term(
            "model_kv_heads", attention.kv_heads, "count", Evidence.GIVEN, model, "model.kv_heads"
        ),
        Term("tp", tp, "count", Evidence.GIVEN, Source("typed"), "deployment.tp"),
    )
    formula = Formula("max(1, ⌈{model_kv_heads} ÷ {tp}⌉)", terms)
    return Term("kv_heads", on_rank, "count", Evidence.COMPUTED, model, "deployment.tp", formula)


def _head_formula(attention: FullAttention, kv_format: KvFormat) -> Formula:
    """Key vector + value vector of one head."""
    key = _vector_term(
        "key", attention.head_dim, kv_format.k_bits, kv_format.k_head_scale_bytes, kv_format
    )
    if attention.values_are_keys:
        return Formula("{key_bytes}", (key,))
    value = _vector_term(
        "value", attention.value_dim, kv_format.v_bits, kv_format.v_head_scale_bytes, kv_format
    )
    if kv_format.slot_multiple_bytes is not None:
        multiple = Term(
            "slot_multiple_bytes",
            kv_format.slot_multiple_bytes,
            "bytes",
            Evidence.GIVEN,
            Source("kv_format", kv_format.id),
            "precision.kv",
        )
        rounded = "⌈({key_bytes} + {value_bytes}) ÷ {slot_multiple_bytes}⌉ × {slot_multiple_bytes}"
        return Formula(rounded, (key, value, multiple))
    return Formula("{key_bytes} + {value_bytes}", (key, value))


def _vector_term(
    name: str, elements: int, bits: int, head_scale_bytes: int, kv_format: KvFormat
) -> Term:
    """One vector: its elements in whole bytes, a scale of its own, a scale for each group."""
    source = Source("kv_format", kv_format.id)

    def given(symbol: str, value: int, unit: Unit = "count") -> Term:
        return Term(symbol, value, unit, Evidence.GIVEN, source, "precision.kv")

    terms = [given("elements", elements), given("bits", bits)]
    expression = "⌈{elements} × {bits} ÷ 8⌉"
    if head_scale_bytes:
        terms.append(given("head_scale_bytes", head_scale_bytes, "bytes"))
        expression += " + {head_scale_bytes}"
    if kv_format.group_elements:
        terms.append(given("group_elements", kv_format.group_elements))
        terms.append(given("group_scale_bytes", kv_format.group_scale_bytes, "bytes"))
        expression += " + ⌈{elements} ÷ {group_elements}⌉ × {group_scale_bytes}"
    size = vector_bytes(elements, bits, head_scale_bytes, kv_format)
    formula = Formula(expression, tuple(terms))
    return Term(f"{name}_bytes", size, "bytes", Evidence.COMPUTED, source, "precision.kv", formula)
