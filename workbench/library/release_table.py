"""The table of an engine's releases: which rules a release follows, and how sure that is.

Some releases were read in source. A release takes the rules of the read one of its minor, else of
the newest older one, and then every switch that has a date of its own. What has no known date is
marked in the rules' `assumed`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from typing import Any, Final, Literal

from pydantic import Field, JsonValue, ValidationError

from workbench.library import jsonfile
from workbench.library.paths import presets_dir, shown
from workbench.library.refusal import refusal
from workbench.spec.base import Frozen, Line, Name, Text
from workbench.spec.errors import UserError
from workbench.spec.releases import Release

_LIMIT_BYTES: Final = 2**20
_RELEASE: Final = re.compile(
    r"v?([0-9]{1,4})\.([0-9]{1,4})(?:\.([0-9]{1,4}))?"
    r"(?:[.-]?(?:a|b|rc|post|dev)[0-9]{1,6}){0,3}(?:\+[a-z0-9.]{1,80})?",
    re.IGNORECASE | re.ASCII,
)
_BUILD: Final = re.compile(r"b([0-9]{1,6})", re.IGNORECASE)
_RULES: Final = {
    "vllm": ("vllm_rules", "VllmRules"),
    "sglang": ("sglang", "SglangRules"),
    "trtllm": ("trtllm", "TrtllmRules"),
    "llamacpp": ("llamacpp", "LlamacppRules"),
    "lmdeploy": ("lmdeploy", "LmdeployRules"),
}
"""Module of `workbench.spec` and class of the rules of each engine that has releases."""
_FORMS: Final = {"llamacpp": "b7000"}


class DatedSwitch(Frozen):
    """Switches that changed with a known release between two that were read."""

    since: Line
    core: Line | None = None
    """The core it concerns, of an engine that has several; None is all."""
    changes: dict[str, JsonValue] = Field(min_length=1, max_length=60)
    assumed: tuple[Name, ...] = Field(default=(), max_length=60)
    """Of the changed fields, those whose date is a guess."""
    known: tuple[Name, ...] = Field(default=(), max_length=60)
    """Fields that are certain from here on."""
    source: Text


class _File(Frozen):
    """A file `presets/engines/<engine>.json`; its rows are checked by the engine's own class."""

    format: Literal["kvw-preset"]
    schema_version: Literal[1]
    kind: Literal["engines"]
    engine: Line
    source: Text
    read: tuple[dict[str, JsonValue], ...] = Field(min_length=1, max_length=50)
    dated: tuple[DatedSwitch, ...] = Field(default=(), max_length=200)


@dataclass(frozen=True, slots=True)
class ReleaseTable:
    """The releases of one engine: rules as read, oldest first, and dated switches."""

    read: tuple[Any, ...]
    dated: tuple[DatedSwitch, ...]


def parse_release(text: str, kind: str = "vllm") -> Release:
    """Read "0.15.1", "v0.15", "0.26.1rc1.dev608+g99a1" or a build "b5430" as three numbers.

    Raises `UserError` for a text that names no release.
    """
    match = _RELEASE.fullmatch(text.strip())
    if match is not None:
        major, minor, patch = match.groups()
        return int(major), int(minor), int(patch or 0)
    build = _BUILD.fullmatch(text.strip())
    if build is not None and kind in _FORMS:
        return int(build.group(1)), 0, 0
    raise UserError("release_unreadable", text=text[:100], accepted=_FORMS.get(kind, "0.15.1"))


def written(release: Release, kind: str = "vllm") -> str:
    """Write a release as its engine does."""
    return f"b{release[0]}" if kind in _FORMS else ".".join(map(str, release))


def rules_of(kind: str, release: str, core: str | None = None) -> Any:
    """Return the rules that a release of an engine follows.

    Raises `UserError` for a text that names no release.
    """
    return _rules(kind, parse_release(release, kind), core)


def read_releases(kind: str) -> tuple[str, ...]:
    """Releases whose source was read, oldest first."""
    return tuple(rules.read_release for rules in table_of(kind).read)


def known_releases(kind: str) -> tuple[str, ...]:
    """Releases that behave differently from the one before, newest first, for a picker."""
    table = table_of(kind)
    releases = {parse_release(rules.read_release, kind) for rules in table.read}
    releases |= {parse_release(switch.since, kind) for switch in table.dated}
    return tuple(written(release, kind) for release in sorted(releases, reverse=True))


@lru_cache(maxsize=256)
def _rules(kind: str, wanted: Release, core: str | None) -> Any:
    table = table_of(kind)
    rows = {
        parse_release(rules.read_release, kind): rules
        for rules in table.read
        if core is None or rules.core == core
    }
    # Builds have no minor: each stands for itself. So does each of several read ones of a minor.
    same_minor = (
        [] if kind in _FORMS else [release for release in rows if release[:2] == wanted[:2]]
    )
    if len(same_minor) > 1:
        same_minor = []
    older = [release for release in rows if release <= wanted]
    # Something older than everything that was read follows the oldest.
    read = max(same_minor or older or [min(rows)])
    rules = rows[read]
    for switch in table.dated:
        since = parse_release(switch.since, kind)
        if read < since <= wanted and switch.core in (None, core):
            rules = _switched(rules, switch)
    return rules


def _switched(rules: Any, switch: DatedSwitch) -> Any:
    certain = {*switch.changes, *switch.known} - {*switch.assumed}
    assumed = tuple(sorted(({*rules.assumed} - certain) | {*switch.assumed}))
    values = rules.model_dump(mode="json") | switch.changes | {"assumed": assumed}
    # Strict types take lists for tuples only from JSON text.
    return type(rules).model_validate_json(jsonfile.to_text(values))


@lru_cache(maxsize=8)
def table_of(kind: str) -> ReleaseTable:
    """Return the table that ships with the program; raises `UserError` where it says nonsense."""
    module, name = _RULES[kind]
    rules_class = getattr(import_module(f"workbench.spec.{module}"), name)
    path = presets_dir() / "engines" / f"{kind}.json"
    file_name = shown(path)
    content = jsonfile.parse_object(jsonfile.read_bytes(path, _LIMIT_BYTES), file_name)
    file = jsonfile.validated(_File, content, file_name)
    rows = []
    for place, row in enumerate(file.read):
        try:
            rows.append(rules_class.model_validate_json(jsonfile.to_text(row)))
        except ValidationError as error:
            raise refusal(error, content, file_name, f"read {place}") from None
    for switch in file.dated:
        for rules in rows:
            if switch.core not in (None, getattr(rules, "core", None)):
                continue
            try:
                _switched(rules, switch)
            except ValidationError as error:
                raise refusal(error, content, file_name, f"dated {switch.since}") from None
    rows.sort(key=lambda rules: parse_release(rules.read_release, kind))
    return ReleaseTable(tuple(rows), file.dated)
