"""Reading JSON that anyone may have written, without crashing, hanging or eating memory.

Everything that costs is refused before it is paid for: only regular files are opened, the size
is known before a byte is read, and an outline (depth, number of values, longest number) is
taken from the raw bytes before anything is built. Whatever is wrong comes out as `UserError`.
"""

from __future__ import annotations

import codecs
import errno
import json
import math
import os
import re
import stat
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import from_json

from workbench.library import json_places
from workbench.library.paths import shown
from workbench.library.refusal import refusal
from workbench.spec.base import MAX_INT, unwanted_character
from workbench.spec.errors import UserError
from workbench.spec.quoting import place

MIB: Final = 2**20
PLAN_LIMIT_BYTES: Final = 16 * MIB
MAX_DEPTH: Final = 64
MAX_CONTAINERS: Final = 150_000
MAX_VALUES: Final = 500_000
MAX_TEXT_BYTES: Final = MIB
MAX_KEY_CHARACTERS: Final = 1_000
_CHUNK: Final = 256 * 1024
_NOT_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))
_STEP: Final = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_DIGITS_AS_ZEROS: Final = bytes(ord("0" if byte in b"0123456789" else " ") for byte in range(256))
_LONG_NUMBER: Final = b"0" * 400
_BACKSLASHES: Final = re.compile(rb"\\*")
_POSITION: Final = re.compile(r" at line ([0-9]+) column ([0-9]+)$")
_KINDS: Final = (
    (stat.S_ISDIR, "is_a_folder"),
    (stat.S_ISFIFO, "is_a_pipe"),
    (stat.S_ISSOCK, "is_a_socket"),
    (stat.S_ISCHR, "is_a_device"),
    (stat.S_ISBLK, "is_a_device"),
)

Model = TypeVar("Model", bound=BaseModel)


def no_file(mode: int, name: str) -> UserError:
    """Return the error that says what a file is that is no regular file."""
    return UserError(next((code for test, code in _KINDS if test(mode)), "is_no_file"), path=name)


def read_bytes(path: Path, limit_bytes: int) -> bytes:
    """Return the content of a regular file of at most `limit_bytes`."""
    name = shown(path)
    try:
        # Without O_NONBLOCK, opening a pipe waits for a writer that may never come.
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
        descriptor = os.open(path, flags | getattr(os, "O_NOCTTY", 0) | getattr(os, "O_BINARY", 0))
    except (OSError, ValueError) as error:
        raise _cannot_read(error, name) from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise no_file(status.st_mode, name)
        return _read_all(descriptor, status.st_size, limit_bytes, name)
    except OSError as error:
        raise _cannot_read(error, name) from None
    finally:
        # All has been read by now; whatever closing says changes nothing.
        with suppress(OSError):
            os.close(descriptor)


def _read_all(descriptor: int, size_bytes: int, limit_bytes: int, name: str) -> bytes:
    if size_bytes > limit_bytes:
        raise too_large(name, limit_bytes, size_bytes)
    parts: list[bytes] = []
    left = limit_bytes + 1
    while left > 0 and (part := os.read(descriptor, min(left, MIB))):
        parts.append(part)
        left -= len(part)
    if left <= 0:
        # Grew while it was read, or is one of the files that report no size.
        raise too_large(name, limit_bytes)
    return parts[0] if len(parts) == 1 else b"".join(parts)


def too_large(name: str, limit_bytes: int, size_bytes: int | None = None) -> UserError:
    """Return the error that a file is too large; None where it was not read to its end."""
    # Rounded for reading, a size just above the limit would look like the limit.
    if size_bytes is None or size_bytes * 100 < limit_bytes * 101:
        return UserError("file_over_limit", path=name, limit_bytes=limit_bytes)
    return UserError("file_too_large", path=name, size_bytes=size_bytes, limit_bytes=limit_bytes)


def _cannot_read(error: OSError | ValueError, name: str) -> UserError:
    if isinstance(error, ValueError):
        return UserError("path_unusable", path=name)
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return UserError("file_missing", path=name)
    if error.errno in (errno.EACCES, errno.EPERM):
        return UserError("read_not_permitted", path=name)
    if error.errno == errno.EISDIR:
        return UserError("is_a_folder", path=name)
    if error.errno in (errno.ENXIO, errno.ENODEV):
        return UserError("is_no_file", path=name)
    if error.errno == errno.ELOOP:
        return UserError("link_loop", path=name)
    if error.errno == errno.ENAMETOOLONG:
        return UserError("name_too_long", path=name)
    return UserError("read_failed", path=name, reason=errno.errorcode.get(error.errno or 0, "?"))


# Parsing


def parse(data: bytes, name: str) -> Any:
    """Return the value of a JSON text; `name` says in messages where it came from."""
    check_encoding(data, name)
    outline = _outline(data, name)
    if outline.has_long_number:
        raise _long_number(data, name)
    try:
        value = from_json(data, allow_inf_nan=False)
    except ValueError as error:
        position = _POSITION.search(str(error))
        line, column = (int(position[1]), int(position[2])) if position else (1, 1)
        # Escapes of whole characters that are written wrong are called invalid instead.
        code = "json_half_character" if "hex escape" in str(error) else "json_syntax"
        raise UserError(code, path=name, line=line, column=column) from None
    members = _Walk(name).check(value)
    if members != outline.members:
        raise UserError("json_duplicate_key", path=name, where=json_places.duplicate_key(data))
    return value


def parse_object(data: bytes, name: str) -> dict[str, Any]:
    """Return the object that a JSON text holds; refuses a list, a number or a text."""
    value = parse(data, name)
    if not isinstance(value, dict):
        raise UserError("json_not_an_object", path=name)
    return value


def validated(model: type[Model], value: Any, name: str, where: str = "") -> Model:
    """Turn a parsed value into a strict type; `where` is the JSON path it stands at."""
    try:
        # Strict types take lists for tuples only from JSON text.
        return model.model_validate_json(to_text(value))
    except ValidationError as error:
        raise refusal(error, value, name, where, model) from None


def to_text(value: Any) -> str:
    """Return a parsed value as compact JSON text."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def to_bytes(value: Any) -> bytes:
    """Return the one way our files are written: sorted keys, two-space indent, final newline."""
    text = json.dumps(value, ensure_ascii=False, allow_nan=False, sort_keys=True, indent=2)
    return f"{text}\n".encode()


def check_size(data: bytes, name: str, limit_bytes: int) -> None:
    """Refuse to write what `read_bytes` and `parse` would refuse to read."""
    if len(data) > limit_bytes:
        raise too_large(name, limit_bytes, len(data))
    if _outline(data, name).has_long_number:
        raise _long_number(data, name)


def check_encoding(data: bytes, name: str) -> None:
    """Refuse bytes that are no UTF-8, saying what they look like."""
    if data.startswith(codecs.BOM_UTF8):
        raise UserError("encoding_bom", path=name)
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) or b"\x00" in data[:4]:
        raise UserError("encoding_utf16", path=name)
    if not data.strip(b" \t\r\n"):
        raise UserError("file_empty", path=name)
    decoder = codecs.getincrementaldecoder("utf-8")("strict")
    try:
        # In pieces: one character outside the BMP makes the whole text four times its size.
        for start in range(0, len(data), _CHUNK):
            decoder.decode(data[start : start + _CHUNK])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        raise UserError("encoding_not_utf8", path=name, line=_bad_line(data)) from None


def _bad_line(data: bytes) -> int:
    """Return the number of the first line that is no UTF-8."""
    for number, line in enumerate(data.split(b"\n", 100_000), start=1):
        try:
            line.decode("utf-8")
        except UnicodeDecodeError:
            return number
    return 1


@dataclass(slots=True)
class _Outline:
    """What is known of a JSON text before it is parsed."""

    depth: int = 0
    containers: int = 0
    members: int = 0
    values: int = 0
    quotes: int = 0
    has_long_number: bool = False


def _outline(data: bytes, name: str) -> _Outline:
    """Count brackets, members and values outside of texts; refuses what would cost too much."""
    outline = _Outline()
    in_text, text_bytes, start = False, 0, 0
    while start < len(data):
        end = min(start + _CHUNK, len(data))
        if data[end - 1] == ord("\\"):
            # An escape is not cut in two.
            end = min(_BACKSLASHES.match(data, end).end() + 1, len(data))  # type: ignore[union-attr]
        # With escapes neutralised every quote opens or closes a text.
        chunk = data[start:end].replace(b"\\\\", b"__").replace(b'\\"', b"__")
        parts = chunk.split(b'"')
        outside = b'"'.join(parts[int(in_text) :: 2])
        if in_text:
            text_bytes += len(parts[0])
            if text_bytes > MAX_TEXT_BYTES:
                position = json_places.long_text(data, MAX_TEXT_BYTES)
                raise UserError(
                    "json_text_too_long", path=name, limit_bytes=MAX_TEXT_BYTES, **position
                )
        if len(parts) > 1:
            text_bytes = len(parts[-1])
        in_text ^= len(parts) % 2 == 0
        outline.quotes += len(parts) - 1
        start = end
        _count(outline, outside, data, name)
    return outline


def _count(outline: _Outline, outside: bytes, data: bytes, name: str) -> None:
    brackets = outside.translate(None, _NOT_BRACKETS)
    if brackets:
        depths = list(accumulate(map(_STEP.__getitem__, brackets), initial=outline.depth))
        if max(depths) > MAX_DEPTH:
            position = json_places.too_deep(data, MAX_DEPTH)
            raise UserError("json_too_deep", path=name, limit=MAX_DEPTH, **position)
        outline.depth = depths[-1]
    opened = brackets.count(b"[") + brackets.count(b"{")
    outline.containers += opened
    outline.members += outside.count(b":")
    outline.values += opened + outside.count(b",")
    if outline.containers > MAX_CONTAINERS:
        raise UserError("json_too_many_groups", path=name, limit=MAX_CONTAINERS)
    if outline.values > MAX_VALUES or outline.quotes > 4 * MAX_VALUES:
        raise UserError("json_too_many_values", path=name, limit=MAX_VALUES)
    outline.has_long_number |= _LONG_NUMBER in outside.translate(_DIGITS_AS_ZEROS)


def _long_number(data: bytes, name: str) -> UserError:
    """Return the error that says where a number of very many digits stands."""
    try:
        where = json_places.long_number(data, len(_LONG_NUMBER))
    except json.JSONDecodeError as error:
        return UserError("json_syntax", path=name, line=error.lineno, column=error.colno)
    return UserError("json_number_too_large", path=name, where=where, limit=MAX_INT)


class _Found(Exception):
    """Something that no file of ours may hold; collects the way to it while unwinding."""

    def __init__(self, code: str, **params: object) -> None:
        self.code = code
        self.params = params
        self.steps: list[str | int] = []

    def where(self) -> str:
        return place(reversed(self.steps))


class _Walk:
    """Checks every value of a parsed text and counts the members of its objects."""

    def __init__(self, name: str) -> None:
        self._name = name

    def check(self, value: Any) -> int:
        """Return the number of members in `value`; raises for what no file of ours may hold."""
        try:
            return self._check(value)
        except _Found as found:
            raise UserError(
                found.code, path=self._name, where=found.where(), **found.params
            ) from None

    def _check(self, value: Any) -> int:
        kind = type(value)
        if kind is str:
            if _is_suspect(value):
                raise _Found(
                    "unwanted_character", character=unwanted_character(value, multiline=True)
                )
        elif kind is int:
            if not -MAX_INT - 1 <= value <= MAX_INT:
                raise _Found("json_number_too_large", limit=MAX_INT)
        elif kind is float:
            if not math.isfinite(value):
                raise _Found("json_number_not_finite")
        elif kind is dict:
            return self._check_object(value)
        elif kind is list:
            return self._check_list(value)
        return 0

    def _check_object(self, value: dict[str, Any]) -> int:
        members, step = len(value), ""
        try:
            for key, item in value.items():
                step = key
                fault = _fault_of_key(key)
                if fault is not None:
                    raise _Found(fault[0], **fault[1])
                members += self._check(item)
        except _Found as found:
            found.steps.append(step)
            raise
        return members

    def _check_list(self, value: list[Any]) -> int:
        members = index = 0
        try:
            for index, item in enumerate(value):  # noqa: B007 (the index is the way to a fault)
                members += self._check(item)
        except _Found as found:
            found.steps.append(index)
            raise
        return members


@lru_cache(maxsize=4_096)
def _fault_of_key(key: str) -> tuple[str, dict[str, object]] | None:
    """Return code and parameters of what is wrong with a key; most are seen again and again."""
    if len(key) > MAX_KEY_CHARACTERS:
        return "json_key_too_long", {"limit": MAX_KEY_CHARACTERS}
    character = unwanted_character(key)
    return None if character is None else ("unwanted_character", {"character": character})


def _is_suspect(text: str) -> bool:
    """Whether `unwanted_character` refuses something in a text of many lines."""
    # What is printable holds none of them, and most texts are, line ends aside.
    if text.isprintable() or text.replace("\n", "").replace("\t", "").isprintable():
        return False
    return _suspect_characters().search(text) is not None


@cache
def _suspect_characters() -> re.Pattern[str]:
    """A long text is searched with it in a fraction of the time; few files hold one to search."""
    planes = range(1 << 16, 0x110000, 1 << 16)
    last = "".join(f"{chr(plane + 0xFFFE)}{chr(plane + 0xFFFF)}" for plane in planes)
    return re.compile(f"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff{last}]")
