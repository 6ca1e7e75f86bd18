"""The label factory: never markup, nothing invisible, sizes by role."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QWidget

from workbench.gui.labels import Badge, Label, figure, heading, muted, plain_tip, visible

HOSTILE = [
    "<img src=x>",
    "<b>bold</b>",
    "a\u202egnp.exe",
    "zero\u200bwidth",
    "👩‍🔬 emoji",
    "A" * 10_000,
    "line\nbreak\ttab\x00nul",
    "&amp; & &&",
    "\ud800 surrogate",
]


@pytest.mark.parametrize("text", HOSTILE)
@pytest.mark.parametrize("make", [Label, heading, muted, figure, Badge])
def test_every_label_is_plain(qtbot, make, text):
    label = make(text)
    qtbot.addWidget(label)
    assert label.textFormat() == Qt.TextFormat.PlainText
    label.show()
    assert len(label.text()) <= 2_001
    assert "\u202e" not in label.text()


def test_what_cannot_be_seen_is_spelled_out():
    assert visible("a\u202eb") == "a‹U+202E›b"
    assert visible("a\u200bb") == "a‹U+200B›b"
    assert visible("two\nlines") == "two lines"
    assert visible("名 字 ✔ é") == "名 字 ✔ é"
    assert len(visible("x" * 5_000)) == 2_001


def test_a_tool_tip_is_never_markup():
    assert plain_tip("plain") == "plain"
    assert plain_tip("<img src=x>") == "<qt>&lt;img src=x&gt;</qt>"
    assert len(plain_tip("y" * 5_000)) == 1_001


def test_a_shortened_label_says_all_in_its_tip_and_copies_all(qtbot):
    label = figure("KV cache 58.13 GiB of something long")
    qtbot.addWidget(label)
    label.resize(label.fontMetrics().horizontalAdvance("KV cache 5"), 30)
    with qtbot.waitExposed(label):
        label.show()
    assert label.text().endswith("…")
    assert label.toolTip() == "KV cache 58.13 GiB of something long"
    assert label.accessibleName() == "KV cache 58.13 GiB of something long"
    label.setFocus()
    qtbot.keyClick(label, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "KV cache 58.13 GiB of something long"
    assert label.text().endswith("…")


def test_roles_have_sizes_of_their_own(qtbot):
    normal, small, large = Label("x"), heading("x"), Label("x", role="headline")
    for label in (normal, small, large):
        qtbot.addWidget(label)
    assert small.font().pointSizeF() < normal.font().pointSizeF() < large.font().pointSizeF()


class Layouts(QObject):
    """Counts how often a widget is asked to lay out its inside."""

    count = 0

    def eventFilter(self, watched, event):
        self.count += event.type() == QEvent.Type.LayoutRequest
        return False


def test_the_ink_of_a_role_goes_with_it(qtbot):
    label = Label("as it is")
    qtbot.addWidget(label)
    for role in ("success", "text", "warning", "headline", "success", "danger", "text"):
        label.set_role(role)
        new = Label("as it is", role=role)
        qtbot.addWidget(new)
        inks = [one.palette().color(one.foregroundRole()) for one in (label, new)]
        assert inks[0] == inks[1], role


def test_a_text_of_the_same_size_moves_nothing(qtbot):
    row = QWidget()
    qtbot.addWidget(row)
    label, other = Label("16 GiB", row, selectable=True), Label("next", row)
    box = QHBoxLayout(row)
    for part in (label, other):
        box.addWidget(part)
    box.addStretch(1)
    with qtbot.waitExposed(row):
        row.show()
    QApplication.processEvents()
    layouts = Layouts()
    row.installEventFilter(layouts)
    before = other.x()
    for text, moved in (("24 GiB", False), ("1,024 GiB", True), ("十六", True)):
        layouts.count = 0
        label.set_text(text)
        QApplication.processEvents()
        assert bool(layouts.count) == moved, text
        assert label.isVisible()
        assert not label.isHidden()
        assert label.size().width() >= label.sizeHint().width()
        assert label.height() >= label.sizeHint().height()
        assert (other.x() != before) == moved
        before = other.x()


@pytest.mark.parametrize("wrap", [False, True])
@pytest.mark.parametrize("height", [0, 27, 37, 40])
def test_a_text_is_painted_where_it_will_be_selected(qtbot, wrap, height):
    """Before somebody selects in it Qt's own painting is not asked; the pixels are the same."""
    label = Label("65,536 tokens of KV cache, × 2", role="muted", selectable=True, wrap=wrap)
    qtbot.addWidget(label)
    width = label.fontMetrics().horizontalAdvance(label.full_text)
    label.setFixedWidth(width * 2 // 3 if wrap else width * 2)
    label.setFixedHeight(height or label.heightForWidth(label.width()))
    assert _is_painted_as_by_qt(label)


def test_lines_of_their_own_are_painted_where_they_will_be_selected(qtbot):
    label = Label(selectable=True, wrap=True)
    qtbot.addWidget(label)
    label.setText("one\ntwo")
    label.resize(300, label.heightForWidth(300))
    assert _is_painted_as_by_qt(label)


def _is_painted_as_by_qt(label: Label) -> bool:
    mine = label.grab().toImage()
    label.paintEvent = lambda event: QLabel.paintEvent(label, event)
    return label.grab().toImage() == mine
