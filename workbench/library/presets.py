"""Named, sourced fact sheets: those that ship with the program and the person's own.

Built-in ones are never written; editing one forks it into the person's own namespace, where it
wins over nothing: a name that a built-in preset answers to always means the built-in one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Generic, Literal, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from workbench.library import jsonfile
from workbench.library.headline import headline
from workbench.library.paths import shown
from workbench.library.published import Published
from workbench.library.refusal import refusal
from workbench.library.save import make_folder, save
from workbench.spec.base import fingerprint
from workbench.spec.errors import UserError
from workbench.spec.formats import KvFormat, WeightFormat
from workbench.spec.gpu import GpuProfile, GpuSet, GpuSpec
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import PresetRef
from workbench.spec.workload import WorkloadPreset

Kind = Literal["models", "gpus", "formats/weights", "formats/kv", "workloads"]
Namespace = Literal["builtin", "user"]
PresetSpec = ModelSpec | GpuSpec | GpuSet | WeightFormat | KvFormat | WorkloadPreset
Value = TypeVar("Value", bound=PresetSpec, covariant=True)

FORMAT: Final = "kvw-preset"
SCHEMA_VERSION: Final = 1
LIMIT_BYTES: Final = 16 * 2**20
KINDS: Final[tuple[Kind, ...]] = ("models", "gpus", "formats/weights", "formats/kv", "workloads")
_ADAPTERS: Final[dict[Kind, TypeAdapter[Any]]] = {
    "models": TypeAdapter(ModelSpec),
    "gpus": TypeAdapter(GpuProfile),
    "formats/weights": TypeAdapter(WeightFormat),
    "formats/kv": TypeAdapter(KvFormat),
    "workloads": TypeAdapter(WorkloadPreset),
}
_SLUG: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,99}")
_REFERENCE: Final = re.compile(r"(builtin|user):([a-z0-9][a-z0-9._-]{0,99})(?:@[0-9]{1,19})?")
_MAX_QUERY_CHARACTERS: Final = 300
_ENVELOPE: Final = frozenset(
    {"format", "schema_version", "kind", "preset", "based_on", "published"}
)


@dataclass(frozen=True, slots=True)
class Preset(Generic[Value]):
    """A preset and where it stands."""

    kind: Kind
    namespace: Namespace
    value: Value
    based_on: str | None = None
    """The preset that a fork was made from, "builtin:x@1"."""
    published: Published | None = None

    @property
    def ref(self) -> PresetRef:
        """Reference with the fingerprint of the value as it is now."""
        return ref_of(self)


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of a list of presets: enough to show and to find it by."""

    kind: Kind
    namespace: Namespace
    id: str
    name: str
    aliases: tuple[str, ...] = ()
    """Other names, the Hugging Face id first where there is one."""
    problem: UserError | None = None
    """Why the file cannot be used; it is listed all the same."""

    @property
    def reference(self) -> str:
        """The name that means exactly this one, "user:x"."""
        return f"{self.namespace}:{self.id}"


def ref_of(preset: Preset[Any]) -> PresetRef:
    """Return the reference that a scenario keeps beside its copy of a preset."""
    value = preset.value
    return PresetRef(
        namespace=preset.namespace, id=value.id, rev=value.rev, fingerprint=fingerprint(value)
    )


def fork(preset: Preset[Value], new_id: str, name: str) -> Preset[Value]:
    """Return the person's own copy of a preset, not yet saved.

    Aliases and Hugging Face id stay with the original, so that they keep meaning it.
    """
    changes: dict[str, Any] = {"id": new_id, "name": name, "rev": 1, "aliases": ()}
    if isinstance(preset.value, ModelSpec):
        changes["hf_id"] = None
    try:
        value = cast(Value, preset.value.with_(**changes))
    except ValidationError as error:
        raise refusal(error, {}, f"user:{new_id}") from None
    origin = f"{preset.namespace}:{preset.value.id}@{preset.value.rev}"
    return Preset(preset.kind, "user", value, origin, preset.published)


def loads(data: bytes, name: str, namespace: Namespace, kind: Kind | None = None) -> Preset[Any]:
    """Read a preset from the bytes of a file; `name` is used in messages."""
    content = jsonfile.parse_object(data, name)
    found = _kind(content, name, kind)
    unknown = sorted(content.keys() - _ENVELOPE)
    if unknown:
        raise UserError("key_unknown", path=name, where=unknown[0])
    based_on = content.get("based_on")
    if based_on is not None and not (isinstance(based_on, str) and _REFERENCE.fullmatch(based_on)):
        raise UserError(
            "field_wrong_form", path=name, where="based_on", accepted="preset_reference", value="…"
        )
    if not isinstance(content.get("preset"), dict):
        raise UserError("field_missing", path=name, where="preset")
    try:
        value = _ADAPTERS[found].validate_json(jsonfile.to_text(content["preset"]))
    except ValidationError as error:
        raise refusal(error, content["preset"], name, "preset") from None
    published = content.get("published")
    if published is not None:
        published = jsonfile.validated(Published, published, name, "published")
    return Preset(found, namespace, value, based_on, published)


def _kind(content: dict[str, Any], name: str, expected: Kind | None) -> Kind:
    if content.get("format") != FORMAT:
        raise UserError("not_a_preset", path=name, accepted=f'"format": "{FORMAT}"')
    version = content.get("schema_version")
    if type(version) is not int or version < 1:
        raise UserError("schema_version_missing", path=name, limit=SCHEMA_VERSION)
    if version > SCHEMA_VERSION:
        raise UserError("preset_newer", path=name, version=version, limit=SCHEMA_VERSION)
    found = content.get("kind")
    for kind in KINDS:
        if found == kind and expected in (None, kind):
            return kind
    raise UserError("preset_kind_wrong", path=name, accepted=expected or ", ".join(KINDS))


def dumps(preset: Preset[Any]) -> bytes:
    """Return a preset as the bytes of its file; what is not known is left out."""
    content: dict[str, Any] = {
        "format": FORMAT,
        "schema_version": SCHEMA_VERSION,
        "kind": preset.kind,
        "preset": preset.value.model_dump(mode="json", exclude_none=True),
    }
    if preset.based_on is not None:
        content["based_on"] = preset.based_on
    if preset.published is not None:
        content["published"] = preset.published.model_dump(mode="json", exclude_none=True)
    data = jsonfile.to_bytes(content)
    jsonfile.check_size(data, "", LIMIT_BYTES)
    return data


def read(path: Path) -> Preset[Any]:
    """Read a preset file from anywhere, as one of the person's own (not yet saved)."""
    return loads(jsonfile.read_bytes(path, LIMIT_BYTES), shown(path), "user")


class Library:
    """All presets below a built-in folder and a folder of the person's own.

    Files are read when they are asked for. `refresh` forgets what was read.
    """

    def __init__(self, builtin: Path, user: Path | None = None) -> None:
        self._folders: dict[Namespace, Path | None] = {"builtin": builtin, "user": user}
        self._presets: dict[tuple[Kind, Namespace, str], Preset[Any]] = {}
        self._lists: dict[Kind, tuple[Listed, ...]] = {}
        self._indexes: dict[Kind, list[dict[str, list[Listed]]]] = {}

    def refresh(self) -> None:
        """Read everything anew when it is next asked for."""
        self._presets.clear()
        self._lists.clear()
        self._indexes.clear()

    def listed(self, kind: Kind) -> tuple[Listed, ...]:
        """List the presets of a kind: built-in ones, then the person's own, each by id."""
        if kind not in self._lists:
            self._lists[kind] = tuple(self._read_list(kind))
        return self._lists[kind]

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
        exact = _REFERENCE.fullmatch(text)
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
        if key not in self._presets:
            data = jsonfile.read_bytes(path, LIMIT_BYTES)
            preset = loads(data, shown(path), namespace, kind)
            if preset.value.id != path.stem:
                raise UserError("preset_id_mismatch", path=shown(path), id=preset.value.id)
            self._presets[key] = preset
        return self._presets[key]

    def current(self, kind: Kind, ref: PresetRef) -> Preset[Any] | None:
        """Return what a reference means today, None when it is gone or broken."""
        try:
            return self.get(kind, ref.namespace, ref.id)
        except UserError:
            return None

    def save_user(self, preset: Preset[Value], *, overwrite: bool = False) -> Preset[Value]:
        """Write one of the person's own presets; a changed one counts up its revision."""
        folder = self._folders["user"]
        if folder is None:
            raise UserError("no_user_folder")
        kind, preset_id = preset.kind, preset.value.id
        path = folder / kind / f"{preset_id}.json"
        saved = replace(preset, namespace="user")
        if overwrite and os.path.lexists(path):
            # A file that cannot be read has no revision to count on from.
            with suppress(UserError):
                saved = _next_revision(saved, self.get(kind, "user", preset_id))
        make_folder(path.parent)
        save(path, dumps(saved), overwrite=overwrite)
        self._presets[kind, "user", preset_id] = saved
        self._lists.pop(kind, None)
        self._indexes.pop(kind, None)
        return saved

    def _path(self, kind: Kind, namespace: Namespace, preset_id: str) -> Path | None:
        folder = self._folders[namespace]
        if folder is None:
            return None
        path = folder / kind / f"{preset_id}.json"
        # A link that leads nowhere is listed, so it is found too; a closed folder holds nothing.
        return path if os.path.lexists(path) else None

    def _read_list(self, kind: Kind) -> Iterator[Listed]:
        for namespace, folder in self._folders.items():
            if folder is None:
                continue
            try:
                paths = sorted((folder / kind).glob("*.json"))
            except OSError:
                continue
            for path in paths:
                yield self._listed(kind, namespace, path)

    def _listed(self, kind: Kind, namespace: Namespace, path: Path) -> Listed:
        preset_id = path.stem
        try:
            if namespace == "builtin":
                # Our own files are looked into only for their names; `get` validates them.
                name, names = headline(path.read_bytes())
                return Listed(kind, namespace, preset_id, name, names)
            # Not `get`, whose "unknown" looks for names in the list that is being read here.
            found = self._read(kind, namespace, path).value
        except (UserError, OSError, ValueError, KeyError, TypeError, AttributeError) as error:
            problem = error
            if not isinstance(problem, UserError):
                problem = UserError("preset_unreadable", path=shown(path))
            return Listed(kind, namespace, shown(preset_id), shown(preset_id), problem=problem)
        hf_id = getattr(found, "hf_id", None)
        names = (hf_id, *found.aliases) if hf_id else found.aliases
        return Listed(kind, namespace, preset_id, found.name, names)

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


def _next_revision(preset: Preset[Value], before: Preset[Any]) -> Preset[Value]:
    value = cast(Value, preset.value.with_(rev=before.value.rev))
    if value != before.value:
        value = cast(Value, preset.value.with_(rev=before.value.rev + 1))
    return replace(preset, value=value)


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
