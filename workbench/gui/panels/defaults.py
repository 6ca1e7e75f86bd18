"""What an empty field stands for, as the engine resolved it."""

from __future__ import annotations

from typing import NamedTuple

from workbench.gui.tr import translate
from workbench.spec import units
from workbench.spec.fields import Value
from workbench.spec.ledger import Ledger
from workbench.spec.scenario import Scenario


class Default(NamedTuple):
    """The placeholder of an empty field and the value that it stands for."""

    text: str = ""
    value: Value | None = None


_NONE = Default()


def default_of(field_id: str, ledger: Ledger, scenario: Scenario) -> Default:
    """Return what an empty field stands for."""
    if field_id == "engine.max_model_len":
        value = ledger.scenario.resolved.get("max_model_len")
        if isinstance(value, int):
            return Default(
                translate("Panels", "{number} (model)").format(number=units.group_digits(value)),
                value,
            )
        return Default(translate("Panels", "no limit"))
    if field_id == "engine.max_num_seqs":
        value = ledger.scenario.resolved.get("max_num_seqs")
        if isinstance(value, int):
            return Default(
                translate("Panels", "{number} (engine)").format(number=units.group_digits(value)),
                value,
            )
        return _NONE
    if field_id == "workload.concurrency":
        held = ledger.concurrency * ledger.scenario.replicas
        text = translate("Panels", "{number} (largest that fits)").format(
            number=units.group_digits(held)
        )
        return Default(text, held)
    if field_id == "workload.prefix_tokens":
        return Default(translate("Panels", "nothing shared"))
    if field_id == "engine.runtime_bytes":
        return Default(translate("Panels", "not modelled"))
    if field_id == "engine.weights_bytes":
        known = scenario.model.has_weights
        return Default(
            translate("Panels", "from the model") if known else translate("Panels", "not modelled")
        )
    return _NONE
