"""Soft hyphens (U+00AD) and characters without width as the page shows them.

In: the sequence of the text. Out: text ids in which a soft hyphen inside a line is the hyphen one sees, or nothing where
none is seen. At a line's end it stays what it is: it says that the word goes on, which an index wants to know. Places
where a line may or may not break (U+200B, U+2060, U+FEFF) say nothing, but in scripts that write no spaces.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from extractor.glyph_table import INVISIBLE, GlyphTable
from extractor.glyphs import Bools, Glyphs, Ints
from extractor.lines import NEWLINE, Sequence

_THIN = 0.05
"""Advance in heights below which a soft hyphen paints nothing."""
_STEPPED_OVER = 0.3
"""Part of its advance within which the next glyph starts over a soft hyphen: the font's blank stands for it."""
_SPACELESS = (("\u0e00", "\u0eff"), ("\u1000", "\u109f"), ("\u1780", "\u17ff"))
"""Thai and Lao, Myanmar, Khmer: there U+200B is where a word ends."""


def show_soft_hyphens(glyphs: Glyphs, sequence: Sequence, said: Ints, table: GlyphTable) -> Ints:
    """Return the text ids with soft hyphens inside lines as hyphens or as nothing, and no zero-width signs; int32[n]."""
    index = sequence.index
    chosen = (table.text_class[said[index]] & INVISIBLE) != 0
    if not chosen.any():
        return said
    result = said.copy()
    ends = np.append(sequence.before[1:] == NEWLINE, True)
    soft = chosen & (said[index] == table.intern("\u00ad"))
    inside = np.flatnonzero(soft & ~ends)
    shown = _is_shown(glyphs, index, inside)
    result[index[inside]] = np.where(shown, table.intern("-"), 0)
    for place in np.flatnonzero(chosen & ~soft).tolist():
        before = table.texts[said[index[place - 1]]][-1:] if place else ""
        if not any(first <= before <= last for first, last in _SPACELESS):
            result[index[place]] = 0
    return result


def _is_shown(glyphs: Glyphs, index: NDArray[np.int64], place: NDArray[np.int64]) -> Bools:
    """Return whether the soft hyphens at `place`, none the last of `index`, are seen: wide and not painted over."""
    one, other = index[place], index[place + 1]
    ux, uy = glyphs.ux[one], glyphs.uy[one]
    advance = (glyphs.end_x[one] - glyphs.start_x[one]) * ux + (glyphs.end_y[one] - glyphs.start_y[one]) * uy
    step = (glyphs.start_x[other] - glyphs.start_x[one]) * ux + (
        glyphs.start_y[other] - glyphs.start_y[one]
    ) * uy
    shown: Bools = (advance > _THIN * glyphs.height[one]) & (np.abs(step) > _STEPPED_OVER * advance)
    return shown
