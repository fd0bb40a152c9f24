"""Widths, vertical metrics and heights."""

from __future__ import annotations

import math
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractor.fonts import load_font
from extractor.fonts.metrics import CidMetrics, descriptor_heights
from tests.helpers.font_objects import FaultList, Stream, composite, truetype_font


def width(array, cid):
    found = CidMetrics(array, 1).find(cid)
    return None if found is None else found[0]


def test_both_forms_of_width_entries():
    array = [120, [400, 325, 500], 7080, 8032, 1000]
    assert [width(array, cid) for cid in (119, 120, 121, 122, 123, 7080, 8032, 8033)] == [
        None,
        400,
        325,
        500,
        None,
        1000,
        1000,
        None,
    ]


def test_unsorted_entries_are_found():
    array = [50, [700], 3, 9, 250, 20, [500, 600]]
    assert [width(array, cid) for cid in (50, 3, 9, 20, 21)] == [700, 250, 250, 500, 600]


def test_the_first_of_overlapping_entries_wins():
    array = [10, 20, 300, 15, [900], 5, 12, 400, 5, [111]]
    assert [width(array, cid) for cid in (15, 10, 12, 5, 9)] == [300, 300, 300, 400, 400]


def test_wide_ranges_overlap_in_the_same_way():
    array = [10, 40000, 300, 15, [900], 0, 60000, 400]
    assert [width(array, cid) for cid in (15, 10, 5, 40001, 60001)] == [300, 300, 400, 400, None]


def test_references_and_damage_in_width_arrays():
    class Reference:
        idnum = 7

        def __init__(self, value):
            self.value = value

        def get_object(self):
            return self.value

    array = [
        Reference(3),
        Reference([Reference(250), None, "x"]),
        "junk",
        8,
        Reference(9),
        Reference(600),
        70000,
        [5],
        1,
    ]
    assert [width(array, cid) for cid in (3, 4, 5, 8, 9)] == [250, None, None, 600, 600]
    assert width(None, 3) is None
    assert width("no array", 3) is None
    assert width([-5, [1, 2], 9, 3, 500], 3) is None


def test_half_a_million_entries_are_fast():
    array = []
    for index in range(170_000):
        cid = (index * 7919) % 65536
        array += [cid, cid, 500 + index % 100] if index % 2 else [cid, [400 + index % 100]]
    start = time.process_time()
    metrics = CidMetrics(array, 1)
    assert metrics.find(0) == (400.0,)
    assert metrics.find(7919) == (501.0,)
    assert time.process_time() - start < 2.0


def test_hostile_ranges_are_fast():
    array = [element for low in range(3000) for element in (low, 10**9, 500)]
    start = time.process_time()
    assert width(array, 65535) == 500
    assert time.process_time() - start < 2.0


entry = st.one_of(
    st.tuples(st.integers(0, 60), st.lists(st.integers(0, 900), max_size=5)).map(list),
    st.tuples(st.integers(0, 60), st.integers(0, 60), st.integers(0, 900)).map(list),
)


@settings(deadline=None)
@given(st.lists(entry, max_size=12), st.booleans())
def test_widths_agree_with_reading_in_file_order(entries, wide):
    array = [element for row in entries for element in row] + ([61, 65535, 77] if wide else [])
    expected = dict.fromkeys(range(61, 65536), 77.0) if wide else {}
    for row in reversed(entries):
        if isinstance(row[1], list):
            expected.update({row[0] + index: float(value) for index, value in enumerate(row[1])})
        else:
            expected.update({cid: float(row[2]) for cid in range(row[0], row[1] + 1)})
    metrics = CidMetrics(array, 1)
    assert {cid: (metrics.find(cid) or (None,))[0] for cid in range(70)} == {
        cid: expected.get(cid) for cid in range(70)
    }


def test_vertical_metrics():
    cid_font = {
        "/DW2": [800, -900],
        "/W2": [5, [-500, 250, 700], 7, 9, -400, 100, 600],
        "/W": [5, [600, 700]],
    }
    font = load_font(composite("/Identity-V", cid_font), FaultList())
    assert font.vertical
    five, six, seven = font.glyph(5), font.glyph(6), font.glyph(7)
    assert (five.vx, five.vy, five.w1) == (0.25, 0.7, -0.5)
    assert (six.vx, six.vy, six.w1) == (0.35, 0.8, -0.9)
    assert (seven.vx, seven.vy, seven.w1) == (0.1, 0.6, -0.4)
    assert seven.width == 1.0


def test_vertical_defaults():
    glyph = load_font(composite("/Identity-V"), FaultList()).glyph(9)
    assert (glyph.vx, glyph.vy, glyph.w1) == (0.5, 0.88, -1.0)


@pytest.mark.parametrize(
    ("descriptor", "heights"),
    [
        ({"/Ascent": 750, "/Descent": -250}, (0.75, -0.25)),
        ({"/Ascent": 905, "/Descent": 212}, (0.905, -0.212)),
        ({"/Ascent": 1900, "/Descent": -500}, (1.1, -0.45)),
        ({"/Ascent": 0, "/Descent": 0, "/FontBBox": [-100, -200, 1000, 900]}, (0.9, -0.2)),
        ({"/Ascent": 0, "/Descent": 0, "/FontBBox": [0, 0, 0, 0]}, (0.75, -0.25)),
        ({"/Ascent": -300, "/Descent": 900}, (0.75, -0.25)),
        ({"/Ascent": 1e30, "/Descent": -1e30}, (0.75, -0.25)),
        ({"/Ascent": 300, "/Descent": 0, "/FontBBox": [0, -250, 900, 880]}, (0.88, -0.25)),
        ({}, (0.75, -0.25)),
        (None, (0.75, -0.25)),
    ],
)
def test_heights_are_fit_for_measuring(descriptor, heights):
    assert descriptor_heights(descriptor, lambda: None) == pytest.approx(heights)


@given(st.floats(), st.floats(), st.lists(st.floats(), min_size=4, max_size=4))
def test_heights_are_always_sane(ascent, descent, box):
    top, bottom = descriptor_heights({"/Ascent": ascent, "/Descent": descent, "/FontBBox": box}, lambda: None)
    assert bottom <= 0 < top
    assert 0.4 <= top - bottom <= 1.6


def simple(**entries):
    return load_font({"/Subtype": "/Type1", **{f"/{k}": v for k, v in entries.items()}}, FaultList())


def test_simple_widths():
    font = simple(
        BaseFont="/Other", FirstChar=65, Widths=[500, 600.5, None], FontDescriptor={"/MissingWidth": 333}
    )
    assert [font.glyph(code).width for code in (65, 66, 67, 64, 68)] == [0.5, 0.6005, 0.333, 0.333, 0.333]


def test_standard_fonts_know_their_widths():
    helvetica = simple(BaseFont="/Helvetica", Encoding="/WinAnsiEncoding")
    assert [helvetica.glyph(code).width for code in (32, 65, 0x80, 0xE4)] == [0.278, 0.667, 0.556, 0.556]
    assert simple(BaseFont="/Courier-Bold").glyph(105).width == 0.6
    assert simple(BaseFont="/TimesNewRoman,BoldItalic").glyph(65).width == 0.667
    assert simple(BaseFont="/Symbol").glyph(97).width == 0.631
    assert simple(BaseFont="/ZapfDingbats").glyph(0x33).width == 0.755


def test_unknown_fonts_take_the_widths_of_a_like_one():
    assert simple(BaseFont="/Unknown", FontDescriptor={"/Flags": 33}).glyph(65).width == 0.6
    assert simple(BaseFont="/Unknown", FontDescriptor={"/Flags": 34}).glyph(65).width == 0.722


def test_word_space_is_the_single_byte_code_32():
    font = simple(BaseFont="/Helvetica")
    assert font.glyph(32).word_space
    assert not font.glyph(33).word_space
    assert not load_font(composite(), FaultList()).glyph(32).word_space


def type3(box, matrix, widths, procedures=None):
    return load_font(
        {
            "/Subtype": "/Type3",
            "/FontBBox": box,
            "/FontMatrix": matrix,
            "/FirstChar": 65,
            "/Widths": widths,
            "/CharProcs": procedures or {},
            "/Encoding": {"/Differences": [65, "/A", "/B"]},
        },
        FaultList(),
    )


def test_type3_widths_go_through_the_font_matrix():
    font = type3([0, -250, 800, 750], [0.001, 0, 0, 0.001, 0, 0], [500, 600])
    assert [font.glyph(code).width for code in (65, 66, 67)] == [0.5, 0.6, 0.0]
    assert (font.ascent, font.descent) == (0.75, -0.25)
    assert font.glyph(65).text == "A"


@pytest.mark.parametrize("box", [[0, 0, 0, 0], [0, 0, 1, 1], [-1e5, -1e5, 1e5, 1e5], None, [3, 2]])
def test_type3_boxes_that_say_nothing(box):
    font = type3(box, [0.01, 0, 0, 0.01, 0, 0], [50, 60])
    height = font.ascent - font.descent
    assert 0.55 <= height <= 2.5
    assert font.descent < 0 < font.ascent


def test_type3_boxes_of_glyph_descriptions():
    procedures = {"/A": Stream(b"50 0 2 -20 48 70 d1 0 0 m"), "/B": Stream(b"60 0 0 0 55 75 d1 f")}
    font = type3([0, 0, 0, 0], [0.01, 0, 0, 0.01, 0, 0], [50, 60], procedures)
    assert (font.ascent, font.descent) == pytest.approx((0.75, -0.2))


def test_type3_upside_down():
    font = type3([-6, -68, 91, 25], [0.011, 0, 0, -0.011, 0, 0], [45, 50])
    assert (font.ascent, font.descent) == pytest.approx((0.748, -0.275))


@given(
    st.lists(st.floats(), min_size=6, max_size=6),
    st.lists(st.floats(), min_size=4, max_size=4),
    st.lists(st.floats()),
)
def test_type3_numbers_are_finite(matrix, box, widths):
    font = type3(box, matrix, widths)
    assert math.isfinite(font.glyph(65).width)
    assert math.isfinite(font.ascent)
    assert font.descent <= 0 < font.ascent


def test_heights_of_the_program_where_the_descriptor_has_none():
    descriptor = {"/FontFile2": Stream(truetype_font([".notdef", "A"], {65: "A"})), "/Flags": 32}
    font = load_font({"/Subtype": "/TrueType", "/BaseFont": "/X", "/FontDescriptor": descriptor}, FaultList())
    assert (font.ascent, font.descent) == (0.8, -0.2)
    font = load_font({"/Subtype": "/Type1", "/BaseFont": "/Helvetica"}, FaultList())
    assert (font.ascent, font.descent) == (0.905, -0.212)


def test_hostile_ranges_of_many_entries_are_fast():
    array = [element for low in range(60_000) for element in (low % 50, 10**9, 500)]
    start = time.process_time()
    assert width(array, 65535) == 500
    assert time.process_time() - start < 3.0
