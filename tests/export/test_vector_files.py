"""Vector files as a whole: the same bytes in every process, metadata, clear grounds, names."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from PySide6.QtGui import QImage

from tests.export import plans
from tests.export.second_program import pdf_pictures, pdf_text, program, run, svg_picture
from workbench.charts.display import Box as Area
from workbench.charts.display import DisplayList, Line, Rect, Text, hatch
from workbench.export.formats import FORMATS, Job
from workbench.export.options import Options, silent
from workbench.export.raster import QtMeasure
from workbench.export.vector import _undated, pdf_bytes, svg_bytes

ROOT = Path(__file__).parents[2]
SVG = "{http://www.w3.org/2000/svg}"
_PROGRAM = """
import hashlib
from workbench.export.raster import headless_application
application = headless_application()
from tests.export import plans
from workbench.export.formats import FORMATS, Job
from workbench.export.options import Options, silent
for suffix, what in (("pdf", "bars"), ("svg", "waterfall"), ("png", "heatmap")):
    made = FORMATS[suffix].make(Job(plans.chinese(), Options(what=what)), silent)
    print(hashlib.sha256(made).hexdigest())
"""


def _sums(seed: int) -> list[str]:
    """Sums of three files made in a process of its own."""
    world = os.environ | {
        "PYTHONHASHSEED": str(seed),
        "PYTHONPATH": str(ROOT),
        "QT_QPA_PLATFORM": "offscreen",
    }
    done = subprocess.run(
        [sys.executable, "-c", _PROGRAM],
        env=world,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def test_two_processes_make_the_same_files() -> None:
    first = _sums(1)
    assert len(first) == 3
    assert all(len(one) == len(hashlib.sha256().hexdigest()) for one in first)
    assert _sums(2) == first


def test_no_zone_keeps_the_time_of_making() -> None:
    made = b"/CreationDate (D:20261130121328+01'00') Date=\"2026-11-30T12:13:28+01:00\""
    later = made.replace(b"121328", b"131415").replace(b"12:13:28", b"13:14:15")
    assert _undated(made) == _undated(later)
    assert len(_undated(made)) == len(made)


def test_a_pdf_says_what_it_is_and_nothing_of_when_or_where(tmp_path: Path) -> None:
    subject = plans.chinese()
    for ratio, size in (("16:9", "960 x 540 pts"), ("4:3", "720 x 540 pts")):
        options = Options(ratio=ratio)  # type: ignore[arg-type]
        path = tmp_path / "file.pdf"
        path.write_bytes(FORMATS["pdf"].make(Job(subject, options), silent))
        told = run(program("pdfinfo"), "-isodates", path)
        lines = {name.strip(): text.strip() for name, _, text in _pairs(told)}
        assert lines["Title"] == subject.plan.title
        assert lines["Page size"] == size
        assert lines["CreationDate"] == lines["ModDate"] == "2000-01-01T00:00:00Z"
        assert lines["JavaScript"] == "no"
        data = path.read_bytes()
        assert str(tmp_path).encode() not in data
        assert b"/URI" not in data


def _pairs(told: str) -> list[tuple[str, str, str]]:
    return [line.partition(":") for line in told.splitlines()]


def _sample() -> DisplayList:
    ink = "#123456"
    return DisplayList(
        200.0,
        100.0,
        "#FFFFFF",
        (
            Rect(10, 10, 60, 30, "#C2701A"),
            Rect(80, 10, 60, 30, None, ink, 2.0, "dashed"),
            hatch(Area(150, 10, 40, 30), "#B3261E", pitch=6, line_width=2),
            Line(10, 50, 190, 50, ink, 2.0, "dotted"),
            Text(10, 70, "1,234.5 GiB", 14, ink, anchor="start", tabular=True),
            Text(190, 70, "右侧", 14, ink, 700, "end"),
            Text(100, 90, "mid & <b>", 12, ink, anchor="middle"),
        ),
        (),
        "Says it",
    )


def test_clear_files_have_no_ground_of_their_own(tmp_path: Path) -> None:
    page, measure = _sample(), QtMeasure()
    svg = tmp_path / "clear.svg"
    svg.write_bytes(svg_bytes(page, measure, transparent=True))
    image = QImage(str(svg_picture(svg, tmp_path / "clear.png")))
    assert image.pixelColor(2, 2).alpha() == 0
    assert image.pixelColor(110, 25).alpha() == 0, "within an outline"
    assert image.pixelColor(40, 25).name() == "#c2701a"
    whole = tmp_path / "whole.svg"
    whole.write_bytes(svg_bytes(page, measure))
    image = QImage(str(svg_picture(whole, tmp_path / "whole.png")))
    assert image.pixelColor(2, 2).alpha() == 255
    pdf = tmp_path / "clear.pdf"
    pdf.write_bytes(pdf_bytes([page], measure, transparent=True))
    pictures = pdf_pictures(pdf, tmp_path / "pages", dpi=96)
    painted = QImage(str(pictures[0]))
    assert painted.pixelColor(40, 25).name() == "#c2701a"
    assert {"1,234.5GiB", "右侧", "mid&<b>"} <= {
        line.replace(" ", "") for line in pdf_text(pdf).replace("  ", "\n").splitlines()
    }


def test_texts_stand_where_the_list_has_them(tmp_path: Path) -> None:
    page, measure = _sample(), QtMeasure()
    root = ElementTree.fromstring(svg_bytes(page, measure))
    said = {element.text: element for element in root.iter(f"{SVG}text")}
    assert said["右侧"].get("text-anchor") == "end"
    assert said["右侧"].get("font-weight") == "bold"
    assert said["右侧"].get("x") == "190"
    assert said["mid & <b>"].get("text-anchor") == "middle"
    assert said["1,234.5 GiB"].get("font-size") == "14"
    pdf = tmp_path / "places.pdf"
    pdf.write_bytes(pdf_bytes([page], measure))
    places = ElementTree.fromstring(run(program("pdftotext"), "-bbox", pdf, "-"))
    found = {element.text: element for element in places.iter() if element.tag.endswith("word")}
    # 4 units are 3 points.
    assert float(found["1,234.5"].get("xMin", "0")) == pytest.approx(7.5, abs=1)
    assert float(found["右侧"].get("xMax", "0")) == pytest.approx(142.5, abs=1)


def test_patterns_are_lines_inside_their_area() -> None:
    root = ElementTree.fromstring(svg_bytes(_sample(), QtMeasure()))
    names = {element.tag.removeprefix(SVG) for element in root.iter()}
    assert names <= {"svg", "desc", "rect", "line", "path", "text"}
    (path,) = root.iter(f"{SVG}path")
    numbers = path.get("d", "").replace("M", " ").replace("L", " ").split()
    xs, ys = [float(n) for n in numbers[::2]], [float(n) for n in numbers[1::2]]
    assert 150 <= min(xs) <= max(xs) <= 190
    assert 10 <= min(ys) <= max(ys) <= 40


@pytest.mark.parametrize("name", ["&<>\"'\u202e\x00", "a\ud800b", "<svg onload=x>", "长" * 3_000])
def test_no_name_breaks_a_file(name: str, tmp_path: Path) -> None:
    page = DisplayList(100.0, 40.0, "#FFFFFF", (Text(5, 20, name, 12, "#000000"),), (), name)
    measure = QtMeasure()
    root = ElementTree.fromstring(svg_bytes(page, measure))
    assert len(list(root.iter())) == 4
    path = tmp_path / "name.pdf"
    path.write_bytes(pdf_bytes([page], measure, title=name))
    assert "Pages:" in run(program("pdfinfo"), path)
