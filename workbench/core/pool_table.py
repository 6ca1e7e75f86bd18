"""The pool as the engine lays it out: groups of layers, blocks, what is withheld and padded.

request bytes = blocks of a group × bytes of a block     every group is charged whole blocks
filled share  = pages of a group's layers / bytes of a block
padded share  = (tails of last blocks + padding) / bytes that the drawn requests hold
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from workbench.core.engines import rule_of
from workbench.core.engines.rule import StagePages
from workbench.core.load.lengths import sized_tokens
from workbench.spec.ledger import EntryKind, Group, Ledger, RankLedger
from workbench.spec.scenario import Scenario


@dataclass(frozen=True, slots=True)
class GroupRow:
    """Groups of one stage that are alike."""

    kind: str
    groups: int
    layers: int
    """Layers of each group on the stage."""
    block_tokens: int
    page_bytes: int
    blocks_per_request: int
    """Of each group."""
    request_bytes: int
    """Of all these groups: whole blocks."""
    filled_share: Fraction
    """Part of a block that the group's pages fill."""


@dataclass(frozen=True, slots=True)
class StageTable:
    """One pipeline stage: what its ranks have, and how a block is divided there."""

    stage: int
    pool_bytes: int
    bytes_per_block: int
    blocks: int
    """Blocks that would fit on this stage alone."""
    groups: tuple[GroupRow, ...]


@dataclass(frozen=True, slots=True)
class PoolTable:
    """The pool of a scenario, in blocks that are the same on every stage."""

    stages: tuple[StageTable, ...]
    blocks: int
    usable_blocks: int
    tokens: int
    """Tokens that the engine prints; 0 where it prints none."""
    padded_share: Fraction | None
    """None where nothing is held."""

    @property
    def withheld_blocks(self) -> int:
        """Blocks that no request gets."""
        return self.blocks - self.usable_blocks

    @property
    def first(self) -> StageTable:
        """The first stage that has groups."""
        return next((stage for stage in self.stages if stage.groups), self.stages[0])

    @property
    def group_count(self) -> int:
        """Groups that take their blocks from the pool."""
        return sum(row.groups for row in self.first.groups)

    @property
    def kinds(self) -> tuple[str, ...]:
        """Kinds of layer that have groups, in order, each once."""
        return tuple(dict.fromkeys(row.kind for row in self.first.groups))


def pool_table(scenario: Scenario, ledger: Ledger) -> PoolTable | None:
    """Return the pool's layout; None where the engine keeps or plans no KV cache."""
    if ledger.pool is None or ledger.request is None:
        return None
    rule, workload = rule_of(scenario.engine), scenario.workload
    stages = rule.stages(scenario)
    pages = tuple(rule.pages(scenario, stage) for stage in stages)
    ranks = [_rank_of(ledger, stage.index) for stage in stages]
    left = tuple(_pool_bytes(rank) for rank in ranks)
    plan = rule.pool(scenario, pages, left)
    if plan is None:
        return None
    demand = rule.demand(scenario, sized_tokens(workload.lengths, workload.sizing))
    blocks = demand.blocks_by_group
    apart = next((page.groups for page in pages if len(page.groups) == len(blocks)), ())
    tables = tuple(
        StageTable(
            stage.index,
            max(0, free),
            page.bytes_per_block,
            max(0, free) // page.bytes_per_block if page.bytes_per_block else 0,
            _rows(page, blocks, apart),
        )
        for stage, page, free in zip(stages, pages, left, strict=True)
    )
    return PoolTable(
        tables, plan.blocks, plan.usable_blocks, plan.tokens, _padded_share(ledger.worst_rank)
    )


def _rank_of(ledger: Ledger, stage: int) -> RankLedger:
    return next(rank for rank in ledger.ranks if rank.stage == stage)


_HELD = (EntryKind.KV, EntryKind.PREFIX, EntryKind.STATE)
_BLOCK_LABELS = ("block_tails", "withheld_block", "idle_cells")
_ALWAYS_LABELS = ("window_cells", "state_rows")
"""KV and states that are allocated at start, whatever the requests."""


def _pool_bytes(rank: RankLedger) -> int:
    """Budget less what does not grow with the requests; negative when that does not fit."""
    fixed = sum(
        entry.bytes
        for entry in rank.entries
        if entry.in_budget
        and (entry.kind not in _HELD or entry.label in _ALWAYS_LABELS)
        and entry.label not in _BLOCK_LABELS
    )
    return rank.budget_bytes - fixed


def _padded_share(rank: RankLedger) -> Fraction | None:
    padded = sum(entry.bytes for entry in rank.entries if entry.label == "block_tails")
    held = padded + sum(
        entry.bytes for entry in rank.entries if entry.kind in _HELD and entry.label != "in_flight"
    )
    return Fraction(padded, held) if held else None


def _rows(
    pages: StagePages, blocks_by_group: tuple[int, ...], apart: tuple[Group, ...]
) -> tuple[GroupRow, ...]:
    """Groups that differ in nothing are one row.

    Where stages were grouped apart, requests are given the blocks of the first one's groups.
    """
    rows: list[GroupRow] = []
    if not pages.groups:
        return ()
    groups = pages.groups if len(pages.groups) == len(blocks_by_group) else apart
    for group, blocks in zip(groups, blocks_by_group, strict=True):
        row = _row(group, blocks, pages.bytes_per_block)
        known = next((at for at, other in enumerate(rows) if _alike(other, row)), None)
        if known is None:
            rows.append(row)
            continue
        other = rows[known]
        rows[known] = replace(
            other,
            groups=other.groups + 1,
            request_bytes=other.request_bytes + row.request_bytes,
        )
    return tuple(rows)


def _row(group: Group, blocks: int, bytes_per_block: int) -> GroupRow:
    filled = group.layers * group.page_bytes
    if filled > bytes_per_block:
        # Layers with pages of their own: the group's page is all of them together.
        filled = min(group.page_bytes, bytes_per_block)
    return GroupRow(
        kind=group.kind,
        groups=1,
        layers=group.layers,
        block_tokens=group.block_tokens,
        page_bytes=group.page_bytes,
        blocks_per_request=blocks,
        request_bytes=blocks * bytes_per_block,
        filled_share=Fraction(filled, bytes_per_block) if bytes_per_block else Fraction(0),
    )


def _alike(one: GroupRow, other: GroupRow) -> bool:
    return replace(one, groups=1, request_bytes=0) == replace(other, groups=1, request_bytes=0)
