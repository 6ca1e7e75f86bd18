"""One module or package an engine: its defaults, its budget rule, its releases."""

from __future__ import annotations

from workbench.core.engines.plain import PLAIN
from workbench.core.engines.rule import EngineRule
from workbench.core.engines.vllm.rule import VLLM
from workbench.spec.engine import EngineProfile


def rule_of(engine: EngineProfile) -> EngineRule:
    """Return the rule that plans for an engine profile."""
    return _RULES[engine.kind]


_RULES: dict[str, EngineRule] = {"plain": PLAIN, "vllm": VLLM}
