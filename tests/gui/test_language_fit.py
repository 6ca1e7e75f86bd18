"""No text is cut in either language at either size, and none escapes the translator."""

from __future__ import annotations

import re

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QTabBar, QWidget

from tests.gui import pseudo
from tests.gui.test_language import mixed_plan, names_in, settle
from tests.gui.texts import clipped, texts_of
from tests.gui.window_kit import opened_bench
from workbench.gui.labels import Label
from workbench.gui.pages import PLAN

SIZES = ((1440, 900), (1024, 700))
LANGUAGES = ("en", "zh_CN")


@pytest.fixture(params=SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def bench(request, qapp, tmp_path):
    with opened_bench(qapp, tmp_path, mixed_plan()) as made:
        made.window.resize(*request.param)
        made.window.settle()
        settle(10)
        yield made


def each_tab(bench):
    tabs = bench.window.tabs
    for index in range(tabs.count()):
        tabs.setCurrentIndex(index)
        settle()
        yield tabs.tabText(index)


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut_on_the_plans_page(bench, language):
    bench.verbs.choose_language(language)
    found = []
    for scenario in ("a", "b", "v"):
        bench.session.set_current(scenario)
        for section in bench.window.panel.sections:
            for fold in section.folds:
                section._open(fold, is_open=True)
        settle()
        for tab in each_tab(bench):
            found += [f"{scenario}, {tab}: {text}" for text in clipped(bench.window)]
    assert found == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_cut_on_the_other_pages(bench, language):
    bench.verbs.choose_language(language)
    found = []
    for page in bench.window.pages.names():
        if page != PLAN:
            bench.window.show_page(page)
            settle(15)
            found += [f"{page}: {text}" for text in clipped(bench.window)]
    assert found == []


def test_what_does_not_fit_is_found(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(300, 300)
    button, label, wrapped = QPushButton("Much too long", window), QLabel("Long", window), None
    button.setGeometry(0, 0, 30, 30)
    label.setGeometry(0, 40, 10, 20)
    wrapped = QLabel("one two three four five six", window)
    wrapped.setWordWrap(True)
    wrapped.setGeometry(0, 80, 60, 20)
    shortened = Label("Shortened by design", window, elide=True)
    shortened.setGeometry(0, 120, 40, 20)
    bar = QTabBar(window)
    bar.addTab("A")
    bar.setGeometry(0, 160, 200, 30)
    with qtbot.waitExposed(window):
        window.show()
    assert clipped(window) == [
        "QPushButton: Much too long",
        "QLabel: Long",
        "QLabel: one two three four five six",
    ]


# --- a language made up -------------------------------------------------------------------------

_WORDS = re.compile(r"[A-Za-z]{2,}")
_QTS_OWN = frozenset({"English", "简体中文", "EN|中"})


def test_every_text_comes_through_the_translator(qapp, tmp_path):
    with opened_bench(qapp, tmp_path, mixed_plan()) as bench:
        bench.window.settle()
        bench.session.set_field("workload.context", 4_096)
        made_up = pseudo.speak(qapp)
        try:
            found = set()
            for scenario in ("a", "v"):
                bench.session.set_current(scenario)
                for _ in each_tab(bench):
                    found |= set(unmarked(bench))
            for page in bench.window.pages.names():
                bench.window.show_page(page)
                QTest.qWait(200)
                found |= set(unmarked(bench))
        finally:
            pseudo.silence(qapp, made_up)
        assert sorted(found) == []


def unmarked(bench):
    """Texts with a word of ours that no bracket surrounds: names and units are not ours."""
    names = names_in(bench)
    for where, text in texts_of(bench.window):
        words = set(_WORDS.findall(outside(text))) - names
        if text not in _QTS_OWN and {word for word in words if not UNITS.fullmatch(word)}:
            yield f"{where}: {text}"


UNITS = re.compile(
    r"GiB|GB|MiB|MB|KiB|kB|GPU|vLLM|vllm|SGLang|TensorRT|LLM|llama|cpp|LMDeploy|KV|Workbench|Ctrl|Shift|Alt|TP|PP|bf|fp|gdn|kda|conv"
)


def outside(text: str) -> str:
    """What stands outside the brackets of a text; brackets may hold others."""
    # Half of a sentence, such as a verdict's reason, has lost the bracket at its beginning.
    depth, kept = max(0, text.count(pseudo.CLOSE) - text.count(pseudo.OPEN)), []
    for character in text:
        depth += character == pseudo.OPEN
        if depth <= 0:
            kept.append(character)
        depth -= character == pseudo.CLOSE
        depth = max(depth, 0)
    return re.sub(r"\S*\d\S*", " ", "".join(kept))
