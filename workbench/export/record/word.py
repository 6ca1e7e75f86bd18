"""The capacity record as a Word document: real headings and tables, the plan inside."""

from __future__ import annotations

import datetime
import io
from typing import TYPE_CHECKING, Any, Final

from docx import Document as new_document
from docx.document import Document as WordDocument
from docx.opc.constants import RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Emu, Mm, Pt, RGBColor
from lxml import etree

from workbench import __version__
from workbench.charts.palette import LIGHT
from workbench.export.options import Options, Progress, silent
from workbench.export.package_zip import packed, unpacked
from workbench.export.record.bars import record_bars
from workbench.export.record.content import record_document
from workbench.export.record.document import Bars, Document, Paragraph, first_half, told
from workbench.export.record.word_body import Body
from workbench.export.safe_text import safe_line, safe_lines
from workbench.export.subject import Subject
from workbench.library.records import BODY_PART, custom_part, record_data, word_mark

if TYPE_CHECKING:
    from workbench.export.raster import QtMeasure

FONT: Final = "Arial"
EAST_ASIAN_FONT: Final = "Microsoft YaHei"
"""Word and LibreOffice take the nearest Chinese font where it is missing."""
_DAY: Final = datetime.datetime(2000, 1, 1)
"""Of the file's properties, which must hold one: the record's own date stands in its text."""
_MARGIN_MM: Final = 18
_TEXT_PT: Final = 9.5
_HEADINGS_PT: Final = {0: 22, 1: 16, 2: 12, 3: 10.5}
_EMU_PER_TWIP: Final = 635
_EMU_PER_PX: Final = 9_525
_PICTURE_SCALE: Final = 2.0
"""Device pixels a unit: sharp in print."""


def docx_bytes(
    subject: Subject,
    options: Options,
    progress: Progress = silent,
    measure: QtMeasure | None = None,
) -> bytes:
    """Return the record as .docx; the same plan gives the same bytes.

    `measure` has the fonts that the picture of the bars takes; without, it is left out.
    """
    made = record_document(subject, options, first_half(progress))
    word = new_document()
    _set_up(word, made)
    section = word.sections[0]
    width = section.page_width - section.left_margin - section.right_margin
    body = Body(width // _EMU_PER_TWIP)
    pieces = [body.heading(0, made.title)]
    for block in told(made, progress):
        if not isinstance(block, Bars):
            pieces += body.block(block)
        elif measure is not None:
            pieces.append(_picture(word, block, options, measure, width))
            if block.note:
                pieces += body.block(Paragraph(block.note, "muted"))
    _carry(word, record_data(subject.plan, subject.ledgers, word_mark(pieces)))
    return _package(word, "".join(pieces).encode("utf-8"))


def _package(word: WordDocument, body: bytes) -> bytes:
    """Return the file: the parts of a document that has no text yet, and the text."""
    relations = word.part.package.rels
    for name in [one for one, to in relations.items() if to.reltype == RELATIONSHIP_TYPE.THUMBNAIL]:
        # A picture of the library's own document.
        del relations[name]
    buffer = io.BytesIO()
    word.save(buffer)
    parts = unpacked(buffer.getvalue())
    # What the library has written ends in the form of the pages.
    before, mark, after = parts[BODY_PART].partition(b"<w:sectPr")
    parts[BODY_PART] = before + body + mark + after
    return packed(parts)


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
    """Put "3 / 9" and the footnote, which may take two lines, below every page."""
    runs = [*_field(paragraph, "PAGE"), paragraph.add_run(" / "), *_field(paragraph, "NUMPAGES")]
    if footnote:
        runs.append(paragraph.add_run(f" · {safe_line(footnote, 400)}"))
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


def _picture(
    word: WordDocument, block: Bars, options: Options, measure: QtMeasure, width: int
) -> str:
    """Put a picture of the bars into the package; return the paragraph that shows it."""
    from workbench.export.raster import png_bytes

    drawn = record_bars(block.rows, options, measure, width / _EMU_PER_PX)
    data = io.BytesIO(png_bytes(drawn, _PICTURE_SCALE, measure))
    inline = word.part.new_pic_inline(data, Emu(width))
    inline.docPr.set("descr", "\n".join(safe_lines(drawn.summary)))
    for side in "TBLR":
        inline.set(f"dist{side}", "0")
    shown = etree.tostring(inline, encoding="unicode")
    return f"<w:p><w:r><w:drawing>{shown}</w:drawing></w:r></w:p>"


def _rgb(colour: str) -> RGBColor:
    return RGBColor.from_string(colour.lstrip("#"))
