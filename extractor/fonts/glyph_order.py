"""Whether a font's glyphs stand in the order of ASCII, proved by their widths.

In: the widths of a CIDFont of whose Unicode nothing else is known. Out: by how much a CID falls short of its
ASCII character. Many fonts keep ASCII order: in the standard Macintosh order glyph 3 is the space, so each
glyph up to 97 is 29 short; in Adobe's, glyph 1 is the space. If a font keeps such an order, its widths rise
and fall with those of any other text font in ASCII order. A subset with glyphs numbered anew, or a font of
another order, shows no such likeness.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from extractor.fonts.standard_fonts import standard_widths

TRUETYPE_SHIFT = 29
_SHIFTS = (TRUETYPE_SHIFT, 31, 32)
"""Macintosh order; Adobe's order after .notdef; ASCII from the space on."""

_MIN_GLYPHS = {TRUETYPE_SHIFT: 12, 31: 24, 32: 24}
"""With fewer widths a likeness may be chance; the Macintosh order is by far the commonest."""

_MIN_LIKENESS = 0.87
"""Correlation with the widths of Helvetica or Times: 0.90 and more where an order holds, below 0.65 elsewhere."""


def ascii_shift(width: Callable[[int], float | None]) -> int | None:
    """Return what to add to a CID for its ASCII character if the widths (None: unknown) prove it, else None."""
    known = [(cid, value) for cid in range(98) if (value := width(cid))]
    if len({value for _, value in known}) < 4:  # a fixed pitch proves nothing
        return None
    best = max(_SHIFTS, key=lambda shift: _best_likeness(known, shift))
    return best if _best_likeness(known, best) >= _MIN_LIKENESS else None


def ordered_text(cid: int, shift: int) -> str:
    """Return the ASCII character of a CID, "" outside ASCII."""
    return chr(cid + shift) if 32 <= cid + shift < 127 else ""


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
