"""Office packages of people (zip files): unpacked within bounds that are checked first.

Counts and declared sizes are looked at before anything is unpacked; then what is unpacked is
counted, since a size that is declared may lie.
"""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections.abc import Callable
from typing import Final, Literal

from workbench.spec.units import MIB

LIMIT_BYTES: Final = 50 * MIB
LIMIT_UNPACKED_BYTES: Final = 200 * MIB
LIMIT_PARTS: Final = 5_000
LIMIT_RATIO: Final = 200
_SMALL_BYTES: Final = MIB
"""Parts that small may be packed as tightly as they like."""
_LISTED: Final = b"PK\x01\x02"
"""Before each part in the list at the end of a zip file."""
_CHUNK: Final = 2**16

Reason = Literal["damaged", "locked", "parts", "odd_part", "unpacked"]


class Refused(Exception):
    """Why a package is not unpacked."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(reason)
        self.reason = reason


def parts_of(data: bytes, wanted: Callable[[str], object] = bool) -> dict[str, bytes]:
    """Return the parts whose names are wanted, all without a choice; raises `Refused`."""
    if data.count(_LISTED) > 4 * LIMIT_PARTS:
        # Before the list is read: an entry takes more memory than it has bytes.
        raise Refused("parts")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            _check_list(package.filelist)
            return {
                entry.filename: _unpacked(package, entry)
                for entry in package.filelist
                if wanted(entry.filename)
            }
    except (zipfile.BadZipFile, zlib.error, EOFError, struct.error, OSError, ValueError):
        raise Refused("damaged") from None
    except (NotImplementedError, RuntimeError):
        # Another packing, or a password on a part.
        raise Refused("locked") from None


def _check_list(entries: list[zipfile.ZipInfo]) -> None:
    if len(entries) > LIMIT_PARTS:
        raise Refused("parts")
    names = [entry.filename for entry in entries]
    if len({one.lower() for one in names}) != len(names):
        raise Refused("damaged")
    for one in names:
        if one.startswith("/") or "\\" in one or ".." in one.split("/") or ":" in one:
            raise Refused("odd_part")
    if sum(entry.file_size for entry in entries) > LIMIT_UNPACKED_BYTES:
        raise Refused("unpacked")
    for entry in entries:
        if entry.file_size > max(_SMALL_BYTES, LIMIT_RATIO * entry.compress_size):
            raise Refused("unpacked")


def _unpacked(package: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """Unpack a part, at most as much as it declares."""
    found = bytearray()
    with package.open(entry) as part:
        while chunk := part.read(_CHUNK):
            found += chunk
            if len(found) > entry.file_size:
                raise Refused("unpacked")
    return bytes(found)
