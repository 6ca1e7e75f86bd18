"""The bars: pointer, keyboard, clipboard and picture."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from tests.gui import parts
from tests.gui.window_kit import click, key, let_paint, wait_until
from workbench.charts.display import HitKey
from workbench.charts.labels import english
from workbench.charts.rows import limit_text


@pytest.fixture
def bars(bench):
    return bench.window.bars_card.bars


def middle(bars, part: str, scenario: str = "a") -> QPoint:
    region = next(
        r for r in bars.display_list().hits if (r.key.scenario, r.key.part) == (scenario, part)
    )
    box = region.box
    return QPoint(round(box.x + box.width / 2), round(box.y + box.height / 2))


def test_pointer_and_keyboard_say_the_same(bench, bars):
    line = bench.window.bars_card.line
    QTest.mouseMove(bars, middle(bars, "kv"))
    wait_until(lambda: "KV cache" in line.full_text)
    hovered = line.full_text
    assert hovered.startswith("A, KV cache: 16 GiB (17,179,869,184 B) · ")
    assert "of usable" in hovered
    QTest.mouseMove(bench.window, QPoint(3, 3))
    bars.setFocus(Qt.FocusReason.TabFocusReason)
    key(bars, Qt.Key.Key_Home)
    while bars._cursor.part != "kv":
        key(bars, Qt.Key.Key_Right)
    assert line.full_text == hovered
    assert bars.accessibleDescription() == hovered


def test_arrows_walk_parts_and_rows_and_enter_explains(bench, bars):
    bars.setFocus()
    key(bars, Qt.Key.Key_Right)
    assert bars._cursor == HitKey("a", 0, "weights")
    key(bars, Qt.Key.Key_Down)
    assert bars._cursor == HitKey("b", 0, "weights")
    key(bars, Qt.Key.Key_End)
    last = bars._cursor
    key(bars, Qt.Key.Key_Right)
    assert bars._cursor == last
    key(bars, Qt.Key.Key_Up)
    assert bars._cursor == HitKey("a", 0, last.part)
    key(bars, Qt.Key.Key_Home)
    key(bars, Qt.Key.Key_Return)
    assert bench.session.selection == ("a", 0, "weights")


def test_a_click_selects_and_looks_at_its_scenario(bench, bars):
    click(bars, middle(bars, "kv", "c"))
    assert bench.session.selection == ("c", 0, "kv")
    assert bench.session.current_id == "c"


def test_the_words_name_the_difference_to_the_baseline(bench, bars):
    bench.session.set_current("b")
    bench.session.set_field("workload.concurrency", 8)
    text = bars.text_of(HitKey("b", 0, "kv"))
    assert text.endswith("+16 GiB to the baseline")


def test_the_chart_is_copied_as_picture_and_table(bench, bars):
    bars.setFocus()
    key(bars, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    data = QApplication.clipboard().mimeData()
    assert data.hasImage()
    assert data.hasText()
    lines = data.text().splitlines()
    assert len(lines) == 4
    assert lines[0].split("\t")[0] == "Scenario"
    assert lines[1].split("\t")[0] == "A"
    image = QApplication.clipboard().image()
    assert image.width() >= 2 * bars.width()
    assert bench.messages() == ["chart_copied"]


def test_the_chart_is_saved_as_png_and_opens_again(bench, bars, tmp_path):
    bench.answers.path = tmp_path / "chart.png"
    bench.trigger("file.save_chart")
    wait_until(lambda: bench.messages() == ["chart_saved"])
    image = QImage(str(tmp_path / "chart.png"))
    assert image.width() >= 2 * bars.width()
    bench.answers.path = tmp_path / "missing" / "chart.png"
    bench.trigger("file.save_chart")
    wait_until(lambda: bench.messages() == ["folder_missing"])


@pytest.mark.qt_log_ignore("This plugin does not support", extend=True)
def test_the_context_menu_of_the_chart(bench, bars):
    bars.menu_wanted.emit(bars.mapToGlobal(QPoint(5, 5)))
    menu = next(m for m in bench.window.findChildren(QMenu) if m.isVisible())
    assert [a.objectName() for a in menu.actions()] == [
        "edit.copy_chart",
        "file.save_chart",
        "file.export",
    ]
    menu.close()


def test_a_preview_is_drawn_and_nothing_is_clipped(bench, bars):
    before = bars.display_list()
    bench.session.preview_field("workload.context", 65_536)
    assert bars.display_list() != before
    bench.session.end_preview()
    assert bars.display_list() == before
    bench.session.set_field("workload.concurrency", 64)
    shown = bars.display_list()
    assert any(item.role.startswith("over:") for item in shown.items)
    assert all(r.box.right <= shown.width for r in shown.hits)
    assert shown.width <= bars.width()
    # Past the limit the axis grows in steps: one more request moves one bar, not all.
    bench.session.set_field("workload.concurrency", 65)
    assert bars.display_list().with_role("axis") == shown.with_role("axis")


def test_an_edit_draws_once(bench, bars, monkeypatch):
    drawn = []
    real = bars._drawn
    monkeypatch.setattr(bars, "_drawn", lambda width: drawn.append(1) or real(width))
    bench.session.preview_field("workload.context", 65_536)
    bench.session.set_field("workload.context", 65_536)
    bench.session.set_field("workload.context", 65_536)
    QTest.qWait(5)
    assert len(drawn) == 1


def test_many_rows_scroll_to_the_keyboard(bench, bars):
    for _ in range(20):
        bench.session.duplicate("a")
    QTest.qWait(20)
    area = bench.window.bars_card.area
    assert area.verticalScrollBar().maximum() > 0
    bars.setFocus()
    bench.session.set_current("a")
    key(bars, Qt.Key.Key_Right)
    for _ in range(22):
        key(bars, Qt.Key.Key_Down)
    box = bars._region(bars._cursor).box
    assert area.verticalScrollBar().value() > 0
    assert bars.visibleRegion().contains(QPoint(round(box.x + 1), round(box.y + 1)))


def test_only_changed_rows_are_painted_and_the_picture_is_whole(bench, bars):
    """What stands in the window after each edit is what painting all of it gives."""
    bench.window.resize(1200, 800)
    wait_until(lambda: bars.width() > 500)
    for change in (
        lambda: bench.session.set_field("workload.context", 9_000),
        lambda: bench.session.set_field("deployment.tp", 2),
        lambda: bench.session.set_current("b"),
        lambda: bench.session.set_field("workload.concurrency", 3),
        lambda: bench.session.set_baseline("b"),
        lambda: bench.session.undo(),
        lambda: QTest.mouseMove(bars, middle(bars, "kv")),
        lambda: bars.setFocus(Qt.FocusReason.TabFocusReason),
    ):
        change()
        # Once for the change, and until nothing that follows it moves the bars any more.
        let_paint(bench)
        window = bench.window
        shown = window.screen().grabWindow(window.winId()).toImage()
        at = bars.mapTo(window, QPoint(0, 0))
        seen = bars.visibleRegion().boundingRect()
        shown = shown.copy(seen.translated(at))
        whole = window.grab(seen.translated(at)).toImage().convertToFormat(shown.format())
        assert shown == whole


def test_what_the_host_holds_is_a_bar_of_its_own(bench, bars):
    session = bench.session
    session.choose_engine("llamacpp")
    session.set_field("engine.gpu_layers", 8)
    parts.follow()
    ledger = session.ledger("a")
    host = next(rank for rank in ledger.ranks if rank.place == "host")
    lanes = [(lane[0].key.scenario, lane[0].key.rank) for lane in bars._lanes()]
    assert lanes[:2] == [("a", ledger.worst_rank.rank), ("a", host.rank)]
    assert "host memory" in bars.display_list().summary
    assert " needed" in bars.display_list().summary
    assert limit_text(host, "GiB", english).startswith("host ")
    assert limit_text(ledger.worst_rank, "GiB", english).startswith("card ")
    bars.setFocus(Qt.FocusReason.TabFocusReason)
    key(bars, Qt.Key.Key_Home)
    key(bars, Qt.Key.Key_Down)
    key(bars, Qt.Key.Key_Return)
    assert session.selection[:2] == ("a", host.rank)
    assert bars.text_of(bars._cursor).startswith("host memory, Weights: ")
