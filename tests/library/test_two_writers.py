"""Two programs save the same document: no interleaving loses a version without a word."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.library.faults import FaultyOs
from workbench.library import save as module
from workbench.library.save import digest_of, save
from workbench.spec.errors import UserError

INTERLEAVINGS = 100


class Turns:
    """Lets two threads go on one system call at a time, in an order drawn beforehand."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.condition = threading.Condition()
        self.waiting: set[int] = set()
        self.running = 2
        self.turn: int | None = None
        self.order: list[int] = []

    def step(self, writer: int) -> None:
        with self.condition:
            self.waiting.add(writer)
            self._next()
            while self.turn != writer:
                assert self.condition.wait(timeout=30)
            self.turn = None
            self.waiting.discard(writer)
            self.order.append(writer)

    def leave(self) -> None:
        with self.condition:
            self.running -= 1
            self._next()

    def _next(self) -> None:
        if self.turn is None and len(self.waiting) == self.running and self.waiting:
            self.turn = self.random.choice(sorted(self.waiting))
            self.condition.notify_all()


class StepwiseOs(FaultyOs):
    """Waits for its turn before every call of `os`."""

    def __init__(self, turns: Turns, writers: dict[int, int]) -> None:
        super().__init__(0, lambda name, real: real())
        self.turns = turns
        self.writers = writers

    def __getattr__(self, name: str) -> Any:
        if name in module_calls:
            self.turns.step(self.writers[threading.get_ident()])
        return super().__getattr__(name)


module_calls = frozenset({"open", "write", "fsync", "close", "replace", "unlink", "stat", "read"})


def both(work: Callable[[int], None], turns: Turns, patch: pytest.MonkeyPatch) -> None:
    writers: dict[int, int] = {}
    ready = threading.Barrier(2)
    failed: list[BaseException] = []

    def run(writer: int) -> None:
        writers[threading.get_ident()] = writer
        ready.wait()
        try:
            work(writer)
        except BaseException as error:
            failed.append(error)
        finally:
            turns.leave()

    patch.setattr(module, "os", StepwiseOs(turns, writers))
    # Waiting for the other one's lock is a turn like any other.
    patch.setattr(module.time, "sleep", lambda _: turns.step(writers[threading.get_ident()]))
    threads = [threading.Thread(target=run, args=(writer,)) for writer in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failed == []


@pytest.mark.parametrize("new", [False, True], ids=["existing", "new"])
def test_interleavings(new: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    orders, winners = set(), set()
    for seed in range(INTERLEAVINGS):
        path = tmp_path / f"{seed}.kvw"
        if not new:
            path.write_bytes(b"old")
        expected = None if new else digest_of(b"old")
        said: dict[int, str] = {}

        def work(
            writer: int, path: Path = path, expected: str | None = expected, said: Any = said
        ) -> None:
            try:
                save(path, b"from %d" % writer, expected_digest=expected)
                said[writer] = "saved"
            except UserError as error:
                said[writer] = error.code

        turns = Turns(seed)
        with monkeypatch.context() as patch:
            both(work, turns, patch)
        saved = [writer for writer in (0, 1) if said[writer] == "saved"]
        assert len(saved) == 1, said
        assert said[1 - saved[0]] == ("file_exists" if new else "changed_on_disk")
        assert path.read_bytes() == b"from %d" % saved[0]
        orders.add(tuple(turns.order))
        winners.add(saved[0])
    assert len(orders) > INTERLEAVINGS * 0.9
    assert winners == {0, 1}
    assert list(tmp_path.glob(".kvw*")) == []


def test_two_processes_count_together(tmp_path: Path) -> None:
    """Each adds one to a number 30 times, taking the other's changes in: none is lost."""
    path = tmp_path / "count.kvw"
    path.write_bytes(b"0")

    def count() -> None:
        done = 0
        while done < 30:
            data = path.read_bytes()
            try:
                save(path, b"%d" % (int(data) + 1), expected_digest=digest_of(data))
                done += 1
            except UserError as error:
                if error.code != "changed_on_disk":
                    raise

    process = os.fork()
    if process == 0:
        try:
            count()
            os._exit(0)
        finally:
            os._exit(1)
    count()
    assert os.waitpid(process, 0)[1] == 0
    assert path.read_bytes() == b"60"
