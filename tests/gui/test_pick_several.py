"""Several scenarios at once: picking them on the strip, editing, deleting and moving them."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from tests.gui import parts, sample
from tests.gui.window_kit import Bench, click, key, opened_bench
from workbench.gui.messages import Message
from workbench.gui.session import Session
from workbench.library import plans
from workbench.spec.scenario import MAX_SCENARIOS, Plan


def _three(bench: Bench) -> list[str]:
    plan = bench.session.plan
    for _ in range(3 - len(plan.scenarios)):
        bench.trigger("scenario.duplicate")
    return [scenario.id for scenario in bench.session.plan.scenarios]


def _click(bench: Bench, scenario_id: str, held=Qt.KeyboardModifier.NoModifier) -> None:
    chip = bench.window.strip.chip(scenario_id)
    QTest.mouseClick(chip, Qt.MouseButton.LeftButton, held, chip.rect().center())


def test_control_and_shift_click_pick_several(bench: Bench) -> None:
    ids = _three(bench)
    _click(bench, ids[0])
    _click(bench, ids[2], Qt.KeyboardModifier.ControlModifier)
    assert bench.session.selected_ids == (ids[0], ids[2])
    assert bench.session.current_id == ids[0]
    assert bench.window.strip.chip(ids[2]).picked
    assert not bench.window.strip.chip(ids[1]).picked
    _click(bench, ids[2], Qt.KeyboardModifier.ControlModifier)
    assert bench.session.selected_ids == (ids[0],)
    _click(bench, ids[2], Qt.KeyboardModifier.ShiftModifier)
    assert bench.session.selected_ids == tuple(ids)
    _click(bench, ids[1])
    assert bench.session.selected_ids == (ids[1],)


def test_keys_pick_several(bench: Bench) -> None:
    ids = _three(bench)
    _click(bench, ids[0])
    key(bench.window.strip.chip(ids[0]), Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert bench.session.selected_ids == tuple(ids[:2])
    key(bench.window.strip.chip(ids[1]), Qt.Key.Key_Right)
    assert bench.session.selected_ids == (ids[2],)


def test_an_edit_changes_all_picked_in_one_step(bench: Bench) -> None:
    ids = _three(bench)
    before = plans.dumps(bench.session.plan)
    steps = bench.session.undo_stack.count()
    _click(bench, ids[0])
    bench.trigger("scenario.pick_all")
    assert bench.window.panel.several.isVisible()
    line = bench.window.panel.sections[-2].fields["workload.concurrency"].line
    line.setFocus()
    line.selectAll()
    QTest.keyClicks(line, "7")
    shown = [bench.session.shown(id_).workload.concurrency for id_ in ids]
    assert shown == [7, 7, 7]
    key(line, Qt.Key.Key_Return)
    assert [s.workload.concurrency for s in bench.session.plan.scenarios] == [7, 7, 7]
    assert bench.session.undo_stack.count() == steps + 1
    assert "3" in bench.window.actions_by_id["edit.undo"].text()
    bench.trigger("edit.undo")
    assert plans.dumps(bench.session.plan) == before


def test_only_this_one_ends_it(bench: Bench) -> None:
    ids = _three(bench)
    bench.trigger("scenario.pick_all")
    click(bench.window.panel.several.one)
    assert bench.session.selected_ids == (bench.session.current_id,)
    assert bench.window.panel.several.isHidden()
    assert len(ids) == 3


def test_a_flag_is_set_only_where_the_engine_has_it(qapp, tmp_path) -> None:
    plan = Plan(scenarios=(parts.vllm("v"), parts.llama("p")), baseline="v")
    with opened_bench(qapp, tmp_path, plan) as bench:
        bench.session.pick(("v", "p"))
        bench.session.set_flag(
            lambda s: s.with_(engine=s.engine.with_(enforce_eager=True)),
            "engine.enforce_eager",
            "on",
        )
        assert bench.session.plan.scenario("v").engine.enforce_eager is True
        assert bench.session.plan.scenario("p") == plan.scenario("p")


def test_delete_takes_all_picked_and_undo_brings_them_back(bench: Bench) -> None:
    ids = _three(bench)
    before = plans.dumps(bench.session.plan)
    _click(bench, ids[1])
    _click(bench, ids[2], Qt.KeyboardModifier.ControlModifier)
    key(bench.window.strip.chip(ids[1]), Qt.Key.Key_Delete)
    assert [s.id for s in bench.session.plan.scenarios] == [ids[0]]
    bench.trigger("edit.undo")
    assert plans.dumps(bench.session.plan) == before


def test_a_chip_is_dragged_to_another_place(bench: Bench) -> None:
    ids = _three(bench)
    strip = bench.window.strip
    chip, last = strip.chip(ids[0]), strip.chip(ids[2])
    QTest.mousePress(chip, Qt.MouseButton.LeftButton, pos=chip.rect().center())
    target = chip.mapFromGlobal(last.mapToGlobal(QPoint(last.width() - 2, 5)))
    middle = QPoint((chip.rect().center().x() + target.x()) // 2, 5)
    for at in (middle, target):
        QTest.mouseMove(chip, at)
    QTest.mouseRelease(chip, Qt.MouseButton.LeftButton, pos=target)
    assert [s.id for s in bench.session.plan.scenarios] == [ids[1], ids[2], ids[0]]
    bench.trigger("edit.undo")
    assert [s.id for s in bench.session.plan.scenarios] == ids


def test_a_chip_that_goes_while_it_is_dragged_leaves_no_mark(bench: Bench) -> None:
    strip, names = bench.window.strip, bench.names()
    bench.trigger("scenario.duplicate")
    chip = next(c for c in strip.chips() if c.scenario_id == bench.session.current_id)
    QTest.mousePress(chip, Qt.MouseButton.LeftButton, pos=chip.rect().center())
    QTest.mouseMove(chip, chip.rect().center() - QPoint(90, 0))
    assert strip._row._mark is not None
    bench.trigger("edit.undo")
    assert strip._row._mark is None
    QTest.mouseRelease(chip, Qt.MouseButton.LeftButton)
    assert strip._row._mark is None
    assert bench.names() == names


def test_keys_move_a_scenario(bench: Bench) -> None:
    ids = _three(bench)
    _click(bench, ids[0])
    bench.trigger("scenario.later")
    assert [s.id for s in bench.session.plan.scenarios] == [ids[1], ids[0], ids[2]]
    bench.trigger("scenario.earlier")
    bench.trigger("scenario.earlier")
    assert [s.id for s in bench.session.plan.scenarios] == ids


def test_pasted_scenarios_are_one_step(bench: Bench) -> None:
    before = plans.dumps(bench.session.plan)
    pasted = bench.session.paste(sample.plan().scenarios)
    assert bench.session.selected_ids == pasted
    assert len({s.name for s in bench.session.plan.scenarios}) == len(bench.session.plan.scenarios)
    bench.trigger("edit.undo")
    assert plans.dumps(bench.session.plan) == before


def test_a_full_plan_takes_no_more_and_says_so(qapp, tmp_path) -> None:
    first = parts.ledger_lab("s-0")
    full = tuple(first.with_(id=f"s-{i}", name=f"S {i}") for i in range(MAX_SCENARIOS))
    session = Session(parts.library(), Plan(scenarios=full, baseline="s-0"))
    told: list[Message] = []
    session.message.connect(told.append)
    assert session.add(first) is None
    assert session.duplicate("s-3") is None
    assert session.paste((first, first)) == ()
    assert [message.code for message in told] == ["too_many_scenarios"] * 3
    assert not session.undo_stack.canUndo()
