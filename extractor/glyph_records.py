"""Lists glyphs one by one: everything that is known of each, as plain values.

In: what was decided. Out: a `GlyphRecord` a glyph, for tables and JSON. It must not decide anything.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from extractor.decided import Box, Decided, Point, angles_on_page, points_on_page
from extractor.glyphs import COPY, FATES, KEPT
from extractor.moves import Indices


@dataclass(frozen=True, slots=True)
class GlyphRecord:
    """A painted glyph. Places in points of the page as shown, origin top left, y down; lengths in points."""

    index: int
    """In paint order, from 0."""
    text: str
    """Unicode as its font says; empty where it tells none."""
    said: str
    """What it says in the text: with accents, replacement texts (14.9.4) and the like; empty if not in it."""
    code: int
    font: str
    """Name of the font without subset tag."""
    start: Point
    """On the baseline."""
    end: Point
    """Start plus the glyph's own advance."""
    pen: Point
    """Start plus the full displacement of 9.4.4."""
    height: float
    em: float
    angle: float
    """Of the writing direction, degrees counter-clockwise."""
    vertical: bool
    """Writing mode 1."""
    box: Box
    show: int
    """Number of the show operation."""
    source: int | None
    """Offset of the show operator in the page's own stream; None for a glyph of a form (R2)."""
    form: str | None
    """Name of the form XObject that painted it."""
    annotation: bool
    """Whether an annotation painted it."""
    mode: int
    """Text rendering mode (9.3.6)."""
    white: bool
    """Whether the colour it is filled with is white."""
    fate: str
    """"kept", "copy", "off_page", "layer_off" or "clipped"."""
    twin: int | None
    """Of a copy: the kept glyph that it repeats."""


def list_glyphs(decided: Decided, fonts: Sequence[str], painted: bool) -> list[GlyphRecord]:
    """Return the visible glyphs, or all painted ones, in paint order.

    Args:
        decided: what became of the glyphs.
        fonts: font names by font number.
        painted: list copies, and glyphs off the page or hidden, too.
    """
    glyphs = decided.glyphs
    index = np.arange(len(glyphs)) if painted else np.flatnonzero(decided.fate == KEPT)
    in_text = np.zeros(len(glyphs), np.bool_)
    in_text[decided.sequence.index] = True
    said = np.where(in_text, decided.said, 0)
    columns = (
        glyphs.text_id, said, glyphs.code, glyphs.font, glyphs.height * decided.frame.unit,
        glyphs.em * decided.frame.unit, angles_on_page(decided), glyphs.vertical, glyphs.show, glyphs.source,
        glyphs.paint, decided.fate, decided.twin,
    )  # fmt: skip
    rows = zip(index.tolist(), *(column[index].tolist() for column in columns), strict=True)
    texts, paints, forms = glyphs.texts, glyphs.runs.paints, glyphs.runs.forms
    result: list[GlyphRecord] = []
    for row, (start, end, pen, box) in zip(rows, _places(decided, index), strict=True):
        at, text, says, code, font, height, em, angle, vertical, show, source, paint, fate, twin = row
        state = paints[paint]
        result.append(
            GlyphRecord(
                at, texts[text], texts[says], code, fonts[font], start, end, pen, height, em, angle, vertical,
                box, show, source if source >= 0 else None, forms[state.form - 1] if state.form else None,
                state.annotation, state.mode, state.white, FATES[fate], twin if fate == COPY else None,
            )
        )  # fmt: skip
    return result


def _places(decided: Decided, index: Indices) -> Iterator[tuple[Point, Point, Point, Box]]:
    """Return start, end, pen and box of each glyph on the page as shown."""
    glyphs, frame = decided.glyphs, decided.frame
    ends = ((glyphs.start_x, glyphs.start_y), (glyphs.end_x, glyphs.end_y), (glyphs.pen_x, glyphs.pen_y))
    points = [points_on_page(frame, x[index], y[index]) for x, y in ends]
    pairs = [zip(x.tolist(), y.tolist(), strict=True) for x, y in points]
    sides = frame.to_page(glyphs.x0[index], glyphs.y0[index], glyphs.x1[index], glyphs.y1[index])
    return zip(*pairs, zip(*(side.tolist() for side in sides), strict=True), strict=True)
