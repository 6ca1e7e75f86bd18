"""SGLang's start-up logs: a record's question, and what is compared with it.

From the memory that the log printed: tokens of the pool (`kv_tokens_from_pool`), exact but for the
log's rounding on one card; on several the log shows rank 0 and the engine takes the least of all.
From flags alone: weights, free memory before the load, graphs, pool and tokens.
Flags in these records are those the engine resolved, so a stated fraction is final.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from typing import Any, Final, get_args

from workbench.core.accuracy import Pair, Start
from workbench.core.engines.sglang.plan import Plan, plan_of
from workbench.core.prediction import Prediction
from workbench.intake.aliases import Aliases
from workbench.intake.catalogue import Catalogue
from workbench.intake.compare_log import AGREEMENT, Comparison, Predict
from workbench.intake.engine_logs import Fault, LogRecord, Printed, Unreadable
from workbench.intake.log_flags import deployment_of
from workbench.intake.log_formats import activation_dtype_of, kv_formats_of, weight_format_of
from workbench.intake.log_names import release_of
from workbench.intake.resolve import Question, asked, attention_of, cards_of, model_of
from workbench.spec.formats import Precision
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import Scenario
from workbench.spec.sglang import Backend, SglangMeasured
from workbench.spec.units import GIB
from workbench.spec.workload import ConstantLength, Workload

_BEGIN: Final = "load_weight_begin_avail_mem_gib"
_END: Final = "load_weight_end_avail_mem_gib"
_READINGS: Final = ("0.4.3", "0.4.6", "0.4.9", "0.5.2", "0.5.5", "0.5.10", "0.5.23")
"""One release for each set of rules, where a record leaves it open."""


# The question


def resolve(record: LogRecord, catalogue: Catalogue, aliases: Aliases | None) -> Question | Fault:
    """Return the question of a record of SGLang, or why there is none."""
    return asked(record, lambda: _question(record, catalogue, aliases))


def _question(record: LogRecord, catalogue: Catalogue, aliases: Aliases | None) -> Question | Fault:
    record = _with_kv_flag(record)
    identity = None if aliases is None else aliases.identity(record)
    model = model_of(record, catalogue, identity)
    if isinstance(model, Fault):
        return model
    groups = _attention_groups(record)
    # Groups of DP attention lie inside TP: they are no copies of the model.
    deployment = deployment_of(dataclasses.replace(record, dp=1) if groups > 1 else record)
    if isinstance(deployment, Fault):
        return deployment
    release = release_of(record.release)
    cards, card_known = cards_of(record, catalogue, aliases)
    weights, weights_known = weight_format_of(record, catalogue, identity, model)
    kv_formats = kv_formats_of(record, catalogue, weights, model, cards)
    if not kv_formats:
        return Fault("kv_format_unknown", record.kv_dtype or "")
    flags = engine_flags(record) | {"dp_attention": groups}
    model = _reaching(model, flags["max_model_len"])
    releases = (release,) if release else _READINGS
    readings = tuple(
        Scenario(
            id="log",
            name="log",
            model=model,
            gpu=card,
            deployment=deployment,
            precision=Precision(
                weights=weights, kv=kv, activation_dtype=activation_dtype_of(record)
            ),
            engine=catalogue.engine("sglang", reading).with_(**flags),
            workload=Workload(lengths=ConstantLength(tokens=1)),
        )
        for reading in releases
        for card in cards
        for kv in kv_formats
    )
    budget_known = card_known and (
        flags["mem_fraction_static"] is not None or (release is not None and card_known)
    )
    return Question(
        record=record,
        readings=readings,
        attention=attention_of(model),
        era=None,
        release_known=release is not None,
        card_known=card_known,
        weights_known=weights_known,
        budget_known=budget_known,
        draft_known=record.flag("speculative_algorithm") in (None, "NGRAM"),
        runs_sampler=True,
        complete=False,
    )


def engine_flags(record: LogRecord) -> dict[str, Any]:
    """Return the launch flags under the names of the engine profile."""
    fraction = record.number_flag("mem_fraction_static")
    if fraction is not None and not 0 < fraction <= 1:
        raise Unreadable("flags.mem_fraction_static")
    backend = record.flag("attention_backend")
    known = backend if backend in get_args(Backend) else None
    if fraction is not None and known in (None, "aiter"):
        # The factor of AITER is part of what is printed.
        known = "triton" if known == "aiter" or _is_amd(record) else None
    chunk = record.number_flag("chunked_prefill_size")
    if chunk is not None and (chunk != int(chunk) or chunk < -1):
        raise Unreadable("flags.chunked_prefill_size")
    algorithm = record.flag("speculative_algorithm")
    if algorithm not in (None, "EAGLE", "EAGLE3", "NEXTN", "STANDALONE", "NGRAM"):
        algorithm = "EAGLE"
    return {
        "mem_fraction_static": fraction,
        "max_model_len": _context(record),
        "max_num_seqs": record.count_flag("max_running_requests"),
        "max_total_tokens": record.count_flag("max_total_tokens"),
        "block_tokens": record.count_flag("page_size"),
        "chunked_prefill_size": None if chunk is None else int(chunk),
        "max_prefill_tokens": record.count_flag("max_prefill_tokens"),
        "attention_backend": known,
        "disable_radix_cache": record.bool_flag("disable_radix_cache"),
        "disable_cuda_graph": record.bool_flag("disable_cuda_graph"),
        "cuda_graph_max_bs": record.count_flag("cuda_graph_max_bs"),
        "max_mamba_cache_size": record.count_flag("max_mamba_cache_size"),
        "speculative_algorithm": "EAGLE" if algorithm in ("EAGLE3", "NEXTN") else algorithm,
    }


def _is_amd(record: LogRecord) -> bool:
    return "amd" in (record.gpu or "").lower()


def _context(record: LogRecord) -> int | None:
    """The context that the engine resolved: the flag, else what it printed."""
    flag = record.count_flag("context_length")
    printed = record.printed("context_len")
    if flag is not None or printed is None:
        return flag
    if printed.value != int(printed.value) or printed.value < 1:
        raise Unreadable("measured.context_len")
    return int(printed.value)


def _reaching(model: ModelSpec, context: int | None) -> ModelSpec:
    """A model that takes the context it ran with: some configs of a name are edited."""
    if context is None or context <= (model.max_position_tokens or 0):
        return model
    return model.with_(max_position_tokens=context)


def _attention_groups(record: LogRecord) -> int:
    if not record.bool_flag("enable_dp_attention"):
        return 1
    return record.count_flag("dp_size") or record.dp or 1


def _with_kv_flag(record: LogRecord) -> LogRecord:
    """A KV type stands among the flags where the log states none beside them."""
    stated = record.flag("kv_cache_dtype")
    if record.kv_dtype is not None or not isinstance(stated, str):
        return record
    return dataclasses.replace(record, kv_dtype=stated)


# The comparison


def compare(question: Question, predict: Predict) -> Comparison:
    """Compare a record of SGLang with what is predicted for it."""
    pairs = (
        *_weights(question, predict),
        *_from_memory(question, predict),
        *_from_sizes(question, predict),
        *_end_to_end(question, predict),
    )
    return Comparison(
        pairs=pairs,
        end_to_end=_start_of_flags(question, predict),
        from_pool=_start_of_memory(question, predict),
    )


def _weights(question: Question, predict: Predict) -> Iterator[Pair]:
    record = question.record
    if not (question.weights_known and question.draft_known):
        return
    printed = record.printed("weights_mem_usage_gib") or _difference(record)
    if printed is None:
        return
    found = [p.weights.bytes / GIB for r in question.readings if (p := predict(r)).weights]
    if found and _agree(found):
        yield _pair(record, "weights_gib", [found[0]], printed)


def _difference(record: LogRecord) -> Printed | None:
    """Free before less free after the load."""
    begin, end = record.printed(_BEGIN), record.printed(_END)
    if begin is None or end is None:
        return None
    return Printed(begin.value - end.value, begin.half_unit + end.half_unit)


def _from_memory(question: Question, predict: Predict) -> Iterator[Pair]:
    """Tokens, and bytes of the pool, of the free memory that was printed."""
    record = question.record
    begin, end = record.printed(_BEGIN), record.printed(_END)
    if begin is None or end is None or not question.draft_known:
        return
    if record.flag("mem_fraction_static") is None and not question.release_known:
        return
    steps = (
        (0.0, 0.0),
        *((b * begin.half_unit, e * end.half_unit) for b in (-1, 1) for e in (-1, 1)),
    )
    reached = [
        [predict(_with_memory(reading, begin.value + b, end.value + e)) for b, e in steps]
        for reading in question.readings
    ]
    yield from _tokens(record, reached)
    yield from _pool_size(question, begin, end)


def _from_sizes(question: Question, predict: Predict) -> Iterator[Pair]:
    """Tokens of the pool as it was allocated, where its memory was not printed."""
    record = question.record
    if next(_from_memory(question, predict), None) is not None:
        return
    size = _kv_size(record)
    if size is None or not question.draft_known:
        return
    reached = [
        [
            predict(_with_pool(reading, size.value + step))
            for step in (0.0, -size.half_unit, size.half_unit)
        ]
        for reading in question.readings
    ]
    yield from _tokens(record, reached)


def _tokens(record: LogRecord, reached: list[list[Prediction]]) -> Iterator[Pair]:
    printed = record.printed("kv_tokens") or record.printed("max_total_num_tokens")
    if printed is None:
        return
    reached = [reading for reading in reached if reading[0].refusal != "unsupported"]
    middles = [float(reading[0].tokens or 0) for reading in reached]
    if not middles or not all(middles) or not _agree(middles):
        return
    chosen = reached[len(reached) // 2]
    rest = [float(p.tokens or 0) for reading in reached for p in reading]
    values = [float(chosen[0].tokens or 0), *rest]
    yield _pair(record, "kv_tokens_from_pool", values, printed)


def _pool_size(question: Question, begin: Printed, end: Printed) -> Iterator[Pair]:
    """Bytes of the pool, padding page included, against the sizes of keys and values."""
    record, size = question.record, _kv_size(question.record)
    if size is None or question.attention != "uniform":
        return
    found = [
        value
        for reading in question.readings
        if (value := _pool_gib(_with_memory(reading, begin.value, end.value))) is not None
    ]
    if found and _agree(found):
        yield _pair(record, "kv_size_gib_from_memory", [found[len(found) // 2]], size)


def _pool_gib(scenario: Scenario) -> float | None:
    plan = plan_of(scenario)
    if not isinstance(plan, Plan):
        return None
    stage = plan.stages[0]
    own = stage.cell.stored_bytes - stage.cell.draft_bytes
    return (plan.printed_tokens + plan.flags.block_tokens) * own / GIB


def _end_to_end(question: Question, predict: Predict) -> Iterator[Pair]:
    """What is predicted from flags alone: free memory before the load, graphs, pool, tokens."""
    record = question.record
    if not (question.card_known and question.release_known and len(question.readings) == 1):
        return
    reading = question.readings[0]
    plan = plan_of(reading)
    if not isinstance(plan, Plan):
        return
    before = record.printed(_BEGIN)
    if before is not None:
        free = reading.gpu.device_total_bytes - plan.stages[0].before.bytes
        yield _pair(record, "free_before_load_gib", [free / GIB], before)
    prediction = predict(reading)
    graphs = record.printed("cuda_graph_mem_usage_gib")
    if graphs is not None and prediction.graphs is not None:
        yield _pair(record, "cudagraph_gib", [prediction.graphs.bytes / GIB], graphs)
    if not (question.budget_known and question.weights_known and question.draft_known):
        return
    size = _kv_size(record)
    if size is not None and question.attention == "uniform":
        pool = _pool_gib(reading)
        if pool:
            yield _pair(record, "kv_available_gib", [pool], size)
    printed = record.printed("kv_tokens") or record.printed("max_total_num_tokens")
    if printed is not None and prediction.tokens:
        yield _pair(record, "kv_tokens", [float(prediction.tokens)], printed)


def _start_of_flags(question: Question, predict: Predict) -> Start | None:
    """Whether the start was refused, from flags alone; None where not all of them are known."""
    known = question.card_known and question.release_known and question.weights_known
    if not (known and question.budget_known and question.draft_known):
        return None
    return _start(question.record, question.readings, predict)


def _start_of_memory(question: Question, predict: Predict) -> Start | None:
    """Whether the start was refused, from the free memory that the log printed."""
    record = question.record
    begin, end = record.printed(_BEGIN), record.printed(_END)
    if begin is None or end is None or record.flag("mem_fraction_static") is None:
        return None
    readings = tuple(_with_memory(r, begin.value, end.value) for r in question.readings)
    return _start(record, readings, predict)


def _start(record: LogRecord, readings: tuple[Scenario, ...], predict: Predict) -> Start | None:
    refusals = {predict(reading).refusal for reading in readings}
    if "unsupported" in refusals or len({refusal is None for refusal in refusals}) != 1:
        return None
    return Start(record.id, record.refused, None not in refusals)


def _kv_size(record: LogRecord) -> Printed | None:
    """The pool of a rank as printed: keys and values, or latent rows."""
    keys, values = record.printed("k_size_gib"), record.printed("v_size_gib")
    whole = record.printed("kv_size_gib")
    if whole is not None:
        return whole
    if keys is None or values is None:
        return None
    return Printed(keys.value + values.value, keys.half_unit + values.half_unit)


def _with_memory(scenario: Scenario, before_gib: float, after_gib: float) -> Scenario:
    measured = SglangMeasured(
        before_load_bytes=max(0, round(before_gib * GIB)),
        after_load_bytes=max(0, round(after_gib * GIB)),
        source="start-up log",
    )
    return _measured(scenario, measured, before_gib)


def _with_pool(scenario: Scenario, pool_gib: float) -> Scenario:
    size = max(0, round(pool_gib * GIB))
    measured = SglangMeasured(pool_bytes=size, source="start-up log")
    return _measured(scenario, measured, pool_gib)


def _measured(scenario: Scenario, measured: SglangMeasured, least_gib: float) -> Scenario:
    """The same start with figures of its log, on a card that holds at least so much."""
    card, least = scenario.gpu, round(least_gib * GIB)
    if card.device_total_bytes < least:
        card = card.with_(device_total_bytes=least)
    return scenario.with_(gpu=card, engine=scenario.engine.with_(measured=measured))


def _agree(values: list[float]) -> bool:
    return max(values) - min(values) <= AGREEMENT * max(abs(value) for value in values)


def _pair(record: LogRecord, field: str, values: list[float], printed: Printed) -> Pair:
    """Pair a printed figure; the first value is the prediction, all are within reach."""
    return Pair(
        id=record.id,
        field=field,
        predicted=values[0],
        measured=printed.value,
        reach_low=min(values),
        reach_high=max(values),
        half_unit=printed.half_unit,
    )
