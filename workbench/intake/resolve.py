"""A record of a log to the question it answers: model, card, formats, release, flags.

What a record leaves open (its release, its card, whether the checkpoint chose the KV type) is
never guessed: the question then has one reading for each way it can be meant, and only figures
on which the readings agree are predicted. What cannot be read at all is a `Fault`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal

from pydantic import ValidationError

from workbench.intake.aliases import Aliases, Identity
from workbench.intake.catalogue import Catalogue
from workbench.intake.engine_logs import Fault, LogRecord, Unreadable, has_unified_memory
from workbench.intake.log_flags import (
    deployment_of,
    draft_tokens,
    engine_flags,
    longest_of,
)
from workbench.intake.log_formats import activation_dtype_of, kv_formats_of, weight_format_of
from workbench.intake.log_names import (
    bare_model_name,
    card_names,
    core_of,
    is_prose,
    parts_of,
    release_of,
)
from workbench.spec.formats import Precision
from workbench.spec.gpu import GpuSpec
from workbench.spec.model import ModelSpec
from workbench.spec.scenario import Scenario
from workbench.spec.units import GIB
from workbench.spec.vllm import VllmEngine
from workbench.spec.workload import ConstantLength, Workload

Attention = Literal["uniform", "windowed", "hybrid"]
Era = Literal["v0", "0.8-0.9", "0.10-0.16", "0.17-0.19", "0.20+"]

# One release for each set of rules and each dated switch between them (vllm.md sections 0, 14).
_READINGS_V0: Final = ("0.6.6", "0.8.5")
_READINGS_V1: Final = ("0.8.5", "0.10.2", "0.11.2", "0.19.1", "0.21.0", "0.26.0", "0.33.0")
_UNKNOWN_CARDS_GIB: Final = (24, 80)
"""Where nothing is known of the card: one below and one above the tier of batch defaults."""
_TOTALS_DIFFER: Final = 0.05
"""Share by which totals of one kind of card differ between drivers and hosts, with room."""
_OVERRIDES: Final = frozenset({"vocab_size", "max_position_embeddings"})


@dataclass(frozen=True, slots=True)
class Question:
    """What a record asks, in every way that it can be meant."""

    record: LogRecord
    readings: tuple[Scenario, ...]
    """One where release, card and KV type are known."""
    attention: Attention
    era: Era | None
    release_known: bool
    card_known: bool
    """The card's name or at least its total."""
    weights_known: bool
    """The weight format is certain and the model's weights are those of the shapes named."""
    budget_known: bool
    """Utilisation and total are stated."""
    draft_known: bool
    """No draft model, or one whose layers are those of the model's own module."""
    runs_sampler: bool
    complete: bool
    """All inputs of `logs/README.md` are stated."""


def resolve(record: LogRecord, catalogue: Catalogue, aliases: Aliases | None) -> Question | Fault:
    """Return the question of a record, or why there is none."""
    if record.fault is None and record.engine.lower() != "vllm":
        return Fault("engine_not_modelled", record.engine)

    def question() -> Question | Fault:
        identity = None if aliases is None else aliases.identity(record)
        model = model_of(record, catalogue, identity)
        if isinstance(model, Fault):
            return model
        return _question(record, catalogue, aliases, identity, model)

    return asked(record, question)


def asked(record: LogRecord, question: Callable[[], Question | Fault]) -> Question | Fault:
    """Return the question of a record of any engine; what cannot be read is told as a fault."""
    if record.fault is not None:
        return record.fault
    try:
        return question()
    except Unreadable as unreadable:
        return Fault("unreadable", unreadable.where)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        return Fault("unreadable", ".".join(str(step) for step in first["loc"]))


def _question(
    record: LogRecord,
    catalogue: Catalogue,
    aliases: Aliases | None,
    identity: Identity | None,
    model: ModelSpec,
) -> Question | Fault:
    deployment = deployment_of(record)
    if isinstance(deployment, Fault):
        return deployment
    release = release_of(record.release)
    core = core_of(release, record.core) or "v1"
    cards, card_known = cards_of(record, catalogue, aliases)
    weights, weights_known = weight_format_of(record, catalogue, identity, model)
    kv_formats = kv_formats_of(record, catalogue, weights, model, cards)
    if not kv_formats:
        return Fault("kv_format_unknown", record.kv_dtype or "")
    attention = attention_of(model)
    drafts = draft_tokens(record, model)
    open_releases = _READINGS_V0 if core == "v0" else _READINGS_V1
    flags = engine_flags(record, is_hybrid=attention == "hybrid") | {
        "speculative_tokens": drafts or 0
    }
    readings = tuple(
        Scenario(
            id="log",
            name="log",
            model=model,
            gpu=card,
            deployment=deployment,
            precision=Precision(
                weights=weights, kv=kv, activation_dtype=activation_dtype_of(record)
            ),
            engine=VllmEngine(
                release=reading,
                core=core,
                rules=catalogue.rules(reading, core),
                fits=catalogue.fits(reading, core),
                **flags,
            ),
            # The engine's own figures at its longest request are asked for, not a workload's.
            workload=Workload(lengths=ConstantLength(tokens=1)),
        )
        for reading in ((release,) if release else open_releases)
        for card in cards
        for kv in kv_formats
    )
    return Question(
        record=record,
        readings=readings,
        attention=attention,
        era=era_of(release, core),
        release_known=release is not None,
        card_known=card_known,
        weights_known=weights_known,
        budget_known=flags["gpu_memory_utilization"] is not None and card_known,
        draft_known=drafts is not None,
        runs_sampler=record.flag("runner") != "pooling",
        complete=_is_complete(record, release, weights_known, flags, attention),
    )


def attention_of(model: ModelSpec) -> Attention:
    """Return which kind of cache a model keeps: hybrid with states, windowed, or uniform."""
    kinds = {run.mixer.kind for run in model.layers}
    if kinds & {"state", "parallel"}:
        return "hybrid"
    return "uniform" if kinds <= {"full", "latent", "none"} else "windowed"


def era_of(release: str | None, core: Literal["v0", "v1"]) -> Era | None:
    """Return the span of releases whose activation is of one kind, None when it is open."""
    if core == "v0":
        return "v0"
    if release is None:
        return None
    version = parts_of(release)
    if version < (0, 10, 0):
        return "0.8-0.9"
    if version < (0, 17, 0):
        return "0.10-0.16"
    return "0.17-0.19" if version < (0, 20, 0) else "0.20+"


# Model


def model_of(
    record: LogRecord, catalogue: Catalogue, identity: Identity | None
) -> ModelSpec | Fault:
    """Return the model that a record names, or why it is not certain."""
    if identity is not None and identity.facts_id is not None:
        model = catalogue.model(identity.facts_id)
        if model is None:
            return Fault("model_not_in_library", identity.facts_id)
        return _with_overrides(model, identity, longest_of(record))
    name = record.model
    if name is None:
        return Fault("model_not_stated")
    exact = catalogue.model(name)
    if exact is not None and (identity is None or _answers_to(exact, name)):
        return exact
    if identity is not None:
        return Fault("model_not_certain", name)
    bare = bare_model_name(name)
    if is_prose(bare) or "(" in name:
        return Fault("model_is_prose", name)
    # Meta renamed its repositories from "Meta-Llama-3.1-…" to "Llama-3.1-…".
    renamed = bare.removeprefix("Meta-")
    found = catalogue.model(bare) or (catalogue.model(renamed) if renamed != bare else None)
    return found or Fault("model_not_in_library", name)


def _answers_to(model: ModelSpec, name: str) -> bool:
    """Whether a name is a model's whole id or alias, not only the last part of one."""
    names = {model.id, model.name, model.hf_id, *model.aliases}
    return name.casefold() in {text.casefold() for text in names if text}


def _with_overrides(model: ModelSpec, identity: Identity, longest: int | None) -> ModelSpec:
    """Return a model of the same shapes with the sizes that are its own."""
    sizes = dict(identity.overrides)
    if set(sizes) - _OVERRIDES:
        raise Unreadable("overrides")
    if identity.same_shapes and longest is not None:
        # What was asked for is at least accepted by the model that really ran.
        least = max(longest, model.max_position_tokens or 0)
        sizes.setdefault("max_position_embeddings", least)
    if "max_position_embeddings" in sizes:
        model = model.with_(max_position_tokens=sizes["max_position_embeddings"])
    if "vocab_size" not in sizes:
        return model
    before, after = model.vocab_size, sizes["vocab_size"]
    tensors = tuple(
        tensor.with_(shape=(after, *tensor.shape[1:]))
        if tensor.shard == "vocab" and tensor.shape[0] == before
        else tensor
        for tensor in model.tensors
    )
    return model.with_(vocab_size=after, tensors=tensors)


# Card


def cards_of(
    record: LogRecord, catalogue: Catalogue, aliases: Aliases | None
) -> tuple[tuple[GpuSpec, ...], bool]:
    """Return the cards it can have been, and whether it is known.

    The total that the engine printed is the total; the name only chooses the defaults.
    """
    total = record.gpu_total_gib
    identified = None if aliases is None else aliases.gpu_id(record)
    card = None if identified is None else catalogue.card(identified)
    card = card or _named_card(record, catalogue)
    if card is None and total is None:
        return tuple(_plain_card(size) for size in _UNKNOWN_CARDS_GIB), False
    if card is None:
        assert total is not None
        card = _plain_card(total.value)
    elif total is not None:
        card = card.with_(device_total_bytes=int(total.value * GIB))
    return (card,), True


def _named_card(record: LogRecord, catalogue: Catalogue) -> GpuSpec | None:
    """Return the card that the text names; one whose memory the printed total denies is not it."""
    total = record.gpu_total_gib
    for name in card_names(record.gpu or ""):
        card = catalogue.card(name)
        if card is None:
            continue
        if total is None:
            return card
        if abs(card.device_total_bytes / GIB - total.value) <= _TOTALS_DIFFER * total.value:
            return card
    return None


def _plain_card(total_gib: float) -> GpuSpec:
    return GpuSpec(id="unnamed", name="unnamed card", device_total_bytes=int(total_gib * GIB))


# Completeness


def _is_complete(
    record: LogRecord,
    release: str | None,
    weights_known: bool,
    flags: dict[str, Any],
    attention: Attention,
) -> bool:
    """Whether all that the answer depends on is stated (`logs/README.md`)."""
    stated = (
        flags["max_model_len"] is not None
        and release is not None
        and record.tp is not None
        and flags["gpu_memory_utilization"] is not None
        and weights_known
        and not has_unified_memory(record)
    )
    if attention == "hybrid":
        drafts = record.flag("spec_decode", "speculative_config", "speculative")
        return stated and flags["enable_prefix_caching"] is not None and not drafts
    return stated
