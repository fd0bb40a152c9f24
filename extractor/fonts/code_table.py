"""A table from character codes to values, given entry by entry and range by range, looked up lazily.

In: single codes and ranges in the order of a CMap's text; a later entry replaces an earlier one. Out: for a
code, the value and the distance from the start of its range. Ranges are never expanded, so one of 2^32 codes
costs as much as one of two. It must not know what the values are.
"""

from __future__ import annotations

from typing import Any, Generic, TypeVar

import numpy as np

Value = TypeVar("Value")

_MAX_RANGES = 100_000
"""Ranges kept of one table: 65,536 codes cannot need more."""

_SCANNED_RANGES = 24
"""Up to this many ranges are scanned, more are painted into an array by code."""


class CodeTable(Generic[Value]):
    """Codes to values; `singles` may be filled directly while there are no ranges."""

    __slots__ = ("_later", "_owners", "ranges", "singles")

    def __init__(self) -> None:
        self.singles: dict[int, Value] = {}
        self.ranges: list[tuple[int, int, Value]] = []
        self._later: dict[int, int] = {}  # single code -> number of ranges that came before it
        self._owners: Any = None

    def __bool__(self) -> bool:
        return bool(self.singles or self.ranges)

    def put(self, code: int, value: Value) -> None:
        """Map one code."""
        self.singles[code] = value
        if self.ranges:
            self._later[code] = len(self.ranges)

    def put_range(self, low: int, high: int, value: Value) -> None:
        """Map the codes `low` to `high`, both included; `find` tells the distance from `low`."""
        if low == high:
            self.put(low, value)
        elif low < high and len(self.ranges) < _MAX_RANGES:
            self.ranges.append((low, high, value))
            self._owners = None

    def find(self, code: int) -> tuple[Value, int] | None:
        """Return (value, distance from the start of its range) of a code, or None."""
        number = self._range_number(code) if self.ranges else 0
        value = self.singles.get(code)
        if value is not None and self._later.get(code, 0) >= number:
            return value, 0
        if not number:
            return None
        low, _, value = self.ranges[number - 1]
        return value, code - low

    def _range_number(self, code: int) -> int:
        """Return 1 + the index of the last range that holds `code`, 0 if none does."""
        if len(self.ranges) <= _SCANNED_RANGES or code > 0xFFFF:
            for index in range(len(self.ranges) - 1, -1, -1):
                low, high, _ = self.ranges[index]
                if low <= code <= high:
                    return index + 1
            return 0
        if self._owners is None:
            self._owners = np.zeros(0x10000, np.int32)
            for index, (low, high, _) in enumerate(self.ranges):
                self._owners[low : high + 1] = index + 1
        return int(self._owners[code])

    def update(self, other: CodeTable[Value]) -> None:
        """Add all entries of another table, as if they were given after the present ones."""
        for low, high, value in other.ranges:
            self.put_range(low, high, value)
        for code, value in other.singles.items():
            if other._later.get(code, 0) >= (other._range_number(code) if other.ranges else 0):
                self.put(code, value)
