"""Random valid plans from the types themselves, so that new fields and kinds join by themselves."""

from __future__ import annotations

import math
import random
import types
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from workbench.spec.base import MAX_INT
from workbench.spec.by_kind import ByKind
from workbench.spec.deployment import Deployment
from workbench.spec.engine import Amount
from workbench.spec.layers import RecurrentState
from workbench.spec.model import LayerRun, ModelSpec
from workbench.spec.scenario import Plan, PresetRef, Scenario, Unknown
from workbench.spec.workload import (
    PrefixGroup,
    QuantilePoint,
    QuantileTable,
    TraceSummary,
    Workload,
)

ALPHABET = "abcXYZ 0189._-/\\\"'<&=+@%~{}[],:äß中文字𝄞é\u00a0\u2028"
ONE_LINE = ALPHABET.replace("\u2028", "")


class Generator:
    """Makes values of any of our types."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self._pools: dict[type[BaseModel], list[Any]] = {}
        self._special = {
            Amount: self._amount,
            Deployment: self._deployment,
            QuantileTable: self._quantiles,
            TraceSummary: self._quantiles,
            Workload: self._workload,
            ModelSpec: self._model,
            PresetRef: self._ref,
        }

    def plan(self) -> Plan:
        scenarios = tuple(
            self.model(Scenario).with_(id=f"s{index}-{self.random.randrange(10**6)}", extra=())
            for index in range(self.random.choice((0, 1, 1, 1, 2)))
        )
        scenarios = tuple(
            scenario.with_(extra=self.extra()) if self.random.random() < 0.3 else scenario
            for scenario in scenarios
        )
        baseline = self.random.choice(scenarios).id if scenarios else None
        return Plan(
            scenarios=scenarios,
            baseline=baseline,
            title=self.text(40),
            notes=self.text(60, multiline=True),
            extra=self.extra() if self.random.random() < 0.3 else (),
        )

    def extra(self) -> tuple[Unknown, ...]:
        values = ('{"a": [1, 2.5, null]}', "true", '"ü"', "[]", "{}", "-3", "1e-07")
        names = ("zz", "x~1y", "ü~0", "extra", "view", "Ünknown key")
        chosen = sorted(set(self.random.choices(names, k=2)))
        return tuple(
            # Compact, as a file is read back.
            Unknown(
                pointer=f"/{name}",
                json_text=self.random.choice(values).replace(": ", ":").replace(", ", ","),
            )
            for name in chosen
        )

    def model(self, kind: type[BaseModel]) -> Any:
        if kind in self._special:
            return self._special[kind]()
        # Cards, layers and formats cost most to make; most plans take one that another has had.
        pool = self._pools.setdefault(kind, [])
        if len(pool) > 100 and kind is not Scenario and self.random.random() < 0.8:
            return self.random.choice(pool)
        pool.append(kind(**self._fields(kind)))
        return pool[-1]

    def _fields(self, kind: type[BaseModel], *skip: str) -> dict[str, Any]:
        values = {}
        for name, field in kind.model_fields.items():
            if name in (*skip, "extra") or (not field.is_required() and self.random.random() < 0.4):
                continue
            values[name] = self.value(field.annotation, field.metadata)
        if "tensors" in values and kind is not RecurrentState:
            # One name, one tensor; a state needs its tensors all the same.
            values["tensors"] = tuple({each.name: each for each in values["tensors"]}.values())
        if values.get("shard_axis") is not None:
            values["shard_axis"] %= len(values["shape"])
        return values

    def value(self, annotation: Any, metadata: Any = ()) -> Any:
        unions = [rule for rule in metadata if isinstance(rule, ByKind)]
        if unions:
            return self.model(self.random.choice(list(unions[0].values())))
        origin = get_origin(annotation)
        if origin is Annotated:
            inner, *more = get_args(annotation)
            return self.value(inner, [*metadata, *more])
        if origin in (Union, types.UnionType):
            return self.value(self.random.choice(get_args(annotation)), metadata)
        if origin is Literal:
            return self.random.choice(get_args(annotation))
        if origin is tuple:
            limits = _limits(metadata)
            low = limits.get("min_length", 0)
            count = self.random.randint(low, min(limits.get("max_length", 4), low + 2))
            return tuple(self.value(get_args(annotation)[0]) for _ in range(count))
        if annotation is type(None):
            return None
        if annotation is bool:
            return self.random.random() < 0.5
        if annotation is int:
            return self._int(_limits(metadata))
        if annotation is float:
            return self._float(_limits(metadata))
        if annotation is str:
            return self._str(_limits(metadata))
        return self.model(annotation)

    def _int(self, limits: dict[str, Any]) -> int:
        low, high = limits.get("ge", 0), limits.get("le", MAX_INT)
        return self.random.choice(
            (
                low,
                high,
                self.random.randint(low, high),
                self.random.randint(low, min(high, low + 9)),
            )
        )

    def _float(self, limits: dict[str, Any]) -> float:
        low, high = limits.get("ge", limits.get("gt", 0.0)), limits.get("le", 1e18)
        if "lt" in limits:
            high = math.nextafter(limits["lt"], low)
        tiny = 5e-324 if "gt" in limits else low
        picks = (tiny or 0.0, high, self.random.uniform(low, high), 0.1, 1 / 3, 1e-9, 1e16)
        value = self.random.choice(picks)
        return float(value) if low <= value <= high else float(high)

    def _str(self, limits: dict[str, Any]) -> str:
        pattern = limits.get("pattern", "")
        if pattern == r"^[A-Z]{3}$":
            return "".join(self.random.choices("ABCXYZ", k=3))
        if pattern == r"^[0-9a-f]{16}$":
            return f"{self.random.getrandbits(64):016x}"
        if pattern:
            return "a" + "".join(self.random.choices("abc019-", k=self.random.randint(0, 20)))
        return self.text(12, least=limits.get("min_length", 0))

    def text(self, most: int, *, least: int = 0, multiline: bool = False) -> str:
        alphabet = ALPHABET + "\n\t" if multiline else ONE_LINE
        return "".join(self.random.choices(alphabet, k=self.random.randint(least, most)))

    def _amount(self) -> Amount:
        if self.random.random() < 0.5:
            return Amount(share=self.random.choice((0.0, 1.0, 0.06, self.random.random())))
        return Amount(size_bytes=self.random.choice((0, MAX_INT, self.random.getrandbits(40))))

    def _deployment(self) -> Deployment:
        pp = self.random.randint(1, 4)
        partition = tuple(self.random.randint(1, 99) for _ in range(pp))
        return Deployment(
            tp=self.random.choice((1, 2, 8, 1024)),
            pp=pp,
            pp_partition=partition if self.random.random() < 0.5 else None,
            dp=self.random.randint(1, 10**6),
        )

    def _points(self) -> tuple[QuantilePoint, ...]:
        shares = sorted({self.random.random() for _ in range(self.random.randint(0, 6))} | {1.0})
        tokens = sorted(self.random.randint(1, MAX_INT) for _ in shares)
        return tuple(QuantilePoint(q=q, tokens=t) for q, t in zip(shares, tokens, strict=True))

    def _quantiles(self) -> QuantileTable | TraceSummary:
        if self.random.random() < 0.5:
            return QuantileTable(points=self._points(), source=self.text(40, multiline=True))
        return TraceSummary(
            requests=self.random.randint(1, MAX_INT),
            mean_tokens=self.random.uniform(1, 1e6),
            points=self._points(),
        )

    def _workload(self) -> Workload:
        count = self.random.randint(0, 3)
        groups = tuple(
            self.model(PrefixGroup).with_(request_share=self.random.random() / count)
            for _ in range(count)
        )
        return Workload(**self._fields(Workload, "prefix_groups"), prefix_groups=groups)

    def _model(self) -> ModelSpec:
        pool = self._pools.setdefault(ModelSpec, [])
        if len(pool) > 100 and self.random.random() < 0.8:
            return self.random.choice(pool)
        pool.append(self._new_model())
        return pool[-1]

    def _new_model(self) -> ModelSpec:
        values = self._fields(ModelSpec, "layers")
        runs = tuple(
            self.model(LayerRun).with_(count=self.random.randint(1, 99))
            for _ in range(self.random.randint(1, 3))
        )
        return ModelSpec(**values, layers=runs)

    def _ref(self) -> PresetRef:
        return PresetRef(
            namespace=self.random.choice(("builtin", "user")),
            id="a.b-c_d",
            rev=self.random.randint(1, MAX_INT),
            fingerprint=f"{self.random.getrandbits(64):016x}",
        )


def _limits(metadata: Any) -> dict[str, Any]:
    """Collect ge, le, gt, pattern and lengths from a field's metadata."""
    limits: dict[str, Any] = {}
    for item in metadata:
        for part in (item, *getattr(item, "metadata", ())):
            for name in ("ge", "le", "gt", "lt", "pattern", "min_length", "max_length"):
                found = getattr(part, name, None)
                if found is not None:
                    limits[name] = found
    return limits
