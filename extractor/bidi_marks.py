"""Puts combining marks of right-to-left scripts with their letters, painted before or after them.

In: lines whose marks are loose. Out: the same lines, each mark with its letter. It must not know how letters are read.
Positions say little: the origin of a mark may lie beside its letter; what was painted next to what says more.
"""

from __future__ import annotations

from bisect import bisect_right

from extractor.bidi_line import Item, Line, LooseMark
from extractor.bidi_order import kind_of

_DOTS_OF_SHIN = frozenset("\u05c1\u05c2")
_BARE = frozenset("םןףץاىﺍﺎﻯﻰ")
"""Letters that hardly ever bear a mark, tanwin apart."""
_TANWIN = frozenset("\u064b\u064c\u064d")


def mark_evidence(line: Line) -> float:
    """Return how much says that the line's marks were painted before their letters; negative: after them."""
    evidence = 0.0
    for mark in line.marks:
        before, after = _letter(mark.before), _letter(mark.after)
        if before is None or after is None:
            evidence += (before is None and after is not None) - (after is None and before is not None)
            continue
        fits = _fits(after, mark) - _fits(before, mark)
        edge = min(abs(mark.at - side) for side in (before.low, before.high, after.low, after.high))
        if fits or edge < 0.02 * before.height:
            evidence += fits
            continue
        width = max(before.high - before.low, after.high - after.low, 1e-6)
        middles = (before.low + before.high) / 2, (after.low + after.high) / 2
        nearer = (abs(mark.at - middles[0]) - abs(mark.at - middles[1])) / width
        evidence += 0.5 * max(-1.0, min(1.0, nearer))
    return evidence


def _fits(letter: Item, mark: LooseMark) -> bool:
    """Tell whether a letter may bear a mark: the dots of shin only shin, few marks some letters."""
    if mark.text[0] in _DOTS_OF_SHIN:
        return "ש" in letter.text
    return letter.text not in _BARE or mark.text[0] in _TANWIN


def attach_marks(line: Line, before_letters: bool) -> None:
    """Put each mark with its letter.

    Args:
        line: a line; its items get their marks, a mark that stands nowhere near a letter becomes an item.
        before_letters: whether marks of right-to-left letters were painted before them.
    """
    by_place = sorted(line.items, key=lambda item: item.low)
    for mark in line.marks:
        item = _bearer(by_place, mark, before_letters)
        if item is None:
            height = line.items[0].height if line.items else 1.0
            line.items.append(Item([mark.place], mark.at, mark.at, height, mark.text, kind_of(mark.text)))
        elif item.places[0] > mark.place:
            item.marks.insert(0, mark.place)
        else:
            item.marks.append(mark.place)


def _bearer(by_place: list[Item], mark: LooseMark, before_letters: bool) -> Item | None:
    if mark.before is not None and not mark.before.rtl and mark.before.kind == "L":
        return mark.before
    usual, other = (mark.after, mark.before) if before_letters else (mark.before, mark.after)
    letter = _letter(usual) or _letter(other)
    if letter is not None and _distance(letter, mark) <= 0.5 * letter.height:
        return letter
    place = bisect_right(by_place, mark.at, key=lambda item: item.low)
    around = by_place[max(place - 3, 0) : place + 2]
    near = min(around, key=lambda item: (_distance(item, mark), not item.rtl), default=None)
    return near if near is not None and _distance(near, mark) <= 0.5 * near.height else letter


def _letter(item: Item | None) -> Item | None:
    return item if item is not None and item.rtl else None


def _distance(item: Item, mark: LooseMark) -> float:
    return max(item.low - mark.at, mark.at - item.high, 0.0)
