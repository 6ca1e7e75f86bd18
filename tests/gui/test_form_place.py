"""The form's place: filled after the first paint, a part a turn, or at once when it is asked."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication

from tests.gui import sample
from workbench.gui.form import Form
from workbench.gui.later import AfterPaint
from workbench.gui.session import Session
from workbench.library.paths import presets_dir
from workbench.library.presets import Library
from workbench.spec.scenario import Plan


@pytest.fixture
def form(qtbot):
    scenario = sample.scenario("a", "A")
    session = Session(Library(presets_dir()), Plan(scenarios=(scenario,), baseline="a"))
    made = Form(session)
    qtbot.addWidget(made)
    made.resize(400, 700)
    made.session = session
    return made


def test_it_is_empty_until_it_is_painted_and_then_whole(qtbot, form):
    later = AfterPaint(form, *form.steps())
    assert form._panel is None
    form.show()
    qtbot.waitUntil(lambda: form._panel is not None and form._panel.isVisible())
    qtbot.waitUntil(lambda: not later._timer.isActive())
    assert form._panel.sections[-1].isVisible()


@pytest.mark.parametrize("done", range(12))
def test_a_field_that_is_asked_for_is_there_however_far_it_is(qtbot, form, done):
    form.show()
    for step in list(form.steps())[:done]:
        step()
    form.session.focus_field.emit("workload.context")
    QApplication.processEvents()
    edit = next(s for s in form.panel.sections if "workload.context" in s.fields)
    assert edit.fields["workload.context"].isAncestorOf(form.focusWidget())
    form.session.set_field("workload.context", 12_345)
    assert edit.fields["workload.context"].line.text() == "12345"


def test_every_section_is_a_step(form):
    for step in form.steps():
        before = 0 if form._panel is None else len(form._panel.sections)
        step()
        assert len(form._panel.sections if form._panel else ()) - before <= 1
    assert not form._panel._wanted
