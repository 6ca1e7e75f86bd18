"""Where the value of a field comes from: typed, a preset and its revision, or a default."""

from __future__ import annotations

from typing import Final

from workbench.core.evidence import RULES_OF_THUMB, default_origin
from workbench.core.terms import flag_of
from workbench.spec.engine import Amount
from workbench.spec.fields import FIELDS, Value
from workbench.spec.ledger import Evidence, Ledger, Number, Source, Term, Unit
from workbench.spec.scenario import PresetRef, Scenario
from workbench.spec.units import QuantityKind

_UNITS: Final[dict[QuantityKind, Unit]] = {
    "tokens": "tokens",
    "count": "count",
    "bytes": "bytes",
    "share": "share",
    "number": "ratio",
}
_SHARES: Final = ("gpu_memory_utilization", "watermark", *RULES_OF_THUMB)


def field_term(
    scenario: Scenario, ledger: Ledger, field_id: str, pristine: Scenario | None
) -> Term:
    """Return a field's value with its origin.

    `pristine` is the scenario with the field's part as its preset has it, None without a preset.
    """
    part, _, name = field_id.partition(".")
    value, unit = _value(scenario, field_id)
    evidence, source = Evidence.GIVEN, Source("typed")
    if part == "engine":
        flag = flag_of(field_id)
        echo = ledger.scenario
        if flag in echo.defaulted or (value is None and flag in echo.resolved):
            if value is None:
                value, unit = _resolved(echo.resolved.get(flag), flag, unit)
            evidence, source = default_origin(echo, flag)
        elif name == "kind":
            value, unit = scenario.engine.kind, "text"
        elif name == "release":
            value, unit = scenario.engine.release, "text"
        elif value is None and flag in echo.resolved:
            value, unit = _resolved(echo.resolved[flag], flag, unit)
    elif part == "precision":
        code = f"{name}_format" if name in ("weights", "kv") else name
        source = Source(code, _format_id(scenario, name))
    else:
        ref = _preset(part, scenario)
        if ref is not None and not _differs(scenario, field_id, pristine):
            source = Source("preset", str(ref))
    shown = "–" if value is None else value
    if value is None:
        source = Source("left_open")
    return Term(field_id, shown, unit, evidence, source, field_id)


def source_texts(scenario: Scenario, field_id: str) -> tuple[str, ...]:
    """Return what the preset of a field's part names as its own sources."""
    part, _, name = field_id.partition(".")
    if part == "model":
        return scenario.model.sources
    if part == "gpu":
        return scenario.gpu.sources
    if part == "precision":
        return getattr(scenario.precision, name).sources if name in ("weights", "kv") else ()
    return ()


def _value(scenario: Scenario, field_id: str) -> tuple[Number | str | None, Unit]:
    field = FIELDS.get(field_id)
    if field is not None and field.applies(scenario):
        return _plain(field.read(scenario), field.kind)
    part, _, name = field_id.partition(".")
    if name == "preset":
        return getattr(scenario, part).name, "text"
    if field_id in ("precision.weights", "precision.kv"):
        return getattr(scenario.precision, name).name, "text"
    if field_id == "workload.sizing":
        return scenario.workload.sizing, "text"
    if field_id == "workload.lengths":
        return scenario.workload.lengths.kind, "text"
    return None, "text"


def _plain(value: Value | None, kind: QuantityKind) -> tuple[Number | str | None, Unit]:
    if isinstance(value, Amount):
        share = value.share
        return (value.size_bytes, "bytes") if share is None else (share, "share")
    return value, _UNITS.get(kind, "bytes")


def _resolved(value: object, flag: str, unit: Unit) -> tuple[Number | str | None, Unit]:
    if isinstance(value, bool):
        return ("on" if value else "off"), "text"
    if isinstance(value, int | float):
        return value, "share" if flag in _SHARES and isinstance(value, float) else unit
    return (None if value is None else str(value)), "text"


def _format_id(scenario: Scenario, name: str) -> str:
    return str(getattr(scenario.precision, name).id) if name in ("weights", "kv") else name


def _preset(part: str, scenario: Scenario) -> PresetRef | None:
    if part == "deployment":
        return scenario.gpu_set_ref
    ref: PresetRef | None = getattr(scenario, f"{part}_ref", None)
    return ref


def _differs(scenario: Scenario, field_id: str, pristine: Scenario | None) -> bool:
    """Whether somebody has changed the field since the preset was taken."""
    field = FIELDS.get(field_id)
    if field is None:
        return False
    if pristine is None or not field.applies(pristine):
        return True
    return field.read(pristine) != field.read(scenario)
