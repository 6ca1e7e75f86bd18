"""A fault at every system call of every operation that writes: old or new, never in between."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.library.faults import (
    CALLS,
    ERRORS,
    FaultyOs,
    ShortWrites,
    failing,
    in_child,
    installed,
    killed,
    killed_after,
    stopped,
)
from tests.library.samples import builtin, plan
from workbench.library import plans, presets, recovery, settings
from workbench.library.presets import Library, fork
from workbench.library.recovery import Recovery, pending
from workbench.library.save import digest_of, save, sweep
from workbench.library.settings import Settings
from workbench.spec.errors import UserError

OLD, NEW = b"old bytes\n" * 50, b"new bytes, longer\n" * 70
LEAST_POINTS = 1_000


@dataclass
class Operation:
    """Something that writes, in a fresh folder, and what must hold whatever happens."""

    folder: Path
    run: Callable[[], object]
    holds: Callable[[bool], None]
    """Called with whether `run` came back without an error."""
    close: Callable[[], object] = field(default=lambda: None)


def saving(folder: Path) -> Operation:
    path = folder / "doc.kvw"
    path.write_bytes(OLD)

    def holds(done: bool) -> None:
        assert path.read_bytes() == (NEW if done else OLD)

    return Operation(folder, lambda: save(path, NEW, expected_digest=digest_of(OLD)), holds)


def saving_through_a_link(folder: Path) -> Operation:
    path, link = folder / "doc.kvw", folder / "link.kvw"
    path.write_bytes(OLD)
    link.symlink_to("doc.kvw")

    def holds(done: bool) -> None:
        assert link.is_symlink()
        assert path.read_bytes() == (NEW if done else OLD)

    return Operation(folder, lambda: save(link, NEW, overwrite=True), holds)


def saving_as(folder: Path) -> Operation:
    path = folder / "new.kvw"

    def holds(done: bool) -> None:
        assert path.exists() == done
        assert not done or path.read_bytes() == NEW

    return Operation(folder, lambda: save(path, NEW), holds)


def migrating(folder: Path) -> Operation:
    path, kept = folder / "doc.kvw", folder / "doc.v0.kvw"
    old = plans.dumps(plan("Old"))
    path.write_bytes(old)
    opened = plans.Loaded(plan("Old"), False, digest_of(old), schema_version=0)

    def run() -> None:
        plans.save_plan(path, plan("New"), opened=opened, expected_digest=opened.digest)

    def holds(done: bool) -> None:
        assert path.read_bytes() == (plans.dumps(plan("New")) if done else old)
        assert not kept.exists() or kept.read_bytes() == old
        assert kept.exists() or not done

    return Operation(folder, run, holds)


def writing_recovery(folder: Path) -> Operation:
    side = Recovery(folder)
    side.write(plan("Old"), None, None)
    old = side.path.read_bytes()

    def holds(done: bool) -> None:
        found = recovery.loads(side.path.read_bytes(), side.path).plan
        assert found == plan("New" if done else "Old")
        assert done or side.path.read_bytes() == old

    return Operation(
        folder / "recovery", lambda: side.write(plan("New"), None, None), holds, side.close
    )


def first_recovery(folder: Path) -> Operation:
    side = Recovery(folder)

    def holds(done: bool) -> None:
        assert side.path.exists() == done

    return Operation(
        folder / "recovery", lambda: side.write(plan("New"), None, None), holds, side.close
    )


def restoring(folder: Path) -> Operation:
    dead = Recovery(folder)
    dead.write(plan("Lost"), folder / "doc.kvw", "0" * 64)
    dead.close()
    (item,) = pending(folder)
    side = Recovery(folder)

    def holds(done: bool) -> None:
        side.close()
        found = pending(folder)
        assert [one.plan for one in found] == [plan("Lost")]
        assert found[0].document == folder / "doc.kvw"

    return Operation(folder / "recovery", lambda: side.adopt(item), holds, side.close)


def discarding(folder: Path) -> Operation:
    dead = Recovery(folder)
    dead.write(plan("Lost"), None, None)
    dead.close()
    (item,) = pending(folder)

    def holds(done: bool) -> None:
        kept = (*pending(folder), *recovery.discarded(folder))
        assert [one.plan for one in kept] == [plan("Lost")]

    return Operation(folder / "recovery", lambda: recovery.discard(item), holds)


def writing_settings(folder: Path) -> Operation:
    path = folder / "config" / "settings.json"
    settings.save_settings(path, Settings(theme="dark"))

    def holds(done: bool) -> None:
        assert settings.load(path) == (Settings(theme="light" if done else "dark"), ())

    return Operation(
        folder / "config", lambda: settings.save_settings(path, Settings(theme="light")), holds
    )


def saving_a_preset(folder: Path) -> Operation:
    library = Library(builtin()._folders["builtin"] or folder, folder)
    mine = fork(builtin().gpu("80-gib"), "mine", "Mine")
    path = folder / "gpus" / "mine.json"

    def holds(done: bool) -> None:
        assert path.exists() == done
        assert not done or presets.read(path).value == mine.value

    return Operation(folder / "gpus", lambda: library.save_user(mine), holds)


OPERATIONS = (
    saving, saving_through_a_link, saving_as, migrating, writing_recovery, first_recovery,
    restoring, discarding, writing_settings, saving_a_preset,
)  # fmt: skip


@pytest.fixture(scope="module")
def disk() -> Iterator[Path]:
    """A folder in memory where there is one: thousands of fsyncs wear a real disk."""
    memory = Path("/dev/shm")
    with tempfile.TemporaryDirectory(dir=memory if os.access(memory, os.W_OK) else None) as name:
        yield Path(name)


points: dict[str, int] = {}


def fresh(disk: Path) -> Path:
    folder = disk / "work"
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    return folder


def temporaries(folder: Path) -> list[Path]:
    return list(folder.glob(".kvw-*.tmp")) if folder.exists() else []


def swept(folder: Path) -> None:
    """A next start, later on, removes what was left."""
    for path in temporaries(folder):
        before = time.time() - 3600
        os.utime(path, (before, before))
    sweep(folder)
    assert temporaries(folder) == []


@pytest.mark.parametrize("make", OPERATIONS, ids=lambda make: make.__name__)
def test_errors_at_every_call(make: Callable[[Path], Operation], disk: Path) -> None:
    tried = 0
    for code in ERRORS:
        for from_here_on in (False, True):
            at = 0
            while True:
                at += 1
                operation = make(fresh(disk))
                done = True
                with installed(FaultyOs(at, failing(code), from_here_on=from_here_on)) as faulty:
                    try:
                        operation.run()
                    except UserError:
                        done = False
                left = temporaries(operation.folder)
                try:
                    operation.holds(done)
                except AssertionError as error:
                    raise AssertionError(f"{code} at {at} {faulty.calls[-5:]}") from error
                operation.close()
                if not faulty.hit:
                    assert done
                    break
                tried += 1
                assert left == [] or "unlink" in faulty.hit, (code, at, faulty.calls)
                assert len(left) <= 1
                swept(operation.folder)
    points[make.__name__] = tried


@pytest.mark.parametrize("make", OPERATIONS, ids=lambda make: make.__name__)
def test_short_writes_at_every_call(make: Callable[[Path], Operation], disk: Path) -> None:
    for from_here_on in (False, True):
        for at in range(1, 60):
            operation = make(fresh(disk))
            with installed(ShortWrites(at, from_here_on=from_here_on)) as faulty:
                operation.run()
            operation.holds(True)
            assert temporaries(operation.folder) == []
            operation.close()
            if not faulty.hit:
                break
            points[make.__name__] = points.get(make.__name__, 0) + 1


@pytest.mark.parametrize("make", OPERATIONS, ids=lambda make: make.__name__)
def test_stop_before_every_call(make: Callable[[Path], Operation], disk: Path) -> None:
    for at in range(1, 100):
        operation = make(fresh(disk))

        def work(operation: Operation = operation, at: int = at) -> None:
            with installed(FaultyOs(at, stopped)):
                operation.run()

        status = in_child(work)
        either(operation)
        left = temporaries(operation.folder)
        assert len(left) <= 1
        swept(operation.folder)
        operation.close()
        if status == 0:
            assert left == []
            break
        points[make.__name__] = points.get(make.__name__, 0) + 1


def either(operation: Operation) -> None:
    """After a kill the file is old or new; which of them nobody can ask."""
    try:
        operation.holds(True)
    except AssertionError:
        operation.holds(False)


def test_enough_points_were_tried() -> None:
    if len(points) == len(OPERATIONS):
        print(f"{sum(points.values())} fault points: {points}")
        assert sum(points.values()) >= LEAST_POINTS


KILLS = [
    (fault, name)
    for fault in (killed, killed_after)
    for name in ("open", "write", "fsync", "close", "replace", "unlink")
]


@pytest.mark.parametrize(("fault", "name"), KILLS, ids=lambda item: getattr(item, "__name__", item))
def test_killed_at_each_kind_of_call(fault: Callable[..., object], name: str, disk: Path) -> None:
    """A real SIGKILL, before and after each kind of system call of a restore and a save."""
    folder = fresh(disk)
    document = folder / "doc.kvw"
    old = plans.dumps(plan("Old"))
    document.write_bytes(old)
    dead = Recovery(folder)
    dead.write(plan("Lost"), document, digest_of(old))
    dead.close()
    (item,) = pending(folder)

    class Killing(FaultyOs):
        def __getattr__(self, call: str) -> object:
            if call in CALLS:
                self.at = len(self.calls) + 1 if call == name else -1
            return super().__getattr__(call)

    def work() -> None:
        with installed(Killing(-1, fault)):
            Recovery(folder).adopt(item)

    assert os.WIFSIGNALED(in_child(work))
    assert [one.plan for one in pending(folder)] == [plan("Lost")]
    assert document.read_bytes() == old

    def work_on_document() -> None:
        with installed(Killing(-1, fault)):
            save(document, NEW, overwrite=True)

    status = in_child(work_on_document)
    assert os.WIFSIGNALED(status) or name == "unlink"
    assert document.read_bytes() in (old, NEW)
    swept(folder)
    swept(folder / "recovery")
