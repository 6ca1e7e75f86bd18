"""Tab "Lengths": requests of the mean, P50, P95, P99 and longest length beside each other."""

from __future__ import annotations

from fractions import Fraction
from typing import get_args

from PySide6.QtWidgets import QVBoxLayout

from workbench.core.budget import ledger_of
from workbench.core.explain.requests import request_tokens
from workbench.core.explain.rows import length_terms
from workbench.gui.labels import muted
from workbench.gui.tr import translate
from workbench.gui.tr import words as words_tr
from workbench.gui.views.page import Block, Page
from workbench.gui.views.table import Cell, number, word
from workbench.gui.views.view import View
from workbench.gui.why import Why, field_why, figure_why, set_why
from workbench.spec import units, words
from workbench.spec.ledger import Ledger, Pool, Request, Term
from workbench.spec.scenario import Scenario
from workbench.spec.workload import Sizing

_DASH = "–"


class LengthsView(View):
    """What a request of each length takes, and how many are held at once."""

    def _build(self) -> None:
        self.page = Page(self)
        self.pool = muted("", self.page.body)
        self.table = Block("", ("",) * 7, self.page.body)
        self.page.add(self.pool)
        self.page.add(self.table)
        self.page.finish()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.page)

    def _say(self) -> None:
        headings = (
            translate("Views", "Length"),
            translate("Views", "Tokens"),
            translate("Views", "Blocks"),
            translate("Views", "Empty slots"),
            translate("Views", "Empty share"),
            translate("Views", "KV per request"),
            translate("Views", "Requests held"),
        )
        self.table.say(translate("Views", "One request of each length"), headings)

    def _show(self) -> None:
        scenario = self.session.shown(str(self.session.current_id))
        ledger = ledger_of(scenario)
        self.pool.set_text(_pool_text(ledger))
        set_why(self.pool, figure_why(None, "pool_tokens"))
        rows = [_row(scenario, sizing, ledger) for sizing in get_args(Sizing)]
        text = translate(
            "Views",
            "The ledger is drawn with {length}. Requests held: in the whole scenario, if all were "
            "of that length; budget on P95 or P99, not on the mean.",
        ).format(length=words_tr(words.SIZINGS[scenario.workload.sizing]))
        self.table.show_rows(rows, text, field_why(None, "workload.sizing"))


def _row(scenario: Scenario, sizing: Sizing, ledger: Ledger) -> tuple[Cell, ...]:
    trial = scenario.with_(workload=scenario.workload.with_(sizing=sizing))
    request, steady = ledger_of(trial).request, ledger.capacity.steady_state
    drawn = Why(None, term=request_tokens(trial, sizing))
    name = word(words_tr(words.SIZINGS[sizing]), why=drawn)
    if request is None:
        return (name, *(number(_DASH) for _ in range(6)))
    held = _DASH if steady is None else units.group_digits(getattr(steady, sizing))
    terms = length_terms(trial, sizing, request, ledger.pool)
    return (
        name,
        number(units.group_digits(request.tokens), why=Why(None, term=terms.tokens)),
        number(units.group_digits(request.blocks), why=Why(None, term=terms.blocks)),
        number(units.group_digits(request.tail_tokens), why=Why(None, term=terms.tail)),
        number(units.show_share(_empty_share(request)), why=Why(None, term=terms.tail_share)),
        _bytes_cell(request, ledger.pool, terms.size),
        number(held, why=figure_why(None, f"steady_{sizing}")),
    )


def _empty_share(request: Request) -> Fraction:
    return Fraction(request.tail_tokens, request.tokens + request.tail_tokens)


def _bytes_cell(request: Request, pool: Pool | None, term: Term | None) -> Cell:
    if pool is None:
        return number(_DASH)
    size = request.blocks * pool.bytes_per_block
    return number(units.show_bytes(size), f"{units.group_digits(size)} B", Why(None, term=term))


def _pool_text(ledger: Ledger) -> str:
    pool = ledger.pool
    if pool is None:
        return translate("Views", "No pool: the KV cache of this model is not planned here.")
    parts = [
        translate("Views", "Pool per GPU {size}").format(size=units.show_bytes(pool.bytes)),
        words.fill(
            translate("Views", "{blocks} blocks of {tokens} tokens"),
            {"blocks": pool.blocks, "tokens": pool.block_tokens},
        ),
        words.fill(translate("Views", "{tokens} tokens"), {"tokens": pool.tokens}),
    ]
    if pool.kv_bytes_per_token is not None:
        size = int(pool.kv_bytes_per_token)
        text = translate("Views", "KV per token {size} ({bytes} B)")
        parts.append(text.format(size=units.show_bytes(size), bytes=units.group_digits(size)))
        text = translate("Views", "1,000 tokens take {thousand}, 1k (1,024) {k}")
        parts.append(
            text.format(
                thousand=units.show_bytes(pool.bytes_of(1000)),
                k=units.show_bytes(pool.bytes_of(1024)),
            )
        )
    if pool.tokens_per_mib is not None:
        text = translate("Views", "{number} tokens per MiB")
        parts.append(text.format(number=units.show_number(pool.tokens_per_mib)))
    return " · ".join(parts)
