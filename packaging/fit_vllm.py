#!/usr/bin/env python3
"""Fit vLLM's activation, runtime and graph figures to start-up logs.

    python packaging/fit_vllm.py --logs DIR --facts DIR [--out FILE] [--report]

`--logs` holds vllm.json and aliases.json, `--facts` models.json and gpus.json. Writes
`presets/engines/vllm-memory.json`; the same inputs give the same bytes.

Models are put in order of their names and dealt out in turn: coefficients come from every other
one, the rest and the logs outside the big campaign (ids starting "llmd") are what `--report`
judges them by. A figure that only one log knows is marked assumed. Quantiles are taken over all
logs of an epoch. The formulas are those of `workbench.core.engines.vllm`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]

from fit_vllm_logs import Log, read_logs  # noqa: E402

from workbench.core.engines.vllm.activation import activation_peak, padded_vocabulary  # noqa: E402
from workbench.core.engines.vllm.experts import workspace  # noqa: E402
from workbench.library.jsonfile import to_bytes  # noqa: E402
from workbench.spec.vllm_fits import (  # noqa: E402
    ActivationFit,
    CaptureRule,
    GraphFit,
    PersistentFit,
    RuntimeFit,
    Spread,
    VllmFits,
)

GIB = 2**30
OUT = ROOT / "presets" / "engines" / "vllm-memory.json"


@dataclass(frozen=True)
class Era:
    """Releases that share their figures: `[since, until)` of a core."""

    core: str
    since: str
    runner: str
    sampler: str
    forward: str
    experts: str
    step_from_256: int = 16
    most_large: int = 512


# What is known from reading the releases (vllm.md §2.6, §9, §11); numbers come from the logs.
# 0.20 and 0.27 are extrapolated: 0.26 fits the sampler of 0.19, 0.31 that of 0.16.
ERAS = (
    Era("v0", "0.5", "v0", "v0", "v0-0.6", "separate", 8),
    Era("v0", "0.7", "v0", "v0", "v0-0.7", "separate", 8),
    Era("v1", "0.8", "first", "sorted", "v1", "chunked", 8),
    Era("v1", "0.11", "first", "sorted", "v1", "chunked"),
    Era("v1", "0.17", "first", "top-k", "v1", "kept"),
    Era("v1", "0.18", "first", "top-k", "v1", "kept"),
    Era("v1", "0.20", "first", "top-k", "v1", "kept", 16, 1024),
    Era("v1", "0.27", "second", "sorted", "v1", "kept", 16, 1024),
)
EXTRAPOLATED = ("0.20", "0.27")
# Read in the sources, not fitted: 3 · T · I while gate, up and their product live; 2 · T · H of
# receive buffers; 32,768 tokens a chunk; a patch of 14 pixels merged 2 × 2, in three colours.
INTERMEDIATES, STAGE_HIDDENS, CHUNK_TOKENS, PIXELS = 3.0, 2.0, 32_768, 3.0 * 28 * 28
WIDE_LOGIT_BYTES, INT8_BYTES = 2.0, 1.0
# From 0.20 on: 6 B a logit where FlashInfer samples, 42 B where everything is sorted (§9.2).
LOGITS_LOW, LOGITS_HIGH = 6.0, 42.0
ROUNDING_GIB = 0.005
Number = float
Rows = Sequence[tuple[Log, float]]


def halves(logs: Iterable[Log]) -> tuple[set[str], set[str]]:
    """Deal models out in turn: (fitted on, held back)."""
    models = sorted({log.shape.model for log in logs if log.shape is not None})
    return set(models[::2]), set(models[1::2])


def least_deviations(columns: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Coefficients ≥ 0 with the least sum of absolute deviations: one odd log moves nothing."""
    scale = np.abs(columns).max(axis=0)
    weights = np.ones(len(values))
    solution = np.zeros(columns.shape[1])
    active = np.ones(columns.shape[1], dtype=bool)
    for _ in range(200):
        scaled = columns[:, active] / scale[active] * weights[:, None]
        solution[:] = 0
        solution[active] = np.linalg.lstsq(scaled, values * weights, rcond=None)[0]
        if (solution < 0).any():
            active &= solution > 0
            continue
        residuals = np.abs(values - columns / scale @ solution)
        weights = 1 / np.sqrt(np.maximum(residuals, 1e-3 * GIB))
    return solution / scale


def spread_of(
    rows: Rows, note: str = "", *, low: Number | None = None, high: Number | None = None
) -> Spread:
    """Residual quantiles (bytes) of logs; at least what printing to 0.01 GiB hides."""
    residuals = [residual for _, residual in rows]
    least, most = -ROUNDING_GIB * GIB, ROUNDING_GIB * GIB
    if residuals:
        low_q = float(np.quantile(residuals, 0.05, method="lower"))
        high_q = float(np.quantile(residuals, 0.95, method="higher"))
        least, most = min(least, low_q), max(most, high_q)
    logs = [log for log, _ in rows]
    return Spread(
        evidence="fitted" if len(rows) > 1 and low is None else "assumed",
        n=len(rows),
        releases=tuple(sorted({log.release_text for log in logs}))[:40],
        gpus=tuple(sorted({log.gpu for log in logs if log.gpu}))[:40],
        low_bytes=round(least if low is None else min(least, low * GIB)),
        median_bytes=round(float(np.median(residuals))) if residuals else 0,
        high_bytes=round(most if high is None else max(most, high * GIB)),
        note=note,
    )


# Activation


def hidden_bytes(log: Log) -> int:
    return log.run.max_num_batched_tokens * log.shape.hidden_size * log.run.element_bytes


def logits_of(log: Log) -> int:
    rows = min(log.run.max_num_seqs, log.run.max_num_batched_tokens)
    return rows * padded_vocabulary(log.shape.vocab_size)


def dense_bytes(log: Log) -> float:
    on_rank = -(-log.shape.intermediate_size // log.run.tp)
    return INTERMEDIATES * log.run.element_bytes * log.run.max_num_batched_tokens * on_rank


def expert_bytes(log: Log, fit: ActivationFit) -> int:
    term = workspace(fit, log.shape, log.run)
    return term.value if term is not None and isinstance(term.value, int) else 0


def usable(logs: Iterable[Log]) -> list[Log]:
    """Logs of plain text models in 16 bits on one stage, whose peak is printed."""
    return [
        log
        for log in logs
        if log.activation is not None
        and log.shape is not None
        and not log.shape.encoder
        and log.shape.alone
        and log.run.element_bytes == 2
    ]


def sampler_of(logs: Sequence[Log], blank: ActivationFit) -> tuple[float, float, int]:
    """(bytes a logit, copies of T × H, fixed bytes) of the logs that sampling binds.

    A log whose forward pass alone comes near its printed peak says nothing about sampling.
    """
    bound = []
    for log in logs:
        kept = expert_bytes(log, blank) if blank.expert_workspace == "kept" else 0
        peak = log.activation * GIB - kept
        if dense_bytes(log) + 3 * hidden_bytes(log) < 0.85 * peak and peak > 14 * logits_of(log):
            bound.append((logits_of(log), hidden_bytes(log), 1.0, peak))
    table = np.array(bound)
    each, hiddens, fixed = least_deviations(table[:, :3], table[:, 3])
    return round(float(each), 3), round(float(hiddens), 2), round(float(fixed))


def hiddens_of(logs: Sequence[Log], *, split: bool) -> float | None:
    """Copies of T × H of the logs that the forward pass binds."""
    copies = []
    for log in logs:
        if (log.run.tp > 1) is not split or log.shape.experts is not None:
            continue
        above = (log.activation * GIB - dense_bytes(log)) / hidden_bytes(log)
        if 2 < above < 7 and dense_bytes(log) > 0.5 * log.activation * GIB:
            copies.append(above)
    return round(float(np.median(copies)), 2) if copies else None


def activation_fit(era: Era, logs: Sequence[Log], models: set[str]) -> ActivationFit:
    """Coefficients from the fitting half, residuals from every log of the era."""
    blank = ActivationFit(
        runner=era.runner,
        logit_bytes=0.0,
        low_logit_bytes=0.0,
        high_logit_bytes=0.0,
        wide_logit_bytes=WIDE_LOGIT_BYTES,
        sampler_hiddens=0.0,
        sampler_fixed_bytes=0,
        forward_intermediates=INTERMEDIATES,
        forward_hiddens=0.0,
        stage_hiddens=STAGE_HIDDENS,
        expert_workspace=era.experts,
        expert_chunk_tokens=CHUNK_TOKENS,
        int8_intermediates=INT8_BYTES if era.core == "v1" else 0.0,
        encoder_pixels=PIXELS,
        text=Spread(),
        vision=Spread(),
    )
    half = [log for log in usable(logs) if log.shape.model in models]
    same_sampler = {e.since for e in ERAS if e.sampler == era.sampler and e.since not in EXTRAPOLATED}
    kept_when = "kept" if era.sampler == "top-k" else "chunked"
    each, hiddens, fixed = sampler_of(
        [log for log in half if log.era.since in same_sampler],
        blank.with_(expert_workspace=kept_when),
    )
    forward = [log for log in half if log.era.forward == era.forward]
    whole = hiddens_of(forward, split=False)
    if whole is None:
        whole = hiddens_of(
            [log for log in usable(logs) if log.era.forward == era.forward], split=False
        )
    added = 0.0
    if era.core == "v0":
        parted = hiddens_of([log for log in usable(logs) if log.era.core == "v0"], split=True)
        alone = hiddens_of(
            [log for log in usable(logs) if log.era.forward == "v0-0.7"], split=False
        )
        if parted is not None and alone is not None:
            added = round(max(0.0, parted - alone), 2)
    extrapolated = era.since in EXTRAPOLATED
    fit = blank.with_(
        logit_bytes=each,
        low_logit_bytes=LOGITS_LOW if extrapolated else each,
        high_logit_bytes=LOGITS_HIGH if extrapolated else each,
        sampler_hiddens=hiddens,
        sampler_fixed_bytes=fixed,
        forward_hiddens=whole,
        split_hiddens=added,
    )
    mine = [log for log in logs if era in spread_eras(log.era) and log.activation is not None]
    rows = [(log, log.activation * GIB - predicted(fit, log)) for log in mine if log.shape]
    text = [row for row in rows if not row[0].shape.encoder]
    seen = [row for row in rows if row[0].shape.encoder]
    note = f"extrapolated from {'0.19' if era.since == '0.20' else '0.31 alone'}"
    if extrapolated:
        return fit.with_(
            text=spread_of(text, note, low=-0.15, high=0.25),
            vision=spread_of(seen, note, low=-0.25, high=0.5),
        )
    return fit.with_(text=spread_of(text), vision=spread_of(seen or rows))


def spread_eras(era: Era) -> tuple[Era, ...]:
    """Eras whose activation model is the same, so that their residuals go together."""
    same = (era.sampler, era.forward, era.experts)
    pool = [e for e in ERAS if (e.sampler, e.forward, e.experts) == same]
    alone = era.since in EXTRAPOLATED
    return tuple(e for e in pool if (e.since in EXTRAPOLATED) is alone)


def predicted(fit: ActivationFit, log: Log) -> int:
    """Bytes of the core's own formula."""
    run = replace(log.run, runner=fit.runner)
    peak = activation_peak(VllmFits(activation=(fit,)), log.shape, run)
    assert peak is not None
    return peak.bytes


# Runtime


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


# Graphs


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


def fit(logs: Sequence[Log]) -> dict[str, Any]:
    """The whole file."""
    models, _ = halves(logs)
    epochs = []
    for era in ERAS:
        core = [e for e in ERAS if e.core == era.core]
        fits = VllmFits(
            epoch=era.since,
            activation=(activation_fit(era, logs, models),),
            non_torch=classes_of(logs, core, era, growth),
            before_start=classes_of(logs, core, era, lambda log: log.used_before),
            graphs=graph_fits(logs, era),
            capture=CaptureRule(step_from_256=era.step_from_256, most_large=era.most_large),
            persistent=persistent(era),
        )
        epochs.append({"core": era.core, "since": era.since, "fits": fits.model_dump(mode="json")})
    return {
        "format": "kvw-engine-fits",
        "schema_version": 1,
        "engine": "vllm",
        "made_by": "packaging/fit_vllm.py",
        "epochs": epochs,
    }


def main(arguments: Sequence[str] | None = None) -> None:
    """Read, fit, write."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--logs", type=Path, required=True)
    parser.add_argument("--facts", type=Path, required=True)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--report", action="store_true", help="print residuals")
    options = parser.parse_args(arguments)
    logs = read_logs(options.logs, options.facts, ERAS)
    options.out.write_bytes(to_bytes(fit(logs)))
    if options.report:
        from fit_vllm_report import report

        print(report(logs, options.out, halves(logs)))


if __name__ == "__main__":
    main()
