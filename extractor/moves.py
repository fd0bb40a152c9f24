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
