"""Damaged fonts never raise: fonts, codes and programs made at random, for a bounded time."""

from __future__ import annotations

import random
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from extractor.fonts import FontGlyph, load_font
from tests.helpers.font_objects import FaultList, Stream, cff_font, composite, truetype_font

KEYS = [
    "/Type",
    "/Subtype",
    "/BaseFont",
    "/FirstChar",
    "/LastChar",
    "/Widths",
    "/FontDescriptor",
    "/Encoding",
    "/ToUnicode",
    "/FontMatrix",
    "/FontBBox",
    "/CharProcs",
    "/DescendantFonts",
    "/CIDSystemInfo",
    "/DW",
    "/W",
    "/DW2",
    "/W2",
    "/CIDToGIDMap",
    "/BaseEncoding",
    "/Differences",
    "/Registry",
    "/Ordering",
    "/UseCMap",
    "/WMode",
    "/FontFile",
    "/FontFile2",
    "/FontFile3",
    "/Flags",
    "/Ascent",
    "/Descent",
    "/MissingWidth",
]
NAMES = [
    "/Type0",
    "/Type1",
    "/Type3",
    "/TrueType",
    "/CIDFontType0",
    "/CIDFontType2",
    "/Identity-H",
    "/Identity-V",
    "/WinAnsiEncoding",
    "/Symbol",
    "/90ms-RKSJ-H",
    "/Adobe-Japan1-UCS2",
    "/.notdef",
    "/uni0041",
    "/a65",
    "/g3",
    "/Helvetica",
    "/../../x",
]


class Failing:
    """A reference whose object can't be read."""

    idnum = 5

    def get_object(self):
        raise RuntimeError("no such object")


class Loop:
    """A reference to itself."""

    idnum = 6

    def get_object(self):
        return self


leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(2**40), 2**40),
    st.integers(-3, 300),
    st.floats(),
    st.sampled_from(NAMES),
    st.text(max_size=6),
    st.binary(max_size=12),
    st.builds(Failing),
    st.builds(Loop),
)
objects = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=6),
        st.dictionaries(st.sampled_from(KEYS), inner, max_size=6),
        st.builds(Stream, st.binary(max_size=80)),
        st.builds(
            Stream,
            st.sampled_from(
                [
                    b"beginbfchar <41> <0042> endbfchar",
                    b"begincidrange <00> <ffff> 5 endcidrange",
                    b"\x00\x01\x00\x00\x00\x01",
                    b"%!PS /Encoding 256 array dup 65 /A put",
                ]
            ),
        ),
    ),
    max_leaves=20,
)
fonts = st.dictionaries(st.sampled_from(KEYS), objects, max_size=12)


def exercise(dictionary):
    """Ask a font everything that the interpreter asks."""
    font = load_font(dictionary, FaultList())
    assert font.code_length in (0, 1, 2)
    assert font.descent <= 0 < font.ascent
    string = b"A\x81\x40\xff\x00 "
    codes = [*font.split(string), 0, 32, 65, 255, 256, 65535]
    for code in codes:
        assert 0 <= code < 65536
        glyph = font.glyph(code)
        assert isinstance(glyph, FontGlyph)
        glyph.text.encode("utf-8")
        assert all(abs(number) < 1e7 for number in glyph[1:])


@settings(max_examples=400, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(fonts)
def test_any_dictionary_is_a_font(dictionary):
    exercise(dictionary)


@settings(max_examples=100, deadline=None)
@given(objects)
def test_any_object_is_a_font(value):
    exercise(value)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(fonts, fonts, objects)
def test_any_cid_font(cid_font, entries, encoding):
    entries = {
        key[1:]: value for key, value in entries.items() if key not in ("/Subtype", "/DescendantFonts")
    }
    exercise(composite(encoding, cid_font, **entries))


def test_damaged_programs_within_their_time():
    rng = random.Random(7)
    sources = [
        truetype_font([".notdef", "A", "alpha", "uni0416"], {65: "A", 0x3B1: "alpha", 0x416: "uni0416"}),
        cff_font([".notdef", "A", "f_i"], {65: "A", 66: "f_i"}),
    ]
    start = time.process_time()
    for _ in range(150):
        source = bytearray(rng.choice(sources))
        for _ in range(rng.randint(1, 12)):
            source[rng.randrange(len(source))] = rng.choice((0, 1, 0x7F, 0xFF, rng.randrange(256)))
        program = Stream(bytes(source[: rng.randint(1, len(source))] if rng.random() < 0.3 else source))
        for key in ("/FontFile2", "/FontFile3"):
            exercise({"/Subtype": "/TrueType", "/FontDescriptor": {key: program, "/Flags": 4}})
            exercise(composite("/Identity-H", {"/FontDescriptor": {key: program, "/Flags": 4}}))
        assert time.process_time() - start < 60


def sfnt_with_cmap(subtable):
    cmap = b"\0\0\0\1\0\3\0\x0a\0\0\0\x0c" + subtable
    record = b"cmap" + bytes(4) + (28).to_bytes(4, "big") + len(cmap).to_bytes(4, "big")
    return b"\0\1\0\0\0\1\0\0\0\0\0\0" + record + cmap


@pytest.mark.parametrize("step", [0, 0x10000])
def test_font_programs_of_overlapping_groups(step):
    groups = b"".join((i * step).to_bytes(4, "big") + b"\xff\xff\xff\xff\0\0\0\1" for i in range(20_000))
    length = (16 + len(groups)).to_bytes(4, "big")
    source = sfnt_with_cmap(b"\0\x0c\0\0" + length + bytes(4) + (20_000).to_bytes(4, "big") + groups)
    start = time.process_time()
    exercise(composite("/Identity-H", {"/FontDescriptor": {"/FontFile2": Stream(source)}}))
    assert time.process_time() - start < 5


def test_a_font_program_of_overlapping_segments():
    count = 8000
    words = [
        4,
        0,
        0,
        2 * count,
        0,
        0,
        0,
        *[0xFFFE] * count,
        0,
        *[0] * count,
        *[0] * count,
        *[2 * count] * count,
    ]
    source = sfnt_with_cmap(b"".join(word.to_bytes(2, "big") for word in words))
    start = time.process_time()
    exercise(composite("/Identity-H", {"/FontDescriptor": {"/FontFile2": Stream(source)}}))
    assert time.process_time() - start < 5
