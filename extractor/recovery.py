"""Finding objects without a cross-reference table, by scanning the bytes of the file.

In: the bytes of a file and a parser. Out: the offsets of objects (of two with one number the later wins, as
with incremental updates), the trailer's entries, the object streams, and the objects of a type. It must not
know encryption: object streams are only named, and opened by the caller.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping
from typing import Any

from extractor.objects import as_name, raw_entry
from extractor.syntax import WHITE, Buffer, ObjectParser

_OBJECT = re.compile(rb"(\d{1,10})[" + WHITE + rb"]++(\d{1,10})[" + WHITE + rb"]*+obj(?![a-zA-Z])")
_TYPE = re.compile(rb"/Type[" + WHITE + rb"]*+/(XRef|ObjStm|Catalog|Pages?)(?![A-Za-z0-9])")
_TRAILER = re.compile(rb"trailer(?=[" + WHITE + rb"]*+<<)")
_TRAILER_KEYS = ("/Root", "/Info", "/Encrypt", "/ID")

_MAX_TRAILERS = 200
"""Trailers looked at: the first, which a linearized file has for its first page, and the last ones."""

_MAX_STRAY_SOURCE = 20_000_000
"""Bytes that are read for them."""

_MAX_STRAY_PAGES = 10_000
"""Pages looked for outside of objects."""

_MAX_OBJECTS = 5_000_000
"""Objects that a scan records."""


class Scan:
    """What a scan of a file found."""

    __slots__ = ("_numbers", "_parser", "_starts", "data", "offsets", "trailer", "types")

    def __init__(self, data: Buffer, parser: ObjectParser) -> None:
        self.data = data
        self._parser = parser
        self.offsets: dict[int, int] = {}
        self._starts: list[int] = []
        self._numbers: list[int] = []
        self.types: dict[str, list[int]] = {"XRef": [], "ObjStm": [], "Catalog": [], "Page": [], "Pages": []}
        self._find_objects()
        self._find_types()
        self.trailer = self._find_trailer()

    def _find_objects(self) -> None:
        """Record every "N G obj" in the file."""
        for found in _OBJECT.finditer(self.data):
            number, start = int(found[1]), found.start()
            self.offsets[number] = start
            self._starts.append(start)
            self._numbers.append(number)
            if len(self._starts) >= _MAX_OBJECTS:
                break

    def _find_types(self) -> None:
        """Record the objects that say which type they have, in file order, without those replaced later."""
        for found in _TYPE.finditer(self.data):
            index = bisect_right(self._starts, found.start()) - 1
            if index < 0:
                continue
            number = self._numbers[index]
            numbers = self.types[found[1].decode("ascii")]
            if self.offsets[number] == self._starts[index] and (not numbers or numbers[-1] != number):
                numbers.append(number)

    def stray_pages(self) -> list[Mapping[str, Any]]:
        """Return page dictionaries that are no objects of their own any more, since what stood before is damaged."""
        found: list[Mapping[str, Any]] = []
        budget = _MAX_STRAY_SOURCE
        for kind in _TYPE.finditer(self.data):
            if kind[1] != b"Page":
                continue
            if len(found) >= _MAX_STRAY_PAGES or budget < 0:
                break
            before = max(self.data.rfind(word, 0, kind.start()) for word in (b"obj", b"endstream"))
            start = self.data.find(b"<<", max(0, before), kind.start())
            if start < 0:
                continue
            dictionary, end, _ = self._parser.parse(self.data, start)
            budget -= end - max(0, before)
            if as_name(raw_entry(dictionary, "/Type")) == "Page":
                found.append(dictionary)
        return found

    def _find_trailer(self) -> dict[str, Any]:
        """Return the entries of all trailers and cross-reference streams, the later ones winning."""
        found: list[tuple[int, Mapping[str, Any]]] = []
        keywords = [(keyword.start(), keyword.end()) for keyword in _TRAILER.finditer(self.data)]
        for start, end in keywords[:1] + keywords[1:][-_MAX_TRAILERS:]:
            found.append((start, self._dictionary(end)))
        for number in self.types["XRef"][-_MAX_TRAILERS:]:
            start = self.offsets[number]
            header = _OBJECT.match(self.data, start)
            if header:
                dictionary = self._dictionary(header.end())
                if as_name(raw_entry(dictionary, "/Type")) == "XRef":
                    found.append((start, dictionary))
        trailer: dict[str, Any] = {}
        for _, dictionary in sorted(found, key=lambda item: item[0]):
            trailer.update({key: raw_entry(dictionary, key) for key in _TRAILER_KEYS if key in dictionary})
        return trailer

    def _dictionary(self, position: int) -> Mapping[str, Any]:
        """Return the dictionary at a position, an empty one if there is none."""
        value = self._parser.parse(self.data, position).value
        return value if isinstance(value, Mapping) else {}
