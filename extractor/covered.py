"""Text that lies under what is painted later (rule B4): redaction bars, scans over their recognised text.

In: `Glyphs` and the areas filled after text was shown. Out: which glyphs are covered. They are counted and flagged, never
dropped: whether an area is opaque is read from its graphics state, not from its pixels. It must not know words.
"""

from __future__ import annotations

import re

import numpy as np

from extractor.glyphs import Bools, Glyphs
from extractor.show_runs import Cover
from extractor.tokens import WHITE
from extractor.visible import Box, clip_bounds, path_bounds

_FILLED = re.compile(
    rb"((?:(?:[-+.\d]+" + WHITE + rb"+){4}re" + WHITE + rb"+)+)(?:f\*?|F|[Bb]\*?)(?=" + WHITE + rb"|\Z)"
)
_RECTANGLE = re.compile(rb"(?:[-+.\d]+" + WHITE + rb"+){4}re")
_SMALLEST = 3.0
"""Points; what is thinner is a rule or an underline."""
_MOST = 1000
"""Rectangles compared with the glyphs of a page."""


def find_covered(glyphs: Glyphs, kept: Bools) -> Bools:
    """Return which kept glyphs have the centre of their box under an area filled later; bool[n].

    Args:
        glyphs: the painted glyphs.
        kept: bool[n]: the glyphs of the text.
    """
    covered = np.zeros(len(glyphs), np.bool_)
    boxes = _boxes(glyphs.runs.covers)
    if not boxes:
        return covered
    x, y = (glyphs.x0 + glyphs.x1) / 2, (glyphs.y0 + glyphs.y1) / 2
    for shows, (x0, y0, x1, y1) in boxes:
        covered |= (glyphs.show < shows) & (x >= x0) & (x <= x1) & (y >= y0) & (y <= y1)
    return covered & kept


def _boxes(covers: list[Cover]) -> list[tuple[int, Box]]:
    """Return (shows before it, bounds in user space) of the rectangles filled; only upright ones, others may be smaller."""
    known: dict[int, Box] = {}
    found: list[tuple[int, Box]] = []
    for cover in covers:
        a, b, c, d = cover.matrix[:4]
        if (b or c) and (a or d):
            continue
        clip = clip_bounds(cover.clip, known)
        for run in _FILLED.findall(cover.path):
            for rectangle in _RECTANGLE.findall(run):
                own = path_bounds(rectangle, cover.matrix)
                box = max(own[0], clip[0]), max(own[1], clip[1]), min(own[2], clip[2]), min(own[3], clip[3])
                if box[2] - box[0] > _SMALLEST and box[3] - box[1] > _SMALLEST:
                    found.append((cover.shows, box))
                if len(found) >= _MOST:
                    return found
    return found
