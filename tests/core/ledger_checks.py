"""What holds of every engine's ledger."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tests.core.vllm_scenarios import different_ranks
from workbench.spec.ledger import Ledger, RankLedger, Status
from workbench.spec.scenario import Scenario

Answers = Iterable[tuple[Scenario, Ledger]]


def ranks_of(answers: Answers) -> Iterator[tuple[Scenario, Ledger, RankLedger]]:
    """Every rank that differs from the others of its ledger."""
    for scenario, ledger in answers:
        for rank in different_ranks(ledger):
            yield scenario, ledger, rank


def started_of(answers: Answers) -> tuple[tuple[Scenario, Ledger], ...]:
    """Scenarios that the engine starts, with a pool."""
    return tuple(
        (scenario, ledger)
        for scenario, ledger in answers
        if ledger.verdict.status is not Status.REFUSES and ledger.pool is not None
    )


def check_sums(answers: Answers) -> None:
    """Entries + headroom + free = total on every rank, and a card's total is the card."""
    for scenario, _, rank in ranks_of(answers):
        entries = sum(entry.bytes for entry in rank.entries)
        if rank.place == "card":
            assert rank.total_bytes == scenario.gpu.device_total_bytes
        assert entries + rank.headroom_bytes + rank.free_bytes == rank.total_bytes, scenario.id


def check_sizes(answers: Answers) -> None:
    """Sizes are whole and never negative, inside their bands; labels differ."""
    for scenario, _, rank in ranks_of(answers):
        labels = [entry.label for entry in rank.entries]
        assert len(set(labels)) == len(labels), (scenario.id, labels)
        for entry in rank.entries:
            assert type(entry.bytes) is int
            assert entry.bytes >= 0, (scenario.id, entry)
            if entry.low_bytes is not None:
                assert 0 <= entry.low_bytes <= entry.bytes, (scenario.id, entry)
            if entry.high_bytes is not None:
                assert entry.high_bytes >= entry.bytes, (scenario.id, entry)
