"""Rules R3 and B4: which painted glyphs are visible, and the page's box, rotated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.helpers.pages import assert_counts_add_up, counts_of, grid_font, words_of
from tests.helpers.pdf_maker import Indirect

Open = Callable[..., Any]
FONTS = {"F": grid_font()}


def text_at(x: float, y: float, text: str) -> str:
    return f"BT /F 10 Tf {x} {y} Td ({text}) Tj ET"


@pytest.mark.parametrize(
    ("x", "y", "inside"),
    [
        (98, 300, True),  # the centre of the glyph, 2.5 to the right of its start, is at 100.5
        (97, 300, False),  # at 99.5
        (396, 300, True),  # at 398.5
        (398, 300, False),  # at 400.5
        (200, 200 - 2.5, True),  # the centre, 3 above the baseline, is at 200.5
        (200, 200 - 3.5, False),  # at 199.5
        (200, 500 - 3.5, True),  # at 499.5
        (200, 500 - 2.5, False),  # at 500.5
    ],
)
def test_the_centre_of_the_box_decides(page_of: Open, x: float, y: float, inside: bool) -> None:
    page = page_of(text_at(x, y, "a"), fonts=FONTS, crop_box=(100, 200, 400, 500))
    assert page.text() == ("a" if inside else "")
    assert counts_of(page)["off_page"] == (not inside)
    assert_counts_add_up(page)


def test_every_painted_glyph_is_in_the_raw_glyphs(page_of: Open) -> None:
    page = page_of(
        text_at(10, 10, "slug") + text_at(200, 300, "ab"), fonts=FONTS, crop_box=(100, 200, 400, 500)
    )
    assert page.text() == "ab"
    assert len(page.glyphs) == 6
    assert len(page.visible_glyphs) == 2
    assert counts_of(page) | {} == {
        **dict.fromkeys(counts_of(page), 0),
        "painted": 6,
        "visible": 2,
        "off_page": 4,
    }


@pytest.mark.parametrize(
    ("crop_box", "size", "text"),
    [
        (None, (600, 800), "ab"),
        ((100, 200, 400, 500), (300, 300), "ab"),
        ((400, 500, 100, 200), (300, 300), "ab"),  # corners in any order (7.9.5)
        ((-50, -50, 700, 400), (600, 400), "ab"),  # clipped to the media box (14.11.2)
        ((700, 900, 800, 1000), (600, 800), "ab"),  # disjoint: no crop box at all
        ((0, 0, 0, 0), (600, 800), "ab"),  # empty: no crop box at all
    ],
)
def test_visible_box(page_of: Open, crop_box: Any, size: tuple[float, float], text: str) -> None:
    page = page_of(text_at(200, 300, "ab"), fonts=FONTS, crop_box=crop_box)
    assert (page.width, page.height) == size
    assert page.text() == text


@pytest.mark.parametrize(
    ("rotate", "size", "box"),
    [
        # the box of "ab" in the 300 x 200 crop box, from its lower left corner: x 50..60, y 98..108
        (0, (300, 200), (50, 92, 60, 102)),
        (90, (200, 300), (98, 50, 108, 60)),
        (180, (300, 200), (240, 98, 250, 108)),
        (270, (200, 300), (92, 240, 102, 250)),
        (-90, (200, 300), (92, 240, 102, 250)),
        (450, (200, 300), (98, 50, 108, 60)),
        (45, (300, 200), (50, 92, 60, 102)),  # no multiple of 90: as if absent
    ],
)
def test_output_space_is_the_visible_box_rotated(
    page_of: Open, rotate: int, size: tuple[float, float], box: tuple[float, float, float, float]
) -> None:
    """Origin top left, y down, /Rotate (clockwise, 7.7.3.3) applied."""
    page = page_of(text_at(150, 300, "ab"), fonts=FONTS, crop_box=(100, 200, 400, 400), rotate=rotate)
    assert (page.width, page.height) == size
    assert words_of(page) == [("ab", *box)]
    assert page.rotation == (rotate % 360 if rotate % 90 == 0 else 0)


@pytest.mark.parametrize(("rotate", "angle"), [(0, 0), (90, 90), (180, 180), (270, 270)])
def test_rotated_pages_read_like_upright_ones(page_of: Open, rotate: int, angle: float) -> None:
    content = "BT /F 10 Tf 100 700 Td 14 TL (one two) Tj T* (three) Tj ET"
    page = page_of(content, fonts=FONTS, rotate=rotate)
    assert page.text() == "one two\nthree"
    assert {round(float(a)) % 360 for a in page.lines.angle} in ({angle}, {(360 - angle) % 360})


def test_mode_3_stays_in_the_text(page_of: Open) -> None:
    """B4: an OCR layer is painted in render mode 3, and is what makes a scan searchable."""
    page = page_of(f"BT 3 Tr ET {text_at(100, 700, 'scan')}", fonts=FONTS)
    assert page.text() == "scan"
    assert_counts_add_up(page)


@pytest.mark.parametrize("state", ["ON", "OFF"])
def test_optional_content(page_of: Open, state: str) -> None:
    """B4, 8.11: what is off by default is counted as hidden, and not in the text."""
    group = Indirect({"Type": "/OCG", "Name": b"layer"})
    catalog = {"OCProperties": {"OCGs": [group], "D": {"BaseState": "/ON", "Order": [group], state: [group]}}}
    content = f"/OC /L BDC {text_at(100, 700, 'layer')} EMC {text_at(100, 600, 'always')}"
    page = page_of(content, fonts=FONTS, resources={"Properties": {"L": group}}, catalog=catalog)
    assert page.text() == ("layer\nalways" if state == "ON" else "always")
    assert counts_of(page)["hidden"] == (0 if state == "ON" else 5)
    assert_counts_add_up(page)


def test_text_clipped_to_nothing(page_of: Open) -> None:
    """B4: text wholly outside of the clip path (W n) is counted, and not in the text."""
    content = f"q 0 0 50 50 re W n {text_at(100, 700, 'gone')} Q {text_at(100, 600, 'here')}"
    page = page_of(content, fonts=FONTS)
    assert page.text() == "here"
    assert counts_of(page)["hidden"] == 4
    assert_counts_add_up(page)


def test_text_partly_inside_of_its_clip_stays(page_of: Open) -> None:
    page = page_of(f"q 90 690 100 30 re W n {text_at(100, 700, 'here')} Q", fonts=FONTS)
    assert page.text() == "here"
    assert counts_of(page)["hidden"] == 0


def test_user_unit_scales_the_page(page_of: Open) -> None:
    """14.11.2 and 7.7.3.3: UserUnit is the size of a unit in 1/72 inch; output is in points."""
    page = page_of(text_at(100, 700, "ab"), fonts=FONTS, entries={"UserUnit": 2})
    assert (page.width, page.height) == (1200, 1600)
    assert words_of(page) == [("ab", 200, 184, 220, 204)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("abcdefgh", "abcde next"),  # f is wholly outside of the first cell
        ("abcde", "abcdenext"),  # e is cut by half: nothing is missing
    ],
)
def test_text_cut_at_the_end_of_its_cell_ends_there(page_of: Open, text: str, expected: str) -> None:
    """B4: spreadsheets clip each cell's text; the next begins where it is cut, at no distance (R5)."""
    cell = "q {} 690 {} 30 re W n {} Q "
    content = cell.format(100, 22, text_at(100, 700, text)) + cell.format(122, 50, text_at(122, 700, "next"))
    page = page_of(content, fonts=FONTS)
    assert page.text() == expected
    last = page.explain("n").boundaries[0]
    assert (last.separator, last.rule) == (("space", "B4") if " " in expected else ("none", "R5"))
