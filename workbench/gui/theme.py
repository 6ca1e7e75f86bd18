"""Light and dark: a palette and a style sheet from the same few colours the charts use."""

from __future__ import annotations

from typing import Final, Literal

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontInfo, QFontMetrics, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory

from workbench.charts.palette import THEMES, Theme
from workbench.export.raster import FAMILIES
from workbench.gui.stylesheet import style_sheet

Choice = Literal["system", "light", "dark"]
CHOICES: Final[tuple[Choice, ...]] = ("light", "dark", "system")
_SMALLEST_POINTS: Final = 9.75


class Themes(QObject):
    """Dresses the application; the choice "system" follows the desktop where it tells."""

    changed = Signal(object)
    """The `Theme` now shown."""

    def __init__(
        self, app: QApplication, choice: Choice = "system", parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._app = app
        self.choice: Choice = choice
        self.theme = self._wanted()
        app.setStyleSheet("")
        app.setStyle(QStyleFactory.create("Fusion"))
        app.setFont(system_font(app.font()))
        app.setPalette(palette_of(self.theme))
        app.styleHints().colorSchemeChanged.connect(self._follow_system)

    def dress(self) -> None:
        """Put the sheet on; widgets made before cost less than those made under it."""
        self._app.setStyleSheet(style_sheet(self.theme, em_of(self._app.font())))

    def choose(self, choice: Choice) -> None:
        """Switch at once."""
        self.choice = choice
        self._follow_system()

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
        # Without a sheet the palette reaches every widget; under one some would keep the old.
        self._app.setStyleSheet("")
        self._app.setPalette(palette_of(self.theme))
        self.dress()


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
        QPalette.ColorRole.LinkVisited: theme.accent,
        QPalette.ColorRole.ToolTipBase: theme.surface,
        QPalette.ColorRole.ToolTipText: theme.text,
        QPalette.ColorRole.Light: theme.surface,
        QPalette.ColorRole.Midlight: theme.sunken,
        QPalette.ColorRole.Mid: theme.line,
        QPalette.ColorRole.Dark: theme.line,
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
        made.setColor(disabled, role, faint(theme))
    return made


def faint(theme: Theme) -> QColor:
    """Return the ink of what cannot be used now."""
    muted, surface = QColor(theme.muted), QColor(theme.surface)
    return QColor(
        (muted.red() + surface.red()) // 2,
        (muted.green() + surface.green()) // 2,
        (muted.blue() + surface.blue()) // 2,
    )
