"""The CMap parser: right values, broken files, bounded work, and the fast path against the token machine."""

from __future__ import annotations

import re
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from extractor.fonts.cmap import CMap, parse_cmap, parse_to_unicode
from extractor.fonts.code_table import CodeTable


@pytest.fixture(params=[parse_cmap, parse_to_unicode], ids=["machine", "fast"])
def parse(request):
    return request.param


def test_single_characters(parse):
    cmap = parse(b"2 beginbfchar\n<0003> <0020>\n<0024> <0041>\nendbfchar")
    assert [cmap.text(code) for code in (3, 0x24, 0x25)] == [" ", "A", ""]


def test_ranges_count_from_their_start(parse):
    cmap = parse(b"2 beginbfrange <0010> <0012> <0041> <20> <21> <D83DDE00> endbfrange")
    assert [cmap.text(code) for code in (0x0F, 0x10, 0x12, 0x13)] == ["", "A", "C", ""]
    assert [cmap.text(code) for code in (0x20, 0x21)] == ["\U0001f600", "\U0001f601"]


def test_range_with_an_array(parse):
    cmap = parse(b"1 beginbfrange\n<0010> <0013> [<0058> <00660069> /alpha <D83DDE00>]\nendbfrange")
    assert [cmap.text(code) for code in range(0x10, 0x14)] == ["X", "fi", "α", "\U0001f600"]


def test_array_without_its_bracket_ends_at_the_keyword(parse):
    cmap = parse(b"beginbfrange <10> <11> [<0041> <0042> endbfrange beginbfchar <20> <0043> endbfchar")
    assert [cmap.text(code) for code in (0x10, 0x11, 0x20)] == ["A", "B", "C"]


def test_several_characters_for_one_code(parse):
    cmap = parse(b"beginbfchar <01> <006600660069> <02> <03B103010300> endbfchar")
    assert (cmap.text(1), cmap.text(2)) == ("ffi", "\u03b1\u0301\u0300")
    assert parse(b"beginbfrange <01> <02> <00660069> endbfrange").text(2) == "fj"


def test_one_line_and_no_white_space(parse):
    cmap = parse(
        b"/CMapName/X def begincmap 1 beginbfchar<01><0041><02><0042>endbfchar "
        b"1 beginbfrange<03><04><0043>endbfrange"
    )
    assert [cmap.text(code) for code in range(1, 5)] == list("ABCD")


def test_white_space_inside_a_code(parse):
    cmap = parse(b"beginbfchar <00\r01> <00 41> <00\n02> <0042> endbfchar")
    assert (cmap.text(1), cmap.text(2)) == ("A", "B")


def test_sizes_that_are_wrong(parse):
    cmap = parse(b"beginbfchar <1> <41> <00000002> <0042> <03> <041> endbfchar")
    assert [cmap.text(code) for code in (1, 2, 3)] == ["A", "B", "A"]


def test_a_later_entry_replaces_an_earlier_one(parse):
    cmap = parse(
        b"beginbfchar <05> <0041> endbfchar beginbfrange <00> <10> <0061> endbfrange "
        b"beginbfchar <06> <0042> endbfchar"
    )
    assert [cmap.text(code) for code in (4, 5, 6, 7)] == ["e", "f", "B", "h"]


def test_section_cut_short_and_junk(parse):
    cmap = parse(
        b"beginbfchar <01> <0041> <02> foo <0042> beginbfrange (x) <03> <04> <0043> % <05> <05> <0044>"
    )
    assert [cmap.text(code) for code in (1, 3, 4, 5)] == ["A", "C", "D", ""]


def test_reversed_and_overflowing_ranges_say_nothing(parse):
    cmap = parse(b"beginbfrange <09> <02> <0041> <20> <30> <DBFFDFFE> endbfrange")
    assert [cmap.text(code) for code in (2, 9, 0x20, 0x21, 0x22)] == ["", "", "\U0010fffe", "\U0010ffff", ""]


def test_huge_ranges_cost_nothing(parse):
    body = b"<00000000> <FFFFFFFF> <0041>\n" * 2000
    start = time.process_time()
    cmap = parse(b"beginbfrange\n" + body + b"endbfrange")
    assert cmap.text(2) == "C"
    assert [cmap.text(code) for code in range(500)][1] == "B"
    assert time.process_time() - start < 1.0


def test_many_overlapping_ranges_are_looked_up_fast(parse):
    body = b"".join(b"<%04X> <FFFF> <%04X>\n" % (low, 0x4E00 + low % 100) for low in range(5000))
    start = time.process_time()
    cmap = parse(b"beginbfrange\n" + body + b"endbfrange")
    assert all(cmap.text(code) for code in range(5000))
    assert cmap.text(4999) == chr(0x4E00 + 99)
    assert time.process_time() - start < 2.0


def test_code_spaces_cids_and_writing_mode():
    cmap = parse_cmap(
        b"/WMode 1 def /Base-H usecmap 2 begincodespacerange <00> <80> <8140> <9FFC> endcodespacerange "
        b"2 begincidrange <20> <7e> 1 <8140> <817E> 633 endcidrange 1 begincidchar <80> 97 endcidchar"
    )
    assert cmap.vertical
    assert cmap.uses == "Base-H"
    assert [(space.length, space.low, space.high) for space in cmap.spaces] == [
        (1, b"\x00", b"\x80"),
        (2, b"\x81\x40", b"\x9f\xfc"),
    ]
    assert (cmap.cid(0x21, 1), cmap.cid(0x80, 1), cmap.cid(0x8141, 2)) == (2, 97, 634)
    assert cmap.cid(0x21, 2) is None


def test_notdef_ranges_are_no_cids():
    cmap = parse_cmap(b"beginnotdefrange <00> <1F> 1 endnotdefrange begincidrange <20> <21> 5 endcidrange")
    assert cmap.cid(0, 1) is None
    assert cmap.cid(0x21, 1) == 6


HEX_DIGITS = "0123456789abcdefABCDEF"
code = st.integers(0, 0xFFFF).map("{:04X}".format) | st.integers(0, 0xFF).map("{:02x}".format)
target = st.text(HEX_DIGITS, min_size=1, max_size=12)
space = st.sampled_from(["", " ", "\n", "\r\n"])


@st.composite
def cmap_files(draw):
    """CMap files of bfchar and bfrange sections, with or without arrays."""
    parts = []
    for _ in range(draw(st.integers(1, 4))):
        gap = draw(space)
        if draw(st.booleans()):
            rows = [f"<{draw(code)}>{gap}<{draw(target)}>" for _ in range(draw(st.integers(0, 6)))]
            parts.append("beginbfchar\n" + "\n".join(rows) + "\nendbfchar")
        else:
            rows = []
            for _ in range(draw(st.integers(0, 6))):
                goal = f"<{draw(target)}>"
                if draw(st.booleans()) and draw(st.booleans()):
                    goal = "[" + " ".join(f"<{draw(target)}>" for _ in range(draw(st.integers(0, 4)))) + "]"
                rows.append(f"<{draw(code)}>{gap}<{draw(code)}>{gap}{goal}")
            parts.append("beginbfrange\n" + "\n".join(rows) + "\nendbfrange")
    return "\n".join(parts)


def slow_text(digits: str) -> str:
    """The text of a destination, written down as simply as can be."""
    if len(digits) <= 4:
        return chr(int(digits, 16))
    units = [int(digits[i : i + 4], 16) for i in range(0, len(digits) - len(digits) % 4, 4)]
    text = ""
    for unit in units:
        if text and 0xDC00 <= unit < 0xE000 and 0xD800 <= ord(text[-1]) < 0xDC00:
            text = text[:-1] + chr(0x10000 + ((ord(text[-1]) - 0xD800) << 10) + unit - 0xDC00)
        else:
            text += chr(unit)
    return text


def slow_parse(source: str) -> dict[int, str]:
    """All codes to text, every range expanded, one entry after the other."""
    result: dict[int, str] = {}
    for kind, body in re.findall(r"beginbf(char|range)\n(.*?)\nendbf", source, re.DOTALL):
        if kind == "char":
            for key, goal in re.findall(r"<(\w+)>\s*<(\w+)>", body):
                result[int(key, 16)] = slow_text(goal)
            continue
        for low, high, goal in re.findall(r"<(\w+)>\s*<(\w+)>\s*(<\w+>|\[.*?\])", body):
            keys = range(int(low, 16), int(high, 16) + 1)
            if goal[0] == "[":
                result.update(zip(keys, map(slow_text, re.findall(r"\w+", goal)), strict=False))
            else:
                text = slow_text(goal[1:-1])
                for distance, key in enumerate(keys):
                    point = ord(text[-1]) + distance
                    result[key] = text[:-1] + chr(point) if point <= 0x10FFFF else ""
    return result


@settings(max_examples=300, deadline=None)
@given(cmap_files())
def test_both_ways_agree_with_the_simple_parser(source):
    expected = slow_parse(source)
    for parser in (parse_cmap, parse_to_unicode):
        cmap = parser(source.encode())
        codes = set(expected) | {0, 1, 0x80, 0xFFFF}
        assert {key: cmap.text(key) for key in codes} == {key: expected.get(key, "") for key in codes}


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=300) | cmap_files().map(lambda text: text.encode()[::2]))
def test_any_bytes_parse(source):
    for parser in (parse_cmap, parse_to_unicode):
        cmap = parser(b"beginbfchar " + source)
        assert isinstance(cmap, CMap)
        for key in (0, 65, 0xFFFF):
            assert isinstance(cmap.text(key), str)


entries = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(0, 9)), max_size=60)


@settings(max_examples=200, deadline=None)
@given(entries, entries)
def test_code_table_agrees_with_a_dictionary(first, second):
    expected: dict[int, tuple[int, int]] = {}
    tables = []
    for rows in (first, second):
        table: CodeTable[int] = CodeTable()
        for low, high, value in rows:
            table.put_range(low, high, value)
            expected.update({key: (value, key - low) for key in range(low, high + 1)})
        tables.append(table)
    tables[0].update(tables[1])
    for key in range(42):
        found = tables[1].find(key) or tables[0].find(key)
        assert found == expected.get(key)
        assert tables[0].find(key) == expected.get(key)


def test_sections_that_never_end_are_fast(parse):
    start = time.process_time()
    parse(b"endbfchar " * 60_000 + b"beginbfchar " * 60_000)
    parse(b"beginbfrange [ <" * 40_000)
    parse(b"(a" * 100_000 + b"beginbfchar <01> <0041> endbfchar")
    assert time.process_time() - start < 5.0
