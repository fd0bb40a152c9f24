"""Widths, vertical metrics and heights of fonts (ISO 32000-1, 9.2.4, 9.7.4.3, 9.8).

In: the entries of font and CIDFont dictionaries and font descriptors. Out: numbers in thousandths of an em as
they stand there, or heights in em that are safe to measure lines with. It must not know codes, Unicode or
font programs.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from extractor.objects import as_array, as_dictionary, as_integer, as_number, entry, numbers

DEFAULT_ASCENT = 0.75
DEFAULT_DESCENT = -0.25
MAX_ASCENT = 1.1
MIN_DESCENT = -0.45
MIN_HEIGHT = 0.4
MAX_WIDTH = 20.0
"""em; a wider glyph is a damaged number."""

_SMALL_TABLE = 200_000
_CID_COUNT = 0x10000
_WIDE, _MAX_WIDE = 1024, 2000

Segment = tuple[int, int, Any, int]
"""(first CID, count, values, how many values a CID has): a sequence of values in order, or one for all."""


class CidMetrics:
    """The /W (`size` 1) or /W2 (`size` 3) array of a CIDFont, read when first asked.

    Entries may be unsorted and may overlap; for a CID in several the first in the file wins (R8).
    """

    def __init__(self, array: Any, size: int) -> None:
        self._array = array
        self._size = size
        self._values: dict[int, Any] | None = None
        self._columns: Any = None

    def find(self, cid: int) -> tuple[float, ...] | None:
        """Return the `size` numbers of a CID, None if no entry has it."""
        if self._values is None:
            self._read()
        if self._columns is not None:
            row = self._columns[cid] if 0 <= cid < _CID_COUNT else None
            return None if row is None or math.isnan(row[0]) else tuple(row.tolist())
        value = self._values.get(cid) if self._values is not None else None
        if value is None:
            return None
        if self._size > 1 or isinstance(value, list):
            return _as_floats(value, self._size)
        number = plain_number(value)
        return None if number is None else (number,)

    def _read(self) -> None:
        """Read the array into a dictionary, or into an array by CID if its ranges are wide."""
        self._values = {}
        segments = list(_segments(as_array(self._array) or (), self._size))
        if sum(count for _, count, _, each in segments if not each) > _SMALL_TABLE:
            self._paint(segments)
            return
        table = self._values
        for first, count, values, each in reversed(segments):
            if count == 1 and self._size == 1:
                table[first] = values[0]
            elif not each:
                table.update(dict.fromkeys(range(first, first + count), values))
            elif self._size == 1:
                table.update(zip(range(first, first + count), values, strict=False))
            else:
                table.update((first + i, values[3 * i : 3 * i + 3]) for i in range(count))

    def _paint(self, segments: list[Segment]) -> None:
        """Put wide ranges, and all else, into an array by CID; of many wide ranges the first, which win, are enough."""
        columns = np.full((_CID_COUNT, self._size), np.nan)
        wide = [index for index, segment in enumerate(segments) if segment[1] > _WIDE]
        dropped = set(wide[_MAX_WIDE:])
        for index in range(len(segments) - 1, -1, -1):
            first, count, values, each = segments[index]
            if index not in dropped:
                columns[first : first + count] = _matrix(values, count, self._size, each)
        self._columns = columns


def _as_floats(value: Any, size: int) -> tuple[float, ...] | None:
    elements = value if isinstance(value, list | tuple) else (value,)
    result = [as_number(element) for element in elements[:size]]
    return tuple(n for n in result if n is not None) if len(result) == size and None not in result else None


def _matrix(values: Any, count: int, size: int, each: int) -> Any:
    """Return values as floats of shape (count, size), NaN where one is no number."""
    flat = values[: count * size] if each else (values if isinstance(values, list | tuple) else [values])
    floats = [math.nan if (n := as_number(v)) is None else n for v in flat]
    return np.array(floats, np.float64).reshape(-1, size)


def _segments(array: Sequence[Any], size: int) -> Iterator[Segment]:
    """Yield the entries of /W or /W2, `c [w ...]` and `first last w` alike, in file order (9.7.4.3)."""
    position, length = 0, len(array)
    while position + 1 < length:
        first, second = array[position], array[position + 1]
        start = first if isinstance(first, int) and not isinstance(first, bool) else as_integer(first)
        if start is None:
            position += 1
            continue
        values = second if isinstance(second, list) else None if isinstance(second, int) else as_array(second)
        listed = values is not None
        if values is not None:
            count = min(len(values) // size, _CID_COUNT - start)
            position += 2
        else:
            last = as_integer(second)
            values = list(array[position + 2 : position + 2 + size])
            count = min(last, _CID_COUNT - 1) - start + 1 if last is not None and len(values) == size else 0
            position += 2 + size
        if count > 0 and start >= 0:
            yield start, count, values, size if listed else 0


def plain_number(value: Any) -> float | None:
    """Return what `as_number` returns, faster for what is a number already, as nearly all widths are."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value)
    return as_number(value)


def em_width(thousandths: float) -> float:
    """Return a glyph width in em from thousandths, 0 for numbers that no font can mean."""
    width = thousandths / 1000.0
    return width if -MAX_WIDTH <= width <= MAX_WIDTH else 0.0


def descriptor_heights(
    descriptor: Mapping[str, Any] | None, fallback: Callable[[], tuple[float, float] | None]
) -> tuple[float, float]:
    """Return (ascent, descent) in em from a font descriptor (9.8), clamped, or `fallback`, or defaults.

    Ascents of 1.9 em and descents of +0.2 or -212 em occur; the height between them must measure lines and
    gaps, so it stays between 0.4 and 1.55 em.
    """
    ascent = as_number(entry(descriptor, "/Ascent")) or 0.0
    descent = as_number(entry(descriptor, "/Descent")) or 0.0
    heights = sane_heights(ascent / 1000.0, descent / 1000.0)
    if heights is None:
        box = numbers(entry(descriptor, "/FontBBox"), 4)
        heights = sane_heights(box[3] / 1000.0, box[1] / 1000.0) if box is not None else None
    if heights is None:
        other = fallback()
        heights = sane_heights(*other) if other is not None else None
    return heights or (DEFAULT_ASCENT, DEFAULT_DESCENT)


def sane_heights(ascent: float, descent: float) -> tuple[float, float] | None:
    """Return (ascent, descent) in em clamped to what a line of text can have, None if they say nothing."""
    if not (math.isfinite(ascent) and math.isfinite(descent)) or ascent <= 0.2 or abs(ascent) > 10:
        return None
    if descent > 0:  # a positive descent is the same number without its sign
        descent = -descent
    if descent < -1.0 and ascent > 1.0:  # a box of another unit than thousandths
        return None
    ascent, descent = min(ascent, MAX_ASCENT), max(descent, MIN_DESCENT)
    return (ascent, descent) if ascent - descent >= MIN_HEIGHT else None


def simple_widths(font: Any) -> tuple[int, Sequence[Any]] | None:
    """Return (FirstChar, /Widths) of a simple font (9.6.2), None if it has no widths."""
    widths = as_array(entry(font, "/Widths"))
    if not widths:
        return None
    return as_integer(entry(font, "/FirstChar")) or 0, widths


def missing_width(descriptor: Any) -> float:
    """Return /MissingWidth in thousandths of an em, 0 by default (table 122)."""
    return as_number(entry(as_dictionary(descriptor), "/MissingWidth")) or 0.0
