"""What the sheet of a scenario works out: entries, figures and inputs, and who needs whom.

Every figure of the ledger is a node once. A node's formula names other nodes; none is ever, over
others, an input of itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Final

from workbench.core.explain import figure
from workbench.export.ledger_rows import RankGroup, entry_part, rank_groups
from workbench.spec.ledger import Entry, Evidence, Formula, Ledger, Number, Source, Term
from workbench.spec.scenario import Scenario

RANK_FIGURES: Final = ("headroom", "free")
FIGURES: Final = (
    *("total", "budget", "used", "left"),
    *("pool_bytes", "bytes_per_block", "pool_blocks", "pool_tokens", "kv_bytes_per_token"),
    *("request_tokens", "requests", "most_requests", "engine_log", "at_risk", "gpus"),
    *(f"steady_{name}" for name in ("mean", "p50", "p95", "p99", "max")),
)
"""Of the rank that decides, as they are listed below its entries."""
_Key = tuple[object, ...]


@dataclass(eq=False, slots=True)
class Node:
    """One figure: its term, and the nodes that its formula names."""

    term: Term
    needs: dict[str, Node] = field(default_factory=dict)
    entry: Entry | None = None
    part: str = ""
    cell: str = ""
    """Where it stands, "$C$12"; empty until the sheet is laid out."""

    @property
    def value(self) -> Number | str:
        """The exact figure."""
        return self.term.value

    @property
    def formula(self) -> Formula | None:
        """What it is worked out with; None for an input."""
        return self.term.formula


@dataclass(slots=True)
class Block:
    """A rank or several that are alike: entries, headroom and free."""

    group: RankGroup
    entries: list[Node]
    rest: list[Node]
    """Headroom and free."""


@dataclass(slots=True)
class Model:
    """Everything that stands on the sheet."""

    scenario: Scenario
    ledger: Ledger
    blocks: list[Block]
    figures: dict[str, Node]
    """By name; several names may have one node."""
    others: list[Node]
    """What entries and figures are worked out from, inputs first."""

    @property
    def deciding(self) -> Block:
        """The block with the rank that decides."""
        worst = self.ledger.worst_rank
        return next(block for block in self.blocks if worst in block.group)


def model_of(scenario: Scenario, ledger: Ledger) -> Model:
    """Collect the figures of a scenario."""
    builder = _Builder(scenario, ledger)
    blocks = [builder.block(group) for group in rank_groups(ledger)]
    figures = builder.figures()
    placed = {id(node) for block in blocks for node in (*block.entries, *block.rest)}
    placed |= {id(node) for node in figures.values()}
    others = [node for node in builder.nodes if id(node) not in placed]
    others.sort(key=lambda node: bool(node.needs))
    return Model(scenario, ledger, blocks, figures, others)


class _Scope:
    """One group of ranks: its entries, and the formulas known for its figures."""

    def __init__(self, group: RankGroup, terms: list[Term]) -> None:
        self.group = group
        self.terms = terms
        self.entries: dict[str, Node] = {}
        self.known: dict[tuple[str, Number | str], Formula] = {}
        for entry in group[0].entries:
            self.entries[entry.label] = Node(
                Term(entry.label, entry.bytes, "bytes", entry.evidence, entry.source),
                entry=entry,
                part=entry_part(entry),
            )
            self._learn(entry.formula)
        for term in terms:
            self._learn(Formula("", (term,)))

    def _learn(self, formula: Formula) -> None:
        for term in formula.terms:
            if term.formula is not None:
                self.known.setdefault((term.symbol, term.value), term.formula)
                self._learn(term.formula)

    def entry_of(self, term: Term) -> Node | None:
        """The entry that a term speaks of: by its label, or by its label and "_bytes"."""
        for label in (term.symbol, term.symbol.removesuffix("_bytes")):
            node = self.entries.get(label)
            if node is not None and term.unit == "bytes" and node.value == term.value:
                return node
        return None


class _Builder:
    def __init__(self, scenario: Scenario, ledger: Ledger) -> None:
        self.scenario, self.ledger = scenario, ledger
        self.nodes: list[Node] = []
        self._made: dict[_Key, Node] = {}
        self._open: set[object] = set()
        """What is being worked out: to name it again would be a circle."""
        self._deciding: _Scope | None = None

    def block(self, group: RankGroup) -> Block:
        rank = group[0].rank
        decides = self.ledger.worst_rank in group
        names = (*RANK_FIGURES, *FIGURES) if decides else RANK_FIGURES
        if decides:
            rank = self.ledger.worst_rank.rank
        found = {name: figure(self.scenario, self.ledger, name, rank) for name in names}
        terms = {name: term for name, term in found.items() if term is not None}
        scope = _Scope(group, list(terms.values()))
        for node in scope.entries.values():
            self._entry(node, scope)
        first = group[0]
        sizes = {"headroom": first.headroom_bytes, "free": first.free_bytes}
        rest = [self._rest(name, sizes[name], terms.get(name), scope) for name in RANK_FIGURES]
        if decides:
            self._deciding, self._terms = scope, terms
        return Block(group, list(scope.entries.values()), rest)

    def figures(self) -> dict[str, Node]:
        """The figures of the rank that decides."""
        scope = self._deciding
        assert scope is not None, "some rank decides"
        return {
            name: self._place(term, scope)
            for name, term in self._terms.items()
            if name not in RANK_FIGURES
        }

    def _rest(self, name: str, size: int, term: Term | None, scope: _Scope) -> Node:
        if term is None or term.value != size:
            term = Term(f"{name}_bytes", size, "bytes", Evidence.COMPUTED, Source("ledger"))
        # A node of its own: it stands among the entries of its ranks.
        node = Node(term, part=name)
        self._fill(node, term.formula, scope)
        return node

    def _entry(self, node: Node, scope: _Scope) -> None:
        if node.needs or node.formula is not None or id(node) in self._open:
            return
        assert node.entry is not None
        self._fill(node, node.entry.formula, scope)

    def _fill(self, node: Node, formula: Formula | None, scope: _Scope) -> None:
        """Give a node the nodes that its formula names."""
        if formula is None:
            return
        self._open.add(id(node))
        node.needs = {term.symbol: self._place(term, scope) for term in formula.terms}
        node.term = replace(node.term, formula=formula)
        self._open.discard(id(node))

    def _place(self, term: Term, scope: _Scope) -> Node:
        """Return the node of a term: an entry, one that is there already, or a new one."""
        entry = scope.entry_of(term)
        if entry is not None and id(entry) not in self._open:
            self._entry(entry, scope)
            return entry
        formula = term.formula or scope.known.get((term.symbol, term.value))
        going = (term.symbol, term.value)
        if formula is None or going in self._open or entry is not None:
            return self._node(_with(term, None), {})
        self._open.add(going)
        needs = {each.symbol: self._place(each, scope) for each in formula.terms}
        self._open.discard(going)
        return self._node(_with(term, formula), needs)

    def _node(self, term: Term, needs: dict[str, Node]) -> Node:
        expression = "" if term.formula is None else term.formula.expression
        key: _Key = (term.symbol, term.value, term.unit, expression)
        key += (None if needs else term.field, *(id(node) for node in needs.values()))
        if key not in self._made:
            self._made[key] = Node(term, needs)
            self.nodes.append(self._made[key])
        return self._made[key]


def _with(term: Term, formula: Formula | None) -> Term:
    return term if term.formula is formula else replace(term, formula=formula)


_SHAPED: Final = ("deployment.tp", "deployment.pp", "deployment.ep", "deployment.dcp")
_BLOCKS: Final = ("blocks", "stored_tokens", "longest_blocks", "prefix_blocks", "own_blocks")


def followed_in_part(model: Model, fields: Iterable[str]) -> frozenset[str]:
    """Return those fields that figures depend on which are no plain arithmetic over others."""
    fixed = [node.term for node in all_nodes(model) if is_fixed(node)]
    found = {term.field for term in fixed if term.field is not None}
    if any(term.symbol.rstrip("_0123456789") in _BLOCKS for term in fixed):
        found.add("engine.block_tokens")
    if any(term.unit == "bytes" for term in fixed):
        # Sizes of tensors and of a token: the shape of the model on a rank.
        found |= {field for field in fields if field.startswith("model.")} | {*_SHAPED}
    return frozenset(found)


def is_fixed(node: Node) -> bool:
    """Whether a figure was worked out by the program in a way that no formula here says."""
    return not node.needs and node.entry is None and node.term.evidence is Evidence.COMPUTED


def all_nodes(model: Model) -> Iterator[Node]:
    """Every node once."""
    seen: set[int] = set()
    lines = (node for block in model.blocks for node in (*block.entries, *block.rest))
    for node in (*lines, *model.figures.values(), *model.others):
        if id(node) not in seen:
            seen.add(id(node))
            yield node
