"""Figures of a model derived from its layers, beside those that others have published."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from workbench.library.published import Published
from workbench.spec.layers import (
    ChunkedAttention,
    CompressedAttention,
    CrossAttention,
    FullAttention,
    LatentAttention,
    Mixer,
    NoMixer,
    ParallelMixer,
    RecurrentState,
    SharedCache,
    SlidingAttention,
)
from workbench.spec.model import Component, ModelSpec


@dataclass(frozen=True, slots=True)
class Kept:
    """What the layers of a model keep for one request, in elements."""

    growing: Fraction = Fraction(0)
    """A token, for as long as the request lives."""
    windowed: tuple[tuple[int, int], ...] = ()
    """By window: its tokens, and the elements a token adds until it is full."""
    state: int = 0
    """A request, whatever its length."""
    indexer: int = 0
    """A token, in the key cache of a sparse indexer that is a cache of its own."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One figure found in the layers and the one it is held against."""

    name: str
    code: str
    """Of the sentence that says they differ."""
    found: int
    expected: int
    known_difference: int = 0
    """A difference that the preset records itself."""

    @property
    def agrees(self) -> bool:
        """Whether the figure is what is published, or as far from it as recorded."""
        return self.found - self.expected == self.known_difference


def kept(model: ModelSpec) -> Kept:
    """Add up what all layers keep."""
    growing, windows, state, indexer = Fraction(0), dict[int, int](), 0, 0
    for run in model.layers:
        one = kept_by(run.mixer)
        growing += run.count * one.growing
        state += run.count * one.state
        indexer += run.count * one.indexer
        for tokens, elements in one.windowed:
            windows[tokens] = windows.get(tokens, 0) + run.count * elements
    return Kept(growing, tuple(sorted(windows.items())), state, indexer)


def kept_by(mixer: Mixer) -> Kept:
    """Return what one layer keeps; cross attention keeps its encoder's output, no token's."""
    if isinstance(mixer, NoMixer | SharedCache | CrossAttention):
        return Kept()
    if isinstance(mixer, ParallelMixer):
        attention, state = kept_by(mixer.attention), kept_by(mixer.state)
        return Kept(attention.growing, attention.windowed, state.state, attention.indexer)
    if isinstance(mixer, RecurrentState):
        return Kept(state=sum(_product(tensor.shape) for tensor in mixer.tensors))
    if isinstance(mixer, LatentAttention):
        width = mixer.kv_lora_rank + mixer.qk_rope_head_dim
        return Kept(Fraction(width), indexer=mixer.indexer.head_dim if mixer.indexer else 0)
    if isinstance(mixer, CompressedAttention):
        # One vector is key and value; a window of whole entries and one entry a ratio beyond.
        entry = mixer.head_dim + (mixer.indexer.head_dim if mixer.indexer else 0)
        ratio = mixer.compress_ratio
        beyond = Fraction(entry, ratio) if ratio else Fraction(0)
        return Kept(beyond, state=mixer.window_tokens * mixer.head_dim)
    width = mixer.head_dim + (0 if mixer.values_are_keys else mixer.value_dim)
    elements = mixer.kv_heads * width
    if isinstance(mixer, SlidingAttention):
        return Kept(windowed=((mixer.window_tokens, elements),))
    if isinstance(mixer, ChunkedAttention):
        return Kept(windowed=((mixer.chunk_tokens, elements),))
    if isinstance(mixer, FullAttention):
        return Kept(Fraction(elements), indexer=mixer.indexer.head_dim if mixer.indexer else 0)
    raise AssertionError(f"no rule for the layer kind {mixer.kind}")


def _product(shape: tuple[int, ...]) -> int:
    product = 1
    for width in shape:
        product *= width
    return product


def compare(model: ModelSpec, published: Published | None) -> tuple[Figure, ...]:
    """Hold what the layers give against every published or recorded figure."""
    return tuple((*_parameters(model, published), *_elements(model, published)))


def _parameters(model: ModelSpec, published: Published | None) -> Iterator[Figure]:
    if not model.has_weights:
        return
    code, found = "parameters_differ", model.all_parameters
    if model.published_parameters is not None:
        given = model.published_parameters - (model.published_non_parameters or 0)
        known = (published.parameters_difference if published else None) or 0
        yield Figure("published parameters", code, found, given, known)
    if published is None:
        return
    if published.parameters is not None:
        given = published.parameters - (published.non_parameters or 0)
        known = published.parameters_difference or 0
        if given != (model.published_parameters or 0) - (model.published_non_parameters or 0):
            yield Figure("published parameters", code, found, given, known)
    for name, count, expected in (
        ("counted parameters", found, published.counted_parameters),
        ("decoder parameters", model.parameters, published.text_parameters),
        ("active parameters", model.active_parameters, published.active_parameters),
        ("draft parameters", _count(model.draft), published.draft_parameters),
        ("vision parameters", _count(model.vision), published.vision_parameters),
        ("audio parameters", _count(model.audio), published.audio_parameters),
    ):
        if expected is not None:
            yield Figure(name, code, count, expected)


def _count(part: Component | None) -> int:
    return 0 if part is None else part.parameters


def _elements(model: ModelSpec, published: Published | None) -> Iterator[Figure]:
    if published is None or published.kv_elements_per_token is None:
        return
    own = kept(model)
    # A fraction of an element is shown as the next whole one, so that it is seen to differ.
    growing = -(-own.growing.numerator // own.growing.denominator)
    windows = dict(own.windowed)
    recorded = dict[int, int]()
    for kind in (published.windowed or {}).values():
        recorded[kind.tokens] = recorded.get(kind.tokens, 0) + kind.elements_per_token
    pairs = [("KV elements a token", growing, published.kv_elements_per_token)]
    if published.kv_bytes_per_token_16bit is not None:
        pairs.append(
            ("KV bytes a token at 16 bits", 2 * growing, published.kv_bytes_per_token_16bit)
        )
    pairs += (
        (f"KV elements a token in a window of {tokens}", windows.get(tokens, 0), elements)
        for tokens, elements in sorted((dict.fromkeys(windows, 0) | recorded).items())
    )
    pairs += (
        ("state elements a request", own.state, published.state_elements_per_sequence or 0),
        ("indexer elements a token", own.indexer, published.indexer_elements_per_token or 0),
    )
    if published.indexer_bytes_per_token is not None:
        scaled = own.indexer + 4 * (own.indexer // 128)
        pairs.append(("indexer bytes a token", scaled, published.indexer_bytes_per_token))
    for name, found, expected in pairs:
        if found or expected:
            yield Figure(name, "kv_elements_differ", found, expected)


def source_faults(model: ModelSpec) -> Iterator[tuple[int, int]]:
    """Yield layers (counted from 0) that read a cache no earlier layer writes."""
    writers: list[bool] = []
    for run in model.layers:
        for _ in range(run.count):
            mixer = run.mixer
            if isinstance(mixer, SharedCache):
                source = mixer.source_layer
                if source >= len(writers) or not writers[source]:
                    yield len(writers), source
            writers.append(not isinstance(mixer, SharedCache | NoMixer | RecurrentState))
