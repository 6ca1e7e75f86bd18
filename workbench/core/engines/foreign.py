"""Number formats that only other engines read."""

from __future__ import annotations

from workbench.spec.engine import ENGINE_NAMES
from workbench.spec.formats import KvFormat, WeightFormat
from workbench.spec.ledger import Refusal
from workbench.spec.scenario import Scenario


def foreign_format(scenario: Scenario) -> Refusal | None:
    """Refuse a weight or KV format that the scenario's engine does not read."""
    formats: dict[str, WeightFormat | KvFormat] = {
        "precision.weights": scenario.precision.weights,
        "precision.kv": scenario.precision.kv,
    }
    kind = scenario.engine.kind
    # Formats list the engines by the names they go by: "tensorrt-llm", "llama.cpp".
    name = ENGINE_NAMES.get(kind, kind).lower()
    for field, form in formats.items():
        if form.engines is not None and name not in form.engines:
            params = {"format": form.name, "engines": ", ".join(form.engines)}
            return Refusal(
                "unsupported",
                reason="format_of_other_engines",
                params=params,
                field=field,
                has_pages=False,
            )
    return None
