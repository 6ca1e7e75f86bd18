"""Place and size of a window as the window system gives them, as one line of the settings."""

from __future__ import annotations

import base64
import binascii

from PySide6.QtCore import QByteArray


def packed(geometry: QByteArray, state: QByteArray) -> str:
    """Return both as text."""
    return "|".join(base64.b64encode(bytes(part.data())).decode() for part in (geometry, state))


def unpacked(text: str) -> tuple[QByteArray, QByteArray]:
    """Return both again; empty ones for a text that was never written by `packed`."""
    geometry, _, state = text.partition("|")
    return _bytes(geometry), _bytes(state)


def _bytes(text: str) -> QByteArray:
    try:
        return QByteArray(base64.b64decode(text, validate=True))
    except (binascii.Error, ValueError):
        return QByteArray()
