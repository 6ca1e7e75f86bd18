#!/usr/bin/env python3
"""Write the plan that a first start opens, resources/plans/example.kvw, from the presets."""

from __future__ import annotations

from pathlib import Path

from workbench.library import compose, plans
from workbench.library.paths import presets_dir, resources_dir
from workbench.library.presets import Library
from workbench.spec.deployment import Reserves
from workbench.spec.engine import Amount
from workbench.spec.scenario import Plan, Scenario
from workbench.spec.units import GIB
from workbench.spec.workload import ConstantLength, PrefixGroup, Workload

EXAMPLE = "plans/example.kvw"

NOTES = """The founding note's budget: 32 layers, 8 KV heads, head size 128, FP16, 8k tokens, \
16 requests: 16 GiB of KV cache.

Where the notes' own figures differ from their formula:
128 MiB per 1,000 tokens is 125 MiB; 128 MiB holds 1,024 tokens (k = 1,024).
470 thousand tokens in 60 GiB is 491,520: the note divides MiB by MB.
117 requests of 4,000 tokens is 122: it follows from the 470 thousand.
4 % of waste under paging is the script's reserve: 1,536 tokens fill 96 blocks, waste 0."""


def example() -> Plan:
    """Three questions: the founding note's, a real model on it, and the same on four cards."""
    library = Library(presets_dir())
    lab = _scenario(library, "ledger-lab", "Ledger lab", "ledger-lab", "80-gib")
    lab = lab.with_(
        workload=_workload(8_192, 16),
        notes=NOTES,
    )
    llama = _scenario(library, "llama-8b", "Llama-3.1-8B", "llama-3.1-8b", "80-gib")
    llama = llama.with_(workload=_workload(8_192, 32), reserves=_two_gib())
    four = _scenario(library, "llama-8b-tp4", "Llama-3.1-8B on four", "llama-3.1-8b", "4x-80-gib")
    prefix = PrefixGroup(name="system prompts", shared_tokens=8_192, distinct_prefixes=16)
    four = four.with_(workload=_workload(32_768, 48, prefix), reserves=_two_gib())
    return Plan(scenarios=(lab, llama, four), baseline=lab.id, title="Example")


def _scenario(library: Library, scenario_id: str, name: str, model: str, gpu: str) -> Scenario:
    return compose.new_scenario(library, scenario_id, name, library.model(model), library.gpu(gpu))


def _workload(context_tokens: int, concurrency: int, *prefixes: PrefixGroup) -> Workload:
    return Workload(
        lengths=ConstantLength(tokens=context_tokens),
        concurrency=concurrency,
        prefix_groups=prefixes,
    )


def _two_gib() -> Reserves:
    return Reserves(headroom=Amount(size_bytes=2 * GIB))


def main() -> None:
    """Write the file."""
    path = Path(resources_dir()) / EXAMPLE
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(plans.dumps(example()))
    print(path)


if __name__ == "__main__":
    main()
