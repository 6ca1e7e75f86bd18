"""Writing a file so that at every moment it is whole: the old one or the new one.

The bytes go into a temporary file beside the target, are forced to the disk, and take the
target's name in one step; then the folder is forced to the disk too. Symbolic links are
followed and stay links. A file that carries several names (hard links) is refused unless
the caller chooses to part them: the other names keep the old content. The mode is kept, the
group where the system lets us; access lists and extended attributes are not.

All system calls go through the module's `os`, `fcntl` and `time`, which tests replace.
"""

from __future__ import annotations

import errno
import hashlib
import os
import re
import secrets
import stat
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from workbench.library.jsonfile import no_file
from workbench.library.paths import shown
from workbench.spec.errors import UserError

if sys.platform != "win32":
    import fcntl

_MAX_LINKS: Final = 40
_LOCK_PATIENCE_S: Final = 10.0
_STALE_AFTER_S: Final = 60.0
_SURELY_STALE_AFTER_S: Final = 24 * 3600.0
_MAX_SWEPT_ENTRIES: Final = 10_000
_READ_BYTES: Final = 2**20
_TEMPORARY: Final = re.compile(r"\.kvw-[0-9a-f]{16}\.tmp")
_CODES: Final = {
    errno.ENOSPC: "disk_full",
    errno.EDQUOT: "quota_full",
    errno.EFBIG: "file_size_limit",
    errno.EROFS: "disk_read_only",
    errno.EACCES: "write_not_permitted",
    errno.EPERM: "write_not_permitted",
    errno.EIO: "disk_error",
    errno.EXDEV: "cannot_replace",
    errno.ENOENT: "folder_missing",
    errno.ENOTDIR: "folder_missing",
    errno.ENAMETOOLONG: "name_too_long",
    errno.ELOOP: "link_loop",
}


@dataclass(frozen=True, slots=True)
class Saved:
    """What was written: SHA-256 of the bytes, and whether the disk has confirmed the name."""

    digest: str
    durable: bool


def digest_of(data: bytes) -> str:
    """Return the SHA-256 of a file's bytes, by which its versions are told apart."""
    return hashlib.sha256(data).hexdigest()


def save(
    path: Path,
    data: bytes,
    *,
    expected_digest: str | None = None,
    overwrite: bool = False,
    part_hard_links: bool = False,
) -> Saved:
    """Write `data` to `path`, whole or not at all.

    With `expected_digest` the file must still hold the bytes of that SHA-256; without it the
    file must not exist, unless `overwrite`. Whatever fails is a `UserError`, and the file on
    disk is as it was.
    """
    name = shown(path)
    try:
        target = resolve(path)
        check = _Check(target, name, expected_digest, overwrite, part_hard_links)
        check.early()
        saved = _write(target, data, check)
    except OSError as error:
        raise refused(error, name) from error
    except ValueError:
        raise UserError("path_unusable", path=name) from None
    sweep(target.parent)
    return saved


def resolve(path: Path) -> Path:
    """Return the file that a path means, following symbolic links one by one.

    A link whose target does not exist yet is followed too: the target will be created.
    """
    target = path
    for _ in range(_MAX_LINKS):
        try:
            mode = os.lstat(target).st_mode
        except FileNotFoundError:
            return target
        if not stat.S_ISLNK(mode):
            return target
        target = target.parent / os.readlink(target)
    raise UserError("link_loop", path=shown(path))


@dataclass(frozen=True, slots=True)
class _Check:
    """What must hold of the target at the moment it is replaced."""

    target: Path
    name: str
    expected_digest: str | None
    overwrite: bool
    part_hard_links: bool

    def early(self) -> os.stat_result | None:
        """Raise when the target must not be replaced; return its status, None when absent."""
        try:
            status = os.stat(self.target)
        except FileNotFoundError:
            if self.expected_digest is not None:
                raise UserError("gone_from_disk", path=self.name) from None
            return None
        if not stat.S_ISREG(status.st_mode):
            raise no_file(status.st_mode, self.name)
        if self.expected_digest is None and not self.overwrite:
            raise UserError("file_exists", path=self.name)
        if not os.access(self.target, os.W_OK):
            # Renaming would get past a write protection that someone has set on purpose.
            raise UserError("write_not_permitted", path=self.name)
        if status.st_nlink > 1 and not self.part_hard_links:
            raise UserError("hard_linked", path=self.name, names=status.st_nlink)
        return status

    def final(self) -> None:
        """Raise when the target is no longer what the caller has read."""
        self.early()
        if self.expected_digest is not None and _digest_on_disk(self.target) != (
            self.expected_digest
        ):
            raise UserError("changed_on_disk", path=self.name)


def _write(target: Path, data: bytes, check: _Check) -> Saved:
    folder = target.parent
    temporary = folder / f".kvw-{secrets.token_hex(8)}.tmp"
    old = check.early()
    # Nobody may read a private document while it is being replaced.
    mode = 0o666 if old is None else 0o600
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(temporary, flags | getattr(os, "O_BINARY", 0), mode)
    try:
        try:
            try_lock(descriptor)
            if old is not None:
                _keep_owner_and_mode(descriptor, old)
            _write_all(descriptor, data)
            os.fsync(descriptor)
        finally:
            # Network folders report a full disk only here; it must count as a failure.
            os.close(descriptor)
        durable = _replace(temporary, target, check)
    except BaseException:
        with suppress(OSError):
            os.unlink(temporary)
        raise
    return Saved(digest_of(data), durable)


def _keep_owner_and_mode(descriptor: int, old: os.stat_result) -> None:
    if not hasattr(os, "fchmod"):
        return
    with suppress(OSError):
        if old.st_gid != os.fstat(descriptor).st_gid:
            os.fchown(descriptor, -1, old.st_gid)
    try:
        os.fchmod(descriptor, stat.S_IMODE(old.st_mode))
    except OSError as error:
        # Memory cards and some network folders know no modes.
        if error.errno not in (errno.EPERM, errno.ENOTSUP, errno.ENOSYS):
            raise


def _write_all(descriptor: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        written = os.write(descriptor, rest)
        if written <= 0:
            raise OSError(errno.EIO, "nothing was written")
        rest = rest[written:]


def _replace(temporary: Path, target: Path, check: _Check) -> bool:
    """Give the new file the old one's name; returns whether the disk has confirmed it."""
    folder = _open_folder(target.parent)
    try:
        # Two of our own programs take turns here, so that neither replaces unseen changes.
        if not _lock_patiently(folder):
            raise UserError("folder_busy", path=check.name)
        check.final()
        os.replace(temporary, target)
        if folder is None:
            return False
        try:
            os.fsync(folder)
        except OSError:
            return False
        return True
    finally:
        if folder is not None:
            # The name is already given: an error here must not look like a failed save.
            with suppress(OSError):
                os.close(folder)


def _open_folder(folder: Path) -> int | None:
    if not hasattr(os, "O_DIRECTORY"):
        return None
    try:
        return os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except PermissionError:
        # A folder can allow writing and refuse listing.
        return None


def try_lock(descriptor: int) -> bool | None:
    """Lock a file or folder for ourselves: True, False (another has it), None (no locks here)."""
    if sys.platform == "win32":
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def _lock_patiently(folder: int | None) -> bool:
    if folder is None:
        return True
    end = time.monotonic() + _LOCK_PATIENCE_S
    while try_lock(folder) is False:
        if time.monotonic() > end:
            return False
        time.sleep(0.005)
    return True


def _digest_on_disk(path: Path) -> str:
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    descriptor = os.open(path, flags | getattr(os, "O_BINARY", 0))
    try:
        digest = hashlib.sha256()
        while part := os.read(descriptor, _READ_BYTES):
            digest.update(part)
        return digest.hexdigest()
    finally:
        os.close(descriptor)


def refused(error: OSError, name: str) -> UserError:
    """Return what a person can do about a file that the system did not let us write."""
    code = _CODES.get(error.errno or 0, "save_failed")
    if code == "save_failed":
        return UserError(code, path=name, reason=errno.errorcode.get(error.errno or 0, "?"))
    return UserError(code, path=name)


def remove(path: Path) -> bool:
    """Delete a file of ours; returns whether it is gone. Never raises."""
    try:
        os.unlink(path)
    except FileNotFoundError:
        return True
    except OSError:
        return False
    return True


def make_folder(folder: Path) -> None:
    """Make a folder of ours and those above it; raises `UserError`."""
    try:
        if not os.path.isdir(folder):
            if folder.parent != folder:
                make_folder(folder.parent)
            os.mkdir(folder)
    except FileExistsError:
        pass
    except OSError as error:
        raise refused(error, shown(folder)) from error


def sweep(folder: Path) -> int:
    """Remove the temporary files that killed programs of ours left in a folder; never raises.

    Only files with our own pattern of name that are older than a minute and that no living
    program holds. Returns how many were removed.
    """
    removed = 0
    try:
        with os.scandir(folder) as entries:
            for seen, entry in enumerate(entries):
                if seen >= _MAX_SWEPT_ENTRIES:
                    break
                if _TEMPORARY.fullmatch(entry.name) and _is_stale(entry):
                    removed += remove(folder / entry.name)
    except OSError:
        pass
    return removed


def _is_stale(entry: os.DirEntry[str]) -> bool:
    status = entry.stat(follow_symlinks=False)
    age_s = time.time() - status.st_mtime
    if not stat.S_ISREG(status.st_mode) or age_s < _STALE_AFTER_S:
        return False
    try:
        descriptor = os.open(entry.path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return False
    try:
        locked = try_lock(descriptor)
    finally:
        os.close(descriptor)
    return age_s > _SURELY_STALE_AFTER_S if locked is None else locked
