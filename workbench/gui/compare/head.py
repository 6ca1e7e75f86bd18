"""The row above the table: what is compared, with which baseline, in which unit; copy."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QHBoxLayout,
    QMenu,
    QPushButton,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from workbench.charts.rows import STAR
from workbench.gui.compare.cells import Head
from workbench.gui.compare.shown import SUBJECTS, Shown
from workbench.gui.fields.choice import ChoiceBox
from workbench.gui.fields.preset_popup import PresetPopup
from workbench.gui.labels import Label, visible
from workbench.gui.language import follow_language
from workbench.gui.messages import Message
from workbench.gui.session import Session
from workbench.gui.tr import preset_name, translate
from workbench.library.presets import Listed
from workbench.spec.errors import UserError
from workbench.spec.units import ByteUnit

UNITS: tuple[ByteUnit, ...] = ("GiB", "GB", "MiB", "B")


class CompareHead(QWidget):
    """Every switch of the page; it changes a `Shown` and shows what that says."""

    copying = Signal()
    exporting = Signal()

    def __init__(self, session: Session, shown: Shown, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._shown = shown
        self._popup: PresetPopup | None = None
        self._heads: tuple[Head, ...] = ()
        self._build()
        follow_language(self._say)

    def _build(self) -> None:
        self.title = Label("", self)
        font = self.title.font()
        font.setBold(True)
        font.setPointSizeF(font.pointSizeF() * 1.1)
        self.title.setFont(font)
        self.subject = self._box(self._choose_subject, 8)
        self.baseline = self._box(self._choose_baseline, 12)
        self.only = QCheckBox(self)
        self.only.toggled.connect(self._choose_only)
        self.unit = self._box(self._choose_unit, 4)
        self.per = self._box(self._choose_per, 7)
        self.columns = QToolButton(self)
        self.columns.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.menu = QMenu(self.columns)
        self.menu.aboutToShow.connect(self._fill_menu)
        self.columns.setMenu(self.menu)
        self.add = QPushButton(self)
        self.add.clicked.connect(self.open_presets)
        self.copy = QPushButton(self)
        self.copy.clicked.connect(self.copying)
        self.export = QPushButton(self)
        self.export.clicked.connect(self.exporting)
        em = self.fontMetrics().height()
        layout = self._row = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(em // 2)
        switches = (self.subject, self.baseline, self.only, self.unit, self.per)
        buttons = (self.columns, self.add, self.copy, self.export)
        for widget in (self.title, *switches):
            layout.addWidget(widget)
        layout.addStretch(1)
        for button in buttons:
            layout.addWidget(button)
        self._controls: tuple[QWidget, ...] = (*switches, *buttons)

    def _box(self, chosen: Any, letters: int) -> ChoiceBox:
        box = ChoiceBox(self)
        box.setMinimumContentsLength(letters)
        box.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        box.chosen.connect(chosen)
        return box

    def _say(self) -> None:
        self.title.set_text(translate("Compare", "Compare"))
        subjects = {
            "scenarios": translate("Compare", "scenarios"),
            "models": translate("Compare", "models"),
            "gpus": translate("Compare", "GPUs"),
        }
        self.subject.set_choices([(subject, subjects[subject]) for subject in SUBJECTS])
        self.subject.setAccessibleName(translate("Compare", "What is compared"))
        self.subject.setAccessibleDescription(
            translate("Compare", "Scenarios of the plan, or presets put into the current scenario.")
        )
        self.baseline.setAccessibleName(translate("Compare", "Baseline"))
        self.baseline.setAccessibleDescription(
            translate("Compare", "The column that all others are compared with.")
        )
        self.only.setText(translate("Compare", "only differences"))
        self.only.setAccessibleDescription(
            translate("Compare", "Leaves out inputs and assumptions that are the same everywhere.")
        )
        self.unit.set_choices(
            [(unit, translate("Compare", "bytes") if unit == "B" else unit) for unit in UNITS]
        )
        self.unit.setAccessibleName(translate("Compare", "Unit of sizes"))
        self.unit.setAccessibleDescription(
            translate("Compare", "GiB counts 1024³ bytes, GB counts 10⁹ bytes.")
        )
        self.per.set_choices(
            [("gpu", translate("Compare", "per GPU")), ("all", translate("Compare", "total"))]
        )
        self.per.setAccessibleName(translate("Compare", "Memory per GPU or in total"))
        self.per.setAccessibleDescription(
            translate("Compare", "The GPU that decides, or all GPUs of all replicas together.")
        )
        self.columns.setText(translate("Compare", "Columns") + " ▾")
        self.columns.setAccessibleName(translate("Compare", "Columns"))
        self.columns.setAccessibleDescription(
            translate("Compare", "Adds columns and takes them away.")
        )
        self.add.setText(translate("Compare", "+ preset…"))
        self.add.setAccessibleDescription(
            translate("Compare", "Adds a column: chooses a preset from the library.")
        )
        self.copy.setText(translate("Compare", "Copy"))
        self.copy.setAccessibleDescription(
            translate("Compare", "Puts the table as text and the charts as a picture together.")
        )
        self.export.setText(translate("Export", "Export…"))
        self.export.setAccessibleDescription(
            translate("Export", "Writes the comparison as a picture, slides or tables.")
        )
        self._show_shown()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the title out where the switches need its room."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        layout = self._row
        shown = [self.title, *(w for w in self._controls if not w.isHidden())]
        wanted = sum(widget.sizeHint().width() + layout.spacing() for widget in shown)
        self.title.setVisible(wanted <= self.width())

    # Showing

    def show_heads(self, heads: Sequence[Head]) -> None:
        """Offer every column as the baseline; show what is chosen."""
        self._heads = tuple(heads)
        self._show_shown()

    def _show_shown(self) -> None:
        shown, box = self._shown, self.baseline
        choices = [(head.key, f"{STAR} {head.name}") for head in self._heads]
        if [(box.itemData(i), box.itemText(i)) for i in range(box.count())] != choices:
            box.set_choices(choices)
        base = next((head.key for head in self._heads if head.is_baseline), "")
        box.show_choice(base)
        self.subject.show_choice(shown.subject)
        self.unit.show_choice(shown.look.unit)
        self.per.show_choice(shown.look.per)
        self.only.setChecked(shown.look.only_differences)
        self.add.setVisible(shown.subject != "scenarios")
        self._fit()

    # Choosing

    def _choose_subject(self, subject: object) -> None:
        self._shown.choose_subject(next(s for s in SUBJECTS if s == subject))

    def _choose_baseline(self, key: object) -> None:
        self._shown.choose_baseline(str(key))

    def _choose_only(self, only: bool) -> None:
        self._shown.change_look(only_differences=only)

    def _choose_unit(self, unit: object) -> None:
        self._shown.change_look(unit=unit)

    def _choose_per(self, per: object) -> None:
        self._shown.change_look(per=per)

    # Columns

    def _fill_menu(self) -> None:
        self.menu.clear()
        shown = self._shown
        if shown.subject == "scenarios":
            plan, ids = self._session.plan, shown.scenario_ids()
            for scenario in plan.scenarios:
                action = self._tick(scenario.name, scenario.id in ids)
                action.setEnabled(scenario.id != plan.baseline)
                action.toggled.connect(partial(self._set_scenario, scenario.id))
            return
        for number, preset in enumerate(shown.presets):
            action = self._tick(preset_name(preset.value.name, preset.namespace), True)
            action.toggled.connect(partial(self._remove_preset, number))
        self.menu.addSeparator()
        self.menu.addAction(self.add.text(), self.open_presets)

    def _tick(self, name: str, ticked: bool) -> QAction:
        action = self.menu.addAction(visible(name).replace("&", "&&"))
        action.setCheckable(True)
        action.setChecked(ticked)
        return action

    def _set_scenario(self, scenario_id: str, ticked: bool) -> None:
        self._shown.set_scenario(scenario_id, shown=ticked)

    def _remove_preset(self, number: int, _ticked: bool) -> None:
        self._shown.remove_preset(number)

    def open_presets(self) -> None:
        """Open the list of presets below the button."""
        if self._popup is None:
            self._popup = PresetPopup(self)
            self._popup.chosen.connect(self._add_preset)
        listed = self._session.library.listed(self._shown.kind)
        self._popup.open_below(self.add, listed, "", "")

    def _add_preset(self, listed: object) -> None:
        if not isinstance(listed, Listed):
            return
        try:
            preset = self._session.library.get(listed.kind, listed.namespace, listed.id)
        except UserError as error:
            self._session.tell(Message.of_error(error, slot="compare"))
            return
        self._shown.add_preset(preset)
