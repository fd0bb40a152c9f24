"""Reads the columns of a page one after the other (rule R11), region by region.

In: the page's text glyphs and k. Out: one string, a line a row of a column. It must not know of grids.
A horizontal gap over k x the median advance of the page splits a row; a stretch of rows whose gaps meet in a
gutter is a region of columns, each read from top to bottom and split further by the same rule; a heading that
crosses the gutter ends the region.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from extractor.gutters import GapRule, Gutter, Slice, close, find_gutters, find_walls, slices_of, stretch
from extractor.options import ColumnOptions
from extractor.rows import SKEWED, Piece, Row, TextGlyphs, join, join_neighbours, text_blocks, text_rows

_DEEPEST = 40
"""Regions within regions; real pages have a handful."""


@dataclass(frozen=True)
class _Reading:
    """How a page's columns are found and in which order they are read."""

    rule: GapRule
    rtl: bool


def column_text(text: TextGlyphs, k: float, options: ColumnOptions) -> str:
    """Return the page's text with columns one after the other, each from top to bottom.

    Columns go from left to right, or from right to left where right-to-left letters are the most of the text.
    Text in another direction follows, its columns read in the same way; skewed text and vertical writing keep
    their order.

    Args:
        text: the page's text.
        k: a horizontal gap over this many median advances of the page splits.
        options: when a narrower one does.
    """
    widest = k * text.median_advance
    narrow = min(options.narrow, 1.0) * widest
    lines: list[str] = []
    for block in text_blocks(text, narrow):
        pieces = block.pieces
        if block.direction < SKEWED:
            rows = text_rows(pieces)
            lines_apart = _flat(join_neighbours(text, rows, GapRule(narrow).divides))
            rule = GapRule(widest, tuple(find_walls(slices_of(lines_apart), narrow, options)))
            whole = _flat(join_neighbours(text, rows, rule.divides))
            pieces = []
            _read_region(whole, _Reading(rule, _is_rtl(whole)), pieces, _DEEPEST)
        lines += [piece.text for piece in pieces]
    return "\n".join(lines)


def _flat(rows: list[Row]) -> list[Piece]:
    return [piece for row in rows for piece in row]


def _is_rtl(pieces: list[Piece]) -> bool:
    return 2 * sum(len(piece.text) for piece in pieces if piece.rtl) > sum(
        len(piece.text) for piece in pieces
    )


def _read_region(pieces: list[Piece], reading: _Reading, ordered: list[Piece], depth: int) -> None:
    """Append the pieces of a region in reading order: its bands downwards, else its columns, else its rows."""
    bands = _bands(slices_of(pieces), reading.rule) if depth else [pieces]
    if len(bands) > 1:
        for band in bands:
            _read_region(band, reading, ordered, depth - 1)
        return
    gutters = find_gutters(slices_of(bands[0]), reading.rule) if depth else []
    if gutters:
        columns = _split_columns(bands[0], gutters)
        for column in reversed(columns) if reading.rtl else columns:
            _read_region(column, reading, ordered, depth - 1)
        return
    for row in text_rows(bands[0]):
        ordered += reversed(row) if reading.rtl else row


def _split_columns(pieces: list[Piece], gutters: list[Gutter]) -> list[list[Piece]]:
    edges = [gutter.x1 for gutter in gutters]
    columns: list[list[Piece]] = [[] for _ in range(len(edges) + 1)]
    for piece in pieces:
        columns[bisect_right(edges, piece.x0)].append(piece)
    return columns


def _bands(slices: list[Slice], rule: GapRule) -> list[list[Piece]]:
    """Return the slices grouped into bands: stretches that share a gutter, and what stands between them."""
    bands: list[list[Piece]] = []
    alone: list[Slice] = []
    place = 0
    while place < len(slices):
        end, gutters = stretch(slices, place, rule)
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


def _justified(slices: list[Slice], place: int) -> bool:
    """Return whether a slice with a gap is a line of a justified paragraph.

    It is if the line right above or below begins and ends where it does and has no such gap.
    """
    here = slices[place]
    for other in slices[max(0, place - 1) : place + 2]:
        upper, lower = sorted((here, other), key=lambda part: part.top)
        if len(other.pieces) == 1 and close(upper, lower) and _aligned(here.pieces, other.pieces[0]):
            return True
    return False


def _aligned(pieces: list[Piece], line: Piece) -> bool:
    x0, x1 = min(piece.x0 for piece in pieces), max(piece.x1 for piece in pieces)
    return abs(x0 - line.x0) < 0.5 * line.height and abs(x1 - line.x1) < 0.5 * line.height


def _without_gaps(part: Slice) -> Slice:
    """Return a slice whose pieces are joined to one line."""
    row = sorted(part.pieces, key=lambda piece: piece.x0)
    joined = row[0]
    for piece in row[1:]:
        joined = join(joined, piece, spaced=True, turned=piece.rtl)
    return Slice(part.top, part.bottom, [joined])


def _pull_up(alone: list[Slice], gutters: list[Gutter], first: Slice) -> int:
    """Return how many of the slices above a stretch stay out of it.

    Those right above it that leave its gutters free belong to the longer one of its columns.
    """
    begin, below = len(alone), first
    while begin:
        above = alone[begin - 1]
        crossing = any(g.x0 < piece.x1 and piece.x0 < g.x1 for g in gutters for piece in above.pieces)
        if crossing or not close(above, below):
            break
        begin, below = begin - 1, above
    return begin
