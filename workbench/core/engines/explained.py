"""How an engine gets from bytes to blocks, tokens and the concurrency it prints, as formulas."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Protocol, runtime_checkable

from workbench.core.engines import rule_of
from workbench.core.sheet import StageBudget
from workbench.core.terms import card_total, flag_term
from workbench.spec.engine import flag_of
from workbench.spec.ledger import Evidence, Formula, Source, Term
from workbench.spec.scenario import Scenario


class Explained(Protocol):
    """The terms of one engine's rule."""

    def budget(self, scenario: Scenario, stage: StageBudget) -> Term:
        """What the engine may use of the card."""

    def block(self, scenario: Scenario, stage: StageBudget) -> Term:
        """Bytes of a block on the ranks of a stage."""

    def usable(self, scenario: Scenario, there: Term) -> Formula:
        """Blocks that requests can hold, of those that are there."""

    def tokens(self, scenario: Scenario, blocks: Term) -> Formula:
        """Tokens that the engine prints for the pool."""

    def concurrency(self, scenario: Scenario, blocks: Term) -> Formula:
        """Requests of the longest length that the engine prints."""


@runtime_checkable
class ExplainsBlocks(Protocol):
    """An engine whose pool is not simply its bytes over those of a block."""

    def blocks(self, scenario: Scenario, stage: StageBudget, size: Term) -> Formula:
        """Blocks of a stage's pool of so many bytes."""


class PlainExplained:
    """The founding note's arithmetic."""

    def budget(self, scenario: Scenario, stage: StageBudget) -> Term:
        """The whole card."""
        return card_total(stage.budget_bytes)

    def block(self, scenario: Scenario, stage: StageBudget) -> Term:
        """Tokens of a block times what each takes."""
        pages = stage.pages
        formula = Formula(
            "{block_tokens} × {kv_bytes_per_token}",
            (self._block_tokens(scenario), per_token(stage)),
        )
        return Term(
            "bytes_per_block",
            pages.bytes_per_block,
            "bytes",
            Evidence.COMPUTED,
            Source("block_rule"),
            "engine.block_tokens",
            formula,
        )

    def usable(self, scenario: Scenario, there: Term) -> Formula:
        """All of them."""
        return Formula(f"{{{there.symbol}}}", (there,))

    def tokens(self, scenario: Scenario, blocks: Term) -> Formula:
        """Blocks times their tokens."""
        return Formula(
            f"{{{blocks.symbol}}} × {{block_tokens}}", (blocks, self._block_tokens(scenario))
        )

    def concurrency(self, scenario: Scenario, blocks: Term) -> Formula:
        """Blocks over the blocks of the longest request."""
        resolved = rule_of(scenario.engine).resolve(scenario)
        length = flag_term(
            scenario,
            resolved,
            "max_model_len",
            resolved.max_model_len or 0,
            "tokens",
            "engine.max_model_len",
        )
        return Formula(
            f"{{{blocks.symbol}}} ÷ ⌈{{max_model_len}} ÷ {{block_tokens}}⌉",
            (blocks, length, self._block_tokens(scenario)),
        )

    def _block_tokens(self, scenario: Scenario) -> Term:
        resolved = rule_of(scenario.engine).resolve(scenario)
        size = flag_of(scenario.engine, "block_tokens") or 0
        field = "engine.block_tokens"
        return flag_term(scenario, resolved, "block_tokens", size, "tokens", field)


def per_token(stage: StageBudget) -> Term:
    """KV bytes that one more token adds on a rank of a stage."""
    pages = stage.pages
    return Term(
        "kv_bytes_per_token",
        pages.bytes_per_token,
        "bytes",
        Evidence.COMPUTED,
        Source("block_rule"),
        None,
        pages.token_formula,
    )


def explained_of(scenario: Scenario) -> Explained:
    """Return what explains the scenario's engine."""
    return _explained(scenario.engine.kind)


@cache
def _explained(kind: str) -> Explained:
    if kind == "plain":
        return PlainExplained()
    # Read when a figure is asked about: the window starts sooner.
    module = import_module(f"workbench.core.engines.{kind}.explained")
    explained: Explained = getattr(module, f"{kind.capitalize()}Explained")()
    return explained
