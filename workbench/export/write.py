"""Writing an export: whole or not at all, and told only when the file holds what was made."""

from __future__ import annotations

from pathlib import Path

from workbench.export.formats import FORMATS
from workbench.library.jsonfile import no_file
from workbench.library.paths import shown
from workbench.library.save import digest_of, refused, save
from workbench.spec.errors import UserError


def checked_target(path: Path, name: str, *inputs: Path | None) -> Path:
    """Return the path of a new file of a format; raises `UserError` where it means another file.

    The ending must be the format's, and the file none of `inputs`: a slip of the hand must not
    write a picture over a plan. What the disk will refuse is better refused before the work.
    """
    suffix, said = FORMATS[name].suffix, shown(path)
    if path.suffix.lower() != suffix:
        raise UserError("export_suffix", path=said, accepted=suffix)
    try:
        if not path.parent.is_dir():
            raise UserError("folder_missing", path=said)
        if not path.exists():
            return path
        if not path.is_file():
            raise no_file(path.stat().st_mode, said)
        if any(one is not None and one.exists() and path.samefile(one) for one in inputs):
            raise UserError("export_over_input", path=said)
    except OSError as error:
        raise refused(error, said) from error
    except ValueError:
        raise UserError("path_unusable", path=said) from None
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
