"""A presentation of a person's own as the template of slides: checked before anything opens it.

A package is a zip file with XML in it; both can be made to eat a machine. Counts and sizes are
therefore looked at first, and what is unpacked is counted, since a size that is declared may lie.
"""

from __future__ import annotations

import io
import os
import stat
import struct
import zipfile
import zlib
from pathlib import Path
from typing import Any, Final

from workbench.library.paths import shown
from workbench.spec.errors import UserError
from workbench.spec.units import MIB

LIMIT_BYTES: Final = 50 * MIB
LIMIT_UNPACKED_BYTES: Final = 200 * MIB
LIMIT_PARTS: Final = 5_000
LIMIT_RATIO: Final = 200
LIMIT_MARKS: Final = 3_000_000
"""Elements and attributes in all parts; each takes a hundred bytes of memory."""
LIMIT_RELATIONS: Final = 20_000
"""Of one part."""
_SMALL_BYTES: Final = MIB
"""Parts that small may be packed as tightly as they like."""
_OLE: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
"""What an encrypted or an old presentation begins with."""
_MAIN: Final = "ppt/presentation.xml"
_SLIDES: Final = b"presentationml.presentation.main+xml"
_TEMPLATES: Final = b"presentationml.template.main+xml"
_MACROS: Final = b"macroEnabled"
_HEAD: Final = 128
_BEFORE_XML: Final = b"\xef\xbb\xbf\xff\xfe \t\r\n"
_EBCDIC: Final = b"\x4c\x6f\xa7\x94"
"""How XML in a code that is not ASCII's begins; office programs never write it."""
_LISTED: Final = b"PK\x01\x02"
"""Before each part in the list at the end of a zip file."""
_CHUNK: Final = 2**16


def open_template(path: Path) -> Any:
    """Return a person's presentation to add slides to; the file itself is never written.

    Raises `UserError` with one sentence for anything that is none.
    """
    name = shown(path)
    data = _bytes_of(path, name)
    parts = checked_parts(data, name)
    if _TEMPLATES in parts["[Content_Types].xml"]:
        data = _as_presentation(parts)
    return _opened(data, name)


def _bytes_of(path: Path, name: str) -> bytes:
    """Read a regular file that is not too large."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0))
    except FileNotFoundError:
        raise UserError("file_missing", path=name) from None
    except (OSError, ValueError):
        raise UserError("template_unreadable", path=name) from None
    facts = os.fstat(handle)
    if not stat.S_ISREG(facts.st_mode):
        os.close(handle)
        raise UserError("template_no_file", path=name)
    with os.fdopen(handle, "rb") as file:
        if facts.st_size > LIMIT_BYTES:
            raise UserError("template_too_large", path=name, limit_bytes=LIMIT_BYTES)
        try:
            data = file.read(LIMIT_BYTES + 1)
        except OSError:
            raise UserError("template_unreadable", path=name) from None
    if len(data) > LIMIT_BYTES:
        raise UserError("template_too_large", path=name, limit_bytes=LIMIT_BYTES)
    if data.startswith(_OLE):
        raise UserError("template_encrypted", path=name)
    return data


def checked_parts(data: bytes, name: str) -> dict[str, bytes]:
    """Return the parts of a package whose counts, sizes and names are within bounds."""
    if data.count(_LISTED) > 4 * LIMIT_PARTS:
        # Before the list is read: an entry takes more memory than it has bytes.
        raise UserError("template_too_many_parts", path=name, limit=LIMIT_PARTS)
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            _check_list(package, name)
            parts = {entry.filename: _unpacked(package, entry, name) for entry in package.filelist}
    except (zipfile.BadZipFile, zlib.error, EOFError, struct.error, OSError, ValueError):
        raise UserError("template_no_package", path=name) from None
    except (NotImplementedError, RuntimeError):
        # Another packing, or a password on a part.
        raise UserError("template_encrypted", path=name) from None
    kinds = parts.get("[Content_Types].xml", b"")
    if _MAIN not in parts or not kinds:
        raise UserError("template_no_slides", path=name)
    if _MACROS in kinds:
        raise UserError("template_macros", path=name)
    if _SLIDES not in kinds and _TEMPLATES not in kinds:
        raise UserError("template_no_slides", path=name)
    _check_xml(parts, name)
    return parts


def _check_list(package: zipfile.ZipFile, name: str) -> None:
    entries = package.filelist
    if len(entries) > LIMIT_PARTS:
        raise UserError("template_too_many_parts", path=name, limit=LIMIT_PARTS)
    names = [entry.filename for entry in entries]
    if len({one.lower() for one in names}) != len(names):
        raise UserError("template_no_package", path=name)
    for one in names:
        if one.startswith("/") or "\\" in one or ".." in one.split("/") or ":" in one:
            raise UserError("template_odd_part", path=name)
    declared = sum(entry.file_size for entry in entries)
    if declared > LIMIT_UNPACKED_BYTES:
        raise UserError("template_unpacked", path=name, limit_bytes=LIMIT_UNPACKED_BYTES)
    for entry in entries:
        if entry.file_size > max(_SMALL_BYTES, LIMIT_RATIO * entry.compress_size):
            raise UserError("template_unpacked", path=name, limit_bytes=LIMIT_UNPACKED_BYTES)


def _unpacked(package: zipfile.ZipFile, entry: zipfile.ZipInfo, name: str) -> bytes:
    """Unpack a part, at most as much as it declares."""
    found = bytearray()
    with package.open(entry) as part:
        while chunk := part.read(_CHUNK):
            found += chunk
            if len(found) > entry.file_size:
                raise UserError("template_unpacked", path=name, limit_bytes=LIMIT_UNPACKED_BYTES)
    return bytes(found)


def _check_xml(parts: dict[str, bytes], name: str) -> None:
    """Refuse document types, where entities live, and more elements than memory is good for.

    Every part that may be read as XML counts, whatever it is called.
    """
    marks = 0
    for part, data in parts.items():
        head = data[:_HEAD].replace(b"\0", b"").lstrip(_BEFORE_XML)
        is_relations = part.lower().endswith(".rels")
        if head.startswith(_EBCDIC):
            raise UserError("template_no_package", path=name)
        if not head.startswith(b"<") and not is_relations and not part.lower().endswith(".xml"):
            continue
        # Two bytes a character hide a word from a plain search.
        read = data.replace(b"\0", b"") if b"\0" in data[:_HEAD] else data
        if b"<!DOCTYPE" in read:
            raise UserError("template_no_package", path=name)
        found = read.count(b"<")
        marks += found + read.count(b"=")
        most = LIMIT_RELATIONS if is_relations else LIMIT_MARKS
        if found > most or marks > LIMIT_MARKS:
            raise UserError("template_too_many_parts", path=name, limit=most)
    for part, data in parts.items():
        if part.lower().endswith((".xml", ".rels")):
            _check_form(data, name)


def _check_form(data: bytes, name: str) -> None:
    """Refuse a part that cannot be read, also one that would only be handed on."""
    from lxml import etree

    parser = etree.XMLParser(resolve_entities=False, no_network=True)
    try:
        etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError, LookupError):
        raise UserError("template_no_slides", path=name) from None


def _as_presentation(parts: dict[str, bytes]) -> bytes:
    """Return a template (.potx) as the presentation that it would start."""
    from workbench.export.package_zip import packed

    kinds = parts["[Content_Types].xml"].replace(_TEMPLATES, _SLIDES)
    return packed(parts | {"[Content_Types].xml": kinds})


def _opened(data: bytes, name: str) -> Any:
    from pptx import Presentation

    try:
        sizes, layouts = _tried(Presentation(io.BytesIO(data)))
        made = Presentation(io.BytesIO(data)) if layouts else None
    except Exception:
        # A library that trusts its files fails in as many ways as a file can be wrong.
        raise UserError("template_no_slides", path=name) from None
    if not layouts:
        raise UserError("template_no_layout", path=name)
    if not all(size and 914_400 <= size <= 51_206_400 for size in sizes):
        raise UserError("template_odd_size", path=name)
    return made


def _tried(presentation: Any) -> tuple[tuple[Any, Any], int]:
    """Do once what slides will need: a file may be whole enough to open and no more.

    Return its sizes and the number of its layouts.
    """
    from workbench.export.slides.frame import frame_of, has_dark_ground

    layouts = sum(len(master.slide_layouts) for master in presentation.slide_masters)
    sizes = presentation.slide_width, presentation.slide_height
    if layouts and all(sizes):
        frame = frame_of(presentation, own=False)
        has_dark_ground(frame.layout)
        slide = presentation.slides.add_slide(frame.layout)
        slide.notes_slide.notes_text_frame.text = slide.name
        presentation.save(io.BytesIO())
    return sizes, layouts
