"""Splits the strings of show operations into character codes (ISO 32000-1, 9.4.3, 9.7.6.2), whole pages at a time.

In: pieces of packed bytes and the font of each. Out: one array of codes and the piece each belongs to. It must not know
positions or Unicode.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from extractor.fonts import Font

Integers = NDArray[np.int64]


def split_codes(pieces: list[bytes], piece_font: Integers, fonts: list[Font]) -> tuple[Integers, Integers]:
    """Return the codes of all pieces and, for each code, the index of its piece.

    Args:
        pieces: strings in paint order.
        piece_font: int64[pieces]: index into `fonts`.
        fonts: the fonts of the document.

    Returns:
        codes, int64[n], and piece indices, int64[n]. A dangling byte of a two-byte string is no code.
    """
    used = set(piece_font.tolist())
    lengths = {fonts[number].code_length for number in used}
    if 0 in lengths:
        pieces = _even_out(pieces, piece_font.tolist(), fonts)
    sizes = np.fromiter(map(len, pieces), np.int64, len(pieces))
    joined = np.frombuffer(b"".join(pieces), np.uint8)
    if lengths == {1}:
        return joined.astype(np.int64), np.repeat(np.arange(len(pieces)), sizes)
    wide = np.zeros(len(fonts), np.bool_)
    wide[[number for number in used if fonts[number].code_length != 1]] = True
    piece_wide = wide[piece_font]
    if piece_wide.all() and not (sizes % 2).any():
        codes = joined.view(">u2").astype(np.int64)
        return codes, np.repeat(np.arange(len(pieces)), sizes // 2)
    return _mixed(joined, sizes, piece_wide)


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


def _even_out(pieces: list[bytes], piece_font: list[int], fonts: list[Font]) -> list[bytes]:
    """Rewrite the strings of fonts with mixed code lengths as two-byte slots, which `Font.glyph` understands."""
    result = list(pieces)
    for index, number in enumerate(piece_font):
        font = fonts[number]
        if font.code_length == 0 and pieces[index]:
            result[index] = b"".join(slot.to_bytes(2, "big") for slot in font.split(pieces[index]))
    return result
