"""What is seen of a line that holds right-to-left text, from left to right, with the spaces between (rules R5, B2).

In: the items of a line in paint order. Out: the items from left to right, a space wherever words are apart. It must
not know in what order they are read.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from itertools import pairwise
from statistics import median

from extractor.bidi_line import Item, Line, Source
from extractor.bidi_order import SPACE
from extractor.glyph_table import GlyphTable
from extractor.options import GapOptions

_TALLEST = 1.2
"""Fonts of tall scripts are measured as if at most this many em high: their spaces are not wider."""
_TRACKED = 1.9
"""In letter-spaced text a gap over this many letter gaps is a word gap."""
_SPLIT = 2.5
"""A gap over this many heights ends a cell: its numbers and brackets do not belong to what is beyond."""


def see_line(source: Source, line: Line, rtl: bool) -> list[list[Item]]:
    """Return the items from left to right with the spaces between them: one list, unless text lies over text.

    A left-to-right line whose pieces were painted out of order keeps that order, a list a piece.

    Args:
        source: the page.
        line: its items, marks attached.
        rtl: whether the line as a whole runs right to left.
    """
    whole = _from_left(line.items, line.forward)
    pieces = [whole]
    steps_back = not rtl and any(
        not a.rtl and not b.rtl and b.low < a.low - 0.1 * b.height for a, b in pairwise(line.items)
    )
    if steps_back or sum(_covers(a, b) for a, b in pairwise(whole)) > 1:
        pieces = [_from_left(piece, line.forward) for piece in _pieces(line.items, rtl)]
    if len(pieces) == 1:
        return [_with_spaces(source, whole, line.spaces)]
    return [_with_spaces(source, piece, _within(line.spaces, piece)) for piece in pieces]


def _within(spaces: list[Item], piece: list[Item]) -> list[Item]:
    low, high = piece[0].low, max(item.high for item in piece)
    return [space for space in spaces if low <= space.low and space.high <= high]


def _from_left(items: list[Item], forward: bool) -> list[Item]:
    """Return the items from left to right; two at one place stand as they were painted."""
    result: list[Item] = []
    ordered = sorted(items, key=lambda item: (item.low, item.places[0] if forward else -item.places[0]))
    for item in ordered:
        result.append(item)
        if len(result) > 1:
            last = result[-2]
            level = item.low - last.low < 0.02 * item.height
            if level and (item.places[0] < last.places[0]) == forward:
                result[-2:] = [item, last]
    return result


def _covers(one: Item, other: Item) -> bool:
    """Tell whether two items stand one over the other though they were not painted one after the other."""
    if abs(one.number - other.number) <= 2:
        return False
    narrow = min(one.high - one.low, other.high - other.low)
    shared = min(one.high, other.high) - max(one.low, other.low)
    return narrow > 0.1 * one.height and shared > 0.25 * narrow


def _pieces(items: list[Item], rtl: bool) -> list[list[Item]]:
    """Return the items in paint order, cut where text goes over text or, left-to-right text, back."""
    begins = [0]
    taken: list[Item] = []
    for place, item in enumerate(items):
        last = items[place - 1]
        back = not rtl and not last.rtl and not item.rtl and item.low < last.low - 0.1 * item.height
        near = bisect_right(taken, item.low, key=lambda other: other.low)
        if place and (back or any(_covers(item, other) for other in taken[max(near - 1, 0) : near + 1])):
            begins.append(place if back else _stroke_start(items, place, begins[-1]))
            taken = sorted(items[begins[-1] : place], key=lambda other: other.low)
            near = bisect_right(taken, item.low, key=lambda other: other.low)
        taken.insert(near, item)
    return [items[first:end] for first, end in pairwise([*begins, len(items)]) if first < end]


def _stroke_start(items: list[Item], place: int, least: int) -> int:
    """Return where the painting that led to an item began: after a jump, or where its direction changed."""
    onward = items[place].low > items[place - 1].low
    while place > least + 1:
        here, last = items[place], items[place - 1]
        if max(here.low - last.high, last.low - here.high) > 0.6 * here.height:
            return place
        if (here.low > last.low) != onward:
            return place
        place -= 1
    return place


def _with_spaces(source: Source, items: list[Item], spaces: list[Item]) -> list[Item]:
    """Return the items with a space wherever one was painted or a gap is wide enough (R5)."""
    limit = _limits(source, items)
    painted = sorted(spaces, key=lambda space: space.low + space.high)
    result = items[:1]
    reach, used = items[0].high, 0
    first = next(
        (n for n, space in enumerate(painted) if space.low + space.high > items[0].low + items[0].high), 0
    )
    used = first if painted else 0
    for last, item in pairwise(items):
        gap = item.low - reach
        width = 0.0
        between = False
        while used < len(painted) and painted[used].low + painted[used].high <= item.low + item.high:
            width += painted[used].high - painted[used].low
            between = True
            used += 1
        shown = between and (gap >= 0.25 * width or width <= limit(item))
        if (
            shown
            or _painted_between(source.painted, last, item)
            or (gap > limit(item) and not (last.cjk and item.cjk))
        ):
            wide = gap > _SPLIT * item.height
            result.append(Item([], reach, item.low, item.height, " ", SPACE, inserted=not between, wide=wide))
        result.append(item)
        reach = max(reach, item.high)
    return result


def _painted_between(painted: list[bool], one: Item, other: Item) -> bool:
    """Tell whether a painted space stands between two items that were painted one after the other."""
    if abs(one.number - other.number) != 1 or min(one.number, other.number) < 0:
        return False
    first, last = (one, other) if one.number < other.number else (other, one)
    return any(painted[first.places[-1] + 1 : last.places[0] + 1])


def _limits(source: Source, items: list[Item]) -> Callable[[Item], float]:
    """Return the gap that separates words at an item: by its height or the line's letter gap (R5, B2)."""
    letter_gap = _letter_gap(items, source.gaps)
    em = {item.font: _em_height(source.table, item.font) for item in items}

    def limit(item: Item) -> float:
        plain = source.gaps.word * item.height * min(1.0, _TALLEST / em[item.font])
        return max(plain, _TRACKED * letter_gap)

    return limit


def _letter_gap(items: list[Item], options: GapOptions) -> float:
    """Return the gap between the letters of letter-spaced text (B2), 0 for other text."""
    gaps = [
        (b.low - a.high) / b.height
        for a, b in pairwise(items)
        if not a.span and not b.span and b.height > 0 and b.low - a.high < options.tracked_most * b.height
    ]
    usual = median(gaps) if len(gaps) >= options.tracked_letters else 0.0
    alike = sum(abs(gap - usual) <= options.tracked_spread for gap in gaps)
    if usual <= options.tracked_least or alike < 0.6 * len(gaps):
        return 0.0
    return usual * median(item.height for item in items)


def _em_height(table: GlyphTable, font: int) -> float:
    if font < 0:
        return 1.0
    loaded = table.fonts[font]
    return max(float(loaded.ascent - loaded.descent), 0.1)
