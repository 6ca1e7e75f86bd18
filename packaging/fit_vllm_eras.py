"""Releases that share their figures, and the statistics of a fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from workbench.spec.vllm_fits import Spread

GIB = 2**30
ROUNDING_GIB = 0.005
Rows = Sequence[tuple[Any, float]]
"""Logs with their residuals in bytes."""


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
# 0.20 and 0.27 are extrapolated: 0.26 fits the sampler of 0.19, 0.29 and 0.31 that of 0.16.
# The second runner begins where the table of releases says so.
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


def least_deviations(columns: np.ndarray, values: np.ndarray) -> np.ndarray:
    """Coefficients ≥ 0 with the least sum of absolute deviations: one odd log moves nothing."""
    scale = np.abs(columns).max(axis=0)
    active = np.ones(columns.shape[1], dtype=bool)
    while True:
        solution = np.zeros(columns.shape[1])
        weights = np.ones(len(values))
        for _ in range(300):
            scaled = columns[:, active] / scale[active] * weights[:, None]
            solution[active] = np.linalg.lstsq(scaled, values * weights, rcond=None)[0]
            residuals = np.abs(values - columns / scale @ solution)
            weights = 1 / np.sqrt(np.maximum(residuals, 1e-3 * GIB))
        if (solution >= 0).all():
            break
        active &= solution > 0
    return solution / scale


def spread_of(
    rows: Rows, note: str = "", *, low: float | None = None, high: float | None = None
) -> Spread:
    """Residual quantiles (bytes) of logs; at least what printing to 0.01 GiB hides."""
    residuals = [residual for _, residual in rows]
    least, most = -ROUNDING_GIB * GIB, ROUNDING_GIB * GIB
    if residuals:
        # Of few logs the outermost ones are the band.
        ways = ("linear", "linear") if len(residuals) >= 20 else ("lower", "higher")
        low_q = float(np.quantile(residuals, 0.05, method=ways[0]))
        high_q = float(np.quantile(residuals, 0.95, method=ways[1]))
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
