"""Start-up logs of llama.cpp: the size of its caches, and its compute buffer on one backend.

The geometry that the loader prints is the model. What a record leaves open (its build, whether
slots share their cells, which program it was) has one reading for each way it can be meant, and
only a figure on which the readings agree is predicted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Any, Final

from workbench.core.accuracy import Pair
from workbench.core.engines.llamacpp.cells import BLOCKS
from workbench.core.engines.llamacpp.printed import Printed, printed
from workbench.intake.aliases import Aliases
from workbench.intake.catalogue import Catalogue
from workbench.intake.compare_log import Comparison, Predict
from workbench.intake.engine_logs import Fault, LogRecord
from workbench.intake.llamacpp_model import (
    ENCODERS,
    cache_is_known,
    is_recurrent,
    model_of,
)
from workbench.intake.resolve import Question, asked, attention_of
from workbench.spec.deployment import Deployment
from workbench.spec.formats import Precision
from workbench.spec.gpu import GpuSpec
from workbench.spec.llamacpp import LlamacppEngine, LlamacppRules, Program
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import Scenario
from workbench.spec.units import MIB
from workbench.spec.workload import ConstantLength, Workload

_READINGS: Final = (
    *("b2961", "b3100", "b5136", "b5430", "b5554", "b5912"),
    *("b6325", "b6910", "b7010", "b7406", "b7830", "b11312"),
)
"""One build for each set of rules and each dated switch between them."""
_BUILD: Final = re.compile(r"b([0-9]{1,6})\b")
_FIRST_FLASH: Final = 2774
"""The build that brought flash attention; older logs do not print it."""
_FIRST_WINDOWS: Final = 5430
"""The build that gave windows a cache of their own."""
_OLD_LINE_ENDS: Final = 5430
"""Builds from here on no longer print "KV self size"."""
_FORMATS: Final = {"f16": "bf16", "bf16": "bf16", "f32": "fp32"}
_TYPE: Final = re.compile(r"(?:\b([kv]):)?([a-z0-9_]+)")
_CARD: Final = GpuSpec(id="unnamed", name="unnamed card", device_total_bytes=2**50)
"""So large that nothing is fitted: a log shows what was chosen."""


def resolve(record: LogRecord, catalogue: Catalogue, aliases: Aliases | None) -> Question | Fault:
    """Return what a record asks, in every way that it can be meant, or why nothing can be asked.

    Names need no aliases: the model is the geometry that was printed.
    """

    def question() -> Question | Fault:
        model = model_of(record.meta)
        return model if isinstance(model, Fault) else _question(record, catalogue, model)

    return asked(record, question)


def compare(question: Question, predict: Predict) -> Comparison:
    """Compare the sizes that a record prints with what is predicted for them."""
    found = [printed(scenario) for scenario in question.readings]
    predictions = [prediction for prediction in found if prediction is not None]
    if not predictions or len(predictions) < len(found):
        return Comparison()
    record = question.record
    return Comparison(
        pairs=(
            *_cache(record, predictions),
            *_states(record, predictions),
            *_buffer(record, question, predictions),
        )
    )


# The question


def _question(record: LogRecord, catalogue: Catalogue, model: ModelSpec) -> Question | Fault:
    types = _cache_types(record)
    if types is None:
        return Fault("kv_format_unknown", record.kv_dtype or "")
    context = record.count_flag("n_ctx")
    if context is None:
        return Fault("context_not_stated")
    builds = _builds(record)
    newest = max(int(build[1:]) for build in builds)
    if newest >= _FIRST_WINDOWS and not cache_is_known(record.meta or {}):
        return Fault("cache_not_known", str((record.meta or {}).get("arch")))
    weights = _weight_format(record, catalogue)
    kv = catalogue.kv_format("bf16")
    bf16 = catalogue.weight_format("bf16")
    assert kv is not None
    assert bf16 is not None
    flags: dict[str, Any] = {
        "ctx_size": context,
        # Left at its default it is not printed by older builds.
        "parallel": record.count_flag("n_seq_max", "n_parallel"),
        "batch_size": record.count_flag("n_batch"),
        "ubatch_size": record.count_flag("n_ubatch"),
        "cache_type_k": types[0],
        "cache_type_v": types[1],
        "gpu_layers": _gpu_layers(record),
        "fit": False,
        "swa_full": _whole_windows(record, context),
    }
    if _is_on_host(record):
        flags |= {"gpu_layers": 0, "kv_offload": False}
    readings = [
        Scenario(
            id="log",
            name="log",
            model=model,
            gpu=_CARD,
            deployment=Deployment(),
            precision=Precision(weights=weights or bf16, kv=kv),
            engine=LlamacppEngine(
                release=build,
                rules=rules,
                program=program,
                kv_unified=unified,
                flash_attention=flash,
                **flags,
            ),
            workload=Workload(lengths=ConstantLength(tokens=1)),
        )
        for build in builds
        for rules in _rules(build, catalogue)
        for unified, flash, program in product(
            _unified(record), _flash(record, build), _programs(rules)
        )
    ]
    return Question(
        record=record,
        readings=tuple(dict.fromkeys(readings)),
        attention=attention_of(model),
        era=None,
        release_known=len(builds) == 1,
        card_known=True,
        weights_known=weights is not None,
        budget_known=True,
        draft_known=True,
        runs_sampler=True,
        complete=False,
    )


def _builds(record: LogRecord) -> tuple[str, ...]:
    """The build that was stated; else every one that behaves differently and prints alike."""
    match = _BUILD.match(record.release or "")
    if match is not None:
        return (f"b{int(match.group(1))}",)
    if record.printed("kv_self_size_mib") is not None:
        return tuple(build for build in _READINGS if int(build[1:]) < _OLD_LINE_ENDS)
    return _READINGS


def _rules(build: str, catalogue: Catalogue) -> Iterator[LlamacppRules]:
    """The rules of a build, and what of them is not certain in its other form."""
    engine = catalogue.engine("llamacpp", build)
    assert isinstance(engine, LlamacppEngine)
    rules = engine.rules
    yield rules
    if "logit_rows" in rules.assumed:
        yield rules.with_(logit_rows="slots")


def _programs(rules: LlamacppRules) -> tuple[Program, ...]:
    """The server and the other tools, where they differ."""
    alike = rules.logit_rows == "batch" and rules.server_slots == 1
    return ("tools",) if alike else ("server", "tools")


def _unified(record: LogRecord) -> tuple[bool | None, ...]:
    stated = _switch(record.flag("kv_unified"))
    return (None, True, False) if stated is None else (stated,)


def _flash(record: LogRecord, build: str) -> tuple[bool, ...]:
    stated = _switch(record.flag("flash_attn"))
    if stated is not None:
        return (stated,)
    return (False,) if int(build[1:]) < _FIRST_FLASH else (False, True)


def _switch(value: object) -> bool | None:
    """A switch as it is printed: 0 or 1, a word; None for what the engine decides itself."""
    if isinstance(value, bool) or value is None:
        return value
    text = str(value).strip().lower()
    if text in ("0", "false", "off", "disabled"):
        return False
    return True if text in ("1", "true", "on", "enabled") else None


def _cache_types(record: LogRecord) -> tuple[str, str] | None:
    """Types of keys and values: flags, else the record's own "f16" or "k:q4_0,v:f16"."""
    found = [record.flag(f"cache_type_{name}") for name in ("k", "v")]
    if None in found:
        parts = {
            name: kind for name, kind in _TYPE.findall((record.kv_dtype or "").lower()) if kind
        }
        both = parts.get("")
        found = [found[at] or parts.get(name, both) for at, name in enumerate(("k", "v"))]
    types = [str(kind).lower() for kind in found]
    return (types[0], types[1]) if all(kind in BLOCKS for kind in types) else None


def _weight_format(record: LogRecord, catalogue: Catalogue) -> Any:
    """The file type as the loader prints it: "Q4_K - Medium", "IQ3_XS - 3.3 bpw"."""
    text = (record.weight_format or "").strip()
    name, _, size = (part.strip() for part in text.partition(" - "))
    suffix = {"small": "_S", "medium": "_M", "large": "_L"}.get(size.lower(), "")
    if name == "Q2_K":
        suffix = ""
    if name in ("F16", "BF16"):
        return catalogue.weight_format("bf16")
    return catalogue.weight_format(name + suffix) if name else None


def _gpu_layers(record: LogRecord) -> int | None:
    """Layers that went to the cards: "33/33" is read as it is printed."""
    stated = record.flag("offloaded_layers")
    if isinstance(stated, str) and stated.split("/")[0].strip().isdigit():
        return min(int(stated.split("/")[0]), 10_000)
    return None


def _whole_windows(record: LogRecord, context: int) -> bool | None:
    """Whether the printed cells show that windows keep the whole context (`--swa-full`)."""
    cells = record.printed("kv_cells_2nd_cache")
    base = record.printed("kv_cells")
    if cells is None or base is None:
        return None
    return cells.value == base.value >= context


# The figures


def _cache(record: LogRecord, predictions: list[Printed]) -> Iterator[Pair]:
    """The cache as it is printed: in one line, or in one for each of two caches."""
    first = record.printed("kv_self_size_mib")
    second = None
    if first is None:
        first, second = record.printed("kv_size_mib"), record.printed("kv_size_mib_2nd_cache")
    if first is None:
        return
    arch = str((record.meta or {}).get("arch"))
    if second is not None and not (record.meta or {}).get("n_swa"):
        # A second cache without windows is another start: its context is not stated.
        return
    if arch in ENCODERS and record.printed("kv_self_size_mib") is None:
        return
    states = is_recurrent(record.meta or {}) and record.printed("kv_self_size_mib") is not None
    sizes = [p.cache_bytes + (p.state_bytes if states else 0) for p in predictions]
    size = _agreed(sizes)
    if size is None:
        return
    measured = first.value + (0.0 if second is None else second.value)
    half_unit = first.half_unit + (0.0 if second is None else second.half_unit)
    yield Pair(record.id, "kv_size_mib", size / MIB, measured, half_unit=half_unit)


def _states(record: LogRecord, predictions: list[Printed]) -> Iterator[Pair]:
    """States of recurrent layers, where they are printed by themselves."""
    found = [
        value for name, value in (record.measured or {}).items() if name.startswith("rs_buffer_")
    ]
    size = _agreed([p.state_bytes for p in predictions])
    if found and size:
        measured = sum(value.value for value in found)
        half_unit = sum(value.half_unit for value in found)
        yield Pair(record.id, "state_size_mib", size / MIB, measured, half_unit=half_unit)


def _buffer(record: LogRecord, question: Question, predictions: list[Printed]) -> Iterator[Pair]:
    """The compute buffer of logs with one backend, where everything it hangs on is stated."""
    backends = _backends(record)
    meta = record.meta or {}
    if len(backends) != 1 or str(meta.get("arch")) in ENCODERS or is_recurrent(meta):
        return
    if record.flag("n_ubatch") is None or record.engine.lower().startswith("ik"):
        return
    measured = record.printed(backends[0])
    assert measured is not None
    if _is_on_host(record):
        sizes = [p.host_buffer_bytes for p in predictions]
        low = high = None
    else:
        layers = _gpu_layers(record)
        if layers is None or (layers == 0 and not question.weights_known):
            return
        if any(map(_is_latent, question.readings)):
            return
        sizes = [p.card_buffer_bytes for p in predictions]
        low = _agreed([p.card_buffer_low_bytes for p in predictions])
        high = _agreed([p.card_buffer_high_bytes for p in predictions])
    size = _agreed(sizes)
    if size is None:
        return
    yield Pair(
        record.id,
        "compute_buffer_mib",
        size / MIB,
        measured.value,
        None if low is None else low / MIB,
        None if high is None else high / MIB,
        half_unit=measured.half_unit,
    )


def _is_latent(scenario: Scenario) -> bool:
    """An absorbed latent cache: what its kernels take is known of one log only."""
    return any(run.mixer.kind == "latent" for run in scenario.model.layers)


def _backends(record: LogRecord) -> list[str]:
    """Compute buffers that were printed, pinned memory of the host left out."""
    return [
        name
        for name in record.measured or {}
        if name.startswith("compute_buffer_") and not name.endswith("_Host_mib")
    ]


def _is_on_host(record: LogRecord) -> bool:
    """Whether no card takes part: the only compute buffer is the processor's."""
    return _backends(record) == ["compute_buffer_CPU_mib"]


def _agreed(sizes: Iterable[int | None]) -> int | None:
    """The size on which all readings agree."""
    found = set(sizes)
    return found.pop() if len(found) == 1 else None
