"""What the private-use characters of symbol fonts show (U+F000 to U+F0FF: a code of the font, raised).

In: text with such characters, the name of their font. Out: the characters shown, by the built-in encoding of
that font. It must not know font dictionaries.
"""

from __future__ import annotations

import re

from extractor.fonts.encodings import DINGBATS, SYMBOL, WIN_ANSI, encoding
from extractor.fonts.glyph_names import dingbat_text, name_text
from extractor.fonts.standard_fonts import family

_PICTURES = re.compile(r"dings|awesome|icon|glyph|material|emoji|marlett|webdings", re.I)


def symbol_text(text: str, font_name: str) -> str:
    """Return `text` with the raised codes of a symbol font replaced by what the font shows there."""
    if not any("\uf020" <= character <= "\uf0ff" for character in text):
        return text
    return "".join(_shown(c, font_name) if "\uf020" <= c <= "\uf0ff" else c for c in text)


def _shown(character: str, font_name: str) -> str:
    code = ord(character) & 0xFF
    group = family(font_name)
    if group == "Symbol":
        return name_text(encoding(SYMBOL)[code]) or character
    if group == "ZapfDingbats":
        return dingbat_text(encoding(DINGBATS)[code]) or character
    if _PICTURES.search(font_name):
        return character
    return name_text(encoding(WIN_ANSI)[code]) or character
