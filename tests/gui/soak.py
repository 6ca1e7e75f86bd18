"""Random work in the whole window: verbs of the registry and edits of the current scenario.

A `Worker` does one random thing after the other, as a person in a hurry would, and can undo all.
"""

from __future__ import annotations

import ctypes
import os
import random
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, NamedTuple

from pydantic import ValidationError
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication, QWidget

from tests.gui.window_kit import Bench
from workbench.gui.actions import VERBS
from workbench.library import engine_choice, plans
from workbench.library.presets import KINDS, Library
from workbench.spec.errors import UserError
from workbench.spec.fields import FIELDS

NOT_RANDOM: Final = frozenset(
    {
        "file.quit",  # ends the window
        # Another document: nothing of the old one is left to undo.
        "file.new",
        "file.open",
        "file.example",
    }
)
MOST_SCENARIOS: Final = 8
"""A plan with so many gets no more: each paste could double it."""
_UNDONE_AT_ONCE: Final = 10
_ADDING: Final = ("scenario.add", "scenario.duplicate", "edit.paste_scenarios")


class _HeapOfC(ctypes.Structure):
    """What glibc's `mallinfo2` tells; `uordblks` are the bytes in use."""

    _fields_ = tuple(
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    )


def used_bytes() -> int:
    """Bytes of the C heap in use: Qt's, and Python's large ones."""
    told = ctypes.CDLL(None).mallinfo2
    told.restype = _HeapOfC
    heap = told()
    return int(heap.uordblks) + int(heap.hblkhd)


class Held(NamedTuple):
    """What a process holds of memory."""

    resident_bytes: int
    """As the system counts it: what is used, and holes between that cannot be given back."""
    used_bytes: int
    """The C heap in use."""
    blocks: int
    """Blocks of Python's own heap in use; most are some 80 bytes."""

    @classmethod
    def now(cls) -> Held:
        """Return what this process holds."""
        return cls(resident_bytes(), used_bytes(), sys.getallocatedblocks())

    def since(self, before: Held) -> Held:
        """Return what has come to be held."""
        return Held(*(now - then for now, then in zip(self, before, strict=True)))

    def __str__(self) -> str:
        mib = f"{self.resident_bytes / 2**20:.0f} MiB, {self.used_bytes / 2**20:.0f} of C in use"
        return f"{mib}, {self.blocks:,} blocks of Python in use"


def resident_bytes() -> int:
    """Memory of this process, as the system counts it."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


class Worker:
    """Does random things to a bench."""

    def __init__(self, bench: Bench, seed: int) -> None:
        self.bench = bench
        self.random = random.Random(seed)
        self.start = plans.dumps(bench.session.plan)
        self.done: list[str] = []
        self.telling: Callable[[str], object] = str
        """Hears the name of each thing before it is done."""
        self.verbs = [verb.id for verb in VERBS if verb.id not in NOT_RANDOM]
        library: Library = bench.session.library
        self.presets = {
            kind: [item for item in library.listed(kind) if item.problem is None] for kind in KINDS
        }
        self.edits = (
            self.set_field,
            self.set_field,
            self.try_field,
            self.choose_preset,
            self.choose_engine,
            self.look_elsewhere,
            self.pick,
            self.move,
            self.explain,
            self.focus_field,
            self.change_tab,
        )

    def step(self) -> str:
        """Do one thing, let the window settle, and return what it was."""
        if self.random.random() < 0.45:
            name = self.random.choice(self.verbs)
            self.telling(name)
            action = self.bench.window.actions_by_id[name]
            many = len(self.bench.session.plan.scenarios) >= MOST_SCENARIOS
            if action.isEnabled() and not (many and name in _ADDING):
                action.trigger()
        else:
            edit = self.random.choice(self.edits)
            name = edit.__name__
            self.telling(name)
            # What is refused is refused in a sentence and changes nothing.
            with suppress(UserError, ValidationError):
                edit()
        self.done.append(name)
        self.settle()
        return name

    def settle(self) -> None:
        """Let everything be drawn, and close what an action has opened."""
        QCoreApplication.processEvents()
        while self.bench.window.paint_turn.waits:
            QCoreApplication.processEvents()
        for opened in (QApplication.activePopupWidget(), QApplication.activeModalWidget()):
            if isinstance(opened, QWidget):
                opened.close()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    def undo_all(self) -> bytes:
        """Take every step back and return the plan's bytes."""
        session = self.bench.session
        for step in range(session.undo_stack.index()):
            self.telling("undo")
            session.undo()
            # Widgets that were replaced end in the loop, which a person cannot overtake for long.
            if not step % _UNDONE_AT_ONCE:
                self.settle()
        assert not session.undo_stack.canUndo()
        self.settle()
        return plans.dumps(session.plan)

    # What a person does beside the verbs

    def set_field(self) -> None:
        session, scenario = self.bench.session, self.bench.session.current
        if scenario is None:
            return
        fields = [field for field in FIELDS.values() if field.applies(scenario)]
        field = self.random.choice(fields)
        session.set_field(field.id, self._value(field.id), merge=("soak", len(self.done)))

    def try_field(self) -> None:
        if self.bench.session.current is not None:
            field_id = self.random.choice(("workload.context", "workload.concurrency"))
            self.bench.session.preview_field(field_id, self._value(field_id))

    def _value(self, field_id: str) -> object:
        field = FIELDS[field_id]
        share = self.random.random()
        span = field.slider_low + share * (field.slider_high - field.slider_low)
        texts = {"share": f"{share:.2f}", "amount": f"{100 * share:.0f} %"}
        scenario = self.bench.session.current
        assert scenario is not None
        return field.parse(texts.get(field.kind, str(round(span))), field.read(scenario))

    def choose_preset(self) -> None:
        session, kind = self.bench.session, self.random.choice(KINDS)
        item = self.random.choice(self.presets[kind])
        preset = session.library.get(kind, item.namespace, item.id)
        {
            "models": session.choose_model,
            "gpus": session.choose_gpu,
            "formats/weights": session.choose_weight_format,
            "formats/kv": session.choose_kv_format,
            "workloads": session.choose_workload,
        }[kind](preset)

    def choose_engine(self) -> None:
        kind = self.random.choice(engine_choice.ENGINES)
        release = self.random.choice(("0.10.2", "0.19.1", "")) if kind == "vllm" else ""
        self.bench.session.choose_engine(kind, release)

    def _any_id(self) -> str | None:
        ids = [scenario.id for scenario in self.bench.session.plan.scenarios]
        return self.random.choice(ids) if ids else None

    def look_elsewhere(self) -> None:
        scenario_id = self._any_id()
        if scenario_id is not None:
            self.bench.session.set_current(scenario_id)

    def pick(self) -> None:
        ids = [scenario.id for scenario in self.bench.session.plan.scenarios]
        self.bench.session.pick(self.random.sample(ids, self.random.randint(0, len(ids))))

    def move(self) -> None:
        scenario_id = self._any_id()
        if scenario_id is not None:
            self.bench.session.move(scenario_id, self.random.randint(0, MOST_SCENARIOS))

    def explain(self) -> None:
        scenario_id = self._any_id()
        if scenario_id is not None:
            rank = self.bench.session.ledger(scenario_id).worst_rank
            label = self.random.choice(rank.entries).label if rank.entries else ""
            self.bench.session.select(scenario_id, rank.rank, label)

    def focus_field(self) -> None:
        self.bench.session.focus_field.emit(self.random.choice(list(FIELDS)))

    def change_tab(self) -> None:
        tabs = self.bench.window.tabs
        tabs.setCurrentIndex(self.random.randrange(tabs.count()))
