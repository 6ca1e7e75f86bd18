"""Python imports this at start when tests/guard is on PYTHONPATH: the guard for child programs."""

from __future__ import annotations

import os

import network_guard


def _log(use: str) -> None:
    # The child may swallow the exception; the parent reads this file and fails the test anyway.
    path = os.environ.get("KVW_NETWORK_LOG")
    if path:
        with open(path, "a", encoding="utf-8") as log:
            log.write(use + "\n")


network_guard.install(_log)
