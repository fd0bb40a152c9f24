"""The predefined encodings of simple fonts (ISO 32000-1, annex D).

In: the name of an encoding. Out: a tuple of 256 glyph names, "" where a code has none. It must not know what
a glyph name means, nor which font uses which encoding. The tables stand beside this file, one string of names
each.
"""

from __future__ import annotations

import json
from functools import cache
from importlib import resources

STANDARD = "StandardEncoding"
WIN_ANSI = "WinAnsiEncoding"
MAC_ROMAN = "MacRomanEncoding"
MAC_EXPERT = "MacExpertEncoding"
SYMBOL = "SymbolEncoding"
DINGBATS = "ZapfDingbatsEncoding"

Encoding = tuple[str, ...]
"""256 glyph names, by code."""

EMPTY: Encoding = ("",) * 256


@cache
def _tables() -> dict[str, str]:
    text = resources.files(__package__).joinpath("tables", "encodings.json").read_text("utf-8")
    tables: dict[str, str] = json.loads(text)
    return tables


@cache
def named_encoding(name: str) -> Encoding | None:
    """Return the predefined encoding called `name` (no slash), None if there is none of that name."""
    names = _tables().get(name)
    return None if names is None else tuple("" if entry == "-" else entry for entry in names.split(" "))


def encoding(name: str) -> Encoding:
    """Return the predefined encoding called `name`, one of this module's constants."""
    return named_encoding(name) or EMPTY
