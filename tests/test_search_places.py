"""Places of terms over whole arrays, against the slow way: one document, one position at a time."""

from __future__ import annotations

from itertools import accumulate, pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import indexing
from indexing import places as places_module
from indexing.bounded_cache import BoundedCache
from indexing.elements import make_needle
from indexing.phrases import PhraseFinder
from indexing.places import GAP, Axis, among, merge, read_places
from indexing.posting_columns import TermColumns, encode_terms
from indexing.posting_counts import read_counts
from indexing.postings import bytes_opcode, encode_gaps, read_rows, read_term
from indexing.ragged import ragged
from tests.helpers.analysis import built_terms
from tests.helpers.store_maker import Doc, make_store

TEXTS = st.lists(
    st.sampled_from(["a", "b", "c", "the", "é", "e", "a-b", "b\n", "中文字", "文中", "c.", "state-of-the-art", "of"]),
    max_size=40,
).map(" ".join)  # fmt: skip

PHRASES = [
    "a b",
    "the a b",
    "e a",
    "é a",
    "a-b c",
    "b c a b",
    "中文字",
    "a 文中",
    "state of the",
    "of the",
    "a a",
]


def counted_slowly(text: str, phrase: str, slop: int) -> int:
    """Count a phrase's first reading in one text by trying every way from place to place."""
    needle = make_needle(phrase, slop)
    assert needle is not None
    elements = needle.readings[0]
    standing: dict[str, set[int]] = {}
    for term, position in built_terms(text):
        standing.setdefault(term, set()).add(position)
    allowed = [set().union(*(standing.get(term, set()) for term in element.terms)) for element in elements]
    ways = {(place, 0) for place in allowed[0]}
    for last, element, places in zip(elements, elements[1:], allowed[1:], strict=False):
        step = element.offset - last.offset
        glued = standing.get(element.glue or "", set())
        ways = {
            (place + step + more, stretch + more)
            for place, stretch in ways
            for more in range(slop - stretch + 1)
            if place + step + more in places
        } | {(place, stretch) for place, stretch in ways if place in glued and place in places}
    return len({place for place, _ in ways})


@settings(max_examples=40, deadline=None)
@given(st.lists(TEXTS, min_size=1, max_size=6, unique=True), st.booleans())
def test_phrases_are_counted_as_position_by_position(texts: list[str], table: bool) -> None:
    import tempfile

    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        if table:
            patch.setattr(places_module, "_MANY", 0)
            patch.setattr(places_module, "_CHUNK", 50)
        docs = [Doc(f"{number}.pdf", [text]) for number, text in enumerate(texts)]
        with indexing.open_index(make_store(Path(folder), docs, parts=min(2, len(docs)))) as opened:
            generation = opened.generation
            for phrase in PHRASES:
                for slop in (0, 2):
                    needle = make_needle(phrase, slop)
                    assert needle is not None
                    finder = PhraseFinder(generation.reader, "text", needle.readings[0], lambda: False)
                    documents, counts = finder.count(slop)
                    found = {
                        opened.generation.record(int(generation.pages.document[page]))["paths"][0]: count
                        for page, count in zip(documents.tolist(), counts.tolist(), strict=True)
                    }
                    slow = {f"{n}.pdf": counted_slowly(text, phrase, slop) for n, text in enumerate(texts)}
                    assert found == {path: count for path, count in slow.items() if count}, (phrase, slop)


RISING = st.lists(st.integers(0, 3000), max_size=200).map(sorted).map(dict.fromkeys).map(list)


@given(RISING, RISING, st.booleans())
def test_places_among_places(some: list[int], allowed: list[int], table: bool) -> None:
    left, right = np.array(some, np.int32), np.array(allowed, np.int32)
    with pytest.MonkeyPatch.context() as patch:
        if table:
            patch.setattr(places_module, "_MANY", 0)
            patch.setattr(places_module, "_CHUNK", 100)
        mask = among(left, right, Axis(np.zeros(1, np.int32), True))
    assert left[mask].tolist() == [place for place in some if place in set(allowed)]
    assert merge(left, right).tolist() == sorted(set(some) | set(allowed))


POSITIONS = st.lists(st.integers(0, 900), min_size=1, max_size=20).map(sorted).map(dict.fromkeys).map(list)


@settings(max_examples=60)
@given(st.dictionaries(st.integers(0, 900), POSITIONS, min_size=1, max_size=600), st.integers(0, 2000))
def test_fronts_and_places_are_those_of_the_whole_list(found: dict[int, list[int]], far: int) -> None:
    documents = sorted(found)
    found[documents[0]].append(1000 + far * 40)
    rows = [found[document] for document in documents]
    gaps = [[row[0], *(right - left for left, right in pairwise(row))] for row in rows]
    values = [encode_gaps(gap) for gap in gaps]
    weights = [len(row) for row in rows]
    one = TermColumns(
        [b"word"],
        np.array([0, len(documents)], np.int64),
        np.array(documents, np.int32),
        np.array(weights, np.int32),
        ragged(list(map(bytes_opcode, values))),
    )
    written = encode_terms(one, 0, b"")
    file, term = memoryview(written.lists.tobytes()), read_term(written.records.data.tobytes())
    numbers, counts = read_counts(file, term)
    assert (numbers.tolist(), counts.tolist()) == (documents, weights)
    sizes = np.full(1000, 200_000, np.int32)
    for axis in (Axis.of_documents(1000), Axis.of_sizes(sizes)):
        known = read_places(numbers, values, axis)
        expected = [int(axis.starts[document]) + place for document in documents for place in found[document]]
        assert known.places.tolist() == expected
        wanted = np.zeros(1000, np.bool_)
        wanted[documents[-1]] = True
        last = int(axis.starts[documents[-1]])
        within = known.within(wanted).tolist()
        assert [place - last for place in within if place >= last] == rows[-1]
        assert axis.counts(known.places)[1].tolist() == weights
    some = [row for row in read_rows(file, term, [documents[-1]]) if documents[-1] in row.documents]
    assert list(some[0].values or ()) == values[documents.index(some[0].documents[0]) :]


def test_positions_beyond_a_document_are_damage() -> None:
    documents = np.array([0], np.int32)
    axis = Axis.of_sizes(np.array([5, 5], np.int32))
    assert read_places(documents, [encode_gaps([4])], axis).places.tolist() == [4]
    with pytest.raises(indexing.StoreError, match="beyond the end"):
        read_places(documents, [encode_gaps([5])], axis)
    assert axis.starts.tolist() == [0, 5 + GAP, 2 * (5 + GAP)]


@pytest.mark.parametrize("broken", [b"", b"\0\0\0\2C\1\5.", b"\0\0\0\0C\0.", b"\xff\0\0\0C\1\5."])
def test_values_that_lie_are_damage(broken: bytes) -> None:
    with pytest.raises(indexing.StoreError):
        read_places(np.array([0], np.int32), [broken], Axis.of_documents(1))


def test_caches_forget_what_was_asked_for_longest_ago() -> None:
    cache = BoundedCache(10)
    for name in "abc":
        cache.put(name, name.upper(), 3)
    assert cache.get("a") == "A"
    cache.put("d", "D", 3)
    assert [cache.get(name) for name in "abcd"] == ["A", None, "C", "D"]
    cache.put("e", "E", 6)
    assert (cache.get("e"), cache.size) == (None, 9)
    cache.put("a", "B", 2)
    assert (cache.get("a"), cache.size) == ("B", 8)
    assert cache.find("x", lambda: "X", len) == "X"
    assert list(accumulate(map(bool, map(cache.get, "xa")))) == [1, 2]
