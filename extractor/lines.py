"""Finds where words and lines end (rules R5, R6, B3) from the moves between neighbours in paint order.

In: kept glyphs and their character classes. Out: the order of the text's glyphs and the separator before each. It must
not know characters beyond their classes, nor how text is put together.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractor.gaps import Ends, painted_spaces, separates_words, word_gaps
from extractor.glyph_table import MARK, WHITE, Classes
from extractor.glyphs import Bools, Glyphs
from extractor.moves import Indices, Moves, measure
from extractor.options import GapOptions, LineOptions
from extractor.visible import cut_between

NONE, SPACE, NEWLINE = 0, 1, 2
"""What stands before a glyph in the text."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """The text's glyphs in reading order."""

    index: Indices
    """Indices into the painted glyphs."""
    before: NDArray[np.uint8]
    """NONE, SPACE or NEWLINE before each glyph; the first has NONE."""
    inserted: Bools
    """Whether the space before a glyph was inserted by rule rather than painted."""


def read_sequence(
    glyphs: Glyphs, kept: Bools, classes: Classes, gaps: GapOptions, lines: LineOptions
) -> Sequence:
    """Return the kept glyphs that make text, in paint order, with what separates them.

    White space glyphs are no part of the sequence: they only say that a space was painted, so that they neither drive
    line breaks nor widen gaps. Combining marks follow their base whatever the move to them.

    Args:
        glyphs: the painted glyphs.
        kept: bool[n].
        classes: uint16[n]: class bits of each glyph's text.
        gaps: thresholds of R5 and B3.
        lines: thresholds of R6.
    """
    index = np.flatnonzero(kept)
    kind = classes[index]
    white = (kind & WHITE) != 0
    in_text = index[~white]
    if not len(in_text):
        return Sequence(in_text, np.zeros(0, np.uint8), np.zeros(0, np.bool_))
    follows = _follows(glyphs, in_text, (classes[in_text] & MARK) != 0)
    on_spine = np.flatnonzero(~follows)
    spine = in_text[on_spine]
    moves = measure(glyphs, spine, lines)
    newline = breaks_line(moves, lines)
    painted = painted_spaces(glyphs, index, white, spine, moves) & ~newline
    limit = word_gaps(glyphs, spine, moves, Ends(newline, painted), classes[spine], gaps)
    inserted = separates_words(moves, classes[spine], limit, gaps) | cut_between(glyphs, spine)
    inserted &= ~(painted | newline)
    before = np.zeros(len(in_text), np.uint8)
    before[on_spine[1:]] = np.where(newline, NEWLINE, np.where(painted | inserted, SPACE, NONE))
    flags = np.zeros(len(in_text), np.bool_)
    flags[on_spine[1:]] = inserted
    return Sequence(in_text, before, flags)


def breaks_line(moves: Moves, options: LineOptions) -> Bools:
    """Return whether a new line starts at each move (R6); bool[n].

    A drop cap, a first letter much taller than the next that stands close beside its box, is in the line it begins.
    """
    newline: Bools = moves.turned | (np.abs(moves.across) > options.move * moves.tallest) | moves.apart
    tall = (moves.tallest > options.drop_cap * moves.height) & newline
    if tall.any():
        close = np.abs(moves.gap) < options.drop_cap_gap * moves.height
        newline &= ~(tall & close & ~(moves.turned | moves.apart) & np.append(True, newline[:-1]))
    return newline


def _follows(glyphs: Glyphs, index: Indices, mark: Bools) -> Bools:
    """Return which glyphs are marks that stand at the glyph before them; bool[n]."""
    if not mark.any():
        return mark
    base = np.maximum.accumulate(np.where(mark, -1, np.arange(len(index))))
    has_base = base >= 0
    at = index[np.maximum(base, 0)]
    reach = 1.5 * glyphs.height[at]
    near = (
        (glyphs.start_x[index] <= glyphs.x1[at] + reach) & (glyphs.start_x[index] >= glyphs.x0[at] - reach)
        & (glyphs.start_y[index] <= glyphs.y1[at] + reach) & (glyphs.start_y[index] >= glyphs.y0[at] - reach)
    )  # fmt: skip
    return mark & has_base & near
