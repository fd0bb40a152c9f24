"""Glyph names that only number glyphs: `g23`, `G41`, `c101`, `a65`, `97` (beyond the Adobe Glyph List).

In: all names that an encoding gives to its codes. Out: the character that a name stands for, where the names
taken together prove what the numbers are: character codes. Numbers that may just as well count glyphs say
nothing. It must not know font programs or dictionaries.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from extractor.fonts.encodings import WIN_ANSI, encoding
from extractor.fonts.glyph_names import name_text

_NUMBERED = re.compile(r"^([A-Za-z]{1,5})[-_]?(?:0x)?([0-9A-Fa-f]{1,4})$")
_TWO_DIGITS = re.compile(r"^([A-Za-z])([0-9A-Fa-f]{2})$")
_BARE_NUMBER = re.compile(r"^\d{1,3}$")
_GLYPH_NUMBER = re.compile(r"^(?:g|glyph|gid|index|cid)[-_]?0*(\d{1,5})$")
_COMMON_LETTERS = frozenset(b"etaoinsr")
_CENTRAL_EUROPEAN = frozenset((0x8D, 0x8F, 0x9D))
"""Letters of the Central European code page where the Western one has nothing."""

_MIN_COMMON = 6
_MIN_NAMES = 3


def glyph_number(name: str) -> int | None:
    """Return the glyph index that a name like `g23` or `glyph00042` may state, else None."""
    match = _GLYPH_NUMBER.match(name)
    return int(match[1]) if match else None


def numbered_texts(names: Mapping[int, str]) -> Mapping[int, str]:
    """Return codes to characters for an encoding all of whose names are one letter and a character code, else {}.

    Proved by the code that a glyph stands at (all numbers equal their codes), by a hexadecimal letter in
    numbers of two digits none of which is a control, or by six of the eight commonest letters among numbers
    that could be characters. Names of digits only, as in Type 3 fonts, must be their codes and have those letters.
    """
    if _are_codes(names):
        return {code: _character(code) for code in names}
    parts = _parts(names, _TWO_DIGITS) or _parts(names, _NUMBERED)
    if len(parts) < _MIN_NAMES:
        return {}
    digits = {code: match[2] for code, match in parts.items()}
    for radix in (10, 16):
        numbers = _numbers(digits, radix)
        if numbers is not None and _are_characters(numbers, digits, radix):
            central = not _CENTRAL_EUROPEAN.isdisjoint(numbers.values())
            return {code: _character(number, central) for code, number in numbers.items()}
    return {}


def _parts(names: Mapping[int, str], pattern: re.Pattern[str]) -> Mapping[int, re.Match[str]]:
    """Return what a pattern finds in each name, {} if one does not match or they do not begin alike."""
    matches = {code: match for code, name in names.items() if (match := pattern.match(name))}
    complete = len(matches) == sum(name != ".notdef" for name in names.values())
    return matches if complete and len({match[1] for match in matches.values()}) == 1 else {}


def _are_codes(names: Mapping[int, str]) -> bool:
    """Tell whether each name is the code that it stands at, in decimal, and the codes are those of text."""
    if not all(_BARE_NUMBER.match(name) and int(name) == code for code, name in names.items()):
        return False
    return len(names.keys() & _COMMON_LETTERS) >= _MIN_COMMON


def _numbers(digits: Mapping[int, str], radix: int) -> Mapping[int, int] | None:
    try:
        return {code: int(text, radix) for code, text in digits.items()}
    except ValueError:
        return None


def _are_characters(numbers: Mapping[int, int], digits: Mapping[int, str], radix: int) -> bool:
    values = set(numbers.values())
    if min(values) < 32 or max(values) > 255:
        return False
    if all(code == number for code, number in numbers.items()):
        return True
    if radix == 16 and all(len(text) == 2 for text in digits.values()):
        return not all(text.isdigit() for text in digits.values())
    return len(values & _COMMON_LETTERS) >= _MIN_COMMON


def _character(number: int, central: bool = False) -> str:
    """Return the character of a code of Windows' Western or Central European code page."""
    if central and 32 <= number < 256:
        return bytes((number,)).decode("cp1250", "replace").replace("\ufffd", "")
    return name_text(encoding(WIN_ANSI)[number]) if 32 <= number < 256 else ""
