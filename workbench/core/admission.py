"""What the scheduler really admits, beside what the pool could hold."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.core.engines.vllm.admission import vllm_admission
from workbench.core.load.lengths import sized_tokens
from workbench.spec.ledger import Ledger
from workbench.spec.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Admission:
    """One request of the drawn length on its way through the pool, in whole blocks."""

    prompt_tokens: int
    output_tokens: int
    """1 where the workload does not say how much of a request is output."""
    pool_blocks: int
    withheld_blocks: int
    """Given to nobody."""
    watermark_blocks: int
    """Kept free when a request joins others."""
    in_flight_tokens: int
    """Scheduled but not yet computed, at most."""
    needed_blocks: int
    """Free blocks that the prompt has to find to be admitted."""
    after_prompt_blocks: int
    at_end_blocks: int
    peak_blocks: int
    """Most that the request holds at any step."""
    admitted_together: int
    """Equal prompts that are admitted and computed together before one has to wait."""

    @property
    def growth_blocks(self) -> int:
        """What a request takes while it decodes and nobody has kept for it."""
        return max(0, self.at_end_blocks - self.after_prompt_blocks)


def admission_of(scenario: Scenario, ledger: Ledger) -> Admission | None:
    """Return the admission view, or None where the engine's scheduler is not modelled."""
    if scenario.engine.kind != "vllm" or ledger.pool is None:
        return None
    lengths, outputs = scenario.workload.lengths, scenario.workload.outputs
    total = sized_tokens(lengths, scenario.workload.sizing)
    output = 1 if outputs is None else sized_tokens(outputs, scenario.workload.sizing)
    output = max(1, min(output, total - 1))
    found = vllm_admission(scenario, ledger.pool.blocks, max(1, total - output), output)
    if found is None:
        return None
    return Admission(max(1, total - output), output, ledger.pool.blocks, *found)
