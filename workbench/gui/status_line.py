"""The status bar: what is saved, what undo would do, and the pool in four figures."""

from __future__ import annotations

from PySide6.QtCore import QLocale
from PySide6.QtWidgets import QStatusBar, QWidget

from workbench.gui.files import Files
from workbench.gui.focus import Group
from workbench.gui.labels import Label
from workbench.gui.language import on_language
from workbench.gui.session import Session
from workbench.gui.soon import Soon, Turn
from workbench.gui.tr import step_text, translate
from workbench.gui.why import Why, field_why, figure_why, set_why
from workbench.spec import words
from workbench.spec.fields import FIELDS
from workbench.spec.ledger import Evidence, Source, Term
from workbench.spec.units import show_bytes

_EXPLAINED = ("kv_bytes_per_token", "pool_tokens", "gpus")
"""Names of the figures at the right in `core.explain`."""


class StatusLine(QStatusBar):
    """Left: the document. Right: the current scenario's pool."""

    def __init__(self, session: Session, files: Files, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._files = files
        self._build()
        self._soon = Soon(self._say, self, Turn.STATUS)
        for changed in (session.plan_changed, session.preview_changed, session.current_changed):
            changed.connect(self._soon.ask)
        session.state_changed.connect(self._soon.ask)
        files.saved_at_changed.connect(self._soon.ask)
        self._say()
        on_language(self._say)

    def _say(self) -> None:
        self._show_state()
        self._show_figures()

    def _build(self) -> None:
        em = self.fontMetrics().height()
        self.setSizeGripEnabled(False)
        self.setContentsMargins(em // 2, 0, em // 2, 0)
        self.state = Label("", self, role="muted", selectable=True)
        self.undo = Label("", self, role="muted", elide=True, selectable=True)
        self.addWidget(self.state)
        self.addWidget(self.undo, 1)
        self.figures = [Label("", self, role="muted", selectable=True) for _ in range(3)]
        for label in self.figures:
            label.setContentsMargins(em // 2, 0, 0, 0)
            self.addPermanentWidget(label)
        Group(self.figures, self)

    def _show_state(self) -> None:
        self.state.set_text(f"{self._dot()} {self._state_text()}")
        set_why(self.state, self._state_why())
        step = self._session.undo_step
        text = ""
        if step is not None:
            text = translate("Status", "Undo: {step}").format(step=step_text(step))
            field_id = str(step.params.get("field", ""))
            set_why(self.undo, field_why(None, field_id) if field_id in FIELDS else Why(None))
        self.undo.set_text(text)
        self.undo.setVisible(bool(text))

    def _dot(self) -> str:
        return "○" if self._session.dirty else "●"

    def _state_text(self) -> str:
        session, saved_at = self._session, self._files.saved_at
        if session.saving:
            return translate("Status", "Saving…")
        if session.dirty:
            return translate("Status", "Unsaved changes")
        if session.read_only:
            return translate("Status", "Read-only")
        if saved_at is not None:
            time = QLocale().toString(saved_at.time(), QLocale.FormatType.ShortFormat)
            return translate("Status", "Saved {time}").format(time=time)
        return translate("Status", "No changes")

    def _state_why(self) -> Why | None:
        """When the file was written, and which file that is."""
        saved_at, path = self._files.saved_at, self._session.path
        if saved_at is None or path is None:
            return None
        time, source = saved_at.toString("yyyy-MM-dd HH:mm:ss"), Source("file", str(path))
        return Why(None, term=Term("saved_at", time, "text", Evidence.MEASURED, source))

    def _show_figures(self) -> None:
        texts = ["", "", ""]
        current = self._session.current_id
        if current is not None:
            ledger = self._session.ledger(current)
            pool = ledger.pool
            if pool is not None and pool.kv_bytes_per_token is not None:
                texts[0] = translate("Status", "KV per token {size} / GPU").format(
                    size=show_bytes(int(pool.kv_bytes_per_token))
                )
            if pool is not None:
                text = translate("Status", "pool {blocks} blocks · {tokens} tokens")
                if pool.blocks and not pool.tokens:
                    # An engine that refuses prints no tokens.
                    text = translate("Status", "pool {blocks} blocks")
                texts[1] = words.fill(text, {"blocks": pool.blocks, "tokens": pool.tokens})
            texts[2] = translate("Status", "{count} × GPU").format(count=ledger.scenario.gpus)
        for label, text, name in zip(self.figures, texts, _EXPLAINED, strict=True):
            label.set_text(text)
            set_why(label, figure_why(current, name), by_click=True)
            label.setVisible(bool(text))
