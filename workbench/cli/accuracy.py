"""`kvw accuracy`: predictions against measured start-up logs, error by entry."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Literal, TypeVar

import typer

from workbench.cli.accuracy_text import fault_text, print_report
from workbench.cli.common import console, open_library, print_json
from workbench.core.accuracy import Pair, Refusals, Summary
from workbench.core.prediction import predict
from workbench.intake.accuracy_report import FIELDS, Report, Subset, report_of
from workbench.intake.aliases import read_aliases
from workbench.intake.engine_logs import read_records
from workbench.library import jsonfile
from workbench.library.engine_choice import engine_of
from workbench.library.engine_fits import vllm_fits
from workbench.library.engines import vllm_rules
from workbench.library.paths import shown
from workbench.library.presets import Kind, Library
from workbench.spec.engine import EngineProfile
from workbench.spec.errors import UserError
from workbench.spec.formats import KvFormat, WeightFormat
from workbench.spec.gpu import GpuSpec
from workbench.spec.model import ModelSpec
from workbench.spec.vllm_fits import VllmFits
from workbench.spec.vllm_rules import VllmRules

LIMIT_BYTES = 64 * 2**20
LOGS_EXAMPLE = """\
[{"id": "monday", "engine": "vllm", "release": "0.11.2", "model": "our-llama",
  "gpu": "our-card", "deployment": {"tp": 1},
  "flags": {"max_model_len": 8192, "max_num_seqs": 256,
            "gpu_memory_utilization": 0.9},
  "measured": {"weights_gib": 14.99, "activation_peak_gib": 1.22,
               "non_torch_gib": 0.25, "kv_available_gib": 54.9,
               "kv_tokens": 449712, "max_concurrency_x": 54.9}}]"""
NAMES_EXAMPLE = """\
{"models": {"our-llama": {"facts_id": "meta-llama/Llama-3.1-8B-Instruct",
                          "quant": "bf16"}},
 "gpus": {"our-card": {"gpu_id": "h100-sxm-80gb"}}}"""
EPILOG = f"""
LOGS.json is a list of objects, one for each start: what was started on what, and the figures that
its log printed, per GPU. Every key may be missing; further ones are core ("v0", "v1"),
weight_format, kv_dtype, gpu_total_gib, gpus, and pp, dp and ep of the deployment.

\b
{LOGS_EXAMPLE}

NAMES.json says what names of the logs mean where no preset answers to them: a Hugging Face id, a
weight format, a card. Its “records” says the same of one start, by its id.

\b
{NAMES_EXAMPLE}
"""

Wanted = TypeVar("Wanted")


def accuracy_verb(
    logs: Path = typer.Argument(
        ..., metavar="LOGS.json", help="Starts and the figures that they printed: below."
    ),
    aliases: Path | None = typer.Option(
        None,
        "--aliases",
        metavar="NAMES.json",
        help="Models and cards that names of the logs mean: below.",
    ),
    as_json: bool = typer.Option(False, "--json", help="Print the public JSON."),
) -> int:
    """Compare what is predicted with what engines printed when they started."""
    report = report_on(logs, aliases)
    if as_json:
        print_json(report_json(report))
    else:
        print_report(console(), report)
    return 0


def report_on(logs: Path, aliases: Path | None) -> Report:
    """Read a file of logs, and one of aliases, and compare them with the built-in presets."""
    records = read_records(_content(logs), shown(logs))
    names = None if aliases is None else read_aliases(_content(aliases), shown(aliases))
    return report_of(records, LibraryCatalogue(open_library()), names, predict)


def _content(path: Path) -> Any:
    return jsonfile.parse(jsonfile.read_bytes(path, LIMIT_BYTES), shown(path))


@dataclass(frozen=True)
class LibraryCatalogue:
    """The library as `intake.resolve` asks it: None where nothing answers to a name."""

    library: Library

    def model(self, name: str) -> ModelSpec | None:
        """Return a model by id, Hugging Face id, alias or last part."""
        return self._value("models", name, ModelSpec)

    def card(self, name: str) -> GpuSpec | None:
        """Return a card by id, name or alias."""
        found = self._card_ids.get(name.casefold())
        return None if found is None else self._value("gpus", found, GpuSpec)

    @cached_property
    def _card_ids(self) -> dict[str, str]:
        """Ids by every name, of which the library's own search knows no full ones."""
        ids: dict[str, str] = {}
        for item in self.library.listed("gpus"):
            for name in (item.id, item.name, *item.aliases):
                ids.setdefault(name.casefold(), item.reference)
        return ids

    def weight_format(self, name: str) -> WeightFormat | None:
        """Return a weight format by id or alias, with either spelling of its id."""
        return self._value("formats/weights", name, WeightFormat) or self._value(
            "formats/weights", name.replace("_", "-"), WeightFormat
        )

    def kv_format(self, name: str) -> KvFormat | None:
        """Return a KV format by id or alias, with either spelling of its id."""
        return self._value("formats/kv", name, KvFormat) or self._value(
            "formats/kv", name.replace("_", "-"), KvFormat
        )

    def _value(self, kind: Kind, name: str, wanted: type[Wanted]) -> Wanted | None:
        """Return what a name means, without a search for close names: logs hold thousands."""
        try:
            preset = self.library.known(kind, name)
        except UserError:
            return None
        if preset is None or not isinstance(preset.value, wanted):
            return None
        return preset.value

    def engine(self, kind: str, release: str) -> EngineProfile:
        """Return another engine than vLLM of a release, all flags left to it."""
        return engine_of(kind, release)

    def rules(self, release: str, core: Literal["v0", "v1"]) -> VllmRules:
        """Return the switches of a release."""
        return vllm_rules(release, core)

    def fits(self, release: str, core: Literal["v0", "v1"]) -> VllmFits:
        """Return the fitted figures of a release."""
        return vllm_fits(release, core)


# The public JSON


def report_json(report: Report) -> dict[str, Any]:
    """Return a report under the public names."""
    complete = _subset_json(report.complete)
    complete["campaign"] = _subset_json(report.complete_campaign)
    complete["others"] = _subset_json(report.complete_others)
    complete["by"] = {name: _subset_json(part) for name, part in report.complete_by.items()}
    fields = {name: report.whole.fields.get(name, Summary(0)) for name in FIELDS}
    return {
        "schema": 1,
        "cases": report.cases,
        "resolved": report.resolved,
        "excluded": report.excluded,
        "unresolved": [
            {"id": case, "reason": fault_text(fault)} for case, fault in report.unresolved
        ],
        "fields": _fields_json(fields | dict(report.whole.fields)),
        "refusals": _refusals_json(report.whole),
        "complete": complete,
        "campaign": _subset_json(report.campaign),
        "others": _subset_json(report.others),
        "extrapolated": {"fields": _fields_json(report.extrapolated)},
        "by": {name: _subset_json(part) for name, part in report.by.items()},
        "per_case": [
            *(_pair_json(pair, extrapolated=False) for pair in report.pairs),
            *(_pair_json(pair, extrapolated=True) for pair in report.extrapolated_pairs),
        ],
    }


def _subset_json(subset: Subset) -> dict[str, Any]:
    return {"fields": _fields_json(subset.fields), "refusals": _refusals_json(subset)}


def _fields_json(fields: Mapping[str, Summary]) -> dict[str, Any]:
    return {name: _summary_json(summary) for name, summary in fields.items()}


def _summary_json(summary: Summary) -> dict[str, Any]:
    return {
        "n": summary.n,
        "median_abs_pct": _rounded(summary.median_abs_pct),
        "p90_abs_pct": _rounded(summary.p90_abs_pct),
        "max_abs_pct": _rounded(summary.max_abs_pct),
        "within_log_rounding": summary.within_log_rounding,
        "inside_band": summary.inside_band,
        "with_band": summary.with_band,
        "median_abs": _rounded(summary.median_abs),
        "p90_abs": _rounded(summary.p90_abs),
        "max_abs": _rounded(summary.max_abs),
        "within_10_pct": summary.within_10_pct,
        "within_0_05": summary.within_0_05,
    }


def _refusals_json(subset: Subset) -> dict[str, Any]:
    return {
        **_counts_json(subset.refusals),
        "from_pool": _counts_json(subset.refusals_from_pool),
    }


def _counts_json(refusals: Refusals) -> dict[str, Any]:
    return {
        "n": refusals.n,
        "predicted": refusals.predicted,
        "false_alarms": refusals.false_alarms,
        "starts": refusals.starts,
        "right_share": _rounded(refusals.right_share),
    }


def _pair_json(pair: Pair, *, extrapolated: bool) -> dict[str, Any]:
    return {
        "id": pair.id,
        "field": pair.field,
        "predicted": pair.predicted,
        "low": pair.low,
        "high": pair.high,
        "measured": pair.measured,
        "error_pct": _rounded(pair.error_pct),
        "within_log_rounding": pair.within_log_rounding,
        "extrapolated": extrapolated,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 6)
