"""Slots of recurrent states: what one takes, how many there are, what they cost.

    slot    layers × (convolution × 2 bytes + state × 4 bytes) on a rank
    slots   given; or as many as requests without a radix cache; or rest × m ÷ (1 + m) ÷ slot
    spent   (slots + a padding slot) × slot, and what the drafts verify

Source: SGLang `mem_cache/kv_cache_configurator.py:_handle_max_mamba_cache` (0.5.23),
`model_runner_kv_cache_mixin.py` (0.5.10.post1), `model_runner.py` (0.5.5.post3),
`configs/mamba_utils.py`; sglang.md §3.4.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import prod

from workbench.core.engines.sglang.cells import attention_tp
from workbench.core.engines.sglang.defaults import Flags
from workbench.core.memory.shares import Stage
from workbench.spec.layers import ParallelMixer, RecurrentState
from workbench.spec.sglang import SglangEngine

_CONV_BYTES = 2
_STATE_BYTES = {"fp32": 4, "bf16": 2, "fp16": 2}
_BASE_SLOTS = 3
"""Slots of a request beside a radix cache: its own, one to copy to and one in the tree."""
_BUFFER_SLOTS = 2


@dataclass(frozen=True, slots=True)
class Slots:
    """State slots of a rank."""

    count: int
    """As printed ("max_mamba_cache_size"); not positive where nothing is left."""
    slot_bytes: int
    spent_bytes: int
    """Taken off the budget."""
    padding_bytes: int
    """Allocated beyond it: the padding slot of releases that do not charge it."""
    per_request: int

    @property
    def requests(self) -> int:
        """Requests that have their slots."""
        return self.count // self.per_request


def slot_bytes(stage: Stage, engine: SglangEngine, tp: int) -> int:
    """Bytes of a slot in the recurrent layers of a stage, on one rank."""
    return sum(
        run.count * _layer_bytes(state, engine, tp)
        for run in stage.runs
        if (state := _state_of(run.mixer)) is not None
    )


def _state_of(mixer: object) -> RecurrentState | None:
    if isinstance(mixer, ParallelMixer):
        return mixer.state
    return mixer if isinstance(mixer, RecurrentState) else None


def _layer_bytes(state: RecurrentState, engine: SglangEngine, tp: int) -> int:
    """Convolution in 16 bits; the state in the flag's type, the model's, else 32 bits."""
    size = 0
    for tensor in state.tensors:
        axis = tensor.shard_axis
        if tensor.name.startswith("conv"):
            rows = prod(tensor.shape)
            if axis is not None:
                channels = tensor.shape[axis]
                if state.variant == "mamba2" and state.groups:
                    raised = 2 * state.groups_with(tp) * (state.state_size or 0)
                    channels += raised - state.group_rows
                rows = rows // tensor.shape[axis] * -(-channels // tp)
            size += rows * _CONV_BYTES
            continue
        elements = prod(tensor.shape)
        if axis is not None:
            elements = elements // tensor.shape[axis] * -(-tensor.shape[axis] // tp)
        dtype = engine.mamba_state_dtype or tensor.dtype or "fp32"
        size += elements * _STATE_BYTES[dtype]
    return size


def slots_per_request(flags: Flags) -> int:
    """Slots that a request may hold at once (`_calculate_mamba_ratio`)."""
    if not flags.radix_cache:
        return 1
    if not flags.extra_buffer:
        return _BASE_SLOTS
    return _BASE_SLOTS + (_BUFFER_SLOTS if flags.overlap_schedule else 1)


def slots_of(engine: SglangEngine, flags: Flags, rest_bytes: int, each: int) -> Slots | None:
    """Return the slots of `rest_bytes`; `each` is what one costs, None without recurrent layers."""
    if not each:
        return None
    match engine.rules.state_rule:
        case "padding_slot":
            return _with_padding_slot(engine, flags, rest_bytes, each)
        case "drafts_first":
            return _drafts_first(engine, flags, rest_bytes, each)
        case _:
            return _drafts_divide(engine, flags, rest_bytes, each)


def _share(flags: Flags, rest_bytes: int) -> float:
    ratio = flags.mamba_full_memory_ratio
    return rest_bytes * ratio / (1 + ratio)


def _asked(engine: SglangEngine, flags: Flags) -> int | None:
    """Slots that a flag or a limit of requests gives, on one group of ranks."""
    if engine.max_mamba_cache_size is not None:
        return engine.max_mamba_cache_size // flags.dp_attention
    if not flags.radix_cache and flags.max_num_seqs is not None:
        return max(1, flags.max_num_seqs // flags.dp_attention)
    return None


def _group_requests(flags: Flags) -> int:
    return max(1, (flags.max_num_seqs or 0) // flags.dp_attention)


def _with_padding_slot(engine: SglangEngine, flags: Flags, rest_bytes: int, each: int) -> Slots:
    """0.5.23: the padding slot is charged, and drafts' states with the slots."""
    per_request, drafted = slots_per_request(flags), flags.draft_tokens
    count = _asked(engine, flags)
    if count is None:
        free = _share(flags, rest_bytes) - each * (1 + drafted)
        count = int(free // (each * (1 + drafted / per_request)))
    spent = (count + 1) * each
    if drafted:
        held = min(_group_requests(flags), count // per_request)
        if engine.max_mamba_cache_size is None and not flags.radix_cache:
            held = count
        spent += each * (held + 1) * drafted
    return Slots(count, each, max(0, spent), 0, per_request)


def _drafts_first(engine: SglangEngine, flags: Flags, rest_bytes: int, each: int) -> Slots:
    """0.5.10: the drafts' states are taken off before the ratio is applied."""
    drafts = each * _group_requests(flags) * flags.draft_tokens if flags.draft_tokens else 0
    count = _asked(engine, flags)
    if count is None:
        count = int(_share(flags, rest_bytes - drafts) // each)
    return Slots(count, each, max(0, drafts + count * each), each, slots_per_request(flags))


def _drafts_divide(engine: SglangEngine, flags: Flags, rest_bytes: int, each: int) -> Slots:
    """0.5.5: every slot has the drafts' states beside it."""
    wide = each * (1 + flags.draft_tokens)
    if flags.radix_cache:
        count = int(_share(flags, rest_bytes) // each // (1 + flags.draft_tokens))
    else:
        asked = engine.max_mamba_cache_size or flags.max_num_seqs
        count = asked or engine.rules.state_slots_unasked or 1
    count //= flags.dp_attention
    per_request = _BASE_SLOTS if flags.radix_cache else 1
    return Slots(count, each, max(0, count * wide), each, per_request)


def state_tp(tp: int, flags: Flags) -> int:
    """Ranks that share a state: those that share the heads."""
    return attention_tp(tp, flags)
