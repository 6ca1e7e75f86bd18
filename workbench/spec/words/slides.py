"""Words of exported slides, by code."""

from __future__ import annotations

from collections.abc import Mapping

SLIDE_TITLES: Mapping[str, str] = {
    "plan": "Capacity plan",
    "page": "{title} ({number})",
    "models": "{names} differ in {count} facts",
    "gpus": "{names} differ in {count} facts",
    "inputs": "{count} inputs differ from {name}",
    "inputs_one": "1 input differs from {name}",
    "defaults": "Settings that the engine takes by itself: {count}",
    "findings": "Errors: {errors}, warnings: {warnings}, notes: {notes}",
    # Which scenarios fit
    "all_fit": "All {count} scenarios fit",
    "some_fit": "{fit} of {count} scenarios fit",
    "some_fit_one": "1 of {count} scenarios fits",
    "none_fits": "None of {count} scenarios fits",
    "unweighed": "{first}, {count} of them without weights",
    "unweighed_one": "{first}, without weights",
    "doubted": "{name} ({doubt})",
    "least_room": "least free: {name}, {free_bytes} per GPU",
    "near": "{name} is near the limit, {free_bytes} free per GPU",
    "tight": "{name} is tight, {left_bytes} left per GPU",
    "over": "{name} is over by {over_bytes} per GPU",
    "said_of": "{name}: {verdict}",
    "single": "{gpus} serves {requests}; {part} takes {part_share} of the card",
    "single_not": "{model} on {gpus}: {verdict}",
    "joined": "{first}; {second}",
    # Which holds the most, which uses the least
    "most": "{name} holds the most, {requests}; {other} holds {other_requests}",
    "all_hold": "All hold {requests}",
    "least": "{name} takes the least of a card, {used_bytes}; {other} takes {other_bytes}",
    "all_use": "All take {used_bytes} of a card",
    "up_to": "{name} holds at most {requests}",
    # What a change does
    "adds": "{change} adds {requests}",
    "takes": "{change} takes {requests} away",
    "needs": "{change} needs {moved_bytes} more per GPU",
    "frees": "{change} frees {moved_bytes} per GPU",
    "nothing": "{change} moves neither requests nor memory",
    "way_more": "{name} holds {requests} more than {other}, mostly by {change}",
    "way_fewer": "{name} holds {requests} fewer than {other}, mostly by {change}",
    "way_needs": "{name} needs {moved_bytes} more per GPU than {other}, mostly by {change}",
    "way_frees": "{name} needs {moved_bytes} less per GPU than {other}, mostly by {change}",
    "way_same": "{name} comes to the same as {other}",
}
"""What a slide has found, from the answers."""

SLIDE_KICKERS: Mapping[str, str] = {
    "bars": "Memory per GPU",
    "compare": "Compared with {name}",
    "inputs": "Inputs that differ from {name}",
    "way": "From {before} to {after}",
    "models": "Models compared",
    "gpus": "GPUs compared",
    "assumptions": "What is assumed or fitted",
    "findings": "Findings",
    "findings_of": "Findings · {counted}",
}
"""What a slide shows, in small above it."""

SLIDE_WORDS: Mapping[str, str] = {
    "base": "base",
    "answer": "answer",
    "better": "better",
    "worse": "worse",
    "field": "Field",
    "figure": "{name}: {size} ({bytes} B), {evidence}: {formula}. Source: {source}",
    "left_out": "Compared in the workbook of this plan, not here: {count} more scenarios.",
    "count": "{count} requests",
    "count_long": "{count} requests of {context_tokens} tokens",
    "tokens": "Tokens a request",
    "held": "Requests",
    "most": "At most",
    "left": "Left per GPU",
    "change": "To change",
    "scenarios": "Scenarios",
    "all": "all",
    "more": "{names} and {count} more",
    "verdict": "{name}, {model} on {gpus}: {verdict}",
}
