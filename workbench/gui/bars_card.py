"""The card of the bars: chart, what is pointed at in words, and the figures below."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QRect, QSize, Qt
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QVBoxLayout, QWidget

from workbench.export.raster import QtMeasure
from workbench.gui.bars_view import BarsView
from workbench.gui.figures import Figures
from workbench.gui.labels import Label
from workbench.gui.language import follow_language
from workbench.gui.session import Session
from workbench.gui.tr import translate
from workbench.gui.why import set_why


class _BarsScroll(QScrollArea):
    """As high as the bars, if there is room; else they scroll."""

    def __init__(self, bars: BarsView, parent: QWidget) -> None:
        super().__init__(parent)
        self._bars = bars
        self.setWidget(bars)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        bars.installEventFilter(self)
        bars.cursor_moved.connect(self._show)

    def eventFilter(self, watched: object, event: QEvent) -> bool:
        """Follow the height of the bars."""
        if watched is self._bars and event.type() == QEvent.Type.Resize:
            self.updateGeometry()
        return super().eventFilter(watched, event)  # type: ignore[arg-type]

    def sizeHint(self) -> QSize:
        """The bars' own size."""
        hint = self._bars.sizeHint()
        return QSize(hint.width(), self._bars.minimumHeight() or hint.height())

    def minimumSizeHint(self) -> QSize:
        """Legend, limit and two bars; more scroll."""
        line = self.fontMetrics().height()
        return QSize(line * 20, min(self.sizeHint().height(), line * 10))

    def _show(self, box: object) -> None:
        if isinstance(box, QRect):
            margin = self.fontMetrics().height()
            # With the last bar the axis below it, with the first the limit above.
            across, down = box.center().x(), box.center().y()
            self.ensureVisible(across, down, margin, box.height() // 2 + 2 * margin)


class BarsCard(QFrame):
    """Bars of all scenarios, and the figures of the current one."""

    def __init__(self, session: Session, measure: QtMeasure, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("card", True)
        self.bars = BarsView(session, measure, self)
        self._compact = False
        self._described = False
        self._text = ""
        self._build(session)
        follow_language(self._say)

    def _say(self) -> None:
        self.setAccessibleName(translate("Bars", "Memory per GPU"))
        self._fallback = translate("Bars", "Point at a part, or use the arrow keys, to read it.")
        self.line.set_text(self._text or self._fallback)

    def _build(self, session: Session) -> None:
        em = self.fontMetrics().height()
        # The chart keeps a margin of its own; what stands below lines up with its text.
        inset = round(self.bars.margin())
        outer = QVBoxLayout(self)
        outer.setContentsMargins(em - inset, em // 2 - inset // 2, em - inset, em * 3 // 5)
        outer.setSpacing(em // 3)
        self.area = _BarsScroll(self.bars, self)
        outer.addWidget(self.area, 1)
        layout = QVBoxLayout()
        layout.setContentsMargins(inset, 0, inset, 0)
        layout.setSpacing(em // 2)
        outer.addLayout(layout)
        self.line = Label("", self, role="muted", selectable=True, elide=True)
        self._fallback = ""
        self.bars.described.connect(self._describe)
        layout.addWidget(self.line)
        self.hairline = QFrame(self)
        self.hairline.setProperty("hairline", True)
        self.hairline.setFixedHeight(1)
        layout.addWidget(self.hairline)
        self.foot = QWidget(self)
        foot = QVBoxLayout(self.foot)
        foot.setContentsMargins(0, 0, 0, 0)
        self.figures = Figures(session, self.foot)
        foot.addWidget(self.figures)
        layout.addWidget(self.foot)

    def set_compact(self, compact: bool) -> None:
        """In a low window what is pointed at and the figures take turns in one line."""
        if compact == self._compact:
            return
        self._compact = compact
        self.figures.set_compact(compact)
        self.hairline.setVisible(not compact)
        self._share_line()

    def set_room(self, calm: int, most: int) -> None:
        """Share pixels: past `calm` the bars become thinner, past `most` they scroll."""
        self.setMaximumHeight(most)
        self.bars.set_room(calm - (self.sizeHint().height() - self.area.sizeHint().height()))

    def _describe(self, text: object) -> None:
        self._text = str(text)
        self._described = bool(text)
        set_why(self.line, self.bars.asked_why() if text else None)
        self.line.set_text(self._text or self._fallback)
        if self._compact:
            self._share_line()

    def _share_line(self) -> None:
        in_turn = self._compact and self._described
        self.line.setMinimumHeight(self.foot.height() if in_turn else 0)
        self.foot.setVisible(not in_turn)
        self.line.setVisible(in_turn or not self._compact)
