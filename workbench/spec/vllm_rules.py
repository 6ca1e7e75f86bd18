"""What one release of vLLM does, as switches: a row of the release table in `presets/engines`."""

from __future__ import annotations

from workbench.spec.base import Frozen, Line


class VllmRules(Frozen):
    """The switches of one release; every rule that changed between releases is one of them."""

    read_release: Line
    """The release whose source was read and whose rules these are ("0.11.2")."""
