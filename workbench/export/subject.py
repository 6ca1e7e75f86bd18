"""What is exported: a plan with its answers, worked out once and shared by every format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from workbench.charts.rows import Row, subtitle_of
from workbench.charts.text import plain
from workbench.core.budget import budget
from workbench.core.compare import Comparison, compare
from workbench.core.solve import LedgerOf
from workbench.core.waterfall import Waterfall, waterfall
from workbench.spec.ledger import Ledger
from workbench.spec.scenario import Plan, Scenario


@dataclass(frozen=True)
class Subject:
    """A plan with at least one scenario, and its answers."""

    plan: Plan
    file_name: str = ""
    """Name of the plan's file without its folder; empty for one that was never saved."""
    ledger_of: LedgerOf = budget
    """Where ledgers come from; the window lends its memory of those it has."""

    @cached_property
    def ledgers(self) -> tuple[Ledger, ...]:
        """The answer to each scenario, in the order of the plan."""
        return tuple(self.ledger_of(scenario) for scenario in self.plan.scenarios)

    @property
    def answered(self) -> tuple[tuple[Scenario, Ledger], ...]:
        """Each scenario with its answer."""
        return tuple(zip(self.plan.scenarios, self.ledgers, strict=True))

    @property
    def baseline(self) -> int:
        """Index of the baseline."""
        ids = [scenario.id for scenario in self.plan.scenarios]
        return ids.index(self.plan.baseline) if self.plan.baseline in ids else 0

    @cached_property
    def comparison(self) -> Comparison:
        """All scenarios side by side, with what each could hold at most."""
        return compare(self.plan.scenarios, self.baseline, self.ledger_of)

    def work_out(self, tell: Callable[[int], None]) -> None:
        """Work out `comparison`, telling how many of its scenarios were begun; `tell` may raise."""
        if "comparison" in self.__dict__:
            return
        begun = 0

        def asked(scenario: Scenario) -> Ledger:
            nonlocal begun
            if begun < len(self.plan.scenarios) and scenario is self.plan.scenarios[begun]:
                begun += 1
                tell(begun)
            return self.ledger_of(scenario)

        self.__dict__["comparison"] = compare(self.plan.scenarios, self.baseline, asked)

    @cached_property
    def quick_comparison(self) -> Comparison:
        """The same without the answers that are sought by trial: inputs, memory, assumptions."""
        return compare(self.plan.scenarios, self.baseline, self.ledger_of, answers=False)

    def way_to(self, scenario: Scenario) -> Waterfall:
        """What leads from the baseline's answer to that of a scenario, a change at a time."""
        if scenario.id not in self._ways:
            base = self.plan.scenarios[self.baseline]
            self._ways[scenario.id] = waterfall(base, scenario, self.ledger_of)
        return self._ways[scenario.id]

    @cached_property
    def _ways(self) -> dict[str, Waterfall]:
        """Ways that were worked out; several parts of an export ask for the same."""
        return {}

    def only(self, scenario_ids: Sequence[str]) -> Subject:
        """Return the same with some of the scenarios; the first is the baseline if it is left out.

        Raises `KeyError` for an id that is not there.
        """
        kept = tuple(self.plan.scenario(one) for one in scenario_ids)
        ids = [scenario.id for scenario in kept]
        baseline = self.plan.baseline if self.plan.baseline in ids else ids[0]
        # A new subject: what was worked out for all is not that of some.
        return Subject(
            self.plan.with_(scenarios=kept, baseline=baseline), self.file_name, self.ledger_of
        )

    def rows_in(self, say: Callable[[str], str]) -> tuple[Row, ...]:
        """The bars with what stands below their names in the language of `say`."""
        return tuple(
            replace(row, subtitle=plain(subtitle_of(scenario, say)))
            for row, scenario in zip(self.rows, self.plan.scenarios, strict=True)
        )

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        """The bar of each scenario: its rank that decides."""
        return tuple(
            Row(
                scenario=scenario.id,
                name=plain(scenario.name),
                subtitle=plain(subtitle_of(scenario)),
                ledger=ledger.worst_rank,
                status=ledger.verdict.status,
                is_baseline=number == self.baseline,
                without_weights="weights" in ledger.not_modelled,
                near_limit=ledger.verdict.near_limit,
            )
            for number, (scenario, ledger) in enumerate(self.answered)
        )
