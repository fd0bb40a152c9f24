"""From show runs to glyphs: the text space details of ISO 32000-1, 9.4.4, over whole columns.

In: show runs and the document's glyph table. Out: `Glyphs`. The text advance, ((w0 - TJ/1000) x Tfs + Tc + Tw) x Th, has
its one home here. It must not know visibility, copies, words or lines.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from extractor.codes import split_codes
from extractor.glyph_table import GlyphTable
from extractor.glyphs import Bools, Floats, Glyphs, Integers
from extractor.show_runs import ShowRuns
from extractor.tokens import NumberTable

_FARTHEST = 1e9
"""Points; what lies farther away only overflows."""


class _Shows(NamedTuple):
    """Text states and matrices, one entry a show operation; float64[shows] unless said otherwise."""

    row: Integers
    """Index into `states`."""
    states: Floats
    """float64[states, 8]: the text states as in `runs.rows`."""
    font: Integers
    size: Floats
    tc: Floats
    tw: Floats
    th: Floats
    rise: Floats
    segment: Integers
    """The text-matrix segment."""
    matrix: Floats
    """float64[6, shows]."""
    vertical: Bools
    low: Floats
    """Descent and, next, ascent times size, in text space."""
    high: Floats


class _Pieces(NamedTuple):
    """One entry a piece."""

    show: Integers
    shift: Floats
    """The TJ adjustment before the piece in text space, float64[pieces]: -TJ/1000 x Tfs x Th."""
    first: Integers
    """Index of its first glyph, or of the next glyph if it is empty."""
    of_glyph: Integers
    """int64[glyphs]: the piece of each glyph."""


class _Advance(NamedTuple):
    """How far each glyph moves the pen and reaches from it, in text space; float64[glyphs]."""

    x: Floats
    """Pen before the glyph, from its segment's beginning."""
    y: Floats
    move_x: Floats
    """Full displacement, Tc and Tw included."""
    move_y: Floats
    left: Floats
    """From the pen to the box's left side: -vx x size in vertical writing, else 0."""
    width: Floats
    """Width of the box: w0 x Tfs x Th."""
    down: Floats | None
    """Own advance along y of vertical writing; None where no glyph is vertical."""


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
        piece_show = _piece_shows(runs)
        codes, glyph_piece, counts = split_codes(
            runs.strings, _sizes(runs, piece_show), piece_show, shows.font, table.fonts
        )
        first = counts.cumsum()
        first -= counts
        if len(codes) > most:
            codes, glyph_piece, first = codes[:most], glyph_piece[:most], np.minimum(first, most)
        shift = np.fromiter(map(adjustments.__getitem__, runs.adjustments), np.float64, len(runs.adjustments))
        shift *= (shows.size * np.where(shows.vertical, 1.0, shows.th) * -0.001)[piece_show]
        pieces = _Pieces(piece_show, shift, first, glyph_piece)
        show = piece_show[glyph_piece]
        row = table.look_up_all(shows.font, show, codes)
        advance = _advance(table, shows, pieces, show, row)
        return _columns(advance, shows, show, (row, codes), table, runs)


def _sizes(runs: ShowRuns, piece_show: Integers) -> Integers:
    """Return the number of bytes of each piece; int64[pieces]."""
    sizes = np.array(runs.sizes, np.int64)
    if len(runs.digit_shows) == len(runs.strings):
        sizes >>= 1
    elif runs.digit_shows:
        digits = np.zeros(len(runs.strings), np.int64)
        digits[runs.digit_shows] = 1
        sizes >>= digits[piece_show]
    return sizes


def _piece_shows(runs: ShowRuns) -> Integers:
    counts = np.array(runs.show_end, np.int64)
    counts[1:] -= counts[:-1].copy()
    return np.repeat(np.arange(len(counts)), counts)


def _shows(runs: ShowRuns, table: GlyphTable) -> _Shows:
    show_row = np.array(runs.show_row, np.int64)
    states = np.array(runs.rows, np.float64).reshape(-1, 8)
    state = states.T[:, show_row]
    font = state[0].astype(np.int64)
    segment = np.array(runs.show_segment, np.int64)
    linear = np.array(runs.linear, np.float64).reshape(-1, 4).T
    la, lb, lc, ld = linear[:, np.array(runs.segment_linear, np.int64)[segment]]
    le, lf = np.array((runs.segment_e, runs.segment_f), np.float64)[:, segment]
    a, b, c, d, e, f = np.array(runs.matrices, np.float64).reshape(-1, 6).T[:, state[6].astype(np.int64)]
    matrix = np.empty((6, len(font)))
    matrix[0], matrix[1] = la * a + lb * c, la * b + lb * d
    matrix[2], matrix[3] = lc * a + ld * c, lc * b + ld * d
    matrix[4], matrix[5] = le * a + lf * c + e, le * b + lf * d + f
    if not np.abs(matrix).max(initial=0.0) < _FARTHEST:
        np.clip(np.nan_to_num(matrix, copy=False), -_FARTHEST, _FARTHEST, out=matrix)
    metrics = table.font_metrics[font].T
    size = state[1]
    return _Shows(
        show_row, states, font, size, state[2], state[3], state[4], state[5], segment, matrix,
        vertical=metrics[0] > 0, low=metrics[1] * size, high=metrics[2] * size,
    )  # fmt: skip


def _pen(own: Floats, shift: Floats, pieces: _Pieces, segment: Integers) -> Floats:
    """Return where the pen is at each glyph, along one axis of text space, from its segment's beginning; float64[n].

    Args:
        own: float64[n]: full displacement of each glyph along the axis.
        shift: float64[pieces]: the adjustments along the axis.
        pieces: the pieces.
        segment: int64[shows]: the text-matrix segment of each show.
    """
    before = np.empty(len(own) + 1)
    before[0] = 0.0
    np.cumsum(own, out=before[1:])
    shifted = shift.cumsum()
    piece_segment = segment[pieces.show]
    begins = np.flatnonzero(piece_segment[1:] != piece_segment[:-1]) + 1
    begins = np.concatenate((np.zeros(min(1, len(shift)), np.int64), begins))
    origin = before[pieces.first[begins]] + shifted[begins] - shift[begins]
    lengths = np.concatenate((begins[1:], np.array([len(shift)]))) - begins
    shifted -= np.repeat(origin, lengths)
    pen: Floats = before[:-1] + shifted[pieces.of_glyph]
    return pen


def _advance(table: GlyphTable, shows: _Shows, pieces: _Pieces, show: Integers, row: Integers) -> _Advance:
    width = table.width[row] * (shows.size * shows.th)[show]
    spacing: Floats | float = 0.0
    if shows.tc.any() or shows.tw.any():
        spacing = shows.tc[show] + shows.tw[show] * table.word_space[row]
    zero = np.zeros(len(row))
    if not shows.vertical.any():
        move = width + spacing * shows.th[show] if isinstance(spacing, np.ndarray) else width
        return _Advance(_pen(move, pieces.shift, pieces, shows.segment), zero, move, zero, zero, width, None)
    down, size, metrics = shows.vertical[show], shows.size[show], table.vertical[row]
    own = np.where(down, metrics[:, 2] * size, 0.0)
    across = np.where(down, 0.0, width + spacing * shows.th[show])
    along = np.where(down, own + spacing, 0.0)
    piece_down = shows.vertical[pieces.show]
    x = _pen(across, np.where(piece_down, 0.0, pieces.shift), pieces, shows.segment)
    y = _pen(along, np.where(piece_down, pieces.shift, 0.0), pieces, shows.segment)
    return _Advance(x, y, across, along, np.where(down, -metrics[:, 0] * size, 0.0), width, own)


class _Placed(NamedTuple):
    """Starts, ends and bounds in user space, points; float64[glyphs]."""

    start: tuple[Floats, Floats]
    end: tuple[Floats, Floats]
    base: tuple[Floats, Floats]
    box: tuple[Floats, Floats, Floats, Floats]


def _columns(
    advance: _Advance,
    shows: _Shows,
    show: Integers,
    keys: tuple[Integers, Integers],
    table: GlyphTable,
    runs: ShowRuns,
) -> Glyphs:
    upright = advance.down is None and _all_upright(shows) and bool((advance.width >= 0).all())
    placed = _place_upright(advance, shows, show) if upright else _place(advance, shows, show)
    direction, height, em = _directions(shows)
    count = len(show)
    if upright:
        ux, uy = np.ones(count), np.zeros(count)
    else:
        ux, uy = direction[0][show], direction[1][show]
    return Glyphs(
        table.text_id[keys[0]], *placed.start, *placed.end, *placed.base, ux, uy, height[show], *placed.box,
        vertical=np.zeros(count, np.bool_) if advance.down is None else shows.vertical[show], code=keys[1],
        show=show, advance_x=advance.move_x, advance_y=advance.move_y, show_matrix=shows.matrix.T,
        show_row=shows.row, states=shows.states, show_em=em, texts=table.texts, runs=runs,
        uniform=(1.0, 0.0) if upright else None,
    )  # fmt: skip


def _all_upright(shows: _Shows) -> bool:
    """Tell whether all text runs to the right and stands upright: most pages, and much less arithmetic."""
    a, b, c, d = shows.matrix[:4]
    return bool(
        not b.any() and not c.any() and (a > 0).all() and (d > 0).all() and (shows.size * shows.th > 0).all()
    )


def _place_upright(advance: _Advance, shows: _Shows, show: Integers) -> _Placed:
    a, _, _, d, e, f = shows.matrix
    x, width = advance.x, advance.width
    if len(a) and (a == a[0]).all():
        if a[0] != 1.0:
            x, width = x * a[0], width * a[0]
    else:
        scale = a[show]
        x, width = x * scale, width * scale
    start_x = x + e[show]
    end_x = start_x + width
    base_y = f[show]
    start_y = (f + shows.rise * d)[show] if shows.rise.any() else base_y
    bottom, top = start_y + (shows.low * d)[show], start_y + (shows.high * d)[show]
    return _Placed((start_x, start_y), (end_x, start_y), (start_x, base_y), (start_x, bottom, end_x, top))


def _place(advance: _Advance, shows: _Shows, show: Integers) -> _Placed:
    a, b, c, d, e, f = shows.matrix[:, show]
    rise, low, high, width = shows.rise[show], shows.low[show], shows.high[show], advance.width
    base_x, base_y = advance.x * a + advance.y * c + e, advance.x * b + advance.y * d + f
    start_x, start_y = base_x + rise * c, base_y + rise * d
    own_x, own_y = width, 0.0
    if advance.down is not None:
        down = shows.vertical[show]
        low, high = np.where(down, 0.0, low), np.where(down, advance.down, high)
        own_x, own_y = np.where(down, 0.0, width), advance.down  # type: ignore[assignment]
    left_x, left_y = start_x + advance.left * a, start_y + advance.left * b
    side_x, side_y = width * a, width * b
    low_x, low_y, high_x, high_y = low * c, low * d, high * c, high * d
    return _Placed(
        (start_x, start_y),
        (start_x + own_x * a + own_y * c, start_y + own_x * b + own_y * d),
        (base_x, base_y),
        (
            left_x + np.minimum(side_x, 0.0) + np.minimum(low_x, high_x),
            left_y + np.minimum(side_y, 0.0) + np.minimum(low_y, high_y),
            left_x + np.maximum(side_x, 0.0) + np.maximum(low_x, high_x),
            left_y + np.maximum(side_y, 0.0) + np.maximum(low_y, high_y),
        ),
    )


def _directions(shows: _Shows) -> tuple[tuple[Floats, Floats], Floats, Floats]:
    """Return the unit vectors along the baseline, the box heights and the ems, float64[shows] each."""
    a, b, c, d = shows.matrix[:4]
    sign = np.where(shows.size * shows.th < 0, -1.0, 1.0)
    down_sign = np.where(shows.size < 0, 1.0, -1.0)
    x = np.where(shows.vertical, c * down_sign, a * sign)
    y = np.where(shows.vertical, d * down_sign, b * sign)
    length = np.hypot(x, y)
    flat = length == 0
    length[flat] = 1.0
    x[flat] = 1.0
    side = np.hypot(c, d)
    return (x / length, y / length), side * np.abs(shows.high - shows.low), side * np.abs(shows.size)
