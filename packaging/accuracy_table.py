"""Writes the accuracy section's table of README.md from measured logs, as `kvw accuracy` counts.

Run it as `python packaging/accuracy_table.py LOGS.json [--aliases FILE] [--readme README.md]`.
The table stands between two markers; nothing else of the file is touched. The figures of peers
are not measured here: they are those of the survey that the engine rules were specified from.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent)]

from workbench.cli.accuracy import report_on  # noqa: E402
from workbench.cli.accuracy_text import percent, refusal_text  # noqa: E402
from workbench.core.accuracy import Summary  # noqa: E402
from workbench.intake.accuracy_report import Report, Subset  # noqa: E402

BEGIN = "<!-- accuracy:begin -->"
END = "<!-- accuracy:end -->"

Column = Callable[[Summary], str]


def main() -> None:
    """Compare, and write the table."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("logs", type=Path)
    options.add_argument("--aliases", type=Path)
    options.add_argument("--readme", type=Path, default=HERE.parent / "README.md")
    chosen = options.parse_args()
    text = chosen.readme.read_text(encoding="utf-8")
    table = "\n".join(lines(report_on(chosen.logs, chosen.aliases)))
    chosen.readme.write_text(replaced(text, table), encoding="utf-8")


def replaced(text: str, table: str) -> str:
    """Put a table between the markers of a text."""
    before, begin, rest = text.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"no {BEGIN} … {END} in the file")
    return f"{before}{BEGIN}\n{table}\n{END}{after}"


def lines(report: Report) -> Iterator[str]:
    """Lines of the table, each figure with the number of starts behind it."""
    share = 100 * report.resolved / report.cases if report.cases else 0
    yield (
        f"{report.resolved} of {report.cases} public vLLM start-up logs resolved ({share:.0f} %); "
        f"{report.excluded} more have odd figures, memory shared with the host or a given pool."
    )
    yield ""
    yield "| figure | starts | n | median | P90 | within |"
    yield "|---|---|---|---|---|---|"
    complete, by = report.complete, report.complete_by
    tokens = "kv_tokens_from_pool"
    rows: tuple[tuple[str, str, Subset, str, Column], ...] = (
        ("weights", "complete inputs", complete, "weights_gib", _exact),
        ("activation peak", "0.17–0.19", by["0.17-0.19"], "activation_peak_gib", _close),
        ("activation peak", "0.10–0.16", by["0.10-0.16"], "activation_peak_gib", _close),
        ("activation peak", "V0", by["v0"], "activation_peak_gib", _close),
        ("activation peak", "0.20 and later", by["0.20+"], "activation_peak_gib", _in_band),
        ("non-torch", "one campaign", report.complete_campaign, "non_torch_gib", _off),
        ("non-torch", "elsewhere", report.complete_others, "non_torch_gib", _off),
        ("CUDA graphs", "complete inputs", complete, "cudagraph_gib", _in_band),
        ("KV pool from flags", "one campaign", report.complete_campaign, "kv_available_gib", _near),
        ("KV pool from flags", "elsewhere", report.complete_others, "kv_available_gib", _near),
        ("concurrency from flags", "complete inputs", complete, "max_concurrency_x", _near),
        ("KV tokens from the pool", "complete inputs", complete, tokens, _exact),
        ("KV tokens from the pool", "uniform", report.by["uniform"], tokens, _exact),
        (
            "KV tokens from the pool",
            "windowed",
            report.by["windowed"],
            "kv_tokens_from_pool",
            _exact,
        ),
        ("KV tokens from the pool", "hybrid", report.by["hybrid"], tokens, _exact),
    )
    for figure, starts, subset, field, within in rows:
        summary = subset.fields.get(field)
        if summary is not None:
            yield _row(figure, starts, summary, within(summary))
    extrapolated = report.extrapolated.get("kv_available_gib")
    if extrapolated is not None:
        starts = "0.20 and later, extrapolated"
        yield _row("KV pool from flags", starts, extrapolated, _near(extrapolated))
    yield ""
    yield f"Refusals from the flags alone: {refusal_text(report.whole.refusals)}."
    yield f"From the printed pool: {refusal_text(report.whole.refusals_from_pool)}."


def _row(figure: str, starts: str, summary: Summary, within: str) -> str:
    median, p90 = percent(summary.median_abs_pct), percent(summary.p90_abs_pct)
    return f"| {figure} | {starts} | {summary.n} | {median} | {p90} | {within} |"


def _exact(summary: Summary) -> str:
    return f"{_share(summary.within_log_rounding, summary.n)} to the log's last digit"


def _close(summary: Summary) -> str:
    return f"{_share(summary.within_0_05, summary.n)} within 0.05 GiB"


def _in_band(summary: Summary) -> str:
    return f"{_share(summary.inside_band or 0, summary.with_band)} inside the band"


def _near(summary: Summary) -> str:
    return f"{_share(summary.within_10_pct, summary.n)} within 10 %"


def _off(summary: Summary) -> str:
    return f"median {summary.median_abs:.2f}, P90 {summary.p90_abs:.2f} GiB off"


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.0f} %" if whole else "none"


if __name__ == "__main__":
    main()
