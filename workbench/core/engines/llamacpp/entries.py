"""Entries of one device: what is allocated at start, and what the requests hold of the cells."""

from __future__ import annotations

from workbench.core.engines.llamacpp.inputs import CONTEXT_HIGH_BYTES, CONTEXT_LOW_BYTES
from workbench.core.engines.llamacpp.start import Device, Start
from workbench.core.engines.llamacpp.terms import RULE, computed, given, ruled, summed
from workbench.core.engines.rule import StagePages
from workbench.core.load.demand import Demand
from workbench.core.terms import requests_drawn
from workbench.spec.ledger import Entry, EntryKind, Evidence, Formula, Source, Term
from workbench.spec.scenario import Scenario


def fixed_entries(start: Start, device: Device) -> tuple[Entry, ...]:
    """Entries that stand from the start on, whatever the requests."""
    found = (
        _weights(start, device),
        _context(start, device),
        _output(start, device),
        _buffer(device),
        _states(start, device),
        _rounding(start, device),
        _windows(device),
    )
    return tuple(entry for entry in found if entry is not None)


def _weights(start: Start, device: Device) -> Entry | None:
    if not device.weights:
        return None
    given_bytes = start.inputs.engine.weights_bytes
    if given_bytes is None:
        evidence, source = Evidence.COMPUTED, Source("model", start.inputs.model.id)
        terms = tuple(
            Term(symbol, size, "bytes", evidence, Source("gguf_mixture"), "precision.weights")
            for symbol, size in device.weights
        )
    else:
        evidence, source = Evidence.GIVEN, Source("typed")
        terms = tuple(
            Term(symbol, size, "bytes", evidence, source, "engine.weights_bytes")
            for symbol, size in device.weights
        )
    return Entry(
        EntryKind.WEIGHTS, "weights", device.weights_bytes, evidence, summed(terms), source
    )


def _context(start: Start, device: Device) -> Entry | None:
    """Driver context and libraries: on the card, not in the engine's own count."""
    if device.place == "host":
        return None
    size, typed = start.inputs.context_bytes, start.inputs.engine.context_bytes is not None
    if not size:
        return None
    evidence = Evidence.GIVEN if typed else Evidence.ASSUMED
    source = Source("typed") if typed else Source("rule_of_thumb", "300 to 600 MiB")
    term = Term("context_bytes", size, "bytes", evidence, source, "engine.context_bytes")
    return Entry(
        EntryKind.RUNTIME,
        "device_context",
        size,
        evidence,
        Formula("{context_bytes}", (term,)),
        source,
        None if typed else CONTEXT_LOW_BYTES,
        None if typed else CONTEXT_HIGH_BYTES,
    )


def _output(start: Start, device: Device) -> Entry | None:
    if not device.output_bytes:
        return None
    slots = start.inputs.flags.slots
    formula = Formula(
        "4 × {vocab_size} × {slots}",
        (
            given("vocab_size", device.output_bytes // (4 * slots), "model.layers", "count"),
            ruled("slots", slots, "count", "engine.parallel"),
        ),
    )
    size = device.output_bytes
    return Entry(EntryKind.RUNTIME, "output_buffer", size, Evidence.COMPUTED, formula, RULE)


def _buffer(device: Device) -> Entry | None:
    buffer = device.buffer
    if buffer is None or not buffer.bytes:
        return None
    return Entry(
        EntryKind.ACTIVATIONS,
        "compute_buffer",
        buffer.bytes,
        buffer.evidence,
        buffer.formula,
        buffer.source,
        buffer.low_bytes,
        buffer.high_bytes,
    )


def _states(start: Start, device: Device) -> Entry | None:
    """One row of every recurrent layer for each sequence, whether it runs or not."""
    if not device.state_bytes:
        return None
    slots = start.inputs.flags.slots
    formula = Formula(
        "{slots} × {sequence_state_bytes}",
        (
            ruled("slots", slots, "count", "engine.parallel"),
            ruled("sequence_state_bytes", device.state_bytes, "bytes"),
        ),
    )
    size = slots * device.state_bytes
    return Entry(EntryKind.STATE, "state_rows", size, Evidence.COMPUTED, formula, RULE)


def _rounding(start: Start, device: Device) -> Entry | None:
    """Cells that rounding adds and that no slot may use."""
    beyond = start.context.cells - pool_tokens(start)
    if not device.token_bytes or beyond <= 0:
        return None
    formula = Formula(
        "({cells} - {pool_tokens}) × {cell_bytes}",
        (
            ruled("cells", start.context.cells, "tokens", "engine.ctx_size"),
            ruled("pool_tokens", pool_tokens(start), "tokens", "engine.ctx_size"),
            ruled("cell_bytes", device.token_bytes, "bytes"),
        ),
    )
    size = beyond * device.token_bytes
    return Entry(EntryKind.FRAGMENTATION, "cell_rounding", size, Evidence.COMPUTED, formula, RULE)


def _windows(device: Device) -> Entry | None:
    """Cells of sliding layers: enough for every window, allocated once."""
    if not device.windows:
        return None
    terms: list[Term] = []
    for number, window in enumerate(device.windows, start=1):
        suffix = "" if len(device.windows) == 1 else f"_{number}"
        formula = "{window_cells} × {cell_bytes}"
        cells = ruled("window_cells", window.cells, "tokens", "engine.parallel")
        each = ruled("cell_bytes", window.cell_bytes, "bytes")
        terms.append(computed(f"window_bytes{suffix}", window.bytes, formula, cells, each))
    size = sum(window.bytes for window in device.windows)
    return Entry(EntryKind.KV, "window_cells", size, Evidence.COMPUTED, summed(tuple(terms)), RULE)


# Requests


def pool_tokens(start: Start) -> int:
    """Tokens that requests can hold in all slots together."""
    context, slots = start.context, start.inputs.flags.slots
    return context.tokens if context.shared else slots * context.slot_tokens


def held_entries(
    scenario: Scenario, pages: StagePages, demand: Demand, requests: int
) -> tuple[Entry, ...]:
    """What the requests hold of the cells, the ends of their slots, and what nobody holds.

    The cells are there from the start: requests beyond them wait, and take nothing more.
    """
    cell = int(pages.bytes_per_token)
    number = requests_drawn(scenario, requests)
    each = ruled("cell_bytes", cell, "bytes", "precision.kv")
    length = ruled("context_tokens", demand.tokens, "tokens", "workload.context")
    pool_bytes = pages.taken_at_start * pages.bytes_per_block
    held = min(requests * demand.tokens * cell, pool_bytes)
    whole = min(requests * demand.blocks * pages.bytes_per_block, pool_bytes)
    blocks = ruled("blocks", demand.blocks, "blocks")
    block = ruled("block_tokens", pages.block_tokens, "tokens", "engine.ctx_size")
    taken = ruled("pool_blocks", pages.taken_at_start, "blocks", "engine.ctx_size")
    pool = "{pool_blocks} × {block_tokens}"
    used = f"min({{requests}} × {{context_tokens}}, {pool})"
    slots = f"min({{requests}} × {{blocks}} × {{block_tokens}}, {pool})"
    terms = (number, length, each, block, taken)
    entries = [
        Entry(
            EntryKind.KV,
            "kv",
            held,
            Evidence.COMPUTED,
            Formula(f"{used} × {{cell_bytes}}", terms),
            RULE,
        )
    ]
    if whole > held:
        tails = f"({slots} - {used}) × {{cell_bytes}}"
        entries.append(_cells("block_tails", whole - held, tails, (*terms, blocks)))
    if pool_bytes > whole:
        idle = f"({pool} - {slots}) × {{cell_bytes}}"
        terms = (number, blocks, each, block, taken)
        entries.append(_cells("idle_cells", pool_bytes - whole, idle, terms))
    return tuple(entries)


def _cells(label: str, size: int, expression: str, terms: tuple[Term, ...]) -> Entry:
    formula = Formula(expression, terms)
    return Entry(EntryKind.FRAGMENTATION, label, size, Evidence.COMPUTED, formula, RULE)
