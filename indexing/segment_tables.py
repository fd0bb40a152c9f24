"""The files of one segment, mapped into memory: the table of terms, and the column of stored fields.

In: paths of files as Whoosh writes them. Out: records by key or by number, in the order of keys. Any number of threads
may read: nothing has a position. Nothing is unpickled but plain values, so that a foreign index cannot run code. It
must not know what a record says.
"""

from __future__ import annotations

import mmap
from hashlib import md5
from pathlib import Path
from struct import Struct
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from indexing.errors import StoreError, damage_told
from indexing.postings import DOCUMENTS_AT, EDGES_AT, inflate, load_plain

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
        lengths = _read_int32(self._data, places)
        sizes = lengths - 1
        total = int(sizes.sum())
        if sizes.min() < 1 or total > len(self._data):
            raise ValueError("its terms are longer than the file")
        kind = np.int32 if len(self._data) < 2**31 else np.int64
        # Where each letter is: the place of its term's first letter, and one more from letter to letter.
        starts = places + _LENGTHS.size + 2 - np.cumsum(sizes) + sizes
        letters = np.frombuffer(self._data, np.uint8)[
            np.repeat(starts.astype(kind), sizes) + np.arange(total, dtype=kind)
        ]
        letters[np.cumsum(sizes) - 1] = 10
        return letters.tobytes(), _read_int32(self._data, places + _LENGTHS.size + lengths + DOCUMENTS_AT)

    def edges(self, numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
        """Return of some entries the number of documents, the first and the last of them, a row each."""
        places = self._entries[numbers].astype(np.int64)
        records = places + _LENGTHS.size + _read_int32(self._data, places)
        return np.column_stack([_read_int32(self._data, records + at) for at in (DOCUMENTS_AT, *EDGES_AT)])


def _read_int32(data: memoryview, places: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """Read big-endian 32 bit numbers at many places."""
    everywhere: npt.NDArray[np.int32] = np.ndarray((max(len(data) - 3, 0),), ">i4", data, 0, (1,))
    return everywhere[places].astype(np.int64)


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
        value = load_plain(inflate(self.packed(number), _LARGEST_RECORD), inflated=True)
        if not isinstance(value, dict):
            raise StoreError("a stored record is not a record", "damaged")
        return value
