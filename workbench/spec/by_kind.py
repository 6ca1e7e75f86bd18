"""A union told apart by `kind` whose members are imported when one of them is first met.

To make a class of pydantic takes about a millisecond for every five fields: a window on a plan
does not wait for the engines that the plan has no scenario of.
"""

from __future__ import annotations

import operator
from collections.abc import Iterator, Mapping
from functools import partial, reduce
from importlib import import_module
from typing import Annotated, Any

from pydantic import Field, GetCoreSchemaHandler, GetJsonSchemaHandler, ValidationInfo
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema, to_json

from workbench.spec.base import Frozen


class ByKind(Mapping[str, Any]):
    """The classes by kind; in `Annotated[Frozen, …]` the type of a field that takes any of them."""

    def __init__(self, places: Mapping[str, str]) -> None:
        """Take where each class stands: "package.module.Name"."""
        self._places = places
        self._met: dict[str, type[Frozen]] = {}

    def __getitem__(self, kind: str) -> Any:
        if kind not in self._met:
            module, _, name = self._places[kind].rpartition(".")
            self._met[kind] = getattr(import_module(module), name)
        return self._met[kind]

    def __contains__(self, kind: object) -> bool:
        return kind in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def __get_pydantic_core_schema__(self, _: Any, __: GetCoreSchemaHandler) -> CoreSchema:
        """Tell the members apart as pydantic does, without asking for any of them."""
        members: dict[Any, Mapping[str, Any]] = {
            kind: core_schema.with_info_plain_validator_function(partial(self._validated, kind))
            for kind in self
        }
        return core_schema.tagged_union_schema(members, "kind", from_attributes=True)

    def __get_pydantic_json_schema__(
        self, _: CoreSchema, handler: GetJsonSchemaHandler
    ) -> JsonSchemaValue:
        """Describe the union of all members."""
        from pydantic import TypeAdapter

        members = reduce(operator.or_, self.values())
        union: Any = Annotated[members, Field(discriminator="kind")]
        return handler(TypeAdapter(union).core_schema)

    def _validated(self, kind: str, value: Any, info: ValidationInfo[Any]) -> Any:
        member = self[kind]
        if info.mode == "json":
            # Strict as a class is: from JSON it takes a list for a tuple, from Python it does not.
            return member.model_validate_json(to_json(value))
        return member.model_validate(value)
