"""Whoosh's table of terms, an ordered hash file: entries, 256 hash tables, their directory, extras, the order.

In: keys and records, in the order of keys. Out: the file, written as it comes. `segment_tables` reads it. It must not
know what a record says.
"""

from __future__ import annotations

import struct
from collections.abc import Mapping, Sequence
from hashlib import md5
from typing import Any, BinaryIO, Final

import numpy as np

from indexing.postings import dump_plain
from indexing.ragged import Bytes, Column, Int64s, Ragged, join_rows, offsets, ragged

_HEAD: Final = b"HSH3\0" + bytes(8)
_POINTER: Final = np.dtype([("hash", ">u4"), ("place", ">i8")])
_SLOTS: Final = struct.Struct("!qi")
_TAIL: Final = struct.Struct("!i")
_FILLED: Final = 0.75
"""Share of a hash table's slots that is taken. Whoosh fills half: a slot is twelve bytes, and a term that is not there
takes eight steps instead of two."""


class TermTableWriter:
    """Writes the table to a file that is open and empty."""

    def __init__(self, file: BinaryIO, fields: Mapping[str, int]) -> None:
        self._extras: dict[str, Any] = {"fieldmap": dict(fields)}
        self._file = file
        self._at = file.write(_HEAD)
        self._places: list[Int64s] = []
        self._hashes: list[bytes] = []
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def add(self, field_number: int, terms: Sequence[bytes], records: Ragged) -> None:
        """Add terms of a field with their records; fields, and the terms of each, must rise."""
        prefix = field_number.to_bytes(2, "big")
        keys = ragged(terms)
        sizes = np.empty((len(terms), 2), ">i4")
        sizes[:, 0], sizes[:, 1] = keys.lengths + len(prefix), records.lengths
        heads = sizes.view(np.uint8).reshape(len(terms), 8)
        entries = join_rows(len(terms), [Column(heads), Column(prefix), Column(keys), Column(records)])
        self._hashes += [md5(prefix + term, usedforsecurity=False).digest()[12:] for term in terms]
        self._places.append(entries.starts[:-1] + self._at)
        self._at += self._file.write(entries.data.data)
        self._count += len(terms)

    def finish(self) -> None:
        """Write what comes after the entries."""
        places = np.concatenate([np.zeros(0, np.int64), *self._places])
        hashes = np.frombuffer(b"".join(self._hashes), ">u4").astype(np.int64)
        tables, sizes = hash_tables(hashes, places)
        starts = self._at + _POINTER.itemsize * offsets(sizes)[:-1]
        directory = b"".join(map(_SLOTS.pack, starts.tolist(), sizes.tolist()))
        kind = "i" if self._at < 2**31 else "q"
        extras = dump_plain({**self._extras, "indextype": kind, "indexlen": len(places)})
        order = places.astype(f">{kind}").tobytes()
        for piece in (tables.data, directory, extras, order, _TAIL.pack(len(extras) + len(order))):
            self._file.write(piece)


def hash_tables(hashes: Int64s, places: Int64s) -> tuple[Bytes, Int64s]:
    """Make 256 hash tables of (hash, place) with open addressing.

    A key belongs into table `hash & 255`, at slot `hash >> 8` or the next one that is free, going round.

    Returns:
        The tables end to end, as bytes, and the number of slots of each.
    """
    members = np.bincount(hashes & 255, minlength=256).astype(np.int64)
    sizes = np.where(members > 0, np.ceil(members / _FILLED).astype(np.int64) + 1, 0)
    bases = offsets(sizes)
    table = hashes & 255
    wanted = (hashes >> 8) % np.maximum(sizes[table], 1)
    order = np.lexsort((wanted, table))
    table, wanted = table[order], wanted[order] + bases[table[order]]
    # In the order of wanted slots each takes the slot after the one before it, or the one that it wants.
    steps = np.arange(len(order)) - (table << 40)
    taken = np.maximum.accumulate(wanted - steps) + steps
    _go_round(taken, table, bases)
    slots = np.zeros(int(bases[-1]), _POINTER)
    slots["hash"][taken] = hashes[order]
    slots["place"][taken] = places[order]
    return slots.view(np.uint8), sizes


def _go_round(taken: Int64s, table: Int64s, bases: Int64s) -> None:
    """Give those that went past the end of their table the first free slots of it."""
    past = taken >= bases[table + 1]
    busy = np.zeros(int(bases[-1]), np.bool_)
    busy[taken[~past]] = True
    for number in np.flatnonzero(past).tolist():
        start, stop = bases[table[number]], bases[table[number] + 1]
        taken[number] = start + np.argmin(busy[start:stop])
        busy[taken[number]] = True
