"""The card below the table: what moved the answer, from the baseline to a column of choice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from workbench.charts.rows import STAR
from workbench.charts.waterfall import END, START, STEP, Quantity, Waterfall, waterfall_table
from workbench.core.compare import Per
from workbench.core.waterfall import Waterfall as CoreWaterfall
from workbench.export.options import Language
from workbench.export.raster import QtMeasure
from workbench.export.steps import QUANTITIES, chart_of
from workbench.gui.compare.cells import Head
from workbench.gui.compare.waterfall_view import WaterfallView
from workbench.gui.compare.whys import step_why
from workbench.gui.export.mime import Leaving, tsv_of
from workbench.gui.fields.choice import ChoiceBox
from workbench.gui.labels import Label, muted, visible
from workbench.gui.language import follow_language
from workbench.gui.tr import chart_label, translate, words
from workbench.gui.views.table import CopyTable, number, word
from workbench.gui.why import Why, set_why
from workbench.spec.units import ByteUnit

_TABLE_COLUMNS: Final = 4
_LETTERS: Final = (14, 28)
"""Of the name of a column in its box, at least and at most."""


class WaterfallCard(QFrame):
    """Choice of column and of figure, the chart or its table, and what is pointed at in words."""

    target_chosen = Signal(object)
    """Key of the column that the steps should lead to."""
    turned = Signal()
    """Chart and table changed places: the card wants another height."""

    def __init__(self, measure: QtMeasure, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found: CoreWaterfall | None = None
        self._figure: Quantity = "requests"
        self._per: Per = "gpu"
        self._unit: ByteUnit = "GiB"
        self.chart: Waterfall | None = None
        self._build(measure)
        follow_language(self._say)

    def _build(self, measure: QtMeasure) -> None:
        self.setProperty("card", True)
        em = self.fontMetrics().height()
        self.title = Label("", self, elide=True)
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        # A long name of a baseline is shortened before the boxes are.
        self.title.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Preferred)
        self.target = ChoiceBox(self)
        self.target.chosen.connect(self.target_chosen)
        self.figure = ChoiceBox(self)
        self.figure.setMinimumContentsLength(16)
        self.figure.chosen.connect(self._choose_figure)
        self.as_table = QPushButton(self)
        self.as_table.setCheckable(True)
        self.as_table.toggled.connect(self._turn)
        top = self._top = QHBoxLayout()
        top.setSpacing(em // 2)
        top.addWidget(self.title)
        top.addWidget(self.target)
        top.addWidget(self.figure)
        top.addStretch(1)
        top.addWidget(self.as_table)
        self.view = WaterfallView(measure, self)
        self.chart_scroll = _ChartScroll(self.view, self)
        self.table = CopyTable("", ("", "", "", ""), self)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.chart_scroll)
        self.pages.addWidget(self.table)
        self.pages.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.line = Label("", self, role="muted", selectable=True, elide=True)
        self.view.described.connect(self._describe)
        self.remark = muted("", self)
        layout = self._layout = QVBoxLayout(self)
        layout.setContentsMargins(em, em * 2 // 3, em, em * 2 // 3)
        layout.setSpacing(em // 3)
        layout.addLayout(top)
        # So much more than the room left over below that not a pixel goes there too early.
        layout.addWidget(self.pages, 10_000)
        layout.addWidget(self.line)
        layout.addWidget(self.remark)
        layout.addStretch(1)

    def _say(self) -> None:
        self.target.setAccessibleName(translate("Compare", "Explained column"))
        self.target.setAccessibleDescription(
            translate("Compare", "The column that the steps lead to from the baseline.")
        )
        self.figure.setAccessibleName(translate("Compare", "Explained figure"))
        self.figure.setAccessibleDescription(
            translate("Compare", "The figure whose change is taken apart.")
        )
        names = {
            "requests": translate("Compare", "largest concurrency"),
            "bytes": translate("Compare", "memory used"),
        }
        self.figure.set_choices([(code, names[code]) for code in QUANTITIES])
        self.figure.show_choice(self._figure)
        self.as_table.setText(translate("Compare", "As a table"))
        self.as_table.setAccessibleDescription(
            translate("Compare", "The steps as rows that can be read and copied.")
        )
        self._refresh()

    # Showing

    def show_columns(self, heads: Sequence[Head], target: str) -> None:
        """Offer every column but the baseline, one of them chosen."""
        base = next((head for head in heads if head.is_baseline), None)
        name = "" if base is None else f"{STAR} {base.name}"
        text = translate("Compare", "What moved the answer: {baseline} →").format(baseline=name)
        self.title.set_text(text)
        choices = [(head.key, head.name) for head in heads if not head.is_baseline]
        box = self.target
        known = [(box.itemData(i), box.itemText(i)) for i in range(box.count())]
        if known != choices:
            self.target.set_choices(choices)
            longest = max((len(name) for _, name in choices), default=0)
            self.target.setMinimumContentsLength(min(max(longest, _LETTERS[0]), _LETTERS[1]))
        self.target.show_choice(target)

    def show_way(self, found: CoreWaterfall | None, unit: ByteUnit, per: Per) -> None:
        """Show the way to the chosen column; None while it is being worked out."""
        self._found, self._unit, self._per = found, unit, per
        self._refresh()

    def show_remark(self, text: str, why: Why) -> None:
        """Say something about all columns below the chart."""
        self.remark.set_text(text)
        set_why(self.remark, why)
        self._share_line()

    def _share_line(self) -> None:
        """Keep one place for both: what is pointed at, and else the remark."""
        pointed = bool(self.line.full_text)
        self.line.setVisible(pointed)
        self.remark.setVisible(not pointed)

    def _refresh(self) -> None:
        found, language = self._found, Language(words)
        self.chart = None
        if found is not None:
            self.chart = chart_of(found, self._figure, language, per=self._per, shown=visible)
        self.view.show_chart(self.chart, self._unit)
        self.as_table.setEnabled(self.chart is not None)
        if self.chart is not None:
            self._fill_table(self.chart)
        self._fit_pages()
        self.updateGeometry()

    def _fill_table(self, chart: Waterfall) -> None:
        header, lines = waterfall_table(chart, unit=self._unit, labels=chart_label)
        # Requests have no exact figure beside the one shown.
        missing = ("",) * (_TABLE_COLUMNS - len(header))
        self.table.setColumnHidden(_TABLE_COLUMNS - 1, bool(missing))
        self.table.say(translate("Compare", "What moved the answer"), (*header, *missing))
        parts = [START, *(f"{STEP}{count}" for count in range(len(chart.steps))), END]
        rows = []
        for (name, *figures), part in zip(lines, parts, strict=True):
            why = step_why(chart, part)
            rows.append(
                [word(name, why=why), *(number(text, why=why) for text in (*figures, *missing))]
            )
        self.table.show_rows(rows)

    def _choose_figure(self, figure: object) -> None:
        self._figure = "bytes" if figure == "bytes" else "requests"
        self._refresh()

    def _turn(self, as_table: bool) -> None:
        self.pages.setCurrentIndex(1 if as_table else 0)
        self._fit_pages()
        self.turned.emit()

    def _fit_pages(self) -> None:
        """Keep what is said below close to the chart or its table."""
        self.pages.setMaximumHeight(self._page_height())

    def _page_height(self) -> int:
        if self.as_table.isChecked():
            return self.table.height_of_all()
        return self.view.height() + 2

    def _describe(self, text: object) -> None:
        self.line.set_text(str(text))
        set_why(self.line, self.view.shown_why())
        self._share_line()

    def leaving(self, width: float, title: str) -> Leaving | None:
        """Return the steps as the clipboard and a drag take them; None while there are none."""
        if self.chart is None:
            return None
        header, lines = waterfall_table(self.chart, unit=self._unit, labels=chart_label)
        made = self.view.drawn(max(width, float(self.view.width())), title=title)
        return Leaving(made, tsv_of(header, lines), "waterfall")

    def wanted_height(self) -> int:
        """Return the height at which the whole chart, or its table, is in sight."""
        margins, gap = self.contentsMargins(), self._layout.spacing()
        inside = self._layout.contentsMargins()
        parts = [self._top.sizeHint().height(), self._page_height()]
        across = self.width() - inside.left() - inside.right()
        said = self.line.sizeHint().height(), self.remark.heightForWidth(across)
        parts.append(max(said))
        around = margins.top() + margins.bottom() + inside.top() + inside.bottom()
        return around + sum(parts) + gap * (len(parts) - 1)

    def sizeHint(self) -> QSize:
        """As high as the chart."""
        return QSize(super().sizeHint().width(), self.wanted_height())


class _ChartScroll(QScrollArea):
    """The chart, scrolled where it is higher than its place."""

    def __init__(self, view: WaterfallView, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWidget(view)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        view.cursor_moved.connect(self._show)

    def _show(self, box: object) -> None:
        if isinstance(box, QRect):
            self.ensureVisible(box.left(), box.center().y(), 0, box.height())
