"""Office packages are zip files: the same parts give the same bytes."""

from __future__ import annotations

import io
import zipfile
from typing import Final

_DATE: Final = (1980, 1, 1, 0, 0, 0)
"""The earliest that a zip file knows."""
_FIRST: Final = ("[Content_Types].xml", "_rels/.rels")
"""Readers that look at the first bytes of a package expect these first."""


def fixed(data: bytes) -> bytes:
    """Return a package with its parts in a stable order and without dates and systems."""
    return packed(unpacked(data))


def unpacked(data: bytes) -> dict[str, bytes]:
    """Return the parts of a package of our own by name."""
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return {name: package.read(name) for name in package.namelist()}


def packed(parts: dict[str, bytes]) -> bytes:
    """Return the parts as a package."""
    order: list[str] = [name for name in _FIRST if name in parts]
    order += sorted(name for name in parts if name not in _FIRST)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as package:
        for name in order:
            entry = zipfile.ZipInfo(name, _DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 0
            package.writestr(entry, parts[name])
    return buffer.getvalue()
