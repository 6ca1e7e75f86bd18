"""Sentences of the fields: the core's words, translated, and what a refused value means."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pydantic import ValidationError

from workbench.gui.labels import visible
from workbench.gui.tr import sentences, translate
from workbench.gui.tr import words as words_tr
from workbench.spec import units, words
from workbench.spec.errors import UserError
from workbench.spec.fields import FIELDS, Field, Value, format_quantity
from workbench.spec.units import QuantityKind


def field_label(field_id: str) -> str:
    """Return the short name of a field."""
    return words_tr(words.FIELDS.get(field_id, field_id))


def field_help(field_id: str) -> str:
    """Return what a field means, empty where its name says it."""
    text = words.FIELD_HELP.get(field_id, "")
    return words_tr(text) if text else ""


def describe(field: Field) -> str:
    """Return unit, range and meaning of a field, for help and for screen readers."""
    accepted = translate("Fields", "{accepted}.").format(
        accepted=words_tr(words.ACCEPTED[field.kind])
    )
    low, high = _bound(field, field.slider_low), _bound(field, field.slider_high)
    span = translate("Fields", "Slider from {low} to {high}.").format(low=low, high=high)
    default = translate("Fields", "Empty means the default.") if field.optional else ""
    return sentences(field_help(field.id), accepted, span, default)


def _bound(field: Field, bound: float) -> str:
    if field.kind in ("amount", "share"):
        return units.format_share(bound)
    return format_quantity(field.kind, int(bound))


def show_value(field: Field, value: Value | None) -> str:
    """Return a value as the field prints it, "default" for None."""
    return translate("Fields", "default") if value is None else field.format(value)


def sentence(error: Exception, field_id: str | None = None) -> str:
    """Return one sentence for a value that was refused."""
    if isinstance(error, UserError):
        return words.error_text(error, words_tr)
    if isinstance(error, ValidationError):
        return _refused(error, field_id)
    return visible(str(error))


def refusal(error: Exception, field_id: str | None = None) -> Callable[[], str]:
    """Return what says the sentence, now and again in another language."""
    # Without its trace: that holds the widgets which it went through.
    return partial(sentence, error.with_traceback(None), field_id)


def _refused(error: ValidationError, field_id: str | None) -> str:
    detail = error.errors(include_url=False)[0]
    context = detail.get("ctx") or {}
    field = FIELDS.get(field_id or "")
    kind: QuantityKind = "number" if field is None else field.kind
    code = detail["type"]
    if code == "quantiles_not_rising":
        return translate(
            "Fields", "The lengths must rise: {tokens} at {q} follows {previous} at {previous_q}."
        ).format(
            tokens=units.format_tokens(int(context["tokens"])),
            q=units.show_share(float(context["q"])),
            previous=units.format_tokens(int(context["previous_tokens"])),
            previous_q=units.show_share(float(context["previous_q"])),
        )
    if code in ("greater_than_equal", "greater_than"):
        bound = context.get("ge", context.get("gt", 0))
        return translate("Fields", "Too small: at least {bound} is accepted.").format(
            bound=_number(kind, bound)
        )
    if code in ("less_than_equal", "less_than"):
        bound = context.get("le", context.get("lt", 0))
        return translate("Fields", "Too large: at most {bound} is accepted.").format(
            bound=_number(kind, bound)
        )
    return _structural(code, context, detail["msg"])


def _structural(code: str, context: dict[str, object], message: str) -> str:
    templates = {
        "too_many_ranks": translate(
            "Fields", "TP × PP is {ranks}: at most {limit} ranks are accepted."
        ),
        "too_many_layers": translate("Fields", "{layers} layers: at most {limit} are accepted."),
        "partition_length": translate(
            "Fields", "The pipeline partition names {stages} stages, PP is {pp}."
        ),
        "prefix_shares_over_one": translate(
            "Fields",
            "The prefix groups take {percent} % of the requests: at most 100 % are accepted.",
        ),
        "quantiles_need_the_longest": translate("Fields", "The longest request is missing."),
        "unwanted_character": translate(
            "Fields", "It holds the character {character}, which no text takes."
        ),
        "string_too_long": translate(
            "Fields", "Too long: at most {max_length} characters are accepted."
        ),
        "string_too_short": translate("Fields", "Type at least one character."),
    }
    template = templates.get(code)
    return template.format(**context) if template else visible(message)


def _number(kind: QuantityKind, bound: object) -> str:
    if not isinstance(bound, int | float):
        return str(bound)
    if kind == "share":
        return units.format_share(float(bound))
    if kind == "bytes" and bound:
        return units.format_bytes(int(bound))
    if kind == "tokens":
        return units.format_tokens(int(bound))
    return units.show_number(int(bound) if float(bound).is_integer() else bound)
