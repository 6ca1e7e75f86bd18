"""The window and the command line answer the same question with the same figures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QLabel

from tests.gui import parts
from tests.gui.window_kit import Bench, opened_bench
from workbench.cli.budget import from_presets
from workbench.cli.main import main
from workbench.library.paths import presets_dir
from workbench.library.presets import Library
from workbench.spec.fields import FIELDS
from workbench.spec.scenario import Plan, Scenario
from workbench.spec.units import group_digits, show_bytes
from workbench.spec.words import EVIDENCE, KINDS

QUESTIONS = {
    "the contract's": ["--model", "llama-3.1-8b", "--gpu", "h100-sxm-80gb", "--context", "4096"],
    "four cards": [
        *("--model", "llama-3.1-70b", "--gpu", "4x-80-gib", "--context", "20001"),
        *("--concurrency", "12", "--headroom", "2GiB", "--prefix-tokens", "4k"),
    ],
    "over": ["--model", "qwen3-32b", "--gpu", "l40s", "--context", "32k", "--concurrency", "64"],
}


def asked_on_the_command_line(
    capsys: pytest.CaptureFixture[str], options: list[str]
) -> dict[str, Any]:
    main(["budget", *options, "--engine", "plain", "--json"])
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


def same_question(options: list[str]) -> Scenario:
    """Build the scenario as the window would: presets, then one field after another."""
    given = dict(zip(options[::2], options[1::2], strict=True))
    scenario = from_presets(Library(presets_dir()), given["--model"], given["--gpu"])
    fields = {
        "--context": "workload.context",
        "--concurrency": "workload.concurrency",
        "--headroom": "reserves.headroom",
        "--prefix-tokens": "workload.prefix_tokens",
    }
    for option, field_id in fields.items():
        if option in given:
            field = FIELDS[field_id]
            scenario = field.write(scenario, field.parse(given[option]))
    return scenario


def ledger_rows(bench: Bench) -> dict[str, list[str]]:
    """Cells of the ledger tab by entry, as a person reads them, and what is said below."""
    view = bench.window.tabs.ledger
    bench.window.tabs.setCurrentWidget(view)
    parts.follow()
    model = view.table.model()
    rows = []
    for row in range(model.rowCount()):
        view.table.setCurrentIndex(model.index(row, 0))
        cells = [str(model.index(row, i).data() or "") for i in range(model.columnCount())]
        rows.append([*cells, view.detail.full_text])
    return {row[0]: row for row in rows}


@pytest.mark.parametrize("question", QUESTIONS)
def test_window_and_command_line_agree(
    qapp: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str], question: str
) -> None:
    options = QUESTIONS[question]
    answer = asked_on_the_command_line(capsys, options)
    scenario = same_question(options)
    plan = Plan(scenarios=(scenario,), baseline=scenario.id)
    with opened_bench(qapp, tmp_path, plan) as bench:
        rows = ledger_rows(bench)
        rank = answer["ranks"][0]
        for entry in rank["entries"]:
            cells = rows[entry["label"]]
            assert cells[5] == group_digits(entry["bytes"])
            assert cells[3] == EVIDENCE[entry["evidence"]]
            # The window writes a minus where the command line has a hyphen.
            formula = entry["formula"].rpartition(" = ")[2].replace(" - ", " − ")
            assert cells[6] == f"{entry['label']} = {formula} · {entry['source']}"
        assert rows[KINDS["headroom"]][5] == group_digits(rank["headroom_bytes"])
        assert rows[KINDS["free"]][5] == group_digits(rank["free_bytes"])
        shown = {label.text() for label in bench.window.findChildren(QLabel)}
        assert show_bytes(answer["pool"]["kv_bytes_per_token"]) in shown
        assert show_bytes(answer["cache_bytes"]) in shown
        assert group_digits(answer["capacity"]["steady_state"]["p95"]) in shown
        assert f"{answer['capacity']['engine_log']['concurrency']:.2f}×" in shown
        ledger = bench.session.ledger(scenario.id)
        assert ledger.verdict.status.value == answer["verdict"]["status"]
        assert {finding["message"] for finding in answer["findings"]} <= shown
