"""A slide with the heat map of the baseline, as native shapes."""

from __future__ import annotations

from typing import Final

from workbench.charts.heatmap import Names, heat_map
from workbench.export.found import Found, name_of
from workbench.export.heat import map_marks, surface_of
from workbench.export.options import Options
from workbench.export.slides.drawing import add_drawing
from workbench.export.slides.measure import EMU_PER_PT, SlideMeasure
from workbench.export.slides.paper import Paper
from workbench.export.subject import Subject
from workbench.spec import words
from workbench.spec.words.pictures import PICTURE_NOTES, PICTURE_TITLES

_TEXT_PT: Final = 13.0


def map_slide(paper: Paper, subject: Subject, options: Options) -> None:
    """Add the slide; a scenario without two inputs to vary has none."""
    base = subject.plan.scenarios[subject.baseline]
    surface = surface_of(subject, base, _untold)
    if surface is None:
        return
    say = options.language.words
    x, y = (say(words.FIELDS[axis.field]) for axis in (surface.x, surface.y))
    area = paper.area
    made = heat_map(
        surface,
        names=Names(x, y, say(PICTURE_NOTES["share"])),
        width=area.width / EMU_PER_PT + 2 * _TEXT_PT,
        height=area.height / EMU_PER_PT + _TEXT_PT,
        theme=paper.theme,
        measure=SlideMeasure(),
        marks=map_marks(subject, base, surface),
        labels=options.language.labels,
        unit=options.unit,
        text_px=_TEXT_PT,
    )
    ledger = subject.ledgers[subject.baseline]
    title = Found(options.language).up_to(base, ledger)
    kicker = words.fill(say(PICTURE_TITLES["heatmap"]), {"x": x, "y": y, "name": name_of(base)})
    slide = paper.slide(title, [made.summary], kicker[:1].upper() + kicker[1:])
    # The map keeps a margin of one text size, which the slide has of its own.
    left, top = (int(edge - _TEXT_PT * EMU_PER_PT) for edge in (area.x, area.y))
    top += int(_TEXT_PT * EMU_PER_PT / 2)
    add_drawing(slide, made.items, "heat map", x=left, y=top, said=made.summary)


def _untold() -> None:
    """A map takes milliseconds: nothing is told between its slices."""
