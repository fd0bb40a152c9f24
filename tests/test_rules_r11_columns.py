"""Rule R11: columns read one after the other, split where a gap exceeds k x the median glyph advance.

At size 10 a glyph of the grid font is 5 wide: with k = 3 a gap over 15 splits.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given, settings

import extractor
from tests.helpers.pages import UnicodeFont, grid_font
from tests.helpers.pdf_maker import make_pdf
from tests.test_rules_r10_layout import WORDS, at, drawn

Open = Callable[..., Any]
FONTS = {"F": grid_font()}
LEFT, RIGHT = (f"left line number {n}" for n in range(1, 6)), (f"right line number {n}" for n in range(1, 6))
LEFTS, RIGHTS = list(LEFT), list(RIGHT)
HEADING = "A heading that crosses all of the columns of the page below it"


def stacked(x: float, y: float, texts: Iterable[str]) -> list[tuple[float, float, str]]:
    return [(x, y - 12 * row, text) for row, text in enumerate(texts)]


def columns(page_of: Open, content: str, k: float = 3.0, **arguments: Any) -> list[str]:
    text: str = page_of(content, fonts=FONTS, **arguments).column_text(k)
    return text.split("\n")


def test_two_columns_painted_row_by_row(page_of: Open) -> None:
    rows = zip(stacked(60, 700, LEFTS), stacked(200, 700, RIGHTS), strict=True)
    assert columns(page_of, "".join(drawn(*row) for row in rows)) == LEFTS + RIGHTS


@pytest.mark.parametrize(("gap", "split"), [(14.9, False), (15.1, True), (200, True)])
def test_three_median_advances(page_of: Open, gap: float, split: bool) -> None:
    content = drawn(
        (100, 700, "abcd"), (120 + gap, 700, "efgh"), (100, 688, "ijkl"), (120 + gap, 688, "mnop")
    )
    assert columns(page_of, content) == (
        ["abcd", "ijkl", "efgh", "mnop"] if split else ["abcd efgh", "ijkl mnop"]
    )


@pytest.mark.parametrize(("k", "split"), [(1.9, True), (2.1, False), (20, False)])
def test_k_is_an_argument(page_of: Open, k: float, split: bool) -> None:
    content = drawn((100, 700, "ab"), (120, 700, "cd"), (100, 688, "ef"), (120, 688, "gh"))
    assert columns(page_of, content, k) == (["ab", "ef", "cd", "gh"] if split else ["ab cd", "ef gh"])


def test_the_median_is_that_of_the_page(page_of: Open) -> None:
    """A large heading and its gap do not change what is a gap between columns of the text."""
    content = at(100, 740, "Big", size=30) + drawn((100, 700, "abcdefgh"), (160, 700, "ijklmnop"))
    assert columns(page_of, content) == ["Big", "abcdefgh", "ijklmnop"]


def test_one_row_is_split_too(page_of: Open) -> None:
    assert columns(page_of, drawn((100, 700, "left"), (300, 700, "right"))) == ["left", "right"]


def test_three_columns_between_a_heading_and_a_foot(page_of: Open) -> None:
    middles = [line.replace("left", "mid") for line in LEFTS]
    content = drawn(
        (60, 740, HEADING), *stacked(60, 700, LEFTS), *stacked(200, 700, middles), *stacked(330, 700, RIGHTS),
        (60, 600, HEADING.lower()),
    )  # fmt: skip
    assert columns(page_of, content) == [HEADING, *LEFTS, *middles, *RIGHTS, HEADING.lower()]


def test_a_heading_between_two_regions(page_of: Open) -> None:
    """Regions are read one after the other; their gutters need not be at the same place."""
    content = drawn(
        *stacked(60, 700, LEFTS), *stacked(200, 700, RIGHTS), (60, 630, HEADING),
        *stacked(60, 610, ["wider " + line for line in LEFTS]), *stacked(240, 610, RIGHTS),
    )  # fmt: skip
    wider = ["wider " + line for line in LEFTS]
    assert columns(page_of, content) == [*LEFTS, *RIGHTS, HEADING, *wider, *RIGHTS]


def test_regions_without_a_heading_between(page_of: Open) -> None:
    """Three columns above two, whose gutter is none of theirs."""
    content = drawn(
        *stacked(60, 700, ["one two"] * 3), *stacked(140, 700, ["three"] * 3), *stacked(200, 700, ["four"] * 3),
        *stacked(60, 664, ["reaches under three"] * 3), *stacked(175, 664, ["beside that"] * 3),
    )  # fmt: skip
    expected = (
        ["one two"] * 3 + ["three"] * 3 + ["four"] * 3 + ["reaches under three"] * 3 + ["beside that"] * 3
    )
    assert columns(page_of, content) == expected


@pytest.mark.parametrize("first", [0, 2])
def test_columns_of_different_lengths(page_of: Open, first: int) -> None:
    """One column begins higher, the other ends lower: their lines alone in a row belong to them."""
    content = drawn(*stacked(60, 700 - 12 * first, LEFTS), *stacked(200, 700 - 12 * (2 - first), RIGHTS))
    assert columns(page_of, content) == LEFTS + RIGHTS


def test_a_foot_far_below_is_no_part_of_a_column(page_of: Open) -> None:
    content = drawn(*stacked(60, 700, LEFTS), *stacked(200, 700, RIGHTS), (60, 60, "draft"))
    assert columns(page_of, content) == [*LEFTS, *RIGHTS, "draft"]


def test_baselines_need_not_agree(page_of: Open) -> None:
    content = drawn(*stacked(60, 700, LEFTS), *((x, 703 - 13 * row, text) for row, (x, _, text) in
                                                enumerate(stacked(200, 0, RIGHTS))))  # fmt: skip
    assert columns(page_of, content) == LEFTS + RIGHTS


def test_columns_within_a_column(page_of: Open) -> None:
    """A small table in the left column: its cells are read within that column."""
    content = drawn(
        *stacked(60, 700, LEFTS), *stacked(60, 640, ["aa", "bb"]), *stacked(120, 640, ["cc", "dd"]),
        *stacked(60, 616, LEFTS), *stacked(200, 700, RIGHTS * 2),
    )  # fmt: skip
    assert columns(page_of, content) == [*LEFTS, "aa", "bb", "cc", "dd", *LEFTS, *RIGHTS, *RIGHTS]


def test_paragraphs_at_both_sides_are_no_columns(page_of: Open) -> None:
    """Text at the left, then text at the right below it, and so on: there is no gap in any row."""
    content = drawn(
        (60, 700, "who asks"), (300, 680, "who answers"), (60, 660, "asks more"), (300, 640, "answers")
    )
    assert columns(page_of, content) == ["who asks", "who answers", "asks more", "answers"]


def test_a_stretched_line_of_a_justified_paragraph(page_of: Open) -> None:
    """Its gaps are over the limit, but the lines above and below begin and end where it does."""
    full = "a line that is as wide as the paragraph"
    content = drawn(
        *stacked(60, 700, [full, full]), (60, 676, "one"), (140, 676, "stretched"), (240, 676, "line"[:3]),
        (60, 664, full), (60, 652, "its end"),
    )  # fmt: skip
    assert columns(page_of, content) == [full, full, "one stretched lin", full, "its end"]


@pytest.mark.parametrize(
    ("gap", "rows", "length", "split"),
    [(12, 8, 25, True), (7, 8, 25, False), (12, 7, 25, False), (12, 8, 12, False)],
)
def test_a_narrow_gutter_of_running_text(
    page_of: Open, gap: float, rows: int, length: int, split: bool
) -> None:
    """Articles have gutters of 2.4 advances; cells of a table that stand as near to each other are one row."""
    lefts, rights = ([letter * (length - row % 3) for row in range(rows)] for letter in "ab")
    cells = [*stacked(60, 700, lefts), *stacked(60 + 5 * length + gap, 700, rights)]
    lines = columns(page_of, drawn((60, 720, HEADING), *cells))
    assert lines[0] == HEADING
    assert (lines[1:] == lefts + rights) is split
    assert split or lines[1] == f"{lefts[0]} {rights[0]}"


def test_letter_spaced_words_stay_whole(page_of: Open) -> None:
    """The letters of one word are cut at no gap that the word rules do not cut at."""
    content = "BT /F 10 Tf 100 700 Td [(S) -900 (U) -900 (M) -900 (M) -900 (A) -900 (R) -900 (Y)] TJ ET "
    page = page_of(content + drawn((100, 680, "x" * 40)), fonts=FONTS)
    assert page.text().split("\n")[0] == page.column_text().split("\n")[0] == "SUMMARY"


def test_a_word_painted_out_of_order_is_in_its_place(page_of: Open) -> None:
    content = drawn(
        (100, 700, "the"), (145, 700, "of"), (60, 688, "other line"), (120, 700, "cost"), (60, 700, "What is")
    )
    assert columns(page_of, content) == ["What is the cost of", "other line"]


@pytest.mark.parametrize("rotate", [90, 270])
def test_the_page_as_shown(page_of: Open, rotate: int) -> None:
    cells = [*stacked(60, 700, LEFTS), *stacked(200, 700, RIGHTS)]
    places = {90: lambda x, y: (800 - y, x), 270: lambda x, y: (y - 200, 800 - x)}
    content = "".join(at(*places[rotate](x, y), text, degrees=rotate) for x, y, text in cells)
    assert columns(page_of, content, rotate=rotate) == LEFTS + RIGHTS


def test_copies_are_gone_before(page_of: Open) -> None:
    cells = [*stacked(60, 700, LEFTS), *stacked(200, 700, RIGHTS)]
    bold = [(x + 0.5, y, text) for x, y, text in cells]
    assert columns(page_of, drawn(*cells, *bold)) == LEFTS + RIGHTS


def test_right_to_left_columns_begin_at_the_right(page_of: Open) -> None:
    hebrew = UnicodeFont("אבגדהו", width=500)

    def shown(x: float, y: float, text: str) -> str:
        return f"BT /H 10 Tf {x} {y} Td {hebrew.codes(text[::-1])} Tj ET "

    content = "".join(shown(x, y, text) for x, y, text in [(60, 700, "דדד"), (60, 688, "ההה"), (300, 700, "אאא"),
                                                          (300, 688, "בבב")])  # fmt: skip
    page = page_of(content, fonts={"H": hebrew.dictionary})
    assert page.column_text().split("\n") == ["אאא", "בבב", "דדד", "ההה"]


def test_other_directions_follow(page_of: Open) -> None:
    content = at(40, 300, "turned", degrees=90) + drawn(*stacked(60, 700, LEFTS), *stacked(200, 700, RIGHTS))
    assert columns(page_of, content) == [*LEFTS, *RIGHTS, "turned"]


def test_an_empty_page(page_of: Open) -> None:
    assert page_of("", fonts=FONTS).column_text() == ""


@settings(max_examples=60, deadline=None)
@given(WORDS)
def test_no_glyph_is_lost(words: list[tuple[float, float, str, float, float]]) -> None:
    content = "".join(at(round(x, 2), round(y, 2), text, size, turn) for x, y, text, size, turn in words)
    with extractor.open_document(make_pdf(content, fonts=FONTS)) as document:
        page = document[0]
        said = Counter("".join(page.text().split()))
        for k in (0.5, 3.0):
            assert Counter("".join(page.column_text(k).split())) == said
            assert page.column_text(k) == document[0].column_text(k)
