"""The glyphs of a document's fonts as columns: code to Unicode, width and character class, filled as codes are used.

In: font dictionaries, packed character codes. Out: rows of a table that grows; geometry looks glyphs up by whole arrays.
It must not know pages or positions. One table a document; only `GlyphTable` itself changes it.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from extractor.fonts import Font, FontGlyph
from extractor.objects import reference_key, resolve

WHITE, CJK, RTL, MARK, ACCENT, EMPTY, LETTER, DIGIT, INVISIBLE = 1, 2, 4, 8, 16, 32, 64, 128, 256
"""Character classes as bits: white space; Han, kana, bopomofo, CJK punctuation, full-width forms (R5); right-to-left;
combining mark; spacing accent; no Unicode; letter; digit; soft hyphen or zero-width sign."""

_CJK_RANGES = (
    (0x2E80, 0x2FFF), (0x3001, 0x30FF), (0x3100, 0x312F), (0x3190, 0x31FF), (0x3200, 0x33FF), (0x3400, 0x4DBF),
    (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0xFE10, 0xFE1F), (0xFE30, 0xFE6F), (0xFF00, 0xFFEF), (0x1B000, 0x1B16F),
    (0x20000, 0x3FFFF),
)  # fmt: skip
_ACCENTS = frozenset("`´¨ˆ˜¯˘˙¸˚ˇ˝˛^~\u0337")
_RTL_CLASSES = frozenset(("R", "AL"))
_NEVER_COPIES = frozenset("\u00a0\u3000")
_INVISIBLE = frozenset("\u00ad\u200b\u2060\ufeff")


def is_cjk(character: str) -> bool:
    """Tell whether a character takes no space beside another such (R5): Hangul is none, it separates words."""
    code = ord(character)
    if code < 0x2E80 or 0xFFA0 <= code <= 0xFFDC or 0x3200 <= code <= 0x321E or 0x3260 <= code <= 0x327E:
        return False
    return any(first <= code <= last for first, last in _CJK_RANGES)


def character_class(text: str) -> int:
    """Return the class bits of a glyph's text."""
    if not text:
        return EMPTY
    if text.isspace() or text in _NEVER_COPIES:
        return WHITE
    first = text[0]
    letter = LETTER if first.isalpha() else DIGIT if first.isdigit() else 0
    if first < "\u0080":
        return letter | (ACCENT if text in _ACCENTS else 0)
    bits = CJK if is_cjk(first) and is_cjk(text[-1]) else letter
    bits |= INVISIBLE if text in _INVISIBLE else 0
    bits |= RTL if any(unicodedata.bidirectional(character) in _RTL_CLASSES for character in text) else 0
    bits |= MARK if all(unicodedata.category(character) in ("Mn", "Me") for character in text) else 0
    return bits | (ACCENT if text in _ACCENTS else 0)


Classes = NDArray[np.uint16]
"""Class bits, one entry a glyph or a text."""


class TextColumns(NamedTuple):
    """The texts of a document as columns, one entry a text id."""

    texts: list[str]
    size: NDArray[np.int64]
    """Number of characters."""
    point: NDArray[np.uint32]
    """Code point of texts of one character."""


class GlyphTable:
    """Rows (text, width, class, vertical metrics) for each (font, code) used in a document."""

    def __init__(self, load: Callable[[Any], Font]) -> None:
        """Start empty; `load` makes a font from a font dictionary."""
        self._load = load
        self._numbers: dict[tuple[str, int], int] = {}
        self._kept: list[Any] = []
        self.fonts: list[Font] = []
        self.font_metrics = np.zeros((64, 3), np.float64)
        """float64[fonts, 3]: writing mode, descent and ascent in em of each font."""
        self._base = np.zeros(64, np.int64)
        """int64[fonts, grown]: where each font's codes begin in `_rows`."""
        self._codes = np.zeros(64, np.int64)
        """int64[fonts, grown]: codes that a font's stretch of `_rows` has room for."""
        self._rows = np.zeros(1 << 12, np.int64)
        """int64[codes of all fonts, grown]: table row of a font's code; 0 where the code was not used yet."""
        self._room = 0
        self.texts: list[str] = [""]
        """Text of each text id; id 0 is no Unicode."""
        self._text_ids: dict[str, int] = {"": 0}
        self.text_class = np.full(64, EMPTY, np.uint16)
        """uint16[texts, grown]: class bits of each text id."""
        self._size = np.zeros(64, np.int64)
        self._point = np.zeros(64, np.uint32)
        self._used = 1
        self.text_id = np.zeros(256, np.int32)
        self.width = np.zeros(256, np.float64)
        """float64: horizontal advance in em."""
        self.word_space = np.zeros(256, np.bool_)
        self.vertical = np.zeros((256, 3), np.float64)
        """float64[rows, 3]: vertical origin x, y and vertical advance in em (9.7.4.3)."""

    def font_number(self, raw: Any) -> int:
        """Return the number of a font given as its dictionary or a reference to it; loaded once."""
        key = ("reference", reference_key(raw))
        if not key[1]:
            key = ("direct", id(raw))
        number = self._numbers.get(key)
        if number is None:
            number = len(self.fonts)
            font = self._load(resolve(raw))
            self.fonts.append(font)
            if number >= len(self.font_metrics):
                self.font_metrics = np.resize(self.font_metrics, (2 * number, 3))
            self.font_metrics[number] = font.vertical, font.descent, font.ascent
            if number >= len(self._base):
                self._base, self._codes = (
                    np.resize(self._base, 2 * number),
                    np.resize(self._codes, 2 * number),
                )
            self._codes[number] = 0
            self._make_room(number, 256)
            self._kept.append(raw)  # an id may be reused once its object is gone
            self._numbers[key] = number
        return number

    def look_up_all(
        self, font: NDArray[np.int64], show: NDArray[np.int64], codes: NDArray[np.int64]
    ) -> NDArray[np.int64]:
        """Return the table row of each glyph; int64[n].

        Args:
            font: int64[shows]: font number of each show operation.
            show: int64[n]: the show operation of each glyph.
            codes: int64[n]: character codes.
        """
        if codes.size and int(codes.max()) >= 256:
            self._make_room_for(font, show, codes)
        place = self._base[font][show] + codes
        rows = self._rows[place]
        if rows.size and not rows.all():
            missing = np.flatnonzero(rows == 0)
            at, first = np.unique(place[missing], return_index=True)
            first = missing[first]
            fonts = map(self.fonts.__getitem__, font[show[first]].tolist())
            found = [font.glyph(code) for font, code in zip(fonts, codes[first].tolist(), strict=True)]
            self._rows[at] = self._append(found)
            rows = self._rows[place]
        return np.asarray(rows)

    @property
    def text_columns(self) -> TextColumns:
        """The texts met so far."""
        return TextColumns(self.texts, self._size, self._point)

    def intern(self, text: str) -> int:
        """Return the id of a text, new or known."""
        number = self._text_ids.get(text)
        if number is None:
            number = len(self.texts)
            self.texts.append(text)
            self._text_ids[text] = number
            if number >= len(self.text_class):
                self.text_class = np.resize(self.text_class, 2 * number)
                self._size = np.resize(self._size, 2 * number)
                self._point = np.resize(self._point, 2 * number)
            self.text_class[number] = character_class(text)
            self._size[number] = len(text)
            self._point[number] = ord(text) if len(text) == 1 else 0
        return number

    def _make_room_for(
        self, font: NDArray[np.int64], show: NDArray[np.int64], codes: NDArray[np.int64]
    ) -> None:
        """Widen the stretches of the fonts that have codes beyond them."""
        of_code = font[show]
        beyond = codes >= self._codes[of_code]
        for number in np.unique(of_code[beyond]).tolist() if beyond.any() else ():
            highest = int(codes[of_code == number].max())
            self._make_room(number, 1 << highest.bit_length())

    def _make_room(self, number: int, codes: int) -> None:
        """Give a font a stretch of `_rows` for so many codes, with what its present one holds."""
        base, held = int(self._base[number]), int(self._codes[number])
        if self._room + codes > len(self._rows):
            grown = np.zeros(2 * (self._room + codes), np.int64)
            grown[: self._room] = self._rows[: self._room]
            self._rows = grown
        self._rows[self._room : self._room + held] = self._rows[base : base + held]
        self._base[number], self._codes[number] = self._room, codes
        self._room += codes

    def _append(self, glyphs: list[FontGlyph]) -> NDArray[np.int64]:
        """Add rows for glyphs; return their numbers, int64[glyphs]."""
        first, end = self._used, self._used + len(glyphs)
        if end > len(self.text_id):
            self.text_id = np.resize(self.text_id, 2 * end)
            self.width = np.resize(self.width, 2 * end)
            self.word_space = np.resize(self.word_space, 2 * end)
            self.vertical = np.resize(self.vertical, (2 * end, 3))
        texts, width, word_space, *vertical = zip(*glyphs, strict=True)
        self.text_id[first:end] = list(map(self.intern, texts))
        self.width[first:end], self.word_space[first:end] = width, word_space
        self.vertical[first:end] = np.array(vertical).T
        self._used = end
        return np.arange(first, end)
