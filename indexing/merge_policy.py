"""How large segments are built, and when they are merged: rules on their sizes alone.

In: numbers of pages. Out: what to build into one segment, which segments to merge. Many segments cost little in a search
and much to rewrite, so small ones are merged when there are many, big ones almost never, and dead pages are shed when
they are many. It must not know files.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

TIERS: Final = ((1_000, 8), (8_000, 40))
"""Pages below which a segment is of a tier, and how many of that tier may stand side by side before some are merged. A
segment more costs a search some 20 microseconds a word; rewriting a page costs a millisecond. Larger ones are left
alone."""

BUDGET: Final = 2_000
"""Pages that one commit rewrites at most for order's sake: some 2 s of CPU."""

LARGEST: Final = 20_000
"""Pages of the largest segment that merging makes."""

LARGEST_BUILT: Final = 12_000
"""Pages of the largest segment that is built from parts: 300 to 400 MB of memory, and a quarter of the bytes saved against
segments of a thousand pages."""

SMALLEST_SHARE: Final = 2_000
"""Pages from which a segment is worth a worker of its own."""

LARGE_PAGE: Final = 1_500
"""Bytes in a part, compressed, from which a page counts as several: twice what most take."""

DEAD_SHARE: Final = 0.5
"""A segment with more dead pages than this share is rewritten, whatever that costs."""


def group_sizes(sizes: Sequence[int], workers: int = 1) -> list[list[int]]:
    """Put neighbours together to groups of about one size, for segments to be built.

    Args:
        sizes: pages of each part, in order.
        workers: how many can build at a time.

    Returns:
        Groups of places, each rising, none empty; none larger than `LARGEST_BUILT` but by half a part on either side.
    """
    total = sum(sizes)
    count = max(-(-total // LARGEST_BUILT), min(workers, total // SMALLEST_SHARE), 1)
    groups: list[list[int]] = [[] for _ in range(count)]
    before = 0
    for place, size in enumerate(sizes):
        middle = before + size / 2
        groups[min(int(middle * count / total), count - 1) if total else 0].append(place)
        before += size
    return [group for group in groups if group]


def plan_merges(live: Sequence[int], pages: Sequence[int]) -> list[list[int]]:
    """Name the segments to merge.

    Args:
        live: live pages of each segment, in the order of segments.
        pages: all pages of each.

    Returns:
        Groups of places, each rising; a group of one is a segment to be rewritten without its dead pages.
    """
    groups: list[list[int]] = []
    taken: set[int] = set()
    spent = 0
    low = 0
    for high, allowed in TIERS:
        members = [place for place, count in enumerate(live) if low <= count < high and place not in taken]
        low = high
        if len(members) <= allowed:
            continue
        group, size = _smallest(members, live, BUDGET - spent)
        if len(group) > 1:
            groups.append(group)
            taken.update(group)
            spent += size
    shed = [
        [place]
        for place, (some, count) in enumerate(zip(live, pages, strict=True))
        if place not in taken and count - some > count * DEAD_SHARE
    ]
    return [*groups, *shed]


def _smallest(members: Sequence[int], live: Sequence[int], budget: int) -> tuple[list[int], int]:
    """Take the smallest segments, as many as fit."""
    group: list[int] = []
    size = 0
    for place in sorted(members, key=lambda place: (live[place], place)):
        if size + live[place] > min(budget, LARGEST):
            break
        group.append(place)
        size += live[place]
    return sorted(group), size
