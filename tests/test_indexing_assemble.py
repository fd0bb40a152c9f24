"""Generations: what lives, what is shed, merging, and that the way an index came about does not show."""

from __future__ import annotations

import json
import random
import shutil
from pathlib import Path

import numpy as np
import pytest

import indexing
from indexing.merge_policy import BUDGET, TIERS, plan_merges
from tests.helpers.collection import LIBRARY
from tests.helpers.store_maker import Doc, build, commit, found, make_store, write_part

SMALL = TIERS[0][1]

QUESTIONS = [
    "fox", "the", "dog -fox", '"to be or not to be"', "café", "resume", "软件", "京", "title:foxes", "foxes", "e-1234",
    "inter*", "q*k", "quikc~", "lang:en the", "λόγος OR ёлка", '"turns without any"', "a b c OR the", "author:smith -the",
]  # fmt: skip


def answers(store: Path) -> dict[str, list[tuple[str, int, float, str]]]:
    with indexing.open_index(store) as index:
        return {
            question: [
                (hit.path, hit.page, hit.score, hit.snippet.text) for hit in index.search(question, 1000).hits
            ]
            for question in QUESTIONS
        }


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[tuple[str, int, float, str]]]:
    """The answers of an index that was built of one part in one go."""
    found_answers = answers(make_store(tmp_path_factory.mktemp("whole"), LIBRARY))
    assert sum(map(len, found_answers.values())) > 40
    return found_answers


@pytest.mark.parametrize("parts", [2, 4, len(LIBRARY)])
def test_segmentation_does_not_show(
    tmp_path: Path, whole: dict[str, list[tuple[str, int, float, str]]], parts: int
) -> None:
    """Same hits, same order, same scores: also where the policy merges, with many segments."""
    store = make_store(tmp_path, LIBRARY, parts=parts)
    assert answers(store) == whole
    head = json.loads((store / indexing.read_current(store).index / "index.json").read_text())
    assert len(head["segments"]) == (1 if parts > SMALL else parts)


def test_history_does_not_show(tmp_path: Path, whole: dict[str, list[tuple[str, int, float, str]]]) -> None:
    """Documents that came, changed and went leave no trace in hits or scores."""
    store = tmp_path / "store"
    store.mkdir()
    others = [Doc(f"old/{number}.pdf", [f"the fox and dog {number} " * 9, "café"]) for number in range(6)]
    commit(store, others, [build(tmp_path, others, "a")])
    first = LIBRARY[:7]
    commit(store, [*others[:2], *first], [build(tmp_path, first, "b")])
    report = commit(store, LIBRARY, [build(tmp_path, LIBRARY[7:], "c")])
    assert answers(store) == whole
    assert report.pages == sum(len(doc.texts) for doc in LIBRARY)
    assert report.missing == ()


def test_order_of_parts_does_not_show(
    tmp_path: Path, whole: dict[str, list[tuple[str, int, float, str]]]
) -> None:
    shuffled = list(LIBRARY)
    random.Random(5).shuffle(shuffled)
    assert answers(make_store(tmp_path, shuffled, parts=3)) == whole


def test_a_document_in_several_segments(tmp_path: Path) -> None:
    """A long document is extracted in spans, which end up in different parts."""
    doc = Doc("long.pdf", [f"page number{number} of the book, ending here" for number in range(6)])
    rows = doc.page_rows()
    segments = []
    for name, part in (("x", rows[3:]), ("y", rows[:3])):
        path = write_part(tmp_path / f"{name}.parquet", part)
        segments.append(indexing.build_segment(path, tmp_path / name))
    store = tmp_path / "store"
    store.mkdir()
    report = commit(store, [doc], segments)
    assert (report.pages, report.missing) == (6, ())
    assert found(store, "number4") == [("long.pdf", 5)]
    assert found(store, '"ending here page number3"') == [("long.pdf", 3)]


def test_pages_given_twice_live_once(tmp_path: Path) -> None:
    """A stage that ran twice under other part names; the newer segment wins."""
    store = tmp_path / "store"
    store.mkdir()
    docs = LIBRARY[:2]
    once = build(tmp_path, docs, "once")
    again = build(tmp_path, list(reversed(docs)), "again")
    report = commit(store, docs, [once, again])
    assert report.pages == 6
    assert len(found(store, "lang:en")) == 6


def test_the_same_segment_is_adopted_once(tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.mkdir()
    docs = LIBRARY[:2]
    segment = build(tmp_path, docs)
    commit(store, docs, [segment, segment])
    report = commit(store, docs, [segment])
    assert (report.pages, report.segments, report.deleted) == (6, 1, 0)


def test_the_same_part_makes_the_same_segment(tmp_path: Path) -> None:
    first = build(tmp_path, LIBRARY, "p")
    content = {path.name: path.read_bytes() for path in Path(first.folder).iterdir()}
    again = indexing.build_segment(tmp_path / "p.parquet", tmp_path / "other")
    assert again.segment_id == first.segment_id
    assert {path.name: path.read_bytes() for path in Path(again.folder).iterdir()} == content


def test_renaming_needs_no_segment(tmp_path: Path) -> None:
    store = make_store(tmp_path, LIBRARY[:3])
    old = LIBRARY[0]
    renamed = Doc("moved/new name.pdf", old.texts, {**old.more, "title": "Another title"})
    report = commit(store, [renamed, *LIBRARY[1:3]], [])
    assert report.missing == ()
    assert found(store, "fox") == [("moved/new name.pdf", 1)]
    assert found(store, "filename:new") == [("moved/new name.pdf", number) for number in (1, 2, 3)]
    assert found(store, "filename:foxes") == []
    assert found(store, "title:another dog") == [("moved/new name.pdf", 1), ("moved/new name.pdf", 2)]


def test_copies_are_one_document_with_two_paths(tmp_path: Path) -> None:
    store = make_store(tmp_path, LIBRARY[:2])
    with indexing.open_index(store) as index:
        hit = index.search("fox").hits[0]
    assert hit.paths == ("english/foxes.pdf", "zz/copy of foxes.pdf")


def test_another_extraction_replaces_the_first(tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.mkdir()
    old = Doc("a.pdf", ["the old text"], extraction_id="x1")
    new = Doc("a.pdf", ["the old text"], extraction_id="x2")
    commit(store, [old], [build(tmp_path, [old], "old")])
    commit(store, [new], [build(tmp_path, [new], "new")])
    with indexing.open_index(store) as index:
        assert [hit.extraction_id for hit in index.search("text").hits] == ["x2"]


def test_documents_without_their_pages_are_reported(tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.mkdir()
    report = commit(store, LIBRARY[:2], [build(tmp_path, LIBRARY[:1])])
    assert report.missing == ((LIBRARY[1].doc_id, 3, 0),)


def test_failed_documents_are_not_in_the_index(tmp_path: Path) -> None:
    broken = Doc("broken.pdf", [], {"status": "failed", "title": "fox"})
    store = make_store(tmp_path, [LIBRARY[0], broken])
    assert found(store, "title:fox") == []


def test_an_empty_store_answers(tmp_path: Path) -> None:
    store = make_store(tmp_path, [])
    for question in (*QUESTIONS, "page:1", "year:2020", "flag:x", "-a", "*"):
        assert found(store, question) == []


def test_dead_pages_are_shed(tmp_path: Path) -> None:
    """A segment most of whose pages are dead is written anew, and what it holds is the same."""
    store = tmp_path / "store"
    store.mkdir()
    docs = [
        Doc(f"{number}.pdf", [f"word{number} common café -- E-{number}", "中文字"]) for number in range(20)
    ]
    commit(store, docs, [build(tmp_path, docs)])
    kept = docs[12:]
    report = commit(store, kept, [])
    assert (report.pages, report.deleted, report.segments) == (16, 0, 1)
    assert len(found(store, "common")) == 8
    assert found(store, "e-13") == [("13.pdf", 1)]
    assert found(store, "word3") == []


def test_fewer_dead_pages_stay(tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.mkdir()
    docs = [Doc(f"{number}.pdf", [f"word{number} common"]) for number in range(20)]
    commit(store, docs, [build(tmp_path, docs)])
    report = commit(store, docs[8:], [])
    assert (report.pages, report.deleted) == (12, 8)
    assert len(found(store, "common")) == 12
    assert found(store, "word3") == []
    assert found(store, "wor?3*") == []


@pytest.mark.parametrize(
    ("live", "pages", "expected"),
    [
        ([], [], []),
        ([10] * 8, [10] * 8, []),
        ([10] * 9, [10] * 9, [list(range(9))]),
        ([900] * 12, [900] * 12, [[0, 1]]),
        ([2000] * 40, [2000] * 40, []),
        ([1000] * 41, [1000] * 41, [[0, 1]]),
        ([20_000] * 30, [20_000] * 30, []),
        ([5, 20_000, *[10] * 8], [5, 20_000, *[10] * 8], [[0, *range(2, 10)]]),
        ([40, 9], [100, 10], [[0]]),
        ([60, 9], [100, 10], []),
    ],
)
def test_policy(live: list[int], pages: list[int], expected: list[list[int]]) -> None:
    assert plan_merges(live, pages) == expected
    for group in expected:
        assert sum(live[place] for place in group) <= max(BUDGET, live[group[0]])


def test_many_nights_leave_few_segments(tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.mkdir()
    docs: list[Doc] = []
    for night in range(25):
        new = [Doc(f"{night}-{number}.pdf", [f"night{night} common text {number}"]) for number in range(3)]
        docs = [*docs[1:], *new]
        report = commit(store, docs, [build(tmp_path, new, f"n{night}")])
        assert report.segments <= SMALL + 1
        assert report.pages == len(docs)
    assert len(found(store, "common")) == len(docs)
    assert len(found(store, "night24")) == 3
    assert found(store, "night0") == []


def test_other_analysis_is_refused(tmp_path: Path) -> None:
    store = make_store(tmp_path, LIBRARY[:2])
    stemmed = indexing.Analysis(stem="en")
    rows = [row for doc in LIBRARY[:2] for row in doc.document_rows()]
    with pytest.raises(indexing.StoreError) as caught:
        indexing.assemble(store, 2, rows, [], indexing.read_current(store).index, stemmed)
    assert caught.value.code == "stale"
    with pytest.raises(indexing.StoreError, match="another"):
        indexing.assemble(store, 2, rows, [build(tmp_path, LIBRARY[:1])], None, stemmed)


def test_stemming_is_there_when_asked_for(tmp_path: Path) -> None:
    stemmed = indexing.Analysis(stem="en")
    docs = [Doc("a.pdf", ["running foxes"]), Doc("b.pdf", ["he runs"])]
    plain = build(tmp_path, docs)
    segment = indexing.build_segment(tmp_path / "part.parquet", tmp_path / "stemmed", stemmed)
    assert segment.segment_id != plain.segment_id
    store = tmp_path / "store"
    store.mkdir()
    rows = [row for doc in docs for row in doc.document_rows()]
    report = indexing.assemble(store, 1, rows, [segment], None, stemmed)
    indexing.commit_snapshot(store, indexing.Snapshot(1, {}, report.path))
    assert sorted(found(store, "run")) == [("a.pdf", 1), ("b.pdf", 1)]
    assert found(store, '"run fox"') == [("a.pdf", 1)]
    assert found(store, "runs")[0] == ("b.pdf", 1)


def test_what_is_no_part_is_refused(tmp_path: Path) -> None:
    (tmp_path / "bad.parquet").write_bytes(b"PAR1 not parquet")
    with pytest.raises(indexing.StoreError) as caught:
        indexing.build_segment(tmp_path / "bad.parquet", tmp_path / "s")
    assert caught.value.code == "input"
    assert not (tmp_path / "s").exists()


def test_page_numbers_of_the_map_agree_with_the_segments(tmp_path: Path) -> None:
    store = make_store(tmp_path, LIBRARY, parts=4)
    folder = store / indexing.read_current(store).index
    pages = np.load(folder / "pages.npy")
    assert len(pages) == sum(len(doc.texts) for doc in LIBRARY)
    assert sorted(pages[:, 0].tolist()) == sorted(
        number for number, doc in enumerate(sorted(LIBRARY, key=lambda doc: doc.path)) for _ in doc.texts
    )


def test_a_generation_is_complete_in_itself(tmp_path: Path) -> None:
    """The segments' folders and the generation before may go: files have a second name."""
    store = make_store(tmp_path, LIBRARY, parts=3)
    first = indexing.read_current(store).index
    commit(store, LIBRARY, [])
    before = answers(store)
    shutil.rmtree(tmp_path / "parts")
    shutil.rmtree(store / first)
    assert answers(store) == before
