"""Decoding of stream data (ISO 32000-1, 7.4), every filter but those of images.

In: encoded bytes, filter names and their parameters as plain values. Out: decoded bytes, at most as many as
the limit says; broken data gives what decodes up to the fault, with an issue. It must not know pages, fonts
or encryption.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from extractor.issues import IssueLog
from extractor.objects import as_integer, entry

Bytes = npt.NDArray[np.uint8]
"""A row of samples."""

_WHITE = b"\x00\t\n\x0c\r "
_NOT_HEX = bytes(set(range(256)).difference(b"0123456789ABCDEFabcdef"))
_ZLIB_HEADER = re.compile(rb"\x78[\x01\x5e\x9c\xda]|[\x48\x58\x68][\x89\xc3\x85\xde\x81]")
"""How zlib data begins in practice; a damaged filter name does not hide it."""

_NOT_BASE85 = bytes(set(range(256)).difference(range(ord("!"), ord("u") + 1), b"z"))

_MAX_FILTERS = 16
"""Filters on one stream; a longer chain is no honest one."""

_RECOVERY_CHUNK = 512
"""Bytes between two copies of the decompressor's state while looking for the last byte that decodes."""

_MAX_COLUMNS = 1_000_000
"""Samples in a row for a predictor."""


def decode(
    raw: bytes, filters: Sequence[str], parameters: Sequence[Any], limit: int, issues: IssueLog
) -> bytes:
    """Return stream data with its filters undone, in order, up to the filter of an image.

    Args:
        raw: The encoded bytes.
        filters: Filter names without slash, abbreviations (8.9.7, table 94) included.
        parameters: The DecodeParms of each filter, or None.
        limit: Bytes kept at most after each filter.
        issues: Where faults are recorded.
    """
    if len(filters) > _MAX_FILTERS:
        issues.add("too_many_filters", f"a stream has {len(filters)} filters")
        return b""
    for index, name in enumerate(filters):
        if name in _IMAGE_FILTERS:
            return raw
        decoder = _DECODERS.get(name)
        if decoder is None:
            issues.add("unknown_filter", f"a stream has the unknown filter {name[:40]!r}")
            if not _ZLIB_HEADER.match(raw):
                return b""
            decoder = _flate
        raw = decoder(raw, parameters[index] if index < len(parameters) else None, limit, issues)
        if len(raw) > limit:
            issues.add("stream_limit", f"a stream was cut at {limit} bytes")
            raw = raw[:limit]
    return raw


def inflate(raw: bytes, limit: int, issues: IssueLog) -> bytes:
    """Return the decompressed data of a zlib stream (7.4.4), up to the first fault or the limit."""
    decompressor = zlib.decompressobj()
    try:
        result = decompressor.decompress(raw, limit)
    except zlib.error as error:
        issues.add("damaged_flate", f"compressed data is damaged: {error}")
        return _inflate_damaged(raw, limit)
    if decompressor.unconsumed_tail and len(result) >= limit:
        issues.add("stream_limit", f"a stream was cut at {limit} bytes")
    elif not decompressor.eof:
        issues.add("truncated_flate", "compressed data breaks off")
    return result


def _inflate_damaged(raw: bytes, limit: int) -> bytes:
    """Return the longest that decompresses: as it stands, without leading line ends, or as bare deflate."""
    stripped = raw.lstrip(b"\r\n")
    attempts = [(raw, zlib.MAX_WBITS), (raw[2:], -zlib.MAX_WBITS), (raw, -zlib.MAX_WBITS)]
    if stripped != raw:
        attempts.insert(1, (stripped, zlib.MAX_WBITS))
    best = b""
    for data, window in attempts:
        result = _inflate_prefix(data, window, limit)
        if len(result) > len(best):
            best = result
        if len(best) > len(raw) // 2:
            break
    return best


def _inflate_prefix(raw: bytes, window: int, limit: int) -> bytes:
    """Return what comes out before the first byte that does not decompress."""
    decompressor = zlib.decompressobj(window)
    result = bytearray()
    position = 0
    step = _RECOVERY_CHUNK
    while position < len(raw) and len(result) < limit and not decompressor.eof:
        before = decompressor.copy()
        try:
            result += decompressor.decompress(raw[position : position + step], limit - len(result))
        except zlib.error:
            if step == 1:
                break
            decompressor, step = before, 1
            continue
        position += step
    return bytes(result)


def _flate(raw: bytes, parameters: Any, limit: int, issues: IssueLog) -> bytes:
    """Undo FlateDecode and its predictor (7.4.4)."""
    return _predict(inflate(raw, limit, issues), parameters, issues)


def _lzw(raw: bytes, parameters: Any, limit: int, issues: IssueLog) -> bytes:
    """Undo LZWDecode and its predictor (7.4.4.2); EarlyChange is 1 by default."""
    early = as_integer(entry(parameters, "/EarlyChange"))
    return _predict(_lzw_decode(raw, 1 if early is None else early, limit), parameters, issues)


def _lzw_decode(raw: bytes, early: int, limit: int) -> bytes:
    """Return LZW data decoded: codes of 9 to 12 bits, 256 clears the table, 257 ends the data."""
    roots = [bytes((value,)) for value in range(256)] + [b"", b""]
    table = list(roots)
    parts: list[bytes] = []
    size = buffered = bits = 0
    width, previous = 9, b""
    for byte in raw:
        buffered = buffered << 8 | byte
        bits += 8
        if bits < width:
            continue
        bits -= width
        code = buffered >> bits
        buffered &= (1 << bits) - 1
        if code == 257 or size > limit:
            break
        if code == 256:
            table, width, previous = list(roots), 9, b""
            continue
        part = table[code] if code < len(table) else previous + previous[:1]
        if previous and len(table) < 4096:
            table.append(previous + part[:1])
            if len(table) + early >= 1 << width and width < 12:
                width += 1
        parts.append(part)
        size += len(part)
        previous = part
    return b"".join(parts)


def _ascii_hex(raw: bytes, _parameters: Any, _limit: int, _issues: IssueLog) -> bytes:
    """Undo ASCIIHexDecode (7.4.2); everything but digits is skipped."""
    digits = raw.split(b">", 1)[0].translate(None, _NOT_HEX)
    return bytes.fromhex((digits + b"0" * (len(digits) % 2)).decode("ascii"))


def _ascii_85(raw: bytes, _parameters: Any, _limit: int, _issues: IssueLog) -> bytes:
    """Undo ASCII85Decode (7.4.3); everything but its digits is skipped, a group out of range wraps."""
    text = raw.strip(_WHITE).removeprefix(b"<~").split(b"~", 1)[0]
    digits = text.translate(None, _NOT_BASE85).replace(b"z", b"!!!!!")
    missing = -len(digits) % 5
    if missing == 4:  # a single digit over says nothing
        digits, missing = digits[:-1], 0
    groups = np.frombuffer(digits + b"u" * missing, dtype=np.uint8).reshape(-1, 5).astype(
        np.uint64
    ) - np.uint64(33)
    values = groups @ np.array([85**4, 85**3, 85**2, 85, 1], dtype=np.uint64)
    result = (values & np.uint64(0xFFFFFFFF)).astype(">u4").tobytes()
    return result[: len(result) - missing]


def _run_length(raw: bytes, _parameters: Any, limit: int, _issues: IssueLog) -> bytes:
    """Undo RunLengthDecode (7.4.5)."""
    result = bytearray()
    position = 0
    while position < len(raw) and len(result) <= limit:
        length = raw[position]
        if length == 128:
            break
        if length < 128:
            result += raw[position + 1 : position + 2 + length]
            position += 2 + length
        else:
            result += raw[position + 1 : position + 2] * (257 - length)
            position += 2
    return bytes(result)


def _unchanged(raw: bytes, _parameters: Any, _limit: int, _issues: IssueLog) -> bytes:
    """Return the data: the Crypt filter (7.4.10) is undone where encryption is."""
    return raw


def _predict(decoded: bytes, parameters: Any, issues: IssueLog) -> bytes:
    """Undo a predictor (7.4.4.4)."""
    if not isinstance(parameters, Mapping):
        return decoded
    predictor = as_integer(entry(parameters, "/Predictor")) or 1
    if predictor == 1 or not decoded:
        return decoded
    columns = as_integer(entry(parameters, "/Columns")) or 1
    colors = as_integer(entry(parameters, "/Colors")) or 1
    bits = as_integer(entry(parameters, "/BitsPerComponent")) or 8
    if not (0 < columns <= _MAX_COLUMNS and 0 < colors <= 32 and bits in (1, 2, 4, 8, 16)):
        issues.add("bad_predictor", f"a predictor has {columns} columns, {colors} colors, {bits} bits")
        return decoded
    row_length, pixel = (columns * colors * bits + 7) // 8, max(1, colors * bits // 8)
    if predictor == 2:
        return _undo_tiff(decoded, row_length, colors, bits)
    return _undo_png(decoded, row_length, pixel)


def _undo_tiff(decoded: bytes, row_length: int, colors: int, bits: int) -> bytes:
    """Undo the TIFF predictor for whole bytes; samples of other sizes occur in images only."""
    if bits != 8:
        return decoded
    padded = decoded + bytes(-len(decoded) % row_length)
    rows = np.frombuffer(padded, dtype=np.uint8).reshape(-1, row_length // colors, colors)
    return np.cumsum(rows, axis=1, dtype=np.uint8).tobytes()[: len(decoded)]


def _undo_png(decoded: bytes, row_length: int, pixel: int) -> bytes:
    """Undo PNG predictors: each row begins with the number of its own (RFC 2083, 6)."""
    padded = decoded + bytes(-len(decoded) % (row_length + 1))
    rows = np.frombuffer(padded, dtype=np.uint8).reshape(-1, row_length + 1)
    kinds = rows[:, 0]
    if (kinds == 2).all():
        return np.cumsum(rows[:, 1:], axis=0, dtype=np.uint8).tobytes()
    if (kinds == 0).all():
        return rows[:, 1:].tobytes()
    result = np.empty((rows.shape[0], row_length), dtype=np.uint8)
    above = np.zeros(row_length, dtype=np.uint8)
    for index, row in enumerate(rows):
        above = _undo_png_row(int(row[0]), row[1:], above, pixel)
        result[index] = above
    return result.tobytes()


def _undo_png_row(kind: int, row: Bytes, above: Bytes, pixel: int) -> Bytes:
    """Return one row decoded, given the decoded row above it."""
    if kind == 2:
        return row + above
    if kind == 1 and row.size % pixel == 0:
        summed: Bytes = np.cumsum(row.reshape(-1, pixel), axis=0, dtype=np.uint8)
        return summed.reshape(-1)
    if kind not in (1, 3, 4):
        return row
    current, upper = bytearray(row.tobytes()), above.tobytes()
    for index, value in enumerate(current):
        left = current[index - pixel] if index >= pixel else 0
        up = upper[index]
        corner = upper[index - pixel] if index >= pixel else 0
        current[index] = (value + _png_guess(kind, left, up, corner)) & 255
    return np.frombuffer(bytes(current), dtype=np.uint8)


def _png_guess(kind: int, left: int, up: int, corner: int) -> int:
    """Return the predicted byte for Sub (1), Average (3) and Paeth (4)."""
    if kind == 1:
        return left
    if kind == 3:
        return (left + up) // 2
    to_left, to_up, to_corner = abs(up - corner), abs(left - corner), abs(left + up - 2 * corner)
    if to_left <= to_up and to_left <= to_corner:
        return left
    return up if to_up <= to_corner else corner


_Decoder = Callable[[bytes, Any, int, IssueLog], bytes]

_DECODERS: dict[str, _Decoder] = {
    "FlateDecode": _flate,
    "Fl": _flate,
    "LZWDecode": _lzw,
    "LZW": _lzw,
    "ASCIIHexDecode": _ascii_hex,
    "AHx": _ascii_hex,
    "ASCII85Decode": _ascii_85,
    "A85": _ascii_85,
    "RunLengthDecode": _run_length,
    "RL": _run_length,
    "Crypt": _unchanged,
}

_IMAGE_FILTERS = frozenset(("DCTDecode", "DCT", "CCITTFaxDecode", "CCF", "JBIG2Decode", "JPXDecode"))
