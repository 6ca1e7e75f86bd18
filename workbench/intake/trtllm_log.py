"""TensorRT-LLM's start-up logs: the question a record asks, and what it can be compared on.

From the pool that the log printed: the arithmetic of blocks and tokens alone. From flags alone:
weights; activations and the pool stand under `extrapolated`, because nothing is fitted to them.
Units are those of `logs/README.md`; the lines are named in tensorrt-llm.md §7.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from workbench.core.accuracy import Pair
from workbench.core.engines.trtllm.blocks import temporary_tokens
from workbench.core.engines.trtllm.cache import Cache, cache_of
from workbench.core.engines.trtllm.defaults import engine_of, flags_of
from workbench.core.engines.trtllm.pool import planned_blocks
from workbench.core.prediction import Banded, Prediction
from workbench.intake.aliases import Aliases
from workbench.intake.catalogue import Catalogue
from workbench.intake.compare_log import AGREEMENT, Comparison, Predict
from workbench.intake.engine_logs import Fault, LogRecord, Printed, Unreadable
from workbench.intake.log_flags import deployment_of
from workbench.intake.log_formats import activation_dtype_of, weight_format_of
from workbench.intake.log_names import kv_format_of, release_of
from workbench.intake.resolve import Question, asked, attention_of, cards_of, model_of
from workbench.spec.formats import KvFormat, Precision
from workbench.spec.scenario import Scenario
from workbench.spec.trtllm import TrtllmEngine
from workbench.spec.units import GIB
from workbench.spec.workload import ConstantLength, Workload

KIND: Final = "trtllm"
_READINGS: Final = ("0.8.0", "0.13.0", "0.20.0", "1.1.0")
"""Where the release is open: one for each set of defaults."""
_BACKENDS: Final = {"pytorch": "pytorch", "torch": "pytorch", "tensorrt": "tensorrt"}
_MIB_PER_GIB: Final = 1024.0


# The question


def resolve(record: LogRecord, catalogue: Catalogue, aliases: Aliases | None) -> Question | Fault:
    """Return the question of a record, or why there is none."""
    return asked(record, lambda: _question(record, catalogue, aliases))


def _question(record: LogRecord, catalogue: Catalogue, aliases: Aliases | None) -> Question | Fault:
    identity = None if aliases is None else aliases.identity(record)
    model = model_of(record, catalogue, identity)
    if isinstance(model, Fault):
        return model
    deployment = deployment_of(record)
    if isinstance(deployment, Fault):
        return deployment
    cards, card_known = cards_of(record, catalogue, aliases)
    weights, weights_known = weight_format_of(record, catalogue, identity, model)
    kv_formats = _kv_formats(record, catalogue)
    if not kv_formats:
        return Fault("kv_format_unknown", record.kv_dtype or "")
    release, flags = release_of(record.release), _flags(record)
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
            engine=engine.with_(**flags),
            # The engine's own figures are asked for, not a workload's.
            workload=Workload(lengths=ConstantLength(tokens=1)),
        )
        for engine in _engines(record, catalogue, release)
        for card in cards
        for kv in kv_formats
    )
    return Question(
        record=record,
        readings=_as_printed(record, readings),
        attention=attention_of(model),
        era=None,
        release_known=release is not None,
        card_known=card_known,
        weights_known=weights_known,
        budget_known=card_known,
        draft_known=_draft_tokens(record) is not None,
        runs_sampler=True,
        complete=False,
    )


def _engines(
    record: LogRecord, catalogue: Catalogue, release: str | None
) -> tuple[TrtllmEngine, ...]:
    """Profiles of the releases it can have been; a block size of uncertain date has both."""
    found = []
    for text in (release,) if release else _READINGS:
        engine = catalogue.engine(KIND, text)
        assert isinstance(engine, TrtllmEngine)
        found.append(engine)
        backend = _backend(record) or engine.rules.default_backend
        if f"{backend}_block_tokens" in engine.rules.assumed:
            other = {32: 64, 64: 32, 128: 64}.get(getattr(engine.rules, f"{backend}_block_tokens"))
            if other is not None:
                found.append(engine.with_(block_tokens=other))
    return tuple(found)


def _as_printed(record: LogRecord, readings: tuple[Scenario, ...]) -> tuple[Scenario, ...]:
    """The readings that agree with the bytes per token that the log printed, where it did."""
    printed = record.printed("kv_bytes_per_token")
    if printed is None:
        return readings
    fitting = tuple(reading for reading in readings if _token_bytes(reading) == printed.value)
    return fitting or readings


def _token_bytes(scenario: Scenario) -> int | None:
    cache = cache_of(scenario)
    return cache.token_bytes if isinstance(cache, Cache) else None


def _kv_formats(record: LogRecord, catalogue: Catalogue) -> tuple[KvFormat, ...]:
    """The KV formats it can have had: FP8 and NVFP4 checkpoints may bring an fp8 cache along."""
    stated = kv_format_of(record.kv_dtype or "auto")
    text = f"{record.weight_format} {record.model}".lower()
    if stated is not None:
        names: tuple[str, ...] = (stated,)
    else:
        names = ("bf16", "fp8") if "fp8" in text or "fp4" in text else ("bf16",)
    found = tuple(catalogue.kv_format(name) for name in names)
    return tuple(kv for kv in found if kv is not None) if None not in found else ()


def _backend(record: LogRecord) -> str | None:
    stated = record.flag("backend")
    if stated is None:
        return None
    return _BACKENDS.get(str(stated).strip().lower())


def _flags(record: LogRecord) -> dict[str, Any]:
    """The launch flags that were stated, under the names of the engine profile."""
    fraction = record.number_flag(
        "free_gpu_memory_fraction",
        "kv_cache_free_gpu_memory_fraction",
        "kv_cache_free_gpu_mem_fraction",
    )
    if fraction is not None and not 0 <= fraction <= 1:
        raise Unreadable("flags.free_gpu_memory_fraction")
    windows = record.flag("max_attention_window", "max_attention_window_size")
    stated = {
        "backend": _backend(record),
        "free_gpu_memory_fraction": fraction,
        "kv_cache_max_tokens": record.count_flag(
            "max_tokens", "kv_cache_max_tokens", "max_tokens_in_paged_kv_cache"
        ),
        "max_gpu_total_bytes": record.count_flag("max_gpu_total_bytes"),
        "max_model_len": record.count_flag("max_seq_len"),
        "max_num_seqs": record.count_flag("max_batch_size"),
        "max_num_batched_tokens": record.count_flag("max_num_tokens"),
        "max_beam_width": record.count_flag("max_beam_width"),
        "block_tokens": record.count_flag("tokens_per_block"),
        "max_attention_window": None if windows is None else _windows(windows),
        "enable_attention_dp": record.bool_flag("enable_attention_dp"),
        "enable_prefix_caching": record.bool_flag("enable_block_reuse"),
        "enable_chunked_prefill": record.bool_flag(
            "enable_chunked_prefill", "enable_chunked_context"
        ),
        "host_cache_bytes": record.count_flag("host_cache_size"),
        "speculative_tokens": _draft_tokens(record),
    }
    return {name: value for name, value in stated.items() if value is not None}


def _windows(value: Any) -> tuple[int, ...]:
    listed = value if isinstance(value, list) else [value]
    if not listed or any(type(window) is not int or window < 1 for window in listed):
        raise Unreadable("flags.max_attention_window")
    return tuple(listed)


def _draft_tokens(record: LogRecord) -> int | None:
    """Tokens drafted, 0 without a draft, None where the draft is described in words."""
    stated = record.flag("num_nextn_predict_layers", "max_draft_len", "speculative_config")
    if stated is None or stated is False:
        return 0
    return stated if type(stated) is int and 0 <= stated <= 1024 else None


# The comparison


def compare(question: Question, predict: Predict) -> Comparison:
    """Compare a record with what is predicted for it."""
    pairs = [*_from_pool(question), *_temporary(question)]
    predictions = tuple(predict(reading) for reading in question.readings)
    if question.weights_known and question.draft_known:
        pairs += _weights(question, predictions)
    return Comparison(pairs=tuple(pairs), extrapolated=tuple(_guessed(question, predictions)))


def _pool_printed(scenario: Scenario, record: LogRecord) -> tuple[Printed, float] | None:
    """What the log printed of the pool, and the share of it that the blocks take.

    Free memory times the fraction, else the bytes allocated or, from the PyTorch backend, the
    bytes that its profile leaves.
    """
    free = record.printed("available_gib")
    if free is not None:
        return free, flags_of(scenario).free_gpu_memory_fraction
    pool = record.printed("kv_allocated_gib") or record.printed("available_kv_gib")
    return None if pool is None else (pool, 1.0)


def _from_pool(question: Question) -> Iterator[Pair]:
    """Tokens or blocks, and the length that is cut, from the pool that the log printed."""
    record = question.record
    if not question.draft_known:
        return
    field = "kv_tokens" if record.printed("kv_tokens") else "primary_blocks"
    yield from _agreed(question, "kv_tokens_from_pool", field, _counts(field))
    yield from _agreed(question, "max_seq_len_from_pool", "max_seq_len_tokens", _longest)


Reach = Callable[[Scenario, int], float | None]
"""A figure of a scenario from the bytes of its pool."""


def _counts(field: str) -> Reach:
    def count(scenario: Scenario, size_bytes: int) -> float | None:
        blocks = planned_blocks(scenario, size_bytes)
        if blocks is None:
            return None
        return float(blocks if field == "primary_blocks" else blocks * _block_tokens(scenario))

    return count


def _longest(scenario: Scenario, size_bytes: int) -> float | None:
    blocks = planned_blocks(scenario, size_bytes)
    if blocks is None:
        return None
    return float(min(flags_of(scenario).max_model_len, blocks * _block_tokens(scenario)))


def _block_tokens(scenario: Scenario) -> int:
    return flags_of(scenario).block_tokens


def _agreed(question: Question, field: str, printed_as: str, reach: Reach) -> Iterator[Pair]:
    """Pair a printed figure where all readings agree on it, with all that rounding leaves open."""
    record, printed = question.record, question.record.printed(printed_as)
    if printed is None:
        return
    readings = []
    for scenario in question.readings:
        pool = _pool_printed(scenario, record)
        if pool is None:
            return
        size, share = pool
        steps = (0.0, -size.half_unit, size.half_unit)
        values = [reach(scenario, int(round((size.value + step) * GIB) * share)) for step in steps]
        known = [value for value in values if value is not None]
        if len(known) < len(values):
            return
        readings.append(known)
    middles = [values[0] for values in readings]
    if max(middles) - min(middles) > AGREEMENT * max(map(abs, middles)):
        return
    reached = [value for values in readings for value in values]
    yield Pair(
        id=record.id,
        field=field,
        predicted=middles[len(middles) // 2],
        measured=printed.value,
        reach_low=min(reached),
        reach_high=max(reached),
        half_unit=printed.half_unit,
    )


def _temporary(question: Question) -> Iterator[Pair]:
    """Tokens of the pool that the PyTorch backend profiles with, from flags alone."""
    printed = question.record.printed("temporary_kv_tokens")
    if printed is None or not question.draft_known:
        return
    found = {_temporary_tokens(reading) for reading in question.readings}
    if len(found) == 1:
        (tokens,) = found
        yield Pair(question.record.id, "temporary_kv_tokens", float(tokens), printed.value)


def _temporary_tokens(scenario: Scenario) -> int:
    engine, flags = engine_of(scenario), flags_of(scenario)
    return temporary_tokens(
        flags.max_num_batched_tokens,
        flags.max_model_len,
        flags.block_tokens,
        draft_tokens=engine.speculative_tokens,
        attention_ranks=flags.attention_ranks,
        beams=engine.max_beam_width,
    )


# From flags alone


def _weights(question: Question, predictions: tuple[Prediction, ...]) -> Iterator[Pair]:
    """Weights inside torch, else the size of the built engine."""
    record = question.record
    printed = record.printed("torch_weights_gib") or _in_gib(record.printed("engine_size_mib"))
    yield from _sized(record, "weights_gib", [p.weights for p in predictions], printed)


def _guessed(question: Question, predictions: tuple[Prediction, ...]) -> Iterator[Pair]:
    """Activations by the rule of thumb, and the pool that they leave."""
    record = question.record
    if not question.draft_known:
        return
    activation = record.printed("activation_gib") or _in_gib(
        record.printed("execution_context_mib")
    )
    sizes = [p.activation for p in predictions]
    yield from _sized(record, "activation_peak_gib", sizes, activation)
    if question.release_known and question.weights_known and question.card_known:
        pool = record.printed("available_kv_gib") or record.printed("kv_allocated_gib")
        yield from _sized(record, "kv_available_gib", [p.available for p in predictions], pool)


def _in_gib(printed: Printed | None) -> Printed | None:
    if printed is None:
        return None
    return Printed(printed.value / _MIB_PER_GIB, printed.half_unit / _MIB_PER_GIB)


def _sized(
    record: LogRecord, field: str, readings: list[Banded | None], printed: Printed | None
) -> Iterator[Pair]:
    """Pair a printed size with its prediction where all readings agree on it."""
    known = [reading for reading in readings if reading is not None]
    if printed is None or not known or len(known) < len(readings):
        return
    sizes = [reading.bytes for reading in known]
    if max(sizes) - min(sizes) > AGREEMENT * max(map(abs, sizes)):
        return
    chosen = known[len(known) // 2]
    yield Pair(
        record.id,
        field,
        chosen.bytes / GIB,
        printed.value,
        low=None if chosen.low_bytes is None else chosen.low_bytes / GIB,
        high=None if chosen.high_bytes is None else chosen.high_bytes / GIB,
        half_unit=printed.half_unit,
    )
