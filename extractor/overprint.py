"""Finds overprinted copies (rules R4 and B1): fake bold, shadows, outlines painted over fills.

In: `Glyphs` that are visible. Out: for each glyph the index of the earlier glyph it is a copy of, or -1. It must not know
words or lines. Distances are measured in the baseline frame, in units of the glyph's height.
"""

from __future__ import annotations

from math import cos, radians

import numpy as np
from numpy.typing import NDArray

from extractor.glyph_table import EMPTY, WHITE, Classes
from extractor.glyphs import Bools, Floats, Glyphs
from extractor.options import OverprintOptions
from extractor.overprint_runs import mark_run_copies
from extractor.revisits import revisited

Indices = NDArray[np.int64]
_PAIRS_A_GLYPH = 8
"""Above this many candidate pairs a glyph, glyphs are compared one by one with those kept: only hostile pages get there."""


def find_copies(glyphs: Glyphs, visible: Bools, classes: Classes, options: OverprintOptions) -> Indices:
    """Return int64[n]: the index of the kept twin of each copy, -1 for a glyph that is none.

    Args:
        glyphs: painted glyphs in paint order.
        visible: bool[n]: which of them may be copies or twins.
        classes: uint16[n]: class bits of each glyph's text.
        options: the tolerances.
    """
    twin = np.full(len(glyphs), -1, np.int64)
    candidate = np.flatnonzero(visible & ((classes & (WHITE | EMPTY)) == 0) & (glyphs.height > 0))
    if len(candidate) < 2:
        return twin
    candidate = revisited(glyphs, candidate, _reach(options))
    if len(candidate) < 2:
        return twin
    pairs = _candidate_pairs(glyphs, candidate, options)
    if pairs is None:
        _find_among_many(glyphs, candidate, options, twin)
    elif len(pairs[0]):
        same = is_copy(glyphs, *pairs, options)
        _settle(pairs[0][same], pairs[1][same], twin)
        if not same.all():
            mark_run_copies(glyphs, candidate, (pairs[0][~same], pairs[1][~same]), twin, options)
    return twin


def _find_among_many(glyphs: Glyphs, candidate: Indices, options: OverprintOptions, twin: Indices) -> None:
    """Find copies where pairs are too many to list: by the first of equals, then one by one."""
    first = _first_of_equals(glyphs, candidate)
    _compare_one_by_one(glyphs, candidate[first == candidate], options, twin)
    equal, head = candidate[first != candidate], first[first != candidate]
    twin[equal] = np.where(twin[head] >= 0, twin[head], head)


def _first_of_equals(glyphs: Glyphs, candidate: Indices) -> Indices:
    """Return, for each candidate, the first painted glyph with the same text at exactly its place; int64[candidates].

    What such a glyph is a copy of, so are all of them: one glyph painted 300,000 times stays n log n.
    """
    keys = np.stack(
        [column[candidate].astype(np.float64)
         for column in (glyphs.text_id, glyphs.start_x, glyphs.start_y, glyphs.height, glyphs.ux, glyphs.uy)],
        axis=1,
    )  # fmt: skip
    hashed = keys @ np.array([1.0, 1e3, 1.7e6, 3.1e9, 5.3e12, 7.9e12]) + 0.0
    order = np.argsort(hashed, kind="stable")
    ordered = keys[order]
    begins = np.ones(len(order), np.bool_)
    begins[1:] = (hashed[order][1:] != hashed[order][:-1]) | (ordered[1:] != ordered[:-1]).any(axis=1)
    heads = np.flatnonzero(begins)
    result = np.empty(len(order), np.int64)
    result[order] = np.repeat(candidate[order[heads]], np.diff(heads, append=len(order)))
    return result


def is_copy(glyphs: Glyphs, earlier: Indices, later: Indices, options: OverprintOptions) -> Bools:
    """Return whether each glyph of `later` is a copy of its partner in `earlier` (R4), in its own heights; bool[n]."""
    height = glyphs.height[later]
    dx = glyphs.start_x[later] - glyphs.start_x[earlier]
    dy = glyphs.start_y[later] - glyphs.start_y[earlier]
    ux, uy = glyphs.ux[earlier], glyphs.uy[earlier]
    close = np.abs(height - glyphs.height[earlier]) <= options.height * np.maximum(
        height, glyphs.height[earlier]
    )
    # two Type 3 fonts of one size have the boxes of their own few glyphs, so that equal ems are equal heights too
    em, other_em = glyphs.show_em[glyphs.show[later]], glyphs.show_em[glyphs.show[earlier]]
    close |= np.abs(em - other_em) <= options.height * np.maximum(em, other_em)
    same: Bools = (
        (glyphs.text_id[later] == glyphs.text_id[earlier])
        & (glyphs.vertical[later] == glyphs.vertical[earlier])
        & (ux * glyphs.ux[later] + uy * glyphs.uy[later] >= cos(radians(options.direction)))
        & close
        & (np.abs(dx * ux + dy * uy) <= options.along * height)
        & (np.abs(dy * ux - dx * uy) <= options.across * height)
    )
    return same


def _candidate_pairs(
    glyphs: Glyphs, apart: Indices, options: OverprintOptions
) -> tuple[Indices, Indices] | None:
    """Return all pairs (earlier, later) that rules R4 or B1 have to look at, or None where they are too many to list.

    Glyphs are sorted by text, then by bands across the page, then by x, so that a glyph's possible twins follow it. Two
    sets of bands, shifted by half a band, make sure that every pair shares a band.
    """
    reach = _reach(options) * float(glyphs.height[apart].max())
    band = max(2.0 * reach, 1e-3)
    found: list[tuple[Indices, Indices]] = []
    for shift in (0.0, 0.5):
        pairs = _pairs_in_bands(glyphs, apart, reach, (band, shift))
        if pairs is None:
            return None
        found.append(pairs)
    earlier = np.concatenate([pair[0] for pair in found])
    later = np.concatenate([pair[1] for pair in found])
    if len(earlier):
        key = np.unique(earlier * len(glyphs) + later)
        earlier, later = key // len(glyphs), key % len(glyphs)
    return earlier, later


def _reach(options: OverprintOptions) -> float:
    """Return the farthest a copy can lie from its twin, in heights."""
    return max(
        float(np.hypot(options.along, options.across)), float(np.hypot(options.run_along, options.run_across))
    )


def _pairs_in_bands(
    glyphs: Glyphs, apart: Indices, reach: float, bands: tuple[float, float]
) -> tuple[Indices, Indices] | None:
    x = glyphs.start_x[apart]
    row = np.floor(glyphs.start_y[apart] / bands[0] + bands[1])
    row -= row.min()
    x = x - x.min()
    group = glyphs.text_id[apart] * (row.max() + 1.0) + row
    span = float(x.max()) + 2.0 * float(glyphs.height[apart].max()) + 1.0
    key: Floats = group * span + x
    order = np.argsort(key)
    key, ordered = key[order], apart[order]
    height, y = glyphs.height[ordered], glyphs.start_y[ordered]
    earlier: list[Indices] = []
    later: list[Indices] = []
    active, step, budget = np.arange(len(key) - 1), 1, _PAIRS_A_GLYPH * len(key) + 1024
    while len(active):
        active = active[key[active + step] - key[active] <= reach]
        budget -= len(active)
        if budget < 0:
            return None
        limit = np.minimum(height[active], height[active + step])
        close = active[
            (key[active + step] - key[active] <= limit) & (np.abs(y[active + step] - y[active]) <= limit)
        ]
        one, other = ordered[close], ordered[close + step]
        earlier.append(np.minimum(one, other))
        later.append(np.maximum(one, other))
        step += 1
        active = active[active + step < len(key)]
    return np.concatenate([*earlier, np.zeros(0, np.int64)]), np.concatenate([*later, np.zeros(0, np.int64)])


def _settle(earlier: Indices, later: Indices, twin: Indices) -> None:
    """Decide the pairs in paint order: a copy of a copy that lies too far from the first is no copy."""
    order = np.lexsort((earlier, later))
    for first, second in zip(earlier[order].tolist(), later[order].tolist(), strict=True):
        if twin[first] < 0 and twin[second] < 0:
            twin[second] = first


def _compare_one_by_one(glyphs: Glyphs, apart: Indices, options: OverprintOptions, twin: Indices) -> None:
    """Decide in paint order against the kept glyphs of neighbouring cells; kept glyphs can't crowd a cell."""
    cells: dict[tuple[int, int, int, int], list[int]] = {}
    reach = float(np.hypot(options.along, options.across))
    level = np.floor(np.log2(glyphs.height[apart])).astype(np.int64)
    size = reach * np.exp2(level + 1.0)
    columns = np.floor(glyphs.start_x[apart] / size).astype(np.int64).tolist()
    rows = np.floor(glyphs.start_y[apart] / size).astype(np.int64).tolist()
    texts = glyphs.text_id[apart].tolist()
    levels = level.tolist()
    for place, index in enumerate(apart.tolist()):
        near = _near(cells, glyphs, texts[place], index, (levels[place], reach))
        match = is_copy(glyphs, near, np.full(len(near), index), options) if len(near) else None
        if match is not None and match.any():
            twin[index] = near[int(np.argmax(match))]
        else:
            cells.setdefault((texts[place], levels[place], columns[place], rows[place]), []).append(index)


def _near(
    cells: dict[tuple[int, int, int, int], list[int]],
    glyphs: Glyphs,
    text: int,
    index: int,
    scale: tuple[int, float],
) -> Indices:
    level, reach = scale
    start_x, start_y = float(glyphs.start_x[index]), float(glyphs.start_y[index])
    found: list[int] = []
    for other in (level - 1, level, level + 1):
        size = reach * 2.0 ** (other + 1)
        column, row = int(start_x // size), int(start_y // size)
        for x in (column - 1, column, column + 1):
            for y in (row - 1, row, row + 1):
                found += cells.get((text, other, x, y), ())
    return np.array(sorted(found), np.int64)
