"""The tables of a TrueType or OpenType program that say which glyph is which character.

In: the bytes of an embedded font file, often a subset with tables missing or wrong. Out: codes to glyph
indices, glyph indices to Unicode and names, advance widths, heights. It reads only these tables, and
directly: opening a whole font in fontTools costs 30 times as much and gives up at the first damaged table,
which most subsets have. It must not know PDF objects. A damaged table counts as absent.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping
from functools import cached_property
from typing import Any

import numpy as np

_MAX_GROUPS = 50_000
_MAX_GLYPHS = 0x10000

Subtable = Mapping[int, int]
"""Character code to glyph index."""


class Sfnt:
    """A TrueType or OpenType font file, read table by table when asked."""

    def __init__(self, source: bytes) -> None:
        self._source = source
        self._tables = _directory(source)

    def table(self, tag: str) -> bytes:
        """Return the bytes of a table, b"" if there is none."""
        offset, length = self._tables.get(tag, (0, 0))
        return self._source[offset : offset + length] if offset else b""

    def __bool__(self) -> bool:
        return bool(self._tables)

    @cached_property
    def cmaps(self) -> Mapping[tuple[int, int], int]:
        """(platform, encoding) of each character map to its offset in the cmap table."""
        table = self.table("cmap")
        if len(table) < 4:
            return {}
        count = min(struct.unpack_from(">H", table, 2)[0], (len(table) - 4) // 8)
        records = [struct.unpack_from(">HHI", table, 4 + 8 * i) for i in range(count)]
        return {
            (platform, kind): offset
            for platform, kind, offset in reversed(records)
            if offset + 4 < len(table)
        }

    def codes(self, platform: int, kind: int) -> Subtable:
        """Return a character map as codes to glyph indices, {} if there is none."""
        key = (platform, kind)
        cache: dict[tuple[int, int], Subtable] = self.__dict__.setdefault("_codes", {})
        if key not in cache:
            offset = self.cmaps.get(key)
            cache[key] = {} if offset is None else _read_subtable(self.table("cmap")[offset:])
        return cache[key]

    @cached_property
    def unicode_codes(self) -> Subtable:
        """The best Unicode character map: (3,10), (0,4+), (3,1), (0,x), in this order."""
        for key in ((3, 10), (0, 6), (0, 4), (3, 1), (0, 3), (0, 2), (0, 1), (0, 0)):
            codes = self.codes(*key)
            if codes:
                return codes
        return {}

    @cached_property
    def glyph_characters(self) -> Mapping[int, str]:
        """Glyph indices to characters by the Unicode map read backwards, the plainest of several."""
        result: dict[int, str] = {}
        for code, glyph in sorted(self.unicode_codes.items(), key=lambda pair: _plainness(pair[0])):
            if code <= 0x10FFFF:
                result.setdefault(glyph, chr(code))
        return result

    @cached_property
    def raised_characters(self) -> Mapping[int, str]:
        """Glyph indices to characters U+F000 to U+F0FF by the symbol map (3,0) read backwards."""
        symbols = sorted(self.codes(3, 0).items(), reverse=True)
        return {glyph: chr(0xF000 | code & 0xFF) for code, glyph in symbols if code & 0xFF >= 0x20}

    @cached_property
    def names(self) -> Mapping[int, str]:
        """Glyph indices to PostScript names by the post table, formats 1 and 2."""
        table = self.table("post")
        if len(table) < 34:
            return {}
        version = struct.unpack_from(">I", table)[0]
        if version == 0x00010000:
            return dict(enumerate(_macintosh_names()))
        return _read_post(table) if version == 0x00020000 else {}

    @cached_property
    def _horizontal(self) -> tuple[int, int, bytes]:
        head, hhea = self.table("head"), self.table("hhea")
        units = struct.unpack_from(">H", head, 18)[0] if len(head) >= 20 else 1000
        count = struct.unpack_from(">H", hhea, 34)[0] if len(hhea) >= 36 else 0
        return units or 1000, count, self.table("hmtx")

    def width(self, glyph: int) -> float | None:
        """Return a glyph's advance width in em (hmtx), None if the font does not say."""
        units, count, table = self._horizontal
        count = min(count, len(table) // 4)
        if not count or glyph < 0:
            return None
        return float(struct.unpack_from(">H", table, 4 * min(glyph, count - 1))[0]) / units

    @cached_property
    def heights(self) -> tuple[float, float] | None:
        """(ascent, descent) in em (hhea), None if the font does not say."""
        table = self.table("hhea")
        if len(table) < 8:
            return None
        ascent, descent = struct.unpack_from(">hh", table, 4)
        return ascent / self._horizontal[0], descent / self._horizontal[0]


def _plainness(code: int) -> tuple[int, int]:
    """Order the characters of one glyph: ordinary ones first, compatibility and private ones last."""
    if code in (0xA0, 0xAD) or 0x2E80 <= code <= 0x2FDF or 0x2126 <= code <= 0x212B or code == 0x2206:
        return 1, code
    if 0xF900 <= code <= 0xFAFF or 0x2F800 <= code <= 0x2FA1F or 0xFB00 <= code <= 0xFFEF:
        return 2, code
    return (3 if 0xE000 <= code <= 0xF8FF or code >= 0xF0000 or code < 0x20 else 0), code


def _directory(source: bytes) -> dict[str, tuple[int, int]]:
    """Return table tags to (offset, length); of a collection, those of its first font."""
    start = 0
    if source[:4] == b"ttcf" and len(source) >= 16:
        start = struct.unpack_from(">I", source, 12)[0]
    if len(source) < start + 12:
        return {}
    count = min(struct.unpack_from(">H", source, start + 4)[0], (len(source) - start - 12) // 16)
    tables = {}
    for index in range(count):
        tag, _, offset, length = struct.unpack_from(">4sIII", source, start + 12 + 16 * index)
        if offset < len(source):
            tables[tag.decode("latin-1")] = (offset, length)
    return tables


def _read_subtable(table: bytes) -> Subtable:
    """Return one character map of formats 0, 2 (its single bytes), 4, 6, 10, 12 or 13."""
    kind = struct.unpack_from(">H", table)[0]
    reader = {
        0: _read_format_0,
        4: _read_format_4,
        6: _read_format_6,
        12: _read_format_12,
        13: _read_format_12,
    }.get(kind)
    try:
        return {} if reader is None else reader(table)
    except (struct.error, ValueError, IndexError):
        return {}


def _read_format_0(table: bytes) -> Subtable:
    return {code: glyph for code, glyph in enumerate(table[6:262]) if glyph}


def _read_format_6(table: bytes) -> Subtable:
    first, count = struct.unpack_from(">HH", table, 6)
    count = min(count, (len(table) - 10) // 2)
    glyphs = struct.unpack_from(f">{count}H", table, 10)
    return {first + index: glyph for index, glyph in enumerate(glyphs) if glyph}


def _read_format_4(table: bytes) -> Subtable:
    """Return a segment mapping; the declared length is often wrong in subsets, so the table's end counts."""
    segments = struct.unpack_from(">H", table, 6)[0] // 2
    words = np.frombuffer(table[: len(table) & ~1], ">u2").astype(np.int64)
    segments = min(segments, (len(words) - 8) // 4)
    ends, starts = words[7 : 7 + segments], words[8 + segments : 8 + 2 * segments]
    deltas, offsets = words[8 + 2 * segments : 8 + 3 * segments], words[8 + 3 * segments : 8 + 4 * segments]
    result: dict[int, int] = {}
    budget = 2 * _MAX_GLYPHS  # segments of a sound font don't overlap
    for index in range(len(offsets)):
        start, end, offset = int(starts[index]), int(ends[index]), int(offsets[index])
        if start > end or (start == 0xFFFF and end == 0xFFFF):
            continue
        budget -= end - start + 1
        if budget < 0:
            break
        codes = np.arange(start, end + 1)
        if offset in (0, 0xFFFF):
            glyphs = (codes + deltas[index]) & 0xFFFF
        else:
            places = 8 + 3 * segments + index + offset // 2 + (codes - start)
            inside = places < len(words)
            codes, places = codes[inside], places[inside]
            glyphs = np.where(words[places] == 0, 0, (words[places] + deltas[index]) & 0xFFFF)
        kept = glyphs != 0
        result.update(zip(codes[kept].tolist(), glyphs[kept].tolist(), strict=True))
    return result


def _read_format_12(table: bytes) -> Subtable:
    """Return a mapping of groups (format 13: all codes of a group show one glyph)."""
    kind, count = struct.unpack_from(">H", table)[0], struct.unpack_from(">I", table, 12)[0]
    result: dict[int, int] = {}
    budget = 4 * _MAX_GLYPHS
    for index in range(min(count, (len(table) - 16) // 12, _MAX_GROUPS)):
        first, last, glyph = struct.unpack_from(">III", table, 16 + 12 * index)
        codes = range(first, min(last, 0x10FFFF, first + _MAX_GLYPHS) + 1)
        budget -= len(codes)
        if budget < 0:
            break
        result.update(
            dict.fromkeys(codes, glyph)
            if kind == 13
            else zip(codes, range(glyph, glyph + len(codes)), strict=True)
        )
    return result


def _macintosh_names() -> list[str]:
    """Return the 258 names of the standard Macintosh glyph order."""
    from fontTools.ttLib.standardGlyphOrder import standardGlyphOrder

    names: list[Any] = standardGlyphOrder
    return [str(name) for name in names]


def _read_post(table: bytes) -> Mapping[int, str]:
    """Return the names of a post table of format 2."""
    count = min(struct.unpack_from(">H", table, 32)[0], (len(table) - 34) // 2)
    indices = struct.unpack_from(f">{count}H", table, 34)
    strings: list[str] = []
    position = 34 + 2 * count
    while position < len(table):
        length = table[position]
        strings.append(table[position + 1 : position + 1 + length].decode("latin-1"))
        position += 1 + length
    standard = _macintosh_names() if any(index < 258 for index in indices) else []
    result = {}
    for glyph, index in enumerate(indices):
        if index < 258:
            result[glyph] = standard[index]
        elif index - 258 < len(strings):
            result[glyph] = strings[index - 258]
    return result
