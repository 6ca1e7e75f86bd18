"""How long a deck of slides takes, with the answers worked out anew.

Run by hand on a quiet machine: packaging/dev.py bench
"""

from __future__ import annotations

from tests.export import plans
from workbench.export.options import Options
from workbench.export.slides.deck import deck_bytes


def test_a_deck_of_fifty_scenarios(benchmark):
    """Goal: 3 s."""
    made = benchmark.pedantic(
        deck_bytes, setup=lambda: ((plans.many(50), Options()), {}), rounds=5, warmup_rounds=1
    )
    assert made[:2] == b"PK"
