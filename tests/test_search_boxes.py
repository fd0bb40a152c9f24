"""Boxes of hits on a page, and the ways to name a document."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import indexing
from tests.helpers.store_maker import Doc, make_store

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


def test_boxes_are_found_after_a_later_commit_joined_the_parts(tmp_path: Path) -> None:
    store = boxed_store(tmp_path)
    with indexing.open_index(store) as opened:
        before = opened.page_marks("box.pdf", 2, "cafe")
        for table in ("pages", "words"):
            (store / table / "p.parquet").rename(store / table / "joined.parquet")
        with pytest.raises(indexing.StoreError, match="cannot be read"):
            opened.page_marks("box.pdf", 2, "cafe")
        snapshot = indexing.read_current(store)
        tables = {table: [f"{table}/joined.parquet"] for table in ("pages", "words")}
        indexing.commit_snapshot(store, indexing.Snapshot(3, tables, snapshot.index, 2))
        assert opened.page_marks("box.pdf", 2, "cafe") == before
        assert before.boxes[0].text == "café"
