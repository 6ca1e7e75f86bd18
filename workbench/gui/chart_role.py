"""Painted widgets that tell assistive technology that they are charts."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible, QAccessibleInterface
from PySide6.QtWidgets import QAccessibleWidget, QWidget

_MARK = "kvwChart"
_faces: list[QAccessibleInterface] = []
"""Qt owns them, but asks for one anew if Python lets go of it."""
_installed = False


def be_chart(widget: QWidget) -> None:
    """Give a widget the role of a chart; its name and description stay its own."""
    global _installed
    widget.setProperty(_MARK, True)
    if not _installed:
        _installed = True
        QAccessible.installFactory(_face_of)


def _face_of(_class_name: str, thing: QObject) -> QAccessibleInterface | None:
    """Return the face of a chart, None for every other object: Qt asks its own factory then."""
    if not isinstance(thing, QWidget) or not thing.property(_MARK):
        return None
    _faces[:] = [face for face in _faces if _is_there(face)]
    face = QAccessibleWidget(thing, QAccessible.Role.Chart)
    _faces.append(face)
    return face


def _is_there(face: QAccessibleInterface) -> bool:
    """Whether Qt has not deleted it with its widget."""
    try:
        return face.object() is not None
    except RuntimeError:
        return False
