"""Where terms stand: places, numbers that rise from position to position and from document to document.

In: posting values, documents, arrays of places. Out: places of a term in many documents at once, and which places of
one term are among those of another. All of it is arithmetic over whole arrays. It must not know terms, files or
questions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from indexing.errors import StoreError
from indexing.postings import Ints, decode_positions

GAP: Final = 64
"""Places between two documents that stand for nothing: more than words of a phrase may be apart."""

_CHUNK: Final = 1 << 20
"""Places that are looked at in one go: a table of so many bytes stays in the processor's cache."""

_NARROW_FROM: Final = 6
"""Bytes of a value before its gaps, where each takes a byte."""

_MANY: Final = 20_000
"""Places from which a table of all places is quicker than looking each one up."""

Int64s = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Numbers = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Axis:
    """How documents and positions become places.

    Attributes:
        starts: place of each document's first position, and one more, int32 or int64.
        dense: True if places are used up so that a table of all of them is no waste.
    """

    starts: Numbers
    dense: bool

    @classmethod
    def of_documents(cls, count: int) -> Axis:
        """Make the axis of documents of unknown sizes."""
        return cls(np.arange(count + 1, dtype=np.int64) << 32, False)

    @classmethod
    def of_sizes(cls, sizes: Ints) -> Axis:
        """Make the axis of documents whose numbers of positions are known."""
        starts = np.concatenate([[0], np.cumsum(np.maximum(sizes, 0).astype(np.int64) + GAP)])
        return cls(starts.astype(np.int32) if starts[-1] < 2**31 else starts, True)

    def counts(self, places: Numbers) -> tuple[Ints, npt.NDArray[np.float64]]:
        """Return which documents rising places are in, and how many in each."""
        if len(places) < len(self.starts):
            documents = np.searchsorted(self.starts, places, side="right") - 1
            heads = np.flatnonzero(np.diff(documents, prepend=-1))
            return documents[heads].astype(np.int32), np.diff(heads, append=len(places)).astype(np.float64)
        numbers = np.diff(np.searchsorted(places, self.starts))
        found = np.flatnonzero(numbers).astype(np.int32)
        return found, numbers[found].astype(np.float64)


@dataclass(frozen=True, slots=True)
class Places:
    """All places of one term.

    Attributes:
        documents: the documents that have it, rising, int32.
        bounds: where each document's places start among `places`, and one more.
        places: the places, rising, int32 or int64.
    """

    documents: Ints
    bounds: Int64s
    places: Numbers

    @property
    def size(self) -> int:
        """Bytes that it takes."""
        return self.documents.nbytes + self.bounds.nbytes + self.places.nbytes

    def within(self, wanted: Bools) -> Numbers:
        """Return the places in some documents, one truth value a document of the index; more where that is quicker."""
        rows = np.flatnonzero(wanted[self.documents])
        if len(rows) * 4 > len(self.documents):
            return self.places
        counts = self.bounds[rows + 1] - self.bounds[rows]
        chosen: Numbers = self.places[_runs(self.bounds[rows], counts)]
        return chosen


def read_places(documents: Ints, values: Sequence[bytes], axis: Axis) -> Places:
    """Decode posting values.

    Args:
        documents: rising document numbers, one a value.
        values: encoded positions.
        axis: gives the places.

    Raises:
        StoreError: for values that hold other positions than they say, or positions beyond their document's end.
    """
    counts, gaps = read_gaps(values)
    bounds = np.concatenate([[0], np.cumsum(counts)])
    if not len(documents):
        return Places(documents, bounds, np.zeros(0, axis.starts.dtype))
    sums = np.cumsum(gaps, dtype=axis.starts.dtype)
    heads, ends = bounds[:-1], bounds[1:] - 1
    first = axis.starts[documents]
    places = sums + np.repeat(first - (sums[heads] - gaps[heads]).astype(axis.starts.dtype), counts)
    room = axis.starts[documents + 1] - (GAP if axis.dense else 0)
    if np.any(places[heads] < first) or np.any(places[ends] >= room):
        raise StoreError("a posting value holds positions beyond the end of its document")
    return Places(documents, bounds, places)


def read_gaps(values: Sequence[bytes]) -> tuple[Int64s, npt.NDArray[Any]]:
    """Read posting values: the number of positions of each, and all gaps, uint8 or int64, the first from zero."""
    if not values:
        return np.zeros(0, np.int64), np.zeros(0, np.int64)
    # Zeros behind the last value: what is no value of ours is read beyond its end before that is noticed.
    buffer = np.frombuffer(b"".join([*values, bytes(_NARROW_FROM)]), np.uint8)
    sizes = np.fromiter(map(len, values), np.int64, len(values))
    if sizes.min() < _NARROW_FROM:
        raise StoreError("a posting value is too short")
    starts = np.cumsum(sizes) - sizes
    counts = buffer[starts[:, None] + np.arange(4)].copy().view(">i4").ravel().astype(np.int64)
    if counts.min() < 1 or np.any(counts > sizes):
        raise StoreError("a posting value does not say how many positions it holds")
    kinds = buffer[starts + 4]
    narrow = (kinds == 67) & (sizes == counts + 7)
    narrow_gaps = buffer[_runs(starts + _NARROW_FROM, counts)]
    if narrow.all():
        return counts, narrow_gaps
    gaps = narrow_gaps.astype(np.int64)
    heads = np.cumsum(counts) - counts
    wide = np.flatnonzero((kinds == 40) & (sizes == counts * 3 + 7))
    triples = buffer[_runs(starts[wide] + 5, counts[wide] * 3)].reshape(-1, 3)
    if np.all(triples[:, 0] == 77):
        gaps[_runs(heads[wide], counts[wide])] = np.ascontiguousarray(triples[:, 1:]).view("<u2").ravel()
        narrow[wide] = True
    for row in np.flatnonzero(~narrow).tolist():
        some = decode_positions(values[row])
        if len(some) != counts[row]:
            raise StoreError("a posting value holds another number of positions than it says")
        gaps[heads[row] : heads[row] + counts[row]] = np.diff(np.array(some, np.int64), prepend=0)
    if gaps.min() < 0:
        raise StoreError("a posting value holds positions that do not rise")
    return counts, gaps


def _runs(starts: Int64s, counts: Int64s) -> Numbers:
    """Return the numbers of runs of numbers, one behind the other."""
    ends = np.cumsum(counts)
    total = int(ends[-1]) if len(ends) else 0
    kind = np.int32 if not total or int(starts.max()) + total < 2**31 else np.int64
    runs: Numbers = np.repeat((starts - ends + counts).astype(kind), counts) + np.arange(total, dtype=kind)
    return runs


def among(some: Numbers, allowed: Numbers, axis: Axis) -> Bools:
    """Tell which of some rising places are among other rising places."""
    if not len(some) or not len(allowed):
        return np.zeros(len(some), np.bool_)
    if len(allowed) * 16 < len(some):
        at = np.minimum(np.searchsorted(some, allowed), len(some) - 1)
        found = np.zeros(len(some), np.bool_)
        found[at[some[at] == allowed]] = True
        return found
    if axis.dense and len(some) > _MANY:
        return _among_many(some, allowed)
    at = np.minimum(np.searchsorted(allowed, some), len(allowed) - 1)
    same: Bools = allowed[at] == some
    return same


def _among_many(some: Numbers, allowed: Numbers) -> Bools:
    """Compare many places with many by a table of places, a chunk after the other."""
    found = np.zeros(len(some), np.bool_)
    chunks = some // _CHUNK
    heads = np.flatnonzero(np.diff(chunks, prepend=-1))
    starts = chunks[heads].astype(np.int64) * _CHUNK
    ends = np.append(heads[1:], len(some)).tolist()
    first, last = (
        np.searchsorted(allowed, starts).tolist(),
        np.searchsorted(allowed, starts + _CHUNK).tolist(),
    )
    table = np.zeros(_CHUNK, np.bool_)
    for number, (head, start) in enumerate(zip(heads.tolist(), starts.tolist(), strict=True)):
        table[:] = False
        table[allowed[first[number] : last[number]] - start] = True
        found[head : ends[number]] = table[some[head : ends[number]] - start]
    return found


def merge(first: Numbers, second: Numbers) -> Numbers:
    """Join two sets of rising places to one."""
    if len(first) < len(second):
        first, second = second, first
    if not len(second):
        return first
    at = np.searchsorted(first, second)
    new = first[np.minimum(at, len(first) - 1)] != second
    return np.insert(first, at[new], second[new])
