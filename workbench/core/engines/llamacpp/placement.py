"""Which layers go to which card, and which stay on the host.

With L layers and N of them asked for, the last N of L + 1 go to the cards; the output is the
layer L (llama.cpp `src/llama-model.cpp:load_tensors`).
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate


@dataclass(frozen=True, slots=True)
class Placement:
    """Layers of each card, in order; what is left before them stays on the host."""

    ranges: tuple[tuple[int, int], ...]
    """First layer of each card and the one after its last, without the output."""
    output_card: int | None
    """Card that holds the output; None keeps it on the host."""
    host_layers: int
    """Layers from the first on that stay on the host."""

    @property
    def is_whole(self) -> bool:
        """Whether the cards hold every layer and the output."""
        return self.host_layers == 0 and self.output_card is not None


def placement_of(layers: int, gpu_layers: int, shares: tuple[float, ...]) -> Placement:
    """Place `gpu_layers` layers, the output among them, on cards of the given shares."""
    asked = min(gpu_layers, layers + 1)
    start = layers + 1 - asked
    if not asked:
        return Placement(((layers, layers),) * len(shares), None, layers)
    total = sum(shares)
    splits = [part / total for part in accumulate(shares)]
    cards = [
        min(bisect_right(splits, (layer - start) / asked), len(shares) - 1)
        for layer in range(start, layers + 1)
    ]
    ranges: list[tuple[int, int]] = []
    first = start
    for card in range(len(shares)):
        count = sum(1 for place in cards[:-1] if place == card)
        ranges.append((first, first + count))
        first += count
    return Placement(tuple(ranges), cards[-1], start)


def card_shares(
    cards: int, split_mode: str, given: tuple[float, ...] | None, partition: tuple[int, ...] | None
) -> tuple[float, ...]:
    """Shares of the cards: as given, by the layers of a partition, else alike; one without split.

    Cards of a scenario are equal, so that their free memory is too.
    """
    if split_mode == "none":
        return (1.0, *(0.0,) * (cards - 1))
    if given and sum(given[:cards]) > 0:
        return (*given[:cards], *(0.0,) * (cards - len(given)))
    if partition is not None and len(partition) == cards:
        return tuple(float(size) for size in partition)
    return (1.0,) * cards
