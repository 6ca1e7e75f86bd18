"""English and Chinese, switched while everything stays open."""

from __future__ import annotations

import json
import re
import time

import pytest
from PySide6.QtCore import QDateTime, QEvent, QObject, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QDialogButtonBox,
    QFileDialog,
    QLabel,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPushButton,
    QTabBar,
)

from tests.gui import parts
from tests.gui.texts import texts_of
from tests.gui.window_kit import Bench, click, key, opened_bench
from workbench.gui import soon
from workbench.gui.fields.quantity_edit import QuantityEdit
from workbench.gui.language import settle as say_the_rest
from workbench.gui.messages import Message, MessageAction
from workbench.gui.panels.tree import RowTree
from workbench.gui.tr import preset_name
from workbench.library.paths import presets_dir
from workbench.spec.scenario import Plan

SWITCHES = 20
QUIET_MS = 100
"""A switch takes less processor time than this, and so does what is painted after it."""
SAME_IN_BOTH = re.compile(
    r"GPU|GPUs|TP|PP|DP|EP|DCP|KV|CPU|CUDA|NVLink|SXM|PCIe|GiB|GB|MiB|MB|KiB|kB|TiB|token|Token|"
    r"MLA|MoE|LoRA|RoPE|YaRN|NVFP|FlashMLA|Triton|KDA|kda|gdn|conv|all|reduce|logit|sink|eager|torch|"
    r"rank|Rank|runner|vLLM|vllm|SGLang|TensorRT|LLM|llama|cpp|LMDeploy|max|min|mean|LBNHC|LBHNC|BLHNC|schema|config|json|JSON|UTF|PNG|png|"
    r"kvw|Workbench|English|EN|Qt|Apache|LGPL|ID|Hugging|Face|builtin|user|bf|fp|"
    r"Ctrl|Shift|Alt|Enter|Esc|Del|Delete|PgUp|PgDown|Tab|Home|End|Space"
)
"""Units, abbreviations, keys and names that Chinese keeps."""
CHINESE = re.compile("[\u4e00-\u9fff]")
_WORDS = re.compile(r"[A-Za-z][A-Za-z]+")


def mixed_plan() -> Plan:
    scenarios = (parts.ledger_lab(), parts.with_prefix(parts.llama()), parts.vllm())
    return Plan(scenarios=scenarios, baseline="a")


@pytest.fixture
def bench(qapp, tmp_path):
    with opened_bench(qapp, tmp_path, mixed_plan()) as made:
        made.session.set_current("v")
        # The heat map is worked out in the background; a table is there at once.
        made.window.tabs.setCurrentWidget(made.window.tabs.ledger)
        made.window.settle()
        settle(10)
        yield made


def settle(rounds: int = 4) -> None:
    for _ in range(rounds):
        QTest.qWait(15)
        say_the_rest()
        soon.finish()
        QApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def field_of(bench: Bench, field_id: str) -> QuantityEdit:
    return next(s.fields[field_id] for s in bench.window.panel.sections if field_id in s.fields)


def names_in(bench: Bench) -> frozenset[str]:
    """Words of names that the Chinese window keeps: scenarios, products, engines, terms."""
    library, words = bench.session.library, set()
    for kind in ("models", "gpus", "engines", "workloads", "formats/weights", "formats/kv"):
        for listed in library.listed(kind):
            for name in (listed.name, listed.id, *listed.aliases):
                # What Chinese keeps of a name that it has: GPTQ, Mooncake.
                words |= _words(preset_name(name))
    for path in (presets_dir() / "models").glob("*.json"):
        facts = json.loads(path.read_text(encoding="utf-8"))["preset"]
        for name in ("family", "architecture", "license_note"):
            words |= _words(str(facts.get(name, "")))
    for scenario in bench.session.plan.scenarios:
        for name in (scenario.name, scenario.model.name, scenario.gpu.name):
            words |= _words(preset_name(name))
    return frozenset(words)


def english_left(bench: Bench, *known: str) -> list[str]:
    """Texts of the Chinese window that still hold an English word."""
    names = names_in(bench) | set(known)
    return sorted(
        {f"{where}: {text}" for where, text in texts_of(bench.window) if _english(text) - names}
    )


def _english(text: str) -> set[str]:
    return {word for word in _words(_without_keys(text)) if not SAME_IN_BOTH.fullmatch(word)}


def _words(text: str) -> set[str]:
    return set(_WORDS.findall(text))


def _without_keys(text: str) -> str:
    """A text without what is no prose: mnemonics, file patterns, what is shortened, paths."""
    text = re.sub(r"\(&\w\)|\S*…|\*\.\w+|\[\*\]|https?:\S+|\S*[/@_]\S*|<[^>]*>", " ", text)
    return re.sub(r"\S*\d\S*", " ", text)


# --- the switch ---------------------------------------------------------------------------------


def test_a_click_on_the_strip_switches_everything_and_back(bench):
    window = bench.window
    before = texts_of(window)
    assert not any(CHINESE.search(text) for _, text in before if text not in ("EN|中", "简体中文"))
    click(window.language_button)
    settle()
    assert [m.title() for m in window.menuBar().findChildren(QMenu) if "文件" in m.title()]
    assert window.left.windowTitle() == "方案"
    assert window.tabs.tabText(window.tabs.indexOf(window.tabs.ledger)) == "账本"
    assert window.status.state.full_text.endswith("没有更改")
    assert window.panel.sections[0].title.full_text == "模型"
    assert window.actions_by_id["view.language.zh_CN"].isChecked()
    assert bench.store.settings.language == "zh_CN"
    assert english_left(bench) == []
    click(window.language_button)
    settle()
    assert window.actions_by_id["view.language.en"].isChecked()
    assert texts_of(window) == before


@pytest.mark.parametrize("scenario", ["a", "b", "v"])
def test_no_tab_keeps_an_english_word(bench, scenario):
    bench.session.set_current(scenario)
    bench.verbs.choose_language("zh_CN")
    tabs, left = bench.window.tabs, []
    for index in range(tabs.count()):
        tabs.setCurrentIndex(index)
        settle()
        left += english_left(bench)
    assert left == []


def test_no_page_keeps_an_english_word(bench):
    window = bench.window
    pages = [name for name in window.pages.names() if name != "plan"]
    for page in pages:
        window.show_page(page)
        settle(10)
    before = texts_of(window)
    bench.verbs.choose_language("zh_CN")
    left = []
    for page in pages:
        window.show_page(page)
        settle(10)
        left += [f"{page} {text}" for text in english_left(bench)]
    assert left == []
    bench.verbs.choose_language("en")
    settle(10)
    assert texts_of(window) == before


@pytest.mark.parametrize("kind", range(5))
def test_an_editor_of_a_preset_that_is_open_changes_in_place(bench, kind):
    bench.window.show_page("presets")
    settle(10)
    page = bench.window.pages.made("presets")
    page.findChild(QTabBar).setCurrentIndex(kind)
    settle(6)
    click(next(b for b in visible_buttons(page) if b.text() == "Make my own copy"))
    settle(15)
    before = texts_of(bench.window)
    bench.verbs.choose_language("zh_CN")
    settle(6)
    # The copy has its name from the moment when it was made.
    assert english_left(bench, *_words(page.editor.draft.preset.value.name)) == []
    bench.verbs.choose_language("en")
    settle(6)
    assert texts_of(bench.window) == before


def visible_buttons(page):
    return [button for button in page.findChildren(QPushButton) if button.isVisible()]


def test_twenty_switches_change_nothing_else(bench, qapp):
    window, session = bench.window, bench.session
    session.set_field("workload.context", 4_096)
    bench.session.tell(Message("info", "chart_copied"))
    settle(10)
    plan, first, steps = session.plan, texts_of(window), session.undo_step
    objects: list[int] = []
    chinese: list[list[tuple[str, str]]] = []
    times = []
    for number in range(SWITCHES):
        start = time.process_time()
        window.language_button.click()
        times.append(1_000 * (time.process_time() - start))
        settle()
        if number % 2 == 0:
            chinese.append(texts_of(window))
            objects.append(len(window.findChildren(QObject)) + len(qapp.topLevelWidgets()))
    assert texts_of(window) == first
    for said in chinese:
        assert said == chinese[0]
    assert session.plan is plan
    assert session.undo_step is steps
    assert objects[1:] == objects[1:2] * (len(objects) - 1)
    # The quickest tells what the program takes; the others, what else the machine does.
    assert min(times) < QUIET_MS


def test_what_is_half_typed_chosen_unfolded_and_scrolled_stays(bench):
    window, session = bench.window, bench.session
    session.select("v", 0, "kv")
    window.tabs.setCurrentWidget(window.tabs.ledger)
    settle()
    edit = field_of(bench, "workload.context")
    edit.line.setFocus()
    edit.line.selectAll()
    QTest.keyClicks(edit.line, "12x")
    edit.line.setSelection(1, 2)
    tree, table = window.right.findChild(RowTree), window.tabs.ledger.table
    tree.setExpanded(tree.rows.index(0, 0), True)
    table.selectRow(2)
    bar = window.panel.area.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    kept = [tree.isExpanded(index) for index, _ in tree.rows.made()]
    scrolled = bar.value()
    bench.verbs.choose_language("zh_CN")
    settle()
    assert edit.line.text() == "12x"
    assert (edit.line.selectionStart(), edit.line.selectedText()) == (1, "2x")
    assert edit.line.isModified()
    assert window.focusWidget() is edit.line
    assert [tree.isExpanded(index) for index, _ in tree.rows.made()] == kept
    assert {index.row() for index in table.selectionModel().selectedIndexes()} == {2}
    assert bar.value() == scrolled
    assert session.selection == ("v", 0, "kv")
    bench.verbs.choose_language("en")
    settle()
    assert edit.line.text() == "12x"


def test_a_refusal_and_an_undo_step_are_said_again(bench):
    session, window = bench.session, bench.window
    session.set_field("workload.context", 4_096)
    edit = field_of(bench, "deployment.tp")
    edit.line.setFocus()
    edit.line.selectAll()
    QTest.keyClicks(edit.line, "two")
    key(edit.line, Qt.Key.Key_Return)
    assert edit.error.full_text.startswith("two cannot be read")
    bench.verbs.choose_language("zh_CN")
    settle()
    assert edit.error.full_text == "无法读取 two：请输入整数，例如 16 或 2k。"
    assert "无法读取" in edit.line.accessibleDescription()
    assert window.actions_by_id["edit.undo"].text() == "撤销(&U)：上下文设为 4k"
    assert window.status.undo.full_text == "撤销：上下文设为 4k"


def test_a_preset_list_that_is_open_and_half_filtered_changes_in_place(bench):
    box = bench.window.panel.sections[0].model
    box.open_list("llama")
    popup = box.popup
    shown = [r for r in range(popup.model.rowCount()) if not popup.view.isRowHidden(r)]
    bench.verbs.choose_language("zh_CN")
    assert popup.isVisible()
    assert popup.filter.text() == "llama"
    assert popup.filter.placeholderText() == "输入以筛选"
    assert [r for r in range(popup.model.rowCount()) if not popup.view.isRowHidden(r)] == shown
    assert "内置" in popup.model.item(shown[0]).data(Qt.ItemDataRole.AccessibleTextRole)
    popup.hide()


def test_a_built_in_name_that_describes_is_said_and_found_in_the_language(bench):
    bench.session.set_current("a")
    bench.verbs.choose_language("zh_CN")
    settle()
    gpu = bench.window.panel.sections[1].profile
    assert gpu.name == "80 GiB 卡"
    for typed in ("GiB 卡", "gib card"):
        gpu.open_list(typed)
        view, model = gpu.popup.view, gpu.popup.model
        rows = [row for row in range(model.rowCount()) if not view.isRowHidden(row)]
        assert [model.item(row).text() for row in rows] == ["4 × 80 GiB 卡", "80 GiB 卡"]
        gpu.popup.hide()
    preset = bench.session.library.get("formats/kv", "builtin", "fp8")
    bench.session.choose_kv_format(preset)
    settle()
    assert bench.window.panel.sections[0].kv.name == "FP8 E4M3 或 E5M2，逐张量缩放"
    assert "逐张量缩放" in bench.window.status.undo.full_text


def test_messages_and_their_buttons_change_where_they_stand(bench):
    action = MessageAction("retry", lambda: None)
    bench.session.tell(Message("error", "disk_full", {"path": "/x/a.kvw"}, (action,)))
    line = bench.window.messages._lines[0]
    bench.verbs.choose_language("zh_CN")
    assert line.accessibleName().startswith("磁盘已满。/x/a.kvw 保持原样")
    assert [button.text() for button in line._buttons] == ["重试"]


@pytest.mark.parametrize(
    ("action", "title"),
    [("help.shortcuts", "键盘快捷键"), ("help.about", "关于 KV Workbench")],
)
def test_an_open_sheet_changes_too(bench, action, title):
    bench.trigger(action)
    sheet = next(
        w for w in QApplication.topLevelWidgets() if w.isVisible() and w is not bench.window
    )
    before = texts_of(sheet)
    bench.verbs.choose_language("zh_CN")
    settle()
    assert sheet.windowTitle() == title
    labels = [label.text() for label in sheet.findChildren(QLabel) if label.text()]
    assert any(CHINESE.search(text) for text in labels)
    assert not any("&" in text for text in labels)
    close = sheet.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Close)
    assert "关闭" in close.text()
    bench.verbs.choose_language("en")
    settle()
    assert texts_of(sheet) == before
    close.click()
    settle()


# --- Qt's own words, dates, numbers -------------------------------------------------------------


def test_qts_own_dialogs_and_menus_speak_chinese(bench):
    bench.verbs.choose_language("zh_CN")
    box = QMessageBox(bench.window)
    box.setStandardButtons(QMessageBox.StandardButton.Save | QMessageBox.StandardButton.Cancel)
    assert "取消" in box.button(QMessageBox.StandardButton.Cancel).text()
    assert "保存" in box.button(QMessageBox.StandardButton.Save).text()
    line = QLineEdit(bench.window)
    menu = line.createStandardContextMenu()
    assert any("全选" in action.text() for action in menu.actions())
    dialog = QFileDialog(bench.window, "", "", "计划 (*.kvw)")
    dialog.setOption(QFileDialog.Option.DontUseNativeDialog)
    assert any("文件名称" in label.text() for label in dialog.findChildren(QLabel))
    for made in (menu, line, box, dialog):
        made.deleteLater()


def test_a_time_is_written_as_the_language_does_and_numbers_stay(bench):
    bench.verbs.choose_language("zh_CN")
    bench.files.saved_at = QDateTime.fromString("2026-03-01T14:05:00", Qt.DateFormat.ISODate)
    bench.files.saved_at_changed.emit(bench.files.saved_at)
    bench.window.settle()
    assert bench.window.status.state.full_text == "● 已保存 14:05"
    table = bench.window.tabs.ledger.table
    texts = [cell.text for row in table.cells.rows for cell in row if cell.figure]
    assert any(re.fullmatch(r"\d{1,3}(,\d{3})+", text) for text in texts)


# --- input methods ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("typed", "tokens"),
    [
        ("１６ｋ", 16_384),
        ("１。５ｋ", 1_536),
        ("１，０４８，５７６", 1_048_576),
        ("８１９２", 8_192),
    ],
)
def test_full_width_digits_of_an_input_method_are_numbers(bench, typed, tokens):
    edit = field_of(bench, "workload.context")
    edit.line.setFocus()
    edit.line.selectAll()
    commit = QInputMethodEvent()
    commit.setCommitString(typed)
    QApplication.sendEvent(edit.line, commit)
    assert edit.line.text() == typed
    key(edit.line, Qt.Key.Key_Return)
    assert edit.field.read(bench.session.current) == tokens


def test_what_an_input_method_composes_is_no_value_yet(bench):
    edit = field_of(bench, "workload.context")
    edit.line.setFocus()
    edit.line.selectAll()
    QTest.keyClicks(edit.line, "16k")
    previews = []
    bench.session.preview_changed.connect(lambda *_: previews.append(1))
    composing = QInputMethodEvent("ba", [])
    QApplication.sendEvent(edit.line, composing)
    QTest.qWait(50)
    assert previews == []
    assert edit.line.text() == "16k"
    done = QInputMethodEvent()
    done.setCommitString("")
    QApplication.sendEvent(edit.line, done)
    assert edit.line.text() == "16k"
    key(edit.line, Qt.Key.Key_Return)
    assert edit.field.read(bench.session.current) == 16_384


def test_the_columns_of_the_form_are_as_wide_as_their_words_need(bench):
    def widths() -> set[int]:
        rows = (row for section in bench.window.panel.sections for row in section.rows())
        return {row.label.width() for row in rows if hasattr(row, "label")}

    english = widths()
    bench.verbs.choose_language("zh_CN")
    settle()
    chinese = widths()
    assert max(chinese) < max(english)
    for language in ("en", "zh_CN", "en"):
        bench.verbs.choose_language(language)
    settle()
    assert widths() == english
