"""Slides say what the answers are: titles, marks, findings, a map, names that are whole."""

from __future__ import annotations

from tests.export import plans
from tests.export.decks import (
    charts_of,
    deck_of,
    opened,
    slide_showing,
    squeezed,
    texts_of,
    title_of,
)
from workbench.export.found import Found
from workbench.export.options import Language, Options
from workbench.export.slides import compared
from workbench.export.slides.deck import deck_bytes
from workbench.export.wording import NONE
from workbench.spec.units import show_bytes
from workbench.spec.words import finding_text, verdict_text


def test_the_first_slide_tells_the_answer() -> None:
    slide = opened(deck_of(plans.chinese, Options())).slides[0]
    text, notes = texts_of(slide), slide.notes_slide.notes_text_frame.text
    over = plans.chinese().plan.scenarios[2].name
    assert f"5 of 6 scenarios fit; {over} is over by 85.34 GiB per GPU" in text
    for scenario, ledger in plans.chinese().answered:
        assert squeezed(scenario.name) in squeezed(text)
        assert verdict_text(ledger) in notes
    by_memory = Found(Language()).least_memory(plans.chinese())
    taken = min(column.taken_bytes("gpu") for column in plans.chinese().quick_comparison.columns)
    assert f"takes the least of a card, {show_bytes(taken)};" in by_memory
    assert text.count("✔ Fits") == 5
    assert squeezed(text).count("✖Doesnotfit") == 1


def test_an_answer_without_weights_says_so() -> None:
    deck = opened(deck_of(plans.example, Options()))
    assert "✔Fits,withoutweights" in squeezed(texts_of(deck.slides[0]))
    assert "56.00 GiB free per GPU, without weights · " in texts_of(deck.slides[0])
    assert "1 of them without weights" in title_of(deck.slides[1])
    assert "without weights" in texts_of(deck.slides[1]).replace(title_of(deck.slides[1]), "")


def test_titles_say_what_was_found() -> None:
    data = deck_of(plans.example, Options())
    assert title_of(slide_showing(data, "Memory per GPU")) == (
        "All 3 scenarios fit, 1 of them without weights; "
        "least free: Llama-3.1-8B, 23.04 GiB per GPU"
    )
    assert title_of(slide_showing(data, "Compared with")) == (
        "Llama-3.1-8B on four holds the most, 83 requests of 32k tokens; "
        "Ledger lab (without weights) holds 72 requests of 8k tokens"
    )
    assert title_of(slide_showing(data, "From Ledger lab to Llama-3.1-8B")) == (
        "Llama-3.1-8B holds 17 requests fewer than Ledger lab (without weights), "
        "mostly by model Ledger lab → Llama-3.1-8B"
    )
    alone = plans.example().only([plans.example().plan.scenarios[1].id])
    one = deck_bytes(alone, Options(title="Ours"))
    assert title_of(opened(one).slides[0]) == "Ours"
    assert title_of(opened(one).slides[1]) == (
        "80 GiB card serves 55 requests of 8k tokens; KV cache takes 40 % of the card"
    )


def test_one_request_is_one() -> None:
    found = Found(Language())
    assert found.requests(1, None) == "1 request"
    assert found.requests(2, 8_192) == "2 requests of 8k tokens"


def test_names_of_changes_are_whole() -> None:
    for make in (plans.chinese, plans.example):
        for chart in charts_of(deck_of(make, Options())):
            for name in chart.plots[0].categories:
                assert "…" not in name
                assert len(name.split("\n")) <= 2


def test_findings_stand_on_a_slide_the_gravest_first() -> None:
    slide = slide_showing(deck_of(plans.chinese, Options()), "Findings")
    table = next(shape.table for shape in slide.shapes if shape.has_table)
    first = [squeezed(cell.text) for cell in table.rows[1].cells]
    name = plans.chinese().plan.scenarios[2].name
    assert first[0] == "✖error"
    assert first[2:] == ["concurrency", "→3requests·context≤34k·TP32", name]
    assert "85.34 GiB more" in title_of(slide)
    told = squeezed(texts_of(slide))
    for ledger in plans.chinese().ledgers:
        for finding in ledger.findings:
            assert squeezed(finding_text(finding)) in told


def test_the_map_is_made_of_native_shapes() -> None:
    slide = slide_showing(deck_of(plans.chinese, Options()), "Context by concurrency")
    (group,) = (shape for shape in slide.shapes if shape.name == "heat map")
    assert not any(shape.has_chart for shape in slide.shapes)
    texts = {one.text_frame.text for one in group.shapes if one.has_text_frame}
    assert {"context", "concurrency", "32k", "largest that fits"} <= texts


def test_what_is_drawn_is_told_in_words_too() -> None:
    for slide in opened(deck_of(plans.chinese, Options())).slides:
        for shape in slide.shapes:
            if shape.has_chart or shape.name == "heat map":
                assert len(shape._element._nvXxPr.cNvPr.get("descr")) > 20


def test_the_table_below_the_bars_is_that_of_the_picture() -> None:
    """One unit, as many decimals in all rows, and what lies outside the budget."""
    slide = slide_showing(deck_of(plans.chinese, Options()), "Compared with")
    pages = list(opened(deck_of(plans.chinese, Options())).slides)
    memory = pages[[page.slide_id for page in pages].index(slide.slide_id) + 1]
    table = next(shape.table for shape in memory.shapes if shape.has_table)
    rows = {row.cells[0].text: [cell.text for cell in row.cells][1:] for row in table.rows}
    assert "Memory per GPU, GiB" in rows
    assert rows["Outside the budget"] == ["0.49", "0.49", "0.49", "–", "0.60", "2.65"]
    assert "49.43 GiB" in title_of(memory)
    assert not any("MiB" in cell or "GiB" in cell for row in rows.values() for cell in row)


def test_settings_left_to_the_engine_are_no_assumptions() -> None:
    data = deck_of(plans.example, Options())
    assumed = texts_of(slide_showing(data, "What is assumed"))
    assert "given" not in assumed
    assert "block size" not in assumed
    assert "block size" in texts_of(slide_showing(data, "Left to the engine"))


def test_a_model_without_tensors_has_no_number_of_parameters() -> None:
    rows = compared.preset_table(
        [one.model for one in plans.example().plan.scenarios[:2]], Options()
    ).rows
    said = {row.cells[0].text: row.cells[1].text for row in rows}
    assert said["parameters"] == said["layer run 1 · parameters"] == NONE
