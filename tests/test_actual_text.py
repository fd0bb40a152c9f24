"""Replacement texts (14.9.4) as parts of a page's text: words, one space between them, nothing unfit."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.helpers.pages import assert_counts_add_up, grid_font, words_of
from tests.helpers.pdf_maker import simple_font

Open = Callable[..., Any]
FONTS = {"F": grid_font()}


def spanned(replacement: str) -> str:
    return (
        "BT /F 10 Tf 100 700 Td (pre) Tj 20 0 Td "
        f"/Span <</ActualText {replacement}>> BDC (Hello) Tj EMC 30 0 Td (post) Tj ET"
    )


@pytest.mark.parametrize(
    ("replacement", "text"),
    [
        ("(two words)", "pre two words post"),
        (r"(a\nb\tc\000)", "pre a b c post"),
        ("<FEFF00410020FFFE00A000420085FFFD>", "pre A B post"),
        ("( x )", "pre x post"),
        ("()", "pre post"),
        ("( )", "pre post"),
    ],
)
def test_a_replacement_is_words(page_of: Open, replacement: str, text: str) -> None:
    page = page_of(spanned(replacement), fonts=FONTS)
    assert page.text() == text
    assert page.words.texts() == text.split()
    assert_counts_add_up(page)


def test_the_box_is_cut_in_proportion(page_of: Open) -> None:
    page = page_of(spanned("(two words)"), fonts=FONTS)
    assert [(text, round(x0, 2), round(x1, 2)) for text, x0, _, x1, _ in words_of(page)[1:3]] == [
        ("two", 120, 128.33),
        ("words", 131.11, 145),
    ]
    assert page.words.glyphs.tolist() == [3, 5, 0, 4]


def test_a_glyph_that_says_a_phrase(page_of: Open) -> None:
    font = simple_font("Phrase", "TrueType", widths={97: 1000}, to_unicode={97: "to be"})
    page = page_of("BT /F 10 Tf 0 1 -1 0 300 300 Tm (a) Tj ET", fonts={"F": font})
    assert page.words.texts() == ["to", "be"]
    assert [round(float(y), 2) for y in page.words.y1] == [500, 494]
