"""The few questions that must be answered before work goes on; tests answer in their place.

Qt's dialogs are imported when one is wanted: the classes take time to make.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from workbench.gui.labels import visible
from workbench.gui.tr import translate

Unsaved = Literal["save", "discard", "cancel"]


class Dialogs:
    """Asks with the system's file dialogs and one message box."""

    def __init__(self, parent: QWidget) -> None:
        self._parent = parent

    def plan_to_open(self, folder: str) -> Path | None:
        """Ask which plan to open."""
        return self._to_open(
            translate("Files", "Open a plan"),
            folder,
            translate("Files", "Plans and records (*.kvw *.json *.docx *.md *.pdf);;All files (*)"),
        )

    def plan_to_save(self, start: str) -> Path | None:
        """Ask where to save the plan; an existing file is confirmed by the dialog."""
        return self._to_save(
            translate("Files", "Save the plan"), start, translate("Files", "Plans (*.kvw)"), "kvw"
        )

    def picture_to_save(self, start: str) -> Path | None:
        """Ask where to save a picture."""
        return self._to_save(
            translate("Files", "Save the chart"),
            start,
            translate("Files", "Pictures (*.png)"),
            "png",
        )

    def export_to_save(
        self, start: str, kind: str, suffix: str, parent: QWidget | None = None
    ) -> Path | None:
        """Ask where to write an export; an existing file is confirmed by the dialog."""
        title = translate("Export", "Export")
        return self._to_save(title, start, f"{kind} (*.{suffix})", suffix, parent)

    def template_to_open(self, folder: str, parent: QWidget | None = None) -> Path | None:
        """Ask for the presentation that slides take over."""
        return self._to_open(
            translate("Export", "Choose a template"),
            folder,
            translate("Export", "Presentations (*.pptx *.potx)"),
            parent,
        )

    def preset_to_open(self, folder: str) -> Path | None:
        """Ask which preset to import."""
        return self._to_open(
            translate("Files", "Import a preset"),
            folder,
            translate("Files", "Presets (*.json);;All files (*)"),
        )

    def preset_to_save(self, start: str) -> Path | None:
        """Ask where to write a preset."""
        return self._to_save(
            translate("Files", "Export the preset"),
            start,
            translate("Files", "Presets (*.json)"),
            "json",
        )

    def unsaved_preset(self, name: str) -> Unsaved:
        """Ask what becomes of a preset that was edited and not saved."""
        return self._unsaved(name, translate("Files", "Discarded changes of a preset are lost."))

    def _to_open(
        self, title: str, folder: str, kinds: str, parent: QWidget | None = None
    ) -> Path | None:
        from PySide6.QtWidgets import QFileDialog

        name, _ = QFileDialog.getOpenFileName(parent or self._parent, title, folder, kinds)
        return Path(name) if name else None

    def _to_save(
        self, title: str, start: str, kinds: str, suffix: str, parent: QWidget | None = None
    ) -> Path | None:
        from PySide6.QtWidgets import QFileDialog

        dialog = QFileDialog(parent or self._parent, title, start, kinds)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        dialog.setDefaultSuffix(suffix)
        try:
            if not dialog.exec():
                return None
            return Path(dialog.selectedFiles()[0])
        finally:
            dialog.deleteLater()

    def unsaved(self, name: str) -> Unsaved:
        """Ask what becomes of unsaved changes."""
        return self._unsaved(
            name,
            translate("Files", "Discarded changes are kept for 14 days in the recovery folder."),
        )

    def _unsaved(self, name: str, information: str) -> Unsaved:
        from PySide6.QtWidgets import QMessageBox

        box = QMessageBox(self._parent)
        box.setTextFormat(Qt.TextFormat.PlainText)
        box.setIcon(QMessageBox.Icon.Warning)
        box.setWindowTitle(translate("Files", "Unsaved changes"))
        box.setText(translate("Files", "Save the changes to {name}?").format(name=visible(name)))
        box.setInformativeText(information)
        buttons = QMessageBox.StandardButton
        box.setStandardButtons(buttons.Save | buttons.Discard | buttons.Cancel)
        box.setDefaultButton(buttons.Save)
        answer = box.exec()
        box.deleteLater()
        answers: dict[int, Unsaved] = {int(buttons.Save): "save", int(buttons.Discard): "discard"}
        return answers.get(answer, "cancel")
