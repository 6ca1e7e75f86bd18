"""How well the fitted figures hold: on the models kept back and outside the big campaign."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from fit_vllm_logs import Log

from workbench.core.engines.vllm.activation import activation_peak
from workbench.library.engine_fits import read_fits
from workbench.spec.vllm_fits import VllmFits

GIB = 2**30


def report(logs: Sequence[Log], path: Path, halves: dict[str, tuple[set[str], set[str]]]) -> str:
    """Tables of errors, a line for each group of logs."""
    fits = {(e.core, e.since): e.fits for e in read_fits(path).epochs}
    lines = []

    def section(name: str, chosen: Callable[[Log], bool], figure: str) -> None:
        found = []
        for log in logs:
            if not chosen(log):
                continue
            of_log = fits[log.era.core, log.era.since]
            pair = (_activation if figure == "activation" else _non_torch)(of_log, log)
            if pair is not None:
                found.append((log, *pair))
        if not found:
            return
        error = np.array([abs(measured - got) for _, measured, got, _ in found])
        share = np.array([abs(measured - got) / measured for _, measured, got, _ in found])
        inside = sum(ok for *_, ok in found)
        lines.append(
            f"{figure} {name}: n {len(found)}, median {np.median(error):.3f} GiB "
            f"{100 * np.median(share):.1f} %, p90 {np.quantile(error, 0.9):.3f} GiB, "
            f"within 0.05 GiB {np.mean(error <= 0.05):.0%}, inside band {inside}"
        )
        for log, measured, got, _ in sorted(found, key=lambda row: -abs(row[1] - row[2]))[:5]:
            if abs(measured - got) > 0.05:
                lines.append(f"    {log.id}: measured {measured}, predicted {got:.3f}")

    def half(log: Log, which: int) -> bool:
        return log.shape is not None and log.shape.model in halves[log.era.sampler][which]

    groups: dict[str, Callable[[Log], bool]] = {
        "v0": lambda log: log.era.core == "v0",
        "0.8-0.16": lambda log: log.era.since in ("0.8", "0.11"),
        "0.17-0.19": lambda log: log.era.since in ("0.17", "0.18"),
        "0.20+": lambda log: log.era.since in ("0.20", "0.27"),
    }
    for name, in_group in groups.items():
        for label, extra in (
            ("complete", lambda log: log.complete),
            ("fitted on", lambda log: half(log, 0)),
            ("kept back", lambda log: half(log, 1)),
            ("outside the campaign", lambda log: not log.campaign),
        ):
            section(
                f"{name}, {label}",
                lambda log, a=in_group, b=extra: a(log) and b(log),
                "activation",
            )
    for label, chosen in (
        ("campaign, complete", lambda log: log.campaign and log.complete),
        ("elsewhere, complete", lambda log: not log.campaign and log.complete),
        ("elsewhere, release known", lambda log: not log.campaign and log.exact_release),
        ("elsewhere, all", lambda log: not log.campaign),
    ):
        section(label, chosen, "non-torch")
    return "\n".join(lines)


def _activation(fits: VllmFits, log: Log) -> tuple[float, float, bool] | None:
    if log.activation is None or log.shape is None:
        return None
    peak = activation_peak(fits, log.shape, log.run)
    assert peak is not None
    slack = 0.005 * GIB
    inside = peak.low_bytes - slack <= log.activation * GIB <= peak.high_bytes + slack
    return log.activation, peak.bytes / GIB, inside


def _non_torch(fits: VllmFits, log: Log) -> tuple[float, float, bool] | None:
    if log.non_torch is None:
        return None
    for row in fits.non_torch:
        if (row.maker, row.link, row.ranks_from, row.pipeline) == log.runtime_class:
            break
    else:
        return None
    size = row.size_bytes / GIB
    if log.era.runner == "second" and log.shape is not None:
        size += 4.125 * log.run.max_num_seqs * log.shape.vocab_size / GIB
    low, high = row.spread.low_bytes / GIB, row.spread.high_bytes / GIB
    return log.non_torch, size, size + low - 0.005 <= log.non_torch <= size + high + 0.005
