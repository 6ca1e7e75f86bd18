"""Holds every preset against the figures that others have published (`kvw presets check`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from workbench.library.figures import compare, source_faults
from workbench.library.presets import KINDS, Kind, Library, Listed, Preset
from workbench.spec.errors import UserError
from workbench.spec.gpu import GpuSet
from workbench.spec.model import ModelSpec


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one preset: code and parameters of its sentence."""

    kind: Kind
    reference: str
    code: str
    params: dict[str, object] = field(default_factory=dict)


def check(library: Library) -> tuple[Problem, ...]:
    """Read every preset and return what is wrong, an empty tuple when all is well."""
    return tuple(problem for kind in KINDS for problem in _check_kind(library, kind))


def _check_kind(library: Library, kind: Kind) -> Iterator[Problem]:
    listed = library.listed(kind)
    yield from _shared_names(kind, listed)
    for item in listed:
        try:
            if item.problem is not None:
                raise item.problem
            preset = library.get(kind, item.namespace, item.id)
            for code, params in _check_preset(library, preset):
                yield Problem(kind, item.reference, code, params)
        except UserError as error:
            yield Problem(kind, item.reference, error.code, error.params)


def _shared_names(kind: Kind, listed: tuple[Listed, ...]) -> Iterator[Problem]:
    """Report names that two presets answer to."""
    owners: dict[str, Listed] = {}
    for item in listed:
        names = {item.id, *item.aliases, *(alias.rpartition("/")[2] for alias in item.aliases)}
        for name in sorted({name.casefold() for name in names}):
            owner = owners.setdefault(name, item)
            if owner is not item:
                yield Problem(
                    kind,
                    item.reference,
                    "preset_name_shared",
                    {"text": name, "other": owner.reference},
                )


def _check_preset(library: Library, preset: Preset[Any]) -> Iterator[tuple[str, dict[str, object]]]:
    value = preset.value
    if preset.namespace == "builtin" and not (value.sources and value.checked):
        yield "preset_without_source", {}
    if isinstance(value, ModelSpec):
        yield from _check_model(value, preset)
    elif isinstance(value, GpuSet):
        card = library.current("gpus", _reference(preset, value))
        if preset.namespace == "builtin" and (card is None or card.value != value.card):
            yield "set_card_differs", {"text": value.card.id}


def _reference(preset: Preset[Any], value: GpuSet) -> Any:
    return preset.ref.with_(id=value.card.id, rev=value.card.rev)


def _check_model(model: ModelSpec, preset: Preset[Any]) -> Iterator[tuple[str, dict[str, object]]]:
    for figure in compare(model, preset.published):
        if not figure.agrees:
            yield figure.code, {"found": figure.found, "published": figure.expected}
    for number, fault in source_faults(model):
        yield "cache_source_wrong", {"layer": number, "source": fault}
