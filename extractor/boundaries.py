"""Replays what separates neighbours (rule B8): the measured gap and move, the limits, and the rule that decided.

In: the glyphs of a page and its options. Out: one `Boundary` for each two neighbours in paint order. It must not decide
anything: it calls the functions that decided, again or under other options, and names the answer.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from extractor import lines as line_rules
from extractor.decided import Decided
from extractor.gaps import Ends, painted_spaces, separates_words, word_gaps
from extractor.glyph_table import CJK, MARK, WHITE, Classes
from extractor.glyphs import Bools, Floats
from extractor.lines import breaks_line
from extractor.moves import Indices, Moves, measure
from extractor.options import GapOptions
from extractor.visible import cut_between

SEPARATORS = ("none", "space", "newline")
"""Names of what stands between two neighbours, by the numbers of `lines`."""

_NEVER = 1 << 40
"""More than a line has letters, and than a letter has heights of another: switches a refinement off."""


class Rule(Enum):
    """What decided: the number of the rule and what it found."""

    MODE = "R7", "the writing mode changes"
    TURN = "R6", "the baseline turns"
    MOVE = "R6", "the move across the baseline is over its limit"
    APART = "R6", "the boxes do not meet across the baseline"
    PAINTED = "R5", "a space is painted"
    GAP = "R5", "the gap is over its limit"
    LOOSE = "B2", "the gap is over the limit of this letter-spaced line"
    TIGHT = "B2", "the gap is over the limit of this tightly set line"
    BACK = "B3", "the pen jumps back along the baseline"
    CUT = "B4", "clipping cuts the text, and other text follows"
    STEPPED_OVER = "R5", "a space is painted, and stepped back over"
    IDEOGRAPHS = "R5", "no space between two CJK characters"
    BORDER = "R5", "this page spaces the borders of CJK text"
    LETTERS = "B2", "the gap is letter-spacing"
    DROP_CAP = "R6", "a drop cap stands in the line that it begins"
    WITHIN = "R5", "the gap is within its limit"


_RULES = tuple(Rule)


@dataclass(frozen=True, slots=True)
class Boundary:
    """Two neighbours in paint order and what separates them. Lengths in units of user space."""

    before: int
    after: int
    """The two glyphs, as indices of painted glyphs."""
    before_text: str
    after_text: str
    separator: str
    """"none", "space" or "newline"."""
    rule: str
    """Number of the rule that decided."""
    reason: str
    """What the rule found."""
    gap: float
    """From the end of the one to the start of the other along the baseline (R5)."""
    gap_limit: float
    """A gap over this is a space."""
    move: float
    """Of the start across the baseline, upwards (R6)."""
    move_limit: float
    """A move over this, up or down, is a new line."""
    back: float
    """Of the start back along the baseline; negative for a move forward (B3)."""
    back_limit: float
    height: float
    """Of the second glyph."""
    read_as: str
    """What stands between the two in the text; empty where reading order takes them apart."""


@dataclass(frozen=True)
class _Replay:
    """The steps of `lines.read_sequence`, kept."""

    spine: Indices
    moves: Moves
    classes: Classes
    newline: Bools
    white: Bools
    """Whether white space was painted between two neighbours, wherever it stands."""
    painted: Bools
    limit: Floats
    plain: Floats
    """The limit without refinements."""
    cut: Bools
    """Whether clipping cut off what came before the next (B4)."""
    inserted: Bools


def name_boundaries(decided: Decided) -> list[Boundary]:
    """Return the boundaries of a page in paint order; combining marks belong to their letters and have none."""
    replay = _replay(decided)
    if replay is None:
        return []
    glyphs, moves, options = decided.glyphs, replay.moves, decided.options
    separator = np.where(replay.newline, 2, (replay.painted | replay.inserted).astype(np.int64))
    rules = _name_rules(decided, replay)
    texts = [glyphs.texts[number] for number in decided.said[replay.spine].tolist()]
    columns = (
        replay.spine[:-1], replay.spine[1:], separator, rules, moves.gap, replay.limit, moves.across,
        options.lines.move * moves.tallest, moves.back, options.gaps.jump_back * moves.tallest, moves.height,
    )  # fmt: skip
    rows = zip(*(column.tolist() for column in columns), _read_as(decided, replay.spine), strict=True)
    return [
        Boundary(
            before, after, texts[place], texts[place + 1], SEPARATORS[between], *_why(rule),
            gap, limit, move, most, back, farthest, height, read,
        )
        for place, (before, after, between, rule, gap, limit, move, most, back, farthest, height, read)
        in enumerate(rows)
    ]  # fmt: skip


def _why(rule: int) -> tuple[str, str]:
    number, reason = _RULES[rule].value
    return number, reason


def _replay(decided: Decided) -> _Replay | None:
    glyphs, options = decided.glyphs, decided.options
    index = np.flatnonzero(decided.readable)
    white = (decided.classes[index] & WHITE) != 0
    in_text = index[~white]
    marks = (decided.classes[in_text] & MARK) != 0
    spine = in_text[~line_rules._follows(glyphs, in_text, marks)] if len(in_text) else in_text
    if len(spine) < 2:
        return None
    classes = decided.classes[spine]
    moves = measure(glyphs, spine, options.lines)
    newline = breaks_line(moves, options.lines)
    painted = painted_spaces(glyphs, index, white, spine, moves) & ~newline
    unrefined = replace(options.gaps, tracked_letters=_NEVER, tight_letters=_NEVER, cjk_borders=_NEVER)

    def limits(gaps: GapOptions) -> Floats:
        return word_gaps(glyphs, spine, moves, Ends(newline, painted), classes, gaps)

    limit = limits(options.gaps)
    cut = cut_between(glyphs, spine)
    inserted = (separates_words(moves, classes, limit, options.gaps) | cut) & ~painted & ~newline
    between: Bools = np.diff(np.cumsum(white)[np.searchsorted(index, spine)]) > 0
    return _Replay(spine, moves, classes, newline, between, painted, limit, limits(unrefined), cut, inserted)


def _name_rules(decided: Decided, replay: _Replay) -> NDArray[np.int64]:
    """Return the index in `Rule` of what decided at each boundary: the first that holds."""
    moves, classes, gaps = replay.moves, replay.classes, decided.options.gaps
    nowhere = np.zeros(len(moves.gap), np.bool_)
    only_move = breaks_line(replace(moves, turned=nowhere, apart=nowhere), decided.options.lines)
    forward = replace(moves, back=np.full(len(moves.gap), -np.inf))
    by_gap = separates_words(forward, classes, replay.limit, gaps)
    otherwise = separates_words(moves, classes & ~np.array(CJK, classes.dtype), replay.limit, gaps)
    plainly = separates_words(moves, classes, replay.plain, gaps)
    vertical = decided.glyphs.vertical[replay.spine]
    newline, inserted = replay.newline, replay.inserted
    border = ((classes[:-1] ^ classes[1:]) & CJK) != 0
    answers = {
        Rule.MODE: newline & (vertical[1:] != vertical[:-1]),
        Rule.TURN: newline & moves.turned,
        Rule.MOVE: newline & only_move,
        Rule.APART: newline,
        Rule.PAINTED: replay.painted,
        Rule.LOOSE: inserted & by_gap & (replay.limit > replay.plain),
        Rule.TIGHT: inserted & by_gap & (replay.limit < replay.plain),
        Rule.GAP: inserted & by_gap,
        Rule.CUT: inserted & replay.cut,
        Rule.BACK: inserted,
        Rule.DROP_CAP: breaks_line(moves, replace(decided.options.lines, drop_cap=float(_NEVER))) & ~newline,
        Rule.STEPPED_OVER: replay.white,
        Rule.IDEOGRAPHS: otherwise,
        Rule.BORDER: plainly & border,
        Rule.LETTERS: plainly,
    }
    numbers = [_RULES.index(rule) for rule in answers]
    return np.select(list(answers.values()), numbers, _RULES.index(Rule.WITHIN)).astype(np.int64)


def _read_as(decided: Decided, spine: Indices) -> list[str]:
    """Return what stands in the text between neighbours of the spine, read forwards or backwards."""
    sequence = decided.sequence
    on_spine = np.zeros(len(decided.glyphs), np.bool_)
    on_spine[spine] = True
    chosen = np.flatnonzero(on_spine[sequence.index])
    rank = np.full(len(decided.glyphs), -2, np.int64)
    rank[sequence.index[chosen]] = np.arange(len(chosen))
    one, other = rank[spine[:-1]], rank[spine[1:]]
    together = (np.abs(one - other) == 1) & (one >= 0) & (other >= 0)
    before = np.append(sequence.before[chosen], 0)[np.where(together, np.maximum(one, other), -1)]
    return [
        SEPARATORS[name] if near else ""
        for name, near in zip(before.tolist(), together.tolist(), strict=True)
    ]
