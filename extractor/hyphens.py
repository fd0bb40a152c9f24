"""Soft hyphens (U+00AD) as the page shows them.

In: the sequence of the text. Out: text ids in which a soft hyphen inside a line is the hyphen one sees. At a line's end it
stays what it is: it says that the word goes on, which an index wants to know.
"""

from __future__ import annotations

import numpy as np

from extractor.glyph_table import SOFT_HYPHEN, GlyphTable
from extractor.glyphs import Glyphs, Ints
from extractor.lines import NEWLINE, Sequence

_THIN = 0.05
"""Advance in heights below which a soft hyphen paints nothing."""


def show_soft_hyphens(glyphs: Glyphs, sequence: Sequence, said: Ints, table: GlyphTable) -> Ints:
    """Return the text ids with soft hyphens inside lines as hyphens, or as nothing where they have no width; int32[n]."""
    index = sequence.index
    soft = (table.text_class[said[index]] & SOFT_HYPHEN) != 0
    if not soft.any():
        return said
    ends = np.append(sequence.before[1:] == NEWLINE, True)
    inside = index[soft & ~ends]
    advance = np.hypot(
        glyphs.end_x[inside] - glyphs.start_x[inside], glyphs.end_y[inside] - glyphs.start_y[inside]
    )
    result = said.copy()
    result[inside] = np.where(advance > _THIN * glyphs.height[inside], table.intern("-"), 0)
    return result
