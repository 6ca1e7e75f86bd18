"""The committed translations: all there, none unfinished, made into the file the window reads."""

from __future__ import annotations

import ast
import importlib.util
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

LANGUAGE = "zh_CN"
SAYS = frozenset(
    {
        "setText",
        "set_text",
        "setToolTip",
        "setAccessibleName",
        "setAccessibleDescription",
        "setWindowTitle",
        "setPlaceholderText",
        "setStatusTip",
        "setWhatsThis",
        "setTitle",
        "set_title",
        "setTabText",
        "setItemText",
        "setInformativeText",
        "setHeaderLabels",
        "setHorizontalHeaderLabels",
        "setSuffix",
        "setPrefix",
        "addAction",
        "addItem",
        "addItems",
        "addMenu",
        "addTab",
        "addButton",
        "addSection",
        "QAction",
        "QMenu",
        "QLabel",
        "QPushButton",
        "QToolButton",
        "QCheckBox",
        "QRadioButton",
        "QGroupBox",
        "Label",
        "Badge",
        "heading",
        "muted",
    }
)
"""What puts a text before a person's eyes or ears."""
NOT_WORDS = frozenset({"EN|中", "KV Workbench", "vLLM", "GiB", "GB", "MiB", "TP", "PP", "V0", "V1"})
"""Names and units, the same in both languages."""
_WORD = re.compile(r"[A-Za-z]{2,}")


@pytest.fixture(scope="module")
def tool(pytestconfig):
    source = pytestconfig.rootpath / "packaging" / "translations.py"
    spec = importlib.util.spec_from_file_location("translations_under_test", source)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_every_text_is_translated_and_the_window_reads_the_latest(tool):
    assert tool.check(LANGUAGE) == []


def test_the_check_names_what_is_missing_unfinished_or_stale(tool, tmp_path, monkeypatch):
    texts = [("Menus", "&Open {name}"), ("Menus", "Close")]
    monkeypatch.setattr(tool, "FOLDER", tmp_path)
    monkeypatch.setattr(tool, "wanted", lambda: texts)
    monkeypatch.setattr(tool.files, "__defaults__", (tmp_path,))
    ts, _qm = tool.files(LANGUAGE)
    assert [line.split(":")[1].strip() for line in tool.update(LANGUAGE)] == ["not translated"] * 2

    said = {texts[0]: "打开 {nom}(&O)", texts[1]: "关闭"}
    ts.write_text(tool.written(texts, said, LANGUAGE), encoding="utf-8")
    assert any("other placeholders" in line for line in tool.check(LANGUAGE))
    said[texts[0]] = "打开 {name}"
    ts.write_text(tool.written(texts, said, LANGUAGE), encoding="utf-8")
    assert any("mnemonic" in line for line in tool.check(LANGUAGE))

    said[texts[0]] = "打开 {name}(&O)"
    ts.write_text(tool.written(texts, said, LANGUAGE), encoding="utf-8")
    assert any("is not made from" in line for line in tool.check(LANGUAGE))
    assert tool.update(LANGUAGE) == []
    assert tool.check(LANGUAGE) == []
    ts.write_text(tool.written(texts[:1], said, LANGUAGE), encoding="utf-8")
    assert any("not translated" in line for line in tool.check(LANGUAGE))


def test_updating_keeps_translations_and_drops_what_is_gone(tool, tmp_path, monkeypatch):
    monkeypatch.setattr(tool.files, "__defaults__", (tmp_path,))
    ts, _ = tool.files(LANGUAGE)
    old = [("A", "kept"), ("A", "gone")]
    ts.write_text(tool.written(old, {old[0]: "留", old[1]: "去"}, LANGUAGE), encoding="utf-8")
    monkeypatch.setattr(tool, "wanted", lambda: [("A", "kept"), ("A", 'new <&> "one"')])
    assert tool.update(LANGUAGE) == ['A: not translated: new <&> "one"']
    assert tool.read(ts) == {("A", "kept"): "留"}
    assert "gone" not in ts.read_text(encoding="utf-8")


def test_texts_are_found_over_several_lines_and_never_put_together(tool, tmp_path):
    source = tmp_path / "a.py"
    source.write_text(
        'translate(\n    "Ctx",\n    "one "\n    "text",\n)\nX = QT_TRANSLATE_NOOP("Ctx", "two")\n'
        'translate("Ctx", X)\n"a b".translate({})\n',
        encoding="utf-8",
    )
    assert list(tool.texts_of_gui(tmp_path)) == [("Ctx", "one text"), ("Ctx", "two")]
    source.write_text('translate("Ctx", f"{one} text")\n', encoding="utf-8")
    with pytest.raises(tool.Problem):
        list(tool.texts_of_gui(tmp_path))


def test_tables_of_words_are_found_in_every_module(tool):
    from workbench.spec.words import errors, findings, labels

    texts = {text for _, text in tool.texts_of_words()}
    for table in (errors.ERRORS, findings.FINDINGS, labels.FIELD_HELP, labels.SOURCES):
        assert set(table.values()) <= texts


# --- nothing is said outside the translator -----------------------------------------------------


def _sources(root: Path) -> Iterator[tuple[Path, ast.Module]]:
    for path in sorted((root / "workbench" / "gui").rglob("*.py")):
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _literals(node: ast.expr) -> Iterator[str]:
    """The texts that an argument is made of, but for those inside a call."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.JoinedStr):
        yield from (part.value for part in node.values if isinstance(part, ast.Constant))
    elif isinstance(node, ast.BinOp):
        yield from (text for side in (node.left, node.right) for text in _literals(side))
    elif isinstance(node, ast.IfExp):
        yield from (text for side in (node.body, node.orelse) for text in _literals(side))
    elif isinstance(node, ast.List | ast.Tuple):
        yield from (text for element in node.elts for text in _literals(element))


def _has_words(text: str) -> bool:
    for name in NOT_WORDS:
        text = text.replace(name, "")
    return bool(_WORD.search(text))


def unmarked(tree: ast.Module) -> list[tuple[int, str]]:
    return [
        (node.lineno, text)
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and _name(node.func) in SAYS
        for argument in node.args
        for text in _literals(argument)
        if _has_words(text)
    ]


def test_no_words_are_shown_outside_the_translator(pytestconfig):
    found = [
        f"{path.name}:{line}: {text}"
        for path, tree in _sources(pytestconfig.rootpath)
        for line, text in unmarked(tree)
    ]
    assert found == []


def test_the_search_for_unmarked_words_finds_them():
    tree = ast.parse(
        'a.setText("Hello")\nb.setToolTip(f"{n} items")\nQAction("Do" if c else x, self)\n'
        'd.setText("…")\ne.setText(translate("C", "Fine"))\nLabel("KV Workbench")\n'
    )
    assert unmarked(tree) == [(1, "Hello"), (2, " items"), (3, "Do")]


def test_no_words_are_translated_while_modules_are_imported(pytestconfig):
    found = []
    for path, tree in _sources(pytestconfig.rootpath):
        inside = {
            inner
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef | ast.Lambda)
            for part in (node.body if isinstance(node.body, list) else [node.body])
            for inner in ast.walk(part)
        }
        found += [
            f"{path.name}:{node.lineno}"
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            and _name(node.func) == "translate"
            and len(node.args) > 1
            and node not in inside
        ]
    assert found == []
