"""What a person with a screen reader does, through AT-SPI alone: walks, presses, types, listens.

Run by the system's Python inside a session of its own (see desktop.py), since pyatspi is no wheel:

    python3 assistant.py REPORT.json COMMAND...

It starts the accessibility bus, a window manager and COMMAND, does the journey and writes what it
met. Every wait ends as soon as what is waited for is there, and after two minutes at the latest.
"""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

PATIENCE_SECONDS = 120
LAUNCHERS = ("/usr/libexec/at-spi-bus-launcher", "/usr/lib/at-spi2-core/at-spi-bus-launcher")
RETURN = 0xFF0D


class Assistant:
    """Sees the program as assistive technology does."""

    def __init__(self) -> None:
        self.at: Any = importlib.import_module("pyatspi")
        # By default a call gives up when a busy program does not answer within 0.8 s.
        self.at.setTimeout(PATIENCE_SECONDS * 1_000, PATIENCE_SECONDS * 1_000)

    # Looking

    def program(self) -> Any:
        """The program on the desktop, None before it is there."""
        for child in self.at.Registry.getDesktop(0):
            if child is not None and child.name == "kvw":
                return child if child.childCount else None
        return None

    def walk(self, node: Any) -> Iterator[Any]:
        """Every node below one; what vanishes meanwhile is left out."""
        yield node
        for child in _children(node):
            yield from self.walk(child)

    def find(self, role: str, name: str) -> Callable[[], Any]:
        """Look for a node that is shown, by its role and the beginning of its name."""

        def look() -> Any:
            for node in self.walk(self.program()):
                if node.getRoleName() == role and node.name.startswith(name) and self.shown(node):
                    return node
            return None

        return look

    def box(self, label: str) -> Callable[[], Any]:
        """Look for the first box of choices with a label."""

        def look() -> Any:
            for node in self.walk(self.program()):
                if node.getRoleName() == "combo box" and label in self.labels(node):
                    return node if self.shown(node) else None
            return None

        return look

    def labels(self, node: Any) -> list[str]:
        """What a node is labelled by."""
        kind = self.at.RELATION_LABELLED_BY
        return [r.getTarget(0).name for r in node.getRelationSet() if r.getRelationType() == kind]

    def shown(self, node: Any) -> bool:
        """Whether a node can be seen."""
        return bool(node.getState().contains(self.at.STATE_SHOWING))

    # Doing

    def press(self, node: Any, name: str = "Press") -> None:
        """Do an action of a node."""
        actions = node.queryAction()
        names = [actions.getName(number) for number in range(actions.nActions)]
        actions.doAction(names.index(name))

    def type(self, text: str) -> None:
        """Type a text and Enter where the keyboard is."""
        self.at.Registry.generateKeyboardEvent(0, text, self.at.KEY_STRING)
        time.sleep(1)
        self.at.Registry.generateKeyboardEvent(RETURN, None, self.at.KEY_SYM)

    def choose(self, label: str, text: str, meant: str) -> str:
        """Open a box of presets, type what is meant, and wait until it is chosen."""

        def chosen() -> Any:
            node = self.box(label)()
            said = "" if node is None else f"{node.name} {node.description}"
            return said if meant.casefold() in said.casefold() else None

        for _ in range(3):
            # A slow machine may not have opened the list when the first key comes.
            self.press(wait(self.box(label), f"box {label}"), "ShowMenu")
            time.sleep(2)
            self.type(text)
            try:
                return str(wait(chosen, f"{meant} in {label}", PATIENCE_SECONDS / 4))
            except TimeoutError:
                continue
        raise TimeoutError(f"{meant} was never chosen in {label}")

    # Judging

    def unnamed(self) -> tuple[list[str], int]:
        """Nodes that take the keyboard and have no name, and how many take it."""
        nameless, count = [], 0
        for node in self.walk(self.program()):
            if not node.getState().contains(self.at.STATE_FOCUSABLE):
                continue
            count += 1
            # What is not shown may be a place for a text that is not there.
            if not node.name.strip() and self.shown(node):
                nameless.append(f"{node.getRoleName()} in {_path(node)}")
        return nameless, count


def _children(node: Any) -> list[Any]:
    try:
        return [child for child in node if child is not None]
    except Exception:
        # The bus raises its own errors for a node that has just gone.
        return []


def _path(node: Any) -> str:
    names: list[str] = []
    while node is not None and node.getRoleName() != "application":
        names.insert(0, node.name or node.getRoleName())
        node = node.parent
    return " › ".join(names[-5:])


def wait(until: Callable[[], Any], what: str, seconds: float = PATIENCE_SECONDS) -> Any:
    """Return what `until` finds; a node that goes while it is asked is asked for again."""
    end, last = time.monotonic() + seconds, None
    while time.monotonic() < end:
        try:
            found = until()
        except Exception as error:
            found, last = None, error
        if found:
            return found
        time.sleep(0.2)
    raise TimeoutError(f"waited in vain for {what}: {last!r}")


def journey(assistant: Assistant, report: dict[str, Any]) -> None:
    """The largest concurrency of a model on four cards of 80 GiB; then every page."""
    wait(assistant.program, "the program")
    wait(assistant.find("label", "steady state"), "the figures")
    report["model"] = assistant.choose("preset", "llama-3.1-8b", "Llama-3.1-8B")
    report["cards"] = assistant.choose("profile", "4x-80-gib", "4 ×")
    figure = wait(assistant.find("label", "steady state P95: "), "steady state")
    report["answer"] = figure.name
    verdict = wait(assistant.find("panel", "Verdict"), "the verdict")
    report["verdict"] = verdict.description
    pages = report["pages"] = {}
    tabs = [node.name for node in _tabs(assistant)]
    for name in tabs:
        assistant.press(wait(assistant.find("page tab", name), name))
        time.sleep(0.3)
        pages[f"plan, {name}"] = wait(assistant.unnamed, f"the nodes of {name}")
    for name in ("Compare", "Presets"):
        assistant.press(wait(assistant.find("push button", name), name))
        time.sleep(1.5)
        pages[name] = wait(assistant.unnamed, f"the nodes of {name}")


def _tabs(assistant: Assistant) -> list[Any]:
    found = [
        node for node in assistant.walk(assistant.program()) if node.getRoleName() == "page tab"
    ]
    return [node for node in found if node.parent.parent.name == "Explorer"]


def main() -> int:
    """Start what is needed, do the journey, report."""
    target, command = Path(sys.argv[1]), sys.argv[2:]
    launcher = next(path for path in LAUNCHERS if Path(path).exists())
    report: dict[str, Any] = {}
    with (
        subprocess.Popen([launcher, "--launch-immediately"]) as bus,
        subprocess.Popen(["openbox"]) as manager,
        subprocess.Popen(command) as program,
    ):
        try:
            journey(Assistant(), report)
        except Exception as error:
            met = list(report.get("pages", ()))
            report["error"] = f"{type(error).__name__}: {error} after {met}"
        report["alive"] = program.poll() is None
        for process in (program, manager, bus):
            process.terminate()
    target.write_text(json.dumps(report), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
