"""Finds where words and lines end (rules R5, R6, B3) from the moves between neighbours in paint order.

In: kept glyphs and their character classes. Out: the order of the text's glyphs and the separator before each. It must
not know characters beyond their classes, nor how text is put together.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians

import numpy as np
from numpy.typing import NDArray

from extractor.glyph_table import CJK, MARK, RTL, WHITE
from extractor.glyphs import Bools, Floats, Glyphs
from extractor.options import GapOptions, LineOptions

Indices = NDArray[np.int64]
NONE, SPACE, NEWLINE = 0, 1, 2
"""What stands before a glyph in the text."""


@dataclass(frozen=True, slots=True)
class Moves:
    """From each spine glyph to the next in paint order; every array has one entry less than the spine."""

    gap: Floats
    """From the previous glyph's end to the current start, along the previous direction (R5), points."""
    separation: Floats
    """Between the nearest sides of the two glyphs along the previous direction; negative where they overlap."""
    back: Floats
    """How far the start moved back along the previous direction; negative for a move forward."""
    across: Floats
    """Move of the start, without rise, along the previous normal (R6)."""
    apart: Bools
    """Whether the two boxes do not meet across the baseline."""
    turned: Bools
    """Whether direction or writing mode changes."""
    height: Floats
    """Height of the current glyph."""
    tallest: Floats
    """The larger of the two heights."""


@dataclass(frozen=True, slots=True)
class Sequence:
    """The text's glyphs in reading order."""

    index: Indices
    """Indices into the painted glyphs."""
    before: NDArray[np.uint8]
    """NONE, SPACE or NEWLINE before each glyph; the first has NONE."""
    inserted: Bools
    """Whether the space before a glyph was inserted by rule rather than painted."""


def measure(glyphs: Glyphs, spine: Indices, options: LineOptions) -> Moves:
    """Return the moves between neighbours of `spine`, indices of glyphs in paint order."""
    start_x, start_y = glyphs.start_x[spine], glyphs.start_y[spine]
    end_x, end_y = glyphs.end_x[spine], glyphs.end_y[spine]
    ux, uy = glyphs.ux[spine], glyphs.uy[spine]
    height = glyphs.height[spine]
    rise_x, rise_y = start_x - glyphs.base_x[spine], start_y - glyphs.base_y[spine]
    centre_x = (glyphs.x0[spine] + glyphs.x1[spine]) / 2 - rise_x
    centre_y = (glyphs.y0[spine] + glyphs.y1[spine]) / 2 - rise_y
    px, py = ux[:-1], uy[:-1]
    forward = np.diff(start_x) * px + np.diff(start_y) * py
    own = (end_x[1:] - start_x[1:]) * px + (end_y[1:] - start_y[1:]) * py
    gap = (start_x[1:] - end_x[:-1]) * px + (start_y[1:] - end_y[:-1]) * py
    base_x, base_y = start_x - rise_x, start_y - rise_y
    across = np.diff(base_y) * px - np.diff(base_x) * py
    middle = np.diff(centre_y) * px - np.diff(centre_x) * py
    vertical = glyphs.vertical[spine]
    turn = px * ux[1:] + py * uy[1:] < cos(radians(options.direction))
    return Moves(
        gap=gap,
        separation=np.maximum(gap, -forward - own),
        back=-forward,
        across=across,
        apart=np.abs(middle) > (height[:-1] + height[1:]) / 2,
        turned=turn | (vertical[:-1] != vertical[1:]),
        height=height[1:],
        tallest=np.maximum(height[:-1], height[1:]),
    )


def read_sequence(
    glyphs: Glyphs, kept: Bools, classes: NDArray[np.uint8], gaps: GapOptions, lines: LineOptions
) -> Sequence:
    """Return the kept glyphs that make text, in paint order, with what separates them.

    White space glyphs are no part of the sequence: they only say that a space was painted, so that they neither drive
    line breaks nor widen gaps. Combining marks follow their base whatever the move to them.

    Args:
        glyphs: the painted glyphs.
        kept: bool[n].
        classes: uint8[n]: class bits of each glyph's text.
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
    painted = _painted_spaces(glyphs, index, white, spine, moves, gaps)
    inserted = separates_words(moves, classes[spine], gaps) & ~painted & ~newline
    before = np.zeros(len(in_text), np.uint8)
    before[on_spine[1:]] = np.where(newline, NEWLINE, np.where(painted | inserted, SPACE, NONE))
    flags = np.zeros(len(in_text), np.bool_)
    flags[on_spine[1:]] = inserted
    return Sequence(in_text, before, flags)


def breaks_line(moves: Moves, options: LineOptions) -> Bools:
    """Return whether a new line starts at each move (R6); bool[n]."""
    return moves.turned | (np.abs(moves.across) > options.move * moves.tallest) | moves.apart


def separates_words(moves: Moves, classes: NDArray[np.uint8], options: GapOptions) -> Bools:
    """Return whether a move separates words by its size (R5, B3); bool[n].

    Args:
        moves: moves between neighbours.
        classes: uint8[n + 1]: class bits of the neighbours.
        options: the thresholds.
    """
    either = classes[:-1] | classes[1:]
    both = classes[:-1] & classes[1:]
    rtl = (either & RTL) != 0
    wide = np.where(rtl, moves.separation, moves.gap) > options.word * moves.height
    back = ~rtl & (moves.back > options.jump_back * moves.tallest)
    return (wide & ((both & CJK) == 0)) | back


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


def _painted_spaces(
    glyphs: Glyphs, index: Indices, white: Bools, spine: Indices, moves: Moves, options: GapOptions
) -> Bools:
    """Return whether white space was painted between neighbours and not stepped back over; bool[spine - 1]."""
    place = np.searchsorted(index, spine)
    between = np.diff(np.cumsum(white)[place]) > 0
    if not between.any():
        return between
    length = np.hypot(glyphs.end_x[index] - glyphs.start_x[index], glyphs.end_y[index] - glyphs.start_y[index])
    advance = np.diff(np.cumsum(np.where(white, length, 0.0))[place])
    taken_back = (
        (moves.gap < (1.0 - options.overlap_step_back) * 0.5 * advance)
        & (moves.gap > -0.1 * moves.height)
        & (advance > options.word * moves.height)
        & (glyphs.mode[spine[1:]] != 3)
    )
    return between & ~taken_back
