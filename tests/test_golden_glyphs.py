"""Glyph by glyph: starts, ends, pens, directions, heights and boxes of small streams, worked out by hand.

Positions are in points of user space, y up. The grid font is half an em wide; its box reaches from -0.2
to 0.8 em.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from tests.helpers.pages import UnicodeFont, grid_font
from tests.helpers.pdf_maker import form, resource_entries

Open = Callable[..., Any]
FONTS = {"F": grid_font()}
Point = tuple[float, float]


def column(glyphs: Any, name: str) -> list[Point]:
    """Return start, end or pen of each glyph."""
    xs, ys = getattr(glyphs, f"{name}_x"), getattr(glyphs, f"{name}_y")
    return [(round(float(x), 3) + 0.0, round(float(y), 3) + 0.0) for x, y in zip(xs, ys, strict=True)]


def texts(glyphs: Any) -> str:
    return "".join(glyphs.text(index) for index in range(len(glyphs)))


def boxes(glyphs: Any) -> list[tuple[float, ...]]:
    columns = (glyphs.x0, glyphs.y0, glyphs.x1, glyphs.y1)
    return [tuple(round(float(value), 3) for value in row) for row in zip(*columns, strict=True)]


def test_plain_string(page_of: Open) -> None:
    glyphs = page_of("BT /F 10 Tf 100 700 Td (ab) Tj ET", fonts=FONTS).glyphs
    assert texts(glyphs) == "ab"
    assert column(glyphs, "start") == [(100, 700), (105, 700)]
    assert column(glyphs, "end") == [(105, 700), (110, 700)]
    assert column(glyphs, "pen") == [(105, 700), (110, 700)]
    assert list(map(float, glyphs.height)) == [10, 10]
    assert boxes(glyphs) == [(100, 698, 105, 708), (105, 698, 110, 708)]


def test_end_has_the_own_advance_and_pen_the_full_displacement(page_of: Open) -> None:
    content = "BT /F 10 Tf 2 Tc 3 Tw 50 Tz 100 700 Td [(a )-400(b)] TJ ET"
    glyphs = page_of(content, fonts=FONTS).glyphs
    assert texts(glyphs) == "a b"
    # advance (5 + 2) x 0.5, then (5 + 2 + 3) x 0.5, then the adjustment 0.4 x 10 x 0.5
    assert column(glyphs, "start") == [(100, 700), (103.5, 700), (110.5, 700)]
    assert column(glyphs, "end") == [(102.5, 700), (106, 700), (113, 700)]
    assert column(glyphs, "pen") == [(103.5, 700), (108.5, 700), (114, 700)]


def test_rotated_by_its_matrix(page_of: Open) -> None:
    glyphs = page_of("BT /F 10 Tf 0 1 -1 0 300 400 Tm (ab) Tj ET", fonts=FONTS).glyphs
    assert column(glyphs, "start") == [(300, 400), (300, 405)]
    assert column(glyphs, "end") == [(300, 405), (300, 410)]
    assert [(round(float(x), 6), round(float(y), 6)) for x, y in zip(glyphs.ux, glyphs.uy, strict=True)] == [
        (0, 1)
    ] * 2
    assert boxes(glyphs) == [(292, 400, 302, 405), (292, 405, 302, 410)]


def test_slanted(page_of: Open) -> None:
    """An oblique made by the matrix: the baseline stays level, the height is the slanted side's length."""
    glyphs = page_of("BT /F 10 Tf 1 0 0.5 1 100 700 Tm (a) Tj ET", fonts=FONTS).glyphs
    assert column(glyphs, "end") == [(105, 700)]
    assert float(glyphs.height[0]) == pytest.approx(10 * math.hypot(0.5, 1))
    assert boxes(glyphs) == [(99, 698, 109, 708)]


def test_mirrored(page_of: Open) -> None:
    glyphs = page_of("BT /F 10 Tf -1 0 0 1 100 700 Tm (ab) Tj ET", fonts=FONTS).glyphs
    assert column(glyphs, "start") == [(100, 700), (95, 700)]
    assert float(glyphs.ux[0]) == -1
    assert boxes(glyphs) == [(95, 698, 100, 708), (90, 698, 95, 708)]


def test_all_matrices_together(page_of: Open) -> None:
    """Tfs, Tz and Ts, then Tm, then the CTM of a cm within a q."""
    content = "q 2 0 0 2 10 20 cm BT /F 5 Tf 200 Tz 1 Ts 0 1 -1 0 30 40 Tm (a) Tj ET Q"
    glyphs = page_of(content, fonts=FONTS).glyphs
    # text space (0, 1) by Tm is (30 - 1, 40), by cm (2 x 29 + 10, 2 x 40 + 20);
    # the advance is 5 x 0.5 x 2 x 2 = 10 upwards
    assert column(glyphs, "start") == [(68, 100)]
    assert column(glyphs, "end") == [(68, 110)]
    assert float(glyphs.height[0]) == 10
    assert boxes(glyphs) == [(60, 100, 70, 110)]


def test_rise_is_in_the_start_and_not_in_the_base(page_of: Open) -> None:
    glyphs = page_of("BT /F 10 Tf 100 700 Td (a) Tj 4 Ts (b) Tj ET", fonts=FONTS).glyphs
    assert column(glyphs, "start") == [(100, 700), (105, 704)]
    assert column(glyphs, "base") == [(100, 700), (105, 700)]


def test_vertical(page_of: Open) -> None:
    font = UnicodeFont("日本", encoding="/Identity-V")
    content = f"BT /F 10 Tf -1 Tc 500 700 Td {font.codes('日本')} Tj ET"
    glyphs = page_of(content, fonts={"F": font.dictionary}).glyphs
    assert glyphs.vertical.all()
    assert column(glyphs, "start") == [(500, 700), (500, 689)]
    assert column(glyphs, "end") == [(500, 690), (500, 679)]
    assert column(glyphs, "pen") == [(500, 689), (500, 678)]
    assert [(round(float(x), 6), round(float(y), 6)) for x, y in zip(glyphs.ux, glyphs.uy, strict=True)] == [
        (0, -1)
    ] * 2


def test_show_and_source(page_of: Open) -> None:
    """R2: a glyph knows its show operation, and whether the page's own stream or a form painted it."""
    stamp = form("BT /F 10 Tf 100 500 Td (cd) Tj ET", resources=resource_entries(FONTS))
    content = "BT /F 10 Tf 100 700 Td (ab) Tj 0 -20 Td (e) Tj ET /X Do BT 100 300 Td (f) Tj ET"
    glyphs = page_of(content, fonts=FONTS, xobjects={"X": stamp}).glyphs
    assert texts(glyphs) == "abecdf"
    shows = list(map(int, glyphs.show))
    assert shows == sorted(shows)
    assert len(set(shows)) == 4
    assert [bool(number) for number in glyphs.form] == [False, False, False, True, True, False]
    source = list(map(int, glyphs.source))
    assert source[3:5] == [-1, -1]
    assert 0 <= source[0] == source[1] < source[2] < source[5]


def test_modes_and_codes(page_of: Open) -> None:
    glyphs = page_of("BT /F 10 Tf 100 700 Td (a) Tj 3 Tr (b) Tj 7 Tr (c) Tj ET", fonts=FONTS).glyphs
    assert list(map(int, glyphs.mode)) == [0, 3, 7]
    assert list(map(int, glyphs.code)) == [97, 98, 99]


def test_columns_are_read_only_and_asked_for_once(page_of: Open) -> None:
    page = page_of("BT /F 10 Tf 100 700 Td (ab) Tj ET", fonts=FONTS)
    assert page.glyphs is page.glyphs
    assert page.words is page.words
    with pytest.raises(ValueError, match="read-only"):
        page.glyphs.start_x[0] = 1
    with pytest.raises(ValueError, match="read-only"):
        page.words.x0[0] = 1


def test_sizes_of_zero_and_singular_matrices(page_of: Open) -> None:
    """Nothing to see and nothing to measure: no glyph may come out as NaN or infinite."""
    content = (
        "BT /F 0 Tf 100 700 Td (ab) Tj /F 10 Tf 0 0 0 0 50 50 Tm (cd) Tj 1e30 0 0 1e30 0 0 Tm (ef) Tj ET"
    )
    page = page_of(content + " BT 1 0 0 1 100 600 Tm (ok) Tj ET", fonts=FONTS)
    assert "ok" in page.text()
    for name in ("x0", "y0", "x1", "y1"):
        assert all(math.isfinite(value) for value in getattr(page.words, name))
