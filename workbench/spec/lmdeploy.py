"""LMDeploy as an engine profile: the flags that move memory and the rules of its release.

`max_model_len` is `session_len`, `max_num_seqs` is `max_batch_size`, `max_num_batched_tokens` is
`max_prefill_token_num`, `block_tokens` is `cache_block_seq_len` or `block_size`.
"""

from typing import Annotated, Literal

from pydantic import Field

from workbench.spec.base import Frozen, Name, ReleaseName, Share, Tokens, Within

BlockTokens = Annotated[int, Within(ge=1, le=2**20)]
Sequences = Annotated[int, Within(ge=1, le=2**31)]
Backend = Literal["turbomind", "pytorch"]


class CardSequences(Frozen):
    """Requests at once that the engine takes by itself on a card whose name holds `mark`."""

    mark: Name
    sequences: Sequences


class LmdeployRules(Frozen):
    """The switches of one release."""

    read_release: ReleaseName
    """The release whose source was read and whose rules these are ("0.17.0")."""
    assumed: tuple[Name, ...] = Field(default=(), max_length=60)
    """Fields whose value is known but not the release that brought it."""

    default_backend: Backend
    default_share: Share
    """Share of the free memory that the cache takes (`cache_max_entry_count`)."""
    share_of: Literal["total", "free"]
    """What the share is taken of: the card, or what the weights leave free."""
    default_block_tokens: BlockTokens
    default_max_num_batched_tokens: Sequences
    sequences_by_card: tuple[CardSequences, ...] = Field(default=(), max_length=50)
    default_max_num_seqs: Sequences
    """Requests at once on any other card."""


class LmdeployEngine(Frozen):
    """One engine process: its release, the flags that move memory."""

    kind: Literal["lmdeploy"] = "lmdeploy"
    release: ReleaseName
    rules: LmdeployRules
    backend: Backend | None = None
    cache_max_entry_count: Annotated[float, Within(gt=0.0, lt=1.0)] | None = None
    max_model_len: Tokens | None = None
    max_num_seqs: Sequences | None = None
    max_num_batched_tokens: Sequences | None = None
    block_tokens: BlockTokens | None = None
    enable_prefix_caching: bool | None = None

    @property
    def untouched(self) -> "LmdeployEngine":
        """The profile of the same release before anyone changed a flag."""
        return LmdeployEngine(release=self.release, rules=self.rules)

    @property
    def weights_bytes(self) -> int | None:
        """Weights always follow the model's tensors."""
        return None
