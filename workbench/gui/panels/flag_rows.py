"""Flags of an engine that are no quantities: switches, choices and texts, and their defaults."""

from __future__ import annotations

from functools import partial

from workbench.core.engines import rule_of
from workbench.gui.fields.typed_row import TypedFlag
from workbench.gui.tr import flag_word, translate
from workbench.spec.engine_flags import DEFAULT, Flag
from workbench.spec.errors import UserError
from workbench.spec.fields import format_quantity, parse_quantity
from workbench.spec.ledger import Ledger
from workbench.spec.scenario import Scenario

_MOST_IN_A_LIST = 1_000


def code_of(flag: Flag, scenario: Scenario) -> str:
    """Return the code of a choice that is in force."""
    value = getattr(scenario.engine, flag.name, None)
    return next(
        code for code, known in flag.values.items() if known == value and type(known) is type(value)
    )


def is_set(flag: Flag, scenario: Scenario) -> bool:
    """Whether somebody changed a choice."""
    return code_of(flag, scenario) != next(iter(flag.values))


def with_code(flag: Flag, scenario: Scenario, code: str) -> Scenario:
    """Return the scenario with another value of a choice."""
    return _with_flag(scenario, flag.name, flag.values[code])


def _with_flag(scenario: Scenario, name: str, value: object) -> Scenario:
    return scenario.with_(engine=scenario.engine.with_(**{name: value}))


def default_word(flag: Flag, scenario: Scenario, ledger: Ledger) -> str:
    """The words of "left to the engine", with what the engine takes where that is known."""
    resolved = ledger.scenario.resolved
    if is_set(flag, scenario) and flag.name in resolved:
        unset = with_code(flag, scenario, DEFAULT)
        resolved = rule_of(unset.engine).resolve(unset).values
    value = resolved.get(flag.name)
    text = translate("Panels", "default ({value})")
    if isinstance(value, bool):
        return text.format(value=flag_word("on") if value else flag_word("off"))
    if isinstance(value, str) and value in flag.values:
        return text.format(value=flag_word(value))
    return translate("Panels", "default")


# Texts


def typed_flag(flag: Flag) -> TypedFlag:
    """Return how a list of numbers is shown and typed."""
    return TypedFlag(flag.id, partial(_read_list, flag), partial(_write_list, flag))


def _read_list(flag: Flag, scenario: Scenario) -> str:
    values = getattr(scenario.engine, flag.name, None) or ()
    return ", ".join(
        str(value) if flag.element == "tokens" else format_quantity(flag.element, value)
        for value in values
    )


def _write_list(flag: Flag, scenario: Scenario, text: str) -> Scenario:
    parts = text.replace(",", " ").split()
    if len(parts) > _MOST_IN_A_LIST:
        raise UserError("quantity_unreadable", text=text[:100], accepted=flag.element)
    values = tuple(parse_quantity(flag.element, part) for part in parts)
    return _with_flag(scenario, flag.name, values or None)


def _read_source(scenario: Scenario) -> str:
    return str(scenario.engine.measured.source)  # type: ignore[union-attr]


def _write_source(scenario: Scenario, text: str) -> Scenario:
    measured = scenario.engine.measured.with_(source=text)  # type: ignore[union-attr]
    return _with_flag(scenario, "measured", measured)


SOURCE = TypedFlag("engine.measured_source", _read_source, _write_source)
