"""What a killed program leaves behind, and who removes it."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from workbench.library import save as module
from workbench.library.save import make_folder, save, sweep
from workbench.spec.errors import UserError


def test_only_our_own_old_files_are_swept(tmp_path: Path) -> None:
    names = {
        ".kvw-0123456789abcdef.tmp": True,
        ".kvw-0123456789abcdef.tmp.bak": False,
        ".kvw-0123456789ABCDEF.tmp": False,
        ".kvw-notes.tmp": False,
        "doc.kvw": False,
        ".doc.kvw.swp": False,
    }
    for name in names:
        (tmp_path / name).write_bytes(b"x")
        os.utime(tmp_path / name, (1, 1))
    (tmp_path / ".kvw-00000000000000aa.tmp").write_bytes(b"young")
    (tmp_path / ".kvw-00000000000000bb.tmp").mkdir()
    (tmp_path / ".kvw-00000000000000cc.tmp").symlink_to("doc.kvw")
    held = tmp_path / ".kvw-00000000000000dd.tmp"
    held.write_bytes(b"another one is writing")
    os.utime(held, (1, 1))
    descriptor = os.open(held, os.O_RDONLY)
    try:
        assert module.try_lock(descriptor)
        assert sweep(tmp_path) == 1
        assert held.exists()
    finally:
        os.close(descriptor)
    for name, swept in names.items():
        assert (tmp_path / name).exists() != swept
    assert len(list(tmp_path.glob(".kvw-00000000000000*"))) == 4


def test_the_next_save_removes_what_a_kill_left(tmp_path: Path) -> None:
    doc = tmp_path / "doc.kvw"
    doc.write_bytes(b"old")
    left = doc.parent / ".kvw-0123456789abcdef.tmp"
    left.write_bytes(b"half")
    before = time.time() - 120
    os.utime(left, (before, before))
    save(doc, b"new", overwrite=True)
    assert [path.name for path in doc.parent.iterdir()] == ["doc.kvw"]


def test_sweeping_a_folder_that_is_none(tmp_path: Path) -> None:
    assert sweep(tmp_path / "nowhere") == 0


def test_folders_are_made(tmp_path: Path) -> None:
    make_folder(tmp_path / "a" / "b" / "c")
    make_folder(tmp_path / "a" / "b" / "c")
    assert (tmp_path / "a" / "b" / "c").is_dir()
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(UserError, match="folder_missing"):
        make_folder(tmp_path / "file" / "x")
