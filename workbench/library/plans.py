"""Reading and writing plans (`.kvw`)."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ValidationError

from workbench import __version__
from workbench.library import jsonfile, unknown
from workbench.library.mend import MENDED, mend_plan
from workbench.library.migrate import SCHEMA_VERSION, migrate
from workbench.library.paths import shown
from workbench.library.refusal import refusal
from workbench.library.save import Saved, digest_of, save
from workbench.spec.errors import UserError
from workbench.spec.quoting import WHOLE, listed, place, quoted
from workbench.spec.scenario import MAX_UNKNOWN, Plan, Scenario, Unknown

FORMAT: Final = "kvw"
SUFFIX: Final = ".kvw"
_ENVELOPE: Final = ("app_version", "format", "schema_version")
_WARNINGS: Final = frozenset(
    {"plan_newer", "unknown_keys_kept", "keys_of_another_engine", "releases_replaced"}
)
_IN_ENGINE: Final = re.compile(r"scenarios\[([0-9]+)\]\.engine(?=[.\[](?!kind$))")


@dataclass(frozen=True, slots=True)
class Note:
    """Something a person should know about a file that was read: code and parameters."""

    code: str
    params: dict[str, object] = field(default_factory=dict)

    @property
    def is_warning(self) -> bool:
        """Whether the answer may not be the one that the file's author meant."""
        return self.code in _WARNINGS


@dataclass(frozen=True, slots=True)
class Loaded:
    """A plan as it was read, and what is known of its file."""

    plan: Plan
    read_only: bool
    """A newer program wrote it: it must not be written over."""
    digest: str
    """SHA-256 of the bytes that were read; hand it to `save_plan`."""
    notes: tuple[Note, ...] = ()
    schema_version: int = SCHEMA_VERSION

    @property
    def scenario_notes(self) -> tuple[Note, ...]:
        """What is to be said where the scenarios alone join another plan."""
        mended = (note for note in self.notes if note.code in MENDED)
        return (*mended, *key_notes(self.plan.with_(extra=())))


def load(path: Path) -> Loaded:
    """Read a plan; raises `UserError` for anything that is none."""
    data = jsonfile.read_bytes(path, jsonfile.PLAN_LIMIT_BYTES)
    return loads(data, shown(path))


def loads(data: bytes, name: str) -> Loaded:
    """Read a plan from the bytes of a file; `name` is used in messages."""
    return from_parsed(jsonfile.parse_object(data, name), name, digest_of(data))


def from_parsed(document: dict[str, Any], name: str, digest: str) -> Loaded:
    """Read a plan from the parsed content of a file, which is used up."""
    version = _schema_version(document, name)
    app_version = document.get("app_version", "")
    if not isinstance(app_version, str):
        raise UserError(
            "field_wrong_type",
            path=name,
            where="app_version",
            accepted="text",
            value=quoted(app_version),
        )
    notes: list[Note] = []
    if version < SCHEMA_VERSION:
        document = migrate(document, version, name)
        notes.append(Note("plan_migrated", {"version": version}))
    notes += (Note(code, params) for code, params in mend_plan(document))
    plan = from_document(document, name)
    if version > SCHEMA_VERSION:
        notes.append(
            Note("plan_newer", {"version": version, "limit": SCHEMA_VERSION, "app": app_version})
        )
    notes += key_notes(plan)
    return Loaded(plan, version > SCHEMA_VERSION, digest, tuple(notes), version)


def key_notes(plan: Plan) -> Iterator[Note]:
    """Yield what is to be said of the keys of a plan that are kept and not known here."""
    if plan.extra or any(scenario.extra for scenario in plan.scenarios):
        # Few files have such keys, and whose they are takes the profiles of all engines.
        from workbench.library import kept_keys

        for code, params in kept_keys.told(plan):
            yield Note(code, params)


def _schema_version(document: dict[str, Any], name: str) -> int:
    found = document.get("format")
    if found != FORMAT:
        if found == "kvw-preset":
            raise UserError("preset_not_a_plan", path=name)
        raise UserError("not_a_plan", path=name, accepted=f'"format": "{FORMAT}"')
    version = document.get("schema_version")
    if type(version) is not int or version < 1:
        raise UserError("schema_version_missing", path=name, limit=SCHEMA_VERSION)
    return version


def from_document(document: dict[str, Any], name: str) -> Plan:
    """Return the plan of a parsed document of the current schema; the document is used up."""
    for key in _ENVELOPE:
        document.pop(key, None)
    scenarios = document.get("scenarios")
    places = scenarios if isinstance(scenarios, list) else []
    extras = [
        _lifted(Scenario, scenario, name, f"scenarios[{index}]")
        for index, scenario in enumerate(places)
    ]
    document["scenarios"] = []
    extra = _lifted(Plan, document, name, WHOLE)
    document["scenarios"] = scenarios if scenarios is not None else []
    text = jsonfile.to_text(document)
    try:
        plan = Plan.model_validate_json(text)
        if not extra and not any(extras):
            return plan
        return plan.with_(
            extra=extra,
            scenarios=tuple(
                scenario.with_(extra=more) if more else scenario
                for scenario, more in zip(plan.scenarios, extras, strict=True)
            ),
        )
    except ValidationError as error:
        refused = refusal(error, document, name, model=Plan)
        raise _of_another_engine(refused, scenarios, extras) or refused from None


def _of_another_engine(
    refused: UserError, scenarios: Any, extras: Sequence[Iterable[Unknown]]
) -> UserError | None:
    """Return what is wrong where a profile is refused because its kind alone was changed."""
    found = _IN_ENGINE.match(str(refused.params.get("where", "")))
    if found is None:
        return None
    from workbench.library import kept_keys

    scenario = scenarios[int(found[1])]
    unknown.put_back(scenario, extras[int(found[1])])
    kind = scenario["engine"]["kind"]
    owner = kept_keys.owner_of(scenario["engine"])
    if owner is None:
        return None
    params = {"kind": quoted(kind), "owner": quoted(owner)}
    return UserError(
        "engine_of_another_kind", path=refused.params["path"], where=found[0], **params
    )


def _lifted(model: type[BaseModel], value: Any, name: str, where: str) -> tuple[Unknown, ...]:
    extra = unknown.lift(model, value, name)
    if len(extra) > MAX_UNKNOWN:
        names = listed([place(unknown.steps_of(key.pointer)) for key in extra])
        params = {"found": len(extra), "limit": MAX_UNKNOWN, "keys": names}
        raise UserError("too_many_unknown_keys", path=name, where=where, **params)
    return extra


def to_document(plan: Plan, app_version: str = __version__) -> dict[str, Any]:
    """Return a plan as the JSON value that its file holds."""
    # What is not known is left out: a member that a later release adds changes no older file.
    document = plan.model_dump(mode="json", exclude_none=True)
    for written, scenario in zip(document["scenarios"], plan.scenarios, strict=True):
        del written["extra"]
        unknown.put_back(written, scenario.extra)
    del document["extra"]
    unknown.put_back(document, plan.extra)
    return document | {
        "format": FORMAT,
        "schema_version": SCHEMA_VERSION,
        "app_version": app_version,
    }


def dumps(plan: Plan, app_version: str = __version__, *, name: str = "") -> bytes:
    """Return a plan as the bytes of its file; the same plan gives the same bytes.

    Raises `UserError` for a plan that no program of ours would read back; `name` is the file's.
    """
    data = jsonfile.to_bytes(to_document(plan, app_version))
    jsonfile.check_size(data, name, jsonfile.PLAN_LIMIT_BYTES)
    return data


def save_plan(
    path: Path,
    plan: Plan,
    *,
    opened: Loaded | None = None,
    expected_digest: str | None = None,
    overwrite: bool = False,
    part_hard_links: bool = False,
) -> Saved:
    """Write a plan, whole or not at all; see `save.save` for the arguments.

    `opened` is what the document was read as: a newer file is never written over, and the
    first save over an older one keeps it as `name.v1.kvw`.
    """
    if opened is not None and expected_digest == opened.digest:
        if opened.read_only:
            raise UserError("plan_newer_read_only", path=shown(path))
        if opened.schema_version < SCHEMA_VERSION:
            _keep_older(path, opened.schema_version)
    return save(
        path,
        dumps(plan, name=shown(path)),
        expected_digest=expected_digest,
        overwrite=overwrite,
        part_hard_links=part_hard_links,
    )


def _keep_older(path: Path, version: int) -> None:
    data = jsonfile.read_bytes(path, jsonfile.PLAN_LIMIT_BYTES)
    stem = path.name.removesuffix(SUFFIX)
    kept = path.with_name(f"{stem}.v{version}{SUFFIX}")
    if not os.path.lexists(kept):
        save(kept, data)


def unknown_keys(plan: Plan) -> tuple[Unknown, ...]:
    """Return the kept keys of a plan and its scenarios, pointers from the top of the file."""
    return plan.extra + tuple(
        item.with_(pointer=f"/scenarios/{index}{item.pointer}")
        for index, scenario in enumerate(plan.scenarios)
        for item in scenario.extra
    )
