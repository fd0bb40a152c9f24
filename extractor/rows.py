"""Puts the text's glyphs into the printed rows of a page: pieces of text, and which of them share a baseline.

In: the kept glyphs in reading order with their separators. Out: per writing direction, as the page is shown,
pieces with their places, and rows of pieces. It must not know of grids or columns.
"""

from __future__ import annotations

from bisect import bisect_right, insort
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from extractor.gaps import separates_words
from extractor.glyph_table import MARK, RTL, Classes
from extractor.glyphs import Floats, Glyphs
from extractor.lines import NEWLINE, NONE, SPACE, Sequence
from extractor.moves import Indices, measure
from extractor.options import Options

UPRIGHT, SKEWED, VERTICAL = 0, 4, 5
"""Writing directions as shown: 0 to 3 quarter turns counter-clockwise; others; columns of writing mode 1."""

_SAME_ROW = 0.4
"""Largest distance of the baselines of a row, in units of the smaller height."""
_ROWS_LOOKED_AT = 8
"""A piece joins one of this many rows above it; more rows within half a height are text over text."""


@dataclass(frozen=True)
class TextGlyphs:
    """What this module needs to know of a page's text."""

    glyphs: Glyphs
    """The painted glyphs."""
    said: NDArray[np.int32]
    """Text id of what each painted glyph says."""
    classes: Classes
    """Class bits of what each painted glyph says."""
    sequence: Sequence
    rotation: int
    """/Rotate: degrees clockwise."""
    options: Options

    @property
    def median_advance(self) -> float:
        """Median advance of the text's glyphs, points; 0 for a page without any."""
        index = self.sequence.index
        advance = lengths(self.glyphs, index)
        advance = advance[advance > 0]
        return float(np.median(advance)) if len(advance) else 0.0


class Piece(NamedTuple):
    """A stretch of text on one baseline without a wide gap; places in points, along and across."""

    text: str
    x0: float
    x1: float
    """Where it begins and ends along its direction."""
    baseline: float
    """Place of its baseline, growing downwards."""
    height: float
    """Of its tallest glyph."""
    first: int
    last: int
    """Its first and last glyph in reading order, as indices of painted glyphs."""
    rtl: bool
    """Whether right-to-left letters are the most of it."""


Row = list[Piece]


class Block(NamedTuple):
    """The pieces of one writing direction."""

    direction: int
    pieces: list[Piece]


def lengths(glyphs: Glyphs, index: Indices) -> Floats:
    """Return the length of each glyph's own advance, points; float64, as long as `index`."""
    return np.hypot(glyphs.end_x[index] - glyphs.start_x[index], glyphs.end_y[index] - glyphs.start_y[index])


def text_blocks(text: TextGlyphs, widest_gap: float, space: float = 0.0) -> list[Block]:
    """Return the pieces by writing direction, the direction with the most glyphs first.

    Args:
        text: the page's text.
        widest_gap: a gap over this ends a piece, points.
        space: width of a character cell, points: between characters of just this width, as in a program
            listing, a gap is as many spaces as fit; 0 for one space whatever the gap.
    """
    index, before = _said_something(text)
    if not len(index):
        return []
    directions = shown_directions(text.glyphs, index, text.rotation)
    counts = np.bincount(directions, minlength=6)
    found = np.flatnonzero(counts).tolist()
    found.sort(key=lambda direction: (-int(counts[direction]), direction))
    return [
        Block(
            direction, _pieces(text, (index, before), directions == direction, direction, widest_gap, space)
        )
        for direction in found
    ]


def shown_directions(glyphs: Glyphs, index: Indices, rotation: int) -> NDArray[np.int64]:
    """Return the direction of each glyph as the page is shown; int64, as long as `index`."""
    angle = np.degrees(np.arctan2(glyphs.uy[index], glyphs.ux[index])) - rotation
    quarter = np.rint(angle / 90.0)
    skewed = np.abs(angle - 90.0 * quarter) > 15.0
    return np.where(glyphs.vertical[index], VERTICAL, np.where(skewed, SKEWED, quarter.astype(np.int64) % 4))


def _said_something(text: TextGlyphs) -> tuple[Indices, NDArray[np.uint8]]:
    """Return the glyphs that say something and the separator before each, silent ones between regarded."""
    index, before = text.sequence.index, text.sequence.before
    if not len(index):
        return index, before
    speaks = np.array([len(text.glyphs.texts[number]) > 0 for number in text.said[index].tolist()], np.bool_)
    place = np.flatnonzero(speaks)
    if len(place) == len(index) or not len(place):
        return index[place], before[place]
    begins = np.append(0, place[:-1] + 1)
    return index[place], np.maximum.reduceat(before[: place[-1] + 1], begins)


def _pieces(
    text: TextGlyphs,
    spoken: tuple[Indices, NDArray[np.uint8]],
    chosen: NDArray[np.bool_],
    direction: int,
    widest_gap: float,
    space: float,
) -> list[Piece]:
    """Return the pieces of one direction, in reading order."""
    place = np.flatnonzero(chosen)
    index, before = spoken[0][place], spoken[1][place].copy()
    before[np.diff(place, prepend=-2) != 1] = NEWLINE
    glyphs = text.glyphs
    x0, x1, down = _axes(glyphs, index, direction, text.rotation)
    kind, height = text.classes[index], glyphs.height[index]
    rtl = (kind & RTL) != 0
    cut = before == NEWLINE
    if direction < SKEWED:
        attached = (before[1:] == NONE) & ((kind[1:] & MARK) != 0)
        cut[1:] |= _far(x0, x1, height, rtl, widest_gap) & ~attached
    cut[0] = True
    spaces = np.where((before == SPACE) & ~cut, 1, 0)
    if space > 0:
        spaces[1:] *= _cells_between(x0, x1, lengths(glyphs, index), space)
    first = np.flatnonzero(cut)
    end = np.append(first[1:], len(index))
    number = np.cumsum(cut) - 1
    tallest = np.lexsort((np.arange(len(index)), -height, number))[first]
    texts = [
        " " * gap + glyphs.texts[said]
        for gap, said in zip(spaces.tolist(), text.said[index].tolist(), strict=True)
    ]
    columns = (
        np.minimum.reduceat(x0, first), np.maximum.reduceat(x1, first), down[tallest], height[tallest],
        index[first], index[end - 1], 2 * np.add.reduceat(rtl.astype(np.int64), first) > end - first,
    )  # fmt: skip
    stretches = zip(first.tolist(), end.tolist(), strict=True)
    values = zip(*(column.tolist() for column in columns), strict=True)
    return [Piece("".join(texts[a:b]), *value) for (a, b), value in zip(stretches, values, strict=True)]


def _axes(glyphs: Glyphs, index: Indices, direction: int, rotation: int) -> tuple[Floats, Floats, Floats]:
    """Return each glyph's begin and end along the direction, and its baseline's place, growing downwards."""
    quarter = (direction if direction < SKEWED else UPRIGHT) + rotation // 90
    ux, uy = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))[quarter % 4]
    start = glyphs.start_x[index] * ux + glyphs.start_y[index] * uy
    end = glyphs.end_x[index] * ux + glyphs.end_y[index] * uy
    down = glyphs.base_x[index] * uy - glyphs.base_y[index] * ux
    return np.minimum(start, end), np.maximum(start, end), down


def _far(x0: Floats, x1: Floats, height: Floats, rtl: NDArray[np.bool_], widest: float) -> NDArray[np.bool_]:
    """Return whether each glyph but the first lies beyond a wide gap from the one before, or back from it."""
    ahead, behind = x0[1:] - x1[:-1], x0[:-1] - x1[1:]
    back = x0[:-1] - x0[1:] > 0.5 * height[1:]
    return np.where(rtl[1:] | rtl[:-1], np.maximum(ahead, behind) > widest, (ahead > widest) | back)


def _cells_between(x0: Floats, x1: Floats, advance: Floats, cell: float) -> NDArray[np.int64]:
    even = np.abs(advance - cell) <= 0.05 * cell
    gap = np.maximum(x0[1:] - x1[:-1], x0[:-1] - x1[1:])
    fitting = np.maximum(1, np.rint(gap / cell)).astype(np.int64)
    return np.where(even[1:] & even[:-1], fitting, 1)


def text_rows(pieces: list[Piece]) -> list[Row]:
    """Return the rows downwards, each from left to right: pieces on one baseline that do not overlap."""
    rows: list[Row] = []
    leaders: list[Piece] = []
    starts: list[list[float]] = []
    for piece in sorted(pieces, key=lambda p: (p.baseline, p.x0, p.first)):
        for number in range(len(rows) - 1, max(-1, len(rows) - 1 - _ROWS_LOOKED_AT), -1):
            near = _SAME_ROW * min(piece.height, leaders[number].height)
            if piece.baseline - leaders[number].baseline <= near and _fits(
                piece, rows[number], starts[number]
            ):
                rows[number].insert(bisect_right(starts[number], piece.x0), piece)
                insort(starts[number], piece.x0)
                break
        else:
            rows.append([piece])
            leaders.append(piece)
            starts.append([piece.x0])
    return rows


def _fits(piece: Piece, row: Row, starts: list[float]) -> bool:
    place = bisect_right(starts, piece.x0)
    slack = 0.3 * piece.height
    return (place == 0 or row[place - 1].x1 <= piece.x0 + slack) and (
        place == len(row) or piece.x1 <= row[place].x0 + slack
    )


def join_neighbours(text: TextGlyphs, rows: list[Row], divides: Callable[[float, float], bool]) -> list[Row]:
    """Return the rows with pieces joined that no wide gap divides.

    Pieces that were cut apart here or painted out of order meet again.

    Args:
        text: the page's text.
        rows: pieces from left to right.
        divides: tells of a gap, from where to where it reaches, whether it stays.
    """
    pairs = [(a, b) for row in rows for a, b in pairwise(row)]
    meetings = iter(_meetings(text, pairs))
    result: list[Row] = []
    for row in rows:
        joined = row[:1]
        for piece in row[1:]:
            spaced, turned = next(meetings)
            if divides(joined[-1].x1, piece.x0):
                joined.append(piece)
            else:
                joined[-1] = join(joined[-1], piece, spaced, turned)
        result.append(joined)
    return result


def _meetings(text: TextGlyphs, pairs: list[tuple[Piece, Piece]]) -> list[tuple[bool, bool]]:
    """Return for each pair whether a space is between, and whether the right one is read first.

    Pieces that follow each other in the text keep what is between them there; others are measured as R5 does.
    """
    if not pairs:
        return []
    sequence = text.sequence
    place = np.full(len(text.glyphs), -2, np.int64)
    place[sequence.index] = np.arange(len(sequence.index))
    spine = np.array([(a.last, b.first) for a, b in pairs], np.int64).ravel()
    moves = measure(text.glyphs, spine, text.options.lines)
    limit = text.options.gaps.word * moves.height
    words = separates_words(moves, text.classes[spine], limit, text.options.gaps)[::2].tolist()
    result: list[tuple[bool, bool]] = []
    for (a, b), word in zip(pairs, words, strict=True):
        for first, second, turned in ((a, b, False), (b, a, True)):
            at = int(place[second.first])
            if at == place[first.last] + 1:
                result.append((bool(sequence.before[at] != NONE), turned))
                break
        else:
            result.append((word or a.rtl or b.rtl, a.rtl and b.rtl))
    return result


def join(one: Piece, other: Piece, spaced: bool, turned: bool) -> Piece:
    """Return two pieces of a row as one.

    Args:
        one: the left piece.
        other: the right piece.
        spaced: whether a space is between them.
        turned: whether the right one is read first.
    """
    first, second = (other, one) if turned else (one, other)
    taller = one if one.height >= other.height else other
    return Piece(
        first.text + (" " if spaced else "") + second.text, min(one.x0, other.x0), max(one.x1, other.x1),
        taller.baseline, taller.height, first.first, second.last, one.rtl and other.rtl,
    )  # fmt: skip
