"""What an engine process holds outside torch: growth while profiling, and what was there before.

Both are measured figures of a class: core and release, the card's maker, the link between the
ranks, tensor or pipeline parallelism. A class without logs takes the nearest one below it.
The growth is charged to the budget; what was in use before the first snapshot (CUDA context,
communicators, cuBLAS) is not, but `free < ceil(total · utilization)` refuses to start.
Source: start-up logs (`presets/engines/vllm-memory.json`); vLLM `utils/mem_utils.py`,
`v1/worker/utils.py:request_memory` as read in 0.33.0.
"""

from __future__ import annotations

import re

from workbench.core.engines.vllm.activation import padded_vocabulary
from workbench.core.engines.vllm.estimate import (
    Estimate,
    estimate,
    exact,
    fitted,
    floored,
    given,
)
from workbench.core.engines.vllm.shape import ProfileRun, StageShape, link_of, maker_of
from workbench.spec.deployment import Deployment
from workbench.spec.gpu import GpuSpec
from workbench.spec.ledger import Formula, Source, Term
from workbench.spec.vllm_fits import RuntimeFit, Spread, VllmFits


def non_torch(fits: VllmFits, gpu: GpuSpec, deployment: Deployment) -> Estimate | None:
    """Return the growth outside torch between the two snapshots, on the rank that has most."""
    return _of_class(fits.non_torch, gpu, deployment, "non_torch_growth")


def used_before_start(fits: VllmFits, gpu: GpuSpec, deployment: Deployment) -> Estimate | None:
    """Return what the process itself holds before the first snapshot; other ones not included."""
    return _of_class(fits.before_start, gpu, deployment, "used_before_start")


def persistent_buffers(fits: VllmFits, shape: StageShape, run: ProfileRun) -> Estimate | None:
    """Return the buffers of the second-generation runner that stay after the profile.

    S · V · (4 + 1/8) bytes of token counts and masks for penalties, on the last stage; with
    tp > 1 the buffer of the custom all-reduce. None where the runner has none: they are then
    part of the growth outside torch.
    Source: vLLM `v1/worker/gpu/sample/penalties.py` as read in 0.33.0.
    """
    fit = fits.persistent
    if fit is None or run.runner != "second":
        return None
    spread = fit.spread
    size, parts, terms = 0, [], list[Term]()
    if shape.is_last and not run.pooling:
        vocabulary = padded_vocabulary(shape.vocab_size)
        each = exact(fit.count_bytes) + exact(fit.mask_bytes)
        size += floored(each * run.max_num_seqs * vocabulary)
        parts.append("⌊({count_bytes} + {mask_bytes}) × {max_num_seqs} × ⌈{vocab_size} ÷ 64⌉ × 64⌋")
        terms += [
            fitted("count_bytes", fit.count_bytes, spread),
            fitted("mask_bytes", fit.mask_bytes, spread),
            given("max_num_seqs", run.max_num_seqs, Source("typed"), "engine.max_num_seqs"),
            given("vocab_size", shape.vocab_size, Source("model", shape.model)),
        ]
    if run.tp > 1:
        size += fit.all_reduce_bytes
        parts.append("{all_reduce_bytes}")
        terms.append(fitted("all_reduce_bytes", fit.all_reduce_bytes, spread, "bytes"))
    return estimate(size, Formula(" + ".join(parts) or "0", tuple(terms)), spread)


def _of_class(
    rows: tuple[RuntimeFit, ...], gpu: GpuSpec, deployment: Deployment, symbol: str
) -> Estimate | None:
    row = row_of(rows, gpu, deployment)
    if row is None:
        return None
    spread = row.spread
    if spread.evidence == "fitted" and not was_seen(gpu, spread):
        # Figures of other cards are a rule of thumb for this one.
        wide = max(row.size_bytes // 2, spread.high_bytes)
        spread = spread.with_(evidence="assumed", low_bytes=-row.size_bytes // 2, high_bytes=wide)
    term = fitted(symbol, row.size_bytes, spread, "bytes")
    return estimate(row.size_bytes, Formula(f"{{{symbol}}}", (term,)), spread)


def was_seen(gpu: GpuSpec, spread: Spread) -> bool:
    """Whether a start-up log behind a figure was of this kind of card, by its model's number."""
    names = " ".join(spread.gpus).casefold()
    marks = [part for part in gpu.id.split("-") if _MARK.fullmatch(part)]
    return any(mark in names for mark in marks)


_MARK = re.compile(r"[a-z]+[0-9]+[a-z]*|[0-9]{4}")


def row_of(rows: tuple[RuntimeFit, ...], gpu: GpuSpec, deployment: Deployment) -> RuntimeFit | None:
    """The class of a rank: its maker, then its link, then the widest tp that is not wider."""
    maker = maker_of(gpu)
    link = link_of(gpu.link.kind if gpu.link else None, deployment.ranks)
    pipeline = deployment.tp == 1 and deployment.pp > 1
    ranks = deployment.ranks if pipeline else deployment.tp

    def nearness(row: RuntimeFit) -> tuple[bool, bool, bool, int]:
        return (
            row.link == link,
            row.pipeline == pipeline,
            row.maker == maker,
            row.ranks_from if row.ranks_from <= ranks else -row.ranks_from,
        )

    return max(rows, key=nearness, default=None)
