"""Reading one index of a generation: terms, postings, stored fields, over all its segments.

In: a generation's folder and the facts of its segments. Out: posting lists as arrays, in document numbers of the whole
index. Any number of threads may read: files are mapped, nothing has a position. Nothing is unpickled but plain values,
so that a foreign index cannot run code. It must not know queries or scores.

This reads Whoosh's files without Whoosh's reader, whose matchers go from posting to posting in Python, whose time limit
works in the main thread only, and which unpickles what the files say.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from indexing.bounded_cache import BoundedCache
from indexing.errors import StoreError, damage_told
from indexing.places import Axis, Numbers, Places, read_places
from indexing.posting_counts import arrays_of, read_counts
from indexing.postings import Floats, Ints, Row, TermRecord, read_rows, read_term
from indexing.segment_tables import StoredColumn, TermTable, map_file
from indexing.texts import TextColumn
from indexing.vocabulary import Vocabulary

_WORTH_ALL: Final = 64
"""Places are read in all of a term's documents, and kept, if one of so many is wanted: most blocks are read anyway."""


@dataclass(frozen=True, slots=True)
class TermRange:
    """Some terms of a segment.

    Attributes:
        terms: the terms.
        numbers: of their entries in the segment's table, int64.
        documents: how many documents have each, live or not, int64.
    """

    terms: Sequence[str]
    numbers: npt.NDArray[np.int64]
    documents: npt.NDArray[np.int64]

    def only(self, kept: Sequence[bool]) -> TermRange:
        """Return some of the terms."""
        chosen = np.array(kept, np.bool_)
        return TermRange(
            list(itertools.compress(self.terms, kept)), self.numbers[chosen], self.documents[chosen]
        )


NO_TERMS: Final = TermRange((), np.zeros(0, np.int64), np.zeros(0, np.int64))


class SegmentReader:
    """The files of one segment; document numbers count within the segment."""

    def __init__(self, folder: Path, segment_id: str, count: int) -> None:
        self.name = f"MAIN_{segment_id}"
        self._name = f"{folder}/{self.name}."
        self.count = count
        # All files are opened now: a later commit may take the folder away, and a reader goes on for as long as it lives.
        self.table = TermTable(Path(f"{self._name}trm"))
        self._postings = map_file(Path(f"{self._name}pst"))
        self.stored = StoredColumn(Path(f"{self._name}_stored.col"), count)
        texts = Path(f"{self._name}texts")
        self._texts = TextColumn(texts, count) if texts.exists() else None
        self._lengths = {name: self._read_lengths(name) for name in self.table.fields}
        self._vocabularies: dict[str, Vocabulary] = {}

    @property
    def texts(self) -> TextColumn:
        """The texts of the pages; the index of documents has none."""
        if self._texts is None:
            raise StoreError(f"{self._name}texts is missing", "damaged")
        return self._texts

    def _read_lengths(self, name: str) -> bytes:
        path = Path(f"{self._name}_{name}_len.col")
        return bytes(map_file(path)) if path.exists() else b""

    def length_bytes(self, name: str) -> bytes:
        """Return the length byte of each document in a field; zeros where the field has no lengths."""
        return self._lengths.get(name, b"").ljust(self.count, b"\0")

    def key(self, name: str, term: bytes) -> bytes | None:
        """Return the key of a term in the table, or None if the segment has no such field."""
        number = self.table.fields.get(name)
        return None if number is None else number.to_bytes(2, "big") + term

    def find(self, name: str, term: bytes) -> TermRecord | None:
        """Look up a term."""
        key = self.key(name, term)
        with damage_told(self.name):
            record = self.table.find(key) if key is not None else None
            return read_term(record) if record is not None else None

    def terms(self, name: str, prefix: bytes = b"") -> Iterator[tuple[bytes, bytes]]:
        """Yield terms that start with a prefix, in order, with their records."""
        start = self.key(name, prefix)
        if start is None:
            return
        with damage_told(self.name):
            first = self.table.lower_bound(start)
        for number in range(first, len(self.table)):
            with damage_told(self.name):
                key, record = self.table.entry(number)
            if not key.startswith(start):
                return
            yield key[2:], record

    def vocabulary(self, name: str) -> Vocabulary:
        """Return the words of a field; they are collected when first asked for."""
        found = self._vocabularies.get(name)
        if found is None:
            with damage_told(self.name):
                start, stop = self._bounds(name)
                found = self._vocabularies[name] = Vocabulary(*self.table.entries(start, stop))
        return found

    def _bounds(self, name: str) -> tuple[int, int]:
        """Return the numbers of a field's first entry and of the one after its last."""
        number = self.table.fields.get(name)
        if number is None:
            return 0, 0
        after = (number + 1).to_bytes(2, "big")
        return self.table.lower_bound(number.to_bytes(2, "big")), self.table.lower_bound(after)

    def starting(self, name: str, prefix: str) -> TermRange:
        """Return the terms of a field that start with a prefix."""
        start = self.key(name, prefix.encode("utf-8", "surrogatepass"))
        if start is None or not prefix:
            return NO_TERMS
        with damage_told(self.name):
            first = self.table.lower_bound(start)
            last = self.table.lower_bound(start[:-1] + bytes((start[-1] + 1,)))
            text, documents = self.table.entries(first, last)
            terms = text.decode("utf-8", "replace").split("\n")[:-1]
            return TermRange(terms, np.arange(first, last), documents)

    def matching(self, name: str, pattern: str, spent: Callable[[], bool]) -> TermRange:
        """Return the terms of a field that match a pattern, wherever in the field they are, until time is `spent`."""
        terms, numbers, documents = self.vocabulary(name).matching(pattern, spent)
        with damage_told(self.name):
            return TermRange(terms, numbers + self._bounds(name)[0], documents)

    def documents_of(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Tell which documents have any of the terms of some entries, one truth value a document."""
        found = np.zeros(self.count, np.bool_)
        with damage_told(self.name):
            edges = self.table.edges(numbers)
            found[edges[:, 1]] = True
            found[edges[:, 2]] = True
            for number in numbers[edges[:, 0] > 2].tolist():
                record = read_term(self.table.entry(number)[1])
                found[read_counts(self._postings, record)[0]] = True
        return found

    def postings(self, record: TermRecord, wanted: Sequence[int] | None = None) -> Postings:
        """Read the postings of a term with their positions; all of them, or at least those in wanted documents."""
        rows = list(read_rows(self._postings, record, wanted))
        with damage_told(self.name):
            values = [value for row in rows for value in row.values or ()]
            if not rows:
                return NO_POSTINGS
            documents, weights = arrays_of(rows)
            self._check_documents(documents)
            return Postings(documents, weights, values)

    def counts(self, record: TermRecord) -> tuple[Ints, Floats]:
        """Read the documents that have a term, and how often; positions are not even inflated."""
        with damage_told(self.name):
            documents, weights = read_counts(self._postings, record)
            self._check_documents(documents)
            return documents, weights

    def _check_documents(self, documents: Ints) -> None:
        if documents[0] < 0 or documents[-1] >= self.count or np.any(documents[1:] <= documents[:-1]):
            raise ValueError("it holds postings of documents that it does not have")

    def rows(self, record: TermRecord) -> Iterator[Row]:
        """Read all postings of a term as they are, a block at a time; cheaper than arrays for short lists."""
        return read_rows(self._postings, record)


@dataclass(frozen=True, slots=True)
class Postings:
    """The postings of one term.

    Attributes:
        documents: rising document numbers, int32.
        weights: number of occurrences in each, float32.
        values: encoded positions of each, or empty: for a field without positions, or where they were not read.
    """

    documents: Ints
    weights: Floats
    values: Sequence[bytes] = ()

    @property
    def size(self) -> int:
        """Bytes of the arrays."""
        return self.documents.nbytes + self.weights.nbytes


NO_POSTINGS: Final = Postings(np.zeros(0, np.int32), np.zeros(0, np.float32))


class IndexReader:
    """All segments of one index; document numbers count through the segments in their order."""

    _MOST_BYTES = 96 << 20
    """Bytes of posting lists that are kept decoded."""

    def __init__(
        self,
        folder: Path,
        segments: Iterable[Mapping[str, Any]],
        live: npt.NDArray[np.bool_],
        sizes: Ints | None = None,
    ) -> None:
        """Open all segments.

        Args:
            folder: of the index.
            segments: facts of each segment.
            live: one truth value a document; dead ones are in no posting list.
            sizes: number of positions of each document, where it is known.
        """
        self.segments: list[SegmentReader] = []
        self.bases: list[int] = []
        base = 0
        for facts in segments:
            self.segments.append(SegmentReader(folder, facts["segment_id"], facts["documents"]))
            self.bases.append(base)
            base += facts["documents"]
        if base != len(live):
            raise StoreError(
                f"{folder} holds {base} documents in its segments, {len(live)} in its map", "damaged"
            )
        self.count = base
        self.live = live
        self.all_live = bool(live.all())
        self.axis = Axis.of_documents(base) if sizes is None else Axis.of_sizes(sizes)
        self.cache = BoundedCache(self._MOST_BYTES)

    def length_bytes(self, name: str) -> npt.NDArray[np.uint8]:
        """Return the length byte of each document in a field."""
        return np.frombuffer(b"".join(segment.length_bytes(name) for segment in self.segments), np.uint8)

    def postings(self, name: str, term: str) -> Postings:
        """Return the live documents that have a term, and how often; without positions."""
        found: Postings = self.cache.find(
            (name, term), lambda: self._read_postings(name, term), lambda postings: postings.size
        )
        return found

    def _records(self, name: str, term: str) -> Iterator[tuple[SegmentReader, int, TermRecord]]:
        """Yield the segments that have a term, with the number of their first document and the term's record."""
        encoded = term.encode("utf-8", "surrogatepass")
        for segment, base in zip(self.segments, self.bases, strict=True):
            record = segment.find(name, encoded)
            if record is not None:
                yield segment, base, record

    def _read_postings(self, name: str, term: str) -> Postings:
        pieces = []
        for segment, base, record in self._records(name, term):
            documents, weights = segment.counts(record)
            documents = documents + np.int32(base)
            kept = self._kept(documents)
            pieces.append((documents, weights) if kept is None else (documents[kept], weights[kept]))
        if not pieces:
            return NO_POSTINGS
        if len(pieces) == 1:
            return Postings(*pieces[0])
        documents, weights = (np.concatenate(columns) for columns in zip(*pieces, strict=True))
        return Postings(documents, weights)

    def places(self, name: str, term: str, wanted: npt.NDArray[np.bool_]) -> Numbers:
        """Return where a term stands in some documents, as rising places; more where that is quicker.

        Args:
            name: a field with positions.
            term: the term.
            wanted: one truth value a document.
        """
        key = (name, term, "places")
        found: Places | None = self.cache.get(key)
        if found is None:
            documents = self.postings(name, term).documents
            some = documents[wanted[documents]]
            if len(some) * _WORTH_ALL < len(documents):
                return self._read_places(name, term, some).places
            found = self._read_places(name, term, None)
            self.cache.put(key, found, found.size)
        return found.within(wanted)

    def _read_places(self, name: str, term: str, some: Ints | None) -> Places:
        """Read the places of a term in all live documents, or in some."""
        pieces: list[Ints] = []
        values: list[bytes] = []
        for segment, base, record in self._records(name, term):
            wanted = None
            if some is not None:
                first, last = np.searchsorted(some, [base, base + segment.count])
                if first == last:
                    continue
                wanted = (some[first:last] - base).tolist()
            postings = segment.postings(record, wanted)
            documents = postings.documents + np.int32(base)
            kept = self._kept(documents) if some is None else np.isin(documents, some, assume_unique=True)
            if kept is None:
                values += postings.values
            else:
                documents = documents[kept]
                values += itertools.compress(postings.values, kept.tolist())
            pieces.append(documents)
        documents = np.concatenate(pieces) if pieces else NO_POSTINGS.documents
        if len(values) != len(documents):
            raise StoreError(f"the index holds no positions of {term}", "damaged")
        return read_places(documents, values, self.axis)

    def has_term(self, name: str, term: str) -> bool:
        """Tell whether any segment has a term, live or not."""
        return next(self._records(name, term), None) is not None

    def _kept(self, documents: Ints) -> npt.NDArray[np.bool_] | None:
        """Tell which documents live; None for all."""
        if self.all_live:
            return None
        kept = self.live[documents]
        return None if kept.all() else kept

    def stored(self, document: int) -> dict[str, Any]:
        """Read the stored fields of a document."""
        number = int(np.searchsorted(self.bases, document, side="right")) - 1
        return self.segments[number].stored[document - self.bases[number]]

    def text(self, page: int) -> str:
        """Read the text of a page."""
        number = int(np.searchsorted(self.bases, page, side="right")) - 1
        return self.segments[number].texts[page - self.bases[number]]
