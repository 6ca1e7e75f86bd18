#!/usr/bin/env python3
"""Fit vLLM's activation, runtime and graph figures to start-up logs.

    python packaging/fit_vllm.py --logs DIR --facts DIR [--out FILE] [--report]

`--logs` holds vllm.json and aliases.json, `--facts` models.json and gpus.json. Writes
`presets/engines/vllm-memory.json`; the same inputs give the same bytes.

Models are put in order of vocabulary and width and dealt out in turn, so that both halves span
both: coefficients of the sampler come from every other one; the rest and the logs outside the
big campaign (ids starting "llmd") are what `--report` judges them by. A figure that only one log
knows is marked assumed. Quantiles are taken over all logs of an epoch. The formulas are those of
`workbench.core.engines.vllm`.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]

from fit_vllm_eras import ERAS, EXTRAPOLATED, GIB, Era, least_deviations, spread_of  # noqa: E402
from fit_vllm_logs import Log, deciding, read_logs  # noqa: E402
from fit_vllm_runtime import classes_of, graph_fits, growth, persistent, v0_pair  # noqa: E402

from workbench.core.engines.vllm.activation import activation_peak, padded_vocabulary  # noqa: E402
from workbench.core.engines.vllm.experts import workspace  # noqa: E402
from workbench.library.jsonfile import to_bytes  # noqa: E402
from workbench.spec.vllm_fits import ActivationFit, CaptureRule, Spread, VllmFits  # noqa: E402

OUT = ROOT / "presets" / "engines" / "vllm-memory.json"


# Read in the sources, not fitted: 3 · T · I while gate, up and their product live; 2 · T · H of
# receive buffers; 32,768 tokens a chunk; a patch of 14 pixels merged 2 × 2, in three colours.
INTERMEDIATES, STAGE_HIDDENS, CHUNK_TOKENS, PIXELS = 3.0, 2.0, 32_768, 3.0 * 28 * 28
WIDE_LOGIT_BYTES, INT8_BYTES = 2.0, 1.0
# From 0.20 on: 6 B a logit where FlashInfer samples, 42 B where everything is sorted (§9.2).
LOGITS_LOW, LOGITS_HIGH = 6.0, 42.0


def halves(logs: Iterable[Log], sampler: str) -> tuple[set[str], set[str]]:
    """Deal the models of an era's sampler out in turn: (fitted on, kept back)."""
    order = sorted(
        {
            (log.shape.vocab_size, log.shape.hidden_size, log.shape.model)
            for log in usable(logs)
            if log.era.sampler == sampler and log.era.since not in EXTRAPOLATED
        }
    )
    models = list(dict.fromkeys(model for *_, model in order))
    return set(models[::2]), set(models[1::2])


# Activation


def hidden_bytes(log: Log) -> int:
    """T × H in bytes."""
    return log.run.max_num_batched_tokens * log.shape.hidden_size * log.run.element_bytes


def logits_of(log: Log) -> int:
    """S′ × V."""
    rows = min(log.run.max_num_seqs, log.run.max_num_batched_tokens)
    return rows * padded_vocabulary(log.shape.vocab_size)


def dense_bytes(log: Log) -> float:
    """3 · T · I of a rank in bytes."""
    on_rank = -(-log.shape.intermediate_size // log.run.tp)
    return INTERMEDIATES * log.run.element_bytes * log.run.max_num_batched_tokens * on_rank


def expert_bytes(log: Log, fit: ActivationFit) -> int:
    """Workspace of the experts, 0 without one."""
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


def sampler_of(
    logs: Sequence[Log], blank: ActivationFit, each: float | None = None
) -> tuple[float, float, int]:
    """(bytes a logit, copies of T × H, fixed bytes) of the logs that sampling binds.

    A log whose forward pass alone comes near its printed peak says nothing about sampling.
    `each` fixes the bytes a logit.
    """
    bound: dict[tuple[int, int, float], list[float]] = {}
    for log in logs:
        kept = expert_bytes(log, blank) if blank.expert_workspace == "kept" else 0
        peak = log.activation * GIB - kept
        forward = dense_bytes(log) + 6 * hidden_bytes(log)
        if blank.expert_workspace == "separate":
            forward += expert_bytes(log, blank)
        if forward < 0.85 * peak and peak > 14 * logits_of(log):
            bound.setdefault((logits_of(log), hidden_bytes(log), 1.0), []).append(peak)
    # One row for each shape, however often the campaign started it.
    table = np.array([(*inputs, np.median(peaks)) for inputs, peaks in sorted(bound.items())])
    if each is None:
        each, hiddens, fixed = least_deviations(table[:, :3], table[:, 3])
    else:
        hiddens, fixed = least_deviations(table[:, 1:3], table[:, 3] - each * table[:, 0])
    return round(float(each), 3), round(float(hiddens), 2), round(float(fixed))


def sampler_fit(era: Era, logs: Sequence[Log], blank: ActivationFit) -> tuple[float, float, int]:
    """The sampler's figures from half of the models that ran it.

    V0 sorts as V1 did up to 0.16, so its few logs need not tell the bytes of a logit.
    """
    models, _ = halves(logs, era.sampler)
    half = [
        log
        for log in usable(logs)
        if log.era.sampler == era.sampler
        and log.era.since not in EXTRAPOLATED
        and log.shape.model in models
    ]
    if era.core == "v0":
        sorting = next(e for e in ERAS if e.sampler == "sorted")
        each, _, _ = sampler_fit(sorting, logs, blank.with_(expert_workspace="chunked"))
        return sampler_of(half, blank, each)
    workspace_then = "kept" if era.sampler == "top-k" else "chunked"
    return sampler_of(half, blank.with_(expert_workspace=workspace_then))


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


def activation_fit(era: Era, logs: Sequence[Log]) -> ActivationFit:
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
    each, hiddens, fixed = sampler_fit(era, logs, blank)
    whole = hiddens_of([log for log in usable(logs) if log.era.forward == era.forward], split=False)
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
    mine = [
        log
        for log in logs
        if era in spread_eras(log.era) and log.activation is not None and log.batch_known
    ]
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
    """Eras whose sampler and experts are the same, so that their residuals go together."""
    pool = [e for e in ERAS if (e.sampler, e.experts) == (era.sampler, era.experts)]
    alone = era.since in EXTRAPOLATED
    return tuple(e for e in pool if (e.since in EXTRAPOLATED) is alone)


def predicted(fit: ActivationFit, log: Log) -> int:
    """Bytes of the core's own formula."""
    run = replace(log.run, runner=fit.runner)
    peak = activation_peak(VllmFits(activation=(fit,)), log.shape, run)
    assert peak is not None
    return peak.bytes


def fit(logs: Sequence[Log]) -> dict[str, Any]:
    """The whole file."""
    epochs = []
    for era in ERAS:
        core = [e for e in ERAS if e.core == era.core]
        fits = VllmFits(
            epoch=era.since,
            activation=(activation_fit(era, logs),),
            non_torch=(
                *classes_of(logs, core, era, growth),
                *([v0_pair()] if era.core == "v0" else []),
            ),
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
    options.out.write_bytes(to_bytes(fit(deciding(logs))))
    if options.report:
        from fit_vllm_report import report

        kept = {name: halves(logs, name) for name in ("v0", "sorted", "top-k")}
        print(report(logs, options.out, kept))


if __name__ == "__main__":
    main()
