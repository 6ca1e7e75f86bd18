"""The capacity record as Word, Markdown and pages: one content; no text of people is markup."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from markdown_it import MarkdownIt

from tests.export.packages import check_package
from tests.export.plans import GIB, chinese, example, named
from tests.export.second_program import office, pdf_text, program, run
from workbench.charts.display import DisplayList, Text
from workbench.charts.scale import sized_fixed
from workbench.charts.text import FixedMeasure
from workbench.core.assumed import count_unsure
from workbench.core.evidence import figure_evidence, input_evidence
from workbench.core.explain import FIGURES
from workbench.export.formats import FORMATS, Job
from workbench.export.ledger_json import ledger_json
from workbench.export.options import Cancelled, Options, silent
from workbench.export.raster import QtMeasure
from workbench.export.record import content
from workbench.export.record.bars import record_bars
from workbench.export.record.content import record_document
from workbench.export.record.document import Bars, Document, Grid, Heading, Paragraph
from workbench.export.record.items import SEVEN
from workbench.export.record.looks import kept_rows
from workbench.export.record.markdown import escaped, markdown_bytes
from workbench.export.record.printed import HEIGHT, WIDTH, record_pages
from workbench.export.record.word import docx_bytes
from workbench.export.subject import Subject
from workbench.export.table import Cell, Row, Table
from workbench.library.records import ATTACHMENT, FENCE, load_record
from workbench.library.stale import figures_of
from workbench.spec import words
from workbench.spec.errors import UserError
from workbench.spec.scenario import Plan
from workbench.spec.words.record import RECORD_ITEMS, RECORD_TITLES

PLANS = (example, chinese)
HOSTILE = (
    "<script>alert(1)</script>",
    "[click](http://example.com)",
    "![x](http://example.com/a.png)",
    "a | b | c",
    "# heading",
    "http://example.com www.example.com a@example.com",
    "`code` **bold** _it_ ~~gone~~",
    "&lt;b&gt; <!-- x --> &#60;",
    "``` fence",
    "1. one",
    "\u200eleft\u061c",
    "\\|\\",
    "=cmd|'/C calc'!A0",
    "- list",
    "> quote",
    "$x$",
    "---",
)
OPTIONS = Options(date="2026-11-30")


def tables(document: Document, code: str) -> list[Grid]:
    return [b for b in document.blocks if isinstance(b, Grid) and b.table.code == code]


def texts(page: DisplayList) -> str:
    return "\n".join(item.text for item in page.items if isinstance(item, Text))


def squeezed(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("make", PLANS)
def test_every_scenario_has_the_seven_items(make: Callable[[], Subject]) -> None:
    subject = make()
    found = tables(record_document(subject, OPTIONS), "items")
    assert len(found) == len(subject.plan.scenarios)
    for grid in found:
        codes = [row.part for row in grid.table.rows]
        assert set(SEVEN) <= set(codes)
        for row in grid.table.rows:
            assert row.cells[1].text
            assert row.cells[2].text or row.cells[1].text == "not worked out"


@pytest.mark.parametrize("make", PLANS)
def test_figures_are_those_of_the_public_json(make: Callable[[], Subject]) -> None:
    subject = make()
    document = record_document(subject, OPTIONS)
    for (_, ledger), items, sizes, capacity in zip(
        subject.answered,
        tables(document, "items"),
        tables(document, "ledger"),
        tables(document, "capacity"),
        strict=True,
    ):
        public = ledger_json(ledger)
        rank = public["ranks"][ledger.ranks.index(ledger.worst_rank)]
        values = {row.part: row.cells[1].value for row in items.table.rows}
        assert values["budget"] == rank["budget_bytes"]
        assert values["total"] == rank["total_bytes"]
        asked = next(s for s, one in subject.answered if one is ledger).reserves.headroom
        assert values["reserve"] == asked.of(rank["total_bytes"])
        assert (
            values["entries"] == rank["budget_bytes"] - rank["headroom_bytes"] - rank["free_bytes"]
        )
        assert values["per_token"] == public["pool"]["kv_bytes_per_token"]
        held = {row.part: row.cells[1].value for row in capacity.table.rows}
        assert held["most_requests"] == public["most_requests"]
        assert held["steady_p95"] == public["capacity"]["steady_state"]["p95"]
        log = public["capacity"]["engine_log"]
        assert held["engine_log"] == (None if log is None else log["concurrency"])
        rows = {row.cells[0].text: row for row in sizes.table.rows if not row.is_heading}
        for entry in rank["entries"]:
            row = rows[entry["label"]]
            assert row.cells[1].value == entry["bytes"]
            assert row.cells[3].text == entry["evidence"]
        for row in sizes.table.rows:
            assert row.is_heading or row.cells[3].text, row.cells[0].text


def test_a_reserve_that_is_used_up_is_told_as_it_was_asked_for() -> None:
    rows = tables(record_document(chinese(), OPTIONS), "items")[2].table.rows
    reserve = next(row.cells[1] for row in rows if row.part == "reserve")
    assert reserve.value == 2 * GIB
    assert reserve.text == "2,147,483,648 B (2 GiB), of which 0 B is left"
    sizes = [grid.table.rows for grid in tables(record_document(chinese(), OPTIONS), "ledger")]
    sure = [next(row.cells[3].text for row in rows if row.part == "headroom") for rows in sizes]
    assert set(sure) == {"computed"}


@pytest.mark.parametrize("make", PLANS)
def test_every_figure_is_as_sure_as_the_window_says(make: Callable[[], Subject]) -> None:
    figures = {"entries": "used", "reserve": "headroom", "exceeded": "most_requests"}
    subject = make()
    document = record_document(subject, OPTIONS)
    for code in ("items", "capacity", "ledger"):
        for (scenario, ledger), grid in zip(subject.answered, tables(document, code), strict=True):
            for row in grid.table.rows:
                name = figures.get(row.part, row.part)
                text = row.cells[-1 if code != "ledger" else 3].text if row.cells[1:] else ""
                if name in FIGURES and text:
                    assert text == figure_evidence(scenario, ledger, name).value, row.part
    defaults = [input_evidence(one, "engine.activation_reserve").value for one in subject.ledgers]
    kinds = [scenario.engine.kind for scenario in subject.plan.scenarios]
    left_open = ["activation_reserve" in one.scenario.defaulted for one in subject.ledgers]
    for kind, is_default, sure in zip(kinds, left_open, defaults, strict=True):
        assert (sure == "assumed") == (is_default and kind == "plain")


def test_an_answer_without_weights_says_so_on_every_page_that_has_it() -> None:
    document = record_document(example(), OPTIONS)
    first = tables(document, "answers")[0].table.rows[0].cells[1]
    assert (first.text, first.look) == ("Fits, without weights", "strong")
    heads = [b.text for b in document.blocks if isinstance(b, Paragraph) and b.look == "strong"]
    assert ["without weights" in text for text in heads] == [True, False, False]


def test_the_first_page_has_the_free_bytes_of_the_bars() -> None:
    rows = tables(record_document(chinese(), OPTIONS), "answers")[0].table.rows
    for row, ledger in zip(rows, chinese().ledgers, strict=True):
        assert row.cells[3].value == ledger.worst_rank.free_bytes
        assert row.cells[4].text == "assumed"


def test_the_baseline_comes_first_and_alike_ranks_once() -> None:
    subject = Subject(example().plan.with_(baseline=example().plan.scenarios[2].id))
    document = record_document(subject, OPTIONS)
    first = next(b for b in document.blocks if isinstance(b, Heading) and b.level == 1)
    assert first.text == f"{subject.plan.scenarios[2].name} (baseline)"
    rows = tables(document, "ledger")[0].table.rows
    assert [row.cells[0].text for row in rows if row.is_heading] == ["Ranks 0–3, alike: decides"]


def test_what_is_open_is_said() -> None:
    rows = {
        row.part: row for row in tables(record_document(chinese(), OPTIONS), "items")[0].table.rows
    }
    assert "is open" in rows["exceeded"].cells[1].text
    plain = {
        row.part: row for row in tables(record_document(example(), OPTIONS), "items")[0].table.rows
    }
    assert "no scheduler" in plain["exceeded"].cells[1].text
    text = str(record_document(chinese(), OPTIONS).blocks)
    assert "n/a" not in text


@pytest.mark.parametrize("make", PLANS)
def test_what_is_assumed_is_what_every_surface_counts(make: Callable[[], Subject]) -> None:
    subject = make()
    for (scenario, ledger), grid in zip(
        subject.answered, tables(record_document(subject, OPTIONS), "assumptions"), strict=True
    ):
        rows = grid.table.rows
        assert {row.cells[3].text for row in rows} <= {"assumed", "fitted"}
        count = count_unsure([ledger])
        assert len(rows) == count.assumed + count.fitted
        counted = [row.counts for row in subject.only([scenario.id]).quick_comparison.assumptions]
        assert len(rows) == sum(counted)
        entries = {entry.low_bytes for entry in ledger.worst_rank.entries if entry.low_bytes}
        for low in entries:
            assert any(sized_fixed(low, "GiB") in row.cells[2].text for row in rows)


def test_no_total_and_no_short_table_is_parted_from_what_is_above_it() -> None:
    def rows(*kinds: str) -> Table:
        cells = {"h": (Cell("x"),), "r": (Cell("x"), Cell("y"))}
        return Table("", "", ("a", "b"), tuple(Row(cells[kind]) for kind in kinds))

    long = kept_rows(rows("h", *"rrrrr", "h", *"rrrr"))
    assert [at for at, kept in enumerate(long) if kept] == [0, 3, 4, 6, 8, 9]
    assert kept_rows(rows(*"rrr")) == (True, True, False)
    assert kept_rows(rows()) == ()
    for page in record_pages(chinese(), OPTIONS, FixedMeasure()):
        shown = [item.text for item in page.items if isinstance(item, Text)]
        if "Total" in shown:
            assert shown[shown.index("Total") - 12 :].count("Headroom")


def test_every_long_part_can_be_cancelled(qapp: object) -> None:
    measure = QtMeasure()
    makers = (
        lambda told: docx_bytes(example(), OPTIONS, told, measure),
        lambda told: markdown_bytes(example(), OPTIONS, told),
        lambda told: record_pages(example(), OPTIONS, measure, told),
    )
    for make in makers:
        told: list[tuple[int, int]] = []
        make(lambda done, total, told=told: told.append((done, total)))
        shares = [done / total for done, total in told]
        assert shares == sorted(shares)
        assert shares[-1] == 1
        assert len(told) > len(record_document(example(), OPTIONS).blocks)


def test_an_empty_plan_is_one_sentence() -> None:
    with pytest.raises(UserError, match="nothing_to_export"):
        docx_bytes(Subject(Plan()), OPTIONS)


def test_it_can_be_cancelled() -> None:
    def stop(done: int, total: int) -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        markdown_bytes(example(), OPTIONS, stop)


# Word


@pytest.fixture(scope="module")
def office_texts(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What LibreOffice reads in three records, in one start of it."""
    folder = tmp_path_factory.mktemp("records")
    files = []
    for name, subject in (("en", example()), ("zh", chinese()), ("odd", named(" ".join(HOSTILE)))):
        files.append(folder / f"{name}.docx")
        files[-1].write_bytes(docx_bytes(subject, OPTIONS))
    return [pdf_text(pdf) for pdf in office(files, "pdf", folder / "pdf")]


def test_libreoffice_reads_every_figure(office_texts: list[str]) -> None:
    for subject, text in zip((example(), chinese()), office_texts, strict=False):
        shown = squeezed(text)
        for code in SEVEN:
            assert squeezed(RECORD_ITEMS[code]) in shown
        for scenario, ledger in subject.answered:
            assert squeezed(scenario.name) in shown
            for entry in ledger.worst_rank.entries:
                assert f"{entry.bytes:,}" in shown
    assert "1/25" in squeezed(office_texts[1]) or " / " in office_texts[1]


def test_hostile_names_stay_text_in_word(office_texts: list[str], tmp_path: Path) -> None:
    assert "[click](http://example.com)" in squeezed(office_texts[2])
    path = tmp_path / "odd.docx"
    path.write_bytes(docx_bytes(named(HOSTILE[5]), OPTIONS))
    with zipfile.ZipFile(path) as package:
        relations = package.read("word/_rels/document.xml.rels").decode()
        body = package.read("word/document.xml").decode()
    assert "hyperlink" not in relations
    assert "External" not in relations
    assert "w:instrText" not in body, "fields stand in the footer alone"


def test_the_document_is_built_of_real_parts(tmp_path: Path) -> None:
    path = tmp_path / "zh.docx"
    path.write_bytes(docx_bytes(chinese(), OPTIONS))
    with zipfile.ZipFile(path) as package:
        body = package.read("word/document.xml").decode()
        styles = package.read("word/styles.xml").decode()
        foot = "".join(
            package.read(name).decode() for name in package.namelist() if "footer" in name
        )
        dates = {entry.date_time for entry in package.infolist()}
    assert body.count("<w:tblHeader/>") == body.count("<w:tbl>") > 20
    assert 'w:val="Heading1"' in body
    assert 'w:eastAsia="Microsoft YaHei"' in styles
    assert " PAGE " in foot
    assert " NUMPAGES " in foot
    assert dates == {(1980, 1, 1, 0, 0, 0)}


def test_the_bars_are_a_picture_with_words(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(content, "_MOST_BARS", 2)
    subject, measure = example(), QtMeasure()
    parts = check_package(docx_bytes(subject, OPTIONS, silent, measure))
    assert [name for name in parts if "media" in name] == ["word/media/image1.png"]
    body = ElementTree.fromstring(parts["word/document.xml"])
    (said,) = (one.get("descr") for one in body.iter() if one.tag.endswith("}docPr"))
    drawn = record_bars(subject.rows[:2], OPTIONS, measure, 660)
    assert said == drawn.summary
    assert subject.plan.scenarios[1].name in said
    assert "Scenarios without a bar here: 1." in "".join(body.itertext())


# Markdown


def rendered(data: bytes) -> tuple[list[list[str]], str, set[str]]:
    """Cells of all tables, the text, the kinds of tokens, as another parser reads them."""
    parser = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    rows: list[list[str]] = []
    kinds: set[str] = set()
    said: list[str] = []
    in_cell = False
    for token in parser.parse(data.decode("utf-8")):
        kinds.add(token.type)
        kinds.update(child.type for child in token.children or ())
        if token.type == "tr_open":
            rows.append([])
        in_cell = in_cell or token.type in ("td_open", "th_open")
        if token.type in ("td_close", "th_close"):
            in_cell = False
        if token.type == "inline":
            text = "".join(child.content for child in token.children or ())
            said.append(text)
            if in_cell:
                rows[-1].append(text)
    return rows, "\n".join(said), kinds


@pytest.mark.parametrize("name", ["", "中文", *HOSTILE])
def test_another_parser_reads_the_same_cells(name: str) -> None:
    subject = named(name) if name.isascii() and name else chinese() if name else example()
    rows, _, kinds = rendered(markdown_bytes(subject, OPTIONS))
    unwanted = {"html_block", "html_inline", "link_open", "image", "code_inline", "em_open"}
    assert not kinds & (unwanted | {"s_open", "blockquote_open", "ordered_list_open"})
    grids = [b for b in record_document(subject, OPTIONS).blocks if isinstance(b, Grid)]
    wanted = []
    for grid in grids:
        wanted.append([" ".join(name.split()) for name in grid.table.columns])
        for row in grid.table.rows:
            cells = [" ".join(cell.text.split()) for cell in row.cells]
            wanted.append(cells + [""] * (len(grid.table.columns) - len(cells)))
    plain = [[cell.replace("\u2060", "") for cell in row] for row in rows]
    assert plain == wanted


def test_addresses_are_broken_for_readers_that_link_them() -> None:
    shown = "http\u2060://a.b www\u2060.a.b x\u2060@\u2060a.b"
    assert escaped("http://a.b www.a.b x@a.b") == shown


def test_headings_and_verdicts_in_markdown() -> None:
    _, said, _ = rendered(markdown_bytes(chinese(), OPTIONS))
    for code in ("items", "capacity", "ledger", "formulas", "not_modelled", "assumptions"):
        assert said.count(RECORD_TITLES[code]) >= len(chinese().plan.scenarios)
    for ledger in chinese().ledgers:
        assert words.verdict_text(ledger) in said
    assert markdown_bytes(example(), OPTIONS).decode().count(FENCE) == 1


# Pages


@pytest.mark.parametrize("make", PLANS)
def test_nothing_leaves_the_page_or_meets_another_text(make: Callable[[], Subject]) -> None:
    measure = FixedMeasure()
    pages = record_pages(make(), OPTIONS, measure)
    for number, page in enumerate(pages, start=1):
        assert (page.width, page.height) == (WIDTH, HEIGHT)
        assert f"{number} / {len(pages)}" in texts(page)
        cells = [i for i in page.items if isinstance(i, Text) and i.role != "bars"]
        for item in cells:
            box = item.box(measure)
            assert box.x >= 0, item
            assert box.right <= WIDTH, item
            assert box.bottom <= HEIGHT, item
        own = [i for i in cells if i.role.startswith(("table", "heading", "paragraph", "foot"))]
        boxes = [(i.box(measure), i) for i in own]
        for at, (one, first) in enumerate(boxes):
            for other, second in boxes[at + 1 :]:
                # A line's box is a little higher than its letters.
                lower = other._replace(y=other.y + 2, height=other.height - 4)
                assert not one.overlaps(lower), (first.text, second.text)


@pytest.mark.parametrize("make", PLANS)
def test_pages_hold_all_that_the_document_holds(make: Callable[[], Subject]) -> None:
    shown = squeezed("\n".join(texts(p) for p in record_pages(make(), OPTIONS, FixedMeasure())))
    document = record_document(make(), OPTIONS)
    for block in document.blocks:
        if isinstance(block, Heading):
            assert squeezed(block.text) in shown
        elif isinstance(block, Grid) and block.table.code == "ledger":
            for row in block.table.rows:
                assert squeezed(row.cells[-1].text) in shown
    assert any(isinstance(block, Bars) for block in document.blocks)


def test_a_head_stands_again_on_the_next_page() -> None:
    pages = record_pages(chinese(), OPTIONS, FixedMeasure())
    first = [next(i for i in p.items if isinstance(i, Text)) for p in pages[1:]]
    assert all(item.role.startswith(("heading", "table:cell")) for item in first)
    assert {item.text for item in first if item.role == "table:cell"} <= {
        "Entry",
        "Input",
        "Assumed",
        "Severity",
        "Item",
    }


def test_hostile_names_are_printed() -> None:
    assert record_pages(named(" ".join(HOSTILE)), OPTIONS, FixedMeasure())
    long = record_pages(named("字" * 3_000), OPTIONS, FixedMeasure())
    assert len(long) < 60


# The same again


def test_a_pdf_carries_the_plan_and_is_the_same_each_time(qapp: object, tmp_path: Path) -> None:
    job = Job(example(), Options(what="record"))
    data = FORMATS["pdf"].make(job, silent)
    assert data == FORMATS["pdf"].make(job, silent)
    path = tmp_path / "record.pdf"
    path.write_bytes(data)
    found = load_record(path)
    assert found.plan == job.subject.plan
    assert not found.changed
    answered = job.subject.answered
    assert found.answers == {one.id: figures_of(ledger) for one, ledger in answered}
    assert ATTACHMENT in run(program("pdfdetach"), "-list", path)


def test_the_same_plan_gives_the_same_bytes() -> None:
    assert docx_bytes(example(), OPTIONS) == docx_bytes(example(), OPTIONS)
    for make in PLANS:
        assert markdown_bytes(make(), OPTIONS) == markdown_bytes(make(), OPTIONS)
    assert b"2026" not in markdown_bytes(example(), Options()).split(FENCE.encode())[0]
