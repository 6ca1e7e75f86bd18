"""Unsaved work that outlives a crash: one side file a window, in the state folder.

A side file holds the plan, the document's path, the digest of the document it grew from, and
the session that wrote it. While the session lives it holds a lock; when the lock is free the
session is dead and its work is offered. What is offered is decided by content, never by clock:
a side file that says the same as the document on disk is dropped. A side file is removed only
when its content is known to stand elsewhere on disk; what a person discards is kept a while.
"""

from __future__ import annotations

import os
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Literal

from workbench.library import jsonfile, plans
from workbench.library.paths import path_from_text, path_to_text, shown
from workbench.library.save import Saved, digest_of, make_folder, remove, save, sweep, try_lock
from workbench.spec.errors import UserError
from workbench.spec.quoting import quoted
from workbench.spec.scenario import Plan

FORMAT: Final = "kvw-recovery"
LIMIT_BYTES: Final = 32 * 2**20
KEPT_DISCARDED: Final = 5
KEPT_DISCARDED_S: Final = 14 * 24 * 3600.0
_SIDE: Final = ".json"
_LOCK: Final = ".lock"

State = Literal["untitled", "ahead", "diverged", "missing", "corrupt"]
"""Of the document: never saved, still what the work grew from, changed since, gone; or the side
file itself cannot be read."""
Owner = Literal["alive", "dead", "unknown"]


@dataclass(frozen=True, slots=True)
class Pending:
    """Work that a session left behind."""

    path: Path
    """The side file."""
    state: State
    owner: Owner = "dead"
    document: Path | None = None
    base_digest: str | None = None
    """Digest of the document the work grew from."""
    plan: Plan | None = None
    problem: UserError | None = None


class Recovery:
    """The side file of one window; made on the first `write`."""

    def __init__(self, state: Path, *, clock: Callable[[], float] = time.time) -> None:
        self._folder = state / "recovery"
        self._clock = clock
        self.session = f"{os.getpid()}-{secrets.token_hex(8)}"
        self.path = self._folder / f"{self.session}{_SIDE}"
        self._lock: int | None = None

    def write(self, plan: Plan, document: Path | None, base_digest: str | None) -> Saved:
        """Write the unsaved plan; raises `UserError` when it cannot be written."""
        data = dumps(plan, document, base_digest, self.session)
        if self._lock is None:
            make_folder(self._folder)
            self._lock = _hold(self.path.with_suffix(_LOCK))
        return save(self.path, data, overwrite=True)

    def adopt(self, pending: Pending) -> None:
        """Take over work that is being restored.

        The old side file goes only when the new one has been read back from the disk; killed
        at any moment in between, the work is offered again.
        """
        if pending.plan is None:
            raise pending.problem or UserError("not_a_recovery_file", path=shown(pending.path))
        saved = self.write(pending.plan, pending.document, pending.base_digest)
        written = _read(self.path)
        if (written.plan, written.document) != (pending.plan, pending.document):
            raise UserError("recovery_not_verified", path=shown(self.path))
        # Where the disk does not confirm, both stay; equal ones are offered once.
        if saved.durable:
            _forget(pending.path)

    def clear(self, document: Path, saved: Saved) -> bool:
        """Remove the side file after a save, once the document on disk is seen to hold it.

        Returns False, and keeps the side file, when the document does not hold those bytes or
        the disk has not confirmed them; the next start compares again.
        """
        if not saved.durable:
            return False
        try:
            data = jsonfile.read_bytes(document, LIMIT_BYTES)
        except UserError:
            return False
        return digest_of(data) == saved.digest and remove(self.path)

    def discard(self) -> None:
        """Put the work aside that a person has chosen not to save; it stays for 14 days."""
        _put_aside(self.path, self._folder, self._clock())

    def close(self) -> None:
        """End the session; a side file that is still there will be offered."""
        if self._lock is not None:
            lock, self._lock = self._lock, None
            if not self.path.exists():
                remove(self.path.with_suffix(_LOCK))
            with suppress(OSError):
                os.close(lock)


def dumps(plan: Plan, document: Path | None, base_digest: str | None, session: str) -> bytes:
    """Return the bytes of a side file."""
    content = {
        "format": FORMAT,
        "schema_version": 1,
        "session": session,
        "document": None if document is None else path_to_text(document),
        "base_digest": base_digest,
        "plan": plans.to_document(plan),
    }
    data = jsonfile.to_bytes(content)
    jsonfile.check_size(data, "", LIMIT_BYTES)
    return data


def loads(data: bytes, path: Path) -> Pending:
    """Read a side file; raises `UserError`."""
    name = shown(path)
    content = jsonfile.parse_object(data, name)
    if content.get("format") != FORMAT or not isinstance(content.get("plan"), dict):
        raise UserError("not_a_recovery_file", path=name)
    document, base_digest = content.get("document"), content.get("base_digest")
    for where, value in (("document", document), ("base_digest", base_digest)):
        if value is not None and not isinstance(value, str):
            raise UserError(
                "field_wrong_type", path=name, where=where, accepted="text", value=quoted(value)
            )
    loaded = plans.from_parsed(content["plan"], name, "")
    return Pending(
        path,
        "ahead",
        document=_document_path(document),
        base_digest=base_digest,
        plan=loaded.plan,
    )


def _document_path(text: str | None) -> Path | None:
    if text is None or "\0" in text:
        return None
    return path_from_text(text)


def pending(state: Path) -> tuple[Pending, ...]:
    """List the work of sessions that are no longer alive; broken side files are listed too."""
    folder = state / "recovery"
    sweep(folder)
    found: list[Pending] = []
    for path, owner in _left_behind(folder):
        item = _judged(path)
        if item is None or any(_same(item, other) for other in found):
            _forget(path)
        else:
            found.append(replace(item, owner=owner))
    return tuple(found)


def discarded(state: Path) -> tuple[Pending, ...]:
    """List what was discarded and is still kept, the newest first."""
    paths = sorted(_files(state / "recovery" / "discarded"), reverse=True)
    return tuple(item for item in map(_judged, paths) if item is not None)


def discard(item: Pending, *, clock: Callable[[], float] = time.time) -> None:
    """Put work aside that a person does not want restored; it stays for 14 days."""
    _put_aside(item.path, item.path.parent, clock())
    remove(item.path.with_suffix(_LOCK))


def _left_behind(folder: Path) -> Iterator[tuple[Path, Owner]]:
    paths = sorted(_files(folder))
    for path in paths:
        owner = _owner(path.with_suffix(_LOCK))
        if owner != "alive":
            yield path, owner
    for lock in _files(folder, _LOCK):
        # The lock of a session that was killed after its side file had gone.
        if not lock.with_suffix(_SIDE).exists() and _owner(lock) == "dead":
            remove(lock)


def _files(folder: Path, suffix: str = _SIDE) -> list[Path]:
    try:
        return [path for path in folder.iterdir() if path.suffix == suffix]
    except OSError:
        return []


def _judged(path: Path) -> Pending | None:
    """Read a side file and compare it with its document; None when they say the same."""
    try:
        item = _read(path)
    except UserError as problem:
        return Pending(path, "corrupt", problem=problem)
    if item.document is None:
        return replace(item, state="untitled")
    try:
        data = jsonfile.read_bytes(item.document, jsonfile.PLAN_LIMIT_BYTES)
    except UserError:
        return replace(item, state="missing")
    try:
        if plans.loads(data, "").plan == item.plan:
            return None
    except UserError:
        pass
    same_base = digest_of(data) == item.base_digest
    return replace(item, state="ahead" if same_base else "diverged")


def _read(path: Path) -> Pending:
    return loads(jsonfile.read_bytes(path, LIMIT_BYTES), path)


def _same(one: Pending, other: Pending) -> bool:
    return one.plan is not None and (one.plan, one.document, one.base_digest) == (
        other.plan,
        other.document,
        other.base_digest,
    )


def _forget(path: Path) -> None:
    if remove(path):
        remove(path.with_suffix(_LOCK))


def _put_aside(path: Path, folder: Path, now_s: float) -> None:
    aside = folder / "discarded"
    try:
        make_folder(aside)
        os.replace(path, aside / f"{int(now_s * 1000):016d}-{path.name}")
    except FileNotFoundError:
        return  # Nothing had been written yet.
    except (OSError, UserError):
        return  # It stays where it is and will be offered again: better than lost.
    kept = sorted(_files(aside), reverse=True)
    for index, old in enumerate(kept):
        if index >= KEPT_DISCARDED or now_s - _discarded_at_s(old) > KEPT_DISCARDED_S:
            remove(old)


def _discarded_at_s(path: Path) -> float:
    digits = path.name.partition("-")[0]
    return int(digits) / 1000 if digits.isdecimal() else 0.0


# Who is alive


def _hold(path: Path) -> int | None:
    """Make and hold a lock file; the system frees it when this process ends, however it ends."""
    try:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o600)
    except OSError:
        return None
    try_lock(descriptor)
    with suppress(OSError):
        os.write(descriptor, f"{os.getpid()} {_started(os.getpid())}\n".encode())
    return descriptor


def _owner(path: Path) -> Owner:
    """Tell whether the session of a lock file still runs."""
    try:
        descriptor = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        return "dead"
    except OSError:
        return "unknown"
    try:
        locked = try_lock(descriptor)
        if locked is None:
            return _owner_by_start(os.read(descriptor, 100))
        return "dead" if locked else "alive"
    except OSError:
        return "unknown"
    finally:
        os.close(descriptor)


def _owner_by_start(written: bytes) -> Owner:
    """Judge by process number and start time, for folders without locks."""
    fields = written.split()
    if len(fields) != 2 or not fields[0].isdigit():
        return "unknown"
    started = _started(int(fields[0]))
    if started is None:
        return "unknown" if _started(os.getpid()) is None else "dead"
    return "alive" if str(started).encode() == fields[1] else "dead"


def _started(process: int) -> int | None:
    """Start time of a process in clock ticks since boot; None when it cannot be known."""
    try:
        status = Path(f"/proc/{process}/stat").read_bytes()
        return int(status.rpartition(b")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return None
