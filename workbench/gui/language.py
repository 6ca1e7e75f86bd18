"""The language of the window, switched live: whatever shows words says them again.

Words are fetched when they are shown, so a part of the window gives the function that sets its
fixed words to `follow_language`, which calls it now and after every change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final, Literal
from weakref import WeakMethod

from PySide6.QtCore import (
    QCoreApplication,
    QLibraryInfo,
    QLocale,
    QObject,
    QTranslator,
    Signal,
)
from PySide6.QtWidgets import QWidget
from shiboken6 import Shiboken

from workbench.gui.put_off import NextPaint, PutOff
from workbench.gui.soon import Soon, Turn
from workbench.library.paths import resources_dir

Choice = Literal["system", "en", "zh_CN"]
CHOICES: Final[tuple[Choice, ...]] = ("en", "zh_CN", "system")
NAMES: Final = {"en": "English", "zh_CN": "简体中文"}
"""Each language by its own name; never translated."""


Say = Callable[[], object]


class _Speaker(QObject):
    """Knows who shows words, as long as they live."""

    built = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._fixed: dict[WeakMethod[Say], bool] = {}
        """Whether the words of one out of sight can wait."""
        self._put_off: PutOff | None = None
        self._next_paint: NextPaint | None = None
        # What is built from words is laid out in a turn of its own: both are too long for one.
        self._building = Soon(self._build, self, Turn.PAINT)
        self._speaking = False
        self.times = 0

    def add(self, say: Say, *, can_wait: bool) -> None:
        self._fixed[WeakMethod(say, self._remove)] = can_wait

    def _remove(self, gone: WeakMethod[Say]) -> None:
        # Whoever is going while others speak is found dead in its turn.
        if not self._speaking:
            self._fixed.pop(gone, None)

    def say_again(self) -> None:
        self.times += 1
        put_off = self._put_off = self._put_off or PutOff()
        put_off.forget()
        self._next_paint = self._next_paint or NextPaint()
        self._next_paint.hold()
        self._building.ask()
        self._speaking = True
        listeners = list(self._fixed.items())
        self._speaking = False
        for known, can_wait in listeners:
            say = known()
            owner = getattr(say, "__self__", None)
            if say is None or not Shiboken.isValid(owner):
                self._fixed.pop(known, None)
            elif can_wait and isinstance(owner, QWidget):
                put_off.do(owner, say)
            else:
                say()

    def _build(self) -> None:
        if self._next_paint is not None:
            self._next_paint.paint()
        self.built.emit()

    def settle(self) -> None:
        self._building.finish()
        if self._put_off is not None:
            self._put_off.finish()


_speaker: Final = _Speaker()


def follow_language(say: Say, *, can_wait: bool = True) -> None:
    """Say words now, and again whenever the language changes, as long as the method's owner lives.

    `say` is a bound method of a `QObject`. A widget out of sight follows a moment later, at the
    latest when it is shown; one whose words are measured by others cannot wait.
    """
    say()
    _speaker.add(say, can_wait=can_wait)


def on_language(say: Say) -> None:
    """Say words again whenever the language changes; they have been said already.

    All fixed words in sight come first: what is built from them, or measured, finds the new ones.
    Who is out of sight notes that its words are old, and says them when it is shown.
    """
    _speaker.built.connect(say)


def say_again() -> None:
    """Let everything that shows words fetch them anew."""
    _speaker.say_again()


def times_said() -> int:
    """Count how often words were said again: what was said before a change is old after it."""
    return _speaker.times


def settle() -> None:
    """Say now what is out of sight as well."""
    _speaker.settle()


def choice_of(text: str) -> Choice:
    """Read a stored choice; anything unknown follows the system."""
    return next((choice for choice in CHOICES if choice == text), "system")


class Language(QObject):
    """Installs the translators of a language, ours and Qt's own, and tells who listens."""

    changed = Signal(object)
    """The code of the language now spoken."""

    def __init__(
        self, app: QCoreApplication, choice: Choice = "system", parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._app = app
        self.choice: Choice = choice
        self._installed: list[QTranslator] = []
        self._loaded: dict[str, tuple[QTranslator, ...]] = {"en": ()}
        self._locale = QLocale()
        self.code = "en"
        self._speak(self._wanted())

    def choose(self, choice: Choice) -> None:
        """Switch at once."""
        self.choice = choice
        wanted = self._wanted()
        if wanted != self.code:
            self._speak(wanted)
            say_again()
            self.changed.emit(wanted)

    def toggle(self) -> Choice:
        """Switch to the other language and return it."""
        other: Choice = "en" if self.code == "zh_CN" else "zh_CN"
        self.choose(other)
        return other

    def silence(self) -> None:
        """Take the translators away again, for whoever uses the application next."""
        for translator in self._installed:
            self._app.removeTranslator(translator)
        self._installed.clear()

    def _wanted(self) -> str:
        if self.choice != "system":
            return self.choice
        return "zh_CN" if QLocale.system().language() == QLocale.Language.Chinese else "en"

    def _speak(self, code: str) -> None:
        self.silence()
        self.code = code
        # Figures are written the same in both languages; only Qt's dates follow this.
        QLocale.setDefault(self._locale if code == "en" else QLocale(code))
        if code not in self._loaded:
            self._loaded[code] = tuple(self._load(code))
        for translator in self._loaded[code]:
            self._app.installTranslator(translator)
            self._installed.append(translator)

    def _load(self, code: str) -> Iterator[QTranslator]:
        """Qt's own words first: what is installed last is asked first."""
        own = resources_dir() / "translations"
        qt = QLibraryInfo.path(QLibraryInfo.LibraryPath.TranslationsPath)
        for name, folder in ((f"qtbase_{code}", qt), (f"kvw_{code}", str(own))):
            translator = QTranslator(self)
            if translator.load(name, folder):
                yield translator
