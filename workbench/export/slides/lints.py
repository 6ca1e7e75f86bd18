"""Slides with the findings of all scenarios: how serious, the sentence, what to change."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from workbench.core.fixes import Formats, fixes_of
from workbench.export.cells import MISSING
from workbench.export.found import Found, name_of
from workbench.export.options import Language, Options
from workbench.export.slides.bars import titles
from workbench.export.slides.grid import fitted, limited
from workbench.export.slides.paper import Paper
from workbench.export.subject import Subject
from workbench.export.table import Cell, CellLook, Row, Table
from workbench.export.wording import input_alone
from workbench.spec import words
from workbench.spec.ledger import Finding, Severity
from workbench.spec.scenario import Scenario
from workbench.spec.words.slides import SLIDE_KICKERS, SLIDE_WORDS
from workbench.spec.words.tables import TABLE_COLUMNS, TABLE_WORDS

_MOST_ROWS: Final = 24
_MOST_LINES: Final = 6
_MOST_NAMED: Final = 3
_MOST_TRIED: Final = 6
"""Errors for which changes are tried: each takes some hundredths of a second."""
_ORDER: Final[tuple[Severity, ...]] = ("error", "warning", "info")
_SYMBOLS: Final[dict[Severity, str]] = {"error": "✖", "warning": "▲", "info": "ℹ"}
_LOOKS: Final[dict[Severity, CellLook]] = {"error": "bad", "warning": "strong", "info": "muted"}


@dataclass(slots=True)
class _Said:
    """A sentence, and the scenarios that it is said of."""

    finding: Finding
    scenarios: list[Scenario] = field(default_factory=list)

    @property
    def names(self) -> list[str]:
        """Whom it is about."""
        return [name_of(scenario) for scenario in self.scenarios]


def finding_slides(paper: Paper, subject: Subject, options: Options) -> None:
    """Add the slides; a plan without findings has none."""
    said = _said(subject, options.language)
    if not said:
        return
    counts = {code: sum(one.finding.severity == code for one in said) for code in _ORDER}
    params = {"errors": counts["error"], "warnings": counts["warning"], "notes": counts["info"]}
    found, say = Found(options.language), options.language.words
    title, kicker = found.title("findings", **params), say(SLIDE_KICKERS["findings"])
    if counts["error"]:
        kicker = words.fill(say(SLIDE_KICKERS["findings_of"]), {"counted": title})
        text = words.finding_text(said[0].finding, say)
        title = found.title("said_of", name=said[0].names[0], verdict=text)
    table = limited(finding_table(said, subject, options.language), _MOST_ROWS)
    grid = fitted(table, paper.area, largest_pt=14.0, most_lines=_MOST_LINES)
    paper.table_slides(grid, titles(title, options), (), kicker)


def _said(subject: Subject, language: Language) -> list[_Said]:
    """Return each sentence once, the gravest first."""
    found: dict[tuple[str, str], _Said] = {}
    for scenario, ledger in subject.answered:
        for finding in ledger.findings:
            key = finding.severity, words.finding_text(finding, language.words)
            found.setdefault(key, _Said(finding)).scenarios.append(scenario)
    return sorted(found.values(), key=lambda one: _ORDER.index(one.finding.severity))


def finding_table(said: Sequence[_Said], subject: Subject, language: Language) -> Table:
    """List findings with the field, what to change where that is known, and whom it concerns."""
    say, count = language.words, len(subject.plan.scenarios)
    fixes = [
        (_tried(one, subject, language) if number < _MOST_TRIED else "")
        or words.fix_text(one.finding, say)
        for number, one in enumerate(said)
    ]
    rows = []
    for one, fix in zip(said, fixes, strict=True):
        finding = one.finding
        mark = f"{_SYMBOLS[finding.severity]} {say(TABLE_WORDS[finding.severity])}"
        field_name = "" if finding.field is None else input_alone(finding.field, language)
        change = Cell(f"→ {fix}", look="strong") if fix else MISSING
        cells = (
            Cell(mark, look=_LOOKS[finding.severity]),
            Cell(words.finding_text(finding, say)),
            Cell(field_name) if field_name else MISSING,
            *((change,) if any(fixes) else ()),
            Cell(_names(one.names, count, language)),
        )
        rows.append(Row(cells))
    columns = (
        *(say(TABLE_COLUMNS[code]) for code in ("severity", "finding", "field")),
        *((say(SLIDE_WORDS["change"]),) if any(fixes) else ()),
        say(SLIDE_WORDS["scenarios"]),
    )
    return Table("findings", "", columns, tuple(rows))


def _tried(said: _Said, subject: Subject, language: Language) -> str:
    """Return the changes that the window would offer for an error, each one tried."""
    if said.finding.severity != "error":
        return ""
    scenarios = subject.plan.scenarios
    # Formats that the plan has already: a change to one of them is no news to its reader.
    formats = Formats(
        tuple(dict.fromkeys(one.precision.kv for one in scenarios)),
        tuple(dict.fromkeys(one.precision.weights for one in scenarios)),
    )
    found = fixes_of(said.scenarios[0], subject.ledger_of, formats)
    return " · ".join(words.fix_caption(one.named, language.words) for one in found.fixes)


def _names(names: Sequence[str], count: int, language: Language) -> str:
    if len(names) == count > 1:
        return language.words(SLIDE_WORDS["all"])
    first = ", ".join(names[:_MOST_NAMED])
    if len(names) <= _MOST_NAMED:
        return first
    template = language.words(SLIDE_WORDS["more"])
    return words.fill(template, {"names": first, "count": len(names) - _MOST_NAMED})
