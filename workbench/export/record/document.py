"""What a document holds, whatever it is written as: headings, paragraphs, tables, a chart."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from workbench.charts.rows import Row as Bar
from workbench.export.options import Progress
from workbench.export.table import CellLook, Table


@dataclass(frozen=True, slots=True)
class Heading:
    """The title of what follows; level 1 begins a new part."""

    level: int
    text: str


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Plain text that runs on."""

    text: str
    look: CellLook = "plain"
    is_kept: bool = False
    """Whether it stands on the page of what follows it."""


@dataclass(frozen=True, slots=True)
class Listing:
    """Short texts, one below the other."""

    items: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Grid:
    """A table with the share of the width that each column takes."""

    table: Table
    shares: tuple[float, ...]
    """Of 1; as many as the table has columns."""


@dataclass(frozen=True, slots=True)
class Bars:
    """Memory per GPU as bars; Markdown has no picture of them."""

    rows: tuple[Bar, ...]
    note: str = ""
    """What stands below: how many scenarios have no bar."""


Block = Heading | Paragraph | Listing | Grid | Bars


@dataclass(frozen=True, slots=True)
class Document:
    """A title and what stands below it, in order. All texts are plain."""

    title: str
    blocks: tuple[Block, ...]
    footnote: str
    language: str
    """As documents name it: "en", "zh-CN"."""


def first_half(progress: Progress) -> Progress:
    """Return what is told of the content: writing it down takes about as long."""
    return lambda done, total: progress(done, 2 * total)


def told(document: Document, progress: Progress) -> Iterator[Block]:
    """Go through the blocks of a document, told as the second half of the work."""
    total = len(document.blocks)
    for done, block in enumerate(document.blocks):
        progress(total + done, 2 * total)
        yield block
    progress(2 * total, 2 * total)
