"""Sliders: a drag is one step, ticks are powers of two, Alt is free."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication

from tests.gui import parts
from workbench.gui.fields.slider import QuantitySlider
from workbench.gui.panels.scenario_panel import ScenarioPanel
from workbench.spec.engine import Amount
from workbench.spec.fields import FIELDS
from workbench.spec.units import GIB

LEFT = Qt.MouseButton.LeftButton
ALT = Qt.KeyboardModifier.AltModifier


@pytest.fixture
def made(qtbot):
    session = parts.session()
    panel = ScenarioPanel(session)
    window = parts.show(qtbot, session, panel)
    yield session, panel
    window.close()


def slider_of(panel, field_id):
    edit = next(s.fields[field_id] for s in panel.sections if field_id in s.fields)
    panel.area.ensureWidgetVisible(edit)
    return edit.slider


def drag(qtbot, slider, shares, modifier=Qt.KeyboardModifier.NoModifier):
    groove = slider._groove()
    at = [QPoint(round(groove.left() + groove.width() * s), slider.height() // 2) for s in shares]
    qtbot.mousePress(slider, LEFT, modifier, at[0])
    for point in at[1:]:
        move(slider, point, modifier)
    qtbot.mouseRelease(slider, LEFT, modifier, at[-1])


def move(slider, point, modifier):
    position = QPointF(point)
    event = QMouseEvent(
        QEvent.Type.MouseMove,
        position,
        slider.mapToGlobal(position),
        Qt.MouseButton.NoButton,
        LEFT,
        modifier,
    )
    QApplication.sendEvent(slider, event)


def test_a_drag_is_one_step_on_powers_of_two(qtbot, made):
    session, panel = made
    slider = slider_of(panel, "workload.context")
    seen = []
    session.plan_changed.connect(
        lambda plan: seen.append(FIELDS["workload.context"].read(plan.scenario("a")))
    )
    drag(qtbot, slider, [0.5 + i / 50 for i in range(20)])
    assert len(set(seen)) > 3
    assert all(value & (value - 1) == 0 for value in seen)
    assert session.undo_stack.count() == 1
    session.undo()
    assert FIELDS["workload.context"].read(session.current) == 8_192


def test_two_drags_are_two_steps(qtbot, made):
    session, panel = made
    slider = slider_of(panel, "workload.context")
    drag(qtbot, slider, [0.5, 0.7])
    drag(qtbot, slider, [0.7, 0.9])
    assert session.undo_stack.count() == 2


def test_a_drag_back_to_its_start_leaves_no_step(qtbot, made):
    session, panel = made
    slider = slider_of(panel, "workload.context")
    start = slider.value() / slider.maximum()
    drag(qtbot, slider, [start, start + 0.2, start])
    assert FIELDS["workload.context"].read(session.current) == 8_192
    assert not session.undo_stack.canUndo()


def test_alt_moves_freely(qtbot, made):
    session, panel = made
    slider = slider_of(panel, "workload.context")
    drag(qtbot, slider, [0.5, 0.53], ALT)
    value = FIELDS["workload.context"].read(session.current)
    assert value & (value - 1) != 0


def test_slider_keys_go_from_tick_to_tick_in_one_step(qtbot, made):
    session, panel = made
    slider = slider_of(panel, "workload.context")
    slider.setFocus()
    for _ in range(3):
        qtbot.keyClick(slider, Qt.Key.Key_Right)
    assert FIELDS["workload.context"].read(session.current) == 65_536
    qtbot.keyClick(slider, Qt.Key.Key_Left)
    assert FIELDS["workload.context"].read(session.current) == 32_768
    assert session.undo_stack.count() == 1


def test_the_wheel_scrolls_the_panel_and_changes_nothing(qtbot, made):
    session, panel = made
    slider = slider_of(panel, "deployment.tp")
    middle = QPointF(slider.rect().center())
    event = QWheelEvent(
        middle,
        slider.mapToGlobal(middle),
        QPoint(0, -40),
        QPoint(0, -120),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(slider, event)
    assert session.undo_stack.count() == 0


def test_an_amount_keeps_its_unit(qtbot, made):
    session, panel = made
    slider = slider_of(panel, "reserves.headroom")
    session.set_field("reserves.headroom", Amount(size_bytes=2 * GIB))
    drag(qtbot, slider, [0.1, 0.5])
    size = FIELDS["reserves.headroom"].read(session.current).size_bytes
    assert size == 12 * GIB
    session.set_field("reserves.headroom", Amount(share=0.02))
    drag(qtbot, slider, [0.1, 0.5])
    assert FIELDS["reserves.headroom"].read(session.current) == Amount(share=0.15)


@pytest.mark.parametrize("field_id", [f for f in FIELDS if FIELDS[f].log2])
def test_every_tick_of_a_logarithmic_slider_is_hit_exactly(qtbot, field_id):
    field = FIELDS[field_id]
    slider = QuantitySlider(field.slider_low, field.slider_high, field.step, log2=True)
    qtbot.addWidget(slider)
    value = int(field.slider_low)
    while value <= field.slider_high:
        slider.show_value(value)
        assert slider.value_at(slider.value()) == value
        value *= 2


def test_values_beyond_the_range_stand_at_its_ends(qtbot):
    slider = QuantitySlider(128, 2**20, 1, log2=True)
    qtbot.addWidget(slider)
    slider.show_value(2**63 - 1)
    assert slider.value() == slider.maximum()
    slider.show_value(0)
    assert slider.value() == 0
    slider.show_value(None)
    assert slider.value() == 0
