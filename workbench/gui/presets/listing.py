"""The list of presets: what is found by the words typed, with badges."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from workbench.gui.fields.wording import sentence
from workbench.gui.labels import badge_font, ink, paint_badge, plain_tip, visible
from workbench.gui.language import follow_language
from workbench.gui.presets.draft import Draft
from workbench.gui.tr import preset_name, translate
from workbench.library.preset_diff import is_changed
from workbench.library.presets import Kind, Library, Listed

_Index = QModelIndex | QPersistentModelIndex
_NOWHERE: Final = QModelIndex()
Filter = Literal["all", "builtin", "mine", "changed", "broken"]
FILTERS: Final[tuple[Filter, ...]] = ("all", "builtin", "mine", "changed", "broken")


@dataclass(frozen=True, slots=True)
class Item:
    """One line: a preset of the library, or a draft that has no file yet."""

    listed: Listed
    draft: Draft | None = None

    @property
    def reference(self) -> str:
        """What means exactly this one."""
        return self.listed.reference

    @property
    def name(self) -> str:
        """What it is called in the language shown."""
        return visible(preset_name(self.listed.name, self.listed.namespace))

    @property
    def badge(self) -> str:
        """A word for where it comes from."""
        if self.listed.problem is not None:
            return translate("Presets", "broken")
        if self.listed.namespace == "builtin":
            return translate("Presets", "built-in")
        if self.draft is not None and self.draft.is_unsaved:
            return translate("Presets", "not saved")
        return translate("Presets", "mine")

    @property
    def about(self) -> str:
        """A quiet second line."""
        if self.listed.problem is not None:
            return sentence(self.listed.problem)
        if self.listed.based_on is not None:
            return translate("Presets", "based on {name}").format(name=self.listed.based_on)
        return self.listed.group or self.listed.id


def items_of(
    library: Library, drafts: Sequence[Draft], kind: Kind, words: str, chosen: Filter
) -> list[Item]:
    """Return what is listed of a kind: drafts first, then the person's own, then built-in ones."""
    known = {draft.id: draft for draft in drafts if draft.kind == kind and not draft.is_new}
    found = [Item(_as_listed(d), d) for d in drafts if d.kind == kind and d.is_new]
    own = [item for item in library.listed(kind) if item.namespace == "user"]
    builtin = [item for item in library.listed(kind) if item.namespace == "builtin"]
    listed = sorted(own, key=lambda item: item.name.casefold()) + builtin
    found += [
        Item(item, known.get(item.id) if item.namespace == "user" else None) for item in listed
    ]
    typed = words.casefold().split()
    return [
        item for item in found if _is_chosen(library, item, chosen) and _answers(item.listed, typed)
    ]


def _as_listed(draft: Draft) -> Listed:
    value = draft.preset.value
    return Listed(
        draft.kind, "user", draft.id, value.name, value.aliases, based_on=draft.preset.based_on
    )


def _is_chosen(library: Library, item: Item, chosen: Filter) -> bool:
    listed = item.listed
    if chosen == "builtin":
        return listed.namespace == "builtin"
    if chosen == "mine":
        return listed.namespace == "user"
    if chosen == "broken":
        return listed.problem is not None
    if chosen == "changed":
        return (item.draft is not None and item.draft.is_unsaved) or is_changed(library, listed)
    return True


def _answers(listed: Listed, typed: Sequence[str]) -> bool:
    if not typed:
        return True
    spoken = preset_name(listed.name, listed.namespace)
    names = (spoken, listed.name, listed.id, listed.group, listed.based_on or "", *listed.aliases)
    text = " ".join(names).casefold()
    return all(word in text for word in typed)


class ItemModel(QAbstractListModel):
    """The lines of the list."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.items: list[Item] = []

    def set_items(self, items: list[Item]) -> None:
        """Show other lines."""
        self.beginResetModel()
        self.items = items
        self.endResetModel()

    def rowCount(self, parent: _Index = _NOWHERE) -> int:
        return 0 if parent.isValid() else len(self.items)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        item = self.items[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return item.name
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return f"{item.name}, {item.badge}, {visible(item.about)}"
        if role == Qt.ItemDataRole.ToolTipRole:
            names = dict.fromkeys((item.name, item.listed.id, *item.listed.aliases))
            return plain_tip(visible(", ".join(names)))
        return None


class _TwoLines(QStyledItemDelegate):
    """Paints the name, and below it a quiet line with a badge at its right."""

    def __init__(self, view: QListView, model: ItemModel) -> None:
        super().__init__(view)
        self._view = view
        self._model = model

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(0, self._view.fontMetrics().height() * 5 // 2)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        view, item = self._view, self._model.items[index.row()]
        panel = QStyle.PrimitiveElement.PE_PanelItemViewItem
        view.style().drawPrimitive(panel, option, painter, view)
        metrics = view.fontMetrics()
        inset = metrics.horizontalAdvance("n")
        area = option.rect.adjusted(inset, metrics.height() // 6, -inset, -metrics.height() // 6)
        upper, lower = area.adjusted(0, 0, 0, -area.height() // 2), area
        lower = area.adjusted(0, area.height() // 2, 0, 0)
        # Names are long: the badge stands on the line that has room.
        left = paint_badge(painter, view, item.badge, area.right(), lower.center().y() + 1)
        lower.setRight(left - inset)
        elide = Qt.TextElideMode.ElideRight
        painter.setFont(view.font())
        painter.setPen(ink(view, "text" if item.listed.problem is None else "muted"))
        name = metrics.elidedText(item.name, elide, upper.width())
        painter.drawText(upper, Qt.AlignmentFlag.AlignVCenter, name)
        painter.setFont(badge_font(view.font()))
        painter.setPen(ink(view, "muted" if item.listed.problem is None else "danger"))
        about = painter.fontMetrics().elidedText(visible(item.about), elide, lower.width())
        painter.drawText(lower, Qt.AlignmentFlag.AlignVCenter, about)


class PresetList(QListView):
    """Shows the lines; the one looked at stays where it is found again."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.items = ItemModel(self)
        self.setModel(self.items)
        self.setItemDelegate(_TwoLines(self, self.items))
        self.setUniformItemSizes(True)
        self.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        self.setFrameShape(QListView.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        follow_language(self._say)

    def _say(self) -> None:
        self.setAccessibleName(translate("Presets", "Presets"))
        self.setAccessibleDescription(
            translate("Presets", "Arrow keys choose, Enter goes to what can be done with it")
        )
        self.viewport().update()

    @property
    def chosen(self) -> Item | None:
        """The line looked at."""
        row = self.currentIndex().row()
        return self.items.items[row] if 0 <= row < len(self.items.items) else None

    def show_items(self, items: list[Item], reference: str) -> None:
        """Show lines, the one of that reference looked at, else the first."""
        if items != self.items.items:
            self.items.set_items(items)
        rows = [row for row, item in enumerate(items) if item.reference == reference]
        row = rows[0] if rows else 0 if items else -1
        if row >= 0:
            self.setCurrentIndex(self.items.index(row))
            self.scrollTo(self.items.index(row))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        # A letter belongs to the search box, which the page gives it to.
        if event.text().isprintable() and event.text().strip() and not event.modifiers():
            event.ignore()
            return
        super().keyPressEvent(event)
