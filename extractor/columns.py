"""Reads the columns of a page one after the other (rule R11), region by region.

In: the page's text glyphs and k. Out: one string, a line a row of a column. It must not know of grids.
A horizontal gap over k x the median advance of the page splits a row; a stretch of rows whose gaps meet in a
gutter is a region of columns, each read from top to bottom and split further by the same rule; a heading that
crosses the gutter ends the region.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import pairwise
from math import inf
from typing import NamedTuple

from extractor.rows import SKEWED, Piece, TextGlyphs, join, join_neighbours, text_blocks, text_rows

_DEEPEST = 40
"""Regions within regions; real pages have a handful."""
_CONTIGUOUS = 1.0
"""A row beside nothing belongs to columns above or below it up to this distance, in units of its height."""
_LOOK_AHEAD = 100
"""Rows beside nothing between two rows of the same columns."""


class Gutter(NamedTuple):
    """White space between columns, from the top to the bottom of a region."""

    x0: float
    x1: float


def column_text(text: TextGlyphs, k: float) -> str:
    """Return the page's text with columns one after the other, each from top to bottom.

    Columns go from left to right, or from right to left where right-to-left letters are the most of the text.
    Text in another direction follows, its columns read in the same way; skewed text and vertical writing keep
    their order.

    Args:
        text: the page's text.
        k: a horizontal gap over this many median advances of the page splits.
    """
    widest = k * text.median_advance
    lines: list[str] = []
    for block in text_blocks(text, widest):
        if block.direction >= SKEWED:
            lines += [piece.text for piece in block.pieces]
            continue
        rows = join_neighbours(text, text_rows(block.pieces), widest)
        pieces = [piece for row in rows for piece in row]
        rtl = 2 * sum(len(piece.text) for piece in pieces if piece.rtl) > sum(
            len(piece.text) for piece in pieces
        )
        ordered: list[Piece] = []
        _read_region(pieces, (widest, rtl), ordered, _DEEPEST)
        lines += [piece.text for piece in ordered]
    return "\n".join(lines)


def _read_region(pieces: list[Piece], rule: tuple[float, bool], ordered: list[Piece], depth: int) -> None:
    """Append the pieces of a region in reading order: its bands downwards, else its columns, else its rows."""
    bands = _bands(_slices(pieces), rule[0]) if depth else [pieces]
    if len(bands) > 1:
        for band in bands:
            _read_region(band, rule, ordered, depth - 1)
        return
    gutters = find_gutters(_slices(bands[0]), rule[0]) if depth else []
    if gutters:
        columns = _split_columns(bands[0], gutters)
        for column in reversed(columns) if rule[1] else columns:
            _read_region(column, rule, ordered, depth - 1)
        return
    for row in text_rows(bands[0]):
        ordered += reversed(row) if rule[1] else row


class _Slice(NamedTuple):
    """Pieces that no horizontal line divides."""

    top: float
    bottom: float
    pieces: list[Piece]


def _slices(pieces: list[Piece]) -> list[_Slice]:
    """Return the region cut wherever a horizontal line passes between the pieces' lower halves."""
    result: list[_Slice] = []
    for piece in sorted(pieces, key=lambda p: (p.baseline - 0.5 * p.height, p.x0)):
        top = piece.baseline - 0.5 * piece.height
        if result and top < result[-1].bottom:
            last = result[-1]
            result[-1] = _Slice(last.top, max(last.bottom, piece.baseline), last.pieces)
            last.pieces.append(piece)
        else:
            result.append(_Slice(top, piece.baseline, [piece]))
    return result


def find_gutters(slices: list[_Slice], widest: float) -> list[Gutter]:
    """Return the gutters of a region, left to right: stretches over `widest` that no piece enters.

    A gutter needs text at both its sides that is side by side: paragraphs that follow each other, one at the
    left and one at the right, are no columns.
    """
    pieces = sorted((piece.x0, piece.x1) for part in slices for piece in part.pieces)
    spans = [(min(p.x1 for p in part.pieces), max(p.x0 for p in part.pieces)) for part in slices]
    spans.sort(reverse=True)
    found: list[Gutter] = []
    reached, beside = pieces[0][1], -inf
    for x0, x1 in pieces:
        if x0 - reached > widest:
            while spans and spans[-1][0] <= reached:
                beside = max(beside, spans.pop()[1])
            if beside >= x0:
                found.append(Gutter(reached, x0))
        reached = max(reached, x1)
    return found


def _split_columns(pieces: list[Piece], gutters: list[Gutter]) -> list[list[Piece]]:
    edges = [gutter.x1 for gutter in gutters]
    columns: list[list[Piece]] = [[] for _ in range(len(edges) + 1)]
    for piece in pieces:
        columns[bisect_right(edges, piece.x0)].append(piece)
    return columns


def _bands(slices: list[_Slice], widest: float) -> list[list[Piece]]:
    """Return the slices grouped into bands: stretches that share a gutter, and what stands between them."""
    bands: list[list[Piece]] = []
    alone: list[_Slice] = []
    place = 0
    while place < len(slices):
        end, gutters = _stretch(slices, place, widest)
        if end == place + 1 and gutters and _justified(slices, place):
            slices[place] = _without_gaps(slices[place])
            gutters = []
        if not gutters:
            alone.append(slices[place])
            place += 1
            continue
        begin = _pull_up(alone, gutters, slices[place]) if end > place + 1 else len(alone)
        if begin:
            bands.append([piece for part in alone[:begin] for piece in part.pieces])
        bands.append([piece for part in (*alone[begin:], *slices[place:end]) for piece in part.pieces])
        alone, place = [], end
    if alone:
        bands.append([piece for part in alone for piece in part.pieces])
    return bands


def _stretch(slices: list[_Slice], begin: int, widest: float) -> tuple[int, list[Gutter]]:
    """Return the end of the longest stretch of slices from `begin` that share a gutter, and its gutters.

    Slices with text at one side of the gutter only belong to it between others, and at its end where they
    follow closely; there is no gutter if the slice at `begin` has none.
    """
    gutters = free = find_gutters(slices[begin : begin + 1], widest)
    end = begin + 1
    for place in range(begin + 1, len(slices)):
        free = _remaining(free, slices[place].pieces, widest)
        if not free or place - end > _LOOK_AHEAD:
            break
        follows = place == end > begin + 1 and _close(slices[place - 1], slices[place])
        if follows or _divided(slices[place].pieces, free):
            gutters, end = free, place + 1
    return end, gutters


def _close(upper: _Slice, lower: _Slice) -> bool:
    """Return whether a slice stands right below another."""
    height = max(piece.height for piece in lower.pieces)
    return lower.top - upper.bottom <= _CONTIGUOUS * height


def _divided(pieces: list[Piece], gutters: list[Gutter]) -> bool:
    """Return whether there is text at both sides of a gutter."""
    first, last = min(piece.x1 for piece in pieces), max(piece.x0 for piece in pieces)
    return any(first <= gutter.x0 and last >= gutter.x1 for gutter in gutters)


def _justified(slices: list[_Slice], place: int) -> bool:
    """Return whether a slice with a gap is a line of a justified paragraph.

    It is if the line right above or below begins and ends where it does and has no such gap.
    """
    here = slices[place]
    for other in slices[max(0, place - 1) : place + 2]:
        upper, lower = sorted((here, other), key=lambda part: part.top)
        if len(other.pieces) == 1 and _close(upper, lower) and _aligned(here.pieces, other.pieces[0]):
            return True
    return False


def _aligned(pieces: list[Piece], line: Piece) -> bool:
    x0, x1 = min(piece.x0 for piece in pieces), max(piece.x1 for piece in pieces)
    return abs(x0 - line.x0) < 0.5 * line.height and abs(x1 - line.x1) < 0.5 * line.height


def _without_gaps(part: _Slice) -> _Slice:
    """Return a slice whose pieces are joined to one line."""
    row = sorted(part.pieces, key=lambda piece: piece.x0)
    joined = row[0]
    for piece in row[1:]:
        joined = join(joined, piece, spaced=True)
    return _Slice(part.top, part.bottom, [joined])


def _remaining(gutters: list[Gutter], pieces: list[Piece], widest: float) -> list[Gutter]:
    """Return what a slice leaves of the gutters: parts wider than `widest` that none of its pieces enters."""
    result: list[Gutter] = []
    edges = sorted((piece.x0, piece.x1) for piece in pieces)
    for gutter in gutters:
        blocked = [(gutter.x0, gutter.x0), *((a, b) for a, b in edges if b > gutter.x0 and a < gutter.x1)]
        blocked.append((gutter.x1, gutter.x1))
        reached = gutter.x0
        for (_, end), (begin, _) in pairwise(blocked):
            reached = max(reached, end)
            if begin - reached > widest:
                result.append(Gutter(reached, begin))
    return result


def _pull_up(alone: list[_Slice], gutters: list[Gutter], first: _Slice) -> int:
    """Return how many of the slices above a stretch stay out of it.

    Those right above it that leave its gutters free belong to the longer one of its columns.
    """
    begin, below = len(alone), first
    while begin:
        above = alone[begin - 1]
        crossing = any(g.x0 < piece.x1 and piece.x0 < g.x1 for g in gutters for piece in above.pieces)
        if crossing or not _close(above, below):
            break
        begin, below = begin - 1, above
    return begin
