"""Dragging a chart out of the window: a press that moves far enough takes it along as a file."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Callable
from functools import cache
from itertools import count
from pathlib import Path
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QUrl
from PySide6.QtGui import QDrag, QImage, QMouseEvent, QPixmap
from PySide6.QtWidgets import QApplication, QWidget

from workbench.gui.export.mime import Leaving, chart_mime
from workbench.spec.errors import UserError

_SHADOW: Final = QSize(320, 180)
"""Largest size of the picture under the pointer."""
_numbers: Final = count(1)


class DragOut(QObject):
    """Watches one chart; what the chart does with presses and moves goes on as before."""

    def __init__(
        self,
        chart: QWidget,
        provide: Callable[[], Leaving | None],
        began: Callable[[], object] | None = None,
    ) -> None:
        super().__init__(chart)
        self._chart = chart
        self._provide = provide
        self._began = began
        self._pressed: QPoint | None = None
        chart.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the left button from its press until it has moved far enough."""
        if not isinstance(event, QMouseEvent):
            return False
        kind, at = event.type(), event.position().toPoint()
        if kind == QEvent.Type.MouseButtonPress:
            # With a modifier a press asks for something else.
            plain = event.modifiers() == Qt.KeyboardModifier.NoModifier
            left = event.button() == Qt.MouseButton.LeftButton
            self._pressed = at if plain and left else None
        elif kind == QEvent.Type.MouseButtonRelease:
            self._pressed = None
        elif kind == QEvent.Type.MouseMove and self._pressed is not None:
            if not event.buttons() & Qt.MouseButton.LeftButton:
                self._pressed = None
            elif (at - self._pressed).manhattanLength() >= QApplication.startDragDistance():
                self._pressed = None
                self._drag()
                return True
        return False

    def _drag(self) -> None:
        if self._began is not None:
            self._began()
        leaving = self._provide()
        if leaving is None:
            return
        try:
            drag_out(self._chart, leaving)
        except (UserError, OSError):
            # Nothing is taken along; the chart stays where it is.
            return


def drag_out(source: QWidget, leaving: Leaving) -> None:
    """Start a drag that carries a chart as a PNG file, as a picture and as SVG.

    Raises `UserError` for a picture too large, `OSError` when its file cannot be written.
    """
    made = chart_mime(leaving)
    image = made.imageData()
    assert isinstance(image, QImage)
    path = _folder() / str(next(_numbers)) / f"{leaving.name}.png"
    path.parent.mkdir()
    # Little packing: the pointer is already moving.
    if not image.save(str(path), "PNG", 80):  # type: ignore[call-overload]
        raise OSError(str(path))
    made.setUrls([QUrl.fromLocalFile(str(path))])
    drag = QDrag(source)
    drag.setMimeData(made)
    keep = Qt.AspectRatioMode.KeepAspectRatio
    small = image.scaled(_SHADOW, keep, Qt.TransformationMode.SmoothTransformation)
    drag.setPixmap(QPixmap.fromImage(small))
    drag.exec(Qt.DropAction.CopyAction)


@cache
def _folder() -> Path:
    """Where dragged files stand until the program ends: whoever took one may still read it."""
    made = tempfile.mkdtemp(prefix="kvw-drag-")
    atexit.register(shutil.rmtree, made, ignore_errors=True)
    return Path(made)
