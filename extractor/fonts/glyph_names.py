"""Glyph names and private-use code points to Unicode (Adobe Glyph List specification, ISO 32000-1, 9.10.2).

In: a glyph name as fonts and /Differences spell it, or a private-use character. Out: the Unicode text it
stands for, "" where nobody can know. It must not know fonts, codes or PDF objects. The common names stand in
a table beside this file (the Latin, Symbol, Dingbats and TeX names, private-use results already resolved);
all others go through fontTools, which is imported only then.
"""

from __future__ import annotations

import json
import re
from functools import cache, lru_cache
from importlib import resources

_HEXADECIMAL = re.compile(r"^(?:uni|U\+?|u|Uni|UNI)([0-9A-Fa-f]{4,6}|(?:[0-9A-Fa-f]{4}){2,})$")
_NUMBERED = re.compile(r"^(?!H|SF)[A-Za-z]{1,2}\d[0-9A-Fa-f]*$")
"""Names that only number glyphs (`g1F`): not one is in the Adobe Glyph List, which need not be loaded to know."""

_VARIANT = re.compile(
    r"^(?P<stem>[A-Za-z]+?)(?:(?:small|oldstyle|superior|inferior|alt|swash|sc|SC)\d*|[bB]igg?|text|display|math)$"
)


@cache
def _tables() -> dict[str, dict[str, str]]:
    text = resources.files(__package__).joinpath("tables", "glyph_names.json").read_text("utf-8")
    tables: dict[str, dict[str, str]] = json.loads(text)
    return tables


def private_text(character: str) -> str:
    """Return what a corporate private-use character (U+F6BE to U+F8FE) shows, or ""."""
    return _tables()["private"].get(f"{ord(character):04X}", "")


def dingbat_text(name: str) -> str:
    """Return the Unicode of an ITC Zapf Dingbats name (`a1` to `a206`), or ""."""
    return _tables()["dingbats"].get(name, "")


@lru_cache(maxsize=8192)
def name_text(name: str) -> str:
    """Return the Unicode text of a glyph name, "" if it names none.

    Follows the Adobe Glyph List specification (suffix after a full stop, components joined by underscores,
    `uniXXXX`, `uXXXXX`), then spellings that it does not know but that are beyond doubt (lower-case
    hexadecimal digits).
    """
    table = _tables()["names"]
    text = table.get(name)
    if text is not None:
        return text
    stem = name.split(".", 1)[0]
    if not stem or len(stem) > 100:
        return ""
    if stem in table:
        return table[stem]
    parts = [_component_text(part) for part in stem.split("_")]
    return "".join(parts) if all(parts) else ""


def _component_text(component: str) -> str:
    """Return the text of one component of a glyph name, private-use results resolved, or ""."""
    known = _tables()["names"].get(component)
    if known is not None:
        return known
    match = _HEXADECIMAL.match(component)
    if match:
        return _hexadecimal_text(match[1])
    if len(component) > 1 and component.isascii() and not _NUMBERED.match(component):
        text = _listed_text(component)
        if text:
            return text
        variant = _VARIANT.match(component)
        return name_text(variant["stem"]) if variant else ""
    return component if len(component) == 1 and component.isalnum() else ""


def _hexadecimal_text(digits: str) -> str:
    """Return the text of the digits of `uniXXXX...` or `uXXXXX`, "" outside Unicode or for surrogates."""
    size = 4 if len(digits) > 6 else len(digits)
    values = [int(digits[i : i + size], 16) for i in range(0, len(digits), size)]
    if any(value > 0x10FFFF or 0xD800 <= value <= 0xDFFF for value in values):
        return ""
    return _shown("".join(map(chr, values)))


def _listed_text(component: str) -> str:
    """Return the Adobe Glyph List's text of a component, or ""."""
    from fontTools import agl

    return _shown("".join(map(chr, agl.LEGACY_AGL2UV.get(component, ()))))


def _shown(text: str) -> str:
    """Return `text` with corporate private-use characters replaced by what they show."""
    private = _tables()["private"]
    return "".join(private.get(f"{ord(c):04X}", c) for c in text) if text and max(text) >= "\ue000" else text
