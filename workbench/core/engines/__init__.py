"""One package an engine: its defaults, its budget rule, its pool. README.md: how to add one."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Final

from workbench.core.engines.plain import PLAIN
from workbench.core.engines.rule import EngineRule
from workbench.spec.engine import EngineProfile

_PACKAGES: Final = ("vllm", "sglang", "trtllm", "llamacpp", "lmdeploy")
"""Packages here by the `kind` of their profile; the module `rule` of each holds `RULE`."""


def rule_of(engine: EngineProfile) -> EngineRule:
    """Return the rule that plans for an engine profile."""
    return _rule(engine.kind)


@cache
def _rule(kind: str) -> EngineRule:
    if kind == "plain":
        return PLAIN
    if kind not in _PACKAGES:
        raise KeyError(kind)
    # The rules of an engine are read when a scenario asks for them: the window starts sooner.
    rule: EngineRule = import_module(f"workbench.core.engines.{kind}.rule").RULE
    return rule
