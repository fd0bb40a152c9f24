"""The files of one Whoosh segment of codec 3: terms, postings, lengths, stored fields.

In: postings in the order of terms, and stored values. Out: synced files in a folder, and what a table of contents must
say of them. Written add-only and once. It must not know how the postings came about.
"""

from __future__ import annotations

import os
import struct
import zlib
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import md5
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from indexing.files import sync_file
from indexing.postings import TermPostings, dump_plain, encode_term, length_scale

if TYPE_CHECKING:
    from whoosh.codec.whoosh3 import W3Segment

INDEX_NAME: Final = "MAIN"
STORED_LEVEL: Final = 6
"""Deflate level of stored fields."""

_ENTRY = struct.Struct("!ii")
_POINTER = struct.Struct("!Iq")
_SLOTS = struct.Struct("!qi")


@dataclass(frozen=True, slots=True)
class SegmentFacts:
    """What a table of contents and index.json must know of a finished segment."""

    segment_id: str
    documents: int
    field_lengths: dict[str, int]
    terms: int


@dataclass(frozen=True, slots=True)
class FieldContent:
    """One field to be written.

    Attributes:
        postings: terms in the order of their UTF-8 bytes, with their postings.
        lengths: length of the field in each document, int32; None where scores need no length.
    """

    postings: Iterable[tuple[str, TermPostings]]
    lengths: npt.NDArray[np.int32] | None = None


def encode_stored(values: Mapping[str, Any]) -> bytes:
    """Encode the stored fields of one document."""
    return zlib.compress(dump_plain(dict(values)), STORED_LEVEL)


def write_segment(
    folder: Path, segment_id: str, fields: Mapping[str, FieldContent], stored: Sequence[bytes]
) -> SegmentFacts:
    """Write the files of a segment into an existing folder and sync them.

    Args:
        folder: where the files go; they are named after the segment.
        segment_id: lower-case letters and digits, unique for ever.
        fields: the fields, by name.
        stored: the encoded stored fields of each document.
    """
    name = f"{INDEX_NAME}_{segment_id}"
    length_bytes: dict[str, bytes] = {}
    totals: dict[str, int] = {}
    for field_name, content in fields.items():
        if content.lengths is not None and len(content.lengths):
            length_bytes[field_name] = round_lengths(content.lengths)
            totals[field_name] = int(content.lengths.sum())
            (folder / f"{name}._{field_name}_len.col").write_bytes(length_bytes[field_name].rstrip(b"\0"))
    write_stored(folder / f"{name}._stored.col", stored)
    terms = _write_terms(folder, name, fields, length_bytes)
    for entry in os.scandir(folder):
        if entry.name.startswith(f"{name}."):
            sync_file(Path(entry.path))
    return SegmentFacts(segment_id, len(stored), totals, terms)


def round_lengths(lengths: npt.NDArray[np.int32]) -> bytes:
    """Round lengths up to the codec's scale of 256 steps."""
    codes = np.searchsorted(np.array(length_scale()), lengths, side="left")
    return np.minimum(codes, 255).astype(np.uint8).tobytes()


def write_stored(path: Path, stored: Sequence[bytes]) -> None:
    """Write the column of stored fields from its encoded values."""
    from whoosh.columns import VarBytesColumn
    from whoosh.filedb.structfile import StructFile

    with open(path, "wb") as raw:
        column = VarBytesColumn().writer(StructFile(raw, name=path.name))
        for number, value in enumerate(stored):
            column.add(number, value)
        column.finish(len(stored))


def _write_terms(
    folder: Path, name: str, fields: Mapping[str, FieldContent], lengths: Mapping[str, bytes]
) -> int:
    """Write the posting file and the term table; return the number of terms."""
    table = _TermTableWriter({field_name: number for number, field_name in enumerate(sorted(fields))})
    offset = 0
    with open(folder / f"{name}.pst", "wb") as file:
        for number, field_name in enumerate(sorted(fields)):
            prefix = number.to_bytes(2, "big")
            of_field = lengths.get(field_name, b"")
            for term, postings in fields[field_name].postings:
                written, record = encode_term(postings, offset, of_field)
                file.write(written)
                table.add(prefix + term.encode("utf-8", "surrogatepass"), record)
                offset += len(written)
    (folder / f"{name}.trm").write_bytes(table.finish())
    return len(table)


class _TermTableWriter:
    """Builds Whoosh's ordered hash file in memory: entries, 256 hash tables, their directory, extras, the order."""

    def __init__(self, fields: Mapping[str, int]) -> None:
        self._extras: dict[str, Any] = {"fieldmap": dict(fields)}
        self._pieces: list[bytes] = [b"HSH3\0" + bytes(8)]
        self._at = len(self._pieces[0])
        self._places = array("q")
        self._hashes = array("I")

    def __len__(self) -> int:
        return len(self._places)

    def add(self, key: bytes, record: bytes) -> None:
        """Add an entry; keys must rise."""
        self._hashes.append(int.from_bytes(md5(key, usedforsecurity=False).digest()[12:], "big"))
        self._places.append(self._at)
        entry = _ENTRY.pack(len(key), len(record)) + key + record
        self._pieces.append(entry)
        self._at += len(entry)

    def finish(self) -> bytes:
        """Return the whole file."""
        slots = self._slot_tables()
        places = np.frombuffer(self._places, np.int64)
        kind = "i" if self._at < 2**31 else "q"
        extras = dump_plain({**self._extras, "indextype": kind, "indexlen": len(places)})
        order = places.astype(f">{kind}").tobytes()
        return b"".join([*self._pieces, *slots, extras, order, struct.pack("!i", len(extras) + len(order))])

    def _slot_tables(self) -> list[bytes]:
        """Make the hash tables (open addressing, half full) and their directory."""
        hashes = np.frombuffer(self._hashes, np.uint32)
        places = np.frombuffer(self._places, np.int64)
        order = np.argsort(hashes & 255, kind="stable")
        bounds = np.searchsorted((hashes & 255)[order], np.arange(257))
        tables: list[bytes] = []
        directory: list[bytes] = []
        at = self._at
        for bucket in range(256):
            members = order[bounds[bucket] : bounds[bucket + 1]]
            count = 2 * len(members)
            directory.append(_SLOTS.pack(at, count))
            table = [(0, 0)] * count
            taken = bytearray(count)
            for code, place in zip(hashes[members].tolist(), places[members].tolist(), strict=True):
                slot = (code >> 8) % count
                while taken[slot]:
                    slot = (slot + 1) % count
                taken[slot] = 1
                table[slot] = (code, place)
            tables.append(b"".join([_POINTER.pack(*pointer) for pointer in table]))
            at += len(tables[-1])
        return [*tables, *directory]


def describe_segment(facts: SegmentFacts, deleted: Sequence[int] = ()) -> W3Segment:
    """Make the entry of a segment for a table of contents, of stock classes only."""
    from whoosh.codec.whoosh3 import W3Codec, W3Segment

    segment = W3Segment(W3Codec(), INDEX_NAME, segid=facts.segment_id, doccount=facts.documents)
    segment._fieldlengths = dict(facts.field_lengths)
    if deleted:
        segment._deleted = set(deleted)
    return segment
