"""Puts accents that are painted over letters, as TeX's OT1 fonts do, into the letters (14.8.2.4.2 leaves them apart).

In: kept glyphs and what they say. Out: letters with their accents, and the accent glyphs absorbed. A spacing accent that
stands by itself stays.
"""

from __future__ import annotations

import unicodedata

import numpy as np

from extractor.glyph_table import ACCENT, LETTER, GlyphTable
from extractor.glyphs import Bools, Glyphs, Ints

_COMBINING = {
    "`": "\u0300", "´": "\u0301", "^": "\u0302", "ˆ": "\u0302", "~": "\u0303", "˜": "\u0303", "¯": "\u0304",
    "˘": "\u0306", "˙": "\u0307", "¨": "\u0308", "˚": "\u030a", "˝": "\u030b", "ˇ": "\u030c", "¸": "\u0327",
    "˛": "\u0328", "\u0337": "\u0337",
}  # fmt: skip
_CROSSED = {"L\u0337": "Ł", "l\u0337": "ł"}
"""Letters that TeX crosses with a stroke of its own, `suppress`, and that do not decompose."""
_DOTLESS = {"ı": "i", "ȷ": "j"}
_OVERLAP = 0.6
"""Part of the narrower of the two advances that accent and letter must share."""


def compose_accents(glyphs: Glyphs, kept: Bools, said: Ints, table: GlyphTable) -> tuple[Ints, Bools]:
    """Return (text ids, absorbed): letters with the accents painted over them, and which glyphs were such accents.

    Args:
        glyphs: the painted glyphs.
        kept: bool[n]: glyphs of the page's text.
        said: int32[n]: text ids; not changed.
        table: the document's texts; composed ones are added.

    Returns:
        int32[n] and bool[n].
    """
    absorbed = np.zeros(len(glyphs), np.bool_)
    classes = table.text_class[said]
    accents = np.flatnonzero(kept & ((classes & ACCENT) != 0))
    if not len(accents):
        return said, absorbed
    result = said.copy()
    order = np.flatnonzero(kept)
    for place, accent in zip(np.searchsorted(order, accents).tolist(), accents.tolist(), strict=True):
        for neighbour in (place + 1, place - 1):
            if not 0 <= neighbour < len(order):
                continue
            letter = int(order[neighbour])
            if classes[letter] & LETTER and _covers(glyphs, accent, letter):
                result[letter] = table.intern(
                    _composed(table.texts[result[letter]], table.texts[said[accent]])
                )
                result[accent] = 0
                absorbed[accent] = True
                break
    return result, absorbed


def _composed(letter: str, accent: str) -> str:
    base = _DOTLESS.get(letter, letter)
    composed = unicodedata.normalize("NFC", base + _COMBINING[accent])
    return _CROSSED.get(composed, composed)


def _covers(glyphs: Glyphs, accent: int, letter: int) -> bool:
    """Tell whether an accent stands over or under a letter: on one baseline, give or take a rise, and overlapping it."""
    ux, uy = float(glyphs.ux[letter]), float(glyphs.uy[letter])
    if ux * glyphs.ux[accent] + uy * glyphs.uy[accent] < 0.99:
        return False
    spans: list[tuple[float, float]] = []
    for index in (accent, letter):
        begin = float(glyphs.start_x[index] * ux + glyphs.start_y[index] * uy)
        spans.append((begin, float(glyphs.end_x[index] * ux + glyphs.end_y[index] * uy)))
    shared = min(span[1] for span in spans) - max(span[0] for span in spans)
    narrower = min(span[1] - span[0] for span in spans)
    across = (glyphs.start_y[accent] - glyphs.start_y[letter]) * ux - (
        glyphs.start_x[accent] - glyphs.start_x[letter]
    ) * uy
    return bool(narrower > 0 and shared >= _OVERLAP * narrower and abs(across) <= 0.5 * glyphs.height[letter])
