"""What the scheduler really admits, beside what the pool could hold."""

from __future__ import annotations

from workbench.core.engines import rule_of
from workbench.core.load.lengths import sized_tokens
from workbench.spec.ledger import Admission, Ledger
from workbench.spec.scenario import Scenario


def admission_of(scenario: Scenario, ledger: Ledger) -> Admission | None:
    """Return the admission view, or None where the engine's scheduler is not modelled."""
    if ledger.pool is None:
        return None
    lengths, outputs = scenario.workload.lengths, scenario.workload.outputs
    total = sized_tokens(lengths, scenario.workload.sizing)
    output = 1 if outputs is None else sized_tokens(outputs, scenario.workload.sizing)
    output = max(1, min(output, total - 1))
    prompt = max(1, total - output)
    return rule_of(scenario.engine).admission(scenario, ledger.pool.blocks, prompt, output)
