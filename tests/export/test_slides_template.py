"""A presentation of a person's own as template: used, never damaged; hostile ones are refused."""

from __future__ import annotations

import io
import os
import struct
import zipfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest
from pptx import Presentation
from pptx.enum.shapes import PP_PLACEHOLDER
from pptx.util import Inches

from tests.export import plans
from tests.export.packages import check_package, parts_of
from workbench.charts.palette import DARK, LIGHT, Theme
from workbench.export.options import Options
from workbench.export.slides import template as templates
from workbench.export.slides.deck import deck_bytes
from workbench.spec.errors import UserError
from workbench.spec.words import error_text

TYPES = "[Content_Types].xml"
MAIN = "ppt/presentation.xml"


@cache
def corporate() -> bytes:
    """A presentation with a size, a master and two slides of its own."""
    made = Presentation()
    made.slide_width, made.slide_height = Inches(11), Inches(6.5)
    made.slide_master.name = "Corporate"
    for text in ("Who we are", "What we do"):
        slide = made.slides.add_slide(made.slide_layouts[0])
        slide.shapes.title.text = text
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def packed(parts: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in parts.items():
            package.writestr(name, data)
    return buffer.getvalue()


def raw_parts() -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(corporate())) as package:
        return {name: package.read(name) for name in package.namelist()}


def test_slides_join_those_of_the_template(tmp_path: Path) -> None:
    path = tmp_path / "corporate.pptx"
    path.write_bytes(corporate())
    made = deck_bytes(plans.example(), Options(), path)
    assert path.read_bytes() == corporate()
    parts = check_package(made)
    deck = Presentation(io.BytesIO(made))
    titles = [slide.shapes.title.text_frame.text for slide in deck.slides]
    assert titles[:3] == ["Who we are", "What we do", "Example"]
    assert (deck.slide_width, deck.slide_height) == (Inches(11), Inches(6.5))
    assert len(deck.slide_masters) == 1
    before = raw_parts()
    kept = [name for name in before if name.startswith(("ppt/slides/", "ppt/slideMasters/slideM"))]
    assert kept
    for name in kept:
        assert parts[name] == before[name], f"{name} has changed"
    for slide in list(deck.slides)[2:]:
        for shape in slide.shapes:
            assert shape.left + shape.width <= deck.slide_width + 9_525
            assert shape.top + shape.height <= deck.slide_height + 9_525


def test_a_template_file_starts_a_presentation(tmp_path: Path) -> None:
    parts = raw_parts()
    parts[TYPES] = parts[TYPES].replace(
        b"presentationml.presentation.main+xml", b"presentationml.template.main+xml"
    )
    path = tmp_path / "corporate.potx"
    path.write_bytes(packed(parts))
    made = check_package(deck_bytes(plans.example(), Options(), path))
    assert b"presentationml.presentation.main+xml" in made[TYPES]


def house(*, dark: bool) -> bytes:
    """A presentation whose titles, footers and ground are not where and as ours are."""
    made = Presentation()
    made.slide_width, made.slide_height = Inches(13.333), Inches(7.5)
    master = made.slide_master
    if dark:
        colours = master._element.find("{*}clrMap")
        colours.set("bg1", "dk1")
        colours.set("tx1", "lt1")
    for holder in (master, *made.slide_layouts):
        for shape in holder.placeholders:
            kind = shape.placeholder_format.type
            if kind == PP_PLACEHOLDER.TITLE:
                box = (2.0, 0.9, 10.8, 0.8)
            elif kind in (PP_PLACEHOLDER.DATE, PP_PLACEHOLDER.FOOTER, PP_PLACEHOLDER.SLIDE_NUMBER):
                box = ({16: 2.0, 15: 4.5, 13: 11.0}[int(kind)], 6.6, 1.8, 0.4)
            else:
                continue
            shape.left, shape.top, shape.width, shape.height = map(Inches, box)
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


@pytest.mark.parametrize(("dark", "theme"), [(False, LIGHT), (True, DARK)])
def test_a_template_keeps_its_title_and_its_ground(
    dark: bool, theme: Theme, tmp_path: Path
) -> None:
    path = tmp_path / "house.pptx"
    path.write_bytes(house(dark=dark))
    deck = Presentation(io.BytesIO(deck_bytes(plans.chinese(), Options(), path)))
    assert len(deck.slides) > 5
    for slide in deck.slides:
        assert slide.shapes.title.top == Inches(0.9)
        assert slide.follow_master_background
        for shape in slide.shapes:
            if shape != slide.shapes.title:
                assert shape.left >= Inches(2) - 9_525
                assert shape.top >= Inches(1.7)
                assert shape.top + shape.height <= Inches(7) + 9_525
    results = [one for one in deck.slides[1].shapes if one.name.startswith("result")]
    inks = [str(one.text_frame.paragraphs[0].runs[0].font.color.rgb) for one in results]
    assert f"#{inks[0]}" == theme.success
    assert f"#{inks[2]}" == theme.danger


def without(*names: str) -> bytes:
    return packed({name: data for name, data in raw_parts().items() if name not in names})


def changed(**parts: bytes) -> bytes:
    return packed(raw_parts() | {_names[key]: data for key, data in parts.items()})


_names = {
    "types": TYPES,
    "main": MAIN,
    "master": "ppt/slideMasters/slideMaster1.xml",
    "theme": "ppt/theme/theme1.xml",
    "rels": "ppt/_rels/presentation.xml.rels",
    "root": "_rels/.rels",
}
LAUGHS = (
    b'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a "ha">'
    + b"".join(f'<!ENTITY {chr(98 + n)} "{f"&{chr(97 + n)};" * 10}">'.encode() for n in range(9))
    + b"]><x>&j;</x>"
)


MAIN_XML = '<?xml version="1.0" encoding="cp500"?><p/>'


def many_elements() -> bytes:
    """A part that packs no tighter than a picture would, yet fills memory once it is read."""
    lines = (b"%d" % number + b"<y/>" * 40 for number in range(22_500))
    return b"<x>" + b"".join(lines) + b"</x>"


def lying(size: int) -> bytes:
    """A package whose list says that its first part is of another size."""
    data = bytearray(corporate())
    at = data.find(b"PK\x01\x02")
    data[at + 24 : at + 28] = struct.pack("<I", size)
    return bytes(data)


def many_parts() -> bytes:
    return packed(raw_parts() | {f"x/{number}.xml": b"<x/>" for number in range(5_001)})


def macros() -> bytes:
    kinds = raw_parts()[TYPES].replace(
        b"presentationml.presentation.main", b"ms-powerpoint.presentation.macroEnabled.main"
    )
    return changed(types=kinds)


def no_layouts() -> bytes:
    made = Presentation()
    layouts = made.slide_layouts
    for layout in list(layouts):
        layouts.remove(layout)
    buffer = io.BytesIO()
    made.save(buffer)
    return buffer.getvalue()


def encrypted_part() -> bytes:
    data = bytearray(corporate())
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        start = data.find(mark)
        data[start + at] |= 1
    return bytes(data)


BAD: dict[str, tuple[Callable[[], bytes], str]] = {
    "empty": (lambda: b"", "damaged"),
    "text": (lambda: b"hello", "damaged"),
    "zip of nothing": (lambda: packed({}), "no presentation"),
    "zip of a text": (lambda: packed({"a.txt": b"x"}), "no presentation"),
    "old office": (
        lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(4096),
        "encrypted or an old",
    ),
    "a picture": (lambda: b"\x89PNG\r\n\x1a\n" + bytes(500), "damaged"),
    "half a file": (lambda: corporate()[: len(corporate()) // 2], "damaged"),
    "without its end": (lambda: corporate()[:-30], "damaged"),
    "bytes turned": (lambda: corporate()[:60] + bytes(400) + corporate()[460:], "damaged"),
    "no content types": (lambda: without(TYPES), "no presentation"),
    "no main part": (lambda: without(MAIN), "no presentation"),
    "no master": (lambda: without(_names["master"]), "no presentation"),
    "no relations": (lambda: without(_names["rels"]), "no slide layout|no presentation"),
    "no root relations": (lambda: without(_names["root"]), "no presentation"),
    "types are no XML": (lambda: changed(types=b"<"), "no presentation"),
    "main is no XML": (lambda: changed(main=b"not xml"), "no presentation"),
    "main is another": (lambda: changed(main=b"<x/>"), "no presentation"),
    "master is no XML": (lambda: changed(master=b"<p"), "no presentation"),
    "theme is no XML": (lambda: changed(theme=b"<a"), "no presentation"),
    "relations are no XML": (lambda: changed(rels=b"{}"), "no presentation"),
    "laughs": (lambda: changed(main=LAUGHS), "damaged"),
    "laughs in the theme": (lambda: changed(theme=LAUGHS), "damaged"),
    "an entity of a file": (
        lambda: changed(main=b'<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]><x>&a;</x>'),
        "damaged",
    ),
    "macros": (macros, "carries macros"),
    "five thousand parts": (many_parts, "more than 5,000 parts"),
    "a part above": (lambda: packed(raw_parts() | {"../x.xml": b"<x/>"}), "outside itself"),
    "an absolute part": (lambda: packed(raw_parts() | {"/etc/x": b"x"}), "outside itself"),
    "a backslash": (lambda: packed(raw_parts() | {"a\\..\\b": b"x"}), "outside itself"),
    "a drive": (lambda: packed(raw_parts() | {"C:x": b"x"}), "outside itself"),
    "names twice": (
        lambda: packed(raw_parts() | {"PPT/presentation.XML": b"<x/>"}),
        "damaged",
    ),
    "a bomb": (lambda: packed(raw_parts() | {"x.bin": bytes(30 * 2**20)}), "unpacks to more"),
    "many bombs": (
        lambda: packed(raw_parts() | {f"{n}.bin": bytes(range(256)) * 2**13 for n in range(110)}),
        "unpacks to more",
    ),
    "says four gigabytes": (lambda: lying(0xFFFFFFFE), "unpacks to more"),
    "says less than it holds": (lambda: lying(3), "damaged|unpacks to more"),
    "laughs two bytes a letter": (
        lambda: changed(main=LAUGHS.decode().encode("utf-16")),
        "damaged",
    ),
    "laughs after a long comment": (
        lambda: changed(main=b"<!--" + b"x" * 9_000 + b"-->" + LAUGHS.partition(b"?>")[2]),
        "damaged",
    ),
    "not in letters of ASCII": (lambda: changed(main=MAIN_XML.encode("cp500")), "damaged"),
    "too many elements": (
        lambda: packed(raw_parts() | {f"x{n}.bin": many_elements() for n in range(4)}),
        "more than 3,000,000 parts",
    ),
    "too many relations": (
        lambda: changed(rels=b"<r>" + b"<r/>" * 20_001 + b"</r>"),
        "more than 20,000 parts",
    ),
    "a list without end": (
        lambda: b"PK\x03\x04" + b"PK\x01\x02" * 30_000,
        "more than 5,000 parts",
    ),
    "a password": (encrypted_part, "encrypted"),
    "no layouts": (no_layouts, "no slide layout|no presentation"),
    "impossible size": (
        lambda: changed(main=raw_parts()[MAIN].replace(b'cx="10058400"', b'cx="0"')),
        "holds no chart|no presentation",
    ),
}


def test_there_are_enough_bad_ones() -> None:
    assert len(BAD) >= 30


@pytest.mark.parametrize("name", BAD)
def test_a_bad_template_is_one_sentence(name: str, tmp_path: Path) -> None:
    make, sentence = BAD[name]
    path = tmp_path / "bad.pptx"
    path.write_bytes(make())
    with pytest.raises(UserError) as caught:
        templates.open_template(path)
    said = error_text(caught.value)
    assert "\n" not in said
    assert any(part in said for part in sentence.split("|")), said
    assert "bad.pptx" in said


def test_what_is_no_file_is_refused(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe.pptx"
    os.mkfifo(pipe)
    for path in (tmp_path, pipe, Path("/dev/zero"), Path("/dev/null")):
        with pytest.raises(UserError):
            templates.open_template(path)
    with pytest.raises(UserError, match="file_missing"):
        templates.open_template(tmp_path / "nowhere.pptx")


def test_a_large_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.pptx"
    with path.open("wb") as file:
        file.truncate(templates.LIMIT_BYTES + 1)
    with pytest.raises(UserError, match="template_too_large"):
        templates.open_template(path)


def test_no_template_is_ever_written(tmp_path: Path) -> None:
    path = tmp_path / "corporate.pptx"
    path.write_bytes(corporate())
    path.chmod(0o400)
    made = deck_bytes(plans.example(), Options(), path)
    assert path.read_bytes() == corporate()
    assert parts_of(made)
