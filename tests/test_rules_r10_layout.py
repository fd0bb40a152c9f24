"""Rule R10: text on a character grid, one text line a printed row.

At size 10 a glyph of the grid font is 5 wide, which makes the cell: a text at x stands in column (x - left) / 5.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import extractor
from tests.helpers.pages import UnicodeFont, grid_font
from tests.helpers.pdf_maker import make_pdf

Open = Callable[..., Any]
FONTS = {"F": grid_font()}
TABLE = [
    (100, 700, "Item"), (200, 700, "Price"), (300, 700, "Listed"),
    (100, 688, "Coffee filter"), (200, 688, "12.50"), (300, 688, "yes"),
    (100, 676, "Mill"), (300, 676, "no"),
]  # fmt: skip
TABLE_ROWS = """\
Item                Price               Listed
Coffee filter       12.50               yes
Mill                                    no"""


def at(x: float, y: float, text: str, size: float = 10, degrees: float = 0) -> str:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    matrix = f"{cos:.6f} {sin:.6f} {-sin:.6f} {cos:.6f} {x} {y}"
    return f"BT /F {size} Tf {matrix} Tm ({text}) Tj ET "


def drawn(*texts: tuple[float, float, str]) -> str:
    return "".join(at(x, y, text) for x, y, text in texts)


def layout(page_of: Open, content: str, **arguments: Any) -> str:
    return str(page_of(content, fonts=FONTS, **arguments).layout_text())


def test_a_table(page_of: Open) -> None:
    assert layout(page_of, drawn(*TABLE)) == TABLE_ROWS


@pytest.mark.parametrize("order", [sorted, lambda cells: sorted(cells, reverse=True)])
def test_paint_order_does_not_matter(page_of: Open, order: Callable[[Any], Any]) -> None:
    assert layout(page_of, drawn(*order(TABLE))) == TABLE_ROWS


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_the_page_as_shown(page_of: Open, rotate: int) -> None:
    """A page that is turned by /Rotate, its text turned the other way, so that it is seen upright."""
    places = {
        0: lambda x, y: (x, y),
        90: lambda x, y: (800 - y, x),
        180: lambda x, y: (600 - x, 800 - y),
        270: lambda x, y: (y - 200, 800 - x),
    }
    content = "".join(at(*places[rotate](x, y), text, degrees=rotate) for x, y, text in TABLE)
    assert layout(page_of, content, rotate=rotate) == TABLE_ROWS


def test_words_of_a_line_stand_one_space_apart(page_of: Open) -> None:
    """Gaps up to two cells are word gaps, as in justified text."""
    content = at(100, 712, "x" * 30, size=12)
    content += drawn((100, 700, "a b"), (119, 700, "c"), (135.5, 700, "d"), (153, 700, "e"))
    assert layout(page_of, content).split("\n")[1] == "a b c d  e"


def test_spaces_of_a_program_listing(page_of: Open) -> None:
    content = drawn((100, 700, "if x:"), (100, 688, "    y  = 1"), (120, 676, "zz =   2"))
    assert layout(page_of, content) == "if x:\n    y  = 1\n    zz =   2"


def test_right_aligned_numbers(page_of: Open) -> None:
    """They end in one column though their cells are wider than the page's."""
    content = at(100, 700, "x" * 40)
    for row, text in enumerate(["1", "22", "333", "4444", "55555"]):
        content += at(100, 680 - 12 * row, "n") + at(250 - 6 * len(text), 680 - 12 * row, text, size=12)
    rows = layout(page_of, content).split("\n")[1:]
    assert [row.strip() for row in rows if row] == ["n" + row.rstrip()[1:] for row in rows if row]
    assert {len(row) for row in rows if row} == {30}


def test_what_needs_more_room_moves_its_column(page_of: Open) -> None:
    """Small print of 40 characters on 100 points, 20 cells: the second column begins behind it in every row."""
    content = drawn(*((100, 700 - 12 * row, "a" * 8) for row in range(8)))
    content += at(100, 604, "b" * 40, size=5)
    content += drawn((230, 700, "one"), (230, 652, "two"), (230, 604, "three"))
    rows = layout(page_of, content).split("\n")
    assert [row.find(word) for row, word in zip(rows[::4], ["one", "two", "three"], strict=True)] == [42] * 3
    assert rows[8].startswith("b" * 40 + "  three")


def test_wide_characters_take_two_cells(page_of: Open) -> None:
    wide = UnicodeFont("氏名")
    content = drawn((100, 700, "abcd"), (150, 700, "x"), (150, 688, "y"), (160, 676, "z"))
    content += f"BT /W 10 Tf 100 688 Td {wide.codes('氏名')} Tj ET BT /W 10 Tf 100 676 Td {wide.codes('氏名氏')} Tj ET"
    page = page_of(content, fonts={**FONTS, "W": wide.dictionary})
    assert page.layout_text() == "abcd      x\n氏名      y\n氏名氏      z"


def test_cells_of_cjk_text_in_columns(page_of: Open) -> None:
    """R5 puts no space between two CJK characters, the grid keeps their distance."""
    wide = UnicodeFont("氏名年")
    content = "".join(
        f"BT /W 10 Tf {x} {y} Td {wide.codes(text)} Tj ET "
        for x, y, text in [(100, 700, "氏名"), (200, 700, "年"), (100, 688, "名"), (200, 688, "年年")]
    )
    page = page_of(content, fonts={"W": wide.dictionary})
    assert page.layout_text() == "氏名                年\n名                  年年"


def test_marks_take_no_cell(page_of: Open) -> None:
    thai = UnicodeFont("กิ่ข", widths={1: 500, 2: 0, 3: 0, 4: 500})
    content = (
        f"BT /T 10 Tf 100 700 Td {thai.codes('กิ่ข')} Tj ET BT /T 10 Tf 150 700 Td {thai.codes('ข')} Tj ET"
    )
    assert page_of(content, fonts={"T": thai.dictionary}).layout_text() == "กิ่ข        ข"


def test_superscripts_stay_in_their_row(page_of: Open) -> None:
    content = "BT /F 10 Tf 100 700 Td (mc) Tj /F 6 Tf 4 Ts (2) Tj /F 10 Tf 0 Ts ( and more) Tj ET" + at(
        100, 688, "next"
    )
    assert layout(page_of, content) == "mc2 and more\nnext"


def test_text_over_text_gets_two_rows(page_of: Open) -> None:
    rows = layout(page_of, drawn((100, 700, "below it"), (102, 701, "other words"), (100, 660, "end"))).split(
        "\n"
    )
    assert [row.strip() for row in rows if row] == ["other words", "below it", "end"]


def test_turned_text_follows_below(page_of: Open) -> None:
    content = at(50, 400, "axis label", degrees=90) + drawn((100, 700, "heading"), (150, 688, "body"))
    content += at(300, 300, "slanting", degrees=40)
    assert layout(page_of, content) == "heading\n          body\n\naxis label\n\nslanting"


def test_a_page_of_turned_text_is_read_turned(page_of: Open) -> None:
    """A landscape table on an upright page, without /Rotate; the page number alone stands upright."""
    content = "".join(at(800 - y, x, text, degrees=90) for x, y, text in TABLE) + drawn((300, 20, "7"))
    assert layout(page_of, content) == TABLE_ROWS + "\n\n7"


def test_long_empty_stretches_are_cut_short(page_of: Open) -> None:
    content = drawn((20, 780, "a"), (20, 768, "b"), (20, 756, "c"), (20, 300, "d"), (580, 300, "e"))
    rows = layout(page_of, content).split("\n")
    assert rows == ["a", "b", "c", "", "", "d" + " " * 40 + "e"]


def test_an_empty_row_where_a_line_is_left_out(page_of: Open) -> None:
    content = drawn((100, 700, "a"), (100, 688, "b"), (100, 664, "c"), (100, 652, "d"))
    assert layout(page_of, content) == "a\nb\n\nc\nd"


def test_copies_and_hidden_glyphs_are_not_on_the_grid(page_of: Open) -> None:
    content = drawn(*TABLE) + drawn(*((x + 0.4, y, text) for x, y, text in TABLE)) + drawn((100, 950, "slug"))
    assert layout(page_of, content) == TABLE_ROWS


def test_columns_of_vertical_writing_are_a_row_each(page_of: Open) -> None:
    down = UnicodeFont("縦書日本", encoding="/Identity-V")
    content = (
        f"BT /V 10 Tf 300 700 Td {down.codes('縦書')} Tj ET BT /V 10 Tf 280 700 Td {down.codes('日本')} Tj ET"
    )
    assert page_of(content, fonts={"V": down.dictionary}).layout_text() == "縦書\n日本"


def test_an_empty_page(page_of: Open) -> None:
    assert layout(page_of, "") == ""


WORDS = st.lists(
    st.tuples(
        st.floats(0, 580), st.floats(5, 780), st.text("abcxyz", min_size=1, max_size=12),
        st.sampled_from([4, 10, 10, 10, 23]), st.sampled_from([0, 0, 0, 90, 30]),
    ),
    max_size=25,
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(WORDS)
def test_no_glyph_is_lost_and_none_set_over_another(
    words: list[tuple[float, float, str, float, float]],
) -> None:
    content = "".join(at(round(x, 2), round(y, 2), text, size, turn) for x, y, text, size, turn in words)
    with extractor.open_document(make_pdf(content, fonts=FONTS)) as document:
        page = document[0]
        said = Counter("".join(page.text().split()))
        grid = page.layout_text()
        assert Counter("".join(grid.split())) == said
        assert document[0].layout_text() == grid
        assert all(row == row.rstrip() for row in grid.split("\n"))
