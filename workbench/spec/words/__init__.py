"""Codes to sentences: the one place where the program's English stands.

The core returns codes and parameters. Here each code has a template, and `fill` puts the
parameters in: a name that ends in `_bytes`, `_tokens` or `_share` is printed in that unit.
Every function takes a `translate` callable, so that a window can swap the template for
another language before it is filled; the command line stays English.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction

from workbench.spec import units
from workbench.spec.errors import UserError
from workbench.spec.ledger import (
    Entry,
    Finding,
    Formula,
    Ledger,
    Number,
    RankLedger,
    Source,
    Status,
    Term,
    Unit,
    Verdict,
)
from workbench.spec.words.cli import CLI_ERRORS
from workbench.spec.words.compare import (
    FIX_CAPTIONS,
    FIX_COSTS,
    INPUT_NAMES,
    INPUTS_ALONE,
    LIMITS,
    NO_FIX,
)
from workbench.spec.words.details import DETAILS
from workbench.spec.words.engines import ENGINE_RULES
from workbench.spec.words.errors import ACCEPTED, ERRORS, PLACES
from workbench.spec.words.figures import FIGURES
from workbench.spec.words.findings import FINDINGS, FIXES, VERDICTS
from workbench.spec.words.labels import (
    BINDING,
    EVIDENCE,
    FIELD_HELP,
    FIELDS,
    KINDS,
    LABELS,
    NOT_MODELLED,
    REASONS,
    SIZINGS,
    SOURCES,
    STATUS,
    SYMBOLS,
)
from workbench.spec.words.presets import (
    PRESET_CHOICES,
    PRESET_FIELDS,
    PRESET_FIGURES,
    PRESET_ITEMS,
    PRESET_KINDS,
    PRESET_NAMES,
    VALUE_WORDS,
)

__all__ = [
    "ACCEPTED",
    "BINDING",
    "CLI_ERRORS",
    "ENGINE_RULES",
    "ERRORS",
    "EVIDENCE",
    "FIELDS",
    "FIELD_HELP",
    "FIGURES",
    "FINDINGS",
    "FIXES",
    "FIX_CAPTIONS",
    "FIX_COSTS",
    "INPUTS_ALONE",
    "INPUT_NAMES",
    "KINDS",
    "LABELS",
    "LIMITS",
    "NOT_MODELLED",
    "NO_FIX",
    "PRESET_CHOICES",
    "PRESET_FIELDS",
    "PRESET_FIGURES",
    "PRESET_ITEMS",
    "PRESET_KINDS",
    "PRESET_NAMES",
    "REASONS",
    "SIZINGS",
    "SOURCES",
    "STATUS",
    "SYMBOLS",
    "VALUE_WORDS",
    "VERDICTS",
    "doubted",
    "entry_text",
    "error_text",
    "fill",
    "finding_text",
    "fix_caption",
    "fix_cost",
    "fix_text",
    "formula_text",
    "how_many",
    "is_doubted",
    "left_text",
    "preset_name",
    "shown_status",
    "source_text",
    "status_text",
    "term_text",
    "value_text",
    "verdict_text",
]

Translate = Callable[[str], str]
MAX_PARAM_CHARACTERS = 300
_BETWEEN = " · "
_COUNTED = re.compile(
    r"\{(\w+)\} (?:(?:more|KV|attention|state|pipeline) )?"
    r"(?:block|fact|GPU|head|layer|rank|request|scenario|sequence|slot|stage|time|token)s\b"
)
"""A number in a template, and after it what it counts."""


def _same(text: str) -> str:
    return text


def fill(template: str, params: Mapping[str, object]) -> str:
    """Put parameters into a template, each printed in the unit its name ends in.

    What is counted takes its singular after a 1; other languages have none of the English nouns.
    """
    printed = {name: _printed(name, value) for name, value in params.items()}

    def numbered(found: re.Match[str]) -> str:
        return found[0][:-1] if printed.get(found[1]) == "1" else found[0]

    return _COUNTED.sub(numbered, template).format_map(printed)


def how_many(count: int, noun: str) -> str:
    """Say how many there are, in English: "1 block", "2,048 free blocks"."""
    return f"{units.group_digits(count)} {noun}{'' if count == 1 else 's'}"


def _printed(name: str, value: object) -> str:
    if value is None:
        return "–"
    if isinstance(value, int | float | Fraction) and not isinstance(value, bool):
        if name.endswith("_bytes"):
            return units.show_bytes(int(value))
        if name.endswith("_tokens"):
            return units.show_tokens(int(value))
        if name.endswith("_share"):
            return units.show_share(value)
        return units.show_number(value)
    text = visible(str(value))
    if len(text) > MAX_PARAM_CHARACTERS:
        return text[: MAX_PARAM_CHARACTERS - 1] + "…"
    return text


def visible(text: str) -> str:
    """Replace what a terminal or label would obey instead of show: controls and bidi marks."""
    return "".join(
        character if character.isprintable() else f"⟨{ord(character):04X}⟩" for character in text
    )


def entry_text(entry: Entry, translate: Translate = _same) -> str:
    """The name of an entry; a reserve that is a share says how large a share."""
    name = translate(LABELS[entry.label])
    for term in entry.formula.terms:
        if term.symbol == entry.label and term.unit == "share":
            return f"{name} {value_text(term.value, term.unit)}"
    return name


def error_text(error: UserError, translate: Translate = _same) -> str:
    """One sentence: what, where, what would be accepted."""
    params = dict(error.params)
    accepted = params.get("accepted")
    if isinstance(accepted, str):
        params["accepted"] = translate(ACCEPTED.get(accepted, accepted))
    where = params.get("where")
    if isinstance(where, str) and where in PLACES:
        params["where"] = translate(PLACES[where])
    for name, value in params.items():
        if isinstance(value, UserError):
            params[name] = error_text(value, translate)
    template = ERRORS.get(error.code) or CLI_ERRORS.get(error.code)
    if template is None:
        return str(error)
    return fill(translate(template), params)


def finding_text(finding: Finding, translate: Translate = _same) -> str:
    """The sentence of a finding."""
    params = dict(finding.params)
    flags = params.get("flags")
    if isinstance(flags, str):
        params["flags"] = _flag_names(flags, translate)
    # A count that leaves the headroom free stands beside counts that do not.
    code = f"{finding.code}.headroom" if "kept_bytes" in params else finding.code
    return fill(translate(FINDINGS[code]), _named(params, translate))


def preset_name(name: str, translate: Translate = _same) -> str:
    """The name of a preset: a built-in one that describes what it is, in the language."""
    return translate(PRESET_NAMES[name]) if name in PRESET_NAMES else name


def _named(params: Mapping[str, object], translate: Translate) -> Mapping[str, object]:
    """Parameters with the name of a format in the language."""
    name = params.get("format")
    return {**params, "format": preset_name(name, translate)} if isinstance(name, str) else params


def _flag_names(flags: str, translate: Translate) -> str:
    """Flags by the names that their fields have; one without a field keeps its own."""
    names = (FIELDS.get(f"engine.{flag}", flag) for flag in flags.split(", "))
    return ", ".join(translate(name) for name in names)


def fix_text(finding: Finding, translate: Translate = _same) -> str:
    """Words of the button that applies a finding's fix; empty without one."""
    if finding.fix is None:
        return ""
    value = finding.fix.value
    name = "value_tokens" if finding.fix.field == "engine.max_model_len" else "value"
    return fill(translate(FIXES[finding.fix.field]), {"value": value, name: value})


def fix_caption(changes: Iterable[tuple[str, Mapping[str, object]]], translate: Translate) -> str:
    """Caption of a fix by its changes, each a code and its parameters: "TP 8 + 3 requests"."""
    return " + ".join(fill(translate(FIX_CAPTIONS[code]), params) for code, params in changes)


def fix_cost(changes: Iterable[tuple[str, Mapping[str, object]]], translate: Translate) -> str:
    """What a fix takes or changes, a sentence a change."""
    return " ".join(
        fill(translate(FIX_COSTS[code]), _named(params, translate)) for code, params in changes
    )


def verdict_text(ledger: Ledger, translate: Translate = _same) -> str:
    """The verdict in one sentence with the constraint that binds, and what it leaves out."""
    verdict, rank = ledger.verdict, ledger.worst_rank
    params: dict[str, object] = {
        "left_bytes": max(0, rank.left_bytes),
        "free_bytes": max(0, rank.free_bytes),
        "over_bytes": rank.over_bytes,
        "held": ledger.concurrency * ledger.scenario.replicas,
        "most": ledger.most_requests,
        "context_tokens": None if ledger.request is None else ledger.request.tokens,
        "binding": translate(BINDING[verdict.binding]),
        "binding_bytes": _binding_bytes(rank, verdict.binding),
        "reserve_bytes": rank.headroom_bytes,
    }
    code = verdict.status.value
    if verdict.status is Status.REFUSES and verdict.refusal is not None:
        code = f"refuses.{verdict.refusal.reason}"
        if code not in VERDICTS:
            code = f"refuses.{verdict.refusal.category}"
    if verdict.status is Status.DOES_NOT_FIT and not rank.over_bytes:
        # Blocks are what is short, or what was given of them.
        code = "does_not_fit.pool"
    if verdict.near_limit:
        code = "fits.near"
    elif verdict.status is Status.FITS and rank.headroom_bytes:
        code = "fits.headroom"
    first, *rest = fill(translate(VERDICTS[code]), params).split(_BETWEEN)
    return _BETWEEN.join((doubted(first, ledger, translate), *rest))


def is_doubted(ledger: Ledger) -> bool:
    """Whether an answer that looks well leaves the weights out."""
    well = ledger.verdict.status in (Status.FITS, Status.TIGHT)
    return well and "weights" in ledger.not_modelled


def doubted(text: str, ledger: Ledger, translate: Translate = _same) -> str:
    """An answer in words; one that leaves something out says so: "Fits, without weights"."""
    if not is_doubted(ledger):
        return text
    return fill(translate(VERDICTS["unweighed"]), {"verdict": text})


def shown_status(ledger: Ledger) -> Status:
    """The status whose colour an answer has: one that leaves something out is no clear yes."""
    return Status.TIGHT if is_doubted(ledger) else ledger.verdict.shown


def status_text(verdict: Verdict, translate: Translate = _same) -> str:
    """The verdict in a word or two."""
    return translate(STATUS["fits.near" if verdict.near_limit else verdict.status.value])


def left_text(text: str, ledger: Ledger, translate: Translate = _same) -> str:
    """What is left, as it stands without the verdict's word: "43 MiB free, near the limit"."""
    if ledger.verdict.near_limit:
        text = fill(translate(VERDICTS["near"]), {"verdict": text})
    return doubted(text, ledger, translate)


def decided_text(ledger: Ledger, translate: Translate = _same) -> str:
    """What decides a verdict, without its size: where room is short."""
    binding = translate(BINDING[ledger.verdict.binding])
    return fill(translate(VERDICTS["decided"]), {"binding": binding})


def _binding_bytes(rank: RankLedger, binding: str) -> int:
    return sum(entry.bytes for entry in rank.entries if entry.kind.value == binding)


def source_text(source: Source, translate: Translate = _same) -> str:
    """Where a figure comes from, in words."""
    known = DETAILS.get((source.code, source.detail))
    detail = translate(known) if known else source.detail
    return fill(translate(SOURCES[source.code]), {"detail": detail})


def value_text(value: Number | str, unit: Unit) -> str:
    """A figure of a formula, exact: bytes and tokens in full."""
    if isinstance(value, str):
        return value
    if unit == "bytes":
        size = units.group_digits(int(value))
        return f"{size} B"
    if unit == "share":
        return units.format_share(float(value))
    if isinstance(value, int):
        return units.group_digits(value)
    return units.show_number(value, 4)


def term_text(term: Term, translate: Translate = _same) -> str:
    """The name of a formula's input; a tensor that has no word here keeps its own name."""
    named = SYMBOLS.get if term.source.code == "tensor" else _symbol_name
    stem, _, number = term.symbol.rpartition("_")
    if number.isdigit() and (name := named(stem)):
        return f"{translate(name)} {number}"
    name = named(term.symbol)
    return translate(name) if name else term.symbol


def _symbol_name(symbol: str) -> str | None:
    """An input, a derived figure, or an entry that is an input of one."""
    return SYMBOLS.get(symbol) or FIGURES.get(symbol) or LABELS.get(symbol)


def formula_text(formula: Formula, *, filled: bool = True, translate: Translate = _same) -> str:
    """The expression with its numbers, or with the names of its terms."""
    values = {
        term.symbol: value_text(term.value, term.unit) if filled else term_text(term, translate)
        for term in formula.terms
    }
    text = formula.expression
    # Tensor names hold dots, which str.format would read as attribute access.
    for symbol in sorted(values, key=len, reverse=True):
        text = text.replace(f"{{{symbol}}}", values[symbol])
    return text
