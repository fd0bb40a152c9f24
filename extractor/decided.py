"""What became of the glyphs of a page, in one value, for those who replay or list the decisions.

In: results of the page's steps. Out: `Decided` and places on the page as shown. It must not know why.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from extractor.glyph_table import Classes
from extractor.glyphs import Bools, Floats, Glyphs
from extractor.lines import Sequence
from extractor.options import Options
from extractor.page_text import Frame

Box = tuple[float, float, float, float]
Point = tuple[float, float]


@dataclass(frozen=True)
class Decided:
    """The glyphs of a page and the results of the steps over them; all arrays have one entry a painted glyph."""

    glyphs: Glyphs
    fate: NDArray[np.uint8]
    twin: NDArray[np.int64]
    """The kept glyph that each copy repeats, or -1."""
    readable: Bools
    """Which glyphs were given to the rules about lines and words."""
    classes: Classes
    """Class bits of what each glyph says, as those rules saw them."""
    said: NDArray[np.int32]
    """Text id of what each glyph says in the text."""
    sequence: Sequence
    """The text in reading order."""
    frame: Frame
    options: Options


def box_on_page(decided: Decided, index: int) -> Box:
    """Return a glyph's box on the page as shown: points, origin top left, y down."""
    glyphs, one = decided.glyphs, slice(index, index + 1)
    return shown_box(decided.frame, (glyphs.x0[one], glyphs.y0[one], glyphs.x1[one], glyphs.y1[one]))


def shown_box(frame: Frame, sides: tuple[Floats, Floats, Floats, Floats]) -> Box:
    """Return a box of user space, arrays of one entry, on the page as shown."""
    x0, y0, x1, y1 = (float(side[0]) for side in frame.to_page(*sides))
    return x0, y0, x1, y1


def points_on_page(frame: Frame, x: Floats, y: Floats) -> tuple[Floats, Floats]:
    """Return points of user space as points of the page as shown; float64, as long as `x`."""
    shown = frame.to_page(x, y, x, y)
    return shown[0], shown[1]


def angles_on_page(decided: Decided) -> Floats:
    """Return the writing direction of each glyph as shown, degrees counter-clockwise, -180 to 180; float64[n]."""
    glyphs = decided.glyphs
    angle = np.degrees(np.arctan2(glyphs.uy, glyphs.ux)) - decided.frame.rotation
    return (angle + 180.0) % 360.0 - 180.0
