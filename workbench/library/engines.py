"""The table of vLLM releases: which rules a release follows, and how sure that is.

Six releases were read in source. A release takes the rules of the read one of its minor, else of
the newest older one, and then every switch that has a date of its own. What has no known date is
marked in `VllmRules.assumed`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, Literal

from pydantic import Field, JsonValue, ValidationError

from workbench.library import jsonfile
from workbench.library.paths import presets_dir, shown
from workbench.library.refusal import refusal
from workbench.spec.base import Frozen, Line, Name, Text
from workbench.spec.errors import UserError
from workbench.spec.releases import Release
from workbench.spec.vllm_rules import VllmRules

Core = Literal["v0", "v1"]

_LIMIT_BYTES: Final = 2**20
_RELEASE: Final = re.compile(
    r"v?([0-9]{1,4})\.([0-9]{1,4})(?:\.([0-9]{1,4}))?"
    r"(?:[.-]?(?:a|b|rc|post|dev)[0-9]{1,6}){0,3}(?:\+[a-z0-9.]{1,80})?",
    re.IGNORECASE,
)
_FIRST_V1: Final = (0, 8, 0)
_LAST_V0: Final = (0, 10, 9999)
_FORMS: Final = "0.15.1"


class DatedSwitch(Frozen):
    """Switches that changed with a known release between two that were read."""

    since: Line
    core: Core | None = None
    """The core it concerns; None is both."""
    changes: dict[str, JsonValue] = Field(min_length=1, max_length=60)
    assumed: tuple[Name, ...] = Field(default=(), max_length=60)
    """Of the changed fields, those whose date is a guess."""
    known: tuple[Name, ...] = Field(default=(), max_length=60)
    """Fields that are certain from here on."""
    source: Text


class ReleaseTable(Frozen):
    """The file `presets/engines/vllm.json`."""

    format: Literal["kvw-preset"]
    schema_version: Literal[1]
    kind: Literal["engines"]
    engine: Literal["vllm"]
    source: Text
    read: tuple[VllmRules, ...] = Field(min_length=1, max_length=50)
    dated: tuple[DatedSwitch, ...] = Field(default=(), max_length=200)


def vllm_rules(release: str, core: Core | None = None) -> VllmRules:
    """Return the rules that a release follows; `core` matters from 0.8 to 0.10 only.

    Raises `UserError` for a text that names no release.
    """
    wanted = parse_release(release)
    if wanted < _FIRST_V1:
        core = "v0"
    elif core is None or wanted > _LAST_V0:
        core = "v1"
    return _rules(wanted, core)


def read_releases() -> tuple[str, ...]:
    """Releases whose source was read, oldest first."""
    return tuple(rules.read_release for rules in _table().read)


def known_releases() -> tuple[str, ...]:
    """Releases that behave differently from the one before, newest first, for a picker."""
    releases = {parse_release(rules.read_release) for rules in _table().read}
    releases |= {parse_release(switch.since) for switch in _table().dated}
    return tuple(".".join(map(str, release)) for release in sorted(releases, reverse=True))


def parse_release(text: str) -> Release:
    """Read "0.15.1", "v0.15" or "0.26.1rc1.dev608+g99a1" as three numbers."""
    match = _RELEASE.fullmatch(text.strip())
    if match is None:
        raise UserError("release_unreadable", text=text[:100], accepted=_FORMS)
    major, minor, patch = match.groups()
    return int(major), int(minor), int(patch or 0)


@lru_cache(maxsize=256)
def _rules(wanted: Release, core: Core) -> VllmRules:
    rows = {
        parse_release(rules.read_release): rules for rules in _table().read if rules.core == core
    }
    same_minor = [release for release in rows if release[:2] == wanted[:2]]
    older = [release for release in rows if release <= wanted]
    # Something older than everything that was read follows the oldest.
    read = max(same_minor or older or [min(rows)])
    rules = rows[read]
    for switch in _table().dated:
        since = parse_release(switch.since)
        if read < since <= wanted and switch.core in (None, core):
            rules = _switched(rules, switch)
    return rules


def _switched(rules: VllmRules, switch: DatedSwitch) -> VllmRules:
    certain = {*switch.changes, *switch.known} - {*switch.assumed}
    assumed = tuple(sorted(({*rules.assumed} - certain) | {*switch.assumed}))
    values = rules.model_dump(mode="json") | switch.changes | {"assumed": assumed}
    # Strict types take lists for tuples only from JSON text.
    return VllmRules.model_validate_json(jsonfile.to_text(values))


@lru_cache(maxsize=1)
def _table() -> ReleaseTable:
    path = presets_dir() / "engines" / "vllm.json"
    name = shown(path)
    content = jsonfile.parse_object(jsonfile.read_bytes(path, _LIMIT_BYTES), name)
    table = jsonfile.validated(ReleaseTable, content, name)
    for switch in table.dated:
        for rules in table.read:
            if switch.core not in (None, rules.core):
                continue
            try:
                _switched(rules, switch)
            except ValidationError as error:
                raise refusal(error, content, name, f"dated {switch.since}") from None
    return table
