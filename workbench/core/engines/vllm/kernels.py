"""Block sizes of the attention backend that vLLM would choose on a card (§3.6).

Restated from `platforms/cuda.py`, `platforms/interface.py` and the backends' own lists in 0.33.0,
0.19.1, 0.11.2 and 0.8.5. Only the sizes matter here, so only the first backend that a card
supports is looked for; cards that are not NVIDIA's are taken to accept any multiple of 16.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from workbench.core.engines.vllm.inputs import ANY_16, KernelBlocks
from workbench.core.engines.vllm.layers import IndexKv, KvRun, LatentKv
from workbench.spec.kv_format import KvFormat
from workbench.spec.vllm_rules import VllmRules

FLASHINFER: Final = KernelBlocks((16, 32, 64))
FLASHINFER_MLA: Final = KernelBlocks((32, 64))
FLASHMLA: Final = KernelBlocks((64,))
FLASHMLA_SPARSE: Final = KernelBlocks((64,), multiples=True)
INDEXER: Final = KernelBlocks((64,))
CUTLASS_MLA: Final = KernelBlocks((128,))
TURBOQUANT: Final = KernelBlocks((16, 32, 64, 128))
ULTRAQUANT: Final = KernelBlocks((64,))


@dataclass(frozen=True, slots=True)
class BackendBlocks:
    """What a backend does to the block size."""

    kernels: tuple[KernelBlocks, ...]
    block_tokens: int | None
    """Block size to plan with: the flag, or what the release forces over it; None if neither."""


def backend_blocks(
    rules: VllmRules,
    layers: Iterable[KvRun],
    kv: KvFormat,
    compute_capability: str,
    block_flag_tokens: int | None = None,
) -> BackendBlocks:
    """Return the kernels of the backend chosen for these layers, and the block it leaves.

    `compute_capability` as "9.0"; empty for cards that have none.
    """
    kinds = {type(layer) for layer, _ in layers}
    major = int(compute_capability.partition(".")[0] or 0)
    if IndexKv in kinds:
        forced = None if rules.latent_block_rule == "kernel" else 64
        return BackendBlocks((FLASHMLA_SPARSE, INDEXER), forced or block_flag_tokens)
    if LatentKv in kinds:
        return _latent(rules, major, block_flag_tokens)
    if kv.id.startswith("turboquant"):
        return BackendBlocks((TURBOQUANT,), block_flag_tokens)
    if kv.id.startswith("ultraquant"):
        return BackendBlocks((ULTRAQUANT,), block_flag_tokens)
    # Of the data-centre Blackwells FlashInfer is the first choice, elsewhere FlashAttention.
    return BackendBlocks((FLASHINFER if major == 10 else ANY_16,), block_flag_tokens)


def _latent(rules: VllmRules, major: int, flag: int | None) -> BackendBlocks:
    if rules.latent_block_rule == "kernel":
        # FlashAttention's latent kernel on Hopper, Triton's elsewhere: any multiple of 16.
        return BackendBlocks((FLASHINFER_MLA if major == 10 else ANY_16,), flag)
    if major == 10 and rules.latent_block_rule == "flashmla_64_cutlass_128":
        return BackendBlocks((CUTLASS_MLA,), 128)
    if major == 9:
        # FlashMLA takes 64 whatever the flag says, unless that is a multiple already.
        return BackendBlocks((FLASHMLA,), flag if flag and flag % 64 == 0 else 64)
    return BackendBlocks((ANY_16,), flag)
