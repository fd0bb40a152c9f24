"""Building: strings in columns, hash tables, posting lists, texts in blocks, parts joined to segments, parted words."""

from __future__ import annotations

import json
from hashlib import md5
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import indexing
from indexing.errors import StoreError
from indexing.merge_policy import LARGEST_BUILT, SMALLEST_SHARE, group_sizes
from indexing.posting_columns import BLOCK, TermColumns, encode_terms, encode_values
from indexing.postings import decode_positions, read_rows, read_term
from indexing.ragged import Column, join_rows, offsets, ragged
from indexing.segment_tables import TermTable
from indexing.term_table import TermTableWriter, hash_tables
from indexing.texts import BLOCK_BYTES, TextColumn, TextWriter
from tests.helpers.store_maker import Doc, build, commit, found, make_store, write_part

STRINGS = st.lists(st.binary(max_size=6), min_size=1, max_size=30)


class TestStringsInColumns:
    @given(STRINGS, st.data())
    def test_rows_are_joined_piece_by_piece(self, strings: list[bytes], data: st.DataObject) -> None:
        chosen = np.array(data.draw(st.lists(st.booleans(), min_size=len(strings), max_size=len(strings))))
        numbers = np.arange(2 * len(strings), dtype=np.uint8).reshape(-1, 2)
        every = ragged(strings)
        joined = join_rows(
            len(strings),
            [
                Column(b"<"),
                Column(every),
                Column(numbers),
                Column(every.among(chosen), chosen),
                Column(b">>", chosen),
            ],
        )
        expected = [
            b"<" + text + bytes(numbers[row]) + ((text + b">>") if chosen[row] else b"")
            for row, text in enumerate(strings)
        ]
        assert joined.data.tobytes() == b"".join(expected)
        assert joined.lengths.tolist() == [len(text) for text in expected]

    @given(STRINGS)
    def test_neighbours_are_grouped(self, strings: list[bytes]) -> None:
        bounds = np.array([*range(0, len(strings), 3), len(strings)])
        grouped = ragged(strings).grouped(bounds)
        assert len(grouped) == len(bounds) - 1
        assert grouped.lengths.tolist() == [
            sum(map(len, strings[start:stop])) for start, stop in pairwise(bounds.tolist())
        ]


class TestTermTable:
    @given(st.lists(st.integers(0, 2**32 - 1), max_size=400, unique=True))
    def test_every_hash_is_found_before_a_free_slot(self, hashes: list[int]) -> None:
        places = np.arange(1, len(hashes) + 1, dtype=np.int64)
        data, sizes = hash_tables(np.array(hashes, np.int64), places)
        slots = np.frombuffer(data.tobytes(), [("hash", ">u4"), ("place", ">i8")])
        bases = offsets(sizes).tolist()
        for code, place in zip(hashes, places.tolist(), strict=True):
            start, count = bases[code & 255], int(sizes[code & 255])
            for step in range(count):
                slot = slots[start + ((code >> 8) + step) % count]
                assert slot["place"], "a free slot comes first"
                if slot["hash"] == code:
                    assert slot["place"] == place
                    break
            else:
                pytest.fail("not there")
        assert all(
            not count or (slots["place"][start : start + count] == 0).any()
            for start, count in zip(bases, sizes.tolist(), strict=False)
        )

    def test_what_is_written_is_read(self, tmp_path: Path) -> None:
        terms = sorted(f"word{number}".encode() for number in range(3000))
        records = [md5(term).digest()[: len(term) % 9 + 1] for term in terms]
        with open(tmp_path / "t.trm", "wb") as file:
            writer = TermTableWriter(file, {"flag": 0, "text": 1})
            writer.add(0, terms[:5], ragged(records[:5]))
            writer.add(1, terms[:2000], ragged(records[:2000]))
            writer.add(1, terms[2000:], ragged(records[2000:]))
            writer.finish()
        table = TermTable(tmp_path / "t.trm")
        assert len(table) == 3005
        for term, record in zip(terms, records, strict=True):
            assert table.find(b"\0\1" + term) == record
        assert table.find(b"\0\1word") is None
        assert table.find(b"\0\0" + terms[7]) is None
        assert [table.entry(number)[0] for number in range(3005)] == [
            *(b"\0\0" + term for term in terms[:5]),
            *(b"\0\1" + term for term in terms),
        ]


PLACES = st.lists(st.integers(0, 300) | st.integers(0, 100_000), min_size=1, max_size=4, unique=True).map(
    sorted
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.dictionaries(st.integers(0, 70_000), PLACES, min_size=1, max_size=40), min_size=1, max_size=12
    ),
    st.booleans(),
)
def test_posting_lists_come_back(terms: list[dict[int, list[int]]], positions: bool) -> None:
    # One list longer than two blocks, one word so often in a document that its count needs more than a byte.
    terms = [
        *terms,
        {number: [number % 300] for number in range(2 * BLOCK + 5)},
        {7: list(range(400)), 8: [1]},
    ]
    rows = [[(document, term[document]) for document in sorted(term)] for term in terms]
    flat = [posting for row in rows for posting in row]
    places = np.array([place for _, some in flat for place in some], np.int32)
    columns = TermColumns(
        [f"{number:04d}".encode() for number in range(len(rows))],
        offsets(np.array([len(row) for row in rows])),
        np.array([document for document, _ in flat], np.int32),
        np.array([len(some) for _, some in flat], np.int32),
        encode_values(places, offsets(np.array([len(some) for _, some in flat]))) if positions else None,
    )
    encoded = encode_terms(columns, 1000, bytes(number % 251 for number in range(70_001)))
    file = memoryview(bytes(1000) + encoded.lists.tobytes())
    for number, row in enumerate(rows):
        start, stop = encoded.records.starts[number : number + 2].tolist()
        record = encoded.records.data[start:stop].tobytes()
        term = read_term(record)
        assert bool(term.inline) == (positions and len(row) == 1)
        assert (term.weight, term.documents) == (sum(len(some) for _, some in row), len(row))
        shortest, longest = record[9], record[10]
        codes = [document % 251 for document, _ in row]
        assert (shortest, longest) == (min(codes), max(codes))
        blocks = list(read_rows(file, term))
        assert len(blocks) == -(-len(row) // BLOCK)
        assert [document for block in blocks for document in block.documents] == [
            document for document, _ in row
        ]
        assert [weight for block in blocks for weight in block.weights] == [len(some) for _, some in row]
        if positions:
            values = [value for block in blocks for value in block.values or ()]
            assert [decode_positions(value) for value in values] == [some for _, some in row]


class TestTexts:
    @settings(max_examples=40)
    @given(
        st.lists(st.text(max_size=40) | st.just("long " * BLOCK_BYTES) | st.just("half" * 5000), max_size=12)
    )
    def test_texts_come_back(self, tmp_path_factory: pytest.TempPathFactory, texts: list[str]) -> None:
        path = tmp_path_factory.mktemp("texts") / "a.texts"
        writer = TextWriter()
        for text in texts:
            writer.add(text)
        writer.write(path)
        column = TextColumn(path, len(texts))
        backwards = [column[number] for number in reversed(range(len(texts)))]
        assert backwards[::-1] == texts == [column[number] for number in range(len(column))]

    def test_damage_is_an_error_of_the_store(self, tmp_path: Path) -> None:
        writer = TextWriter()
        for number in range(40):
            writer.add(f"page {number} " * 300)
        writer.write(tmp_path / "a.texts")
        whole = (tmp_path / "a.texts").read_bytes()
        with pytest.raises(StoreError):
            TextColumn(tmp_path / "a.texts", 39)
        for place in range(0, len(whole), 7):
            (tmp_path / "b.texts").write_bytes(
                whole[:place] + bytes([whole[place] ^ 255]) + whole[place + 1 :]
            )
            try:
                column = TextColumn(tmp_path / "b.texts", 40)
                texts = [column[number] for number in range(40)]
            except StoreError:
                continue
            assert len(texts) == 40
        for cut in (0, 5, len(whole) // 2, len(whole) - 1):
            (tmp_path / "b.texts").write_bytes(whole[:cut])
            with pytest.raises(StoreError):
                TextColumn(tmp_path / "b.texts", 40)


class TestPartsOfASegment:
    @pytest.mark.parametrize(
        ("sizes", "workers", "expected"),
        [
            ([], 4, []),
            ([3], 4, [[0]]),
            ([1000] * 3, 2, [[0, 1, 2]]),
            ([1000] * 4, 2, [[0, 1], [2, 3]]),
            ([1000] * 4, 16, [[0, 1], [2, 3]]),
            ([12_000], 1, [[0]]),
            ([4000] * 6, 1, [[0, 1, 2], [3, 4, 5]]),
            ([30_000, 10, 10], 1, [[0], [1, 2]]),
            ([0, 0], 2, [[0, 1]]),
        ],
    )
    def test_groups(self, sizes: list[int], workers: int, expected: list[list[int]]) -> None:
        assert group_sizes(sizes, workers) == expected

    @given(st.lists(st.integers(0, 4000), max_size=60), st.integers(1, 8))
    def test_groups_hold_everything_once_in_order_and_alike(self, sizes: list[int], workers: int) -> None:
        groups = group_sizes(sizes, workers)
        assert [place for group in groups for place in group] == list(range(len(sizes)))
        held = [sum(sizes[place] for place in group) for group in groups]
        assert all(size <= LARGEST_BUILT + 4000 for size in held)
        if sum(sizes) >= workers * SMALLEST_SHARE and max(sizes, default=0) * workers * 2 < sum(sizes):
            assert len(groups) >= workers

    def test_one_segment_of_several_parts_answers_as_one_of_each(self, tmp_path: Path) -> None:
        docs = [
            Doc(f"{number}.pdf", [f"common word{number % 7} page", f"second 3.{number}"])
            for number in range(30)
        ]
        apart = make_store(tmp_path / "apart", docs, parts=5)
        parts = [
            write_part(
                tmp_path / f"p{start}.parquet",
                [row for doc in docs[start : start + 6] for row in doc.page_rows()],
            )
            for start in range(0, 30, 6)
        ]
        assert indexing.group_parts(parts) == [parts]
        segment = indexing.build_segment(parts, tmp_path / "segment")
        assert (segment.parts, segment.pages) == (tuple(part.name for part in parts), 60)
        store = tmp_path / "joined"
        store.mkdir()
        assert commit(store, docs, [segment]).segments == 1
        for question in ("common", "word3", '"second 3.11"', "word*", "common -word2"):
            with indexing.open_index(apart) as left, indexing.open_index(store) as right:
                hits = [
                    [
                        (hit.path, hit.page, hit.score, hit.snippet.text)
                        for hit in index.search(question, 100).hits
                    ]
                    for index in (left, right)
                ]
            assert hits[0]
            assert hits[0] == hits[1]
        described = json.loads((tmp_path / "segment" / f"MAIN_{segment.segment_id}.segment.json").read_text())
        assert described["parts"] == list(segment.parts)

    def test_a_merged_segment_names_all_its_parts(self, tmp_path: Path) -> None:
        docs = [Doc(f"{number}.pdf", [f"only {number}"]) for number in range(12)]
        store = make_store(tmp_path, docs, parts=12)
        folder = store / (indexing.read_current(store).index or "")
        segments = json.loads((folder / "index.json").read_text())["segments"]
        assert len(segments) < 12
        assert sorted(name for segment in segments for name in segment["parts"]) == sorted(
            f"p{number:04d}.parquet" for number in range(12)
        )
        assert [found(store, f"only {number}") for number in (0, 11)] == [[("0.pdf", 1)], [("11.pdf", 1)]]


class TestWordsPartedByAPage:
    PAGES: tuple[str, ...] = (
        "Annual report\nthe law of inter-\n3",
        "Annual report\nnational and non-\n4",
        "Annual report\npro\u00adfit pré-\n5",
        "Annual report\nsident; the well-known well-\n6",
        "Annual report\ntempered piano ends-\n7",
        "Annual report\n- not a word\n8",
    )

    @pytest.mark.parametrize(
        ("question", "pages"),
        [
            ("international", [1]),
            ("inter-national", [1]),
            ('"law of international"', [1]),
            ("inter", [1]),
            ("national", [2]),
            ("nonprofit", [2]),
            ("président", [3]),
            ("president", [3]),
            ("well-tempered", [4]),
            ("well", [4]),
            ("endsnot", []),
            ("reportnational", []),
        ],
    )
    def test_the_whole_word_is_found_where_it_starts(
        self, tmp_path: Path, question: str, pages: list[int]
    ) -> None:
        store = make_store(tmp_path, [Doc("a.pdf", self.PAGES)])
        assert [page for _, page in found(store, question)] == pages

    def test_not_across_documents_nor_over_a_page_that_is_missing(self, tmp_path: Path) -> None:
        rows: list[dict[str, Any]] = [
            row for row in Doc("a.pdf", self.PAGES).page_rows() if row["page_index"] != 1
        ]
        rows += Doc("b.pdf", ["national parks"]).page_rows()
        segment = indexing.build_segment(write_part(tmp_path / "p.parquet", rows), tmp_path / "s")
        store = tmp_path / "store"
        store.mkdir()
        commit(store, [Doc("a.pdf", self.PAGES), Doc("b.pdf", ["national parks"])], [segment])
        assert found(store, "international") == []

    def test_a_word_that_the_page_itself_seems_to_have_is_there_once(self, tmp_path: Path) -> None:
        # What stands below the body is taken for the rest of the word, and the next page starts with the same word.
        texts = ["alpha para-\nparagraph 1", "paragraph two\nparagraph 2", "more\nparagraph 3"]
        store = make_store(tmp_path, [Doc("a.pdf", texts)])
        assert found(store, "para-paragraph") == [("a.pdf", 1)]
        assert indexing.check_index(store) == []

    def test_lengths_count_the_words_that_are_added(self, tmp_path: Path) -> None:
        report = build(tmp_path, [Doc("a.pdf", ["one inter-", "national"])])
        table = np.load(next(Path(report.folder).glob("*.pages.npy")))
        # inter, one; and the whole word, run together and with its hyphen.
        assert table[:, 2].tolist() == [4, 1]
        assert table[:, 3].tolist() == [2, 1]
