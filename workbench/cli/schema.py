"""`kvw schema`: JSON Schema of the files a person may write."""

from __future__ import annotations

from typing import Any

import typer
from pydantic import TypeAdapter

from workbench.cli.common import print_json
from workbench.spec.errors import UserError
from workbench.spec.formats import KvFormat, WeightFormat
from workbench.spec.gpu import GpuProfile
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import Plan
from workbench.spec.workload import WorkloadPreset

PRESETS: dict[str, tuple[str, Any]] = {
    "model": ("models", ModelSpec),
    "gpu": ("gpus", GpuProfile),
    "weight-format": ("formats/weights", WeightFormat),
    "kv-format": ("formats/kv", KvFormat),
    "workload": ("workloads", WorkloadPreset),
}


def schema_verb(
    what: str = typer.Argument("plan", help="plan, model, gpu, weight-format, kv-format, workload"),
) -> int:
    """Print the JSON Schema of a plan or of a kind of preset."""
    if what == "plan":
        print_json(_plan_schema())
        return 0
    by_kind = {kind: (kind, value) for kind, value in PRESETS.values()}
    preset = PRESETS.get(what) or by_kind.get(what)
    if preset is None:
        raise UserError("schema_unknown", text=what, accepted=", ".join(("plan", *PRESETS)))
    print_json(_preset_schema(*preset))
    return 0


def _plan_schema() -> dict[str, Any]:
    """A plan's own fields beside the envelope; unknown keys are kept."""
    schema = TypeAdapter(Plan).json_schema()
    schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    schema["title"] = "KV Workbench plan"
    schema["properties"] |= {
        "format": {"const": "kvw"},
        "schema_version": {"const": 1},
        "app_version": {"type": "string"},
    }
    schema["required"] = ["format", "schema_version"]
    schema.pop("additionalProperties", None)
    return schema


def _preset_schema(kind: str, value: Any) -> dict[str, Any]:
    """The envelope of a preset file around its facts."""
    facts = TypeAdapter(value).json_schema(ref_template="#/$defs/{model}")
    definitions = facts.pop("$defs", {})
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"KV Workbench preset: {kind}",
        "type": "object",
        "properties": {
            "format": {"const": "kvw-preset"},
            "schema_version": {"const": 1},
            "kind": {"const": kind},
            "preset": facts,
            "based_on": {"type": "string"},
            "published": {"type": "object"},
        },
        "required": ["format", "schema_version", "kind", "preset"],
        "additionalProperties": False,
        "$defs": definitions,
    }
