"""A language made up for tests: every marked text in brackets, and much longer than English."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication, QTranslator

from workbench.gui.language import say_again, settle

OPEN, CLOSE = "⟦", "⟧"
_LONGER = 0.4


class Pseudo(QTranslator):
    """Says "⟦Text~~⟧" for "Text"; Qt's own words stay as they are."""

    def isEmpty(self) -> bool:
        return False

    def translate(self, context, text, disambiguation=None, n=-1):
        if context.startswith("Q"):
            return None
        return f"{OPEN}{text}{'~' * round(len(text) * _LONGER)}{CLOSE}"


def speak(app: QCoreApplication) -> Pseudo:
    """Switch to it; `silence` switches back to English."""
    pseudo = Pseudo(app)
    app.installTranslator(pseudo)
    say_again()
    settle()
    return pseudo


def silence(app: QCoreApplication, pseudo: Pseudo) -> None:
    app.removeTranslator(pseudo)
    say_again()
    settle()
    pseudo.deleteLater()
