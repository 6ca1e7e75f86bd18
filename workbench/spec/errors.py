"""The one error a person can do something about."""

from __future__ import annotations


class UserError(Exception):
    """Something a person can fix: a stable code and the parameters of its sentence.

    The sentence itself stands in `spec.words`; parameter names carry their unit there
    (`limit_bytes`, `context_tokens`), so that one filler prints them all.
    """

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params

    def __str__(self) -> str:
        details = ", ".join(f"{name}={value!r}" for name, value in self.params.items())
        return f"{self.code}({details})"
