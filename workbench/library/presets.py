"""Named, sourced fact sheets: those that ship with the program and the person's own.

Built-in ones are never written; editing one forks it into the person's own namespace, where it
wins over nothing: a name that a built-in preset answers to always means the built-in one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from workbench.library.headline import headline
from workbench.library.paths import shown
from workbench.library.preset_file import (
    FORMAT,
    KINDS,
    LIMIT_BYTES,
    REFERENCE,
    SCHEMA_VERSION,
    Kind,
    Listed,
    Namespace,
    Own,
    Preset,
    PresetSpec,
    Stored,
    Value,
    bring_back,
    dumps,
    fork,
    loads,
    next_revision,
    put_aside,
    read,
    read_own,
    read_stored,
    ref_of,
    stamp_of,
)
from workbench.library.save import make_folder, save
from workbench.spec.errors import UserError
from workbench.spec.formats import KvFormat, WeightFormat
from workbench.spec.gpu import GpuSet, GpuSpec
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import PresetRef
from workbench.spec.workload import WorkloadPreset

__all__ = [
    "FORMAT",
    "KINDS",
    "LIMIT_BYTES",
    "SCHEMA_VERSION",
    "Kind",
    "Library",
    "Listed",
    "Namespace",
    "Own",
    "Preset",
    "PresetSpec",
    "Stored",
    "dumps",
    "fork",
    "loads",
    "read",
    "ref_of",
]

_SLUG: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")
_MAX_QUERY_CHARACTERS: Final = 300
_DELETED: Final = "deleted"
"""Folder beside the kinds for what was taken out of the lists."""


class Library:
    """All presets below a built-in folder and a folder of the person's own.

    Files are read when they are asked for. `refresh` forgets what was read.
    """

    def __init__(self, builtin: Path, user: Path | None = None) -> None:
        self._folders: dict[Namespace, Path | None] = {"builtin": builtin, "user": user}
        self._presets: dict[tuple[Kind, Namespace, str], Preset[Any]] = {}
        self._digests: dict[tuple[Kind, str], str] = {}
        self._broken: dict[tuple[Kind, str], UserError] = {}
        """What is known to be unreadable, so that it is not read at every look."""
        self._stamp: frozenset[tuple[object, ...]] | None = None
        self._writes = 0
        self._lists: dict[Kind, tuple[Listed, ...]] = {}
        self._builtin_lists: dict[Kind, tuple[Listed, ...]] = {}
        self._indexes: dict[Kind, list[dict[str, list[Listed]]]] = {}

    def twin(self) -> Library:
        """Return a library of the same folders that has read nothing yet, for another thread."""
        return Library(self._folders["builtin"] or Path(), self._folders["user"])

    def refresh(self) -> None:
        """Read everything anew when it is next asked for."""
        self._presets.clear()
        self._digests.clear()
        self._broken.clear()
        self._stamp = None
        self._lists.clear()
        self._builtin_lists.clear()
        self._indexes.clear()

    def listed(self, kind: Kind) -> tuple[Listed, ...]:
        """List the presets of a kind: built-in ones, then the person's own, each by id."""
        if kind not in self._lists:
            own = tuple(self._read_list(kind, "user"))
            self._lists[kind] = self.listed_builtin(kind) + own
        return self._lists[kind]

    def listed_builtin(self, kind: Kind) -> tuple[Listed, ...]:
        """List the built-in presets of a kind, each by id; read once."""
        if kind not in self._builtin_lists:
            self._builtin_lists[kind] = tuple(self._read_list(kind, "builtin"))
        return self._builtin_lists[kind]

    def model(self, text: str) -> Preset[ModelSpec]:
        """Find a model by id, Hugging Face id, alias, or the last part of either."""
        return self.find("models", text)

    def gpu(self, text: str) -> Preset[GpuSpec | GpuSet]:
        """Find a card or a set of cards by id or alias."""
        return self.find("gpus", text)

    def weight_format(self, text: str) -> Preset[WeightFormat]:
        """Find a weight format by id or alias."""
        return self.find("formats/weights", text)

    def kv_format(self, text: str) -> Preset[KvFormat]:
        """Find a KV format by id or alias."""
        return self.find("formats/kv", text)

    def workload(self, text: str) -> Preset[WorkloadPreset]:
        """Find a workload by id or alias."""
        return self.find("workloads", text)

    def find(self, kind: Kind, text: str) -> Preset[Any]:
        """Find the one preset that a name means; raises `UserError` with the candidates."""
        found = self.known(kind, text)
        if found is None:
            raise self._unknown(kind, text.strip())
        return found

    def known(self, kind: Kind, text: str) -> Preset[Any] | None:
        """Find the one preset that a name means, None where nothing answers to it.

        Quicker than `find`, which looks for names that are close. Raises `UserError` for a name
        that several answer to, and for a preset that cannot be used.
        """
        text = text.strip()
        exact = REFERENCE.fullmatch(text)
        if exact is not None:
            namespace: Namespace = "user" if exact[1] == "user" else "builtin"
            if self._path(kind, namespace, exact[2]) is None:
                return None
            return self.get(kind, namespace, exact[2])
        for namespace in ("builtin", "user"):
            if _SLUG.fullmatch(text) and self._path(kind, namespace, text) is not None:
                return self.get(kind, namespace, text)
        for names in self._index(kind):
            found = names.get(text.casefold(), [])
            if len(found) == 1:
                return self.get(kind, found[0].namespace, found[0].id)
            if found:
                raise UserError(
                    "preset_ambiguous",
                    kind=kind,
                    text=text[:_MAX_QUERY_CHARACTERS],
                    candidates=", ".join(item.reference for item in found),
                )
        return None

    def get(self, kind: Kind, namespace: Namespace, preset_id: str) -> Preset[Any]:
        """Return a preset by its exact id; raises `UserError` when it cannot be used."""
        key = (kind, namespace, preset_id)
        if key not in self._presets:
            path = self._path(kind, namespace, preset_id)
            if path is None:
                raise self._unknown(kind, f"{namespace}:{preset_id}")
            self._read(kind, namespace, path)
        return self._presets[key]

    def _read(self, kind: Kind, namespace: Namespace, path: Path) -> Preset[Any]:
        key = (kind, namespace, path.stem)
        if namespace == "user" and (kind, path.stem) in self._broken:
            raise self._broken[kind, path.stem]
        if key not in self._presets:
            stored = read_stored(kind, namespace, path)
            self._presets[key] = stored.preset
            if namespace == "user":
                self._digests[kind, path.stem] = stored.digest
        return self._presets[key]

    def current(self, kind: Kind, ref: PresetRef) -> Preset[Any] | None:
        """Return what a reference means today, None when it is gone or broken."""
        key = (kind, ref.namespace, ref.id)
        if key not in self._presets and self._path(*key) is None:
            # Not `get`, which would look for close names at every look at a scenario.
            return None
        try:
            return self.get(kind, ref.namespace, ref.id)
        except UserError:
            return None

    def save_user(self, preset: Preset[Value], *, overwrite: bool = False) -> Preset[Value]:
        """Write one of the person's own presets; a changed one counts up its revision."""
        stored = self.store(preset, overwrite=overwrite)
        self.adopt(stored)
        return stored.preset

    def store(
        self, preset: Preset[Any], *, expected_digest: str | None = None, overwrite: bool = False
    ) -> Stored:
        """Write one of the person's own presets without noting it here: for worker threads.

        With `expected_digest` the file must still be the one that was read; without it there must
        be none, unless `overwrite`.
        """
        kind, preset_id = preset.kind, preset.value.id
        path = self.user_path(kind, preset_id)
        saved = replace(preset, namespace="user")
        if (overwrite or expected_digest is not None) and os.path.lexists(path):
            # A file that cannot be read has no revision to count on from.
            with suppress(UserError):
                saved = next_revision(saved, read_stored(kind, "user", path).preset)
        data = dumps(saved)
        make_folder(path.parent)
        written = save(path, data, expected_digest=expected_digest, overwrite=overwrite)
        return Stored(saved, written.digest)

    def adopt(self, stored: Stored) -> None:
        """Note what `store` has written."""
        kind, preset_id = stored.preset.kind, stored.preset.value.id
        self._presets[kind, "user", preset_id] = stored.preset
        self._digests[kind, preset_id] = stored.digest
        self._broken.pop((kind, preset_id), None)
        self._writes += 1
        self._forget_list(kind)

    def user_path(self, kind: Kind, preset_id: str) -> Path:
        """Return where one of the person's own presets stands, or would."""
        folder = self._folders["user"]
        if folder is None:
            raise UserError("no_user_folder")
        return folder / kind / f"{preset_id}.json"

    def digest(self, kind: Kind, preset_id: str) -> str | None:
        """Return the digest of the file that one of the person's own presets was read from."""
        return self._digests.get((kind, preset_id))

    def put_aside(self, kind: Kind, preset_id: str) -> Path:
        """Move the file of one of the person's own presets aside; returns where it went.

        For worker threads; `forget` then takes it out of the lists.
        """
        path = self.user_path(kind, preset_id)
        return put_aside(path, path.parents[kind.count("/") + 1] / _DELETED / kind)

    def bring_back(self, kind: Kind, preset_id: str, place: Path) -> None:
        """Move a file back that was put aside; raises `UserError` where its place is taken."""
        bring_back(place, self.user_path(kind, preset_id))

    def forget(self, kind: Kind, preset_id: str) -> None:
        """Read one of the person's own presets anew when it is next asked for."""
        self._writes += 1
        self._presets.pop((kind, "user", preset_id), None)
        self._digests.pop((kind, preset_id), None)
        self._broken.pop((kind, preset_id), None)
        self._forget_list(kind)

    def _forget_list(self, kind: Kind) -> None:
        self._lists.pop(kind, None)
        self._indexes.pop(kind, None)

    def own_files_changed(self) -> bool:
        """Whether the person's own files are not as they were last read; looks at no content."""
        return stamp_of(self._folders["user"]) != self._stamp

    def read_own(self) -> Own:
        """Read all of the person's own presets without noting them here: for worker threads."""
        return read_own(self._folders["user"], self._writes)

    def take_own(self, own: Own) -> bool:
        """Note what `read_own` found; False when something was written since, so read again."""
        if own.writes != self._writes:
            return False
        for key in [key for key in self._presets if key[1] == "user"]:
            del self._presets[key]
        self._digests.clear()
        self._broken.clear()
        for (kind, preset_id), found in own.found.items():
            if isinstance(found, UserError):
                self._broken[kind, preset_id] = found
            else:
                self._presets[kind, "user", preset_id] = found.preset
                self._digests[kind, preset_id] = found.digest
        self._stamp = own.stamp
        self._lists.clear()
        self._indexes.clear()
        return True

    def _path(self, kind: Kind, namespace: Namespace, preset_id: str) -> Path | None:
        folder = self._folders[namespace]
        if folder is None:
            return None
        path = folder / kind / f"{preset_id}.json"
        # A link that leads nowhere is listed, so it is found too; a closed folder holds nothing.
        return path if os.path.lexists(path) else None

    def _read_list(self, kind: Kind, namespace: Namespace) -> Iterator[Listed]:
        folder = self._folders[namespace]
        if folder is None:
            return
        try:
            paths = sorted((folder / kind).glob("*.json"))
        except OSError:
            return
        for path in paths:
            yield self._listed(kind, namespace, path)

    def _listed(self, kind: Kind, namespace: Namespace, path: Path) -> Listed:
        preset_id = path.stem
        try:
            if namespace == "builtin":
                # Our own files are looked into only for their names; `get` validates them.
                name, names, group = headline(path.read_bytes())
                return Listed(kind, namespace, preset_id, name, names, group=group)
            # Not `get`, whose "unknown" looks for names in the list that is being read here.
            preset = self._read(kind, namespace, path)
        except (UserError, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            problem = error
            if not isinstance(problem, UserError):
                problem = UserError("preset_unreadable", path=shown(path))
            return Listed(kind, namespace, shown(preset_id), shown(preset_id), problem=problem)
        found = preset.value
        hf_id = getattr(found, "hf_id", None)
        return Listed(
            kind,
            namespace,
            preset_id,
            found.name,
            (hf_id, *found.aliases) if hf_id else found.aliases,
            group=getattr(found, "family", "") or getattr(found, "vendor", ""),
            based_on=preset.based_on,
        )

    def _index(self, kind: Kind) -> list[dict[str, list[Listed]]]:
        """Return names by rank: ids, other names, their last parts; built-in ones go first."""
        if kind not in self._indexes:
            self._indexes[kind] = [
                _by_name(self.listed(kind), namespace, rank)
                for namespace in ("builtin", "user")
                for rank in ("id", "name", "last part")
            ]
        return self._indexes[kind]

    def _unknown(self, kind: Kind, text: str) -> UserError:
        import difflib

        asked = text[:_MAX_QUERY_CHARACTERS]
        names = {name: item for index in self._index(kind) for name, (item, *_) in index.items()}
        close = difflib.get_close_matches(asked.casefold(), names, n=8, cutoff=0.5)
        ids = dict.fromkeys(names[name].id for name in close)
        if not ids:
            return UserError("preset_unknown_alone", kind=kind, text=asked)
        return UserError(
            "preset_unknown", kind=kind, text=asked, candidates=", ".join(list(ids)[:5])
        )


def _by_name(
    listed: tuple[Listed, ...], namespace: Namespace, rank: str
) -> dict[str, list[Listed]]:
    names: dict[str, list[Listed]] = {}
    for item in listed:
        if item.namespace != namespace:
            continue
        if rank == "id":
            keys = {item.id}
        elif rank == "name":
            keys = {item.name, *item.aliases}
        else:
            keys = {alias.rpartition("/")[2] for alias in item.aliases}
        for key in {key.casefold() for key in keys}:
            names.setdefault(key, []).append(item)
    return names
