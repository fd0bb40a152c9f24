"""One line that holds right-to-left text, as it is seen: what stands on it from left to right.

In: places of the glyph sequence that make a line, in paint order. Out: `Item`s, a letter with its marks or
the glyphs of one replacement text each, and the spaces between. It must not know in what order they are read.
Positions are along the baseline of the line's first glyph, in points.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from extractor.bidi_order import ARABIC, RIGHT, SPACE, is_mark, kind_of
from extractor.glyph_table import CJK, GlyphTable
from extractor.glyphs import Glyphs, Ints
from extractor.lines import SPACE as SPACE_BEFORE
from extractor.lines import Sequence
from extractor.options import GapOptions


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
    copies: NDArray[np.int64]
    """Indices of the dropped copies painted close behind their twins, by twin."""
    twins: NDArray[np.int64]
    """Their twins."""

    @cached_property
    def kinds(self) -> dict[int, tuple[str, bool]]:
        """Bidirectional class of each text id used, and whether it is combining marks only."""
        texts = self.table.texts
        numbers = np.unique(self.said[self.sequence.index]).tolist()
        return {number: (kind_of(texts[number]), is_mark(texts[number])) for number in numbers}

    @cached_property
    def painted(self) -> list[bool]:
        """Whether a painted space stands before each place of the sequence."""
        painted: list[bool] = ((self.sequence.before == SPACE_BEFORE) & ~self.sequence.inserted).tolist()
        return painted


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

    def take(self, place: int, low: float, high: float, text: str) -> None:
        """Add one more glyph of the same replacement text."""
        self.places.append(place)
        self.low, self.high = min(self.low, low), max(self.high, high)
        if text:
            self.text, self.kind = text, kind_of(text)

    @property
    def rtl(self) -> bool:
        """Whether it is a letter of a right-to-left script."""
        return self.kind in (RIGHT, ARABIC)


@dataclass(slots=True)
class LooseMark:
    """A combining mark that is not yet with its letter."""

    place: int
    at: float
    text: str
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
    glyphs, index = source.glyphs, source.sequence.index[first:last]
    low, high, across = _along(glyphs, index, int(index[0]))
    _reach_copies(source, index, low, high)
    heights, fonts = glyphs.height[index], glyphs.font[index].tolist()
    said, spans = source.said[index], source.span[index].tolist()
    texts = [source.table.texts[number] for number in said.tolist()]
    kinds = [source.kinds[number] for number in said.tolist()]
    cjk = ((source.table.text_class[said] & CJK) != 0).tolist()
    echoes = _echoes(texts, (high - low) < 0.05 * heights)
    tall, height = float(np.abs(across).max() + heights.max()), heights.tolist()
    items: list[Item] = []
    loose: list[tuple[int, int]] = []
    for place, (a, b) in enumerate(zip(low.tolist(), high.tolist(), strict=True)):
        text, span, (kind, mark_only) = texts[place], spans[place], kinds[place]
        if place in echoes or (mark_only and not span):
            loose.append((place, len(items)))
        elif span and items and items[-1].span == span:
            items[-1].take(first + place, a, b, text)
        else:
            items.append(Item([first + place], a, b, height[place], text, kind, fonts[place], span))
            items[-1].number, items[-1].cjk = len(items) - 1, cjk[place]
    blanks = np.searchsorted(source.white, index).tolist()
    marks = []
    for place, number in loose:
        mark = LooseMark(first + place, float(low[place] + high[place]) / 2, texts[place], None, None)
        side = echoes.get(place, 0)
        if side <= 0 and number and blanks[items[number - 1].places[-1] - first] == blanks[place]:
            mark.before = items[number - 1]
        if side >= 0 and number < len(items) and blanks[items[number].places[0] - first] == blanks[place]:
            mark.after = items[number]
        marks.append(mark)
    return Line(items, marks, _spaces(source, index, tall), _runs_forward(items))


def _reach_copies(
    source: Source, index: NDArray[np.int64], low: NDArray[np.float64], high: NDArray[np.float64]
) -> None:
    """Let glyphs reach as far as their copies: where all glyphs of a letter say the same, a mark may be the twin."""
    first, end = np.searchsorted(source.twins, (int(index.min()), int(index.max()) + 1))
    twins = source.twins[first:end]
    if not len(twins):
        return
    by_index = np.argsort(index)
    place = by_index[np.searchsorted(index, twins, sorter=by_index) % len(index)]
    own = index[place] == twins
    copy_low, copy_high, _ = _along(source.glyphs, source.copies[first:end][own], int(index[0]))
    np.minimum.at(low, place[own], copy_low)
    np.maximum.at(high, place[own], copy_high)


def _echoes(texts: list[str], narrow: NDArray[np.bool_]) -> dict[int, int]:
    """Return glyphs that repeat the text of the one painted before (-1) or after (1) them, by their places.

    Some producers give every glyph of a letter with marks the text of the whole, so that it would be read twice.
    """
    result = {}
    for place in np.flatnonzero(narrow).tolist():
        text = texts[place]
        if len(text) < 2 or is_mark(text) or not is_mark(text[-1]):
            continue
        if text in texts[place + 1 : place + 2]:
            result[place] = 1
        elif place and texts[place - 1] == text:
            result[place] = -1
    return result


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
    a, b = np.searchsorted(source.white, (index.min(), index.max())).tolist()
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
