"""Figures that others have published about a preset, against which the check holds it."""

from __future__ import annotations

from workbench.spec.base import Frozen


class Windowed(Frozen):
    """A kind of layer whose cache stops growing."""

    elements_per_token: int
    """K and V elements of all its layers."""
    tokens: int
    """Where it stops."""


class Published(Frozen):
    """Published or recorded figures of a preset; what is not known is None."""

    parameters: int | None = None
    parameters_source: str | None = None
    non_parameters: int | None = None
    """What the published count holds beside parameters: scales, buffers, masks."""
    parameters_difference: int | None = None
    """How far the preset's count is known to be from the published one (found - published)."""
    counted_parameters: int | None = None
    """The count of an independent counter: all parts together."""
    text_parameters: int | None = None
    active_parameters: int | None = None
    draft_parameters: int | None = None
    vision_parameters: int | None = None
    audio_parameters: int | None = None
    kv_elements_per_token: int | None = None
    """K and V elements of all layers that one more token adds for good."""
    kv_bytes_per_token_16bit: int | None = None
    """The same in bytes, at 16 bits an element."""
    windowed: dict[str, Windowed] | None = None
    """By the kind of layer: what a token adds until the window is full."""
    state_elements_per_sequence: int | None = None
    indexer_elements_per_token: int | None = None
    """Keys of sparse indexers, which come on top of `kv_elements_per_token`."""
    indexer_bytes_per_token: int | None = None
    """The same in bytes: 8-bit keys with a 32-bit scale for each 128 elements."""
    checkpoint_bytes: int | None = None
    checkpoint_basis: str | None = None
