"""Vertical writing (rule R7) as it is painted, whatever the fonts say: which glyphs run down, and the order of columns.

In: `Glyphs` and, later, the sequence of the text. Out: the same glyphs with the direction they are really set in; columns
from right to left. It must not know words.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from extractor.glyph_table import CJK, Classes
from extractor.glyphs import Bools, Floats, Glyphs
from extractor.lines import NEWLINE, NONE, Sequence

Indices = NDArray[np.int64]
_STRAIGHT = 0.1
"""Heights by which a step along one axis may stray along the other."""
_STACKED = 3
"""Fewest steps down of a column set glyph by glyph in a horizontal font."""


def set_directions(glyphs: Glyphs, classes: Classes) -> Glyphs:
    """Return the glyphs with the direction they are set in.

    Latin text is set in vertical fonts by moving the pen sideways after each glyph, and columns of CJK text are set in
    horizontal fonts by moving it down: the steps decide, not the font's writing mode.

    Args:
        glyphs: the painted glyphs.
        classes: uint16[n]: class bits of each glyph's text.
    """
    if len(glyphs) < _STACKED:
        return glyphs
    if glyphs.vertical.any():
        glyphs = _straighten(glyphs)
    return _stack(glyphs, (classes & CJK) != 0)


def _steps(glyphs: Glyphs, right_x: Floats, right_y: Floats) -> tuple[Floats, Floats]:
    """Return each step to the next glyph, in heights, to the right and down of a reading frame; float64[n - 1]."""
    dx, dy = np.diff(glyphs.start_x), np.diff(glyphs.start_y)
    height = np.maximum(glyphs.height[1:], 1e-9)
    return (dx * right_x + dy * right_y) / height, (dx * right_y - dy * right_x) / height


def _straighten(glyphs: Glyphs) -> Glyphs:
    """Lay the glyphs of vertical fonts along the line where most steps between them go sideways."""
    right_x, right_y = -glyphs.uy, glyphs.ux
    right, down = _steps(glyphs, right_x[:-1], right_y[:-1])
    pair = glyphs.vertical[:-1] & glyphs.vertical[1:] & (glyphs.font[:-1] == glyphs.font[1:])
    sideways = pair & (right > 0.1) & (right < 2.0) & (np.abs(down) < _STRAIGHT)
    falling = pair & (down > 0.1) & (np.abs(right) < _STRAIGHT)
    fonts = int(glyphs.font.max()) + 1
    across = np.bincount(glyphs.font[1:], weights=sideways, minlength=fonts)
    along = np.bincount(glyphs.font[1:], weights=falling, minlength=fonts)
    turned = glyphs.vertical & ((across > along) & (across >= _STACKED))[glyphs.font]
    if not turned.any():
        return glyphs
    half = (np.abs(right_x) * (glyphs.x1 - glyphs.x0) + np.abs(right_y) * (glyphs.y1 - glyphs.y0)) / 2
    return _turn(glyphs, turned, (right_x, right_y), (-half, half), False)


def _stack(glyphs: Glyphs, cjk: Bools) -> Glyphs:
    """Turn runs of CJK glyphs of horizontal fonts that are set one below the other."""
    pair = cjk[:-1] & cjk[1:] & ~glyphs.vertical[:-1] & ~glyphs.vertical[1:]
    if not pair.any():
        return glyphs
    right, down = _steps(glyphs, glyphs.ux[:-1], glyphs.uy[:-1])
    step = pair & (down > 0.5) & (down < 2.5) & (np.abs(right) < 0.3)
    edges = np.flatnonzero(np.diff(np.concatenate(([False], step, [False])).astype(np.int8)))
    stacked = np.zeros(len(glyphs), np.bool_)
    for first, end in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        if end - first >= _STACKED:
            stacked[first : end + 1] = True
    if not stacked.any():
        return glyphs
    middle_x = (glyphs.end_x - glyphs.start_x) / 2
    middle_y = (glyphs.end_y - glyphs.start_y) / 2
    moved = replace(glyphs, start_x=glyphs.start_x + middle_x, start_y=glyphs.start_y + middle_y)
    return _turn(moved, stacked, (glyphs.uy, -glyphs.ux), (-0.8 * glyphs.em, 0.2 * glyphs.em), True, glyphs)


def _turn(
    glyphs: Glyphs,
    chosen: Bools,
    direction: tuple[Floats, Floats],
    reach: tuple[Floats, Floats],
    vertical: bool,
    otherwise: Glyphs | None = None,
) -> Glyphs:
    """Return glyphs whose chosen ones run along `direction`, from reach[0] before to reach[1] behind their start."""
    ux, uy = direction
    rest = otherwise if otherwise is not None else glyphs
    x, y = glyphs.start_x, glyphs.start_y
    return replace(
        rest,
        start_x=np.where(chosen, x + reach[0] * ux, rest.start_x),
        start_y=np.where(chosen, y + reach[0] * uy, rest.start_y),
        base_x=np.where(chosen, x + reach[0] * ux, rest.base_x),
        base_y=np.where(chosen, y + reach[0] * uy, rest.base_y),
        end_x=np.where(chosen, x + reach[1] * ux, rest.end_x),
        end_y=np.where(chosen, y + reach[1] * uy, rest.end_y),
        ux=np.where(chosen, ux, rest.ux),
        uy=np.where(chosen, uy, rest.uy),
        vertical=np.where(chosen, vertical, rest.vertical),
        uniform=None,
    )


def order_columns(glyphs: Glyphs, sequence: Sequence) -> Sequence:
    """Return the sequence with the columns of vertical writing from right to left where they are painted otherwise (R7).

    A block of neighbouring vertical lines keeps its order unless one lies to the right of the line before it and beside
    it: then all lines of the block are sorted.
    """
    index, before = sequence.index, sequence.before
    if not len(index) or not glyphs.vertical[index].any():
        return sequence
    first = np.flatnonzero((before == NEWLINE) | (np.arange(len(index)) == 0))
    end = np.append(first[1:], len(index))
    vertical = glyphs.vertical[index[first]]
    edges = np.flatnonzero(np.diff(np.concatenate(([False], vertical, [False])).astype(np.int8)))
    lines = np.arange(len(first))
    for begin, stop in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        lines[begin:stop] = begin + _right_to_left(glyphs, index, first[begin:stop], end[begin:stop])
    if (np.diff(lines) == 1).all():
        return sequence
    order = np.concatenate([np.arange(first[line], end[line]) for line in lines.tolist()])
    moved = before[order]
    moved[np.cumsum((end - first)[lines])[:-1]] = NEWLINE
    moved[0] = NONE
    return Sequence(index[order], moved, sequence.inserted[order])


def _right_to_left(glyphs: Glyphs, index: Indices, first: Indices, end: Indices) -> Indices:
    """Return the order of the lines of one block; int64[lines]."""
    lead, last = index[first], index[end - 1]
    ux, uy = glyphs.ux[lead], glyphs.uy[lead]
    across = glyphs.start_x[lead] * -uy + glyphs.start_y[lead] * ux
    top = glyphs.start_x[lead] * ux + glyphs.start_y[lead] * uy
    bottom = glyphs.end_x[last] * ux + glyphs.end_y[last] * uy
    shared = np.minimum(bottom[1:], bottom[:-1]) - np.maximum(top[1:], top[:-1])
    beside = shared > 0.5 * np.minimum(bottom[1:] - top[1:], bottom[:-1] - top[:-1])
    wrong = (np.diff(across) > 0.5 * glyphs.height[lead[1:]]) & beside
    if not wrong.any():
        return np.arange(len(first))
    column = np.round(across / np.median(glyphs.height[lead])).astype(np.int64)
    return np.lexsort((top, -column))
