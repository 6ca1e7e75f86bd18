"""The left side of the export dialog: what, as which kind of file, how it looks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QButtonGroup,
    QCheckBox,
    QGridLayout,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from workbench.export.options import LOOKS, RATIOS, WHATS, Options, What
from workbench.gui.export.names import (
    format_words,
    formats_of,
    is_picture,
    look_words,
    ratio_words,
    scale_words,
    what_words,
)
from workbench.gui.fields.choice import ChoiceBox
from workbench.gui.labels import Label, heading, plain_tip, visible
from workbench.gui.language import follow_language
from workbench.gui.tr import translate
from workbench.library.paths import path_from_text, path_to_text
from workbench.library.settings import ExportChoice

_NUMBERS: Final = ("csv", "json")
"""Kinds of files without a title."""


class ExportForm(QWidget):
    """Every choice of an export; one that does not apply is not shown and keeps its value."""

    changed = Signal()
    template_wanted = Signal()

    def __init__(
        self,
        choice: ExportChoice,
        scenarios: Sequence[tuple[str, str]],
        baseline: str,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.choice = choice
        self._scenarios = tuple((code, visible(name)) for code, name in scenarios)
        self._baseline = baseline
        self._scenario: dict[What, str] = {}
        self._formats: dict[str, str] = {choice.what: choice.format}
        self._build()
        follow_language(self._say)
        self._show()

    # Building

    def _build(self) -> None:
        em = self.fontMetrics().height()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(em // 3)
        self.what_title = heading("", self)
        layout.addWidget(self.what_title)
        self.whats: dict[What, QRadioButton] = {}
        group = QButtonGroup(self)
        buttons = QVBoxLayout()
        buttons.setSpacing(0)
        layout.addLayout(buttons)
        for what in WHATS:
            button = self.whats[what] = QRadioButton(self)
            button.setVisible(self._is_possible(what))
            button.toggled.connect(self._choose_what)
            group.addButton(button)
            buttons.addWidget(button)
        layout.addSpacing(em // 3)
        self.how_title = heading("", self)
        layout.addWidget(self.how_title)
        layout.addLayout(self._build_boxes())
        layout.addSpacing(em // 3)
        self.text_title = heading("", self)
        layout.addWidget(self.text_title)
        layout.addLayout(self._build_texts())
        layout.addStretch(1)
        wanted = self.choice.what
        if not self._is_possible(wanted):
            wanted = "bars"
        self.whats[wanted].setChecked(True)

    def _is_possible(self, what: What) -> bool:
        """Whether there is something to show: one scenario has no way to another."""
        return what != "waterfall" or len(self._scenarios) > 1

    def _build_boxes(self) -> QGridLayout:
        self.scenario, self.format, self.ratio, self.look, self.scale = boxes = tuple(
            ChoiceBox(self) for _ in range(5)
        )
        self.labels = tuple(Label("", self, role="muted") for _ in boxes)
        grid = QGridLayout()
        grid.setVerticalSpacing(self.fontMetrics().height() // 4)
        for row, (label, box) in enumerate(zip(self.labels, boxes, strict=True)):
            label.setBuddy(box)
            grid.addWidget(label, row, 0)
            grid.addWidget(box, row, 1)
        grid.setColumnStretch(1, 1)
        self.scenario.chosen.connect(self._choose_scenario)
        self.format.chosen.connect(self._choose_format)
        self.ratio.chosen.connect(self._choose_ratio)
        self.look.chosen.connect(self._choose_look)
        self.scale.chosen.connect(self._choose_scale)
        return grid

    def _build_texts(self) -> QVBoxLayout:
        em = self.fontMetrics().height()
        column = QVBoxLayout()
        column.setSpacing(em // 4)
        self.title = QLineEdit(self)
        self.title.setMaxLength(200)
        self.title.textChanged.connect(self._tell)
        self.footnote = QCheckBox(self)
        self.footnote.setChecked(self.choice.footnote)
        self.footnote.toggled.connect(self._choose_footnote)
        self.dated = QCheckBox(self)
        self.dated.setChecked(self.choice.dated)
        self.dated.toggled.connect(self._choose_dated)
        self.template = Label("", self, role="muted", selectable=True, elide=True)
        self.template_button = QPushButton(self)
        self.template_button.clicked.connect(self.template_wanted)
        self.clear_button = QPushButton(self)
        self.clear_button.clicked.connect(self._clear_template)
        buttons = QHBoxLayout()
        buttons.addWidget(self.template, 1)
        buttons.addWidget(self.template_button)
        buttons.addWidget(self.clear_button)
        column.addWidget(self.title)
        column.addWidget(self.footnote)
        column.addWidget(self.dated)
        column.addLayout(buttons)
        return column

    def _say(self) -> None:
        self.what_title.set_text(translate("Export", "What"))
        self.how_title.set_text(translate("Export", "How"))
        self.text_title.set_text(translate("Export", "Title and footnote"))
        for what, text in what_words().items():
            self.whats[what].setText(text)
        names = (
            translate("Export", "Scenario"),
            translate("Export", "Kind of file"),
            translate("Export", "Shape"),
            translate("Export", "Look"),
            translate("Export", "Size"),
        )
        helps = (
            translate("Export", "The scenario that the steps lead to or the map varies."),
            translate("Export", "Only kinds that can hold what is exported are offered."),
            translate("Export", "Width to height of a picture or slide."),
            translate("Export", "Colours of a picture, whatever the window looks like."),
            translate("Export", "How many times as many pixels a PNG has across."),
        )
        boxes = (self.scenario, self.format, self.ratio, self.look, self.scale)
        for label, box, name, help_text in zip(self.labels, boxes, names, helps, strict=True):
            label.set_text(name)
            box.setAccessibleName(name)
            box.setAccessibleDescription(help_text)
        self.ratio.set_choices(ratio_words())
        self.look.set_choices(look_words())
        self.scale.set_choices(scale_words())
        self.title.setAccessibleName(translate("Export", "Title"))
        self.title.setAccessibleDescription(
            translate("Export", "Empty takes the title that the preview shows.")
        )
        self.show_title(self.title.placeholderText())
        self.footnote.setText(translate("Export", "Footnote: file, engine, assumed values"))
        self.dated.setText(translate("Export", "with today's date"))
        self.template_button.setText(translate("Export", "Template…"))
        self.template_button.setAccessibleDescription(
            translate("Export", "A presentation whose master and fonts the slides take over.")
        )
        self.clear_button.setText(translate("Export", "Clear"))
        self.clear_button.setAccessibleName(translate("Export", "Use no template"))
        self._show()

    # Showing

    def _show(self) -> None:
        """Bring every control in step with the choice."""
        choice, what = self.choice, self.what
        words = format_words()
        self.format.set_choices([(name, words[name]) for name in formats_of(what)])
        self.format.show_choice(choice.format)
        self.ratio.show_choice(choice.ratio)
        self.look.show_choice(choice.look)
        self.scale.show_choice(str(choice.scale))
        pages = is_picture(what) or what == "deck"
        self._show_row(self.ratio, shown=pages)
        self._show_row(self.look, shown=pages)
        self._show_row(self.scale, shown=choice.format == "png")
        texts = (
            (self.title, choice.format not in _NUMBERS),
            (self.footnote, what != "tables"),
            # On pages the day stands in the footnote, elsewhere below the title.
            (self.dated, choice.format != "csv" and (choice.footnote or not pages)),
        )
        for widget, shown in texts:
            widget.setVisible(shown)
        self.text_title.setVisible(any(shown for _, shown in texts))
        self._show_scenarios(what)
        self._show_template()

    def _show_row(self, box: ChoiceBox, *, shown: bool) -> None:
        """Show a choice with its name, or neither."""
        boxes = (self.scenario, self.format, self.ratio, self.look, self.scale)
        box.setVisible(shown)
        self.labels[boxes.index(box)].setVisible(shown)

    def _show_scenarios(self, what: What) -> None:
        offered = [
            (code, name)
            for code, name in self._scenarios
            if what != "waterfall" or code != self._baseline
        ]
        self._show_row(self.scenario, shown=what in ("waterfall", "heatmap") and bool(offered))
        self.scenario.set_choices(offered)
        chosen = self.scenario_id
        self.scenario.show_choice(chosen if chosen is not None else self._baseline)

    def _show_template(self) -> None:
        slides = self.choice.format == "pptx"
        text = self.choice.template
        name = visible(path_from_text(text).name) if text else translate("Export", "No template")
        self.template.set_text(name)
        self.template.setVisible(slides)
        self.template_button.setVisible(slides)
        self.clear_button.setVisible(slides and bool(text))
        if text:
            self.template.setToolTip(plain_tip(visible(text)))

    # Choosing

    @property
    def what(self) -> What:
        """What is exported."""
        return self.choice.what

    @property
    def scenario_id(self) -> str | None:
        """Id of the scenario that a waterfall leads to or a heat map varies."""
        if self.what == "waterfall":
            others = [code for code, _ in self._scenarios if code != self._baseline]
            return self._scenario.get("waterfall", others[0] if others else None)
        if self.what == "heatmap":
            return self._scenario.get("heatmap", self._baseline)
        return None

    @property
    def template_path(self) -> Path | None:
        """The presentation that slides take over."""
        return path_from_text(self.choice.template) if self.choice.template else None

    def options(self) -> Options:
        """Return the choice as an export takes it, in English and without a date."""
        choice = self.choice
        return Options(
            what=self.what,
            ratio=choice.ratio,
            look=choice.look,
            scale=choice.scale,
            title=self.title.text().strip() or None,
            footnote=choice.footnote,
            scenario=self.scenario_id,
        )

    def choose(self, what: What) -> None:
        """Choose what to export."""
        if self._is_possible(what):
            self.whats[what].setChecked(True)

    def lead_to(self, what: What, scenario_id: str) -> None:
        """Choose the scenario that a waterfall leads to or a heat map varies."""
        if scenario_id in [code for code, _ in self._scenarios]:
            self._scenario[what] = scenario_id
            self._tell()

    def show_title(self, derived: str) -> None:
        """Show the title that stands there when none is typed."""
        self.title.setPlaceholderText(visible(derived) or translate("Export", "Title"))

    def take_template(self, path: Path) -> None:
        """Let slides take over a presentation."""
        self._change(template=path_to_text(path))

    def _clear_template(self) -> None:
        self._change(template="")

    def _choose_what(self, checked: bool) -> None:
        if not checked:
            return
        what = next(what for what, button in self.whats.items() if button.isChecked())
        offered = formats_of(what)
        known = self._formats.get(what, self.choice.format)
        self._change(what=what, format=known if known in offered else offered[0])

    def _choose_scenario(self, code: object) -> None:
        self._scenario[self.what] = str(code)
        self._tell()

    def _choose_format(self, code: object) -> None:
        self._formats[self.what] = str(code)
        self._change(format=str(code))

    def _choose_ratio(self, code: object) -> None:
        self._change(ratio=next(ratio for ratio in RATIOS if ratio == code))

    def _choose_look(self, code: object) -> None:
        self._change(look=next(look for look in LOOKS if look == code))

    def _choose_scale(self, code: object) -> None:
        self._change(scale=int(str(code)))

    def _choose_footnote(self, on: bool) -> None:
        self._change(footnote=on)

    def _choose_dated(self, on: bool) -> None:
        self._change(dated=on)

    def _change(self, **values: object) -> None:
        changed = self.choice.with_(**values)
        if changed != self.choice:
            self.choice = changed
            if hasattr(self, "clear_button"):
                self._tell()

    def _tell(self) -> None:
        self._show()
        self.changed.emit()
