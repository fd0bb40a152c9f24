"""From show runs to glyphs: the text space details of ISO 32000-1, 9.4.4, over whole columns.

In: show runs and the document's glyph table. Out: `Glyphs`. The text advance, ((w0 - TJ/1000) x Tfs + Tc + Tw) x Th, has
its one home here. It must not know visibility, copies, words or lines.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from extractor.codes import split_codes
from extractor.glyph_table import GlyphTable
from extractor.glyphs import Bools, Floats, Glyphs, Ints
from extractor.show_runs import ShowRuns
from extractor.tokens import NumberTable

Integers = NDArray[np.int64]
_FARTHEST = 1e9
"""Points; what lies farther away only overflows."""


class _Shows(NamedTuple):
    """Text states and matrices, one entry a show operation; float64[shows] unless said otherwise."""

    font: Integers
    size: Floats
    tc: Floats
    tw: Floats
    th: Floats
    rise: Floats
    matrix: Floats
    """float64[shows, 6]."""
    vertical: Bools
    ascent: Floats
    descent: Floats


class _Pieces(NamedTuple):
    """One entry a piece."""

    show: Integers
    shift: Floats
    """The TJ adjustment before the piece in text space, float64[pieces]: -TJ/1000 x Tfs x Th."""
    first: Integers
    """Index of its first glyph, or of the next glyph if it is empty."""


def build_glyphs(runs: ShowRuns, table: GlyphTable, adjustments: NumberTable, most: int) -> Glyphs:
    """Return the painted glyphs of a page.

    Args:
        runs: what the interpreter wrote down.
        table: the document's glyph table; rows for codes not met before are added to it.
        adjustments: the document's memory of TJ adjustments.
        most: glyphs beyond this number are left out.
    """
    with np.errstate(all="ignore"):
        shows = _shows(runs, table)
        counts = np.diff(np.array(runs.show_end, np.int64), prepend=0)
        piece_show = np.repeat(np.arange(len(counts)), counts)
        fonts = [entry.font for entry in table.fonts]
        codes, glyph_piece = split_codes(runs.pieces, shows.font[piece_show], fonts)
        codes, glyph_piece = codes[:most], glyph_piece[:most]
        shift = np.fromiter(map(adjustments.__getitem__, runs.adjustments), np.float64, len(runs.adjustments))
        shift *= (shows.size * np.where(shows.vertical, 1.0, shows.th) * -0.001)[piece_show]
        first = np.searchsorted(glyph_piece, np.arange(len(piece_show)))
        pieces = _Pieces(piece_show, shift, first)
        return _place(runs, table, shows, pieces, codes, glyph_piece)


def _shows(runs: ShowRuns, table: GlyphTable) -> _Shows:
    rows = np.array(runs.rows, np.float64).reshape(-1, 8)
    row = np.array(runs.show_row, np.int64)
    state = rows[row].T
    font = state[0].astype(np.int64)
    segment = np.array(runs.show_segment, np.int64)
    linear = (
        np.array(runs.linear, np.float64).reshape(-1, 4)[np.array(runs.segment_linear, np.int64)[segment]].T
    )
    la, lb, lc, ld = linear
    le = np.array(runs.segment_e, np.float64)[segment]
    lf = np.array(runs.segment_f, np.float64)[segment]
    a, b, c, d, e, f = np.array(runs.matrices, np.float64).reshape(-1, 6)[state[6].astype(np.int64)].T
    matrix = np.stack(
        (
            la * a + lb * c,
            la * b + lb * d,
            lc * a + ld * c,
            lc * b + ld * d,
            le * a + lf * c + e,
            le * b + lf * d + f,
        ),
        axis=1,
    )
    np.clip(np.nan_to_num(matrix, copy=False), -_FARTHEST, _FARTHEST, out=matrix)
    vertical = np.array([entry.font.vertical for entry in table.fonts], np.bool_)
    ascent = np.array([entry.font.ascent for entry in table.fonts], np.float64)
    descent = np.array([entry.font.descent for entry in table.fonts], np.float64)
    return _Shows(font, *state[1:6], matrix, vertical[font], ascent[font], descent[font])


def _rows(table: GlyphTable, fonts: Integers, codes: Integers) -> Ints:
    """Return the table row of each glyph; int32[n]."""
    used = np.unique(fonts).tolist()
    if len(used) == 1:
        return table.look_up(used[0], codes)
    rows = np.zeros(len(codes), np.int32)
    for number in used:
        place = np.flatnonzero(fonts == number)
        rows[place] = table.look_up(number, codes[place])
    return rows


def _pen(own: Floats, pieces: _Pieces, shift: Floats, glyph_piece: Integers, segment: Integers) -> Floats:
    """Return where the pen is at each glyph, along one axis of text space, from its segment's beginning; float64[n].

    Args:
        own: float64[n]: full displacement of each glyph along the axis.
        pieces: the pieces.
        shift: float64[pieces]: the adjustments along the axis.
        glyph_piece: int64[n].
        segment: int64[shows]: the text-matrix segment of each show.
    """
    before = np.concatenate((np.zeros(1), np.cumsum(own)))
    shifted = np.cumsum(shift)
    piece_segment = segment[pieces.show]
    begins = np.flatnonzero(np.diff(piece_segment, prepend=-1))
    origin = before[pieces.first[begins]] + shifted[begins] - shift[begins]
    origin_of_piece = np.repeat(origin, np.diff(begins, append=len(shift)))
    return before[:-1] + (shifted - origin_of_piece)[glyph_piece]


def _place(
    runs: ShowRuns, table: GlyphTable, shows: _Shows, pieces: _Pieces, codes: Integers, glyph_piece: Integers
) -> Glyphs:
    show = pieces.show[glyph_piece]
    font = shows.font[show]
    row = _rows(table, font, codes)
    size, th, rise = shows.size[show], shows.th[show], shows.rise[show]
    spacing = shows.tc[show] + shows.tw[show] * table.word_space[row]
    width = table.width[row] * size * th
    down = shows.vertical[show]
    segment = np.array(runs.show_segment, np.int64)
    matrix = shows.matrix.T[:, show]
    if down.any():
        place = _Vertical.measure(table.vertical[row], size, down, width)
        across = np.where(down, 0.0, width + spacing * th)
        along = np.where(down, place.advance + spacing, 0.0)
        piece_down = shows.vertical[pieces.show]
        x = _pen(across, pieces, np.where(piece_down, 0.0, pieces.shift), glyph_piece, segment)
        y = _pen(along, pieces, np.where(piece_down, pieces.shift, 0.0), glyph_piece, segment)
        return _columns(
            _Placed(x, y, across, along, rise, place), matrix, shows, show, (row, font, codes), table, runs
        )
    across = width + spacing * th
    x = _pen(across, pieces, pieces.shift, glyph_piece, segment)
    zero = np.zeros(len(x))
    still = _Vertical(zero, zero, width, width, zero, down)
    return _columns(
        _Placed(x, zero, across, zero, rise, still), matrix, shows, show, (row, font, codes), table, runs
    )


class _Vertical(NamedTuple):
    """How far each glyph's box and own advance reach in text space; float64[n]."""

    left: Floats
    """From the pen to the box's left side: -vx x size in vertical writing, else 0."""
    advance: Floats
    """Own advance along y in vertical writing, else 0."""
    width: Floats
    """Width of the box."""
    own_x: Floats
    own_y: Floats
    down: Bools

    @staticmethod
    def measure(metrics: Floats, size: Floats, down: Bools, width: Floats) -> _Vertical:
        """Return the reach of each glyph from its vertical metrics (9.7.4.3), float64[n, 3] in em."""
        left = np.where(down, -metrics[:, 0] * size, 0.0)
        advance = np.where(down, metrics[:, 2] * size, 0.0)
        return _Vertical(left, advance, width, np.where(down, 0.0, width), advance, down)


class _Placed(NamedTuple):
    """Pen, displacement and reach of each glyph in text space; float64[n]."""

    x: Floats
    y: Floats
    advance_x: Floats
    advance_y: Floats
    rise: Floats
    reach: _Vertical


def _columns(
    placed: _Placed,
    matrix: Floats,
    shows: _Shows,
    show: Integers,
    keys: tuple[Ints, Integers, Integers],
    table: GlyphTable,
    runs: ShowRuns,
) -> Glyphs:
    row, font, codes = keys
    a, b, c, d, e, f = matrix
    reach = placed.reach
    base_x, base_y = placed.x * a + placed.y * c + e, placed.x * b + placed.y * d + f
    start_x, start_y = base_x + placed.rise * c, base_y + placed.rise * d
    ux, uy, height, em = (column[show] for column in _directions(shows))
    low, high = (shows.descent * shows.size)[show], (shows.ascent * shows.size)[show]
    if reach.down.any():
        low = np.where(reach.down, 0.0, low)
        high = np.where(reach.down, reach.advance, high)
    left_x, left_y = start_x + reach.left * a, start_y + reach.left * b
    return Glyphs(
        table.text_id[row],
        start_x, start_y,
        start_x + reach.own_x * a + reach.own_y * c, start_y + reach.own_x * b + reach.own_y * d,
        base_x, base_y,
        ux, uy, height, em,
        left_x + np.minimum(reach.width * a, 0.0) + np.minimum(low * c, high * c),
        left_y + np.minimum(reach.width * b, 0.0) + np.minimum(low * d, high * d),
        left_x + np.maximum(reach.width * a, 0.0) + np.maximum(low * c, high * c),
        left_y + np.maximum(reach.width * b, 0.0) + np.maximum(low * d, high * d),
        reach.down,
        font.astype(np.int32), codes.astype(np.int32), show.astype(np.int32),
        placed.advance_x, placed.advance_y,
        show_matrix=shows.matrix, show_row=np.array(runs.show_row, np.int32), texts=table.texts, runs=runs,
    )  # fmt: skip


def _directions(shows: _Shows) -> tuple[Floats, Floats, Floats, Floats]:
    """Return the unit vectors along the baseline, the box heights and the ems, float64[shows] each."""
    a, b, c, d = shows.matrix.T[:4]
    sign = np.where(shows.size * shows.th < 0, -1.0, 1.0)
    down_sign = np.where(shows.size < 0, 1.0, -1.0)
    x = np.where(shows.vertical, c * down_sign, a * sign)
    y = np.where(shows.vertical, d * down_sign, b * sign)
    length = np.hypot(x, y)
    flat = length == 0
    length[flat] = 1.0
    x[flat] = 1.0
    em = np.hypot(c, d) * np.abs(shows.size)
    return x / length, y / length, em * (shows.ascent - shows.descent), em
