"""Fixtures of window tests."""

from __future__ import annotations

from tests.gui.window_kit import bench as bench
