"""How sure a figure is: the one place that says so, in the window and in every export."""

from __future__ import annotations

from typing import Final

from workbench.core.terms import flag_of
from workbench.spec.ledger import Echo, Evidence, Ledger, Source
from workbench.spec.scenario import Scenario

RULES_OF_THUMB: Final = ("activation_reserve", "fragmentation_reserve")
"""Reserves that are nobody's default but the founding notes'."""


def figure_evidence(scenario: Scenario, ledger: Ledger, name: str, rank: int = -1) -> Evidence:
    """Return how sure a figure of a ledger is, by its name in `core.explain.FIGURES`.

    Any other is an answer that was sought by trial: exact arithmetic, too. What is worked out
    from assumed entries is computed all the same; `core.assumed` lists those.
    """
    # The terms of an engine are read when somebody asks: the window starts sooner.
    from workbench.core.explain import figure

    term = figure(scenario, ledger, name, rank)
    return Evidence.COMPUTED if term is None else term.evidence


def input_evidence(ledger: Ledger, input_id: str) -> Evidence:
    """Return how sure the value of an input is: typed, or what the engine takes by itself."""
    flag, echo = flag_of(input_id), ledger.scenario
    is_default = input_id.startswith("engine.") and flag in echo.defaulted
    return default_origin(echo, flag)[0] if is_default else Evidence.GIVEN


def default_origin(echo: Echo, flag: str) -> tuple[Evidence, Source]:
    """Return how sure the default of a flag is, and whose it is."""
    if flag in RULES_OF_THUMB:
        return Evidence.ASSUMED, Source("founding_note", "002")
    name = f"{echo.engine} {echo.release}"
    source = echo.origins.get(flag, Source("engine_default", name))
    assumed = source.code.endswith("_assumed")
    return Evidence.ASSUMED if assumed else Evidence.GIVEN, source
