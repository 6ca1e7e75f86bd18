"""What the engine prints of a start: sizes of its caches and buffers, for comparison with logs."""

from __future__ import annotations

from dataclasses import dataclass

from workbench.core.engines.llamacpp.fit import start_of
from workbench.core.engines.llamacpp.start import Start
from workbench.spec.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Printed:
    """Sizes in bytes, over all devices where nothing else is said."""

    cache_bytes: int
    """Keys and values, those of windows among them."""
    state_bytes: int
    """R and S of recurrent layers."""
    card_buffer_bytes: int | None
    """Compute buffer of the first card; None where the model's widths are not known."""
    card_buffer_low_bytes: int | None
    card_buffer_high_bytes: int | None
    host_buffer_bytes: int | None


def printed(scenario: Scenario) -> Printed | None:
    """Return what the engine would print; None for a model that it has no rule for."""
    start = start_of(scenario)
    if not isinstance(start, Start):
        return None
    slots, cells = start.inputs.flags.slots, start.context.cells
    cache = sum(
        device.token_bytes * cells + sum(window.bytes for window in device.windows)
        for device in start.devices
    )
    first, host = start.cards[0].buffer, start.host.buffer
    return Printed(
        cache_bytes=cache,
        state_bytes=slots * sum(device.state_bytes for device in start.devices),
        card_buffer_bytes=None if first is None else first.bytes,
        card_buffer_low_bytes=None if first is None else first.low_bytes,
        card_buffer_high_bytes=None if first is None else first.high_bytes,
        host_buffer_bytes=None if host is None else host.bytes,
    )
