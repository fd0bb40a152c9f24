"""The fronts of posting lists: which documents have a term, and how often, without where it stands in them.

In: a term's record and the posting file. Out: arrays of document numbers and counts. Positions make up nine tenths of a
list and stand last in each block, so that a block is inflated in part only. What is not written as `postings` writes it
is read by the long way there. It must not know fields or queries.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from indexing.errors import DAMAGE, StoreError
from indexing.postings import Floats, Ints, Row, TermRecord, cut_blocks, load_plain, read_block, read_rows

_HEAD: Final = re.compile(rb"\((?:K(.)|M(..))(?:K(.)|M(..)|J(...[\0-\x7f]))(?:K.|M..)K(.)K.K.t\.", re.DOTALL)
"""The head of a block: postings, last document, greatest count, compression, shortest and longest length."""

_GAPS: Final = re.compile(rb"\((?:K.|M..|J...[\0-\x7f])*t", re.DOTALL)
_SIZES: Final = {b"K": 2, b"M": 3, b"J": 5}
"""Bytes of the pickle of a number, by its first."""

_WIDEST: Final = 5
"""Bytes that a gap takes at most."""

_DOUBLE: Final = np.dtype(">f8")


def read_counts(file: memoryview, term: TermRecord) -> tuple[Ints, Floats]:
    """Read the documents of a posting list, rising, int32, and how often each has the term, float32."""
    if term.inline:
        return arrays_of(list(read_rows(file, term)))
    documents, counts = [], []
    for data in cut_blocks(file, term):
        try:
            front = _read_front(data)
        except DAMAGE as error:
            raise StoreError(f"a block of postings is damaged: {error}") from error
        some, times = front if front is not None else arrays_of([read_block(data)])
        documents.append(some)
        counts.append(times)
    if len(documents) == 1:
        return documents[0], counts[0]
    return np.concatenate(documents), np.concatenate(counts)


def arrays_of(rows: Sequence[Row]) -> tuple[Ints, Floats]:
    """Return the documents and counts of blocks as arrays."""
    documents = np.array([document for row in rows for document in row.documents], np.int32)
    counts = [
        np.frombuffer(row.weights, np.uint8) if isinstance(row.weights, bytes) else np.array(row.weights)
        for row in rows
    ]
    return documents, np.concatenate(counts).astype(np.float32)


def _read_front(data: bytes) -> tuple[Ints, Floats] | None:
    """Read the documents and counts of a block; None if it is written otherwise."""
    head = _HEAD.match(data)
    if head is None:
        return None
    short, wide, *last, compression = head.groups()
    count = int.from_bytes(short or wide or b"", "little")
    need = (_WIDEST + 1) * count + 32
    body = data[head.end() :]
    front = zlib.decompressobj().decompress(body, need) if compression != b"\0" else body[:need]
    gaps, end = _read_gaps(front, count)
    if gaps is None:
        return None
    counts = _read_weights(front[end:], count)
    if counts is None:
        return None
    documents = np.cumsum(gaps, dtype=np.int64)
    if documents[-1] != int.from_bytes(next(number for number in last if number is not None), "little"):
        raise StoreError("a block of postings holds others than it says")
    return documents.astype(np.int32), counts


def _read_gaps(front: bytes, count: int) -> tuple[npt.NDArray[np.int64] | None, int]:
    """Read a tuple of numbers at the front of a pickle, and say where it ends."""
    first = _SIZES.get(front[1:2], 0)
    rest, end = 1 + first, 2 * count + first
    if first and front[rest : end - 1 : 2] == b"K" * (count - 1) and front[end - 1 : end] == b"t":
        gaps = np.frombuffer(front, np.uint8)[rest - 1 : end - 1 : 2].astype(np.int64)
        gaps[0] = int.from_bytes(front[2:rest], "little")
        return gaps, end
    match = _GAPS.match(front)
    if match is None:
        return None, 0
    end = match.end()
    gaps = np.array(load_plain(front[:end] + b".", inflated=True), np.int64)
    return (gaps, end) if len(gaps) == count else (None, 0)


def _read_weights(front: bytes, count: int) -> Floats | None:
    """Read what follows the gaps: no counts (all 1), one for all, or one byte each."""
    kind = front[:1]
    if kind == b"N":
        return np.ones(count, np.float32)
    if kind == b"G":
        return np.full(count, np.frombuffer(front, _DOUBLE, 1, 1)[0], np.float32)
    start = 2 if kind == b"C" else 5
    size = int.from_bytes(front[1:start], "little")
    if kind not in (b"C", b"B") or size != count:
        return None
    return np.frombuffer(front, np.uint8, count, start).astype(np.float32)
