"""Decides which gaps separate words (rules R5, B2, B3).

In: moves between neighbours, which of them end lines, character classes. Out: which gaps hold a painted space, and which
are spaces by their size. The seed's number, 0.15 of the height, is the rule for plain text; a line whose letters stand
apart is measured against its own letter gap. It must not know characters beyond their classes.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from extractor.glyph_table import CJK, DIGIT, LETTER, RTL, Classes
from extractor.glyphs import Bools, Floats, Glyphs
from extractor.moves import Indices, Moves
from extractor.options import GapOptions


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
    place = np.searchsorted(index, spine)
    between = np.diff(np.cumsum(white)[place]) > 0
    at = np.flatnonzero(between)
    if not len(at):
        return between
    first, last = index[place[at] + 1], index[place[at + 1] - 1]
    before, after = spine[at], spine[at + 1]
    height = moves.height[at]
    near = _adjoins(glyphs, before, first, height) | _adjoins(glyphs, last, after, height)
    touching = (np.abs(moves.gap[at]) < 0.03 * height) & (_advance(glyphs, first) > 0.15 * height)
    guessed = glyphs.mode[after] == 3
    between[at] = guessed | (near & ~touching)
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
    wide = np.where(rtl, moves.separation, moves.gap) > limit
    back = ~rtl & (moves.back > options.jump_back * moves.tallest)
    return (wide & ((both & CJK) == 0)) | back


def word_gaps(
    glyphs: Glyphs, spine: Indices, moves: Moves, newline: Bools, painted: Bools, classes: Classes, options: GapOptions
) -> Floats:
    """Return the gap that separates words at each move, points; float64[n].

    It is 0.15 of the height (R5) but for letter-spaced text (B2): positive Tc that shows between letters is no part of a
    gap, and in a line whose median gap is wide the limit is counted from that gap.

    Args:
        glyphs: the painted glyphs.
        spine: int64[n + 1]: the neighbours.
        moves: the moves between them.
        newline: bool[n]: moves that end a line.
        painted: bool[n]: moves across a painted space.
        classes: uint16[n + 1].
        options: the thresholds.
    """
    either = classes[:-1] | classes[1:]
    limit = _limits(moves, newline | painted, either, options)
    spacing = _letter_spacing(glyphs, spine, moves, options)
    if spacing is not None:
        limit = limit + spacing
    safe = np.maximum(moves.height, 1e-9)
    ratio = (moves.gap - (spacing if spacing is not None else 0.0)) / safe
    within = ~newline & ~painted & (ratio < options.tracked_most) & (ratio > -options.tracked_most)
    within &= (either & (CJK | RTL)) == 0
    line = np.cumsum(newline)
    total = np.bincount(line, weights=within)
    loose = np.bincount(line, weights=within & (ratio > options.tracked_least))
    tracked = np.flatnonzero((total >= options.tracked_letters - 1) & (2 * loose > total))
    for number in tracked.tolist():
        first, end = np.searchsorted(line, (number, number + 1))
        stretch = slice(int(first), int(end))
        letter = _letter_gap(ratio[stretch], within[stretch], classes[stretch], options)
        limit[stretch] += letter * moves.height[stretch]
    _tighten(limit, ratio, line, within, (painted, newline), moves, options)
    return limit


def _limits(moves: Moves, ends: Bools, either: Classes, options: GapOptions) -> Floats:
    """Return 0.15 of the height (R5), but more between CJK characters and Latin letters or digits where a page spaces them.

    Typesetters put a quarter of an em at such borders; a page that does so does it everywhere.
    """
    limit = options.word * moves.height
    border = ((either & CJK) != 0) & ((either & (LETTER | DIGIT)) != 0) & ~ends
    border &= (moves.gap > limit) & (moves.gap < options.cjk_border * moves.height)
    if np.count_nonzero(border) >= options.cjk_borders:
        limit[border] = options.cjk_border * moves.height[border]
    return limit


def _letter_spacing(glyphs: Glyphs, spine: Indices, moves: Moves, options: GapOptions) -> Floats | None:
    """Return the part of each gap that positive Tc explains, points; None if there is no positive Tc.

    It must show between several letters of one show operation: groff sets Tc to a word space for two letters at a word's
    end and beginning.
    """
    rows = glyphs.runs.rows
    if not any(row[2] > 0 for row in rows):
        return None
    spacing = np.maximum(glyphs.character_spacing[spine], 0.0)[:-1]
    same_show = glyphs.show[spine[1:]] == glyphs.show[spine[:-1]]
    shows = same_show & (moves.gap - spacing >= -0.02 * moves.height)
    shows &= spacing > 0
    times = np.bincount(glyphs.show[spine[1:]], weights=shows)
    return np.where(shows & (times[glyphs.show[spine[1:]]] >= options.tracked_letters - 1), spacing, 0.0)


def _letter_gap(ratio: Floats, within: Bools, classes: Classes, options: GapOptions) -> float:
    """Return the letter gap of a line in heights: its median gap, if gaps are as even as letter-spacing makes them."""
    gaps = ratio[within]
    letter = float(np.median(gaps))
    if letter <= options.word:
        return letter
    letters = np.count_nonzero(classes[within.nonzero()[0]] & LETTER)
    even = np.count_nonzero(np.abs(gaps - letter) <= options.tracked_spread)
    if even < 0.6 * len(gaps) or 2 * letters < len(gaps):
        return 0.0
    return letter


def _tighten(
    limit: Floats,
    ratio: Floats,
    line: NDArray[np.int64],
    within: Bools,
    breaks: tuple[Bools, Bools],
    moves: Moves,
    options: GapOptions,
) -> None:
    """Lower the limit of long lines without any space whose gaps fall into two groups, letters and words."""
    painted, newline = breaks
    spaces = painted | newline | (moves.gap > limit)
    inside = np.bincount(line, weights=within)
    found = np.bincount(line, weights=spaces & ~newline)
    for number in np.flatnonzero((inside >= options.tight_letters) & (found == 0)).tolist():
        first, end = np.searchsorted(line, (number, number + 1))
        stretch = slice(int(first), int(end))
        gaps = np.sort(ratio[stretch][within[stretch]])
        steps = np.diff(gaps)
        steps[(gaps[1:] < options.tight_least) | (gaps[:-1] > options.word)] = 0.0
        place = int(np.argmax(steps))
        words = len(gaps) - 1 - place
        if steps[place] >= options.tight_step and len(gaps) / 15 <= words <= len(gaps) / 2.5:
            limit[stretch] = (gaps[place] + gaps[place + 1]) / 2 * moves.height[stretch]
