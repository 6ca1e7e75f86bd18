"""Light, dark and high contrast: a palette from the same few colours that the charts use."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final, Literal

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontInfo, QFontMetrics, QPalette
from PySide6.QtWidgets import QApplication, QWidget

from workbench.charts.palette import BLACK, THEMES, Theme, mixed
from workbench.export.raster import FAMILIES
from workbench.gui.labels import PATTERNS, Label
from workbench.gui.put_off import NextPaint, PutOff, children_of
from workbench.gui.stylesheet import style_sheet

Choice = Literal["system", "light", "dark", "contrast"]
CHOICES: Final[tuple[Choice, ...]] = ("light", "dark", "contrast", "system")
_SMALLEST_POINTS: Final = 9.75
_HOVER, _PRESSED = 0.06, 0.13
_HOVER_ON_BLACK, _PRESSED_ON_BLACK = 0.28, 0.35
"""How far a ground is from the surface towards the text; what stands on it stays legible."""
_STRONG: Final = 0.25


class Themes(QObject):
    """Dresses the application; the choice "system" follows the desktop where it tells."""

    changed = Signal(object)
    """The `Theme` now shown."""

    def __init__(
        self,
        app: QApplication,
        choice: Choice = "system",
        parent: QObject | None = None,
        *,
        patterns: bool = False,
    ) -> None:
        super().__init__(parent)
        self._app = app
        self._put_off = PutOff(self)
        self._next_paint = NextPaint(self)
        self.choice: Choice = choice
        self.theme = self._wanted()
        app.setProperty(PATTERNS, patterns)
        app.setStyleSheet("")
        app.setFont(system_font(app.font()))
        app.setPalette(palette_of(self.theme))
        app.styleHints().colorSchemeChanged.connect(self._follow_system)

    def dress(self) -> None:
        """Put the sheet on; widgets made before cost less than those made under it."""
        self._app.setStyleSheet(style_sheet(em_of(self._app.font())))

    def choose(self, choice: Choice) -> None:
        """Switch at once."""
        self.choice = choice
        self._follow_system()

    def cycle(self) -> Choice:
        """Switch to the next theme, from what is shown now, and return it."""
        order: tuple[Choice, ...] = ("light", "dark", "contrast")
        following = order[(order.index(self.theme.name) + 1) % len(order)]
        self.choose(following)
        return following

    @property
    def patterns(self) -> bool:
        """Whether every fill of a chart has a pattern, whatever the theme."""
        return bool(self._app.property(PATTERNS))

    def show_patterns(self, shown: bool) -> None:
        """Put patterns into the fills, or take them out."""
        if shown != self.patterns:
            self._app.setProperty(PATTERNS, shown)
            # Charts are drawn anew when the palette changes; this is no less a change of it.
            self._change_all(_tell_change)
            self.changed.emit(self.theme)

    def settle(self) -> None:
        """Dress now what is out of sight as well."""
        self._put_off.finish()

    def _follow_system(self) -> None:
        wanted = self._wanted()
        if wanted is not self.theme:
            self.theme = wanted
            self._apply()
            self.changed.emit(wanted)

    def _wanted(self) -> Theme:
        if self.choice != "system":
            return THEMES[self.choice]
        # Some platforms never tell; light is what paper and projectors expect.
        dark = self._app.styleHints().colorScheme() == Qt.ColorScheme.Dark
        return THEMES["dark" if dark else "light"]

    def _apply(self) -> None:
        self._app.setPalette(palette_of(self.theme))
        self._put_off.forget()
        self._change_all(_dress)

    def _change_all(self, change: Callable[[QWidget], object]) -> None:
        """Change what is in sight now, to be painted next, and the rest as its turn comes."""
        self._next_paint.hold()
        self._next_paint.paint()
        for window in self._app.topLevelWidgets():
            self._put_off.do(window, partial(self._change, window, change))

    def _change(self, widget: QWidget, change: Callable[[QWidget], object]) -> None:
        change(widget)
        for child in children_of(widget):
            self._put_off.do(child, partial(self._change, child, change))


def _tell_change(widget: QWidget) -> None:
    QApplication.sendEvent(widget, QEvent(QEvent.Type.PaletteChange))


def _dress(widget: QWidget) -> None:
    """Let a widget forget the colours that rules of the sheet gave it, and take the new ones.

    That costs far less than the same sheet put on again, which lays every widget out anew.
    """
    ruled = widget.testAttribute(Qt.WidgetAttribute.WA_StyleSheetTarget)
    if isinstance(widget, Label) and not ruled:
        widget.dress()
        return
    style = widget.style() if ruled else None
    if style is not None:
        style.unpolish(widget)
    widget.setPalette(QPalette())
    if style is not None:
        style.polish(widget)
    widget.update()


def choice_of(text: str) -> Choice:
    """Read a stored choice; anything unknown follows the system."""
    return next((choice for choice in CHOICES if choice == text), "system")


def system_font(font: QFont) -> QFont:
    """Return the system's sans serif, not smaller than reads well beside a chart."""
    made = QFont(font)
    if QFontInfo(font).family() in ("", "Sans Serif", "DejaVu Sans"):
        made.setFamilies(list(FAMILIES))
    made.setPointSizeF(max(font.pointSizeF(), _SMALLEST_POINTS))
    return made


def em_of(font: QFont) -> int:
    """Return the text size in pixels, from which every other size is taken."""
    return QFontInfo(font).pixelSize() or QFontMetrics(font).ascent()


def palette_of(theme: Theme) -> QPalette:
    """Return the theme as Qt's palette."""
    made = QPalette()
    black = theme.surface == BLACK
    hover, pressed = (_HOVER_ON_BLACK, _PRESSED_ON_BLACK) if black else (_HOVER, _PRESSED)
    roles = {
        QPalette.ColorRole.Window: theme.surface,
        QPalette.ColorRole.WindowText: theme.text,
        QPalette.ColorRole.Base: theme.surface,
        QPalette.ColorRole.AlternateBase: theme.sunken,
        QPalette.ColorRole.Text: theme.text,
        QPalette.ColorRole.PlaceholderText: theme.muted,
        QPalette.ColorRole.Button: theme.surface,
        QPalette.ColorRole.ButtonText: theme.text,
        QPalette.ColorRole.BrightText: theme.danger,
        QPalette.ColorRole.Highlight: theme.accent,
        QPalette.ColorRole.HighlightedText: theme.on_accent,
        QPalette.ColorRole.Accent: theme.accent,
        QPalette.ColorRole.Link: theme.accent,
        QPalette.ColorRole.LinkVisited: faint(theme),
        QPalette.ColorRole.ToolTipBase: theme.surface,
        QPalette.ColorRole.ToolTipText: theme.text,
        QPalette.ColorRole.Light: mixed(theme.surface, theme.text, pressed),
        QPalette.ColorRole.Midlight: mixed(theme.surface, theme.text, hover),
        QPalette.ColorRole.Mid: theme.line,
        QPalette.ColorRole.Dark: mixed(theme.line, theme.text, _STRONG),
        QPalette.ColorRole.Shadow: theme.line,
    }
    for role, colour in roles.items():
        made.setColor(role, QColor(colour))
    disabled = QPalette.ColorGroup.Disabled
    for role in (
        QPalette.ColorRole.WindowText,
        QPalette.ColorRole.Text,
        QPalette.ColorRole.ButtonText,
    ):
        made.setColor(disabled, role, QColor(faint(theme)))
    return made


def faint(theme: Theme) -> str:
    """Return the ink of what cannot be used now."""
    return mixed(theme.muted, theme.surface, 0.5)
