"""Saving from the export dialog: every format, failures, cancelling."""

from __future__ import annotations

import errno
import os
import threading
import zipfile
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.gui.export_kit import pick, saved
from tests.gui.window_kit import click, key, wait_until
from workbench.export import formats
from workbench.export.options import WHATS
from workbench.gui.export import apart
from workbench.gui.export.names import formats_of

pytestmark = pytest.mark.qt_log_ignore("does not support raise", extend=True)

MAGIC = {
    "png": b"\x89PNG\r\n\x1a\n",
    "svg": b"<?xml",
    "pdf": b"%PDF-",
    "md": b"# ",
    "csv": b"\xef\xbb\xbfscenario,",
    "json": b"{",
}
PARTS = {
    "pptx": "ppt/presentation.xml",
    "docx": "word/document.xml",
    "xlsx": "xl/workbook.xml",
}


# --- every format -------------------------------------------------------------------------------


@pytest.mark.parametrize("what", WHATS)
def test_each_thing_is_saved_as_each_kind_of_file(bench, dialog, tmp_path, monkeypatch, what):
    pick(dialog, what)
    for number, form in enumerate(formats_of(what)):
        if number == 1:
            # One of each comes from the child; what it makes is what is made here, and quicker.
            monkeypatch.setattr(
                apart, "made", lambda name, *job: formats.FORMATS[name].make(*job[:2])
            )
        pick(dialog, what, form)
        bench.answers.path = path = tmp_path / f"out.{form}"
        click(dialog.save_button)
        assert saved(dialog) == f"Exported to {path}."
        data = path.read_bytes()
        if form in PARTS:
            with zipfile.ZipFile(BytesIO(data)) as package:
                assert PARTS[form] in package.namelist()
                assert package.testzip() is None
        else:
            assert data.startswith(MAGIC[form])
        assert bench.answers.asked[-1].startswith(f"export {form}: ")


def test_a_png_is_as_large_as_was_chosen(bench, dialog, tmp_path):
    box = dialog.form.scale
    for scale in (1, 2, 3):
        box.setFocus()
        key(box, Qt.Key.Key_Home)
        for _ in range(scale - 1):
            key(box, Qt.Key.Key_Down)
        bench.answers.path = tmp_path / "chart.png"
        click(dialog.save_button)
        saved(dialog)
        image = QImage(str(tmp_path / "chart.png"))
        assert (image.width(), image.height()) == (1280 * scale, 720 * scale)


def test_a_second_program_opens_what_was_saved(bench, dialog, tmp_path):
    from tests.export import second_program

    for form in ("svg", "pdf"):
        pick(dialog, "bars", form)
        bench.answers.path = tmp_path / f"chart.{form}"
        click(dialog.save_button)
        assert saved(dialog).startswith("Exported to")
    text = second_program.pdf_text(tmp_path / "chart.pdf")
    assert "Memory per GPU" in text


def test_the_file_is_what_the_command_line_makes(bench, dialog, tmp_path):
    bench.answers.path = tmp_path / "chart.svg"
    pick(dialog, "bars", "svg")
    click(dialog.save_button)
    saved(dialog)
    from workbench.export.options import Options
    from workbench.export.subject import Subject

    subject = Subject(bench.session.plan)
    made = formats.FORMATS["svg"].make(formats.Job(subject, Options()), lambda *_: None)
    assert (tmp_path / "chart.svg").read_bytes() == made


# --- saving and its failures --------------------------------------------------------------------


def test_a_name_without_its_ending_gets_it(bench, dialog, tmp_path):
    bench.answers.path = tmp_path / "chart.v2"
    click(dialog.save_button)
    assert saved(dialog) == f"Exported to {tmp_path / 'chart.v2.png'}."
    # The file dialog asked about "chart.v2", not about this one.
    click(dialog.save_button)
    assert "already" in saved(dialog) or "exists" in saved(dialog)


def test_the_plan_itself_is_not_written_over(bench, dialog, tmp_path):
    dialog._source = replace(dialog._source, path=tmp_path / "plan.json")
    (tmp_path / "plan.json").write_text("{}")
    pick(dialog, "tables", "json")
    bench.answers.path = tmp_path / "plan.json"
    click(dialog.save_button)
    assert "choose another name" in saved(dialog)
    assert (tmp_path / "plan.json").read_text() == "{}"


@pytest.fixture
def nobody_special():
    """Give up the rights of root, who may write anywhere, for the length of a test."""
    was = os.geteuid()
    if was == 0:
        os.seteuid(65_534)
    yield
    os.seteuid(was)


def test_a_folder_that_cannot_be_written(bench, dialog, tmp_path, nobody_special):
    bench.answers.path = Path("/usr/lib/chart.png")
    click(dialog.save_button)
    text = saved(dialog)
    assert "/usr/lib/chart.png" in text
    assert dialog.status.role == "danger"


def test_a_folder_that_is_not_there_is_told_in_one_sentence(bench, dialog, tmp_path):
    bench.answers.path = tmp_path / "gone" / "chart.png"
    click(dialog.save_button)
    text = saved(dialog)
    assert "chart.png" in text
    assert "Exported" not in text
    assert dialog.status.role == "danger"
    assert dialog.save_button.isEnabled()
    assert not dialog.bar.isVisible()


def test_what_no_disk_takes_is_told_in_one_sentence(bench, dialog, tmp_path, monkeypatch):
    (tmp_path / "folder.png").mkdir()
    for name, told in (
        ("x" * 300 + ".png", "too long for this disk"),
        ("a\0b.png", "cannot be the name of a file"),
        ("\ud800.png", "cannot be the name of a file"),
        ("folder.png", "is a folder"),
        ("chart..", f"Exported to {tmp_path}/chart.png."),
    ):
        bench.answers.path = Path(f"{tmp_path}/{name}")
        click(dialog.save_button)
        assert told in saved(dialog)
    # A disk that is full, and a folder that goes meanwhile, leave no half file.
    folder = tmp_path / "out"
    folder.mkdir()
    bench.answers.path = path = folder / "chart.png"
    path.write_bytes(b"old")
    with monkeypatch.context() as full:
        full.setattr(os, "write", _full_disk)
        click(dialog.save_button)
        assert saved(dialog).startswith("The disk is full.")
    assert [(one.name, one.read_bytes()) for one in folder.iterdir()] == [("chart.png", b"old")]
    waiting = Waiting(monkeypatch)
    click(dialog.save_button)
    waiting.began.wait(10)
    path.unlink()
    folder.rmdir()
    waiting.go.set()
    assert "does not exist" in saved(dialog)
    assert not folder.exists()


_write = os.write


def _full_disk(descriptor: int, data: bytes) -> int:
    # Threads wake each other by a byte.
    if len(data) > 1_000:
        raise OSError(errno.ENOSPC, "full")
    return _write(descriptor, data)


def test_a_file_that_the_disk_did_not_keep_is_not_called_exported(
    bench, dialog, tmp_path, monkeypatch
):
    real = Path.read_bytes
    monkeypatch.setattr(Path, "read_bytes", lambda path: real(path)[:-1])
    bench.answers.path = tmp_path / "chart.png"
    click(dialog.save_button)
    assert "does not hold what was written" in saved(dialog)


def test_nothing_happens_when_the_file_dialog_is_left(bench, dialog):
    bench.answers.path = None
    click(dialog.save_button)
    assert not dialog.saver.busy
    assert dialog.status.full_text == ""


class Waiting:
    """A format that waits between its parts, as long as the test says."""

    def __init__(self, monkeypatch) -> None:
        self.began, self.go = threading.Event(), threading.Event()
        monkeypatch.setitem(
            formats.FORMATS, "png", replace(formats.FORMATS["png"], make=self._make)
        )

    def _make(self, job, progress) -> bytes:
        progress(1, 4)
        self.began.set()
        self.go.wait(10)
        progress(2, 4)
        return b"new"


def test_cancelling_leaves_the_old_file(bench, dialog, tmp_path, monkeypatch):
    waiting = Waiting(monkeypatch)
    bench.answers.path = path = tmp_path / "chart.png"
    path.write_bytes(b"old")
    click(dialog.save_button)
    waiting.began.wait(10)
    wait_until(lambda: dialog.bar.value() == 1)
    assert dialog.bar.isVisible()
    assert dialog.bar.maximum() == 4
    assert not dialog.save_button.isEnabled()
    assert QApplication.focusWidget() is dialog.cancel_button
    key(dialog.cancel_button, Qt.Key.Key_Space)
    waiting.go.set()
    assert saved(dialog) == "Cancelled: nothing was written."
    assert path.read_bytes() == b"old"
    assert [one.name for one in tmp_path.iterdir() if one.is_file()] == ["chart.png"]
    assert not dialog.cancel_button.isVisible()
    assert QApplication.focusWidget() is dialog.save_button


def test_closing_while_saving_writes_nothing(bench, dialog, tmp_path, monkeypatch):
    waiting = Waiting(monkeypatch)
    bench.answers.path = path = tmp_path / "chart.png"
    click(dialog.save_button)
    waiting.began.wait(10)
    dialog.close()
    waiting.go.set()
    bench.jobs.wait(10_000)
    QTest.qWait(20)
    assert not path.exists()
