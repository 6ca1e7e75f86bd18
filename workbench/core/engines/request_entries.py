"""Entries of a rank that grow with the requests: prefix cache, tail of last blocks, KV."""

from __future__ import annotations

from workbench.core.engines.rule import StagePages
from workbench.core.load.demand import Demand
from workbench.core.terms import requests_drawn
from workbench.spec.ledger import Entry, EntryKind, Evidence, Formula, Source, Term
from workbench.spec.scenario import Scenario
from workbench.spec.workload import ConstantLength

_RULE = Source("block_rule")


def request_entries(
    scenario: Scenario,
    pages: StagePages,
    demand: Demand,
    requests: int,
    *,
    block: Term | None = None,
) -> tuple[Entry, ...]:
    """Entries for `requests` requests on one rank; together they are whole blocks.

    `block` is the term of the block size of an engine that has defaults of its own.
    """
    terms = _Terms(scenario, pages, demand, requests, block)
    entries = [terms.tail_entry()]
    if scenario.workload.prefix_groups:
        entries.append(terms.prefix_entry())
        entries.append(terms.kv_beside_prefix_entry())
    else:
        entries.append(terms.kv_entry())
    return tuple(entries)


class _Terms:
    """The inputs that the formulas of a rank's request entries share."""

    def __init__(
        self,
        scenario: Scenario,
        pages: StagePages,
        demand: Demand,
        requests: int,
        block: Term | None,
    ) -> None:
        self._block = block
        self._scenario = scenario
        self._pages = pages
        # One block table of equal layers: whole bytes a token.
        self._token_bytes = int(pages.bytes_per_token)
        self._demand = demand
        self._requests = requests
        self.tail_bytes = requests * demand.tail_tokens * self._token_bytes

    def tail_entry(self) -> Entry:
        formula = self._tail_formula()
        return self._entry(EntryKind.FRAGMENTATION, "block_tails", self.tail_bytes, formula)

    def _tail_formula(self) -> Formula:
        terms = (self._requests_term(), self._tail_tokens_term(), self._per_token_term())
        return Formula("{requests} × {tail_tokens} × {kv_bytes_per_token}", terms)

    def prefix_entry(self) -> Entry:
        """Shared tokens × distinct prefixes, in whole blocks, counted once."""
        blocks = self._demand.prefix_blocks
        size = blocks * self._pages.bytes_per_block
        terms = (self._prefix_blocks_term(blocks), self._block_bytes_term())
        formula = Formula("{prefix_blocks} × {bytes_per_block}", terms)
        return self._entry(EntryKind.PREFIX, "prefix", size, formula)

    def kv_entry(self) -> Entry:
        size = self._requests * self._demand.tokens * self._token_bytes
        terms = (self._requests_term(), self._context_term(), self._per_token_term())
        formula = Formula("{requests} × {context_tokens} × {kv_bytes_per_token}", terms)
        return self._entry(EntryKind.KV, "kv", size, formula)

    def kv_beside_prefix_entry(self) -> Entry:
        """Own blocks of the requests, less the empty slots of their last blocks."""
        own_blocks = self._demand.own_blocks_of(self._requests)
        size = own_blocks * self._pages.bytes_per_block - self.tail_bytes
        own = Term(
            "own_blocks",
            own_blocks,
            "blocks",
            Evidence.COMPUTED,
            _RULE,
            "workload.prefix_tokens",
            self._own_blocks_formula(),
        )
        tail = Term(
            "tail_bytes",
            self.tail_bytes,
            "bytes",
            Evidence.COMPUTED,
            _RULE,
            None,
            self._tail_formula(),
        )
        formula = Formula(
            "{own_blocks} × {bytes_per_block} - {tail_bytes}",
            (own, self._block_bytes_term(), tail),
        )
        return self._entry(EntryKind.KV, "kv", size, formula)

    def _entry(self, kind: EntryKind, label: str, size: int, formula: Formula) -> Entry:
        return Entry(kind, label, size, Evidence.COMPUTED, formula, _RULE)

    def _requests_term(self) -> Term:
        return requests_drawn(self._scenario, self._requests)

    def _given(self, symbol: str, value: int, field: str) -> Term:
        return Term(symbol, value, "count", Evidence.GIVEN, Source("typed"), field)

    def _context_term(self) -> Term:
        lengths = self._scenario.workload.lengths
        if isinstance(lengths, ConstantLength):
            return Term(
                "context_tokens",
                self._demand.tokens,
                "tokens",
                Evidence.GIVEN,
                Source("typed"),
                "workload.context",
            )
        source = Source("lengths", self._scenario.workload.sizing)
        evidence = Evidence.MEASURED if lengths.kind == "trace" else Evidence.COMPUTED
        return Term("context_tokens", self._demand.tokens, "tokens", evidence, source)

    def _block_tokens_term(self) -> Term:
        if self._block is not None:
            return self._block
        return Term(
            "block_tokens",
            self._pages.block_tokens,
            "tokens",
            Evidence.GIVEN,
            Source("engine_default" if self._pages.block_tokens == 16 else "typed", "plain"),
            "engine.block_tokens",
        )

    def _tail_tokens_term(self) -> Term:
        terms = (self._blocks_term(), self._block_tokens_term(), self._context_term())
        formula = Formula("{blocks} × {block_tokens} - {context_tokens}", terms)
        return Term(
            "tail_tokens",
            self._demand.tail_tokens,
            "tokens",
            Evidence.COMPUTED,
            _RULE,
            None,
            formula,
        )

    def _blocks_term(self) -> Term:
        formula = Formula(
            "⌈{context_tokens} ÷ {block_tokens}⌉", (self._context_term(), self._block_tokens_term())
        )
        return Term(
            "blocks", self._demand.blocks, "blocks", Evidence.COMPUTED, _RULE, None, formula
        )

    def _per_token_term(self) -> Term:
        return Term(
            "kv_bytes_per_token",
            self._pages.bytes_per_token,
            "bytes",
            Evidence.COMPUTED,
            Source("founding_note", "002") if self._block is None else _RULE,
            None,
            self._pages.token_formula,
        )

    def _block_bytes_term(self) -> Term:
        formula = Formula(
            "{block_tokens} × {kv_bytes_per_token}",
            (self._block_tokens_term(), self._per_token_term()),
        )
        return Term(
            "bytes_per_block",
            self._pages.bytes_per_block,
            "bytes",
            Evidence.COMPUTED,
            _RULE,
            None,
            formula,
        )

    def _prefix_blocks_term(self, blocks: int) -> Term:
        terms: list[Term] = []
        parts: list[str] = []
        groups = self._scenario.workload.prefix_groups
        for number, group in enumerate(groups, start=1):
            suffix = "" if len(groups) == 1 else f"_{number}"
            parts.append(f"{{distinct{suffix}}} × ⌊{{shared_tokens{suffix}}} ÷ {{block_tokens}}⌋")
            terms.append(
                self._given(
                    f"distinct{suffix}", group.distinct_prefixes, "workload.prefix_distinct"
                )
            )
            terms.append(self._shared_tokens_term(suffix, group.shared_tokens))
        terms.append(self._block_tokens_term())
        formula = Formula(" + ".join(parts), tuple(terms))
        return Term(
            "prefix_blocks",
            blocks,
            "blocks",
            Evidence.COMPUTED,
            _RULE,
            "workload.prefix_tokens",
            formula,
        )

    def _own_blocks_formula(self) -> Formula:
        shared = Term(
            "shared_blocks",
            self._demand.shared_blocks,
            "blocks",
            Evidence.COMPUTED,
            _RULE,
            "workload.prefix_share",
            self._shared_blocks_formula(),
        )
        return Formula(
            "⌈{requests} × ({blocks} - {shared_blocks})⌉",
            (self._requests_term(), self._blocks_term(), shared),
        )

    def _shared_blocks_formula(self) -> Formula:
        """Mean over all requests; at most all blocks but the last."""
        groups = self._scenario.workload.prefix_groups
        parts: list[str] = []
        terms: list[Term] = [self._context_term(), self._block_tokens_term(), self._blocks_term()]
        for number, group in enumerate(groups, start=1):
            suffix = "" if len(groups) == 1 else f"_{number}"
            parts.append(
                f"{{request_share{suffix}}} × ⌊min({{shared_tokens{suffix}}}, "
                "{context_tokens} - 1) ÷ {block_tokens}⌋"
            )
            terms.append(
                Term(
                    f"request_share{suffix}",
                    group.request_share,
                    "share",
                    Evidence.GIVEN,
                    Source("typed"),
                    "workload.prefix_share",
                )
            )
            terms.append(self._shared_tokens_term(suffix, group.shared_tokens))
        return Formula(f"min({' + '.join(parts)}, {{blocks}} - 1)", tuple(terms))

    def _shared_tokens_term(self, suffix: str, tokens: int) -> Term:
        return Term(
            f"shared_tokens{suffix}",
            tokens,
            "tokens",
            Evidence.GIVEN,
            Source("typed"),
            "workload.prefix_tokens",
        )
