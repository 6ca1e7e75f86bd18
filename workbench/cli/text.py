"""A ledger as text for a terminal, in stable English."""

from __future__ import annotations

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from workbench.cli.common import WIDE_COLUMNS
from workbench.spec import units, words
from workbench.spec.ledger import Band, Capacity, Entry, Ledger, Pool, RankLedger, Status

_STYLES = {
    Status.FITS: "green",
    Status.TIGHT: "yellow",
    Status.DOES_NOT_FIT: "red",
    Status.REFUSES: "red",
}
_SYMBOLS = {"error": "✖", "warning": "▲", "info": "i"}


_STRADDLES = "The bands of the fitted figures reach past the limit: the verdict is not certain."


def print_ledger(console: Console, ledger: Ledger) -> None:
    """Print verdict, ledger of the worst rank, capacity, findings and what is not modelled."""
    echo = ledger.scenario
    console.print(
        Text(
            words.visible(
                f"{echo.name}: {echo.model} on {echo.gpus} × {echo.gpu}, {echo.engine} "
                f"{echo.release}{_rules(ledger)}"
            ),
            style="bold",
        )
    )
    console.print(Text(words.verdict_text(ledger), style=_STYLES[words.shown_status(ledger)]))
    if ledger.band is not None and ledger.band.straddles:
        console.print(Text(_STRADDLES, style="yellow"), soft_wrap=True)
    wide, worst = console.width >= WIDE_COLUMNS, ledger.worst_rank
    console.print(_rank_table(ledger, worst, wide=wide))
    for rank in ledger.ranks:
        if rank.place == "host" and rank is not worst:
            console.print(_rank_table(ledger, rank, wide=wide))
    if ledger.pool is not None:
        for line in _pool_lines(ledger, ledger.pool):
            console.print(Text(line), soft_wrap=True)
    if ledger.band is not None:
        console.print(Text(_band_line(ledger, ledger.band)), soft_wrap=True)
    for line in _capacity_lines(ledger.capacity):
        console.print(Text(line), soft_wrap=True)
    for finding in ledger.findings:
        symbol = _SYMBOLS[finding.severity]
        console.print(Text(f"{symbol} {words.finding_text(finding)}"), soft_wrap=True)
    missing = "; ".join(words.NOT_MODELLED[code] for code in ledger.not_modelled)
    console.print(Text(f"Not modelled: {missing}."), soft_wrap=True)


def _rules(ledger: Ledger) -> str:
    """Say whose rules a release follows where they are those of another."""
    echo = ledger.scenario
    return "" if echo.rules == echo.release else f", by the rules of {echo.rules}"


def _rank_table(ledger: Ledger, rank: RankLedger, *, wide: bool) -> Table:
    """One line an entry; entries, headroom and free add up to the total."""
    cards = [other for other in ledger.ranks if other.place == "card"]
    equal = len({other.entries for other in cards}) == 1
    title = "" if len(ledger.ranks) == 1 else f"rank {rank.rank}, the worst"
    if equal and len(cards) > 1:
        title = f"each of {len(cards)} ranks"
    if rank.place == "host":
        title = "host memory"
    table = Table(box=box.SIMPLE_HEAD, title=title or None, title_justify="left", pad_edge=False)
    table.add_column("entry", overflow="fold")
    table.add_column("size", justify="right", no_wrap=True)
    table.add_column("bytes", justify="right", no_wrap=True)
    table.add_column("figure", no_wrap=True)
    if wide:
        table.add_column("formula", overflow="fold")
    for entry in rank.entries:
        table.add_row(
            words.entry_text(entry),
            units.show_bytes(entry.bytes),
            units.group_digits(entry.bytes),
            _figure(entry),
            *((Text(words.formula_text(entry.formula)),) if wide else ()),
        )
    rest = (("headroom", rank.headroom_bytes), ("free", rank.free_bytes))
    for label, size in rest:
        table.add_row(words.LABELS[label], units.show_bytes(size), units.group_digits(size))
    total = units.group_digits(rank.total_bytes)
    table.add_row("Total", units.show_bytes(rank.total_bytes), total, style="bold")
    return table


def _tokens(pool: Pool) -> str:
    """Tokens as the engine prints them; a refused start prints none."""
    return f" = {units.group_digits(pool.tokens)} tokens" if pool.tokens else ""


def _block(pool: Pool) -> str:
    """A block holds tokens where there is one group, else bytes that any group can take."""
    if len(pool.groups) > 1:
        return f"{units.group_digits(pool.bytes_per_block)} bytes"
    return words.how_many(pool.block_tokens, "token")


def _figure(entry: Entry) -> str:
    """How sure a figure is, its band, and whether it lies outside the engine's budget."""
    parts = [words.EVIDENCE[entry.evidence.value]]
    if entry.low_bytes is not None and entry.high_bytes is not None:
        low, high = units.show_bytes(entry.low_bytes), units.show_bytes(entry.high_bytes)
        parts.append(f"{low} to {high}")
    if not entry.in_budget:
        parts.append("outside")
    return ", ".join(parts)


def _pool_lines(ledger: Ledger, pool: Pool) -> list[str]:
    """The three headline figures, blocks used and wasted."""
    request = ledger.request
    per_token = int(pool.kv_bytes_per_token or 0)
    lines = [
        f"KV per token {units.show_bytes(per_token)} ({units.group_digits(per_token)} B) · "
        f"KV total {units.show_bytes(ledger.worst_rank.cache_bytes)} · tokens per MiB "
        f"{units.show_number(pool.tokens_per_mib or 0)} · 1,000 tokens take "
        f"{units.show_bytes(pool.bytes_of(1000))}, 1,024 (1k) "
        f"{units.show_bytes(pool.bytes_of(1024))}",
        f"Pool {units.show_bytes(pool.bytes)} = {units.group_digits(pool.blocks)} blocks of "
        f"{_block(pool)}{_tokens(pool)}",
    ]
    if request is not None and len(pool.groups) > 1:
        lines.append(
            f"One request of {units.format_tokens(request.tokens)} tokens: "
            f"{words.how_many(request.blocks, 'block')} of {len(pool.groups)} groups"
        )
    elif request is not None:
        held = request.blocks * pool.block_tokens
        waste = units.show_share(request.tail_tokens / held)
        blocks = words.how_many(request.blocks, "block")
        slots = words.how_many(request.tail_tokens, "empty slot")
        lines.append(
            f"One request of {units.format_tokens(request.tokens)} tokens: {blocks}, {slots} "
            f"({waste})"
        )
    return lines


def _band_line(ledger: Ledger, band: Band) -> str:
    """What the fitted figures leave open, in requests."""
    low, high = band.most_requests_low, band.most_requests_high
    pool = f"{units.show_bytes(band.pool_low_bytes)} to {units.show_bytes(band.pool_high_bytes)}"
    held = ledger.most_requests
    most = "no requests" if held is None else words.how_many(held, "request")
    if band.pool_low_bytes == band.pool_high_bytes:
        return f"At most {most}, if the card holds the rest beside the given pool"
    return f"At most {most}; {low:,} to {high:,} over the bands (pool {pool})"


def _capacity_lines(capacity: Capacity) -> list[str]:
    """Three figures, named apart."""
    lines = []
    log, steady = capacity.engine_log, capacity.steady_state
    if log is not None:
        longest = units.format_tokens(log.tokens_per_request)
        lines.append(f"Engine log, one replica at max_model_len {longest}: {log.concurrency:.2f}x")
    if steady is not None:
        lines.append(
            f"Steady state, requests held at once: mean {steady.mean:,} · P50 {steady.p50:,} · "
            f"P95 {steady.p95:,} · P99 {steady.p99:,} · longest {steady.max:,}"
        )
    risk, target = capacity.at_risk, capacity.target
    if risk is not None:
        share = units.show_share(risk.probability)
        lines.append(f"At risk, overflow at most {share}: {risk.concurrency:,}")
    if target is not None:
        met = "met" if target.met else "not met"
        lines.append(f"Target {target.concurrency:,}: {met}")
    return lines
