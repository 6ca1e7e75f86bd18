"""Cards and sets of cards."""

from __future__ import annotations

from preset_parts.tensors import Json

from workbench.spec.gpu import GpuSet, GpuSpec, Link, PeakRates

NOTE_002 = "Founding note 002: a card of exactly 80 GiB"
MORE_ALIASES = {
    "h100-sxm": ("h100-sxm-80gb",),
    "a100-80-sxm": ("a100-sxm-80gb",),
    "h200": ("h200-sxm-141gb",),
}
SETS = (
    ("8x-h100-sxm", "h100-sxm", 8),
    ("4x-h100-sxm", "h100-sxm", 4),
    ("2x-h100-sxm", "h100-sxm", 2),
    ("8x-h200-sxm", "h200", 8),
    ("8x-b200", "b200", 8),
    ("8x-b300", "b300", 8),
    ("4x-gb200", "gb200", 4),
    ("4x-gb300", "gb300", 4),
    ("8x-a100-80-sxm", "a100-80-sxm", 8),
    ("4x-a100-80-sxm", "a100-80-sxm", 4),
    ("8x-a100-40-sxm", "a100-40-sxm", 8),
    ("8x-h800", "h800", 8),
    ("8x-h20", "h20-96", 8),
    ("8x-h20-141", "h20-141", 8),
    ("2x-h100-nvl", "h100-nvl", 2),
    ("8x-l40s", "l40s", 8),
    ("4x-l40s", "l40s", 4),
    ("4x-l4", "l4", 4),
    ("4x-a10g", "a10g", 4),
    ("8x-rtx-pro-6000-server", "rtx-pro-6000-server", 8),
    ("4x-rtx-pro-6000-ws", "rtx-pro-6000-ws", 4),
    ("4x-rtx-4090", "rtx-4090", 4),
    ("2x-rtx-4090", "rtx-4090", 2),
    ("2x-rtx-5090", "rtx-5090", 2),
    ("2x-rtx-3090", "rtx-3090", 2),
    ("8x-mi300x", "mi300x", 8),
    ("8x-mi325x", "mi325x", 8),
    ("8x-mi355x", "mi355x", 8),
    ("8x-gaudi2", "gaudi2", 8),
    ("8x-gaudi3", "gaudi3", 8),
    ("8x-ascend-910b", "ascend-910b", 8),
    ("8x-tpu-v5e", "tpu-v5e", 8),
    ("8x-tpu-v6e", "tpu-v6e", 8),
)
"""Id, card and number of cards of the sets that are bought and rented as such."""


def note_card() -> GpuSpec:
    """Return the card of founding note 002."""
    return GpuSpec(
        id="80-gib",
        name="80 GiB card",
        device_total_bytes=85_899_345_920,
        device_total_basis="as the note gives it: 80 × 1,073,741,824 bytes",
        sources=(NOTE_002,),
        checked="given, not measured: no card reports exactly this to an engine",
    )


def profiles(facts: list[Json]) -> list[GpuSpec | GpuSet]:
    """Return all cards and sets."""
    noted = note_card()
    cards = {fact["id"]: gpu(fact) for fact in facts}
    sets = [set_of(noted, "4x-80-gib", 4)]
    for set_id, card_id, count in SETS:
        card = cards[card_id]
        if card.max_per_node is not None and count > card.max_per_node:
            raise SystemExit(f"{set_id}: a node holds {card.max_per_node}")
        sets.append(set_of(card, set_id, count))
    return [noted, *cards.values(), *sets]


def set_of(card: GpuSpec, set_id: str, count: int) -> GpuSet:
    """Return `count` equal cards that serve one copy of a model together."""
    return GpuSet(
        id=set_id,
        name=f"{count} × {card.name}",
        card=card,
        count=count,
        tp=count,
        link=card.link,
        sources=card.sources,
        checked=card.checked,
    )


def gpu(fact: Json) -> GpuSpec:
    """Return a card of the facts; rates in units a second, not in G or T."""
    rates, link = fact["tflops_dense"], fact["interconnect"]
    price = fact["price_per_gpu_hour"] or {}
    seen = fact["framework_total_gib"] or {}
    notes = [fact["notes"]] if fact["notes"] else []
    return GpuSpec(
        id=fact["id"],
        name=fact["name"],
        aliases=(*fact["aliases"], *MORE_ALIASES.get(fact["id"], ())),
        vendor=fact["vendor"],
        architecture=fact["architecture"],
        compute_capability=fact["compute_capability"] or "",
        device_total_bytes=fact["planning_bytes"],
        device_total_basis=fact["planning_basis"],
        smi_total_mib=fact["smi_total_mib"],
        framework_total_bytes_low=_gib(seen.get("min")),
        framework_total_bytes_high=_gib(seen.get("max")),
        marketing_gb=fact["memory_gb_marketing"],
        memory_type=fact["memory_type"],
        memory_bytes_per_s=_scaled(fact["memory_bandwidth_gbs"], 10**9),
        peak_ops_per_s=PeakRates(**{name: _scaled(rate, 10**12) for name, rate in rates.items()}),
        link=Link(
            kind=link["kind"],
            bytes_per_s=_scaled(link["gbs_one_way"], 10**9),
            host=link["pcie"] or "",
        ),
        power_w=_scaled(fact["tdp_w"], 1),
        max_per_node=fact["max_per_node"],
        nvlink_domain=fact["nvlink_domain"],
        price_per_hour_low=_scaled(price.get("low"), 1),
        price_per_hour_high=_scaled(price.get("high"), 1),
        price_note="USD, a rough guide of April 2026" if price.get("low") is not None else "",
        sources=tuple(fact["sources"]),
        checked="; ".join([f"confidence {fact['confidence']}", *notes]),
        uncertain=tuple(fact["uncertain_fields"]),
    )


def _scaled(value: float | None, factor: int) -> float | None:
    return None if value is None else float(value * factor)


def _gib(value: float | None) -> int | None:
    """Bytes of a figure that logs print in GiB with two places."""
    return None if value is None else round(value * 2**30)
