"""What a search says beside its hits: notes, limits, suggestions; and that any question has an answer."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import indexing
from indexing.elements import make_needle
from tests.helpers.collection import LIBRARY
from tests.helpers.store_maker import Doc, make_store
from tests.test_search_results import search

FOX = "english/foxes.pdf"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> indexing.Index:
    return indexing.open_index(make_store(tmp_path_factory.mktemp("library"), LIBRARY, parts=3))


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("quikc fox", "quick fox"),
        ('"quick brwon fox"', '"quick brown fox"'),
        ("title:foxes slepes", "title:foxes sleeps"),
        ("title:fuxes", "title:foxes"),
        ("author:(smiht OR ann) sleeps", None),
        ("author:smiht", "author:smith"),
        ("folder:english", None),
        ("Brüke", "brucke"),
        ("quick", None),
        ("zzzzzz", None),
        ("-quikc fox", None),
        ("12346", None),
        ("中囗", None),
    ],
)
def test_suggestions(index: indexing.Index, question: str, expected: str | None) -> None:
    found = search(index, question).suggestions
    assert (found[0] if found else None) == expected
    assert search(index, question, suggest=False).suggestions == ()


def test_costly_questions_are_bounded_and_say_so(tmp_path: Path) -> None:
    docs = [Doc(f"{part}.pdf", [" ".join(f"word{part}x{n}" for n in range(900))]) for part in range(6)]
    with indexing.open_index(make_store(tmp_path, docs, parts=2)) as opened:
        result = search(opened, "word*")
        assert result.partial
        assert "stands for 5,400 words: the 1000 most frequent" in result.notes[0]
        assert search(opened, "*x7").total == 6
        late = search(opened, "word0* OR *7", seconds=0.0)
        assert late.partial
        assert any("time limit" in note for note in late.notes)
        for question in (
            "*",
            "?*",
            "*:*",
            "* *",
            "word0x1~2",
            "-" * 50 + "word*",
            '"' + "word0x1 " * 300 + '"~50',
        ):
            assert search(opened, question, seconds=1.0) is not None


def test_patterns_of_many_stars_are_answered_in_time(tmp_path: Path) -> None:
    """Also those that have no known beginning, and those that stand in a phrase."""
    words = " ".join(["a" * length for length in range(1, 60)] + ["aab", "abba"])
    with indexing.open_index(make_store(tmp_path, [Doc("a.pdf", [words])])) as opened:
        for question in ("*a" * 10, "*a" * 40, "a*" * 10, '"' + "*a" * 40 + ' aab"'):
            assert search(opened, question, suggest=False).elapsed_ms < 1000
        assert search(opened, "*a" * 40).total == 1
        assert search(opened, "a*" * 30 + "b").total == 0


def test_a_limit_of_terms_can_be_given(tmp_path: Path) -> None:
    docs = [Doc("a.pdf", ["pea pear pearl pear"]), Doc("b.pdf", ["pear"])]
    with indexing.open_index(make_store(tmp_path, docs)) as opened:
        result = search(opened, "pea*", terms=1)
        assert {hit.path for hit in result.hits} == {"a.pdf", "b.pdf"}
        assert result.partial


@pytest.mark.parametrize(
    "question", ["page:x", "year:[a TO b]", "title:[a TO b]", "date:2020-13", "created:>x", "flag:[1 TO 2]"]
)
def test_values_that_make_no_sense_match_nothing_and_say_so(index: indexing.Index, question: str) -> None:
    result = search(index, question)
    assert (result.total, len(result.notes)) == (0, 1)


def test_a_slip_in_a_field_is_named_where_nothing_is_found(index: indexing.Index) -> None:
    assert search(index, "titel:fox").notes == (
        "there is no field 'titel': it was read as a word; is title meant?",
    )
    assert search(index, "xyz:fox").notes == ("there is no field 'xyz': it was read as a word",)
    assert search(index, "http://fox.example").notes == ()
    assert search(index, "fox").notes == ()


@pytest.mark.parametrize(
    ("question", "note"),
    [
        ("flag:nonsense", "nothing has flag:nonsense; there is needs_ocr (1)"),
        ("lang:xx", "nothing has lang:xx; there is en ("),
        ("-flag:nonsense fox", "nothing has flag:nonsense; there is needs_ocr (1)"),
        (
            "year:abc",
            "year:abc is not understood: nothing matches it (write year:2019, year:>=2019 or year:2019..)",
        ),
        ("page:x", "page:x is not understood: nothing matches it (write page:5, page:>=5 or page:5..)"),
        ("", "there is no word to look for: * finds every page"),
        ("!! --", "there is no word to look for: * finds every page"),
        (
            "date:yesterday",
            "date:yesterday is not understood: nothing matches it (write date:2019-06-30",
        ),
        ("created:x", "created:x is not understood: nothing matches it (write created:2019-06-30"),
        ("Date:(x)", "Date:x is not understood: nothing matches it (write Date:2019-06-30"),
        ("date:2020..2019", "the range is empty: no date is from 2020 to 2019"),
        ("year:2022..2019", "the range is empty: no year is from 2022 to 2019"),
        ("page:{2 TO 3}", "the range is empty: no page is from 2 to 3"),
        ("folder:[a TO b]", "folder has no order: nothing matches a range of it"),
        ("doc:zzzz", "nothing has doc:zzzz"),
    ],
)
def test_values_that_do_not_occur_are_said_with_those_that_do(
    index: indexing.Index, question: str, note: str
) -> None:
    (said,) = search(index, question).notes
    assert said.startswith(note)


@pytest.mark.parametrize(
    ("question", "same", "note"),
    [
        (
            "fox^x",
            "fox",
            "what stands behind ^ is no number from 0 to 1,000: it is left out (at character 4)",
        ),
        ("fox^-1", "fox", "what stands behind ^ is no number"),
        (
            "(fox dog)^x",
            "(fox dog)",
            "what stands behind ^ is no number from 0 to 1,000: it is left out (at character 10)",
        ),
        ("year:2019^x fox", "year:2019 fox", "what stands behind ^ is no number"),
        ("year:2019..2021^x fox", "year:2019..2021 fox", "what stands behind ^ is no number"),
        ("fo*~2", "fo*", "like spellings of a pattern are not looked for: it is left out (at character 4)"),
        ("fox^1e9", "fox", "what stands behind ^ is no number"),
        ("fox^", "fox", "what stands behind ^ is no number"),
        ("fox^" + "9" * 400, "fox", "what stands behind ^ is no number"),
        ('"lazy dog"^nan', '"lazy dog"', "what stands behind ^ is no number from 0 to 1,000: it is left out"),
        (
            '"fox dog"~99999',
            '"fox dog"~50',
            "at most 50 words may stand between: ~50 is taken (at character 10)",
        ),
        ('"fox dog"~' + "9" * 5000, '"fox dog"~50', "at most 50 words may stand between: ~50 is taken"),
        ('"lazy dog"~x', '"lazy dog"', "what stands behind ~ is no number of words: it is left out"),
        ('"lazy dog"~-1', '"lazy dog"', "what stands behind ~ is no number of words: it is left out"),
        ("fix~3", "fix~2", "at most 2 letters may differ: ~2 is taken (at character 4)"),
        ("fix~99", "fix~2", "at most 2 letters may differ: ~2 is taken"),
        ("fix~0.8", "fix~1", "at most 2 letters may differ: ~1 is taken"),
    ],
)
def test_numbers_that_make_no_sense_leave_the_rest_as_it_is(
    index: indexing.Index, question: str, same: str, note: str
) -> None:
    result, expected = (search(index, asked, 100, suggest=False) for asked in (question, same))
    assert [(hit.path, hit.page, hit.score) for hit in result.hits] == [
        (hit.path, hit.page, hit.score) for hit in expected.hits
    ]
    assert result.total > 0
    assert result.notes[0].startswith(note)
    assert expected.notes == ()


def test_a_star_in_a_phrase_is_any_word(index: indexing.Index) -> None:
    assert [hit.page for hit in search(index, '"quick * fox"').hits] == [1]
    assert [hit.page for hit in search(index, '"quick * * jumps"').hits] == [1]
    assert search(index, '"the * fox"').total == 0
    assert search(index, '"the * * fox"').total == 1
    (hit,) = search(index, '"quick * fox"').hits
    assert "quick" in hit.snippet.text[slice(*hit.snippet.marks[0])]


def test_notes_are_few_and_short(index: indexing.Index) -> None:
    assert len(search(index, "(" * 3000 + "fox" + ")" * 3000).notes) == 1
    many = search(index, " ".join(f"page:x{n}" for n in range(300))).notes
    assert (len(many), many[-1]) == (21, "there are 280 more notes")
    assert search(index, ") " * 300 + "page:x").notes[-1].startswith("there are 2")
    (long,) = search(index, "flag:" + "x" * 7000).notes
    assert len(long) < 500
    assert long.endswith("there is needs_ocr (1)")


@pytest.mark.parametrize(
    ("question", "notes"),
    [
        ("nosuch or fox", ("or was read as a word; is OR meant?",)),
        ("nosuch and fox and dog", ("and was read as a word; is AND meant?",)),
        ("not nosuch", ("not was read as a word; is NOT meant?",)),
        ("to be or not to be", ()),
        (
            "title: foxes",
            ("title: has nothing right behind it: it was read as a word (at character 1)",),
        ),
        ("fox~near", ("fox~near was read as two words: behind ~ goes a number of letters, 1 or 2",)),
        ("note: fox", ()),
    ],
)
def test_slips_that_are_words_are_named(index: indexing.Index, question: str, notes: tuple[str, ...]) -> None:
    assert search(index, question).notes == notes


def test_a_field_is_called_as_it_was_typed_where_a_pattern_is_cut_off(tmp_path: Path) -> None:
    docs = [Doc("a.pdf", ["word"], copies=[f"f{n}/x{n}.pdf" for n in range(5)])]
    with indexing.open_index(make_store(tmp_path, docs)) as opened:
        assert "words of the field folder:" in search(opened, "folder:f*", terms=1).notes[0]
        assert "words of the field file:" in search(opened, "file:x*", terms=1).notes[0]


def test_parts_that_are_never_together_are_counted_apart(index: indexing.Index) -> None:
    assert search(index, 'fox "rotor turns" page:1 été').notes == (
        'no page has all of it; pages with each: fox 1, "rotor turns" 1, page:1 17, été 2',
    )
    assert search(index, "fox nosuchword").notes == ()
    assert search(index, "fox dog").notes == ()
    assert search(index, "fox -fox").notes == ("no page has all of it; pages with each: fox 1, -fox 33",)


def test_a_star_is_everything(index: indexing.Index) -> None:
    every = sum(len(doc.texts) for doc in LIBRARY)
    assert search(index, "*").total == every
    assert search(index, "* *").notes == ()
    assert search(index, "\u200b** %*").total == every
    assert search(index, "fox *").total == search(index, "fox").total
    assert search(index, "* -fox").total == every - search(index, "fox").total
    assert search(index, "-*").total == 0
    assert search(index, "author:* *").total == sum(len(d.texts) for d in LIBRARY if d.more.get("author"))
    assert search(index, "flag:*").total == search(index, "flag:need*").total == 1
    assert search(index, "lang:*").total == sum(len(d.texts) for d in LIBRARY if d.more.get("lang"))
    assert search(index, "path:*").total == every
    assert search(index, "year:*").total == sum(hit.year is not None for hit in search(index, "*", 1000).hits)
    assert search(index, "text:*").total == sum(
        make_needle(text) is not None for doc in LIBRARY for text in doc.texts
    )
    assert search(index, "?").notes == (
        "'?' stands for any word that short: it is left out (at character 1)",
    )


def test_any_question_gets_an_answer(index: indexing.Index) -> None:
    bits = st.sampled_from(
        ["fox", "the", " ", "(", ")", '"', " AND ", " OR ", "-", "~", "*", "?", "title:", "page:", "year:[", " TO ", "]",
         "中", "é", ".", "flag:", "doc:", "lang:", "^2", "\x00", "path:", "date:>", "\ud800", "~9"]
    )  # fmt: skip

    @settings(max_examples=400, deadline=None)
    @given(st.lists(bits, max_size=14).map("".join))
    def ask(question: str) -> None:
        result = search(index, question, 3)
        assert result.total >= len(result.hits)
        with suppress(indexing.QueryError):
            search(index, question, 1, strict=True)

    ask()


def test_what_there_was_no_time_for_is_neither_found_nor_let_through(
    index: indexing.Index, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer in time is part of the whole answer, also behind NOT."""
    from indexing.budget import Budget

    for question in (
        "fox OR rotor OR dog",
        "dog -fox",
        "dog -(rotor OR fox)",
        "-(fox -dog)",
        '"lazy dog to be"',
        "-d*",
        "-*og",
        "the -dag~",
        'the -"lazy dog to be"',
    ):
        whole = {(hit.path, hit.page) for hit in search(index, question, 100).hits}
        for calls in range(8):
            left = iter([False] * calls)
            monkeypatch.setattr(Budget, "spent", lambda budget, left=left: next(left, True))
            part = search(index, question, 100, suggest=False)
            assert {(hit.path, hit.page) for hit in part.hits} <= whole, (question, calls)
        monkeypatch.undo()


def test_options_that_do_not_exist_are_refused(index: indexing.Index) -> None:
    with pytest.raises(ValueError, match="'best' is none of score, path, page, newest, oldest"):
        indexing.SearchOptions(sort="best")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'size' is none of author, folder, lang, producer, year"):
        indexing.SearchOptions(facets=("year", "size"))
    for seconds in (-1.0, float("nan")):
        with pytest.raises(ValueError, match="is no number of seconds"):
            indexing.SearchOptions(seconds=seconds)
    with pytest.raises(ValueError, match="counts"):
        index.search("fox", 5, offset=-1)
    assert index.search("fox", 0).hits == ()
    assert index.search("fox", 0).total == 1


LEAVES = [
    "fox", "the", '"lazy dog"', "dog~", "f*", "title:foxes", "year:2019..2020", "lang:en", "flag:needs_ocr", "page:2", "*",
    "件", "nosuch", "e-mail", "folder:english", '"the laz* dog"',
]  # fmt: skip


TREES = st.recursive(
    st.sampled_from(LEAVES),
    lambda inner: st.one_of(
        st.tuples(st.just("NOT"), inner),
        st.tuples(st.just("AND"), inner, inner),
        st.tuples(st.just("OR"), inner, inner),
    ),
    max_leaves=8,
)


def written(tree: Any) -> str:
    match tree:
        case ("NOT", part):
            return f"NOT ({written(part)})"
        case (name, left, right):
            return f"({written(left)}) {name} ({written(right)})"
    return str(tree)


def test_questions_are_sets(index: indexing.Index) -> None:
    """AND, OR and NOT over any parts find what the sets of their pages say, in any nesting."""

    def ask(question: str) -> frozenset[tuple[str, int]]:
        found = search(index, question, 1000, snippet=0, suggest=False)
        assert found.total == len(found.hits)
        return frozenset((hit.doc_id, hit.page) for hit in found.hits)

    alone = {leaf: ask(leaf) for leaf in LEAVES}

    def expected(tree: Any) -> frozenset[tuple[str, int]]:
        match tree:
            case ("NOT", part):
                return alone["*"] - expected(part)
            case ("AND", left, right):
                return expected(left) & expected(right)
            case ("OR", left, right):
                return expected(left) | expected(right)
        return alone[tree]

    @settings(max_examples=300, deadline=None)
    @given(TREES)
    def check(tree: Any) -> None:
        assert ask(written(tree)) == expected(tree), written(tree)

    check()
