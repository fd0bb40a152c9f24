"""The /ToUnicode entry of a font: a CMap, or a name that stands for one (ISO 32000-1, 9.10.3).

In: the entry's value. Out: a ToUnicode with the text of each code and whether the whole map is to be
believed. It must not know the font's other sources of Unicode.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from extractor.fonts.cmap import CMap, parse_to_unicode
from extractor.fonts.predefined import cid_text, collection_name
from extractor.fonts.programs import Issues
from extractor.objects import entry, resolve

_MAX_LENGTH = 4 * 1024 * 1024
"""Bytes; a line for each of 65,536 codes is one million."""

_MAX_CHAIN = 4
_MANY_CODES = 5


class ToUnicode:
    """Codes to text as the PDF says it outright.

    Attributes:
        identity: every code is mapped to itself or to a CID, as producers write that don't know better.
        monotonous: many codes, and all of them mapped to one character.
        doubtful: either of the two.
    """

    def __init__(self, text: Callable[[int], str], identity: bool = False, monotonous: bool = False) -> None:
        self.text = text
        self.identity = identity
        self.monotonous = monotonous
        self.doubtful = identity or monotonous


def load_to_unicode(value: Any, issues: Issues) -> ToUnicode | None:
    """Return the map behind a /ToUnicode entry, None if it is absent, empty or unreadable."""
    value = resolve(value)
    if isinstance(value, str):
        return _named(value.lstrip("/"))
    if not hasattr(value, "get_data"):
        return None
    try:
        cmap = _parse(value, 0)
    except Exception as error:  # stream filters raise all kinds on damaged data
        issues.add("to-unicode", f"a ToUnicode map can't be read: {type(error).__name__}: {error}")
        return None
    named = _named(cmap.uses) if cmap.uses else None
    if not cmap.unicode:
        return named or _by_cids(cmap)
    if named is None:
        return ToUnicode(cmap.text, _is_identity(cmap), _is_monotonous(cmap))
    below = named.text
    return ToUnicode(lambda code: cmap.text(code) or below(code))


def _parse(stream: Any, depth: int) -> CMap:
    """Parse a stream and the streams that it builds on by /UseCMap."""
    cmap = parse_to_unicode(bytes(stream.get_data())[:_MAX_LENGTH])
    below = entry(stream, "/UseCMap")
    if isinstance(below, str):
        cmap.uses = below.lstrip("/")
    elif hasattr(below, "get_data") and depth < _MAX_CHAIN:
        base = _parse(below, depth + 1)
        base.unicode.update(cmap.unicode)
        cmap.unicode = base.unicode
    return cmap


def _named(name: str) -> ToUnicode | None:
    """Return the map that a name stands for: Identity (codes are UTF-16) or Adobe-Japan1-UCS2."""
    if name.startswith("Identity"):
        return ToUnicode(_code_point, identity=True)
    parts = name.split("-")
    if len(parts) == 3 and parts[0] == "Adobe" and parts[2] == "UCS2":
        collection = collection_name(parts[1])
        if collection:
            return ToUnicode(lambda code: cid_text(collection, code))
    return None


def _code_point(value: int) -> str:
    return chr(value) if 0 <= value <= 0x10FFFF else ""


def _by_cids(cmap: CMap) -> ToUnicode | None:
    """Return the map of a file that writes its code points as CIDs (`begincidrange`), None if it has none."""
    lengths = sorted(cmap.cids, reverse=True)
    if not lengths:
        return None

    def text(code: int) -> str:
        values = [cid for length in lengths if (cid := cmap.cid(code, length)) is not None]
        return _code_point(values[0]) if values else ""

    return ToUnicode(text, identity=True)  # as doubtful: many are copies of the font's /Encoding


def _is_monotonous(cmap: CMap) -> bool:
    """Tell whether a map sends many codes to one and the same character."""
    texts = cmap.unicode.singles.values()
    return not cmap.unicode.ranges and len(texts) >= _MANY_CODES and len(set(texts)) == 1


def _is_identity(cmap: CMap) -> bool:
    """Tell whether a map sends all its codes, two or more, to themselves."""
    table = cmap.unicode
    if any(text != chr(low) for low, _, text in table.ranges if low <= 0x10FFFF):
        return False
    if any(len(text) != 1 or ord(text) != code for code, text in table.singles.items()):
        return False
    return bool(table.ranges) or len(table.singles) > 1
