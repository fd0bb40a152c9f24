"""Decides which gaps separate words (rules R5, B2, B3).

In: moves between neighbours, which of them end lines, character classes. Out: which gaps hold a painted space, and which
are spaces by their size. The seed's number, 0.15 of the height, is the rule for plain text; a line whose letters stand
apart is measured against its own letter gap. It must not know characters beyond their classes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from extractor.glyph_table import CJK, DIGIT, LETTER, RTL, Classes
from extractor.glyphs import Bools, Floats, Glyphs
from extractor.moves import Indices, Moves
from extractor.options import GapOptions


class Ends(NamedTuple):
    """Moves that separate anyway; bool[n] each."""

    newline: Bools
    """Moves that end a line."""
    painted: Bools
    """Moves across a painted space."""


class _Gaps(NamedTuple):
    """Gaps in heights and where they stand, one entry a move."""

    ratio: Floats
    """Gap without letter-spacing by Tc, in heights of the current glyph."""
    within: Bools
    """Gaps that may be letter gaps or word gaps of alphabetic text."""
    line: NDArray[np.int64]
    """Number of the line."""
    height: Floats

    def stretch(self, number: int) -> slice:
        """Return the moves of one line."""
        first, end = np.searchsorted(self.line, (number, number + 1)).tolist()
        return slice(first, end)


def painted_spaces(glyphs: Glyphs, index: Indices, white: Bools, spine: Indices, moves: Moves) -> Bools:
    """Return whether white space was painted between neighbours; bool[spine - 1].

    A white glyph that stands elsewhere, and one that was stepped back over, so that the next letter touches the previous
    one, is no space on the page; under render mode 3 (an OCR layer) positions are guesses and every white glyph counts.

    Args:
        glyphs: the painted glyphs.
        index: int64[m]: the kept glyphs in paint order, white space included.
        white: bool[m]: which of them are white space.
        spine: int64[n]: the neighbours, a subset of `index`.
        moves: the moves between them.
    """
    if not white.any():
        return np.zeros(max(len(spine) - 1, 0), np.bool_)
    place = np.flatnonzero(~white)
    if len(place) == len(spine):
        between = place[1:] - place[:-1] > 1
    else:
        place = np.searchsorted(index, spine)
        count = np.cumsum(white)[place]
        between = count[1:] > count[:-1]
    at = np.flatnonzero(between)
    if not len(at):
        return between
    first, last = index[place[at] + 1], index[place[at + 1] - 1]
    before, after = spine[at], spine[at + 1]
    height = moves.height[at]
    near = _adjoins(glyphs, before, first, height) | _adjoins(glyphs, last, after, height)
    touching = (np.abs(moves.gap[at]) < 0.03 * height) & (_advance(glyphs, first) > 0.15 * height)
    shows = near & ~touching
    between[at] = shows if shows.all() else shows | (glyphs.mode[after] == 3)
    return between


def _advance(glyphs: Glyphs, index: Indices) -> Floats:
    return np.hypot(glyphs.end_x[index] - glyphs.start_x[index], glyphs.end_y[index] - glyphs.start_y[index])


def _adjoins(glyphs: Glyphs, one: Indices, other: Indices, height: Floats) -> Bools:
    """Return whether `other` starts within a height of where `one` ends."""
    distance = np.hypot(glyphs.start_x[other] - glyphs.end_x[one], glyphs.start_y[other] - glyphs.end_y[one])
    return distance < height


def separates_words(moves: Moves, classes: Classes, limit: Floats, options: GapOptions) -> Bools:
    """Return whether a move separates words by its size (R5, B3); bool[n].

    Args:
        moves: moves between neighbours.
        classes: uint16[n + 1]: class bits of the neighbours.
        limit: float64[n]: the gap that separates words, points.
        options: the thresholds.
    """
    either = classes[:-1] | classes[1:]
    both = classes[:-1] & classes[1:]
    rtl = (either & RTL) != 0
    wide = (np.where(rtl, moves.separation, moves.gap) if rtl.any() else moves.gap) > limit
    back = ~rtl & (moves.back > options.jump_back * moves.tallest)
    separates: Bools = (wide & ((both & CJK) == 0)) | back
    return separates


def word_gaps(
    glyphs: Glyphs, spine: Indices, moves: Moves, ends: Ends, classes: Classes, options: GapOptions
) -> Floats:
    """Return the gap that separates words at each move, points; float64[n].

    It is 0.15 of the height (R5) but for letter-spaced text (B2): positive Tc that shows between letters is no part of a
    gap, and in a line whose median gap is wide the limit is counted from that gap.

    Args:
        glyphs: the painted glyphs.
        spine: int64[n + 1]: the neighbours.
        moves: the moves between them.
        ends: the moves that separate anyway.
        classes: uint16[n + 1].
        options: the thresholds.
    """
    either = classes[:-1] | classes[1:]
    limit = _plain_limits(moves, ends, either, options)
    spacing = _letter_spacing(glyphs, spine, moves, options)
    gap = moves.gap
    if spacing is not None:
        limit, gap = limit + spacing, gap - spacing
    ratio = gap / np.maximum(moves.height, 1e-9)
    within = (
        ~(ends.newline | ends.painted)
        & (np.abs(ratio) < options.tracked_most)
        & ((either & (CJK | RTL)) == 0)
    )
    gaps = _Gaps(ratio, within, np.cumsum(ends.newline), moves.height)
    _widen(limit, gaps, classes, options)
    _tighten(limit, gaps, (ends.painted | (moves.gap > limit)) & ~ends.newline, options)
    return limit


def _plain_limits(moves: Moves, ends: Ends, either: Classes, options: GapOptions) -> Floats:
    """Return 0.15 of the height (R5), but more between CJK characters and Latin letters or digits where a page spaces them.

    Typesetters put a quarter of an em at such borders, and a page that does so does it everywhere.
    """
    limit = options.word * moves.height
    if not (either & CJK).any():
        return limit
    border = ((either & CJK) != 0) & ((either & (LETTER | DIGIT)) != 0) & ~(ends.newline | ends.painted)
    border &= (moves.gap > limit) & (moves.gap < options.cjk_border * moves.height)
    if np.count_nonzero(border) >= options.cjk_borders:
        limit[border] = options.cjk_border * moves.height[border]
    return limit


def _letter_spacing(glyphs: Glyphs, spine: Indices, moves: Moves, options: GapOptions) -> Floats | None:
    """Return the part of each gap that positive Tc explains, points; None if there is no positive Tc.

    It must show between several letters of one show operation: groff sets Tc to a word space for two letters at a word's
    end and beginning.
    """
    if not any(row[2] > 0 for row in glyphs.runs.rows):
        return None
    show = glyphs.show[spine]
    spacing = np.maximum(glyphs.character_spacing[spine], 0.0)[:-1]
    shows = (show[1:] == show[:-1]) & (moves.gap - spacing >= -0.02 * moves.height) & (spacing > 0)
    times = np.bincount(show[1:], weights=shows)[show[1:]]
    return np.where(shows & (times >= options.tracked_letters - 1), spacing, 0.0)


def _widen(limit: Floats, gaps: _Gaps, classes: Classes, options: GapOptions) -> None:
    """Raise the limit of lines most of whose gaps are wide by their letter gap."""
    total = np.bincount(gaps.line, weights=gaps.within)
    loose = np.bincount(gaps.line, weights=gaps.within & (gaps.ratio > options.tracked_least))
    tracked = np.flatnonzero((total >= options.tracked_letters - 1) & (2 * loose > total))
    for number in tracked.tolist():
        stretch = gaps.stretch(number)
        within = gaps.within[stretch]
        limit[stretch] += gaps.height[stretch] * _extra(
            gaps.ratio[stretch][within], classes[:-1][stretch][within], options
        )


def _extra(gaps: Floats, classes: Classes, options: GapOptions) -> float:
    """Return by how much a line's limit is raised, in heights: 0 unless its gaps are as even as letter-spacing makes them.

    Args:
        gaps: float64[n]: the line's gaps in heights.
        classes: uint16[n]: class bits of the glyph before each.
        options: the thresholds.
    """
    letter = float(np.median(gaps))
    if letter > options.word:
        even = np.count_nonzero(np.abs(gaps - letter) <= options.tracked_spread)
        if even < 0.6 * len(gaps) or 2 * np.count_nonzero(classes & LETTER) < len(gaps):
            return 0.0
    wide = np.sort(gaps[gaps >= letter])
    steps = wide[1:] - wide[:-1]
    place = int(np.argmax(steps)) if len(steps) else 0
    if len(steps) and steps[place] >= options.tracked_step and wide[place] > letter + options.word:
        return (
            float(wide[place] + wide[place + 1]) / 2 - options.word
        )  # each word is spread to a grid by itself
    return letter


def _tighten(limit: Floats, gaps: _Gaps, space: Bools, options: GapOptions) -> None:
    """Lower the limit of long lines without any space whose gaps fall into two groups, letters and words."""
    inside = np.bincount(gaps.line, weights=gaps.within)
    found = np.bincount(gaps.line, weights=space)
    for number in np.flatnonzero((inside >= options.tight_letters) & (found == 0)).tolist():
        stretch = gaps.stretch(number)
        values = np.sort(gaps.ratio[stretch][gaps.within[stretch]])
        steps = np.diff(values)
        steps[(values[1:] < options.tight_least) | (values[:-1] > options.word)] = 0.0
        place = int(np.argmax(steps))
        words = len(values) - 1 - place
        if steps[place] >= options.tight_step and len(values) / 15 <= words <= len(values) / 2.5:
            limit[stretch] = (values[place] + values[place + 1]) / 2 * gaps.height[stretch]
