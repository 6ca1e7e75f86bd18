"""The page of the preset library: kinds above, list left, the preset or its editor right."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QLineEdit,
    QPushButton,
    QStackedWidget,
    QTabBar,
    QVBoxLayout,
    QWidget,
)

from workbench.core.explain.asked import counted
from workbench.gui.fields.choice import ChoiceBox
from workbench.gui.focus import stops
from workbench.gui.labels import Label, muted
from workbench.gui.language import follow_language
from workbench.gui.presets.details import Details
from workbench.gui.presets.draft import Draft
from workbench.gui.presets.listing import FILTERS, Filter, PresetList, items_of
from workbench.gui.presets.wording import kind_name
from workbench.gui.soon import Soon
from workbench.gui.tr import translate
from workbench.gui.why import Why, set_why
from workbench.library.presets import KINDS, Kind
from workbench.spec.scenario import PresetRef, Scenario

if TYPE_CHECKING:
    from workbench.gui.presets.editor import Editor
    from workbench.gui.presets.feature import Presets

_LIST_LINES: Final = 20
_LIST_KEYS: Final = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


def used_by(scenario: Scenario | None) -> dict[Kind, str]:
    """Return the presets that a scenario was made from, by kind."""
    if scenario is None:
        return {}
    refs: dict[Kind, PresetRef | None] = {
        "models": scenario.model_ref,
        "gpus": scenario.gpu_set_ref or scenario.gpu_ref,
        "workloads": scenario.workload_ref,
    }
    return {kind: f"{ref.namespace}:{ref.id}" for kind, ref in refs.items() if ref is not None}


class LibraryPage(QWidget):
    """Browses, searches and filters presets, shows them and edits the person's own."""

    def __init__(self, presets: Presets, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presets = presets
        self._chosen: dict[Kind, str] = used_by(presets.session.current)
        self._editor: Editor | None = None
        self._soon = Soon(self.refresh, self)
        self._build()
        follow_language(self._say)
        presets.changed.connect(self._soon.ask)
        presets.session.current_changed.connect(self.details.refresh)

    def _build(self) -> None:
        em = self.fontMetrics().height()
        self.title = Label("", self, role="headline")
        self.kinds = QTabBar(self)
        self.kinds.setDrawBase(False)
        self.kinds.setExpanding(False)
        self.kinds.setUsesScrollButtons(False)
        for _ in KINDS:
            self.kinds.addTab("")
        self.kinds.currentChanged.connect(self._on_kind)
        top = QHBoxLayout()
        top.addWidget(self.title)
        top.addSpacing(em)
        top.addWidget(self.kinds)
        top.addStretch(1)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(em // 2)
        layout.addLayout(top)
        row = QHBoxLayout()
        row.setSpacing(em * 2 // 3)
        row.addWidget(self._build_list())
        row.addWidget(self._build_right(), 1)
        layout.addLayout(row, 1)
        self.setFocusProxy(self.search)

    def _build_list(self) -> QWidget:
        em = self.fontMetrics().height()
        self.left = QFrame(self)
        self.left.setProperty("card", True)
        self.left.setFixedWidth(_LIST_LINES * em)
        self.search = QLineEdit(self.left)
        self.search.setClearButtonEnabled(True)
        self.search.setMaxLength(200)
        self.search.textChanged.connect(self.refresh)
        self.search.installEventFilter(self)
        self.filter = ChoiceBox(self.left)
        self.filter.currentIndexChanged.connect(self._on_filter)
        self.list = PresetList(self.left)
        self.list.selectionModel().currentChanged.connect(self._on_current)
        self.list.activated.connect(self._on_activated)
        self.count = muted("", self.left, wrap=False)
        self.import_button = QPushButton(self.left)
        self.import_button.clicked.connect(self._presets.ask_import)
        last = QHBoxLayout()
        last.addWidget(self.count, 1)
        last.addWidget(self.import_button)
        box = QVBoxLayout(self.left)
        box.setContentsMargins(em // 2, em // 2, em // 2, em // 2)
        box.setSpacing(em // 2)
        box.addWidget(self.search)
        box.addWidget(self.filter)
        box.addWidget(self.list, 1)
        box.addLayout(last)
        return self.left

    def _build_right(self) -> QWidget:
        self.right = QFrame(self)
        self.right.setProperty("card", True)
        self.stack = QStackedWidget(self.right)
        self.details = Details(self._presets, self.stack)
        self.stack.addWidget(self.details)
        self.details.edit_wanted.connect(self.show_editor)
        self.details.revert_wanted.connect(self._on_revert)
        box = QVBoxLayout(self.right)
        box.setContentsMargins(1, 1, 1, 1)
        box.addWidget(self.stack)
        return self.right

    def _say(self) -> None:
        self.setAccessibleName(translate("Presets", "Preset library"))
        self.title.set_text(translate("Presets", "Presets"))
        self.kinds.setAccessibleName(translate("Presets", "Kind of presets"))
        self.kinds.setAccessibleDescription(translate("Presets", "Arrow keys change the kind"))
        for index, kind in enumerate(KINDS):
            self.kinds.setTabText(index, kind_name(kind))
        self.search.setPlaceholderText(translate("Presets", "Search: name, id, family, vendor"))
        self.search.setAccessibleName(translate("Presets", "Search presets"))
        self.search.setAccessibleDescription(
            translate("Presets", "By name, id, other names, family or vendor")
        )
        self.filter.setAccessibleName(translate("Presets", "Which presets"))
        self.filter.setAccessibleDescription(translate("Presets", "Choose from a list."))
        self.filter.view().setAccessibleName(translate("Presets", "Which presets"))
        chosen = self.filter.currentIndex()
        words = {
            "all": translate("Presets", "All"),
            "builtin": translate("Presets", "Built-in"),
            "mine": translate("Presets", "Mine"),
            "changed": translate("Presets", "Changed by me"),
            "broken": translate("Presets", "Broken"),
        }
        self.filter.set_choices([(code, words[code]) for code in FILTERS])
        self.filter.setCurrentIndex(max(0, chosen))
        self.import_button.setText(translate("Presets", "Import…"))
        self.import_button.setAccessibleName(translate("Presets", "Import a preset"))
        self.import_button.setAccessibleDescription(
            translate("Presets", "Takes a preset file into your own presets")
        )
        self.refresh()

    # What is looked at

    @property
    def editor(self) -> Editor:
        """The editor, made when it is first needed."""
        if self._editor is None:
            from workbench.gui.presets.editor import Editor

            self._editor = Editor(self._presets, self.stack)
            self._editor.done.connect(self._on_done)
            self.stack.addWidget(self._editor)
        return self._editor

    @property
    def is_editing(self) -> bool:
        """Whether the editor is shown."""
        return self._editor is not None and self.stack.currentWidget() is self._editor

    @property
    def kind(self) -> Kind:
        """The kind of presets listed."""
        return KINDS[self.kinds.currentIndex()]

    def enter(self) -> None:
        """Take the keyboard."""
        if self.is_editing:
            self.editor.focus_first()
        else:
            self.search.setFocus(Qt.FocusReason.OtherFocusReason)

    def refresh(self, _: object = None) -> None:
        """List what there is now, and show the preset looked at as it is now."""
        kind, chosen = self.kind, self._chosen.get(self.kind, "")
        which: Filter = self.filter.currentData() or "all"
        drafts = self._presets.drafts
        items = items_of(self._presets.library, drafts, kind, self.search.text(), which)
        blocked = self.list.selectionModel().blockSignals(True)
        self.list.show_items(items, chosen)
        self.list.selectionModel().blockSignals(blocked)
        self.list.viewport().update()
        self.count.set_text(translate("Presets", "{count} listed").format(count=len(items)))
        set_why(self.count, Why(None, term=counted("presets", len(items))))
        if self.is_editing:
            draft = self.editor.draft
            if draft is not None and draft in drafts:
                return
            self.stack.setCurrentWidget(self.details)
        self._show_chosen()

    def _show_chosen(self) -> None:
        item = self.list.chosen
        if item is not None:
            self._chosen[self.kind] = item.reference
        self.details.show_item(item)

    def _on_kind(self, _: int) -> None:
        self._leave_editor()
        self.refresh()

    def _on_filter(self, _: int) -> None:
        self.refresh()

    def _on_current(self, *_: object) -> None:
        self._leave_editor()
        self._show_chosen()

    def _on_activated(self, _: object) -> None:
        for widget in stops(self.right)[:1]:
            widget.setFocus(Qt.FocusReason.OtherFocusReason)

    def _leave_editor(self) -> None:
        if self.is_editing:
            if self.editor.has_keyboard():
                # Not to whatever Qt finds next, which may be on the strip.
                self.list.setFocus(Qt.FocusReason.OtherFocusReason)
            self.editor.let_go()
            self.stack.setCurrentWidget(self.details)

    def choose(self, kind: Kind, reference: str) -> None:
        """Look at one preset, whatever was searched for."""
        self._chosen[kind] = reference
        self._leave_editor()
        self.search.clear()
        self.filter.setCurrentIndex(0)
        self.kinds.setCurrentIndex(KINDS.index(kind))
        self.refresh()

    def show_kind(self, kind: str) -> None:
        """List the presets of a kind."""
        self.kinds.setCurrentIndex(next(i for i, one in enumerate(KINDS) if one == kind))

    def edit(self, kind: Kind, preset_id: str) -> None:
        """Edit one of the person's own presets."""
        self.choose(kind, f"user:{preset_id}")
        self.details.edit()

    def show_editor(self, draft: object) -> None:
        """Edit a draft."""
        if isinstance(draft, Draft):
            self._chosen[draft.kind] = f"user:{draft.id}"
            self.editor.show_draft(draft)
            self.stack.setCurrentWidget(self.editor)
            self.refresh()
            self.editor.focus_first()

    def take_over(self) -> None:
        """Let the draft have what is being typed, as far as it can be read."""
        if self.is_editing and self.editor.form is not None:
            self.editor.form.finish_typing()

    def _on_revert(self) -> None:
        self.editor.revert()

    def _on_done(self) -> None:
        draft = self.editor.draft
        if draft is not None:
            self._chosen[draft.kind] = f"user:{draft.id}"
        self._leave_editor()
        self.refresh()
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)

    def compare_with_copy(self, copy: Any) -> None:
        """Compare the preset looked at with a copy that a scenario holds."""
        self.details.compare_with_copy(copy)

    # Keys

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the arrow keys walk through the list while a search is typed."""
        if watched is self.search and isinstance(event, QKeyEvent):
            if event.type() == QEvent.Type.KeyPress and event.key() in _LIST_KEYS:
                self.list.keyPressEvent(event)
                return True
            if event.type() == QEvent.Type.KeyPress and event.key() in (
                Qt.Key.Key_Return,
                Qt.Key.Key_Enter,
            ):
                self._on_activated(None)
                return True
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Esc goes back to the plan; a letter that nothing takes begins a search."""
        if event.key() == Qt.Key.Key_Escape:
            if self.search.text() and self.search.hasFocus():
                self.search.clear()
            else:
                self._presets.leave()
            return
        text = event.text()
        if self.list.hasFocus() and text.isprintable() and text.strip() and not event.modifiers():
            self.search.setFocus(Qt.FocusReason.OtherFocusReason)
            self.search.setText(self.search.text() + text)
            return
        super().keyPressEvent(event)

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab walks through the list's side before it goes to the preset's."""
        top = [self.kinds]
        order = [*top, *stops(self.left), *stops(self.right)]
        here = self.window().focusWidget()
        if here in order:
            at = order.index(here) + (1 if forward else -1)
            if 0 <= at < len(order):
                reason = Qt.FocusReason.TabFocusReason
                back = Qt.FocusReason.BacktabFocusReason
                order[at].setFocus(reason if forward else back)
                return True
        return super().focusNextPrevChild(forward)
