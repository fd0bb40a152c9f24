"""Object streams (ISO 32000-1, 7.5.7): which object lies where in them.

In: streams by number. Out: decoded bytes, and the span of each object; decoded streams are kept within a bound. It must
not know where streams come from, nor how objects are parsed.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from typing import Any

from extractor.issues import IssueLog
from extractor.objects import as_integer, entry

_KEPT = 16_000_000
"""Bytes of decoded object streams that are kept."""


_LONGEST_NUMBER = 20
"""Digits of a number in the head of an object stream."""


class Packed:
    """The decoded bytes of an object stream, and where in them each object lies."""

    __slots__ = ("_ordered", "data", "starts")

    def __init__(self, data: bytes, starts: dict[int, int]) -> None:
        self.data = data
        self.starts = starts
        """Object numbers to the first byte of each."""
        self._ordered: list[int] = []

    def unparsed(self, number: int) -> bytes:
        """Return the bytes from the beginning of an object to that of the next one, none for an unknown number."""
        start = self.starts.get(number)
        if start is None:
            return b""
        if not self._ordered:
            self._ordered = [*sorted(self.starts.values()), len(self.data)]
        return self.data[start : self._ordered[bisect_right(self._ordered, start, hi=len(self._ordered) - 1)]]


class ObjectStreams:
    """Object streams by number, decoded once as long as they are kept."""

    __slots__ = ("_get_object", "_kept", "_length")

    def __init__(self, get_object: Callable[[int], Any]) -> None:
        self._get_object = get_object
        self._kept: dict[int, Packed] = {}
        self._length = 0

    def forget(self) -> None:
        """Drop all decoded streams."""
        self._kept.clear()
        self._length = 0

    def read(self, number: int, issues: IssueLog) -> Packed:
        """Return an object stream; a damaged one has the objects that its head still names."""
        known = self._kept.get(number)
        if known is not None:
            return known
        stream = self._get_object(number)
        first = as_integer(entry(stream, "/First"))
        if first is None or first < 0 or not hasattr(stream, "get_data"):
            issues.add("damaged_object_stream", f"object {number} is no object stream")
            return Packed(b"", {})
        data = stream.get_data()
        packed = Packed(data, _starts(data, first))
        if len(packed.starts) < (as_integer(entry(stream, "/N")) or 0):
            issues.add("damaged_object_stream", f"object stream {number} has less objects than it says")
        if self._length + len(data) > _KEPT:
            self.forget()
        self._kept[number] = packed
        self._length += len(data)
        return packed


def _starts(data: bytes, first: int) -> dict[int, int]:
    """Return where each object of an object stream begins."""
    numbers, offsets = _head(data[:first].split())
    most = len(data) - first
    if offsets and max(offsets) > most:
        kept = [index for index, offset in enumerate(offsets) if offset <= most]
        numbers, offsets = [numbers[index] for index in kept], [offsets[index] for index in kept]
    numbers.reverse()
    offsets.reverse()
    return dict(zip(numbers, [first + offset for offset in offsets], strict=True))  # of two the first counts


def _head(tokens: list[bytes]) -> tuple[list[int], list[int]]:
    """Return the object numbers and offsets that a stream's head names, up to what is no number."""
    pairs = len(tokens) // 2 * 2
    if all(map(bytes.isdigit, tokens)) and max(map(len, tokens), default=0) < _LONGEST_NUMBER:
        return list(map(int, tokens[:pairs:2])), list(map(int, tokens[1:pairs:2]))
    plain = [token.isdigit() and len(token) < _LONGEST_NUMBER for token in tokens]
    pairs = plain.index(False) // 2 * 2
    return _head(tokens[:pairs])
