"""Right-to-left text (rule B6): reading order from what is seen, whatever order it was painted in."""

from __future__ import annotations

import random
import re
import unicodedata
from collections.abc import Callable
from time import process_time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import extractor
from extractor.bidi_order import kind_of, reading_order
from tests.helpers.bidi_reference import MIRRORED, seen, visual_order
from tests.helpers.pages import UnicodeFont
from tests.helpers.pdf_maker import make_pdf, type0_font

SIZE = 10
Glyph = tuple[str, float]
"""What a glyph's font says it is, and its place from the left end of the line."""


def width(text: str) -> float:
    """Return the advance of a glyph in the test fonts, points."""
    if all(unicodedata.combining(character) for character in text):
        return 0
    return 2.6 if text in " .,'" else 5 + ord(text[0]) % 4


class Painter:
    """Paints glyphs one by one with a font that holds them all."""

    def __init__(self, alphabet: str) -> None:
        self.texts = list(dict.fromkeys(alphabet))
        self.font = UnicodeFont(
            alphabet, widths={cid: width(text) * 1000 / SIZE for cid, text in enumerate(self.texts, 1)}
        )

    def show(self, text: str) -> str:
        return f"{self.font.codes(text)} Tj"

    def glyphs(self, glyphs: list[Glyph], x: float, y: float) -> str:
        """Return content that paints each glyph at its place, in the order given."""
        return "".join(f"1 0 0 1 {x + at:.3f} {y} Tm {self.show(text)}\n" for text, at in glyphs)


def from_left(text: str) -> list[Glyph]:
    """Return the characters of a line, as seen, with their places."""
    places, at = [], 0.0
    for character in text:
        places.append((character, at))
        at += width(character)
    return places


def text_of(content: str, painter: Painter, **page: object) -> str:
    with extractor.open_document(
        make_pdf(f"BT /F1 {SIZE} Tf {content} ET", fonts={"F1": painter.font.dictionary}, **page)
    ) as document:
        return str(document[0].text())


def in_visual_order(logical: str, rtl: bool, shape: bool) -> list[Glyph]:
    return from_left(seen(logical, rtl, shape))


def in_logical_order(logical: str, rtl: bool, shape: bool) -> list[Glyph]:
    order, _ = visual_order(logical, rtl)
    places = from_left(seen(logical, rtl, shape))
    return [places[seen_at] for seen_at in sorted(range(len(order)), key=lambda place: order[place])]


def words_in_logical_order(logical: str, rtl: bool, shape: bool) -> list[Glyph]:
    """Words one after the other as they are read, each painted from left to right."""
    painted = in_logical_order(logical, rtl, shape)
    result: list[Glyph] = []
    word: list[Glyph] = []
    for glyph in [*painted, (" ", 0.0)]:
        if glyph[0] == " ":
            result += sorted(word, key=lambda entry: entry[1])
            word = []
            if len(result) < len(painted):
                result.append(glyph)
        else:
            word.append(glyph)
    return result


def words_in_random_order(logical: str, rtl: bool, shape: bool) -> list[Glyph]:
    words = re.findall(r"\S+\s*", seen(logical, rtl, shape))
    places = from_left("".join(words))
    groups, start = [], 0
    for word in words:
        groups.append(places[start : start + len(word)])
        start += len(word)
    random.Random(7).shuffle(groups)
    return [glyph for group in groups for glyph in group]


HABITS: dict[str, Callable[[str, bool, bool], list[Glyph]]] = {
    "visual": in_visual_order,
    "logical": in_logical_order,
    "logical words": words_in_logical_order,
    "words at random": words_in_random_order,
}
LINES = [
    "שלום עולם",
    "הספרייה הקטנה בקצה הרחוב נפתחת רק בימי שלישי אחר הצהריים.",
    "الصياد إلى الميناء وجلس ينتظر السفينة الأولى.",
    "בשנת 1984 נמכרו 250 עותקים של הספר.",
    "صدر العدد 15 من مجلة PDF Weekly في عام 2023 وبيع منه 1200 نسخة.",
    "הגרסה החדשה של Python 3.12 יצאה בשנת 2023 והורדה 5000 פעמים.",
    "המחיר (כולל מס) הוא 99.50, ירד ב-12% מאז 01/02/2023.",
    "לפי סעיף 15(ב)(4) לחוק [התשס״ז] «ראו שם».",
    "في عام ٢٠٢٣ بلغت النسبة ١٢٫٥ (تقريبا) من المجموع!",
    "ארגון UNESCO (באנגלית: United Nations) הוקם בשנת 1945.",
    "حجم الملف 2023-05-01 و 50% فقط",
]
habits = pytest.mark.parametrize("habit", HABITS)
shapes = pytest.mark.parametrize("shape", [True, False], ids=["by shape", "by character"])


@habits
@shapes
@pytest.mark.parametrize("line", LINES)
def test_a_line_reads_the_same_however_it_was_painted(line: str, habit: str, shape: bool) -> None:
    painter = Painter(line + "".join(MIRRORED.get(character, "") for character in line))
    assert text_of(painter.glyphs(HABITS[habit](line, True, shape), 40, 700), painter) == line


@habits
def test_words_are_told_by_gaps_between_what_stands_side_by_side(habit: str) -> None:
    line = "המסמך נשמר בקובץ PDF ביום 12 במאי."
    glyphs = [glyph for glyph in HABITS[habit](line, True, True) if glyph[0] != " "]
    painter = Painter(line)
    assert text_of(painter.glyphs(glyphs, 40, 700), painter) == line


TURNS = {
    "0": "1 0 0 1 100 400 cm",
    "30": "0.866 0.5 -0.5 0.866 100 400 cm",
    "90": "0 1 -1 0 400 100 cm",
    "180": "-1 0 0 -1 500 400 cm",
    "270": "0 -1 1 0 300 500 cm",
    "mirrored": "-1 0 0 1 500 400 cm",
    "upside down": "1 0 0 -1 100 400 cm",
}


@habits
@pytest.mark.parametrize("turn", TURNS)
def test_turned_and_mirrored_lines(turn: str, habit: str) -> None:
    line = "צדקה תציל ממוות, ABC 12."
    painter = Painter(line)
    content = f"ET {TURNS[turn]} BT /F1 {SIZE} Tf {painter.glyphs(HABITS[habit](line, True, True), 0, 0)}"
    assert text_of(content, painter) == line
    assert text_of(content, painter, rotate=90) == line


def test_mirrored_latin_is_no_right_to_left_text() -> None:
    content = "BT /F1 10 Tf -1 0 0 1 300 700 Tm (Mirrored words 12) Tj ET"
    with extractor.open_document(make_pdf(content)) as document:
        assert document[0].text() == "Mirrored words 12"


def test_a_run_within_left_to_right_text_is_turned_alone() -> None:
    line = "Hello محمد علي World (see שלום) and עולם twice."
    for habit in (in_visual_order, in_logical_order):
        for shape in (True, False):
            painter = Painter(line)
            assert text_of(painter.glyphs(habit(line, False, shape), 40, 700), painter) == line


def test_a_left_to_right_line_painted_out_of_order_keeps_that_order() -> None:
    painter = Painter("second half שלום first")
    content = painter.glyphs(in_visual_order("second שלום half", False, True), 300, 700) + painter.glyphs(
        in_visual_order("first שלום", False, True), 40, 700
    )
    assert text_of(content, painter) == "second שלום half first שלום"


def test_cells_of_a_row_are_read_from_right_to_left_and_each_for_itself() -> None:
    painter = Painter("שם: דנה (12) גיל 34 ABC DEF 5")
    cells = {400: "שם: דנה (12)", 200: "גיל 34", 40: "ABC 5"}
    content = "".join(
        painter.glyphs(in_visual_order(text, text[0] != "A", True), x, 700)
        for x, text in sorted(cells.items())
    )
    assert text_of(content, painter) == "שם: דנה (12) גיל 34 ABC 5"


def test_text_over_text_is_not_shuffled_together() -> None:
    painter = Painter("שלוםעכבריהודתפזל ")
    one, other = "שלום עכבר", "תפוז יהודי"
    content = painter.glyphs(in_visual_order(one, True, True), 40, 700)
    content += painter.glyphs(in_logical_order(other, True, True), 43.1, 700)
    assert text_of(content, painter) == f"{one} {other}"


@habits
def test_letter_spaced_words(habit: str) -> None:
    line = "כותרת ראשית לספר"
    painter = Painter(line)
    order = seen(line, True, True)
    places = [(text, at + 2.5 * number) for number, (text, at) in enumerate(from_left(order))]
    moved = dict(zip(from_left(order), places, strict=True))
    glyphs = [moved[glyph] for glyph in HABITS[habit](line, True, True) if glyph[0] != " "]
    assert text_of(painter.glyphs(glyphs, 40, 700), painter) == line


# -- the direction of a line -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "rtl"),
    [
        ("אני לומד Python.", True),
        ("The word שלום is Hebrew.", False),
        ("ראו Portable Document Format בעברית", True),
        ("12 אבג", True),
        ("Version 2.0 של", False),
    ],
)
def test_direction_of_a_line(line: str, rtl: bool) -> None:
    painter = Painter(line)
    assert text_of(painter.glyphs(in_visual_order(line, rtl, True), 40, 700), painter) == line


def test_a_mixed_line_goes_with_its_page() -> None:
    lines = ["זאת פסקה ארוכה בעברית שכולה טקסט.", "ספר Handbook of Typography", "ועוד שורה אחת בעברית."]
    painter = Painter("".join(lines))
    content = "".join(
        painter.glyphs(in_visual_order(line, True, True), 40, 700 - 20 * number)
        for number, line in enumerate(lines)
    )
    assert text_of(content, painter).split("\n") == lines


def test_reading_order_painted_from_left_to_right_stays() -> None:
    """Some producers know no right-to-left text: every word is seen reversed, but the content holds it as read."""
    for line in ("שלום עולם מלא אנשים", "مدرسة جميلة على التلة"):
        painter = Painter(line)
        assert text_of(painter.glyphs(from_left(line), 40, 700), painter) == line


def test_closing_punctuation_tells_where_a_line_ends() -> None:
    """Right-to-left sentences set in left-to-right paragraphs, as web pages without a direction are."""
    lines = ["الأطفال إلى السوق.", "שלום Hello עולם!", "ספר 12 של אבא,"]
    lines += ["הגרסה יצאה בשנת 2023.", "גרסה Python 3.12 יצאה בשנת 2023."]
    for line in lines:
        painter = Painter(line)
        assert text_of(painter.glyphs(in_visual_order(line, False, True), 40, 700), painter) == line


def test_unturned_and_turned_lines_on_one_page() -> None:
    unturned, turned = "שלום עולם מלא", "الولد إلى المدرسة"
    painter = Painter(unturned + turned)
    content = painter.glyphs(from_left(unturned), 40, 700)
    content += painter.glyphs(in_visual_order(turned, True, True), 40, 650)
    assert text_of(content, painter) == f"{unturned}\n{turned}"


# -- marks -----------------------------------------------------------------------------------------------------


POINTED = ["שָׁלוֹם עֲלֵיכֶם", "كَتَبَ الوَلَدُ الدَّرْسَ.", "בְּרֵאשִׁית בָּרָא"]


def clusters(text: str) -> list[str]:
    return re.findall(r"[^\u0591-\u05c7\u064b-\u0652][\u0591-\u05c7\u064b-\u0652]*", text)


def pointed(line: str, marks_first: bool, logical: bool, shift: float) -> list[Glyph]:
    """Return a line with its marks over the middle of their letters, painted before or after them."""
    at = sum(map(width, line))
    result: list[Glyph] = []
    for cluster in clusters(line):
        letter, marks = cluster[0], cluster[1:]
        at -= width(letter)
        placed = [(mark, at + width(letter) * shift) for mark in marks]
        group = [*placed[::-1], (letter, at)] if marks_first else [(letter, at), *placed]
        result = result + group if logical else group + result
    return result


@pytest.mark.parametrize("line", POINTED)
@pytest.mark.parametrize("logical", [True, False], ids=["logical", "visual"])
@pytest.mark.parametrize("marks_first", [True, False], ids=["mark first", "letter first"])
@pytest.mark.parametrize("shift", [0.3, 0.5, 0.9])
def test_marks_follow_their_letters(line: str, logical: bool, marks_first: bool, shift: float) -> None:
    painter = Painter(line)
    text = text_of(painter.glyphs(pointed(line, marks_first, logical, shift), 40, 700), painter)
    assert unicodedata.normalize("NFC", text) == unicodedata.normalize("NFC", line)


@pytest.mark.parametrize("shift", [0.0, -0.15])
def test_marks_at_the_edge_of_their_letters_go_by_how_the_page_paints(shift: float) -> None:
    """The origin of a mark may lie left of its letter, nearer to another one."""
    line = "كَتَبَ الوَلَدُ الدَّرْسَ."
    painter = Painter(line)
    text = text_of(painter.glyphs(pointed(line, True, False, shift), 40, 700), painter)
    assert unicodedata.normalize("NFC", text) == unicodedata.normalize("NFC", line)


def test_marks_painted_after_all_letters() -> None:
    line = "שָׁלוֹם עֲלֵיכֶם"
    glyphs = pointed(line, False, False, 0.5)
    letters = [glyph for glyph in glyphs if not unicodedata.combining(glyph[0])]
    marks = [glyph for glyph in glyphs if unicodedata.combining(glyph[0])]
    painter = Painter(line)
    text = text_of(painter.glyphs(letters + marks, 40, 700), painter)
    assert unicodedata.normalize("NFC", text) == unicodedata.normalize("NFC", line)


def test_presentation_forms_of_marks_are_combining_marks() -> None:
    """U+FE7C and U+FE77 stand for a shadda on a space and a fatha on a tatweel: alone they would split words."""
    painter = Painter("مدرسّ\ufe7c\ufe77")
    glyphs = [("د", 20.0), ("\ufe77", 21.0), ("ر", 14.0), ("\ufe7c", 15.0), ("س", 7.0)]
    assert text_of(painter.glyphs(glyphs, 40, 700), painter) == "د\u064eر\u0651س"


# -- ligatures, presentation forms, replacement texts ----------------------------------------------------------


def test_ligatures_read_in_logical_order() -> None:
    """A font tells lam-alef as read, or as seen with alef first, which no Arabic ligature is."""
    for told in ("لا", "ال", "\ufefb"):
        painter = LigaturePainter(["س", told, "م"])
        content = painter.glyphs([("م", 0.0), (told, 6.0), ("س", 12.0)], 40, 700)
        assert unicodedata.normalize("NFKC", text_of(content, painter)) == "سلام", told


def test_a_font_that_tells_one_ligature_as_seen_tells_all_so() -> None:
    painter = LigaturePainter(["س", "ال", "م", "يف"])
    content = painter.glyphs([("يف", 0.0), ("م", 20.0), ("ال", 26.0), ("س", 32.0)], 40, 700)
    assert text_of(content, painter) == "سلام في"


def test_the_name_of_god_is_no_reversed_ligature() -> None:
    painter = LigaturePainter(["الله", "ب"])
    assert text_of(painter.glyphs([("الله", 0.0), ("ب", 6.0)], 40, 700), painter) == "بالله"


def test_presentation_forms_stay_findable() -> None:
    painter = Painter("ﻢﻠﻌﻤﻟﺍ ﺐﺘﻛ")
    text = text_of(painter.glyphs(from_left("ﻢﻠﻌﻤﻟﺍ ﺐﺘﻛ"), 40, 700), painter)
    assert unicodedata.normalize("NFKC", text) == "كتب المعلم"


class LigaturePainter(Painter):
    """A painter of glyphs that each stand for one or several characters, 6 points wide unless told otherwise.

    A text with several widths has a glyph for each; those behind the first have the codes behind all texts.
    """

    def __init__(self, glyphs: list[str], widths: dict[str, tuple[float, ...]] | None = None) -> None:
        self.texts = glyphs
        self.font = _LigatureFont(glyphs, widths or {})


class _LigatureFont(UnicodeFont):
    def __init__(self, glyphs: list[str], widths: dict[str, tuple[float, ...]]) -> None:
        self._numbers = {text: cid for cid, text in enumerate(glyphs, 1)}
        texts, advances = list(glyphs), [widths.get(text, (6.0,))[0] for text in glyphs]
        for text, all_of in widths.items():
            texts += [text] * (len(all_of) - 1)
            advances += all_of[1:]
        self.dictionary = type0_font(
            dict(enumerate(texts, 1)),
            widths={cid: advance * 1000 / SIZE for cid, advance in enumerate(advances, 1)},
        )

    def codes(self, text: str) -> str:
        return f"<{self._numbers[text]:04x}>"


def span(text: str, content: str) -> str:
    return f"/Span <</ActualText <feff{text.encode('utf-16-be').hex()}>>> BDC {content} EMC "


@pytest.mark.parametrize("logical", [True, False], ids=["logical", "visual"])
def test_replacement_texts_are_read_as_they_stand(logical: bool) -> None:
    """Words with ActualText (14.9.4), as cairo and Chrome write them: the text is in reading order already."""
    words = ["كتب", "المعلم", "PDF", "(درس)", "15."]
    painter = Painter("".join(words) + ")(")
    at, spans = 300.0, []
    for word in words:
        letters = seen(word, True, True)
        at -= sum(map(width, letters))
        spans.append(span(word, painter.glyphs(from_left(letters), at, 700)))
        at -= 3
    assert text_of("".join(spans if logical else spans[::-1]), painter) == " ".join(words)


def test_a_replacement_text_for_a_letter_with_its_mark() -> None:
    painter = Painter("דָבר")
    content = painter.glyphs([("ר", 0.0), ("ב", 5.0)], 40, 700)
    content += span("דָ", painter.glyphs([("ָ", 14.0), ("ד", 11.0)], 40, 700))
    assert text_of(content, painter) == "דָבר"
    words = page_words(content, painter)
    assert len(words) == 1


def page_words(content: str, painter: Painter) -> list[str]:
    pdf = make_pdf(f"BT /F1 {SIZE} Tf {content} ET", fonts={"F1": painter.font.dictionary})
    with extractor.open_document(pdf) as document:
        return list(document[0].words.texts())


def test_glyphs_of_one_letter_that_each_say_all_of_it() -> None:
    """Some producers give a mark's glyph the text of the letter and its marks, and the letter's the same."""
    painter = LigaturePainter(["בָּ", "ר", "א"], {"בָּ": (0, 6)})
    for place in (0.0, 2.0):  # at 0 the wide glyph is a copy of the narrow one (R4), at 2 it is none
        content = painter.glyphs([("א", 0.0), ("ר", 6.0)], 40, 700)
        content += f"1 0 0 1 {52 + place} 700 Tm <0001> Tj 1 0 0 1 52 700 Tm <0004> Tj"
        assert text_of(content, painter) == "בָּרא"


def test_a_mark_is_said_once() -> None:
    """A font may give the first of two mark glyphs the text of both."""
    painter = LigaturePainter(["ש", "ׁ", "ָׁ", "ם"], {"ׁ": (0,), "ָׁ": (0,)})
    content = painter.glyphs([("ם", 0.0), ("ָׁ", 6.0), ("ׁ", 6.0), ("ש", 6.0)], 40, 700)
    assert unicodedata.normalize("NFC", text_of(content, painter)) == unicodedata.normalize("NFC", "שָׁם")


# -- pages -----------------------------------------------------------------------------------------------------


def test_pages_without_right_to_left_text_are_not_touched() -> None:
    painter = Painter("abc Hello")
    pdf = make_pdf(
        f"BT /F1 {SIZE} Tf {painter.glyphs(from_left('Hello abc'), 40, 700)} ET",
        fonts={"F1": painter.font.dictionary},
    )
    with extractor.open_document(pdf) as document:
        page = document[0]
        assert page.text() == "Hello abc"
        assert (np.diff(page.sequence.index) > 0).all()


def test_words_and_lines_keep_their_boxes() -> None:
    line = "שלום עולם"
    painter = Painter(line)
    pdf = make_pdf(
        f"BT /F1 {SIZE} Tf {painter.glyphs(in_visual_order(line, True, True), 40, 700)} ET",
        fonts={"F1": painter.font.dictionary},
    )
    left, right = line.split()[1], line.split()[0]
    with extractor.open_document(pdf) as document:
        words = document[0].words
        assert words.texts() == [right, left]
        ends = 40 + sum(map(width, left))
        assert words.x0.tolist() == pytest.approx([ends + width(" "), 40], abs=0.01)
        assert words.x1.tolist() == pytest.approx([40 + sum(map(width, line)), ends], abs=0.01)
        assert document[0].counts.visible == document[0].counts.painted == len(line)


def test_a_layer_of_recognised_text_is_in_reading_order() -> None:
    """Programs that recognise text let an invisible word run to the left by a mirrored matrix, letters as read."""
    painter = Painter("שלום עולם אבג ")
    content, at = "3 Tr ", 400.0
    for word in ("אבג ", "שלום ", "עולם "):
        content += f"-1 0 0 1 {at} 700 Tm {painter.show(word)} "
        at -= sum(map(width, word))
    assert text_of(content, painter) == "אבג שלום עולם"


def test_vertical_and_tiny_lines_are_left_alone() -> None:
    painter = Painter("אב(")
    content = "".join(f"1 0 0 1 100 {700 - 30 * n} Tm {painter.show(text)} " for n, text in enumerate("אב("))
    assert text_of(content, painter) == "א\nב\n("


@pytest.mark.parametrize("text", ["א(" * 3000, "(א" * 1000 + "]" * 1000, "אָ" * 3000, "א" * 50 + "ָ" * 3000])
def test_hostile_lines_take_no_more_than_their_length(text: str) -> None:
    painter = Painter(text + ")")
    begun = process_time()
    read = text_of(painter.glyphs(from_left(text), 0, 700), painter, media_box=(0, 0, 50000, 800))
    assert len(read.replace(" ", "")) <= len(text)
    assert process_time() - begun < 5


# -- the rules of Unicode --------------------------------------------------------------------------------------


HEBREW = ["שלום", "עולם", "של", "ספר", "אני"]
ARABIC = ["محمد", "كتاب", "من", "السلام"]
LATIN = ["PDF", "Word", "free"]
NUMBERS = ["12", "2023", "3.12", "1,200", "50%", "12-34", "01/02/2023", "$5"]


def decorated(words: list[str]) -> st.SearchStrategy[str]:
    forms = ["{}", "{}", "{}", "({})", "[{}]", "{},", "{}:", "«{}»", "{}!"]
    return st.builds(str.format, st.sampled_from(forms), st.sampled_from(words))


def lines_of(letters: list[str]) -> st.SearchStrategy[str]:
    """Lines that read one way only: letters between Latin words and numbers, and at both ends."""
    own = decorated(letters)
    other = st.one_of(own, decorated(LATIN), decorated(NUMBERS))
    pairs = st.lists(st.tuples(other, own), max_size=4)
    return st.builds(
        lambda first, rest, end: " ".join([first, *(word for pair in rest for word in pair)]) + end,
        st.sampled_from(letters),
        pairs,
        st.sampled_from(["", ".", "?"]),
    )


def test_two_numbers_between_latin_and_right_to_left_words() -> None:
    """What is seen does not tell to which of its neighbours a number belongs: the first one goes with Latin."""
    for line in ("אחרי 2023 Python 3.12 יצאה", "بعد 2023 Python 3.12 صدر"):
        look = seen(line, True)
        order, _ = reading_order(list(look), [kind_of(character) for character in look], True)
        assert "".join(look[place] for place in order) == line


@settings(max_examples=300, deadline=None)
@given(
    line=st.one_of(lines_of(HEBREW), lines_of(ARABIC)),
    shape=st.booleans(),
)
def test_reading_order_undoes_the_unicode_algorithm(line: str, shape: bool) -> None:
    look = seen(line, True, shape)
    order, levels = reading_order(list(look), [kind_of(character) for character in look], True, not shape)
    read = "".join(
        MIRRORED.get(look[place], look[place]) if shape and levels[place] % 2 else look[place]
        for place in order
    )
    assert read == line


@settings(max_examples=150, deadline=None)
@given(
    line=st.one_of(lines_of(HEBREW), lines_of(ARABIC)),
    habit=st.sampled_from(sorted(HABITS)),
    shape=st.booleans(),
    spaces=st.booleans(),
)
def test_any_line_painted_in_any_habit(line: str, habit: str, shape: bool, spaces: bool) -> None:
    painter = Painter(line + "".join(MIRRORED.get(character, "") for character in line))
    glyphs = [glyph for glyph in HABITS[habit](line, True, shape) if spaces or glyph[0] != " "]
    assert text_of(painter.glyphs(glyphs, 20, 700), painter, media_box=(0, 0, 2000, 800)) == line


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="אבשم كa Z12٣.,-%/()[]«»!: ", max_size=16), st.booleans())
def test_reading_order_is_a_permutation(line: str, rtl: bool) -> None:
    order, levels = reading_order(list(line), [kind_of(character) for character in line], rtl)
    assert sorted(order) == list(range(len(line)))
    assert all(0 <= level <= 2 for level in levels)


@pytest.mark.parametrize(("first", "second"), [("שלום עולם מלא", "مرحبا بكم"), ("ספר טוב", "مرحبا بكم")])
def test_a_script_that_does_not_say_goes_with_the_other(first: str, second: str) -> None:
    """Only the first Hebrew line has a letter that ends words."""
    painter = Painter(first + second)
    content = painter.glyphs(from_left(first), 40, 700) + painter.glyphs(from_left(second), 40, 600)
    turned = "\n".join((first[::-1], second[::-1]))
    assert text_of(content, painter) == (f"{first}\n{second}" if "ם" in first else turned)
