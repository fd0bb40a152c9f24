"""Rule R1: operators, the graphics state, and the arithmetic of 9.4.4, on one-page files written by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tests.helpers.pages import UnicodeFont, baselines_of, counts_of, grid_font, spans_of, words_of
from tests.helpers.pdf_maker import Indirect, Stream, type3_font

Open = Callable[..., Any]
FONTS = {"F": grid_font()}


def text_object(operators: str, start: str = "/F 10 Tf 100 700 Td") -> str:
    return f"BT {start} {operators} ET"


@pytest.mark.parametrize(
    ("operators", "expected"),
    [
        ("(ab) Tj", [("ab", 100, 110)]),
        ("1 Tc (ab) Tj", [("ab", 100, 111)]),
        ("1 Tc (ab) Tj 0 Tc (c) Tj", [("abc", 100, 117)]),
        ("-1 Tc (abc) Tj", [("abc", 100, 113)]),
        ("200 Tz (ab) Tj", [("ab", 100, 120)]),
        ("50 Tz (ab) Tj", [("ab", 100, 105)]),
        ("200 Tz 0.5 Tc (ab) Tj", [("ab", 100, 121)]),
        ("[(a)-100(b)] TJ", [("ab", 100, 111)]),
        ("[(a)100(b)] TJ", [("ab", 100, 109)]),
        ("50 Tz [(a)-100(b)] TJ", [("ab", 100, 105.5)]),
        ("[(a)-400(b)] TJ", [("a", 100, 105), ("b", 109, 114)]),
        ("[-1000(a)] TJ", [("a", 110, 115)]),
        ("[(a)-50 -50(b)] TJ", [("ab", 100, 111)]),
        ("[(a)()(b)] TJ", [("ab", 100, 110)]),
        ("[(a)] TJ [-100] TJ (b) Tj", [("ab", 100, 111)]),
        ("[<61> (b) <6 3>] TJ", [("abc", 100, 115)]),
        ("5 Tw (a b) Tj", [("a", 100, 105), ("b", 115, 120)]),
        ("5 Tw 1 Tc (a b) Tj", [("a", 100, 105), ("b", 117, 122)]),
        ("200 Tz 5 Tw (a b) Tj", [("a", 100, 110), ("b", 130, 140)]),
        ("/F 20 Tf (ab) Tj", [("ab", 100, 120)]),
        ("/F 1 Tf 10 0 0 10 100 700 Tm (ab) Tj", [("ab", 100, 110)]),
    ],
)
def test_advance_along_the_baseline(
    page_of: Open, operators: str, expected: list[tuple[str, float, float]]
) -> None:
    """tx = ((w0 - Tj / 1000) x Tfs + Tc + Tw) x Th; a glyph's own end leaves Tc, Tw and Tj out."""
    assert spans_of(page_of(text_object(operators), fonts=FONTS)) == expected


@pytest.mark.parametrize(
    ("operators", "expected"),
    [
        ("(a) Tj 0 -14 Td (b) Tj", [("a", 100, 700), ("b", 100, 686)]),
        ("(a) Tj 20 -14 Td (b) Tj 5 -14 Td (c) Tj", [("a", 100, 700), ("b", 120, 686), ("c", 125, 672)]),
        ("(a) Tj 0 -14 TD (b) Tj T* (c) Tj", [("a", 100, 700), ("b", 100, 686), ("c", 100, 672)]),
        ("14 TL (a) Tj T* (b) Tj T* (c) Tj", [("a", 100, 700), ("b", 100, 686), ("c", 100, 672)]),
        ("14 TL (a) Tj (b) '", [("a", 100, 700), ("b", 100, 686)]),
        ('14 TL (a) Tj 5 1 (b c) "', [("a", 100, 700), ("b", 100, 686), ("c", 117, 686)]),
        ("14 TL (a) Tj 5 1 (b c) \" (d e) '", [
            ("a", 100, 700), ("b", 100, 686), ("c", 117, 686), ("d", 100, 672), ("e", 117, 672),
        ]),
        ("1 0 0 1 50 60 Tm (a) Tj", [("a", 50, 60)]),
        ("1 0 0 1 50 60 Tm (a) Tj 7 -20 Td (b) Tj", [("a", 50, 60), ("b", 57, 40)]),
        ("2 0 0 1 50 60 Tm 10 20 Td (b) Tj", [("b", 70, 80)]),
        ("(a) Tj ET BT 100 650 Td (b) Tj", [("a", 100, 700), ("b", 100, 650)]),
        ("(ab) Tj 30 0 Td (c) Tj", [("ab", 100, 700), ("c", 130, 700)]),
    ],
)  # fmt: skip
def test_line_movement(page_of: Open, operators: str, expected: list[tuple[str, float, float]]) -> None:
    """Td, TD, T*, ', " and Tm set the line matrix; Td moves from the line's start, not from the pen."""
    assert baselines_of(page_of(text_object(operators), fonts=FONTS)) == expected


def test_rise_moves_the_box_and_not_the_pen(page_of: Open) -> None:
    page = page_of(text_object("(a) Tj 3 Ts (b) Tj 0 Ts (c) Tj"), fonts=FONTS)
    assert words_of(page) == [("abc", 100, 89, 115, 102)]


def test_word_spacing_is_not_for_two_byte_codes(page_of: Open) -> None:
    font = UnicodeFont("ab ", width=500)
    page = page_of(text_object(f"5 Tw {font.codes('a b')} Tj"), fonts={"F": font.dictionary})
    assert spans_of(page) == [("a", 100, 105), ("b", 110, 115)]


def test_word_spacing_follows_the_code_not_the_character(page_of: Open) -> None:
    """Code 32 gets Tw whatever it shows; another code that shows a space does not."""
    font = grid_font(differences={32: "x", 65: "space"})
    page = page_of(text_object("5 Tw (a bAc) Tj"), fonts={"F": font})
    assert page.text() == "ax b c"
    assert spans_of(page) == [("ax", 100, 110), ("b", 115, 120), ("c", 125, 130)]


def test_the_page_matrix_scales_positions_and_boxes(page_of: Open) -> None:
    page = page_of("2 0 0 2 10 20 cm " + text_object("(a) Tj", "/F 10 Tf 50 100 Td"), fonts=FONTS)
    assert words_of(page) == [("a", 110, 800 - 236, 120, 800 - 216)]


def test_matrices_multiply_in_order(page_of: Open) -> None:
    page = page_of(
        "1 0 0 1 10 0 cm 2 0 0 2 0 0 cm " + text_object("(a) Tj", "/F 5 Tf 50 100 Td"), fonts=FONTS
    )
    assert baselines_of(page) == [("a", 110, 200)]


@pytest.mark.parametrize(
    ("inside", "shown", "expected"),
    [
        ("/F 20 Tf", "(ab) Tj", [("ab", 100, 110)]),
        ("1 Tc", "(ab) Tj", [("ab", 100, 110)]),
        ("9 Tw", "(a b) Tj", [("a", 100, 105), ("b", 110, 115)]),
        ("200 Tz", "(ab) Tj", [("ab", 100, 110)]),
        ("2 0 0 2 0 0 cm", "(ab) Tj", [("ab", 100, 110)]),
        ("4 Ts", "(ab) Tj", [("ab", 100, 110)]),
    ],
)
def test_restore_brings_the_text_state_back(
    page_of: Open, inside: str, shown: str, expected: list[tuple[str, float, float]]
) -> None:
    """Font, size, Tc, Tw, Tz and Ts are graphics state (8.4.1): Q restores them with the matrix."""
    page = page_of(f"BT /F 10 Tf ET q {inside} Q BT 100 700 Td {shown} ET", fonts=FONTS)
    assert spans_of(page) == expected
    assert words_of(page)[0][4] == 102


def test_restore_brings_leading_and_mode_back(page_of: Open) -> None:
    content = "BT /F 10 Tf 14 TL ET q 30 TL 3 Tr Q BT 100 700 Td (a) Tj T* (b) Tj ET"
    page = page_of(content, fonts=FONTS)
    assert baselines_of(page) == [("a", 100, 700), ("b", 100, 686)]


def test_save_within_a_text_object_is_read_as_viewers_do(page_of: Open) -> None:
    """q and Q do not belong between BT and ET, but files have them; the pen does not jump back."""
    page = page_of(text_object("(ab) Tj q 1 0 0 rg (cd) Tj Q (ef) Tj"), fonts=FONTS)
    assert page.text() == "abcdef"


@pytest.mark.parametrize(
    "stray", ["Q Q Q", "ET", "EMC EMC", "q q q", "1 2 3", "(x)", "/N", "<< /A 1 >>", "[1 2", "]", ">>"]
)
def test_stray_operators_and_operands_do_no_harm(page_of: Open, stray: str) -> None:
    page = page_of(f"{stray}\n" + text_object("(ab) Tj"), fonts=FONTS)
    assert page.text() == "ab"


@pytest.mark.parametrize("broken", [
    "Tj", "Td", "(a) Tf", "/Missing 10 Tf", "Tm", "TJ", "cm", "x Tz", "Tc", "/N Tc", "(s) Tw", "[1] Ts", "/N (s) Td",
    "(s) 1 TD", "/N TL", "true Tr", "null Tz", "/F /F Tf", "1 0 0 1 /N 5 Tm", "1 0 0 1 [2] 5 cm", "5 Tj", "(s) TJ",
    "/N Tj", "/N (s) (t) \"",
])  # fmt: skip
def test_operators_without_their_operands_are_passed_over(page_of: Open, broken: str) -> None:
    page = page_of(text_object(f"(ab) Tj {broken} /F 10 Tf (cd) Tj"), fonts=FONTS)
    assert page.text() == "abcd"


def test_font_from_the_graphics_state_dictionary(page_of: Open) -> None:
    state = {"GS": {"Type": "/ExtGState", "Font": [Indirect(grid_font()), 20]}}
    page = page_of("/GS gs BT 100 700 Td (ab) Tj ET", fonts={}, resources={"ExtGState": state})
    assert words_of(page) == [("ab", 100, 84, 120, 104)]


def test_marked_content_is_transparent(page_of: Open) -> None:
    content = text_object(
        "/P << /MCID 0 /L [(x) << /A (y) >>] >> BDC (ab) Tj EMC /S BMC (cd) Tj EMC /M MP (ef) Tj"
    )
    assert page_of(content, fonts=FONTS).text() == "abcdef"


@pytest.mark.parametrize(
    ("literal", "text"),
    [
        (r"(a\(b\)c)", "a(b)c"),
        ("(a(b)c)", "a(b)c"),
        (r"(a\\b)", r"a\b"),
        (r"(\141\142)", "ab"),
        (r"(\1412)", "a2"),
        ("(a\\\nb)", "ab"),
        ("(a\\\r\nb)", "ab"),
        (r"(a\qb)", "aqb"),
        ("<6162>", "ab"),
        ("<61 6\n2>", "ab"),
        ("<616>", "a`"),
        ("()", ""),
        ("<>", ""),
    ],
)
def test_string_syntax(page_of: Open, literal: str, text: str) -> None:
    """7.3.4: escapes, balanced parentheses, line continuation, octal, hexadecimal with an odd digit."""
    assert page_of(text_object(f"{literal} Tj"), fonts=FONTS).text() == text


@pytest.mark.parametrize("number", ["20", "+20", "20.", "20.0", "0020", "19.9999999999999999999"])
def test_number_syntax(page_of: Open, number: str) -> None:
    page = page_of(f"BT /F 10 Tf {number} 0 Td (a) Tj ET", fonts=FONTS)
    assert spans_of(page) == [("a", 20, 25)]


@pytest.mark.parametrize(("number", "x"), [("-.5", 99.5), (".5", 100.5), ("-0", 100), ("-3.25", 96.75)])
def test_reals_with_signs_and_bare_points(page_of: Open, number: str, x: float) -> None:
    assert spans_of(page_of(text_object(f"{number} 0 Td (a) Tj"), fonts=FONTS)) == [("a", x, x + 5)]


def test_comments_end_with_the_line(page_of: Open) -> None:
    assert page_of(text_object("(a%b) Tj % (c) Tj ET\n(d) Tj"), fonts=FONTS).text() == "a%bd"


def test_operators_need_no_space_around_delimiters(page_of: Open) -> None:
    assert page_of("BT/F 10 Tf 100 700 Td(ab)Tj[(cd)]TJ<6566>Tj ET", fonts=FONTS).text() == "abcdef"


def test_content_arrays_are_joined_with_a_space(page_of: Open) -> None:
    """7.8.2: streams are split between tokens, and the state runs on."""
    page = page_of(["BT /F 10 Tf 100 700", "Td (ab) Tj", " ET"], fonts=FONTS)
    assert spans_of(page) == [("ab", 100, 110)]


@pytest.mark.parametrize(
    "image",
    [
        "BI /W 5 /H 1 /BPC 8 /CS /G ID \x01\x02(x\xff EI",
        "BI /W 10 /H 1 /BPC 8 /CS /G ID (x) Tj EIx EI",
        "BI /Width 12 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray ID BT EI (y) Tj\nEI",
        "BI /W 2 /H 2 /IM true /BPC 1 ID \x80\x40 EI",
        "BI /W 8 /H 1 /BPC 8 /CS /G /F /AHx ID 0102030405060708> EI",
    ],
    ids=["parenthesis", "operators inside", "EI inside", "mask", "filtered"],
)
def test_inline_images_are_passed_over(page_of: Open, image: str) -> None:
    """8.9.7: the bytes between ID and EI are no operators, whatever they look like."""
    page = page_of(
        f"{text_object('(ab) Tj')} q {image} Q {text_object('(cd) Tj', '/F 10 Tf 100 650 Td')}", fonts=FONTS
    )
    assert page.text() == "ab\ncd"


def test_compressed_content(page_of: Open) -> None:
    assert page_of(text_object("(ab) Tj"), fonts=FONTS, flate=True).text() == "ab"


def test_an_empty_page(page_of: Open) -> None:
    page = page_of("", fonts=FONTS)
    assert page.text() == ""
    assert len(page.words) == len(page.lines) == 0
    assert set(counts_of(page).values()) == {0}


def test_a_page_without_contents(page_of: Open) -> None:
    page = page_of(Stream(""), fonts=FONTS, entries={"Contents": None})
    assert page.text() == ""


def test_text_within_a_type3_glyph_is_not_the_page_s_text(page_of: Open) -> None:
    """A Type3 glyph shows its own Unicode; the d0 or d1 of its procedure and text drawn there add nothing."""
    glyphs = {
        97: ("a", 600, "600 0 d0 BT /F 1 Tf (zzz) Tj ET"),
        98: ("b", 400, "400 0 0 0 400 700 d1 0 0 400 700 re f"),
    }
    font = type3_font(glyphs, resources={"Font": {"F": Indirect(grid_font())}})
    page = page_of("BT /T 10 Tf 100 700 Td (ab) Tj ET", fonts={"T": font})
    assert spans_of(page) == [("ab", 100, 110)]


def test_type3_widths_go_through_the_font_matrix(page_of: Open) -> None:
    font = type3_font(
        {97: ("a", 50, "50 0 d0"), 98: ("b", 30, "30 0 d0")},
        font_matrix=(0.01, 0, 0, 0.01, 0, 0),
        font_bbox=(0, -20, 100, 80),
    )
    page = page_of("BT /T 10 Tf 100 700 Td (ab) Tj ET", fonts={"T": font})
    assert words_of(page) == [("ab", 100, 92, 108, 102)]


def test_counts_of_a_plain_page(page_of: Open) -> None:
    page = page_of(text_object("(ab) Tj 20 0 Td (c) Tj"), fonts=FONTS)
    assert page.text() == "ab c"
    expected = {"painted": 3, "visible": 3, "inserted_spaces": 1}
    assert {name: value for name, value in counts_of(page).items() if value} == expected
