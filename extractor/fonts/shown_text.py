"""From what a source of Unicode says to what the glyph shows.

In: text as a source states it and the name of its font. Out: clean text, the raised codes of symbol fonts
(U+F000 to U+F0FF) replaced by what those fonts show there, and whether the statement is firm enough to ask no
other source. It must not know font dictionaries.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from functools import cache
from importlib import resources

from extractor.fonts.characters import clean_text, is_private
from extractor.fonts.encodings import DINGBATS, SYMBOL, WIN_ANSI, encoding
from extractor.fonts.glyph_names import dingbat_text, name_text
from extractor.fonts.standard_fonts import family

_LINE_ENDS = frozenset("\t\n\v\f\r")
_PICTURES = re.compile(r"dings|awesome|icon|glyph|material|emoji|marlett", re.IGNORECASE)
_WINGDINGS = re.compile(r"^wingdings(?!\s*[23])", re.IGNORECASE)


def shown_text(stated: str, font_name: str) -> str:
    """Return what a glyph with the stated Unicode shows, clean, or ""."""
    if any("\uf020" <= character <= "\uf0ff" for character in stated):
        stated = "".join(_lowered(c, font_name) if "\uf020" <= c <= "\uf0ff" else c for c in stated)
    return clean_text(stated)


def is_firm(stated: str, shown: str) -> bool:
    """Tell whether a statement needs no other source: not private-use, and no line end for a glyph."""
    return bool(shown) and not is_private(shown) and not _LINE_ENDS.issuperset(stated)


def first_firm(weak: str, statements: Iterable[str], font_name: str) -> str:
    """Return the first firm text of sources asked in turn, else `weak`, else the first text."""
    for stated in statements:
        shown = shown_text(stated, font_name)
        if is_firm(stated, shown):
            return shown
        weak = weak or shown
    return weak


@cache
def _wingdings() -> dict[str, str]:
    text = resources.files(__package__).joinpath("tables", "symbol_fonts.json").read_text("utf-8")
    table: dict[str, str] = json.loads(text)["Wingdings"]
    return table


def symbol_code_text(code: int, font_name: str) -> str:
    """Return what a symbol font shows at a code of its own encoding, "" for other fonts."""
    group = family(font_name)
    if group == "Symbol":
        return name_text(encoding(SYMBOL)[code])
    if group == "ZapfDingbats":
        return dingbat_text(encoding(DINGBATS)[code])
    return _wingdings().get(f"{code:02X}", "") if _WINGDINGS.match(font_name) else ""


def _lowered(character: str, font_name: str) -> str:
    """Return what a raised code shows: fonts of pictures keep it, in others it is Latin text."""
    code = ord(character) & 0xFF
    shown = symbol_code_text(code, font_name)
    if not shown and not _PICTURES.search(font_name):
        shown = name_text(encoding(WIN_ANSI)[code])
    return shown or character
