"""The person's settings: a small file that is never worth an error message."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, ValidationError

from workbench.library import jsonfile, unknown
from workbench.library.paths import path_from_text, path_to_text, shown
from workbench.library.plans import Note
from workbench.library.save import make_folder, save
from workbench.spec.base import Frozen, Line
from workbench.spec.errors import UserError
from workbench.spec.scenario import Unknown

FORMAT: Final = "kvw-settings"
LIMIT_BYTES: Final = 2**20
MAX_RECENT: Final = 10
MAX_COMMANDS: Final = 20


class ExportChoice(Frozen):
    """What was chosen for the last export; `export.options` says what each choice means."""

    what: Literal["bars", "compare", "waterfall", "heatmap", "deck", "record", "tables"] = "bars"
    format: Literal["png", "svg", "pptx", "pdf", "docx", "md", "xlsx", "csv", "json"] = "png"
    ratio: Literal["16:9", "4:3", "free"] = "16:9"
    look: Literal["light", "dark", "transparent", "grey"] = "light"
    scale: Literal[1, 2, 3] = 2
    footnote: bool = True
    dated: bool = False
    """Whether the footnote has the day on which it was made."""
    template: Line = ""
    """Path of a presentation that slides take over."""
    folder: Line = ""
    """Where the last file went."""


class Settings(Frozen):
    """What the window remembers. Paths are texts of `paths.path_to_text`."""

    theme: Literal["system", "light", "dark", "contrast"] = "system"
    patterns: bool = False
    """Whether the fills of charts have patterns in every theme."""
    language: Literal["system", "en", "zh_CN"] = "system"
    units: Literal["binary", "decimal"] = "binary"
    """Whether sizes are shown in GiB and its kin or in GB and its."""
    geometry: Line = ""
    """Place and size of the window, as the window system gives it, in text form."""
    last_folder: Line = ""
    recent: tuple[Line, ...] = Field(default=(), max_length=MAX_RECENT)
    commands: tuple[Line, ...] = Field(default=(), max_length=MAX_COMMANDS)
    """Ids of commands of the palette that were used, the last one first."""
    export: ExportChoice = ExportChoice()
    extra: tuple[Unknown, ...] = Field(default=(), max_length=1_000)

    @property
    def recent_files(self) -> tuple[Path, ...]:
        """Recent documents, the newest first; nothing says that they still exist."""
        return tuple(path_from_text(text) for text in self.recent)

    def with_recent(self, path: str | os.PathLike[str]) -> Settings:
        """Return the settings with a document put first among the recent ones."""
        text = path_to_text(os.path.abspath(path))
        others = tuple(other for other in self.recent if other != text)
        return self.with_(recent=(text, *others)[:MAX_RECENT])

    def with_command(self, command_id: str) -> Settings:
        """Return the settings with a command put first among the used ones."""
        others = tuple(other for other in self.commands if other != command_id)
        return self.with_(commands=(command_id, *others)[:MAX_COMMANDS])

    def without_recent(self, path: str | os.PathLike[str]) -> Settings:
        """Return the settings without a document that is gone."""
        text = path_to_text(os.path.abspath(path))
        return self.with_(recent=tuple(other for other in self.recent if other != text))


def load(path: Path) -> tuple[Settings, tuple[Note, ...]]:
    """Read the settings; what cannot be used falls back to its default, with a note."""
    try:
        return loads(jsonfile.read_bytes(path, LIMIT_BYTES), shown(path)), ()
    except UserError as error:
        if error.code == "file_missing":
            return Settings(), ()
        return _usable(path), (Note("settings_reset", {"path": shown(path)}),)


def loads(data: bytes, name: str) -> Settings:
    """Read settings from the bytes of a file; raises `UserError`."""
    content = _content(data, name)
    extra = unknown.lift(Settings, content, name)
    settings = jsonfile.validated(Settings, content, name)
    try:
        return settings.with_(extra=extra)
    except ValidationError:
        return settings


def _content(data: bytes, name: str) -> dict[str, Any]:
    content = jsonfile.parse_object(data, name)
    if content.pop("format", None) != FORMAT:
        raise UserError("not_settings", path=name)
    content.pop("schema_version", None)
    return content


def _usable(path: Path) -> Settings:
    """Return the settings of a file with the unusable ones left out."""
    settings = Settings()
    try:
        content = _content(jsonfile.read_bytes(path, LIMIT_BYTES), "")
    except UserError:
        return settings
    for key in settings.model_dump(exclude={"extra"}):
        if key in content:
            try:
                one = jsonfile.validated(Settings, {key: content[key]}, "")
            except UserError:
                continue
            settings = settings.with_(**{key: getattr(one, key)})
    return settings


def dumps(settings: Settings) -> bytes:
    """Return the settings as the bytes of their file."""
    content = settings.model_dump(mode="json", exclude={"extra"})
    unknown.put_back(content, settings.extra)
    return jsonfile.to_bytes(content | {"format": FORMAT, "schema_version": 1})


def save_settings(path: Path, settings: Settings) -> None:
    """Write the settings, whole or not at all; raises `UserError`."""
    make_folder(path.parent)
    save(path, dumps(settings), overwrite=True)
