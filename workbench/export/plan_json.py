"""Everything that is known of a plan's answers, as the public JSON.

Ledgers are those of `kvw budget --json`, the comparison has the rows of `kvw compare --json`. Keys
may be added freely, never renamed or removed.
"""

from __future__ import annotations

import json
import re
from typing import Final

from workbench.core.admission import admission_of
from workbench.core.waterfall import Waterfall
from workbench.export.compare_json import compare_json
from workbench.export.ledger_json import ledger_json
from workbench.export.options import Options, Progress, silent
from workbench.export.safe_text import safe_line
from workbench.export.subject import Subject

SCHEMA: Final = 1
_TURNING: Final = re.compile(r"[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
"""Characters of names that nobody sees and that turn or break what stands beside them; escaped,
JSON says the same."""


def json_bytes(subject: Subject, options: Options, progress: Progress = silent) -> bytes:
    """Return the answers to a plan: sorted keys, exact integers, UTF-8, a newline at the end."""
    ways: list[Waterfall | None] = []
    count = len(subject.plan.scenarios)
    subject.work_out(lambda done: progress(done, 2 * count + 1))
    for number, scenario in enumerate(subject.plan.scenarios):
        ways.append(None if number == subject.baseline else subject.way_to(scenario))
        progress(count + number + 1, 2 * count + 1)
    made = {
        "schema": SCHEMA,
        "file": safe_line(subject.file_name),
        "title": subject.plan.title,
        "baseline": subject.plan.scenarios[subject.baseline].name,
        "scenarios": [
            ledger_json(ledger, admission_of(scenario, ledger))
            for scenario, ledger in subject.answered
        ],
        "comparison": compare_json(subject.comparison, tuple(ways)),
    }
    if options.date:
        made["date"] = options.date
    text = json.dumps(made, ensure_ascii=False, indent=2, sort_keys=True, allow_nan=False)
    progress(2 * count + 1, 2 * count + 1)
    return f"{_TURNING.sub(_escaped, text)}\n".encode()


def _escaped(found: re.Match[str]) -> str:
    return f"\\u{ord(found[0]):04x}"
