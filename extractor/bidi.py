"""Puts the right-to-left text of a page into reading order (rule B6), whatever order it was painted in.

In: the sequence of kept glyphs in paint order. Out: the same with each line that holds right-to-left text in
reading order, and what its glyphs say with mirrored brackets and ligatures put right. It must not know what
else a page holds: a page without right-to-left text pays one test.
"""

from __future__ import annotations

from collections import Counter

import numpy as np
from numpy.typing import NDArray

from extractor.bidi_direction import direction, lean_of, page_letters, unturned_lines
from extractor.bidi_line import Item, Line, Source, read_line
from extractor.bidi_look import see_line
from extractor.bidi_marks import attach_marks, mark_evidence
from extractor.bidi_order import (
    MIRROR,
    OPENING,
    SPACE,
    is_mark,
    is_reversed_ligature,
    plain_mark,
    reading_order,
    turned_ligature,
)
from extractor.glyph_table import RTL, WHITE, GlyphTable
from extractor.glyphs import Glyphs, Ints
from extractor.lines import NEWLINE, Sequence
from extractor.lines import SPACE as SPACE_BEFORE
from extractor.options import GapOptions

_CLOSE = 6
"""The glyphs of one letter with its marks are at most so many glyphs apart in paint order."""
Read = list[tuple[Item, int]]
"""Items in reading order with their embedding levels (UAX #9)."""


def reorder_lines(
    glyphs: Glyphs,
    sequence: Sequence,
    said: Ints,
    table: GlyphTable,
    gaps: GapOptions,
    twin: NDArray[np.int64] | None = None,
) -> tuple[Sequence, Ints]:
    """Return the sequence in reading order and what each painted glyph says in it.

    Args:
        glyphs: the painted glyphs.
        sequence: the glyphs of the text, lines in paint order.
        said: int32[n]: text id of each painted glyph, replacement texts applied.
        table: the document's texts; texts put right are added.
        gaps: thresholds of R5.
        twin: int64[n]: the kept twin of each dropped copy (R4), -1 for other glyphs.
    """
    classes = table.text_class[said]
    rtl = (classes[sequence.index] & RTL) != 0
    if not rtl.any():
        return sequence, said
    spans = np.array([paint.span for paint in glyphs.runs.paints] or [0], np.int64)
    white = np.flatnonzero((classes & WHITE) != 0)
    source = Source(glyphs, sequence, said, table, gaps, spans[glyphs.paint], white, *_close_copies(twin))
    lines = {bounds: read_line(source, *bounds) for bounds in _bounds(glyphs, sequence, rtl)}
    _attach_all_marks(list(lines.values()))
    letters = page_letters(source)
    towards = {bounds: direction(line.items, letters) for bounds, line in lines.items()}
    seen = {bounds: see_line(source, line, towards[bounds] > 0) for bounds, line in lines.items()}
    for bounds in unturned_lines({bounds: seen[bounds] for bounds, line in lines.items() if line.forward}):
        del seen[bounds]
    read = {bounds: _read(pieces, towards[bounds]) for bounds, pieces in seen.items()}
    shapes = _fonts_by_shape(list(read.values()))
    if any(votes < 0 for votes in shapes.values()):
        by_character = sum(shapes.values()) < 0
        read = {bounds: _read(pieces, towards[bounds], by_character) for bounds, pieces in seen.items()}
    return _rebuild(source, read), _put_right(source, list(read.values()), shapes)


def _close_copies(twin: NDArray[np.int64] | None) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the copies painted at most a few glyphs behind their twins, and those twins, by twin."""
    if twin is None:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    copies = np.flatnonzero((twin >= 0) & (np.arange(len(twin)) - twin <= _CLOSE))
    copies = copies[np.argsort(twin[copies], kind="stable")]
    return copies, twin[copies]


def _bounds(glyphs: Glyphs, sequence: Sequence, rtl: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return (first, end) places of the horizontal lines that hold right-to-left text to put in order.

    A layer of invisible text whose glyphs are mirrored is in reading order: that is how programs that recognise
    text let right-to-left words run to the left.
    """
    begins = sequence.before == NEWLINE
    begins[0] = True
    firsts = np.flatnonzero(begins)
    ends = np.append(firsts[1:], len(begins))
    chosen = np.unique(np.cumsum(begins)[rtl] - 1)
    chosen = chosen[ends[chosen] - firsts[chosen] > 1]
    lead = sequence.index[firsts[chosen]]
    a, b, c, d = glyphs.show_matrix[glyphs.show[lead], :4].T
    recognised = (glyphs.mode[lead] == 3) & (a * d < b * c)
    chosen = chosen[~(glyphs.vertical[lead] | recognised)]
    return list(zip(firsts[chosen].tolist(), ends[chosen].tolist(), strict=True))


def _attach_all_marks(lines: list[Line]) -> None:
    """Attach marks as the page's lines say together, apart for the two directions of painting."""
    evidence = {True: 0.01, False: -0.01}
    for line in lines:
        if line.marks:
            evidence[line.forward] += mark_evidence(line)
    for line in lines:
        attach_marks(line, evidence[line.forward] > 0)


# -- order ---------------------------------------------------------------------------------------------------


def _read(pieces: list[list[Item]], towards: float, by_character: bool | None = None) -> Read:
    """Return a line in reading order: pieces as they are, cells in the line's direction, each by UAX #9.

    Args:
        pieces: what is seen of the line.
        towards: which way it runs, positive for right to left.
        by_character: whether brackets are told by character instead of by shape; None where that is unknown.
    """
    result: Read = []
    for piece in pieces:
        if result:
            result.append((Item([], 0.0, 0.0, 0.0, " ", SPACE, inserted=True), 0))
        cells = _cells(piece)
        for cell in reversed(cells) if towards > 0 else cells:
            own = towards if len(cells) == 1 else lean_of(cell, 1.0 if towards > 0 else -1.0)
            texts, kinds = [item.text for item in cell], [item.kind for item in cell]
            order, levels = reading_order(texts, kinds, own > 0, by_character)
            result += [(cell[place], levels[place]) for place in order]
    return result


def _cells(items: list[Item]) -> list[list[Item]]:
    """Return the items cut at wide spaces, each such space a cell of its own."""
    cells: list[list[Item]] = [[]]
    for item in items:
        if item.wide:
            cells += [[item], []]
        else:
            cells[-1].append(item)
    return cells


def _rebuild(source: Source, read: dict[tuple[int, int], Read]) -> Sequence:
    """Return the sequence with the lines read in place of those painted."""
    order = np.arange(len(source.sequence.index))
    before = source.sequence.before.copy()
    inserted = source.sequence.inserted.copy()
    for (first, end), items in read.items():
        lead = before[first]
        before[first:end], inserted[first:end] = 0, False
        place, space = first, None
        for item, _ in items:
            if item.kind == SPACE and not item.places:
                space = item
                continue
            if space is not None:
                before[place], inserted[place] = SPACE_BEFORE, space.inserted
            space = None
            own = item.places + item.marks
            order[place : place + len(own)] = own
            place += len(own)
        before[first], inserted[first] = lead, False
    return Sequence(source.sequence.index[order], before, inserted)


# -- what is said --------------------------------------------------------------------------------------------


def _put_right(source: Source, lines: list[Read], shapes: dict[int, int]) -> Ints:
    """Return what each glyph says, with mirrored characters, ligatures and marks as they are read."""
    said = source.said.copy()
    index, table = source.sequence.index, source.table
    turned = {
        item.font for line in lines for item, _ in line if not item.span and is_reversed_ligature(item.text)
    }
    for item, level in (entry for line in lines for entry in line):
        text = item.text
        if level % 2 and text in MIRROR and not item.span and shapes[item.font] >= 0:
            text = MIRROR[text]
        elif item.rtl and len(text) > 1 and not item.span:
            text = turned_ligature(text) if item.font in turned or is_reversed_ligature(text) else text
        if text != item.text:
            said[index[item.places[0]]] = table.intern(text)
        for mark in item.marks:
            told = table.texts[said[index[mark]]]
            new = "".join(sign for sign in plain_mark(told) if sign not in text) if is_mark(told) else ""
            text += new
            if new != told:
                said[index[mark]] = table.intern(new)
    return said


def _fonts_by_shape(lines: list[Read]) -> dict[int, int]:
    """Return for each font how much says that its brackets are told by shape, so that they must be turned.

    A font that tells the character says "(" where reading comes to an opening bracket, whose shape there
    is ")". A font that shows nothing of it goes with the others of the page, and by shape if none does.
    """
    votes: Counter[int] = Counter()
    fonts: set[int] = set()
    for line in lines:
        for place, (item, level) in enumerate(line):
            fonts.add(item.font)
            if level % 2 and item.text in MIRROR and not item.span:
                votes[item.font] += _opens(line, place) * (-1 if item.text in OPENING else 1)
        for font, balance in _balances(line).items():
            votes[font] -= balance
    total = sum(votes.values())
    return {font: votes[font] or total for font in fonts}


def _opens(line: Read, place: int) -> int:
    """Return 1 where a bracket opens by the spaces around it, -1 where it closes, else 0."""
    before = place == 0 or line[place - 1][0].kind == SPACE
    after = place + 1 == len(line) or line[place + 1][0].kind == SPACE
    return before - after


def _balances(line: Read) -> dict[int, int]:
    """Return how many more bracket pairs match as told than turned, by font."""
    found: dict[int, list[str]] = {}
    for item, level in line:
        if level % 2 and item.text in MIRROR and not item.span:
            found.setdefault(item.font, []).append(item.text)
    return {
        font: _matches(texts) - _matches([MIRROR[text] for text in texts]) for font, texts in found.items()
    }


def _matches(brackets: list[str]) -> int:
    open_ones: list[str] = []
    count = 0
    for bracket in brackets:
        if bracket in OPENING:
            open_ones.append(MIRROR[bracket])
        elif open_ones and open_ones[-1] == bracket:
            open_ones.pop()
            count += 1
    return count
