"""What the interpreter writes down: show operations as columns, before any geometry.

In: what an operator said. Out: append-only lists, one entry a string piece, a show operation, a text-matrix segment, a
text state, a paint state. Not one Python object a glyph. It must not know operators, fonts or Unicode.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

Matrix = tuple[float, float, float, float, float, float]
"""(a, b, c, d, e, f): x' = a x + c y + e, y' = b x + d y + f (8.3.3)."""

IDENTITY: Matrix = (1.0, 0.0, 0.0, 1.0, 0.0, 0.0)


def multiply(first: Matrix, second: Matrix) -> Matrix:
    """Return `first` x `second` (8.3.4): the map that applies `first`, then `second`."""
    a, b, c, d, e, f = first
    k, l, m, n, o, p = second  # noqa: E741 - the second matrix's letters
    return (
        a * k + b * m,
        a * l + b * n,
        c * k + d * m,
        c * l + d * n,
        e * k + f * m + o,
        e * l + f * n + p,
    )


class Clip(NamedTuple):
    """One intersection of the clipping path (8.5.4), resolved only if text is shown under it."""

    parent: Clip | None
    path: bytes
    """Path construction operators, as they stand in the stream; the last subpaths before the clip operator."""
    matrix: Matrix
    """From the path's space to user space."""


class Cover(NamedTuple):
    """Path operators that may fill areas over text shown before (B4)."""

    shows: int
    """Show operations before it."""
    path: bytes
    matrix: Matrix
    clip: Clip | None


class PaintState(NamedTuple):
    """What decides whether a glyph shows (B4): one row for each change that text was shown under."""

    mode: int
    """Text rendering mode (9.3.6)."""
    clip: Clip | None
    white: bool
    """Whether the non-stroking colour is pure white (8.6.8)."""
    hidden: bool
    """Inside optional content that is off (8.11)."""
    span: int
    """Number of the ActualText span (14.9.4), counted from 1; 0 for none."""
    form: int
    """Number of the form XObject painted, counted from 1; 0 for the page's own stream."""
    annotation: bool
    """Inside an annotation's appearance stream (12.5.5)."""


MOST_COVERS = 2000
"""Runs of path operators remembered on a page."""


@dataclass(slots=True)
class ShowRuns:
    """The columns of a page in paint order.

    A *piece* is a string with the TJ adjustment before it; a *show* is one show operation; a *segment* is a stretch of
    shows whose pen runs on from one setting of the text matrix; a *row* is a text state.
    """

    strings: list[bytes] = field(default_factory=list)
    """All bytes of a show, codes still packed; one entry a show."""
    sizes: list[int] = field(default_factory=list)
    """Bytes of each piece, or hexadecimal digits of it where the show is in `digit_shows`."""
    adjustments: list[bytes] = field(default_factory=list)
    """Bytes of the numbers before each piece, in thousandths of text space (9.4.3); as many as sizes."""
    digit_shows: list[int] = field(default_factory=list)
    """Shows whose strings were written in hexadecimal."""
    show_end: list[int] = field(default_factory=list)
    """Number of pieces after each show."""
    show_row: list[int] = field(default_factory=list)
    show_segment: list[int] = field(default_factory=list)
    show_operation: list[int] = field(default_factory=list)
    """Byte offset of the show's operator in its stream: its place for whoever must find it again."""
    segment_e: list[float] = field(default_factory=list)
    segment_f: list[float] = field(default_factory=list)
    segment_linear: list[int] = field(default_factory=list)
    """Index into `linear`."""
    linear: list[tuple[float, float, float, float]] = field(default_factory=list)
    """The a, b, c, d of text line matrices."""
    rows: list[tuple[float, ...]] = field(default_factory=list)
    """(font, Tfs, Tc, Tw, Th, Trise, index into `matrices`, index into `paints`); lengths in unscaled text space."""
    matrices: list[Matrix] = field(default_factory=list)
    """Current transformation matrices."""
    paints: list[PaintState] = field(default_factory=list)
    spans: list[str] = field(default_factory=list)
    """Replacement texts (14.9.4); a paint state's span counts from 1 into this list."""
    forms: list[str] = field(default_factory=list)
    """Names of the form XObjects painted, in the order of their numbers."""
    covers: list[Cover] = field(default_factory=list)
    """What was painted opaquely after the first text, up to `MOST_COVERS`."""
    images: int = 0
    """Image XObjects and inline images painted."""
    image_area: float = 0.0
    """Sum of their areas, square units of user space."""

    def add_cover(self, path: bytes, matrix: Matrix, clip: Clip | None) -> None:
        """Remember path operators that follow text."""
        if self.show_end and len(self.covers) < MOST_COVERS:
            self.covers.append(Cover(len(self.show_end), path, matrix, clip))

    def add_image(self, matrix: Matrix) -> None:
        """Count an image that fills the unit square of a matrix (8.9.5)."""
        self.images += 1
        self.image_area += abs(matrix[0] * matrix[3] - matrix[1] * matrix[2])
