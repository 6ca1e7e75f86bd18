"""Where things are: what ships with the program, and the folders of the person who uses it."""

from __future__ import annotations

import os
import re
import string
import sys
from pathlib import Path

from platformdirs import user_config_path, user_data_path, user_state_path

from workbench.spec.base import unwanted_character

_APP = "kvw"
_PLAIN_BYTES = frozenset((string.ascii_letters + string.digits + "/._-~+,=@ ").encode())
_ESCAPED = re.compile(rb"%([0-9A-F]{2})")
# These reorder or hide what surrounds them on a terminal or in a title bar.
_HIDDEN = frozenset(
    "\u200b\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
)


def _shipped(name: str) -> Path:
    """Find a folder that ships with the program: frozen, installed, or in a checkout."""
    package = Path(__file__).resolve().parents[1]
    places = [package / "_data" / name, package.parent / name]
    bundle = getattr(sys, "_MEIPASS", None)
    if bundle is not None:
        places[:0] = [Path(bundle) / "workbench" / "_data" / name, Path(bundle) / name]
    return next((place for place in places if place.is_dir()), places[0])


def presets_dir() -> Path:
    """Folder of the built-in presets."""
    return _shipped("presets")


def resources_dir() -> Path:
    """Folder of icons, translations and example plans."""
    return _shipped("resources")


def user_data_dir() -> Path:
    """Folder for what the person made; not created here."""
    return user_data_path(_APP, appauthor=False)


def user_presets_dir() -> Path:
    """Folder of the person's own presets; not created here."""
    return user_data_dir() / "presets"


def state_dir() -> Path:
    """Folder of recovery files; not created here."""
    return user_state_path(_APP, appauthor=False)


def config_dir() -> Path:
    """Folder of the settings; not created here."""
    return user_config_path(_APP, appauthor=False)


def shown(path: str | os.PathLike[str]) -> str:
    r"""Return a path as text that is safe to show: bytes that are no UTF-8 become "\xff"."""
    try:
        text = os.fsencode(path).decode("utf-8", "backslashreplace")
    except UnicodeEncodeError:
        # Half characters that stand for no byte: no disk has such a name.
        text = os.fspath(path).encode("utf-8", "backslashreplace").decode()
    return "".join(
        character.encode("unicode_escape").decode("ascii")
        if character in _HIDDEN or unwanted_character(character) is not None
        else character
        for character in text
    )


def path_to_text(path: str | os.PathLike[str]) -> str:
    """Write any path, whatever its bytes, as ASCII text for one of our files."""
    return "".join(
        chr(byte) if byte in _PLAIN_BYTES else f"%{byte:02X}" for byte in os.fsencode(path)
    )


def path_from_text(text: str) -> Path:
    """Read what `path_to_text` wrote; other text is taken as it stands."""
    raw = text.encode("utf-8", "surrogateescape")
    return Path(os.fsdecode(_ESCAPED.sub(lambda match: bytes([int(match[1], 16)]), raw)))
