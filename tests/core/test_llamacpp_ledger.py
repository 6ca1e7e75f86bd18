"""What holds for every llama.cpp scenario, whatever its model, card, build and flags."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from tests.core.formulas import all_terms, computed_terms, evaluate
from tests.core.ledger_checks import check_sizes, check_sums, ranks_of
from tests.core.llamacpp_scenarios import COUNT, answers, flagged, llamacpp
from workbench.core.budget import budget, ledger_of
from workbench.core.explain import FIGURES, figure
from workbench.core.grid import STATUSES, capacity_row
from workbench.spec import words
from workbench.spec.ledger import EntryKind, Ledger, RankLedger, Status
from workbench.spec.scenario import Scenario
from workbench.spec.units import GIB

GOOD = (Status.FITS, Status.TIGHT)


def ranks() -> Iterator[tuple[Scenario, Ledger, RankLedger]]:
    return ranks_of(answers())


def test_the_scenarios_cover_verdicts_refusals_and_entries() -> None:
    found = [ledger.verdict.status for _, ledger in answers()]
    assert all(found.count(status) >= COUNT // 60 for status in Status if status != "tight"), found
    reasons = {ledger.verdict.refusal.reason for _, ledger in answers() if ledger.verdict.refusal}
    assert reasons >= {
        *("slot_too_short", "cache_not_allocated", "quantised_values_need_flash"),
        *("too_many_sequences", "cache_block_not_divided", "format_of_other_engines"),
    }
    labels = {entry.label for _, _, rank in ranks() for entry in rank.entries}
    assert labels >= {
        *("weights", "device_context", "compute_buffer", "output_buffer", "state_rows"),
        *("window_cells", "cell_rounding", "kv", "block_tails", "idle_cells"),
    }


def test_entries_headroom_and_free_are_the_total_of_every_rank() -> None:
    check_sums(answers())


def test_the_host_is_the_last_rank_and_has_what_it_needs() -> None:
    for scenario, ledger in answers():
        hosts = [rank for rank in ledger.ranks if rank.place == "host"]
        if not hosts:
            continue  # A model without a plan: what the host would keep is not known.
        assert hosts == [ledger.ranks[-1]]
        assert len(ledger.ranks) == scenario.deployment.ranks + 1
        assert hosts[0].headroom_bytes == 0
        given = scenario.engine.host_memory_bytes
        if given is not None:
            assert hosts[0].total_bytes == given
        elif ledger.request is not None:
            assert hosts[0].left_bytes == 0, scenario.id
        assert ledger.worst_rank.decides


def test_sizes_are_whole_and_never_negative_and_labels_differ() -> None:
    check_sizes(answers())


def test_memory_does_not_hang_on_the_number_of_requests() -> None:
    for scenario, ledger in answers()[::7]:
        if ledger.pool is None:
            continue
        taken = [
            [rank.charged_bytes for rank in ledger_of(_with_target(scenario, count)).ranks]
            for count in (1, 3, 10**4)
        ]
        assert taken[0] == taken[1] == taken[2], scenario.id


def _with_target(scenario: Scenario, count: int) -> Scenario:
    return scenario.with_(workload=scenario.workload.with_(concurrency=count))


def test_most_requests_fit_and_one_more_does_not() -> None:
    seen = 0
    for scenario, ledger in answers():
        most, copies = ledger.most_requests, scenario.deployment.copies
        if most is None or most < copies or ledger.verdict.status not in GOOD:
            continue
        assert ledger_of(_with_target(scenario, most)).verdict.status in GOOD, scenario.id
        if ledger.pool is not None:
            more = ledger_of(_with_target(scenario, most + copies))
            target = more.capacity.target
            assert target is not None
            assert not target.met, scenario.id
        seen += 1
    assert seen >= COUNT // 20


def test_requests_are_never_more_than_the_slots() -> None:
    for scenario, ledger in answers():
        if ledger.most_requests is not None:
            slots = int(str(ledger.scenario.resolved["max_num_seqs"]))
            assert ledger.most_requests <= slots * scenario.deployment.copies, scenario.id


def test_a_row_of_the_grid_is_the_ledgers() -> None:
    asked = (1, 2, 5, 40)
    for scenario, _ in answers()[::5]:
        row = capacity_row(scenario, asked)
        for column, count in enumerate(asked):
            ledger = ledger_of(_with_target(scenario, count))
            status = STATUSES[int(row.status[column])]
            assert status == ledger.verdict.status, (scenario.id, count)
            assert np.int64(ledger.worst_rank.left_bytes) == row.left_bytes[column], scenario.id


def test_more_layers_on_the_cards_move_weights_from_the_host() -> None:
    scenario = llamacpp(flags={"fit": False, "ctx_size": 8192})
    weights: list[int] = []
    sums: list[int] = []
    for layers in (0, 1, 8, 32, 33):
        ledger = budget(flagged(scenario, gpu_layers=layers))
        card, host = ledger.ranks
        weights.append(card.kind_bytes(EntryKind.WEIGHTS))
        sums.append(weights[-1] + host.kind_bytes(EntryKind.WEIGHTS))
    assert weights == sorted(weights)
    assert weights[0] == 0
    # Every tensor once, wherever it is: the file's size.
    assert len(set(sums)) == 1
    assert abs(sums[0] / GIB - 4.58) < 0.005


def test_a_given_host_memory_that_is_too_small_does_not_fit() -> None:
    scenario = llamacpp(flags={"gpu_layers": 0, "ctx_size": 4096, "host_memory_bytes": 2 * GIB})
    scenario = _with_target(scenario, 1).with_(
        workload=scenario.workload.with_(lengths={"kind": "constant", "tokens": 512})
    )
    ledger = budget(scenario)
    assert ledger.verdict.status is Status.DOES_NOT_FIT
    assert ledger.worst_rank.place == "host"


# --- formulas -----------------------------------------------------------------------------------


def test_every_entry_is_its_formula() -> None:
    for scenario, _, rank in ranks():
        for entry in rank.entries:
            value = evaluate(entry.formula)
            assert value == entry.bytes, (scenario.id, entry.label, entry.bytes, float(value))
            for term in computed_terms(entry.formula):
                assert term.formula is not None
                assert evaluate(term.formula) == term.value, (scenario.id, term.symbol)


def test_every_figure_is_its_formula() -> None:
    for scenario, ledger in answers()[:200]:
        for name in FIGURES:
            term = figure(scenario, ledger, name)
            if term is None:
                continue
            for each in (term, *(computed_terms(term.formula) if term.formula else ())):
                if each.formula is None:
                    continue
                value, stated = evaluate(each.formula), each.value
                assert isinstance(stated, int | float | Fraction)
                off = abs(value - Fraction(stated))
                close = abs(Fraction(stated)) / 10**9 if isinstance(stated, float) else 0
                assert off <= close, (scenario.id, name, each.symbol, stated, float(value))


def test_every_term_and_source_has_words() -> None:
    for scenario, ledger, rank in ranks():
        for entry in rank.entries:
            assert entry.label in words.LABELS, entry.label
            assert words.source_text(entry.source)
            for term in all_terms(entry.formula):
                assert words.source_text(term.source)
                stem = term.symbol.rstrip("0123456789").rstrip("_")
                known = stem in words.SYMBOLS or stem in words.FIGURES or stem in words.LABELS
                assert known, (scenario.id, term.symbol)
        assert set(ledger.not_modelled) <= set(words.NOT_MODELLED)
        for finding in ledger.findings:
            assert words.finding_text(finding)


def test_a_pool_that_flags_give_has_no_band() -> None:
    ledger = budget(llamacpp("llama-3.1-70b", flags={"ctx_size": 8192}))
    assert ledger.pool is not None
    assert ledger.band is not None
    assert ledger.band.pool_low_bytes == ledger.band.pool_high_bytes == ledger.pool.bytes
    assert "thin_pool" not in {finding.code for finding in ledger.findings}


def test_requests_beyond_the_slots_are_said_to_wait() -> None:
    asked = llamacpp(context=1024, concurrency=16)
    found = {finding.code: finding for finding in budget(asked).findings}
    waiting = found["target_above_max_num_seqs"]
    assert (waiting.field, waiting.params["limit"]) == ("engine.parallel", 4)
    served = budget(flagged(asked, parallel=16, ctx_size=32_768))
    assert "target_above_max_num_seqs" not in {finding.code for finding in served.findings}
