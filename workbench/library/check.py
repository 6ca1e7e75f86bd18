"""Holds every preset against the figures that others have published (`kvw presets check`)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, Literal

from workbench.library.engine_choice import ENGINES, engine_of
from workbench.library.figures import Figure, compare, source_faults
from workbench.library.presets import KINDS, Kind, Library, Listed, Preset
from workbench.library.release_table import known_releases
from workbench.spec.errors import UserError
from workbench.spec.gpu import GpuSet, GpuSpec
from workbench.spec.model import ModelSpec
from workbench.spec.units import MIB

_SMI_SHARE: Final = (0.95, 1.0)
"""What a runtime reports, as a share of what nvidia-smi prints: 0.977 to 0.999 in the facts."""
_SEEN_SHARE: Final = (0.99, 1.01)
"""The same beside the totals seen in engine logs, which are printed to two places."""
_NAME_SHARE: Final = (0.7, 1.15)
"""The same beside the figure in the name: shared memory gives a card 70 to 84 % of it."""


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one preset: code and parameters of its sentence."""

    kind: Kind | Literal["engines"]
    reference: str
    code: str
    params: dict[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Compared:
    """One figure of one preset."""

    reference: str
    figure: Figure


@dataclass(frozen=True, slots=True)
class Report:
    """All presets, all figures, all problems."""

    presets: int
    compared: tuple[Compared, ...]
    problems: tuple[Problem, ...]


def check(library: Library) -> tuple[Problem, ...]:
    """Read every preset and return what is wrong, an empty tuple when all is well."""
    return report(library).problems


def report(library: Library) -> Report:
    """Read every preset; return the figures compared and what is wrong."""
    compared: list[Compared] = []
    problems: list[Problem] = []
    count = 0
    for kind in KINDS:
        listed = library.listed(kind)
        count += len(listed)
        problems += _shared_names(kind, listed)
        for item in listed:
            try:
                if item.problem is not None:
                    raise item.problem
                preset = library.get(kind, item.namespace, item.id)
                if isinstance(preset.value, ModelSpec):
                    figures = compare(preset.value, preset.published)
                    compared += (Compared(item.reference, figure) for figure in figures)
                problems += (
                    Problem(kind, item.reference, code, params)
                    for code, params in _check_preset(library, preset)
                )
            except UserError as error:
                problems.append(Problem(kind, item.reference, error.code, error.params))
    problems += _check_engines()
    return Report(count, tuple(compared), tuple(problems))


def _check_engines() -> Iterator[Problem]:
    """Read the tables of releases, and the fitted figures of each."""
    for kind in ENGINES:
        if kind == "plain":
            continue
        try:
            for release in known_releases(kind):
                engine_of(kind, release)
        except UserError as error:
            yield Problem("engines", f"builtin:{kind}", error.code, error.params)


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
        yield from _check_model(library, value, preset)
    elif isinstance(value, GpuSpec):
        yield from _check_card(value)
    elif isinstance(value, GpuSet):
        card = library.current("gpus", preset.ref.with_(id=value.card.id, rev=value.card.rev))
        if preset.namespace == "builtin" and (card is None or card.value != value.card):
            yield "set_card_differs", {"text": value.card.id}
        yield from _check_card(value.card)


def _check_model(
    library: Library, model: ModelSpec, preset: Preset[Any]
) -> Iterator[tuple[str, dict[str, object]]]:
    for figure in compare(model, preset.published):
        if not figure.agrees:
            yield figure.code, {"found": figure.found, "published": figure.expected}
    for number, source in source_faults(model):
        yield "cache_source_wrong", {"layer": number, "source": source}
    if model.shipped_format is not None:
        try:
            library.weight_format(model.shipped_format)
        except UserError:
            yield "shipped_format_unknown", {"text": model.shipped_format}


def _check_card(card: GpuSpec) -> Iterator[tuple[str, dict[str, object]]]:
    """Compare the planning figure with the other readings of the same memory."""
    smi = None if card.smi_total_mib is None else card.smi_total_mib * MIB
    named = None if card.marketing_gb is None else card.marketing_gb * 10**9
    for other, (low, high) in (
        (smi, _SMI_SHARE),
        (card.framework_total_bytes_low, (_SEEN_SHARE[0], float("inf"))),
        (card.framework_total_bytes_high, (0.0, _SEEN_SHARE[1])),
        (named, _NAME_SHARE),
    ):
        if other is not None and not low <= card.device_total_bytes / other <= high:
            yield (
                "memory_readings_differ",
                {"found_bytes": card.device_total_bytes, "other_bytes": other},
            )
