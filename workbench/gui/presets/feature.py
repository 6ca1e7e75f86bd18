"""The window's side of the preset library: its verbs, and the drafts that outlive its page."""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent, QObject, Signal
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QWidget

from workbench.gui.messages import Message, MessageAction
from workbench.gui.pages import PLAN
from workbench.gui.presets.draft import Draft
from workbench.gui.tr import translate
from workbench.library import presets
from workbench.library.paths import shown
from workbench.library.presets import Kind, Library, Namespace, Own, Preset, Stored
from workbench.library.save import save
from workbench.spec.errors import UserError

if TYPE_CHECKING:
    from workbench.gui.app import Workbench
    from workbench.gui.presets.adopting import Adopting
    from workbench.gui.presets.page import LibraryPage

PAGE = "presets"
SIDE_BY_SIDE = ("models", "gpus")
"""Kinds that the compare view takes."""
SLOT = "preset"


def attach(bench: Workbench) -> None:
    """Offer the page of presets and its verbs."""
    bench.presets = made = Presets(bench)
    bench.window.add_page(PAGE, made.make_page)
    bench.window.actions_by_id.bind({"presets.open": made.open, "presets.import": made.ask_import})
    bench.window.add_tool("presets.open")


class Presets(QObject):
    """What can be done with presets. Every method returns at once; outcomes are messages."""

    changed = Signal()
    """The lists: a preset or a draft is new, gone, or says something else."""

    def __init__(self, bench: Workbench) -> None:
        super().__init__(bench.session)
        self._bench = bench
        self.session = bench.session
        self.library: Library = bench.library
        self.drafts: list[Draft] = []
        self._reading = False
        self._own_seen = False
        self._given_up: tuple[object, ...] = ()
        bench.window.installEventFilter(self)
        self.session.preset_asked.connect(self.answer)

    @cached_property
    def adopting(self) -> Adopting:
        """Brings new revisions of presets into the plan; imported when it is first asked."""
        from workbench.gui.presets.adopting import Adopting

        return Adopting(self)

    # Its page

    def make_page(self) -> QWidget:
        """Make the page; called when it is first shown."""
        from workbench.gui.presets.page import LibraryPage

        return LibraryPage(self, self._bench.window)

    @property
    def page(self) -> LibraryPage:
        """The page, made if need be."""
        self._bench.window.show_page(PAGE)
        return self._bench.window.page_widget(PAGE)  # type: ignore[return-value]

    def open(self) -> None:
        """Show the library."""
        self.refresh()
        self.page.enter()

    def leave(self) -> None:
        """Go back to the plan; what is being edited is kept."""
        self._bench.window.show_page(PLAN)

    def show(self, kind: Kind, namespace: Namespace, preset_id: str) -> None:
        """Show the library with one preset chosen."""
        self.page.choose(kind, f"{namespace}:{preset_id}")

    def edit_of(self, kind: str, preset: Preset[Any] | None) -> None:
        """Edit the preset that a scenario uses; one that is not the person's own is shown."""
        self.open()
        if preset is not None and preset.namespace == "user":
            self.page.edit(preset.kind, preset.value.id)
        elif preset is not None:
            self.show(preset.kind, preset.namespace, preset.value.id)
        else:
            self.page.show_kind(kind)

    def show_difference(self, preset: Preset[Any], copy: Any) -> None:
        """Show what a preset says beside a copy that a scenario holds."""
        self.show(preset.kind, preset.namespace, preset.value.id)
        self.page.compare_with_copy(copy)

    def answer(self, verb: object, part: object) -> None:
        """Do what a row of the scenario's form asks about the preset of a part."""
        self.adopting.answer(str(verb), str(part))

    # Staying in step with the disk

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look at the folder when the window comes to the front; ask before it closes."""
        if event.type() == QEvent.Type.WindowActivate:
            self.refresh()
        elif isinstance(event, QCloseEvent) and not self._may_close():
            event.ignore()
            return True
        return False

    def refresh(self) -> None:
        """Read the person's own presets again if any of their files has changed."""
        if not self._reading and self.library.own_files_changed():
            self._reading = True
            self._bench.jobs.run(self.library.read_own, self._read, self._not_read)

    def _read(self, own: Own) -> None:
        self._reading = False
        if not self.library.take_own(own):
            self.refresh()
            return
        if not own.found and not self._own_seen:
            return
        self._own_seen = bool(own.found)
        for draft in self.drafts:
            if not draft.is_unsaved and not draft.saving:
                self._follow_disk(draft)
        self._tell_changed()

    def _follow_disk(self, draft: Draft) -> None:
        """Show in an untouched draft what its file says by now."""
        digest = self.library.digest(draft.kind, draft.id)
        if digest is not None and digest != draft.digest:
            stored = Stored(self.library.get(draft.kind, "user", draft.id), digest)
            draft.reload(stored)

    def _not_read(self, error: Exception) -> None:
        self._reading = False
        raise error

    def _tell_changed(self) -> None:
        self._own_seen = True
        self.changed.emit()
        self.session.library_changed.emit()

    # Drafts

    def draft(self, kind: Kind, preset_id: str) -> Draft | None:
        """Return the draft of one of the person's own presets, if there is one."""
        return next((d for d in self.drafts if d.kind == kind and d.id == preset_id), None)

    def fork(self, preset: Preset[Any]) -> Draft:
        """Begin a copy of a preset that is the person's own."""
        from workbench.library import preset_edits

        taken = {draft.id for draft in self.drafts if draft.kind == preset.kind}
        name = translate("Presets", "{name} copy")
        draft = Draft(preset_edits.own_copy(self.library, preset, taken, name), None, self)
        return self._keep(draft)

    def edit(self, kind: Kind, preset_id: str) -> Draft:
        """Return the draft of one of the person's own presets; raises `UserError`."""
        known = self.draft(kind, preset_id)
        if known is not None:
            return known
        preset = self.library.get(kind, "user", preset_id)
        return self._keep(Draft(preset, self.library.digest(kind, preset_id), self))

    def _keep(self, draft: Draft) -> Draft:
        self.drafts.append(draft)
        draft.changed.connect(self.changed)
        self.changed.emit()
        return draft

    def drop(self, draft: Draft) -> None:
        """Forget a draft and what was not saved of it."""
        if draft in self.drafts:
            self.drafts.remove(draft)
            draft.deleteLater()
            self.changed.emit()

    def _may_close(self) -> bool:
        """Ask once about each state of what is not saved."""
        page = self._bench.window.page_widget(PAGE)
        if page is not None:
            page.take_over()  # type: ignore[attr-defined]
        unsaved = [draft for draft in self.drafts if draft.is_edited]
        state = tuple((draft, draft.undo_stack.index()) for draft in unsaved)
        if not unsaved or state == self._given_up:
            return True
        name = ", ".join(str(draft.preset.value.name) for draft in unsaved)
        answer = self._bench.files.dialogs.unsaved_preset(name)  # type: ignore[union-attr]
        if answer == "discard":
            self._given_up = state
        elif answer == "save":
            for draft in unsaved:
                self.save(draft, close=draft is unsaved[-1])
        return answer == "discard"

    # Saving

    def save(self, draft: Draft, *, overwrite: bool = False, close: bool = False) -> None:
        """Write a draft, unless its file is not the one that was read."""
        if draft.saving:
            return
        preset = self._with_free_id(draft) if draft.is_new else draft.preset
        draft.saving = True
        before = None if draft.is_new else self.library.current(preset.kind, preset.ref)
        write = partial(
            self.library.store,
            preset,
            expected_digest=None if overwrite else draft.digest,
            overwrite=overwrite,
        )
        self._bench.jobs.run(
            write,
            partial(self._saved, draft, preset, before, close),
            partial(self._not_saved, draft, preset, close),
        )

    def _with_free_id(self, draft: Draft) -> Preset[Any]:
        from workbench.library import preset_edits

        others = {d.id for d in self.drafts if d.kind == draft.kind and d is not draft}
        return preset_edits.renamed(self.library, draft.preset, others)

    def _saved(
        self,
        draft: Draft,
        written: Preset[Any],
        before: Preset[Any] | None,
        close: bool,
        stored: Stored,
    ) -> None:
        self.library.adopt(stored)
        if draft in self.drafts:
            draft.saving = False
            draft.mark_saved(written, stored)
        self._tell_changed()
        reference = f"user:{stored.preset.value.id}"
        self.session.tell(Message("info", "preset_saved", {"reference": reference}, slot=SLOT))
        self.adopting.offer(stored.preset, before)
        if close:
            self._bench.window.close()

    def _not_saved(self, draft: Draft, asked: Preset[Any], close: bool, error: Exception) -> None:
        if draft in self.drafts:
            draft.saving = False
            draft.changed.emit()
        if not isinstance(error, UserError):
            raise error
        if draft not in self.drafts:
            # It was deleted while it was being saved, which is why it could not be.
            return
        if error.code == "file_exists" and draft.is_new:
            # Another program has taken the id that was free: the next one is as good.
            self.library.forget(asked.kind, asked.value.id)
            if self._with_free_id(draft).value.id != asked.value.id:
                self.save(draft, close=close)
                return
        overwrite = MessageAction("overwrite", partial(self.save, draft, overwrite=True))
        again = MessageAction("retry", partial(self.save, draft))
        actions = {
            "changed_on_disk": (overwrite, MessageAction("reload", partial(self.reload, draft))),
            "gone_from_disk": (overwrite,),
        }.get(error.code, (again,))
        self.session.tell(Message.of_error(error, *actions, slot=SLOT))

    def reload(self, draft: Draft) -> None:
        """Forget what was edited and show what the file says."""
        self.library.forget(draft.kind, draft.id)
        try:
            preset = self.library.get(draft.kind, "user", draft.id)
        except UserError as error:
            self.session.tell(Message.of_error(error, slot=SLOT))
            return
        digest = self.library.digest(draft.kind, draft.id)
        draft.reload(Stored(preset, str(digest)))
        self._tell_changed()

    # Deleting

    def delete(self, preset: Preset[Any]) -> None:
        """Take one of the person's own presets out of the library; a message offers it back."""
        kind, preset_id = preset.kind, preset.value.id
        self._bench.jobs.run(
            partial(self.library.put_aside, kind, preset_id),
            partial(self._deleted, preset),
            self.failed,
        )

    def _deleted(self, preset: Preset[Any], place: Path) -> None:
        kind, preset_id = preset.kind, preset.value.id
        draft = self.draft(kind, preset_id)
        if draft is not None:
            self.drop(draft)
        self.library.forget(kind, preset_id)
        self._tell_changed()
        back = MessageAction("undo_delete", partial(self._bring_back, kind, preset_id, place))
        message = Message("info", "preset_deleted", {"name": preset.value.name}, (back,), SLOT)
        self.session.tell(message)

    def _bring_back(self, kind: Kind, preset_id: str, place: Path) -> None:
        self._bench.jobs.run(
            partial(self.library.bring_back, kind, preset_id, place),
            partial(self._brought_back, kind, preset_id),
            self.failed,
        )

    def _brought_back(self, kind: Kind, preset_id: str, _: object) -> None:
        self.library.forget(kind, preset_id)
        self._tell_changed()
        self.show(kind, "user", preset_id)

    # Files of others

    def ask_import(self) -> None:
        """Ask for a preset file and import it."""
        path = self._bench.files.dialogs.preset_to_open(self._bench.files.folder)  # type: ignore[union-attr]
        if path is not None:
            self.import_path(path)

    def import_path(self, path: Path | str) -> None:
        """Take a preset file from anywhere into the person's own presets."""
        self._bench.jobs.run(partial(presets.read, Path(path)), self._imported, self.failed)

    def _imported(self, preset: Preset[Any]) -> None:
        from workbench.library import preset_edits

        known = self._known(preset)
        if isinstance(known, Preset) and known.value == preset.value:
            reference = f"{known.namespace}:{known.value.id}"
            show = MessageAction(
                "show_preset", partial(self.show, known.kind, known.namespace, known.value.id)
            )
            message = Message("info", "preset_same", {"reference": reference}, (show,), SLOT)
            self.session.tell(message)
        elif known is None:
            self._store_import(preset)
        elif isinstance(known, Preset) and known.namespace == "builtin":
            # A name of a built-in preset keeps meaning that one.
            self._store_import(preset_edits.renamed(self.library, preset))
        else:
            renamed = preset_edits.renamed(self.library, preset)
            actions = (
                MessageAction("keep_both", partial(self._store_import, renamed)),
                MessageAction("replace_mine", partial(self._store_import, preset, overwrite=True)),
            )
            params = {"reference": f"user:{preset.value.id}"}
            self.session.tell(Message("warning", "preset_exists", params, actions, SLOT))

    def _known(self, preset: Preset[Any]) -> Preset[Any] | UserError | None:
        """Return what stands under the id of a preset, an error for a broken file."""
        try:
            for namespace in ("user", "builtin"):
                found = self.library.known(preset.kind, f"{namespace}:{preset.value.id}")
                if found is not None:
                    return found
        except UserError as error:
            return error
        return None

    def _store_import(self, preset: Preset[Any], *, overwrite: bool = False) -> None:
        store = partial(self.library.store, preset, overwrite=overwrite)
        self._bench.jobs.run(store, self._import_stored, self.failed)

    def _import_stored(self, stored: Stored) -> None:
        value = stored.preset.value
        self.library.adopt(stored)
        draft = self.draft(stored.preset.kind, value.id)
        if draft is not None and not draft.is_unsaved:
            draft.reload(stored)
        self._tell_changed()
        params = {"reference": f"user:{value.id}"}
        self.session.tell(Message("info", "preset_imported", params, slot=SLOT))
        self.adopting.offer(stored.preset, None)
        self.show(stored.preset.kind, "user", value.id)

    def export(self, preset: Preset[Any]) -> None:
        """Ask where to, and write a preset as a file."""
        start = str(Path(self._bench.files.folder) / f"{preset.value.id}.json")
        path = self._bench.files.dialogs.preset_to_save(start)  # type: ignore[union-attr]
        if path is not None:
            self._bench.jobs.run(
                partial(_write, preset, path), partial(self._exported, path), self.failed
            )

    def _exported(self, path: Path, _: object) -> None:
        message = Message("info", "preset_exported", {"path": shown(path)}, slot=SLOT)
        self.session.tell(message)

    def failed(self, error: Exception) -> None:
        """Tell why something could not be done."""
        if not isinstance(error, UserError):
            raise error
        self.session.tell(Message.of_error(error, slot=SLOT))

    # In scenarios

    def use(self, preset: Preset[Any]) -> None:
        """Take a preset into the scenarios that an edit changes, and look at them."""
        session = self.session
        choose = {
            "models": session.choose_model,
            "gpus": session.choose_gpu,
            "formats/weights": session.choose_weight_format,
            "formats/kv": session.choose_kv_format,
            "workloads": session.choose_workload,
        }[preset.kind]
        choose(preset)
        self.leave()

    def side_by_side(self, chosen: list[Preset[Any]]) -> None:
        """Show presets of one kind in the compare view, the first as the baseline."""
        from workbench.gui.compare.feature import open_presets

        open_presets(self._bench.window, chosen[0].kind, chosen)


def _write(preset: Preset[Any], path: Path) -> None:
    save(path, presets.dumps(preset), overwrite=True)
