"""Names of engines and releases, and what a change of release keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING

from workbench.gui.tr import translate
from workbench.spec.engine import ENGINE_NAMES, EngineProfile, PlainEngine
from workbench.spec.errors import UserError

if TYPE_CHECKING:
    from workbench.library.engines import Core

_FIRST_WITH_BOTH, _LAST_WITH_BOTH = (0, 8), (0, 10)


def has_both_cores(release: str) -> bool:
    """Whether a release can be started with the V0 and with the V1 core."""
    from workbench.library.engines import parse_release

    try:
        minor = parse_release(release)[:2]
    except UserError:
        return False
    return _FIRST_WITH_BOTH <= minor <= _LAST_WITH_BOTH


def kept_core(engine: EngineProfile, release: str) -> Core | None:
    """The core that was chosen, where both releases leave the choice; else None."""
    if engine.kind == "vllm" and has_both_cores(engine.release):
        return engine.core if has_both_cores(release) else None
    return None


def engine_name(engine: EngineProfile) -> str:
    """The engine with its release, as an undo step or a heading says it."""
    if isinstance(engine, PlainEngine):
        return translate("Engines", "plain arithmetic")
    name = f"{ENGINE_NAMES[engine.kind]} {engine.release}"
    is_v0 = getattr(engine, "core", None) == "v0"
    return f"{name}, V0" if is_v0 and has_both_cores(engine.release) else name


def rules_text(engine: EngineProfile) -> str:
    """Which rules a release follows."""
    if isinstance(engine, PlainEngine):
        return ""
    read = engine.rules.read_release
    if read == engine.release:
        return translate("Engines", "{release}: rules read from its source").format(release=read)
    return translate("Engines", "{release}, by the rules of {read}").format(
        release=engine.release, read=read
    )
