"""What a planner comes for, counted: keys to an answer, actions to a difference."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from tests.gui.window_kit import Bench, opened_bench
from workbench.core.budget import budget
from workbench.gui.app import example_plan
from workbench.library import compose
from workbench.spec.ledger import EntryKind
from workbench.spec.units import group_digits, show_bytes


class Hands:
    """Types at whatever has the keyboard and counts: a key, or keys held together, is one."""

    def __init__(self) -> None:
        self.strokes = 0

    def press(
        self, key: Qt.Key, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> None:
        self.strokes += 1
        QTest.keyClick(self._target(), key, held)
        QApplication.processEvents()

    def write(self, text: str) -> None:
        for letter in text:
            self.strokes += 1
            QTest.keyClick(self._target(), letter)
            QApplication.processEvents()

    @staticmethod
    def _target() -> QWidget:
        window = QApplication.activePopupWidget() or QApplication.activeWindow()
        assert window is not None
        return QApplication.focusWidget() or window


def test_from_the_start_to_the_most_requests_of_a_model_by_keyboard(qapp, tmp_path) -> None:
    with opened_bench(qapp, tmp_path, example_plan()) as bench:
        hands = Hands()
        control = Qt.KeyboardModifier.ControlModifier
        hands.press(Qt.Key.Key_K, control)
        hands.write("qwen3-32b")
        hands.press(Qt.Key.Key_Return)
        hands.press(Qt.Key.Key_K, control)
        hands.write("4x80gib")
        hands.press(Qt.Key.Key_Return)
        scenario = bench.session.current
        assert scenario is not None
        assert scenario.model.name == "Qwen3-32B"
        assert scenario.deployment.tp == 4
        assert scenario.gpu.device_total_bytes == 80 * 2**30
        most = budget(scenario).most_requests
        assert most is not None
        shown = f"{bench.window.verdict.answer.full_text} {bench.window.verdict.reason.full_text}"
        assert group_digits(most) in shown
        assert hands.strokes <= 25, hands.strokes


def test_duplicate_halve_the_kv_format_read_the_difference(qapp, tmp_path) -> None:
    with opened_bench(qapp, tmp_path, example_plan()) as bench:
        bench.session.set_current(bench.session.plan.scenarios[0].id)
        QApplication.processEvents()
        original = bench.session.current
        assert original is not None
        actions = 0

        # 1: duplicate.
        bench.trigger("scenario.duplicate")
        actions += 1
        # 2 and 3: open the list of KV formats and choose one of 8 bits.
        box = bench.window.panel.sections[0].kv  # type: ignore[attr-defined]
        QTest.mouseClick(box, Qt.MouseButton.LeftButton)
        actions += 1
        _choose_fp8(bench)
        actions += 1
        # 4: point at the KV cache of the copy.
        QApplication.processEvents()
        bars = bench.window.bars_card.bars
        current = bench.session.current_id
        region = next(
            hit
            for hit in bars.display_list().hits
            if hit.key.scenario == current and hit.key.part == "kv"
        )
        at = QPoint(round(region.box.x + region.box.width / 2), round(region.box.y + 4))
        QTest.mouseMove(bars, at)
        QApplication.processEvents()
        actions += 1

        copy = bench.session.current
        assert copy is not None
        rows = [budget(s).worst_rank.kind_bytes(EntryKind.KV) for s in (original, copy)]
        assert rows[1] * 2 == rows[0]
        line = bench.window.bars_card.line.full_text
        assert "−" + show_bytes(rows[0] - rows[1]) in line
        assert actions <= 6


def _choose_fp8(bench: Bench) -> None:
    """Choose a line of the open list, by its name and Enter: one action."""
    fp8 = bench.session.library.kv_format("fp8")
    wanted = compose.with_kv_format(bench.session.current, fp8)  # type: ignore[arg-type]
    popup = QApplication.activePopupWidget()
    assert popup is not None
    focus = QApplication.focusWidget() or popup
    QTest.keyClicks(focus, fp8.value.name)
    QApplication.processEvents()
    QTest.keyClick(QApplication.focusWidget() or popup, Qt.Key.Key_Return)
    QApplication.processEvents()
    assert bench.session.current is not None
    assert bench.session.current.precision.kv == wanted.precision.kv
