"""Charts on the clipboard and out of the window: picture, SVG and figures together."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QContextMenuEvent, QDrag, QDragEnterEvent, QImage, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from tests.export import plans, second_program
from tests.gui.explore_kit import Map
from tests.gui.export_kit import dialog_of, opened, pick, ready
from tests.gui.window_kit import click, key, opened_bench, wait_until
from workbench.gui.export import dragging
from workbench.gui.export.mime import SVG, guarded_tsv, tsv_of

CONTROL = Qt.KeyboardModifier.ControlModifier
NONE = Qt.KeyboardModifier.NoModifier
LEFT = Qt.MouseButton.LeftButton

pytestmark = pytest.mark.qt_log_ignore("does not support (raise|grabbing)", extend=True)


def board() -> QMimeData:
    """What is on the clipboard."""
    return QApplication.clipboard().mimeData()


def check(data: QMimeData) -> tuple[QImage, str, list[list[str]]]:
    """All three are there; the picture is opaque and twice as large as the SVG."""
    assert data.hasImage()
    assert data.hasFormat(SVG)
    assert data.hasText()
    image, svg = QImage(data.imageData()), bytes(data.data(SVG).data()).decode()
    assert not image.hasAlphaChannel()
    head = svg[svg.index("<svg") : svg.index(">", svg.index("<svg"))]
    width = float(head.split(' width="')[1].split('"')[0])
    assert image.width() == round(width * 2)
    return image, svg, [line.split("\t") for line in data.text().splitlines()]


@pytest.fixture
def page(bench):
    bench.trigger("compare.open")
    made = bench.window.page_widget("compare")
    wait_until(lambda: not made.busy)
    QTest.qWait(20)
    return made


# --- copying ------------------------------------------------------------------------------------


def test_the_bars_are_copied_by_their_key(bench):
    bars = bench.window.bars_card.bars
    bars.setFocus()
    key(bars, Qt.Key.Key_C, CONTROL)
    _, svg, lines = check(board())
    assert lines[0][0] == "Scenario"
    assert [line[0] for line in lines[1:]] == ["A", "B", "C"]
    assert ">KV cache<" in svg


def test_a_second_program_draws_the_svg(bench, tmp_path):
    bars = bench.window.bars_card.bars
    bars.setFocus()
    key(bars, Qt.Key.Key_C, CONTROL)
    _, svg, _ = check(board())
    (tmp_path / "bars.svg").write_text(svg, encoding="utf-8")
    drawn = QImage(str(second_program.svg_picture(tmp_path / "bars.svg", tmp_path / "bars.png")))
    fill = bars.display_list().items
    kv = next(item.fill for item in fill if item.role.startswith("part:kv") or "kv" in item.role)
    near = {
        drawn.pixelColor(x, y).name().upper()
        for x in range(0, drawn.width(), 5)
        for y in range(0, drawn.height(), 5)
    }
    assert kv.upper() in near


def test_the_comparison_is_copied_with_its_table(bench, page):
    click(page.head.copy)
    _, svg, lines = check(board())
    assert ["KV cache", "16.00", "16.00", "=", "16.00", "="] in lines
    assert ">What moved the answer<" in svg


def test_the_waterfall_is_copied_by_key_and_by_menu(bench, page):
    view = page.fall.view
    wait_until(lambda: page.fall.chart is not None)
    view.setFocus()
    key(view, Qt.Key.Key_C, CONTROL)
    _, svg, lines = check(board())
    assert lines[1][0] in ("A", "★ A")
    assert lines[-1][0] == "B"
    assert ">What moved the answer<" in svg
    QApplication.clipboard().clear()
    at = view.rect().center()
    mouse = QContextMenuEvent.Reason.Mouse
    QApplication.sendEvent(view, QContextMenuEvent(mouse, at, view.mapToGlobal(at)))
    menu = next(m for m in view.findChildren(QMenu) if m.isVisible())
    actions = {action.text(): action for action in menu.actions()}
    assert {"Copy chart", "Export…"} <= set(actions)
    actions["Copy chart"].trigger()
    check(board())
    menu.close()


def test_the_heat_map_is_copied_dragged_and_exported(bench, drags):
    heat = Map(bench)
    heat.chart.setFocus()
    key(heat.chart, Qt.Key.Key_C, CONTROL)
    _, svg, lines = check(board())
    assert lines[0][0] == "concurrency \\ context"
    assert ">concurrency<" in svg
    drag(heat.chart, heat.chart.rect().center())
    assert dragged(drags[0]).name == "heat-map.png"
    # The press tried a cell; taking the map away ended that.
    assert bench.session.preview is None
    heat.chart.menu_wanted.emit(heat.chart.mapToGlobal(QPoint(40, 40)))
    menu = QApplication.activePopupWidget()
    next(action for action in menu.actions() if action.text() == "Export…").trigger()
    menu.close()
    dialog = ready(dialog_of(bench))
    assert (dialog.form.what, dialog.form.scenario_id) == ("heatmap", "a")
    dialog.close()


@pytest.mark.parametrize("what", ["bars", "compare", "waterfall", "heatmap"])
def test_the_dialog_copies_what_it_shows(bench, what):
    dialog = pick(opened(bench), what)
    dialog.copy_button.setFocus()
    key(dialog.copy_button, Qt.Key.Key_Space)
    image, svg, lines = check(board())
    assert (image.width(), image.height()) == (2560, 1440)
    assert len(lines) >= 3
    assert dialog.status.full_text == "Copied: picture, SVG and table."
    titles = {"bars": "Memory per GPU", "waterfall": "From A to B"}
    assert titles.get(what, "") in svg
    dialog.close()


def test_a_transparent_look_is_opaque_on_the_clipboard(bench):
    dialog = opened(bench)
    dialog.form._choose_look("transparent")
    wait_until(lambda: not dialog.previews.busy)
    click(dialog.copy_button)
    image, _, _ = check(board())
    assert image.pixelColor(1, 1).name() == "#ffffff"
    dialog.close()


def test_no_name_becomes_a_formula_or_markup(qapp, tmp_path):
    name = '=HYPERLINK("http://x")<script>&'
    with opened_bench(qapp, tmp_path, plans.named(name).plan) as bench:
        bars = bench.window.bars_card.bars
        bars.setFocus()
        key(bars, Qt.Key.Key_C, CONTROL)
        _, svg, lines = check(board())
        assert "<script" not in svg
        assert all(not cell.startswith("=") for line in lines for cell in line)
        bench.trigger("compare.open")
        page = bench.window.page_widget("compare")
        wait_until(lambda: not page.busy)
        click(page.head.copy)
        _, _, lines = check(board())
        cells = [cell for line in lines for cell in line]
        assert all(not cell.startswith("=") or cell == "=" for cell in cells)
        assert any(name in cell for cell in cells)
        page.table.selectAll()
        key(page.table, Qt.Key.Key_C, CONTROL)
        cells = [cell for line in board().text().split("\n") for cell in line.split("\t")]
        assert all(not cell.startswith("=") or cell == "=" for cell in cells)
        assert any(name in cell for cell in cells)


@pytest.mark.parametrize(
    ("text", "guarded"),
    [
        ("=", "="),
        ("+80.00", "+80.00"),
        ("-1", "-1"),
        ("+1.5 GiB", "+1.5 GiB"),
        ("-12 %", "-12 %"),
        ("=1+1", "'=1+1"),
        ("+cmd", "'+cmd"),
        ("-2+3", "'-2+3"),
        ("@SUM", "'@SUM"),
        ("a\t=b\nc", "a\t'=b\nc"),
    ],
)
def test_figures_stay_and_formulas_do_not(text, guarded):
    assert guarded_tsv(text) == guarded


def test_words_become_lines_of_cells():
    assert tsv_of(("a", "b"), [("1 GiB", "x\ty"), ("=1", "z")]) == "a\tb\n1 GiB\tx y\n'=1\tz\n"


# --- dragging -----------------------------------------------------------------------------------


@pytest.fixture
def drags(monkeypatch):
    """What drags carried, each ended at once."""
    found: list[QMimeData] = []

    def ended(drag: QDrag, *_: object) -> Qt.DropAction:
        data, kept = drag.mimeData(), QMimeData()
        kept.setUrls(data.urls())
        kept.setImageData(data.imageData())
        kept.setText(data.text())
        kept.setData(SVG, data.data(SVG))
        found.append(kept)
        return Qt.DropAction.CopyAction

    monkeypatch.setattr(QDrag, "exec", ended)
    return found


def drag(widget, start: QPoint, far: int = 0) -> None:
    far = far or QApplication.startDragDistance() + 4
    QTest.mousePress(widget, LEFT, NONE, start)
    for step in (far // 2, far):
        QTest.mouseMove(widget, start + QPoint(step, 0))
        # A bare move carries no buttons: what the window system would send.
        at = QPointF(start + QPoint(step, 0))
        move = QMouseEvent(
            QEvent.Type.MouseMove, at, widget.mapToGlobal(at), Qt.MouseButton.NoButton, LEFT, NONE
        )
        QApplication.sendEvent(widget, move)
    QTest.mouseRelease(widget, LEFT, NONE, start + QPoint(far, 0))


def dragged(data: QMimeData) -> Path:
    """The file that was carried; it opens."""
    (url,) = data.urls()
    path = Path(url.toLocalFile())
    image = QImage(str(path))
    assert path.read_bytes().startswith(b"\x89PNG")
    assert image.size() == QImage(data.imageData()).size()
    assert data.hasFormat(SVG)
    return path


def test_the_bars_are_dragged_out_as_a_file(bench, drags):
    bars = bench.window.bars_card.bars
    drag(bars, QPoint(40, bars.height() // 2))
    (data,) = drags
    path = dragged(data)
    assert path.name == "memory.png"
    assert bench.messages() == []
    # The next one does not take the file from under whoever still reads the first.
    drag(bars, QPoint(40, bars.height() // 2))
    assert dragged(drags[1]) != path
    assert path.exists()


def test_a_click_and_a_short_move_drag_nothing(bench, drags):
    bars = bench.window.bars_card.bars
    box = next(r.box for r in bars.display_list().hits if r.key.part == "kv")
    at = QPoint(round(box.x + 5), round(box.y + 5))
    drag(bars, at, far=QApplication.startDragDistance() - 2)
    QTest.mouseMove(bars, at + QPoint(90, 0))
    assert drags == []
    assert bench.session.selection is not None
    QTest.mousePress(bars, Qt.MouseButton.RightButton, NONE, at)
    QTest.mouseRelease(bars, Qt.MouseButton.RightButton, NONE, at)
    assert drags == []


def test_the_waterfall_and_the_preview_are_dragged_out(bench, page, drags):
    wait_until(lambda: page.fall.chart is not None)
    drag(page.fall.view, QPoint(30, 20))
    assert dragged(drags[0]).name == "waterfall.png"
    dialog = opened(bench)
    drag(dialog.preview.pane, dialog.preview.pane.rect().center())
    assert dragged(drags[1]).name == "plan-comparison.png"
    dialog.close()


def test_a_file_that_cannot_be_written_drags_nothing(bench, drags, monkeypatch, tmp_path):
    monkeypatch.setattr(dragging, "_folder", lambda: tmp_path / "gone")
    bars = bench.window.bars_card.bars
    drag(bars, QPoint(40, bars.height() // 2))
    assert drags == []


def test_the_folder_of_dragged_files_goes_with_the_program(tmp_path):
    program = (
        "from workbench.gui.export import dragging\n"
        "folder = dragging._folder()\n"
        "(folder / 'x').write_text('x')\n"
        "print(folder)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", program],
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    folder = Path(done.stdout.strip())
    assert folder.name.startswith("kvw-drag-")
    assert not folder.exists()
    assert done.stderr == ""


def test_the_window_does_not_take_its_own_chart(bench, monkeypatch):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile("/tmp/memory.png")])
    copy = Qt.DropAction.CopyAction
    event = QDragEnterEvent(QPoint(5, 5), copy, data, LEFT, NONE)
    bench.window.dragEnterEvent(event)
    assert event.isAccepted()
    monkeypatch.setattr(QDragEnterEvent, "source", lambda _: bench.window.bars_card.bars)
    event = QDragEnterEvent(QPoint(5, 5), copy, data, LEFT, NONE)
    event.ignore()
    bench.window.dragEnterEvent(event)
    assert not event.isAccepted()
