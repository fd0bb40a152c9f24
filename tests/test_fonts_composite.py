"""Composite fonts: splitting, CIDs, and which source of Unicode wins."""

from __future__ import annotations

import io
import random

import pytest
from fontTools.cffLib import CFFFontSet

from extractor.fonts import load_font
from extractor.fonts.predefined import cid_text
from extractor.fonts.standard_fonts import standard_widths
from tests.helpers.font_objects import (
    FaultList,
    Stream,
    cff_font,
    collection,
    composite,
    to_unicode,
    truetype_font,
)


def load(*arguments, **entries):
    return load_font(composite(*arguments, **entries), FaultList())


def text(font, string):
    if font.code_length:
        codes = [
            int.from_bytes(string[i : i + font.code_length], "big")
            for i in range(0, len(string), font.code_length)
        ]
        assert font.split(string) == codes
    return "".join(font.glyph(code).text for code in font.split(string))


def test_face_of_a_composite_font():
    font = load(BaseFont="/ABCDEF+Test")
    assert (font.name, font.subtype, font.composite, font.vertical, font.code_length) == (
        "Test",
        "Type0",
        True,
        False,
        2,
    )
    assert load("/Identity-V").vertical


def test_to_unicode_of_identity_codes():
    font = load(
        ToUnicode=to_unicode(
            "1 beginbfrange <0003> <0005> <0041> endbfrange 1 beginbfchar <0010> <00660069> endbfchar"
        )
    )
    assert text(font, b"\0\3\0\5\0\x10\0\x11") == "ACfi"


@pytest.mark.parametrize("name", ["/Identity-H", "/Identity-V", "/Identity"])
def test_to_unicode_that_is_a_name(name):
    assert text(load(ToUnicode=name), "Łódź".encode("utf-16-be")) == "Łódź"


@pytest.mark.parametrize(
    ("ordering", "cids", "expected"),
    [
        ("Japan1", (843, 1, 34), "あ A"),
        ("GB1", (4559, 34), None),
        ("Korea1", (34,), "A"),
        ("CNS1", (34,), "A"),
    ],
)
def test_collections_of_fonts_that_are_not_embedded(ordering, cids, expected):
    font = load("/Identity-H", {"/CIDSystemInfo": collection(ordering)})
    shown = "".join(font.glyph(cid).text for cid in cids)
    assert shown == expected if expected else len(shown) == 2


def test_rotated_forms_and_newer_characters_of_collections():
    assert cid_text("Adobe-Japan1", 7887) == "、"
    assert cid_text("Adobe-CNS1", 14975) == "\U0002555b"
    assert cid_text("Adobe-GB1", 999_999) == ""


@pytest.mark.parametrize(
    ("cmap", "codec", "sample"),
    [
        ("90ms-RKSJ-H", "cp932", "Hello 日本語テスト ｱ"),
        ("EUC-H", "euc_jp", "あいうえお ABC ｱ"),
        ("UniJIS-UTF16-H", "utf-16-be", "日本語 𠀋 A"),
        ("UniJIS-UCS2-H", "utf-16-be", "日本語 A"),
        ("GBK-EUC-H", "gbk", "我们都是黑体字 A1"),
        ("GBKp-EUC-H", "gbk", "我们都是黑体字 A1"),
        ("GB-EUC-H", "gb2312", "中华人民共和国"),
        ("GBK2K-H", "gb18030", "中文㐀 A"),
        ("UniGB-UCS2-H", "utf-16-be", "机器编号:"),
        ("UniGB-UTF16-H", "utf-16-be", "上海增值税"),
        ("UniGB-UTF8-H", "utf-8", "上海 A"),
        ("UniGB-UTF32-H", "utf-32-be", "上海 A"),
        ("B5pc-H", "big5", "中文姓名"),
        ("ETen-B5-H", "big5", "中文姓名 A"),
        ("HKscs-B5-H", "big5hkscs", "中文姓名 A"),
        ("UniCNS-UTF16-H", "utf-16-be", "胡駿𥕛 A"),
        ("KSC-EUC-H", "euc_kr", "대한민국 A"),
        ("KSCms-UHC-H", "cp949", "안녕하세요 똠 A"),
        ("UniKS-UCS2-H", "utf-16-be", "안녕하세요"),
        ("UniKS-UTF16-H", "utf-16-be", "안녕하세요 A"),
    ],
)
@pytest.mark.parametrize("vertical", [False, True])
def test_predefined_cmaps(cmap, codec, sample, vertical):
    font = load("/" + (cmap[:-1] + "V" if vertical else cmap), {"/CIDSystemInfo": collection("Unknown")})
    assert font.vertical is vertical
    assert text(font, sample.encode(codec)) == sample


def test_seven_bit_japanese():
    font = load("/H")
    assert font.code_length == 2
    assert text(font, "あい".encode("iso2022_jp")[3:-3]) == "あい"


def test_mixed_code_space_has_slots_and_a_single_byte_space():
    font = load("/90ms-RKSJ-H", {"/CIDSystemInfo": collection("Japan1"), "/DW": 1000, "/W": [231, 632, 500]})
    assert font.code_length == 0
    slots = font.split("a 亜".encode("cp932"))
    assert slots == [0x61, 0x20, 0x889F]
    assert [font.glyph(slot).word_space for slot in slots] == [False, True, False]
    assert [font.glyph(slot).width for slot in slots] == [0.5, 0.5, 1.0]


def test_codes_that_match_no_code_space_are_passed_over():
    font = load("/90ms-RKSJ-H")
    assert text(font, b"a\xffb\x88\x9f\x81") == "ab亜"
    assert text(load("/UniJIS-UTF16-H"), b"\xd8\x40\xdc\x0b\x00A\x00") == "𠀋A"


EMBEDDED = b"""/CMapName /Own def /WMode 0 def
2 begincodespacerange <00> <7F> <8000> <FFFF> endcodespacerange
1 begincidrange <20> <7E> 1 endcidrange
2 begincidchar <8001> 843 <8002> 844 endcidchar"""


def test_embedded_cmap_with_two_code_lengths():
    font = load(Stream(EMBEDDED), {"/CIDSystemInfo": collection("Japan1")})
    assert font.code_length == 0
    assert text(font, b"A\x80\x01 \x80\x02") == "Aあ ぃ"


def test_embedded_cmap_with_one_byte_codes():
    source = b"begincodespacerange <00> <FF> endcodespacerange begincidrange <41> <5A> 34 endcidrange"
    font = load(Stream(source), {"/CIDSystemInfo": collection("Japan1"), "/W": [34, [700]]})
    assert font.code_length == 1
    assert text(font, b"AB") == "AB"
    assert font.glyph(65).width == 0.7
    assert font.glyph(32).word_space


def test_embedded_cmap_on_top_of_a_predefined_one():
    source = b"/90ms-RKSJ-H usecmap begincidchar <41> 843 endcidchar"
    font = load(Stream(source), {"/CIDSystemInfo": collection("Japan1")})
    assert text(font, b"AB\x88\x9f") == "あB亜"
    font = load(Stream(b"/WMode 1 def", UseCMap="/90ms-RKSJ-H"), {"/CIDSystemInfo": collection("Japan1")})
    assert font.vertical
    assert text(font, b"B\x88\x9f") == "B亜"


def test_two_codes_with_one_value():
    source = b"begincodespacerange <41> <41> <0000> <00FF> endcodespacerange "
    source += b"begincidchar <41> 843 <0041> 34 endcidchar"
    font = load(Stream(source), {"/CIDSystemInfo": collection("Japan1")})
    assert text(font, b"A\0A") == "あA"


def test_four_byte_codes_get_slots():
    source = b"begincodespacerange <00000000> <FFFFFFFF> endcodespacerange "
    source += b"begincidrange <00010000> <0001FFFF> 34 endcidrange"
    font = load(Stream(source), {"/CIDSystemInfo": collection("Japan1")})
    assert text(font, b"\0\1\0\0\0\1\0\1") == "AB"
    assert all(0 <= slot < 65536 for slot in font.split(b"\0\1\0\0\0\1\0\1"))
    many = b"".join(number.to_bytes(4, "big") for number in range(0x10000, 0x10000 + 70_000))
    assert max(font.split(many)) < 65536
    assert font.split(many)[-1] == 0


def test_unknown_cmap_is_reported_and_read_as_identity():
    faults = FaultList()
    font = load_font(
        composite("/NoSuchMap-H", ToUnicode=to_unicode("1 beginbfchar <0003> <0041> endbfchar")), faults
    )
    assert font.glyph(3).text == "A"
    assert [code for code, _ in faults.items] == ["cmap"]


def embedded(program, subtype="/CIDFontType2", key="/FontFile2", **entries):
    extra = {f"/{name}": value for name, value in entries.items()}
    return {"/Subtype": subtype, "/FontDescriptor": {key: program, "/Flags": 4}, **extra}


def test_unicode_cmap_of_the_program_backwards():
    program = Stream(
        truetype_font(
            [".notdef", "a1", "a2", "a3"], {0x10D: "a1", 0x20: "a2", 0xA0: "a2", 0x2F08: "a3", 0x4EBA: "a3"}
        )
    )
    assert text(load("/Identity-H", embedded(program)), b"\0\1\0\2\0\3\0\0") == "č 人"


def test_glyph_map_between_cid_and_glyph():
    program = Stream(truetype_font([".notdef", "a1", "a2"], {0x41: "a1", 0x42: "a2"}))
    cid_font = embedded(program, CIDToGIDMap=Stream(bytes([0, 0, 0, 2, 0, 1])))
    assert text(load("/Identity-H", cid_font), b"\0\1\0\2\0\3") == "BA"


def test_identity_map_gives_way_to_the_program():
    program = Stream(truetype_font([".notdef", "a1", "a2"], {0x41: "a1", 0x42: "a2"}))
    identity = to_unicode("1 beginbfrange <0000> <FFFF> <0000> endbfrange")
    assert text(load("/Identity-H", embedded(program), ToUnicode=identity), b"\0\1\0\2\0\x61") == "ABa"


def test_post_names_where_there_is_no_unicode_cmap():
    program = Stream(truetype_font([".notdef", "alpha", "glyph00002"], {}))
    assert text(load("/Identity-H", embedded(program)), b"\0\1\0\2") == "α"


def test_names_of_a_cff_program():
    program = Stream(cff_font([".notdef", "A", "f_i", "cid00003"]), Subtype="/CIDFontType0C")
    cid_font = embedded(program, "/CIDFontType0", "/FontFile3")
    assert text(load("/Identity-H", cid_font), b"\0\1\0\2\0\3") == "Afi"


def test_collection_of_a_cid_keyed_cff_program(monkeypatch):
    def decompile(self, file, other_font, isCFF2=None):
        top = type("Top", (), {"charset": [".notdef", "cid00843"], "ROS": ("Adobe", "Japan1", 4)})()
        monkeypatch.setattr(CFFFontSet, "__getitem__", lambda self, index: top)

    monkeypatch.setattr(CFFFontSet, "decompile", decompile)
    program = Stream(b"\x01\x00\x04\x01", Subtype="/CIDFontType0C")
    cid_font = embedded(program, "/CIDFontType0", "/FontFile3", CIDSystemInfo=collection("Identity"))
    assert text(load("/Identity-H", cid_font), (843).to_bytes(2, "big")) == "あ"


def test_no_source_leaves_codes_unmapped():
    font = load(
        "/Identity-H", {"/CIDSystemInfo": collection("Identity"), "/BaseFont": "/Other"}, BaseFont="/Other"
    )
    assert text(font, b"\0\x36\0\x58") == ""
    assert font.glyph(0x36).width == 1.0


def test_standard_truetype_order_of_a_font_known_by_name():
    font = load("/Identity-H", {"/CIDSystemInfo": collection("Identity")}, BaseFont="/Arial")
    assert text(font, bytes.fromhex("002700280036")) == "DES"


HELVETICA = standard_widths("Helvetica")


@pytest.mark.parametrize("shift", [29, 31, 32])
def test_ascii_order_proved_by_widths(shift):
    widths = [element for code in range(32, 127) for element in (code - shift, [HELVETICA[chr(code)] + 7])]
    font = load("/Identity-H", {"/CIDSystemInfo": collection("Identity"), "/W": widths}, BaseFont="/Foo")
    assert text(font, bytes(byte for c in "Order" for byte in (0, ord(c) - shift))) == "Order"


def test_other_orders_are_not_taken_for_ascii():
    codes = list(range(32, 127))
    random.Random(3).shuffle(codes)
    widths = [element for cid, code in enumerate(codes, 3) for element in (cid, [HELVETICA[chr(code)]])]
    font = load("/Identity-H", {"/CIDSystemInfo": collection("Identity"), "/W": widths}, BaseFont="/Foo")
    assert text(font, bytes((0, 40, 0, 50))) == ""
    fixed = load(
        "/Identity-H", {"/CIDSystemInfo": collection("Identity"), "/W": [3, 97, 600]}, BaseFont="/Foo"
    )
    assert text(fixed, bytes((0, 40, 0, 50))) == ""


def test_symbol_map_of_the_program_backwards():
    program = Stream(truetype_font([".notdef", "x1", "x2"], {}, symbol={0xF061: "x1", 0xF0FC: "x2"}))
    assert text(load("/Identity-H", embedded(program), BaseFont="/ABCDEF+Wingdings"), b"\0\2") == "✓"
    assert text(load("/Identity-H", embedded(program), BaseFont="/SymbolMT"), b"\0\1") == "α"


def test_descendant_read_as_a_font_itself():
    font = load_font({"/Subtype": "/CIDFontType2", "/BaseFont": "/X", "/W": [3, [250]]}, FaultList())
    assert font.composite
    assert font.glyph(3).width == 0.25


def test_program_file_is_what_it_begins_with():
    target = io.BytesIO(truetype_font([".notdef", "a1"], {0x41: "a1"}))
    cid_font = embedded(Stream(target.getvalue()), "/CIDFontType0", "/FontFile3")
    assert text(load("/Identity-H", cid_font), b"\0\1") == "A"


@pytest.mark.parametrize(
    ("encoding", "string", "cids"),
    [
        ("/DLIdent-H", b"\x03\x4b", [843]),
        ("/OneByteIdentityH", b"\x22\x23", [34, 35]),
        (Stream(b"/Identity-H usecmap"), b"\x03\x4b", [843]),
        (Stream(b"", CMapName="/Identity-H"), b"\x03\x4b", [843]),
        (Stream(b"junk", CMapName="/90ms-RKSJ-H"), b"A", [264]),
    ],
)
def test_identity_under_other_names(encoding, string, cids):
    widths = [element for index, cid in enumerate(cids) for element in (cid, [111 + index])]
    font = load(encoding, {"/W": widths})
    assert [font.glyph(code).width for code in font.split(string)] == [
        0.111 + index / 1000 for index in range(len(cids))
    ]


def widths_in_order(beyond, changed=None):
    """Return /W of a font in Macintosh order up to ASCII's end and of the given characters by CID after it."""
    letters = {cid: HELVETICA[chr(cid + 29)] + 3 for cid in range(3, 98)}
    others = {cid: HELVETICA[character] + 3 for cid, character in beyond.items()}
    widths = letters | others | (changed or {})
    return [element for cid, width in widths.items() for element in (cid, [width])]


@pytest.mark.parametrize(
    ("beyond", "cid", "expected"),
    [
        ({112: "é", 182: "’", 181: "‘"}, 182, "’"),
        ({112: "é", 182: "’", 181: "‘"}, 112, "é"),
        ({112: "é", 183: "’", 182: "‘", 173: "À", 180: "“", 181: "”"}, 183, "’"),
        ({171: "é", 164: "â", 169: "ç"}, 171, "é"),
        ({170: "é", 163: "â", 168: "ç"}, 170, "é"),
    ],
    ids=["no-break space left out", "accents", "with no-break space", "Latin-1", "Latin-1 from 00A1"],
)
def test_order_beyond_ascii_proved_by_widths(beyond, cid, expected):
    identity = {"/CIDSystemInfo": collection("Identity"), "/W": widths_in_order(beyond)}
    font = load("/Identity-H", identity, BaseFont="/Foo")
    assert text(font, cid.to_bytes(2, "big")) == expected


def test_widths_that_contradict_an_order_leave_what_is_beyond_ascii_unmapped():
    for difference, expected in ((3, "é"), (6, "")):
        widths = widths_in_order({182: "’"}, {112: HELVETICA["e"] + 3 + difference})
        font = load("/Identity-H", {"/CIDSystemInfo": collection("Identity"), "/W": widths}, BaseFont="/Foo")
        assert text(font, b"\0\x70") == expected
        assert text(font, b"\0\x48") == "e"


def test_one_accent_alone_is_not_taken_for_latin_1():
    widths = widths_in_order({171: "é"})
    font = load("/Identity-H", {"/CIDSystemInfo": collection("Identity"), "/W": widths}, BaseFont="/Foo")
    assert text(font, b"\0\xab") == ""


def test_macintosh_order_beyond_ascii_of_a_font_known_by_name():
    font = load("/Identity-H", {"/CIDSystemInfo": collection("Identity")}, BaseFont="/Arial")
    assert text(font, bytes.fromhex("0070 00b1 00b6")) == "é–’"
