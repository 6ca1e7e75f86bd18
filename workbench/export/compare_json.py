"""Scenarios side by side as the public JSON of `kvw compare --json`: a row a scenario.

A row has the keys of `kvw budget --json`, and what sets it against the baseline.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from pydantic import BaseModel

from workbench.core.admission import admission_of
from workbench.core.compare import Column, Comparison
from workbench.core.solve import Answer
from workbench.core.waterfall import Waterfall
from workbench.export.ledger_json import ledger_json


def compare_json(
    comparison: Comparison, waterfalls: tuple[Waterfall | None, ...]
) -> list[dict[str, Any]]:
    """Return a row a scenario; `waterfalls` lead from the baseline to each, None to itself."""
    return [
        _row(comparison, number, waterfall)
        for number, waterfall in zip(range(len(comparison.columns)), waterfalls, strict=True)
    ]


def _row(comparison: Comparison, number: int, waterfall: Waterfall | None) -> dict[str, Any]:
    column = comparison.columns[number]
    ledger = ledger_json(column.ledger, admission_of(column.scenario, column.ledger))
    del ledger["schema"]
    return ledger | {
        "is_baseline": column.is_baseline,
        "gpus_to_fit": column.gpus_to_fit,
        **_answers(column),
        "inputs": {row.id: plain(row.cells[number].value) for row in comparison.inputs},
        "differs": [row.id for row in comparison.inputs if row.cells[number].differs],
        "used_bytes": column.used_bytes("gpu"),
        "total_used_bytes": column.used_bytes("all"),
        "memory": [
            {
                "part": row.part,
                "bytes": row.per_gpu[number].value,
                "delta_bytes": row.per_gpu[number].delta or 0,
                "total_bytes": row.total[number].value,
                "total_delta_bytes": row.total[number].delta or 0,
            }
            for row in comparison.memory
        ],
        "from_baseline": None if waterfall is None else _steps(waterfall),
    }


def _answers(column: Column) -> dict[str, Any]:
    return {
        "largest_concurrency": answer_json(column.largest_concurrency),
        "largest_context": answer_json(column.largest_context),
        "smallest_tp": answer_json(column.smallest_tp),
    }


def answer_json(answer: Answer) -> dict[str, Any]:
    """Return a solver's answer with the verdicts that prove it."""
    at, past = answer.verified.answer, answer.verified.next
    return {
        "goal": answer.goal,
        "answer": answer.answer,
        "binding": answer.binding,
        "verified": {
            "answer": None if at is None else at.value,
            "next": None if past is None else past.value,
        },
        "steps": answer.steps,
    }


def _steps(waterfall: Waterfall) -> list[dict[str, Any]]:
    """The way from the baseline; the differences sum to the whole one."""
    return [
        {
            "inputs": list(step.inputs),
            "used_delta_bytes": step.used_delta_bytes,
            "parts": step.part_deltas,
            "concurrency_delta": step.concurrency_delta,
        }
        for step in waterfall.steps
    ]


def plain(value: object) -> Any:
    """Return a value of an input as JSON has it: an amount as its bytes or its share."""
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_none=True)
    if isinstance(value, Fraction):
        return float(value)
    if isinstance(value, tuple):
        return [plain(item) for item in value]
    return value
