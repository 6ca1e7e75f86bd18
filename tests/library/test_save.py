"""Saving: links, modes, names, folders that fail, and what is left behind."""

from __future__ import annotations

import os
import resource
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.library.faults import FaultyOs, failing, in_child, installed
from workbench.library import save as module
from workbench.library.save import digest_of, save
from workbench.spec.errors import UserError
from workbench.spec.words import error_text

OLD, NEW = b"old", b"new"


@pytest.fixture
def doc(tmp_path: Path) -> Path:
    path = tmp_path / "doc.kvw"
    path.write_bytes(OLD)
    return path


def refused(code: str, work: Callable[[], object]) -> UserError:
    with pytest.raises(UserError) as caught:
        work()
    assert caught.value.code == code
    assert code not in error_text(caught.value)
    return caught.value


# What must hold of the file on disk


def test_the_digest_must_still_be_that_of_the_file(doc: Path) -> None:
    saved = save(doc, NEW, expected_digest=digest_of(OLD))
    assert (saved.digest, saved.durable) == (digest_of(NEW), True)
    doc.write_bytes(b"theirs")
    refused("changed_on_disk", lambda: save(doc, NEW, expected_digest=saved.digest))
    assert doc.read_bytes() == b"theirs"
    doc.unlink()
    refused("gone_from_disk", lambda: save(doc, NEW, expected_digest=saved.digest))
    assert not doc.exists()


def test_an_existing_file_needs_consent(doc: Path) -> None:
    refused("file_exists", lambda: save(doc, NEW))
    assert doc.read_bytes() == OLD
    save(doc, NEW, overwrite=True)
    assert doc.read_bytes() == NEW


def test_saving_as_is_never_blocked_by_a_document_that_is_gone(tmp_path: Path) -> None:
    save(tmp_path / "new.kvw", NEW)
    assert (tmp_path / "new.kvw").read_bytes() == NEW


# Links


def test_symbolic_links_stay_and_are_followed(doc: Path, tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    one, two, three = (tmp_path / name for name in ("one.kvw", "deep/two.kvw", "three.kvw"))
    one.symlink_to("doc.kvw")
    two.symlink_to("../one.kvw")
    three.symlink_to(two)
    save(three, NEW, expected_digest=digest_of(OLD))
    assert doc.read_bytes() == NEW
    assert all(link.is_symlink() for link in (one, two, three))


def test_a_dangling_link_gets_its_target(tmp_path: Path) -> None:
    link = tmp_path / "link.kvw"
    link.symlink_to("target.kvw")
    save(link, NEW)
    assert link.is_symlink()
    assert (tmp_path / "target.kvw").read_bytes() == NEW


def test_a_link_into_a_missing_folder(tmp_path: Path) -> None:
    link = tmp_path / "link.kvw"
    link.symlink_to("nowhere/target.kvw")
    refused("folder_missing", lambda: save(link, NEW))
    assert link.is_symlink()


def test_loops_are_named(tmp_path: Path) -> None:
    one, two = tmp_path / "one.kvw", tmp_path / "two.kvw"
    one.symlink_to(two)
    two.symlink_to(one)
    refused("link_loop", lambda: save(one, NEW, overwrite=True))
    assert one.is_symlink()


def test_hard_links_are_parted_only_by_choice(doc: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.kvw"
    os.link(doc, other)
    error = refused("hard_linked", lambda: save(doc, NEW, overwrite=True))
    assert error.params["names"] == 2
    assert doc.read_bytes() == OLD
    save(doc, NEW, overwrite=True, part_hard_links=True)
    assert (doc.read_bytes(), other.read_bytes()) == (NEW, OLD)


# Kinds and modes


def test_what_is_no_file_is_not_saved_over(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    os.mkfifo(tmp_path / "pipe")
    refused("is_a_folder", lambda: save(tmp_path / "folder", NEW, overwrite=True))
    refused("is_a_pipe", lambda: save(tmp_path / "pipe", NEW, overwrite=True))
    refused("is_a_device", lambda: save(Path("/dev/null"), NEW, overwrite=True))
    refused("folder_missing", lambda: save(tmp_path / "pipe" / "doc.kvw", NEW))
    refused("path_unusable", lambda: save(tmp_path / "a\0b", NEW))


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o644, 0o666, 0o755])
def test_the_mode_is_kept(doc: Path, mode: int) -> None:
    doc.chmod(mode)
    save(doc, NEW, overwrite=True)
    assert stat.S_IMODE(doc.stat().st_mode) == mode


@pytest.mark.parametrize(("umask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_new_file_follows_the_umask(tmp_path: Path, umask: int, mode: int) -> None:
    before = os.umask(umask)
    try:
        save(tmp_path / "new.kvw", NEW)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new.kvw").stat().st_mode) == mode


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a folder away")
def test_a_setgid_folder_keeps_its_group(doc: Path, tmp_path: Path) -> None:
    os.chown(tmp_path, -1, 12_345)
    tmp_path.chmod(0o2770)
    save(tmp_path / "new.kvw", NEW)
    assert (tmp_path / "new.kvw").stat().st_gid == 12_345
    os.chown(doc, -1, 54_321)
    save(doc, NEW, overwrite=True)
    assert doc.stat().st_gid == 54_321


def test_nobody_else_reads_a_private_document_meanwhile(doc: Path) -> None:
    doc.chmod(0o600)
    modes = []

    class Looking(FaultyOs):
        def write(self, descriptor: int, data: bytes) -> int:
            modes.append(stat.S_IMODE(os.fstat(descriptor).st_mode))
            return os.write(descriptor, data)

    with installed(Looking(0, lambda name, real: real())):
        save(doc, NEW, overwrite=True)
    assert modes == [0o600]


# Names


@pytest.mark.parametrize(
    "name",
    [
        b"-rf.kvw",
        b"--help",
        b"a b'\";$(x).kvw",
        b"line\nbreak.kvw",
        b"\xff\xfe.kvw",
        "Pläne 计划 🧮.kvw".encode(),
        b"x" * 251 + b".kvw",
        b".hidden",
        b"tab\t\x1b[31m.kvw",
        b"C:\\x.kvw",
        b"*?.kvw",
    ],
)
def test_odd_names(tmp_path: Path, name: bytes) -> None:
    path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
    save(path, OLD)
    save(path, NEW, expected_digest=digest_of(OLD))
    assert path.read_bytes() == NEW
    assert os.listdir(os.fsencode(tmp_path)) == [name]
    shown = str(refused("file_exists", lambda: save(path, NEW)).params["path"])
    assert shown.isprintable()


def test_a_name_that_is_too_long(tmp_path: Path) -> None:
    refused("name_too_long", lambda: save(tmp_path / ("x" * 256), NEW))
    refused("name_too_long", lambda: save(tmp_path / ("y/" * 3_000), NEW))
    assert list(tmp_path.iterdir()) == []


def test_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    save(Path("doc.kvw"), NEW)
    assert (tmp_path / "doc.kvw").read_bytes() == NEW


# Folders that fail


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "small"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=16k", "tmpfs", str(folder)]
    if not shutil.which("mount") or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("mounting a small disk is not permitted here")
    yield folder
    subprocess.run(["umount", str(folder)], check=True)


def test_a_full_disk(small_disk: Path) -> None:
    path = small_disk / "doc.kvw"
    save(path, OLD)
    refused("disk_full", lambda: save(path, b"x" * 100_000, expected_digest=digest_of(OLD)))
    assert path.read_bytes() == OLD
    assert os.listdir(small_disk) == ["doc.kvw"]
    save(path, NEW, expected_digest=digest_of(OLD))


def in_poor_child(work: Callable[[], None]) -> None:
    """Run as nobody: root gets past every permission."""

    def poor() -> None:
        if os.geteuid() == 0:
            os.setgid(65_534)
            os.setuid(65_534)
        try:
            work()
        except BaseException:
            sys.excepthook(*sys.exc_info())
            os._exit(1)

    assert in_child(poor) == 0


def test_a_folder_without_permission(doc: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Relative, for nobody may not pass through the folders above.
    monkeypatch.chdir(doc.parent)
    doc.chmod(0o644)
    doc.parent.chmod(0o555)

    def work() -> None:
        refused("write_not_permitted", lambda: save(Path("doc.kvw"), NEW, overwrite=True))
        refused("write_not_permitted", lambda: save(Path("new.kvw"), NEW))

    try:
        in_poor_child(work)
    finally:
        doc.parent.chmod(0o700)
    assert doc.read_bytes() == OLD
    assert [path.name for path in doc.parent.iterdir()] == ["doc.kvw"]


def test_a_write_protected_file_stays(doc: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(doc.parent)
    doc.chmod(0o444)
    doc.parent.chmod(0o777)

    def work() -> None:
        refused("write_not_permitted", lambda: save(Path("doc.kvw"), NEW, overwrite=True))

    in_poor_child(work)
    assert doc.read_bytes() == OLD


def test_a_limit_on_the_size_of_files(doc: Path) -> None:
    def work() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, 1_000))
        try:
            save(doc, b"x" * 2_000, expected_digest=digest_of(OLD))
        except UserError as error:
            os._exit(0 if error.code == "file_size_limit" else 2)
        os._exit(3)

    assert in_child(work) == 0
    assert doc.read_bytes() == OLD
    assert [path.name for path in doc.parent.iterdir()] == ["doc.kvw"]


@pytest.mark.parametrize("call", ["write", "fsync", "replace"])
def test_a_folder_that_vanishes(doc: Path, call: str) -> None:
    class Vanishing(FaultyOs):
        def __getattr__(self, name: str) -> object:
            if name == call:
                shutil.rmtree(doc.parent, ignore_errors=True)
            return super().__getattr__(name)

    with installed(Vanishing(0, lambda name, real: real())):
        refused("folder_missing", lambda: save(doc, NEW, expected_digest=digest_of(OLD)))


def test_another_file_system_in_between(doc: Path) -> None:
    class Crossing(FaultyOs):
        def replace(self, source: object, target: object) -> None:
            failing("EXDEV")("replace", lambda: None)

    with installed(Crossing(0, lambda name, real: real())):
        refused("cannot_replace", lambda: save(doc, NEW, overwrite=True))
    assert doc.read_bytes() == OLD
    assert [path.name for path in doc.parent.iterdir()] == ["doc.kvw"]


def test_a_disk_that_hangs_keeps_the_old_file_readable(doc: Path) -> None:
    hanging, going_on = threading.Event(), threading.Event()

    class Hanging(FaultyOs):
        def fsync(self, descriptor: int) -> None:
            hanging.set()
            assert going_on.wait(30)
            os.fsync(descriptor)

    with installed(Hanging(0, lambda name, real: real())):
        thread = threading.Thread(target=save, args=(doc, NEW), kwargs={"overwrite": True})
        thread.start()
        assert hanging.wait(30)
        assert doc.read_bytes() == OLD
        going_on.set()
        thread.join(30)
    assert doc.read_bytes() == NEW


def test_another_program_that_keeps_the_folder(doc: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "_LOCK_PATIENCE_S", 0.05)
    folder = os.open(doc.parent, os.O_RDONLY)
    try:
        assert module.try_lock(folder)
        refused("folder_busy", lambda: save(doc, NEW, overwrite=True))
    finally:
        os.close(folder)
    assert doc.read_bytes() == OLD
    save(doc, NEW, overwrite=True)


def test_folders_without_locks_go_on(doc: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(descriptor: int, how: int) -> None:
        raise OSError(95, "not supported")

    monkeypatch.setattr(module.fcntl, "flock", no_locks)
    save(doc, NEW, expected_digest=digest_of(OLD))
    assert doc.read_bytes() == NEW
