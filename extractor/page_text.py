"""Puts the text of a page together: one string, and lines and words as columns over it.

In: the sequence of kept glyphs with their separators. Out: `PageText`. It must not decide where words end.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from extractor.glyph_table import TextColumns
from extractor.glyphs import Floats, Glyphs, Integers, Ints
from extractor.lines import NEWLINE, NONE, Sequence

Box = tuple[float, float, float, float]
_SEPARATORS = np.array([0, 0x20, 0x0A], np.uint32)


@dataclass(frozen=True, repr=False)
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
        return _COLUMNS

    def __len__(self) -> int:
        """Return the number of stretches."""
        return len(self.char_start)

    def __repr__(self) -> str:
        """Return how many there are and the first few."""
        first = ", ".join(repr(text) for text in self.texts()[:5])
        return f"<{len(self)} {type(self).__name__.lower()}: {first}{', ...' if len(self) > 5 else ''}>"

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


_COLUMNS = tuple(name for name in Spans.__dataclass_fields__ if name != "page_text")


@dataclass(frozen=True, repr=False)
class Lines(Spans):
    """The lines of a page."""


@dataclass(frozen=True, repr=False)
class Words(Spans):
    """The words of a page."""

    line: NDArray[np.int32]
    """Index of the line each word is in."""

    @classmethod
    def columns(cls) -> tuple[str, ...]:
        """Return the names of the columns."""
        return (*_COLUMNS, "line")


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


_EMPTY, _FLAT = np.zeros(0, np.int32), np.zeros(0, np.float32)
_NOTHING: tuple[Any, ...] = (_EMPTY, _EMPTY, _FLAT, _FLAT, _FLAT, _FLAT, _FLAT, _EMPTY, _EMPTY)
"""The columns of no stretches at all."""


def build_text(
    glyphs: Glyphs, text_ids: Ints, sequence: Sequence, twin: Integers, frame: Frame, texts: TextColumns
) -> PageText:
    """Return the page's text, its lines and its words.

    Args:
        glyphs: the painted glyphs.
        text_ids: int32[n]: what each glyph says, replacement texts applied.
        sequence: the glyphs of the text in reading order.
        twin: int64[n]: the kept twin of each copy, or -1.
        frame: how user space maps to the page as shown.
        texts: the document's texts as columns.
    """
    index, said = sequence.index, text_ids[sequence.index]
    size = texts.size[said]
    before = _drop_empty_separators(sequence.before, size)
    separated = before != NONE
    end = np.cumsum(size + separated)
    start = end - size
    points = _points(texts, said, size, start, int(end[-1]) if len(end) else 0)
    breaks = np.flatnonzero(separated)
    points[start[breaks] - 1] = _SEPARATORS[before[breaks]]
    text = points.tobytes().decode("utf-32-le", "surrogatepass")
    if not len(index):
        return PageText(text, Lines(text, *_NOTHING), _words(text, (*_NOTHING, _EMPTY)), 0)
    copies = np.bincount(twin[twin >= 0], minlength=len(glyphs))[index] if (twin >= 0).any() else None
    first = np.concatenate((np.zeros(1, np.int64), breaks))
    words = _word_columns(glyphs, index, first, frame, copies)
    last = np.concatenate((first[1:], np.array([len(index)]))) - 1
    char_start, char_end = start[first], end[last]
    opens = np.concatenate((np.zeros(1, np.int64), np.flatnonzero(before[first[1:]] == NEWLINE) + 1))
    closes = np.concatenate((opens[1:], np.array([len(first)]))) - 1
    lines = Lines(text, *_ints(char_start[opens], char_end[closes]), *words.join(opens))
    of_word = np.zeros(len(first), np.int32)
    of_word[opens[1:]] = 1
    inserted = int(np.count_nonzero(sequence.inserted & (before == 1)))
    number = np.cumsum(of_word, dtype=np.int32)
    result = _words(text, (*_ints(char_start, char_end), *words.columns(), number))
    filled = char_end > char_start
    return PageText(text, lines, result if filled.all() else _only(result, filled), inserted)


def _words(text: str, columns: tuple[Any, ...]) -> Words:
    return Words(text, *columns)


def _ints(*columns: Integers) -> tuple[Any, ...]:
    return tuple(column.astype(np.int32) for column in columns)


def _points(
    texts: TextColumns, said: Ints, size: Integers, start: Integers, length: int
) -> NDArray[np.uint32]:
    """Return the code points of the page's text with room for separators; uint32[length]."""
    points = np.zeros(length, np.uint32)
    if (size == 1).all():
        points[start] = texts.point[said]
        return points
    single = np.flatnonzero(size == 1)
    points[start[single]] = texts.point[said[single]]
    several = np.flatnonzero(size > 1)
    written: dict[int, list[int]] = {}
    for number, at in zip(said[several].tolist(), start[several].tolist(), strict=True):
        characters = written.get(number)
        if characters is None:
            characters = written[number] = [ord(character) for character in texts.texts[number]]
        points[at : at + len(characters)] = characters
    return points


class _Boxes(NamedTuple):
    """Boxes, angles and glyph counts of words; one entry a word."""

    x0: Floats
    y0: Floats
    x1: Floats
    y1: Floats
    angle: Floats
    glyphs: Integers
    copies: Integers

    def columns(self) -> tuple[Any, ...]:
        """Return them with the types of `Spans`."""
        return tuple(column.astype(np.float32) for column in self[:5]) + _ints(*self[5:])

    def join(self, opens: Integers) -> tuple[Any, ...]:
        """Return the same of the lines whose first words are at `opens`."""
        low = [np.minimum.reduceat(column, opens) for column in self[:2]]
        high = [np.maximum.reduceat(column, opens) for column in self[2:4]]
        counts = [np.add.reduceat(column, opens) for column in self[5:]]
        return _Boxes(low[0], low[1], high[0], high[1], self.angle[opens], counts[0], counts[1]).columns()


def _word_columns(
    glyphs: Glyphs, index: Integers, first: Integers, frame: Frame, copies: Integers | None
) -> _Boxes:
    """Return the boxes of the words that begin at `first` in `index`."""
    x0, y0, x1, y1 = frame.to_page(
        np.minimum.reduceat(glyphs.x0[index], first),
        np.minimum.reduceat(glyphs.y0[index], first),
        np.maximum.reduceat(glyphs.x1[index], first),
        np.maximum.reduceat(glyphs.y1[index], first),
    )
    if glyphs.uniform == (1.0, 0.0):
        turn = np.full(len(first), -float(frame.rotation))
    else:
        lead = index[first]
        turn = np.degrees(np.arctan2(glyphs.uy[lead], glyphs.ux[lead])) - frame.rotation
    count = np.concatenate((first[1:], np.array([len(index)]))) - first
    dropped = np.add.reduceat(copies, first) if copies is not None else np.zeros(len(first), np.int64)
    return _Boxes(x0, y0, x1, y1, (turn + 180.0) % 360.0 - 180.0, count, dropped)


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


def _only(words: Words, chosen: NDArray[np.bool_]) -> Words:
    return replace(words, **{name: getattr(words, name)[chosen] for name in words.columns()})
