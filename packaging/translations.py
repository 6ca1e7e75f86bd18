#!/usr/bin/env python3
"""Keeps the Chinese words of the window in step with its English ones.

    .venv/bin/python packaging/translations.py           bring the .ts up to date, make the .qm
    .venv/bin/python packaging/translations.py --check   change nothing; exit 1 if there is work

Texts come from three places: `translate("Context", "…")` and `QT_TRANSLATE_NOOP` in workbench/gui,
the templates of workbench/spec/words (context "Words"), the labels of workbench/charts ("Charts").
A text that is new stands in the .ts as unfinished, to be translated there by hand or with Qt
Linguist; one that is gone is dropped. The program reads only the .qm, and both are committed.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import pkgutil
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "resources" / "translations"
GUI = ROOT / "workbench" / "gui"
MARKS = frozenset({"translate", "QT_TRANSLATE_NOOP"})
ENGLISH_ONLY = frozenset({"workbench.spec.words.cli"})
"""Words of the command line, which is never translated."""

Text = tuple[str, str]
"""Context and English text."""


class Problem(Exception):
    """Something in the source that cannot be extracted."""


# --- what there is to translate -----------------------------------------------------------------


def texts_of_gui(folder: Path = GUI) -> Iterator[Text]:
    """Yield what is marked in the window's source; a mark without literals is a problem."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _name(node.func) in MARKS:
                yield from _marked(node, path)


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _marked(call: ast.Call, path: Path) -> Iterator[Text]:
    if len(call.args) < 2:
        return
    context, text = call.args[:2]
    where = f"{path.name}:{call.lineno}"
    if isinstance(text, ast.JoinedStr | ast.BinOp):
        raise Problem(f"{where}: a text that is put together cannot be translated")
    # Anything else but a literal is a text that was marked where it stands.
    if isinstance(text, ast.Constant) and isinstance(text.value, str):
        if not isinstance(context, ast.Constant) or not isinstance(context.value, str):
            raise Problem(f"{where}: the context is no literal")
        yield context.value, text.value


def texts_of_words() -> Iterator[Text]:
    """Yield the templates of every table in `spec.words`."""
    package = importlib.import_module("workbench.spec.words")
    for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
        if module.name in ENGLISH_ONLY:
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, Mapping) and not name.startswith("__"):
                yield from (("Words", text) for text in value.values() if isinstance(text, str))


def texts_of_charts() -> Iterator[Text]:
    """Yield the labels of charts."""
    labels = importlib.import_module("workbench.charts.labels")
    yield from (("Charts", text) for text in labels.ENGLISH.values())


def wanted() -> list[Text]:
    """Return every text once, in a stable order."""
    found = {*texts_of_gui(), *texts_of_words(), *texts_of_charts()}
    return sorted(text for text in found if text[1].strip())


# --- the file of translations -------------------------------------------------------------------


def read(path: Path) -> dict[Text, str]:
    """Return the finished translations of a .ts file."""
    if not path.exists():
        return {}
    found: dict[Text, str] = {}
    for context in ET.parse(path).getroot().iter("context"):
        name = context.findtext("name") or ""
        for message in context.iter("message"):
            translation = message.find("translation")
            if translation is not None and translation.get("type") is None and translation.text:
                found[name, message.findtext("source") or ""] = translation.text
    return found


def written(texts: list[Text], translations: Mapping[Text, str], language: str) -> str:
    """Return the .ts file of these texts."""
    lines = [
        '<?xml version="1.0" encoding="utf-8"?>',
        "<!DOCTYPE TS>",
        f'<TS version="2.1" language="{language}" sourcelanguage="en">',
    ]
    for context in sorted({context for context, _ in texts}):
        lines += ["<context>", f"    <name>{context}</name>"]
        for text in (text for text in texts if text[0] == context):
            translation = translations.get(text, "")
            state = "" if translation else ' type="unfinished"'
            lines += [
                "    <message>",
                f"        <source>{_quoted(text[1])}</source>",
                f"        <translation{state}>{_quoted(translation)}</translation>",
                "    </message>",
            ]
        lines.append("</context>")
    return "\n".join([*lines, "</TS>", ""])


def _quoted(text: str) -> str:
    return escape(text, {'"': "&quot;", "'": "&apos;"})


def compiled(ts: Path) -> bytes:
    """Return the .qm of a .ts, as Qt's own tool makes it."""
    import PySide6

    tool = Path(PySide6.__file__).with_name("lrelease")
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / "made.qm"
        command = [tool, "-silent", ts, "-qm", made]
        subprocess.run(command, check=True, capture_output=True, timeout=60)
        return made.read_bytes()


# --- what is wrong with it ----------------------------------------------------------------------


def placeholders(text: str) -> list[str]:
    """Return the names in braces of a template, sorted."""
    return sorted(re.findall(r"\{(\w*)\}", text.replace("{{", "").replace("}}", "")))


def faults(texts: list[Text], translations: Mapping[Text, str]) -> Iterator[str]:
    """Yield a line for each translation that is missing, left over, or does not fit its text."""
    for context, text in texts:
        translation = translations.get((context, text))
        if translation is None:
            yield f"{context}: not translated: {text}"
        elif placeholders(translation) != placeholders(text):
            yield f"{context}: other placeholders: {text} -> {translation}"
        elif bool(re.search(r"&\w", text)) != bool(re.search(r"&\w", translation)):
            yield f"{context}: mnemonic in one language only: {text} -> {translation}"
        elif text.endswith("…") != translation.endswith("…") and "(&" not in translation:
            yield f"{context}: dots in one language only: {text} -> {translation}"
    for context, text in translations.keys() - set(texts):
        yield f"{context}: no longer used: {text}"


def files(language: str, folder: Path = FOLDER) -> tuple[Path, Path]:
    """Return the .ts and the .qm of a language."""
    return folder / f"kvw_{language}.ts", folder / f"kvw_{language}.qm"


def check(language: str) -> list[str]:
    """Return what is wrong with the committed files."""
    ts, qm = files(language)
    texts, translations = wanted(), read(ts)
    found = list(faults(texts, translations))
    if not ts.exists() or ts.read_text(encoding="utf-8") != written(texts, translations, language):
        found.append(f"{ts.name} is not as it would be written")
    elif not qm.exists() or qm.read_bytes() != compiled(ts):
        found.append(f"{qm.name} is not made from {ts.name}")
    return found


def update(language: str) -> list[str]:
    """Bring both files up to date; return what is left to translate."""
    ts, qm = files(language)
    texts = wanted()
    translations = {text: said for text, said in read(ts).items() if text in set(texts)}
    ts.parent.mkdir(parents=True, exist_ok=True)
    ts.write_text(written(texts, translations, language), encoding="utf-8")
    # A window that is open reads its words from the old file's pages as long as it lives.
    made = qm.with_suffix(".made")
    made.write_bytes(compiled(ts))
    made.replace(qm)
    return list(faults(texts, translations))


def main() -> int:
    """Do what the command line asks for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--check", action="store_true", help="change nothing")
    parser.add_argument("--language", default="zh_CN")
    given = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    try:
        found = check(given.language) if given.check else update(given.language)
    except Problem as problem:
        found = [str(problem)]
    for line in found:
        print(line)
    print(f"{len(found)} to do" if found else f"{given.language}: complete")
    return int(bool(found))


if __name__ == "__main__":
    raise SystemExit(main())
