"""Puts the text of a page together: one string, and lines and words as columns over it.

In: the sequence of kept glyphs with their separators. Out: `PageText`. It must not decide where words end.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from extractor.glyphs import Floats, Glyphs
from extractor.lines import NEWLINE, NONE, Sequence

Box = tuple[float, float, float, float]
_SEPARATORS = np.array([0, 0x20, 0x0A], np.uint32)


@dataclass(frozen=True)
class Spans:
    """Stretches of a page's text with their boxes: one entry a line or a word; read-only columns of one length.

    Boxes are in points, origin top left of the visible box, y down, /Rotate applied.
    """

    page_text: str
    char_start: NDArray[np.int32]
    char_end: NDArray[np.int32]
    """Where the text lies in `page_text`, end exclusive."""
    x0: NDArray[np.float32]
    y0: NDArray[np.float32]
    x1: NDArray[np.float32]
    y1: NDArray[np.float32]
    angle: NDArray[np.float32]
    """Writing direction of the first glyph on the page as shown, degrees counter-clockwise, -180 to 180."""
    glyphs: NDArray[np.int32]
    """Kept glyphs in it."""
    copies: NDArray[np.int32]
    """Overprinted copies dropped from it."""

    def __post_init__(self) -> None:
        """Make the columns read-only: no step changes its input."""
        for name in self.columns():
            getattr(self, name).setflags(write=False)

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """Return the names of the columns."""
        return tuple(name for name in cls.__dataclass_fields__ if name != "page_text")

    def __len__(self) -> int:
        """Return the number of stretches."""
        return len(self.char_start)

    def texts(self) -> list[str]:
        """Return the text of each."""
        text = self.page_text
        return [text[a:b] for a, b in zip(self.char_start.tolist(), self.char_end.tolist(), strict=True)]

    def utf8(self) -> tuple[NDArray[np.int32], bytes]:
        """Return (offsets, bytes): the texts one after the other as Arrow lays out a string column.

        Returns:
            int32[n + 1] offsets into the bytes, and the UTF-8 bytes.
        """
        points = np.frombuffer(self.page_text.encode("utf-32-le", "surrogatepass"), np.uint32)
        inside = np.zeros(len(points) + 1, np.int32)
        np.add.at(inside, self.char_start, 1)
        np.add.at(inside, self.char_end, -1)
        chosen = np.cumsum(inside[:-1]) > 0
        size = (1 + (points > 0x7F) + (points > 0x7FF) + (points > 0xFFFF)) * chosen
        before = np.concatenate((np.zeros(1, np.int64), np.cumsum(size)))
        offsets = np.append(before[self.char_start], before[-1]).astype(np.int32)
        return offsets, points[chosen].tobytes().decode("utf-32-le", "surrogatepass").encode("utf-8")


@dataclass(frozen=True)
class Lines(Spans):
    """The lines of a page."""


@dataclass(frozen=True)
class Words(Spans):
    """The words of a page."""

    line: NDArray[np.int32]
    """Index of the line each word is in."""


@dataclass(frozen=True)
class Frame:
    """How user space maps to the page as shown."""

    box: Box
    """The visible box (14.11.2), points of user space."""
    rotation: int
    """0, 90, 180 or 270 degrees clockwise (Table 30)."""
    unit: float = 1.0
    """UserUnit (Table 30): user space units are this many points."""

    def to_page(
        self, x0: Floats, y0: Floats, x1: Floats, y1: Floats
    ) -> tuple[Floats, Floats, Floats, Floats]:
        """Return axis-aligned boxes of user space as boxes of the page as shown, y down."""
        left, bottom, right, top = self.box
        if self.rotation == 90:
            result = y0 - bottom, x0 - left, y1 - bottom, x1 - left
        elif self.rotation == 180:
            result = right - x1, y0 - bottom, right - x0, y1 - bottom
        elif self.rotation == 270:
            result = top - y1, right - x1, top - y0, right - x0
        else:
            result = x0 - left, top - y1, x1 - left, top - y0
        return tuple(column * self.unit for column in result)  # type: ignore[return-value]

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the page as shown, points."""
        width, height = self.box[2] - self.box[0], self.box[3] - self.box[1]
        if self.rotation in (90, 270):
            width, height = height, width
        return width * self.unit, height * self.unit


@dataclass(frozen=True)
class PageText:
    """The text of a page and its stretches."""

    text: str
    lines: Lines
    words: Words
    inserted_spaces: int


@dataclass(frozen=True)
class _Columns:
    """Glyphs in reading order, prepared for grouping."""

    glyphs: Glyphs
    index: NDArray[np.int64]
    end: NDArray[np.int64]
    """Index in the text behind each glyph's characters."""
    size: NDArray[np.int64]
    """Number of characters of each glyph."""
    copies: NDArray[np.int64]
    """Copies dropped of each glyph."""
    frame: Frame

    @cached_property
    def box(self) -> tuple[Floats, Floats, Floats, Floats]:
        """Boxes on the page as shown."""
        glyphs, index = self.glyphs, self.index
        return self.frame.to_page(glyphs.x0[index], glyphs.y0[index], glyphs.x1[index], glyphs.y1[index])


def build_text(
    glyphs: Glyphs, text_ids: NDArray[np.int32], sequence: Sequence, twin: NDArray[np.int64], frame: Frame
) -> PageText:
    """Return the page's text, its lines and its words.

    Args:
        glyphs: the painted glyphs.
        text_ids: int32[n]: what each glyph says, replacement texts applied.
        sequence: the glyphs of the text in reading order.
        twin: int64[n]: the kept twin of each copy, or -1.
        frame: how user space maps to the page as shown.
    """
    index, before = sequence.index, sequence.before
    said = [glyphs.texts[number] for number in text_ids[index].tolist()]
    size = np.fromiter(map(len, said), np.int64, len(said))
    before = _drop_empty_separators(before, size)
    end = np.cumsum(size + (before != NONE))
    points = np.zeros(int(end[-1]) if len(end) else 0, np.uint32)
    joined = "".join(said).encode("utf-32-le", "surrogatepass")
    start = end - size
    separated = np.flatnonzero(before != NONE)
    points[start[separated] - 1] = _SEPARATORS[before[separated]]
    is_text = np.ones(len(points), np.bool_)
    is_text[start[separated] - 1] = False
    points[is_text] = np.frombuffer(joined, np.uint32)
    text = points.tobytes().decode("utf-32-le", "surrogatepass")
    dropped = np.bincount(twin[twin >= 0], minlength=len(glyphs))
    columns = _Columns(glyphs, index, end, size, dropped[index], frame)
    line_first = np.flatnonzero((before == NEWLINE) | (np.arange(len(before)) == 0))
    word_first = np.flatnonzero((before != NONE) | (np.arange(len(before)) == 0))
    lines = Lines(text, *_group(columns, line_first))
    number = np.searchsorted(line_first, word_first, side="right") - 1
    words = Words(text, *_group(columns, word_first), line=number.astype(np.int32))
    filled = words.char_end > words.char_start
    if not filled.all():
        words = _only(words, filled)
    inserted = int((sequence.inserted & (before == 1)).sum())
    return PageText(text, lines, words, inserted)


def _drop_empty_separators(before: NDArray[np.uint8], size: NDArray[np.int64]) -> NDArray[np.uint8]:
    """Merge the separators around glyphs that say nothing, so that no space or line is empty."""
    if not len(size) or size.all():
        return before
    result = np.zeros_like(before)
    filled = np.flatnonzero(size)
    if len(filled):
        result[filled] = np.maximum.reduceat(before, np.append(0, filled[:-1] + 1))
        result[filled[0]] = NONE
    return result


def _group(columns: _Columns, first: NDArray[np.int64]) -> tuple[NDArray[np.generic], ...]:
    """Return the columns of `Spans` for the stretches that begin at `first`."""
    count = len(columns.index)
    if not count:
        empty, flat = np.zeros(0, np.int32), np.zeros(0, np.float32)
        return empty, empty, flat, flat, flat, flat, flat, empty, empty
    last = np.append(first[1:], count) - 1
    x0, y0, x1, y1 = columns.box
    glyphs, lead = columns.glyphs, columns.index[first]
    angle = np.degrees(np.arctan2(glyphs.uy[lead], glyphs.ux[lead])) - columns.frame.rotation
    return (
        (columns.end[first] - columns.size[first]).astype(np.int32),
        columns.end[last].astype(np.int32),
        np.minimum.reduceat(x0, first).astype(np.float32),
        np.minimum.reduceat(y0, first).astype(np.float32),
        np.maximum.reduceat(x1, first).astype(np.float32),
        np.maximum.reduceat(y1, first).astype(np.float32),
        ((angle + 180.0) % 360.0 - 180.0).astype(np.float32),
        np.diff(first, append=count).astype(np.int32),
        np.add.reduceat(columns.copies, first).astype(np.int32),
    )


def _only(words: Words, chosen: NDArray[np.bool_]) -> Words:
    return replace(words, **{name: getattr(words, name)[chosen] for name in words.columns()})
