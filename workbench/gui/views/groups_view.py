"""Tab "Groups": how layers share block tables, what a block is, how many there are."""

from __future__ import annotations

from PySide6.QtWidgets import QVBoxLayout

from workbench.core.explain.rows import group_terms, stage_terms
from workbench.core.pool_table import GroupRow, PoolTable, StageTable, pool_table
from workbench.gui.labels import muted
from workbench.gui.panels.explain import spans
from workbench.gui.tr import listed, sentences, translate
from workbench.gui.views.page import Block, Page
from workbench.gui.views.table import Cell, number, word
from workbench.gui.views.view import View
from workbench.gui.why import Why, field_why, figure_why, set_why
from workbench.spec import units, words
from workbench.spec.ledger import Ledger


class GroupsView(View):
    """Groups, pages and blocks of the current scenario's pool."""

    def _build(self) -> None:
        self.page = Page(self)
        body = self.page.body
        self.sentence = muted("", body)
        self.groups = Block("", ("",) * 9, body, stretch=1)
        self.stages = Block("", ("",) * 5, body, stretch=4)
        for widget in (self.sentence, self.groups, self.stages):
            self.page.add(widget)
        self.page.finish()
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self.page)

    def _say(self) -> None:
        self.groups.say(translate("Views", "Groups of layers"), _group_headings())
        self.stages.say(translate("Views", "Blocks of the pool"), _stage_headings())

    def _show(self) -> None:
        current = str(self.session.current_id)
        ledger = self.session.ledger(current)
        table = pool_table(self.session.shown(current), ledger)
        if table is None:
            self.sentence.set_text(
                translate("Views", "No pool: the KV cache of this scenario is not planned.")
            )
            self.groups.show_rows(())
            self.stages.show_rows(())
            return
        self.sentence.set_text(block_sentence(table))
        set_why(self.sentence, figure_why(None, "bytes_per_block"))
        rows = [
            _group_row(stages, row, first.bytes_per_block)
            for stages, first in _alike(table)
            for row in first.groups
        ]
        for block in (self.groups, self.stages):
            block.table.setColumnHidden(0, len(table.stages) == 1)
        self.groups.show_rows(rows, _request_text(ledger), figure_why(None, "steady"))
        fewest = min((stage.blocks for stage in table.stages if stage.bytes_per_block), default=0)
        self.stages.show_rows(
            [_stage_row(stage, fewest) for stage in table.stages],
            _pool_text(table),
            figure_why(None, "pool_tokens"),
        )


def kind_text(kind: str) -> str:
    """Name a kind of layer."""
    names = {
        "full": translate("Views", "full attention"),
        "latent": translate("Views", "latent attention"),
        "index": translate("Views", "indexer keys"),
        "sliding": translate("Views", "sliding window"),
        "chunked": translate("Views", "chunked attention"),
        "cross": translate("Views", "cross attention"),
        "state": translate("Views", "recurrent state"),
    }
    return names.get(kind, kind)


def block_sentence(table: PoolTable) -> str:
    """Say what a block is in this pool."""
    first = table.first
    size = units.show_bytes(max(stage.bytes_per_block for stage in table.stages))
    if table.group_count == 1:
        row = first.groups[0]
        text = translate(
            "Views",
            "One block is {size}: {tokens} tokens in each of {layers} layers on a GPU.",
        )
        counts = {"tokens": row.block_tokens, "layers": row.layers}
        return words.fill(text, {"size": size, **counts})
    kinds = listed(kind_text(kind) for kind in table.kinds)
    text = translate(
        "Views",
        "One block is {size}: one page for each layer of one group, not of the whole model. "
        "{groups} groups ({kinds}) take their blocks from one pool, so each block is as large "
        "as the largest group's.",
    ).format(size=size, groups=table.group_count, kinds=kinds)
    remarks = {
        "sliding": translate("Views", "A sliding group keeps the blocks of its window only."),
        "chunked": translate("Views", "A chunked group keeps the blocks of its chunk only."),
        "state": translate("Views", "A recurrent group keeps its state, however long a request."),
    }
    return sentences(text, *(remarks[kind] for kind in table.kinds if kind in remarks))


def _alike(table: PoolTable) -> list[tuple[str, StageTable]]:
    """Stages whose groups are the same, as one."""
    found: list[tuple[list[int], StageTable]] = []
    for stage in table.stages:
        known = next((at for at in found if at[1].groups == stage.groups), None)
        if known is None:
            found.append(([stage.stage], stage))
        else:
            known[0].append(stage.stage)
    return [(spans(numbers), stage) for numbers, stage in found]


def _group_headings() -> tuple[str, ...]:
    return (
        translate("Views", "Stage"),
        translate("Views", "Kind"),
        translate("Views", "Groups"),
        translate("Views", "Layers"),
        translate("Views", "Tokens"),
        translate("Views", "Page"),
        translate("Views", "Blocks"),
        translate("Views", "Per request"),
        translate("Views", "Filled"),
    )


def _group_row(stages: str, row: GroupRow, bytes_per_block: int) -> tuple[Cell, ...]:
    groups, layers, block, page, blocks, size, filled = (
        Why(None, term=term) for term in group_terms(row, bytes_per_block)
    )
    exact = units.group_digits
    return (
        word(stages, why=layers),
        word(kind_text(row.kind)),
        number(exact(row.groups), why=groups),
        number(exact(row.layers), why=layers),
        number(units.format_tokens(row.block_tokens), exact(row.block_tokens), block),
        number(units.show_bytes(row.page_bytes), f"{exact(row.page_bytes)} B", page),
        number(exact(row.blocks_per_request), why=blocks),
        number(units.show_bytes(row.request_bytes), f"{exact(row.request_bytes)} B", size),
        number(units.show_share(row.filled_share), why=filled),
    )


def _stage_headings() -> tuple[str, ...]:
    return (
        translate("Views", "Stage"),
        translate("Views", "Pool per GPU"),
        translate("Views", "Bytes per block"),
        translate("Views", "Blocks that fit"),
        translate("Views", "Decides"),
    )


def _stage_row(stage: StageTable, fewest: int) -> tuple[Cell, ...]:
    decides = bool(stage.bytes_per_block) and stage.blocks == fewest
    pool, block, blocks = (Why(None, term=term) for term in stage_terms(stage))
    exact = units.group_digits
    return (
        word(str(stage.stage), why=field_why(None, "deployment.pp")),
        number(units.show_bytes(stage.pool_bytes), f"{exact(stage.pool_bytes)} B", pool),
        number(units.show_bytes(stage.bytes_per_block), f"{exact(stage.bytes_per_block)} B", block),
        number(exact(stage.blocks), why=blocks),
        word("✔" if decides else ""),
    )


def _request_text(ledger: Ledger) -> str:
    request = ledger.request
    if request is None:
        return ""
    text = translate(
        "Views",
        "A request of {tokens} tokens takes {blocks} blocks in all. Tokens and page are those of "
        "one block in one layer. Filled: the part of a block that the group's pages use; the rest "
        "is padding.",
    )
    tokens = units.format_tokens(request.tokens)
    return words.fill(text, {"tokens": tokens, "blocks": request.blocks})


def _pool_text(table: PoolTable) -> str:
    text = translate(
        "Views",
        "The engine plans {blocks} blocks on each GPU and withholds {withheld}: {usable} "
        "for requests.",
    ).format(
        blocks=units.group_digits(table.blocks),
        withheld=units.group_digits(table.withheld_blocks),
        usable=units.group_digits(table.usable_blocks),
    )
    if table.tokens:
        prints = translate("Views", "It prints {tokens} tokens.")
        text = sentences(text, prints.format(tokens=units.group_digits(table.tokens)))
    if table.padded_share is not None:
        padded = translate("Views", "{share} of what the requests hold is empty slots or padding.")
        text = sentences(text, padded.format(share=units.show_share(table.padded_share)))
    return text
