"""The command line: one module a verb, the same core as the window, no arithmetic of its own."""

from __future__ import annotations

from workbench.spec.no_plugins import refuse_plugins

refuse_plugins()
