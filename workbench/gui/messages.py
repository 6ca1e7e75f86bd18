"""What the message bar shows: a code, its parameters, and what can be done about it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from workbench.spec.errors import UserError
from workbench.spec.ledger import Severity


@dataclass(frozen=True, slots=True)
class MessageAction:
    """A button of a message: the code of its caption and what it does."""

    code: str
    run: Callable[[], object]


@dataclass(frozen=True, slots=True)
class Message:
    """One thing to tell. A message with the same `slot` replaces the last one."""

    severity: Severity
    code: str
    params: Mapping[str, object] = field(default_factory=dict)
    actions: tuple[MessageAction, ...] = ()
    slot: str = ""

    @classmethod
    def of_error(cls, error: UserError, *actions: MessageAction, slot: str = "") -> Message:
        """Tell an error in its own words."""
        return cls("error", error.code, error.params, actions, slot)
