"""The analysis of text: terms, positions, offsets, and that its short ways give what its long way gives."""

from __future__ import annotations

from itertools import pairwise
from unicodedata import normalize

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from indexing.analyzer import LINK, Slot, read_slots, slot_terms, stemmer
from indexing.characters import normal_form, plain_form
from indexing.chunks import chunk_terms
from tests.helpers.analysis import built_terms

L = LINK


def terms_of(text: str) -> dict[int, set[str]]:
    """Return the terms at each position, by the short ways."""
    found: dict[int, set[str]] = {}
    for term, position in built_terms(text):
        found.setdefault(position, set()).add(term)
    return found


def long_way(text: str) -> dict[int, set[str]]:
    slots: list[Slot | None] = [*read_slots(text), None]
    return {
        number: set(slot_terms(slot, slots[number + 1]))
        for number, slot in enumerate(slots)
        if slot is not None
    }


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The Fox", [{"the"}, {"fox"}]),
        ("café", [{"café", "\x01cafe"}]),
        ("Ⅳ ﬁne ＡＢＣ", [{"iv"}, {"fine"}, {"abc"}]),
        ("x² 10²", [{"x", "²", "x²"}, {"10", "²", "10²"}]),
        ("½", [{"½"}]),
        ("wi-fi net", [{"wi", "fi", "wi-fi", "wifi"}, {"net"}]),
        ("inter-\nnational law", [{"inter", "national", "inter-national", "international"}, {"law"}]),
        ("inter\u00ad\nnational", [{"inter", "national", "inter-national", "international"}]),
        ("in\u00adter", [{"inter"}]),
        ("pré-\nsident", [{"pré", "\x01pre", "sident", "pre-sident", "président", "\x01president"}]),
        ("a -\nb", [{"a"}, {"b"}]),
        ("O’Neill's", [{"o", "neill", "s", "o'neill", "neill's", "oneills"}]),
        ("3.11.2", [{"3", L + "3."}, {"11", L + "11."}, {"2"}]),
        ("1,5 a,b", [{"1", L + "1,"}, {"5"}, {"a"}, {"b"}]),
        ("a@b.org", [{"a", L + "a@"}, {"b", L + "b."}, {"org"}]),
        ("http://x.y/z", [{"http", L + "http/"}, {"x", L + "x."}, {"y", L + "y/"}, {"z"}]),
        ("E-12/3", [{"e", "12", "e-12", "e12", L + "12/"}, {"3"}]),
        ("C++ C# .NET #tag", [{"c", "c++"}, {"c", "c#"}, {"net", ".net"}, {"tag", "#tag"}]),
        ("a..b --- c", [{"a"}, {"b"}, {"c"}]),
        ("中文字", [{"中", "中文"}, {"文", "文字"}, {"字"}]),
        ("中\n文 字", [{"中", "中文"}, {"文"}, {"字"}]),
        ("第3章", [{"第"}, {"3"}, {"章"}]),
        ("한국 사람", [{"한", "한국"}, {"국"}, {"사", "사람"}, {"람"}]),
        ("ｶﾞｽ", [{"ガ", "ガス"}, {"ス"}]),
        ("ΛΌΓΟΣ", [{"λόγοσ", "\x01λογοσ"}]),
        ("ἀρχῇ", [{"ἀρχῆ", "\x01αρχη"}]),
        ("שָׁלוֹם", [{"שָׁלוֹם", "\x01שלום"}]),
        ("Ёлка Мой", [{"ёлка", "\x01елка"}, {"мой"}]),
        ("हिन्दी", [{"हिन्दी"}]),
        ("", []),
        ("--- ... !?", []),
    ],
)
def test_terms(text: str, expected: list[set[str]]) -> None:
    assert list(terms_of(text).values()) == [{normalize("NFC", term) for term in terms} for terms in expected]
    assert terms_of(text) == long_way(text)


def test_offsets_cover_the_words_as_printed() -> None:
    text = "Un café, well-known in 3.11 and 中文; C++ inter-\nnational."
    printed = [text[slot.start : slot.end] for slot in read_slots(text)]
    assert printed == [
        "Un",
        "café",
        "well-known",
        "in",
        "3",
        "11",
        "and",
        "中",
        "文",
        "C++",
        "inter-\nnational",
    ]


PIECES = st.sampled_from(
    [
        *"aZ09é中字カ한ก-_.,/:@&+#'’­‐–·%?!()[]\"\\*²\u0301\u200d\ufb01ﾞ\u3002،شß",
        " ", "\n", "-\n", " -\n ", "\u00ad\n", "://", "++", "word", "Word-", "3.1", "\x02", "\x1f", "\u3000", "İ", "ῇ",
    ]
)  # fmt: skip


@settings(max_examples=1500, deadline=None)
@given(st.lists(PIECES, max_size=24).map("".join))
def test_short_ways_give_what_the_long_way_gives(text: str) -> None:
    assert terms_of(text) == long_way(text)


@settings(max_examples=500, deadline=None)
@given(st.text(max_size=80))
@example("\u0640")  # stretches Arabic letters, and is left out of words
@example("\u0640\u064b \u0640-\u0640")
def test_any_text_can_be_analysed(text: str) -> None:
    slots = list(read_slots(text))
    assert all(0 <= left.start < left.end <= len(text) for left in slots)
    assert all(left.end <= right.start for left, right in pairwise(slots))
    assert terms_of(text) == long_way(text)
    for terms in terms_of(text).values():
        assert all(term and "\n" not in term for term in terms)


@settings(max_examples=500, deadline=None)
@given(st.text(max_size=30))
def test_folding_is_stable(word: str) -> None:
    exact = normal_form(word)
    plain = plain_form(exact)
    assert plain_form(plain) == plain


def test_long_words_are_cut_on_both_sides_alike() -> None:
    assert terms_of("x" * 500) == {0: {"x" * 80}}
    assert terms_of("é" * 500) == long_way("é" * 500)


def test_stems_stand_beside_words() -> None:
    stem = stemmer("en")
    assert chunk_terms("running", stem) == ([("running", 0), ("\x03run", 0)], 1)
    assert stemmer(None) is None
