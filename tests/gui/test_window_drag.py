"""A slider dragged in the real window: live all the way, one undo step."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QSlider


def test_a_drag_is_live_and_one_step(bench):
    window, session = bench.window, bench.session
    session.focus_field.emit("workload.context")
    QTest.qWait(20)
    edit = next(s for s in window.panel.sections if "workload.context" in s.fields).fields[
        "workload.context"
    ]
    slider = edit.findChild(QSlider)
    before = window.bars_card.bars.display_list()
    # The keyboard focus has put the field into sight.
    assert not slider.visibleRegion().isEmpty()
    middle = slider.height() // 2
    at = slider.width() // 2
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(slider, left, Qt.KeyboardModifier.NoModifier, QPoint(at, middle))
    seen = set()
    for x in range(at, at + slider.width() // 3, 4):
        QTest.mouseMove(slider, QPoint(x, middle))
        seen.add(session.shown("a").workload.lengths.tokens)
    assert len(seen) > 1
    assert window.bars_card.bars.display_list() != before
    end = QPoint(at + slider.width() // 3, middle)
    QTest.mouseRelease(slider, left, Qt.KeyboardModifier.NoModifier, end)
    assert session.preview is None
    assert session.undo_stack.count() == 1
    assert session.current.workload.lengths.tokens != 32_768
    bench.trigger("edit.undo")
    assert session.current.workload.lengths.tokens == 32_768
    assert not session.undo_stack.canUndo()
