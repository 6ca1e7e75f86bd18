"""Words and file names of the export dialog."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from workbench.export.formats import FORMATS
from workbench.export.options import LOOKS, PICTURES, RATIOS, Language, What
from workbench.export.safe_text import safe_line
from workbench.gui.tr import chart_label, translate, words

_STEMS: Final[dict[What, str]] = {
    "bars": "memory",
    "compare": "comparison",
    "waterfall": "waterfall",
    "heatmap": "heat-map",
    "deck": "slides",
    "record": "record",
    "tables": "tables",
}
"""What stands behind the plan's name in a file's; the same in every language."""
_UNFIT: Final = re.compile(r'[\\/:*?"<>|\x00-\x1f\x7f]+')
_LONGEST_STEM_BYTES: Final = 180
"""With an ending and a little behind it, below the 255 that file systems take."""
_ANONYMOUS: Final = "plan"


def spoken(code: str) -> Language:
    """Return the words of the window for an export."""
    return Language(words=words, labels=chart_label, code=code.replace("_", "-"))


def what_words() -> dict[What, str]:
    """Say what can be exported."""
    return {
        "bars": translate("Export", "Memory per GPU"),
        "compare": translate("Export", "Comparison"),
        "waterfall": translate("Export", "What moved the answer"),
        "heatmap": translate("Export", "Heat map"),
        "deck": translate("Export", "Slides with everything"),
        "record": translate("Export", "Capacity record"),
        "tables": translate("Export", "Tables"),
    }


def format_words() -> dict[str, str]:
    """Say the kinds of files."""
    return {
        "png": translate("Export", "PNG picture"),
        "svg": translate("Export", "SVG drawing"),
        "pdf": translate("Export", "PDF"),
        "pptx": translate("Export", "PowerPoint slides"),
        "docx": translate("Export", "Word document"),
        "md": translate("Export", "Markdown text"),
        "xlsx": translate("Export", "Excel workbook"),
        "csv": translate("Export", "CSV table"),
        "json": translate("Export", "JSON data"),
    }


def ratio_words() -> list[tuple[str, str]]:
    """Say the shapes of a picture."""
    words = {"free": translate("Export", "As high as the chart")}
    return [(ratio, words.get(ratio, ratio)) for ratio in RATIOS]


def look_words() -> list[tuple[str, str]]:
    """Say the looks of a picture."""
    words = {
        "light": translate("Export", "Light paper"),
        "dark": translate("Export", "Dark paper"),
        "transparent": translate("Export", "Transparent, for light slides"),
        "grey": translate("Export", "Grey with patterns"),
    }
    return [(look, words[look]) for look in LOOKS]


def scale_words() -> list[tuple[str, str]]:
    """Say how large a PNG is."""
    return [(str(scale), f"{scale}×") for scale in (1, 2, 3)]


def formats_of(what: What) -> tuple[str, ...]:
    """Return the kinds of files that can hold something."""
    return tuple(name for name, form in FORMATS.items() if what in form.whats)


def is_picture(what: What) -> bool:
    """Tell whether something is one picture, which can be copied."""
    return what in PICTURES


def stem_of(path: Path | None, title: str, what: What) -> str:
    """Return the name for a file without its ending: the plan's name and what it holds."""
    plan = path.stem if path is not None else title
    # Bytes of a name that are no text cannot be part of another one.
    name = safe_line(_UNFIT.sub(" ", plan)).replace("\ufffd", "")
    name = " ".join(name.split()).strip(". ") or _ANONYMOUS
    cut = name.encode("utf-8")[:_LONGEST_STEM_BYTES].decode("utf-8", "ignore").strip(". ")
    return f"{cut or _ANONYMOUS}-{_STEMS[what]}"
