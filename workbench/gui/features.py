"""What the window can do beyond its plan page; each feature binds its own verbs and pages.

A feature is a module with `attach(bench)`. It is imported at the start, so it stays light: the
widgets of its page are imported when the page is first shown.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from workbench.gui.app import Workbench


def attach_all(bench: Workbench) -> None:
    """Attach every feature, in the order of their buttons on the strip."""
    from workbench.gui import (
        appearance,
        command_palette,
        drops,
        scenario_clipboard,
        staleness,
        unit_choice,
        why_popup,
    )
    from workbench.gui.compare import feature as compare
    from workbench.gui.export import feature as export
    from workbench.gui.presenter import feature as presenter
    from workbench.gui.presets import feature as presets

    unit_choice.attach(bench)
    appearance.attach(bench)
    command_palette.attach(bench)
    drops.attach(bench, scenario_clipboard.attach(bench))
    why_popup.attach(bench)
    staleness.attach(bench)
    compare.attach(bench)
    presets.attach(bench)
    presenter.attach(bench)
    export.attach(bench)
