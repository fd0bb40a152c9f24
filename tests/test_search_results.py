"""Results: order, paging, groups, facets, snippets, suggestions, boxes, JSON, limits."""

from __future__ import annotations

import json
import pickle
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import indexing
from indexing.elements import make_needle
from indexing.evaluate import Marks
from indexing.snippets import Marker, cut_snippet
from tests.helpers.library import LIBRARY
from tests.helpers.store_maker import Doc, build, make_store

FOX = "english/foxes.pdf"


@pytest.fixture(scope="module")
def index(tmp_path_factory: pytest.TempPathFactory) -> indexing.Index:
    return indexing.open_index(make_store(tmp_path_factory.mktemp("library"), LIBRARY, parts=3))


def search(index: indexing.Index, question: str, limit: int = 10, offset: int = 0, **options: Any) -> Any:
    return index.search(question, limit, offset=offset, options=indexing.SearchOptions(**options))


def test_exact_forms_come_first(tmp_path: Path) -> None:
    docs = [Doc("a.pdf", ["a resume of it all"]), Doc("b.pdf", ["a résumé of it all"])]
    with indexing.open_index(make_store(tmp_path, docs)) as opened:
        assert [hit.path for hit in opened.search("resume").hits] == ["a.pdf", "b.pdf"]
        assert [hit.path for hit in opened.search("résumé").hits] == ["b.pdf", "a.pdf"]


def test_titles_lift_their_pages(tmp_path: Path) -> None:
    docs = [
        Doc("a.pdf", ["the pump here", "the pump there"]),
        Doc("b.pdf", ["the pump here"], {"title": "The pump"}),
    ]
    with indexing.open_index(make_store(tmp_path, docs)) as opened:
        assert [hit.path for hit in opened.search("pump").hits] == ["b.pdf", "a.pdf", "a.pdf"]


@pytest.mark.parametrize("sort", ["score", "path", "page", "newest", "oldest"])
def test_paging_shows_every_page_once(index: indexing.Index, sort: str) -> None:
    whole = search(index, "the OR die OR λόγος OR 件", 1000, sort=sort)
    assert whole.total == len(whole.hits) > 8
    paged = [
        hit
        for start in range(0, whole.total + 3, 3)
        for hit in search(index, whole.question, 3, start, sort=sort).hits
    ]
    assert [(hit.path, hit.page) for hit in paged] == [(hit.path, hit.page) for hit in whole.hits]


def test_orders(index: indexing.Index) -> None:
    def keys(sort: str) -> list[Any]:
        hits = search(index, "lang:en OR lang:de OR lang:fr", 1000, sort=sort).hits
        return [(hit.path, hit.page, hit.year) for hit in hits]

    assert keys("path") == sorted(keys("path"))
    assert keys("page") == sorted(keys("page"), key=lambda key: (key[1], key[0]))
    assert [year for _, _, year in keys("newest")] == sorted(
        (year for _, _, year in keys("newest")), reverse=True
    )
    assert [year for _, _, year in keys("oldest")] == sorted(year for _, _, year in keys("oldest"))
    scores = [hit.score for hit in search(index, "the", 1000).hits]
    assert scores == sorted(scores, reverse=True)


def test_documents_without_a_date_come_last(tmp_path: Path) -> None:
    docs = [
        Doc("a.pdf", ["one word"], {"created": None}),
        Doc("b.pdf", ["two word"], {"created": datetime(2001, 1, 1, tzinfo=UTC)}),
        Doc("c.pdf", ["three word"], {"created": None, "modified": datetime(2005, 1, 1, tzinfo=UTC)}),
    ]
    with indexing.open_index(make_store(tmp_path, docs)) as opened:
        assert [hit.path for hit in search(opened, "word", sort="newest").hits] == ["c.pdf", "b.pdf", "a.pdf"]
        assert [hit.path for hit in search(opened, "word", sort="oldest").hits] == ["b.pdf", "c.pdf", "a.pdf"]
        assert search(opened, "year:2005").total == 1


def test_groups(index: indexing.Index) -> None:
    result = search(index, "the OR dog", 10, group=True, group_pages=2)
    groups = {group.path: group for group in result.groups}
    assert result.documents == len(groups)
    assert sum(group.pages for group in result.groups) == result.total
    fox = groups[FOX]
    assert (fox.pages, fox.page_count, len(fox.hits), fox.title) == (3, 3, 2, "Foxes of the world")
    assert fox.score == max(hit.score for hit in fox.hits)
    assert result.hits == tuple(hit for group in result.groups for hit in group.hits)
    second = search(index, "the OR dog", 1, 1, group=True, group_pages=2)
    assert second.groups == result.groups[1:2]


def test_facets_count_everything_found(index: indexing.Index) -> None:
    result = search(index, "the OR dog OR été", 1, facets=("author", "year", "folder", "lang", "producer"))
    assert len(result.hits) == 1
    assert {(value.value, value.documents, value.pages) for value in result.facets["author"]} == {
        ("Ann Smith", 1, 3),
        ("Smith, John", 1, 3),
        ("Émile Zola", 1, 2),
    }
    assert {value.value for value in result.facets["year"]} >= {"2019", "2021", "1885"}
    folders = {value.value: value.pages for value in result.facets["folder"]}
    assert folders["english"] == 6
    assert folders["zz"] == 3
    assert result.facets["producer"] == ()
    assert result.notes == ()
    cut = search(index, "the OR dog OR été", 1, facets=("author",), facet_values=2)
    assert [value.value for value in cut.facets["author"]] == ["Ann Smith", "Smith, John"]
    assert cut.notes == ("author has 3 values: the 2 most frequent are listed",)


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


def test_results_are_plain_values(index: indexing.Index) -> None:
    result = search(index, "the OR dog", group=True, facets=("year",))
    assert pickle.loads(pickle.dumps(result)) == result
    values = json.loads(json.dumps(result.as_values()))
    assert list(values) == [
        "query", "total", "documents", "partial", "notes", "suggestions", "elapsed_ms", "snapshot", "hits", "groups",
        "facets",
    ]  # fmt: skip
    assert set(values["hits"][0]) == {
        "path", "paths", "page", "label", "title", "author", "year", "score", "snippet", "marks", "doc_id",
        "extraction_id", "found_in",
    }  # fmt: skip
    assert values["groups"][0]["hits"][0] == values["hits"][0]
    assert values["facets"]["year"][0].keys() == {"value", "documents", "pages"}


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
        ("", "there is nothing to look for: * finds every page"),
        ("!! --", "there is nothing to look for: * finds every page"),
        (
            "date:yesterday",
            "created:yesterday is not understood: nothing matches it (write created:2019-06-30",
        ),
        ("doc:zzzz", "nothing has doc:zzzz"),
    ],
)
def test_values_that_do_not_occur_are_said_with_those_that_do(
    index: indexing.Index, question: str, note: str
) -> None:
    (said,) = search(index, question).notes
    assert said.startswith(note)


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


def test_a_document_is_shown_under_the_path_that_was_asked_for(index: indexing.Index) -> None:
    copy = "zz/copy of foxes.pdf"
    for question, path in (
        ("fox", FOX),
        ("path:zz fox", copy),
        ("filename:copy", copy),
        ("copy", copy),
        ("path:english dog", FOX),
        ("filename:cop* fox", copy),
        ("path:zzz~ fox", copy),
        ("fox -path:nosuch", FOX),
        ('path:"copy of foxes"', copy),
    ):
        (hit, *_) = search(index, question).hits
        assert (hit.path, hit.paths) == (path, (FOX, copy)), question
        assert search(index, question, group=True).groups[0].path == path


def test_hits_say_where_the_words_were_found(index: indexing.Index) -> None:
    def where(question: str) -> set[tuple[str, int, tuple[str, ...]]]:
        return {(hit.path, hit.page, hit.found_in) for hit in search(index, question).hits}

    assert where("foxes") == {(FOX, 1, ("title", "filename"))}
    assert where("fox") == {(FOX, 1, ("text",))}
    assert where("fox foxes") == {(FOX, 1, ("text", "title", "filename"))}
    assert where("quick title:foxes -rotor") == {(FOX, 1, ("text", "title"))}
    assert where("page:2 title:foxes") == {(FOX, 2, ("title",))}
    assert where("page:2 dog") == {(FOX, 2, ("text",))}


def test_boosts(index: indexing.Index) -> None:
    plain, boosted = search(index, "fox").hits[0], search(index, "fox^3").hits[0]
    assert boosted.score == pytest.approx(3 * plain.score, abs=1e-5)


WORDS = ["Donau-", "dampfer", "and", "café", "中文字", "and", "more"]


def boxed_store(folder: Path) -> Path:
    doc = Doc("box.pdf", ["nothing", "Donau-\ndampfer and café\n中文字 and more"])
    store = make_store(folder, [doc])
    (store / "pages").mkdir()
    (store / "words").mkdir()
    pages = [{**row, "width": 200.0, "height": 100.0} for row in doc.page_rows()]
    pq.write_table(pa.Table.from_pylist(pages, schema=indexing.SCHEMAS["pages"]), store / "pages/p.parquet")
    words = [
        {
            "doc_id": doc.doc_id, "extraction_id": "x1", "page_index": 1, "line": 0, "word": number, "text": word,
            "x0": number * 10.0, "y0": 1.0, "x1": number * 10.0 + 9, "y1": 2.0, "angle": 0.0,
        }
        for number, word in enumerate(WORDS)
    ]  # fmt: skip
    pq.write_table(pa.Table.from_pylist(words, schema=indexing.SCHEMAS["words"]), store / "words/p.parquet")
    snapshot = indexing.read_current(store)
    tables = {"pages": ["pages/p.parquet"], "words": ["words/p.parquet"]}
    indexing.commit_snapshot(store, indexing.Snapshot(2, tables, snapshot.index, 1))
    return store


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("donaudampfer", ["Donau-", "dampfer"]),
        ("cafe", ["café"]),
        ("文字", ["中文字"]),
        ('"and more"', ["and", "more"]),
        ("and", ["and", "and"]),
        ("nothing", []),
        ("", []),
    ],
)
def test_boxes_of_hits(tmp_path: Path, question: str, expected: list[str]) -> None:
    with indexing.open_index(boxed_store(tmp_path)) as opened:
        marks = opened.page_marks("box.pdf", 2, question)
    assert (marks.path, marks.page, marks.width, marks.height) == ("box.pdf", 2, 200.0, 100.0)
    assert [box.text for box in marks.boxes] == expected
    assert [(box.x0, box.x1) for box in marks.boxes] == [
        (number * 10.0, number * 10.0 + 9)
        for number, word in enumerate(WORDS)
        if word in expected and (question != '"and more"' or number > 4)
    ]


def test_documents_are_found_by_the_end_of_their_path(tmp_path: Path) -> None:
    docs = [
        Doc("/in/a/one.pdf", ["first"]),
        Doc("/in/b/one.pdf", ["second"]),
        Doc("/in/b/two.pdf", ["third"]),
    ]
    with indexing.open_index(make_store(tmp_path, docs)) as opened:
        record = opened.generation.record
        for name, path in (
            ("two.pdf", "/in/b/two.pdf"),
            ("a/one.pdf", "/in/a/one.pdf"),
            ("/in/b/one.pdf",) * 2,
        ):
            assert record(opened.find_document(name))["paths"] == [path]
        with pytest.raises(indexing.StoreError, match=r"may be any of /in/a/one\.pdf, /in/b/one\.pdf"):
            opened.find_document("one.pdf")
        with pytest.raises(indexing.StoreError, match=r"there is no document ne\.pdf"):
            opened.find_document("ne.pdf")


def test_pages_and_documents_that_are_not_there(tmp_path: Path) -> None:
    with indexing.open_index(boxed_store(tmp_path)) as opened:
        doc_id = opened.search("nothing").hits[0].doc_id
        assert opened.page_marks(doc_id[:8], 1, "nothing").path == "box.pdf"
        for document, page in (("box.pdf", 3), ("no.pdf", 1), ("", 1)):
            with pytest.raises(indexing.StoreError) as caught:
                opened.page_marks(document, page, "and")
            assert caught.value.code == "input"


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


def test_flags_and_failures(tmp_path: Path) -> None:
    doc = Doc("a.pdf", ["fine", "bad"], flags={0: ["needs_ocr", "garbled"]})
    rows = doc.page_rows()
    rows[1] |= {"status": "failed", "text": None}
    from tests.helpers.store_maker import commit, write_part

    segment = indexing.build_segment(write_part(tmp_path / "p.parquet", rows), tmp_path / "s")
    store = tmp_path / "store"
    store.mkdir()
    assert commit(store, [doc], [segment]).missing == ()
    with indexing.open_index(store) as opened:
        assert [hit.page for hit in opened.search("flag:garbled").hits] == [1]
        assert [hit.page for hit in opened.search("flag:failed").hits] == [2]
        assert [hit.page for hit in opened.search("-flag:failed").hits] == [1]


def test_reports_add_up(tmp_path: Path) -> None:
    segment = build(tmp_path, LIBRARY)
    folder = Path(segment.folder)
    assert segment.pages == sum(len(doc.texts) for doc in LIBRARY)
    assert segment.size == sum(path.stat().st_size for path in folder.iterdir())
    assert segment.cpu_ms > 0
    assert pickle.loads(pickle.dumps(segment)) == segment


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
    with pytest.raises(ValueError, match="counts"):
        index.search("fox", 5, offset=-1)
    assert index.search("fox", 0).hits == ()
    assert index.search("fox", 0).total == 1
