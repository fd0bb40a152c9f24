"""Inverting the texts of one field in memory, as columns.

In: texts, one a document, in the order of documents. Out: the postings of all terms in the order of terms. It must not
know files, nor where texts come from.

Whoosh's own writer makes objects for tokens, pools every posting, sorts the pool and hands it on one by one. Here a
text is a list of chunk numbers; what a chunk consists of is worked out once; everything else is a few operations of
numpy over the columns (term, document, position) of the whole segment.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from indexing.analyzer import LONGEST_PART
from indexing.chunks import TEXT_END, chunk_terms, cut_texts
from indexing.errors import StoreError
from indexing.posting_columns import TermColumns, encode_values

Int32s = npt.NDArray[np.int32]
Int64s = npt.NDArray[np.int64]


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
        self._waiting: list[str] = []
        self._characters = 0

    def add_texts(self, texts: Sequence[str]) -> None:
        """Add the texts of the next documents, one each."""
        self._waiting += texts
        self._characters += sum(map(len, texts))
        if self._characters > _WAITING:
            self._cut_waiting()

    def _cut_waiting(self) -> None:
        """Cut the texts that wait: the more at a time, the fewer distinct chunks are looked up."""
        if self._waiting:
            distinct, order = cut_texts(self._waiting)
            known = np.fromiter(map(self._chunks.__getitem__, distinct), np.int32, len(distinct))
            self._numbers.frombytes(known[order].tobytes())
            self._waiting, self._characters = [], 0

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

    def add_terms(self, more: Iterable[tuple[int, int, Sequence[str]]]) -> None:
        """Add terms to documents at positions of theirs: (document, position, terms), those that are not there already."""
        self._cut_waiting()
        chunks, known = self._chunks, self._chunks.terms
        numbers = np.frombuffer(self._numbers, np.int32)
        bounds = np.concatenate([[0], np.flatnonzero(numbers == chunks.end) + 1])
        widths, counts = np.frombuffer(chunks.widths, np.int32), np.frombuffer(chunks.counts, np.int32)
        firsts = np.cumsum(counts, dtype=np.int64) - counts
        term_ids, shifts = np.frombuffer(chunks.term_ids, np.int32), np.frombuffer(chunks.shifts, np.int32)
        for document, position, terms in more:
            some = numbers[bounds[document] : bounds[document + 1]]
            passed = np.cumsum(widths[some])
            place = int(np.searchsorted(passed, position, side="right"))
            own = slice(firsts[some[place]], firsts[some[place]] + counts[some[place]])
            there = term_ids[own][shifts[own] == position - passed[place] + widths[some[place]]].tolist()
            added = [known.setdefault(term, len(known)) for term in terms]
            self._more += [(document, position, number) for number in added if number not in there]

    def words(self) -> Int32s:
        """Return the number of positions of each document."""
        self._cut_waiting()
        return self._sums(np.frombuffer(self._chunks.widths, np.int32))

    def lengths(self) -> Int32s:
        """Return the length of each document: how many terms were indexed for it, each time it occurs."""
        self._cut_waiting()
        found = self._sums(np.frombuffer(self._chunks.counts, np.int32))
        np.add.at(found, [document for document, _, _ in self._more], 1)
        return found

    def _sums(self, values: Int32s) -> Int32s:
        """Add up a value of the chunks over each document; the chunk at its end has none."""
        numbers = np.frombuffer(self._numbers, np.int32)
        if not len(numbers):
            return numbers
        starts = np.flatnonzero(numbers[:-1] == self._chunks.end) + 1
        found: Int32s = np.add.reduceat(values[numbers], np.concatenate([[0], starts]), dtype=np.int32)
        return found

    def batches(self, *, positions: bool = True) -> Iterator[TermColumns]:
        """Yield all terms with their postings, in the order of their UTF-8 bytes, many at a time."""
        self._cut_waiting()
        names = sorted(self._chunks.terms)
        if not names:
            return
        keys, layout = self._sorted_keys(names)
        bounds = np.searchsorted(keys, np.arange(len(names) + 1, dtype=np.int64) << layout.term)
        first = 0
        while first < len(names):
            last = max(first + 1, int(np.searchsorted(bounds, bounds[first] + _BATCH, side="right")) - 1)
            encoded = [name.encode("utf-8", "surrogatepass") for name in names[first:last]]
            yield layout.gather(encoded, first, keys[bounds[first] : bounds[last]], positions=positions)
            first = last

    def _sorted_keys(self, names: Sequence[str]) -> tuple[Int64s, _Layout]:
        """Return a number for each occurrence, made of term (rank), document and position, rising."""
        chunks = self._chunks
        ranks = np.empty(len(names), np.int64)
        ranks[np.fromiter(map(chunks.terms.__getitem__, names), np.int64, len(names))] = np.arange(len(names))
        words, lengths = self.words(), self.lengths()
        shifts = np.frombuffer(chunks.shifts, np.int32)
        layout = _Layout.of(len(names), len(words), int(words.max()) + int(shifts.max()))
        terms = ranks[np.frombuffer(chunks.term_ids, np.int32)] << layout.term
        terms += shifts
        more = np.array(self._more, np.int64).reshape(-1, 3)
        keys = np.empty(int(lengths.sum(dtype=np.int64)), np.int64)
        at = len(more)
        keys[:at] = (ranks[more[:, 2]] << layout.term) + (more[:, 0] << layout.document) + more[:, 1]
        for some in self._keys(terms, layout):
            keys[at : at + len(some)] = some
            at += len(some)
        keys.sort()
        return keys, layout

    def _keys(self, terms: Int64s, layout: _Layout) -> Iterator[Int64s]:
        """Yield the keys of all chunks, those of some documents at a time: new memory costs more than the arithmetic."""
        chunks = self._chunks
        numbers = np.frombuffer(self._numbers, np.int32)
        widths, counts = np.frombuffer(chunks.widths, np.int32), np.frombuffer(chunks.counts, np.int32)
        firsts = np.cumsum(counts, dtype=np.int64) - counts
        bounds = np.concatenate([[0], np.flatnonzero(numbers == chunks.end) + 1])
        first = 0
        while first < len(bounds) - 1:
            last = max(first + 1, int(np.searchsorted(bounds, bounds[first] + _SLICE, side="right")) - 1)
            some = numbers[bounds[first] : bounds[last]]
            sizes = np.diff(bounds[first : last + 1])
            width = widths[some]
            place = np.cumsum(width, dtype=np.int64)
            base = (
                np.concatenate([[0], place[np.cumsum(sizes[:-1]) - 1]])
                if last > first + 1
                else np.zeros(1, np.int64)
            )
            place -= width
            place += np.repeat((np.arange(first, last) << layout.document) - base, sizes)
            count = counts[some]
            single, several = count == 1, count > 1
            yield terms[firsts[some[single]]] + place[single]
            yield _spread(terms, firsts[some[several]], count[several], place[several])
            first = last


def _spread(terms: Int64s, firsts: Int64s, counts: Int32s, where: Int64s) -> Int64s:
    """Return the keys of chunks of several terms, which stand together in `terms`."""
    within = np.arange(int(counts.sum(dtype=np.int64))) - np.repeat(
        np.cumsum(counts, dtype=np.int64) - counts, counts
    )
    found: Int64s = terms[np.repeat(firsts, counts) + within] + np.repeat(where, counts)
    return found


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where in a key the term starts, and where the document; the position takes the bits below."""

    term: int
    document: int

    @classmethod
    def of(cls, terms: int, documents: int, positions: int) -> _Layout:
        """Make room for so many."""
        document = positions.bit_length()
        term = document + documents.bit_length()
        if term + terms.bit_length() > 63:
            raise StoreError(
                f"{documents} texts of up to {positions} words are too many for one segment", "input"
            )
        return cls(term, document)

    def gather(self, names: list[bytes], first: int, keys: Int64s, *, positions: bool) -> TermColumns:
        """Gather the occurrences of some terms, of which `first` is the rank of the first, to postings."""
        postings = keys >> self.document
        new = np.ones(len(keys), np.bool_)
        np.not_equal(postings[1:], postings[:-1], out=new[1:])
        starts = np.flatnonzero(new)
        ends = np.concatenate([starts, [len(keys)]])
        postings = postings[starts]
        bits = self.term - self.document
        wanted = np.arange(first, first + len(names) + 1, dtype=np.int64) << bits
        values = None
        if positions:
            values = encode_values((keys & ((1 << self.document) - 1)).astype(np.int32), ends)
        return TermColumns(
            names,
            np.searchsorted(postings, wanted),
            (postings & ((1 << bits) - 1)).astype(np.int32),
            np.diff(ends).astype(np.int32),
            values,
        )


_WAITING: Final = 8_000_000
"""Characters that are cut at once."""

_SLICE: Final = 100_000
"""Chunks whose keys are made at once."""

_BATCH: Final = 100_000
"""Occurrences whose postings are encoded at once: so many fit into the processor's cache, more or less."""
