"""A presentation of a person's own as the template of slides: checked before anything opens it.

A package is a zip file with XML in it; both can be made to eat a machine. `library.package_file`
looks after the first; here stands what is asked of the second.
"""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any, Final

from workbench.library import package_file
from workbench.library.jsonfile import read_bytes
from workbench.library.package_file import LIMIT_BYTES
from workbench.library.paths import shown
from workbench.spec.errors import UserError

LIMIT_MARKS: Final = 3_000_000
"""Elements and attributes in all parts; each takes a hundred bytes of memory."""
LIMIT_RELATIONS: Final = 20_000
"""Of one part."""
_LEAST_SIDE_EMU: Final = 3 * 914_400
"""Of a slide, three inches: on a smaller one, which office programs know, no table can be read."""
_MOST_SIDE_EMU: Final = 56 * 914_400
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
_REFUSALS: Final[dict[package_file.Reason, str]] = {
    "damaged": "template_no_package",
    "locked": "template_encrypted",
    "parts": "template_too_many_parts",
    "odd_part": "template_odd_part",
    "unpacked": "template_unpacked",
}


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
        data = read_bytes(path, LIMIT_BYTES)
    except UserError as error:
        if error.code in ("file_too_large", "file_over_limit"):
            raise UserError("template_too_large", path=name, limit_bytes=LIMIT_BYTES) from None
        raise
    if data.startswith(_OLE):
        raise UserError("template_encrypted", path=name)
    return data


def checked_parts(data: bytes, name: str) -> dict[str, bytes]:
    """Return the parts of a package whose counts, sizes and names are within bounds."""
    try:
        parts = package_file.parts_of(data)
    except package_file.Refused as refused:
        limits = {"limit": package_file.LIMIT_PARTS}
        limits["limit_bytes"] = package_file.LIMIT_UNPACKED_BYTES
        raise UserError(_REFUSALS[refused.reason], path=name, **limits) from None
    kinds = parts.get("[Content_Types].xml", b"")
    if _MAIN not in parts or not kinds:
        raise UserError("template_no_slides", path=name)
    if _MACROS in kinds:
        raise UserError("template_macros", path=name)
    if _SLIDES not in kinds and _TEMPLATES not in kinds:
        raise UserError("template_no_slides", path=name)
    _check_xml(parts, name)
    return parts


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
    if not all(size and _LEAST_SIDE_EMU <= size <= _MOST_SIDE_EMU for size in sizes):
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
