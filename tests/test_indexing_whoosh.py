"""What we write is a Whoosh index: the same terms, postings, lengths, stored fields and scores as its own writer's."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from whoosh import analysis, fields, index, query
from whoosh.filedb.filestore import FileStorage
from whoosh.index import TOC

import indexing
from indexing.analyzer import LINK
from indexing.schema import page_schema
from indexing.segment import read_description
from indexing.segment_files import describe_segment
from indexing.sources import segment_facts
from tests.helpers.analysis import built_terms
from tests.helpers.store_maker import Doc, build, make_store

WORDS = [
    "the", "of", "and", "memory", "driver", "café", "naïve", "3.11", "well-known", "don't", "中文字", "данные", "λόγος",
    "kernel", "page", "E-1234", "a.b@c.org",
]  # fmt: skip


class PageWords(analysis.Analyzer):
    """Our analysis as a Whoosh analyzer, for Whoosh's own writer."""

    def __call__(self, value: str, positions: bool = False, chars: bool = False, **rest: Any) -> Any:
        token = analysis.Token(positions, chars)
        token.boost, token.stopped = 1.0, False
        for token.text, token.pos in built_terms(value):
            yield token


def random_docs(seed: int, count: int) -> list[Doc]:
    choose = random.Random(seed)
    weights = [1 / (number + 1) for number in range(len(WORDS))]
    docs = []
    for number in range(count):
        words = choose.choices(WORDS, weights, k=choose.choice([0, 1, 30, 300, 900]))
        words += [f"rare{choose.randrange(4000)}" for _ in range(20)]
        docs.append(
            Doc(f"{number:04d}.pdf", [" ".join(words)], flags={0: ["needs_ocr"]} if number % 3 == 0 else {})
        )
    # One word so often on one page that its count needs more than a byte, and far from itself.
    docs.append(Doc("often.pdf", ["often " * 700 + "filler " * 70_000 + "often"]))
    return docs


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Any]:
    """Our segment and the stock writer's, of the same pages."""
    folder = tmp_path_factory.mktemp("pair")
    docs = random_docs(1, 700)
    report = build(folder, docs)
    own = Path(report.folder)
    facts = segment_facts(read_description(own, report.segment_id))
    TOC(page_schema(), [describe_segment(facts)], 1).write(FileStorage(str(own)), "MAIN")
    (folder / "stock").mkdir()
    schema = page_schema()
    schema["text"].analyzer = PageWords()
    schema.remove("flag")
    schema.add("flag", fields.ID())
    stock = index.create_in(str(folder / "stock"), schema)
    writer = stock.writer()
    for doc in docs:
        row = doc.page_rows()[0]
        stored = {
            "doc_id": row["doc_id"],
            "page": 1,
            "label": "1",
        }
        writer.add_document(**stored, text=row["text"], **({"flag": "needs_ocr"} if row["flags"] else {}))
    writer.commit()
    return index.open_dir(str(own)), stock


def test_terms_and_their_records_are_equal(pair: tuple[Any, Any]) -> None:
    with pair[0].reader() as ours, pair[1].reader() as theirs:
        assert list(ours.all_terms()) == list(theirs.all_terms())
        assert ours.doc_count() == theirs.doc_count() == 701
        for name, term in theirs.all_terms():
            left, right = ours.term_info(name, term), theirs.term_info(name, term)
            for value in (
                "weight",
                "doc_frequency",
                "min_length",
                "max_length",
                "max_weight",
                "min_id",
                "max_id",
            ):
                assert getattr(left, value)() == getattr(right, value)(), (name, term, value)


def test_postings_are_equal(pair: tuple[Any, Any]) -> None:
    with pair[0].reader() as ours, pair[1].reader() as theirs:
        for name, term in theirs.all_terms():
            left, right = ours.postings(name, term), theirs.postings(name, term)
            assert list(left.all_ids()) == list(right.all_ids())
            left, right = ours.postings(name, term), theirs.postings(name, term)
            while right.is_active():
                assert left.id() == right.id()
                assert left.weight() == right.weight()
                if name == "text":
                    assert left.value_as("positions") == right.value_as("positions")
                    assert left.value_as("frequency") == right.value_as("frequency")
                left.next()
                right.next()
            assert not left.is_active()


def test_lengths_and_stored_fields_are_equal(pair: tuple[Any, Any]) -> None:
    with pair[0].reader() as ours, pair[1].reader() as theirs:
        assert ours.field_length("text") == theirs.field_length("text")
        for number in range(theirs.doc_count_all()):
            assert ours.doc_field_length(number, "text") == theirs.doc_field_length(number, "text")
            assert ours.stored_fields(number) == theirs.stored_fields(number)


@pytest.mark.parametrize(
    "asked",
    [
        query.Term("text", "kernel"),
        query.Term("text", LINK + "3."),
        query.Term("flag", "needs_ocr"),
        query.And([query.Term("text", "memory"), query.Term("text", "driver")]),
        query.Or([query.Term("text", "中文"), query.Term("text", "cafe")]),
        query.Phrase("text", ["the", "of"]),
        query.Phrase("text", ["memory", "driver", "kernel"], slop=3),
        query.Prefix("text", "rare12"),
    ],
)
def test_scores_are_equal(pair: tuple[Any, Any], asked: Any) -> None:
    with pair[0].searcher() as ours, pair[1].searcher() as theirs:
        left = [(hit.docnum, hit.score) for hit in ours.search(asked, limit=None)]
        right = [(hit.docnum, hit.score) for hit in theirs.search(asked, limit=None)]
        assert left == right
        if not isinstance(asked, query.Prefix):
            assert left


def test_own_search_scores_words_as_whoosh_does(tmp_path: Path) -> None:
    """Words in one form, found in the text alone: BM25F of stock Whoosh, to the last digits shown."""
    store = make_store(tmp_path, random_docs(2, 200), parts=3)
    with indexing.open_index(store) as opened:
        stock = index.open_dir(str(store / opened.snapshot.index))
        for word in ("kernel", "memory", "of", "page"):
            result = opened.search(f"text:{word}", 1000)
            with stock.searcher() as searcher:
                expected = {
                    (hit["doc_id"], hit["page"]): round(hit.score, 6)
                    for hit in searcher.search(query.Term("text", word), limit=None)
                }
            assert {(hit.doc_id, hit.page): hit.score for hit in result.hits} == pytest.approx(
                expected, abs=2e-6
            )


def test_stock_whoosh_opens_a_generation_and_can_merge_it(tmp_path: Path) -> None:
    store = make_store(tmp_path, random_docs(3, 60), parts=4)
    folder = store / indexing.read_current(store).index
    opened = index.open_dir(str(folder))
    assert opened.doc_count() == 61
    writer = opened.writer()
    writer.commit(optimize=True)
    with index.open_dir(str(folder)).searcher() as searcher:
        assert len(searcher.search(query.Term("text", "kernel"), limit=None)) > 10
    with index.open_dir(str(folder / "documents")).searcher() as searcher:
        hits = searcher.search(query.Term("filename", "0007"), limit=None)
        assert [hit["record"]["paths"] for hit in hits] == [["0007.pdf"]]
