"""CUDA graphs: which batch sizes are captured, what they take, what is set aside for them.

    taken = fixed + layer × layers of the rank

No published model fits every log, so the band is wide; nothing is captured when eager.
Source: start-up logs (`presets/engines/vllm-memory.json`); sizes from vLLM `config/vllm.py:
_set_cudagraph_sizes` as read in 0.10.2, 0.11.2 and 0.33.0.
"""

from __future__ import annotations

from typing import Literal

from workbench.core.engines.vllm.estimate import Estimate, estimate, fitted, given, nothing
from workbench.core.engines.vllm.shape import StageShape
from workbench.spec.ledger import Formula, Source
from workbench.spec.vllm_fits import VllmFits

_SMALL_SIZES = (1, 2, 4)
_SMALL_STEP = 8
_WIDE_FROM = 256


def graphs(
    fits: VllmFits, shape: StageShape, what: Literal["captured", "estimated"], *, eager: bool
) -> Estimate | None:
    """Return what graphs take on a rank, or what the release sets aside for them before."""
    if eager:
        return nothing(Source("eager"))
    layers = "other" if shape.experts is not None or shape.recurrent else "dense"
    for fit in fits.graphs:
        if fit.what == what and fit.layers == layers:
            break
    else:
        return None
    formula = Formula(
        "{graph_fixed_bytes} + {graph_layer_bytes} × {layers}",
        (
            fitted("graph_fixed_bytes", fit.fixed_bytes, fit.spread, "bytes"),
            fitted("graph_layer_bytes", fit.layer_bytes, fit.spread, "bytes"),
            given("layers", shape.layers, Source("model", shape.model)),
        ),
    )
    return estimate(fit.fixed_bytes + fit.layer_bytes * shape.layers, formula, fit.spread)


def capture_sizes(
    fits: VllmFits,
    *,
    max_num_seqs: int,
    max_num_batched_tokens: int,
    speculative_tokens: int = 0,
    large: bool = False,
    most: int | None = None,
) -> tuple[int, ...]:
    """Return the batch sizes that are captured, ascending.

    `large` marks Blackwell data-centre cards and gpt-oss; `most` is the flag
    `--max-cudagraph-capture-size`. The list is 1, 2, 4, then steps of 8, from 256 on the
    release's own step; the batch limit and, with drafts, each number of whole requests' tokens
    are added where they fit.
    """
    rule = fits.capture
    each = 1 + speculative_tokens
    limit = most
    if limit is None:
        largest = rule.most_large if large else rule.most
        limit = min(max_num_seqs * each * rule.per_sequence, largest)
    limit = min(limit, max_num_batched_tokens)
    sizes = {size for size in _SMALL_SIZES if size <= limit}
    sizes.update(range(_SMALL_STEP, min(limit + 1, _WIDE_FROM), _SMALL_STEP))
    sizes.update(range(_WIDE_FROM, limit + 1, rule.step_from_256))
    if max_num_batched_tokens <= limit:
        sizes.add(max_num_batched_tokens)
    if speculative_tokens and max_num_seqs * each <= limit:
        sizes.add(max_num_seqs * each)
    return tuple(sorted(sizes))
