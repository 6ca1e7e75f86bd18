"""The capacity record as a Word document: real headings and tables, the plan inside."""

from __future__ import annotations

import datetime
import io
from typing import Any, Final

from docx import Document as new_document
from docx.document import Document as WordDocument
from docx.enum.table import WD_TABLE_ALIGNMENT
from docx.enum.text import WD_ALIGN_PARAGRAPH
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Emu, Mm, Pt, RGBColor

from workbench import __version__
from workbench.charts.palette import LIGHT
from workbench.export.options import Options, Progress, silent
from workbench.export.package_zip import fixed
from workbench.export.record.content import record_document
from workbench.export.record.document import Block, Document, Grid, Heading, Listing, Paragraph
from workbench.export.record.looks import right_columns, small
from workbench.export.safe_text import safe_line
from workbench.export.subject import Subject
from workbench.export.table import Cell, CellLook, Row
from workbench.library.records import custom_part, record_data

FONT: Final = "Arial"
EAST_ASIAN_FONT: Final = "Microsoft YaHei"
"""Word and LibreOffice take the nearest Chinese font where it is missing."""
_DAY: Final = datetime.datetime(2000, 1, 1)
"""Of the file's properties, which must hold one: the record's own date stands in its text."""
_MARGIN_MM: Final = 18
_TEXT_PT: Final = 9.5
_HEADINGS_PT: Final = {0: 22, 1: 16, 2: 12, 3: 10.5}


def docx_bytes(subject: Subject, options: Options, progress: Progress = silent) -> bytes:
    """Return the record as .docx; the same plan gives the same bytes."""
    made = record_document(subject, options, progress)
    word = new_document()
    _set_up(word, made)
    word.add_heading(safe_line(made.title), 0)
    for block in made.blocks:
        _add(word, block)
    _carry(word, record_data(subject.plan, subject.ledgers))
    buffer = io.BytesIO()
    word.save(buffer)
    return fixed(buffer.getvalue())


# The paper


def _set_up(word: WordDocument, made: Document) -> None:
    section = word.sections[0]
    section.page_width, section.page_height = Mm(210), Mm(297)
    section.left_margin = section.right_margin = Mm(_MARGIN_MM)
    section.top_margin, section.bottom_margin = Mm(18), Mm(16)
    core = word.core_properties
    core.title, core.author = safe_line(made.title, 200), "KV Workbench"
    core.last_modified_by, core.comments = "KV Workbench", f"KV Workbench {__version__}"
    core.created = core.modified = _DAY
    core.language = made.language
    core.revision = 1
    styles = word.styles
    normal = styles["Normal"]
    normal.font.size = Pt(_TEXT_PT)
    normal.paragraph_format.space_after = Pt(4)
    _fonts(normal, made.language)
    for level, size in _HEADINGS_PT.items():
        style = styles["Title" if level == 0 else f"Heading {level}"]
        style.font.size, style.font.bold = Pt(size), True
        style.font.color.rgb = _rgb(LIGHT.text)
        style.paragraph_format.space_before = Pt(0 if level == 0 else 12 if level < 3 else 8)
        style.paragraph_format.space_after = Pt(6 if level < 2 else 4)
        style.paragraph_format.keep_with_next = True
        _fonts(style, made.language)
    _unruled(styles["Title"])
    _foot(section.footer.paragraphs[0], made.footnote)


def _unruled(style: Any) -> None:
    """Take away the line that the template draws below a title."""
    for border in style.element.iter(qn("w:pBdr")):
        border.getparent().remove(border)
        return


def _fonts(style: Any, language: str) -> None:
    """Name a font for each script, so that Chinese does not fall back to a font without it."""
    style.font.name = FONT
    fonts = style.element.get_or_add_rPr().get_or_add_rFonts()
    for theme in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
        fonts.attrib.pop(qn(f"w:{theme}"), None)
    for script in ("ascii", "hAnsi", "cs"):
        fonts.set(qn(f"w:{script}"), FONT)
    fonts.set(qn("w:eastAsia"), EAST_ASIAN_FONT)
    lang = OxmlElement("w:lang")
    lang.set(qn("w:val"), language if language.startswith("en-") else "en-US")
    lang.set(qn("w:eastAsia"), "zh-CN")
    properties = style.element.get_or_add_rPr()
    for old in properties.findall(qn("w:lang")):
        properties.remove(old)
    properties.append(lang)


def _foot(paragraph: Any, footnote: str) -> None:
    """Put the footnote and "3 / 9" below every page."""
    run = paragraph.add_run(f"{safe_line(footnote, 400)}   " if footnote else "")
    runs = [run, *_field(paragraph, "PAGE"), paragraph.add_run(" / ")]
    runs += _field(paragraph, "NUMPAGES")
    for one in runs:
        one.font.size, one.font.color.rgb = Pt(8), _rgb(LIGHT.muted)


def _field(paragraph: Any, code: str) -> list[Any]:
    runs = []
    for kind in ("begin", "code", "separate", "text", "end"):
        run = paragraph.add_run()
        if kind == "code":
            part = OxmlElement("w:instrText")
            part.set(qn("xml:space"), "preserve")
            part.text = f" {code} "
        elif kind == "text":
            part = OxmlElement("w:t")
            part.text = "1"
        else:
            part = OxmlElement("w:fldChar")
            part.set(qn("w:fldCharType"), kind)
        run._r.append(part)
        runs.append(run)
    return runs


def _carry(word: WordDocument, data: bytes) -> None:
    """Put the plan into a part of its own, which office programs keep and never run."""
    package = word.part.package
    part = Part(PackURI("/customXml/item9.xml"), "application/xml", custom_part(data), package)
    word.part.relate_to(part, RELATIONSHIP_TYPE.CUSTOM_XML)


# What stands on it


def _add(word: WordDocument, block: Block) -> None:
    if isinstance(block, Heading):
        heading = word.add_heading(safe_line(block.text), block.level)
        heading.paragraph_format.page_break_before = block.level == 1
    elif isinstance(block, Paragraph):
        run = word.add_paragraph().add_run(safe_line(block.text))
        _dress(run, block.look)
    elif isinstance(block, Listing):
        for item in block.items:
            paragraph = word.add_paragraph(safe_line(item), style="List Bullet")
            paragraph.paragraph_format.space_after = Pt(1)
    elif isinstance(block, Grid):
        _add_table(word, block)


def _add_table(word: WordDocument, grid: Grid) -> None:
    table, count = grid.table, len(grid.table.columns)
    made = word.add_table(rows=1 + len(table.rows), cols=count)
    made.alignment = WD_TABLE_ALIGNMENT.LEFT
    made.autofit = False
    section = word.sections[0]
    width = section.page_width - section.left_margin - section.right_margin
    widths = [Emu(int(width * share)) for share in grid.shares]
    for column, size in zip(made.columns, widths, strict=True):
        column.width = size
    _borders(made)
    right, size_pt = right_columns(table), 8.0 if small(table) else 9.0
    head = tuple(Cell(name, look="strong") for name in table.columns)
    # `Table.cell` walks the whole table for each cell; the rows' own elements do not.
    for number, (row, line) in enumerate(
        zip((Row(head), *table.rows), made._tbl.tr_lst, strict=True)
    ):
        _whole(line, head=number == 0)
        if row.is_heading and count > 1:
            _join(line, count)
        for at, (cell, place) in enumerate(zip(row.cells, line.tc_lst, strict=False)):
            _fill(place, cell, made, size_pt, to_the_right=right[at])
        for place, size in zip(line.tc_lst, widths, strict=False):
            if len(line.tc_lst) == count:
                place.width = size
    word.add_paragraph().paragraph_format.space_after = Pt(2)


def _fill(place: Any, cell: Cell, table: Any, size_pt: float, *, to_the_right: bool) -> None:
    from docx.table import _Cell

    paragraph = _Cell(place, table).paragraphs[0]
    form = paragraph.paragraph_format
    form.space_before = form.space_after = Pt(1.5)
    if to_the_right:
        paragraph.alignment = WD_ALIGN_PARAGRAPH.RIGHT
    run = paragraph.add_run(safe_line(cell.text))
    run.font.size = Pt(size_pt)
    _dress(run, cell.look)


def _dress(run: Any, look: CellLook) -> None:
    run.font.bold = look == "strong" or None
    ink = {"good": LIGHT.success, "bad": LIGHT.danger, "muted": LIGHT.muted}.get(look)
    if ink is not None:
        run.font.color.rgb = _rgb(ink)


def _join(line: Any, count: int) -> None:
    """Let the first cell of a row take all columns."""
    first, *others = line.tc_lst
    first.grid_span = count
    for other in others:
        line.remove(other)


def _whole(line: Any, *, head: bool) -> None:
    """Keep a row on one page; repeat the first above every part of the table."""
    properties = line.get_or_add_trPr()
    properties.append(OxmlElement("w:cantSplit"))
    if head:
        properties.append(OxmlElement("w:tblHeader"))


def _borders(table: Any) -> None:
    """Draw hairlines between the rows and none between the columns."""
    borders = OxmlElement("w:tblBorders")
    for side in ("top", "bottom", "insideH"):
        line = OxmlElement(f"w:{side}")
        values = {"val": "single", "sz": "4", "space": "0", "color": LIGHT.line.lstrip("#")}
        for name, value in values.items():
            line.set(qn(f"w:{name}"), value)
        borders.append(line)
    properties = table._tbl.tblPr
    layout = properties.find(qn("w:tblLayout"))
    if layout is None:
        properties.append(borders)
    else:
        layout.addprevious(borders)


def _rgb(colour: str) -> RGBColor:
    return RGBColor.from_string(colour.lstrip("#"))
