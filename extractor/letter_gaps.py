"""Judges lines by their own gaps (rule B2): letter-spaced text, and text set so tightly that its spaces are small.

In: the gaps of a page in heights, line by line. Out: limits raised or lowered line by line. It must not know what else
separates words.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from extractor.glyph_table import DIGIT, LETTER, Classes
from extractor.glyphs import Bools, Floats
from extractor.moves import Indices, Moves
from extractor.options import GapOptions

_TEXT = LETTER | DIGIT
_TIGHT = 0.3
"""Part of a line's letter gap below which two letters stand as text stands that is not letter-spaced."""
_FEW_TIGHT = 0.15
"""Part of the gaps of letter-spaced text that may be as small."""
_SAME_GAP = 0.03
"""Heights by which the gaps of a short line may differ from the letter gap of a longer one."""
_SAME_HEIGHT = 0.02
"""Part by which their heights may."""
_EVENER = 0.5
"""Gaps spread less than this part of the other distances between letters: they, and not those, are what was set."""


class LineGaps(NamedTuple):
    """Gaps in heights and where they stand, one entry a move."""

    ratio: Floats
    """Gap without letter-spacing by Tc, in heights of the current glyph."""
    within: Bools
    """Gaps that may be letter gaps or word gaps of alphabetic text."""
    first: Indices
    """int64[lines]: the first move of each line."""
    height: Floats

    def tally(self, which: Bools) -> NDArray[np.int64]:
        """Return how many of the moves of each line are among `which`, bool[n]; int64[lines]."""
        if not len(self.first):
            return np.zeros(0, np.int64)
        return np.add.reduceat(which, self.first, dtype=np.int64)

    def stretch(self, number: int) -> slice:
        """Return the moves of one line."""
        end = self.first[number + 1] if number + 1 < len(self.first) else len(self.ratio)
        return slice(int(self.first[number]), int(end))

    def spread(self, lines: Bools) -> Bools:
        """Return for each move whether its line is among `lines`, bool[lines]."""
        return np.repeat(lines, np.diff(self.first, append=len(self.ratio)))


class Setting(NamedTuple):
    """How the glyphs on both sides of the gaps were set."""

    show: Indices
    """int64[n + 1]: show operation of each glyph."""
    font: Indices
    """int64[n + 1]: number of the font of each glyph."""
    moves: Moves
    either: Classes
    """Class bits of the glyphs on the two sides of each move."""
    classes: Classes
    """uint16[n + 1]: class bits of each glyph."""

    @property
    def before(self) -> Classes:
        """Class bits of the glyph before each move."""
        return self.classes[:-1]

    @property
    def after(self) -> Classes:
        """Class bits of the glyph after each move."""
        return self.classes[1:]


def widen(limit: Floats, gaps: LineGaps, setting: Setting, options: GapOptions) -> None:
    """Raise the limit of lines most of whose gaps are wide by their letter gap.

    Args:
        limit: float64[n]: the gap that separates words, points; changed.
        gaps: the gaps.
        setting: how their glyphs were set.
        options: the thresholds.
    """
    within = gaps.within & ((setting.either & (LETTER | DIGIT)) != 0)  # the dots of leaders say nothing
    total = gaps.tally(within)
    loose = gaps.tally(within & (gaps.ratio > options.tracked_least))
    tracked = np.flatnonzero((total >= options.tracked_letters - 1) & (2 * loose > total))
    models: list[tuple[int, float, float]] = []
    for number in tracked.tolist():
        stretch = gaps.stretch(number)
        place = np.flatnonzero(within[stretch]) + stretch.start
        extra = _extra(gaps.ratio[place], setting.before[place], options)
        if extra > options.word and _are_cells(place, gaps, setting, options):
            continue
        limit[stretch] += gaps.height[stretch] * extra
        if extra > options.tracked_least:
            letter = float(np.median(gaps.ratio[place]))
            models.append((int(setting.font[place[0]]), float(gaps.height[place[0]]), letter))
    if models:
        short = np.flatnonzero((total > 0) & (total < options.tracked_letters - 1) & (loose == total))
        _widen_short(limit, gaps, setting, (within, short.tolist(), models))


def _widen_short(
    limit: Floats,
    gaps: LineGaps,
    setting: Setting,
    found: tuple[Bools, list[int], list[tuple[int, float, float]]],
) -> None:
    """Raise the limit of lines of two or three letters that are set as a letter-spaced line is: font, size and gap.

    Args:
        limit: float64[n]: the gap that separates words, points; changed.
        gaps: the gaps.
        setting: how their glyphs were set.
        found: bool[n]: gaps between letters, the numbers of the short lines, and the font, height and letter gap (in
            heights) of each letter-spaced line.
    """
    within, short, models = found
    for number in short:
        stretch = gaps.stretch(number)
        place = np.flatnonzero(within[stretch]) + stretch.start
        ends = np.append(place, place + 1)
        if not (setting.classes[ends] & (LETTER | DIGIT)).all():
            continue  # signs of formulas stand apart by themselves
        for other, tall, letter in models:
            alike = (setting.font[ends] == other).all() and (
                np.abs(gaps.height[place] - tall) <= _SAME_HEIGHT * tall
            ).all()
            most, least = gaps.ratio[place].max(), gaps.ratio[place].min()  # kerning brings letters closer
            if alike and abs(most - letter) <= _SAME_GAP and least >= _TIGHT * letter:
                limit[stretch] += gaps.height[stretch] * letter
                break


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
        tight = np.count_nonzero(gaps < _TIGHT * letter)
        if even < 0.6 * len(gaps) or tight > _FEW_TIGHT * len(gaps):
            return 0.0
        if 2 * np.count_nonzero(classes & LETTER) < len(gaps):
            return 0.0
    wide = np.sort(gaps[gaps >= letter])
    steps = wide[1:] - wide[:-1]
    place = int(np.argmax(steps)) if len(steps) else 0
    if len(steps) and steps[place] >= options.tracked_step and wide[place] > letter + options.word:
        return (
            float(wide[place] + wide[place + 1]) / 2 - options.word
        )  # each word is spread to a grid by itself
    return letter


def _are_cells(place: Indices, gaps: LineGaps, setting: Setting, options: GapOptions) -> bool:
    """Tell whether single letters, each shown by itself, are the cells of a table's row rather than letter-spaced text.

    Letter-spacing makes gaps even whatever the letters; the columns of a table make their starts, middles or ends even.

    Args:
        place: int64[n]: the moves between them.
        gaps: the gaps of the page.
        setting: how the glyphs were set.
        options: the thresholds.
    """
    alone = setting.show[place] != setting.show[place + 1]
    if 2 * np.count_nonzero(alone) <= len(place):
        return False
    gap, height = gaps.ratio[place], gaps.height[place]
    letter = np.median(gap)
    near = np.abs(gap - letter) <= options.tracked_spread
    starts, ends = (
        -setting.moves.back[place][near] / height[near],
        gap[near] + setting.moves.own[place][near] / height[near],
    )
    spread = float(np.std(gap[near]))
    others = min(float(np.std(column)) for column in (starts, (starts + ends) / 2, ends))
    if letter > options.tracked_apart:
        return not spread < _EVENER * others
    return others < _EVENER * spread


def tighten(limit: Floats, gaps: LineGaps, space: Bools, options: GapOptions) -> None:
    """Lower the limit of long lines without any space whose gaps fall into two groups, letters and words.

    Args:
        limit: float64[n]: the gap that separates words, points; changed.
        gaps: the gaps.
        space: bool[n]: moves that are spaces already.
        options: the thresholds.
    """
    inside = gaps.tally(gaps.within)
    found = gaps.tally(space)
    for number in np.flatnonzero((inside >= options.tight_letters) & (found == 0)).tolist():
        stretch = gaps.stretch(number)
        values = np.sort(gaps.ratio[stretch][gaps.within[stretch]])
        steps = np.diff(values)
        steps[(values[1:] < options.tight_least) | (values[:-1] > options.word)] = 0.0
        place = int(np.argmax(steps))
        words = len(values) - 1 - place
        if steps[place] >= options.tight_step and len(values) / 15 <= words <= len(values) / 2.5:
            limit[stretch] = (values[place] + values[place + 1]) / 2 * gaps.height[stretch]


def tighten_by_valley(
    limit: Floats, gaps: LineGaps, setting: Setting, painted: Bools, options: GapOptions
) -> None:
    """Lower the limit of lines whose letters stand close, with no gap between these and gaps just under the limit.

    TeX shrinks the spaces of justified lines to two thirds, and paints none: only for pages without a painted space, and
    for long lines without one. A change of font before a sign is left alone: slanted letters stand apart from upright
    brackets.

    Args:
        limit: float64[n]: the gap that separates words, points; changed.
        gaps: the gaps.
        setting: how their glyphs were set.
        painted: bool[n]: gaps in which a space is painted.
        options: the thresholds.
    """
    nearly = gaps.within & (gaps.ratio > options.tight_word) & (gaps.ratio <= options.word)
    if not nearly.any():
        return
    close = gaps.tally(gaps.within & (gaps.ratio < options.tight_least))
    between = gaps.tally(
        gaps.within & (gaps.ratio >= options.tight_least) & (gaps.ratio <= options.tight_word)
    )
    total = gaps.tally(gaps.within)
    valley = (close >= options.tight_close * total) & (between <= options.tight_between * total)
    if painted.any():
        valley &= (total >= options.tight_letters) & (gaps.tally(painted) == 0)
    else:
        valley &= total >= options.tracked_letters
    one_font = setting.font[1:] == setting.font[:-1]
    chosen = gaps.spread(valley) & (one_font | ((setting.after & (LETTER | DIGIT)) != 0))
    chosen &= np.abs(limit - options.word * gaps.height) <= 1e-9 * gaps.height
    limit[chosen] = options.tight_word * gaps.height[chosen]


def tighten_between_shows(limit: Floats, gaps: LineGaps, setting: Setting, options: GapOptions) -> None:
    """Lower the limit where a show operation ends and another one begins, if their letters stand close.

    Cells of narrow tables, and the words of an OCR layer, are set one by one; no producer that shows several letters at
    once, and paints its spaces, leaves a gap inside a word.

    Args:
        limit: float64[n]: the gap that separates words, points; changed.
        gaps: the gaps.
        setting: how their glyphs were set.
        options: the thresholds.
    """
    ratio, show, font = gaps.ratio, setting.show, setting.font
    at = np.flatnonzero((ratio > options.between_shows) & (ratio <= options.word) & gaps.within)
    at = at[(at > 0) & (at < len(ratio) - 1)]
    if not len(at):
        return
    at = at[(show[at] != show[at + 1]) & (show[at - 1] == show[at]) & (show[at + 1] == show[at + 2])]
    at = at[
        ((setting.before[at] & _TEXT) != 0) & ((setting.after[at] & _TEXT) != 0) & (font[at] == font[at + 1])
    ]
    at = at[np.abs(gaps.height[at] - gaps.height[at - 1]) <= _SAME_HEIGHT * gaps.height[at]]
    close = options.tight_least
    at = at[(np.abs(ratio[at - 1]) < close) & (np.abs(ratio[at + 1]) < close)]
    limit[at] = np.minimum(limit[at], options.between_shows * gaps.height[at])


def part_leaders(limit: Floats, gaps: LineGaps, sign: Indices, options: GapOptions) -> None:
    """Lower the limit at both ends of leaders: more than the gap between their dots is a space.

    A leader fills what is left of a line, so that the distance to the words at its ends is any below a dot's.

    Args:
        limit: float64[n]: the gap that separates words, points; changed.
        gaps: the gaps.
        sign: int64[n + 1]: number of the text of each glyph that may be part of a leader, 0 for letters, digits and none.
        options: the thresholds.
    """
    same = (sign[1:] == sign[:-1]) & (sign[1:] > 0) & gaps.within
    if np.count_nonzero(same) < options.leader - 1:
        return
    edges = np.flatnonzero(np.diff(same, prepend=False, append=False))
    first, end = edges[::2], edges[1::2]
    long = end - first >= options.leader - 1
    for border, inside in ((first[long] - 1, first[long]), (end[long], end[long] - 1)):
        there = (border >= 0) & (border < len(limit))
        border, inside = border[there], inside[there]
        apart = (
            gaps.ratio[inside] * gaps.height[inside] > limit[inside]
        )  # each dot is a word: only what touches is not
        least = np.where(apart, 0.0, np.maximum(gaps.ratio[inside], 0.0)) + options.leader_gap
        limit[border] = np.minimum(limit[border], least * gaps.height[border])
