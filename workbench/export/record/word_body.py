"""The text of a Word document as XML, written block by block: python-docx takes ten times as long.

Pieces of text also keep the work divided: a tree of the whole document is serialised in one call,
during which nothing else of the program runs.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final
from xml.sax.saxutils import escape

from workbench.charts.palette import LIGHT
from workbench.export.record.document import Block, Grid, Heading, Listing, Paragraph
from workbench.export.record.looks import kept_rows, right_columns, small
from workbench.export.safe_text import safe_line
from workbench.export.table import Cell, CellLook, Row

_CELL_GAP: Final = 30
"""Above and below the text of a cell, in twips."""
_SIZES: Final = {True: 16, False: 18}
"""Of the letters of a table, in half points, by whether it is set in small ones."""
_BORDERS: Final = "".join(
    f'<w:{side} w:val="single" w:sz="4" w:space="0" w:color="{LIGHT.line.lstrip("#")}"/>'
    for side in ("top", "bottom", "insideH")
)
_TABLE: Final = (
    '<w:tblPr><w:tblW w:type="auto" w:w="0"/><w:jc w:val="left"/>'
    f"<w:tblBorders>{_BORDERS}</w:tblBorders>"
    '<w:tblLayout w:type="fixed"/><w:tblLook w:firstColumn="1" w:firstRow="1" w:lastColumn="0" '
    'w:lastRow="0" w:noHBand="0" w:noVBand="1" w:val="04A0"/></w:tblPr>'
)
_GAP: Final = '<w:p><w:pPr><w:spacing w:after="0" w:line="120" w:lineRule="exact"/></w:pPr></w:p>'
"""Between two tables, which would be one without."""


class Body:
    """Writes blocks; hairlines stand between the rows of a table and none between its columns."""

    def __init__(self, width_twips: int) -> None:
        self._width = width_twips
        self._runs: dict[tuple[str, CellLook, int], str] = {}

    def heading(self, level: int, text: str) -> str:
        """Write a title; level 0 is that of the document, level 1 begins a page."""
        style = f"Heading{level}" if level else "Title"
        new_page = "<w:pageBreakBefore/>" if level == 1 else ""
        form = f'<w:pPr><w:pStyle w:val="{style}"/>{new_page}</w:pPr>'
        return f"<w:p>{form}{self._run(text, 'plain')}</w:p>"

    def block(self, block: Block) -> Iterator[str]:
        """Write a block in pieces, a row of a table each; a picture is somebody else's."""
        if isinstance(block, Heading):
            yield self.heading(block.level, block.text)
        elif isinstance(block, Paragraph):
            form = "<w:pPr><w:keepNext/></w:pPr>" if block.is_kept else ""
            yield f"<w:p>{form}{self._run(block.text, block.look)}</w:p>"
        elif isinstance(block, Listing):
            form = '<w:pPr><w:pStyle w:val="ListBullet"/><w:spacing w:after="20"/></w:pPr>'
            for item in block.items:
                yield f"<w:p>{form}{self._run(item, 'plain')}</w:p>"
        elif isinstance(block, Grid):
            yield from self._table(block)

    def _table(self, grid: Grid) -> Iterator[str]:
        table = grid.table
        widths = [int(self._width * share) for share in grid.shares]
        columns = "".join(f'<w:gridCol w:w="{width}"/>' for width in widths)
        yield f"<w:tbl>{_TABLE}<w:tblGrid>{columns}</w:tblGrid>"
        right, size = right_columns(table), _SIZES[small(table)]
        head = Row(tuple(Cell(name, look="strong") for name in table.columns))
        for number, (row, kept) in enumerate(
            zip((head, *table.rows), (True, *kept_rows(table)), strict=True)
        ):
            # A row stays on one page; the first stands above every part of the table.
            repeated = "" if number else "<w:tblHeader/>"
            yield f"<w:tr><w:trPr><w:cantSplit/>{repeated}</w:trPr>"
            yield from self._cells(row, widths, right, size, kept=kept)
            yield "</w:tr>"
        yield f"</w:tbl>{_GAP}"

    def _cells(
        self, row: Row, widths: list[int], right: tuple[bool, ...], size: int, *, kept: bool
    ) -> Iterator[str]:
        keep = "<w:keepNext/>" if kept else ""
        between = f'w:before="{_CELL_GAP}" w:after="{_CELL_GAP}" w:line="240" w:lineRule="auto"'
        spacing = f"<w:spacing {between}/>"
        # The heading of a group takes all columns; what a row does not say stays empty.
        cells = row.cells + (Cell(""),) * (0 if row.is_heading else len(widths) - len(row.cells))
        span = f'<w:gridSpan w:val="{len(widths)}"/>' if row.is_heading and len(widths) > 1 else ""
        # Without a text the letters of the mark at its end say how high a row is.
        end = f'<w:rPr><w:sz w:val="{size}"/></w:rPr>'
        for at, cell in enumerate(cells):
            width = sum(widths) if span else widths[at]
            align = '<w:jc w:val="right"/>' if right[at] else ""
            yield (
                f'<w:tc><w:tcPr><w:tcW w:type="dxa" w:w="{width}"/>{span}</w:tcPr>'
                f"<w:p><w:pPr>{keep}{spacing}{align}{end}</w:pPr>"
                f"{self._run(cell.text, cell.look, size)}</w:p></w:tc>"
            )

    def _run(self, text: str, look: CellLook, size: int = 0) -> str:
        """Write a text; most are met again in the next scenario."""
        key = (text, look, size)
        found = self._runs.get(key)
        if found is None:
            found = self._runs[key] = _run(*key)
        return found


def _run(text: str, look: CellLook, size: int) -> str:
    clean = safe_line(text)
    if not clean:
        return ""
    bold = "<w:b/>" if look == "strong" else ""
    ink = {"good": LIGHT.success, "bad": LIGHT.danger, "muted": LIGHT.muted}.get(look)
    colour = f'<w:color w:val="{ink.lstrip("#")}"/>' if ink else ""
    height = f'<w:sz w:val="{size}"/>' if size else ""
    form = bold + colour + height
    form = f"<w:rPr>{form}</w:rPr>" if form else ""
    return f'<w:r>{form}<w:t xml:space="preserve">{escape(clean)}</w:t></w:r>'
