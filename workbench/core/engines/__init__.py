"""One module or package an engine: its defaults, its budget rule, its releases."""

from __future__ import annotations

from functools import cache

from workbench.core.engines.plain import PLAIN
from workbench.core.engines.rule import EngineRule
from workbench.spec.engine import EngineProfile


def rule_of(engine: EngineProfile) -> EngineRule:
    """Return the rule that plans for an engine profile."""
    return _rule(engine.kind)


@cache
def _rule(kind: str) -> EngineRule:
    if kind == "plain":
        return PLAIN
    # The rules of an engine are read when a scenario asks for them: the window starts sooner.
    from workbench.core.engines.vllm.rule import VLLM

    return VLLM
