"""Rule R6: where a new line begins.

At size 10 the grid font's box is 10 high: more than 5 along the previous normal begins a line.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from tests.helpers.pages import grid_font

Open = Callable[..., Any]
FONTS = {"F": grid_font()}


def at(x: float, y: float, text: str, size: float = 10) -> str:
    return f"BT /F {size} Tf {x} {y} Td ({text}) Tj ET "


@pytest.mark.parametrize(
    ("move", "lines"), [(0, 1), (4.9, 1), (-4.9, 1), (5.1, 2), (-5.1, 2), (12, 2), (-12, 2), (300, 2)]
)
def test_half_a_height(page_of: Open, move: float, lines: int) -> None:
    page = page_of(at(100, 400, "ab") + at(112, 400 + move, "cd"), fonts=FONTS)
    assert page.text() == ("ab cd" if lines == 1 else "ab\ncd")
    assert len(page.lines) == lines


@pytest.mark.parametrize(("move", "lines"), [(9, 1), (-9, 1), (11, 2), (-11, 2)])
@pytest.mark.parametrize("sizes", [(20, 10), (10, 20)])
def test_the_larger_height_counts(page_of: Open, sizes: tuple[float, float], move: float, lines: int) -> None:
    page = page_of(at(100, 400, "ab", sizes[0]) + at(140, 400 + move, "cd", sizes[1]), fonts=FONTS)
    assert len(page.lines) == lines


@pytest.mark.parametrize(("move", "lines"), [(4.9, 1), (-4.9, 1), (5.2, 2), (-5.2, 2)])
@pytest.mark.parametrize("degrees", [30, 90, 180, 270])
def test_along_the_previous_normal(page_of: Open, degrees: float, move: float, lines: int) -> None:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    matrix = f"{cos:.7f} {sin:.7f} {-sin:.7f} {cos:.7f}"
    x, y = 300 + 12 * cos - move * sin, 400 + 12 * sin + move * cos
    content = f"BT /F 10 Tf {matrix} 300 400 Tm (ab) Tj {matrix} {x:.5f} {y:.5f} Tm (cd) Tj ET"
    page = page_of(content, fonts=FONTS)
    assert page.text() == ("ab cd" if lines == 1 else "ab\ncd")


def test_superscripts_and_subscripts_stay(page_of: Open) -> None:
    """A rise of 0.4 x the height of the text that it stands in."""
    normal, above, below = "/F 10 Tf 0 Ts", "/F 6 Tf 4 Ts", "/F 6 Tf -2 Ts"
    content = (
        f"BT {normal} 100 700 Td (mc) Tj {above} (2) Tj {normal} (H) Tj {below} (2) Tj {normal} (O) Tj ET"
    )
    page = page_of(content, fonts=FONTS)
    assert page.text().replace(" ", "") == "mc2H2O"
    assert len(page.lines) == 1


def test_large_and_small_on_one_baseline_stay_together(page_of: Open) -> None:
    page = page_of(at(100, 400, "Aa", 48) + at(152, 400, "caption", 8), fonts=FONTS)
    assert page.text() == "Aa caption"


@pytest.mark.parametrize("degrees", [45, 90, 180, 270])
def test_a_change_of_direction_begins_a_line(page_of: Open, degrees: float) -> None:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    content = (
        at(300, 400, "flat")
        + f"BT /F 10 Tf {cos:.7f} {sin:.7f} {-sin:.7f} {cos:.7f} 322 400 Tm (turned) Tj ET"
    )
    assert page_of(content, fonts=FONTS).text() == "flat\nturned"


def test_lines_come_in_content_order(page_of: Open) -> None:
    """R9: plain text keeps the order of the content stream, whatever the positions."""
    page = page_of(at(100, 100, "first") + at(100, 700, "second") + at(100, 400, "third"), fonts=FONTS)
    assert page.text() == "first\nsecond\nthird"


def test_line_boxes_and_spans(page_of: Open) -> None:
    page = page_of(at(100, 700, "ab cd") + at(90, 680, "ef"), fonts=FONTS)
    lines = page.lines
    boxes = [
        tuple(float(column[i]) for column in (lines.x0, lines.y0, lines.x1, lines.y1))
        for i in range(len(lines))
    ]
    assert boxes == [(100, 92, 125, 102), (90, 112, 100, 122)]
    assert lines.texts() == ["ab cd", "ef"]
    text = page.text()
    spans = zip(lines.char_start, lines.char_end, strict=True)
    assert [text[start:end] for start, end in spans] == ["ab cd", "ef"]
    assert [int(line) for line in page.words.line] == [0, 0, 1]


def test_word_spans_and_buffers_agree(page_of: Open) -> None:
    page = page_of(at(100, 700, "one two") + at(100, 600, "three"), fonts=FONTS)
    words, text = page.words, page.text()
    assert [text[a:b] for a, b in zip(words.char_start, words.char_end, strict=True)] == words.texts()
    offsets, data = words.utf8()
    assert [bytes(data[a:b]).decode() for a, b in pairwise(offsets)] == words.texts()
    assert [int(count) for count in words.glyphs] == [3, 3, 5]


def test_white_space_alone_makes_no_line(page_of: Open) -> None:
    """Blank strings between paragraphs, as word processors write them, leave no lines of spaces."""
    page = page_of(at(100, 700, "one") + at(100, 680, "   ") + at(100, 660, "two"), fonts=FONTS)
    assert page.text().split() == ["one", "two"]
    assert page.words.texts() == ["one", "two"]
