"""Simple fonts and Type 3: which source of Unicode wins."""

from __future__ import annotations

import pytest

from extractor.fonts import load_font
from tests.helpers.font_objects import FaultList, Stream, cff_font, to_unicode, truetype_font


def simple(subtype="/Type1", **entries):
    return load_font(
        {"/Subtype": subtype, **{f"/{key}": value for key, value in entries.items()}}, FaultList()
    )


def texts(font, *codes):
    return [font.glyph(code).text for code in codes]


def type1_program(encoding):
    return Stream(b"%!PS-AdobeFont-1.0: Test\n" + encoding + b"\ncurrentfile eexec\n\x80\x01\x02")


def embedded(program, key="/FontFile", **flags):
    return {key: program, "/Flags": 4, **{f"/{name}": value for name, value in flags.items()}}


def test_face_of_a_simple_font():
    font = simple(BaseFont="/ABCDEF+Helvetica", Encoding="/WinAnsiEncoding")
    assert (font.name, font.subtype, font.composite, font.vertical, font.code_length) == (
        "Helvetica",
        "Type1",
        False,
        False,
        1,
    )
    assert font.split(b"A\xff") == [65, 255]
    assert font.glyph(65) is font.glyph(65)


def test_to_unicode_comes_first():
    font = simple(
        BaseFont="/X",
        Encoding="/WinAnsiEncoding",
        ToUnicode=to_unicode("2 beginbfchar <41> <0042> <43> <00660069> endbfchar"),
    )
    assert texts(font, 0x41, 0x43, 0x44) == ["B", "fi", "D"]


@pytest.mark.parametrize("junk", ["FFFD", "0000", "D800", "FFFE", "000D", "000A", "E000", ""])
def test_to_unicode_that_says_nothing_leaves_it_to_the_names(junk):
    font = simple(
        BaseFont="/X",
        Encoding="/WinAnsiEncoding",
        ToUnicode=to_unicode(f"1 beginbfchar <41> <{junk}> endbfchar"),
    )
    assert texts(font, 0x41) == ["A"]


def test_a_line_end_without_other_source_is_a_space():
    font = simple("/Type3", ToUnicode=to_unicode("1 beginbfchar <41> <000D> <42> <0009> endbfchar"))
    assert texts(font, 0x41, 0x42) == [" ", " "]


def test_identity_map_against_glyph_names():
    names = {"/Differences": [33, "/T", "/h", "/e"]}
    identity = to_unicode("1 beginbfrange <21> <23> <0021> endbfrange")
    assert texts(simple(BaseFont="/X", Encoding=names, ToUnicode=identity), 33, 34, 35) == ["T", "h", "e"]
    other = to_unicode("1 beginbfchar <21> <0041> <22> <0022> endbfchar")
    assert texts(simple(BaseFont="/X", Encoding=names, ToUnicode=other), 33, 34, 35) == ["A", '"', "e"]


def test_differences_over_a_named_encoding():
    encoding = {
        "/BaseEncoding": "/MacRomanEncoding",
        "/Differences": [65, "/Aacute", "/uni0416", 1, "/f_i", "/.notdef"],
    }
    font = simple(BaseFont="/X", Encoding=encoding)
    assert texts(font, 65, 66, 67, 0x8A, 1, 2) == ["Á", "Ж", "C", "ä", "fi", ""]


def test_fonts_without_encoding():
    assert texts(simple(BaseFont="/Helvetica"), 0x27, 0xAE, 0xE1) == ["’", "ﬁ", "Æ"]
    assert texts(simple(BaseFont="/Symbol"), 0x61, 0xB1) == ["α", "±"]
    assert texts(simple(BaseFont="/ZapfDingbats"), 0x34, 0x6C) == ["✔", "●"]
    assert texts(simple("/TrueType", BaseFont="/Arial"), 0x27, 0xE4) == ["'", "ä"]
    assert texts(simple(BaseFont="/Symbol", Encoding="/WinAnsiEncoding"), 0x61) == ["α"]
    assert texts(simple("/TrueType", BaseFont="/Wingdings"), 0xFC) == ["✓"]


@pytest.mark.parametrize(
    ("flags", "expected"), [(32, ["æ", "ø", "ä", "'"]), (4, ["ñ", "ù", "ä", "'"]), (36, ["ñ", "ù", "ä", "'"])]
)
def test_nonsymbolic_truetype_fonts_without_encoding_have_the_standard_one(flags, expected):
    font = simple("/TrueType", BaseFont="/Arial", FontDescriptor={"/Flags": flags})
    assert texts(font, 0xF1, 0xF9, 0xE4, 0x27) == expected


@pytest.mark.parametrize(
    ("letters", "expected"), [(b"etaoiX", "n"), (b"etaoXYZ", "")], ids=["six common letters", "five"]
)
def test_names_that_are_their_codes_in_decimal(letters, expected):
    differences = [element for code in letters for element in (code, f"/{code}")]
    font = simple("/Type1", BaseFont="/X", Encoding={"/Differences": [9, "/9", 110, "/110", *differences]})
    assert texts(font, 110) == [expected]
    assert texts(font, 9) == [""] or not expected
    moved = simple("/Type1", BaseFont="/X", Encoding={"/Differences": [1, "/110", *differences]})
    assert texts(moved, 101) == [""]


def test_built_in_encoding_of_a_type1_program():
    encoding = b"/Encoding 256 array\n0 1 255 {1 index exch /.notdef put} for\n"
    encoding += b"dup 11 /ff put\ndup 8#101 /A put\ndup 65 /B put"
    font = simple(BaseFont="/CMR10", FontDescriptor=embedded(type1_program(encoding + b"\nreadonly def")))
    assert texts(font, 11, 65, 66) == ["ﬀ", "B", ""]


def test_differences_over_a_built_in_encoding():
    program = type1_program(b"/Encoding 256 array\ndup 1 /Gamma put\ndup 2 /Delta put\nreadonly def")
    font = simple(BaseFont="/X", FontDescriptor=embedded(program), Encoding={"/Differences": [2, "/alpha"]})
    assert texts(font, 1, 2) == ["Γ", "α"]


def test_type1_program_with_the_standard_encoding():
    program = type1_program(b"/Encoding StandardEncoding def")
    assert texts(simple(BaseFont="/X", FontDescriptor=embedded(program)), 0x27, 0xAE) == ["’", "ﬁ"]


def test_built_in_encoding_of_a_cff_program():
    program = Stream(
        cff_font([".notdef", "A", "ffi", "uni0416"], {1: "ffi", 2: "uni0416", 65: "A"}), Subtype="/Type1C"
    )
    font = simple(BaseFont="/X", FontDescriptor=embedded(program, "/FontFile3"))
    assert texts(font, 1, 2, 65, 66) == ["ﬃ", "Ж", "A", ""]


def test_symbolic_truetype_by_its_symbol_cmap_and_post_names():
    source = truetype_font([".notdef", "alpha", "glyph2"], {}, symbol={0xF021: "alpha", 0xF041: "glyph2"})
    font = simple("/TrueType", BaseFont="/X", FontDescriptor=embedded(Stream(source), "/FontFile2"))
    assert texts(font, 0x21, 0x41) == ["α", "A"]
    assert font.glyph(0x21).width == 0.501


def test_truetype_by_its_unicode_cmap():
    source = truetype_font([".notdef", "one", "two"], {0x416: "one", 0x42: "two"})
    font = simple("/TrueType", BaseFont="/X", FontDescriptor=embedded(Stream(source), "/FontFile2"))
    assert texts(font, 0x42) == ["B"]


def test_numbered_names_are_proved_by_the_program():
    source = truetype_font([".notdef", "x1", "x2"], {0x416: "x1", 0x42: "x2"})
    descriptor = embedded(Stream(source), "/FontFile2")
    font = simple(
        "/TrueType",
        BaseFont="/X",
        FontDescriptor=descriptor,
        Encoding={"/Differences": [5, "/g1", "/glyph2"]},
    )
    assert texts(font, 5, 6) == ["Ж", "B"]
    assert texts(simple(BaseFont="/X", Encoding={"/Differences": [5, "/g1", "/g23"]}), 5, 6) == ["", ""]


@pytest.mark.parametrize(
    ("names", "expected"),
    [
        ({65: "c65", 66: "c66", 228: "c228"}, "ABä"),
        ({1: "G54", 2: "G68", 3: "G6F"}, "Tho"),
        ({1: "G01", 2: "G02", 3: "G0F"}, ""),
        ({1: "GFA", 2: "GED", 3: "G2E"}, "úí."),
        ({1: "GFA", 2: "GEC", 3: "GF8", 4: "G9D"}, "úěřť"),
        ({1: "GFA", 2: "GEC", 3: "GF8", 4: "G9E"}, "úìøž"),
        ({1: "G54", 2: "G68", 3: "G65"}, ""),
        ({n: f"C{ord(c)}" for n, c in enumerate("etaoinsrq", 1)}, "etaoinsrq"),
        ({n: f"C{n}" for n in range(40, 60, 3)}, "(+.147:"),
        ({1: "c65", 2: "G66", 3: "c67"}, ""),
        ({65: "c65", 66: "c66"}, ""),
        ({65: "a65", 66: "a66", 18: "a18"}, ""),
    ],
)
def test_names_that_number_characters(names, expected):
    differences = [element for code, name in names.items() for element in (code, "/" + name)]
    font = simple(BaseFont="/X", Encoding={"/Differences": differences})
    assert "".join(texts(font, *names)) == expected


def test_type3_by_names():
    procedures = {"/A": Stream(b""), "/x7": Stream(b"")}
    font = simple("/Type3", CharProcs=procedures, Encoding={"/Differences": [1, "/A", "/x7", "/Ccedilla"]})
    assert texts(font, 1, 2, 3, 65) == ["A", "", "Ç", ""]
    assert font.subtype == "Type3"


def test_type3_of_tex_bitmaps():
    names = [f"/a{code}" for code in (0xE0, 0xE3, 0xE4, 0xE5, 0xF2, 0xF3)]
    encoding = {"/Differences": [e for name in names for e in (int(name[2:]), name)]}
    widths = [45, 0, 0, 40, 50, 40] + [0] * 12 + [45, 48]
    font = simple(
        "/Type3", Encoding=encoding, FirstChar=0xE0, Widths=widths, FontMatrix=[0.01, 0, 0, 0.01, 0, 0]
    )
    assert texts(font, 0xE0, 0xE4, 0xF3) == ["а", "д", "у"]


@pytest.mark.parametrize(("name", "expected"), [("/x24", "$"), ("/a36", "$"), ("/x36", ""), ("/x25", "")])
def test_type3_of_tex_bitmaps_by_dvipdfmx(name, expected):
    font = simple("/Type3", Encoding={"/Differences": [36, name]}, FirstChar=36, Widths=[67])
    assert texts(font, 36) == [expected]


@pytest.mark.parametrize(
    ("codes", "expected"),
    [((136,), "•"), ((36, 136), "$•"), ((97, 136), "a"), ((136, 0xE9), "")],
    ids=["a bullet", "with a dollar", "with a letter", "with an accented letter"],
)
def test_type3_of_tex_companion_fonts(codes, expected):
    differences = [element for code in codes for element in (code, f"/a{code}")]
    widths = [41.5 if code in codes else 0 for code in range(36, 256)]
    font = simple("/Type3", Encoding={"/Differences": differences}, FirstChar=36, Widths=widths)
    assert "".join(texts(font, *codes)) == expected


def test_a_code_32_without_glyph_is_a_space():
    program = type1_program(b"/Encoding 256 array\ndup 65 /A put\nreadonly def")
    assert texts(simple(BaseFont="/CMR10", FontDescriptor=embedded(program)), 32, 33) == [" ", ""]


def test_small_capitals_of_an_expert_font():
    font = simple(BaseFont="/Expert", Encoding="/MacExpertEncoding")
    assert texts(font, 0x61, 0x57, 0x31) == ["a", "ﬁ", "1"]


@pytest.mark.parametrize(
    "program",
    [
        b"",
        b"\x00\x01\x00\x00",
        b"OTTO\xff\xff" + b"\xff" * 40,
        b"\x01\x00\x04\x01" + b"\xff" * 30,
        b"%!PS",
        b"\x80\x01",
        b"junk",
    ],
)
@pytest.mark.parametrize("key", ["/FontFile", "/FontFile2", "/FontFile3"])
def test_broken_programs_leave_the_standard_encoding(program, key):
    faults = FaultList()
    descriptor = {key: Stream(program, Subtype="/Type1C"), "/Flags": 32}
    font = load_font({"/Subtype": "/Type1", "/BaseFont": "/X", "/FontDescriptor": descriptor}, faults)
    assert font.glyph(65).text == "A"


def test_unreadable_programs_are_reported():
    class Broken(Stream):
        def get_data(self):
            raise OSError("cannot inflate")

    faults = FaultList()
    font = load_font({"/Subtype": "/Type1", "/FontDescriptor": embedded(Broken(b""))}, faults)
    assert font.glyph(200).text == "¨"
    assert [code for code, _ in faults.items] == ["font-program"]


def test_symbol_fonts_have_glyphs_of_their_own_whatever_the_encoding_says():
    program = Stream(truetype_font([".notdef", "x"], {}, symbol={0xF0FC: "x"}))
    descriptor = embedded(program, "/FontFile2")
    font = simple(
        "/TrueType", BaseFont="/ABCDEF+Wingdings", FontDescriptor=descriptor, Encoding="/WinAnsiEncoding"
    )
    assert texts(font, 0xFC) == ["✓"]


def test_a_map_of_all_codes_to_one_character_gives_way():
    body = "".join(f"<{code:02X}> <003F> " for code in range(65, 72))
    question = to_unicode(f"7 beginbfchar {body} endbfchar")
    assert texts(simple(BaseFont="/X", Encoding="/WinAnsiEncoding", ToUnicode=question), 65, 66) == ["A", "B"]
    assert texts(simple("/Type3", ToUnicode=question), 65) == ["?"]


def test_a_map_that_writes_code_points_as_cids():
    numbers = to_unicode("1 begincidrange <41> <43> 1040 endcidrange")
    assert texts(simple("/Type3", ToUnicode=numbers), 0x41, 0x43) == ["А", "В"]


def test_built_in_encoding_written_as_an_array():
    program = type1_program(b"/Encoding [/.notdef /A /beta /.notdef] def")
    assert texts(simple(BaseFont="/X", FontDescriptor=embedded(program)), 1, 2) == ["A", "β"]


def test_codes_that_count_the_glyphs_of_a_subset_say_nothing():
    names = [".notdef", *(f"glyph{index}" for index in range(1, 9))]
    subset = truetype_font(names, {}, symbol={0xF020 + index: names[index] for index in range(1, 9)})
    font = simple("/TrueType", BaseFont="/ABCDEF+Foo", FontDescriptor=embedded(Stream(subset), "/FontFile2"))
    assert texts(font, 33, 34, 40) == ["", "", ""]
    latin = truetype_font(
        names, {}, symbol={0xF000 + ord(c): n for c, n in zip("Thequick", names[1:], strict=True)}
    )
    font = simple("/TrueType", BaseFont="/ABCDEF+Foo", FontDescriptor=embedded(Stream(latin), "/FontFile2"))
    assert texts(font, *b"Theq") == ["T", "h", "e", "q"]


def test_encoding_names_without_their_ending():
    assert texts(simple(BaseFont="/X", Encoding="/WinAnsi"), 0x80) == ["€"]
    assert texts(simple(BaseFont="/X", Encoding={"/BaseEncoding": "/MacRoman"}), 0x8A) == ["ä"]
