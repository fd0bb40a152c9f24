"""Inverting the texts of one field in memory, as columns.

In: texts, one a document, in the order of documents. Out: the postings of all terms in the order of terms. It must not
know files, nor where texts come from.

Whoosh's own writer makes objects for tokens, pools every posting, sorts the pool and hands it on one by one. Here a
text is a list of chunk numbers; what a chunk consists of is worked out once; everything else is a few operations of
numpy over the columns (term, document, position) of the whole segment.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from indexing.analyzer import LONGEST_PART
from indexing.chunks import TEXT_END, chunk_terms, cut_texts
from indexing.posting_columns import TermColumns, encode_values

Int32s = npt.NDArray[np.int32]


class _Chunks(dict[str, int]):
    """Chunk -> number; a new chunk is taken apart when it is first asked for."""

    def __init__(self, stem: Callable[[str], str] | None) -> None:
        super().__init__()
        self._stem = stem
        self._plain = stem is None
        self.terms: dict[str, int] = {}
        self.widths = array("i")
        self.counts = array("i")
        self.term_ids = array("i")
        self.shifts = array("i")
        self.end = self[TEXT_END] = 0
        self.widths.append(0)
        self.counts.append(0)

    def __missing__(self, chunk: str) -> int:
        known = self.terms
        if self._plain and chunk.isalnum() and chunk.isascii():
            # Half of all chunks, and most of the others' parts, are a word in ASCII: `chunk_terms` says the same.
            self.term_ids.append(known.setdefault(chunk[:LONGEST_PART].lower(), len(known)))
            self.shifts.append(0)
            width = count = 1
        else:
            terms, width = chunk_terms(chunk, self._stem)
            count = len(terms)
            self.term_ids.extend([known.setdefault(term, len(known)) for term, _ in terms])
            self.shifts.extend([shift for _, shift in terms])
        number = len(self.widths)
        self.widths.append(width)
        self.counts.append(count)
        self[chunk] = number
        return number


class Inverter:
    """Collects the texts of one field and gives their postings."""

    def __init__(self, stem: Callable[[str], str] | None = None) -> None:
        self._chunks = _Chunks(stem)
        self._numbers = array("i")
        self._more: list[tuple[int, int, int]] = []

    def add_texts(self, texts: Sequence[str]) -> None:
        """Add the texts of the next documents, one each."""
        self._numbers.extend(map(self._chunks.__getitem__, cut_texts(texts)))

    def add_exact(self, values: Sequence[str]) -> None:
        """Add whole values for the next document, not analysed, all at position 0."""
        chunks = self._chunks
        for value in dict.fromkeys(values):
            number = chunks.get(value)
            if number is None:
                number = chunks[value] = len(chunks.widths)
                chunks.term_ids.append(chunks.terms.setdefault(value, len(chunks.terms)))
                chunks.shifts.append(0)
                chunks.widths.append(0)
                chunks.counts.append(1)
            self._numbers.append(number)
        self._numbers.append(chunks.end)

    def add_terms(self, document: int, position: int, terms: Sequence[str]) -> None:
        """Add terms of a document that its text by itself does not have, at one of its positions."""
        known = self._chunks.terms
        self._more += [(document, position, known.setdefault(term, len(known))) for term in terms]

    def words(self) -> Int32s:
        """Return the number of positions of each document."""
        return self._sums(np.frombuffer(self._chunks.widths, np.int32))

    def lengths(self) -> Int32s:
        """Return the length of each document: how many terms were indexed for it, each time it occurs."""
        found = self._sums(np.frombuffer(self._chunks.counts, np.int32))
        np.add.at(found, [document for document, _, _ in self._more], 1)
        return found

    def _sums(self, values: Int32s) -> Int32s:
        """Add up a value of the chunks over each document; the chunk at its end has none."""
        numbers = np.frombuffer(self._numbers, np.int32)
        sums = np.cumsum(values[numbers], dtype=np.int64)[numbers == self._chunks.end]
        found: Int32s = np.diff(sums, prepend=0).astype(np.int32)
        return found

    def batches(self, *, positions: bool = True) -> Iterator[TermColumns]:
        """Yield all terms with their postings, in the order of their UTF-8 bytes, many at a time."""
        names = sorted(self._chunks.terms)
        if not names:
            return
        term, document, place = self._columns(names)
        bounds = np.searchsorted(term, np.arange(len(names) + 1, dtype=np.int32))
        first = 0
        while first < len(names):
            last = max(first + 1, int(np.searchsorted(bounds, bounds[first] + _BATCH, side="right")) - 1)
            some = slice(int(bounds[first]), int(bounds[last]))
            yield _batch(
                [name.encode("utf-8", "surrogatepass") for name in names[first:last]],
                term[some],
                document[some],
                place[some] if positions else None,
            )
            first = last

    def _columns(self, names: Sequence[str]) -> tuple[Int32s, Int32s, Int32s]:
        """Return the columns term (rank), document and position of all occurrences, in this order."""
        chunks = self._chunks
        ranks = np.empty(len(names), np.int64)
        ranks[[chunks.terms[name] for name in names]] = np.arange(len(names))
        numbers = np.frombuffer(self._numbers, np.int32)
        ends = np.flatnonzero(numbers == chunks.end)
        sizes = np.diff(ends, prepend=-1)
        document = np.repeat(np.arange(len(ends), dtype=np.int32), sizes)
        widths = np.frombuffer(chunks.widths, np.int32)[numbers]
        passed = np.cumsum(widths, dtype=np.int64)
        place = passed - widths - np.repeat(np.concatenate([[0], passed[ends[:-1]]]), sizes)
        counts = np.frombuffer(chunks.counts, np.int32)
        firsts = np.cumsum(counts, dtype=np.int64) - counts
        each = counts[numbers]
        total = int(each.sum(dtype=np.int64))
        source = np.arange(total) + np.repeat(
            firsts[numbers] - (np.cumsum(each, dtype=np.int64) - each), each
        )
        place = np.repeat(place.astype(np.int32), each) + np.frombuffer(chunks.shifts, np.int32)[source]
        document = np.repeat(document, each)
        order = ranks[np.frombuffer(chunks.term_ids, np.int32)[source]]
        del source
        if self._more:
            more = np.array(sorted(self._more), np.int64)
            at = np.searchsorted(
                document.astype(np.int64) << 32 | place, more[:, 0] << 32 | more[:, 1], "right"
            )
            document, place = np.insert(document, at, more[:, 0]), np.insert(place, at, more[:, 1])
            order = np.insert(order, at, ranks[more[:, 2]])
        # Occurrences come by document and position: sorted by term and then by number they stay so.
        order <<= 32
        order |= np.arange(len(order))
        order.sort()
        term = (order >> 32).astype(np.int32)
        order &= 0xFFFFFFFF
        return term, document[order], place[order]


def _batch(names: list[bytes], term: Int32s, document: Int32s, place: Int32s | None) -> TermColumns:
    """Gather the occurrences of some terms, sorted by term, document and position, to postings."""
    new = np.ones(len(term), np.bool_)
    np.not_equal(term[1:], term[:-1], out=new[1:])
    new[1:] |= document[1:] != document[:-1]
    starts = np.flatnonzero(new)
    ends = np.concatenate([starts, [len(term)]])
    of_term = term[starts]
    bounds = np.searchsorted(of_term, np.arange(term[0], term[0] + len(names) + 1, dtype=np.int32))
    values = encode_values(place, ends) if place is not None else None
    return TermColumns(names, bounds, document[starts], np.diff(ends).astype(np.int32), values)


_BATCH: Final = 400_000
"""Occurrences whose postings are encoded at once: so many fit into the processor's cache, more or less."""
