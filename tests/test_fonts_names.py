"""Glyph names, encodings and what of them reaches the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from extractor.fonts import encodings
from extractor.fonts.characters import clean_text
from extractor.fonts.glyph_names import dingbat_text, name_text
from extractor.fonts.shown_text import shown_text
from extractor.fonts.tex_codes import tex_code_text, tex_encoding


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("A", "A"),
        ("Adieresis", "Ä"),
        ("afii10017", "А"),
        ("uni0416", "Ж"),
        ("uni00660069", "fi"),
        ("u1F600", "\U0001f600"),
        ("uni0e01", "ก"),
        ("f_i", "fi"),
        ("f_f_i.liga", "ffi"),
        ("a.sc", "a"),
        ("one.oldstyle", "1"),
        ("Asmall", "a"),
        ("oneoldstyle", "1"),
        ("Lslashsmall", "ł"),
        ("fi", "ﬁ"),
        ("ffi", "ﬃ"),
        ("Delta", "Δ"),
        ("Omega", "Ω"),
        ("dotlessj", "ȷ"),
        ("registersans", "®"),
        ("parenlefttp", "⎛"),
        ("nonbreakingspace", " "),
        ("Tcommaaccent", "Ţ"),
        ("angbracketleft", "⟨"),
        ("Gbreve", "Ğ"),
        ("braceleftBigg", "{"),
        ("summationdisplay", "∑"),
        ("H11005", "="),
        (".notdef", ""),
        ("g23", ""),
        ("G41", ""),
        ("cid_123", ""),
        ("glyph42", ""),
        ("uniD800", ""),
        ("u110000", ""),
        ("nosuchname", ""),
        ("", ""),
    ],
)
def test_glyph_names(name, text):
    assert name_text(name) == text


def test_dingbats_have_names_of_their_own():
    assert (dingbat_text("a1"), dingbat_text("a20"), dingbat_text("a206"), dingbat_text("a")) == (
        "✁",
        "✔",
        "❰",
        "",
    )


@pytest.mark.parametrize(
    ("name", "code", "glyph"),
    [
        (encodings.STANDARD, 0o341, "AE"),
        (encodings.STANDARD, 0o256, "fi"),
        (encodings.STANDARD, 0o200, ""),
        (encodings.WIN_ANSI, 0x80, "Euro"),
        (encodings.WIN_ANSI, 0xA0, "space"),
        (encodings.WIN_ANSI, 0xAD, "hyphen"),
        (encodings.WIN_ANSI, 0x95, "bullet"),
        (encodings.MAC_ROMAN, 0x8A, "adieresis"),
        (encodings.MAC_ROMAN, 0xCA, "space"),
        (encodings.MAC_EXPERT, 0x57, "fi"),
        (encodings.MAC_EXPERT, 0x61, "Asmall"),
        (encodings.SYMBOL, 0x61, "alpha"),
        (encodings.SYMBOL, 0xB1, "plusminus"),
        (encodings.DINGBATS, 0x34, "a20"),
    ],
)
def test_predefined_encodings(name, code, glyph):
    table = encodings.encoding(name)
    assert len(table) == 256
    assert table[code] == glyph


def test_every_name_of_an_encoding_has_a_text():
    for name in (
        encodings.STANDARD,
        encodings.WIN_ANSI,
        encodings.MAC_ROMAN,
        encodings.MAC_EXPERT,
        encodings.SYMBOL,
    ):
        assert [glyph for glyph in encodings.encoding(name) if glyph and not name_text(glyph)] == []
    assert encodings.named_encoding("NoEncoding") is None


@pytest.mark.parametrize(
    ("stated", "text"),
    [
        ("A", "A"),
        ("\t", " "),
        ("\u00a0", " "),
        ("\u3000", " "),
        ("\x00A", "A"),
        ("\x85", " "),
        ("\x93", ""),
        ("\ufffd", ""),
        ("\ufffe", ""),
        ("\ufdd0", ""),
        ("\ud83d\ude00", "\U0001f600"),
        ("a\ufeff", "a"),
        ("\u00ad", "\u00ad"),
        ("ﬁ", "ﬁ"),
        ("\uf76f", "o"),
        ("\uf6e9", "a"),
    ],
)
def test_clean_text(stated, text):
    assert clean_text(stated) == text


@given(st.text(st.characters(codec=None), max_size=8))
def test_clean_text_leaves_nothing_unfit(stated):
    text = clean_text(stated)
    assert text == clean_text(text)
    assert not any(
        c in "\ufffd\ufffe\uffff" or "\ud800" <= c <= "\udfff" or c < " " or "\x7f" <= c < "\xa0"
        for c in text
    )
    text.encode("utf-8")


@pytest.mark.parametrize(
    ("stated", "font", "text"),
    [
        ("\uf02b", "Symbol", "+"),
        ("\uf061", "SymbolMT", "α"),
        ("\uf0fc", "Wingdings", "✓"),
        ("\uf0a7", "Wingdings-Regular", "▪"),
        ("\uf041", "CustomText", "A"),
        ("\uf015", "FontAwesome", "\uf015"),
        ("\uf023", "FontAwesome5Free", "\uf023"),
        ("\uf04a", "Wingdings3", "\uf04a"),
        ("x\uf0b0", "Symbol", "x°"),
    ],
)
def test_raised_codes_of_symbol_fonts(stated, font, text):
    assert shown_text(stated, font) == text


LATIN = {0x41: 70, 0xC0: 70, 0xC2: 70, 0xC4: 70, 0xE0: 45, 0xE4: 45, 0xE5: 45, 0xF2: 44, 0xF6: 44}
CYRILLIC = {
    0xE0: 45,
    0xE2: 45,
    0xE3: 40,
    0xE4: 50,
    0xE5: 40,
    0xF2: 45,
    0xF3: 48,
    0xF5: 48,
    0xF9: 72,
    0xFC: 45,
}


TEXT = {code: 30 + code % 7 for code in b"etaoinsrdhlu"}


def test_tex_encodings_are_proved_by_widths():
    assert tex_encoding(TEXT) == "OT1"
    assert tex_encoding(dict.fromkeys(TEXT, 50)) is None
    assert tex_encoding({0x41: 70, 0x62: 30, 0x21: 80}) is None
    assert tex_encoding(LATIN) == "T1"
    assert tex_encoding(CYRILLIC) == "T2A"
    assert tex_encoding(TEXT | {0xE4: 45}) == "T1"
    assert tex_encoding({0xE0: 45, 0xE8: 50}) is None


def test_tex_codes():
    assert [tex_code_text("OT1", code) for code in (0x00, 0x0C, 0x22, 0x41, 0x7B)] == [
        "Γ",
        "ﬁ",
        "”",
        "A",
        "–",
    ]
    assert [tex_code_text("T1", code) for code in (0x1C, 0xB0, 0xE9, 0xFF)] == ["ﬁ", "ř", "é", "ß"]
    assert [tex_code_text("T2A", code) for code in (0xC0, 0xEF, 0xFF, 0xBC)] == ["А", "п", "я", "ё"]
    assert [tex_code_text(None, code) for code in (0x41, 0xE9, 0x5C, 0x1C)] == ["A", "", "\\", ""]
