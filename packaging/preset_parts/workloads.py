"""Workloads: traces as quantiles of total and of output length."""

from __future__ import annotations

import csv
import gzip
import json
import math
import re
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

from preset_parts.tensors import Json

from workbench.spec.workload import QuantilePoint, TraceSummary, Workload, WorkloadPreset

WORKLOADS = {
    "azure2023_conv": ("azure2023-conv", "Azure conversations, 2023"),
    "mooncake_conversation": ("mooncake-conversation", "Mooncake conversations"),
    "sharegpt_8k": ("sharegpt-8k", "ShareGPT, up to 8k tokens"),
}


def workloads(facts: Json, traces: Path) -> Iterator[WorkloadPreset]:
    """Return the chosen traces."""
    for key, (preset_id, name) in WORKLOADS.items():
        fact = facts[key]
        arrivals = fact.get("arrivals", {})
        source = f"{fact['source']}; licence: {fact['licence']}"
        totals = read_totals(traces / fact["saved"]["file"])
        if len(totals) != fact["count"]:
            raise SystemExit(f"{key}: {len(totals)} requests, the facts count {fact['count']}")
        workload = Workload(
            lengths=_summary(fact, "total", quantiles(totals), source),
            outputs=_summary(fact, "output", fact["output_quantiles_101"], source),
            arrivals_per_s=arrivals.get("rate_per_s"),
            burstiness_cv=arrivals.get("interarrival_cv"),
        )
        yield WorkloadPreset(
            id=preset_id,
            name=name,
            aliases=(key,) if key != preset_id else (),
            workload=workload,
            sources=(source,),
            checked="quantiles of the trace's own rows, rounded up to whole tokens",
        )


def _summary(fact: Json, part: str, values: list[Any], source: str) -> TraceSummary:
    return TraceSummary(
        requests=fact["count"],
        mean_tokens=fact[part]["mean"],
        points=tuple(
            # A millionth off: the tables hold 1118.5000000000036 for 1118.5.
            QuantilePoint(q=step / 100, tokens=max(1, math.ceil(round(value, 6))))
            for step, value in enumerate(values)
        ),
        source=source,
    )


def read_totals(path: Path) -> list[int]:
    """Return the total length in tokens of each request of a trace, ascending."""
    totals = []
    with gzip.open(path, "rt", encoding="utf-8", newline="") as lines:
        if re.search(r"\.jsonl\.gz$", path.name):
            for line in lines:
                row = json.loads(line)
                totals.append(row["input_length"] + row["output_length"])
        else:
            for row in csv.DictReader(lines):
                prompt = row.get("ContextTokens") or row["num_prefill_tokens"]
                totals.append(
                    int(prompt) + int(row.get("GeneratedTokens") or row["num_decode_tokens"])
                )
    return sorted(totals)


def quantiles(ascending: list[int]) -> list[Fraction]:
    """Return the 101 percentiles, linear between neighbours, exactly."""
    found = []
    for step in range(101):
        place = Fraction((len(ascending) - 1) * step, 100)
        below = int(place)
        above = min(below + 1, len(ascending) - 1)
        found.append(ascending[below] + (place - below) * (ascending[above] - ascending[below]))
    return found
