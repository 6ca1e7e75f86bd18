"""The window: a session with undo, panels and views that only show. The one home of Qt."""

from __future__ import annotations

from workbench.spec.no_plugins import refuse_plugins

refuse_plugins()
