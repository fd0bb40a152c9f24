"""Snippets and marks: the piece of a text that shows a hit, and what is marked in it."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import indexing
from indexing.elements import make_needle
from indexing.evaluate import Marks
from indexing.snippets import Marker, cut_snippet
from tests.helpers.collection import LIBRARY
from tests.helpers.store_maker import make_store
from tests.test_search_results import search

FOX = "english/foxes.pdf"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> indexing.Index:
    return indexing.open_index(make_store(tmp_path_factory.mktemp("library"), LIBRARY, parts=3))


def marked(snippet: indexing.Snippet) -> list[str]:
    return [snippet.text[start:end] for start, end in snippet.marks]


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("fox dog", ["fox", "dog"]),
        ("FOX", ["fox"]),
        ('"to be or not"', ["To", "be", "or", "not"]),
        ("jump*", ["jumps"]),
        ("quikc~", ["quick"]),
        ("fox -nosuch", ["fox"]),
        ("international page:2", ["inter- national"]),
        ("state-of-the-art", ["state-of-the-art"]),
        ("efficient", ["effi\u00adcient"]),
        ("3.11", ["3", "11"]),
        ("example.com", ["example", "com"]),
        ("软件工程", ["软件", "工程"]),
        ("件 page:2", ["件"]),
        ("résumé", ["résumé"]),
        ("resume page:1", ["resume"]),
        ('"turns without any noise"', ["turns", "without"]),
        ("ガス", ["ｶﾞｽ"]),
        ('"quick bro*"', ["quick", "brown"]),
        ("john.d*", ["john", "doe"]),
        ("state-of-the-a*", ["state-of-the-art"]),
    ],
)
def test_marks_show_what_was_found(index: indexing.Index, question: str, expected: list[str]) -> None:
    assert marked(search(index, question, 1).hits[0].snippet) == expected


def test_snippets_show_the_best_piece() -> None:
    text = "fox " + "filler words " * 60 + "the quick brown fox\nand dog " + "more words " * 60
    marks = Marks([needle for word in ("fox", "dog") if (needle := make_needle(word))])
    snippet = cut_snippet(text, Marker(marks).find_spans(text), 100)
    assert marked(snippet) == ["fox", "dog"]
    assert "quick brown fox and dog" in snippet.text
    assert snippet.text.startswith("…")
    assert snippet.text.endswith("…")
    assert len(snippet.text) <= 130


@settings(max_examples=400, deadline=None)
@given(
    st.lists(
        st.sampled_from(["fox", "dog", " ", "\n", "a-\nb", "中文", "é", "…", "x" * 40, ". "]), max_size=80
    ).map("".join),
    st.integers(1, 300),
)
def test_marks_stay_within_snippets(text: str, size: int) -> None:
    marks = Marks(
        [needle for word in ("fox", "dog fox", "中文", "é") if (needle := make_needle(word))], {"b"}
    )
    snippet = cut_snippet(text, Marker(marks).find_spans(text), size)
    last = 0
    for start, end in snippet.marks:
        assert last <= start < end <= len(snippet.text)
        last = end
    assert "\n" not in snippet.text


def test_no_snippet_when_not_asked(index: indexing.Index) -> None:
    assert search(index, "fox", snippet=0).hits[0].snippet == indexing.Snippet("", ())
