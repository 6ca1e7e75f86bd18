"""The releases of vLLM, which has two cores between 0.8 and 0.10; see `release_table`."""

from __future__ import annotations

from typing import Final, Literal

from workbench.library import release_table
from workbench.library.release_table import parse_release
from workbench.spec.vllm_rules import VllmRules

__all__ = ["Core", "known_releases", "parse_release", "read_releases", "vllm_rules"]

Core = Literal["v0", "v1"]

_FIRST_V1: Final = (0, 8, 0)
_LAST_V0: Final = (0, 10, 9999)


def vllm_rules(release: str, core: Core | None = None) -> VllmRules:
    """Return the rules that a release follows; `core` matters from 0.8 to 0.10 only.

    Raises `UserError` for a text that names no release.
    """
    wanted = parse_release(release)
    if wanted < _FIRST_V1:
        core = "v0"
    elif core is None or wanted > _LAST_V0:
        core = "v1"
    rules: VllmRules = release_table.rules_of("vllm", release, core)
    return rules


def read_releases() -> tuple[str, ...]:
    """Releases whose source was read, oldest first."""
    return release_table.read_releases("vllm")


def known_releases() -> tuple[str, ...]:
    """Releases that behave differently from the one before, newest first, for a picker."""
    return release_table.known_releases("vllm")
