"""Every figure of a vLLM ledger can be worked out by hand from what is shown beside it."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from tests.core.formulas import all_terms, computed_terms, evaluate
from tests.core.vllm_scenarios import answers, different_ranks
from workbench.spec import words
from workbench.spec.ledger import Entry, Evidence, Ledger, Source, Status, Term
from workbench.spec.scenario import Scenario

COUNT = 600


def entries() -> Iterator[tuple[Scenario, Entry]]:
    """Entries of one rank of each stage, those with the very same formula once."""
    seen: set[int] = set()
    for scenario, ledger in answers(COUNT):
        for rank in different_ranks(ledger):
            for entry in rank.entries:
                if id(entry) not in seen:
                    seen.add(id(entry))
                    yield scenario, entry


# --- figures ------------------------------------------------------------------------------------


def test_every_formula_gives_its_entry() -> None:
    labels = set()
    for scenario, entry in entries():
        value = evaluate(entry.formula)
        assert value == entry.bytes, (scenario.id, entry.label, entry.formula.expression)
        labels.add(entry.label)
    assert labels >= {
        *("weights", "non_torch", "persistent_buffers", "before_start", "activations"),
        *("cuda_graphs", "state", "block_tails", "prefix", "kv", "in_flight", "withheld_block"),
        "unrequested",
    }


def test_every_formula_inside_a_formula_gives_its_term() -> None:
    checked = 0
    for scenario, entry in entries():
        for term in computed_terms(entry.formula):
            assert term.formula is not None
            assert isinstance(term.value, int | Fraction)
            where = (scenario.id, entry.label, term.symbol, term.formula.expression)
            assert evaluate(term.formula) == term.value, where
            checked += 1
    assert checked >= 10_000


def test_every_term_stands_in_its_expression() -> None:
    for scenario, entry in entries():
        for formula in (entry.formula, *(t.formula for t in computed_terms(entry.formula))):
            assert formula is not None
            unused = [
                t.symbol for t in formula.terms if f"{{{t.symbol}}}" not in formula.expression
            ]
            assert not unused, (scenario.id, entry.label, unused)


def test_a_measured_figure_is_its_own_formula() -> None:
    measured = [entry for _, entry in entries() if entry.evidence is Evidence.MEASURED]
    assert {entry.label for entry in measured} >= {
        *("weights", "activations", "non_torch", "cuda_graphs", "before_start"),
    }
    for entry in measured:
        (term,) = entry.formula.terms
        assert (term.value, term.evidence) == (entry.bytes, Evidence.MEASURED)
        assert entry.source == Source("log", "a.log")


def test_computed_terms_say_so() -> None:
    for _, entry in entries():
        for term in all_terms(entry.formula):
            assert isinstance(term.evidence, Evidence), term
            assert term.field is None or term.field in words.FIELDS, term
            if term.formula is not None:
                # What a fitted coefficient went into is itself no surer than that.
                assert term.evidence not in (Evidence.GIVEN, Evidence.MEASURED), term


def test_only_shares_and_coefficients_are_broken_numbers() -> None:
    for _, entry in entries():
        for term in all_terms(entry.formula):
            broken = isinstance(term.value, float)
            fitted = term.evidence in (Evidence.FITTED, Evidence.ASSUMED)
            assert not broken or fitted or term.unit in ("share", "ratio"), term


# --- words --------------------------------------------------------------------------------------


def _clean(text: str) -> bool:
    parts = set(text.replace(",", " ").split())
    return bool(text) and not {"{", "}"} & set(text) and not {"nan", "inf", "None"} & parts


def test_every_entry_and_term_has_words() -> None:
    texts: set[str] = set()
    for _, entry in entries():
        texts |= {words.entry_text(entry), words.source_text(entry.source)}
        texts |= {words.KINDS[entry.kind.value], words.EVIDENCE[entry.evidence.value]}
        texts |= {words.formula_text(entry.formula, filled=filled) for filled in (False, True)}
        for term in all_terms(entry.formula):
            texts |= {words.source_text(term.source), words.EVIDENCE[term.evidence.value]}
            texts.add(words.value_text(term.value, term.unit))
            assert _has_symbol(term), term
    assert not [text for text in texts if not _clean(text)]


def _has_symbol(term: Term) -> bool:
    stem, _, number = term.symbol.rpartition("_")
    numbered = stem in words.SYMBOLS and number.isdigit()
    return term.symbol in words.SYMBOLS or numbered or term.source.code == "tensor"


def _sentences(ledger: Ledger) -> Iterator[str]:
    yield words.verdict_text(ledger)
    yield words.STATUS[ledger.verdict.status.value]
    yield words.BINDING[ledger.verdict.binding]
    yield from (words.NOT_MODELLED[code] for code in ledger.not_modelled)
    for source in ledger.scenario.origins.values():
        yield words.source_text(source)
    for finding in ledger.findings:
        yield words.finding_text(finding)
        yield words.fix_text(finding) or "no fix"
        assert finding.field is None or finding.field in words.FIELDS, finding


def test_every_verdict_finding_and_origin_has_its_sentence() -> None:
    seen = set()
    for scenario, ledger in answers():
        for text in _sentences(ledger):
            assert _clean(text), (scenario.id, text)
        seen |= {finding.code for finding in ledger.findings}
    assert len(seen) >= 15, seen


def test_every_defaulted_flag_has_a_value_and_an_origin() -> None:
    for scenario, ledger in answers():
        echo = ledger.scenario
        assert set(echo.defaulted) <= set(echo.resolved), scenario.id
        assert set(echo.defaulted) <= set(echo.origins) <= set(echo.resolved), scenario.id


def test_a_bad_verdict_has_an_error_and_a_good_one_none() -> None:
    order = {"error": 0, "warning": 1, "info": 2}
    for scenario, ledger in answers():
        severities = [order[finding.severity] for finding in ledger.findings]
        assert severities == sorted(severities), scenario.id
        bad = ledger.verdict.status in (Status.DOES_NOT_FIT, Status.REFUSES)
        codes = [finding.code for finding in ledger.findings if finding.severity == "error"]
        assert bool(codes) == bad, (scenario.id, ledger.verdict, codes)
