"""Which painted glyphs the page shows (rules R3 and B4): visible box, optional content, clipping paths.

In: `Glyphs` and the visible box. Out: the fate of each glyph, before copies are looked for. It must not know words.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from extractor.glyphs import CLIPPED, KEPT, LAYER_OFF, OFF_PAGE, Bools, Glyphs
from extractor.repetition import repeated
from extractor.show_runs import Clip, Matrix
from extractor.tokens import number

Box = tuple[float, float, float, float]
_EVERYWHERE: Box = (-np.inf, -np.inf, np.inf, np.inf)
_TOUCH = 0.01
"""Points by which a glyph's box must reach into its clip to count as shown."""
_PAINTED = re.compile(rb"(?:^|(?<=[\x00\t\n\x0c\r ]))(?:f\*?|F|B\*?|b\*?|S|s|n)(?=[\x00\t\n\x0c\r ]|\Z)")
_CONSTRUCTION = re.compile(
    rb"(" + repeated(rb"[-+.\d]++[\x00\t\n\x0c\r ]++", b"{2,6}") + rb")(re|[mlcvy])(?![A-Za-z*])"
)
_PAINTING = frozenset((b"f", b"f*", b"F", b"B", b"B*", b"b", b"b*", b"S", b"s", b"n"))
_SHORT_PATH = 400
_LONGEST_PATH = 1 << 16
"""Bytes of a path that are measured; a longer one is taken as clipping nothing."""


def judge_visible(glyphs: Glyphs, visible_box: Box, keep_clipped: bool) -> NDArray[np.uint8]:
    """Return the fate of each glyph as far as it is decided by where it is; uint8[n] of KEPT, OFF_PAGE, ...

    Args:
        glyphs: the painted glyphs.
        visible_box: CropBox clipped to MediaBox (14.11.2), points of user space.
        keep_clipped: leave glyphs outside their clipping path in the text.
    """
    fate = np.zeros(len(glyphs), np.uint8)
    x0, y0, x1, y1 = visible_box
    if len(fate) and not (
        glyphs.x0.min() >= x0 and glyphs.y0.min() >= y0 and glyphs.x1.max() <= x1 and glyphs.y1.max() <= y1
    ):
        x, y = (glyphs.x0 + glyphs.x1) / 2, (glyphs.y0 + glyphs.y1) / 2
        fate[~((x >= x0) & (x <= x1) & (y >= y0) & (y <= y1))] = OFF_PAGE
    paints = glyphs.runs.paints
    if any(paint.clip is not None for paint in paints) and not keep_clipped:
        fate[(fate == KEPT) & _outside_clip(glyphs)] = CLIPPED
    if any(paint.hidden for paint in paints):
        hidden = np.array([paint.hidden for paint in paints], np.bool_)
        fate[hidden[glyphs.paint]] = LAYER_OFF
    return fate


def _outside_clip(glyphs: Glyphs) -> Bools:
    known: dict[int, Box] = {}
    boxes = [clip_bounds(paint.clip, known) for paint in glyphs.runs.paints]
    x0, y0, x1, y1 = np.array(boxes, np.float64)[glyphs.paint].T
    outside: Bools = (
        (np.minimum(glyphs.x1, x1) - np.maximum(glyphs.x0, x0) < _TOUCH)
        | (np.minimum(glyphs.y1, y1) - np.maximum(glyphs.y0, y0) < _TOUCH)
    )  # fmt: skip
    thin = (glyphs.x1 - glyphs.x0 < _TOUCH) | (glyphs.y1 - glyphs.y0 < _TOUCH)
    return outside & ~thin


def cut_between(glyphs: Glyphs, neighbours: NDArray[np.int64]) -> Bools:
    """Return whether clipping cut off what was painted behind a glyph, and ended before the next; bool[n - 1].

    So end the cells of spreadsheets whose text is too long: the next cell begins where the text is cut.

    Args:
        glyphs: the painted glyphs.
        neighbours: int64[n]: glyphs of the text, in paint order.
    """
    cut = np.zeros(max(len(neighbours) - 1, 0), np.bool_)
    at = np.flatnonzero(np.diff(neighbours) > 1)
    paints = glyphs.runs.paints
    if not len(at) or all(paint.clip is None for paint in paints):
        return cut
    behind, paint = neighbours[at] + 1, glyphs.paint
    same = paint[behind] == paint[neighbours[at]]
    other = paint[neighbours[at + 1]] != paint[behind]
    at, behind = at[same & other], behind[same & other]
    if len(at):
        clips = [id(paint.clip) for paint in paints]
        ended = [clips[a] != clips[b] for a, b in zip(
            paint[behind].tolist(), paint[neighbours[at + 1]].tolist(), strict=True
        )]  # fmt: skip
        cut[at] = np.array(ended, np.bool_) & _outside_clip(glyphs.select(behind))
    return cut


def clip_bounds(clip: Clip | None, known: dict[int, Box]) -> Box:
    """Return the bounds of a clipping path in user space: never smaller than the path's own.

    Args:
        clip: a chain of intersections, or None.
        known: results by identity of the clip, filled here.
    """
    chain: list[Clip] = []
    bounds = _EVERYWHERE
    while clip is not None:
        if id(clip) in known:
            bounds = known[id(clip)]
            break
        chain.append(clip)
        clip = clip.parent
    for link in reversed(chain):
        own = path_bounds(link.path, link.matrix)
        bounds = own if bounds is _EVERYWHERE else (
            max(bounds[0], own[0]), max(bounds[1], own[1]), min(bounds[2], own[2]), min(bounds[3], own[3]),
        )  # fmt: skip
        known[id(link)] = bounds
    return bounds


def path_bounds(path: bytes, matrix: Matrix) -> Box:
    """Return the bounds of the subpaths behind the last painting operator, control points included."""
    parts = path.split() if len(path) < _SHORT_PATH else []
    if len(parts) >= 5 and parts[-1] == b"re" and (len(parts) == 5 or parts[-6] in _PAINTING):
        return _rectangle_bounds(parts, matrix)  # nearly all clips are one rectangle
    painted = list(_PAINTED.finditer(path, max(0, len(path) - _LONGEST_PATH)))
    start = painted[-1].end() if painted else 0
    if len(path) - start > _LONGEST_PATH:
        return _EVERYWHERE
    points: list[tuple[float, float]] = []
    for operands, operator in _CONSTRUCTION.findall(path, start):
        values = [number(part) for part in operands.replace(b"\0", b" ").split()]
        if operator == b"re":
            x, y, width, height = values[-4:] if len(values) >= 4 else (0.0, 0.0, 0.0, 0.0)
            points += ((x, y), (x + width, y), (x, y + height), (x + width, y + height))
        else:
            points += zip(values[::2], values[1::2], strict=False)
    return _bounds(points, matrix) if points else _EVERYWHERE


def _rectangle_bounds(parts: list[bytes], matrix: Matrix) -> Box:
    """Return the bounds of the rectangle of one operator re, with which the parts of a path end."""
    left, bottom, wide, high = parts[-5:-1]
    try:
        x, y, width, height = float(left), float(bottom), float(wide), float(high)
    except ValueError:
        x, y, width, height = number(left), number(bottom), number(wide), number(high)
    a, b, c, d, e, f = matrix
    if b or c:
        return _bounds([(x, y), (x + width, y + height), (x + width, y), (x, y + height)], matrix)
    x0, x1, y0, y1 = x * a + e, (x + width) * a + e, y * d + f, (y + height) * d + f
    return x0 if x0 < x1 else x1, y0 if y0 < y1 else y1, x1 if x0 < x1 else x0, y1 if y0 < y1 else y0


def _bounds(points: list[tuple[float, float]], matrix: Matrix) -> Box:
    a, b, c, d, e, f = matrix
    xs = [x * a + y * c + e for x, y in points]
    ys = [x * b + y * d + f for x, y in points]
    return min(xs), min(ys), max(xs), max(ys)
