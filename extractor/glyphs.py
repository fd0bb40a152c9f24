"""The glyphs of a page as read-only columns in paint order.

In: arrays made by geometry. Out: `Glyphs`, what every later step reads. It must not know how the columns were computed.
Positions and lengths are in points of default user space (8.3.2.3), y up, before /Rotate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from extractor.show_runs import ShowRuns

Floats = NDArray[np.float64]
Ints = NDArray[np.int32]
Integers = NDArray[np.int64]
Bools = NDArray[np.bool_]

KEPT, OFF_PAGE, LAYER_OFF, CLIPPED, COPY = range(5)
"""What became of a glyph: in the text; centre outside the visible box (R3); in optional content that is off; wholly
outside its clipping path (B4); an overprinted copy (R4, B1)."""

FATES = ("kept", "off_page", "layer_off", "clipped", "copy")
"""Names of the fates, indexed by their numbers."""


@dataclass(frozen=True, slots=True, repr=False)
class Glyphs:
    """Every painted glyph of a page; all arrays have the same length, in paint order."""

    text_id: Ints
    """Index into `texts`; 0 for a code without Unicode."""
    start_x: Floats
    start_y: Floats
    """Origin on the baseline, rise included; for vertical writing the point the pen was at (9.7.4.3)."""
    end_x: Floats
    end_y: Floats
    """Start plus the glyph's own advance: width x size x Tz without Tc, Tw or TJ."""
    base_x: Floats
    base_y: Floats
    """Start without the text rise."""
    ux: Floats
    uy: Floats
    """Unit vector along the baseline, in writing direction."""
    height: Floats
    """Length of the ascent-to-descent side of the box."""
    x0: Floats
    y0: Floats
    x1: Floats
    y1: Floats
    """Axis-aligned bounds of the box."""
    vertical: Bools
    """Writing mode 1."""
    code: Integers
    """Character code, as the font's encoding splits the string."""
    show: Integers
    """Index of the show operation."""
    advance_x: Floats
    advance_y: Floats
    """The full displacement of 9.4.4 in text space: with Tc and Tw, without the adjustment of TJ."""
    show_matrix: Floats
    """float64[shows, 6]: text space to user space at each show operation."""
    show_row: Integers
    """Index of each show operation's text state in `states`."""
    states: Floats
    """float64[states, 8]: the text states as in `runs.rows`."""
    show_em: Floats
    """float64[shows]: length of the font's em, the size of Tf through the matrices, whatever its ascent and descent."""
    texts: Sequence[str]
    """Texts by text id, shared by all pages of a document."""
    runs: ShowRuns
    """What the interpreter wrote down."""
    uniform: tuple[float, float] | None
    """The direction of all glyphs where they have one, else None."""

    def __post_init__(self) -> None:
        """Make the columns read-only: no step changes its input."""
        for name in _PER_GLYPH:
            getattr(self, name).setflags(write=False)

    def __len__(self) -> int:
        """Return the number of glyphs."""
        return len(self.text_id)

    def __repr__(self) -> str:
        """Return how many glyphs there are and how their text begins."""
        begins = "".join(self.text(index) for index in range(min(len(self), 40)))
        return f"<{len(self)} glyphs: {begins!r}{'...' if len(self) > 40 else ''}>"

    def text(self, index: int) -> str:
        """Return the Unicode text of one glyph; empty where its font tells none."""
        return str(self.texts[self.text_id[index]])

    @property
    def em(self) -> Floats:
        """Length of each glyph's em; float64[n], points."""
        return self.show_em[self.show]

    @property
    def font(self) -> Integers:
        """Number of each glyph's font in the document's glyph table; int64[n]."""
        return self.states[:, 0].astype(np.int64)[self.show_row][self.show]

    @property
    def pen_x(self) -> Floats:
        """Start plus the full displacement of 9.4.4, x; float64[n], points."""
        matrix = self.show_matrix[self.show]
        return self.start_x + self.advance_x * matrix[:, 0] + self.advance_y * matrix[:, 2]

    @property
    def pen_y(self) -> Floats:
        """Start plus the full displacement of 9.4.4, y; float64[n], points."""
        matrix = self.show_matrix[self.show]
        return self.start_y + self.advance_x * matrix[:, 1] + self.advance_y * matrix[:, 3]

    @property
    def mode(self) -> Ints:
        """Text rendering mode of each glyph (9.3.6); int32[n]."""
        modes = np.array([paint.mode for paint in self.runs.paints] or [0], np.int32)
        return modes[self.paint]

    @property
    def paint(self) -> NDArray[np.int64]:
        """Index of each glyph's paint state in `runs.paints`; int64[n]."""
        return self.states[:, 7].astype(np.int64)[self.show_row][self.show]

    @property
    def character_spacing(self) -> Floats:
        """Tc x Th of each glyph's text state on the page, points; float64[n]."""
        scale = np.hypot(self.show_matrix[:, 0], self.show_matrix[:, 1])
        spacing: Floats = self.states[self.show_row, 2] * self.states[self.show_row, 4] * scale
        return spacing[self.show]

    @property
    def form(self) -> Ints:
        """Number of the form XObject that painted each glyph, from 1; 0 for the page's own stream (R2); int32[n]."""
        forms = np.array([paint.form for paint in self.runs.paints] or [0], np.int32)
        return forms[self.paint]

    @property
    def source(self) -> Ints:
        """Offset of the show operator in the page's own stream, or -1 for a glyph of a form (R2); int32[n]."""
        offsets = np.array(self.runs.show_operation or [0], np.int32)
        return np.where(self.form > 0, np.int32(-1), offsets[self.show])

    def select(self, index: NDArray[Any]) -> Glyphs:
        """Return the glyphs at `index` (bool[n] or integers), in the order given."""
        return replace(self, **{name: getattr(self, name)[index] for name in _PER_GLYPH})


_SHARED = ("show_matrix", "show_row", "states", "show_em", "texts", "runs", "uniform")
_PER_GLYPH = tuple(name for name in Glyphs.__slots__ if name not in _SHARED)
