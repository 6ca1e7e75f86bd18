"""A whole file of start-up logs against predictions: what was resolved, how far off, by subset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from workbench.core.accuracy import Pair, Refusals, Start, Summary, by_field, refusals_of
from workbench.intake import llamacpp_log, sglang_log, trtllm_log
from workbench.intake.aliases import Aliases
from workbench.intake.catalogue import Catalogue
from workbench.intake.compare_log import Comparison, Predict, compare
from workbench.intake.engine_logs import Fault, LogRecord, left_out
from workbench.intake.resolve import Question, resolve

FIELDS: Final = (
    "weights_gib",
    "activation_peak_gib",
    "non_torch_gib",
    "kv_available_gib",
    "kv_tokens_from_pool",
    "max_concurrency_x",
)
"""Fields that every report has, whether anything was compared or not."""
ERAS: Final = ("v0", "0.8-0.9", "0.10-0.16", "0.17-0.19", "0.20+")
ATTENTIONS: Final = ("uniform", "windowed", "hybrid")
CAMPAIGN_PREFIX: Final = "llmd"
"""Ids that start so are one campaign on one host (`logs/README.md`)."""

Wanted = Callable[["Case"], bool]


@dataclass(frozen=True, slots=True)
class Reader:
    """How the logs of one engine become questions, and what these are compared on."""

    resolve: Callable[[LogRecord, Catalogue, Aliases | None], Question | Fault]
    compare: Callable[[Question, Predict], Comparison]


READERS: Final[Mapping[str, Reader]] = {
    "vllm": Reader(resolve, compare),
    "sglang": Reader(sglang_log.resolve, sglang_log.compare),
    "tensorrt-llm": Reader(trtllm_log.resolve, trtllm_log.compare),
    "llama.cpp": Reader(llamacpp_log.resolve, llamacpp_log.compare),
    # A fork: its releases are its own, so that they are left open.
    "ik_llama.cpp": Reader(llamacpp_log.resolve, llamacpp_log.compare),
}
"""Readers by the name that a file of logs gives the engine."""


@dataclass(frozen=True, slots=True)
class Case:
    """A record with its question and what came of it."""

    question: Question
    comparison: Comparison

    @property
    def is_campaign(self) -> bool:
        """Whether it belongs to the big campaign."""
        return self.question.record.id.startswith(CAMPAIGN_PREFIX)


@dataclass(frozen=True, slots=True)
class Subset:
    """Statistics of some of the cases."""

    fields: Mapping[str, Summary]
    refusals: Refusals
    refusals_from_pool: Refusals


@dataclass(frozen=True, slots=True)
class Report:
    """What a file of logs says of the predictions."""

    cases: int
    excluded: int
    resolved: int
    unresolved: tuple[tuple[str, Fault], ...]
    pairs: tuple[Pair, ...]
    extrapolated_pairs: tuple[Pair, ...]
    whole: Subset
    extrapolated: Mapping[str, Summary]
    complete: Subset
    complete_campaign: Subset
    complete_others: Subset
    campaign: Subset
    others: Subset
    by: Mapping[str, Subset]
    complete_by: Mapping[str, Subset] = field(default_factory=dict)


def report_of(
    records: Iterable[LogRecord],
    catalogue: Catalogue,
    aliases: Aliases | None,
    predict: Predict,
) -> Report:
    """Resolve every record, predict it, and count."""
    cases: list[Case] = []
    unresolved: list[tuple[str, Fault]] = []
    counted = excluded = resolved = 0
    for record in records:
        started, refused = record.started, record.record == "refused-start"
        if not (started or refused):
            continue
        if record.fault is None and left_out(record) is not None:
            excluded += started
            continue
        counted += started
        outcome = _case(record, catalogue, aliases, predict)
        if isinstance(outcome, Case):
            cases.append(outcome)
            resolved += started
        elif started:
            unresolved.append((record.id, outcome))
    return _report(cases, tuple(unresolved), counted, excluded, resolved)


def _case(
    record: LogRecord, catalogue: Catalogue, aliases: Aliases | None, predict: Predict
) -> Case | Fault:
    """Return the case of a record, or why nothing in it can be compared."""
    reader = READERS.get(record.engine.lower())
    if record.fault is not None:
        return record.fault
    if reader is None:
        return Fault("engine_not_modelled", record.engine)
    question = reader.resolve(record, catalogue, aliases)
    if isinstance(question, Fault):
        return question
    comparison = reader.compare(question, predict)
    refusal = comparison.end_to_end or comparison.from_pool
    if record.started and not comparison.pairs and not comparison.extrapolated:
        return _nothing_compared(question)
    if not record.started and refusal is None:
        return _nothing_compared(question)
    return Case(question, comparison)


def _nothing_compared(question: Question) -> Fault:
    """Say which input is missing, the one that most hangs on first."""
    if not question.release_known:
        return Fault("release_open", question.record.release or "")
    if not question.draft_known:
        return Fault("draft_unknown", str(question.record.flag("spec_decode"))[:80])
    if not question.weights_known:
        return Fault("weight_format_open", question.record.weight_format or "")
    if not question.budget_known:
        return Fault("budget_not_stated")
    return Fault("nothing_printed")


def _report(
    cases: list[Case],
    unresolved: tuple[tuple[str, Fault], ...],
    counted: int,
    excluded: int,
    resolved: int,
) -> Report:
    def subset(wanted: Wanted) -> Subset:
        return _subset([case for case in cases if wanted(case)])

    def complete(wanted: Wanted) -> Subset:
        return subset(lambda case: case.question.complete and wanted(case))

    spans: dict[str, Wanted] = {
        **{era: _of_era(era) for era in ERAS},
        **{kind: _of_attention(kind) for kind in ATTENTIONS},
    }
    started = [case for case in cases if case.question.record.started]
    extrapolated = tuple(pair for case in started for pair in case.comparison.extrapolated)
    return Report(
        cases=counted,
        excluded=excluded,
        resolved=resolved,
        unresolved=unresolved,
        pairs=_pairs(cases),
        extrapolated_pairs=extrapolated,
        whole=subset(lambda case: True),
        extrapolated=by_field(extrapolated),
        complete=complete(lambda case: True),
        complete_campaign=complete(lambda case: case.is_campaign),
        complete_others=complete(lambda case: not case.is_campaign),
        campaign=subset(lambda case: case.is_campaign),
        others=subset(lambda case: not case.is_campaign),
        by={name: subset(wanted) for name, wanted in spans.items()},
        complete_by={name: complete(wanted) for name, wanted in spans.items()},
    )


def _of_era(era: str) -> Wanted:
    return lambda case: case.question.era == era


def _of_attention(kind: str) -> Wanted:
    return lambda case: case.question.attention == kind


def _pairs(cases: list[Case]) -> tuple[Pair, ...]:
    """The pairs of starts; what a refused one printed belongs to the refusals."""
    return tuple(
        pair for case in cases if case.question.record.started for pair in case.comparison.pairs
    )


def _subset(cases: list[Case]) -> Subset:
    def starts(one: Callable[[Comparison], Start | None]) -> list[Start]:
        found = (one(case.comparison) for case in cases)
        return [start for start in found if start is not None]

    return Subset(
        fields=by_field(_pairs(cases)),
        refusals=refusals_of(starts(lambda comparison: comparison.end_to_end)),
        refusals_from_pool=refusals_of(starts(lambda comparison: comparison.from_pool)),
    )
