"""Rules of thumb for what no formula gives: what is outside torch, activations of a step.

Both are for engines whose start-up logs nothing has been fitted to; their bands reach from half to
twice the figure.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from workbench.core.memory.shares import Stage
from workbench.spec.ledger import Entry, EntryKind, Evidence, Formula, Source, Term
from workbench.spec.model import LayerRun, ModelSpec
from workbench.spec.scenario import Scenario
from workbench.spec.units import MIB

_ALONE_BYTES: Final = 600 * MIB
"""Outside torch on one rank: driver context, handles, graphs (vLLM's logs of one card)."""
_SHARED_BYTES: Final = 2560 * MIB
"""The same where ranks talk to each other: NCCL channels and all-reduce buffers beside it."""
_ELEMENT_BYTES: Final = {"fp32": 4, "float32": 4}
_INTERMEDIATES: Final = 3
"""Gate, up and their product."""
_HIDDENS: Final = 2
"""Rows of a layer's input that are routed, and of its output."""


class _Width(NamedTuple):
    """Elements that one token has alive in a layer, with their expression."""

    elements: int
    expression: str
    terms: tuple[Term, ...]


def outside_torch(scenario: Scenario) -> Entry:
    """What a rank holds outside torch or the engine, in bytes: context, communication, graphs."""
    size = _ALONE_BYTES if scenario.deployment.ranks == 1 else _SHARED_BYTES
    source = Source("rule_of_thumb", "as vLLM's logs of the same cards show")
    term = Term("outside_bytes", size, "bytes", Evidence.ASSUMED, source)
    formula = Formula("{outside_bytes}", (term,))
    return _assumed(EntryKind.RUNTIME, "non_torch", size, formula, source)


def step_activations(
    scenario: Scenario, stage: Stage, batch: Term, *, in_budget: bool = True
) -> Entry | None:
    """Intermediates of one layer for a step of `batch` tokens, in bytes; None for unknown widths.

    The widest layer of the stage decides: layers take turns with the same memory.
    """
    width = _widest_layer(scenario.model, stage.runs, scenario.deployment.tp)
    if width is None:
        return None
    element = _ELEMENT_BYTES.get(scenario.precision.activation_dtype, 2)
    size = int(str(batch.value)) * width.elements * element
    bytes_of_element = Term(
        "element_bytes", element, "count", Evidence.GIVEN, Source("activation_dtype")
    )
    formula = Formula(
        f"{{{batch.symbol}}} × ({width.expression}) × {{element_bytes}}",
        (batch, *width.terms, bytes_of_element),
    )
    source = Source("rule_of_thumb", "one layer's intermediates")
    return _assumed(EntryKind.ACTIVATIONS, "activations", size, formula, source, in_budget)


def _assumed(
    kind: EntryKind,
    label: str,
    size: int,
    formula: Formula,
    source: Source,
    in_budget: bool = True,
) -> Entry:
    low, high = size // 2, 2 * size
    return Entry(kind, label, size, Evidence.ASSUMED, formula, source, low, high, in_budget)


@lru_cache(maxsize=256)
def _widest_layer(model: ModelSpec, runs: tuple[LayerRun, ...], tp: int) -> _Width | None:
    if model.hidden_size is None:
        return None
    found = (_layer_width(model, model.hidden_size, run, tp) for run in runs)
    known = [width for width in found if width is not None]
    return max(known, key=lambda width: width.elements, default=None)


def _layer_width(model: ModelSpec, hidden: int, run: LayerRun, tp: int) -> _Width | None:
    source = Source("model", model.id)

    def given(symbol: str, value: int, field: str | None = None) -> Term:
        return Term(symbol, value, "count", Evidence.GIVEN, source, field)

    moe = model.moe if run.ffn in ("moe", "dense+moe") else None
    wide = run.intermediate_size or model.intermediate_size
    if moe is not None:
        wide = moe.expert_intermediate_size
    if wide is None:
        return None
    each = -(-wide // tp)
    elements = _HIDDENS * hidden + _INTERMEDIATES * each
    expression = "2 × {hidden_size} + 3 × {intermediate_on_rank}"
    terms = (
        given("hidden_size", hidden),
        given("intermediate_on_rank", each, "deployment.tp"),
    )
    if moe is None:
        return _Width(elements, expression, terms)
    rows = given("experts_per_token", moe.experts_per_token)
    return _Width(
        moe.experts_per_token * elements,
        f"{{experts_per_token}} × ({expression})",
        (rows, *terms),
    )
