"""What a field is: a quantity with its kind, its range, and how it is read, written and typed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from workbench.spec import units
from workbench.spec.engine import Amount
from workbench.spec.errors import UserError
from workbench.spec.scenario import Scenario
from workbench.spec.units import QuantityKind

Value = int | float | Amount
Read = Callable[[Scenario], Value | None]
Write = Callable[[Scenario, Any], Scenario]


@dataclass(frozen=True, slots=True)
class Field:
    """One quantity: its kind, slider range and how to read and write it."""

    id: str
    kind: QuantityKind
    read: Read
    write: Write
    slider_low: float
    slider_high: float
    log2: bool = False
    """Slider on a logarithmic scale that snaps to powers of two."""
    step: float = 1
    """One press of an arrow key."""
    optional: bool = False
    """An empty field means the default (None)."""
    applies: Callable[[Scenario], bool] = lambda scenario: True
    """Whether the scenario has this quantity at all."""

    def parse(self, text: str, current: Value | None = None) -> Value | None:
        """Read what a person typed; raises `UserError` with what would be accepted."""
        if self.optional and not text.strip():
            return None
        return parse_quantity(self.kind, text, current)

    def format(self, value: Value | None) -> str:
        """Print a value so that `parse` gives it back; empty for None."""
        return "" if value is None else format_quantity(self.kind, value)


def parse_quantity(kind: QuantityKind, text: str, current: Value | None = None) -> Value:
    """Read a quantity of a kind; an amount is bytes ("4 GiB") or a share ("6 %")."""
    number = current if isinstance(current, int | float) else None
    if kind == "tokens":
        return units.parse_tokens(text, None if number is None else int(number))
    if kind == "count":
        return units.parse_count(text, None if number is None else int(number))
    if kind == "bytes":
        return units.parse_bytes(text, None if number is None else int(number))
    if kind == "share":
        return units.parse_share(text, number)
    if kind == "number":
        return units.parse_number(text, number)
    return _parse_amount(text, current if isinstance(current, Amount) else None)


def _parse_amount(text: str, current: Amount | None) -> Amount:
    """Read "6 %" and "0.06" as a share and "4 GiB" as bytes; a factor keeps the current kind."""
    share = None if current is None else current.share
    is_factor = text.strip()[:1] in tuple("xX×*")
    try:
        if text.rstrip().endswith(("%", "\uff05")) or (is_factor and share is not None):
            return Amount(share=units.parse_share(text, share))
        if not is_factor and (bare := _bare_share(text)) is not None:
            return Amount(share=bare)
        return Amount(size_bytes=units.parse_bytes(text, current.size_bytes if current else None))
    except UserError as error:
        if "accepted" not in error.params:
            raise
        raise UserError(error.code, **(error.params | {"accepted": "amount"})) from None


def _bare_share(text: str) -> float | None:
    """A number below one without a unit is a share: as bytes nothing would be left of it."""
    try:
        share = units.parse_share(text)
    except UserError:
        return None
    return share if 0 < share < 1 else None


def format_quantity(kind: QuantityKind, value: Value) -> str:
    """Print a quantity so that `parse_quantity` gives it back."""
    if isinstance(value, Amount):
        if value.share is not None:
            return units.format_share(value.share)
        return units.format_bytes(value.size_bytes or 0)
    if kind == "tokens":
        return units.format_tokens(int(value))
    if kind == "bytes":
        return units.format_bytes(int(value))
    if kind == "share":
        return units.format_share(float(value))
    if kind == "number":
        return units.format_number(float(value))
    return units.format_count(int(value))


def nested(part: str, name: str) -> tuple[Read, Write]:
    """Read and write one attribute of one part of a scenario."""

    def read(scenario: Scenario) -> Value | None:
        return getattr(getattr(scenario, part), name)  # type: ignore[no-any-return]

    def write(scenario: Scenario, value: Any) -> Scenario:
        return scenario.with_(**{part: getattr(scenario, part).with_(**{name: value})})

    return read, write


def declared(
    field_id: str,
    kind: QuantityKind,
    access: tuple[Read, Write],
    low: float,
    high: float,
    *,
    optional: bool = False,
    **more: Any,
) -> Field:
    """Declare a field; a value that it cannot have is refused when it is written."""
    read, write = access
    part, _, name = field_id.partition(".")
    if part == "engine":
        more.setdefault("applies", _engine_has(name))

    applies = more.get("applies")

    def write_value(scenario: Scenario, value: Any) -> Scenario:
        if part in ("engine", "deployment") and applies and not applies(scenario):
            raise UserError("field_of_another_engine", field=field_id, engine=scenario.engine.kind)
        if value is None and not optional:
            raise UserError("field_needs_a_value", field=field_id, accepted=kind)
        return write(scenario, value)

    return Field(field_id, kind, read, write_value, low, high, optional=optional, **more)


def _engine_has(name: str) -> Callable[[Scenario], bool]:
    """Whether the engine of a scenario has a flag at all."""
    return lambda scenario: name in type(scenario.engine).model_fields
