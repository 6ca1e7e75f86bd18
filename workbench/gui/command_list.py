"""Everything that can be done by its name: verbs, places to go, presets to use, values to set."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, Final

from pydantic import ValidationError
from PySide6.QtGui import QKeySequence

from workbench.gui import engine_names
from workbench.gui.actions import PALETTE, VERBS
from workbench.gui.commands import Step
from workbench.gui.fields.wording import field_label, sentence
from workbench.gui.focus import focus_first
from workbench.gui.labels import visible
from workbench.gui.messages import Message
from workbench.gui.tr import QT_TRANSLATE_NOOP, preset_name, step_text, translate, without_mnemonic
from workbench.library.engine_choice import ENGINES
from workbench.library.presets import Kind, Preset
from workbench.library.release_table import known_releases
from workbench.spec import words as spec_words
from workbench.spec.engine import ENGINE_NAMES, PlainEngine
from workbench.spec.errors import UserError
from workbench.spec.fields import FIELDS, Field
from workbench.spec.scenario import Scenario

if TYPE_CHECKING:
    from workbench.gui.app import Workbench

PLAN: Final = "plan"
MOST_VALUES: Final = 3
"""Fields that are offered for a typed value."""
_GROUPS: Final = {
    "theme": QT_TRANSLATE_NOOP("Commands", "Theme: {name}"),
    "language": QT_TRANSLATE_NOOP("Commands", "Language: {name}"),
}
_GO_TO: Final = QT_TRANSLATE_NOOP("Commands", "Go to: {name}")
_TAB: Final = QT_TRANSLATE_NOOP("Commands", "Show: {name}")
_FOCUS: Final = QT_TRANSLATE_NOOP("Commands", "Focus: {name}")
_USE: Final[dict[Kind, tuple[str, str]]] = {
    "models": ("model", QT_TRANSLATE_NOOP("Commands", "Use model: {name}")),
    "gpus": ("gpu", QT_TRANSLATE_NOOP("Commands", "Use GPU: {name}")),
    "formats/weights": ("weights", QT_TRANSLATE_NOOP("Commands", "Use weights in: {name}")),
    "formats/kv": ("kv", QT_TRANSLATE_NOOP("Commands", "Use KV format: {name}")),
    "workloads": ("workload", QT_TRANSLATE_NOOP("Commands", "Use workload: {name}")),
}
PRESET_KINDS: Final[tuple[Kind, ...]] = tuple(_USE)
_ENGINE: Final = QT_TRANSLATE_NOOP("Commands", "Use engine: {name}")
_ALSO: Final = {"view.language.zh_CN": "Chinese", "view.language.toggle": "Chinese English"}
"""Words that a verb is looked for by and that do not stand in its text."""
_VALUE: Final = re.compile(r"[\dx×*.][^\s]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Command:
    """One line of the palette; without `run` it only says why it cannot be done."""

    id: str
    """Stable: it is remembered over starts."""
    text: str
    run: Callable[[], object] | None
    english: str = ""
    """Found by these words too, whatever the language."""
    keys: str = ""


class CommandList:
    """Makes the commands of a window as they are now."""

    def __init__(self, bench: Workbench) -> None:
        self._window = bench.window
        self._session = bench.session
        self._library = bench.library

    def quick(self) -> list[Command]:
        """Return all commands that are known without reading a preset."""
        return [*self._verbs(), *self._scenarios(), *self._tabs(), *self._fields()]

    def presets(self, kind: Kind) -> list[Command]:
        """Return a command for each preset of a kind that can be used."""
        if self._session.current is None:
            return []
        name, template = _USE[kind]
        return [
            Command(
                f"{name}:{listed.namespace}:{listed.id}",
                _named(template, preset_name(listed.name, listed.namespace)),
                partial(self._use, kind, listed.namespace, listed.id),
                " ".join((template.partition(":")[0], listed.name, listed.id, *listed.aliases)),
            )
            for listed in self._library.listed(kind)
            if listed.problem is None
        ]

    def engines(self) -> list[Command]:
        """Return a command for each release of an engine, the newest first."""
        if self._session.current is None:
            return []
        made = [
            Command(
                f"engine:{kind}-{release}",
                _named(_ENGINE, f"{ENGINE_NAMES[kind]} {release}"),
                partial(self._start, kind, release),
                f"use engine {kind}",
            )
            for kind in ENGINES
            if kind in ENGINE_NAMES
            for release in known_releases(kind)
        ]
        plain = engine_names.engine_name(PlainEngine())
        run = partial(self._start, "plain", "")
        return [*made, Command("engine:plain", _named(_ENGINE, plain), run, "use engine plain")]

    def slow(self) -> list[Callable[[], list[Command]]]:
        """Return what reads the other commands, a part at a time."""
        return [*(partial(self.presets, kind) for kind in PRESET_KINDS), self.engines]

    def all(self) -> list[Command]:
        """Return every command."""
        found = self.quick()
        for read in self.slow():
            found += read()
        return found

    # Verbs and places

    def _verbs(self) -> Iterator[Command]:
        for verb in VERBS:
            action = self._window.actions_by_id[verb.id]
            if verb.id == PALETTE or not action.isEnabled():
                continue
            text, english = without_mnemonic(action.text()), without_mnemonic(verb.text)
            if verb.group in _GROUPS:
                english = _GROUPS[verb.group].format(name=english)
                text = _named(_GROUPS[verb.group], text)
            native = QKeySequence.SequenceFormat.NativeText
            keys = [key.toString(native) for key in action.shortcuts()]
            hidden = f"{english} {verb.id} {_ALSO.get(verb.id, '')}"
            yield Command(verb.id, text, action.trigger, hidden, keys[0] if keys else "")

    def _scenarios(self) -> Iterator[Command]:
        for scenario in self._session.plan.scenarios:
            yield Command(
                f"scenario:{scenario.id}",
                _named(_GO_TO, scenario.name),
                partial(self._session.set_current, scenario.id),
                "go to scenario",
            )

    def _tabs(self) -> Iterator[Command]:
        tabs = self._window.tabs
        for index, name in enumerate(tabs.NAMES):
            yield Command(
                f"tab:{name}",
                _named(_TAB, without_mnemonic(tabs.tabText(index))),
                partial(self._show_tab, index),
                f"show {name} tab",
                str(index + 1) if index < 9 else "",
            )

    def _show_tab(self, index: int) -> None:
        self._window.show_page(PLAN)
        self._window.tabs.setCurrentIndex(index)
        focus_first(self._window.tabs)

    def _fields(self) -> Iterator[Command]:
        for field in self._applying():
            yield Command(
                f"focus:{field.id}",
                _named(_FOCUS, field_label(field.id)),
                partial(self._focus, field.id),
                f"focus {_english(field.id)}",
            )

    def _applying(self) -> Iterable[Field]:
        current = self._session.current
        return () if current is None else (f for f in FIELDS.values() if f.applies(current))

    def _focus(self, field_id: str) -> None:
        self._window.show_page(PLAN)
        self._window.left.show()
        self._session.focus_field.emit(field_id)

    # Presets

    def _use(self, kind: Kind, namespace: Any, preset_id: str) -> None:
        choose: dict[Kind, Callable[[Preset[Any]], None]] = {
            "models": self._session.choose_model,
            "gpus": self._session.choose_gpu,
            "formats/weights": self._session.choose_weight_format,
            "formats/kv": self._session.choose_kv_format,
            "workloads": self._session.choose_workload,
        }
        try:
            choose[kind](self._library.get(kind, namespace, preset_id))
        except UserError as error:
            self._session.tell(Message.of_error(error, slot="preset"))

    def _start(self, kind: str, release: str) -> None:
        try:
            self._session.choose_engine(kind, release)
        except UserError as error:
            self._session.tell(Message.of_error(error, slot="preset"))

    # Values

    def values(self, query: str) -> list[Command]:
        """Return what a text like "context 128k" or "tp 4" would set, or why it cannot."""
        current = self._session.current
        if current is None:
            return []
        found: list[Command] = []
        for name, value in _splits(query):
            for field in self._meant(name, value):
                if all(command.id != f"set:{field.id}" for command in found):
                    found.append(self._setting(field, value, current))
            if found:
                break
        return found[:MOST_VALUES]

    def _meant(self, name: str, value: str) -> list[Field]:
        """Return the fields of a name; of one that only begins so, if the rest is a value."""
        exact, near = [], []
        for field in self._applying():
            names = {field_label(field.id).casefold(), _english(field.id).casefold()}
            names.add(field.id.rpartition(".")[2].replace("_", " "))
            if name in names:
                exact.append(field)
            elif _VALUE.match(value) and any(
                score(name.split(), full) is not None for full in names
            ):
                near.append(field)
        return exact or near

    def _setting(self, field: Field, text: str, current: Scenario) -> Command:
        command_id = f"set:{field.id}"
        try:
            value = field.parse(text, field.read(current))
            field.write(current, value)
        except (UserError, ValidationError) as error:
            reason = f"{field_label(field.id)}: {sentence(error, field.id)}"
            return Command(command_id, visible(reason), None)
        said = step_text(Step("set_field", {"field": field.id, "value": value}))
        text = visible(said[:1].upper() + said[1:])
        return Command(command_id, text, partial(self._set, field.id, value))

    def _set(self, field_id: str, value: object) -> None:
        try:
            # A key of its own: two values in a row are two steps.
            self._session.set_field(field_id, value, merge=object())
        except UserError as error:
            self._session.tell(Message.of_error(error, slot="preset"))


def _named(template: str, name: str) -> str:
    return visible(translate("Commands", template).replace("{name}", name))


def _english(field_id: str) -> str:
    return spec_words.FIELDS.get(field_id, field_id)


def _splits(query: str) -> Iterator[tuple[str, str]]:
    """Split "shared prefix 4k" into name and value, the longest name first; "=" splits too."""
    words = query.casefold().replace("=", " ").split()
    for at in range(len(words) - 1, 0, -1):
        yield " ".join(words[:at]), " ".join(words[at:])


# Searching


def ranked(commands: Sequence[Command], query: str, recent: Sequence[str] = ()) -> list[Command]:
    """Return the commands that a query means, the likeliest first; used ones before others."""
    words = query.casefold().replace("×", "x").split()
    order = {command_id: place for place, command_id in enumerate(recent)}
    if not words:
        return sorted(commands, key=lambda command: order.get(command.id, len(order)))
    found = []
    for place, command in enumerate(commands):
        points = _points(words, command)
        if points is not None:
            used = 10 if command.id in order else 0
            # "fp8" is the preset of that id before all that have it in their names.
            called = 10 if command.id.rpartition(":")[2] in words else 0
            found.append((-points - used - called, place, command))
    return [command for _, _, command in sorted(found, key=lambda item: item[:2])]


def _points(words: Sequence[str], command: Command) -> float | None:
    shown = score(words, command.text.casefold().replace("×", "x"))
    if command.english:
        # What is read counts a little more than what is only known.
        hidden = score(words, f"{command.text} {command.english}".casefold().replace("×", "x"))
        if hidden is not None:
            shown = max(hidden - 5, shown or 0.0)
    return shown


def score(words: Sequence[str], text: str) -> float | None:
    """Return how well all words are found in a text: as words, within, or letter by letter."""
    total = 0.0
    for word in words:
        points = _word_score(word, text)
        if points is None:
            return None
        total += points
    return total / len(words) - len(text) * 0.05


def _word_score(word: str, text: str) -> float | None:
    best = None
    at = text.find(word)
    while at >= 0:
        starts = at == 0 or not text[at - 1].isalnum()
        ends = at + len(word) == len(text) or not text[at + len(word)].isalnum()
        best = max(best or 0.0, 100.0 + 40 * starts + 20 * (starts and ends))
        at = text.find(word, at + 1)
    if best is not None:
        return best
    span = _shortest_span(word, text)
    # Letters strewn over half the line are no match.
    return None if span is None or span > 2 * len(word) + 1 else 60.0 * len(word) / span


def _shortest_span(word: str, text: str) -> int | None:
    shortest = None
    start = text.find(word[0])
    while start >= 0:
        at = start
        for letter in word[1:]:
            at = text.find(letter, at + 1)
            if at < 0:
                return shortest
        span = at - start + 1
        shortest = span if shortest is None else min(shortest, span)
        start = text.find(word[0], start + 1)
    return shortest
