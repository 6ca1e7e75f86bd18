"""A session with the built-in presets and a bare window around one part of the real one."""

from __future__ import annotations

from functools import cache

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QApplication, QHBoxLayout, QMainWindow, QWidget

from tests.gui import sample
from workbench.gui import soon
from workbench.gui.session import Session
from workbench.gui.why import answer_in
from workbench.library import compose, engine_choice
from workbench.library.paths import presets_dir
from workbench.library.presets import Library
from workbench.spec.deployment import Deployment, Reserves
from workbench.spec.engine import Amount, PlainEngine
from workbench.spec.formats import Precision
from workbench.spec.scenario import Plan, Scenario
from workbench.spec.units import GIB
from workbench.spec.workload import ConstantLength, PrefixGroup, Workload


@cache
def library() -> Library:
    return Library(presets_dir(), None)


def ledger_lab(scenario_id: str = "a", name: str = "Ledger lab", **changes) -> Scenario:
    """The founding note's shape: 8K × 16 requests on the 80 GiB card."""
    return _made(scenario_id, name, "ledger-lab", "80-gib", 8_192, 16, **changes)


def llama(scenario_id: str = "b", name: str = "Llama", **changes) -> Scenario:
    """A real model on four real cards, with a prefix group."""
    return _made(
        scenario_id,
        name,
        "llama-3.1-70b",
        "h100-sxm",
        32_768,
        4,
        deployment=Deployment(tp=4),
        reserves=Reserves(headroom=Amount(size_bytes=2 * GIB)),
        **changes,
    )


def _made(scenario_id, name, model_id, gpu_id, context, concurrency, **changes) -> Scenario:
    model, gpu = library().model(model_id), library().gpu(gpu_id)
    precision = Precision(
        weights=library().weight_format("bf16").value, kv=library().kv_format("bf16").value
    )
    made = Scenario(
        id=scenario_id,
        name=name,
        model=model.value,
        model_ref=model.ref,
        gpu=gpu.value,
        gpu_ref=gpu.ref,
        precision=precision,
        engine=PlainEngine(),
        workload=Workload(lengths=ConstantLength(tokens=context), concurrency=concurrency),
    )
    return made.with_(**changes)


def vllm(
    scenario_id: str = "v",
    model_id: str = "llama-3.1-8b",
    gpu_id: str = "h100-sxm",
    release: str = "0.19.1",
    **deployment: int,
) -> Scenario:
    """A model on a card or set under a release of vLLM, every flag left to the engine."""
    start = compose.new_scenario(
        library(), scenario_id, model_id, library().model(model_id), library().gpu(gpu_id)
    )
    if deployment:
        start = start.with_(deployment=start.deployment.with_(**deployment))
    return engine_choice.with_engine(start, "vllm", release)


def with_prefix(scenario: Scenario) -> Scenario:
    group = PrefixGroup(shared_tokens=4_096, distinct_prefixes=4)
    return scenario.with_(workload=scenario.workload.with_(prefix_groups=(group,)))


def session(*scenarios: Scenario) -> Session:
    scenarios = scenarios or (ledger_lab(), llama())
    return Session(library(), Plan(scenarios=scenarios, baseline=scenarios[0].id))


def plain_session() -> Session:
    return Session(library(), sample.plan())


class Window(QMainWindow):
    """Parts side by side, with the undo and redo of the real window."""

    def __init__(self, made: Session, *parts: QWidget) -> None:
        super().__init__()
        body = QWidget(self)
        row = QHBoxLayout(body)
        for part in parts:
            row.addWidget(part)
        self.setCentralWidget(body)
        for keys, slot in (
            (QKeySequence.StandardKey.Undo, made.undo),
            (QKeySequence.StandardKey.Redo, made.redo),
        ):
            action = QAction(self)
            action.setShortcuts(QKeySequence.keyBindings(keys))
            action.triggered.connect(slot)
            self.addAction(action)


def show(qtbot, made: Session, *parts: QWidget, width: int = 340, height: int = 900) -> Window:
    """Show parts in an active window."""
    window = Window(made, *parts)
    qtbot.addWidget(window)
    window.resize(width * len(parts), height)
    with qtbot.waitExposed(window):
        window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    return window


def follow() -> None:
    """Let everything follow that comes after an edit, and be laid out."""
    soon.finish()
    QApplication.processEvents()


class Tabs:
    """The explorer's tabs over scenarios, shown in a window of their own."""

    def __init__(self, qtbot, *scenarios) -> None:
        from workbench.gui.views.explorer_tabs import ExplorerTabs

        self.qtbot = qtbot
        self.session = session(*scenarios)
        self.tabs = ExplorerTabs(self.session)
        self.window = show(qtbot, self.session, self.tabs, width=800, height=500)
        answer_in(self.window, lambda why, _widget: self.session.explain(why))

    def show(self, name):
        # A tab may have a number behind its name.
        names = [self.tabs.tabText(i).rstrip(" 0123456789") for i in range(self.tabs.count())]
        self.tabs.setCurrentIndex(names.index(name))
        follow()
        return self.tabs.currentWidget()

    def cells(self, table):
        follow()
        return [[cell.text for cell in row] for row in table.cells.rows]
