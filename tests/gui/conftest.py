"""Fixtures of window tests."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from tests.gui.export_kit import dialog as dialog
from tests.gui.window_kit import bench as bench


@pytest.fixture
def qtbot(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> Iterator[QtBot]:
    """Hold each widget of a test until it has been closed.

    Events are handled once more after a test, when only its children know it any more. One of them
    that ends then frees its parent, and so itself, in the middle of its own end.
    """
    held: list[Any] = []
    add = qtbot.addWidget

    def hold(widget: Any, **how: Any) -> None:
        held.append(widget)
        add(widget, **how)

    monkeypatch.setattr(qtbot, "addWidget", hold)
    yield qtbot
    held.clear()
