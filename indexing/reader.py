"""Reading one index of a generation: terms, postings, stored fields, over all its segments.

In: a generation's folder and the facts of its segments. Out: posting lists as arrays, in document numbers of the whole
index. Any number of threads may read: files are mapped, nothing has a position. Nothing is unpickled but plain values,
so that a foreign index cannot run code. It must not know queries or scores.

This reads Whoosh's files without Whoosh's reader, whose matchers go from posting to posting in Python, whose time limit
works in the main thread only, and which unpickles what the files say.
"""

from __future__ import annotations

import mmap
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import md5
from pathlib import Path
from struct import Struct
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from indexing.errors import StoreError, damage_told
from indexing.postings import (
    DOCUMENTS_AT,
    Floats,
    Ints,
    Row,
    TermRecord,
    decode_places,
    inflate,
    load_plain,
    read_rows,
    read_term,
)
from indexing.vocabulary import Vocabulary

_LENGTHS: Final = Struct("!ii")
_POINTER: Final = Struct("!Iq")
_SLOTS: Final = Struct("!qi")
_INT: Final = Struct("!i")
_LARGEST_RECORD: Final = 1 << 28
_TABLE_MAGIC: Final = b"HSH3"


def map_file(path: Path) -> memoryview:
    """Map a file into memory, read-only; an empty file gives an empty view."""
    try:
        with open(path, "rb") as file:
            size = file.seek(0, 2)
            return (
                memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)) if size else memoryview(b"")
            )
    except FileNotFoundError as error:
        raise StoreError(f"{path} is missing", "damaged") from error
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}", "unreadable") from error


class TermTable:
    """Whoosh's table of terms: a hash table on disk whose entries are in order as well."""

    def __init__(self, path: Path) -> None:
        self._data = map_file(path)
        if bytes(self._data[:5]) != _TABLE_MAGIC + b"\0":
            raise StoreError(f"{path} is not a table of terms", "damaged")
        with damage_told(str(path)):
            self._read_tail(self._data)

    def _read_tail(self, data: memoryview) -> None:
        """Read the directory of slots, the fields' numbers and the order of entries, from the end of the file."""
        tail = len(data) - _INT.size
        extras_at = tail - _INT.unpack_from(data, tail)[0]
        slots_at = extras_at - 256 * _SLOTS.size
        self._slots = list(_SLOTS.iter_unpack(data[slots_at:extras_at]))
        if any(
            start < 0 or count < 0 or start + count * _POINTER.size > slots_at for start, count in self._slots
        ):
            raise ValueError("a hash table lies outside the file")
        extras = bytes(data[extras_at:tail])
        values = load_plain(extras)
        self.fields: dict[str, int] = dict(values["fieldmap"])
        kind, count = np.dtype(values["indextype"]).newbyteorder(">"), values["indexlen"]
        start = tail - kind.itemsize * count
        self._entries = np.frombuffer(data, kind, count, start)

    def __len__(self) -> int:
        return len(self._entries)

    def find(self, key: bytes) -> bytes | None:
        """Look up the record of a key (field number and term)."""
        data = self._data
        code = int.from_bytes(md5(key, usedforsecurity=False).digest()[-4:], "big")
        start, count = self._slots[code & 255]
        for step in range(count):
            slot = (code >> 8) + step
            hashed, place = _POINTER.unpack_from(data, start + slot % count * _POINTER.size)
            if not place:
                return None
            if hashed == code:
                length, size = _LENGTHS.unpack_from(data, place)
                at = place + _LENGTHS.size + length
                if data[at - length : at] == key:
                    return bytes(data[at : at + size])
        return None

    def entry(self, number: int) -> tuple[bytes, bytes]:
        """Return key and record of an entry, in order of keys."""
        place = int(self._entries[number])
        length, size = _LENGTHS.unpack_from(self._data, place)
        at = place + _LENGTHS.size
        return bytes(self._data[at : at + length]), bytes(self._data[at + length : at + length + size])

    def lower_bound(self, key: bytes) -> int:
        """Return the number of the first entry whose key is not smaller."""
        low, high = 0, len(self._entries)
        while low < high:
            middle = (low + high) // 2
            if self.entry(middle)[0] < key:
                low = middle + 1
            else:
                high = middle
        return low

    def entries(self, start: int, stop: int) -> tuple[bytes, npt.NDArray[np.int64]]:
        """Return the terms of entries, without field numbers, a line feed behind each; and their document counts."""
        places = self._entries[start:stop].astype(np.int64)
        if not len(places):
            return b"", np.zeros(0, np.int64)
        data = np.frombuffer(self._data, np.uint8)
        lengths = _read_int32(data, places)
        firsts = places + _LENGTHS.size + 2
        sizes = lengths - 1
        total = int(sizes.sum())
        if sizes.min() < 1 or total > len(data):
            raise ValueError("its terms are longer than the file")
        within = np.arange(total, dtype=np.int64) - np.repeat(np.cumsum(sizes) - sizes, sizes)
        letters = data[np.repeat(firsts, sizes) + within]
        letters[np.cumsum(sizes) - 1] = 10
        return letters.tobytes(), _read_int32(data, places + _LENGTHS.size + lengths + DOCUMENTS_AT)


def _read_int32(data: npt.NDArray[np.uint8], places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Read big-endian 32 bit numbers at many places."""
    raw = data[places[:, None] + np.arange(4)]
    numbers: npt.NDArray[np.int64] = raw.copy().view(">i4").ravel().astype(np.int64)
    return numbers


class StoredColumn:
    """Whoosh's column of stored fields."""

    def __init__(self, path: Path, count: int) -> None:
        self._data = map_file(path)
        with damage_told(str(path)):
            self._read_offsets(count)

    def _read_offsets(self, count: int) -> None:
        if not count:
            self._offsets: npt.NDArray[np.int64] = np.zeros(1, np.int64)
            return
        end = len(self._data) - 1
        code = chr(self._data[end])
        if code == "X":
            end -= 2
            offset_size = np.dtype(chr(self._data[end + 1])).itemsize
            code = chr(self._data[end])
            end -= offset_size * count
        kind = np.dtype(code).newbyteorder(">")
        lengths = np.frombuffer(self._data, kind, count, end - kind.itemsize * count)
        self._offsets = np.concatenate([[0], np.cumsum(lengths, dtype=np.int64)])
        if self._offsets[-1] > len(self._data):
            raise ValueError("its records are longer than the file")

    def packed(self, number: int) -> bytes:
        """Return a document's stored fields as they are in the file."""
        return bytes(self._data[int(self._offsets[number]) : int(self._offsets[number + 1])])

    def __getitem__(self, number: int) -> dict[str, Any]:
        value = load_plain(inflate(self.packed(number), _LARGEST_RECORD))
        if not isinstance(value, dict):
            raise StoreError("a stored record is not a record", "damaged")
        return value


class SegmentReader:
    """The files of one segment; document numbers count within the segment."""

    def __init__(self, folder: Path, segment_id: str, count: int) -> None:
        self.name = f"MAIN_{segment_id}"
        self._name = f"{folder}/{self.name}."
        self.count = count
        self.table = TermTable(Path(f"{self._name}trm"))
        self._postings = map_file(Path(f"{self._name}pst"))
        self._vocabularies: dict[str, Vocabulary] = {}

    @cached_property
    def stored(self) -> StoredColumn:
        """The stored fields."""
        return StoredColumn(Path(f"{self._name}_stored.col"), self.count)

    def length_bytes(self, name: str) -> bytes:
        """Return the length byte of each document in a field; zeros where the field has no lengths."""
        path = Path(f"{self._name}_{name}_len.col")
        data = bytes(map_file(path)) if path.exists() else b""
        return data.ljust(self.count, b"\0")

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

    def postings(self, record: TermRecord) -> Postings:
        """Read all postings of a term, as arrays."""
        rows = list(read_rows(self._postings, record))
        with damage_told(self.name):
            documents = np.array([document for row in rows for document in row.documents], np.int32)
            weights = [
                np.frombuffer(row.weights, np.uint8)
                if isinstance(row.weights, bytes)
                else np.array(row.weights)
                for row in rows
            ]
            values = [value for row in rows for value in row.values or ()]
            if documents[0] < 0 or documents[-1] >= self.count or np.any(np.diff(documents) <= 0):
                raise ValueError("it holds postings of documents that it does not have")
            return Postings(documents, np.concatenate(weights).astype(np.float32), values)

    def rows(self, record: TermRecord) -> Iterator[Row]:
        """Read all postings of a term as they are, a block at a time; cheaper than arrays for short lists."""
        return read_rows(self._postings, record)


@dataclass(frozen=True, slots=True)
class Postings:
    """The postings of one term over the whole index, dead documents left out.

    Attributes:
        documents: rising document numbers, int32.
        weights: number of occurrences in each, float32.
        values: encoded positions of each, or empty for a field without positions.
    """

    documents: Ints
    weights: Floats
    values: Sequence[bytes]


NO_POSTINGS: Final = Postings(np.zeros(0, np.int32), np.zeros(0, np.float32), ())


def occurrences(postings: Postings, rows: npt.NDArray[np.intp]) -> npt.NDArray[np.int64]:
    """Return the places of a term in some of its documents, as document << 32 | position, rising."""
    return decode_places(postings.documents[rows], [postings.values[row] for row in rows.tolist()])


@dataclass(slots=True)
class _Cache:
    """A few posting lists that were read last; shared by threads."""

    limit: int
    size: int = 0
    found: dict[tuple[str, str], Postings] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def get(self, key: tuple[str, str]) -> Postings | None:
        """Return what was read before, or None."""
        return self.found.get(key)

    def put(self, key: tuple[str, str], postings: Postings) -> None:
        """Remember a posting list; forget all when the limit is passed."""
        with self.lock:
            self.size += len(postings.documents) + 8
            if self.size > self.limit:
                self.found, self.size = {}, len(postings.documents) + 8
            self.found[key] = postings


class IndexReader:
    """All segments of one index; document numbers count through the segments in their order."""

    _CACHED_POSTINGS = 2_000_000

    def __init__(
        self, folder: Path, segments: Iterable[Mapping[str, Any]], live: npt.NDArray[np.bool_]
    ) -> None:
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
        self._cache = _Cache(self._CACHED_POSTINGS)

    def length_bytes(self, name: str) -> npt.NDArray[np.uint8]:
        """Return the length byte of each document in a field."""
        return np.frombuffer(b"".join(segment.length_bytes(name) for segment in self.segments), np.uint8)

    def postings(self, name: str, term: str, *, remember: bool = True) -> Postings:
        """Read the postings of a term; remember them for the next time unless told otherwise."""
        cached = self._cache.get((name, term))
        if cached is not None:
            return cached
        encoded = term.encode("utf-8", "surrogatepass")
        pieces = []
        for segment, base in zip(self.segments, self.bases, strict=True):
            record = segment.find(name, encoded)
            if record is not None:
                pieces.append(self._numbered(segment.postings(record), base))
        found = _join(pieces)
        if remember:
            self._cache.put((name, term), found)
        return found

    def has_term(self, name: str, term: str) -> bool:
        """Tell whether any segment has a term, live or not."""
        encoded = term.encode("utf-8", "surrogatepass")
        return any(segment.find(name, encoded) is not None for segment in self.segments)

    def _numbered(self, postings: Postings, base: int) -> Postings:
        """Count documents through all segments and leave the dead ones out."""
        documents = postings.documents + np.int32(base)
        if self.all_live or self.live[documents].all():
            return Postings(documents, postings.weights, postings.values)
        kept = self.live[documents]
        values = (
            [value for value, keep in zip(postings.values, kept, strict=True) if keep]
            if postings.values
            else ()
        )
        return Postings(documents[kept], postings.weights[kept], values)

    def stored(self, document: int) -> dict[str, Any]:
        """Read the stored fields of a document."""
        number = int(np.searchsorted(self.bases, document, side="right")) - 1
        return self.segments[number].stored[document - self.bases[number]]


def _join(pieces: Sequence[Postings]) -> Postings:
    if not pieces:
        return NO_POSTINGS
    if len(pieces) == 1:
        return pieces[0]
    return Postings(
        np.concatenate([piece.documents for piece in pieces]),
        np.concatenate([piece.weights for piece in pieces]),
        [value for piece in pieces for value in piece.values],
    )
