"""Measured start-up logs as records of numbers: one list per engine, every key optional.

The file may come from anyone. What is no list is refused with one sentence; a record that cannot
be read keeps its place with the fault that was found, so that it is counted and named.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

from workbench.spec.base import unwanted_character
from workbench.spec.errors import UserError
from workbench.spec.quoting import quoted

MAX_RECORDS: Final = 10_000
MAX_TEXT_CHARACTERS: Final = 300
LARGEST_NUMBER: Final = 2.0**62
LARGEST_COUNT: Final = 2**31
LARGEST_SIZES: Final = {"_gib": 2.0**32, "_mib": 2.0**42}
"""Sizes beyond these are no whole number of bytes that any of our types holds."""
_FEWEST_DECIMALS: Final = 2
# Engines print GiB and concurrency with two decimals or more; JSON drops the trailing zeros.
_ROUNDED: Final = re.compile(r"_(?:gib|mib|x)(?:_2nd_cache)?$")
_NUMERIC: Final = re.compile(
    r"_(?:gib|mib|x|tokens?|bytes|blocks|available|len|cells)(?:_2nd_cache)?$"
)
_UNIFIED: Final = re.compile(
    r"\bgb10\b|dgx spark|jetson|\bthor\b|strix|unified|\bigpu\b|\bmi300a\b", re.IGNORECASE
)
_ODD: Final = (
    "odd-",
    "mixed-run",
    "util-as-printed-contradicts-sum",
    "rank-asymmetry",
)
_PINNING_FLAGS: Final = (
    "kv_cache_memory",
    "kv_cache_memory_bytes",
    "kv_cache",
    "num_gpu_blocks_override",
)


@dataclass(frozen=True, slots=True)
class Printed:
    """A number as an engine printed it, and half a unit of its last decimal (0: exact)."""

    value: float
    half_unit: float = 0.0


@dataclass(frozen=True, slots=True)
class Fault:
    """Why a record cannot be compared: a code and what it is about."""

    code: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class LogRecord:
    """One start of an engine: what was asked for and what it printed, per GPU."""

    id: str
    record: str = ""
    engine: str = ""
    release: str | None = None
    core: Literal["v0", "v1"] | None = None
    model: str | None = None
    weight_format: str | None = None
    weight_dtype: str | None = None
    kv_dtype: str | None = None
    gpu: str | None = None
    gpu_total_gib: Printed | None = None
    gpus: int | None = None
    tp: int | None = None
    pp: int | None = None
    dp: int | None = None
    ep: int | None = None
    flags: Mapping[str, Any] | None = None
    """Launch flags as stated, under any of their names; see `number_flag` and `bool_flag`."""
    measured: Mapping[str, Printed] | None = None
    meta: Mapping[str, Any] | None = None
    """The model's geometry where the engine's loader prints it (llama.cpp)."""
    consistency: str = ""
    derived: tuple[str, ...] = ()
    fault: Fault | None = None
    """What in the record cannot be read; nothing else of it is then used."""

    @property
    def started(self) -> bool:
        """Whether it tells of a start, good or refused later by its own figures."""
        return self.record == "startup-log"

    @property
    def refused(self) -> bool:
        """Whether the engine refused to start, by the record or by the figures it printed.

        A pool of nothing or less than one request of the longest length is a refusal in every
        release, whatever the record was filed as.
        """
        if self.record == "refused-start":
            return True
        pool, concurrency = self.printed("kv_available_gib"), self.printed("max_concurrency_x")
        return (pool is not None and pool.value <= 0) or (
            concurrency is not None and concurrency.value < 1
        )

    def printed(self, name: str) -> Printed | None:
        """Return a measured number by its name."""
        return None if self.measured is None else self.measured.get(name)

    def flag(self, *names: str) -> Any:
        """Return the first of a flag's synonyms that is stated, else None."""
        flags = self.flags or {}
        return next((flags[name] for name in names if flags.get(name) is not None), None)

    def number_flag(self, *names: str) -> float | None:
        """Return a numeric flag; raises `Unreadable` for anything else that is stated."""
        value = self.flag(*names)
        if value is None:
            return None
        if not _is_number(value):
            raise Unreadable(f"flags.{names[0]}")
        return float(value)

    def count_flag(self, *names: str) -> int | None:
        """Return a flag that is a whole number from 1; raises `Unreadable` otherwise."""
        value = self.number_flag(*names)
        if value is None:
            return None
        if value != int(value) or not 1 <= value <= LARGEST_COUNT:
            raise Unreadable(f"flags.{names[0]}")
        return int(value)

    def bool_flag(self, *names: str) -> bool | None:
        """Return a switch; a text that starts with "on" or "off" counts."""
        value = self.flag(*names)
        if value is None or isinstance(value, bool):
            return value
        text = str(value).strip().lower()
        if text.startswith(("on", "true")):
            return True
        if text.startswith(("off", "false")):
            return False
        raise Unreadable(f"flags.{names[0]}")


class Unreadable(Exception):
    """A stated value of a record is of no use; `where` names it."""

    def __init__(self, where: str) -> None:
        super().__init__(where)
        self.where = where


def read_records(content: Any, name: str) -> tuple[LogRecord, ...]:
    """Return the records of a parsed file; `name` is used in messages."""
    if not isinstance(content, list):
        raise UserError(
            "field_wrong_type", path=name, where="/", value=quoted(content), accepted="list"
        )
    if len(content) > MAX_RECORDS:
        raise UserError("list_too_long", path=name, where="/", limit=MAX_RECORDS)
    return tuple(_record(item, number) for number, item in enumerate(content))


def left_out(record: LogRecord) -> str | None:
    """Return why a record has no place in statistics of accuracy, None when it has one.

    Its figures contradict each other, its memory is shared with the host's, or its pool was
    given instead of worked out (`logs/README.md`).
    """
    if record.consistency.startswith(_ODD):
        return "odd"
    if has_unified_memory(record):
        return "unified_memory"
    if is_pinned(record):
        return "pinned_pool"
    return None


def has_unified_memory(record: LogRecord) -> bool:
    """Whether the card's memory is the host's, so that the page cache counts as used."""
    return record.gpu is not None and _UNIFIED.search(record.gpu) is not None


def is_pinned(record: LogRecord) -> bool:
    """Whether the size of the pool was given by a flag."""
    return record.flag(*_PINNING_FLAGS) is not None or any(
        "pinned" in text for text in record.derived
    )


# Reading one record


def _record(item: Any, number: int) -> LogRecord:
    if not isinstance(item, dict):
        return LogRecord(f"#{number}", record="startup-log", fault=Fault("not_an_object"))
    raw_id, raw_kind = item.get("id"), item.get("record")
    record_id = str(raw_id)[:MAX_TEXT_CHARACTERS] if _is_text(raw_id) else f"#{number}"
    kind = str(raw_kind) if _is_text(raw_kind) else "startup-log"
    try:
        return _whole_record(item, record_id, kind)
    except Unreadable as unreadable:
        return LogRecord(record_id, record=kind, fault=Fault("unreadable", unreadable.where))


def _whole_record(item: dict[str, Any], record_id: str, kind: str) -> LogRecord:
    deployment = _object(item, "deployment")
    core = _text(item, "core")
    total = _number(item, "gpu_total_gib", "gpu_total_gib")
    if total is not None and not 0 < total <= 2**20:
        raise Unreadable("gpu_total_gib")
    return LogRecord(
        id=record_id,
        record=kind,
        engine=_text(item, "engine") or "vllm",
        release=_text(item, "release"),
        core={"v0": "v0", "v1": "v1"}.get((core or "").lower()),  # type: ignore[arg-type]
        model=_text(item, "model"),
        weight_format=_text(item, "weight_format"),
        weight_dtype=_text(item, "weight_dtype"),
        kv_dtype=_text(item, "kv_dtype"),
        gpu=_text(item, "gpu"),
        gpu_total_gib=None if total is None else _printed("gpu_total_gib", total),
        gpus=_count(item, "gpus"),
        tp=_count(deployment, "tp", "deployment.tp"),
        pp=_count(deployment, "pp", "deployment.pp"),
        dp=_count(deployment, "dp", "deployment.dp"),
        ep=_count(deployment, "ep", "deployment.ep"),
        flags=_object(item, "flags"),
        measured=_measured(_object(item, "measured")),
        meta=_object(item, "model_meta"),
        consistency=_text(item, "consistency") or "",
        derived=_texts(item, "derived_fields"),
    )


def _measured(values: dict[str, Any]) -> dict[str, Printed]:
    """Return the plain numbers; lists per rank and the like stand beside them and are not used."""
    numbers = {}
    for key in values:
        value = values[key]
        if value is None or isinstance(value, list | dict) or not _NUMERIC.search(key):
            continue
        number = _number(values, key, f"measured.{key}")
        if number is not None:
            if abs(number) > LARGEST_SIZES.get(key[-4:], LARGEST_NUMBER):
                raise Unreadable(f"measured.{key}")
            numbers[key] = _printed(key, number)
    return numbers


def _printed(name: str, value: float) -> Printed:
    if not _ROUNDED.search(name):
        return Printed(value)
    _, _, digits = repr(value).partition(".")
    if "e" in digits or "inf" in digits:
        return Printed(value)
    decimals = max(_FEWEST_DECIMALS, len(digits.rstrip("0")))
    return Printed(value, 0.5 * 10.0**-decimals)


def _object(item: dict[str, Any], key: str) -> dict[str, Any]:
    value = item.get(key)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise Unreadable(key)
    return value


def _text(item: dict[str, Any], key: str) -> str | None:
    value = item.get(key)
    if value is None or value == "":
        return None
    if not _is_text(value):
        raise Unreadable(key)
    return str(value).strip()[:MAX_TEXT_CHARACTERS]


def _texts(item: dict[str, Any], key: str) -> tuple[str, ...]:
    value = item.get(key)
    if not isinstance(value, list):
        return ()
    return tuple(text for text in value if isinstance(text, str))


def _number(item: dict[str, Any], key: str, where: str) -> float | None:
    value = item.get(key)
    if value is None:
        return None
    if not _is_number(value):
        raise Unreadable(where)
    return float(value)


def _count(item: dict[str, Any], key: str, where: str = "") -> int | None:
    value = _number(item, key, where or key)
    if value is None:
        return None
    if value != int(value) or not 1 <= value <= LARGEST_COUNT:
        raise Unreadable(where or key)
    return int(value)


def _is_number(value: Any) -> bool:
    return (
        isinstance(value, int | float)
        and not isinstance(value, bool)
        and math.isfinite(value)
        and abs(value) <= LARGEST_NUMBER
    )


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip()) and not unwanted_character(value)
