"""Names of changes, shorter ones where a whole one has no room."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from workbench.charts.page import wrapped
from workbench.charts.text import ELLIPSIS, TextMeasure
from workbench.core.inputs import BY_ID
from workbench.core.waterfall import Step
from workbench.export.options import Language
from workbench.export.safe_text import safe_line
from workbench.export.wording import NONE, input_alone, input_text, step_name, value_word
from workbench.spec.words.tables import TABLE_WORDS

_SENTENCE_CHARACTERS: Final = 64
"""A name that is longer would take a title from its sentence."""


def step_name_for(step: Step, language: Language) -> str:
    """Name a change as a sentence has room for it."""
    names = list(_names(step, language))
    return next((name for name in names if len(name) <= _SENTENCE_CHARACTERS), names[-1])


def step_lines(
    step: Step, language: Language, width: float, measure: TextMeasure, size: float, most: int
) -> tuple[str, ...]:
    """Name a change in a few lines: the longest name that stands there in full."""
    for name in _names(step, language):
        lines = wrapped(name, width, measure, size, most)
        if not lines[-1].endswith(ELLIPSIS):
            return lines
    return lines


def _names(step: Step, language: Language) -> Iterator[str]:
    """Return the whole name; where to it changes; what is changed; the first of that."""
    yield safe_line(step_name(step, language), 200)
    item = BY_ID.get(step.inputs[0])
    if len(step.inputs) == 1 and item is not None and item.applies(step.after.scenario):
        after = value_word(
            input_text(item.read(step.after.scenario), item.kind, language) or NONE, language
        )
        yield safe_line(f"{input_alone(item.id, language)} → {after}", 200)
    inputs = [input_alone(one, language) for one in step.inputs]
    yield safe_line(language.words(TABLE_WORDS["comma"]).join(inputs[:3]), 200)
    yield safe_line(inputs[0] + (f" +{len(inputs) - 1}" if len(inputs) > 1 else ""), 80)
