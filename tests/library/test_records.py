"""Records opened again: the plan comes back whole, hostile files are one sentence."""

from __future__ import annotations

import base64
import io
import json
import os
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.export.plans import chinese, example, named
from workbench.export.options import Options
from workbench.export.record.markdown import markdown_bytes
from workbench.export.record.word import docx_bytes
from workbench.export.subject import Subject
from workbench.library import jsonfile
from workbench.library.records import (
    ATTACHMENT,
    FENCE,
    NAMESPACE,
    load_record,
    loads_record,
    record_data,
    word_mark,
)
from workbench.library.stale import figures_of
from workbench.spec import words
from workbench.spec.errors import UserError

Make = Callable[[Subject, Options], bytes]
MAKERS: dict[str, Make] = {".docx": docx_bytes, ".md": markdown_bytes}


def written(folder: Path, suffix: str, data: bytes) -> Path:
    path = folder / f"record{suffix}"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("suffix", MAKERS)
@pytest.mark.parametrize("make", [example, chinese])
def test_the_plan_comes_back(make: Callable[[], Subject], suffix: str, tmp_path: Path) -> None:
    subject = make()
    path = written(tmp_path, suffix, MAKERS[suffix](subject, Options()))
    found = load_record(path)
    assert found.plan == subject.plan
    assert not found.changed
    for scenario, ledger in subject.answered:
        assert found.answers[scenario.id] == figures_of(ledger)


def test_a_plan_that_was_changed_is_noticed() -> None:
    subject = example()
    document = json.loads(record_data(subject.plan, subject.ledgers))
    document["plan"]["title"] = "Another"
    assert loads_record(json.dumps(document).encode(), "x").changed == "plan"


def test_answers_that_were_changed_are_noticed_and_older_records_open() -> None:
    document = json.loads(GOOD)
    first = document["plan"]["scenarios"][0]["id"]
    document["answers"][first]["most_requests"] += 1
    changed = loads_record(json.dumps(document).encode(), "x")
    assert changed.changed == "answers"
    assert not changed.answers_hold
    # A record of before has no mark of its answers: nobody can tell.
    del document["answers_fingerprint"], document["text_fingerprint"]
    assert not loads_record(json.dumps(document).encode(), "x").changed


def test_a_digit_that_moves_to_the_next_cell_is_noticed() -> None:
    body = "<w:tc><w:p><w:r><w:t>72</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>56.00</w:t>{}"
    body = body.format("</w:r></w:p></w:tc>")
    moved = body.replace(">72<", ">7<").replace(">56.00<", ">256.00<")
    parted = body.replace(">72<", ">7</w:t></w:r><w:r><w:t>2<").replace(
        "<w:tc>", "<w:p></w:p><w:tc>"
    )
    assert word_mark([moved]) != word_mark([body])
    assert word_mark([parted]) == word_mark([body])


@pytest.mark.parametrize("suffix", MAKERS)
def test_a_text_that_was_changed_is_noticed(suffix: str, tmp_path: Path) -> None:
    data = MAKERS[suffix](chinese(), Options())
    if suffix == ".md":
        saved = data.replace(b"\n", b"\r\n")
        edited = data.replace(b"Does not fit", b"Fits")
    else:
        with zipfile.ZipFile(io.BytesIO(data)) as whole:
            parts = {name: whole.read(name) for name in whole.namelist()}
        body = parts["word/document.xml"]
        # As office programs part a text when they save it, and as they write its marks.
        parted = body.replace(b"Does not", b'Does</w:t></w:r><w:r><w:t xml:space="preserve"> not')
        saved = package(parts | {"word/document.xml": parted.replace(b"'", b"&apos;")})
        edited = package(parts | {"word/document.xml": body.replace(b"Does not fit", b"Fits")})
    assert saved != data
    assert not load_record(written(tmp_path, suffix, saved)).changed
    found = load_record(written(tmp_path, suffix, edited))
    assert found.changed == "text"
    assert found.answers_hold


def test_characters_that_turn_or_hide_others_are_escaped_in_the_data() -> None:
    name = "a\u202eb\u2066c\u200bd\U000e0041"
    subject = named(name)
    data = record_data(subject.plan, subject.ledgers)
    assert data.decode("utf-8").isprintable()
    assert loads_record(data, "x").plan == subject.plan


def test_messages_name_the_line_of_the_file(tmp_path: Path) -> None:
    text = markdown_bytes(example(), Options())
    line = text[: text.index(FENCE.encode())].count(b"\n") + 2
    for old, new, code in (
        (b'"Example"', b'"\xff"', "encoding_not_utf8"),
        (b'"Example"', b'"\\ud800"', "json_half_character"),
        (b'"Example"', b"Example", "json_syntax"),
    ):
        with pytest.raises(UserError, match=code) as caught:
            load_record(
                written(tmp_path, ".md", text.replace(b'"title":' + old, b'"title":' + new))
            )
        assert caught.value.params["line"] == line
    with pytest.raises(UserError, match="record_damaged"):
        load_record(written(tmp_path, ".docx", inside(GOOD[:-9])))


def test_answers_that_are_none_are_left_out() -> None:
    subject = example()
    document = json.loads(record_data(subject.plan, subject.ledgers))
    first, second, third = (scenario.id for scenario in subject.plan.scenarios)
    document["answers"][first]["status"] = ["fits"]
    document["answers"][second]["free_bytes"] = True
    found = loads_record(json.dumps(document).encode(), "x")
    assert set(found.answers) == {third}
    assert found.changed == "answers", "a record whose answers are gone is not what it was"
    document["answers"] = [1]
    assert loads_record(json.dumps(document).encode(), "x").answers == {}


def package(parts: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as made:
        for name, data in parts.items():
            made.writestr(name, data)
    return buffer.getvalue()


def inside(data: bytes) -> bytes:
    part = f'<record xmlns="{NAMESPACE}">'.encode() + base64.b64encode(data) + b"</record>"
    return package({"customXml/item1.xml": part})


def attached(data: bytes, number: bytes = b"7", name: str = "") -> bytes:
    """A PDF that carries a file."""
    head = b"%PDF-1.4\n7 0 obj\n<<\n/Length 8 0 R\n>>\nstream\n" + zlib.compress(data)
    called = b"/F (\xfe\xff" + name.encode("utf-16-be") + b") "
    there = b"\nendstream\nendobj\n9 0 obj\n<<" + called + b"/EF <</F " + number + b" 0 R>>>>\n"
    return head + there + b"endobj\n%%EOF\n"


GOOD = record_data(example().plan, example().ledgers)
MD = f"# x\n\n{FENCE}\n".encode()
HOSTILE: dict[str, tuple[str, bytes, str]] = {
    "empty": (".docx", b"", "record_damaged"),
    "no zip": (".docx", b"PK\x03\x04 nothing", "record_damaged"),
    "cut": (".docx", inside(GOOD)[:-40], "record_damaged"),
    "no plan": (".docx", package({"word/document.xml": b"<x/>"}), "record_without_plan"),
    "somebody's part": (".docx", package({"customXml/item1.xml": b"<x/>"}), "record_without_plan"),
    "bomb": (".docx", package({"word/a.xml": bytes(60 * 2**20)}), "record_too_large"),
    "many parts": (
        ".docx",
        package({f"a{n}": b"" for n in range(5_001)}, zipfile.ZIP_STORED),
        "record_too_large",
    ),
    "way up": (".docx", package({"../customXml/item1.xml": GOOD}), "record_without_plan"),
    "entities": (
        ".docx",
        package(
            {
                "customXml/item1.xml": b'<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
                b'<record xmlns="urn:kv-workbench:record">&x;</record>'
            }
        ),
        "record_damaged",
    ),
    "deep": (".docx", inside(b"[" * 5_000), "json_too_deep"),
    "a list": (".docx", inside(b"[]"), "json_not_an_object"),
    "another object": (".docx", inside(b"{}"), "record_without_plan"),
    "newer": (
        ".docx",
        inside(b'{"format": "kvw-record", "schema_version": 9, "plan": {}}'),
        "record_newer",
    ),
    "no pdf": (".pdf", b"x", "record_damaged"),
    "a pdf alone": (".pdf", b"%PDF-1.4\n%%EOF\n", "record_without_plan"),
    "somebody's file": (".pdf", attached(b"{}"), "record_without_plan"),
    "no such object": (".pdf", attached(GOOD, b"6"), "record_without_plan"),
    "a cut file": (".pdf", attached(GOOD)[:300], "record_damaged"),
    "a broken stream": (
        ".pdf",
        attached(GOOD, name=ATTACHMENT).replace(b"stream\n\x78", b"stream\n\x00", 1),
        "record_damaged",
    ),
    "cut inside": (".pdf", attached(GOOD[:500]), "record_damaged"),
    "a bomb": (".pdf", attached(GOOD + bytes(60 * 2**20)), "record_plan_too_large"),
    "no fence": (".md", b"# x\n", "record_without_plan"),
    "open fence": (".md", MD + GOOD, "record_cut"),
    "empty fence": (".md", MD + b"\n```\n", "file_empty"),
    "cut json": (".md", MD + GOOD[:500] + b"\n```\n", "json_syntax"),
    "utf-16": (".md", "# x".encode("utf-16"), "record_without_plan"),
    "bad plan": (
        ".md",
        MD + b'{"format": "kvw-record", "schema_version": 1, "plan": {}}\n```\n',
        "not_a_plan",
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_files_are_one_sentence(name: str, tmp_path: Path) -> None:
    suffix, data, code = HOSTILE[name]
    with pytest.raises(UserError) as caught:
        load_record(written(tmp_path, suffix, data))
    assert caught.value.code == code
    sentence = words.error_text(caught.value)
    assert "\n" not in sentence
    assert "{" not in sentence.replace("{ }", "")


def test_a_part_that_lies_about_its_size(tmp_path: Path) -> None:
    data = bytearray(package({"customXml/item1.xml": bytes(2**20)}))
    at = data.rindex(b"PK\x01\x02")
    data[at + 24 : at + 28] = (100).to_bytes(4, "little")
    with pytest.raises(UserError, match="record_"):
        load_record(written(tmp_path, ".docx", bytes(data)))


def test_a_file_beyond_the_ceiling_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "large.md"
    with path.open("wb") as file:
        file.truncate(33 * jsonfile.MIB)
    with pytest.raises(UserError, match="file_too_large"):
        load_record(path)
    with pytest.raises(UserError, match="file_missing"):
        load_record(tmp_path / "none.docx")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes here")
@pytest.mark.parametrize("suffix", MAKERS)
def test_a_pipe_is_no_record_and_is_not_waited_for(suffix: str, tmp_path: Path) -> None:
    path = tmp_path / f"pipe{suffix}"
    os.mkfifo(path)
    with pytest.raises(UserError) as caught:
        load_record(path)
    assert "pipe" in words.error_text(caught.value)


def test_word_may_have_saved_it_again(tmp_path: Path) -> None:
    part = f'<?xml version="1.0"?><n:record xmlns:n="{NAMESPACE}">\r\n'.encode()
    body = base64.encodebytes(GOOD).replace(b"\n", b"\r\n")
    other = b'<b:Sources xmlns:b="http://example.com/b"/>'
    data = package(
        {"customXml/item1.xml": other, "customXml/item2.xml": part + body + b"</n:record>"}
    )
    assert load_record(written(tmp_path, ".docx", data)).plan == example().plan
