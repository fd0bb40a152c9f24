"""Which characters a font may give to the text, and the glyph that carries them.

In: Unicode text as a font states it, with anything in it. Out: the same text without controls, surrogates,
non-characters and private-use stand-ins, every white space a plain space. It must not know where the text
came from.
"""

from __future__ import annotations

import unicodedata
from typing import NamedTuple

from extractor.fonts.glyph_names import private_text

_DROPPED = frozenset("\ufffd\ufeff\ufff9\ufffa\ufffb")


class FontGlyph(NamedTuple):
    """One code of a font: its Unicode text ("" if it has none) and its metrics in em."""

    text: str
    width: float
    word_space: bool = False
    vx: float = 0.0
    vy: float = 0.0
    w1: float = 0.0


def clean_text(text: str) -> str:
    """Return `text` without controls, lone surrogates and U+FFFD, all white space as U+0020."""
    if text.isprintable() and "\ufffd" not in text:
        return text
    if any("\ud800" <= character <= "\udfff" for character in text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "ignore")
    return "".join(map(_clean_character, text))


def _clean_character(character: str) -> str:
    if character.isprintable():
        return "" if character in _DROPPED else character
    if character.isspace():
        return " " if character not in "\x1c\x1d\x1e\x1f" else ""
    category = unicodedata.category(character)
    if category == "Co":
        return private_text(character) or character
    if category == "Cc" or character in _DROPPED:
        return ""
    point = ord(character)
    if category == "Cn" and (point & 0xFFFE == 0xFFFE or 0xFDD0 <= point <= 0xFDEF):
        return ""
    return character


def is_plain(text: str) -> bool:
    """Tell, fast, whether `text` is not empty and fit as it stands: nothing to clean, nothing private."""
    return text.isprintable() and text != "" and "\ufffd" not in text


def is_private(text: str) -> bool:
    """Tell whether `text` holds a private-use character, which means nothing outside its font."""
    return any("\ue000" <= c <= "\uf8ff" or c >= "\U000f0000" for c in text)
