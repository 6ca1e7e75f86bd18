from __future__ import annotations

import re
from dataclasses import fields
from itertools import combinations

import numpy as np
import pytest
from colorspacious import cspace_convert, deltaE

from workbench.charts.palette import (
    BLACK,
    FILLED_KINDS,
    THEMES,
    WHITE,
    Theme,
    contrast,
    ink_on,
    theme_on,
)
from workbench.spec.ledger import STACK_ORDER, EntryKind

VISIONS = (None, "protanomaly", "deuteranomaly", "tritanomaly")

themes = pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)


def rgb(colour: str) -> list[float]:
    return [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]


def seen(colour: str, vision: str | None) -> np.ndarray:
    if vision is None:
        return np.array(rgb(colour))
    space = {"name": "sRGB1+CVD", "cvd_type": vision, "severity": 100}
    return np.clip(cspace_convert(rgb(colour), space, "sRGB1"), 0, 1)


@themes
@pytest.mark.parametrize("vision", VISIONS)
def test_fills_stay_apart_for_every_kind_of_colour_vision(theme: Theme, vision: str | None):
    distances = {
        pair: deltaE(
            seen(pair[0], vision),
            seen(pair[1], vision),
            input_space="sRGB1",
            uniform_space="CAM02-UCS",
        )
        for pair in combinations(theme.fills, 2)
    }
    assert len(distances) == 15
    assert min(distances.values()) >= 18, min(distances, key=distances.__getitem__)


@themes
def test_fills_stand_out_from_both_grounds(theme: Theme):
    for fill in theme.fills:
        assert contrast(fill, theme.surface) >= 3
        assert contrast(fill, theme.page) >= 3


@themes
def test_numbers_are_legible_on_every_segment(theme: Theme):
    for kind in STACK_ORDER:
        assert contrast(theme.ink(kind), theme.fill(kind)) >= 4.5


@themes
def test_words_are_legible_on_both_grounds(theme: Theme):
    inks = (theme.text, theme.muted, theme.accent, theme.success, theme.warning, theme.danger)
    for ink in inks:
        assert contrast(ink, theme.surface) >= 4.5
        assert contrast(ink, theme.page) >= 4.5
    assert contrast(theme.on_accent, theme.accent) >= 4.5


def test_high_contrast_is_high():
    theme = THEMES["contrast"]
    inks = (theme.text, theme.muted, theme.accent, theme.success, theme.warning, theme.danger)
    for ground in (theme.surface, theme.page, theme.sunken):
        assert min(contrast(ink, ground) for ink in inks) >= 7
        assert contrast(theme.line, ground) >= 4.5
        assert min(contrast(fill, ground) for fill in theme.fills) >= 4.5
    assert contrast(theme.on_accent, theme.accent) >= 7
    assert theme.patterned


@themes
def test_a_theme_is_known_by_any_of_its_grounds(theme: Theme):
    for ground in (theme.surface, theme.page, theme.sunken):
        assert theme_on(ground) is theme
        assert theme_on(ground, patterned=True) == theme.with_patterns()
    assert theme.with_patterns().patterned


def test_a_ground_of_no_theme_gives_the_nearest():
    assert theme_on("#F0F0F0").name == "light"
    assert theme_on("#202020").name == "dark"


def test_ink_follows_contrast_and_not_lightness():
    # Of middling lightness; white still has the better contrast.
    assert ink_on("#5A68CA") == WHITE
    assert ink_on("#C2701A") == BLACK
    assert contrast(WHITE, BLACK) == pytest.approx(21)


@themes
def test_state_shares_the_kv_fill_and_every_kind_has_a_colour(theme: Theme):
    assert theme.fill(EntryKind.STATE) == theme.fill(EntryKind.KV)
    assert set(theme.segments) == set(STACK_ORDER)
    assert [theme.fill(kind) for kind in FILLED_KINDS] == list(theme.fills)
    assert theme.fill(EntryKind.UNREQUESTED) == theme.surface


@themes
def test_colours_are_six_hex_digits_in_capitals(theme: Theme):
    values = [getattr(theme, field.name) for field in fields(theme)]
    for value in [*theme.fills, *(v for v in values if isinstance(v, str) and v != theme.name)]:
        assert re.fullmatch("#[0-9A-F]{6}", value)
