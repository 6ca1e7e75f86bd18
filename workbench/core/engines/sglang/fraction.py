"""The static fraction that SGLang takes when nobody gives one, in its four generations.

    by_tp     a table by TP                                                       up to 0.4.3
    by_ranks  a table by tp × pp; large cards keep at most 18 GiB                 0.4.4 to 0.4.6
    by_card   (memory − GiB kept by card and ranks) ÷ memory                      0.4.7 to 0.5.2
    by_batch  (memory − MiB kept for chunk, graphs and ranks) ÷ memory            from 0.5.3

Memory is what nvidia-smi prints, in MiB. Source: SGLang `server_args.py` (0.4.3, 0.4.6.post5,
0.4.9.post2, 0.5.5.post3, 0.5.10.post1), `arg_groups/memory_hook.py` (0.5.23); sglang.md §2.
"""

from __future__ import annotations

from dataclasses import dataclass

from workbench.spec.sglang import Algorithm, CardTier, SglangRules

_RANK_TABLE_BELOW_MIB = 81_920
_MUCH_MEMORY_MIB = 98_304
_KEPT_OF_MUCH_MIB = 18_432
_GAINED_OF_MUCH_MIB = 49_152
_FLOOR_ABOVE_MIB = 61_440
_META_MIB = 512
_MIB_PER_TOKEN = 1.5
_LEAST_TOKENS = 2048
_MIB_PER_GRAPH = 2
_MIB_PER_DP_GRAPH = 3
_MORE_MIB_PER_DP_GRAPH = 1.5
_MANY_GRAPHS = 300
_MIB_PER_PREFILL_GRAPH = 8
_LATENT_PREFILL_GRAPHS_MIB = 1536
_DP_ATTENTION_MIB = 4096


@dataclass(frozen=True, slots=True)
class Launch:
    """What the default hangs on, beside the release."""

    smi_mib: int | None
    tp: int
    pp: int
    chunked_prefill_size: int
    max_prefill_tokens: int
    graph_max_bs: int
    decode_graphs: bool
    prefill_graph_tokens: int
    """Largest prefill graph; 0 without any."""
    latent: bool
    dp_attention: int
    algorithm: Algorithm | None
    multimodal: bool


def default_fraction(rules: SglangRules, tier: CardTier, launch: Launch) -> float:
    """Return the fraction of a launch, in the engine's own order and rounding."""
    if launch.smi_mib is None:
        fraction = rules.unknown_fraction
    elif rules.fraction_rule == "by_tp":
        fraction = _of_ranks(rules, launch.tp)
    elif rules.fraction_rule == "by_ranks":
        fraction = _by_ranks(rules, launch.smi_mib, launch.tp * launch.pp)
    elif rules.fraction_rule == "by_card":
        fraction = _kept(launch.smi_mib, _reserved_by_card(rules, tier, launch))
    else:
        fraction = _kept(launch.smi_mib, _reserved_by_batch(rules, launch, launch.smi_mib))
    if launch.multimodal and rules.vision_rule != "none":
        fraction *= rules.vision_factor
    # A card smaller than what is kept of it would start with less than nothing.
    return max(1e-9, fraction)


def prefill_graph_sizes(most_tokens: int) -> tuple[int, ...]:
    """Token counts that prefill graphs are captured for (`cuda_graph_hook.py`, 0.5.23)."""
    sizes = (
        *range(4, 33, 4),
        *range(48, 257, 16),
        *range(288, 513, 32),
        *range(576, 1025, 64),
        *range(1280, 4097, 256),
        *range(4608, most_tokens + 1, 512),
    )
    return tuple(size for size in sizes if size <= most_tokens)


def decode_graph_sizes(most: int, *, speculative: bool = False) -> tuple[int, ...]:
    """Batches that decode graphs are captured for, the largest always among them."""
    if speculative:
        listed = (*range(1, 9), *range(10, 33, 2), *range(40, 65, 4), *range(72, 257, 8))
        listed += tuple(range(272, most + 1, 16))
    else:
        listed = (1, 2, 4, 8, 12, *range(16, 257, 8), *range(272, 512, 16))
        listed += tuple(range(512, most + 1, 32))
    sizes = tuple(size for size in listed if size <= most)
    return sizes if most in sizes else (*sizes, most)


def _kept(smi_mib: int, reserved_mib: float) -> float:
    return round((smi_mib - reserved_mib) / smi_mib, 3)


def _of_ranks(rules: SglangRules, ranks: int) -> float:
    rows = [row for row in rules.rank_fractions if row.ranks_from <= ranks]
    return max(rows, key=lambda row: row.ranks_from).fraction if rows else rules.unknown_fraction


def _by_ranks(rules: SglangRules, smi_mib: int, ranks: int) -> float:
    if smi_mib <= _RANK_TABLE_BELOW_MIB:
        return _of_ranks(rules, ranks)
    fraction = rules.unknown_fraction
    if smi_mib <= _MUCH_MEMORY_MIB:
        return fraction
    return min(
        fraction + _GAINED_OF_MUCH_MIB * (1 - fraction) / smi_mib,
        (smi_mib - _KEPT_OF_MUCH_MIB) / smi_mib,
    )


def _reserved_by_card(rules: SglangRules, tier: CardTier, launch: Launch) -> float:
    reserved = (tier.reserved_gib + launch.tp * launch.pp * tier.reserved_gib_per_rank) * 1024
    reserved += _speculative_mib(rules, launch)
    if launch.dp_attention > 1 and rules.dp_attention_reserve == "fixed":
        reserved += _DP_ATTENTION_MIB
    return reserved


def _reserved_by_batch(rules: SglangRules, launch: Launch, smi_mib: int) -> float:
    chunk = launch.chunked_prefill_size
    tokens = max(chunk if chunk > 0 else launch.max_prefill_tokens, _LEAST_TOKENS)
    reserved = _META_MIB + tokens * _MIB_PER_TOKEN
    if launch.decode_graphs or rules.graphs_reserved_always:
        reserved += launch.graph_max_bs * _MIB_PER_GRAPH
    reserved += launch.tp * launch.pp / 8 * 1024
    if launch.dp_attention > 1:
        reserved += launch.graph_max_bs * launch.dp_attention * _MIB_PER_DP_GRAPH
        if launch.graph_max_bs > _MANY_GRAPHS:
            reserved += launch.graph_max_bs * launch.dp_attention * _MORE_MIB_PER_DP_GRAPH
    if rules.prefill_graphs == "default" and launch.prefill_graph_tokens:
        if launch.latent:
            reserved += _LATENT_PREFILL_GRAPHS_MIB
        else:
            sizes = prefill_graph_sizes(launch.prefill_graph_tokens)
            reserved += len(sizes) * _MIB_PER_PREFILL_GRAPH
    if smi_mib > _FLOOR_ABOVE_MIB:
        reserved = max(reserved, rules.floor_mib)
    reserved += _speculative_mib(rules, launch)
    if rules.prefill_graphs == "on_request":
        # 0.5.5 adds a quarter of a MiB for each token of the largest graph, after the floor.
        reserved += launch.prefill_graph_tokens // 4
    return reserved


def _speculative_mib(rules: SglangRules, launch: Launch) -> int:
    if launch.algorithm is None:
        return 0
    if launch.algorithm == "STANDALONE":
        return rules.standalone_mib
    if launch.algorithm == "NGRAM" and rules.fraction_rule == "by_batch":
        return 0
    return rules.speculative_mib
