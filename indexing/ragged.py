"""Many byte strings of different lengths at once, as one array and the places where they start.

In: columns of byte strings, fixed or not in length. Out: their rows joined. Building a million small records this way
costs a few operations of numpy, not a million of Python's. It must not know what the bytes mean.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Bytes = npt.NDArray[np.uint8]
Int64s = npt.NDArray[np.int64]
Rows = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Ragged:
    """Byte strings end to end.

    Attributes:
        data: their bytes, uint8.
        starts: where each starts in `data`, and, last, where the last one ends, int64.
    """

    data: Bytes
    starts: Int64s

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> Int64s:
        """Length of each, bytes."""
        found: Int64s = np.diff(self.starts)
        return found

    def grouped(self, bounds: Int64s) -> Ragged:
        """Join neighbours: string i of the result is made of those from bounds[i] to bounds[i + 1]."""
        return Ragged(self.data, self.starts[bounds])

    def part(self, start: int, stop: int) -> Ragged:
        """Return those from `start` to `stop`."""
        first, last = self.starts[start], self.starts[stop]
        return Ragged(self.data[first:last], self.starts[start : stop + 1] - first)

    def among(self, rows: Rows) -> Ragged:
        """Return those of some rows, one truth value a string."""
        lengths = self.lengths
        return Ragged(self.data[np.repeat(rows, lengths)], offsets(lengths[rows]))


def offsets(lengths: npt.NDArray[np.integer]) -> Int64s:
    """Return where strings of these lengths start when they stand end to end, and where the last one ends."""
    found = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=found[1:])
    return found


def ragged(strings: Sequence[bytes]) -> Ragged:
    """Put byte strings end to end."""
    lengths = np.fromiter(map(len, strings), np.int64, len(strings))
    return Ragged(np.frombuffer(b"".join(strings), np.uint8), offsets(lengths))


@dataclass(frozen=True, slots=True)
class Column:
    """One piece of each row, or of some of them.

    Attributes:
        content: bytes of every row, or one array of uint8 a row, shape (rows, width), or strings of any length.
        rows: which rows have the piece, one truth value each; `content` has as many as are true. None for all.
    """

    content: bytes | Bytes | Ragged
    rows: Rows | None = None


def join_rows(count: int, columns: Sequence[Column]) -> Ragged:
    """Join the pieces of each of `count` rows, in the order of columns."""
    widths = [_widths(column, count) for column in columns]
    total = np.zeros(count, np.int64)
    for width in widths:
        total += width
    starts = offsets(total)
    data = np.empty(int(starts[-1]), np.uint8)
    at = starts[:-1].copy()
    for column, width in zip(columns, widths, strict=True):
        places = at if column.rows is None else at[column.rows]
        _fill(data, places, column.content)
        at += width
    return Ragged(data, starts)


def _widths(column: Column, count: int) -> Int64s | int:
    """Return the length of a column's piece in each row."""
    content = column.content
    if isinstance(content, Ragged):
        width: Int64s | int = content.lengths
    else:
        width = len(content) if isinstance(content, bytes) else content.shape[1]
    if column.rows is None:
        return width
    spread = np.zeros(count, np.int64)
    spread[column.rows] = width
    return spread


def _fill(data: Bytes, places: Int64s, content: bytes | Bytes | Ragged) -> None:
    """Write a column's pieces to where they belong."""
    if isinstance(content, Ragged):
        lengths = content.lengths
        first = int(content.starts[0])
        moved = np.repeat(places - content.starts[:-1] + first, lengths)
        moved += np.arange(len(moved))
        data[moved] = content.data[first : int(content.starts[-1])]
        return
    fixed = np.frombuffer(content, np.uint8) if isinstance(content, bytes) else content.T
    for step, value in enumerate(fixed):
        data[places + step] = value
