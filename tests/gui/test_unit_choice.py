"""GiB or GB: one choice for every size in the window, remembered, and for nothing outside it."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.gui.window_kit import Bench, opened_bench
from workbench.gui.language import settle as say_the_rest
from workbench.library import plans
from workbench.spec.units import show_bytes, show_sizes_in


@pytest.fixture(autouse=True)
def _binary_again() -> Iterator[None]:
    yield
    show_sizes_in("binary")


def _shown(bench: Bench) -> str:
    window = bench.window
    say_the_rest()
    window.settle()
    # The names of cards stay what they are.
    items = window.bars_card.bars.display_list().items
    bars = [str(item) for item in items if not item.role.startswith("row:")]
    table = window.tabs.ledger.table.cells
    cells = [cell.text for row in table.rows for cell in row]
    labels = [window.verdict.answer.full_text, *(f.full_text for f in window.status.figures)]
    return "\n".join((*bars, *table.headings, *cells, *labels))


def test_every_size_follows_the_choice_at_once(bench: Bench) -> None:
    bench.window.tabs.setCurrentWidget(bench.window.tabs.ledger)
    before = plans.dumps(bench.session.plan)
    first = _shown(bench)
    assert "GiB" in first
    bench.trigger("view.units.decimal")
    decimal = _shown(bench)
    assert "GB" in decimal
    for unit in ("GiB", "MiB", "KiB"):
        assert unit not in decimal
    bench.trigger("view.units.binary")
    assert _shown(bench) == first
    assert plans.dumps(bench.session.plan) == before
    assert not bench.session.undo_stack.canUndo()


def test_the_choice_is_remembered(qapp, tmp_path) -> None:
    with opened_bench(qapp, tmp_path) as bench:
        bench.trigger("view.units.decimal")
    show_sizes_in("binary")
    with opened_bench(qapp, tmp_path) as bench:
        assert "GB" in bench.window.verdict.answer.full_text
        assert bench.window.actions_by_id["view.units.decimal"].isChecked()


@pytest.mark.parametrize(
    ("size", "binary", "decimal"),
    [
        (85_899_345_920, "80 GiB", "85.90 GB"),
        (32 * 1024, "32 KiB", "32.77 kB"),
        (999, "999 B", "999 B"),
        (5 * 10**12, "4.55 TiB", "5 TB"),
    ],
)
def test_sizes_in_either_family(size, binary, decimal) -> None:
    assert show_bytes(size) == binary
    show_sizes_in("decimal")
    assert show_bytes(size) == decimal
