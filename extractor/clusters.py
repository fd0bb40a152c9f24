"""Marks of clusters that say the whole cluster again, as Matplotlib and others write them into /ToUnicode.

In: glyphs and the copies found so far. Out: copies in which a mark without advance never stands for its letter. It must
not know lines.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from extractor.glyphs import Bools, Glyphs

_NEAR = 1.5
"""Heights within which a mark stands of its letter."""


def settle_clusters(glyphs: Glyphs, visible: Bools, twin: NDArray[np.int64]) -> None:
    """Make glyphs without advance copies of the neighbour that says the same several characters.

    A letter and its mark that both say "x and circumflex" are one cluster: the letter has the cluster's place and width,
    so it is the one that is kept, whatever was painted first.

    Args:
        glyphs: painted glyphs in paint order.
        visible: bool[n]: which of them may be copies or twins.
        twin: int64[n]: the index of the kept twin of each copy, -1 for a glyph that is none; changed.
    """
    still = visible & (glyphs.end_x == glyphs.start_x) & (glyphs.end_y == glyphs.start_y)
    if not still.any():
        return
    said = np.unique(glyphs.text_id[still]).tolist()
    clusters = [number for number in said if len(glyphs.texts[number]) > 1]
    if not clusters:
        return
    for mark in np.flatnonzero(still & np.isin(glyphs.text_id, clusters)).tolist():
        for letter in (mark - 1, mark + 1):
            if (
                0 <= letter < len(glyphs)
                and visible[letter]
                and not still[letter]
                and _one(glyphs, mark, letter)
            ):
                twin[twin == mark] = letter
                twin[letter], twin[mark] = (twin[letter] if twin[letter] != letter else -1), letter
                break


def _one(glyphs: Glyphs, mark: int, letter: int) -> bool:
    """Tell whether two glyphs say the same near each other in one size."""
    height = float(glyphs.height[letter])
    distance = np.hypot(
        glyphs.start_x[mark] - glyphs.start_x[letter], glyphs.start_y[mark] - glyphs.start_y[letter]
    )
    return bool(
        glyphs.text_id[mark] == glyphs.text_id[letter]
        and abs(glyphs.height[mark] - height) <= 0.05 * height
        and distance <= _NEAR * height
    )
