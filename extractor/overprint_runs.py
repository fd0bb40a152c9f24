"""Finds whole runs painted again with a larger offset (rule B1): shadows and bold beyond the tolerances of a single glyph.

In: pairs of glyphs with the same text near each other. Out: the later ones marked as copies where they follow each other
as the earlier ones do, by one constant offset. Never single glyphs: two letters alone may be two letters.
"""

from __future__ import annotations

from math import cos, radians
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractor.glyphs import Glyphs
from extractor.options import OverprintOptions

Indices = NDArray[np.int64]
_SAME_OFFSET = 0.03
"""Offsets of one run differ by at most this part of the height."""


def mark_run_copies(
    glyphs: Glyphs,
    candidate: Indices,
    pairs: tuple[Indices, Indices],
    twin: Indices,
    options: OverprintOptions,
) -> None:
    """Enter into `twin` the glyphs of runs painted again.

    Copies found by R4 are left out of the count of what was painted between, so that a run may be struck again and again
    before it is painted with a larger offset. But a letter of such a run may by chance cover the same letter elsewhere in
    the first one ("ll"), so that a second look counts all glyphs.

    Args:
        glyphs: the painted glyphs.
        candidate: int64[m]: the glyphs that may be copies or twins, in paint order.
        pairs: earlier and later glyphs that are near each other but no copies by R4.
        twin: int64[n]: twins found by R4; extended here.
        options: the tolerances.
    """
    fitting = _fitting(glyphs, pairs, options)
    if fitting is None:
        return
    for all_glyphs in (False, True):
        earlier, later = fitting[:2]
        free = twin[earlier] < 0
        if not all_glyphs:
            free &= twin[later] < 0
        elif free.all() or not free.any():
            return
        if np.count_nonzero(free) < options.run_length:
            continue
        counted = candidate if all_glyphs else candidate[twin[candidate] < 0]
        _mark(glyphs, counted, tuple(column[free] for column in fitting), twin, options)


def _fitting(
    glyphs: Glyphs, pairs: tuple[Indices, Indices], options: OverprintOptions
) -> tuple[NDArray[Any], ...] | None:
    """Return (earlier, later, along, across, height) of the pairs near enough; None if they are too few."""
    earlier, later = pairs
    along, across, height = _offsets(glyphs, earlier, later)
    direction = glyphs.ux[earlier] * glyphs.ux[later] + glyphs.uy[earlier] * glyphs.uy[later]
    tallest = np.maximum(height, glyphs.height[later])
    fits = (
        (np.abs(across) <= options.run_across * height)
        & (np.abs(along) <= options.run_along * height)
        & (np.abs(height - glyphs.height[later]) <= options.height * tallest)
        & (direction >= cos(radians(options.direction)))
        & (glyphs.vertical[earlier] == glyphs.vertical[later])
    )
    if np.count_nonzero(fits) < options.run_length:
        return None
    return tuple(column[fits] for column in (earlier, later, along, across, height))


def _mark(
    glyphs: Glyphs,
    counted: Indices,
    pairs: tuple[NDArray[Any], ...],
    twin: Indices,
    options: OverprintOptions,
) -> None:
    """Enter into `twin` the later glyphs of pairs that follow each other, among the counted glyphs, by one offset."""
    earlier, later, along, across, height = pairs
    place = np.full(len(glyphs), -1, np.int64)
    place[counted] = np.arange(len(counted))
    lag = place[later] - place[earlier]
    order = np.lexsort((place[earlier], lag))
    shift = np.stack((along, across), axis=1)[order] / height[order][:, None]
    follows = (
        (np.diff(lag[order]) == 0)
        & (np.diff(place[earlier][order]) == 1)
        & (np.abs(np.diff(shift, axis=0)) <= _SAME_OFFSET).all(axis=1)
    )
    begins = np.flatnonzero(np.append(True, ~follows))
    for first, end in zip(begins.tolist(), np.append(begins[1:], len(order)).tolist(), strict=True):
        run = order[first:end]
        if _is_run(glyphs, earlier[run], along[run], len(run), int(lag[run[0]]), options):
            fresh = run[twin[later[run]] < 0]
            twin[later[fresh]] = earlier[fresh]


def _offsets(glyphs: Glyphs, earlier: Indices, later: Indices) -> tuple[NDArray[np.float64], ...]:
    """Return the distance along and across the baseline of each pair, and the height; points, float64 each."""
    dx = glyphs.start_x[later] - glyphs.start_x[earlier]
    dy = glyphs.start_y[later] - glyphs.start_y[earlier]
    ux, uy = glyphs.ux[earlier], glyphs.uy[earlier]
    return dx * ux + dy * uy, dy * ux - dx * uy, glyphs.height[earlier]


def _is_run(
    glyphs: Glyphs,
    earlier: Indices,
    along: NDArray[np.float64],
    length: int,
    lag: int,
    options: OverprintOptions,
) -> bool:
    """Tell whether a chain of pairs is a run painted again: long enough, not woven into itself, offset small enough."""
    if length < options.run_length or lag < length:
        return False
    advance = np.hypot(
        glyphs.end_x[earlier] - glyphs.start_x[earlier], glyphs.end_y[earlier] - glyphs.start_y[earlier]
    )
    farthest = float(np.abs(along).max())
    if length >= options.long_run and farthest <= options.long_run_along * float(
        glyphs.height[earlier].min()
    ):
        return True
    return bool(farthest < options.run_along * advance.min())
