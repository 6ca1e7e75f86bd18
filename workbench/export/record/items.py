"""The seven items of a capacity record and what stands with them, each with its evidence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from workbench.charts.scale import sized_fixed
from workbench.core.admission import admission_of
from workbench.core.assumed import Unsure, unsure
from workbench.core.evidence import figure_evidence
from workbench.export.cells import MISSING
from workbench.export.ledger_json import plain_number
from workbench.export.ledger_rows import size_unit
from workbench.export.options import Language
from workbench.export.safe_text import safe_line
from workbench.export.table import Cell, Row
from workbench.export.wording import assumption_name, assumption_text
from workbench.spec import units, words
from workbench.spec.layers import LatentAttention, ParallelMixer
from workbench.spec.ledger import Entry, Evidence, Ledger, RankLedger, Status
from workbench.spec.model import LayerRun
from workbench.spec.scenario import PresetRef, Scenario
from workbench.spec.units import ByteUnit
from workbench.spec.words.record import RECORD_ITEMS, RECORD_VALUES

NAME_CHARACTERS: Final = 200
SEVEN: Final = (
    *("structure", "precision", "context_limit", "target"),
    *("per_token", "entries", "budget", "total", "reserve"),
)
"""Codes of the seven items; the total is told in three lines."""
_ENGINES: Final = {
    "vllm": "vLLM",
    "sglang": "SGLang",
    "llamacpp": "llama.cpp",
    "lmdeploy": "LMDeploy",
    "trtllm": "TensorRT-LLM",
}


class Says:
    """Says the values of one scenario in a language."""

    def __init__(self, language: Language, unit: ByteUnit) -> None:
        self.language = language
        self.unit = unit
        self.large = size_unit(unit)
        """Of sizes below each other."""

    def value(self, code: str, **params: object) -> str:
        """Say a value."""
        return words.fill(self.language.words(RECORD_VALUES[code]), params)

    def name(self, text: str) -> str:
        """Say the name of a preset: a built-in one that describes what it is, in the language."""
        return words.preset_name(safe_line(text, NAME_CHARACTERS), self.language.words)

    def joined(self, code: str, texts: Iterable[str]) -> str:
        """Say several texts one after the other."""
        template = self.language.words(RECORD_VALUES[code])
        return template.removeprefix("{one}").removesuffix("{two}").join(texts)

    def size(self, size_bytes: int) -> Cell:
        """Say bytes exactly and in a large unit."""
        exact = units.group_digits(size_bytes)
        shown = units.show_bytes(size_bytes, self.unit)
        if shown == f"{exact} B":
            return Cell(shown, size_bytes, "bytes")
        return Cell(self.value("bytes", size=exact, shown=shown), size_bytes, "bytes")

    def rounded(self, size_bytes: int) -> Cell:
        """Say bytes in the unit of those above and below."""
        return Cell(sized_fixed(size_bytes, self.large), size_bytes, "bytes")

    def row(self, code: str, cell: Cell | str, evidence: Evidence | None) -> Row:
        """Return an item, its value, and how sure it is."""
        shown = Cell(cell) if isinstance(cell, str) else cell
        sure = "" if evidence is None else self.language.words(words.EVIDENCE[evidence.value])
        name = self.language.words(RECORD_ITEMS[code])
        return Row((Cell(name, look="strong"), shown, Cell(sure, look="muted")), code)


def item_rows(scenario: Scenario, ledger: Ledger, says: Says) -> Iterator[Row]:
    """Return what is planned: model, cards, engine, the seven items, what follows an excess."""
    given, rank, echo = Evidence.GIVEN, ledger.worst_rank, ledger.scenario

    def sure(name: str) -> Evidence:
        return figure_evidence(scenario, ledger, name)

    model = _preset(scenario.model, scenario.model_ref, scenario.model_is_edited, says)
    yield says.row("model", model, given)
    reference = scenario.gpu_set_ref or scenario.gpu_ref
    card = _preset(scenario.gpu, reference, scenario.gpu_is_edited, says)
    yield says.row("card", says.value("cards", count=echo.gpus, name=card), given)
    name = _ENGINES.get(echo.engine) or says.value("plain")
    engine = says.value("engine", name=name, release=echo.release, rules=echo.rules)
    yield says.row("engine", safe_line(engine), given)
    yield says.row("structure", _structure(scenario, says), given)
    yield says.row("precision", _precision(scenario, says), given)
    yield says.row("context_limit", *_context(ledger, says))
    yield says.row("target", _target(scenario, says), given)
    per_token = sure("kv_bytes_per_token") if ledger.pool else None
    yield says.row("per_token", _per_token(ledger, says), per_token)
    yield says.row("entries", says.size(rank.charged_bytes), sure("used"))
    yield says.row("budget", says.size(rank.budget_bytes), sure("budget"))
    yield says.row("total", says.size(rank.total_bytes), sure("total"))
    yield says.row("reserve", _reserve(scenario, rank, says), sure("headroom"))
    yield says.row("exceeded", exceeded_text(scenario, ledger, says), sure("most_requests"))


def _preset(copy: Any, reference: PresetRef | None, edited: bool, says: Says) -> str:
    name = says.name(copy.name)
    if reference is None:
        return says.value("own", name=name)
    return says.value("edited" if edited else "preset", name=name, reference=str(reference))


def _structure(scenario: Scenario, says: Says) -> str:
    runs: dict[str, int] = {}
    for run in scenario.model.layers:
        text = _run(run, says)
        runs[text] = runs.get(text, 0) + run.count
    total = says.value("layers", count=scenario.model.layer_count, runs="{runs}")
    listed = says.joined("listed", (text.replace("{count}", str(n)) for text, n in runs.items()))
    return total.replace("{runs}", listed)


def _run(run: LayerRun, says: Says) -> str:
    """Say a kind of layer, its number left open."""
    kind = says.language.words(words.PRESET_CHOICES.get(run.mixer.kind, run.mixer.kind))
    mixer: Any = run.mixer.attention if isinstance(run.mixer, ParallelMixer) else run.mixer
    code, params = "run", {"count": "{count}", "kind": kind}
    if isinstance(mixer, LatentAttention):
        code = "run_latent"
        params |= {n: str(getattr(mixer, n)) for n in ("kv_lora_rank", "qk_rope_head_dim")}
    elif hasattr(mixer, "kv_heads"):
        code = "run_heads"
        params |= {n: str(getattr(mixer, n)) for n in ("kv_heads", "head_dim")}
    text = says.value(code, **params)
    window = getattr(mixer, "window_tokens", None) or getattr(mixer, "chunk_tokens", None)
    return text if window is None else says.value("window", run=text, window_tokens=window)


def _precision(scenario: Scenario, says: Says) -> str:
    precision = scenario.precision
    return safe_line(
        says.value(
            "precision",
            weights=says.name(precision.weights.name),
            kv=says.name(precision.kv.name),
            activations=precision.activation_dtype,
        )
    )


def _context(ledger: Ledger, says: Says) -> tuple[Cell, Evidence | None]:
    limit = ledger.scenario.resolved.get("max_model_len")
    tokens = None if ledger.request is None else ledger.request.tokens
    if isinstance(limit, int):
        return Cell(
            says.value("context_limit", limit_tokens=limit, planned_tokens=tokens)
        ), Evidence.GIVEN
    if tokens is None:
        return Cell(says.value("not_worked_out")), None
    return Cell(says.value("context", planned_tokens=tokens)), Evidence.GIVEN


def _target(scenario: Scenario, says: Says) -> Cell:
    asked = scenario.workload.concurrency
    if asked is None:
        return Cell(says.value("no_target"))
    return Cell(says.value("target", count=asked), asked, "count")


def _per_token(ledger: Ledger, says: Says) -> Cell:
    value = None if ledger.pool is None else plain_number(ledger.pool.kv_bytes_per_token)
    if value is None:
        return Cell(says.value("not_worked_out"))
    return Cell(says.value("bytes_per_token", size=units.show_number(value)), value, "bytes")


def _reserve(scenario: Scenario, rank: RankLedger, says: Says) -> Cell:
    """Say the headroom that was asked for, and how much of it is left where that is less."""
    asked = scenario.reserves.asked_bytes(rank.total_bytes, rank.place)
    cell = says.size(asked)
    if rank.headroom_bytes == asked:
        return cell
    text = says.value("reserve_short", reserve=cell.text, kept_bytes=rank.headroom_bytes)
    return replace(cell, text=text)


def weakest(rank: RankLedger) -> Evidence:
    """Return the least sure evidence among the entries that the answer rests on."""
    found = {entry.evidence for entry in rank.entries if entry.in_budget}
    order = (Evidence.ASSUMED, Evidence.FITTED, Evidence.MEASURED, Evidence.COMPUTED)
    return next((one for one in order if one in found), Evidence.GIVEN)


def exceeded_text(scenario: Scenario, ledger: Ledger, says: Says) -> str:
    """Say what the engine does when more is asked than the plan holds, as far as is modelled."""
    if ledger.verdict.status is Status.REFUSES:
        verdict = words.verdict_text(ledger, says.language.words)
        return safe_line(says.value("refuses", verdict=verdict))
    said = []
    if ledger.most_requests is not None and ledger.request is not None:
        most, tokens = ledger.most_requests, ledger.request.tokens
        said.append(says.value("most", most=most, context_tokens=tokens))
    admission = admission_of(scenario, ledger)
    if admission is None:
        plain = scenario.engine.kind == "plain"
        said.append(says.value("no_scheduler" if plain else "scheduler_open"))
    else:
        together = admission.admitted_together
        said.append(says.value("admits", blocks=admission.needed_blocks, together=together))
        grown = admission.growth_blocks
        code = "grows" if grown else "no_growth"
        if scenario.workload.outputs is None:
            code = "outputs_open"
        said.append(says.value(code, blocks=grown))
    return says.joined("sentences", said)


def capacity_rows(scenario: Scenario, ledger: Ledger, says: Says) -> Iterator[Row]:
    """Return the three capacity figures, each under its own name."""

    def row(code: str, cell: Cell | None) -> Row:
        if cell is None:
            return says.row(code, Cell(says.value("not_worked_out"), look="muted"), None)
        return says.row(code, cell, figure_evidence(scenario, ledger, code))

    log, steady = ledger.capacity.engine_log, ledger.capacity.steady_state
    risk, most = ledger.capacity.at_risk, ledger.most_requests
    yield row("most_requests", None if most is None else _requests(most, says))
    logged = None
    if log is not None:
        count = units.show_number(log.concurrency)
        tokens = units.group_digits(log.tokens_per_request)
        text = says.value("engine_log", count=count, tokens=tokens)
        logged = Cell(text, log.concurrency, "ratio")
    yield row("engine_log", logged)
    for name in ("mean", "p95", "p99"):
        held = None if steady is None else _requests(getattr(steady, name), says)
        yield row(f"steady_{name}", held)
    risky = None
    if risk is not None:
        text = says.value("at_risk", count=risk.concurrency, risk_share=risk.probability)
        risky = Cell(text, risk.concurrency, "count")
    yield row("at_risk", risky)


def assumption_rows(ledger: Ledger, says: Says) -> Iterator[Row]:
    """Return what the answer takes from rules of thumb and from fits, each with its band."""
    for evidence in (Evidence.ASSUMED, Evidence.FITTED):
        for item in unsure(ledger.worst_rank, evidence):
            name = Cell(assumption_name(*item.key, says.language), look="strong")
            band = MISSING if item.term else _band(item.entry, says)
            sure = Cell(says.language.words(words.EVIDENCE[evidence.value]), look="muted")
            yield Row((name, _assumed(item, says), band, sure))


def _assumed(item: Unsure, says: Says) -> Cell:
    term = item.term
    if term is None:
        return says.rounded(item.entry.bytes)
    if term.unit == "bytes" and not isinstance(term.value, str):
        return says.rounded(int(term.value))
    return Cell(safe_line(assumption_text(term, says.unit)))


def _band(entry: Entry, says: Says) -> Cell:
    low, high = entry.low_bytes, entry.high_bytes
    if low is None and high is None:
        return MISSING
    code = "at_most" if low is None else "at_least" if high is None else "band"
    ends = {"low_bytes": low, "high_bytes": high}
    shown = {name: says.rounded(size).text for name, size in ends.items() if size is not None}
    return Cell(says.value(code, **shown))


def _requests(count: int, says: Says) -> Cell:
    return Cell(says.value("requests", count=count), count, "count")
