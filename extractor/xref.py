"""Cross-reference tables and streams (ISO 32000-1, 7.5.4 to 7.5.8).

In: the bytes of a file and a parser. Out: where each object is, looked up when it is asked for, and the
trailer. It must not know encryption, nor what the objects mean; a section that cannot be read raises
XrefError, and the caller falls back to scanning the file.

Nothing is read entry by entry when a file is opened: entries have a fixed width, so that a look-up is an
address.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from extractor.objects import as_array, as_integer, as_name, entry
from extractor.syntax import BLANK, WHITE, Buffer, ObjectParser, stream_start


class XrefError(ValueError):
    """A cross-reference section that is missing or makes no sense."""


class Place(NamedTuple):
    """Where an object is: at an offset in the file, or (`stream` not 0) in an object stream."""

    offset: int
    stream: int


class Section(Protocol):
    """A run of entries for consecutive object numbers."""

    def find(self, number: int) -> Place | None:
        """Return the place of an object, FREE for a free one, None if it is not in this section."""


FREE = Place(-1, 0)

_STARTXREF = re.compile(rb"startxref[" + WHITE + rb"]*+(\d{1,18})")
_SUBSECTION = re.compile(BLANK + rb"(\d{1,10})[" + WHITE + rb"]++(\d{1,10})[" + WHITE + rb"]*+")
_TABLE_ENTRY = re.compile(rb"(\d{10})[ \t]++(\d{5})[ \t]++([nf])")
_LOOSE_ENTRY = re.compile(
    rb"[" + WHITE + rb"]*+(\d{1,10})[" + WHITE + rb"]++(\d{1,5})[" + WHITE + rb"]++([nf])"
)
_TRAILER = re.compile(BLANK + rb"trailer")
_KEYWORD = re.compile(rb"[" + WHITE + rb"]*+xref(?=[" + WHITE + rb"\d])")
OBJECT_HEADER = re.compile(BLANK + rb"(\d{1,10})[" + WHITE + rb"]++(\d{1,10})[" + WHITE + rb"]*+obj")

_ENTRY_LENGTH = 20
"""Bytes of an entry of a cross-reference table (7.5.4)."""

_SHORT = 32
"""Entries of a subsection that are read at once: incremental updates have hundreds of short subsections, and
a look-up goes through all that are longer."""

_MAX_SECTIONS = 4096
"""Sections of one file; real files have one per incremental update."""

_NEAR = 64
"""Bytes before and behind the offset of startxref in which the table is looked for."""

_TAIL = 4096
"""Bytes at the end of the file in which startxref is looked for first."""


@dataclass(frozen=True, slots=True)
class TableSection:
    """Entries of 20 bytes each in the file."""

    data: Buffer
    first: int
    count: int
    position: int

    def find(self, number: int) -> Place | None:
        """Return the place of an object (see Section)."""
        index = number - self.first
        if not 0 <= index < self.count:
            return None
        start = self.position + index * _ENTRY_LENGTH
        found = _TABLE_ENTRY.match(self.data, start, start + _ENTRY_LENGTH)
        if found is None:
            return None
        return Place(int(found[1]), 0) if found[3] == b"n" else FREE


@dataclass(frozen=True, slots=True)
class StreamSection:
    """Entries of a cross-reference stream: three big-endian fields each (7.5.8.3)."""

    data: bytes
    first: int
    count: int
    start: int
    widths: tuple[int, int, int]

    def find(self, number: int) -> Place | None:
        """Return the place of an object (see Section)."""
        index = number - self.first
        if not 0 <= index < self.count:
            return None
        kind_width, second, third = self.widths
        width = kind_width + second + third
        start = self.start + index * width
        row = self.data[start : start + width]
        if len(row) < width:
            return None
        kind = int.from_bytes(row[:kind_width], "big") if kind_width else 1
        value = int.from_bytes(row[kind_width : kind_width + second], "big")
        if kind == 1:
            return Place(value, 0)
        return Place(0, value) if kind == 2 else FREE


@dataclass(frozen=True, slots=True)
class ListedSection:
    """Entries that had to be read one by one."""

    places: Mapping[int, Place]

    def find(self, number: int) -> Place | None:
        """Return the place of an object (see Section)."""
        return self.places.get(number)


@dataclass(slots=True)
class Xref:
    """All sections of a file, the newest first, and its trailer (newest values win, 7.5.6)."""

    sections: list[Section] = field(default_factory=list)
    trailer: dict[str, Any] = field(default_factory=dict)
    faulty: bool = False

    def find(self, number: int) -> Place | None:
        """Return where an object is, None if it is free or nowhere."""
        for section in self.sections:
            place = section.find(number)
            if place is not None:
                return place if place is not FREE else None
        return None


DecodeStream = Callable[[Mapping[str, Any], int], bytes]
"""Decodes the stream with this dictionary whose bytes start at this position."""


def read_xref(data: Buffer, parser: ObjectParser, decode: DecodeStream) -> Xref:
    """Return the cross-reference information that startxref and /Prev lead to, or raise XrefError."""
    reader = _XrefReader(data, parser, decode)
    pending = [_section_start(data, _startxref(data))]
    visited: set[int] = set()
    while pending:
        position = pending.pop()
        if position in visited or len(visited) >= _MAX_SECTIONS:
            reader.xref.faulty = True
            continue
        visited.add(position)
        try:
            trailer = reader.read_section(position)
        except XrefError:
            if not reader.xref.sections:
                raise
            reader.xref.faulty = True
            continue
        previous = as_integer(entry(trailer, "/Prev"))
        if previous is not None and previous > 0:
            pending.append(previous)
    return reader.xref


def _startxref(data: Buffer) -> int:
    """Return the offset that the last startxref gives (7.5.5)."""
    for start in (max(0, len(data) - _TAIL), 0):
        position = data.rfind(b"startxref", start)
        if position >= 0:
            found = _STARTXREF.match(data, position)
            if found:
                return int(found[1])
    raise XrefError("no startxref")


def _section_start(data: Buffer, position: int) -> int:
    """Return where the newest section begins: where startxref says, or a few bytes beside it."""
    position = min(position, len(data))
    if _KEYWORD.match(data, position) or OBJECT_HEADER.match(data, position):
        return position
    near = data.rfind(b"xref", max(0, position - _NEAR), position + _NEAR)
    if near < 0 or data[near - 5 : near] == b"start":
        raise XrefError("no cross-reference section where startxref points")
    return near


class _XrefReader:
    """Reads sections into one Xref."""

    def __init__(self, data: Buffer, parser: ObjectParser, decode: DecodeStream) -> None:
        self._data = data
        self._parser = parser
        self._decode = decode
        self._listed: dict[int, Place] = {}
        self.xref = Xref()

    def read_section(self, position: int) -> Mapping[str, Any]:
        """Read the table or stream at a file position and return its trailer dictionary."""
        if position > len(self._data):
            raise XrefError("a cross-reference section is said to lie behind the file's end")
        keyword = _KEYWORD.match(self._data, position)
        before = len(self.xref.sections)
        self._listed = {}
        trailer = self._read_table(keyword.end()) if keyword else self._read_stream(position)
        if self._listed:
            self.xref.sections.insert(before, ListedSection(self._listed))
        hidden = as_integer(entry(trailer, "/XRefStm")) if keyword else None
        if hidden is not None:
            self._read_hidden(hidden, before)
        for key, value in trailer.items():
            self.xref.trailer.setdefault(key, value)
        return trailer

    def _read_hidden(self, position: int, before: int) -> None:
        """Read a hybrid file's stream (7.5.8.4); its objects are free in the table, so it comes first."""
        sections = self.xref.sections
        table = sections[before:]
        del sections[before:]
        self._listed = {}
        try:
            self._read_stream(position)
        except XrefError:
            self.xref.faulty = True
        sections.extend((ListedSection(self._listed), *table))

    def _read_table(self, position: int) -> Mapping[str, Any]:
        """Read the subsections of a table and the trailer behind it (7.5.4)."""
        while True:
            end = _TRAILER.match(self._data, position)
            if end:
                break
            head = _SUBSECTION.match(self._data, position)
            if head is None:
                raise XrefError("a cross-reference table breaks off")
            position = self._read_subsection(int(head[1]), int(head[2]), head.end())
        trailer = self._parser.parse(self._data, end.end()).value
        if not isinstance(trailer, Mapping):
            raise XrefError("a trailer is no dictionary")
        return trailer

    def _read_subsection(self, first: int, count: int, position: int) -> int:
        """Add one subsection and return the position behind it."""
        if count == 0:
            return position
        head = _TABLE_ENTRY.match(self._data, position)
        if head and first == 1 and head[2] == b"65535" and head[3] == b"f":
            first = 0  # a common mistake of producers: object 0 heads the list of free objects
        last = position + (count - 1) * _ENTRY_LENGTH
        end = _TABLE_ENTRY.match(self._data, last)
        if count > _SHORT and head and end and self._evenly_spaced(position, count):
            self.xref.sections.append(TableSection(self._data, first, count, position))
            return end.end()
        return self._read_loose(first, count, position)

    def _evenly_spaced(self, position: int, count: int) -> bool:
        """Tell whether entries stand every 20 bytes, from a sample."""
        step = max(1, count // 16)
        return all(
            _TABLE_ENTRY.match(self._data, position + i * _ENTRY_LENGTH) for i in range(0, count, step)
        )

    def _read_loose(self, first: int, count: int, position: int) -> int:
        """Add a subsection that is short or whose entries are not 20 bytes long; it ends where they do."""
        for number in range(first, first + count):
            found = _LOOSE_ENTRY.match(self._data, position)
            if found is None:
                self.xref.faulty = True
                break
            self._listed[number] = Place(int(found[1]), 0) if found[3] == b"n" else FREE
            position = found.end()
        return position

    def _read_stream(self, position: int) -> Mapping[str, Any]:
        """Read a cross-reference stream (7.5.8)."""
        head = OBJECT_HEADER.match(self._data, position)
        if head is None:
            raise XrefError("no cross-reference section at its offset")
        parsed = self._parser.parse(self._data, head.end())
        start = stream_start(self._data, parsed.end)
        dictionary = parsed.value
        if (
            start is None
            or not isinstance(dictionary, Mapping)
            or as_name(entry(dictionary, "/Type")) != "XRef"
        ):
            raise XrefError("no cross-reference stream at its offset")
        self._add_stream_entries(dictionary, self._decode(dictionary, start))
        return {key: value for key, value in dictionary.items() if key not in _STREAM_KEYS}

    def _add_stream_entries(self, dictionary: Mapping[str, Any], rows: bytes) -> None:
        """Add the subsections of a cross-reference stream's /Index over its decoded rows."""
        widths = [as_integer(width) for width in as_array(entry(dictionary, "/W")) or ()]
        if len(widths) < 3 or any(width is None or not 0 <= width <= 8 for width in widths[:3]):
            raise XrefError("a cross-reference stream has no widths")
        kind_width, second, third = (int(width or 0) for width in widths[:3])
        width = kind_width + second + third
        if width == 0:
            raise XrefError("a cross-reference stream has no widths")
        size = as_integer(entry(dictionary, "/Size")) or 0
        everything = (0, max(size, len(rows) // width))  # some producers count one too few
        index = [as_integer(number) or 0 for number in as_array(entry(dictionary, "/Index")) or everything]
        start = 0
        for first, count in zip(index[::2], index[1::2], strict=False):
            count = max(0, min(count, (len(rows) - start) // width))
            section = StreamSection(rows, first, count, start, (kind_width, second, third))
            if count > _SHORT:
                self.xref.sections.append(section)
            else:
                self._listed.update((n, section.find(n) or FREE) for n in range(first, first + count))
            start += count * width


_STREAM_KEYS = frozenset(("/Type", "/Filter", "/DecodeParms", "/Length", "/W", "/Index"))
"""Keys of a cross-reference stream that are not the trailer's."""
