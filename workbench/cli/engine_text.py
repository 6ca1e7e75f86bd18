"""What an engine made of the question, as text: defaults, groups of layers, admission."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from workbench.spec import units, words
from workbench.spec.ledger import Admission, Ledger, Pool


def print_engine(console: Console, ledger: Ledger, admission: Admission | None) -> None:
    """Print nothing for an engine without groups and defaults of its own."""
    if ledger.scenario.engine == "plain":
        return
    console.print(Text(defaults_line(ledger)), soft_wrap=True)
    if ledger.pool is not None and ledger.pool.groups:
        console.print(_groups_table(ledger.pool))
    if admission is not None:
        for line in admission_lines(admission):
            console.print(Text(line), soft_wrap=True)


def defaults_line(ledger: Ledger) -> str:
    """Every flag as resolved; those that nobody typed are marked."""
    echo = ledger.scenario
    assumed = {flag for flag, source in echo.origins.items() if source.code.endswith("_assumed")}
    parts = []
    for flag, value in echo.resolved.items():
        shown = f"{value:,}" if type(value) is int else str(value)
        if isinstance(value, bool):
            shown = "on" if value else "off"
        mark = " (assumed)" if flag in assumed else " (default)" if flag in echo.defaulted else ""
        parts.append(f"{flag} {shown}{mark}")
    return f"Resolved: {' · '.join(parts)}"


def _groups_table(pool: Pool) -> Table:
    """Equal groups share a line."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("group", "layers", "block", "page bytes", "blocks of a request"):
        table.add_column(heading, justify="left" if heading == "group" else "right")
    counted = {group: pool.groups.count(group) for group in pool.groups}
    for group, number in counted.items():
        table.add_row(
            group.kind if number == 1 else f"{number} × {group.kind}",
            units.group_digits(group.layers),
            units.group_digits(group.block_tokens),
            units.group_digits(group.page_bytes),
            units.group_digits(group.blocks_per_request),
        )
    return table


def _passing(admission: Admission) -> str:
    """Say why fewer are admitted at once than are held at rest."""
    if admission.after_prompt_blocks <= admission.at_end_blocks:
        return ""
    return ". While a prompt is processed its windows hold the whole batch; at rest much less"


def admission_lines(admission: Admission) -> list[str]:
    """How one request goes through the scheduler, and what is kept from requests."""
    output = units.format_tokens(admission.output_tokens)
    if admission.output_tokens == 1:
        output = "1 (output lengths are not known)"
    free, held = admission.needed_blocks, admission.after_prompt_blocks
    return [
        f"Admission: a prompt of {units.format_tokens(admission.prompt_tokens)} finds room with "
        f"{words.how_many(free, 'free block')}; {admission.admitted_together:,} are admitted "
        f"together. It holds {words.how_many(held, 'block')} after the prompt, "
        f"{admission.at_end_blocks:,} at its end, {admission.peak_blocks:,} at most, with an "
        f"output of {output}{_passing(admission)}",
        f"Kept from requests: {admission.withheld_blocks:,} of {admission.pool_blocks:,} blocks "
        f"withheld, watermark {admission.watermark_blocks:,}; up to "
        f"{units.format_tokens(admission.in_flight_tokens)} tokens in flight",
    ]
