"""Fixtures of window tests."""

from __future__ import annotations

from tests.gui.export_kit import dialog as dialog
from tests.gui.window_kit import bench as bench
