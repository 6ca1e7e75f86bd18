"""What a card is, and sets of cards."""

from typing import Annotated, Literal

from pydantic import Field

from workbench.spec.base import MAX_INT, Count, Frozen, Line, Name, Rate, Slug, Text, Title, Within

PositiveRate = Annotated[float, Within(gt=0, le=1e18)]


class Link(Frozen):
    """How cards of a node talk to each other."""

    kind: Line
    bytes_per_s: Rate | None = None
    """One way; None when not sourced."""
    host: Line = ""
    """The bus to the host, "5.0 x16"."""


class PeakRates(Frozen):
    """Dense operations a second by number type; None when not sourced."""

    fp32: PositiveRate | None = None
    bf16: PositiveRate | None = None
    fp16: PositiveRate | None = None
    fp8: PositiveRate | None = None
    fp4: PositiveRate | None = None
    int8: PositiveRate | None = None


class GpuSpec(Frozen):
    """A card. Two memory readings are kept apart; the marketing figure is only a name."""

    id: Slug
    rev: Count = 1
    name: Title
    aliases: tuple[Name, ...] = Field(default=(), max_length=50)
    vendor: Line = ""
    architecture: Line = ""
    compute_capability: Line = ""
    device_total_bytes: Annotated[int, Within(ge=1, le=MAX_INT)]
    """What the runtime reports to the engine."""
    device_total_basis: Line = ""
    smi_total_mib: Annotated[int, Within(ge=1, le=2**43)] | None = None
    """What nvidia-smi prints."""
    framework_total_bytes_low: Annotated[int, Within(ge=1, le=2**63 - 1)] | None = None
    framework_total_bytes_high: Annotated[int, Within(ge=1, le=2**63 - 1)] | None = None
    """Range of totals that engine logs have shown."""
    marketing_gb: Annotated[int, Within(ge=1, le=2**20)] | None = None
    memory_type: Line = ""
    memory_bytes_per_s: PositiveRate | None = None
    peak_ops_per_s: PeakRates = PeakRates()
    link: Link | None = None
    power_w: PositiveRate | None = None
    max_per_node: Count | None = None
    nvlink_domain: Count | None = None
    price_per_hour_low: Rate | None = None
    price_per_hour_high: Rate | None = None
    """In US dollars, as both are."""
    price_note: Line = ""
    sources: tuple[Text, ...] = Field(default=(), max_length=50)
    checked: Text = ""
    uncertain: tuple[Line, ...] = Field(default=(), max_length=50)
    kind: Literal["card"] = "card"

    @property
    def short_name(self) -> str:
        """The name without the vendor, which takes the room of what tells cards apart."""
        return self.name.replace(f"{self.vendor} ", "", 1) if self.vendor else self.name


class GpuSet(Frozen):
    """A set of equal cards and the tensor parallelism it is meant for."""

    id: Slug
    rev: Count = 1
    name: Title
    aliases: tuple[Name, ...] = Field(default=(), max_length=50)
    card: GpuSpec
    count: Annotated[int, Within(ge=1, le=4096)]
    tp: Annotated[int, Within(ge=1, le=4096)]
    link: Link | None = None
    sources: tuple[Text, ...] = Field(default=(), max_length=50)
    checked: Text = ""
    kind: Literal["set"] = "set"


GpuProfile = Annotated[GpuSpec | GpuSet, Field(discriminator="kind")]
