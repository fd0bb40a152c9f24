"""Rules R4 and B1: copies of glyphs are dropped, and what only looks like a copy stays.

All sizes are 10 and the grid font is one em high, so the tolerances are 1.0 along the baseline and 2.0
across.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import pytest

from tests.helpers.pages import UnicodeFont, assert_counts_add_up, counts_of, grid_font, spans_of, words_of
from tests.helpers.pdf_maker import form, resource_entries, simple_font

Open = Callable[..., Any]
FONTS = {"F": grid_font(), "G": grid_font(differences={1: "x"}, widths={1: 500}), "H": simple_font()}
TURN = (math.cos(math.radians(30)), math.sin(math.radians(30)))


def at(x: float, y: float, text: str = "x", size: float = 10, font: str = "F") -> str:
    return f"BT /{font} {size} Tf {x:.6f} {y:.6f} Td ({text}) Tj ET "


def placed(a: float, b: float, c: float, d: float, x: float, y: float, text: str = "x") -> str:
    return f"BT /F 10 Tf {a:.6f} {b:.6f} {c:.6f} {d:.6f} {x:.6f} {y:.6f} Tm ({text}) Tj ET "


@pytest.mark.parametrize(
    ("along", "across", "dropped"),
    [
        (0, 0, True), (0.3, 0, True), (0.99, 0, True), (-0.99, 0, True), (1.01, 0, False), (-1.01, 0, False),
        (0, 1.99, True), (0, -1.99, True), (0, 2.01, False), (0, -2.01, False), (0.99, 1.99, True),
        (0.99, -2.01, False), (1.01, 1.99, False),
    ],
)  # fmt: skip
class TestTolerances:
    """0.1 x height along the baseline, 0.2 x height across it, in the glyph's own frame."""

    def test_horizontal(self, page_of: Open, along: float, across: float, dropped: bool) -> None:
        page = page_of(at(100, 700) + at(100 + along, 700 + across), fonts=FONTS)
        assert counts_of(page)["overprinted"] == dropped
        assert page.text() == ("x" if dropped else "xx")
        assert_counts_add_up(page)

    def test_rotated(self, page_of: Open, along: float, across: float, dropped: bool) -> None:
        cos, sin = TURN
        x, y = 300 + along * cos - across * sin, 400 + along * sin + across * cos
        page = page_of(placed(cos, sin, -sin, cos, 300, 400) + placed(cos, sin, -sin, cos, x, y), fonts=FONTS)
        assert counts_of(page)["overprinted"] == dropped

    def test_size_in_the_matrix(self, page_of: Open, along: float, across: float, dropped: bool) -> None:
        second = f"BT /F 1 Tf 10 0 0 10 {100 + along} {700 + across} Tm (x) Tj ET"
        assert counts_of(page_of(at(100, 700) + second, fonts=FONTS))["overprinted"] == dropped

    def test_mirrored(self, page_of: Open, along: float, across: float, dropped: bool) -> None:
        first, second = placed(-1, 0, 0, 1, 300, 400), placed(-1, 0, 0, 1, 300 - along, 400 + across)
        assert counts_of(page_of(first + second, fonts=FONTS))["overprinted"] == dropped


@pytest.mark.parametrize(("along", "dropped"), [(0.99, True), (1.2, False)])
def test_slanted_text_has_the_same_tolerance_along(page_of: Open, along: float, dropped: bool) -> None:
    """A slant by 20 degrees leaves the baseline level; the height grows by 1 / cos 20 = 1.064."""
    slant = math.tan(math.radians(20))
    first, second = placed(1, 0, slant, 1, 300, 400), placed(1, 0, slant, 1, 300 + along, 400)
    assert counts_of(page_of(first + second, fonts=FONTS))["overprinted"] == dropped


@pytest.mark.parametrize(("size", "dropped"), [(10.4, True), (9.6, True), (10.7, False), (9.4, False)])
def test_heights_within_five_percent(page_of: Open, size: float, dropped: bool) -> None:
    page = page_of(at(100, 700) + at(100, 700, size=size), fonts=FONTS)
    assert counts_of(page)["overprinted"] == dropped


def test_the_first_painted_wins(page_of: Open) -> None:
    page = page_of(at(100.3, 700, "abc") + at(100, 700, "abc"), fonts=FONTS)
    assert spans_of(page) == [("abc", 100.3, 115.3)]


@pytest.mark.parametrize("strikes", [2, 3, 4, 7])
def test_any_number_of_strikes(page_of: Open, strikes: int) -> None:
    page = page_of("".join(at(100 + 0.1 * i, 700, "Bold 1111") for i in range(strikes)), fonts=FONTS)
    assert page.text() == "Bold 1111"
    assert counts_of(page)["overprinted"] == 8 * (strikes - 1)
    assert_counts_add_up(page)


def test_a_copy_is_measured_from_a_kept_glyph(page_of: Open) -> None:
    """Strikes at 0, 0.9, 1.8: the third is near the second, which was dropped, and far from the first."""
    page = page_of(at(100, 700) + at(100.9, 700) + at(101.8, 700), fonts=FONTS)
    assert page.text() == "xx"
    assert counts_of(page)["overprinted"] == 1


@pytest.mark.parametrize(
    "text", ["fill", "balloon", "1111", "bookkeeper", "......", "iiii", "lll", "--", "WWW"]
)
@pytest.mark.parametrize("strikes", [1, 2, 3])
def test_doubled_letters_stay(page_of: Open, text: str, strikes: int) -> None:
    """In Helvetica, whose l and i are 0.222 em wide: double letters are further apart than any copy."""
    page = page_of("".join(at(100 + 0.3 * i, 700, text, font="H") for i in range(strikes)), fonts=FONTS)
    assert page.text() == text
    assert counts_of(page)["overprinted"] == len(text) * (strikes - 1)


def test_letter_by_letter_double_strikes(page_of: Open) -> None:
    """Word exports strike each letter twice before the next one."""
    content = "".join(
        at(100 + 5 * i + shift, 700, letter) for i, letter in enumerate("doubled") for shift in (0, 0.3)
    )
    assert page_of(content, fonts=FONTS).text() == "doubled"


def test_identical_table_cells_and_leaders_stay(page_of: Open) -> None:
    content = "".join(
        at(100 + 60 * column, 700 - 14 * row, "0.00") for row in range(3) for column in range(4)
    )
    page = page_of(content + at(100, 600, "Total" + "." * 40 + "12"), fonts=FONTS)
    assert counts_of(page)["overprinted"] == 0
    assert page.text().count("0.00") == 12


def test_the_same_line_lower_by_more_than_the_tolerance_stays(page_of: Open) -> None:
    page = page_of(at(100, 700, "same") + at(100, 690, "same"), fonts=FONTS)
    assert page.text() == "same\nsame"


def test_compared_by_unicode_not_by_font_or_code(page_of: Open) -> None:
    """Fill in one subset and stroke in another: other font, other code, same character."""
    page = page_of(at(100, 700) + "BT /G 10 Tf 100.2 700 Td <01> Tj ET", fonts=FONTS)
    assert page.text() == "x"
    assert counts_of(page)["overprinted"] == 1


def test_different_characters_at_one_place_stay(page_of: Open) -> None:
    page = page_of(at(100, 700, "o") + at(100, 700, "x"), fonts=FONTS)
    assert counts_of(page)["overprinted"] == 0


@pytest.mark.parametrize(
    "matrix", [(0, 1, -1, 0), (-1, 0, 0, 1), (-1, 0, 0, -1), (TURN[0], TURN[1], -TURN[1], TURN[0])]
)
def test_another_direction_is_no_copy(page_of: Open, matrix: tuple[float, float, float, float]) -> None:
    page = page_of(at(300, 400) + placed(*matrix, 300, 400), fonts=FONTS)
    assert counts_of(page)["overprinted"] == 0


def test_vertical_and_horizontal_are_never_compared(page_of: Open) -> None:
    flat = UnicodeFont("中", vertical=None)
    upright = UnicodeFont("中", encoding="/Identity-V", vertical={"DW2": [0, -1000]})
    fonts = {"A": flat.dictionary, "B": upright.dictionary}
    first = f"BT /A 10 Tf 300 400 Td {flat.codes('中')} Tj ET "
    # vertical origin (0.5 em, 0): shown at 305 its box begins at 300
    second = f"BT /B 10 Tf 305 400 Td {upright.codes('中')} Tj ET"
    assert counts_of(page_of(first + second, fonts=fonts))["overprinted"] == 0


@pytest.mark.parametrize(
    "white", [" ", "\u00a0", "\u3000"], ids=["space", "no-break space", "ideographic space"]
)
def test_white_space_is_never_a_copy(page_of: Open, white: str) -> None:
    font = UnicodeFont("a" + white, width=500)
    line = f"BT /F 10 Tf 100 700 Td {font.codes('a' + white + 'a')} Tj ET "
    page = page_of(line * 2, fonts={"F": font.dictionary})
    assert counts_of(page)["overprinted"] == 2


def test_glyphs_without_unicode_are_never_copies(page_of: Open) -> None:
    font = UnicodeFont("a")
    page = page_of(
        "BT /F 10 Tf 100 700 Td <00090009> Tj ET BT 100 700 Td <00090009> Tj ET", fonts={"F": font.dictionary}
    )
    counts = counts_of(page)
    assert (counts["overprinted"], counts["unmapped"], counts["painted"]) == (0, 4, 4)
    assert page.text() == ""


def test_a_form_over_the_page(page_of: Open) -> None:
    stamp = form(at(100.2, 700, "stamp"), resources=resource_entries(FONTS))
    page = page_of(at(100, 700, "stamp") + "/X Do", fonts=FONTS, xobjects={"X": stamp})
    assert page.text() == "stamp"
    counts = counts_of(page)
    assert (counts["overprinted"], counts["painted"]) == (5, 10)


def test_copies_are_counted_with_their_word(page_of: Open) -> None:
    page = page_of(at(100, 700, "one two") + at(100.3, 700, "one two") + at(100.6, 700, "one"), fonts=FONTS)
    assert page.words.texts() == ["one", "two"]
    assert [int(count) for count in page.words.glyphs] == [3, 3]
    assert [int(count) for count in page.words.copies] == [6, 3]
    assert [int(count) for count in page.lines.copies] == [9]


def test_an_off_page_glyph_hides_nothing(page_of: Open) -> None:
    """The centre of the first strike is off the page, that of the second is on it: the second is read."""
    page = page_of(at(97, 300) + at(97.9, 300), fonts=FONTS, crop_box=(100, 200, 400, 500))
    assert page.text() == "x"
    assert_counts_add_up(page)


def test_a_shadow_further_away_is_a_copied_run(page_of: Open) -> None:
    """B1: the whole run again, offset by 1.5 along and 1.5 down, beyond the tolerance of a single glyph."""
    page = page_of(at(100, 700, "Shadow") + at(101.5, 698.5, "Shadow"), fonts=FONTS)
    assert page.text() == "Shadow"
    assert counts_of(page)["overprinted"] == 6


@pytest.mark.parametrize("text", ["x", "xy"])
def test_fewer_than_three_glyphs_are_no_run(page_of: Open, text: str) -> None:
    page = page_of(at(100, 700, text) + at(101.5, 700, text), fonts=FONTS)
    assert counts_of(page)["overprinted"] == 0


def test_many_strikes_take_n_log_n(page_of: Open) -> None:
    start = time.process_time()
    page = page_of(
        "BT /F 10 Tf 1 0 0 1 100 700 Tm " + "1 0 0 1 100 700 Tm (x) Tj " * 100_000 + "ET", fonts=FONTS
    )
    assert page.text() == "x"
    assert counts_of(page)["overprinted"] == 99_999
    assert time.process_time() - start < 20


def test_box_of_a_word_is_that_of_its_kept_glyphs(page_of: Open) -> None:
    page = page_of(at(100, 700, "ab") + at(100.9, 701.9, "ab"), fonts=FONTS)
    assert words_of(page) == [("ab", 100, 92, 110, 102)]


@pytest.mark.parametrize(
    ("offset", "text", "dropped"),
    [
        (2.9, "balloon", True),  # beyond half an advance, but nothing else covers seven letters so
        (-2.9, "balloon", True),
        (2.9, "ballo", False),
        (3.1, "balloon", False),
    ],
)
def test_a_long_run_may_lie_further_away(page_of: Open, offset: float, text: str, dropped: bool) -> None:
    """B1: a run of six glyphs or more, up to 0.3 of the height along the baseline, whatever its narrowest letter."""
    page = page_of(at(100, 700, text) + at(100 + offset, 698, text), fonts=FONTS)
    assert counts_of(page)["overprinted"] == (len(text) if dropped else 0)
    assert_counts_add_up(page)


def test_a_letter_of_a_shadow_may_cover_another_of_its_word(page_of: Open) -> None:
    """The second l of "balloon" lies 2.2 behind the first, so that a shadow's first l is there too."""
    for dx, dy in ((2, -2), (-2, 2), (2.22, 0)):
        page = page_of(
            at(100, 700, "balloon", font="H") + at(100 + dx, 700 + dy, "balloon", font="H"), fonts=FONTS
        )
        assert page.text() == "balloon"
        assert counts_of(page)["overprinted"] == 7


@pytest.mark.parametrize("mark_first", [False, True])
def test_a_mark_that_says_its_whole_cluster(page_of: Open, mark_first: bool) -> None:
    """Matplotlib's /ToUnicode gives x and circumflex to the letter and to the mark: the letter stays, with its box."""
    font = simple_font(
        "Marks", "TrueType", widths={97: 600, 98: 0}, to_unicode={97: "x\u0302", 98: "x\u0302"}
    )
    letter, mark = at(100, 700, "a"), at(105.5, 700, "b")
    page = page_of(mark + letter if mark_first else letter + mark, fonts={"F": font})
    assert page.text() == "x\u0302"
    assert spans_of(page) == [("x\u0302", 100, 106)]
    assert counts_of(page)["overprinted"] == 1
    assert [drop.reason for drop in page.explain().drops] == ["it is a mark, and its letter says both"]
