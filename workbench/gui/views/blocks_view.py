"""Tab "Blocks": block sizes, allocation policies, the longest request, the KV format's saving."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QVBoxLayout

from workbench.core.budget import ledger_of
from workbench.core.explain.rows import (
    block_size_terms,
    format_terms,
    longest_terms,
    policy_terms,
)
from workbench.core.memory.allocation import AllocationRow, allocation_table
from workbench.core.sweep import (
    BlockSizeRow,
    KvFormatRow,
    MaxModelLenCost,
    block_size,
    block_size_sweep,
    kv_format_saving,
    max_model_len_cost,
)
from workbench.gui.labels import muted, visible
from workbench.gui.tr import translate
from workbench.gui.tr import words as words_tr
from workbench.gui.views.page import Block, Page
from workbench.gui.views.table import Cell, number, word
from workbench.gui.views.view import View
from workbench.gui.why import Why, field_why, set_why
from workbench.spec import units, words
from workbench.spec.ledger import Ledger, Term
from workbench.spec.scenario import Scenario

_POLICY_LENGTHS = 4


class BlocksView(View):
    """What the block size and the ways to allocate cost under the workload in use."""

    def _build(self) -> None:
        self.page = Page(self)
        body = self.page.body
        self.sizes = Block("", ("",) * 6, body)
        self.policies = Block("", ("",) * 6, body)
        self.longest = Block("", ("",) * 4, body)
        self.formats = Block("", ("",) * 5, body)
        self.fixed = muted("", body)
        for block in (self.fixed, self.sizes, self.policies, self.longest, self.formats):
            self.page.add(block)
        self.page.finish()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.page)

    def _say(self) -> None:
        self.sizes.say(translate("Views", "Block size"), _size_headings())
        self.policies.say(translate("Views", "Contiguous or paged"), _policy_headings())
        self.longest.say(
            translate("Views", "What the longest allowed request costs"), _longest_headings()
        )
        self.formats.say(translate("Views", "What the KV format saves"), _format_headings())

    def _show(self) -> None:
        scenario = self.session.shown(str(self.session.current_id))
        ledger = ledger_of(scenario)
        self._show_sizes(scenario, ledger)
        self._show_policies(scenario, ledger)
        self._show_longest(scenario, ledger, max_model_len_cost(scenario, ledger))
        self._show_formats(scenario, ledger)

    def _show_sizes(self, scenario: Scenario, ledger: Ledger) -> None:
        now = block_size(ledger)
        sweep = block_size_sweep(scenario, ledger_of)
        fixed = _fixed_by_engine(scenario, sweep, now)
        self.fixed.setVisible(fixed)
        if fixed:
            held = translate(
                "Views",
                "One block holds {tokens} tokens, whatever size is asked for: the engine "
                "makes it as large as the page of its other layers.",
            )
            self.fixed.set_text(words.fill(held, {"tokens": now}))
            set_why(self.fixed, field_why(None, "engine.block_tokens"))
            self.sizes.show_rows(())
            return
        rows = [_size_row(row, now, block_size_terms(scenario, ledger, row)) for row in sweep]
        text = translate(
            "Views",
            "Small blocks make long block tables, large ones leave more of the last block empty. "
            "What is empty is the mean of a request, the block table that of one GPU.",
        )
        self.sizes.show_rows(rows, text)

    def _show_policies(self, scenario: Scenario, ledger: Ledger) -> None:
        table = allocation_table(scenario, ledger, _policy_lengths(ledger))
        pool = ledger.pool
        rows = [
            _policy_row(row, table[-1], policy_terms(row, table[-1], pool))
            for row in table
            if pool is not None
        ]
        text = translate(
            "Views",
            "The ratio counts sequences that the same memory holds. Throughput is not the same "
            "thing: it also depends on batching, bandwidth and scheduling.",
        )
        self.policies.show_rows(rows, text)

    def _show_longest(
        self, scenario: Scenario, ledger: Ledger, cost: MaxModelLenCost | None
    ) -> None:
        if cost is None:
            self.longest.show_rows(())
            return
        text = translate(
            "Views",
            "Of the budget the engine charges {size} for it; what is reserved beyond the P99 "
            "request holds nobody.",
        ).format(size=units.show_bytes(cost.charged_bytes))
        terms = longest_terms(scenario, ledger, cost)
        why = field_why(None, "engine.max_model_len")
        self.longest.show_rows(_longest_rows(cost, terms), text, why)

    def _show_formats(self, scenario: Scenario, ledger: Ledger) -> None:
        if not scenario.precision.kv.is_quantised:
            self.formats.show_rows(())
            return
        saving = kv_format_saving(scenario, block_tokens=block_size(ledger))
        rows = [_format_row(row) for row in saving]
        text = translate(
            "Views", "{format}: whole blocks and scales are counted; speed is not modelled."
        ).format(format=visible(words.preset_name(scenario.precision.kv.name, words_tr)))
        self.formats.show_rows(rows, text)


def _policy_lengths(ledger: Ledger) -> tuple[int, ...]:
    """The next powers of two above the request, and the engine's own limit."""
    if ledger.request is None:
        return ()
    first = 1 << (ledger.request.tokens - 1).bit_length()
    lengths = {first << step for step in range(_POLICY_LENGTHS)}
    if ledger.capacity.engine_log is not None:
        limit = ledger.capacity.engine_log.tokens_per_request
        lengths = {length for length in lengths if length <= limit} | {limit}
    return tuple(sorted(lengths, reverse=True))


def _fixed_by_engine(scenario: Scenario, sweep: Sequence[BlockSizeRow], now: int) -> bool:
    """Whether asking for another block size changes nothing at all."""
    if scenario.engine.kind == "plain" or not sweep:
        return False
    tables = {row.block_table_bytes for row in sweep}
    return len(tables) == 1 and all(row.block_tokens != now for row in sweep)


def _size_headings() -> tuple[str, ...]:
    return (
        translate("Views", "Block size"),
        translate("Views", "Empty slots"),
        translate("Views", "Empty bytes"),
        translate("Views", "Empty share"),
        translate("Views", "Block table"),
        translate("Views", "Requests held"),
    )


def _policy_headings() -> tuple[str, ...]:
    return (
        translate("Views", "Policy"),
        translate("Views", "Reserved"),
        translate("Views", "Used"),
        translate("Views", "Empty"),
        translate("Views", "Sequences held"),
        translate("Views", "Paged holds"),
    )


def _longest_headings() -> tuple[str, ...]:
    return (
        translate("Views", "Longest request"),
        translate("Views", "Tokens"),
        translate("Views", "Block table per GPU"),
        translate("Views", "Sequences if reserved at once"),
    )


def _format_headings() -> tuple[str, ...]:
    return (
        translate("Views", "Tokens of a request"),
        translate("Views", "16 bits"),
        translate("Views", "In the format"),
        translate("Views", "Of it scales"),
        translate("Views", "Saving"),
    )


def _whys(terms: Sequence[Term]) -> list[Why]:
    return [Why(None, term=term) for term in terms]


def _size_row(row: BlockSizeRow, now: int, terms: Sequence[Term]) -> tuple[Cell, ...]:
    name = units.group_digits(row.block_tokens)
    if row.block_tokens == now:
        name = translate("Views", "{size}, in use").format(size=name)
    size, tail, tail_bytes, share, table, held = _whys(terms)
    return (
        word(name, why=size),
        number(units.show_number(row.mean_tail_tokens), why=tail),
        number(units.show_bytes(round(row.mean_tail_bytes)), why=tail_bytes),
        number(units.show_share(row.tail_share), why=share),
        number(units.show_bytes(row.block_table_bytes), why=table),
        number(units.group_digits(row.concurrency), why=held),
    )


def _policy_row(
    row: AllocationRow, paged: AllocationRow, terms: Sequence[Term]
) -> tuple[Cell, ...]:
    tokens = units.format_tokens(row.reserved_tokens)
    if row.policy == "paged":
        name = translate("Views", "paged, whole blocks")
        ratio = ""
    else:
        name = translate("Views", "contiguous, {tokens}").format(tokens=tokens)
        times = units.show_number(paged.times_as_many(row))
        ratio = translate("Views", "×{times} as many").format(times=times)
    length, reserved, used, waste, held, times_as_many = _whys(terms)
    return (
        word(name, why=length),
        number(units.show_bytes(row.reserved_bytes), why=reserved),
        number(units.show_bytes(row.used_bytes), why=used),
        number(units.show_share(row.waste_share), why=waste),
        number(units.group_digits(row.sequences), why=held),
        number(ratio, why=times_as_many),
    )


def _longest_rows(
    cost: MaxModelLenCost, terms: tuple[tuple[Term, ...], tuple[Term, ...]]
) -> list[tuple[Cell, ...]]:
    allowed, p99 = (_whys(row) for row in terms)
    return [
        (
            word(translate("Views", "as the engine allows")),
            number(units.group_digits(cost.max_model_len), why=allowed[0]),
            number(units.show_bytes(cost.block_table_bytes), why=allowed[1]),
            number(units.group_digits(cost.contiguous_sequences), why=allowed[2]),
        ),
        (
            word(translate("Views", "P99 of the workload"), why=p99[0]),
            number(units.group_digits(cost.p99_tokens), why=p99[0]),
            number(units.show_bytes(cost.block_table_bytes_at_p99), why=p99[1]),
            number(units.group_digits(cost.contiguous_sequences_at_p99), why=p99[2]),
        ),
    ]


def _format_row(row: KvFormatRow) -> tuple[Cell, ...]:
    tokens, sixteen, stored, scales, saving = _whys(format_terms(row))
    return (
        word(units.group_digits(row.tokens), why=tokens),
        number(units.show_bytes(row.bytes_at_16_bits), why=sixteen),
        number(units.show_bytes(row.bytes_in_format), why=stored),
        number(units.show_bytes(row.scale_bytes), why=scales),
        number(units.show_share(row.saving_share), why=saving),
    )
