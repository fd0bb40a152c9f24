"""The texts of a segment's pages, deflated some pages at a time: where snippets come from.

In: texts, in the order of pages. Out: a file, and the text of any page of it. Whoosh deflates the stored fields of each
page by themselves, which takes a third more bytes. Any number of threads may read. It must not know what a page is.

The file is blocks end to end, then two arrays, the first page of each block (32 bits) and where each block starts, and
last where the last one ends (64 bits), then how many blocks and pages there are. A block is the length of each text in
bytes (32 bits), then the texts in UTF-8. Numbers are little-endian.
"""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Final

import numpy as np

from indexing.errors import damage_told
from indexing.postings import inflate
from indexing.segment_tables import map_file

BLOCK_BYTES: Final = 1 << 15
"""Bytes of text from which a block is full: deflate sees no further, and a hit inflates a block, in 0.1 ms."""

_LEVEL: Final = 4
_TAIL: Final = struct.Struct("<4sII")
_MAGIC: Final = b"GDXT"
_LARGEST: Final = 1 << 30


def texts_path(folder: Path, segment_id: str) -> Path:
    """Name the file of a segment's texts."""
    return folder / f"MAIN_{segment_id}.texts"


class TextWriter:
    """Collects texts, deflated, until they are written."""

    def __init__(self) -> None:
        self._blocks: list[bytes] = []
        self._firsts: list[int] = []
        self._waiting: list[bytes] = []
        self._size = 0
        self._count = 0

    def add(self, text: str) -> None:
        """Add the text of the next page."""
        data = text.encode("utf-8", "surrogatepass")
        self._waiting.append(data)
        self._size += len(data)
        if self._size >= BLOCK_BYTES:
            self._close_block()

    def _close_block(self) -> None:
        if not self._waiting:
            return
        lengths = struct.pack(f"<{len(self._waiting)}I", *map(len, self._waiting))
        self._blocks.append(zlib.compress(lengths + b"".join(self._waiting), _LEVEL))
        self._firsts.append(self._count)
        self._count += len(self._waiting)
        self._waiting, self._size = [], 0

    def write(self, path: Path) -> None:
        """Write all texts to a file."""
        self._close_block()
        places = np.cumsum([0, *map(len, self._blocks)], dtype="<i8")
        with open(path, "wb") as file:
            file.writelines(self._blocks)
            file.write(np.array(self._firsts, "<u4").tobytes() + places.tobytes())
            file.write(_TAIL.pack(_MAGIC, len(self._blocks), self._count))


class TextColumn:
    """The texts of one segment, read from its file."""

    def __init__(self, path: Path, count: int) -> None:
        self._data = map_file(path)
        self._last: tuple[int, bytes] = (-1, b"")
        with damage_told(str(path)):
            end = len(self._data) - _TAIL.size
            magic, blocks, pages = _TAIL.unpack_from(self._data, end)
            start = end - 8 * (blocks + 1) - 4 * blocks
            if magic != _MAGIC or pages != count or start < 0:
                raise ValueError("it does not hold the texts of these pages")
            self._firsts = np.frombuffer(self._data, "<u4", blocks, start).astype(np.int64)
            self._places = np.frombuffer(self._data, "<i8", blocks + 1, start + 4 * blocks)
            if (
                np.any(np.diff(self._places) < 0)
                or self._places[-1] > start
                or np.any(np.diff(self._firsts) <= 0)
            ):
                raise ValueError("its blocks are not in order")
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, number: int) -> str:
        block = int(np.searchsorted(self._firsts, number, side="right")) - 1
        first = int(self._firsts[block])
        after = int(self._firsts[block + 1]) if block + 1 < len(self._firsts) else self._count
        data = self._block(block)
        with damage_told("the texts of a segment"):
            lengths = struct.unpack_from(f"<{after - first}I", data)
            start = 4 * len(lengths) + sum(lengths[: number - first])
            return str(data[start : start + lengths[number - first]], "utf-8", "surrogatepass")

    def _block(self, number: int) -> bytes:
        """Inflate a block; neighbours are asked for together."""
        last, data = self._last
        if last != number:
            packed = bytes(self._data[int(self._places[number]) : int(self._places[number + 1])])
            data = inflate(packed, _LARGEST)
            self._last = number, data
        return data
