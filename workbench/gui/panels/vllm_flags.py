"""vLLM's flags that are no quantities: switches, choices and texts, and what each defaults to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from workbench.core.engines import rule_of
from workbench.gui.fields.typed_row import TypedFlag
from workbench.gui.tr import flag_word, translate
from workbench.spec import units
from workbench.spec.errors import UserError
from workbench.spec.ledger import Ledger
from workbench.spec.scenario import Scenario

SWITCHES: Final = (
    "enable_prefix_caching",
    "enable_chunked_prefill",
    "enforce_eager",
    "async_scheduling",
    "second_generation_runner",
    "hybrid_kv_cache_manager",
)
"""Flags that are on, off, or left to the engine."""
DEFAULT: Final = "default"
_ON: Final = {"on": True, "off": False}


@dataclass(frozen=True, slots=True)
class Choice:
    """A flag with a few values; the first code is what an untouched engine has."""

    name: str
    values: Mapping[str, object]

    @property
    def id(self) -> str:
        """The id of its row."""
        return f"engine.{self.name}"

    def code(self, scenario: Scenario) -> str:
        """The code in force."""
        value = getattr(scenario.engine, self.name, None)
        return next(
            code
            for code, known in self.values.items()
            if known == value and type(known) is type(value)
        )

    def is_set(self, scenario: Scenario) -> bool:
        """Whether somebody changed it."""
        return self.code(scenario) != next(iter(self.values))

    def write(self, scenario: Scenario, code: str) -> Scenario:
        """Return the scenario with another value."""
        return with_flag(scenario, self.name, self.values[code])


CHOICES: Final = (
    Choice("usage", {"server": "server", "offline": "offline"}),
    Choice("fit_max_model_len", {"off": False, "on": True}),
    *(Choice(name, {DEFAULT: None, **_ON}) for name in SWITCHES),
    Choice("kv_layout", {DEFAULT: None} | {name: name for name in ("LBNHC", "LBHNC", "BLHNC")}),
    Choice(
        "mamba_state_dtype", {DEFAULT: None} | {name: name for name in ("fp32", "bf16", "fp16")}
    ),
)


def with_flag(scenario: Scenario, name: str, value: object) -> Scenario:
    """Return the scenario with a flag of its engine set."""
    return scenario.with_(engine=scenario.engine.with_(**{name: value}))


def default_word(choice: Choice, scenario: Scenario, ledger: Ledger) -> str:
    """The words of "left to the engine", with what the engine takes where that is known."""
    resolved = ledger.scenario.resolved
    if choice.is_set(scenario) and choice.name in resolved:
        unset = choice.write(scenario, DEFAULT)
        resolved = rule_of(unset.engine).resolve(unset).values
    value = resolved.get(choice.name)
    if isinstance(value, bool):
        word = flag_word("on") if value else flag_word("off")
        return translate("Panels", "default ({value})").format(value=word)
    return translate("Panels", "default")


# Texts


def _engine(scenario: Scenario) -> Any:
    return scenario.engine


def _read_watermark(scenario: Scenario) -> str:
    value = _engine(scenario).watermark
    return "" if value is None else units.format_share(value)


def _write_watermark(scenario: Scenario, text: str) -> Scenario:
    value = units.parse_share(text, _engine(scenario).watermark) if text else None
    return with_flag(scenario, "watermark", value)


def _read_capture(scenario: Scenario) -> str:
    value = _engine(scenario).max_cudagraph_capture_size
    return "" if value is None else units.format_count(value)


def _write_capture(scenario: Scenario, text: str) -> Scenario:
    value = units.parse_count(text, _engine(scenario).max_cudagraph_capture_size) if text else None
    return with_flag(scenario, "max_cudagraph_capture_size", value)


def _read_kernel(scenario: Scenario) -> str:
    return ", ".join(str(size) for size in _engine(scenario).attention_block_tokens or ())


def _write_kernel(scenario: Scenario, text: str) -> Scenario:
    parts = text.replace(",", " ").split()
    if len(parts) > 16:
        raise UserError("quantity_unreadable", text=text[:100], accepted="tokens")
    sizes = tuple(units.parse_tokens(part) for part in parts)
    return with_flag(scenario, "attention_block_tokens", sizes or None)


def _read_source(scenario: Scenario) -> str:
    return str(_engine(scenario).measured.source)


def _write_source(scenario: Scenario, text: str) -> Scenario:
    return with_flag(scenario, "measured", _engine(scenario).measured.with_(source=text))


TEXTS: Final = (
    TypedFlag("engine.watermark", _read_watermark, _write_watermark),
    TypedFlag("engine.max_cudagraph_capture_size", _read_capture, _write_capture),
    TypedFlag("engine.attention_block_tokens", _read_kernel, _write_kernel),
)
SOURCE: Final = TypedFlag("engine.measured_source", _read_source, _write_source)
