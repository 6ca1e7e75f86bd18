"""Rows of the admission table: what the scheduler really admits, a sentence a figure."""

from __future__ import annotations

from workbench.core.explain.rows import admission_terms
from workbench.gui.tr import translate
from workbench.gui.views.table import Cell, number, word
from workbench.gui.why import Why
from workbench.spec import units, words
from workbench.spec.ledger import Admission, Term


def admission_headings() -> tuple[str, ...]:
    """Headings of the table."""
    return (
        translate("Views", "Figure"),
        translate("Views", "Value"),
        translate("Views", "What it says"),
    )


def admission_rows(admission: Admission) -> list[tuple[Cell, ...]]:
    """Name, value, sentence, in the order in which a request meets them."""
    terms = admission_terms(admission)
    return [
        _row(
            translate("Views", "Prompt"),
            _tokens(admission.prompt_tokens),
            terms["prompt_tokens"],
            translate("Views", "Computed first, in steps of the batched tokens."),
        ),
        _row(
            translate("Views", "Output"),
            _tokens(admission.output_tokens),
            terms["output_tokens"],
            translate("Views", "Not stated by the workload: the least there can be.")
            if admission.output_tokens == 1
            else translate("Views", "Decoded one token a step; the cache grows with it."),
        ),
        _row(
            translate("Views", "Free to be admitted"),
            _blocks(admission.needed_blocks),
            terms["needed_blocks"],
            translate("Views", "The prompt waits until so many are free."),
        ),
        _row(
            translate("Views", "Held after the prompt"),
            _blocks(admission.after_prompt_blocks),
            terms["after_prompt_blocks"],
            translate("Views", "What an admitted request takes from the pool."),
        ),
        _row(
            translate("Views", "Held at the end"),
            _blocks(admission.at_end_blocks),
            terms["at_end_blocks"],
            _growth(admission),
        ),
        _row(
            translate("Views", "Held at most"),
            _blocks(admission.peak_blocks),
            terms["peak_blocks"],
            _peak(admission),
        ),
        _row(
            translate("Views", "Admitted together"),
            _requests(admission.admitted_together),
            terms["admitted_together"],
            translate("Views", "Equal prompts before the next one has to wait."),
        ),
        _row(
            translate("Views", "Withheld"),
            _blocks(admission.withheld_blocks),
            terms["withheld_blocks"],
            translate("Views", "Given to no request; of {pool} in the pool.").format(
                pool=units.group_digits(admission.pool_blocks)
            ),
        ),
        _row(
            translate("Views", "Watermark"),
            _blocks(admission.watermark_blocks),
            terms["watermark_blocks"],
            translate("Views", "Kept free when a request joins others."),
        ),
        _row(
            translate("Views", "In flight"),
            _tokens(admission.in_flight_tokens),
            terms["in_flight_tokens"],
            translate("Views", "Scheduled and not yet computed, at most."),
        ),
    ]


def admission_remark(admission: Admission) -> str:
    """Say what admission does not promise."""
    growth = admission.growth_blocks
    if admission.output_tokens == 1:
        return translate(
            "Views",
            "How much of a request is output is not known: growth while decoding is left out. "
            "Choose a workload with outputs to see it.",
        )
    if growth:
        text = translate(
            "Views",
            "Nobody keeps the {growth} blocks that a request takes while it decodes: where none is "
            "free, one that was admitted starts over.",
        )
        return words.fill(text, {"growth": growth})
    return translate("Views", "At its end a request holds no more than after its prompt.")


def _growth(admission: Admission) -> str:
    if admission.output_tokens == 1:
        return translate("Views", "As after the prompt, while the output is not known.")
    growth = admission.growth_blocks
    fewer = admission.after_prompt_blocks - admission.at_end_blocks
    if fewer > 0:
        return translate("Views", "{fewer} fewer: blocks behind a window are let go.").format(
            fewer=units.group_digits(fewer)
        )
    if not growth:
        return translate("Views", "As many as after the prompt.")
    return translate("Views", "{growth} more than after the prompt.").format(
        growth=units.group_digits(growth)
    )


def _peak(admission: Admission) -> str:
    more = admission.peak_blocks - admission.needed_blocks
    if more <= 0:
        return translate("Views", "The most at any step of prompt and output.")
    return translate("Views", "At some step {more} more than had to be free.").format(
        more=units.group_digits(more)
    )


def _row(name: str, value: str, term: Term, sentence: str) -> tuple[Cell, ...]:
    why = Why(None, term=term)
    return word(name), number(value, why=why), word(sentence, why=why)


def _tokens(tokens: int) -> str:
    return words.fill(translate("Views", "{number} tokens"), {"number": tokens})


def _blocks(blocks: int) -> str:
    return words.fill(translate("Views", "{number} blocks"), {"number": blocks})


def _requests(requests: int) -> str:
    return words.fill(translate("Views", "{number} requests"), {"number": requests})
