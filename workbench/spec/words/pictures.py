"""Words on exported pictures and slides, by code."""

from __future__ import annotations

from collections.abc import Mapping

PICTURE_TITLES: Mapping[str, str] = {
    "bars": "Memory per GPU",
    "compare": "Scenarios compared with {name}",
    "waterfall": "From {before} to {after}",
    "heatmap": "{x} by {y}, {name}",
    "titled": "{title}: {subject}",
}

PICTURE_NOTES: Mapping[str, str] = {
    "file": "File: {name}",
    "engines": "Engine: {names}",
    "assumed": "Assumed values: {count}",
    "assumed_in": "Assumed values: {count}, in {scenarios} of {all} scenarios",
    "fitted": "fitted: {count}",
    "measured": "No figure here is a measurement unless it says so.",
    "program": "KV Workbench {version}",
    "more": "Scenarios not shown: {count}",
    "inputs": "Inputs that differ and are not shown: {count}",
    "one_scenario": "The plan has one scenario: there is nothing to compare it with.",
    "baseline_itself": "A waterfall leads from the baseline to another scenario: choose that one.",
    "no_map": "This scenario has no two inputs that a map could vary.",
    "concurrency": "Most requests that fit, headroom kept",
    "axis": "One axis, 0 to {size}",
    "outside": "Outside the budget",
    "beside": "outside",
    "taken": "Taken of the card",
    "memory": "Memory used per GPU",
    "share": "Memory used per GPU, % of what the engine may use",
    "unlike": "Scenarios not marked, other inputs differ: {count}",
    "same_answer": "Nothing between the two moves the answer.",
}
