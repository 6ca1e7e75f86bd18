"""What an export takes: fifty scenarios as a deck (goal 3 s) or a record (goal 2.5 s), a picture at
2× (goal 0.3 s)."""

from __future__ import annotations

from typing import Any

import pytest

from tests.export import plans
from workbench.core import budget as budgets
from workbench.export.formats import FORMATS, Job
from workbench.export.options import PICTURES, Options, What, silent
from workbench.export.pictures import picture
from workbench.export.raster import QtMeasure, png_bytes
from workbench.export.subject import Subject


def fifty() -> tuple[tuple[Subject], dict[str, Any]]:
    """Fifty scenarios whose answers nobody knows yet."""
    budgets.budget.cache_clear()
    return (plans.many(50),), {}


@pytest.mark.parametrize("name", ["pptx", "xlsx", "docx", "md", "csv", "json"])
def test_fifty_scenarios(benchmark: Any, qapp: object, name: str) -> None:
    form = FORMATS[name]

    def make(subject: Subject) -> bytes:
        return form.make(Job(subject, Options(what=form.whats[0])), silent)

    assert benchmark.pedantic(make, setup=fifty, rounds=3)


@pytest.mark.parametrize("what", PICTURES)
def test_a_picture_at_twice_the_pixels(benchmark: Any, qapp: object, what: What) -> None:
    measure = QtMeasure()
    made = picture(plans.chinese(), Options(what=what), measure)
    assert benchmark(png_bytes, made, 2.0, measure)
