"""Whether a font's glyphs stand in the order of ASCII, and in which order beyond it, proved by their widths.

In: the widths of a CIDFont of whose Unicode nothing else is known. Out: by how much a CID falls short of its
ASCII character, and the characters of the CIDs after those. Many fonts keep ASCII order: in the standard
Macintosh order glyph 3 is the space, so each glyph up to 97 is 29 short; in Adobe's, glyph 1 is the space. If a
font keeps such an order, its widths rise and fall with those of any other text font in ASCII order. A subset
with glyphs numbered anew, or a font of another order, shows no such likeness. After ASCII come the rest of the
Macintosh order or Latin-1: an accented letter is as wide as its letter, a closing quote as an opening one.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from extractor.fonts.characters import is_private
from extractor.fonts.glyph_names import name_text
from extractor.fonts.standard_fonts import standard_widths

TRUETYPE_SHIFT = 29
_SHIFTS = (TRUETYPE_SHIFT, 31, 32)
"""Macintosh order; Adobe's order after .notdef; ASCII from the space on."""

_MIN_GLYPHS = {TRUETYPE_SHIFT: 12, 31: 24, 32: 24}
"""With fewer widths a likeness may be chance; the Macintosh order is by far the commonest."""

_MIN_LIKENESS = 0.87
"""Correlation with the widths of Helvetica or Times: 0.90 and more where an order holds, below 0.65 elsewhere."""

_LATIN = range(0xA0, 0x100)
_MACINTOSH_END = 226
"""After the glyphs of MacRoman come those of other encodings, not in all fonts the same."""

_PAIRS = {"\u2019": "\u2018", "\u201d": "\u201c", "\xbb": "\xab", "\u203a": "\u2039"}
"""Closing marks and the opening ones that are as wide."""

_SAME_WIDTH = 4.0
"""Thousandths of an em: rounding of widths."""

_MIN_AGREEING = 0.8
"""Part of the accented letters and closing quotes that are as wide as their partners where an order holds."""

_MIN_LATIN = 2
"""Fewest such pairs, of different widths, before a font is taken to be in Latin-1 order; many keep the other one."""

Width = Callable[[int], float | None]


def ascii_shift(width: Width) -> int | None:
    """Return what to add to a CID for its ASCII character if the widths (None: unknown) prove it, else None."""
    known = [(cid, value) for cid in range(98) if (value := width(cid))]
    if len({value for _, value in known}) < 4:  # a fixed pitch proves nothing
        return None
    best = max(_SHIFTS, key=lambda shift: _best_likeness(known, shift))
    return best if _best_likeness(known, best) >= _MIN_LIKENESS else None


def ordered_text(cid: int, shift: int) -> str:
    """Return the ASCII character of a CID, "" outside ASCII."""
    return chr(cid + shift) if 32 <= cid + shift < 127 else ""


def order_beyond(width: Width, shift: int, known: bool) -> Mapping[int, str]:
    """Return the characters of the CIDs after ASCII if the widths (None: unknown) prove an order, else {}.

    Args:
        width: the width of a CID in thousandths of an em.
        shift: what to add to a CID for its ASCII character.
        known: the font is known to keep the Macintosh order; only widths that contradict it count.
    """
    after = 127 - shift
    orders = list(_macintosh()) if shift == TRUETYPE_SHIFT else []
    orders += [{after + i: chr(code) for i, code in enumerate(_LATIN[skip:])} for skip in (0, 1)]
    found: Mapping[int, str] = {}
    most = 0
    for order in orders:
        pairs = list(_partners(order, width, shift))
        agreeing = [one for one, other in pairs if abs(one - other) <= _SAME_WIDTH]
        if len(agreeing) < _MIN_AGREEING * len(pairs):
            continue
        least = (0 if known else 1) if order in _macintosh() else _MIN_LATIN
        enough = len(set(agreeing)) >= least
        if enough and (not found or len(agreeing) > most):
            found, most = order, len(agreeing)
    return found


def _partners(order: Mapping[int, str], width: Width, shift: int) -> Iterator[tuple[float, float]]:
    """Yield the widths of letters with accents and of closing quotes, each with that of its partner."""
    places = {text: cid for cid, text in order.items()}
    for cid, text in order.items():
        partner = _PAIRS.get(text) or unicodedata.normalize("NFD", text)[0]
        if not (partner.isalpha() or text in _PAIRS) or partner == text:
            continue
        one = width(cid)
        other = width(ord(partner) - shift if partner < "\x7f" else places.get(partner, -1))
        if one and other:
            yield one, other


@cache
def _macintosh() -> tuple[Mapping[int, str], ...]:
    """Return the characters after ASCII of the Macintosh order, by glyph: without no-break space, and with it.

    Most fonts of Windows have no glyph of its own for the no-break space.
    """
    from fontTools.ttLib.standardGlyphOrder import standardGlyphOrder

    space = standardGlyphOrder.index("nonbreakingspace")
    names = [str(name) for name in standardGlyphOrder[:_MACINTOSH_END]]
    names[space] = "space"
    orders = [enumerate(names[:space] + names[space + 1 :]), enumerate(names)]
    texts = [{i: name_text(name) for i, name in order if i > 97} for order in orders]
    return tuple({i: text for i, text in order.items() if not is_private(text)} for order in texts)


def _best_likeness(known: list[tuple[int, float]], shift: int) -> float:
    pairs = [(cid, value) for cid, value in known if ordered_text(cid, shift)]
    if len(pairs) < _MIN_GLYPHS[shift]:
        return 0.0
    return max(likeness(pairs, shift, name) for name in ("Helvetica", "Times-Roman"))


def likeness(known: list[tuple[int, float]], shift: int, standard: str) -> float:
    """Return the correlation of widths with a standard font's widths of the ASCII characters meant."""
    table = standard_widths(standard)
    pairs = [(value, table.get(ordered_text(cid, shift), 0.0)) for cid, value in known]
    mean, other = (sum(pair[i] for pair in pairs) / len(pairs) for i in (0, 1))
    product = sum((a - mean) * (b - other) for a, b in pairs)
    spread = math.sqrt(sum((a - mean) ** 2 for a, _ in pairs) * sum((b - other) ** 2 for _, b in pairs))
    return product / spread if spread > 0 else 0.0
