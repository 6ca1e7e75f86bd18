"""What an empty field stands for, as the engine resolved it."""

from __future__ import annotations

from typing import NamedTuple

from workbench.gui.tr import translate
from workbench.spec import units
from workbench.spec.fields import FIELDS, Value
from workbench.spec.ledger import Ledger
from workbench.spec.scenario import Scenario


class Default(NamedTuple):
    """The placeholder of an empty field and the value that it stands for."""

    text: str = ""
    value: Value | None = None


_NONE = Default()


_RESOLVED = {
    "engine.gpu_memory_utilization": "gpu_memory_utilization",
    "engine.max_model_len": "max_model_len",
    "engine.max_num_seqs": "max_num_seqs",
    "engine.max_num_batched_tokens": "max_num_batched_tokens",
    "engine.block_tokens": "block_size",
}
"""Fields whose default the engine resolves, and the engine's name for each."""


def default_of(field_id: str, ledger: Ledger, scenario: Scenario) -> Default:
    """Return what an empty field stands for."""
    if scenario.engine.kind != "plain" and field_id.startswith("engine."):
        return _engine_default(field_id, ledger)
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
        text = translate("Panels", "{number} (the most)").format(number=units.group_digits(held))
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


def _engine_default(field_id: str, ledger: Ledger) -> Default:
    """What an engine with releases takes for an empty flag."""
    name = _RESOLVED.get(field_id, field_id.removeprefix("engine."))
    value = ledger.scenario.resolved.get(name)
    if isinstance(value, int | float) and not isinstance(value, bool):
        source = ledger.scenario.origins.get(name)
        assumed = source is not None and source.code == "engine_default_assumed"
        field = FIELDS[field_id]
        shown = units.group_digits(value) if isinstance(value, int) else field.format(value)
        text = translate("Panels", "{value} (assumed)") if assumed else "{value}"
        return Default(text.format(value=shown), value)
    texts = {
        "engine.kv_cache_memory_bytes": translate("Panels", "from utilization"),
        "engine.num_gpu_blocks_override": translate("Panels", "from the pool"),
        "engine.cpu_offload_bytes": translate("Panels", "none"),
    }
    if field_id.startswith("engine.measured_"):
        return Default(translate("Panels", "not measured"))
    return Default(texts.get(field_id, ""))
