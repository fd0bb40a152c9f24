"""Decides which gaps separate words (rules R5, B2, B3).

In: moves between neighbours, which of them end lines, character classes. Out: which gaps hold a painted space, and which
are spaces by their size. The seed's number, 0.15 of the height, is the rule for plain text; a line whose letters stand
apart is measured against its own letter gap. It must not know characters beyond their classes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from extractor.glyph_table import CJK, DIGIT, LETTER, RTL, Classes
from extractor.glyphs import Bools, Floats, Glyphs
from extractor.letter_gaps import (
    LineGaps,
    Setting,
    part_leaders,
    tighten,
    tighten_between_shows,
    tighten_by_valley,
    widen,
)
from extractor.moves import Indices, Moves
from extractor.options import GapOptions


class Ends(NamedTuple):
    """Moves that separate anyway; bool[n] each."""

    newline: Bools
    """Moves that end a line."""
    painted: Bools
    """Moves across a painted space."""


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
    opens = ends.newline.copy()
    opens[:1] = True
    gaps = LineGaps(ratio, within, opens.nonzero()[0], moves.height)
    setting = Setting(glyphs.show[spine], glyphs.font[spine], moves, either, classes)
    widen(limit, gaps, setting, options)
    space = (ends.painted | (moves.gap > limit)) & ~ends.newline
    tighten(limit, gaps, space, options)
    if np.count_nonzero(ends.painted) >= options.painted_spaces:
        tighten_between_shows(limit, gaps, setting, options)
    text = glyphs.text_id[spine]
    part_leaders(limit, gaps, np.where((classes & (LETTER | DIGIT)) == 0, text, 0), options)
    tighten_by_valley(limit, gaps, setting, ends.painted, options)
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

    It must show between several letters of one show operation, and most of them: groff sets Tc to a word space for two
    letters at a word's end and beginning, Ghostscript to the word space of a line and takes it back inside words.
    """
    if not (glyphs.states[:, 2] > 0).any():
        return None
    show = glyphs.show[spine]
    spacing = np.maximum(glyphs.character_spacing[spine], 0.0)[:-1]
    spaced = (spacing > 0) & (
        spacing <= options.tracked_most * moves.height
    )  # more is the way to a table's next cell
    shows = (show[1:] == show[:-1]) & (moves.gap - spacing >= -0.02 * moves.height) & spaced
    same = show[1:] == show[:-1]
    times, moved = (np.bincount(show[1:], weights=which)[show[1:]] for which in (shows, same))
    explained = shows & (times >= options.tracked_letters - 1) & (2 * times > moved)
    short = shows & (times == moved) & ~explained
    if short.any() and explained.any():  # a word of few letters, set as longer ones of the page are
        explained |= short & np.isin(np.round(spacing, 3), np.round(spacing[explained], 3))
    return np.where(explained, spacing, 0.0)
