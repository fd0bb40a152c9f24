"""A few results that were asked for last, shared by threads, bounded in bytes.

In: keys, values and their sizes. Out: values that are still there. It must not know what it holds.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any


class BoundedCache:
    """Forgets what was asked for the longest time ago when it holds more bytes than `limit`."""

    def __init__(self, limit: int) -> None:
        self._limit = limit
        self._size = 0
        self._found: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()

    @property
    def size(self) -> int:
        """Bytes held."""
        return self._size

    def get(self, key: Hashable) -> Any:
        """Return what was remembered, or None."""
        with self._lock:
            entry = self._found.get(key)
            if entry is None:
                return None
            self._found.move_to_end(key)
            return entry[0]

    def put(self, key: Hashable, value: Any, size: int) -> None:
        """Remember a value of `size` bytes; one that is larger than the half of all room is not kept."""
        if size * 2 > self._limit:
            return
        with self._lock:
            if key in self._found:
                self._size -= self._found.pop(key)[1]
            self._found[key] = value, size
            self._size += size
            while self._size > self._limit:
                self._size -= self._found.popitem(last=False)[1][1]

    def find(self, key: Hashable, make: Callable[[], Any], measure: Callable[[Any], int]) -> Any:
        """Return what was remembered, or make it and remember it; two threads may both make it."""
        value = self.get(key)
        if value is None:
            value = make()
            self.put(key, value, measure(value))
        return value
