"""Composite fonts: Type 0 with a CIDFont (ISO 32000-1, 9.7).

In: a font dictionary. Out: a Font of codes of one to four bytes. The order of the sources of Unicode:
/ToUnicode, a CMap whose codes are Unicode, the character collection, the font program backwards; else a code
is unmapped.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from extractor.fonts.characters import FontGlyph, is_plain
from extractor.fonts.code_reader import CodeReader, load_code_reader
from extractor.fonts.font import Font
from extractor.fonts.glyph_order import TRUETYPE_SHIFT, ascii_shift, order_beyond, ordered_text
from extractor.fonts.metrics import CidMetrics, descriptor_heights, em_width
from extractor.fonts.predefined import cid_text, collection_name
from extractor.fonts.programs import Issues, has_program
from extractor.fonts.shown_text import first_firm, is_firm, shown_text
from extractor.fonts.standard_fonts import standard_heights
from extractor.fonts.to_unicode import ToUnicode, load_to_unicode
from extractor.objects import as_array, as_dictionary, as_name, as_number, entry, numbers, resolve

_ORDERED_BY_NAME = re.compile(
    r"^(?:Arial|Times ?New ?Roman|Courier ?New|Verdana|Georgia|Trebuchet|Tahoma|Century ?Gothic|Comic ?Sans|Impact)\b"
    r"|^(?:Arial|TimesNewRoman|CourierNew|Trebuchet|ComicSans)(?:PS)?(?:MS|MT)",
    re.IGNORECASE,
)
"""Fonts that are known to keep the standard TrueType order of glyphs, when they are not embedded."""


class CompositeFont(Font):
    """A Type 0 font."""

    composite = True

    def __init__(self, dictionary: Mapping[str, Any], subtype: str, issues: Issues) -> None:
        super().__init__(dictionary, subtype, issues)
        descendants = as_array(entry(dictionary, "/DescendantFonts")) or (
            entry(dictionary, "/DescendantFonts"),
        )
        self._cid_font: Mapping[str, Any] = (
            as_dictionary(descendants[0] if descendants else None) or dictionary
        )
        self._reader: CodeReader = load_code_reader(entry(dictionary, "/Encoding"), issues)
        self.vertical = self._reader.vertical
        self.code_length = self._reader.code_length

    def split(self, string: bytes) -> list[int]:
        """Return the codes of a shown string as slots below 65,536."""
        return self._reader.split(string)

    @cached_property
    def _descriptor(self) -> Mapping[str, Any] | None:
        return as_dictionary(self._entry(self._cid_font, "/FontDescriptor"))

    @cached_property
    def _to_unicode(self) -> ToUnicode | None:
        return load_to_unicode(self._entry(self.dictionary, "/ToUnicode"), self._issues)

    @cached_property
    def _embedded(self) -> bool:
        return has_program(self._descriptor)

    @cached_property
    def _collection(self) -> str | None:
        """The character collection of the CIDs: the CMap's, the CIDFont's or the program's own."""
        system = self._entry(self._cid_font, "/CIDSystemInfo")
        ordering = resolve(entry(system, "/Ordering"))
        if isinstance(ordering, bytes):
            ordering = ordering.decode("latin-1")
        declared = collection_name(str(ordering or ""))
        if declared or self._reader.collection:
            return declared or self._reader.collection
        return collection_name(self._program.ordering) if self._embedded else None

    @cached_property
    def _glyph_map(self) -> bytes | None:
        """The /CIDToGIDMap stream (9.7.4.2), None for Identity."""
        stream = self._entry(self._cid_font, "/CIDToGIDMap")
        return bytes(stream.get_data()) if hasattr(stream, "get_data") else None

    @cached_property
    def _widths(self) -> CidMetrics:
        return CidMetrics(self._entry(self._cid_font, "/W"), 1)

    @cached_property
    def _default_width(self) -> float:
        width = as_number(entry(self._cid_font, "/DW"))
        return 1000.0 if width is None else width

    @cached_property
    def _vertical_metrics(self) -> CidMetrics:
        return CidMetrics(self._entry(self._cid_font, "/W2"), 3)

    @cached_property
    def _vertical_defaults(self) -> tuple[float, ...]:
        return numbers(entry(self._cid_font, "/DW2"), 2) or (880.0, -1000.0)

    def _make_glyph(self, code: int) -> FontGlyph:
        cid = self._reader.cid(code)
        width = self._width(cid)
        text, space = self._text(code, cid), self._reader.is_single_space(code)
        if not self.vertical:
            return FontGlyph(text, width, space)
        found = self._vertical_metrics.find(cid)
        if found is None:
            origin, advance = self._vertical_defaults
            return FontGlyph(text, width, space, width / 2, em_width(origin), em_width(advance))
        advance, x, y = found
        return FontGlyph(text, width, space, em_width(x), em_width(y), em_width(advance))

    def _width(self, cid: int) -> float:
        found = self._widths.find(cid)
        return em_width(self._default_width if found is None else found[0])

    def _text(self, code: int, cid: int) -> str:
        """Return the Unicode of a code by the first source that knows it, "" if none does."""
        map_ = self._to_unicode
        stated = "" if map_ is None else map_.text(self._reader.code_value(code))
        doubtful = map_ is not None and map_.doubtful and self._embedded
        if is_plain(stated) and not doubtful:
            return stated
        shown = shown_text(stated, self.name)
        if is_firm(stated, shown) and not doubtful:
            return shown
        sources: tuple[Callable[[int, int], str], ...] = (
            self._code_text,
            self._collection_text,
            self._program_text,
            self._ordered_text,
        )
        if doubtful and shown:
            sources = (self._program_text,)
        return first_firm("" if doubtful else shown, (s(code, cid) for s in sources), self.name) or shown

    def _code_text(self, code: int, cid: int) -> str:
        del cid
        return self._reader.unicode(code)

    def _collection_text(self, code: int, cid: int) -> str:
        del code
        return cid_text(self._collection, cid) if self._collection else ""

    def _program_text(self, code: int, cid: int) -> str:
        """Return the Unicode that the embedded program has for the glyph."""
        del code
        if not self._embedded:
            return ""
        glyph = cid
        if self._glyph_map is not None:
            glyph = int.from_bytes(self._glyph_map[2 * cid : 2 * cid + 2], "big")
        return self._program.glyph_text(glyph)

    @cached_property
    def _ordered_by_name(self) -> bool:
        """Whether the font, which is not embedded, is known to keep the standard TrueType order of glyphs."""
        kind = as_name(entry(self._cid_font, "/Subtype"))
        return not self._embedded and kind == "CIDFontType2" and bool(_ORDERED_BY_NAME.match(self.name))

    def _listed_width(self, cid: int) -> float | None:
        return (self._widths.find(cid) or (None,))[0]

    @cached_property
    def _ascii_shift(self) -> int | None:
        """What to add to a CID for its ASCII character, if the widths prove an order; else None."""
        shift = ascii_shift(self._listed_width)
        return TRUETYPE_SHIFT if shift is None and self._ordered_by_name else shift

    @cached_property
    def _beyond_ascii(self) -> Mapping[int, str]:
        shift = self._ascii_shift
        return {} if shift is None else order_beyond(self._listed_width, shift, self._ordered_by_name)

    def _ordered_text(self, code: int, cid: int) -> str:
        """Return the character of a CID of a font that keeps the order of ASCII."""
        del code
        if self._collection or self._ascii_shift is None:
            return ""
        return ordered_text(cid, self._ascii_shift) or self._beyond_ascii.get(cid, "")

    def _find_heights(self) -> tuple[float, float]:
        return descriptor_heights(self._descriptor, self._other_heights)

    def _other_heights(self) -> tuple[float, float] | None:
        """Return the heights of the program, or of the standard font that stands for one not embedded."""
        return self._program.heights if self._embedded else standard_heights(self.name, self._flags)
