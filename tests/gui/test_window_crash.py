"""A fault anywhere: work kept, one report, the program goes on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication, QDialog, QPushButton

from tests.gui import crash_program
from tests.gui.window_kit import click
from workbench.gui.report_dialog import ReportDialog

ROOT = Path(__file__).parents[2]


def test_faults_in_every_place_are_reported_once_and_the_work_is_kept(tmp_path):
    done = subprocess.run(
        [sys.executable, crash_program.__file__, str(tmp_path)],
        capture_output=True,
        encoding="utf-8",
        timeout=80,
        check=False,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)
    good = {"reports": 1, "kept": True, "visible": True}
    bad = {name: found for name, found in result["places"].items() if found != good}
    assert bad == {}
    assert len(result["places"]) >= 15
    assert result["again"] == 1
    assert "Fault" in result["report"]
    assert "KV Workbench" in result["report"]


def test_a_report_can_be_copied(bench):
    dialog = ReportDialog("KV Workbench 1\nFault", QApplication.clipboard(), bench.window)
    dialog.open()
    copy = next(
        button
        for button in dialog.findChildren(QPushButton)
        if button.text().replace("&", "") == "Copy report"
    )
    click(copy)
    assert QApplication.clipboard().text() == "KV Workbench 1\nFault"
    dialog.close()
    assert not [d for d in bench.window.findChildren(QDialog) if d.isVisible()]


def test_a_fault_while_keeping_the_work_is_still_reported(bench, monkeypatch, capsys):
    def fail(*args):
        raise OSError("no disk")

    monkeypatch.setattr(bench.keeper, "flush", fail)
    bench.guard._flush = fail
    try:
        raise ValueError("first")
    except ValueError as error:
        bench.guard.caught(type(error), error, error.__traceback__)
    QApplication.processEvents()
    assert "ValueError: first" in bench.guard.reports[0]
    assert "ValueError: first" in capsys.readouterr().err
