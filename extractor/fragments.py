"""Glyphs painted after their line into the holes left for them (rule B3), as LibreOffice paints those of other fonts.

In: the sequence of the text in paint order. Out: the same with the glyphs of such lines from left to right. It must not
know texts beyond their classes. Lines whose late fragments do not touch what stands beside them stay in paint order (R9).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from extractor.glyph_table import CJK, MARK, RTL, WHITE, Classes
from extractor.glyphs import Bools, Glyphs
from extractor.lines import NEWLINE, NONE, SPACE, Sequence
from extractor.options import GapOptions

Indices = NDArray[np.int64]
_BACK = 0.5
"""Heights that a move goes back before a line is looked at."""
_TOUCHES = 0.1
"""Heights between a fragment and what it touches, at most."""
_OVERLAPS = 0.25
"""Heights by which neighbours may overlap, as kerned letters do."""
_LEVEL = 0.05
"""Heights by which the baselines of such a line differ at most."""
_LONGEST = 2000


def fill_holes(
    glyphs: Glyphs, kept: Bools, classes: Classes, sequence: Sequence, options: GapOptions
) -> Sequence:
    """Return the sequence with each line whose fragments fill its holes from left to right.

    Args:
        glyphs: the painted glyphs.
        kept: bool[n]: glyphs of the text, white space included.
        classes: uint16[n]: class bits of what each glyph says.
        sequence: the text in paint order.
        options: the thresholds.
    """
    index, before = sequence.index, sequence.before
    if len(index) < 3:
        return sequence
    one, other = index[:-1], index[1:]
    forward = (glyphs.start_x[other] - glyphs.start_x[one]) * glyphs.ux[one]
    if glyphs.uniform != (1.0, 0.0):
        forward = forward + (glyphs.start_y[other] - glyphs.start_y[one]) * glyphs.uy[one]
    back = (forward < -_BACK * glyphs.height[other]) & (before[1:] != NEWLINE)
    if not back.any():
        return sequence
    first = np.concatenate(([0], np.flatnonzero(before == NEWLINE)))
    first = np.unique(first)
    end = np.append(first[1:], len(index))
    lines = np.unique(np.searchsorted(first, np.flatnonzero(back), side="right") - 1)
    order, after, inserted = index.copy(), before.copy(), sequence.inserted.copy()
    for begin, stop in zip(first[lines].tolist(), end[lines].tolist(), strict=True):
        if stop - begin > _LONGEST:
            continue
        found = _line(glyphs, kept, classes, index[begin:stop], options)
        if found is not None:
            order[begin:stop], after[begin + 1 : stop], inserted[begin + 1 : stop] = found
    return Sequence(order, after, inserted)


def _line(
    glyphs: Glyphs, kept: Bools, classes: Classes, line: Indices, options: GapOptions
) -> tuple[Indices, NDArray[np.uint8], Bools] | None:
    """Return the line's glyphs from left to right, what stands before each but the first; None to leave it as it is."""
    low, high = int(line.min()), int(line.max())
    blanks = np.arange(low, high + 1)
    blanks = blanks[kept[low : high + 1] & ((classes[low : high + 1] & WHITE) != 0)]
    ux, uy = float(glyphs.ux[line[0]]), float(glyphs.uy[line[0]])
    if (classes[line] & (RTL | MARK)).any() or glyphs.vertical[line].any():
        return None
    height = float(np.median(glyphs.height[line]))
    level = glyphs.start_y[line] * ux - glyphs.start_x[line] * uy
    turned = glyphs.ux[line] * ux + glyphs.uy[line] * uy < 0.999
    if turned.any() or float(np.ptp(level)) > _LEVEL * height:
        return None
    where = np.concatenate((line, blanks))
    start = glyphs.start_x[where] * ux + glyphs.start_y[where] * uy
    end = glyphs.end_x[where] * ux + glyphs.end_y[where] * uy
    on_level = np.abs(glyphs.start_y[where] * ux - glyphs.start_x[where] * uy - level[0]) <= _LEVEL * height
    where, start, end = where[on_level], start[on_level], end[on_level]
    place = np.argsort(start, kind="stable")
    where, start, end = where[place], start[place], end[place]
    gap = start[1:] - end[:-1]
    white = (classes[where] & WHITE) != 0
    solid = ~white[1:] & ~white[:-1]
    if (gap[solid] < -_OVERLAPS * height).any():
        return None
    if not _fragments_touch(where, gap, white, height):
        return None
    return _separate(glyphs, classes, where, white, gap, options)


def _fragments_touch(where: Indices, gap: NDArray[np.float64], white: Bools, height: float) -> bool:
    """Tell whether every stretch of neighbours painted one after the other touches what stands on each side of it."""
    joins = np.diff(where) != 1
    solid = ~white[1:] | ~white[:-1]
    cuts = np.flatnonzero(joins & solid)
    return bool(len(cuts)) and bool((np.abs(gap[cuts]) <= _TOUCHES * height).all())


def _separate(
    glyphs: Glyphs,
    classes: Classes,
    where: Indices,
    white: Bools,
    gap: NDArray[np.float64],
    options: GapOptions,
) -> tuple[Indices, NDArray[np.uint8], Bools]:
    """Return the line without its white space, and what stands before each glyph but the first."""
    solid = np.flatnonzero(~white)
    painted = np.diff(solid) > 1
    wide = np.zeros(len(solid) - 1, np.bool_)
    near = ~painted
    later = where[solid[1:]]
    wide[near] = gap[solid[1:][near] - 1] > options.word * glyphs.height[later[near]]
    wide &= (classes[where[solid[:-1]]] & classes[later] & CJK) == 0
    before = np.where(painted | wide, SPACE, NONE).astype(np.uint8)
    return where[solid], before, wide
