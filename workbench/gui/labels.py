"""The one maker of labels: plain text always, selectable where it shows a number, never markup.

Qt's labels and tool tips guess whether a text is HTML; a scenario called `<img src=x>` would
show a picture. Every label of the window is therefore made here.
"""

from __future__ import annotations

import unicodedata
from typing import Final, Literal

from PySide6.QtCore import QEvent, QRect, QRectF, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetricsF,
    QKeyEvent,
    QKeySequence,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QLabel, QSizePolicy, QWidget

from workbench.charts import palette

Role = Literal["text", "muted", "heading", "headline", "accent", "success", "warning", "danger"]

_INKS: Final = {
    "text": QPalette.ColorRole.WindowText,
    "headline": QPalette.ColorRole.WindowText,
    "muted": QPalette.ColorRole.PlaceholderText,
    "heading": QPalette.ColorRole.PlaceholderText,
    "accent": QPalette.ColorRole.Link,
    "danger": QPalette.ColorRole.BrightText,
}
"""Roles whose ink the palette of the application holds; the others need one of their own."""
_SIZED: Final = ("heading", "headline")
PATTERNS: Final = "patterns"
"""Property of the application: whether fills have patterns."""
_LONGEST_TEXT: Final = 2_000
_LONGEST_TIP: Final = 1_000
_SELECTABLE: Final = (
    Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
)
_BY_POINTER: Final = (
    Qt.FocusReason.MouseFocusReason,
    Qt.FocusReason.ActiveWindowFocusReason,
    Qt.FocusReason.PopupFocusReason,
)
_HIGHEST_PX: Final = 100_000
_LAST_ASCII: Final = "\u007f"
_LAST_ALPHABETIC: Final = "\u2e7f"
_INVISIBLE: Final = frozenset(
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u3164\ufeff\uffa0"
    "\u200b\u200e\u200f\u2028\u2029\u202a\u202b\u202c\u202d\u202e"
    "\u2060\u2061\u2062\u2063\u2064\u2066\u2067\u2068\u2069"
)


def visible(text: str, *, limit: int = _LONGEST_TEXT) -> str:
    """Return a name as it may be shown: invisible and direction marks spelled out, one line."""
    if len(text) <= limit and text.isprintable() and _INVISIBLE.isdisjoint(text):
        return text
    shown = "".join(_shown(character) for character in text[:limit])
    return shown if len(text) <= limit else shown + "…"


def _shown(character: str) -> str:
    if character in _INVISIBLE:
        return f"‹U+{ord(character):04X}›"
    category = unicodedata.category(character)
    if category == "Cc":
        return " "
    return "\ufffd" if category == "Cs" else character


def plain_tip(text: str) -> str:
    """Return a tool tip that shows the text as it is written."""
    cut = text if len(text) <= _LONGEST_TIP else text[:_LONGEST_TIP] + "…"
    if "<" not in cut and "&" not in cut:
        return cut
    import html

    return "<qt>" + html.escape(cut).replace("\n", "<br/>") + "</qt>"


def theme_of(widget: QWidget) -> palette.Theme:
    """Return the theme that a widget is painted in, with the patterns that were asked for."""
    return _theme_on(widget.palette())


def _theme_on(shown: QPalette) -> palette.Theme:
    ground = shown.color(QPalette.ColorRole.Window).name().upper()
    app = QApplication.instance()
    patterned = app is not None and bool(app.property(PATTERNS))
    return palette.theme_on(ground, patterned=patterned)


def ink(widget: QWidget, role: Role) -> QColor:
    """Return the colour of a role of text in the widget's theme."""
    return _ink_on(widget.palette(), role)


def _ink_on(shown: QPalette, role: Role) -> QColor:
    theme = _theme_on(shown)
    name = {"heading": "muted", "headline": "text"}.get(role, role)
    return QColor(getattr(theme, name))


class Label(QLabel):
    """A plain label whose colour and size follow its role; may shorten its text to its width."""

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        *,
        role: Role = "text",
        selectable: bool = False,
        elide: bool = False,
        wrap: bool = False,
    ) -> None:
        super().__init__(parent)
        self._full = ""
        self._role: Role = role
        self._elide = elide
        self._selectable = selectable
        self._inked = QColor()
        self._inking = False
        self._policy: Qt.FocusPolicy | None = None
        """How it takes the keyboard when it has a text."""
        self._ringed = False
        self._room: tuple[object, ...] = ()
        self.setTextFormat(Qt.TextFormat.PlainText)
        if wrap:
            self.setWordWrap(True)
        if elide:
            self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        elif wrap:
            # A narrow dock breaks the lines; it never widens for a long word.
            policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
            policy.setHeightForWidth(True)
            self.setSizePolicy(policy)
        if selectable:
            self.setTextInteractionFlags(_SELECTABLE)
        if role in _SIZED:
            self.setFont(role_font(self.font(), role))
        self._restyle()
        self.set_text(text)

    @property
    def full_text(self) -> str:
        """The text before it was shortened."""
        return self._full

    @property
    def is_eliding(self) -> bool:
        """Whether a text too long for the label is shortened, whole in the tool tip."""
        return self._elide

    @property
    def role(self) -> Role:
        """What the text is for."""
        return self._role

    def set_role(self, role: Role) -> None:
        """Change what the text is for."""
        if role != self._role:
            self._role = role
            self._restyle()

    def set_text(self, text: str) -> None:
        """Show another text; does nothing when it is the same."""
        text = visible(text)
        if text == self._full and self.text():
            return
        self._full = text
        self._take_focus(bool(text))
        if (
            self._elide
            or self.textInteractionFlags() & Qt.TextInteractionFlag.TextSelectableByKeyboard
        ):
            self.setAccessibleName(text)
        self._fit()

    def _take_focus(self, has_text: bool) -> None:
        """Take the keyboard only with a text: without one there is nothing to select."""
        policy = self.focusPolicy()
        if not has_text and policy != Qt.FocusPolicy.NoFocus:
            self._policy = policy
            self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        elif has_text and policy == Qt.FocusPolicy.NoFocus and self._policy is not None:
            self.setFocusPolicy(self._policy)

    def _fit(self) -> None:
        if not self._elide:
            self._put(self._full)
            return
        width = self.contentsRect().width() - 2 * self.margin()
        shown = self.fontMetrics().elidedText(self._full, Qt.TextElideMode.ElideRight, width)
        self._put(shown)
        self.setToolTip("" if shown == self._full else plain_tip(self._full))

    def _put(self, text: str) -> None:
        """Let Qt have a text; one that asks for the same room as the last moves nothing.

        Qt would lay out everything round the label, up to the window, for each figure of an edit.
        A widget that counts as hidden asks for no layout, and its text is painted all the same.
        """
        before, self._room = self._room, self._wanted_room()
        if self._room != before or self.isHidden():
            self.setText(text)
            return
        self.setAttribute(Qt.WidgetAttribute.WA_WState_Hidden)
        self.setText(text)
        self.setAttribute(Qt.WidgetAttribute.WA_WState_Hidden, False)

    def _wanted_room(self) -> tuple[object, ...]:
        """What the size of the label depends on."""
        text, metrics, width, height = self._full, self.fontMetrics(), 0, 0
        if self.wordWrap():
            width = self.contentsRect().width()
            if metrics.horizontalAdvance(text) > width:
                area = QRect(0, 0, width, _HIGHEST_PX)
                height = metrics.boundingRect(area, Qt.TextFlag.TextWordWrap, text).height()
        elif self.sizePolicy().horizontalPolicy() != QSizePolicy.Policy.Ignored:
            width = metrics.horizontalAdvance(text)
        # Signs of other scripts come from fonts of other heights.
        highest = max(text, default="")
        return bool(text), width, height, highest > _LAST_ASCII, highest > _LAST_ALPHABETIC

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._elide:
            self._fit()

    def sizeHint(self) -> QSize:
        if not self._elide:
            return super().sizeHint()
        # A little more than the advance: signs from another font round the elided width up.
        width = self.fontMetrics().horizontalAdvance(self._full + " ")
        return QSize(width, super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        if not self._elide:
            return super().minimumSizeHint()
        return QSize(self.fontMetrics().horizontalAdvance("…"), super().minimumSizeHint().height())

    def text_width(self) -> int:
        """Return how wide the words are, whatever width the label was given."""
        return self.width_of(self.text())

    def width_of(self, text: str) -> int:
        """Return how wide the label is with a text on it."""
        size = self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic.value, text)
        return size.width() + 2 * self.margin()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Copy) and not self.hasSelectedText():
            # Without a selection the whole, unshortened text is meant.
            self.setText(self._full)
            self.setSelection(0, len(self._full))
            super().keyPressEvent(event)
            self.setSelection(0, 0)
            self._fit()
            return
        super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        # Who clicks into a text sees where; who comes by keyboard does not.
        self._ringed = event.reason() not in _BY_POINTER
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._ringed = False
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._selectable and not (self.hasFocus() or self.hasSelectedText()):
            self._paint_text()
            return
        super().paintEvent(event)
        if self._ringed:
            painter = QPainter(self)
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(QPen(ink(self, "accent"), 2.0))
            radius = self.fontMetrics().height() / 5
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), radius, radius)
            painter.end()

    def _paint_text(self) -> None:
        """Paint a text in which nobody selects.

        Qt would make a document of it, and while it lays that out ask to be painted once more.
        """
        area, flags = QRectF(self.contentsRect()), self.alignment()
        metrics = QFontMetricsF(self.font())
        height = metrics.height()
        if self.wordWrap():
            flags |= Qt.TextFlag.TextWordWrap
            if "\n" in self.text() or metrics.horizontalAdvance(self.text()) > area.width():
                height = metrics.boundingRect(area, flags, self.text()).height()
        if flags & Qt.AlignmentFlag.AlignVCenter:
            # Where the document would stand, on whole pixels.
            flags ^= Qt.AlignmentFlag.AlignVCenter
            area.translate(0, max(0, (area.height() - height) // 2))
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(area, flags, self.text())
        painter.end()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.StyleChange):
            self._restyle()
        elif event.type() == QEvent.Type.FontChange and self._elide:
            self._fit()

    def _restyle(self) -> None:
        """Take the ink of the role."""
        if self._inking:
            return
        held = _INKS.get(self._role, QPalette.ColorRole.WindowText)
        if self.foregroundRole() != held:
            self._inking = True
            self.setForegroundRole(held)
            self._inking = False
        if self._role in _INKS:
            self._take_back()
            return
        colour = ink(self, self._role)
        # The palette may have been taken away again since.
        if colour == self._inked == self.palette().color(QPalette.ColorRole.WindowText):
            return
        self._take(colour)

    def dress(self) -> None:
        """Follow the palette of the application, which has changed."""
        if self._role in _INKS:
            self.setPalette(QPalette())
        else:
            self._take(_ink_on(QApplication.palette(), self._role))

    def _take_back(self) -> None:
        """Have no ink of one's own any more, after a role that needed one."""
        if self._inked.isValid():
            self._inked = QColor()
            self._inking = True
            self.setPalette(QPalette())
            self._inking = False

    def _take(self, colour: QColor) -> None:
        self._inked = colour
        # A fresh palette with one colour set: all others still follow the theme.
        own = QPalette()
        own.setColor(QPalette.ColorRole.WindowText, colour)
        self._inking = True
        self.setPalette(own)
        self._inking = False


def role_font(font: QFont, role: Role) -> QFont:
    """Return the font of a role, derived from the one the window uses."""
    made = QFont(font)
    size = font.pointSizeF()
    if role == "heading":
        made.setPointSizeF(size * 0.85)
        made.setWeight(QFont.Weight.Bold)
        made.setCapitalization(QFont.Capitalization.AllUppercase)
        made.setLetterSpacing(QFont.SpacingType.PercentageSpacing, 106)
    elif role == "headline":
        made.setPointSizeF(size * 1.45)
        made.setWeight(QFont.Weight.Bold)
    return made


def heading(text: str, parent: QWidget | None = None, *, selectable: bool = False) -> Label:
    """Make the heading of a section; one with a number can be selected."""
    return Label(text, parent, role="heading", selectable=selectable)


def muted(text: str = "", parent: QWidget | None = None, *, wrap: bool = True) -> Label:
    """Make a quiet remark; it can be selected, since most hold a number."""
    return Label(text, parent, role="muted", wrap=wrap, selectable=True)


def figure(text: str = "", parent: QWidget | None = None, *, role: Role = "text") -> Label:
    """Make a label that shows a number: selectable, one line."""
    return Label(text, parent, role=role, selectable=True, elide=True)


def paint_badge(painter: QPainter, widget: QWidget, text: str, right: int, middle: int) -> int:
    """Paint a badge that ends at `right`, centred on `middle`; return its left edge."""
    theme = theme_of(widget)
    font = badge_font(widget.font())
    painter.save()
    painter.setFont(font)
    metrics = painter.fontMetrics()
    padding = metrics.horizontalAdvance("n") * 2 // 3
    width, height = metrics.horizontalAdvance(text) + 2 * padding, metrics.height() + 2
    left, top = right - width, middle - height // 2
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(palette.mixed(theme.surface, theme.text, 0.08)))
    painter.drawRoundedRect(left, top, width, height, height / 4, height / 4)
    painter.setPen(QColor(theme.muted))
    painter.drawText(left + padding, top, width, height, Qt.AlignmentFlag.AlignVCenter, text)
    painter.restore()
    return left


def badge_font(font: QFont) -> QFont:
    """Return the small font of a badge."""
    made = QFont(font)
    made.setPointSizeF(font.pointSizeF() * 0.82)
    return made


class Badge(Label):
    """A word in a small rounded box: an evidence, "built-in", "user"."""

    def __init__(self, text: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent, role="muted", selectable=True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        metrics = self.fontMetrics()
        return QSize(
            metrics.horizontalAdvance(self.text()) + metrics.horizontalAdvance("n") * 2,
            metrics.height() + 2,
        )

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_badge(painter, self, self.text(), self.width(), self.height() // 2)
        painter.end()
