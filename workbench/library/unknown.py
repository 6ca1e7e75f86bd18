"""Keys that this program does not know: lifted out on reading, put back in place on writing.

A newer program, or a person, may have written more than we understand. Such keys travel with
the scenario or plan as `Unknown(pointer, json_text)`, so that neither saving nor undo loses
them. A key whose surroundings have been removed (its layer, its prefix group) goes with them.
"""

from __future__ import annotations

import json
import types
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Annotated, Any, Final, Literal, Union, get_args, get_origin

from pydantic import BaseModel
from pydantic.fields import FieldInfo

from workbench.library.jsonfile import to_text
from workbench.spec import quoting
from workbench.spec.base import MAX_TEXT_CHARACTERS
from workbench.spec.by_kind import ByKind
from workbench.spec.errors import UserError
from workbench.spec.scenario import Unknown

_CARRIERS: Final = "extra"
"""The field that carries the unknown keys; in a file the name has no meaning."""


Models = tuple[type[BaseModel], ...] | ByKind


def lift(model: type[BaseModel], value: Any, name: str) -> tuple[Unknown, ...]:
    """Take the keys that `model` does not have out of a parsed value, at any depth.

    The scenarios of a plan are left alone: each is lifted by itself.
    """
    return tuple(_lift(model, value, "", name))


def put_back(value: dict[str, Any], unknown: Iterable[Unknown]) -> None:
    """Put lifted keys back where they stood, as far as the place still exists."""
    for item in unknown:
        *parents, key = [_unescaped(step) for step in item.pointer.split("/")[1:]]
        place: Any = value
        for step in parents:
            place = _child(place, step)
        if isinstance(place, dict):
            place.setdefault(key, json.loads(item.json_text))


def steps_of(pointer: str) -> list[str | int]:
    """Return the steps of a lifted key's pointer; numbers count in lists, the last is the key."""
    *parents, key = (_unescaped(step) for step in pointer.split("/")[1:])
    return [*(int(step) if step.isdecimal() else step for step in parents), key]


def kinds_at(annotation: Any, steps: Iterable[str | int], value: Any) -> tuple[str, ...]:
    """Return the kinds that the object at a place of a parsed value may have, in their order.

    Empty where objects have no kind.
    """
    models: Models = _models(_members(annotation))
    items: Models = ()
    for step in steps:
        if isinstance(step, int):
            models, items, value = items, (), value[step]
            continue
        model = _choose(models, value)
        if model is None:
            return ()
        models, items = _fields(model)[1].get(step, ((), ()))
        value = value.get(step)
    if isinstance(models, ByKind):
        return tuple(models)
    return tuple(kind for model in models for kind in _kinds_of(model))


def _lift(model: type[BaseModel], value: Any, pointer: str, name: str) -> Iterator[Unknown]:
    if not isinstance(value, dict):
        return
    known, nested = _fields(model)
    for key in sorted(value.keys() - known):
        place = f"{pointer}/{_escaped(key)}"
        if len(place) > MAX_TEXT_CHARACTERS:
            raise UserError(
                "json_key_too_long",
                path=name,
                where=quoting.place(steps_of(place)),
                limit=MAX_TEXT_CHARACTERS,
            )
        yield Unknown(pointer=place, json_text=to_text(value.pop(key)))
    for key, (models, item_models) in nested.items():
        inner = value.get(key)
        if isinstance(inner, dict):
            yield from _lift_object(models, inner, f"{pointer}/{key}", name)
        elif isinstance(inner, list):
            for index, item in enumerate(inner):
                yield from _lift_object(item_models, item, f"{pointer}/{key}/{index}", name)


def _lift_object(models: Models, value: Any, pointer: str, name: str) -> Iterator[Unknown]:
    if isinstance(value, dict):
        model = _choose(models, value)
        if model is not None:
            yield from _lift(model, value, pointer, name)


@cache
def _fields(model: type[BaseModel]) -> tuple[frozenset[str], dict[str, tuple[Models, Models]]]:
    """Return the keys of a model, and for those that hold further models which ones.

    The first are meant by an object, the second by the objects of a list.
    """
    fields = {key: field for key, field in model.model_fields.items() if key != _CARRIERS}
    nested = {key: _models_of(field) for key, field in fields.items()}
    return frozenset(fields), {key: both for key, both in nested.items() if any(both)}


def _models_of(field: FieldInfo) -> tuple[Models, Models]:
    for rule in field.metadata:
        if isinstance(rule, ByKind):
            return rule, ()
    members = tuple(_members(field.annotation))
    lists = [member for member in members if get_origin(member) is tuple]
    items = (item for member in lists for item in _members(get_args(member)[0]))
    return _models(members), _models(items)


def _members(annotation: Any) -> Iterator[Any]:
    """Yield the plain types that an annotation allows."""
    if isinstance(annotation, type):
        # Most are: plans are read before the window shows.
        yield annotation
        return
    origin = get_origin(annotation)
    if origin is Annotated:
        yield from _members(get_args(annotation)[0])
    elif origin in (Union, types.UnionType):
        for member in get_args(annotation):
            yield from _members(member)
    else:
        yield annotation


def _models(members: Iterable[Any]) -> Models:
    return tuple(
        member for member in members if isinstance(member, type) and issubclass(member, BaseModel)
    )


def _choose(models: Models, value: dict[str, Any]) -> type[BaseModel] | None:
    """Return the member of a union that an object is meant as, by its `kind`."""
    if isinstance(models, ByKind):
        kind = value.get("kind")
        return models[kind] if isinstance(kind, str) and kind in models else None
    if len(models) == 1:
        return models[0]
    return next((model for model in models if value.get("kind") in _kinds_of(model)), None)


def _kinds_of(model: type[BaseModel]) -> tuple[Any, ...]:
    field = model.model_fields.get("kind")
    is_told = field is not None and get_origin(field.annotation) is Literal
    return get_args(field.annotation) if is_told else ()  # type: ignore[union-attr]


def _escaped(key: str) -> str:
    return key.replace("~", "~0").replace("/", "~1")


def _unescaped(step: str) -> str:
    return step.replace("~1", "/").replace("~0", "~")


def _child(place: Any, step: str) -> Any:
    if isinstance(place, dict):
        return place.get(step)
    if isinstance(place, list) and step.isdecimal() and int(step) < len(place):
        return place[int(step)]
    return None
