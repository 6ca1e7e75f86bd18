"""Fitted memory figures of an engine's releases: `presets/engines/vllm-memory.json`.

The file lists epochs, each with the release it begins with; a release takes the newest epoch of
its core that is not newer than itself. It is written by `packaging/fit_vllm.py`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field

from workbench.library import jsonfile
from workbench.library.paths import presets_dir
from workbench.spec.base import Frozen, Line
from workbench.spec.releases import Release, parse_release
from workbench.spec.vllm_fits import VllmFits

_LIMIT_BYTES = 4 * 2**20
Core = Literal["v0", "v1"]


class Epoch(Frozen):
    """Figures that hold from a release on."""

    core: Core
    since: Line
    fits: VllmFits

    @property
    def first_release(self) -> Release:
        """The release it begins with."""
        return parse_release(self.since) or (0, 0, 0)


class EngineFits(Frozen):
    """The whole file."""

    format: Literal["kvw-engine-fits"]
    schema_version: Literal[1]
    engine: Literal["vllm"]
    made_by: Line
    epochs: Annotated[tuple[Epoch, ...], Field(min_length=1, max_length=100)]


def fits_path() -> Path:
    """The file that ships with the program."""
    return presets_dir() / "engines" / "vllm-memory.json"


def vllm_fits(release: str, core: Core) -> VllmFits:
    """Return what is fitted for a release and core of vLLM.

    A release that is not a number ("main") takes the newest figures; one older than all takes
    the oldest of its core.
    """
    epochs = [epoch for epoch in _shipped().epochs if epoch.core == core]
    asked = parse_release(release)
    held = [epoch for epoch in epochs if asked is None or epoch.first_release <= asked]
    if held:
        return max(held, key=lambda epoch: epoch.first_release).fits
    return min(epochs, key=lambda epoch: epoch.first_release).fits


def read_fits(path: Path) -> EngineFits:
    """Read a file of fitted figures.

    Raises `UserError` when it cannot be read or says something it must not.
    """
    data = jsonfile.read_bytes(path, _LIMIT_BYTES)
    return jsonfile.validated(EngineFits, jsonfile.parse_object(data, path.name), path.name)


@cache
def _shipped() -> EngineFits:
    return read_fits(fits_path())
