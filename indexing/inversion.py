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

import numpy as np
import numpy.typing as npt

from indexing.analyzer import chunk_terms, cut_chunks
from indexing.postings import NUMBERS, TermPostings, bytes_opcode, encode_gaps

_HEADS = tuple(
    b"C" + bytes((7 + count,)) + count.to_bytes(4, "big") + b"C" + bytes((count,)) for count in range(249)
)
"""What comes before the gaps in a pickled value of so many positions."""

Int32s = npt.NDArray[np.int32]


class _Chunks(dict[str, int]):
    """Chunk -> number; a new chunk is taken apart when it is first asked for."""

    def __init__(self, stem: Callable[[str], str] | None) -> None:
        super().__init__()
        self._stem = stem
        self.terms: dict[str, int] = {}
        self.widths = array("i")
        self.counts = array("i")
        self.term_ids = array("i")
        self.shifts = array("i")

    def __missing__(self, chunk: str) -> int:
        terms, width = chunk_terms(chunk, self._stem)
        known = self.terms
        for term, shift in terms:
            self.term_ids.append(known.setdefault(term, len(known)))
            self.shifts.append(shift)
        number = len(self.widths)
        self.widths.append(width)
        self.counts.append(len(terms))
        self[chunk] = number
        return number


class Inverter:
    """Collects the texts of one field and gives their postings."""

    def __init__(self, stem: Callable[[str], str] | None = None) -> None:
        self._chunks = _Chunks(stem)
        self._numbers = array("i")
        self._ends = array("q")

    def __len__(self) -> int:
        return len(self._ends)

    def add_text(self, text: str) -> None:
        """Add the text of the next document."""
        self._numbers.extend(map(self._chunks.__getitem__, cut_chunks(text)))
        self._ends.append(len(self._numbers))

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
        self._ends.append(len(self._numbers))

    def words(self) -> Int32s:
        """Return the number of positions of each document."""
        return self._sums(np.frombuffer(self._chunks.widths, np.int32))

    def lengths(self) -> Int32s:
        """Return the length of each document: how many terms were indexed for it, each time it occurs."""
        return self._sums(np.frombuffer(self._chunks.counts, np.int32))

    def _sums(self, values: Int32s) -> Int32s:
        """Add up a value of the chunks over each document."""
        numbers = np.frombuffer(self._numbers, np.int32)
        sums = np.concatenate([[0], np.cumsum(values[numbers] if len(numbers) else numbers, dtype=np.int64)])
        ends = np.concatenate([[0], np.frombuffer(self._ends, np.int64)])
        found: Int32s = np.diff(sums[ends]).astype(np.int32)
        return found

    def postings(self, *, positions: bool = True) -> Iterator[tuple[str, TermPostings]]:
        """Yield each term with its postings, in the order of their UTF-8 bytes."""
        names = sorted(self._chunks.terms)
        if not names:
            return
        term, document, place = self._columns(names)
        starts = np.flatnonzero(
            np.concatenate([[True], (term[1:] != term[:-1]) | (document[1:] != document[:-1])])
        )
        counts = np.diff(np.concatenate([starts, [len(term)]])).tolist()
        values = _encode_values(place, starts, counts) if positions else []
        documents = document[starts].tolist()
        bounds = np.searchsorted(term[starts], np.arange(len(names) + 1)).tolist()
        for number, name in enumerate(names):
            first, last = bounds[number], bounds[number + 1]
            yield name, TermPostings(documents[first:last], counts[first:last], values[first:last])

    def _columns(self, names: Sequence[str]) -> tuple[Int32s, Int32s, Int32s]:
        """Return the columns term (rank), document and position of all occurrences, in this order."""
        chunks = self._chunks
        ranks = np.empty(len(names), np.int32)
        ranks[[chunks.terms[name] for name in names]] = np.arange(len(names), dtype=np.int32)
        numbers = np.frombuffer(self._numbers, np.int32)
        ends = np.frombuffer(self._ends, np.int64)
        sizes = np.diff(np.concatenate([[0], ends]))
        document = np.repeat(np.arange(len(ends), dtype=np.int32), sizes)
        widths = np.frombuffer(chunks.widths, np.int32)[numbers]
        before = np.cumsum(widths, dtype=np.int64) - widths
        starts = np.concatenate([[0], ends])[:-1]
        base = np.concatenate([before, [0]])[np.minimum(starts, len(before))]
        place = (before - np.repeat(base, sizes)).astype(np.int32)
        counts = np.frombuffer(chunks.counts, np.int32)
        firsts = np.cumsum(counts, dtype=np.int64) - counts
        each = counts[numbers]
        within = np.arange(int(each.sum()), dtype=np.int64) - np.repeat(
            np.cumsum(each, dtype=np.int64) - each, each
        )
        source = np.repeat(firsts[numbers], each) + within
        term = ranks[np.frombuffer(chunks.term_ids, np.int32)[source]]
        place = np.repeat(place, each) + np.frombuffer(chunks.shifts, np.int32)[source]
        document = np.repeat(document, each)
        # Occurrences come by document and position: a stable sort by term leaves them so.
        order = np.argsort(term, kind="stable")
        return term[order], document[order], place[order]


def _encode_values(place: Int32s, starts: npt.NDArray[np.intp], counts: Sequence[int]) -> list[bytes]:
    """Encode the positions of each posting as a pickled value."""
    gaps = np.diff(place, prepend=0)
    gaps[starts] = place[starts]
    widest = np.maximum.reduceat(gaps, starts)
    small = gaps.astype(np.uint8).tobytes()
    values: list[bytes] = []
    append = values.append
    for start, count, gap in zip(starts.tolist(), counts, widest.tolist(), strict=True):
        if gap < 256 and count < 249:
            append(_HEADS[count] + small[start : start + count] + b".")
        elif count == 1 and gap < 4096:
            append(_LATE + NUMBERS[gap] + b"t.")
        else:
            append(bytes_opcode(encode_gaps(gaps[start : start + count].tolist())))
    return values


_LATE = b"C\x0a\x00\x00\x00\x01("
"""What comes before a single position from 256 to 4095."""
