"""The picture of a page: boxes stand where the ink is, whatever /Rotate, CropBox and UserUnit say."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import extractor
import indexing
from pipeline.drawing import COLOURS, draw_page
from pipeline.highlight import draw_marks
from tests.helpers.pdf_maker import make_pdf

SCALE = 4.0
LEGEND = 28
"""Pixels below the page, at least, where the legend is."""
GREEN, RED, BLUE = COLOURS["kept"], COLOURS["copy"], COLOURS["off_page"]


def picture(pdf: bytes, marked: tuple[int, ...] = ()) -> tuple[Any, list[Any]]:
    with extractor.open_document(pdf) as document:
        records = document[0].glyph_records(painted=True)
        return draw_page(pdf, (), document[0], records, SCALE, marked), records


def places_of(image: Any, colour: Any, legend: int = LEGEND) -> Any:
    """Return the places (y, x) of the pixels of a colour above the legend; int64[n, 2]."""
    page = np.asarray(image)[:-legend]
    return np.argwhere((page == colour).all(axis=2))


def ink_of(image: Any) -> Any:
    """Return the places (y, x) of black pixels above the legend; int64[n, 2]."""
    return np.argwhere((np.asarray(image)[:-LEGEND] < 60).all(axis=2))


def bounds(places: Any) -> tuple[int, int, int, int]:
    (y0, x0), (y1, x1) = places.min(axis=0).tolist(), places.max(axis=0).tolist()
    return x0, y0, x1, y1


@pytest.mark.parametrize("crop", [None, (60, 80, 220, 240)])
@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
@pytest.mark.parametrize("unit", [1, 2])
def test_the_box_is_around_the_ink(rotate: int, crop: tuple[int, int, int, int] | None, unit: int) -> None:
    """One large letter: its ink fills most of its box, and none is outside."""
    pdf = make_pdf(
        "BT /F1 40 Tf 100 150 Td (H) Tj ET", media_box=(20, 40, 320, 260), crop_box=crop, rotate=rotate,
        entries={"UserUnit": unit},
    )  # fmt: skip
    image, _ = picture(pdf)
    ink, box = bounds(ink_of(image)), bounds(places_of(image, GREEN))
    assert box[0] <= ink[0] <= ink[2] <= box[2]
    assert box[1] <= ink[1] <= ink[3] <= box[3]
    wide = (box[2] - box[0]) if rotate in (0, 180) else (box[3] - box[1])
    high = (box[3] - box[1]) if rotate in (0, 180) else (box[2] - box[0])
    assert wide == pytest.approx(0.722 * 40 * SCALE * unit, abs=2)
    inked = (ink[3] - ink[1]) if rotate in (0, 180) else (ink[2] - ink[0])
    assert 0.5 * high < inked < 0.95 * high


def test_colours_tell_what_became_of_glyphs() -> None:
    pdf = make_pdf(
        "BT /F1 20 Tf 100 150 Td (H) Tj 0.5 0 Td (H) Tj ET BT /F1 20 Tf 30 100 Td (I) Tj ET",
        media_box=(0, 0, 300, 200), crop_box=(60, 0, 300, 200),
    )  # fmt: skip
    image, records = picture(pdf)
    assert [record.fate for record in records] == ["kept", "copy", "off_page"]
    slug, copy = (bounds(places_of(image, colour, 3 * LEGEND)) for colour in (BLUE, RED))
    assert slug[2] < copy[0]
    assert slug[1] > copy[3]


def test_glyphs_pointed_out() -> None:
    pdf = make_pdf("BT /F1 20 Tf 100 150 Td (HI) Tj ET")

    def yellow(image: Any) -> int:
        red, green, blue = np.moveaxis(np.asarray(image).astype(int), 2, 0)
        return int(np.count_nonzero((red > 200) & (green > 180) & (blue < 150)))

    assert yellow(picture(pdf)[0]) == 0
    assert yellow(picture(pdf, (1,))[0]) > 100


def test_a_turned_letter_has_a_turned_box() -> None:
    pdf = make_pdf("BT /F1 40 Tf 0.707 0.707 -0.707 0.707 100 100 Tm (H) Tj ET", media_box=(0, 0, 200, 200))
    image, _ = picture(pdf)
    outline = places_of(image, GREEN)
    x0, y0, x1, y1 = bounds(outline)
    corners = [[y0, x0], [y0, x1], [y1, x0], [y1, x1]]
    assert not any(corner in outline.tolist() for corner in corners)
    ink = bounds(ink_of(image))
    assert x0 <= ink[0] <= ink[2] <= x1
    assert y0 <= ink[1] <= ink[3] <= y1


def test_a_huge_page_makes_a_picture_that_fits() -> None:
    pdf = make_pdf("BT /F1 400 Tf 100 150 Td (H) Tj ET", media_box=(0, 0, 14400, 14400))
    image, _ = picture(pdf)
    assert image.width * image.height < 61_000_000


def test_a_file_that_pdfium_cannot_read() -> None:
    """The boxes are drawn on white."""
    pdf = make_pdf("BT /F1 40 Tf 100 150 Td (H) Tj ET")
    with extractor.open_document(pdf) as document:
        page = document[0]
        image = draw_page(b"nothing", (), page, page.glyph_records(), 1.0)
    assert len(places_of(image, GREEN))


@pytest.mark.parametrize("crop", [None, (60, 80, 220, 240)])
@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
@pytest.mark.parametrize("unit", [1, 2])
def test_marks_lie_over_their_words(rotate: int, crop: tuple[int, int, int, int] | None, unit: int) -> None:
    """Of two words one is marked: all of its ink is under the colour, and none of the other's."""
    pdf = make_pdf(
        "BT /F1 20 Tf 90 180 Td (HIT) Tj 0 -60 Td (MISS) Tj ET", media_box=(20, 40, 320, 260), crop_box=crop,
        rotate=rotate, entries={"UserUnit": unit},
    )  # fmt: skip
    with extractor.open_document(pdf) as document:
        page = document[0]
        words, (width, height) = page.words, (page.width, page.height)
        assert words.texts() == ["HIT", "MISS"]
        columns = (words.x0, words.y0, words.x1, words.y1, words.angle)
        box = indexing.WordBox("HIT", *(float(column[0]) for column in columns))
    image = draw_marks(pdf, (), indexing.PageMarks("x.pdf", 1, width, height, (box,)), SCALE)
    assert image.size == (round(width * SCALE), round(height * SCALE))
    pixels = np.asarray(image).astype(int)
    blue = pixels[..., 2]
    marked = (pixels[..., 0] - blue) > 60
    ink = (pixels[..., 0] < 140) & (pixels[..., 1] < 140)
    x0, y0, x1, y1 = bounds(np.argwhere(marked))
    inside = ink[y0 : y1 + 1, x0 : x1 + 1].sum()
    assert inside > 200 * unit
    rest = ink.copy()
    rest[y0 : y1 + 1, x0 : x1 + 1] = False
    assert not (marked & rest).any()
    assert rest.sum() > 200 * unit
    wide, high = (x1 - x0, y1 - y0) if rotate in (0, 180) else (y1 - y0, x1 - x0)
    # H 0.722, I 0.278, T 0.611 em; a mark is a point wider on each side
    assert wide == pytest.approx((1.611 * 20 * unit + 2) * SCALE, abs=3)
    assert high < 1.6 * 20 * unit * SCALE
