"""How the engine fits context and layers to the memory that is free (llama.cpp `common/fit.cpp`).

1. Nothing changes where every card keeps the margin free.
2. Without `-c` the context shrinks, by linear interpolation, down to a smallest one.
3. Without `-ngl` and `-ts` whole layers stay on the host: of a model with experts first those
   of as many layers as it takes, from the first on, then whole layers.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

from workbench.core.engines.llamacpp.inputs import Inputs, inputs_of
from workbench.core.engines.llamacpp.start import Start, start_with
from workbench.spec.deployment import Deployment
from workbench.spec.formats import Precision
from workbench.spec.gpu import GpuSpec
from workbench.spec.llamacpp import LlamacppEngine
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import Scenario

_CELLS: Final = 256


def start_of(scenario: Scenario) -> Start | str:
    """Return the start of a scenario, fitted where the flags ask for it.

    A text names what the engine has no rule for. Requests change nothing of a start.
    """
    engine = scenario.engine
    assert isinstance(engine, LlamacppEngine)
    return _start(engine, scenario.model, scenario.precision, scenario.deployment, scenario.gpu)


@lru_cache(maxsize=64)
def _start(
    engine: LlamacppEngine,
    model: ModelSpec,
    precision: Precision,
    deployment: Deployment,
    gpu: GpuSpec,
) -> Start | str:
    inputs = inputs_of(engine, model, precision, deployment, gpu)
    return inputs if isinstance(inputs, str) else fitted(inputs)


def fitted(inputs: Inputs) -> Start:
    """Return the start that the engine would choose; the flags as given where it does not fit."""
    flags, layers = inputs.flags, inputs.model.layer_count
    asked = layers + 1 if flags.gpu_layers is None else flags.gpu_layers
    start = start_with(inputs, flags.context_tokens, asked, flags.cpu_moe_layers)
    if not flags.fit or _keeps_margin(start):
        return start
    tokens = flags.context_tokens
    if not flags.context_given:
        tokens = _shorter(inputs, start, asked)
        start = start_with(inputs, tokens, asked, flags.cpu_moe_layers)
        if _keeps_margin(start):
            return start
    placed_by_hand = (
        inputs.engine.gpu_layers is not None
        or inputs.engine.tensor_split is not None
        or inputs.engine.cpu_moe_layers is not None
    )
    if placed_by_hand:
        # The engine gives up fitting and goes on with the flags as they are.
        return start_with(inputs, flags.context_tokens, asked, flags.cpu_moe_layers)
    if inputs.weights.expert_sums[-1]:
        without = start_with(inputs, tokens, asked, layers)
        if _keeps_margin(without):
            return _fewest(layers, lambda kept: start_with(inputs, tokens, asked, kept))
        return _fewest(asked, lambda left: start_with(inputs, tokens, asked - left, layers))
    return _fewest(asked, lambda left: start_with(inputs, tokens, asked - left, 0))


def _free_bytes(inputs: Inputs) -> int:
    """Free on a card before the engine loads anything."""
    overhead = inputs.engine.gpu_overhead_bytes or 0
    return inputs.card_bytes - inputs.context_bytes - overhead


def _keeps_margin(start: Start) -> bool:
    """Whether every card keeps the margin free."""
    free, margin = _free_bytes(start.inputs), start.inputs.flags.fit_margin_bytes
    return all(start.used_bytes(card) + margin <= free for card in start.cards)


def _shorter(inputs: Inputs, start: Start, asked: int) -> int:
    """The context between the shortest and the model's own that all cards together hold."""
    flags, streams = inputs.flags, start.context.streams
    shortest = flags.fit_context_tokens * streams
    longest = flags.context_tokens
    if longest <= shortest:
        return longest
    least = start_with(inputs, shortest, asked, flags.cpu_moe_layers)
    most_bytes = sum(start.used_bytes(card) for card in start.cards)
    least_bytes = sum(least.used_bytes(card) for card in least.cards)
    cards = len(start.cards)
    room = cards * (_free_bytes(inputs) - flags.fit_margin_bytes)
    if cards > 1:
        room -= _spare_bytes(inputs, cards)
    if most_bytes <= least_bytes or room <= least_bytes:
        return shortest
    grown = (longest - shortest) * (room - least_bytes) // (most_bytes - least_bytes)
    step = _CELLS * streams
    return max(shortest, min(longest, (shortest + grown) // step * step))


def _spare_bytes(inputs: Inputs, cards: int) -> int:
    """Room for whole layers that do not divide: half a layer, or a sixth of one with experts."""
    weights, layers = inputs.weights, inputs.model.layer_count
    whole = weights.layer_sums[-1] + weights.expert_sums[-1]
    parts = 6 if weights.expert_sums[-1] else 2
    return (cards + 1) * (whole // layers) // parts


def _fewest(most: int, at: Callable[[int], Start]) -> Start:
    """The start with the fewest layers left on the host that keeps the margin."""
    low, high = 0, most
    while low < high:
        middle = (low + high) // 2
        if _keeps_margin(at(middle)):
            high = middle
        else:
            low = middle + 1
    return at(low)
