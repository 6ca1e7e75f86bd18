"""Releases as people and logs write them, in an order."""

from __future__ import annotations

import re
from typing import Final

Release = tuple[int, int, int]

_RELEASE: Final = re.compile(r"v?([0-9]{1,4})\.([0-9]{1,4})(?:\.([0-9]{1,4}))?(?![0-9]*x)(.*)")
_NOT_ONE_RELEASE: Final = re.compile(r"\.?x\b|-ish\b|/|\?|\+$|\bor\b|-v?[0-9]+\.[0-9]")
_UNTAGGED: Final = re.compile(r"v?0\.1\.dev[0-9]{4,}")
"""What a build without the repository's tags calls itself, whatever its age."""


def parse_release(text: str) -> Release | None:
    """Return a release as three numbers, or None for what names no single one.

    "0.15.1", "v0.19", "0.8.5.dev22" and "0.6.4.post1" are releases; "0.6.x", "0.20-ish",
    "0.10.2/0.11", "0.10.2+" and "fork" are not. A suffix is not compared: a development build
    counts as the release it leads to.
    """
    match = _RELEASE.fullmatch(text.strip())
    if match is None or _UNTAGGED.match(text.strip()):
        return None
    major, minor, patch, rest = match.groups()
    if _NOT_ONE_RELEASE.search(rest):
        return None
    return int(major), int(minor), int(patch or 0)
