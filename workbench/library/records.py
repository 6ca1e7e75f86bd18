"""Plans inside capacity records: what a record carries, and reading it back.

A record is a document that others have edited, mailed and saved again. It is never trusted: sizes
are checked before anything is unpacked, no markup is parsed, and the plan goes through the same
gate as a plan's file.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import hashlib
import html
import json
import re
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final, Literal

from workbench import __version__
from workbench.library import jsonfile, package_file, plans
from workbench.library.paths import shown
from workbench.library.plans import Loaded
from workbench.library.save import digest_of
from workbench.library.stale import Figures, figures_of
from workbench.spec.base import fingerprint
from workbench.spec.errors import UserError
from workbench.spec.ledger import Ledger, Status
from workbench.spec.scenario import Plan

FORMAT: Final = "kvw-record"
SCHEMA: Final = 1
SUFFIXES: Final = (".docx", ".md", ".pdf")
NAMESPACE: Final = "urn:kv-workbench:record"
FENCE: Final = "```json kvw-record"
"""First line of the block that holds the data in Markdown."""
MARKDOWN_LIMIT_BYTES: Final = 32 * jsonfile.MIB
BODY_PART: Final = "word/document.xml"
"""The part of an office package that holds the text a person reads."""
Changed = Literal["", "plan", "answers", "text"]
_PART: Final = re.compile(r"customXml/item[0-9]{1,4}\.xml|" + re.escape(BODY_PART))
_WORD_TEXT: Final = re.compile(r"<w:t(?:\s[^<>]*)?>([^<]*)|</w:p>")
_END: Final = "\0"
"""Stands in no text."""
_DATA: Final = re.compile(rb"<[^<>]{0,40}record[^<>]{0,200}urn:kv-workbench:record[^<>]{0,200}>")
_LONGEST_VERSION: Final = 40
ATTACHMENT: Final = "kvw-record.json"
"""Name of the file that a PDF carries."""
_ATTACHED: Final = re.compile(rb"/EF\s*<<\s*/F\s+([0-9]{1,7})\s+0\s+R\b")
_MOST_ATTACHED: Final = 20
_ATTACHED_NAME: Final = ATTACHMENT.encode("utf-16-be")
"""The name as Qt writes it into a PDF."""
_PDF_END: Final = b"%%EOF"
_PDF_TAIL_BYTES: Final = 1_024
"""Readers of PDF look for the end this far from it."""


@dataclass(frozen=True, slots=True)
class Recorded:
    """A record as it was read."""

    plan: Plan
    answers: Mapping[str, Figures]
    """What was answered when the record was made, by the id of the scenario."""
    app_version: str
    """Program that made it."""
    changed: Changed
    """What somebody has changed since it was written: the plan, else the answers (one that is
    missing counts), else what a person reads; empty for nothing."""
    loaded: Loaded
    """The plan as `plans.load` would return it."""

    @property
    def answers_hold(self) -> bool:
        """Whether the answers are those that were worked out for this plan."""
        return self.changed in ("", "text")


def is_record(path: Path) -> bool:
    """Whether a file's name is that of a record."""
    return path.suffix.lower() in SUFFIXES


# Writing


def record_data(plan: Plan, ledgers: Sequence[Ledger], text_mark: str = "") -> bytes:
    """Return what a record carries: the plan, the answers, a mark of each; JSON in one line.

    `text_mark` is that of the text which a person reads, by `word_mark` or `markdown_mark`; a PDF,
    whose text is hard to change, has none.
    """
    answers = {
        scenario.id: figures_json(figures_of(ledger))
        for scenario, ledger in zip(plan.scenarios, ledgers, strict=True)
    }
    document = {
        "format": FORMAT,
        "schema_version": SCHEMA,
        "app_version": __version__,
        "fingerprint": fingerprint(plan),
        "answers_fingerprint": _answers_mark(answers),
        "text_fingerprint": text_mark,
        "answers": answers,
        "plan": plans.to_document(plan),
    }
    return _shown_text(jsonfile.to_text(document)).encode("utf-8")


def _shown_text(text: str) -> str:
    """Escape what would turn or hide the text around it, as JSON may; it reads the same."""
    if text.isprintable():
        return text
    return "".join(one if one.isprintable() else json.dumps(one)[1:-1] for one in text)


def _answers_mark(answers: Any) -> str:
    text = json.dumps(answers, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]


def word_mark(pieces: Iterable[str]) -> str:
    """Return the mark of what a person reads in the body of a Word document.

    Words alone count, and where a paragraph or a cell ends: office programs lay the same text out
    anew when they save it.
    """
    return _mark(_read(pieces))


def _read(pieces: Iterable[str]) -> Iterator[str]:
    """Yield the words of a document, and a mark behind each paragraph that has some."""
    has_words = False
    for piece in pieces:
        for found in _WORD_TEXT.finditer(piece):
            if found[1] is not None:
                has_words = has_words or bool(found[1].strip())
                yield html.unescape(found[1])
            elif has_words:
                has_words = False
                yield _END


def markdown_mark(text: str) -> str:
    """Return the mark of what a person reads in Markdown; spaces and ends of lines may change."""
    return _mark((text,))


def _mark(texts: Iterable[str]) -> str:
    made = hashlib.sha256()
    for text in texts:
        made.update("".join(text.split()).encode("utf-8", "replace"))
    return made.hexdigest()[:16]


def figures_json(figures: Figures) -> dict[str, Any]:
    """Return an answer's figures as plain values."""
    return {
        "status": figures.status.value,
        "most_requests": figures.most_requests,
        "free_bytes": figures.free_bytes,
        "left_bytes": figures.left_bytes,
        "entries_bytes": figures.entries_bytes,
    }


def custom_part(data: bytes) -> bytes:
    """Return the part of an office package that holds the data."""
    body = base64.b64encode(data)
    head = b'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    return head + f'<record xmlns="{NAMESPACE}">'.encode() + body + b"</record>"


# Reading


def load_record(path: Path) -> Recorded:
    """Read a record; raises `UserError` for anything that is none."""
    name = shown(path)
    if path.suffix.lower() == ".md":
        return _from_markdown(jsonfile.read_bytes(path, MARKDOWN_LIMIT_BYTES), name)
    data = jsonfile.read_bytes(path, package_file.LIMIT_BYTES)
    return _from_pdf(data, name) if path.suffix.lower() == ".pdf" else _from_package(data, name)


def load_any(path: Path) -> tuple[Loaded, Recorded | None]:
    """Read a plan, or the plan in a record."""
    if not is_record(path):
        return plans.load(path), None
    recorded = load_record(path)
    return recorded.loaded, recorded


def loads_record(data: bytes, name: str, text_mark: str = "") -> Recorded:
    """Read what a record carries; `name` is used in messages, `text_mark` is that of its text."""
    if len(data) > jsonfile.PLAN_LIMIT_BYTES:
        # What is packed was unpacked no further.
        limit_bytes = jsonfile.PLAN_LIMIT_BYTES
        raise UserError("record_plan_too_large", path=name, limit_bytes=limit_bytes)
    document = jsonfile.parse_object(data, name)
    version = document.get("schema_version")
    inner = document.get("plan")
    if document.get("format") != FORMAT or type(version) is not int or not isinstance(inner, dict):
        raise UserError("record_without_plan", path=name)
    if version > SCHEMA:
        raise UserError("record_newer", path=name, limit=SCHEMA)
    app_version = document.get("app_version")
    loaded = plans.from_parsed(inner, name, digest_of(data))
    answers = _answers(document.get("answers"), loaded.plan)
    return Recorded(
        loaded.plan,
        answers,
        app_version[:_LONGEST_VERSION] if isinstance(app_version, str) else "",
        _changed(document, loaded.plan, len(answers), text_mark),
        loaded,
    )


def _changed(document: Mapping[str, Any], plan: Plan, answers: int, text_mark: str) -> Changed:
    """Compare marks with what they were made of; records of before have that of the plan alone."""
    if document.get("fingerprint") != fingerprint(plan):
        return "plan"
    made = _answers_mark(document.get("answers"))
    if answers < len(plan.scenarios) or document.get("answers_fingerprint", made) != made:
        return "answers"
    written = document.get("text_fingerprint")
    return "text" if written and text_mark and written != text_mark else ""


def _answers(found: Any, plan: Plan) -> dict[str, Figures]:
    """Return the answers that can be read; what is no answer counts as not recorded."""
    answers = {}
    for scenario in plan.scenarios:
        figures = _figures(found.get(scenario.id)) if isinstance(found, dict) else None
        if figures is not None:
            answers[scenario.id] = figures
    return answers


def _figures(found: Any) -> Figures | None:
    if not isinstance(found, dict) or found.get("status") not in list(Status):
        return None
    most = found.get("most_requests")
    names = ("free_bytes", "left_bytes", "entries_bytes")
    sizes = [size for name in names if type(size := found.get(name)) is int]
    if len(sizes) < len(names) or not (most is None or type(most) is int):
        return None
    return Figures(Status(found["status"]), most, *sizes)


def _from_markdown(data: bytes, name: str) -> Recorded:
    mark = f"\n{FENCE}\n".encode()
    data = data.replace(b"\r\n", b"\n")
    start = data.rfind(mark)
    if start < 0:
        raise UserError("record_without_plan", path=name)
    begin = start + len(mark)
    end = data.find(b"\n```", begin)
    if end < 0:
        raise UserError("record_cut", path=name)
    # Messages name lines of the whole file, so the block keeps its place in it.
    block = b"\n" * data.count(b"\n", 0, begin) + data[begin:end]
    around = data[:start].removeprefix(codecs.BOM_UTF8) + data[end + len(b"\n```") :]
    return loads_record(block, name, markdown_mark(around.decode("utf-8", "replace")))


def _from_package(data: bytes, name: str) -> Recorded:
    try:
        parts = package_file.parts_of(data, _PART.fullmatch)
    except package_file.Refused as refused:
        if refused.reason == "odd_part":
            raise UserError("record_without_plan", path=name) from None
        if refused.reason not in ("parts", "unpacked"):
            raise UserError("record_damaged", path=name) from None
        limits = {"limit": package_file.LIMIT_PARTS}
        limits["limit_bytes"] = package_file.LIMIT_UNPACKED_BYTES
        raise UserError("record_too_large", path=name, **limits) from None
    body = parts.pop(BODY_PART, b"").decode("utf-8", "replace")
    for part in parts.values():
        found = _decoded(part, name)
        if found is not None:
            return _from_part(found, name, word_mark((body,)))
    raise UserError("record_without_plan", path=name)


def _from_pdf(data: bytes, name: str) -> Recorded:
    """Read the file that this program has attached; one that another has packed anew has none."""
    if not data.startswith(b"%PDF-"):
        raise UserError("record_damaged", path=name)
    for attached in islice(_ATTACHED.finditer(data), _MOST_ATTACHED):
        head = data.find(b"\n" + attached[1] + b" 0 obj")
        begin = data.find(b"stream", head)
        if head < 0 or begin < 0:
            continue
        packed = data[begin + len(b"stream") : data.find(b"endstream", begin)].lstrip(b"\r\n")
        try:
            found = zlib.decompressobj().decompress(packed, jsonfile.PLAN_LIMIT_BYTES + 1)
        except zlib.error:
            continue
        if f'"{FORMAT}"'.encode() in found[:100]:
            return _from_part(found, name, "")
    if _ATTACHED_NAME in data or _PDF_END not in data[-_PDF_TAIL_BYTES:]:
        raise UserError("record_damaged", path=name)
    raise UserError("record_without_plan", path=name)


def _from_part(found: bytes, name: str, text_mark: str) -> Recorded:
    try:
        return loads_record(found, name, text_mark)
    except UserError as error:
        if error.code in ("json_syntax", "encoding_not_utf8"):
            # Its lines are none that a person could look up.
            raise UserError("record_damaged", path=name) from None
        raise


def _decoded(part: bytes, name: str) -> bytes | None:
    """Return the data of a part, None for a part of somebody else."""
    mark = _DATA.search(part, 0, 4_096)
    if mark is None:
        return None
    end = part.find(b"<", mark.end())
    try:
        return base64.b64decode(part[mark.end() : max(end, mark.end())], validate=False)
    except binascii.Error:
        raise UserError("record_damaged", path=name) from None
