"""One line that holds right-to-left text, as it is seen: what stands on it from left to right.

In: places of the glyph sequence that make a line, in paint order. Out: `Item`s, a letter with its marks or
the glyphs of one replacement text each, and the spaces between. It must not know in what order they are read.
Positions are along the baseline of the line's first glyph, in points.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

import numpy as np
from numpy.typing import NDArray

from extractor.bidi_order import ARABIC, RIGHT, SPACE, is_mark, kind_of
from extractor.glyph_table import CJK, GlyphTable
from extractor.glyphs import Glyphs, Ints
from extractor.lines import Sequence
from extractor.options import GapOptions

_TALLEST = 1.2
"""Fonts of tall scripts are measured as if at most this many em high: their spaces are not wider."""
_TRACKED = 1.9
"""In letter-spaced text a gap over this many letter gaps is a word gap."""
_SPLIT = 2.5
"""A gap over this many heights ends a cell: its numbers and brackets do not belong to what is beyond."""


@dataclass(frozen=True)
class Source:
    """A page's glyphs and what is known about them."""

    glyphs: Glyphs
    sequence: Sequence
    said: Ints
    table: GlyphTable
    gaps: GapOptions
    span: NDArray[np.int64]
    """Number of the replacement text of each painted glyph, 0 for none."""
    white: NDArray[np.int64]
    """Indices of the painted glyphs that are white space."""


@dataclass(slots=True)
class Item:
    """A letter with its marks, the glyphs of one replacement text, or a space."""

    places: list[int]
    """Places in the sequence, in paint order; empty for a space."""
    low: float
    high: float
    height: float
    text: str
    kind: str
    """Bidirectional class."""
    font: int = -1
    span: int = 0
    number: int = -1
    """Its place among the items of its line, in paint order."""
    cjk: bool = False
    inserted: bool = False
    """A space that no glyph painted."""
    wide: bool = False
    """A space that separates cells."""
    marks: list[int] = field(default_factory=list)
    """Places of its marks, in the order to read them."""

    @property
    def rtl(self) -> bool:
        """Whether it is a letter of a right-to-left script."""
        return self.kind in (RIGHT, ARABIC)


@dataclass(slots=True)
class LooseMark:
    """A combining mark that is not yet with its letter."""

    place: int
    at: float
    before: Item | None
    """What was painted before it, unless a space was painted between them."""
    after: Item | None
    """What was painted after it, unless a space was painted between them."""


@dataclass(slots=True)
class Line:
    """The items of a line in paint order, and its marks."""

    items: list[Item]
    marks: list[LooseMark]
    spaces: list[Item]
    forward: bool
    """Whether its right-to-left letters were painted from left to right."""


def read_line(source: Source, first: int, last: int) -> Line:
    """Return what was painted for a line.

    Args:
        source: the page.
        first: place in the sequence of the line's first glyph.
        last: place behind its last glyph.
    """
    index = source.sequence.index[first:last]
    low, high, across = _along(source.glyphs, index, int(index[0]))
    height = source.glyphs.height[index].tolist()
    said, spans = source.said[index].tolist(), source.span[index].tolist()
    blanks = np.searchsorted(source.white, index).tolist()
    fonts = source.glyphs.font[index].tolist()
    texts, classes = source.table.texts, source.table.text_class
    items: list[Item] = []
    marks: list[LooseMark] = []
    waiting: list[tuple[LooseMark, int]] = []
    blank_before = -1
    for place, (a, b) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        text, span = texts[said[place]], spans[place]
        if span and items and items[-1].span == span:
            item = items[-1]
            item.places.append(first + place)
            item.low, item.high = min(item.low, a), max(item.high, b)
            if text:
                item.text, item.kind = text, kind_of(text)
        elif not span and is_mark(text):
            painted_before = items[-1] if blanks[place] == blank_before else None
            mark = LooseMark(first + place, (a + b) / 2, painted_before, None)
            marks.append(mark)
            waiting.append((mark, blanks[place]))
            continue
        else:
            cjk = bool(classes[said[place]] & CJK)
            items.append(
                Item(
                    [first + place],
                    a,
                    b,
                    height[place],
                    text,
                    kind_of(text),
                    fonts[place],
                    span,
                    len(items),
                    cjk,
                )
            )
            for mark, blank in waiting:
                mark.after = items[-1] if blank == blanks[place] else None
            waiting.clear()
        blank_before = blanks[place]
    tall = float(np.abs(across).max()) + float(max(height))
    return Line(items, marks, _spaces(source, index, tall), _runs_forward(items))


def _along(glyphs: Glyphs, index: NDArray[np.int64], lead: int) -> tuple[NDArray[np.float64], ...]:
    """Return lowest and highest position along the baseline of glyph `lead`, and the distance across it."""
    ux, uy = float(glyphs.ux[lead]), float(glyphs.uy[lead])
    start = glyphs.start_x[index] * ux + glyphs.start_y[index] * uy
    end = glyphs.end_x[index] * ux + glyphs.end_y[index] * uy
    across = (glyphs.start_y[index] - glyphs.start_y[lead]) * ux - (
        glyphs.start_x[index] - glyphs.start_x[lead]
    ) * uy
    return np.minimum(start, end), np.maximum(start, end), across


def _spaces(source: Source, index: NDArray[np.int64], tall: float) -> list[Item]:
    """Return the white space painted between a line's first and last glyph, near its baseline."""
    a, b = np.searchsorted(source.white, (int(index.min()), int(index.max())))
    white = source.white[a:b]
    if not len(white):
        return []
    low, high, across = _along(source.glyphs, white, int(index[0]))
    height = source.glyphs.height[white]
    near = np.flatnonzero(np.abs(across) < tall)
    return [Item([], float(low[i]), float(high[i]), float(height[i]), " ", SPACE) for i in near.tolist()]


def _runs_forward(items: list[Item]) -> bool:
    steps = [b.low - a.low for a, b in pairwise(items) if a.rtl and b.rtl]
    return sum(1 if step > 0 else -1 for step in steps if step) >= 0


# -- marks ---------------------------------------------------------------------------------------------------


def mark_evidence(line: Line) -> float:
    """Return how much says that the line's marks were painted before their letters; negative: after them."""
    evidence = 0.0
    for mark in line.marks:
        before, after = _letter(mark.before), _letter(mark.after)
        if before is None or after is None:
            evidence += (before is None and after is not None) - (after is None and before is not None)
        else:
            width = max(before.high - before.low, after.high - after.low, 1e-6)
            middles = (before.low + before.high) / 2, (after.low + after.high) / 2
            nearer = (abs(mark.at - middles[0]) - abs(mark.at - middles[1])) / width
            evidence += 0.5 * max(-1.0, min(1.0, nearer))
    return evidence


def attach_marks(line: Line, before_letters: bool) -> None:
    """Put each mark with its letter.

    Args:
        line: a line; its items get their marks, a mark that stands nowhere near a letter becomes an item.
        before_letters: whether marks of right-to-left letters were painted before them.
    """
    for mark in line.marks:
        item = _bearer(line, mark, before_letters)
        if item is None:
            line.items.append(Item([mark.place], mark.at, mark.at, 0.0, "", kind_of("")))
        elif item.places[0] > mark.place:
            item.marks.insert(0, mark.place)
        else:
            item.marks.append(mark.place)


def _bearer(line: Line, mark: LooseMark, before_letters: bool) -> Item | None:
    if mark.before is not None and not mark.before.rtl and mark.before.kind == "L":
        return mark.before
    usual, other = (mark.after, mark.before) if before_letters else (mark.before, mark.after)
    letter = _letter(usual) or _letter(other)
    if letter is not None and _distance(letter, mark) <= 0.5 * letter.height:
        return letter
    near = min(line.items, key=lambda item: (_distance(item, mark), not item.rtl), default=None)
    return near if near is not None and _distance(near, mark) <= 0.5 * near.height else letter


def _letter(item: Item | None) -> Item | None:
    return item if item is not None and item.rtl else None


def _distance(item: Item, mark: LooseMark) -> float:
    return max(item.low - mark.at, mark.at - item.high, 0.0)


# -- what is seen from left to right -------------------------------------------------------------------------


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
    narrow = min(one.high - one.low, other.high - other.low)
    shared = min(one.high, other.high) - max(one.low, other.low)
    return abs(one.number - other.number) > 2 and narrow > 0.1 * one.height and shared > 0.25 * narrow


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
            or _painted_between(source.sequence, last, item)
            or (gap > limit(item) and not (last.cjk and item.cjk))
        ):
            wide = gap > _SPLIT * item.height
            result.append(Item([], reach, item.low, item.height, " ", SPACE, inserted=not between, wide=wide))
        result.append(item)
        reach = max(reach, item.high)
    return result


def _painted_between(sequence: Sequence, one: Item, other: Item) -> bool:
    """Tell whether a painted space stands between two items that were painted one after the other."""
    if abs(one.number - other.number) != 1 or min(one.number, other.number) < 0:
        return False
    first, last = (one, other) if one.number < other.number else (other, one)
    stretch = slice(first.places[-1] + 1, last.places[0] + 1)
    return bool(((sequence.before[stretch] == 1) & ~sequence.inserted[stretch]).any())


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
    loaded = table.fonts[font].font
    return max(float(loaded.ascent - loaded.descent), 0.1)
