"""The session: every verb is one exact undo step."""

from __future__ import annotations

import random

import pytest
from pydantic import ValidationError

from tests.gui import sample
from workbench.gui.session import Session
from workbench.library.plans import dumps, loads
from workbench.spec.engine import Amount
from workbench.spec.errors import UserError
from workbench.spec.fields import FIELDS
from workbench.spec.gpu import GpuSet


@pytest.fixture
def session(qapp) -> Session:
    return Session(None, sample.plan())


def heard(signal) -> list:
    values: list = []
    signal.connect(values.append)
    return values


def test_a_field_edit_is_one_step_and_tells_the_plan(session):
    plans = heard(session.plan_changed)
    before = session.plan
    session.set_field("workload.context", 65_536)
    assert session.current.workload.lengths.tokens == 65_536
    assert plans == [session.plan]
    assert session.undo_stack.count() == 1
    assert session.undo_step.params["field"] == "workload.context"
    session.undo()
    assert session.plan is before
    assert not session.dirty


def test_big_integers_arrive_whole(session):
    plans = heard(session.plan_changed)
    session.set_field("gpu.device_total_bytes", 85_520_809_984)
    assert plans[-1].scenario("a").gpu.device_total_bytes == 85_520_809_984


def test_a_drag_is_one_step_and_a_round_trip_none(session):
    drag = object()
    for value in range(1_000, 1_050):
        session.set_field("workload.context", value, merge=drag)
    assert session.undo_stack.count() == 1
    session.set_field("workload.context", 32_768, merge=drag)
    assert session.undo_stack.count() == 0
    session.set_field("workload.context", 2_000, merge=object())
    session.set_field("workload.context", 3_000, merge=object())
    assert session.undo_stack.count() == 2


def test_a_burst_on_one_field_is_one_step(session, monkeypatch):
    now = [100.0]
    monkeypatch.setattr("workbench.gui.commands.monotonic", lambda: now[0])
    for value in (5, 6, 7):
        session.set_field("workload.concurrency", value)
        now[0] += 0.29
    assert session.undo_stack.count() == 1
    now[0] += 0.02
    session.set_field("workload.concurrency", 8)
    assert session.undo_stack.count() == 2
    session.set_field("workload.context", 1_024)
    assert session.undo_stack.count() == 3


def test_a_saved_state_is_never_merged_away(session):
    session.set_field("workload.concurrency", 5, merge="drag")
    session.mark_saved(session.plan)
    session.set_field("workload.concurrency", 6, merge="drag")
    assert session.dirty
    session.undo()
    assert not session.dirty


@pytest.mark.parametrize(
    ("field", "value"),
    [("workload.context", 0), ("workload.concurrency", "4"), ("workload.p50", 12)],
)
def test_bad_values_change_nothing(session, field, value):
    before = session.plan
    with pytest.raises((ValidationError, UserError)):
        session.set_field(field, value)
    assert session.plan is before
    assert session.undo_stack.count() == 0


def test_preview_shows_without_a_step(session):
    previews, plans = heard(session.preview_changed), heard(session.plan_changed)
    committed = session.ledger("a")
    session.preview_field("workload.context", 65_536)
    assert session.ledger("a") != committed
    assert session.ledger("b") is not None
    assert session.undo_stack.count() == 0
    session.end_preview()
    assert session.ledger("a") is committed
    assert previews[-1] is None
    assert plans == []
    session.preview_field("workload.context", 65_536)
    session.set_field("workload.context", 65_536)
    assert session.preview is None


def test_choosing_a_set_of_cards_is_one_step(session):
    cards = GpuSet(id="8x", name="8 × card", card=sample.SMALL_CARD, count=8, tp=4)
    session.choose_gpu(sample.preset("gpus", cards))
    assert session.current.gpu == sample.SMALL_CARD
    assert (session.current.deployment.tp, session.current.deployment.gpus) == (4, 8)
    assert session.undo_stack.count() == 1
    session.undo()
    assert session.current.gpu == sample.CARD
    assert session.current.deployment.gpus == 1


def test_what_is_pasted_shares_its_parts_with_the_plan(session):
    """Undo keeps every plan: a copy that was read from a text must not weigh as much again."""
    read = loads(dumps(session.plan), "clipboard").plan.scenarios
    assert read[0].model is not session.current.model
    other = read[0].with_(workload=read[0].workload.with_(concurrency=7))
    (pasted_id,) = session.paste([other])
    pasted, original = session.plan.scenario(pasted_id), session.plan.scenario("a")
    assert pasted.with_(id=other.id, name=other.name) == other
    for part in ("model", "gpu", "engine", "precision", "deployment", "reserves"):
        assert getattr(pasted, part) is getattr(original, part)
    assert pasted.workload.concurrency == 7


def test_scenario_verbs(session):
    copy_id = session.duplicate("a")
    assert [s.name for s in session.plan.scenarios] == ["A", "A copy", "B", "C"]
    assert session.current_id == copy_id
    session.set_field("workload.context", 65_536)
    assert session.current.name == "A · context 64k"
    session.set_field("workload.concurrency", 2)
    assert session.current.name == "A · context 64k"
    session.rename(copy_id, "  Long  ")
    assert session.current.name == "Long"
    session.set_baseline(copy_id)
    session.move(copy_id, 3)
    assert [s.name for s in session.plan.scenarios] == ["A", "B", "C", "Long"]
    session.delete(copy_id)
    assert session.plan.baseline == "a"
    assert session.current_id == "c"
    session.undo()
    assert session.current_id == copy_id
    assert session.plan.baseline == copy_id


def test_deleting_the_last_scenario_leaves_an_empty_plan(qapp):
    session = Session(None, sample.plan("A"))
    session.select("a", 0, "kv")
    session.delete("a")
    assert session.current is None
    assert session.selection is None
    assert session.plan.baseline is None
    session.set_field("workload.context", 12)  # nothing to set, nothing to say
    session.undo()
    assert session.current_id == "a"


def test_undo_shows_the_scenario_it_changed(session):
    session.set_field("workload.context", 1_024)
    session.set_current("b")
    currents = heard(session.current_changed)
    session.undo()
    assert currents == ["a"]


def random_edit(session: Session, rng: random.Random) -> None:
    """Do one verb with whatever values come up; many are refused."""
    ids = [s.id for s in session.plan.scenarios]
    if not ids:
        session.add(sample.scenario())
        return
    pick = rng.choice(ids)
    session.set_current(rng.choice(ids))
    cards = GpuSet(id="set", name="set", card=sample.SMALL_CARD, count=8, tp=rng.choice((1, 2, 8)))
    verbs = [
        lambda: session.duplicate(pick),
        lambda: session.delete(pick),
        lambda: session.rename(pick, rng.choice(("X", "长上下文", "  Y ", ""))),
        lambda: session.move(pick, rng.randrange(5)),
        lambda: session.set_baseline(pick),
        lambda: session.add(sample.scenario(name="New")),
        lambda: session.choose_model(
            sample.preset("models", sample.model("Other", rng.randrange(1, 80)))
        ),
        lambda: session.choose_gpu(
            sample.preset("gpus", rng.choice((sample.CARD, sample.SMALL_CARD, cards)))
        ),
        lambda: session.choose_kv_format(
            sample.preset("formats/kv", rng.choice((sample.BF16_KV, sample.FP8_KV)))
        ),
        lambda: session.choose_weight_format(
            sample.preset("formats/weights", rng.choice((sample.BF16_WEIGHTS, sample.FP8_WEIGHTS)))
        ),
    ]
    fields = [lambda field=field: random_field(session, field, rng) for field in FIELDS]
    rng.choice(verbs + fields)()


def random_field(session: Session, field_id: str, rng: random.Random) -> None:
    kind = FIELDS[field_id].kind
    values = {
        "share": rng.choice((0.0, 0.25, 0.9, 1.0)),
        "amount": rng.choice((Amount(share=0.1), Amount(size_bytes=2**31))),
        "number": rng.choice((0.5, 2.0)),
    }
    value = values.get(kind, 2 ** rng.randrange(0, 20))
    session.preview_field(field_id, value)
    merge = rng.choice((None, f"drag-{rng.randrange(3)}"))
    session.set_field(field_id, value, merge=merge)


@pytest.mark.parametrize("seed", range(5))
def test_200_random_edits_and_as_many_undos_give_the_same_bytes(qapp, seed, monkeypatch):
    clock = iter(range(10_000))
    monkeypatch.setattr("workbench.gui.commands.monotonic", lambda: float(next(clock)))
    rng = random.Random(seed)
    session = Session(None, sample.plan())
    states = [dumps(session.plan)]
    while session.undo_stack.count() < 200:
        count = session.undo_stack.count()
        try:
            random_edit(session, rng)
        except (ValidationError, UserError):
            session.end_preview()
            assert session.undo_stack.count() == count
            assert dumps(session.plan) == states[-1]
            continue
        del states[session.undo_stack.count() :]
        states.append(dumps(session.plan))
    for state in reversed(states[:-1]):
        session.undo()
        assert dumps(session.plan) == state
    assert not session.undo_stack.canUndo()
    assert not session.dirty
    for state in states[1:]:
        session.redo()
        assert dumps(session.plan) == state
    while session.undo_stack.canUndo():
        session.undo()
    assert dumps(session.plan) == states[0]
