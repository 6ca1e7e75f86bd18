"""The file of one preset: reading it, writing it, forking it, moving it out of the way."""

from __future__ import annotations

import os
import re
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Generic, Literal, TypeVar, cast

from pydantic import ValidationError

from workbench.library import jsonfile
from workbench.library.mend import name_by_id
from workbench.library.paths import shown
from workbench.library.refusal import refusal
from workbench.library.save import digest_of, make_folder, refused
from workbench.spec.base import fingerprint
from workbench.spec.errors import UserError
from workbench.spec.formats import KvFormat, WeightFormat
from workbench.spec.gpu import GpuProfile, GpuSet, GpuSpec
from workbench.spec.model import ModelSpec
from workbench.spec.quoting import place, quoted
from workbench.spec.scenario import PresetRef
from workbench.spec.workload import WorkloadPreset

if TYPE_CHECKING:
    from pydantic import TypeAdapter

    from workbench.library.published import Published

Kind = Literal["models", "gpus", "formats/weights", "formats/kv", "workloads"]
Namespace = Literal["builtin", "user"]
PresetSpec = ModelSpec | GpuSpec | GpuSet | WeightFormat | KvFormat | WorkloadPreset
Value = TypeVar("Value", bound=PresetSpec, covariant=True)

FORMAT: Final = "kvw-preset"
SCHEMA_VERSION: Final = 1
LIMIT_BYTES: Final = 16 * 2**20
KINDS: Final[tuple[Kind, ...]] = ("models", "gpus", "formats/weights", "formats/kv", "workloads")
_MAX_ASIDE: Final = 10_000
_TYPES: Final[dict[Kind, Any]] = {
    "models": ModelSpec,
    "gpus": GpuProfile,
    "formats/weights": WeightFormat,
    "formats/kv": KvFormat,
    "workloads": WorkloadPreset,
}
REFERENCE: Final = re.compile(r"(builtin|user):([a-z0-9][a-z0-9._-]{0,99})(?:@[0-9]{1,19})?")
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
    group: str = ""
    """Family of a model, vendor of a card."""
    based_on: str | None = None
    """The preset that a fork was made from."""

    @property
    def reference(self) -> str:
        """The name that means exactly this one, "user:x"."""
        return f"{self.namespace}:{self.id}"


@dataclass(frozen=True, slots=True)
class Stored:
    """A preset as its file now holds it."""

    preset: Preset[Any]
    digest: str
    """SHA-256 of the file, by which a later writer knows that it is still the same."""


@dataclass(frozen=True, slots=True)
class Own:
    """All of a person's own presets as they were found at one moment."""

    found: dict[tuple[Kind, str], Stored | UserError]
    """By kind and name of the file: what it holds, or why it cannot be used."""
    stamp: frozenset[tuple[object, ...]]
    writes: int


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
        raise UserError("key_unknown", path=name, where=place(unknown[:1]))
    based_on = content.get("based_on")
    if based_on is not None and not (isinstance(based_on, str) and REFERENCE.fullmatch(based_on)):
        raise UserError(
            "field_wrong_form",
            path=name,
            where="based_on",
            accepted="preset_reference",
            value=quoted(based_on),
        )
    if "preset" not in content:
        raise UserError("field_missing", path=name, where="preset")
    if not isinstance(content["preset"], dict):
        raise UserError(
            "field_wrong_type",
            path=name,
            where="preset",
            accepted="object",
            value=quoted(content["preset"]),
        )
    name_by_id(content["preset"])
    name_by_id(content["preset"].get("card"))
    try:
        value = _adapter(found).validate_json(jsonfile.to_text(content["preset"]))
    except ValidationError as error:
        raise refusal(error, content["preset"], name, "preset", _TYPES[found]) from None
    published = content.get("published")
    if published is not None:
        from workbench.library.published import Published

        published = jsonfile.validated(Published, published, name, "published")
    return Preset(found, namespace, value, based_on, published)


@cache
def _adapter(kind: Kind) -> TypeAdapter[Any]:
    from pydantic import TypeAdapter

    return TypeAdapter(_TYPES[kind])


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
    accepted = ", ".join(quoted(kind) for kind in ([expected] if expected else KINDS))
    if "kind" not in content:
        raise UserError("kind_missing", path=name, where="kind", accepted=accepted)
    raise UserError("preset_kind_wrong", path=name, value=quoted(found), accepted=accepted)


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


def read_stored(kind: Kind, namespace: Namespace, path: Path) -> Stored:
    """Read a preset from its place in a folder of presets; raises `UserError`."""
    data = jsonfile.read_bytes(path, LIMIT_BYTES)
    preset = loads(data, shown(path), namespace, kind)
    if preset.value.id != path.stem:
        raise UserError("preset_id_mismatch", path=shown(path), id=preset.value.id)
    return Stored(preset, digest_of(data))


def read_own(folder: Path | None, writes: int) -> Own:
    """Read all presets of a person's own folder; `writes` is the state of who asks."""
    stamp, found = stamp_of(folder), dict[tuple[Kind, str], Stored | UserError]()
    if folder is None:
        return Own(found, stamp, writes)
    for kind in KINDS:
        with suppress(OSError):
            for path in sorted((folder / kind).glob("*.json")):
                try:
                    found[kind, path.stem] = read_stored(kind, "user", path)
                except UserError as error:
                    found[kind, path.stem] = error
    return Own(found, stamp, writes)


def stamp_of(folder: Path | None) -> frozenset[tuple[object, ...]]:
    """Return names, sizes and times of all files of presets; no file is opened."""
    seen = set[tuple[object, ...]]()
    if folder is None:
        return frozenset()
    for kind in KINDS:
        with suppress(OSError), os.scandir(folder / kind) as entries:
            for entry in entries:
                if entry.name.endswith(".json"):
                    with suppress(OSError):
                        status = entry.stat()
                        seen.add((kind, entry.name, status.st_mtime_ns, status.st_size))
                        continue
                    seen.add((kind, entry.name))
    return frozenset(seen)


def next_revision(preset: Preset[Value], before: Preset[Any]) -> Preset[Value]:
    """Return a preset with the revision that follows on what its file held before."""
    value = cast(Value, preset.value.with_(rev=before.value.rev))
    if value != before.value:
        value = cast(Value, preset.value.with_(rev=before.value.rev + 1))
    return replace(preset, value=value)


def put_aside(path: Path, folder: Path) -> Path:
    """Move a file into a folder under a name that is free there; returns where it went."""
    make_folder(folder)
    try:
        for number in range(1, _MAX_ASIDE):
            place = folder / f"{path.stem}-{number}.json"
            if not os.path.lexists(place):
                os.rename(path, place)
                return place
    except OSError as error:
        raise refused(error, shown(path)) from error
    raise UserError("file_exists", path=shown(folder))


def bring_back(place: Path, path: Path) -> None:
    """Move a file back to where it was, unless something else stands there by now."""
    if os.path.lexists(path):
        raise UserError("file_exists", path=shown(path))
    try:
        os.rename(place, path)
    except OSError as error:
        raise refused(error, shown(path)) from error
