"""One start of the engine: what each card and the host load, keep and compute with.

Sources: llama.cpp `src/llama-model.cpp:load_tensors`, `src/llama-kv-cache.cpp`,
`src/llama-memory-recurrent.cpp`, `src/llama-context.cpp`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from workbench.core.engines.llamacpp.compute import Buffer, Graph, card_buffer, host_buffer
from workbench.core.engines.llamacpp.context import Context, context_of, window_cells
from workbench.core.engines.llamacpp.inputs import Inputs
from workbench.core.engines.llamacpp.model import between, heads_of
from workbench.core.engines.llamacpp.placement import Placement, placement_of
from workbench.spec.ledger import Place

_LOGIT_BYTES: Final = 4
_SERVERS: Final = ("server", "ollama")
_PIPELINED: Final = ("nvidia", "amd")
"""Vendors whose backends keep events, so that several cards work at once."""


@dataclass(frozen=True, slots=True)
class Windows:
    """Cells of the layers that keep a window, on one device."""

    window_tokens: int
    layers: int
    cells: int
    """Of all buffers together."""
    cell_bytes: int
    """Of a cell in all these layers."""

    @property
    def bytes(self) -> int:
        """What they take."""
        return self.cells * self.cell_bytes


@dataclass(frozen=True, slots=True, eq=False)
class Device:
    """One card or the host."""

    place: Place
    first: int
    last: int
    """Its layers: from the first up to, not including, the last."""
    weights: tuple[tuple[str, int], ...]
    """Symbols of its parts with their bytes."""
    base_layers: int
    """Layers whose cache of the whole context it keeps."""
    token_bytes: int
    """Of a cell in all these layers."""
    windows: tuple[Windows, ...]
    state_bytes: int
    """Of one sequence."""
    buffer: Buffer | None
    output_bytes: int = 0
    """Rows of logits that are handed out, on the host."""

    @property
    def weights_bytes(self) -> int:
        """All weights."""
        return sum(size for _, size in self.weights)


@dataclass(frozen=True, slots=True, eq=False)
class Start:
    """Every device of a start, with the context as it was fitted."""

    inputs: Inputs
    context: Context
    placement: Placement
    gpu_layers: int
    cpu_moe_layers: int
    devices: tuple[Device, ...]
    """The cards in order, then the host."""

    @property
    def cards(self) -> tuple[Device, ...]:
        """The cards in order."""
        return self.devices[:-1]

    @property
    def host(self) -> Device:
        """The host."""
        return self.devices[-1]

    def used_bytes(self, device: Device) -> int:
        """What the engine itself allocates on a device."""
        slots = self.inputs.flags.slots
        cells = device.token_bytes * self.context.cells
        windows = sum(window.bytes for window in device.windows)
        buffer = 0 if device.buffer is None else device.buffer.bytes
        return (
            device.weights_bytes
            + cells
            + windows
            + slots * device.state_bytes
            + buffer
            + device.output_bytes
        )


def start_with(inputs: Inputs, context_tokens: int, gpu_layers: int, cpu_moe_layers: int) -> Start:
    """Lay out a start with a context, layers on the cards and layers whose experts stay."""
    return _Layout(inputs, context_tokens, gpu_layers, cpu_moe_layers).start()


class _Layout:
    """The layout of one start, device by device."""

    def __init__(
        self, inputs: Inputs, context_tokens: int, gpu_layers: int, cpu_moe_layers: int
    ) -> None:
        self._in = inputs
        flags, layers = inputs.flags, inputs.model.layer_count
        self._flags = flags
        self._context = context_of(
            context_tokens,
            flags.slots,
            inputs.engine.rules,
            unified=flags.unified,
            flash=flags.flash_attention,
            slot_limit=flags.slot_limit_tokens,
        )
        self._placement = placement_of(layers, gpu_layers, inputs.shares)
        self._gpu_layers = gpu_layers
        self._moe = min(cpu_moe_layers, layers)
        self._batch = min(context_tokens, flags.batch_tokens)
        self._micro_batch = min(self._batch, flags.micro_batch_tokens)
        self._copies = self._is_pipelined()

    def start(self) -> Start:
        cards = tuple(self._card(number) for number in range(len(self._in.shares)))
        return Start(
            self._in,
            self._context,
            self._placement,
            min(self._gpu_layers, self._in.model.layer_count + 1),
            self._moe,
            (*cards, self._host()),
        )

    def _is_pipelined(self) -> bool:
        """Several cards that hold the whole model by layers, nothing left on the host."""
        flags = self._flags
        return (
            sum(1 for first, last in self._placement.ranges if last > first) > 1
            and self._placement.is_whole
            and flags.split_mode == "layer"
            and not self._moe
            and flags.kv_offload
            and self._in.vendor in _PIPELINED
        )

    # Devices

    def _card(self, number: int) -> Device:
        first, last = self._placement.ranges[number]
        has_output = self._placement.output_card == number
        weights = self._card_weights(number, first, last, has_output=has_output)
        kept = (first, last) if self._flags.kv_offload else (0, 0)
        return Device(
            "card",
            first,
            last,
            weights,
            *self._kept(*kept),
            buffer=self._card_buffer(number, first, last, has_output=has_output),
        )

    def _host(self) -> Device:
        layers = self._placement.host_layers
        kept = (0, layers if self._flags.kv_offload else self._in.model.layer_count)
        widths = self._in.widths
        rows = self._flags.slots
        return Device(
            "host",
            0,
            layers,
            self._host_weights(layers),
            *self._kept(*kept),
            buffer=self._host_buffer(),
            output_bytes=0 if widths is None else _LOGIT_BYTES * widths.vocab * rows,
        )

    # Weights

    def _card_weights(
        self, number: int, first: int, last: int, *, has_output: bool
    ) -> tuple[tuple[str, int], ...]:
        weights = self._in.weights
        if self._flags.split_mode in ("row", "tensor"):
            return self._divided_weights(number)
        parts = [
            ("layers_bytes", between(weights.layer_sums, first, last)),
            ("experts_bytes", self._experts(first, last)),
        ]
        if has_output:
            parts.append(("output_bytes", weights.output + weights.output_norm))
        return tuple(part for part in parts if part[1])

    def _experts(self, first: int, last: int) -> int:
        """Experts of a range of layers, those kept on the host left out."""
        start = min(last, max(first, self._moe))
        return between(self._in.weights.expert_sums, start, last)

    def _divided_weights(self, number: int) -> tuple[tuple[str, int], ...]:
        """Matrices cut across the cards by their shares, whatever layer they belong to."""
        weights, placement = self._in.weights, self._placement
        first, last = placement.host_layers, self._in.model.layer_count
        whole = between(weights.layer_sums, first, last) + self._experts(first, last)
        if placement.output_card is not None:
            whole += weights.output + weights.output_norm
        before, total = sum(self._in.shares[:number]), sum(self._in.shares)
        after = before + self._in.shares[number]
        size = int(whole * (after / total)) - int(whole * (before / total))
        return (("divided_bytes", size),) if size else ()

    def _host_weights(self, layers: int) -> tuple[tuple[str, int], ...]:
        weights = self._in.weights
        kept = max(layers, self._moe)
        parts = [
            ("embedding_bytes", weights.embedding),
            ("layers_bytes", between(weights.layer_sums, 0, layers)),
            ("experts_bytes", between(weights.expert_sums, 0, kept)),
        ]
        if self._placement.output_card is None:
            parts.append(("output_bytes", weights.output_norm))
            if not weights.tied:
                parts[-1] = ("output_bytes", weights.output + weights.output_norm)
        return tuple(part for part in parts if part[1])

    # Cache

    def _kept(self, first: int, last: int) -> tuple[int, int, tuple[Windows, ...], int]:
        cache = self._in.cache
        windows = (
            Windows(
                window,
                between(layers, first, last),
                self._context.streams * self._window_cells(window),
                between(sizes, first, last),
            )
            for window, sizes, layers in cache.windows
        )
        return (
            between(cache.base_sums, first, last),
            between(cache.token_sums, first, last),
            tuple(window for window in windows if window.layers),
            between(cache.state_sums, first, last),
        )

    def _window_cells(self, window: int) -> int:
        flags = self._flags
        return window_cells(
            self._context,
            window,
            flags.slots,
            self._batch,
            self._micro_batch,
            self._in.engine.rules,
            flash=flags.flash_attention,
        )

    # Compute

    def _attended(self, first: int, last: int) -> tuple[int, int]:
        """Widest layer of a range: its query heads and the cells it attends to."""
        heads, at = 0, 0
        for run in self._in.model.layers:
            if at < last and at + run.count > first:
                heads = max(heads, heads_of(run))
            at += run.count
        cells = 0
        if between(self._in.cache.base_sums, first, last):
            cells = self._context.stream_cells
        for window, _, layers in self._in.cache.windows:
            if between(layers, first, last):
                cells = max(cells, self._window_cells(window))
        return heads, cells

    def _mask_cells(self) -> int:
        """Cells of all masks: one for the context, one for each window."""
        cache, layers = self._in.cache, self._in.model.layer_count
        cells = self._context.stream_cells if between(cache.base_sums, 0, layers) else 0
        return cells + sum(self._window_cells(window) for window, _, _ in cache.windows)

    def _graph(self, first: int, last: int, *, has_output: bool) -> Graph | None:
        widths, flags = self._in.widths, self._flags
        if widths is None:
            return None
        heads, cells = self._attended(first, last)
        rows = self._micro_batch
        if self._in.engine.rules.logit_rows == "slots" and self._in.engine.program in _SERVERS:
            rows = min(rows, flags.slots)
        return Graph(
            tokens=self._micro_batch,
            hidden=widths.hidden,
            vocab=widths.vocab,
            heads=heads,
            cells=cells,
            mask_cells=self._mask_cells() if cells else 0,
            feed_forward=widths.feed_forward,
            flash=flags.flash_attention,
            has_output=has_output,
            logit_rows=rows,
            latent_row=widths.latent_row,
            latent_was_seen=widths.latent_was_seen,
            has_experts=widths.has_experts,
            has_state=widths.has_state,
        )

    def _card_buffer(
        self, number: int, first: int, last: int, *, has_output: bool
    ) -> Buffer | None:
        """A card's own layers; the first card also multiplies what the host keeps."""
        placement, layers = self._placement, self._in.model.layer_count
        helps = number == 0 and not placement.is_whole
        if last == first and not has_output and not helps:
            return None
        span = (0, layers) if helps else (first, last)
        graph = self._graph(*span, has_output=has_output or (helps and not self._gpu_layers))
        if graph is None:
            return None
        copied: dict[str, int | bool] = {"copies": self._copies}
        if helps and placement.host_layers:
            cells = self._context.stream_cells
            copied["copied_cache_bytes"] = self._in.cache.largest_layer_cell * cells
            if placement.output_card is None:
                copied["copied_output_bytes"] = self._in.weights.output
        if number == 0 and max(self._moe, placement.host_layers):
            copied["copied_weight_bytes"] = self._in.weights.largest_expert_stack
        return card_buffer(_with(graph, copied))

    def _host_buffer(self) -> Buffer | None:
        widths = self._in.widths
        if widths is None:
            return None
        if self._flags.kv_offload:
            tokens, cells = self._micro_batch, self._mask_cells()
            return host_buffer(tokens, widths.hidden, cells, copies=self._copies)
        layers = self._in.model.layer_count
        graph = self._graph(0, layers, has_output=self._placement.output_card is None)
        return None if graph is None else card_buffer(graph)


def _with(graph: Graph, changes: dict[str, int | bool]) -> Graph:
    values = {name: getattr(graph, name) for name in Graph.__slots__}
    return Graph(**(values | changes))
