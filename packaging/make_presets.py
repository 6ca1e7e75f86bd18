"""Writes the files of `presets/` from tables of facts; the same facts give the same bytes.

Run it as `python packaging/make_presets.py --facts DIR [--traces DIR] [--out presets]`. DIR
holds models.json, gpus.json, quant.json and workloads.json; the traces give the quantiles of
the total length, which the tables of facts do not hold. The builders are in `preset_parts/`.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import json
import re
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent)]

from preset_parts import gpus, models, workloads  # noqa: E402

from workbench.library.presets import Kind, Preset, dumps  # noqa: E402
from workbench.library.published import Published  # noqa: E402

KINDS = ("models", "gpus", "formats", "workloads")


def main() -> None:
    """Write every preset."""
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--facts", type=Path, required=True)
    options.add_argument("--traces", type=Path)
    options.add_argument("--out", type=Path, default=HERE.parent / "presets")
    options.add_argument("--only", choices=KINDS, action="append", help="only these kinds")
    chosen = options.parse_args()
    traces = chosen.traces or chosen.facts.parent / "traces"
    for kind in chosen.only or KINDS:
        for folder, preset, published in made(kind, chosen.facts, traces):
            write(chosen.out, folder, preset, published)


def made(kind: str, facts: Path, traces: Path) -> Iterable[tuple[Kind, Any, Published | None]]:
    """Return the presets of a kind with the folder each belongs in."""
    if kind == "models":
        yield ("models", *models.lab())
        for fact in _load(facts / "models.json"):
            yield "models", models.model(fact), models.published(fact)
    elif kind == "gpus":
        for profile in gpus.profiles(_load(facts / "gpus.json")):
            yield "gpus", profile, None
    elif kind == "formats":
        table = _load(facts / "quant.json")
        for weights in _formats("weight_formats")(table):
            yield "formats/weights", weights, None
        for cache in _formats("kv_formats")(table):
            yield "formats/kv", cache, None
    else:
        for workload in workloads.workloads(_load(facts / "workloads.json"), traces):
            yield "workloads", workload, None


def _formats(module: str) -> Callable[[Any], Iterable[Any]]:
    """Return the maker of number formats, which is a function named like its module."""
    if importlib.util.find_spec(f"preset_parts.{module}") is None:
        return lambda _: ()
    maker: Callable[[Any], Iterable[Any]] = getattr(
        importlib.import_module(f"preset_parts.{module}"), module
    )
    return maker


def write(out: Path, folder: Kind, preset: Any, published: Published | None) -> None:
    """Write one preset."""
    path = out / folder / f"{preset.id}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(file_bytes(folder, preset, published))


def file_bytes(folder: Kind, preset: Any, published: Published | None) -> bytes:
    """Return the file of a preset: what is not known, and a tensor's defaults, are left out.

    A model of many short runs repeats its tensors, so each stands on a line of its own.
    """
    content = json.loads(dumps(Preset(folder, "builtin", preset, published=published)))
    _without_defaults(content["preset"])
    text = json.dumps(content, ensure_ascii=False, sort_keys=True, indent=2)
    return f"{_LEAF.sub(_on_one_line, text)}\n".encode()


_LEAF = re.compile(r"(?:\[[0-9,\s]+\]|\{[^{}\[\]]*\"shape\": \[[^\]]*\][^{}\[\]]*\})")
"""A list of numbers, or an object with a shape."""
_DEFAULTS = {"copies": 1, "quantised": False, "shard": "replicated", "stage": "first"}


def _without_defaults(value: Any) -> None:
    if isinstance(value, list):
        for item in value:
            _without_defaults(item)
    elif isinstance(value, dict):
        if "shape" in value:
            for key, default in _DEFAULTS.items():
                if key in value and value[key] == default:
                    del value[key]
        for item in value.values():
            _without_defaults(item)


def _on_one_line(match: re.Match[str]) -> str:
    return json.dumps(json.loads(match[0]), ensure_ascii=False)


def _load(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
