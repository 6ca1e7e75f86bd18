"""The capacity record as GitHub-flavoured Markdown; no text of people becomes markup."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from workbench.export.options import Options, Progress, silent
from workbench.export.record.content import record_document
from workbench.export.record.document import (
    Bars,
    Block,
    Grid,
    Heading,
    Listing,
    Paragraph,
    first_half,
    told,
)
from workbench.export.record.looks import right_columns
from workbench.export.safe_text import safe_line
from workbench.export.subject import Subject
from workbench.export.table import Row, Table
from workbench.library.records import FENCE, markdown_mark, record_data
from workbench.spec.words.record import RECORD_NOTES

_MARKUP: Final = re.compile(r"[\\`*_{}\[\]()#+!|~<>&$@:^=-]")
_AUTOLINK: Final = re.compile(r"(?i)(www|https?|ftp|mailto|xmpp)(?=\\?[.:])")
_NUMBERED: Final = re.compile(r"^([0-9]{1,9})([.)])(?=\s|$)")
_MANY_SPACES: Final = re.compile(r"\s+")
_QUIET: Final = frozenset("()+:=-")
"""Characters that are markup only at the start of a line or beside others."""


def markdown_bytes(subject: Subject, options: Options, progress: Progress = silent) -> bytes:
    """Return the record as UTF-8 with the plan at its end; the same plan gives the same bytes."""
    document = record_document(subject, options, first_half(progress))
    lines = [f"# {escaped(document.title)}", ""]
    for block in told(document, progress):
        lines += _lines(block)
        lines.append("")
    if document.footnote:
        lines += ["---", "", escaped(document.footnote), ""]
    lines += [escaped(options.language.words(RECORD_NOTES["data"])), ""]
    mark = markdown_mark("\n".join(lines))
    data = record_data(subject.plan, subject.ledgers, mark).decode("utf-8")
    lines += [FENCE, data, "```", ""]
    return "\n".join(lines).encode("utf-8")


def escaped(text: str) -> str:
    """Return a text as Markdown that shows exactly it: no markup, link, HTML or end of a cell."""
    text = _MANY_SPACES.sub(" ", safe_line(text)).strip()
    # A word joiner behind the scheme keeps readers from linking a bare address.
    text = _MARKUP.sub(_escape, text)
    text = _NUMBERED.sub(r"\1\\\2", text)
    return _AUTOLINK.sub("\\1\u2060", text)


def _escape(found: re.Match[str]) -> str:
    character = found[0]
    if character in "<>&":
        return {"<": "&lt;", ">": "&gt;", "&": "&amp;"}[character]
    if character == "@":
        # A joiner on both sides keeps readers from linking an address, and a name behind it.
        return "\u2060@\u2060"
    if character in _QUIET and found.start() > 0:
        return character
    return f"\\{character}"


def _lines(block: Block) -> Iterator[str]:
    if isinstance(block, Heading):
        yield f"{'#' * (block.level + 1)} {escaped(block.text)}"
    elif isinstance(block, Paragraph):
        text = escaped(block.text)
        yield f"**{text}**" if block.look == "strong" else text
    elif isinstance(block, Listing):
        yield from (f"- {escaped(item)}" for item in block.items)
    elif isinstance(block, Grid):
        yield from _table(block.table)
    else:
        assert isinstance(block, Bars)


def _table(table: Table) -> Iterator[str]:
    yield _row([escaped(name) for name in table.columns])
    yield _row(["---:" if number else "---" for number in right_columns(table)])
    for row in table.rows:
        yield _row(_cells(row, len(table.columns)))


def _cells(row: Row, count: int) -> list[str]:
    cells = [escaped(cell.text) for cell in row.cells]
    if row.is_heading:
        cells = [f"**{cells[0]}**" if cells[0] else ""]
    return cells + [""] * (count - len(cells))


def _row(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"
