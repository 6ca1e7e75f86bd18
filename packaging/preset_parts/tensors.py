"""Small makers of tensors, so that every builder names and shards alike."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from workbench.spec.model import StageTensor, Tensor

Json = dict[str, Any]


def matrix(
    name: str, rows: int, columns: int, shard: Any = "replicated", copies: int = 1
) -> Tensor:
    """Return a linear layer of the decoder, which a weight format may quantise."""
    return Tensor(name=name, shape=(rows, columns), shard=shard, copies=copies, quantised=True)


def plain(name: str, *shape: int, shard: Any = "replicated", **more: Any) -> Tensor:
    """Return a tensor that no weight format touches: a norm, a bias, a router, a filter."""
    return Tensor(name=name, shape=shape, shard=shard, **more)


def outside(name: str, *shape: int, stage: Any = "first", **more: Any) -> StageTensor:
    """Return a tensor that stands outside the layers."""
    return StageTensor(name=name, shape=shape, stage=stage, **more)


def norms(names: Iterable[str], hidden: int, biased: bool = False) -> list[Tensor]:
    """Return norms over the hidden width, each with its bias where the model has them."""
    found = []
    for name in names:
        found.append(plain(name, hidden))
        if biased:
            found.append(plain(f"{name}.bias", hidden))
    return found


def known_keys(what: str, fact: Json, keys: str) -> None:
    """Stop at a key that this builder does not understand: it may change a shape."""
    unknown = sorted(set(fact) - set(keys.split()))
    if unknown:
        raise SystemExit(f"{what}: no builder understands {', '.join(unknown)}")
