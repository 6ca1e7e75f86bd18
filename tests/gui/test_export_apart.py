"""Long files are made by a process of their own, which tells how far it is and can be stopped."""

from __future__ import annotations

import sys
import threading

import pytest

from tests.export import plans
from tests.gui.export_kit import opened, pick, saved
from tests.gui.loop_watch import LoopWatch
from tests.gui.window_kit import click, opened_bench, wait_until
from workbench.cli.main import MAKE_FILE
from workbench.export.formats import FORMATS, Job
from workbench.export.options import Cancelled, Options, silent
from workbench.gui.export import apart
from workbench.gui.export.names import spoken
from workbench.spec.errors import UserError

_BUSY_MS = 100.0


def nobody(_: object) -> None:
    """Want to know nothing of the child."""


def told(line: str) -> list[str]:
    """Return a child that says this whatever it is asked."""
    said = f"{apart.ANSWER.decode()}{line}" if line else ""
    return [sys.executable, "-c", f"import sys; sys.stdin.readline(); sys.stdout.write({said!r})"]


def test_the_child_of_this_program_is_asked_for_by_the_same_word():
    assert apart.child_command()[-1] == MAKE_FILE


def test_a_bundle_is_its_own_child(monkeypatch):
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert apart.child_command() == (sys.executable, MAKE_FILE)


@pytest.mark.parametrize(("form", "what"), [("pptx", "deck"), ("docx", "record")])
def test_the_child_makes_the_very_bytes_of_the_command_line(form, what, qapp, capfd):
    job = Job(plans.chinese(), Options(what=what, title="标题", date="2026-11-30"))
    steps: list[tuple[int, int]] = []
    made = apart.made(form, job, lambda *step: steps.append(step), nobody)
    assert made == FORMATS[form].make(job, silent)
    assert len(steps) > len(job.subject.plan.scenarios)
    assert capfd.readouterr().err == ""


def test_the_child_speaks_the_language_and_the_units_of_the_window(qapp, tmp_path):
    with opened_bench(qapp, tmp_path, plans.example().plan) as bench:
        bench.language.choose("zh_CN")
        bench.window.actions_by_id["view.units.decimal"].trigger()
        job = Job(plans.example(), Options(what="record", language=spoken("zh_CN")))
        made = apart.made("md", job, silent, nobody)
        assert made == FORMATS["md"].make(job, silent)
        assert " GB" in made.decode()
        assert "显存" in made.decode()


def test_what_the_child_refuses_is_said_as_if_it_were_here(tmp_path):
    template = tmp_path / "old 中.pptx"
    template.write_bytes(b"PK no package")
    job = Job(plans.example(), Options(what="deck"), template=template)
    with pytest.raises(UserError) as here:
        FORMATS["pptx"].make(job, silent)
    with pytest.raises(UserError) as there:
        apart.made("pptx", job, silent, nobody)
    assert (there.value.code, there.value.params) == (here.value.code, here.value.params)


def test_a_child_that_cannot_be_started_is_one_sentence(bench, dialog, tmp_path, monkeypatch):
    monkeypatch.setattr(apart, "child_command", lambda: [str(tmp_path / "none")])
    pick(dialog, "tables", "xlsx")
    bench.answers.path = tmp_path / "tables.xlsx"
    click(dialog.save_button)
    assert saved(dialog) == (
        "The process that makes the file cannot be started (No such file or directory): close "
        "other programs, then export again."
    )
    assert not bench.answers.path.exists()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "ended early, with 0"),
        ('{"broke": "a fault of the child"}', "a fault of the child"),
        ('{"bytes": 1000}', "ended early, with 0"),
    ],
)
def test_a_child_that_breaks_is_a_fault_with_its_words(line, said, monkeypatch):
    monkeypatch.setattr(apart, "child_command", lambda: told(line))
    with pytest.raises(RuntimeError, match=said):
        apart.made("md", Job(plans.example(), Options(what="record")), silent, nobody)


def test_a_child_that_is_killed_from_outside_is_one_sentence(monkeypatch):
    kill = (
        "import os, signal; print('a greeting', flush=True); os.kill(os.getpid(), signal.SIGKILL)"
    )
    monkeypatch.setattr(apart, "child_command", lambda: [sys.executable, "-c", kill])
    with pytest.raises(UserError) as raised:
        apart.made("md", Job(plans.example(), Options(what="record")), silent, nobody)
    assert (raised.value.code, raised.value.params) == ("export_ended", {"signal": 9})


def test_what_else_a_child_prints_is_no_answer(monkeypatch):
    lines = f'a greeting\n{apart.ANSWER.decode()}{{"bytes": 4}}\nfile'
    code = f"import sys; sys.stdin.readline(); sys.stdout.write({lines!r})"
    monkeypatch.setattr(apart, "child_command", lambda: [sys.executable, "-c", code])
    made = apart.made("md", Job(plans.example(), Options(what="record")), silent, nobody)
    assert made == b"file"


def test_a_child_that_is_killed_by_whoever_cancels_is_no_fault(monkeypatch):
    monkeypatch.setattr(
        apart, "child_command", lambda: [sys.executable, "-c", "import time; time.sleep(60)"]
    )
    stop, children = threading.Event(), []

    def started(child: apart.Child) -> None:
        children.append(child)
        threading.Timer(0.1, lambda: (stop.set(), child.kill())).start()

    def progress(done: int, total: int) -> None:
        if stop.is_set():
            raise Cancelled

    with pytest.raises(Cancelled):
        apart.made("md", Job(plans.example(), Options(what="record")), progress, started)
    assert children[0].returncode is not None


def test_the_window_goes_on_while_a_workbook_is_made(qapp, tmp_path):
    with opened_bench(qapp, tmp_path, plans.many(12).plan) as bench:
        dialog = pick(opened(bench), "tables", "xlsx")
        bench.answers.path = tmp_path / "tables.xlsx"
        with LoopWatch() as watch:
            watch.begin("saving")
            click(dialog.save_button)
            wait_until(lambda: not dialog.saver.busy, 60.0)
        assert bench.answers.path.exists()
        # Whatever the child does, the thread of the window has next to nothing to do.
        assert watch.longest().busy_ms < _BUSY_MS
        dialog.close()
