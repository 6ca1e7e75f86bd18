"""What resolving a log asks of the library, which this package does not import."""

from __future__ import annotations

from typing import Literal, Protocol

from workbench.spec.engine import EngineProfile
from workbench.spec.formats import KvFormat, WeightFormat
from workbench.spec.gpu import GpuSpec
from workbench.spec.model import ModelSpec
from workbench.spec.vllm_fits import VllmFits
from workbench.spec.vllm_rules import VllmRules


class Catalogue(Protocol):
    """What the library knows, by name; None where nothing answers to a name."""

    def model(self, name: str) -> ModelSpec | None:
        """Return a model by id, Hugging Face id, alias or last part."""

    def card(self, name: str) -> GpuSpec | None:
        """Return a card by id or alias."""

    def weight_format(self, name: str) -> WeightFormat | None:
        """Return a weight format by id or alias."""

    def kv_format(self, name: str) -> KvFormat | None:
        """Return a KV format by id or alias."""

    def engine(self, kind: str, release: str) -> EngineProfile:
        """Return another engine than vLLM of a release, all flags left to it."""

    def rules(self, release: str, core: Literal["v0", "v1"]) -> VllmRules:
        """Return the switches of a release."""

    def fits(self, release: str, core: Literal["v0", "v1"]) -> VllmFits:
        """Return the fitted figures of a release."""
