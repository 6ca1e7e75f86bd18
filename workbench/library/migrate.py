"""Brings plans of earlier schema versions to the current one, a step at a time.

CHANGES
    1  The first version: scenarios with full copies of their presets, a baseline, notes.

A step is a pure function from dict to dict, registered with `@migration(old, old + 1)`. A real
file of every version is kept in `tests/data/plans/` and opened by a test for ever.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from workbench.spec.errors import UserError

SCHEMA_VERSION: Final = 1

Document = dict[str, Any]
Step = Callable[[Document], Document]
Steps = dict[int, Step]

STEPS: Final[Steps] = {}


def migration(old: int, new: int, steps: Steps = STEPS) -> Callable[[Step], Step]:
    """Register a function as the step from schema version `old` to `new`, its successor."""
    if new != old + 1 or old in steps:
        raise ValueError(f"the step from {old} must lead to {old + 1} and stand alone")

    def register(step: Step) -> Step:
        steps[old] = step
        return step

    return register


def migrate(
    document: Document,
    version: int,
    name: str,
    *,
    target: int = SCHEMA_VERSION,
    steps: Steps = STEPS,
) -> Document:
    """Return a document of schema version `version` as one of version `target`."""
    for step in range(version, target):
        if step not in steps:
            raise UserError("schema_version_unknown", path=name, version=version, limit=target)
        try:
            document = steps[step](document)
        except (KeyError, TypeError, ValueError, AttributeError, IndexError):
            # An old file with the wrong shape; the current checks would have said so too.
            raise UserError("migration_failed", path=name, version=step) from None
        document = document | {"schema_version": step + 1}
    return document
