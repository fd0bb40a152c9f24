"""Sets the text of a page on a character grid (rule R10): what a person sees, one text line a printed row.

In: the page's text glyphs. Out: one string whose lines are rows. It must not know of columns as a reading
order. No glyph is lost and none is set over another: where text needs more cells than its place on the page
has, what follows it is moved to the right, and so is everything that is aligned with it in other rows.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from extractor.options import LayoutOptions
from extractor.rows import SKEWED, Row, TextGlyphs, join_neighbours, lengths, text_blocks, text_rows

_PASSES = 16
"""Rounds of moving aligned text to the right; each settles a column of a table."""
_LONGEST_BLANK = 1000
"""Blanks before a piece; more are the staircases of hostile pages, which would cost rows times columns."""


def layout_text(text: TextGlyphs, options: LayoutOptions) -> str:
    """Return the page's text on a character grid, rows separated by newlines, without trailing white space.

    Text in the direction that has most of the page comes first, on its grid. Text in other directions follows
    below, turned upright, each quarter turn on a grid of its own; skewed text and columns of vertical writing
    are one row a line.

    Args:
        text: the page's text.
        options: cell gaps and how much emptiness is kept.
    """
    cell = cell_width(text)
    widest = options.gap * cell
    parts: list[str] = []
    for block in text_blocks(text, widest, cell):
        if block.direction >= SKEWED:
            parts.append("\n".join(piece.text for piece in block.pieces))
        else:
            rows = join_neighbours(text, text_rows(block.pieces), lambda x0, x1: x1 - x0 > widest)
            parts.append(_set_rows(rows, cell, options))
    return "\n\n".join(parts)


def cell_width(text: TextGlyphs) -> float:
    """Return the width of a cell, points: the median advance, half of it for wide characters."""
    index = text.sequence.index
    cells = np.array(
        [text_cells(text.glyphs.texts[number]) for number in text.said[index].tolist()], np.float64
    )
    advance = lengths(text.glyphs, index)
    counted = (advance > 0) & (cells > 0)
    if counted.any():
        return float(np.median(advance[counted] / cells[counted]))
    heights = text.glyphs.height[index]
    return max(0.5 * float(np.median(heights)), 1e-3) if len(heights) else 1.0


def text_cells(text: str) -> int:
    """Return the number of cells a text takes: wide and full-width characters two, combining marks none."""
    if text.isascii():
        return len(text)
    return sum(_character_cells(character) for character in text)


def _character_cells(character: str) -> int:
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in ("W", "F") else 1


@dataclass(slots=True)
class _Stop:
    """A place where pieces of several rows are aligned, by their left or by their right edges."""

    column: int
    right: bool


@dataclass(frozen=True, slots=True)
class _Placed:
    """A piece on the grid."""

    text: str
    cells: int
    stop: _Stop

    @property
    def column(self) -> int:
        return self.stop.column - (self.cells if self.stop.right else 0)


def _set_rows(rows: list[Row], cell: float, options: LayoutOptions) -> str:
    placed = _stops(rows, cell)
    for _ in range(_PASSES):
        if not _make_room(placed, options.blanks):
            break
    columns = [_final_columns(row, options.blanks) for row in placed]
    shift = _collapse_blank(placed, columns, options.blank_columns)
    lines: list[str] = []
    for count, row, starts in zip(_blank_rows(rows, options.blank_rows), placed, columns, strict=True):
        lines += [""] * count
        line, used = [], 0
        for piece, start in zip(row, starts, strict=True):
            at = start - shift(start)
            line.append(" " * min(at - used, _LONGEST_BLANK) + piece.text)
            used = at + piece.cells
        lines.append("".join(line).rstrip())
    return "\n".join(lines)


def _stops(rows: list[Row], cell: float) -> list[list[_Placed]]:
    """Return the rows with each piece at the stop that it shares with the pieces aligned with it."""
    pieces = [piece for row in rows for piece in row]
    left_of, left_count = _clusters([piece.x0 for piece in pieces], 0.5 * cell)
    right_of, right_count = _clusters([piece.x1 for piece in pieces], 0.5 * cell)
    origin = min(piece.x0 for piece in pieces)
    lefts: dict[int, _Stop] = {}
    rights: dict[int, _Stop] = {}
    result: list[list[_Placed]] = []
    number = 0
    for row in rows:
        result.append([])
        for piece in row:
            left, right = left_of[number], right_of[number]
            cells = text_cells(piece.text)
            if right_count[right] >= 3 and right_count[right] > left_count[left]:
                stop = rights.setdefault(right, _Stop(round((piece.x1 - origin) / cell), True))
                stop.column = max(stop.column, cells)
            else:
                stop = lefts.setdefault(left, _Stop(round((piece.x0 - origin) / cell), False))
            result[-1].append(_Placed(piece.text, cells, stop))
            number += 1
    return result


def _clusters(values: list[float], reach: float) -> tuple[list[int], list[int]]:
    """Return the cluster of each value and the clusters' sizes: values within `reach` of the smallest."""
    cluster_of, sizes = [0] * len(values), [0]
    order = sorted(range(len(values)), key=values.__getitem__)
    begin = values[order[0]]
    for place in order:
        if values[place] - begin > reach:
            begin = values[place]
            sizes.append(0)
        cluster_of[place] = len(sizes) - 1
        sizes[-1] += 1
    return cluster_of, sizes


def _make_room(rows: list[list[_Placed]], blanks: int) -> bool:
    """Move stops to the right where a piece would begin before its neighbour's end; tell if any moved."""
    moved = False
    for row in rows:
        for one, other in pairwise(row):
            missing = one.column + one.cells + blanks - other.column
            if missing > 0:
                other.stop.column += missing
                moved = True
    return moved


def _final_columns(row: list[_Placed], blanks: int) -> list[int]:
    """Return where each piece of a row begins: whatever the stops say, not before the last one has ended."""
    columns: list[int] = []
    free = 0
    for piece in row:
        columns.append(max(piece.column, free))
        free = columns[-1] + piece.cells + blanks
    return columns


class _Shift:
    """How far a column moves to the left since long blank stretches of the whole grid are cut short."""

    def __init__(self, occupied: list[tuple[int, int]], longest: int) -> None:
        occupied = sorted(occupied)
        reached = total = occupied[0][0]
        self._begins, self._cut = [0], [total]
        for begin, end in occupied:
            if begin - reached > longest:
                total += begin - reached - longest
                self._begins.append(begin)
                self._cut.append(total)
            reached = max(reached, end)

    def __call__(self, column: int) -> int:
        return self._cut[bisect_right(self._begins, column) - 1]


def _collapse_blank(rows: list[list[_Placed]], columns: list[list[int]], longest: int) -> _Shift:
    occupied = [
        (start, start + piece.cells)
        for row, starts in zip(rows, columns, strict=True)
        for piece, start in zip(row, starts, strict=True)
    ]
    return _Shift(occupied, longest)


def _blank_rows(rows: list[Row], most: int) -> list[int]:
    """Return the number of blank rows before each row: what the distance to the row above leaves room for."""
    baselines = np.array([min(piece.baseline for piece in row) for row in rows])
    steps = np.diff(baselines)
    usual = float(np.median(steps[steps > 0])) if (steps > 0).any() else 1.0
    blank = np.rint(steps / usual) - 1
    return [0, *np.clip(blank, 0, most).astype(np.int64).tolist()]
