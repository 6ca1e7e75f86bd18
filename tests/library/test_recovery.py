"""Recovery: what is offered, what is dropped, and that nothing is lost on the way."""

from __future__ import annotations

import json
import os
import signal
import time
from pathlib import Path

import pytest

from tests.library.samples import plan
from workbench.library import plans, recovery
from workbench.library.plans import save_plan
from workbench.library.recovery import Recovery, discard, discarded, pending
from workbench.spec.errors import UserError


@pytest.fixture
def document(tmp_path: Path) -> Path:
    path = tmp_path / "doc.kvw"
    save_plan(path, plan("Saved"))
    return path


@pytest.fixture
def state(tmp_path: Path) -> Path:
    return tmp_path / "state"


def crash(state: Path, title: str, document: Path | None = None, base: str | None = None) -> Path:
    """Leave work behind as a process does that ends without a word."""
    side = Recovery(state)
    side.write(plan(title), document, base)
    side.close()
    return side.path


def test_work_of_the_dead_is_offered(state: Path, document: Path) -> None:
    base = plans.load(document).digest
    path = crash(state, "Edited", document, base)
    (item,) = pending(state)
    assert (item.path, item.state, item.owner) == (path, "ahead", "dead")
    assert (item.document, item.base_digest, item.plan) == (document, base, plan("Edited"))
    assert plans.load(document).plan == plan("Saved")


def test_work_of_the_living_is_not_offered(state: Path) -> None:
    side = Recovery(state)
    side.write(plan("Mine"), None, None)
    assert pending(state) == ()
    side.close()
    assert len(pending(state)) == 1


def test_a_killed_process_is_dead(state: Path) -> None:
    process = os.fork()
    if process == 0:
        try:
            Recovery(state).write(plan("Killed"), None, None)
            os.kill(os.getpid(), signal.SIGKILL)
        finally:
            os._exit(1)
    assert os.WIFSIGNALED(os.waitpid(process, 0)[1])
    (item,) = pending(state)
    assert (item.state, item.plan) == ("untitled", plan("Killed"))


def test_content_decides_not_the_clock(state: Path, document: Path) -> None:
    base = plans.load(document).digest
    same = crash(state, "Saved", document, base)
    os.utime(same, (2**31, 2**31))
    assert pending(state) == ()
    assert not same.exists()
    older = crash(state, "Edited", document, base)
    os.utime(older, (1, 1))
    (item,) = pending(state)
    assert item.plan == plan("Edited")


def test_a_document_that_has_changed_or_gone(state: Path, document: Path) -> None:
    crash(state, "Edited", document, plans.load(document).digest)
    save_plan(document, plan("Theirs"), overwrite=True)
    assert [item.state for item in pending(state)] == ["diverged"]
    document.write_bytes(b"broken")
    assert [item.state for item in pending(state)] == ["diverged"]
    document.unlink()
    assert [item.state for item in pending(state)] == ["missing"]


def test_a_corrupt_side_file_is_listed(state: Path) -> None:
    crash(state, "Good")
    path = crash(state, "Bad")
    path.write_bytes(path.read_bytes()[:-100])
    items = {item.state: item for item in pending(state)}
    assert items.keys() == {"untitled", "corrupt"}
    problem = items["corrupt"].problem
    assert problem is not None
    assert problem.code == "json_syntax"
    with pytest.raises(UserError, match="json_syntax"):
        Recovery(state).adopt(items["corrupt"])
    assert path.exists()


def test_restoring_takes_over_and_a_save_clears(state: Path, document: Path) -> None:
    crash(state, "Edited", document, plans.load(document).digest)
    (item,) = pending(state)
    side = Recovery(state)
    side.adopt(item)
    assert not item.path.exists()
    assert pending(state) == ()
    saved = save_plan(document, plan("Edited"), expected_digest=item.base_digest)
    assert side.clear(document, saved)
    side.close()
    assert pending(state) == ()
    assert list((state / "recovery").iterdir()) == []


def test_nothing_is_cleared_before_the_document_holds_it(state: Path, document: Path) -> None:
    side = Recovery(state)
    side.write(plan("Edited"), document, None)
    saved = save_plan(document, plan("Edited"), overwrite=True)
    document.write_bytes(b"lost on the way")
    assert not side.clear(document, saved)
    document.unlink()
    assert not side.clear(document, saved)
    side.close()
    assert [item.plan for item in pending(state)] == [plan("Edited")]


def test_killed_again_and_again_while_restoring(state: Path) -> None:
    crash(state, "Edited")
    for _ in range(20):
        (item,) = pending(state)
        process = os.fork()
        if process == 0:
            try:
                Recovery(state).adopt(item)
                os.kill(os.getpid(), signal.SIGKILL)
            finally:
                os._exit(1)
        os.waitpid(process, 0)
    assert [item.plan for item in pending(state)] == [plan("Edited")]
    assert len(list((state / "recovery").glob("*.json"))) == 1


def test_the_last_five_discarded_stay_for_two_weeks(state: Path) -> None:
    day = 24 * 3600.0
    for number in range(8):
        crash(state, f"Work {number}")
        (item,) = pending(state)
        discard(item, clock=lambda number=number: number * day)
        assert pending(state) == ()
    assert [item.plan for item in discarded(state)] == [
        plan(f"Work {number}") for number in (7, 6, 5, 4, 3)
    ]
    crash(state, "Late")
    (item,) = pending(state)
    discard(item, clock=lambda: 20 * day)
    assert [item.plan for item in discarded(state)] == [
        plan("Late"),
        plan("Work 7"),
        plan("Work 6"),
    ]


def test_not_saving_keeps_the_work_a_while(state: Path) -> None:
    side = Recovery(state)
    side.discard()
    side.write(plan("Unwanted"), None, None)
    side.discard()
    side.close()
    assert pending(state) == ()
    assert [item.plan for item in discarded(state)] == [plan("Unwanted")]


def test_odd_document_paths(state: Path) -> None:
    for raw in (b"/a/\xff\n.kvw", "/计划/100%41.kvw".encode()):
        crash(state, "Edited", Path(os.fsdecode(raw)), None)
    assert {os.fsencode(item.document) for item in pending(state) if item.document} == {
        b"/a/\xff\n.kvw",
        "/计划/100%41.kvw".encode(),
    }


def test_without_locks_the_start_time_of_the_process_decides(
    state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(recovery, "try_lock", lambda descriptor: None)
    side = Recovery(state)
    side.write(plan("Mine"), None, None)
    assert pending(state) == ()
    lock = side.path.with_suffix(".lock")
    lock.write_text(f"{os.getpid()} 1\n")
    assert [item.owner for item in pending(state)] == ["dead"]
    lock.write_text("")
    assert [item.owner for item in pending(state)] == ["unknown"]
    side.close()


def test_a_state_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "state").write_bytes(b"a file")
    with pytest.raises(UserError, match="folder_missing"):
        Recovery(tmp_path / "state").write(plan(), None, None)
    assert pending(tmp_path / "state") == ()


def test_a_side_file_holds_what_a_plan_holds(state: Path) -> None:
    path = crash(state, "Edited")
    content = json.loads(path.read_bytes())
    assert content["plan"] == plans.to_document(plan("Edited"))
    assert content["document"] is None


def test_writing_is_quick(state: Path) -> None:
    side = Recovery(state)
    times = []
    for number in range(10):
        start = time.process_time()
        side.write(plan(f"Edit {number}"), None, None)
        times.append(time.process_time() - start)
    side.close()
    assert min(times) < 2
