"""The inputs of a scenario in form order, each of which can be read and copied over on its own.

Quantities are those of `spec.fields`; the others (model, formats, engine, flags, lengths) stand
before them in their part. Copying every input that differs makes one scenario answer like another.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any, Final, Literal

from pydantic import ValidationError

from workbench.spec.base import Frozen
from workbench.spec.engine import PlainEngine
from workbench.spec.fields import FIELDS
from workbench.spec.gpu import GpuSpec
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import Scenario
from workbench.spec.units import QuantityKind
from workbench.spec.vllm import VllmEngine
from workbench.spec.workload import QuantileTable

Part = Literal["model", "precision", "gpu", "deployment", "engine", "workload", "reserves"]
PARTS: Final[tuple[Part, ...]] = (
    "model",
    "precision",
    "gpu",
    "deployment",
    "engine",
    "workload",
    "reserves",
)
InputKind = QuantityKind | Literal["name", "flag"]

_IDENTITY: Final = (
    *("id", "rev", "name", "hf_id", "aliases", "family", "license_note"),
    *("sources", "checked", "uncertain", "price_note"),
)
"""Fields that say who a preset is and where it is from; none of them moves memory."""


@dataclass(frozen=True, slots=True)
class Input:
    """One input of a scenario."""

    id: str
    """A field of `spec.fields`, or a name like "precision.kv"; the label is `words.FIELDS[id]`."""
    part: Part
    kind: InputKind
    """Of a quantity, how it is printed; a preset or format goes by its name; else a flag."""
    read: Callable[[Scenario], object]
    """The value as it is shown: a name, a quantity, on or off; None for the default or without."""
    differs: Callable[[Scenario, Scenario], bool]
    copy: Callable[[Scenario, Scenario], Scenario]
    """The first scenario with this input of the second; raises `ValidationError`."""
    applies: Callable[[Scenario], bool] = lambda scenario: True


def inputs_of(*scenarios: Scenario) -> tuple[Input, ...]:
    """Every input that one of the scenarios has, in form order."""
    return tuple(i for i in INPUTS if any(i.applies(scenario) for scenario in scenarios))


def changed_inputs(before: Scenario, after: Scenario) -> tuple[Input, ...]:
    """The inputs that differ, in form order."""
    return tuple(i for i in inputs_of(before, after) if i.differs(before, after))


def parts_of(scenario: Scenario) -> tuple[object, ...]:
    """Return what an answer depends on: a name does not matter."""
    return tuple(getattr(scenario, part) for part in PARTS)


def answers_alike(one: Scenario, other: Scenario) -> bool:
    """Whether two scenarios ask the same, whatever they are called."""
    return _without_names(one) == _without_names(other)


def _without_names(scenario: Scenario) -> Scenario:
    return scenario.with_(
        id="s",
        name="s",
        notes="",
        extra=(),
        prices=None,
        model_ref=None,
        gpu_ref=None,
        gpu_set_ref=None,
        workload_ref=None,
    )


# Attributes of a part


def _attribute(part: Part, name: str, kind: InputKind = "flag") -> Input:
    """An attribute of a part of the scenario, copied as it is."""

    def get(scenario: Scenario) -> object:
        return getattr(getattr(scenario, part), name, None)

    def copy(state: Scenario, source: Scenario) -> Scenario:
        return _with_part(state, part, **{name: get(source)})

    def read(scenario: Scenario) -> object:
        value = get(scenario)
        return getattr(value, "name", None) if kind == "name" else value

    def applies(scenario: Scenario) -> bool:
        return name in type(getattr(scenario, part)).model_fields

    def differs(one: Scenario, other: Scenario) -> bool:
        return applies(one) and applies(other) and get(one) != get(other)

    return Input(f"{part}.{name}", part, kind, read, differs, copy, applies)


def _with_part(scenario: Scenario, part: str, **changes: Any) -> Scenario:
    return scenario.with_(**{part: getattr(scenario, part).with_(**changes)})


def _quantity(field_id: str) -> Input:
    part, _, name = field_id.partition(".")
    return _attribute(part, name, FIELDS[field_id].kind)  # type: ignore[arg-type]


def _shaped(field_id: str, explained: Callable[[Scenario, Scenario], bool]) -> Input:
    """A field read and written by its own rule, where quantities alone tell two parts apart."""
    field = FIELDS[field_id]
    part: Any = field_id.partition(".")[0]

    def differs(one: Scenario, other: Scenario) -> bool:
        return (
            field.applies(one)
            and field.applies(other)
            and explained(one, other)
            and field.read(one) != field.read(other)
        )

    def copy(state: Scenario, source: Scenario) -> Scenario:
        return field.write(state, field.read(source))

    return Input(field_id, part, field.kind, field.read, differs, copy, field.applies)


# Model and card: as a whole, or by the quantities that a person changed in them


def _anonymous(preset: Frozen, **changes: object) -> Frozen:
    blank: dict[str, object] = {"id": "s", "rev": 1, "name": "s"}
    cleared = {"family": "", "license_note": "", "checked": "", "price_note": "", "hf_id": None}
    known = type(preset).model_fields
    emptied = {name: () for name in ("aliases", "sources", "uncertain")}
    values = blank | cleared | emptied | changes
    return preset.with_(**{name: value for name, value in values.items() if name in known})


def _same_shape(one: Scenario, other: Scenario) -> bool:
    """Whether layers, KV heads and head size are all that tells the models apart."""
    return _same_shaped_models(one.model, other.model)


@lru_cache(maxsize=64)
def _same_shaped_models(one: ModelSpec, other: ModelSpec) -> bool:
    if one == other:
        return True
    attention = other.uniform_attention
    try:
        if len(one.layers) == 1 and len(other.layers) == 1:
            one = one.with_layer_count(other.layer_count)
        if one.uniform_attention is not None and attention is not None:
            one = one.with_attention(kv_heads=attention.kv_heads, head_dim=attention.head_dim)
        return _anonymous(one) == _anonymous(other)
    except ValidationError:
        return False


def _same_card(one: Scenario, other: Scenario) -> bool:
    """Whether the memory of the card is all that tells the cards apart."""
    if one.gpu == other.gpu:
        return True
    total_bytes = other.gpu.device_total_bytes
    same = _anonymous(one.gpu, device_total_bytes=total_bytes)
    return same == _anonymous(other.gpu)


def _identified(preset: Frozen, source: Frozen) -> Frozen:
    """A preset under the name of another one."""
    known = type(preset).model_fields
    return preset.with_(**{name: getattr(source, name) for name in _IDENTITY if name in known})


def _model_differs(one: Scenario, other: Scenario) -> bool:
    return not _same_shape(one, other) or _identified(one.model, other.model) != one.model


def _copy_model(state: Scenario, source: Scenario) -> Scenario:
    renamed = _same_shape(state, source)
    model = _identified(state.model, source.model) if renamed else source.model
    return state.with_(model=model, model_ref=source.model_ref)


def _gpu_differs(one: Scenario, other: Scenario) -> bool:
    return not _same_card(one, other) or _identified(one.gpu, other.gpu) != one.gpu


def _copy_gpu(state: Scenario, source: Scenario) -> Scenario:
    gpu: Frozen = source.gpu
    if _same_card(state, source):
        gpu = _identified(state.gpu, source.gpu)
    assert isinstance(gpu, GpuSpec)
    return state.with_(gpu=gpu, gpu_ref=source.gpu_ref, gpu_set_ref=source.gpu_set_ref)


# Engine: whose, which release, then its flags


def _kind_differs(one: Scenario, other: Scenario) -> bool:
    return one.engine.kind != other.engine.kind


def _read_kind(scenario: Scenario) -> object:
    return scenario.engine.kind


def _copy_kind(state: Scenario, source: Scenario) -> Scenario:
    """Another engine: flags that mean the same stay, then each is copied on its own."""
    new = source.engine.untouched
    known = type(new).model_fields.keys() & type(state.engine).model_fields.keys()
    kept = {n: getattr(state.engine, n) for n in ("max_model_len", "max_num_seqs") if n in known}
    return state.with_(engine=new.with_(**kept))


FLAG_FIELDS: Final[Mapping[str, str]] = {"block_size": "engine.block_tokens"}
"""Fields of the engine's own flags, as the ledger names them, where the two are spelled apart."""
_RELEASE: Final = ("release", "core", "rules", "fits")


def _release_of(scenario: Scenario) -> tuple[object, ...]:
    return tuple(getattr(scenario.engine, name, None) for name in _RELEASE)


def _release_differs(one: Scenario, other: Scenario) -> bool:
    return not _kind_differs(one, other) and _release_of(one) != _release_of(other)


def _copy_release(state: Scenario, source: Scenario) -> Scenario:
    known = type(state.engine).model_fields
    changes = {name: getattr(source.engine, name) for name in _RELEASE if name in known}
    return _with_part(state, "engine", **changes)


def _read_release(scenario: Scenario) -> object:
    return scenario.engine.release


def _flags() -> Iterator[Input]:
    """The flags that are no quantities, in the order of the engine's own profile."""
    names = dict.fromkeys(
        name
        for engine in (PlainEngine, VllmEngine)
        for name in engine.model_fields
        if name not in ("kind", *_RELEASE, "measured") and f"engine.{name}" not in FIELDS
    )
    for name in names:
        yield _attribute("engine", name)


def _measured(name: str, kind: InputKind) -> Input:
    """A figure of the same start that was read from a log."""

    def applies(scenario: Scenario) -> bool:
        return hasattr(scenario.engine, "measured")

    def read(scenario: Scenario) -> object:
        return getattr(getattr(scenario.engine, "measured", None), name, None)

    def differs(one: Scenario, other: Scenario) -> bool:
        return applies(one) and applies(other) and read(one) != read(other)

    def copy(state: Scenario, source: Scenario) -> Scenario:
        measured = state.engine.measured.with_(**{name: read(source)})  # type: ignore[union-attr]
        return _with_part(state, "engine", measured=measured)

    return Input(f"engine.measured_{name}", "engine", kind, read, differs, copy, applies)


# Workload: one length or a table; the first prefix group


def _same_lengths(one: Scenario, other: Scenario) -> bool:
    """Whether both lengths are tables of the same quantiles, or both constant."""
    a, b = one.workload.lengths, other.workload.lengths
    if isinstance(a, QuantileTable) and isinstance(b, QuantileTable):
        shares = [point.q for point in a.points], [point.q for point in b.points]
        changed = {p.q for p, q in zip(a.points, b.points, strict=False) if p != q}
        # A table that says where it is from is taken as a whole.
        named = a.source or b.source
        return not named and shares[0] == shares[1] and changed <= _TYPED_SHARES
    return a.kind == b.kind == "constant"


_TYPED_SHARES: Final = {0.5, 0.95, 0.99, 1.0}


def _lengths_differ(one: Scenario, other: Scenario) -> bool:
    return one.workload.lengths != other.workload.lengths and not _same_lengths(one, other)


def _read_lengths(scenario: Scenario) -> object:
    return scenario.workload.lengths.kind


def _copy_lengths(state: Scenario, source: Scenario) -> Scenario:
    return _with_part(state, "workload", lengths=source.workload.lengths)


def _same_prefixes(one: Scenario, other: Scenario) -> bool:
    """Whether both share prefixes, and only the quantities of the first group differ."""
    a, b = one.workload.prefix_groups, other.workload.prefix_groups
    return bool(a) and bool(b) and a[1:] == b[1:] and a[0].name == b[0].name


def _prefixes_differ(one: Scenario, other: Scenario) -> bool:
    a, b = one.workload.prefix_groups, other.workload.prefix_groups
    return a != b and not _same_prefixes(one, other)


def _read_prefixes(scenario: Scenario) -> object:
    return len(scenario.workload.prefix_groups)


def _copy_prefixes(state: Scenario, source: Scenario) -> Scenario:
    return _with_part(state, "workload", prefix_groups=source.workload.prefix_groups)


# All of them


def _name_of(part: str, scenario: Scenario) -> object:
    return getattr(scenario, part).name


def _workload_quantity(field_id: str) -> Input:
    if field_id in ("workload.concurrency", "workload.risk_share"):
        return _quantity(field_id)
    shared = field_id.startswith("workload.prefix_")
    return _shaped(field_id, _same_prefixes if shared else _same_lengths)


def _all() -> tuple[Input, ...]:
    fields = {part: [f for f in FIELDS if f.startswith(f"{part}.")] for part in PARTS}
    shared = [f for f in fields["workload"] if f.startswith("workload.prefix_")]
    measured = [f.removeprefix("engine.measured_") for f in fields["engine"] if "measured" in f]
    read_model, read_gpu = partial(_name_of, "model"), partial(_name_of, "gpu")
    return (
        Input("model.preset", "model", "name", read_model, _model_differs, _copy_model),
        *(_shaped(field_id, _same_shape) for field_id in fields["model"]),
        _attribute("precision", "weights", "name"),
        _attribute("precision", "kv", "name"),
        _attribute("precision", "activation_dtype"),
        _attribute("precision", "left_alone"),
        Input("gpu.preset", "gpu", "name", read_gpu, _gpu_differs, _copy_gpu),
        *(_shaped(field_id, _same_card) for field_id in fields["gpu"]),
        _attribute("deployment", "pp_partition"),
        _attribute("deployment", "nodes", "count"),
        *(_quantity(field_id) for field_id in fields["deployment"]),
        Input("engine.kind", "engine", "flag", _read_kind, _kind_differs, _copy_kind),
        Input("engine.release", "engine", "flag", _read_release, _release_differs, _copy_release),
        *_flags(),
        _measured("source", "flag"),
        *(_quantity(field_id) for field_id in fields["engine"] if "measured" not in field_id),
        *(_measured(name, "bytes") for name in measured),
        Input(
            "workload.lengths", "workload", "flag", _read_lengths, _lengths_differ, _copy_lengths
        ),
        _attribute("workload", "outputs"),
        _attribute("workload", "sizing"),
        _attribute("workload", "arrivals_per_s"),
        _attribute("workload", "burstiness_cv"),
        *(
            _workload_quantity(field_id)
            for field_id in fields["workload"]
            if field_id not in shared
        ),
        # As in the form, where what is shared comes last: a prefix as long as the request itself
        # would make any number fit before the context grows.
        Input(
            "workload.prefix_groups",
            "workload",
            "count",
            _read_prefixes,
            _prefixes_differ,
            _copy_prefixes,
        ),
        *(_workload_quantity(field_id) for field_id in shared),
        *(_quantity(field_id) for field_id in fields["reserves"]),
    )


INPUTS: Final[tuple[Input, ...]] = _all()
BY_ID: Final[Mapping[str, Input]] = {item.id: item for item in INPUTS}
