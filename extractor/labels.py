"""Page labels (ISO 32000-1, 12.4.2): what a viewer calls a page.

In: the catalog's /PageLabels number tree. Out: a label per page index. It must not know pages.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, NamedTuple

from extractor.objects import as_array, as_dictionary, as_integer, as_name, entry, reference_key
from extractor.text_strings import decode_text

_MAX_RANGES = 100_000
_MAX_LETTERS = 20
"""Repeats of a letter in a label (AAA...); a range that goes further is counted in digits."""

_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip


class _Range(NamedTuple):
    """Consecutive pages with one style, from the page with index `start` on, numbered from `first`."""

    start: int
    prefix: str
    style: str
    first: int


class PageLabels:
    """The label of each page; without a number tree that is its number."""

    def __init__(self, tree: Any) -> None:
        self._ranges = sorted(_read_ranges(tree), key=lambda item: item.start)
        self._starts = [item.start for item in self._ranges]

    def label(self, index: int) -> str:
        """Return the label of the page with this index (from 0)."""
        position = bisect_right(self._starts, index) - 1
        if position < 0:
            return str(index + 1)
        found = self._ranges[position]
        return found.prefix + _numeral(found.style, found.first + index - found.start)


def _read_ranges(tree: Any) -> list[_Range]:
    """Return the ranges of a number tree (7.9.7); a loop in it ends."""
    ranges: list[_Range] = []
    visited: set[int] = set()
    pending = [tree]
    while pending and len(ranges) < _MAX_RANGES:
        node = pending.pop()
        key = reference_key(node)
        if key and key in visited:
            continue
        visited.add(key)
        pairs = as_array(entry(as_dictionary(node), "/Nums")) or ()
        for start, value in zip(pairs[::2], pairs[1::2], strict=False):
            index, label = as_integer(start), as_dictionary(value)
            if index is not None and label is not None:
                ranges.append(_read_range(index, label))
        pending.extend((as_array(entry(as_dictionary(node), "/Kids")) or ())[:_MAX_RANGES])
    return ranges


def _read_range(start: int, label: Any) -> _Range:
    """Return one range from its label dictionary (table 159)."""
    first = as_integer(entry(label, "/St"))
    prefix = decode_text(entry(label, "/P")) or ""
    return _Range(start, prefix[:200], as_name(entry(label, "/S")) or "", first if first and first > 0 else 1)


def _numeral(style: str, number: int) -> str:
    """Return a number in one of the five styles; without a style there is none."""
    if style in ("a", "A") and number <= 26 * _MAX_LETTERS:
        letters = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
        return letters.upper() if style == "A" else letters
    if style in ("r", "R") and number < 4000:
        roman = _roman(number)
        return roman.upper() if style == "R" else roman
    return str(number) if style else ""


def _roman(number: int) -> str:
    """Return a number from 1 to 3999 in small roman numerals."""
    parts: list[str] = []
    for value, letters in _ROMAN:
        count, number = divmod(number, value)
        parts.append(letters * count)
    return "".join(parts)
