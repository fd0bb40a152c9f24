"""Fonts with round numbers, and what a page says, in plain Python values.

In: pages of the extractor. Out: lists and tuples that a test can write down. The grid font makes
arithmetic easy: every code from 32 to 126 is half an em wide, its box reaches from -0.2 to 0.8 em, so at
size 10 a glyph is 5 wide and 10 high.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from tests.helpers.pdf_maker import simple_font, type0_font

WORD = tuple[str, float, float, float, float]


def grid_font(**changes: Any) -> dict[str, Any]:
    """Return the grid font: WinAnsi codes, all half an em wide, one em high."""
    arguments: dict[str, Any] = {"widths": dict.fromkeys(range(32, 127), 500), "descriptor": {}}
    return simple_font("Grid", "TrueType", **{**arguments, **changes})


class UnicodeFont:
    """A composite font for any characters: one CID a character, one em wide unless told otherwise."""

    def __init__(self, characters: str, *, width: float = 1000, **arguments: Any) -> None:
        self._cids = {character: cid for cid, character in enumerate(dict.fromkeys(characters), 1)}
        unicode_map = {cid: character for character, cid in self._cids.items()}
        arguments.setdefault("widths", dict.fromkeys(unicode_map, width))
        self.dictionary = type0_font(unicode_map, **arguments)

    def codes(self, text: str) -> str:
        """Return the string object that shows the text: hexadecimal, two bytes a character."""
        return "<" + "".join(f"{self._cids[character]:04x}" for character in text) + ">"


def words_of(page: Any) -> list[WORD]:
    """Return the page's words as (text, x0, y0, x1, y1), rounded to a thousandth of a point."""
    words = page.words
    boxes = zip(words.texts(), words.x0, words.y0, words.x1, words.y1, strict=True)
    return [(text, *(round(float(value), 3) for value in box)) for text, *box in boxes]  # type: ignore[misc]


def spans_of(page: Any) -> list[tuple[str, float, float]]:
    """Return the page's words as (text, x0, x1)."""
    return [(text, x0, x1) for text, x0, _, x1, _ in words_of(page)]


def baselines_of(page: Any, size: float = 10) -> list[tuple[str, float, float]]:
    """Return (text, x, y) of words in the grid font: the start on the baseline, y up, on an 800 pt page."""
    return [(text, x0, round(800 - (y1 - 0.2 * size), 3)) for text, x0, _, _, y1 in words_of(page)]


def counts_of(page: Any) -> Mapping[str, int]:
    """Return the page's counts by name."""
    return asdict(page.counts)


def assert_counts_add_up(page: Any) -> None:
    """Rule R12: painted = visible + overprinted + off-page + hidden."""
    counts = counts_of(page)
    parts = ("visible", "overprinted", "off_page", "hidden")
    assert counts["painted"] == sum(counts[name] for name in parts), counts
