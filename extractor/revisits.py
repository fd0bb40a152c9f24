"""Finds the few glyphs of a page that can be copies at all: those painted where something was painted before.

In: glyphs in paint order. Out: which of them lie in stretches of text that another stretch comes near to. It is a filter
before rules R4 and B1: what it leaves out can have no twin. It must not know texts.
"""

from __future__ import annotations

import numpy as np

from extractor.glyphs import Bools, Floats, Glyphs
from extractor.moves import Indices

_MOST_PAIRS = 20_000
"""Pairs of stretches at the same height that are compared; on a page with more, every glyph is looked at."""
_FORWARD = 0.12
"""Heights that each glyph of a stretch must lie before the one before it; more than R4's tolerance."""


def revisited(glyphs: Glyphs, candidate: Indices, reach: float) -> Indices:
    """Return those of `candidate` that may have a twin; int64[m], in paint order.

    A stretch is a run of glyphs each of which lies clearly forward of the one before on one baseline. Inside it no two
    glyphs lie within R4's tolerance, so that twins are only in stretches that come near each other.

    Args:
        glyphs: the painted glyphs.
        candidate: int64[n]: glyphs in paint order.
        reach: the farthest a copy may lie from its twin, in heights.
    """
    height = glyphs.height[candidate]
    largest = float(height.max())
    along, across = _frame(glyphs, candidate)
    step, aside = along[1:] - along[:-1], np.abs(across[1:] - across[:-1])
    breaks = (step < _FORWARD * height[1:]) | (step < _FORWARD * height[:-1]) | (aside > 1e-3 * largest)
    if glyphs.uniform is None:
        ux, uy = glyphs.ux[candidate], glyphs.uy[candidate]
        breaks |= (ux[1:] != ux[:-1]) | (uy[1:] != uy[:-1])
    first = np.concatenate((np.zeros(1, np.int64), np.flatnonzero(breaks) + 1))
    last = np.concatenate((first[1:] - 1, np.array([len(candidate) - 1])))
    ends = candidate[first], candidate[last]
    near = _near(glyphs, ends, reach * largest)
    if near is None:
        return candidate
    if not near.any():
        return candidate[:0]
    return candidate[np.repeat(near, last - first + 1)]


def _frame(glyphs: Glyphs, candidate: Indices) -> tuple[Floats, Floats]:
    """Return the starts along and across each glyph's own baseline; float64[n] each."""
    x, y = glyphs.start_x[candidate], glyphs.start_y[candidate]
    if glyphs.uniform == (1.0, 0.0):
        return x, y
    ux, uy = glyphs.ux[candidate], glyphs.uy[candidate]
    return x * ux + y * uy, y * ux - x * uy


def _near(glyphs: Glyphs, ends: tuple[Indices, Indices], reach: float) -> Bools | None:
    """Return which stretches have another within `reach`, bool[stretches]; None if too many lie side by side."""
    xs = np.stack((glyphs.start_x[ends[0]], glyphs.start_x[ends[1]]))
    ys = np.stack((glyphs.start_y[ends[0]], glyphs.start_y[ends[1]]))
    y0 = ys.min(axis=0)
    order = y0.argsort()
    x0, x1, y0, y1 = (
        xs.min(axis=0)[order],
        xs.max(axis=0)[order] + reach,
        y0[order],
        ys.max(axis=0)[order] + reach,
    )
    above = np.searchsorted(y0, y1, side="right") - np.arange(1, len(order) + 1)
    if above.sum() > _MOST_PAIRS:
        return None
    one = np.arange(len(order)).repeat(above)
    other = np.arange(1, len(one) + 1) + one - (above.cumsum() - above)[one]
    meet = (x0[one] <= x1[other]) & (x0[other] <= x1[one])
    near = np.zeros(len(order), np.bool_)
    near[order[one[meet]]] = near[order[other[meet]]] = True
    return near
