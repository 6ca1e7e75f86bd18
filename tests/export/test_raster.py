from __future__ import annotations

import math
import struct
import sys
import zlib
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PySide6.QtCore import QByteArray, QLineF, QRectF, Qt
from PySide6.QtGui import QColor, QImage, QPainter, QPen
from PySide6.QtWidgets import QWidget

from tests.charts.samples import CASES, CHINESE
from tests.charts.strategies import rows
from workbench.charts.bars import stacked_bars
from workbench.charts.display import BOLD, Box, DisplayList, Line, Rect, Span, Text, hatch
from workbench.charts.palette import DARK, LIGHT, Theme
from workbench.export.raster import QtMeasure, paint, png_bytes, render_image
from workbench.export.write import write
from workbench.spec.errors import UserError


def chart(case: str = "over", theme: Theme = LIGHT, **options: object) -> DisplayList:
    options = {"width": 760, "theme": theme, "measure": QtMeasure()} | options
    return stacked_bars(CASES[case], **options)  # type: ignore[arg-type]


def colour(image: QImage, x: float, y: float) -> str:
    return image.pixelColor(int(x), int(y)).name().upper()


def chunks(png: bytes) -> dict[str, bytes]:
    """Return the chunks of a PNG by name, after checking their sums."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    found, at = {}, 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        name, body = png[at + 4 : at + 8], png[at + 8 : at + 8 + length]
        assert struct.unpack(">I", png[at + 8 + length : at + 12 + length])[0] == zlib.crc32(
            name + body
        )
        found[name.decode()] = body
        at += 12 + length
    return found


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("scale", [1, 1.25, 2, 3])
def test_segments_have_their_exact_colour_at_every_scale(theme: Theme, scale: float):
    made = chart(theme=theme)
    image = render_image(made, scale)
    assert (image.width(), image.height()) == (
        round(made.width * scale),
        round(made.height * scale),
    )
    for item in made.with_role("segment:"):
        if isinstance(item, Rect) and item.fill and item.stroke is None:
            corners = (item.x + 0.6, item.y + 0.6), (item.x + item.width / 2, item.y + 2)
            for x, y in corners:
                assert colour(image, x * scale, y * scale) == item.fill
    assert colour(image, 1, image.height() - 1) == theme.surface
    assert not image.hasAlphaChannel()


def test_edges_are_crisp():
    fill, ground = "#242A7D", "#FFFFFF"
    items = (Rect(10.3, 10.3, 20, 20, fill=fill), Line(40.2, 5, 40.2, 35, fill, 2))
    image = render_image(DisplayList(50, 40, ground, items), 1.25)
    found = {colour(image, x, 20 * 1.25) for x in range(image.width())}
    assert found == {fill, ground}


@pytest.mark.parametrize("end", [40.0, 40.3])
@pytest.mark.parametrize(("scale", "width"), [(1.0, 1.0), (2.0, 0.5), (1.5, 0.6), (2.0, 1.0)])
def test_a_line_is_painted_as_qt_paints_one(scale: float, width: float, end: float):
    ends = [(10, 4, 10, end), (4, 20, end, 20), (30.2, 8, 30.2, end), (8, 33.4, end, 33.4)]
    lines = [Line(*four, "#3377AA", width) for four in ends]
    ground = DisplayList(50, 50, "#F0E0D0", ())
    expected = render_image(ground, scale)
    painter = QPainter(expected)
    painter.scale(scale, scale)
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    pixels = max(1, math.floor(width * scale + 0.5))
    pen = QPen(QColor("#3377AA"), pixels / scale)
    pen.setCapStyle(Qt.PenCapStyle.FlatCap)
    painter.setPen(pen)
    half = pixels / 2

    def on_grid(at: float) -> float:
        return (math.floor(at * scale - half + 0.5) + half) / scale

    for x1, y1, x2, y2 in ends:
        if x1 == x2:
            x1 = x2 = on_grid(x1)
        else:
            y1 = y2 = on_grid(y1)
        painter.drawLine(QLineF(x1, y1, x2, y2))
    painter.end()
    assert render_image(DisplayList(50, 50, "#F0E0D0", tuple(lines)), scale) == expected


def test_what_has_a_size_keeps_a_pixel():
    items = (Rect(10.2, 5, 0.3, 20, fill="#000000"),)
    image = render_image(DisplayList(30, 30, "#FFFFFF", items), 1)
    assert [x for x in range(30) if colour(image, x, 15) == "#000000"] == [10]


def test_outlines_lie_inside_their_edges():
    items = (Rect(5, 5, 20, 20, stroke="#000000", stroke_width=1),)
    image = render_image(DisplayList(30, 30, "#FFFFFF", items), 2)
    dark = [x for x in range(60) if colour(image, x, 30) == "#000000"]
    assert dark == [10, 11, 48, 49]


def test_hatch_stays_in_its_box():
    box = Box(10, 10, 30, 20)
    made = DisplayList(
        50, 40, "#FFFFFF", (hatch(box, "#B3261E", pitch=6, line_width=2, falling=True),)
    )
    image = render_image(made, 2)
    painted = [
        (x / 2, y / 2)
        for x in range(image.width())
        for y in range(image.height())
        if colour(image, x, y) != "#FFFFFF"
    ]
    assert len(painted) > 400
    assert all(10 <= x < 40 and 10 <= y < 30 for x, y in painted)


@pytest.mark.parametrize("anchor", ["start", "middle", "end"])
def test_text_stands_where_its_box_says(anchor: str):
    measure = QtMeasure()
    text = Text(100, 20, "80.0 GiB", 13, "#000000", BOLD, anchor)  # type: ignore[arg-type]
    image = render_image(DisplayList(200, 40, "#FFFFFF", (text,)), 2, measure)
    dark = [
        (x / 2, y / 2)
        for x in range(400)
        for y in range(80)
        if image.pixelColor(x, y).lightness() < 128
    ]
    box = text.box(measure)
    left, right = min(x for x, _ in dark), max(x for x, _ in dark)
    assert box.x - 1 <= left <= box.x + 3
    assert box.right - 3 <= right <= box.right + 1
    top, bottom = min(y for _, y in dark), max(y for _, y in dark)
    assert (top + bottom) / 2 == pytest.approx(20, abs=1)


def test_text_is_plain():
    text = Text(5, 20, "<b>&amp;</b>", 13, "#000000")
    measure = QtMeasure()
    assert measure.width(text.text, 13) > 1.8 * measure.width("&amp;", 13)
    assert render_image(DisplayList(200, 40, "#FFFFFF", (text,)), 1, measure).width() == 200


def test_digits_have_one_width_and_bold_is_wider():
    measure = QtMeasure()
    assert len({round(measure.width(digit * 10, 13), 3) for digit in "0123456789"}) == 1
    assert measure.width("weights", 13, bold=True) > measure.width("weights", 13)
    assert measure.height(26) > 1.5 * measure.height(13)


def test_named_cases_paint_in_chinese_too():
    for name in CASES:
        image = render_image(chart(name, labels=CHINESE.__getitem__, title="单卡显存"), 1)
        assert len({colour(image, x, 20) for x in range(image.width())}) > 2


def test_png_is_the_same_every_time_and_has_no_date(tmp_path: Path):
    made = chart()
    target = tmp_path / "bars.png"
    data = png_bytes(made, 2)
    write(target, data)
    assert data == png_bytes(made, 2) == target.read_bytes()
    assert list(tmp_path.iterdir()) == [target]
    found = chunks(data)
    assert set(found) <= {"IHDR", "pHYs", "IDAT", "IEND"}
    assert struct.unpack(">II", found["IHDR"][:8]) == (1520, round(made.height) * 2)
    # 192 dots an inch: a double scale shows as large as a single one.
    assert struct.unpack(">IIB", found["pHYs"]) == (7559, 7559, 1)
    read = QImage.fromData(QByteArray(data), "PNG")
    assert read == render_image(made, 2).convertToFormat(read.format())


def test_a_png_that_cannot_be_written_leaves_nothing_behind(tmp_path: Path):
    target = tmp_path / "bars.png"
    target.mkdir()
    (target / "kept").touch()
    with pytest.raises(UserError) as caught:
        write(target, png_bytes(chart()))
    assert "bars.png" in str(caught.value)
    assert list(tmp_path.iterdir()) == [target]


def test_too_large_a_picture_is_refused_with_its_size():
    with pytest.raises(UserError) as caught:
        render_image(DisplayList(20_000, 20_000, "#FFFFFF", ()), 2)
    assert caught.value.code == "picture_too_large"
    assert caught.value.params["width"] == 40_000


def test_widgets_show_what_pictures_show(qtbot):
    made, measure = chart(), QtMeasure()

    class Chart(QWidget):
        def paintEvent(self, event: object) -> None:
            painter = QPainter(self)
            painter.fillRect(self.rect(), Qt.GlobalColor.white)
            paint(made, painter, measure)
            painter.end()

    widget = Chart()
    qtbot.addWidget(widget)
    widget.resize(round(made.width), round(made.height))
    shown = widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)
    ratio = widget.devicePixelRatio()
    expected = render_image(made, ratio, measure)
    expected.setDevicePixelRatio(ratio)
    assert shown == expected


def test_painting_leaves_the_painter_as_it_was():
    image = QImage(100, 100, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    before = (painter.pen(), painter.brush(), painter.font(), painter.renderHints())
    paint(chart(), painter)
    assert (painter.pen(), painter.brush(), painter.font(), painter.renderHints()) == before
    painter.end()


HEADLESS = """
import sys
from tests.charts.samples import CASES
from workbench.charts.bars import stacked_bars
from workbench.charts.palette import DARK
from pathlib import Path
from workbench.export.raster import QtMeasure, headless_application, png_bytes
application = headless_application()
measure = QtMeasure()
made = stacked_bars(CASES["over"], width=760, theme=DARK, measure=measure)
Path(sys.argv[1]).write_bytes(png_bytes(made, 2, measure))
print(len(made.items), "PySide6.QtWidgets" in sys.modules)
"""


def test_works_without_display_and_widgets(run_offline, tmp_path: Path, pytestconfig):
    target = tmp_path / "a.png"
    root, guard = pytestconfig.rootpath, pytestconfig.rootpath / "tests" / "guard"
    done = run_offline(
        [sys.executable, "-c", HEADLESS, target],
        PYTHONPATH=f"{guard}:{root}",
        QT_QPA_PLATFORM="",
        DISPLAY="",
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.split()[1] == "False"
    assert chunks(target.read_bytes())["IHDR"]


def apart(one: QImage, other: QImage) -> int:
    """Return by how much of 255 two images differ at most.

    Under a clip Qt mixes the edge of a slanting line along another path: a channel may be off by 1.
    """
    assert one.size() == other.size()
    pixels = (np.frombuffer(image.constBits(), np.uint8).astype(int) for image in (one, other))
    return int(np.abs(np.subtract(*pixels)).max())


@pytest.mark.parametrize("scale", [1.0, 1.25, 2.0])
@settings(max_examples=25)
@given(before=rows().filter(bool), data=st.data())
def test_painting_the_band_that_differs_is_painting_all_of_it(scale, before, data):
    after = list(before)
    place = data.draw(st.sampled_from(range(len(before))))
    after[place] = data.draw(st.sampled_from(before))
    measure = QtMeasure()
    old, new = (
        stacked_bars(shown, width=760, theme=LIGHT, measure=measure) for shown in (before, after)
    )
    band = new.difference(old)
    if (old.width, old.height) != (new.width, new.height):
        return
    image = render_image(old, scale, measure)
    if band is not None:
        top, bottom = math.floor(band.top), math.ceil(band.bottom)
        painter = QPainter(image)
        painter.scale(scale, scale)
        painter.setClipRect(QRectF(0, top, new.width, bottom - top))
        painter.fillRect(QRectF(0, top, new.width, bottom - top), QColor(new.background))
        paint(new, painter, measure, within=Span(top, bottom))
        painter.end()
    assert apart(image, render_image(new, scale, measure)) <= 1
