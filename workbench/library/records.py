"""Plans inside capacity records: what a record carries, and reading it back.

A record is a document that others have edited, mailed and saved again. It is never trusted: sizes
are checked before anything is unpacked, no markup is parsed, and the plan goes through the same
gate as a plan's file.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

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
SUFFIXES: Final = (".docx", ".md")
NAMESPACE: Final = "urn:kv-workbench:record"
FENCE: Final = "```json kvw-record"
"""First line of the block that holds the data in Markdown."""
MARKDOWN_LIMIT_BYTES: Final = 32 * jsonfile.MIB
_PART: Final = re.compile(r"customXml/item[0-9]{1,4}\.xml")
_DATA: Final = re.compile(rb"<[^<>]{0,40}record[^<>]{0,200}urn:kv-workbench:record[^<>]{0,200}>")
_LONGEST_VERSION: Final = 40


@dataclass(frozen=True, slots=True)
class Recorded:
    """A record as it was read."""

    plan: Plan
    answers: Mapping[str, Figures]
    """What was answered when the record was made, by the id of the scenario."""
    app_version: str
    """Program that made it."""
    intact: bool
    """Whether the plan is the one that the answers were worked out for, and none is missing."""
    loaded: Loaded
    """The plan as `plans.load` would return it."""


def is_record(path: Path) -> bool:
    """Whether a file's name is that of a record."""
    return path.suffix.lower() in SUFFIXES


# Writing


def record_data(plan: Plan, ledgers: Sequence[Ledger]) -> bytes:
    """Return what a record carries: the plan, its fingerprint, the answers; JSON in one line."""
    answers = {
        scenario.id: figures_json(figures_of(ledger))
        for scenario, ledger in zip(plan.scenarios, ledgers, strict=True)
    }
    document = {
        "format": FORMAT,
        "schema_version": SCHEMA,
        "app_version": __version__,
        "fingerprint": fingerprint(plan),
        "answers": answers,
        "plan": plans.to_document(plan),
    }
    return jsonfile.to_text(document).encode("utf-8")


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
        data = _from_markdown(jsonfile.read_bytes(path, MARKDOWN_LIMIT_BYTES), name)
    else:
        data = _from_package(jsonfile.read_bytes(path, package_file.LIMIT_BYTES), name)
    return loads_record(data, name)


def load_any(path: Path) -> tuple[Loaded, Recorded | None]:
    """Read a plan, or the plan in a record."""
    if not is_record(path):
        return plans.load(path), None
    recorded = load_record(path)
    return recorded.loaded, recorded


def loads_record(data: bytes, name: str) -> Recorded:
    """Read what a record carries; `name` is used in messages."""
    jsonfile.check_size(data, name, jsonfile.PLAN_LIMIT_BYTES)
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
    whole = len(answers) == len(loaded.plan.scenarios)
    return Recorded(
        loaded.plan,
        answers,
        app_version[:_LONGEST_VERSION] if isinstance(app_version, str) else "",
        whole and document.get("fingerprint") == fingerprint(loaded.plan),
        loaded,
    )


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


def _from_markdown(data: bytes, name: str) -> bytes:
    mark = f"\n{FENCE}\n".encode()
    data = data.replace(b"\r\n", b"\n")
    start = data.rfind(mark)
    end = data.find(b"\n```", start + len(mark)) if start >= 0 else -1
    if end < 0:
        raise UserError("record_without_plan", path=name)
    return data[start + len(mark) : end]


def _from_package(data: bytes, name: str) -> bytes:
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
    for part in parts.values():
        found = _decoded(part, name)
        if found is not None:
            return found
    raise UserError("record_without_plan", path=name)


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
