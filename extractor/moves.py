"""Measures the moves from glyph to glyph (rules R5, R6) in the baseline frame of the previous one.

In: neighbours in paint order. Out: gaps, moves across the baseline, turns. It must not decide anything.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, radians

import numpy as np
from numpy.typing import NDArray

from extractor.glyphs import Bools, Floats, Glyphs
from extractor.options import LineOptions

Indices = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Moves:
    """From each spine glyph to the next in paint order; every array has one entry less than the spine."""

    gap: Floats
    """From the previous glyph's end to the current start, along the previous direction (R5), points."""
    own: Floats
    """The current glyph's own advance along the previous direction."""
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

    @property
    def separation(self) -> Floats:
        """Between the nearest sides of the two glyphs along the previous direction; negative where they overlap."""
        return np.maximum(self.gap, self.back - self.own)


def measure(glyphs: Glyphs, spine: Indices, options: LineOptions) -> Moves:
    """Return the moves between neighbours of `spine`, indices of glyphs in paint order."""
    height = glyphs.height[spine]
    tallest = np.maximum(height[:-1], height[1:])
    if glyphs.uniform == (1.0, 0.0):
        start, end, base = glyphs.start_x[spine], glyphs.end_x[spine], glyphs.base_y[spine]
        across = base[1:] - base[:-1]
        apart = np.zeros(len(across), np.bool_)
        moved = np.flatnonzero(across)
        one, other = spine[moved], spine[moved + 1]
        apart[moved] = np.abs(_centre_y(glyphs, other) - _centre_y(glyphs, one)) > (
            (height[moved] + height[moved + 1]) / 2
        )
        return Moves(
            gap=start[1:] - end[:-1],
            own=(end - start)[1:],
            back=start[:-1] - start[1:],
            across=across,
            apart=apart,
            turned=np.zeros(len(across), np.bool_),
            height=height[1:],
            tallest=tallest,
        )
    return _measure_turned(glyphs, spine, height, tallest, options)


def _centre_y(glyphs: Glyphs, index: Indices) -> Floats:
    """Return the middle of the boxes without the text rise; float64[n]."""
    return (glyphs.y0[index] + glyphs.y1[index]) / 2 - (glyphs.start_y[index] - glyphs.base_y[index])


def _measure_turned(
    glyphs: Glyphs, spine: Indices, height: Floats, tallest: Floats, options: LineOptions
) -> Moves:
    """Return the same where text runs in any direction."""
    start_x, start_y = glyphs.start_x[spine], glyphs.start_y[spine]
    end_x, end_y = glyphs.end_x[spine], glyphs.end_y[spine]
    base_x, base_y = glyphs.base_x[spine], glyphs.base_y[spine]
    centre_x = (glyphs.x0[spine] + glyphs.x1[spine]) / 2 - (start_x - base_x)
    ux, uy = glyphs.ux[spine], glyphs.uy[spine]
    px, py = ux[:-1], uy[:-1]
    middle = np.diff(_centre_y(glyphs, spine)) * px - np.diff(centre_x) * py
    vertical = glyphs.vertical[spine]
    gap = (start_x[1:] - end_x[:-1]) * px + (start_y[1:] - end_y[:-1]) * py
    facing = px * ux[1:] + py * uy[1:]
    dancing = (facing > cos(radians(options.curve))) & (np.abs(gap) < options.curve_gap * height[1:])
    turn = (facing < cos(radians(options.direction))) & ~dancing
    return Moves(
        gap=gap,
        own=(end_x[1:] - start_x[1:]) * px + (end_y[1:] - start_y[1:]) * py,
        back=-(np.diff(start_x) * px + np.diff(start_y) * py),
        across=np.diff(base_y) * px - np.diff(base_x) * py,
        apart=np.abs(middle) > (height[:-1] + height[1:]) / 2,
        turned=turn | (vertical[:-1] != vertical[1:]),
        height=height[1:],
        tallest=tallest,
    )
