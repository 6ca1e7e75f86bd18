"""Writing an export: whole or not at all, and told only when the file holds what was made."""

from __future__ import annotations

from pathlib import Path

from workbench.export.formats import FORMATS
from workbench.library.paths import shown
from workbench.library.save import digest_of, save
from workbench.spec.errors import UserError


def checked_target(path: Path, name: str, *inputs: Path | None) -> Path:
    """Return the path of a new file of a format; raises `UserError` where it means another file.

    The ending must be the format's, and the file none of `inputs`: a slip of the hand must not
    write a picture over a plan.
    """
    suffix = FORMATS[name].suffix
    if path.suffix.lower() != suffix:
        raise UserError("export_suffix", path=shown(path), accepted=suffix)
    for one in inputs:
        if one is not None and path.exists() and one.exists() and path.samefile(one):
            raise UserError("export_over_input", path=shown(path))
    return path


def write(path: Path, data: bytes) -> None:
    """Write a file in one step, in place of one that may be there; raises `UserError`.

    The file is read again: a disk that took the bytes and kept others is found out now.
    """
    saved = save(path, data, overwrite=True)
    try:
        kept = digest_of(path.read_bytes())
    except OSError:
        kept = ""
    if kept != saved.digest:
        raise UserError("export_not_kept", path=shown(path))
