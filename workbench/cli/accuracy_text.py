"""A report of accuracy as text for a terminal, and the sentences of what was not compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from workbench.core.accuracy import Refusals, Summary
from workbench.intake.accuracy_report import Report, Subset
from workbench.intake.engine_logs import Fault
from workbench.spec.words import visible

FAULTS: Final[Mapping[str, str]] = {
    "not_an_object": "the record is no object",
    "unreadable": "{detail} cannot be read",
    "engine_not_modelled": "logs of {detail} are not compared yet",
    "model_not_stated": "the model is not stated",
    "model_is_prose": "“{detail}” describes a model and names none",
    "model_not_certain": "which model “{detail}” is, is not certain",
    "model_not_in_library": "no preset for “{detail}”",
    "deployment_not_stated": "tensor parallelism over {detail} cards is not stated",
    "kv_format_unknown": "the KV type “{detail}” is not known",
    "release_open": "the release is open (“{detail}”) and what was printed hangs on it",
    "draft_unknown": "the draft model “{detail}” is not known",
    "weight_format_open": "the weight format is not certain (“{detail}”)",
    "budget_not_stated": "utilisation or card are not stated",
    "nothing_printed": "nothing that is predicted was printed",
    "geometry_not_printed": "of the model's geometry {detail} is missing",
    "context_not_stated": "the context is not stated",
    "cache_not_known": "which layers of “{detail}” keep a window is not known",
}
REASONS: Final[Mapping[str, str]] = {
    "not_an_object": "record is no object",
    "unreadable": "a value cannot be read",
    "engine_not_modelled": "engine not compared yet",
    "model_not_stated": "model not stated",
    "model_is_prose": "model described, not named",
    "model_not_certain": "model not certain",
    "model_not_in_library": "no preset for the model",
    "deployment_not_stated": "tensor parallelism not stated",
    "kv_format_unknown": "KV type not known",
    "geometry_not_printed": "geometry not printed",
    "context_not_stated": "context not stated",
    "cache_not_known": "layers with windows not known",
    "release_open": "release open and needed",
    "draft_unknown": "draft model not known",
    "weight_format_open": "weight format not certain",
    "budget_not_stated": "utilisation or card not stated",
    "nothing_printed": "nothing predicted was printed",
}
_LONGEST_DETAIL: Final = 80

LABELS: Final[Mapping[str, str]] = {
    "weights_gib": "weights",
    "activation_peak_gib": "activation peak",
    "non_torch_gib": "non-torch memory",
    "cudagraph_gib": "CUDA graphs",
    "cudagraph_estimated_gib": "CUDA graphs, estimate",
    "kv_available_gib": "KV pool, end to end",
    "kv_tokens": "KV tokens, end to end",
    "max_concurrency_x": "concurrency, end to end",
    "kv_tokens_from_pool": "KV tokens from the printed pool",
    "n_gpu_blocks_from_pool": "blocks from the printed pool",
    "max_concurrency_x_from_pool": "concurrency from the printed pool",
    "max_seq_len_from_pool": "longest sequence from the printed pool",
    "temporary_kv_tokens": "tokens of the temporary pool",
}


def fault_text(fault: Fault) -> str:
    """Say in a few words why a record was not compared."""
    detail = fault.detail if len(fault.detail) <= _LONGEST_DETAIL else f"{fault.detail[:79]}…"
    return visible(FAULTS[fault.code].format(detail=detail or "not stated"))


def print_report(console: Console, report: Report) -> None:
    """Print the share resolved, figures by field and subset, refusals, and what is missing."""
    share = f" ({100 * report.resolved / report.cases:.0f} %)" if report.cases else ""
    line = f"{report.resolved} of {report.cases} start-up logs resolved{share}"
    console.print(Text(line, style="bold"))
    console.print(Text(f"{report.excluded} more left out: odd figures, shared memory, given pools"))
    for title, fields in tables(report):
        if fields:
            console.print(_table(title, fields))
    for title, subset in (("all", report.whole), ("complete inputs", report.complete)):
        for line in _refusal_lines(title, subset):
            console.print(Text(line), soft_wrap=True)
    if report.unresolved:
        console.print(Text("Not compared, by reason:"))
        counts = Counter(fault.code for _, fault in report.unresolved)
        for code, count in counts.most_common():
            console.print(Text(f"  {count:>4}  {REASONS[code]}"))


def tables(report: Report) -> Iterator[tuple[str, Mapping[str, Summary]]]:
    """The tables of a report: what each is about, and its figures by field."""
    yield "All resolved", report.whole.fields
    yield "Complete inputs", report.complete.fields
    yield "Complete inputs, the campaign on one host", report.complete_campaign.fields
    yield "Complete inputs, all others", report.complete_others.fields
    for name, subset in report.by.items():
        yield f"All resolved, {name}", subset.fields
    yield "Extrapolated: no fitted activation model", report.extrapolated


def _table(title: str, fields: Mapping[str, Summary]) -> Table:
    table = Table(box=box.SIMPLE_HEAD, title=title, title_justify="left", pad_edge=False)
    table.add_column("figure", overflow="fold")
    for heading in ("n", "median", "P90", "most", "P90 off", "exact to log", "in band"):
        table.add_column(heading, justify="right", no_wrap=True)
    for name, summary in fields.items():
        table.add_row(*row(name, summary))
    return table


def row(name: str, summary: Summary) -> tuple[str, ...]:
    """One line of a table: a field's figures as texts."""
    unit = " GiB" if name.endswith("_gib") else ""
    off = "" if summary.p90_abs is None or not unit else f"{summary.p90_abs:.2f}{unit}"
    band = "" if summary.inside_band is None else f"{summary.inside_band}/{summary.with_band}"
    return (
        LABELS.get(name, name),
        str(summary.n),
        percent(summary.median_abs_pct),
        percent(summary.p90_abs_pct),
        percent(summary.max_abs_pct),
        off,
        f"{summary.within_log_rounding}/{summary.n}",
        band,
    )


def percent(value: float | None) -> str:
    """Print a percentage with the decimals that its size deserves."""
    if value is None:
        return ""
    return f"{value:.0f} %" if value >= 100 else f"{value:.2f} %"


def _refusal_lines(title: str, subset: Subset) -> Iterator[str]:
    for how, refusals in (
        ("end to end", subset.refusals),
        ("from the printed pool", subset.refusals_from_pool),
    ):
        if refusals.n or refusals.starts:
            yield f"Refusals, {title}, {how}: {refusal_text(refusals)}"


def refusal_text(refusals: Refusals) -> str:
    """Say how many refusals were foreseen and how many alarms were false."""
    right = refusals.right_share
    share = "" if right is None else f", {100 * right:.0f} % right"
    return (
        f"{refusals.predicted} of {refusals.n} foreseen, {refusals.false_alarms} false alarms "
        f"in {refusals.starts} good starts{share}"
    )
