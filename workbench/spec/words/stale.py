"""What has changed since a plan was written, where no preset did."""

from __future__ import annotations

from collections.abc import Mapping

STALE: Mapping[str, str] = {
    "rules": "the rules of {reference} have changed since ({fields})",
    "invalid": "the scenario is not valid with it",
}
"""How the engine of a scenario has changed, and an answer that there is not."""
