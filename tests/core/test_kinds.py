"""Kinds: whole numbers where bytes and tokens stand, formulas that give their figure, words."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from enum import Enum
from fractions import Fraction
from functools import cache

import pytest
from pydantic import ValidationError

from tests.core.formulas import all_terms, computed_terms, evaluate
from tests.core.test_differential import _scenario
from workbench.core.budget import budget
from workbench.spec import words
from workbench.spec.deployment import Deployment
from workbench.spec.engine import PlainEngine
from workbench.spec.fields import FIELDS
from workbench.spec.formats import KvFormat, Precision, WeightFormat
from workbench.spec.ledger import Entry, Evidence, Finding, Ledger, RankLedger, Source, Term
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import Scenario
from workbench.spec.workload import ConstantLength, Workload

SIXTEEN_BITS = Precision(
    weights=WeightFormat(id="bf16", name="bf16", bits=16),
    kv=KvFormat(id="bf16", name="bf16", k_bits=16, v_bits=16),
)

COUNT = 700
FLOATS_MAY_STAND_AT = {
    "capacity.engine_log.concurrency",  # the engine itself prints a float
    "capacity.at_risk.probability",
    "pool.tokens_per_mib",
}


@cache
def answers() -> tuple[tuple[Scenario, Ledger], ...]:
    scenarios = [_scenario(seed) for seed in range(COUNT)]
    return tuple((scenario, budget(scenario)) for scenario in scenarios)


def different_ranks(ledger: Ledger) -> list[RankLedger]:
    """One rank of each stage: tests elsewhere show that the others are the same."""
    return list({rank.stage: rank for rank in ledger.ranks}.values())


def entries() -> Iterator[Entry]:
    for _, ledger in answers():
        for rank in different_ranks(ledger):
            yield from rank.entries


def walk(value: object) -> list[tuple[str, object]]:
    """Every leaf of a result with its path; places in a tuple do not count.

    What stands at one path more than once, as the entries of ranks that are alike, is told once.
    """
    leaves: list[tuple[str, object]] = []
    _walk(value, "", leaves, set())
    return leaves


def _walk(
    value: object, path: str, leaves: list[tuple[str, object]], seen: set[tuple[int, str]]
) -> None:
    kind, names = _parts(type(value))
    if kind == "leaf":
        leaves.append((path, value))
        return
    if (id(value), path) in seen:
        return
    seen.add((id(value), path))
    if kind == "dataclass":
        start = f"{path}." if path else ""
        for name in names:
            _walk(getattr(value, name), start + name, leaves, seen)
    elif kind == "mapping":
        for key, inner in value.items():
            _walk(inner, f"{path}.{key}", leaves, seen)
    else:
        for inner in value:
            _walk(inner, path, leaves, seen)


@cache
def _parts(kind: type) -> tuple[str, tuple[str, ...]]:
    """How values of a type are walked, and the fields of a dataclass."""
    if dataclasses.is_dataclass(kind):
        return "dataclass", tuple(field.name for field in dataclasses.fields(kind))
    if issubclass(kind, Mapping):
        return "mapping", ()
    return ("sequence" if issubclass(kind, tuple | list) else "leaf"), ()


def test_every_leaf_is_a_plain_value() -> None:
    allowed = (str, int, float, Fraction, bool, Enum, type(None))
    for scenario, ledger in answers():
        for path, value in walk(dataclasses.replace(ledger, ranks=tuple(different_ranks(ledger)))):
            assert type(value).__module__.partition(".")[0] != "numpy", (path, value)
            assert isinstance(value, allowed), (path, type(value), scenario.id)


def test_no_float_where_bytes_tokens_blocks_or_requests_stand() -> None:
    for _, ledger in answers():
        for path, value in walk(dataclasses.replace(ledger, ranks=(), findings=())):
            if isinstance(value, float):
                share = path.startswith("scenario.resolved.")
                assert share or path in FLOATS_MAY_STAND_AT, (path, value)
        for rank in different_ranks(ledger):
            bare = dataclasses.replace(rank, entries=())
            sizes = {path: value for path, value in walk(bare) if path != "place"}
            assert all(type(value) is int for value in sizes.values()), rank
            for entry in rank.entries:
                sizes = (entry.bytes, entry.low_bytes, entry.high_bytes)
                assert all(size is None or type(size) is int for size in sizes), entry
                for term in all_terms(entry.formula):
                    is_share = term.unit in ("share", "ratio")
                    assert is_share or not isinstance(term.value, float), term
        for finding in ledger.findings:
            for name, value in finding.params.items():
                if name.endswith(("_bytes", "_tokens")):
                    assert value is None or type(value) is int, (finding.code, name, value)


def test_whole_figures_are_whole_numbers_and_not_truth_values() -> None:
    for _, ledger in answers():
        if ledger.pool is not None:
            pool = ledger.pool
            sizes = (pool.bytes, pool.blocks, pool.bytes_per_block, pool.block_tokens, pool.tokens)
            assert all(type(size) is int for size in sizes), pool
            assert type(pool.kv_bytes_per_token) is int, pool
        steady = ledger.capacity.steady_state
        if steady is not None:
            assert all(type(n) is int for n in dataclasses.astuple(steady)), steady


def test_every_formula_gives_its_entry() -> None:
    for scenario, ledger in answers():
        for rank in different_ranks(ledger):
            for entry in rank.entries:
                where = (scenario.name, ledger.verdict.status, rank.rank, entry.label)
                assert evaluate(entry.formula) == entry.bytes, (where, entry.formula)


def test_every_formula_inside_a_formula_gives_its_term() -> None:
    for entry in entries():
        for term in computed_terms(entry.formula):
            assert term.formula is not None
            assert evaluate(term.formula) == term.value, (entry.label, term)


def test_terms_are_used_and_have_source_and_evidence() -> None:
    for entry in entries():
        assert isinstance(entry.source, Source)
        assert isinstance(entry.evidence, Evidence)
        assert entry.formula.expression
        for term in all_terms(entry.formula):
            assert isinstance(term.source, Source), term
            assert isinstance(term.evidence, Evidence), term
            assert term.field is None or term.field in words.FIELDS, term
            if term.formula is not None:
                assert term.evidence is Evidence.COMPUTED, term


def test_bands_hold_the_figure() -> None:
    for entry in entries():
        if entry.low_bytes is not None:
            assert 0 <= entry.low_bytes <= entry.bytes, entry
        if entry.high_bytes is not None:
            assert entry.high_bytes >= entry.bytes, entry


def test_labels_are_unique_on_a_rank_and_kinds_in_stack_order() -> None:
    for _, ledger in answers():
        for rank in different_ranks(ledger):
            labels = [entry.label for entry in rank.entries]
            assert len(set(labels)) == len(labels), labels
            assert all(entry.bytes >= 0 for entry in rank.entries), rank


# --- words --------------------------------------------------------------------------------------


def test_every_code_of_a_ledger_has_its_sentence() -> None:
    sentences: list[str] = []
    for _, ledger in answers():
        sentences.append(words.verdict_text(ledger))
        sentences += [words.STATUS[ledger.verdict.status.value]]
        sentences += [words.BINDING[ledger.verdict.binding]]
        sentences += [words.NOT_MODELLED[code] for code in ledger.not_modelled]
        for finding in ledger.findings:
            sentences.append(words.finding_text(finding))
            sentences.append(words.fix_text(finding) or "no fix")
            assert finding.field is None or finding.field in words.FIELDS, finding
        for rank in different_ranks(ledger):
            for entry in rank.entries:
                sentences += [words.LABELS[entry.label], words.KINDS[entry.kind.value]]
                sentences += [words.EVIDENCE[entry.evidence.value]]
                sentences += [words.source_text(entry.source) or "empty source"]
                sentences += [words.formula_text(entry.formula, filled=filled) for filled in (0, 1)]
                sentences += [text for term in all_terms(entry.formula) for text in _words(term)]
    assert all(sentences), "an empty sentence"
    braces = {sentence for sentence in sentences if "{" in sentence or "}" in sentence}
    assert not braces, sorted(braces)[:3]
    assert not {s for s in sentences if "None" in s or "nan" in s.split() or "inf" in s.split()}


def _words(term: Term) -> Iterator[str]:
    yield words.term_text(term)
    yield words.value_text(term.value, term.unit)
    yield words.source_text(term.source)
    yield words.EVIDENCE[term.evidence.value]


def test_every_code_that_has_words_can_be_filled() -> None:
    for table in (words.LABELS, words.KINDS, words.SOURCES, words.SYMBOLS, words.REASONS):
        assert all(text.strip() for text in table.values())
    assert set(words.KINDS) >= {kind.value for kind in set(e.kind for e in entries())}


def test_symbols_are_words_or_names_of_tensors() -> None:
    for scenario, ledger in answers():
        tensors = {t.name for run in scenario.model.layers for t in run.tensors}
        tensors |= {tensor.name for tensor in scenario.model.tensors}
        for rank in different_ranks(ledger):
            for entry in rank.entries:
                for term in all_terms(entry.formula):
                    stem, _, number = term.symbol.rpartition("_")
                    known = term.symbol in words.SYMBOLS or (
                        stem in words.SYMBOLS and number.isdigit()
                    )
                    assert known or term.symbol in tensors, term


# --- fixes --------------------------------------------------------------------------------------


def fixes() -> list[tuple[Scenario, Finding]]:
    return [
        (scenario, finding)
        for scenario, ledger in answers()
        for finding in ledger.findings
        if finding.fix is not None
    ]


def test_every_fix_cures_its_finding() -> None:
    cured = set()
    for scenario, finding in fixes():
        assert finding.fix is not None
        field = FIELDS[finding.fix.field]
        better = field.write(scenario, finding.fix.value)
        assert isinstance(better, Scenario)
        assert field.read(better) == finding.fix.value, finding
        left = {other.code for other in budget(better).findings if other.severity != "info"}
        assert finding.code not in left, (finding, scenario.model_dump(exclude_defaults=True))
        cured.add(finding.code)
    assert len(cured) >= 3, cured


def test_errors_stand_first_and_a_refusal_has_its_error() -> None:
    order = {"error": 0, "warning": 1, "info": 2}
    for _, ledger in answers():
        severities = [order[finding.severity] for finding in ledger.findings]
        assert severities == sorted(severities)
        bad = ledger.verdict.status.value in ("does_not_fit", "refuses")
        assert (0 in severities) == bad, (ledger.verdict, ledger.findings)


@pytest.mark.parametrize("field_id", sorted(FIELDS))
def test_every_field_has_its_words(field_id: str) -> None:
    assert words.FIELDS[field_id]
    assert words.FIELD_HELP[field_id]


# --- names that people choose -------------------------------------------------------------------


def test_tensors_of_one_name_keep_their_own_bytes() -> None:
    scenario, layer = _scenario(0), {"heads": 2, "kv_heads": 1, "head_dim": 4, "kind": "full"}
    tensors = tuple({"name": "a", "shape": (rows, 3)} for rows in (2, 3))
    data = {"count": 2, "mixer": layer, "tensors": tensors}
    try:
        model = ModelSpec.model_validate({"id": "m", "name": "m", "layers": (data,)})
    except ValidationError:
        return  # names that repeat may be refused instead
    plain = scenario.with_(
        model=model, deployment=Deployment(), engine=PlainEngine(), precision=SIXTEEN_BITS
    )
    (weights,) = [e for e in budget(plain).ranks[0].entries if e.label == "weights"]
    assert weights.bytes == 2 * (12 + 18)
    assert evaluate(weights.formula) == weights.bytes
    for term in computed_terms(weights.formula):
        assert term.formula is not None
        assert evaluate(term.formula) == term.value


# --- refusals name the limit that is meant ------------------------------------------------------


@pytest.mark.parametrize(
    ("longest", "max_model_len", "model_limit", "code", "limit"),
    [
        (150, 20, 100, "context_beyond_model", 100),
        (150, None, 100, "context_beyond_model", 100),
        (150, 100, 200, "context_beyond_max_model_len", 100),
        (150, 100, None, "context_beyond_max_model_len", 100),
    ],
)
def test_a_request_too_long_names_the_limit(
    longest: int, max_model_len: int | None, model_limit: int | None, code: str, limit: int
) -> None:
    layer = {"count": 1, "mixer": {"heads": 1, "kv_heads": 1, "head_dim": 1, "kind": "full"}}
    model = {"id": "m", "name": "m", "layers": (layer,), "max_position_tokens": model_limit}
    scenario = _scenario(0).with_(
        model=ModelSpec.model_validate(model),
        deployment=Deployment(),
        engine=PlainEngine(max_model_len=max_model_len),
        workload=Workload(lengths=ConstantLength(tokens=longest)),
    )
    ledger = budget(scenario)
    assert ledger.verdict.refusal is not None
    assert ledger.verdict.refusal.category == "max_len_too_long"
    finding = ledger.findings[0]
    assert (finding.code, finding.params["limit_tokens"]) == (code, limit)
    assert (finding.fix is not None) == (code == "context_beyond_max_model_len")


def test_a_limit_beyond_the_model_is_warned_of_and_obeyed() -> None:
    """Positions can be extended (RoPE scaling): the person's own limit is the engine's."""
    layer = {"count": 1, "mixer": {"heads": 1, "kv_heads": 1, "head_dim": 1, "kind": "full"}}
    model = {"id": "m", "name": "m", "layers": (layer,), "max_position_tokens": 100}
    scenario = _scenario(0).with_(
        model=ModelSpec.model_validate(model),
        deployment=Deployment(),
        engine=PlainEngine(max_model_len=200),
        workload=Workload(lengths=ConstantLength(tokens=150)),
    )
    ledger = budget(scenario)
    assert ledger.verdict.refusal is None
    (finding,) = (f for f in ledger.findings if f.code == "max_model_len_beyond_model")
    assert finding.params["limit_tokens"] == 100
