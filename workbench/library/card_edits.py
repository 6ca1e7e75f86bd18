"""The fields of a card and of a set of cards, in the groups of their form."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Final

from workbench.library.preset_fields import EditField, edit_fields, nested
from workbench.spec.gpu import GpuSet, GpuSpec, Link, PeakRates

TYPED: Final = "typed by hand"
"""The basis of a total that a person has typed."""
_GROUPS: Final[Mapping[str, tuple[str, ...]]] = {
    "card": ("name", "vendor", "architecture", "compute_capability"),
    "memory": (
        "device_total_bytes",
        "device_total_basis",
        "smi_total_mib",
        "framework_total_bytes_low",
        "framework_total_bytes_high",
        "marketing_gb",
        "memory_type",
        "memory_bytes_per_s",
    ),
    "link": ("link.kind", "link.bytes_per_s", "link.host"),
    "rates": tuple(f"peak_ops_per_s.{name}" for name in PeakRates.model_fields),
    "node": (
        "max_per_node",
        "nvlink_domain",
        "power_w",
        "price_per_hour_low",
        "price_per_hour_high",
        "price_note",
    ),
}


def card_fields(*, in_set: bool = False) -> dict[str, tuple[EditField, ...]]:
    """Return the fields of a card by group, as parts of a set where it belongs to one."""
    known = {field.path: field for field in edit_fields(GpuSpec)}
    known |= {field.path: field for field in edit_fields(PeakRates, "peak_ops_per_s")}
    known |= {field.path: field for field in _link_fields()}
    total = known["device_total_bytes"]
    known["device_total_bytes"] = replace(total, write=_with_total)
    return {
        name: tuple(nested("card", known[path]) if in_set else known[path] for path in paths)
        for name, paths in _GROUPS.items()
    }


def set_fields() -> tuple[EditField, ...]:
    """Return the fields of a set beside those of its card."""
    known = {field.path: field for field in edit_fields(GpuSet)}
    return (known["name"], known["count"], known["tp"], *_link_fields())


def _link_fields() -> tuple[EditField, ...]:
    """Return the fields of a link, which is there as soon as one of them is typed."""
    return tuple(nested("link", field, _new_link) for field in edit_fields(Link))


def _new_link() -> Link:
    return Link(kind="")


def _with_total(card: GpuSpec, total_bytes: Any) -> GpuSpec:
    """Return the card with another total; where the old one came from is then no longer true."""
    if total_bytes == card.device_total_bytes:
        return card
    return card.with_(device_total_bytes=total_bytes, device_total_basis=TYPED)
