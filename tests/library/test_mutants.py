"""Damaged files by the thousand: only `UserError` comes out of a reader, never anything else."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.library.samples import builtin, plan, slim
from workbench.library import plans, presets, recovery, settings
from workbench.library.settings import Settings
from workbench.spec.errors import UserError

MUTANTS = 20_000
TOKENS = (
    b"null", b"true", b"-1", b"0", b"1e999", b"1e400", b"NaN", b"9" * 20, b"9" * 4301, b'"\\ud800"',
    b'"\\u0000"', b"[", b"]", b"{", b"}", b",", b":", b'"', b"\\", b"[" * 70, b"\xff", b"\x00",
    b'"kind"', b'{"kind":"full"}', b"[[]]", b"0.1", b'""', b"\xef\xbb\xbf", b"\xed\xa0\x80",
    b"1e-400",
)  # fmt: skip


def compact(data: bytes) -> bytes:
    # Small samples: a change then falls more often where it matters.
    return json.dumps(slim(json.loads(data)), separators=(",", ":")).encode()


def plan_bytes() -> bytes:
    return compact(plans.dumps(plan()))


READERS: dict[str, tuple[Callable[[], bytes], Callable[[bytes], object]]] = {
    "plan": (plan_bytes, lambda data: plans.loads(data, "x")),
    "preset": (
        lambda: compact(presets.dumps(builtin().gpu("8x-h100-sxm"))),
        lambda data: presets.loads(data, "x", "user"),
    ),
    "settings": (
        lambda: settings.dumps(Settings(geometry="x").with_recent("/a").with_recent("/b\udcff")),
        lambda data: settings.loads(data, "x"),
    ),
    "recovery": (
        lambda: compact(recovery.dumps(plan(), Path("/a/b.kvw"), "0" * 64, "1-x")),
        lambda data: recovery.loads(data, Path("x")),
    ),
}


class Mutator:
    """Changes bytes, numbers and structure; every mutant has one to three changes."""

    def __init__(self, sample: bytes, seed: int) -> None:
        self.sample = sample
        self.random = random.Random(seed)
        marks = b'",:[]{}'
        self.places = [place for place, byte in enumerate(sample) if byte in marks]

    def mutant(self) -> bytes:
        data = bytearray(self.sample)
        for _ in range(self.random.choice((1, 1, 1, 2, 3))):
            self._change(data)
        return bytes(data)

    def _place(self, data: bytearray) -> int:
        # Half of the changes fall where the structure is.
        if self.random.random() < 0.5:
            return min(self.random.choice(self.places), len(data) - 1)
        return self.random.randrange(len(data))

    def _change(self, data: bytearray) -> None:
        if not data:
            return
        chosen, start = self.random.random(), self._place(data)
        if chosen < 0.2:
            data[start] = self.random.randrange(256)
        elif chosen < 0.3:
            data[start] ^= 1 << self.random.randrange(8)
        elif chosen < 0.45:
            del data[start : start + self.random.choice((1, 1, 2, 8, 64))]
        elif chosen < 0.6:
            data[start:start] = self.random.choice(TOKENS)
        elif chosen < 0.9:
            self._swap_value(data, start)
        elif chosen < 0.95:
            piece = data[start : start + self.random.randrange(64)]
            data[start:start] = piece
        else:
            del data[start:]

    def _swap_value(self, data: bytearray, start: int) -> None:
        """Put another token where a value stands: after a colon, up to the next mark."""
        begin = data.find(b":", start) + 1
        ends = [end for mark in b",}" if (end := data.find(mark, begin)) > 0]
        if begin > 0 and ends:
            data[begin : min(ends)] = self.random.choice(TOKENS)


@pytest.mark.parametrize("name", READERS)
def test_only_user_errors_come_out(name: str) -> None:
    sample, read = READERS[name]
    mutator = Mutator(sample(), seed=8)
    accepted = 0
    for _ in range(MUTANTS):
        data = mutator.mutant()
        try:
            read(data)
            accepted += 1
        except UserError:
            pass
        except BaseException as error:
            pytest.fail(f"{error!r} from {data!r}")
    # A mutator that breaks everything at once would test the first check only.
    assert MUTANTS * 0.01 < accepted < MUTANTS * 0.9
