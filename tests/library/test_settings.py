"""Settings: kept, never worth an error message."""

from __future__ import annotations

import json
import os
from pathlib import Path

from workbench.library import paths, settings
from workbench.library.settings import MAX_RECENT, Settings


def test_they_come_back(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "settings.json"
    made = Settings(theme="dark", language="zh_CN", geometry="800x600+10+10", last_folder="/a")
    settings.save_settings(path, made)
    assert settings.load(path) == (made, ())
    settings.save_settings(path, made.with_(theme="light"))
    assert settings.load(path)[0].theme == "light"


def test_none_yet(tmp_path: Path) -> None:
    assert settings.load(tmp_path / "settings.json") == (Settings(), ())


def test_recent_files_are_ten_and_the_newest_is_first(tmp_path: Path) -> None:
    made = Settings()
    for number in range(15):
        made = made.with_recent(f"/plans/{number}.kvw")
    made = made.with_recent("/plans/10.kvw").with_recent(os.fsdecode(b"/\xff.kvw"))
    assert len(made.recent) == MAX_RECENT
    assert made.recent_files[:3] == (
        Path(os.fsdecode(b"/\xff.kvw")),
        Path("/plans/10.kvw"),
        Path("/plans/14.kvw"),
    )
    assert len(set(made.recent)) == MAX_RECENT
    assert made.without_recent("/plans/10.kvw").recent_files[1] == Path("/plans/14.kvw")
    assert settings.loads(settings.dumps(made), "x") == made


def test_what_cannot_be_used_falls_back(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    for data in (b"", b"{", b"[]", b"\xff", b'{"format": "kvw"}', b"{}" * 9):
        path.write_bytes(data)
        found, notes = settings.load(path)
        assert found == Settings()
        assert [note.code for note in notes] == ["settings_reset"]


def test_one_bad_setting_does_not_take_the_others_along(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    content = json.loads(settings.dumps(Settings(theme="dark", last_folder="/a")))
    path.write_text(json.dumps(content | {"language": "tlh", "recent": 5}))
    found, notes = settings.load(path)
    assert (found.theme, found.last_folder, found.language, len(notes)) == (
        "dark",
        "/a",
        "system",
        1,
    )


def test_unknown_keys_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "settings.json"
    content = json.loads(settings.dumps(Settings())) | {"new": {"a": [1]}, "extra": 1}
    path.write_text(json.dumps(content))
    found, notes = settings.load(path)
    assert notes == ()
    settings.save_settings(path, found.with_recent("/a.kvw"))
    assert json.loads(path.read_bytes())["new"] == {"a": [1]}
    assert json.loads(path.read_bytes())["extra"] == 1


def test_folders_of_the_person() -> None:
    for folder in (paths.user_data_dir(), paths.state_dir(), paths.config_dir()):
        assert folder.name == "kvw"
        assert not folder.exists()
    assert paths.user_presets_dir().parent == paths.user_data_dir()
