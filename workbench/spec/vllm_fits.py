"""Coefficients fitted to measured start-up logs of vLLM, with how well they fit."""

from __future__ import annotations

from workbench.spec.base import Frozen


class VllmFits(Frozen):
    """Activation, runtime and graph models of a release, as numbers with their residuals."""
