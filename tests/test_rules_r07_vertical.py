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
    font = UnicodeFont("日本", encoding="/Identity-V")
    page = page_of(column(500, "日本", font), fonts={"F": font.dictionary})
    ((text, x0, y0, x1, y1),) = words_of(page)
    assert text == "日本"
    assert (x0, x1) == (495, 505)
    # baseline origins at y = 700 - 8.8 and 690 - 8.8 (y up); boxes from -2 to +8 around them
    assert (y0, y1) == pytest.approx((800 - (700 - 8.8 + 8), 800 - (690 - 8.8 - 2)), abs=1e-3)


def test_w2_and_dw2(page_of: Open) -> None:
    """The first glyph's own entry [w1y vx vy], the second by /DW2 [vy w1y]."""
    metrics = {"W2": [1, [-2000, 250, 900]], "DW2": [800, -1500]}
    font = UnicodeFont("日本語", encoding="/Identity-V", vertical=metrics)
    content = (
        column(500, "日", font)
        + column(300, "本", font)
        + f"BT /F 10 Tf 100 700 Td {font.codes('日語')} Tj ET"
    )
    boxes = {
        text: (x0, y1) for text, x0, _, _, y1 in words_of(page_of(content, fonts={"F": font.dictionary}))
    }
    assert boxes["日"] == pytest.approx((500 - 2.5, 800 - (700 - 9 - 2)), abs=1e-3)
    assert boxes["本"] == pytest.approx((300 - 5, 800 - (700 - 8 - 2)), abs=1e-3)
    assert boxes["日語"][1] == pytest.approx(800 - (700 - 20 - 8 - 2), abs=1e-3)


def test_character_spacing_and_tj_move_down(page_of: Open) -> None:
    """9.4.4: ty = (w1 - Tj / 1000) x Tfs + Tc + Tw; Tz does not apply to the vertical advance."""
    font = UnicodeFont("日本語", encoding="/Identity-V")
    first, second, third = (font.codes(character) for character in "日本語")
    content = f"BT /F 10 Tf -2 Tc 50 Tz 500 700 Td [{first}100{second}{third}] TJ ET"
    page = page_of(content, fonts={"F": font.dictionary})
    lowest = max(y1 for *_, y1 in words_of(page))
    # pens: 700, 700 - 10 - 1 - 2 = 687, 687 - 10 - 2 = 675
    assert lowest == pytest.approx(800 - (675 - 8.8 - 2), abs=1e-3)
    assert page.text() == "日本語"
