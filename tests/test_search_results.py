"""Results: order, paging, groups, facets, snippets, suggestions, boxes, JSON, limits."""

from __future__ import annotations

import json
import pickle
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

import indexing
from tests.helpers.collection import LIBRARY
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


def test_the_time_of_a_file_is_no_date_of_its_document(tmp_path: Path) -> None:
    """Files are younger than what is in them: they must not come before documents with a date."""
    docs = [
        Doc("a.pdf", ["word a"], {"created": None, "mtime_ns": 2030 * 10**9}),
        Doc("b.pdf", ["word b"], {"created": datetime(2001, 1, 1, tzinfo=UTC)}),
        Doc("c.pdf", ["word c"], {"created": None, "mtime_ns": 2031 * 10**9}),
        Doc("d.pdf", ["word d"], {"created": datetime(2005, 1, 1, tzinfo=UTC)}),
    ]
    with indexing.open_index(make_store(tmp_path, docs)) as opened:

        def order(**options: Any) -> str:
            return "".join(hit.path[0] for hit in search(opened, "word", **options).hits)

        assert order(sort="newest") == "dbca"
        assert order(sort="oldest") == "bdac"
        grouped = search(opened, "word", sort="newest", group=True).groups
        assert "".join(group.path[0] for group in grouped) == "dbca"


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
