"""Rules R5, B2, B3: where a space is put between glyphs that have none.

At size 10 the grid font's box is 10 high: the threshold is 1.5 from one glyph's end to the next one's start.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from tests.helpers.pages import UnicodeFont, counts_of, grid_font, spans_of
from tests.helpers.pdf_maker import simple_font

Open = Callable[..., Any]
FONTS = {"F": grid_font(), "H": simple_font()}


def line(operators: str, start: str = "/F 10 Tf 100 700 Td") -> str:
    return f"BT {start} {operators} ET"


@pytest.mark.parametrize(
    ("gap", "text"), [(0, "abc"), (1.0, "abc"), (1.49, "abc"), (1.51, "a bc"), (5, "a bc")]
)
def test_threshold(page_of: Open, gap: float, text: str) -> None:
    page = page_of(line(f"[(a){-gap * 100:.3f}(bc)] TJ"), fonts=FONTS)
    assert page.text() == text
    assert counts_of(page)["inserted_spaces"] == text.count(" ")


@pytest.mark.parametrize(("gap", "text"), [(1.45, "abc"), (1.55, "a bc")])
@pytest.mark.parametrize("degrees", [0, 30, 90, 135, 180, 270])
def test_threshold_in_any_direction(page_of: Open, gap: float, text: str, degrees: float) -> None:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    content = (
        f"BT /F 10 Tf {cos:.7f} {sin:.7f} {-sin:.7f} {cos:.7f} 300 400 Tm [(a){-gap * 100:.3f}(bc)] TJ ET"
    )
    assert page_of(content, fonts=FONTS).text() == text


@pytest.mark.parametrize(("gap", "text"), [(1.45, "abc"), (1.55, "a bc")])
@pytest.mark.parametrize(
    "start",
    [
        "/F 1 Tf 10 0 0 10 100 700 Tm",
        "/F 20 Tf 0.5 0 0 0.5 100 700 Tm",
        "/F 10 Tf 100 700 Td",
        "/F -10 Tf -1 0 0 -1 100 700 Tm",
    ],
)
def test_size_in_tf_or_in_the_matrix(page_of: Open, start: str, gap: float, text: str) -> None:
    """The threshold follows the box, not the operand of Tf."""
    page = page_of(line(f"[(a){-gap * 100:.3f}(bc)] TJ", start), fonts=FONTS)
    assert page.text() == text


@pytest.mark.parametrize(
    ("first", "second", "gap", "text"),
    [(20, 10, 1.45, "ab"), (20, 10, 1.6, "a b"), (10, 20, 2.9, "ab"), (10, 20, 3.1, "a b")],
)
def test_the_current_glyph_s_height_counts(
    page_of: Open, first: float, second: float, gap: float, text: str
) -> None:
    start = 100 + first / 2 + gap
    content = f"BT /F {first} Tf 100 700 Td (a) Tj ET BT /F {second} Tf {start} 700 Td (b) Tj ET"
    assert page_of(content, fonts=FONTS).text() == text


def test_tc_given_back_by_tj_is_no_gap(page_of: Open) -> None:
    """Tightened by Tc and moved back by TJ: from the pen a gap of 3, from the ends none."""
    font = UnicodeFont("95后", widths={1: 500, 2: 500, 3: 1000})
    nine, five, after = (font.codes(character) for character in "95后")
    content = f"BT /F 10 Tf -3 Tc 100 700 Td [{nine}-300{five}-300{after}] TJ ET"
    page = page_of(content, fonts={"F": font.dictionary})
    assert page.text() == "95后"
    assert spans_of(page) == [("95后", 100, 120)]


def test_positive_tc_is_measured_from_the_end_too(page_of: Open) -> None:
    """A Tc beyond the threshold separates words where one letter gap alone is wide."""
    page = page_of(line("(abc) Tj 4 Tc (d) Tj 0 Tc (ef) Tj"), fonts=FONTS)
    assert page.text() == "abcd ef"


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        ("[(a )-500(b)] TJ", "a b"),
        ("[(a)-500( b)] TJ", "a b"),
        ("[(a )-500( b)] TJ", "a b"),
        ("(a) Tj 5 Tw ( b) Tj", "a b"),
        ("(  a  b  ) Tj", "a b"),
    ],
)
def test_no_second_space(page_of: Open, shown: str, text: str) -> None:
    page = page_of(line(shown), fonts=FONTS)
    assert page.text().split() == text.split()
    assert counts_of(page)["inserted_spaces"] == 0


def test_no_space_before_a_form_of_white_space(page_of: Open) -> None:
    font = UnicodeFont("ab\u00a0\u3000", width=500)
    for white in "\u00a0\u3000":
        content = (
            f"BT /F 10 Tf 100 700 Td [{font.codes('a')}-500{font.codes(white)}-500{font.codes('b')}] TJ ET"
        )
        assert counts_of(page_of(content, fonts={"F": font.dictionary}))["inserted_spaces"] == 0


@pytest.mark.parametrize(
    ("left", "right", "space"),
    [
        ("中", "文", False),
        ("か", "な", False),
        ("カ", "漢", False),
        ("ㄅ", "ㄆ", False),
        ("中", "。", False),
        ("、", "中", False),
        ("「", "中", False),
        ("Ａ", "１", False),
        ("中", "Ａ", False),
        ("𠀀", "中", False),
        ("한", "국", True),
        ("中", "한", True),
        ("中", "a", True),
        ("a", "中", True),
        ("5", "后", True),
        ("Ω", "λ", True),
        ("ก", "ข", True),
    ],
)
def test_cjk(page_of: Open, left: str, right: str, space: bool) -> None:
    """No space between two of Han, kana, bopomofo, CJK punctuation, full-width forms; Hangul has spaces."""
    font = UnicodeFont(left + right)
    content = f"BT /F 10 Tf 100 700 Td [{font.codes(left)}-300{font.codes(right)}] TJ ET"
    page = page_of(content, fonts={"F": font.dictionary})
    assert page.text() == (f"{left} {right}" if space else left + right)


def test_justified_text_without_space_glyphs(page_of: Open) -> None:
    """Typesetters show words with TJ moves of a third of an em; kerns inside words stay small."""
    page = page_of(
        line("[(T)80(ypeset)-333(text)-333(with)-333(k)-20(erns)] TJ", "/H 10 Tf 100 700 Td"), fonts=FONTS
    )
    assert page.text() == "Typeset text with kerns"


def test_a_jump_back_separates_words(page_of: Open) -> None:
    """B3: fragments of one baseline drawn out of order; back by more than one height."""
    page = page_of(line("(world) Tj ET BT /F 10 Tf 60 700 Td (hello) Tj"), fonts=FONTS)
    assert page.text().split() == ["world", "hello"]


def test_a_small_step_back_does_not(page_of: Open) -> None:
    assert page_of(line("[(A)120(V)] TJ"), fonts=FONTS).text() == "AV"


@pytest.mark.parametrize(("spacing", "text"), [(3, "SUMMARY"), (4.5, "SUMMARY")])
def test_a_letter_spaced_word_is_one_word(page_of: Open, spacing: float, text: str) -> None:
    """B2: uniform wide gaps are letter spacing, not seven words."""
    assert page_of(line(f"{spacing} Tc (SUMMARY) Tj"), fonts=FONTS).text() == text


@pytest.mark.parametrize(
    ("font", "gap", "text"),
    [
        ("/F 10", 3.0, "tea"),
        ("/F 10", 3.29, "tea"),
        ("/F 10", (1.6, 3.0), "tea"),
        ("/F 10", (0.85, 3.0), "te a"),
        ("/F 10", (1.6, 2.6), "t e a"),
        ("/F 10", 3.31, "t e a"),
        ("/F 11", 3.0, "t e a"),
        ("/H 10", 3, "t e a"),
    ],
)
def test_short_words_set_as_a_letter_spaced_line_of_the_page(
    page_of: Open, font: str, gap: float | tuple[float, float], text: str
) -> None:
    """B2: two gaps prove nothing by themselves; the same gap in the same font and size elsewhere does."""
    spaced = "".join(f"({letter}) Tj 8 0 Td " for letter in "coffee")
    width = 5.0 * int(font.split()[1]) / 10 if font[1] == "F" else 0.0
    pair = gap if isinstance(gap, tuple) else (gap, gap)
    widths = (width, width) if width else (2.78, 5.56)
    steps = [own + apart for own, apart in zip(widths, pair, strict=True)]
    short = f"{font} Tf -48 -20 Td (t) Tj {steps[0]} 0 Td (e) Tj {steps[1]} 0 Td (a) Tj"
    page = page_of(line(spaced + short), fonts=FONTS)
    assert page.text().splitlines() == ["coffee", text]


@pytest.mark.parametrize(
    ("first", "font", "last", "text"),
    [("t", "", "a", "tea"), ("=", "", "a", "= e a"), ("t", "/H 10 Tf", "a", "t e a")],
)
def test_short_formulas_are_no_letter_spaced_words(
    page_of: Open, first: str, font: str, last: str, text: str
) -> None:
    """B2: signs of formulas stand apart by themselves, and so do letters of two fonts."""
    spaced = "".join(f"({letter}) Tj 8 0 Td " for letter in "coffee")
    short = f"-48 -20 Td ({first}) Tj 8 0 Td (e) Tj {font} 8 0 Td ({last}) Tj"
    page = page_of(line(spaced + short), fonts=FONTS)
    assert page.text().splitlines() == ["coffee", text]


@pytest.mark.parametrize(("spacing", "text"), [(3, "tea"), (2.9, "t e a")])
def test_short_words_with_the_tc_of_longer_ones(page_of: Open, spacing: float, text: str) -> None:
    page = page_of(line(f"3 Tc (coffee) Tj 0 -20 Td {spacing} Tc (tea) Tj"), fonts=FONTS)
    assert page.text().splitlines() == ["coffee", text]


def test_words_of_a_letter_spaced_line(page_of: Open) -> None:
    """B2: word gaps stand out from the line's own letter gap."""
    page = page_of(line("3 Tc (ANNUAL REPORT) Tj"), fonts=FONTS)
    assert page.text() == "ANNUAL REPORT"
    page = page_of(line("3 Tc [(ANNUAL)-600(REPORT)] TJ"), fonts=FONTS)
    assert page.text() == "ANNUAL REPORT"


def shown_apart(letters: str, pitch: float, size: float = 10) -> str:
    """Each letter by a show operation of its own, their starts `pitch` apart."""
    return "".join(
        f"BT /H {size} Tf {100 + pitch * place:.3f} 700 Td ({letter}) Tj ET "
        for place, letter in enumerate(letters)
    )


@pytest.mark.parametrize("letters", ["xyz3", "ABCDE", "iMlWf"])
def test_cells_of_one_letter_are_words(page_of: Open, letters: str) -> None:
    """B2 is not for the rows of tables: there the columns are even, not the gaps."""
    assert page_of(shown_apart(letters, 14), fonts=FONTS).text() == " ".join(letters)


def test_letters_shown_apart_with_even_gaps_are_a_word(page_of: Open) -> None:
    """Qt shows each letter of letter-spaced text by itself: the gaps are even, not the starts."""
    widths = {"S": 667, "U": 722, "M": 833, "A": 667, "R": 722, "Y": 667, "I": 278}
    for spacing in (3.0, 7.0):
        x, content = 100.0, ""
        for letter in "SUMMARIUM":
            content += f"BT /H 10 Tf {x:.3f} 700 Td ({letter}) Tj ET "
            x += widths[letter] / 100 + spacing
        assert page_of(content, fonts=FONTS).text() == "SUMMARIUM"


def test_a_formula_is_not_letter_spaced(page_of: Open) -> None:
    """Letters that touch say that the wide gaps beside them separate."""
    page = page_of(line("[(Let)-370(r)-340(=)-310(r)-260(-)-250(d)] TJ"), fonts=FONTS)
    assert page.text() == "Let r = r - d"


def test_leaders_say_nothing_about_letters(page_of: Open) -> None:
    page = page_of(
        line("[(Moved)-400(to)-410(it)-680(.)-360(.)-360(.)-360(.)-360(.)-360(.)-360(.)] TJ"), fonts=FONTS
    )
    assert page.text() == "Moved to it . . . . . . ."


def test_tc_that_is_taken_back_inside_words_is_a_word_gap(page_of: Open) -> None:
    """Ghostscript sets Tc to the space of a justified line: most letters show that it is no letter-spacing."""
    text = "they are to a certain extent"
    words = "".join("(" + ")280(".join(word) + ")" for word in text.split(" "))
    content = line(f"2.8 Tc [{words}] TJ")
    assert page_of(content, fonts=FONTS).text() == text


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        ("[(Keep)-140(the)-140(penguin)-140(safe)] TJ", "Keep the penguin safe"),
        ("[(The)-180(cage)-180(graph.)-140(It)-180(has)] TJ", "The cage graph. It has"),
        ("[(Keep)-115(the)-115(penguin)-115(safe)] TJ", "Keepthepenguinsafe"),
        ("[(K)-140(e)-90(e)-70(p)-140(i)-100(t)] TJ", "Keepit"),  # letters at all distances: no valley
    ],
)
def test_spaces_shrunk_below_the_threshold(page_of: Open, shown: str, text: str) -> None:
    """TeX shrinks spaces to 0.14 of the height where no gap between letters comes near that."""
    assert page_of(line(shown), fonts=FONTS).text() == text


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        ("(ab) Tj {} 0 Td (12) Tj", ["ab12", "ab 12"]),  # the cells of a table
        ("(ab) Tj {} 0 Td (c) Tj", ["abc", "abc"]),  # letters that may all be shown one by one
        ("(ab) Tj {} 0 Td (-c) Tj", ["ab-c", "ab-c"]),
        ("[(a) -61 (b)] TJ {} 0 Td (cd) Tj", ["abcd", "abcd"]),  # letters do not stand close
        ("(ab) Tj {} 0 Td /G 10 Tf (cd) Tj", ["abcd", "abcd"]),
    ],
)
def test_words_shown_by_operations_of_their_own(page_of: Open, shown: str, text: list[str]) -> None:
    """Between operations that show several letters each, set close, 0.1 is enough on a page that paints its spaces."""
    start = 10.61 if "61" in shown else 10.0
    for gap, expected in zip((0.99, 1.01), text, strict=True):
        for rest, as_read in ((" d e f g h", expected), (" d e f g", text[0])):
            content = line(shown.format(start + gap) + f" ({rest}) Tj")
            assert page_of(content, fonts=FONTS | {"G": grid_font()}).text() == as_read + rest


@pytest.mark.parametrize(
    ("leader", "gap", "text"),
    [
        ("......", 0.29, "ab......12"),
        ("......", 0.31, "ab ...... 12"),
        (".....", 0.31, "ab.....12"),  # too few
        ("______", 0.31, "ab ______ 12"),
        ("555555", 0.31, "ab55555512"),
    ],
)
def test_leaders_are_words_of_their_own(page_of: Open, leader: str, gap: float, text: str) -> None:
    shown = f"[(ab) {-gap * 100:.3f} ({leader}) {-gap * 100:.3f} (12)] TJ"
    assert page_of(line(shown), fonts=FONTS).text() == text


@pytest.mark.parametrize(
    ("pitch", "gap", "text"),
    [
        (100, 1.29, "ab......"),
        (100, 1.31, "ab ......"),
        (500, 0.31, "ab . . . . . ."),
        (500, 0.29, "ab. . . . . ."),
    ],
)
def test_the_gap_between_its_dots_is_that_of_a_leader(
    page_of: Open, pitch: int, gap: float, text: str
) -> None:
    dots = f" -{pitch} ".join("(.)" for _ in range(6))
    assert page_of(line(f"[(ab) {-gap * 100:.3f} {dots}] TJ"), fonts=FONTS).text() == text


def test_shrunk_spaces_only_where_no_space_is_painted(page_of: Open) -> None:
    page = page_of(line("[(Keep)-140(the)-140(penguin)-140(safe)] TJ 0 -20 Td (one two) Tj"), fonts=FONTS)
    assert page.text().splitlines() == ["Keepthepenguinsafe", "one two"]


@pytest.mark.parametrize(
    ("last", "rest", "text"),
    [
        ("safely", "one two", "Keep the penguins safely"),
        ("safer", "one two", "Keepthepenguinssafer"),  # 19 gaps
        ("safely) -140 (one two", "one two", "Keepthepenguinssafelyone two"),
        ("safer", "one", "Keep the penguins safer"),
    ],
)
def test_shrunk_spaces_of_a_long_line_without_a_painted_one(
    page_of: Open, last: str, rest: str, text: str
) -> None:
    page = page_of(line(f"[(Keep)-140(the)-140(penguins)-140({last})] TJ 0 -20 Td ({rest}) Tj"), fonts=FONTS)
    assert page.text().splitlines() == [text, rest]


def test_a_slanted_letter_stands_apart_from_an_upright_bracket(page_of: Open) -> None:
    """A change of font before a sign may be the italic correction; before a letter it is a space."""
    page = page_of(line("(where-f) Tj /G 10 Tf 36.4 0 Td (\\(x\\)) Tj"), fonts={**FONTS, "G": grid_font()})
    assert page.text() == "where-f(x)"
    page = page_of(line("(where-f) Tj /G 10 Tf 36.4 0 Td (is) Tj"), fonts={**FONTS, "G": grid_font()})
    assert page.text() == "where-f is"


SOFT = simple_font("Soft", "TrueType", widths={**dict.fromkeys(range(32, 127), 500), 1: 250, 2: 0, 3: 0}, to_unicode={
    **{code: chr(code) for code in range(32, 127)}, 1: "\u00ad", 2: "\u200b", 3: "\ufeff"})  # fmt: skip


@pytest.mark.parametrize(
    ("shown", "text"),
    [
        ("[(in) (\\001) 250 (ter)] TJ", "inter"),  # stepped back over: Chrome shows nothing for it
        ("[(in) (\\001) (ter)] TJ", "in-ter"),  # it takes room, so that it is seen
        ("[(in) (\\002) (ter) (\\003) (nal)] TJ", "internal"),
    ],
)
def test_soft_hyphens_and_places_to_break(page_of: Open, shown: str, text: str) -> None:
    assert page_of(line(shown), fonts={"F": SOFT}).text() == text


def test_glyphs_painted_later_fill_the_holes_of_their_line(page_of: Open) -> None:
    """LibreOffice paints the letters of other fonts after the line, each where the line left room for it."""
    content = (
        line("[(Ti)-500(ng Vi)-500(t: r)-500(ng)] TJ") + " BT /G 10 Tf 110 700 Td (x) Tj 30 0 Td (y) Tj ET"
    )
    content += " BT /G 10 Tf 165 700 Td (z) Tj ET BT /F 10 Tf 100 680 Td (next) Tj ET"
    page = page_of(content, fonts={**FONTS, "G": grid_font()})
    assert page.text() == "Tixng Viyt: rzng\nnext"
    assert [word[0] for word in spans_of(page)] == ["Tixng", "Viyt:", "rzng", "next"]


def test_fragments_that_touch_nothing_stay_in_paint_order(page_of: Open) -> None:
    page = page_of(line("(world) Tj ET BT /F 10 Tf 60 700 Td (hello) Tj"), fonts=FONTS)
    assert page.text() == "world hello"


def test_tc_wider_than_a_letter_leads_to_the_next_cell(page_of: Open) -> None:
    """Ghostscript writes the columns of a table as character spacing."""
    assert page_of(line("15 Tc (ABCD) Tj"), fonts=FONTS).text() == "A B C D"
