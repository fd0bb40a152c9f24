"""Stream filters (7.4), whole and damaged."""

from __future__ import annotations

import base64
import zlib
from typing import Any

import pytest
from pypdf.filters import LZWDecode  # an independent encoder is not in pypdf; its decoder checks ours

from extractor.filters import decode
from extractor.issues import IssueLog

TEXT = b"".join(b"%d 0 0 %d re f\n" % (i, i * i) for i in range(3000))


def undo(raw: bytes, *filters: str, parameters: Any = None, limit: int = 10_000_000) -> bytes:
    return decode(raw, filters, [parameters] * len(filters), limit, IssueLog())


def codes(raw: bytes, filters: list[str], limit: int = 10_000_000) -> list[str]:
    issues = IssueLog()
    decode(raw, filters, [], limit, issues)
    return [issue.code for issue in issues.items]


@pytest.mark.parametrize("name", ["FlateDecode", "Fl"])
def test_flate(name: str) -> None:
    assert undo(zlib.compress(TEXT), name) == TEXT


@pytest.mark.parametrize("name", ["ASCIIHexDecode", "AHx"])
def test_ascii_hex(name: str) -> None:
    assert undo(b"48 65\n6C6c6F 7>ignored", name) == b"Hellop"


@pytest.mark.parametrize("name", ["ASCII85Decode", "A85"])
def test_ascii_85(name: str) -> None:
    for length in range(12):
        assert undo(base64.a85encode(TEXT[:length]) + b"~>", name) == TEXT[:length]
    assert undo(b"<~" + base64.a85encode(bytes(8) + TEXT, wrapcol=60) + b"~>", name) == bytes(8) + TEXT
    assert undo(b"87cUR\x80D]j7BE\xffbo80~>", name) == b"Hello world!"


@pytest.mark.parametrize("name", ["RunLengthDecode", "RL"])
def test_run_length(name: str) -> None:
    assert undo(bytes((2,)) + b"abc" + bytes((254,)) + b"x" + bytes((128,)) + b"zz", name) == b"abcxxx"
    assert undo(bytes((9,)) + b"ab", name) == b"ab"


def lzw_encode(data: bytes, early: int = 1) -> bytes:
    """Encode by the letter of 7.4.4.2, with the code width that EarlyChange asks for."""
    table = {bytes((value,)): value for value in range(256)}
    bits: list[str] = []
    width, size, current = 9, 258, b""
    bits.append(f"{256:09b}")
    for value in data:
        longer = current + bytes((value,))
        if longer in table:
            current = longer
            continue
        bits.append(f"{table[current]:0{width}b}")
        table[longer] = size
        size += 1
        if size + early > 1 << width:
            width += 1
        if size >= 4094:
            bits.append(f"{256:0{width}b}")
            table = {bytes((root,)): root for root in range(256)}
            width, size = 9, 258
        current = bytes((value,))
    bits.extend((f"{table[current]:0{width}b}", f"{257:0{width + (size + 1 + early > 1 << width)}b}"))
    joined = "".join(bits)
    return int(joined.ljust(-len(joined) // 8 * -8, "0"), 2).to_bytes(-(-len(joined) // 8), "big")


@pytest.mark.parametrize("name", ["LZWDecode", "LZW"])
def test_lzw(name: str) -> None:
    packed = lzw_encode(TEXT)
    assert undo(packed, name) == TEXT == LZWDecode.decode(packed)
    assert undo(b"\x80\x0b\x60\x50\x22\x0c\x0c\x85\x01", name) == b"-----A---B"  # the example of 7.4.4.2


def test_lzw_without_early_change() -> None:
    assert undo(lzw_encode(TEXT, early=0), "LZWDecode", parameters={"/EarlyChange": 0}) == TEXT


def test_filters_are_undone_in_order() -> None:
    assert undo(base64.a85encode(zlib.compress(TEXT)) + b"~>", "A85", "Fl") == TEXT


@pytest.mark.parametrize("kind", range(5))
def test_png_predictors(kind: int) -> None:
    width, pixel = 12, 3
    rows = [bytes((row * 7 + column * column) & 255 for column in range(width)) for row in range(6)]
    packed, above = b"", bytes(width)
    for row in rows:
        packed += bytes((kind,))
        for column, value in enumerate(row):
            left = row[column - pixel] if column >= pixel else 0
            corner = above[column - pixel] if column >= pixel else 0
            up = above[column]
            guess = min((left, up, corner), key=lambda x: abs(left + up - corner - x))
            packed += bytes(((value - (0, left, up, (left + up) // 2, guess)[kind]) & 255,))
        above = row
    parameters = {"/Predictor": 15, "/Columns": 4, "/Colors": 3}
    assert undo(zlib.compress(packed), "FlateDecode", parameters=parameters) == b"".join(rows)


def test_tiff_predictor() -> None:
    parameters = {"/Predictor": 2, "/Columns": 4}
    assert undo(zlib.compress(bytes((1, 1, 1, 1, 5, 0, 0, 251))), "Fl", parameters=parameters) == bytes(
        (1, 2, 3, 4, 5, 5, 5, 0)
    )


def test_predictor_without_sense_is_passed_over() -> None:
    assert undo(zlib.compress(TEXT), "Fl", parameters={"/Predictor": 12, "/Columns": -4}) == TEXT


def test_truncated_flate_keeps_what_decodes() -> None:
    packed = zlib.compress(TEXT)
    found = undo(packed[: len(packed) // 2], "FlateDecode")
    assert len(found) > len(TEXT) // 4
    assert TEXT.startswith(found)
    assert codes(packed[: len(packed) // 2], ["FlateDecode"]) == ["truncated_flate"]


def test_damaged_flate_keeps_what_stands_before_the_damage() -> None:
    packed = bytearray(zlib.compress(TEXT))
    packed[len(packed) // 2 :] = b"\xff" * (len(packed) // 2)
    found = undo(bytes(packed), "FlateDecode")
    common = next((i for i, (a, b) in enumerate(zip(found, TEXT, strict=False)) if a != b), len(found))
    assert common > len(TEXT) // 4
    assert codes(bytes(packed), ["FlateDecode"]) in (["damaged_flate"], ["truncated_flate"])


def test_flate_without_checksum_header_or_with_line_end_before() -> None:
    packed = zlib.compress(TEXT)
    assert undo(packed[:-4] + b"abcd", "FlateDecode") == TEXT
    assert codes(packed[:-4] + b"abcd", ["FlateDecode"]) == ["damaged_flate"]
    assert undo(packed[2:-4], "FlateDecode") == TEXT
    assert undo(b"xx" + packed[2:], "FlateDecode") == TEXT
    assert undo(b"\r\n" + packed, "FlateDecode") == TEXT


def test_a_bomb_is_cut_at_the_limit() -> None:
    bomb = zlib.compress(bytes(50_000_000))
    assert len(undo(bomb, "FlateDecode", limit=100_000)) == 100_000
    assert codes(bomb, ["FlateDecode"], 100_000) == ["stream_limit"]
    assert len(undo(bytes((129, 0)) * 100_000, "RunLengthDecode", limit=1_000)) == 1_000
    assert len(undo(zlib.compress(bomb), "FlateDecode", "FlateDecode", limit=100_000)) == 100_000


def test_images_stay_encoded_and_unknown_filters_give_nothing() -> None:
    assert undo(b"\xff\xd8", "DCTDecode") == b"\xff\xd8"
    assert undo(zlib.compress(b"\xff\xd8"), "FlateDecode", "DCT") == b"\xff\xd8"
    assert undo(b"abc", "Nonsense") == b""
    assert undo(zlib.compress(b"abc"), "FlateDecod") == b"abc"
    assert codes(b"abc", ["Nonsense"]) == ["unknown_filter"]
    assert undo(b"abc", "Crypt") == b"abc"
    assert codes(b"abc", ["Crypt"] * 17) == ["too_many_filters"]
