"""The verdict line: fixes that are tried, looked at as an outline, applied as one step."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QAccessible
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from tests.gui import parts
from tests.gui.window_kit import Bench, click, key, opened_bench, wait_until
from workbench.charts.display import Text
from workbench.core.budget import ledger_of
from workbench.gui import fix_search
from workbench.gui.fix_buttons import FixButton
from workbench.gui.language import settle as say_the_rest
from workbench.gui.panels.findings_panel import FindingCard
from workbench.gui.verdict_line import VerdictLine
from workbench.library.plans import dumps
from workbench.spec.ledger import Status
from workbench.spec.scenario import Plan, Scenario


def too_long(scenario_id: str = "b", concurrency: int = 6) -> Scenario:
    """Over budget by its KV cache: 128k tokens on four cards."""
    made = parts.vllm(scenario_id, "llama-3.1-70b", "h100-sxm", tp=4)
    lengths = made.workload.lengths.with_(tokens=131_072)
    workload = made.workload.with_(lengths=lengths, concurrency=concurrency)
    return made.with_(workload=workload, name="128k")


def plan(*scenarios: Scenario) -> Plan:
    return Plan(scenarios=scenarios, baseline=scenarios[0].id)


@pytest.fixture
def bench(qapp, tmp_path) -> Iterator[Bench]:
    with opened_bench(qapp, tmp_path, plan(parts.vllm("a"), too_long())) as made:
        made.session.set_current("b")
        wait_until(lambda: bool(buttons(made)))
        yield made


def verdict(bench: Bench) -> VerdictLine:
    return bench.window.verdict


def buttons(bench: Bench) -> list[FixButton]:
    return [b for b in verdict(bench).fixes.buttons if b.isVisible()]


def captions(bench: Bench) -> list[str]:
    return [button.text() for button in buttons(bench)]


def point_at(widget) -> None:
    QTest.mouseMove(widget.window(), QPoint(1, 1))
    QApplication.processEvents()
    QTest.mouseMove(widget)
    QApplication.processEvents()


def bar_words(bench: Bench) -> list[str]:
    items = bench.window.bars_card.bars.display_list().with_role("tried:result")
    return [item.text for item in items if isinstance(item, Text)]


# --- what is offered ----------------------------------------------------------------------------


def test_three_fixes_each_of_which_fits(bench: Bench) -> None:
    assert captions(bench) == ["3 requests ✔", "context ≤ 73k ▲", "FP8 KV cache ✔"]
    for button in buttons(bench):
        assert button.fix is not None
        assert ledger_of(button.fix.scenario).verdict.status is Status.FITS
    assert verdict(bench).fixes.label.isVisible()
    assert not verdict(bench).no_fix.isVisible()


def test_nothing_is_offered_where_it_fits(bench: Bench) -> None:
    bench.session.set_current("a")
    QApplication.processEvents()
    assert not buttons(bench)
    assert not verdict(bench).fixes.isVisible()


def test_near_the_limit_looks_the_same_everywhere_and_never_as_a_pass(bench: Bench) -> None:
    bench.session.set_current("a")
    bench.session.set_field("workload.concurrency", None)
    bench.window.settle()
    ledger = bench.session.ledger("a")
    assert ledger.verdict.near_limit
    assert verdict(bench).answer.full_text.startswith("▲ Near the limit: ")
    chip = bench.window.strip.chips()[0]
    assert chip.accessibleName().endswith("Near the limit")
    bars = bench.window.bars_card.bars.display_list().with_role("result:doubt")
    assert [item.text for item in bars if isinstance(item, Text)] == ["near the limit"]
    assert not buttons(bench)


def test_the_reason_why_there_is_no_fix(bench: Bench) -> None:
    hopeless = parts.vllm("x", "deepseek-v3", "t4")
    bench.session.add(hopeless)
    wait_until(lambda: verdict(bench).no_fix.isVisible())
    assert not buttons(bench)
    assert "TP 64" in verdict(bench).no_fix.full_text


def test_a_refusal_is_cured_too(bench: Bench) -> None:
    bench.session.add(parts.vllm("x", "gemma-3-27b-it", "h100-sxm", "0.33.0"))
    wait_until(lambda: bool(buttons(bench)) and "max model len" in captions(bench)[0])
    click(buttons(bench)[0])
    current = bench.session.current_id
    assert current is not None
    assert bench.session.ledger(current).verdict.status is Status.FITS


def test_buttons_say_what_they_take(bench: Bench) -> None:
    requests, context, _ = buttons(bench)
    assert requests.accessibleName() == "Try: 3 requests"
    assert requests.accessibleDescription().startswith(
        "Serves 3 requests at once instead of 6. Fits: "
    )
    assert "73k tokens instead of 128k" in context.toolTip()


# --- looking ------------------------------------------------------------------------------------


def test_the_pointer_shows_the_outline_and_takes_it_away(bench: Bench) -> None:
    before = bench.session.plan
    point_at(buttons(bench)[0])
    ghost = bench.session.ghost
    assert ghost is not None
    assert ghost.id == "b"
    assert ghost.workload.concurrency == 3
    (said,) = bar_words(bench)
    assert said.startswith("→ ")
    assert said.endswith(" free")
    point_at(verdict(bench).answer)
    assert bench.session.ghost is None
    assert not bar_words(bench)
    assert bench.session.plan is before
    assert not bench.session.undo_stack.count()


def test_the_keyboard_shows_the_outline_of_each_in_turn(bench: Bench) -> None:
    first, second, _ = buttons(bench)
    first.setFocus(Qt.FocusReason.TabFocusReason)
    assert bench.session.ghost is not None
    assert bench.session.ghost.workload.concurrency == 3
    key(first, Qt.Key.Key_Tab)
    assert second.hasFocus()
    assert bench.session.ghost.workload.concurrency == 6
    bench.window.bars_card.bars.setFocus()
    assert bench.session.ghost is None


def test_the_fix_of_a_finding_shows_its_outline_too(bench: Bench) -> None:
    (button,) = [
        card.fix_button
        for card in bench.window.findChildren(FindingCard)
        if card.fix_button.isVisible()
    ]
    button.setFocus(Qt.FocusReason.TabFocusReason)
    assert bench.session.ghost is not None
    assert bench.session.ghost.workload.concurrency == 3
    bench.window.bars_card.bars.setFocus()
    assert bench.session.ghost is None
    # One number everywhere: the finding counts the requests that the verdict line offers.
    fix = buttons(bench)[0].fix
    assert fix is not None
    click(button)
    assert bench.session.current == fix.scenario


def test_a_picture_of_the_bars_has_no_outline(bench: Bench) -> None:
    point_at(buttons(bench)[0])
    assert bar_words(bench)
    assert not bench.window.bars_card.bars.picture().with_role("tried:")


# --- applying -----------------------------------------------------------------------------------


def test_a_click_is_one_step_and_undo_restores_exactly(bench: Bench) -> None:
    before = dumps(bench.session.plan)
    for number in range(3):
        fix = buttons(bench)[number].fix
        assert fix is not None
        click(buttons(bench)[number])
        assert bench.session.undo_stack.count() == 1
        assert bench.session.current == fix.scenario
        assert not buttons(bench)
        assert bench.session.ghost is None
        bench.session.undo()
        assert dumps(bench.session.plan) == before
        wait_until(lambda: len(buttons(bench)) == 3)


def test_the_step_is_named_after_the_fix(bench: Bench) -> None:
    buttons(bench)[0].setFocus(Qt.FocusReason.TabFocusReason)
    key(buttons(bench)[0], Qt.Key.Key_Space)
    step = bench.session.undo_step
    assert step is not None
    assert (step.code, step.params["name"]) == ("apply_fix", "3 requests")
    # The keyboard goes on from the answer, not from nowhere.
    assert verdict(bench).answer.hasFocus()


def test_a_fix_keeps_what_the_scenario_was_renamed_to_meanwhile(bench: Bench) -> None:
    bench.session.rename("b", "other name")
    click(buttons(bench)[0])
    current = bench.session.current
    assert current is not None
    assert (current.name, current.workload.concurrency) == ("other name", 3)


def test_a_fix_of_what_is_being_typed(bench: Bench) -> None:
    bench.session.preview_field("workload.concurrency", 12)
    wait_until(lambda: captions(bench)[1:2] not in ([], ["context ≤ 73k ✔"]))
    click(buttons(bench)[0])
    assert bench.session.preview is None
    current = bench.session.current
    assert current is not None
    assert current.workload.concurrency == 3


def test_other_scenarios_stay_as_they_are(bench: Bench) -> None:
    bench.session.pick(["a", "b"])
    wait_until(lambda: bool(buttons(bench)))
    first = bench.session.plan.scenario("a")
    click(buttons(bench)[0])
    assert bench.session.plan.scenario("a") is first


# --- in the way of nothing ----------------------------------------------------------------------


def test_the_search_waits_for_the_paint_and_for_a_pause(bench: Bench, monkeypatch) -> None:
    line = verdict(bench)
    started = []
    monkeypatch.setattr(line._search, "_go_on", lambda: started.append(1))
    for tokens in (100_000, 90_000, 80_000):
        bench.session.preview_field("workload.context", tokens)
        assert line._search._timer.interval() > fix_search.AFTER_EDIT_MS
    bench.session.end_preview()
    bench.session.set_field("workload.context", 95_000)
    assert not started
    assert line._search._timer.interval() == fix_search.AFTER_EDIT_MS


def test_what_was_found_is_not_looked_for_again(bench: Bench) -> None:
    bench.session.set_current("a")
    bench.session.set_current("b")
    assert len(buttons(bench)) == 3


@pytest.mark.parametrize("width", [1024, 1100, 1300, 1440, 2000])
@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_buttons_are_never_cut_off(bench: Bench, width: int, language: str) -> None:
    bench.language.choose(language)
    bench.window.resize(width, 700)
    QApplication.processEvents()
    line = verdict(bench)
    inside = line.contentsRect()
    shown = buttons(bench)
    assert shown
    for button in shown:
        corner = button.mapTo(line, QPoint(0, 0))
        assert corner.x() >= 0
        assert corner.x() + button.width() <= inside.right()
        assert button.width() >= button.sizeHint().width()
        assert "…" not in button.text()
    assert line.answer.text() == line.answer.full_text
    assert bench.window.width() <= max(width, 1024)


def test_a_caption_too_long_for_a_narrow_line_is_shortened(qapp) -> None:
    session = parts.session(too_long())
    window = parts.Window(session, line := VerdictLine(session))
    window.resize(320, 200)
    window.show()
    QTest.qWaitForWindowExposed(window)
    wait_until(lambda: line.fixes.isVisible())
    line.fixes.fit(120)
    first = line.fixes.buttons[0]
    assert "…" in first.text()
    assert first.full_text == "3 requests ✔"
    assert not line.fixes.buttons[1].isVisible()
    window.close()
    window.deleteLater()


# --- words --------------------------------------------------------------------------------------


def test_the_language_changes_live(bench: Bench) -> None:
    english = captions(bench)
    bench.language.choose("zh_CN")
    say_the_rest()
    assert captions(bench) != english
    assert len(captions(bench)) == 3
    bench.language.choose("en")
    say_the_rest()
    assert captions(bench) == english


def test_a_new_verdict_is_announced_once(bench: Bench, monkeypatch) -> None:
    said: list[str] = []
    monkeypatch.setattr(QAccessible, "isActive", lambda: True)
    monkeypatch.setattr(
        QAccessible,
        "updateAccessibility",
        lambda event: said.append(event.message()) if hasattr(event, "message") else None,
    )
    bench.session.preview_field("workload.concurrency", 2)
    assert not [text for text in said if text.startswith("Fits")]
    bench.session.set_field("workload.concurrency", 2)
    announced = [text for text in said if text.startswith("Fits")]
    assert len(announced) == 1
    verdict(bench).refresh()
    assert [text for text in said if text.startswith("Fits")] == announced
