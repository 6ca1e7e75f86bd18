"""Compute buffers: the largest graph of one micro batch, on a card or on the host.

bytes = 4 × micro batch × max(logits, attention, feed-forward), each in elements of 4 bytes for a
token. Source: llama.cpp `src/llama-context.cpp:sched_reserve`, `ggml/src/ggml-backend.cpp`; the
closed form was checked on public start-up logs (llama-cpp.md §6): without flash attention,
dense and whole on one card it is exact there, all else is fitted to a few logs or assumed.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from workbench.core.engines.llamacpp.terms import computed, given, ruled
from workbench.spec.ledger import Evidence, Formula, Source, Term

_ELEMENT_BYTES: Final = 4
_PIPELINE_COPIES: Final = 4
_LATENT_BYTES: Final = Fraction(3_411_542_016, 32_768 * 512)
"""Bytes a cell and token of a latent model with flash attention: one log of 3253.50 MiB at
32,768 cells and a micro batch of 512 (issue 14201)."""
_SOURCE: Final = Source("llamacpp_compute")
_ONE_LOG: Final = Source("llamacpp_compute_one_log")


@dataclass(frozen=True, slots=True)
class Graph:
    """What the largest graph of a device holds."""

    tokens: int
    """Of a micro batch."""
    hidden: int
    vocab: int
    heads: int
    """Query heads of the widest attention layer on the device."""
    cells: int
    """That one token attends to, in the widest layer."""
    mask_cells: int
    """Cells of all masks: one for the context, one for the windows."""
    feed_forward: int
    """Widest intermediate of a layer, in elements for a token."""
    flash: bool
    has_output: bool
    logit_rows: int
    """Rows of logits."""
    copied_cache_bytes: int = 0
    """Keys and values of a layer whose cache stays on the host."""
    copied_weight_bytes: int = 0
    """The largest matrix on the host that a card multiplies by (op offload)."""
    copied_output_bytes: int = 0
    """The output matrix where it stays on the host and the card multiplies by it."""
    latent_row: int = 0
    """Elements of an absorbed query of a latent layer and of its result, for a head."""
    latent_was_seen: bool = False
    """A latent layer in a build whose buffer one log shows."""
    has_experts: bool = False
    has_state: bool = False
    copies: bool = False
    """Inputs are kept four times, so that several cards work at once (pipeline parallel)."""

    @property
    def is_exact(self) -> bool:
        """Whether the closed form is known to hold to the byte."""
        odd = self.latent_row or self.has_experts or self.has_state or self.copies or self.flash
        return not odd and not (self.copied_cache_bytes or self.copied_weight_bytes)


@dataclass(frozen=True, slots=True)
class Buffer:
    """A compute buffer with its band."""

    bytes: int
    low_bytes: int | None
    high_bytes: int | None
    evidence: Evidence
    formula: Formula
    source: Source


def card_buffer(graph: Graph) -> Buffer:
    """The compute buffer of a card, or of the host where it computes alone."""
    parts = [
        part
        for part in (_logits(graph), _attention(graph), _feed_forward(graph))
        if part is not None
    ]
    latent = _latent(graph)
    if latent is not None:
        parts.append(latent)
    terms: tuple[Term, ...] = tuple(parts)
    expression = f"max({', '.join(f'{{{term.symbol}}}' for term in terms)})"
    size = max(int(str(term.value)) for term in terms)
    if graph.copies:
        extra = _inputs(graph)
        size += int(str(extra.value))
        terms, expression = (*terms, extra), f"{expression} + {{{extra.symbol}}}"
    low, high, evidence = _band(graph, size, latent)
    source = _SOURCE if latent is None else _ONE_LOG
    return Buffer(size, low, high, evidence, Formula(expression, terms), source)


def host_buffer(tokens: int, hidden: int, mask_cells: int, *, copies: bool) -> Buffer:
    """Pinned memory on the host beside the cards: the masks and the embeddings of a batch."""
    times = _PIPELINE_COPIES if copies else 1
    size = _ELEMENT_BYTES * tokens * (times * mask_cells + hidden)
    formula = Formula(
        "4 × {micro_batch} × ({input_copies} × {mask_cells} + {hidden_size})",
        (
            _tokens(tokens),
            ruled("input_copies", times),
            ruled("mask_cells", mask_cells, "tokens"),
            _hidden(hidden),
        ),
    )
    return Buffer(size, None, None, Evidence.COMPUTED, formula, _SOURCE)


def _logits(graph: Graph) -> Term | None:
    """Logits of the rows that are asked for, and the hidden state they come from."""
    if not graph.has_output:
        return None
    size = _ELEMENT_BYTES * (graph.vocab * graph.logit_rows + graph.hidden * graph.tokens)
    expression = "4 × ({vocab_size} × {logit_rows} + {hidden_size} × {micro_batch})"
    terms = [
        given("vocab_size", graph.vocab, "model.layers", "count"),
        ruled("logit_rows", graph.logit_rows),
        _hidden(graph.hidden),
        _tokens(graph.tokens),
    ]
    if graph.copied_output_bytes:
        size += graph.copied_output_bytes
        expression += " + {copied_output_bytes}"
        terms.append(ruled("copied_output_bytes", graph.copied_output_bytes, "bytes"))
    return computed("logits_peak", size, expression, *terms)


def _attention(graph: Graph) -> Term:
    """Scores of every head against every cell; with flash attention only the masks."""
    if graph.flash:
        size = _ELEMENT_BYTES * graph.tokens * 3 * graph.hidden + 6 * (
            graph.tokens * graph.mask_cells
        )
        expression = "4 × {micro_batch} × 3 × {hidden_size} + 6 × {micro_batch} × {mask_cells}"
    else:
        scores = graph.cells * graph.heads + graph.mask_cells
        size = _ELEMENT_BYTES * graph.tokens * (scores + 4 * graph.hidden)
        expression = (
            "4 × {micro_batch} × ({cells} × {query_heads} + {mask_cells} + 4 × {hidden_size})"
        )
    terms = [_tokens(graph.tokens), ruled("mask_cells", graph.mask_cells, "tokens")]
    if not graph.flash:
        terms += [
            ruled("cells", graph.cells, "tokens"),
            given("query_heads", graph.heads, "model.layers", "count"),
        ]
    terms.append(_hidden(graph.hidden))
    if graph.latent_row:
        size += _ELEMENT_BYTES * graph.tokens * graph.heads * graph.latent_row
        expression += " + 4 × {micro_batch} × {latent_heads} × {latent_row}"
        terms.append(given("latent_heads", graph.heads, "model.layers", "count"))
        terms.append(given("latent_row", graph.latent_row, "model.layers", "count"))
    if graph.copied_cache_bytes:
        # A layer's keys and values come over; one input of the layer before is let go.
        size += graph.copied_cache_bytes
        expression += " + {copied_cache_bytes}"
        terms.append(ruled("copied_cache_bytes", graph.copied_cache_bytes, "bytes"))
        if not graph.flash:
            size -= _ELEMENT_BYTES * graph.tokens * graph.hidden
            expression += " - 4 × {micro_batch} × {hidden_size}"
    return computed("attention_peak", size, expression, *terms)


def _feed_forward(graph: Graph) -> Term | None:
    """Both intermediates of the widest feed-forward layer, beside its input."""
    if not graph.feed_forward and not graph.copied_weight_bytes:
        return None
    size = _ELEMENT_BYTES * graph.tokens * (graph.feed_forward + 2 * graph.hidden)
    expression = "4 × {micro_batch} × ({feed_forward_elements} + 2 × {hidden_size})"
    terms = [
        _tokens(graph.tokens),
        ruled("feed_forward_elements", graph.feed_forward),
        _hidden(graph.hidden),
    ]
    if graph.flash:
        size += 2 * graph.tokens * graph.mask_cells
        expression += " + 2 × {micro_batch} × {mask_cells}"
        terms.append(ruled("mask_cells", graph.mask_cells, "tokens"))
    if graph.copied_weight_bytes:
        size += graph.copied_weight_bytes
        expression += " + {copied_weight_bytes}"
        terms.append(ruled("copied_weight_bytes", graph.copied_weight_bytes, "bytes"))
    return computed("feed_forward_peak", size, expression, *terms)


def _latent(graph: Graph) -> Term | None:
    """What a latent model takes with flash attention: seen once, scaled by cells and tokens."""
    if not (graph.latent_was_seen and graph.flash):
        return None
    size = graph.cells * graph.tokens * _LATENT_BYTES.numerator // _LATENT_BYTES.denominator
    terms = (
        ruled("cells", graph.cells, "tokens"),
        _tokens(graph.tokens),
        Term("latent_numerator", _LATENT_BYTES.numerator, "count", Evidence.ASSUMED, _ONE_LOG),
        Term("latent_denominator", _LATENT_BYTES.denominator, "count", Evidence.ASSUMED, _ONE_LOG),
    )
    expression = "⌊{cells} × {micro_batch} × {latent_numerator} ÷ {latent_denominator}⌋"
    return computed("latent_peak", size, expression, *terms)


def _inputs(graph: Graph) -> Term:
    """Three more copies of the masks and four of the embeddings."""
    copies = _PIPELINE_COPIES
    masks = (copies - 1) * graph.mask_cells
    size = _ELEMENT_BYTES * graph.tokens * (masks + copies * graph.hidden)
    return computed(
        "input_copies_bytes",
        size,
        "4 × {micro_batch} × (3 × {mask_cells} + 4 × {hidden_size})",
        _tokens(graph.tokens),
        ruled("mask_cells", graph.mask_cells, "tokens"),
        _hidden(graph.hidden),
    )


def _band(graph: Graph, size: int, latent: Term | None) -> tuple[int | None, int | None, Evidence]:
    """How sure a figure is: 90 % of the logs of its kind lie within the band."""
    if graph.is_exact:
        return None, None, Evidence.COMPUTED
    if latent is not None:
        low = max(size - int(str(latent.value)), size // 4)
        return low, size + size // 4, Evidence.ASSUMED
    if graph.latent_row:
        return size // 2, 2 * size, Evidence.ASSUMED
    if graph.has_experts or graph.has_state:
        return size * 9 // 10, size * 5 // 4, Evidence.ASSUMED
    return size * 19 // 20, size * 11 // 10, Evidence.FITTED


def _tokens(tokens: int) -> Term:
    return given("micro_batch", tokens, "engine.ubatch_size", "tokens")


def _hidden(hidden: int) -> Term:
    return given("hidden_size", hidden, "model.layers", "count")
