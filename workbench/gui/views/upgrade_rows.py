"""Rows of the tab "Upgrade": typed differences in words."""

from __future__ import annotations

from workbench.core.explain.rows import changed_terms
from workbench.core.upgrade import (
    ChangedEntry,
    ChangedFigure,
    ChangedFlag,
    ChangedSwitch,
    Upgrade,
)
from workbench.gui.fields.wording import field_label
from workbench.gui.tr import flag_word, sentences, translate
from workbench.gui.tr import words as words_tr
from workbench.gui.views.defaults_view import field_of, flag_value
from workbench.gui.views.table import Cell, number, word
from workbench.gui.why import Why, field_why, figure_why
from workbench.spec import units, words
from workbench.spec.units import show_number
from workbench.spec.words.switches import SWITCH_VALUES, SWITCHES

_NONE = "–"
_SAME = "="


def summary(found: Upgrade, engine: str) -> str:
    """What is compared, in a sentence."""
    if found.before_release == found.after_release:
        return translate("Views", "Both releases are {release}: choose another one.").format(
            release=found.after_release
        )
    names = [
        release
        if release == rules
        else translate("Views", "{release} (rules of {rules})").format(release=release, rules=rules)
        for release, rules in (
            (found.before_release, found.before_rules),
            (found.after_release, found.after_rules),
        )
    ]
    text = translate("Views", "The same scenario under {engine} {one} and {two}.").format(
        engine=engine, one=names[0], two=names[1]
    )
    if found.changes_nothing:
        text = sentences(text, translate("Views", "Its ledger does not change."))
    return text


def rules_remark(found: Upgrade) -> str:
    """Say which rules have a date that is a guess."""
    if not any(switch.assumed for switch in found.switches):
        return ""
    return translate("Views", "*: the release that brought this rule is assumed.")


def verdict_row(release: str, text: str) -> tuple[Cell, ...]:
    """A release and its verdict."""
    why = field_why(None, "engine.release")
    return (word(release, why=why), word(text, why=figure_why(None, "left")))


def entry_row(found: Upgrade, entry: ChangedEntry) -> tuple[Cell, ...]:
    """An entry before and after, and what it grows by."""
    name = words_tr(words.LABELS.get(entry.label, entry.label))
    delta = entry.delta_bytes
    before, after, growth = _whys(found, entry)
    return (
        word(name),
        _size_cell(entry.before_bytes, before),
        _size_cell(entry.after_bytes, after),
        number(_signed(delta), f"{delta:+,} B" if delta else "", growth),
    )


def _whys(found: Upgrade, change: ChangedEntry | ChangedFigure) -> tuple[Why | None, ...]:
    """What a line before and after, and its change, ask."""
    terms = changed_terms(change, found.before_release, found.after_release)
    return tuple(None if term is None else Why(None, term=term) for term in terms)


def _size_cell(size: int | None, why: Why | None) -> Cell:
    if size is None:
        return number(_NONE)
    return number(units.show_large(size), f"{units.group_digits(size)} B", why)


def _signed(delta: int) -> str:
    if not delta:
        return _SAME
    text = units.show_large(abs(delta))
    return f"+{text}" if delta > 0 else f"−{text}"


def figure_row(found: Upgrade, figure: ChangedFigure) -> tuple[Cell, ...]:
    """A figure of the pool before and after."""
    names = {
        "pool_bytes": translate("Views", "pool per GPU"),
        "pool_bytes_per_block": translate("Views", "bytes per block"),
        "pool_block_tokens": translate("Views", "tokens per block"),
        "pool_blocks": translate("Views", "blocks"),
        "pool_tokens": translate("Views", "tokens printed"),
        "engine_log": translate("Views", "engine log"),
        "most_requests": translate("Views", "most requests"),
    }
    delta = figure.delta
    change = _SAME if delta == 0 else _NONE
    if delta:
        sign = "+" if delta > 0 else "−"
        change = sign + _value(figure, abs(delta))
    before, after, growth = _whys(found, figure)
    return (
        word(names[figure.code]),
        number(_value(figure, figure.before), why=before),
        number(_value(figure, figure.after), why=after),
        number(change, why=growth),
    )


def _value(figure: ChangedFigure, value: float | None) -> str:
    if value is None:
        return _NONE
    if figure.unit == "bytes":
        return units.show_bytes(int(value))
    if figure.unit == "ratio":
        return f"{value:.2f}×"
    return units.group_digits(int(value))


def flag_row(flag: ChangedFlag) -> tuple[Cell, ...]:
    """A resolved flag before and after."""
    why = field_why(None, field_of(flag.flag))
    return (
        word(field_label(field_of(flag.flag)), why=why),
        word(flag_value(flag.flag, flag.before), why=why),
        word(flag_value(flag.flag, flag.after), why=why),
    )


def switch_row(switch: ChangedSwitch) -> tuple[Cell, ...]:
    """A rule before and after; a star marks a date that is assumed."""
    name = words_tr(SWITCHES.get(switch.name) or switch.name.replace("_", " "))
    why = field_why(None, "engine.release")
    return (
        word(f"{name} *" if switch.assumed else name, why=why),
        word(_switch_value(switch.name, switch.before), why=why),
        word(_switch_value(switch.name, switch.after), why=why),
    )


def _switch_value(name: str, value: object) -> str:
    if value is None:
        return _NONE
    if isinstance(value, bool):
        return flag_word("yes" if value else "no")
    if isinstance(value, int | float):
        if name in ("default_utilization", "watermark"):
            return units.format_share(float(value))
        return show_number(value)
    if isinstance(value, tuple):
        if name == "batch_tiers":
            return translate("Views", "{number} classes of card").format(number=len(value))
        return ", ".join(str(item) for item in value) or translate("Views", "none")
    return words_tr(SWITCH_VALUES.get(str(value), str(value)))
