"""Why a derived figure is what it is: its value as in the ledger, and the formula behind it.

Nothing is worked out anew: the value of a figure is the ledger's, and its formula, read with a
pocket calculator, gives that value. Inputs link to the fields that set them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final, get_args

from workbench.core.explain import pool, rank, requests
from workbench.core.explain.asked import Asked
from workbench.spec.ledger import Ledger, Term
from workbench.spec.scenario import Scenario
from workbench.spec.workload import Sizing


def figure(scenario: Scenario, ledger: Ledger, name: str, rank: int = -1) -> Term | None:
    """Return a figure of `FIGURES` with its formula; None where the ledger has none.

    Figures of a rank are those of the rank that decides unless another is named.
    """
    one = next((r for r in ledger.ranks if r.rank == rank), ledger.worst_rank)
    make = _FIGURES.get(name)
    return None if make is None else make(Asked(scenario, ledger, one))


_FIGURES: Final[Mapping[str, Callable[[Asked], Term | None]]] = {
    "total": rank.total_term,
    "budget": rank.budget_term,
    "used": rank.used_term,
    "left": rank.left_term,
    "headroom": rank.headroom_term,
    "free": rank.free_term,
    "over": rank.over_term,
    "cache_bytes": rank.cache_term,
    "pool_bytes": pool.pool_bytes_term,
    "pool_blocks": pool.blocks_term,
    "pool_tokens": pool.tokens_term,
    "bytes_per_block": pool.block_term,
    "kv_bytes_per_token": pool.per_token_term,
    "tokens_per_mib": pool.per_mib_term,
    "request_tokens": requests.request_tokens_term,
    "requests": requests.drawn_term,
    "engine_log": requests.engine_log_term,
    "steady": requests.drawn_steady_term,
    **{f"steady_{sizing}": requests.steady_term(sizing) for sizing in get_args(Sizing)},
    "at_risk": requests.at_risk_term,
    "most_requests": requests.most_term,
    "target": requests.target_term,
    "gpus": requests.gpus_term,
}
FIGURES: Final = tuple(_FIGURES)
"""Names of the figures that can be explained."""
