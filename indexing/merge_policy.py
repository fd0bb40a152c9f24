"""When segments are merged: rules on their sizes alone.

In: numbers of pages. Out: which segments to merge. Many segments cost little in a search and much to rewrite, so small
ones are merged when there are many, big ones almost never, and dead pages are shed when they are many. It must not know
files.
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

DEAD_SHARE: Final = 0.5
"""A segment with more dead pages than this share is rewritten, whatever that costs."""


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
