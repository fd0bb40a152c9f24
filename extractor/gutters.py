"""Finds gutters: white stretches between columns, from top to bottom of a region (rule R11).

In: pieces of text with their places. Out: slices of a region, gutters, and how far down they reach. It must not know in
which order columns are read.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from typing import NamedTuple

from extractor.options import ColumnOptions
from extractor.rows import Piece

_CONTIGUOUS = 1.0
"""A row beside nothing belongs to columns above or below it up to this distance, in units of its height."""
_LOOK_AHEAD = 100
"""Rows beside nothing between two rows of the same columns."""


class Gutter(NamedTuple):
    """White space between columns."""

    x0: float
    x1: float


@dataclass(frozen=True)
class GapRule:
    """Which gaps divide columns."""

    widest: float
    """A gap over this does, points."""
    walls: tuple[Gutter, ...] = ()
    """And one that holds one of these."""

    def divides(self, x0: float, x1: float) -> bool:
        """Tell whether a gap from x0 to x1 divides columns."""
        return x1 - x0 > self.widest or any(x0 <= wall.x0 and wall.x1 <= x1 for wall in self.walls)


class Slice(NamedTuple):
    """Pieces that no horizontal line divides."""

    top: float
    bottom: float
    pieces: list[Piece]


def slices_of(pieces: list[Piece]) -> list[Slice]:
    """Return the region cut wherever a horizontal line passes between the pieces' lower halves."""
    result: list[Slice] = []
    for piece in sorted(pieces, key=lambda p: (p.baseline - 0.5 * p.height, p.x0)):
        top = piece.baseline - 0.5 * piece.height
        if result and top < result[-1].bottom:
            last = result[-1]
            result[-1] = Slice(last.top, max(last.bottom, piece.baseline), last.pieces)
            last.pieces.append(piece)
        else:
            result.append(Slice(top, piece.baseline, [piece]))
    return result


def find_gutters(slices: list[Slice], rule: GapRule) -> list[Gutter]:
    """Return the gutters of a region, left to right: stretches that the rule takes for such and no piece enters.

    A gutter needs text at both its sides that is side by side: paragraphs that follow each other, one at the
    left and one at the right, are no columns.
    """
    pieces = sorted((piece.x0, piece.x1) for part in slices for piece in part.pieces)
    spans = [(min(p.x1 for p in part.pieces), max(p.x0 for p in part.pieces)) for part in slices]
    spans.sort(reverse=True)
    found: list[Gutter] = []
    reached, beside = pieces[0][1], -inf
    for x0, x1 in pieces:
        if rule.divides(reached, x0):
            while spans and spans[-1][0] <= reached:
                beside = max(beside, spans.pop()[1])
            if beside >= x0:
                found.append(Gutter(reached, x0))
        reached = max(reached, x1)
    return found


def stretch(slices: list[Slice], begin: int, rule: GapRule) -> tuple[int, list[Gutter]]:
    """Return the end of the longest stretch of slices from `begin` that share a gutter, and its gutters.

    Slices with text at one side of the gutter only belong to it between others, and at its end where they
    follow closely; there is no gutter if the slice at `begin` has none.
    """
    gutters = free = find_gutters(slices[begin : begin + 1], rule)
    end = begin + 1
    for place in range(begin + 1, len(slices)):
        free = _remaining(free, slices[place].pieces, rule)
        if not free or place - end > _LOOK_AHEAD:
            break
        follows = place == end > begin + 1 and close(slices[place - 1], slices[place])
        if follows or _divided(slices[place].pieces, free):
            gutters, end = free, place + 1
    return end, gutters


def close(upper: Slice, lower: Slice) -> bool:
    """Return whether a slice stands right below another."""
    height = max(piece.height for piece in lower.pieces)
    return lower.top - upper.bottom <= _CONTIGUOUS * height


def _divided(pieces: list[Piece], gutters: list[Gutter]) -> bool:
    """Return whether there is text at both sides of a gutter."""
    first, last = min(piece.x1 for piece in pieces), max(piece.x0 for piece in pieces)
    return any(first <= gutter.x0 and last >= gutter.x1 for gutter in gutters)


def _remaining(gutters: list[Gutter], pieces: list[Piece], rule: GapRule) -> list[Gutter]:
    """Return what a slice leaves of the gutters: parts that still divide and none of its pieces enters."""
    result: list[Gutter] = []
    edges = sorted((piece.x0, piece.x1) for piece in pieces)
    for gutter in gutters:
        blocked = [(gutter.x0, gutter.x0), *((a, b) for a, b in edges if b > gutter.x0 and a < gutter.x1)]
        blocked.append((gutter.x1, gutter.x1))
        reached = gutter.x0
        for (_, end), (begin, _) in pairwise(blocked):
            reached = max(reached, end)
            if rule.divides(reached, begin):
                result.append(Gutter(reached, begin))
    return result


def find_walls(slices: list[Slice], narrow: float, options: ColumnOptions) -> Iterator[Gutter]:
    """Yield gutters over `narrow` that have many lines of running text at both sides."""
    rule, place = GapRule(narrow), 0
    while place < len(slices):
        end, gutters = stretch(slices, place, rule)
        pieces = [piece for part in slices[place:end] for piece in part.pieces]
        for gutter in gutters:
            left = [piece for piece in pieces if piece.x1 <= gutter.x0]
            if all(_running_text(side, options) for side in (left, [p for p in pieces if p.x0 >= gutter.x1])):
                yield gutter
        place = end


def _running_text(pieces: list[Piece], options: ColumnOptions) -> bool:
    letters = sum(len(piece.text) for piece in pieces)
    return len(pieces) >= options.lines and letters >= options.letters * len(pieces)
