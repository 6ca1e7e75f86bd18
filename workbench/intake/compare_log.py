"""One record against its prediction: the figures that the record states well enough to compare.

From flags alone: weights, activation, non-torch memory, graphs, pool, tokens, concurrency. From
the pool that the log printed: the arithmetic of blocks and tokens alone (`…_from_pool`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from workbench.core.accuracy import Pair, Start
from workbench.core.prediction import Banded, Prediction
from workbench.intake.engine_logs import LogRecord, Printed
from workbench.intake.resolve import Question
from workbench.spec.scenario import Scenario
from workbench.spec.units import GIB
from workbench.spec.vllm import VllmEngine, VllmMeasured

Predict = Callable[[Scenario], Prediction]

UNFITTED_ERAS: Final = frozenset({"0.20+"})
"""Releases for which too few logs exist to fit an activation model (vllm.md appendix B)."""
AGREEMENT: Final = 1e-3
"""Readings that differ by less than this share are one: what is left open does not matter."""
_SHORT_TOKENS: Final = 4096
"""A length of whole blocks, whatever their size."""
_NO_RULE: Final = "unsupported"
"""Category where our rules end, not the engine's: no refusal that could be foreseen."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """All that one record can be compared on."""

    pairs: tuple[Pair, ...] = ()
    extrapolated: tuple[Pair, ...] = ()
    """End-to-end figures of releases without a fitted activation model."""
    end_to_end: Start | None = None
    from_pool: Start | None = None


def compare(question: Question, predict: Predict) -> Comparison:
    """Compare a record with what is predicted for it."""
    record = question.record
    predictions = _possible(predict(reading) for reading in question.readings)
    pairs = (*_parts(question, predictions), *_from_pool(question, predict))
    ends = tuple(_end_to_end(question, predict))
    unfitted = question.era in UNFITTED_ERAS
    whole = _is_whole(question)
    return Comparison(
        pairs=pairs if unfitted else pairs + ends,
        extrapolated=ends if unfitted else (),
        end_to_end=_start(record, predictions) if whole and _length_stated(record) else None,
        from_pool=_pool_start(question, predict),
    )


def _possible(predictions: Iterable[Prediction]) -> tuple[Prediction, ...]:
    """The predictions of releases that can plan the model at all: it ran on one of them."""
    found = tuple(predictions)
    return tuple(p for p in found if p.refusal != _NO_RULE) or found


def _is_whole(question: Question) -> bool:
    """Whether everything that the pool hangs on is known."""
    return (
        len(question.readings) == 1
        and question.release_known
        and question.weights_known
        and question.budget_known
        and question.draft_known
        and question.runs_sampler
    )


# The parts of the budget


def _parts(question: Question, predictions: tuple[Prediction, ...]) -> Iterator[Pair]:
    record = question.record
    if question.weights_known and question.draft_known:
        yield from _gib(record, "weights_gib", [p.weights for p in predictions])
    if not (question.release_known and question.card_known and question.draft_known):
        return
    if question.runs_sampler:
        activations = [_printed_activation(record, p) for p in predictions]
        yield from _gib(record, "activation_peak_gib", activations)
    yield from _gib(record, "non_torch_gib", [p.non_torch for p in predictions])
    if not record.flag("enforce_eager"):
        estimated = any(p.graphs_charged for p in predictions)
        field = "cudagraph_estimated_gib" if estimated else "cudagraph_gib"
        yield from _gib(record, field, [p.graphs for p in predictions])


def _printed_activation(record: LogRecord, prediction: Prediction) -> Banded | None:
    """The activation peak as printed: with the "consumed" wording it holds the graphs' estimate.

    vllm-logs.md section 2.
    """
    activation, graphs = prediction.activation, prediction.graphs
    consumed = record.printed("consumed_weights_plus_nontorch_gib")
    if activation is None or graphs is None or consumed is None or not prediction.graphs_charged:
        return activation
    low = _added(activation.low_bytes, graphs.low_bytes)
    high = _added(activation.high_bytes, graphs.high_bytes)
    return Banded(activation.bytes + graphs.bytes, low, high)


def _added(one: int | None, other: int | None) -> int | None:
    return None if one is None or other is None else one + other


def _gib(record: LogRecord, field: str, readings: list[Banded | None]) -> Iterator[Pair]:
    """Pair a printed size with its prediction where all readings agree on it."""
    printed = record.printed(field)
    known = [reading for reading in readings if reading is not None]
    if printed is None or not known or len(known) < len(readings):
        return
    sizes = [reading.bytes / GIB for reading in known]
    if not _agree(sizes):
        return
    chosen = known[len(known) // 2]
    yield Pair(
        id=record.id,
        field=field,
        predicted=chosen.bytes / GIB,
        measured=printed.value,
        low=None if chosen.low_bytes is None else chosen.low_bytes / GIB,
        high=None if chosen.high_bytes is None else chosen.high_bytes / GIB,
        reach_low=min(sizes),
        reach_high=max(sizes),
        half_unit=printed.half_unit,
    )


def _agree(values: list[float]) -> bool:
    return max(values) - min(values) <= AGREEMENT * max(abs(value) for value in values)


# From flags alone


def _end_to_end(question: Question, predict: Predict) -> Iterator[Pair]:
    """Pool, tokens and concurrency from the flags; the printed total is known to its rounding."""
    if not _is_whole(question):
        return
    record, scenario = question.record, question.readings[0]
    total = record.gpu_total_gib
    steps = (0.0,) if total is None else (0.0, -total.half_unit, total.half_unit)
    reached = [predict(_with_total(scenario, step)) for step in steps]
    figures: dict[str, list[float | None]] = {
        "kv_available_gib": [p.available.bytes / GIB if p.available else None for p in reached],
        "max_concurrency_x": [p.concurrency for p in reached],
        "kv_tokens": [None if p.tokens is None else float(p.tokens) for p in reached],
    }
    for field, values in figures.items():
        band = reached[0].available if field == "kv_available_gib" else None
        yield from _pair(record, field, field, values, band)


def _with_total(scenario: Scenario, step_gib: float) -> Scenario:
    if step_gib == 0.0:
        return scenario
    card = scenario.gpu
    total_bytes = card.device_total_bytes + round(step_gib * GIB)
    return scenario.with_(gpu=card.with_(device_total_bytes=max(1, total_bytes)))


def _pair(
    record: LogRecord,
    field: str,
    printed_as: str,
    values: list[float | None],
    band: Banded | None = None,
) -> Iterator[Pair]:
    """Pair a printed figure; the first value is the prediction, all are within reach."""
    printed = record.printed(printed_as)
    known = [value for value in values if value is not None]
    if printed is None or not known or len(known) < len(values):
        return
    low = high = None
    if band is not None and band.low_bytes is not None and band.high_bytes is not None:
        low, high = band.low_bytes / GIB, band.high_bytes / GIB
    yield Pair(
        id=record.id,
        field=field,
        predicted=known[0],
        measured=printed.value,
        low=low,
        high=high,
        reach_low=min(known),
        reach_high=max(known),
        half_unit=printed.half_unit,
    )


# From the pool that the log printed


def _from_pool(question: Question, predict: Predict) -> Iterator[Pair]:
    record = question.record
    pool = record.printed("kv_available_gib")
    if pool is None or pool.value <= 0 or not question.draft_known:
        return
    fields = (
        ("kv_tokens_from_pool", "kv_tokens"),
        ("n_gpu_blocks_from_pool", "n_gpu_blocks"),
        ("max_concurrency_x_from_pool", "max_concurrency_x"),
    )
    if not any(record.printed(printed_as) for _, printed_as in fields):
        return
    steps = (0.0, -pool.half_unit, pool.half_unit)
    scenarios = [_of_any_length(question, scenario) for scenario in question.readings]
    reached = [[predict(_with_pool(s, pool, step)) for step in steps] for s in scenarios]
    reached = [reading for reading in reached if reading[0].refusal != _NO_RULE]
    for field, printed_as in fields:
        if printed_as == "max_concurrency_x" and not _length_stated(record):
            continue
        if printed_as == "kv_tokens" and _hangs_on_length(question):
            continue
        readings = [[_count(field, p) for p in reading] for reading in reached]
        middles = [reading[0] for reading in readings if reading[0] is not None]
        if not middles or len(middles) < len(readings) or not _agree(middles):
            continue
        # The reading in the middle first, then all that is within reach of the others.
        chosen = readings[len(readings) // 2]
        rest = [value for reading in readings for value in reading]
        yield from _pair(record, field, printed_as, [*chosen, *rest])


def _of_any_length(question: Question, scenario: Scenario) -> Scenario:
    """The same start with a length that is accepted, where it is not stated and changes nothing.

    The longest request by default may be more than the pool holds: whoever started it has set
    another. Tokens of a pool of equal layers do not depend on it.
    """
    if question.attention != "uniform" or _length_stated(question.record):
        return scenario
    return scenario.with_(engine=scenario.engine.with_(max_model_len=_SHORT_TOKENS))


def _hangs_on_length(question: Question) -> bool:
    """Whether the token count is that of requests of a length which nobody states.

    Such releases print concurrency × length, which for windows and states grows with the length.
    """
    if question.attention == "uniform" or _length_stated(question.record):
        return False
    engines = [scenario.engine for scenario in question.readings]
    return any(isinstance(e, VllmEngine) and e.rules.tokens == "request" for e in engines)


def _length_stated(record: LogRecord) -> bool:
    return record.printed("max_concurrency_tokens") is not None or bool(
        record.flag("max_model_len")
    )


def _count(field: str, prediction: Prediction) -> float | None:
    if field == "kv_tokens_from_pool":
        return None if prediction.tokens is None else float(prediction.tokens)
    if field == "n_gpu_blocks_from_pool":
        return None if prediction.blocks is None else float(prediction.blocks)
    return prediction.concurrency


def _with_pool(scenario: Scenario, pool: Printed, step_gib: float = 0.0) -> Scenario:
    """The same start with the pool given as printed."""
    size_bytes = max(0, round((pool.value + step_gib) * GIB))
    measured = VllmMeasured(available_kv_bytes=size_bytes, source="start-up log")
    return scenario.with_(engine=scenario.engine.with_(measured=measured))


# Refusals


def _start(record: LogRecord, predictions: tuple[Prediction, ...]) -> Start | None:
    """Whether the start was refused; None where the readings do not agree on it."""
    if any(prediction.refusal == _NO_RULE for prediction in predictions):
        return None
    foreseen = {prediction.refusal is not None for prediction in predictions}
    if len(foreseen) != 1:
        return None
    return Start(record.id, record.refused, foreseen.pop())


def _pool_start(question: Question, predict: Predict) -> Start | None:
    record = question.record
    pool = record.printed("kv_available_gib")
    if pool is None or not question.draft_known:
        return None
    # Without a pool every length is refused; else an unstated one may have been set to fit.
    if pool.value > 0 and not _length_stated(record):
        return None
    readings = (_with_pool(scenario, pool) for scenario in question.readings)
    return _start(record, _possible(predict(reading) for reading in readings))
