"""The pages of a document found by the counts in its page tree (ISO 32000-1, 7.7.3.2), without reading them all.

In: the root of a page tree whose /Count entries agree. Out: a sequence of page entries, each found by descending from
the root. It must not know what pages contain. A tree whose counts disagree is none of its business: the caller walks it.

Walking the tree of 5,000 pages takes 0.2 s, which a process that extracts fifty of them would pay for nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, overload

from extractor.objects import as_array, as_dictionary, as_integer, entry, reference_key
from extractor.page_tree import PageEntry, inherit, is_page

_MAX_DEPTH = 50
"""Levels of a tree that is descended; deeper ones, and loops, are left to the walk."""

_MAX_NODES = 10_000
"""Inner nodes that are kept."""


class _CountError(ValueError):
    """A count that is not what a node has."""


@dataclass(frozen=True, slots=True)
class _Node:
    """An inner node: its kids, how many pages end with each (None: each kid is one page), what pages inherit."""

    kids: Sequence[Any]
    ends: Sequence[int] | None
    count: int
    inherited: Mapping[str, Any]

    def child(self, index: int) -> tuple[Any, int, int]:
        """Return the kid with the page that has this index below the node, the index below the kid, its count."""
        if self.ends is None:
            return self.kids[index], 0, 1
        position = bisect_right(self.ends, index)
        before = self.ends[position - 1] if position else 0
        return self.kids[position], index - before, self.ends[position] - before


class CountedPages(Sequence[PageEntry]):
    """The pages of a tree, found by its counts; where one turns out to be wrong, the pages are listed once."""

    def __init__(self, root: Any, list_pages: Callable[[], Sequence[PageEntry]]) -> None:
        self._root = root
        self._list_pages = list_pages
        self._listed: Sequence[PageEntry] | None = None
        self._nodes: dict[int, _Node] = {}
        dictionary = as_dictionary(root)
        self._count = as_integer(entry(dictionary, "/Count")) or 0

    @classmethod
    def read(
        cls, root: Any, max_pages: int, list_pages: Callable[[], Sequence[PageEntry]]
    ) -> CountedPages | None:
        """Return the pages below a root, None if its counts cannot be trusted.

        The first, the middle and the last page are looked for. That finds the counts that producers get wrong: of
        kids instead of pages, or of pages that were there before an update.
        """
        pages = cls(root, list_pages)
        if not 0 < pages._count <= max_pages:
            return None
        try:
            for index in (0, pages._count // 2, pages._count - 1):
                pages._locate(index)
        except _CountError:
            return None
        return pages

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> PageEntry: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[PageEntry]: ...

    def __getitem__(self, index: int | slice) -> PageEntry | Sequence[PageEntry]:
        if isinstance(index, slice):
            return [self[position] for position in range(*index.indices(self._count))]
        if not 0 <= index < self._count:
            raise IndexError(index)
        if self._listed is None:
            try:
                return self._locate(index)
            except _CountError:
                self._listed = self._list_pages()
        return self._listed[index] if index < len(self._listed) else PageEntry(None, {})

    def _locate(self, index: int) -> PageEntry:
        """Return the entry of the page with this index, or raise _CountError."""
        value, count = self._root, self._count
        inherited: Mapping[str, Any] = {}
        for _ in range(_MAX_DEPTH):
            dictionary = as_dictionary(value)
            kids = as_array(entry(dictionary, "/Kids"))
            if dictionary is None or (kids is None and not is_page(dictionary)):
                raise _CountError
            if kids is None:
                return PageEntry(value, inherited)
            node = self._node(value, dictionary, kids, inherited)
            if node.count != count:
                raise _CountError
            value, index, count = node.child(index)
            inherited = node.inherited
        raise _CountError

    def _node(
        self, value: Any, dictionary: Mapping[str, Any], kids: Sequence[Any], inherited: Mapping[str, Any]
    ) -> _Node:
        """Return an inner node with its counts, read once."""
        key = reference_key(value)
        known = self._nodes.get(key) if key else None
        if known is None:
            count = as_integer(entry(dictionary, "/Count"))
            ends = None if count == len(kids) else list(accumulate(map(_pages_below, kids)))
            if count is None or (ends is not None and (not ends or ends[-1] != count)):
                raise _CountError
            known = _Node(kids, ends, count, inherit(dictionary, inherited))
            if key and len(self._nodes) < _MAX_NODES:
                self._nodes[key] = known
        return known


def _pages_below(value: Any) -> int:
    """Return how many pages a kid says it has: a page is one."""
    dictionary = as_dictionary(value)
    if dictionary is None:
        raise _CountError
    if as_array(entry(dictionary, "/Kids")) is None:
        return 1
    count = as_integer(entry(dictionary, "/Count"))
    if count is None or count < 0:
        raise _CountError
    return count
