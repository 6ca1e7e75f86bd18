"""Request lengths, how many at once, and what they share."""

from __future__ import annotations

from workbench.core.load.lengths import QUANTILES, quantile_tokens, sized_tokens
from workbench.gui.commands import Step
from workbench.gui.fields.choice import ChoiceBox, PresetBox
from workbench.gui.panels.section import Section, Shown
from workbench.gui.panels.sections import tell_problem
from workbench.gui.presets.offer import Offers
from workbench.gui.tr import labelled, listed, preset_name, translate
from workbench.gui.tr import words as words_tr
from workbench.spec import units, words
from workbench.spec.errors import UserError
from workbench.spec.scenario import Scenario
from workbench.spec.workload import (
    ConstantLength,
    LengthDistribution,
    QuantilePoint,
    QuantileTable,
    TraceSummary,
)

_QUANTILE_FIELDS = ("p50", "p95", "p99", "longest")


class WorkloadSection(Section):
    """What arrives."""

    def _title(self) -> str:
        return translate("Panels", "Workload")

    def _fill(self) -> None:
        self.preset = PresetBox(self.session.library, "workloads", self)
        self.preset.chosen.connect(self.session.choose_workload)
        self.preset.failed.connect(self._on_failed)
        row = self.add_choice("workload.preset", self.preset, name=_preset_label)
        self.offers = Offers(self.session, "workload", row)
        self.lengths = ChoiceBox(self)
        self.lengths.chosen.connect(self._choose_lengths)
        self.add_choice("workload.lengths", self.lengths)
        self.add_field("workload.context")
        for name in _QUANTILE_FIELDS:
            self.add_field(f"workload.{name}")
        self.sizing = ChoiceBox(self)
        self.sizing.chosen.connect(self._choose_sizing)
        self.add_choice("workload.sizing", self.sizing)
        self.add_field("workload.concurrency")
        self.add_field("workload.prefix_tokens")
        self.add_field("workload.prefix_distinct", slider=False)
        self.add_field("workload.prefix_share", slider=False)

    def _on_failed(self, error: UserError) -> None:
        tell_problem(self.session, error)

    def show_state(self, shown: Shown) -> None:
        super().show_state(shown)
        workload = shown.scenario.workload
        self.preset.show_name(_preset_name(shown))
        self.choices["workload.preset"].show_differs(shown.differs(_ref))
        self.offers.show(shown.library, shown.scenario)
        kind = workload.lengths.kind
        choices = [
            ("constant", translate("Panels", "constant")),
            ("quantiles", translate("Panels", "quantile table")),
        ]
        if kind == "trace":
            choices.append(("trace", translate("Panels", "measured trace")))
        self.lengths.set_choices(choices)
        self.lengths.show_choice(kind)
        row = self.choices["workload.lengths"]
        row.show_differs(shown.differs(_lengths_kind))
        row.show_remark(_trace_text(workload.lengths))
        self.sizing.set_choices([(code, words_tr(text)) for code, text in words.SIZINGS.items()])
        self.sizing.show_choice(workload.sizing)
        sizing = self.choices["workload.sizing"]
        sizing.show_differs(shown.differs(_sizing))
        # One length has no quantiles to choose from.
        sizing.setVisible(kind != "constant")

    def _choose_sizing(self, code: str) -> None:
        self.session.edit(
            lambda scenario: scenario.with_(workload=scenario.workload.with_(sizing=code)),
            Step("set_sizing", {"value": code}),
        )

    def _choose_lengths(self, kind: str) -> None:
        scenario = self.session.current
        if scenario is None or kind in (scenario.workload.lengths.kind, "trace"):
            return
        convert = _as_constant if kind == "constant" else _as_table
        self.session.edit(
            lambda scenario: scenario.with_(
                workload=scenario.workload.with_(lengths=convert(scenario))
            ),
            Step("set_lengths", {"value": kind}),
        )


def _as_constant(scenario: Scenario) -> LengthDistribution:
    """The length that the ledger is drawn with, for every request."""
    workload = scenario.workload
    return ConstantLength(tokens=sized_tokens(workload.lengths, workload.sizing))


def _as_table(scenario: Scenario) -> LengthDistribution:
    """The four quantiles that have fields."""
    lengths = scenario.workload.lengths
    points = tuple(
        QuantilePoint(q=float(q), tokens=quantile_tokens(lengths, q)) for q in QUANTILES.values()
    )
    return QuantileTable(points=points)


def _preset_label() -> str:
    return translate("Panels", "preset")


def _preset_name(shown: Shown) -> str:
    ref = shown.scenario.workload_ref
    preset = None if ref is None else shown.library.current("workloads", ref)
    if preset is None:
        return translate("Panels", "none")
    return preset_name(preset.value.name, preset.namespace)


def _trace_text(lengths: LengthDistribution) -> str:
    if not isinstance(lengths, TraceSummary):
        return ""
    parts = [
        f"{words_tr(words.SIZINGS[code])} {units.group_digits(sized_tokens(lengths, code))}"
        for code in ("mean", "p50", "p95", "p99", "max")
    ]
    number = {"number": lengths.requests}
    return labelled(words.fill(translate("Panels", "{number} requests"), number), listed(parts))


def _ref(scenario: Scenario) -> object:
    return scenario.workload_ref


def _lengths_kind(scenario: Scenario) -> object:
    return scenario.workload.lengths.kind


def _sizing(scenario: Scenario) -> object:
    return scenario.workload.sizing
