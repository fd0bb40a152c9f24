"""Posting lists in the on-disk format of Whoosh's codec 3: what they look like, and how they are read.

In: bytes of a posting list and of a term's record. Out: document numbers, weights and positions. `posting_columns` writes
what any Whoosh since 2.7.4 reads; reading accepts what any of them writes. Nothing is unpickled that could run code:
only plain values. It must not know fields, files or queries.

A posting list is a magic number and blocks. A block is its length (negative for the last), a pickle of (postings, last
document, greatest weight, compression, length bytes) and a pickle of (gaps of documents, weights, values), deflated
where that helps. A value is the number of positions and a pickle of their gaps. Whoosh's own writer pickles tuples and
lists with protocol 2. Wherever Whoosh only iterates or indexes, bytes do as well and are smaller and faster: that is
where the gain in size and time comes from.
"""

from __future__ import annotations

import io
import pickle
import re
import struct
import zlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Any, Final, NamedTuple, NoReturn

import numpy as np
import numpy.typing as npt

from indexing.errors import DAMAGE, StoreError

MAGIC: Final = b"W3Bl"
_LARGEST_BLOCK = 1 << 26
_HEAD = 64
"""Bytes that the head of a block, six numbers, fits into."""

_INT = struct.Struct("!i")
_UINT = struct.Struct("!I")
_FACTS = struct.Struct("!BfIBBfII")
_TERM = struct.Struct("!BfIBBfIIqi")
DOCUMENTS_AT: Final = 5
"""Where a term's record says how many documents have it, 32 bits."""
EDGES_AT: Final = (15, 19)
"""Where it says which is the first of them, and which the last, 32 bits."""

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]


class _PlainUnpickler(pickle.Unpickler):
    """Reads pickles of plain values; whatever names a class or function is refused."""

    def find_class(self, module: str, name: str) -> NoReturn:
        raise StoreError(f"the index holds a pickle that asks for {module}.{name}: refused")


def load_plain(data: bytes, *, inflated: bool = False) -> Any:
    """Read a pickle of numbers, texts, bytes and their containers; raise StoreError for anything else.

    What was inflated went past a checksum, which has told already whether a bit fell over.
    """
    try:
        if not inflated and _LARGE_MEMO.search(data):
            _refuse_large_memo(data)
        return _PlainUnpickler(io.BytesIO(data)).load()
    except DAMAGE as error:
        raise StoreError(f"the index holds a damaged record: {error}") from error


_LARGE_MEMO: Final = re.compile(rb"r(?:..[^\0]|...[^\0])|p[0-9]{5}", re.DOTALL)
"""What may be the opcodes LONG_BINPUT and PUT with an argument of 65,536 or 10,000 and more."""


def _refuse_large_memo(data: bytes) -> None:
    """Refuse a pickle that asks for a memo of millions of entries: the unpickler would make room for all of them."""
    import pickletools

    for opcode, argument, _ in pickletools.genops(data):
        if opcode.name in ("PUT", "LONG_BINPUT") and (argument or 0) > len(data):
            raise ValueError("it asks for more memory than it can need")


def dump_plain(value: object) -> bytes:
    """Pickle a plain value without memo entries: nothing in it is shared."""
    buffer = io.BytesIO()
    pickler = pickle.Pickler(buffer, 3)
    pickler.fast = True
    pickler.dump(value)
    return buffer.getvalue()


@cache
def length_scale() -> tuple[int, ...]:
    """Return the lengths that the codec's 256 length bytes stand for."""
    from whoosh.util.numeric import byte_to_length

    return tuple(byte_to_length(code) for code in range(256))


def number_opcode(value: int) -> bytes:
    """Pickle one number from 0 to 2**31 - 1."""
    if value < 256:
        return b"K" + bytes((value,))
    if value < 65536:
        return b"M" + value.to_bytes(2, "little")
    return b"J" + value.to_bytes(4, "little")


def bytes_opcode(value: bytes) -> bytes:
    """Pickle bytes."""
    size = len(value)
    return (b"C" + bytes((size,)) if size < 256 else b"B" + size.to_bytes(4, "little")) + value


def encode_gaps(gaps: Sequence[int]) -> bytes:
    """Write positions, given as the first and the gaps between them, as a posting value."""
    if len(gaps) < 256 and max(gaps) < 256:
        return _UINT.pack(len(gaps)) + b"C" + bytes((len(gaps),)) + bytes(gaps) + b"."
    if max(gaps) < 65536:
        # Numbers of one size, though some would need less: they are read all at once.
        numbers = b"".join([b"M" + gap.to_bytes(2, "little") for gap in gaps])
        return _UINT.pack(len(gaps)) + b"(" + numbers + b"t."
    return _UINT.pack(len(gaps)) + b"(" + b"".join(map(number_opcode, gaps)) + b"t."


def decode_positions(value: bytes) -> list[int]:
    """Read the positions of a posting value."""
    if value[4:5] == b"C":
        return list(accumulate(value[6:-1]))
    return list(accumulate(load_plain(value[4:] if value.endswith(b".") else value[4:] + b".")))


@dataclass(slots=True)
class TermRecord:
    """What the term table says of a term: the totals, and where its postings are, or the postings themselves."""

    weight: float
    documents: int
    offset: int
    length: int
    inline: bytes = b""


def read_term(record: bytes) -> TermRecord:
    """Read a term's record from the term table."""
    if record[:1] == b"\x01":
        _, weight, documents, *_ = _FACTS.unpack_from(record)
        return TermRecord(weight, documents, 0, 0, record[_FACTS.size :])
    if record[:1] != b"\x00" or len(record) != _TERM.size:
        raise StoreError("the index holds a term record of an unknown kind")
    _, weight, documents, _, _, _, _, _, offset, length = _TERM.unpack(record)
    return TermRecord(weight, documents, offset, length)


class Row(NamedTuple):
    """One block of a posting list as plain sequences: rising documents, weights, and values or None."""

    documents: Sequence[int]
    weights: Sequence[float]
    values: Sequence[bytes] | None


def read_rows(file: memoryview, term: TermRecord, wanted: Sequence[int] | None = None) -> Iterator[Row]:
    """Yield the blocks of a term's postings.

    Args:
        file: the whole posting file.
        term: the term's record.
        wanted: rising document numbers; blocks that have none of them are left out, without being inflated.
    """
    if term.inline:
        ids, weights, values = load_plain(term.inline)
        yield Row(ids, weights, values)
        return
    if wanted is None:
        yield from map(read_block, cut_blocks(file, term))
        return
    before = -1
    for data in cut_blocks(file, term):
        stream = io.BytesIO(data)
        head = _read_head(stream, data)
        if bisect_right(wanted, before) < bisect_right(wanted, head[1]):
            yield _unpack_block(head, data[stream.tell() :])
        before = head[1]


def read_block(data: bytes) -> Row:
    """Read a block of `cut_blocks`."""
    stream = io.BytesIO(data)
    head = _read_head(stream, data)
    return _unpack_block(head, data[stream.tell() :])


def cut_blocks(file: memoryview, term: TermRecord) -> Iterator[bytes]:
    """Yield the blocks of a posting list as they are."""
    data = bytes(file[term.offset : term.offset + term.length])
    if data[:4] != MAGIC:
        raise StoreError("a posting list does not start where the term table says")
    at = 4
    size = 1
    while size > 0:
        try:
            (size,) = _INT.unpack_from(data, at)
        except struct.error as error:
            raise StoreError("a posting list has no end") from error
        end = at + 4 + abs(size)
        yield data[at + 4 : end]
        at = end


def inflate(data: bytes, most: int) -> bytes:
    """Inflate bytes; raise StoreError if they are damaged or hold more than `most` bytes."""
    stream = zlib.decompressobj()
    try:
        plain = stream.decompress(data, most)
    except zlib.error as error:
        raise StoreError(f"the index holds a damaged record: {error}") from error
    if not stream.eof:
        raise StoreError("the index holds a record that does not end")
    return plain


def _read_head(stream: io.BytesIO, data: bytes) -> tuple[int, int, float, int, int, int]:
    """Read the head of a block; the stream stands at the body then."""
    try:
        if _LARGE_MEMO.search(data[:_HEAD]):
            _refuse_large_memo(data)
        count, last, weight, compression, low, high = _PlainUnpickler(stream).load()
        return int(count), int(last), weight, compression, low, high
    except DAMAGE as error:
        raise StoreError(f"a block of postings is damaged: {error}") from error


def _unpack_block(head: tuple[int, int, float, int, int, int], body: bytes) -> Row:
    count, last, _, compression, _, _ = head
    try:
        if compression:
            gaps, weights, values = load_plain(inflate(body, _LARGEST_BLOCK), inflated=True)
        else:
            gaps, weights, values = load_plain(body)
        documents = list(accumulate(gaps))
        if weights is None or isinstance(weights, float):
            weights = [1.0 if weights is None else weights] * len(documents)
        if (
            len(documents) != count
            or documents[-1] != last
            or len(weights) != count
            or len(values or gaps) != count
        ):
            raise StoreError("a block of postings holds others than it says")
    except DAMAGE as error:
        raise StoreError(f"a block of postings is damaged: {error}") from error
    return Row(documents, weights, values)
