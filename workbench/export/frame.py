"""What stands around a picture: its paper, its colours, its title, its footnote."""

from __future__ import annotations

from typing import Final

from workbench import __version__
from workbench.charts.display import DisplayList
from workbench.charts.page import Sheet, page, sentence_picture
from workbench.charts.palette import DARK, GREY, LIGHT, Theme
from workbench.charts.text import TextMeasure
from workbench.export.options import Options, What
from workbench.export.safe_text import safe_line
from workbench.export.subject import Subject
from workbench.export.wording import assumed_note, engine_text
from workbench.spec import words
from workbench.spec.errors import UserError
from workbench.spec.scenario import Scenario
from workbench.spec.words.pictures import PICTURE_NOTES, PICTURE_TITLES

_SIZES: Final = {"16:9": (1280.0, 720.0), "4:3": (960.0, 720.0), "free": (1280.0, None)}
_NAME_CHARACTERS: Final = 120


def theme_for(options: Options) -> Theme:
    """Return the colours of a look."""
    themes = {"dark": DARK, "grey": GREY}
    return themes.get(options.look, LIGHT)


def title_of(subject: Subject, options: Options) -> str:
    """Return the title of a picture: the one that was typed, else what it shows of which plan."""
    if options.title is not None:
        return safe_line(options.title, 400)
    say = options.language.words
    shown = words.fill(say(PICTURE_TITLES[_titled(options.what)]), _title_words(subject, options))
    name = safe_line(subject.plan.title, _NAME_CHARACTERS)
    if not name:
        return shown[:1].upper() + shown[1:]
    return words.fill(say(PICTURE_TITLES["titled"]), {"title": name, "subject": shown})


def _titled(what: What) -> str:
    return what if what in PICTURE_TITLES else "bars"


def _title_words(subject: Subject, options: Options) -> dict[str, object]:
    base = subject.plan.scenarios[subject.baseline]
    other = chosen_scenario(subject, options)
    say = options.language.words
    name = base if options.what == "compare" else other
    return {
        "name": safe_line(name.name, _NAME_CHARACTERS),
        "before": safe_line(base.name, _NAME_CHARACTERS),
        "after": safe_line(other.name, _NAME_CHARACTERS),
        "x": say(words.FIELDS["workload.context"]),
        "y": say(words.FIELDS["workload.concurrency"]),
    }


def chosen_scenario(subject: Subject, options: Options) -> Scenario:
    """Return the scenario that a waterfall leads to or a map varies."""
    scenarios = subject.plan.scenarios
    if not scenarios:
        raise UserError("nothing_to_export")
    for scenario in scenarios:
        if scenario.id == options.scenario:
            return scenario
    base = scenarios[subject.baseline]
    if options.what == "heatmap":
        return base
    return next((scenario for scenario in scenarios if scenario is not base), base)


def footnote_of(subject: Subject, options: Options) -> str:
    """Return what stands below: date, file, engines, how many figures are not exact."""
    if not options.footnote:
        return ""
    say = options.language.words
    engines = {
        safe_line(engine_text(said.engine, said.release, options.language), 80): None
        for said in (ledger.scenario for ledger in subject.ledgers)
    }
    notes = [options.date]
    if subject.file_name:
        notes.append(
            words.fill(say(PICTURE_NOTES["file"]), {"name": safe_line(subject.file_name, 120)})
        )
    notes += [
        words.fill(say(PICTURE_NOTES["engines"]), {"names": ", ".join(engines)}),
        assumed_note(subject, options.language),
        words.fill(say(PICTURE_NOTES["program"]), {"version": __version__}),
    ]
    return " · ".join(safe_line(note) for note in notes if note)


def counted(code: str, count: int, options: Options) -> str:
    """Return a note that names how many; nothing for none."""
    if count <= 0:
        return ""
    return words.fill(options.language.words(PICTURE_NOTES[code]), {"count": count})


def sheet_for(
    subject: Subject, options: Options, measure: TextMeasure, *notes: str, found: str = ""
) -> Sheet:
    """Return the paper of a picture; `found` is its answer, `notes` join its footnote."""
    if not subject.plan.scenarios:
        raise UserError("nothing_to_export")
    width, height = _SIZES[options.ratio]
    below = " · ".join(note for note in (*notes, footnote_of(subject, options)) if note)
    title = title_of(subject, options)
    return Sheet(width, height, theme_for(options), measure, title, below, found)


def sentence_page(
    subject: Subject, options: Options, measure: TextMeasure, code: str
) -> DisplayList:
    """Return a page that says why there is no picture."""
    sheet = sheet_for(subject, options, measure)
    return page(sentence_picture(options.language.words(PICTURE_NOTES[code]), sheet), sheet)
