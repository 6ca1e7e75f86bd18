"""Classes of memory outside torch, and lines through what CUDA graphs took."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from fit_vllm_eras import ERAS, EXTRAPOLATED, GIB, Era, least_deviations, spread_of
from fit_vllm_logs import Log

from workbench.core.engines.vllm.activation import padded_vocabulary
from workbench.spec.vllm_fits import GraphFit, PersistentFit, RuntimeFit, Spread


def classes_of(
    logs: Sequence[Log], eras: Sequence[Era], era: Era, value: Callable[[Log], float | None]
) -> tuple[RuntimeFit, ...]:
    """One row for each class of cards seen in any era of the core.

    The median of the era's own logs where it has some, else that of the nearest era, assumed,
    with a band over all that was ever seen of the class.
    """
    seen = [(log, v) for log in logs if log.era.core == era.core and (v := value(log)) is not None]
    rows = []
    for key in sorted({log.runtime_class for log, _ in seen}):
        of_class = [(log, v) for log, v in seen if log.runtime_class == key]
        order = sorted(
            eras, key=lambda e: (abs(eras.index(e) - eras.index(era)), e.since > era.since)
        )
        nearest = next(e for e in order if any(log.era == e for log, _ in of_class))
        own = [(log, v) for log, v in of_class if log.era == nearest]
        size = float(np.median([v for _, v in own]))
        if len(own) < 4 and len(own) > 1:
            # So few logs: the middle of them, not the likelier of two groups.
            size = float(np.mean([min(v for _, v in own), max(v for _, v in own)]))
        residuals = [(log, (v - size) * GIB) for log, v in own]
        if nearest == era and len(own) > 1:
            spread = spread_of(residuals)
        else:
            values = [v for _, v in of_class]
            note = "" if nearest == era else f"from releases {nearest.since} and after"
            spread = spread_of(
                residuals,
                note,
                low=min(values) - size - 0.05,
                high=max(values) - size + 0.1,
            )
        maker, link, ranks_from, pipeline = key
        rows.append(
            RuntimeFit(
                maker=maker,
                link=link,
                ranks_from=ranks_from,
                pipeline=pipeline,
                size_bytes=round(max(0.0, size) * GIB),
                spread=spread,
            )
        )
    return tuple(rows)


def v0_pair() -> RuntimeFit:
    """V0 with TP over NVLink below 8: no log of ours, only the range that others saw."""
    low, high = 0.30, 3.58
    size = (low + high) / 2
    return RuntimeFit(
        maker="nvidia",
        link="fast",
        ranks_from=2,
        size_bytes=round(size * GIB),
        spread=Spread(
            low_bytes=round((low - size) * GIB),
            high_bytes=round((high - size) * GIB),
            note=f"V0 with TP 2, {low:.2f} to {high:.2f} GiB (vllm.md §10)",
        ),
    )


def graph_fits(logs: Sequence[Log], era: Era) -> tuple[GraphFit, ...]:
    """A line through the logs of the era; one level where they are few; else those of the core."""
    fits = []
    for what in ("captured", "estimated"):
        if what == "estimated" and (era.core == "v0" or era.since in ("0.8", "0.11")):
            continue
        for kind in ("dense", "other"):
            of_kind = [
                (log, v)
                for log in logs
                if log.era.core == era.core
                and log.shape is not None
                and not log.eager
                and (v := log.graphs if what == "captured" else log.graph_estimate) is not None
                and (log.shape.experts is not None or log.shape.recurrent) is (kind == "other")
            ]
            own = [(log, v) for log, v in of_kind if era in graph_eras(log.era)]
            note = "" if own else "from other releases"
            used = own or of_kind
            table = np.array([(1.0, log.shape.layers, v * GIB) for log, v in used])
            fixed, each = float(np.median(table[:, 2])), 0.0
            if len({log.shape.layers for log, _ in used}) >= 4:
                fixed, each = least_deviations(table[:, :2], table[:, 2])
            fixed, each = round(max(0.0, fixed)), round(each)
            rows = [(log, v * GIB - fixed - each * log.shape.layers) for log, v in used]
            sparse = len(rows) < 4 or note
            fits.append(
                GraphFit(
                    what=what,
                    layers=kind,
                    fixed_bytes=fixed,
                    layer_bytes=each,
                    spread=spread_of(rows, note, low=-0.5, high=1.0) if sparse else spread_of(rows),
                )
            )
    return tuple(fits)


def graph_eras(era: Era) -> tuple[Era, ...]:
    """Eras that capture alike: V0; to 0.16; 0.17 to 0.19; 0.20 and after."""
    groups = (("0.5", "0.7"), ("0.8", "0.11"), ("0.17", "0.18"), EXTRAPOLATED)
    group = next(group for group in groups if era.since in group)
    return tuple(e for e in ERAS if e.since in group)


def persistent(era: Era) -> PersistentFit | None:
    """Penalty counts and masks (read in 0.33.0), 8 MiB of all-reduce, up to 128 MiB symmetric."""
    if era.runner != "second":
        return None
    spread = Spread(high_bytes=128 * 2**20, note="read in 0.33.0, vllm.md §9.3")
    return PersistentFit(
        count_bytes=4.0, mask_bytes=0.125, all_reduce_bytes=8 * 2**20, spread=spread
    )


def growth(log: Log) -> float | None:
    """Non-torch growth without the persistent buffers that the later eras count apart."""
    if log.non_torch is None or log.era.runner != "second" or log.shape is None:
        return log.non_torch
    vocabulary = padded_vocabulary(log.shape.vocab_size)
    return max(0.0, log.non_torch - 4.125 * log.run.max_num_seqs * vocabulary / GIB)
