"""Simple fonts: Type 1, MMType1 and TrueType (ISO 32000-1, 9.6).

In: a font dictionary. Out: a Font of one-byte codes. The order of the sources of Unicode: /ToUnicode, the
glyph names of /Encoding, the built-in encoding of the font program, the standard encodings.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from extractor.fonts import encodings
from extractor.fonts.characters import FontGlyph, clean_text, is_plain
from extractor.fonts.font import Font
from extractor.fonts.glyph_names import dingbat_text, name_text
from extractor.fonts.metrics import descriptor_heights, em_width, missing_width, plain_number, simple_widths
from extractor.fonts.numbered_names import glyph_number, numbered_texts
from extractor.fonts.programs import has_program
from extractor.fonts.shown_text import first_firm, is_firm, shown_text, symbol_code_text
from extractor.fonts.standard_fonts import (
    NONSYMBOLIC,
    SYMBOLIC,
    family,
    standard_heights,
    standard_name,
    standard_widths,
)
from extractor.fonts.to_unicode import ToUnicode, load_to_unicode
from extractor.objects import as_array, as_integer, as_name, entry, resolve

_LINE_SEGMENTS = re.compile(r"^L(?:INE|CIRCLE)W?\d+$")
"""LaTeX's fonts of pieces of lines and circles, whose glyphs have only numbers."""


def read_differences(value: Any) -> dict[int, str]:
    """Return the codes and names of a /Differences array (9.6.6.1)."""
    names: dict[int, str] = {}
    code = 0
    for element in as_array(value) or ():
        element = resolve(element)
        if isinstance(element, str):
            if 0 <= code < 256:
                names[code] = element[1:] if element[:1] == "/" else element
            code += 1
        else:
            number = as_integer(element)
            code = code if number is None else number
    return names


class SimpleFont(Font):
    """A font whose codes are single bytes, with names for its glyphs."""

    @cached_property
    def _to_unicode(self) -> ToUnicode | None:
        return load_to_unicode(self._entry(self.dictionary, "/ToUnicode"), self._issues)

    @cached_property
    def _differences(self) -> Mapping[int, str]:
        return read_differences(entry(self._entry(self.dictionary, "/Encoding"), "/Differences"))

    @cached_property
    def _family(self) -> str | None:
        return family(self.name)

    @cached_property
    def _embedded(self) -> bool:
        return has_program(self._descriptor)

    @cached_property
    def _named_encoding(self) -> encodings.Encoding | None:
        """The predefined encoding that the dictionary names, None if it names none."""
        value = self._entry(self.dictionary, "/Encoding")
        name = as_name(value) or as_name(entry(value, "/BaseEncoding"))
        if symbol_code_text(97, self.name) and (not self._embedded or self.subtype == "TrueType"):
            return None  # symbol fonts have glyphs of their own encoding only, whatever the dictionary says
        return encodings.named_encoding(name.removesuffix("Encoding") + "Encoding") if name else None

    @cached_property
    def _widths(self) -> tuple[int, Sequence[Any]] | None:
        return simple_widths(self.dictionary)

    def _make_glyph(self, code: int) -> FontGlyph:
        return FontGlyph(self._text(code), self._width(code), code == 32)

    def _text(self, code: int) -> str:
        """Return the Unicode of a code by the first source that knows it, "" if none does."""
        map_ = self._to_unicode
        stated = "" if map_ is None else map_.text(code)
        if is_plain(stated) and map_ is not None and not map_.doubtful:
            return stated
        shown = shown_text(stated, self.name)
        doubtful = self._contradicted(code, shown)
        doubtful = doubtful or (map_ is not None and map_.monotonous)
        if is_firm(stated, shown) and not doubtful:
            return shown
        sources = (self._encoding_text, self._program_text, self._fallback_text)
        text = first_firm("" if doubtful else shown, (source(code) for source in sources), self.name)
        return text or shown

    def _contradicted(self, code: int, text: str) -> bool:
        """Tell whether an identity map contradicts the glyph name that the dictionary gives to the code."""
        if self._to_unicode is None or not self._to_unicode.identity:
            return False
        name = self._differences.get(code)
        if not name:
            return False
        meant = clean_text(name_text(name))
        return bool(meant) and meant != text

    def glyph_name(self, code: int) -> str:
        """Return the glyph name that the dictionary gives to a code, "" if that is the program's affair."""
        name = self._differences.get(code)
        if name is not None:
            return name
        table = self._named_encoding
        if table is not None and 0 <= code < 256:
            return table[code]
        return ""

    def _encoding_text(self, code: int) -> str:
        name = self.glyph_name(code)
        if not name or name == ".notdef":
            return ""
        if self._family == "ZapfDingbats":
            text = dingbat_text(name)
            if text:
                return text
        if name.isdigit() and self._numbered_texts:
            return self._numbered_texts[code]
        return self._counted_text(name) or name_text(name) or self._numbered_texts.get(code, "")

    @cached_property
    def _numbered_texts(self) -> Mapping[int, str]:
        return {} if _LINE_SEGMENTS.match(self.name) else numbered_texts(self._differences)

    def _counted_text(self, name: str) -> str:
        """Return the text of a name that counts glyphs (`g23`), by the embedded program's glyph of that number."""
        number = glyph_number(name)
        return "" if number is None or not self._embedded else self._program.glyph_text(number)

    def _program_text(self, code: int) -> str:
        if not self._embedded:
            return ""
        own = (
            symbol_code_text(code, self.name)
            if self.subtype == "TrueType" and code not in self._differences
            else ""
        )
        return own or self._program.code_text(code)

    def _fallback_text(self, code: int) -> str:
        """Return the text of a code by the encoding that a font without any has (9.6.6.1)."""
        if code == 32:
            return " "  # the move of a code that no glyph is named for, which is what a space is
        if not 0 <= code < 256 or code in self._differences or self._named_encoding is not None:
            return ""
        symbol = symbol_code_text(code, self.name)
        if symbol:
            return symbol
        if self._embedded and self._program.numbers_codes:
            return ""
        built_in = self._embedded and (self._flags & SYMBOLIC or not self._flags & NONSYMBOLIC)
        if built_in and self.subtype != "TrueType" and self._program.code_names():
            return ""  # the program's own encoding, which has been asked, is all there is
        return name_text(self._assumed_name(code))

    def _assumed_name(self, code: int) -> str:
        """Return the glyph name of a code of a font that says nothing of its encoding."""
        windows = encodings.encoding(encodings.WIN_ANSI)[code]
        standard = encodings.encoding(encodings.STANDARD)[code]
        if self.subtype != "TrueType":
            return standard
        latin = self._flags & NONSYMBOLIC and not self._flags & SYMBOLIC and not self._embedded
        return standard if latin and standard and code > 127 else windows

    def _width(self, code: int) -> float:
        """Return the advance of a code in em: /Widths, the program's, the standard font's, MissingWidth."""
        if self._widths is None:
            return self._unlisted_width(code)
        first, widths = self._widths
        if 0 <= code - first < len(widths):
            width = plain_number(widths[code - first])
            if width is not None:
                return em_width(width)
        return em_width(missing_width(self._descriptor))

    def _unlisted_width(self, code: int) -> float:
        if self._embedded:
            width = self._program.code_width(code)
            if width is not None:
                return width
        missing = missing_width(self._descriptor)
        if missing and self._family is None:
            return em_width(missing)
        widths = standard_widths(standard_name(self.name, self._flags))
        text = clean_text(self._encoding_text(code) or self._fallback_text(code))
        return em_width(widths.get(text, missing))

    def _find_heights(self) -> tuple[float, float]:
        return descriptor_heights(self._descriptor, self._other_heights)

    def _other_heights(self) -> tuple[float, float] | None:
        """Return the heights of the program, or of the standard font that stands for one not embedded."""
        return self._program.heights if self._embedded else standard_heights(self.name, self._flags)
