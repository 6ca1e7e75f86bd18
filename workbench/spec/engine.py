"""Engine profiles: a tagged union by `kind`, one member an engine.

None in a field means "the engine's default for this release and card": the core resolves it
and the ledger shows it as defaulted.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, NamedTuple, Self

from pydantic import model_validator
from pydantic_core import PydanticCustomError

from workbench.spec.base import Bytes, Frozen, Share, Tokens, Within
from workbench.spec.by_kind import ByKind
from workbench.spec.units import share_of

if TYPE_CHECKING:
    from workbench.spec.llamacpp import LlamacppEngine
    from workbench.spec.lmdeploy import LmdeployEngine
    from workbench.spec.sglang import SglangEngine
    from workbench.spec.trtllm import TrtllmEngine
    from workbench.spec.vllm import VllmEngine

BlockTokens = Annotated[int, Within(ge=1, le=2**31)]
Sequences = Annotated[int, Within(ge=1, le=2**31)]


class Amount(Frozen):
    """An amount of memory: bytes, or a share of the card; exactly one of the two."""

    size_bytes: Bytes | None = None
    share: Share | None = None

    @model_validator(mode="after")
    def _one_of_two(self) -> Self:
        if (self.size_bytes is None) == (self.share is None):
            raise PydanticCustomError(
                "amount_needs_one", "takes either size_bytes or share, exactly one of them"
            )
        return self

    def of(self, total_bytes: int) -> int:
        """Return the bytes it stands for on a card of `total_bytes`; a share is floored."""
        if self.size_bytes is not None:
            return self.size_bytes
        assert self.share is not None
        return share_of(total_bytes, self.share)


class PlainEngine(Frozen):
    """No engine's rule in particular: the founding note's arithmetic in whole blocks."""

    kind: Literal["plain"] = "plain"
    release: Literal["1"] = "1"
    block_tokens: BlockTokens = 16
    activation_reserve: Amount = Amount(share=0.06)
    fragmentation_reserve: Amount = Amount(share=0.04)
    weights_bytes: Bytes | None = None
    """Weights of the whole model as given; None takes them from the model's inventory."""
    runtime_bytes: Bytes | None = None
    """Context, communication buffers and graphs on each rank as given; None: not modelled."""
    max_model_len: Tokens | None = None
    """Longest request in tokens; None takes the model's longest position."""
    max_num_seqs: Sequences | None = None
    """Most requests at once, for the block table; None takes 256."""

    @property
    def untouched(self) -> "PlainEngine":
        """The profile before anyone changed a flag."""
        return PlainEngine()


ENGINE_CLASSES: Final = ByKind(
    {
        "plain": "workbench.spec.engine.PlainEngine",
        "vllm": "workbench.spec.vllm.VllmEngine",
        "sglang": "workbench.spec.sglang.SglangEngine",
        "trtllm": "workbench.spec.trtllm.TrtllmEngine",
        "llamacpp": "workbench.spec.llamacpp.LlamacppEngine",
        "lmdeploy": "workbench.spec.lmdeploy.LmdeployEngine",
    }
)
"""The class of each profile by its kind, in the order of a picker. Each engine joins here."""

if TYPE_CHECKING:
    EngineProfile = (
        PlainEngine | VllmEngine | SglangEngine | TrtllmEngine | LlamacppEngine | LmdeployEngine
    )
else:
    EngineProfile = Annotated[Frozen, ENGINE_CLASSES]


def flag_of(engine: EngineProfile, name: str) -> Any:
    """Return a flag of an engine's profile, None where it is left open or the engine has none."""
    return getattr(engine, name, None)


class GivenPool(NamedTuple):
    """The size of a rank's KV pool, and the field that gives it."""

    field: str
    bytes: int


def given_pool(engine: EngineProfile) -> GivenPool | None:
    """Return what gives a rank's pool in bytes, None where nothing does; a log is nearer."""
    measured = getattr(flag_of(engine, "measured"), "available_kv_bytes", None)
    if measured is not None:
        return GivenPool("engine.measured_available_kv_bytes", measured)
    flag = flag_of(engine, "kv_cache_memory_bytes")
    return None if flag is None else GivenPool("engine.kv_cache_memory_bytes", flag)


ENGINE_NAMES: Final[Mapping[str, str]] = {
    "vllm": "vLLM",
    "sglang": "SGLang",
    "trtllm": "TensorRT-LLM",
    "llamacpp": "llama.cpp",
    "lmdeploy": "LMDeploy",
}
"""What engines with releases are called, in every language."""
