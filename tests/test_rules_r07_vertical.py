"""Rule R7: vertical writing (9.7.4.3)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.helpers.pages import UnicodeFont, words_of

Open = Callable[..., Any]


def column(x: float, text: str, font: UnicodeFont, y: float = 700) -> str:
    return f"BT /F 10 Tf {x} {y} Td {font.codes(text)} Tj ET "


def test_columns_are_lines(page_of: Open) -> None:
    font = UnicodeFont("日本語文字", encoding="/Identity-V")
    page = page_of(column(500, "日本語", font) + column(480, "文字", font), fonts={"F": font.dictionary})
    assert page.text() == "日本語\n文字"
    assert len(page.lines) == 2


def test_default_origin_and_advance(page_of: Open) -> None:
    """/DW2 is [880 -1000] and the origin is half the width to the right: the box hangs below the point."""
    font = UnicodeFont("日本", encoding="/Identity-V", descriptor={"Ascent": 880, "Descent": -120})
    page = page_of(column(500, "日本", font), fonts={"F": font.dictionary})
    ((text, *box),) = words_of(page)
    assert text == "日本"
    # origins on the horizontal baseline at y = 700 - 8.8 and 690 - 8.8; boxes from 1.2 below to 8.8 above
    assert box == pytest.approx([495, 100, 505, 120], abs=1e-3)


def starts_of(page: Any) -> dict[str, tuple[float, float]]:
    """Return where the pen stood at each glyph, by its character."""
    glyphs = page.glyphs
    places = zip(glyphs.start_x.tolist(), glyphs.start_y.tolist(), strict=True)
    return {glyphs.text(index): (round(x, 6), round(y, 6)) for index, (x, y) in enumerate(places)}


def test_w2_and_dw2(page_of: Open) -> None:
    """日 has an entry of its own, [w1y vx vy]; 本 and 語 take /DW2, [vy w1y]."""
    metrics = {"W2": [1, [-2000, 250, 900]], "DW2": [800, -1500]}
    font = UnicodeFont("日本語", encoding="/Identity-V", vertical=metrics)
    page = page_of(column(500, "日本語", font), fonts={"F": font.dictionary})
    assert starts_of(page) == {"日": (500, 700), "本": (500, 680), "語": (500, 665)}
    lefts = [float(value) for value in page.glyphs.x0]
    assert lefts == pytest.approx([500 - 2.5, 500 - 5, 500 - 5])


def test_w2_ranges_and_the_first_entry_wins(page_of: Open) -> None:
    metrics = {"W2": [3, 3, -500, 500, 880, 1, 3, -2000, 500, 880]}
    font = UnicodeFont("日本語文", encoding="/Identity-V", vertical=metrics)
    page = page_of(column(500, "日語文", font), fonts={"F": font.dictionary})
    assert starts_of(page) == {"日": (500, 700), "語": (500, 680), "文": (500, 675)}


def test_character_spacing_and_tj_move_down(page_of: Open) -> None:
    """9.4.4: ty = (w1 - Tj / 1000) x Tfs + Tc + Tw; Tz does not apply to it."""
    font = UnicodeFont("日本語", encoding="/Identity-V")
    first, second, third = (font.codes(character) for character in "日本語")
    content = f"BT /F 10 Tf -2 Tc 50 Tz 500 700 Td [{first}100{second}{third}] TJ ET"
    page = page_of(content, fonts={"F": font.dictionary})
    # 700 - 10 - 1 - 2, then - 10 - 2
    assert starts_of(page) == {"日": (500, 700), "本": (500, 687), "語": (500, 675)}
    assert page.text() == "日本語"


def test_a_gap_in_a_column_is_a_space_for_latin_and_none_for_cjk(page_of: Open) -> None:
    """R5 along the column, from the end of one glyph to the start of the next."""
    font = UnicodeFont("日本ab", encoding="/Identity-V")
    for text, expected in (("日本", "日本"), ("ab", "a b")):
        first, second = (font.codes(character) for character in text)
        page = page_of(f"BT /F 10 Tf 500 700 Td [{first}300{second}] TJ ET", fonts={"F": font.dictionary})
        assert page.text() == expected
