"""Paragraphs of slides as XML, written directly: the library's way takes ten times as long."""

from __future__ import annotations

from typing import Any, Final, Literal

from lxml import etree

from workbench.export.safe_text import safe_line

A: Final = "http://schemas.openxmlformats.org/drawingml/2006/main"
Align = Literal["l", "ctr", "r"]


def a(parent: Any, name: str, **values: str) -> Any:
    """Add an element of DrawingML below another."""
    return etree.SubElement(parent, f"{{{A}}}{name}", values)


def add_fill(parent: Any, colour: str) -> None:
    """Fill with "#RRGGBB"."""
    a(a(parent, "solidFill"), "srgbClr", val=colour.removeprefix("#"))


def add_paragraph(
    body: Any, text: str, size_pt: float, *, bold: bool, ink: str, align: Align = "l"
) -> None:
    """Add a paragraph with one run to a text body; without ink the theme's text colour stays."""
    paragraph = a(body, "p")
    a(paragraph, "pPr", algn=align)
    clean = safe_line(text)
    if clean:
        run = a(paragraph, "r")
        look = a(run, "rPr")
        a(run, "t").text = clean
    else:
        look = a(paragraph, "endParaRPr")
    look.set("sz", str(round(size_pt * 100)))
    look.set("b", "1" if bold else "0")
    if ink:
        add_fill(look, ink)
