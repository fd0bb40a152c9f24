"""Splits the strings of show operations into character codes (ISO 32000-1, 9.4.3, 9.7.6.2), whole pages at a time.

In: pieces of packed bytes and the font of each. Out: one array of codes and the piece each belongs to. It must not know
positions or Unicode.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from extractor.fonts import Font

Integers = NDArray[np.int64]


def split_codes(
    strings: list[bytes], sizes: Integers, piece_show: Integers, show_font: Integers, fonts: list[Font]
) -> tuple[Integers, Integers, Integers]:
    """Return the codes of all pieces, for each code the index of its piece, and the number of codes of each piece.

    Args:
        strings: the bytes of each show operation, in paint order.
        sizes: int64[pieces]: bytes of each piece.
        piece_show: int64[pieces]: the show operation of each piece.
        show_font: int64[shows]: index into `fonts`.
        fonts: the fonts of the document.

    Returns:
        codes, int64[n], piece indices, int64[n], and counts, int64[pieces]. A dangling byte of a two-byte string is no code.
    """
    numbers = show_font.tolist()
    used = set(numbers)
    lengths = {fonts[number].code_length for number in used}
    if 0 in lengths:
        strings, sizes = _even_out(strings, sizes, piece_show, [fonts[number] for number in numbers])
    joined = np.frombuffer(b"".join(strings), np.uint8)
    if lengths == {1}:
        return joined.astype(np.int64), np.arange(len(sizes)).repeat(sizes), sizes
    wide = np.zeros(len(fonts), np.bool_)
    wide[[number for number in used if fonts[number].code_length != 1]] = True
    show_wide = wide[show_font]
    if show_wide.all() and not (sizes & 1).any():
        counts = sizes >> 1
        return joined.view(">u2").astype(np.int64), np.arange(len(sizes)).repeat(counts), counts
    codes, piece = _mixed(joined, sizes, show_wide[piece_show])
    return codes, piece, np.bincount(piece, minlength=len(sizes))


def _mixed(
    joined: NDArray[np.uint8], sizes: Integers, piece_wide: NDArray[np.bool_]
) -> tuple[Integers, Integers]:
    piece = np.repeat(np.arange(len(sizes)), sizes)
    place = np.arange(len(joined)) - (np.cumsum(sizes) - sizes)[piece]
    byte_wide = piece_wide[piece]
    whole = place + 1 < sizes[piece]
    lead = np.flatnonzero(~byte_wide | ((place % 2 == 0) & whole))
    codes = joined[lead].astype(np.int64)
    two = byte_wide[lead]
    codes[two] = codes[two] << 8 | joined[lead[two] + 1]
    return codes, piece[lead]


def _even_out(
    strings: list[bytes], sizes: Integers, piece_show: Integers, show_fonts: list[Font]
) -> tuple[list[bytes], Integers]:
    """Rewrite the strings of fonts with mixed code lengths as two-byte slots, which `Font.glyph` understands."""
    result, evened = list(strings), sizes.copy()
    ends = np.searchsorted(piece_show, np.arange(len(strings) + 1)).tolist()
    for show, font in enumerate(show_fonts):
        if font.code_length:
            continue
        packed, start = [], 0
        for piece in range(ends[show], ends[show + 1]):
            stop = start + int(sizes[piece])
            slots = font.split(strings[show][start:stop])
            packed.append(b"".join(slot.to_bytes(2, "big") for slot in slots))
            evened[piece], start = 2 * len(slots), stop
        result[show] = b"".join(packed)
    return result, evened
