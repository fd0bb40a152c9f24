"""Posting lists in the on-disk format of Whoosh's codec 3: written and read here and nowhere else.

In: document numbers, weights and positions of one term. Out: bytes of a posting list and of its term information, and
back. Any Whoosh since 2.7.4 reads what is written here; reading accepts what any of them writes. Nothing is unpickled
that could run code: only plain values. It must not know fields, files or queries.

A posting list is a magic number and blocks. A block is its length (negative for the last), a pickle of (postings, last
document, greatest weight, compression, length bytes) and a pickle of (gaps of documents, weights, values), deflated
where that helps. A value is the number of positions and a pickle of their gaps. Whoosh's own writer pickles tuples and
lists with protocol 2. Wherever Whoosh only iterates or indexes, bytes do as well and are smaller and faster: that is
where the gain in size and time comes from.
"""

from __future__ import annotations

import io
import pickle
import struct
import zlib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import Any, Final, NoReturn

import numpy as np
import numpy.typing as npt

from indexing.errors import StoreError

MAGIC: Final = b"W3Bl"
BLOCK: Final = 256
"""Postings a block. Whoosh writes 128; fewer blocks are read faster, and readers take any number."""

_COMPRESS_FROM = 80
_LEVEL = 3
_INT = struct.Struct("!i")
_UINT = struct.Struct("!I")
_TERM = struct.Struct("!BfIBBfIIqi")
_ONE = _UINT.pack(1)

Ints = npt.NDArray[np.int32]
Floats = npt.NDArray[np.float32]


class _PlainUnpickler(pickle.Unpickler):
    """Reads pickles of plain values; whatever names a class or function is refused."""

    def find_class(self, module: str, name: str) -> NoReturn:
        raise StoreError(f"the index holds a pickle that asks for {module}.{name}: refused")


def load_plain(data: bytes) -> Any:
    """Read a pickle of numbers, texts, bytes and their containers; raise StoreError for anything else."""
    try:
        return _PlainUnpickler(io.BytesIO(data)).load()
    except (pickle.UnpicklingError, EOFError, ValueError, TypeError, IndexError, AttributeError) as error:
        raise StoreError(f"the index holds a damaged record: {error}") from error


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


def length_to_byte(length: int, steps: Sequence[int]) -> int:
    """Round a field's length up to the codec's scale."""
    return min(bisect_left(steps, length), 255)


def encode_positions(positions: Sequence[int]) -> bytes:
    """Write rising positions of one term in one text as a posting value."""
    count = len(positions)
    if count == 1:
        return _single(positions[0])
    gaps = [positions[0], *(right - left for left, right in zip(positions, positions[1:], strict=False))]
    if count < 256 and max(gaps) < 256:
        return _UINT.pack(count) + b"C" + bytes((count,)) + bytes(gaps) + b"."
    return _UINT.pack(count) + b"(" + b"".join(map(_number, gaps)) + b"t."


def _number(value: int) -> bytes:
    """Pickle one number below 2**31."""
    if value < 256:
        return b"K" + bytes((value,))
    if value < 65536:
        return b"M" + value.to_bytes(2, "little")
    return b"J" + value.to_bytes(4, "little")


def _make_single(position: int) -> bytes:
    return (
        _ONE + (b"C\x01" + bytes((position,)) if position < 256 else b"(" + _number(position) + b"t") + b"."
    )


_SINGLES: Final = tuple(_make_single(position) for position in range(2048))


def _single(position: int) -> bytes:
    return _SINGLES[position] if position < 2048 else _make_single(position)


def decode_positions(value: bytes) -> list[int]:
    """Read the positions of a posting value."""
    if value[4:5] == b"C":
        return list(accumulate(value[6:-1]))
    return list(accumulate(load_plain(value[4:] if value.endswith(b".") else value[4:] + b".")))


@dataclass(slots=True)
class TermRecord:
    """What the term table says of a term: the totals, and where its postings are."""

    weight: float
    documents: int
    offset: int
    length: int


def write_term(
    file: io.BufferedIOBase,
    offset: int,
    documents: Sequence[int],
    weights: Sequence[int],
    values: Sequence[bytes],
    lengths: Sequence[int],
) -> tuple[bytes, int]:
    """Write a term's postings at `offset` of a file.

    Args:
        file: the posting file, at `offset`.
        offset: bytes written before.
        documents: rising document numbers.
        weights: one weight a document.
        values: one value a document, or none at all for a field without positions.
        lengths: length byte of each document of the segment in this field, or empty.

    Returns:
        The term's record for the term table, and the number of bytes written.
    """
    count = len(documents)
    pieces = [MAGIC]
    shortest, longest = 255, 0
    for start in range(0, count, BLOCK):
        stop = min(start + BLOCK, count)
        ids = documents[start:stop]
        block = [lengths[document] for document in ids] if lengths else [0]
        low, high = min(block), max(block)
        shortest, longest = min(shortest, low), max(longest, high)
        some = weights[start:stop]
        pieces.append(
            _encode_block(ids, some, values[start:stop] if values else None, (low, high), stop == count)
        )
    written = b"".join(pieces)
    file.write(written)
    record = _TERM.pack(
        0,
        sum(weights),
        count,
        shortest,
        longest,
        max(weights),
        documents[0],
        documents[-1],
        offset,
        len(written),
    )
    return record, len(written)


def _encode_block(
    ids: Sequence[int],
    weights: Sequence[int],
    values: Sequence[bytes] | None,
    lengths: tuple[int, int],
    last: bool,
) -> bytes:
    """Encode one block, with its own length in front."""
    first = ids[0]
    gaps = (first, *(right - left for left, right in zip(ids, ids[1:], strict=False)))
    top = max(weights)
    data = dump_plain((gaps, _encode_weights(weights, top), tuple(values) if values is not None else None))
    level = _LEVEL if len(data) >= _COMPRESS_FROM else 0
    if level:
        data = zlib.compress(data, level)
    head = dump_plain((len(ids), ids[-1], top, level, *lengths))
    size = len(head) + len(data)
    return _INT.pack(-size if last else size) + head + data


def _encode_weights(weights: Sequence[int], top: int) -> object:
    """Encode weights as Whoosh does where they are equal, as bytes where they are small counts."""
    low = min(weights)
    if low == top:
        return None if top == 1 else float(top)
    return bytes(weights) if top < 256 else tuple(map(float, weights))


@dataclass(slots=True)
class Block:
    """One decoded block of a posting list; values are decoded when asked for."""

    documents: Ints
    weights: Floats
    values: Sequence[bytes] | None


def read_term(record: bytes) -> TermRecord:
    """Read a term's record from the term table."""
    if record[:1] != b"\x00" or len(record) != _TERM.size:
        raise StoreError("the index holds a term record of an unknown kind")
    _, weight, documents, _, _, _, _, _, offset, length = _TERM.unpack(record)
    return TermRecord(weight, documents, offset, length)


def read_blocks(file: memoryview, term: TermRecord) -> Iterator[Block]:
    """Yield the blocks of a term's postings; `file` is the whole posting file."""
    data = bytes(file[term.offset : term.offset + term.length])
    if data[:4] != MAGIC:
        raise StoreError("a posting list does not start where the term table says")
    at = 4
    size = 1
    while size > 0:
        (size,) = _INT.unpack_from(data, at)
        end = at + 4 + abs(size)
        yield _decode_block(data[at + 4 : end])
        at = end


def _decode_block(data: bytes) -> Block:
    stream = io.BytesIO(data)
    try:
        count, _, _, compression, _, _ = _PlainUnpickler(stream).load()
        body = data[stream.tell() :]
        gaps, weights, values = load_plain(zlib.decompress(body) if compression else body)
    except (pickle.UnpicklingError, EOFError, ValueError, TypeError, zlib.error) as error:
        raise StoreError(f"a block of postings is damaged: {error}") from error
    documents = np.cumsum(np.array(gaps, dtype=np.int32), dtype=np.int32)
    if weights is None or isinstance(weights, float):
        some = np.full(count, 1.0 if weights is None else weights, np.float32)
    elif isinstance(weights, bytes):
        some = np.frombuffer(weights, np.uint8).astype(np.float32)
    else:
        some = np.array(weights, np.float32)
    return Block(documents, some, values)
