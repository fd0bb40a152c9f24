"""The codes of TeX bitmap fonts whose glyphs have no names but their codes (`a65`).

In: the codes of a font with their widths. Out: the Unicode of a code, by the TeX encoding that the font can
be proved to have. It must not know font dictionaries.

The proof: in Cork encoding (T1) a letter is as wide with an accent as with another, so the codes of each
group of accented letters have one width; in the Cyrillic encoding (T2A) other letters stand there, of
different widths. Both keep ASCII, as OT1 does, which has no codes above 127.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from importlib import resources
from itertools import combinations

_ACCENTED = ((0xC0, 0xC6), (0xC8, 0xCC), (0xD2, 0xD7), (0xD9, 0xDD))
"""Codes (first, end) of letters in T1 that differ by their accents; the small letters follow 0x20 later."""

_ALIKE_IN_T2A = {  # code to the code of a letter as wide
    0xC2: 0xC1,
    0xC9: 0xC8,
    0xCA: 0xC8,
    0xE1: 0xE0,
    0xE2: 0xE0,
    0xE9: 0xE8,
    0xEA: 0xE8,
    0xEB: 0xE8,
}
"""Codes whose letters are as wide as another's in T2A too, so that they prove nothing."""

_COMPANION = {
    0x84: "†", 0x85: "‡", 0x86: "‖", 0x87: "‰", 0x88: "•", 0x97: "™", 0xA2: "¢", 0xA3: "£", 0xA5: "¥", 0xA6: "¦",
    0xA7: "§", 0xA9: "©", 0xAC: "¬", 0xAE: "®", 0xB0: "°", 0xB1: "±", 0xB2: "²", 0xB3: "³", 0xB5: "µ", 0xB6: "¶",
    0xB7: "·", 0xB9: "¹", 0xBC: "¼", 0xBD: "½", 0xBE: "¾", 0xBF: "€",
}  # fmt: skip
"""Signs of TeX's text companion encoding (TS1) where T1 has letters that no text consists of."""

COMPANION = "TS1"
_SAME_WIDTH = 0.02
_MIN_PAIRS = 2
_MIN_SMALL = 6
"""Distinct small ASCII letters of a font of text; TeX's fonts of symbols have other things there."""


@cache
def _tables() -> Mapping[str, Mapping[str, str]]:
    text = resources.files(__package__).joinpath("tables", "tex_encodings.json").read_text("utf-8")
    tables: Mapping[str, Mapping[str, str]] = json.loads(text)
    return tables


def tex_encoding(widths: Mapping[int, float]) -> str | None:
    """Return the TeX encoding (OT1, T1, T2A, TS1) that the widths of a font's codes prove, else None.

    None stands for ASCII: of a fixed-pitch font, and of one whose other codes stay open. TS1 is proved by signs only, and
    no ASCII letter.
    """
    if _is_companion(widths):
        return COMPANION
    small = sum(0x61 <= code <= 0x7A for code in widths)
    high = sum(code >= 0xC0 for code in widths)
    if not any(code >= 128 for code in widths):
        return "OT1" if small >= _MIN_SMALL and not _is_fixed_pitch(widths) else None
    same, different = _compare_widths(widths)
    if same + different >= _MIN_PAIRS and not _is_fixed_pitch(widths):
        return "T1" if same > 3 * different else "T2A" if different > same else None
    return "T1" if small >= _MIN_SMALL and 4 * high <= small else None


def _is_companion(codes: Mapping[int, float]) -> bool:
    high = [code for code in codes if code >= 128]
    letters = any(chr(code).isalpha() for code in codes if code < 128)
    return bool(high) and not letters and all(code in _COMPANION for code in high)


def _is_fixed_pitch(widths: Mapping[int, float]) -> bool:
    return len(widths) > 3 and len({round(width, 3) for width in widths.values() if width}) == 1


def _compare_widths(widths: Mapping[int, float]) -> tuple[int, int]:
    """Count the pairs of codes, equally wide in T1 and not in T2A, that are and that aren't."""
    same = different = 0
    for first, end in _ACCENTED:
        for start in (first, first + 0x20):
            codes = [code for code in range(start, start + end - first) if widths.get(code)]
            for left, right in combinations(codes, 2):
                if _ALIKE_IN_T2A.get(left, left) == _ALIKE_IN_T2A.get(right, right):
                    continue
                wide, wider = sorted((widths[left], widths[right]))
                equal = wider - wide <= _SAME_WIDTH * wider
                same, different = same + equal, different + (not equal)
    return same, different


def tex_code_text(encoding: str | None, code: int) -> str:
    """Return the Unicode of a code in a TeX encoding; without one, of ASCII only."""
    if encoding == COMPANION and code in _COMPANION:
        return _COMPANION[code]
    text = _tables().get(encoding, {}).get(f"{code:02X}", "") if encoding is not None else ""
    return text or (chr(code) if 32 < code < 127 else "")
