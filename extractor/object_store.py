"""The objects of a file by number (ISO 32000-1, 7.3.10, 7.5.7), parsed on demand, kept within a bound.

In: the file's bytes, where its objects are (a cross-reference, or a scan), a cipher if it is encrypted. Out:
objects of the model given; references resolve through `get_object`. It must not know what the objects mean.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from extractor.filters import decode
from extractor.issues import IssueLog
from extractor.object_streams import ObjectStreams
from extractor.objects import as_array, as_integer, as_name, entry, raw_entry, resolve
from extractor.open_options import OpenOptions
from extractor.recovery import Scan
from extractor.syntax import WHITE, Buffer, ObjectModel, ObjectParser, stream_start
from extractor.xref import OBJECT_HEADER, ListedSection, Place, Xref, XrefError, read_xref

_STREAM_END = re.compile(rb"[" + WHITE + rb"]*+end(?:stream|obj)")
_MISSING = object()

_OBJECT_WEIGHT = 200
"""Bytes counted for an object beside its source."""

_LONGEST_UNPARSED = 2_000
"""Bytes of an object that `unparsed` gives at most."""


class Cipher(Protocol):
    """Decrypts with the key of a document (7.6.2)."""

    def string(self, encrypted: bytes, number: int, generation: int) -> bytes:
        """Return the plain bytes of a string in the object with this number."""

    def stream(self, encrypted: bytes, number: int, generation: int, dictionary: Mapping[str, Any]) -> bytes:
        """Return the plain bytes of the stream that is the object with this number."""


class _FileStream:
    """The source of a stream in the file: its bytes are cut out and decrypted when asked for."""

    __slots__ = ("_generation", "_number", "_start", "_store")

    def __init__(self, store: ObjectStore, start: int, number: int, generation: int) -> None:
        self._store = store
        self._start = start
        self._number = number
        self._generation = generation

    def raw(self, dictionary: Mapping[str, Any]) -> bytes:
        """Return the encoded bytes, decrypted."""
        raw = self._store.cut_stream(dictionary, self._start)
        cipher = self._store.cipher
        if cipher is None or self._number == 0:
            return raw
        return cipher.stream(raw, self._number, self._generation, dictionary)

    def decoded(self, dictionary: Mapping[str, Any]) -> bytes:
        """Return the bytes with all filters undone."""
        return self._store.undo_filters(self.raw(dictionary), dictionary)


class ObjectStore:
    """Gives objects by number, and caches them until `release` finds the cache too large."""

    def __init__(
        self,
        data: Buffer,
        options: OpenOptions,
        issues: IssueLog,
        make_model: Callable[[ObjectStore], ObjectModel],
    ) -> None:
        self.data = data
        self.issues = issues
        self.cipher: Cipher | None = None
        self._options = options
        self._model = make_model(self)
        self.parser = ObjectParser(self._model, options.max_nesting)
        self.xref = Xref()
        self._cache: dict[int, Any] = {}
        self._cached_source = 0
        self.parsed_source = 0
        """Bytes of all objects parsed so far, repetitions included."""
        self._absent_from: dict[bytes, int] = {}
        self._loading: set[int] = set()
        self._object_streams = ObjectStreams(self.get_object)
        self._scan: Scan | None = None
        self._scanned: dict[int, Place] = {}
        self._base = max(0, data.find(b"%PDF-", 0, 2048))

    def read_xref(self) -> None:
        """Take the cross-reference information that the file has, or raise XrefError."""
        data = self.data
        try:
            self.xref = read_xref(data, self.parser, self._decode_at)
        except XrefError:
            if not self._base:
                raise
            self._absent_from.clear()
            self.data = data[self._base :]  # offsets count from the header, behind whatever stands before it
            try:
                self.xref = read_xref(self.data, self.parser, self._decode_at)
            except XrefError:
                self.data = data
                raise
            self._base = 0
            self.issues.add("junk_before_header", "there are other bytes before the header")

    def rebuild(self) -> None:
        """Take the cross-reference information from a scan of the file."""
        scan = self.scan()
        self._scanned = {number: Place(offset, 0) for number, offset in scan.offsets.items()}
        self.xref = Xref([ListedSection(self._scanned)], dict(scan.trailer))
        self.forget()

    def add_object_streams(self) -> None:
        """Add what lies in object streams to a rebuilt cross-reference; encryption must be set up by now."""
        scan = self.scan()
        places = self._scanned
        for stream in sorted(scan.types["ObjStm"], key=scan.offsets.__getitem__):
            start = scan.offsets[stream]
            for number in self._object_streams.read(stream, self.issues).starts:
                known = places.get(number)
                if known is None or known.stream or known.offset < start:
                    places[number] = Place(0, stream)
        self.forget()

    def scan(self) -> Scan:
        """Return the scan of the file, made once."""
        if self._scan is None:
            self._scan = Scan(self.data, self.parser)
        return self._scan

    def scanned_numbers(self) -> list[int]:
        """Return the numbers of all objects of a rebuilt cross-reference, in rising order."""
        return sorted(self._scanned)

    def get_object(self, reference: Any) -> Any:
        """Return the object that a reference or a number means, None for one that is nowhere or loops."""
        number = reference if isinstance(reference, int) else reference.idnum
        value = self._cache.get(number, _MISSING)
        if value is not _MISSING:
            return value
        if number in self._loading:
            self.issues.add("reference_loop", f"object {number} is needed to read itself")
            return None
        self._loading.add(number)
        try:
            value = self._load(number)
        finally:
            self._loading.discard(number)
        if isinstance(value, dict | list):
            value.indirect_reference = self._model.reference(number, 0)  # type: ignore[union-attr]
        self._cache[number] = value
        return value

    def reference(self, number: int) -> Any:
        """Return a reference to the object with a number."""
        return self._model.reference(number, 0)

    def close(self) -> None:
        """Drop everything; the store is empty from then on."""
        self.forget()
        self._scan = None
        self.xref = Xref()
        self.data = b""

    def unparsed(self, reference: Any) -> bytes:
        """Return the bytes of an object that was not parsed yet, none if they are not found at once.

        A page may have a hundred annotations, nearly all of them links, and telling that takes a look, no parsing.
        """
        number = getattr(reference, "idnum", None)
        if number is None or number in self._cache:
            return b""
        place = self.xref.find(number)
        if place is None:
            return b""
        if not place.stream:
            start = place.offset if place.offset <= len(self.data) else len(self.data)
            header = OBJECT_HEADER.match(self.data, start)
            if header is None or int(header[1]) != number:
                return b""
            return self.data[start : max(start, self.data.find(b"endobj", start, start + _LONGEST_UNPARSED))]
        return self._object_streams.read(place.stream, self.issues).unparsed(number)

    def release(self) -> None:
        """Drop parsed objects if they have become too many; objects in use stay with their users."""
        if self._cached_source > self._options.cached_source:
            self.forget()

    def forget(self) -> None:
        """Drop all parsed objects and decoded object streams."""
        self._cache.clear()
        self._cached_source = 0
        self._object_streams.forget()

    def _load(self, number: int) -> Any:
        """Return the object with a number, read from where it is."""
        place = self.xref.find(number)
        if place is None:
            return self._load_misplaced(number) if self.xref.faulty else None
        if place.stream:
            return self._from_object_stream(number, place.stream)
        for offset in (place.offset, place.offset + self._base):
            header = OBJECT_HEADER.match(self.data, offset) if offset <= len(self.data) else None
            if header and int(header[1]) == number:
                return self._read(number, int(header[2]), header.end())
        return self._load_misplaced(number)

    def _load_misplaced(self, number: int) -> Any:
        """Return an object that is not where the cross-reference says, found by a scan."""
        if not self._options.recovery:
            return None
        offset = self.scan().offsets.get(number)
        if offset is None:
            self.issues.add("missing_object", f"object {number} is not in the file")
            return None
        self.issues.add("wrong_offset", f"object {number} is not where the cross-reference says")
        header = OBJECT_HEADER.match(self.data, offset)
        return self._read(number, int(header[2]), header.end()) if header else None

    def _read(self, number: int, generation: int, position: int) -> Any:
        """Return the object behind the header at a position, its strings decrypted."""
        parsed = self.parser.parse(self.data, position)
        self._note_source(parsed.end - position)
        value = parsed.value
        if parsed.strings and self.cipher is not None:
            value = self._decrypt_strings(value, number, generation)
        if isinstance(value, dict):
            start = stream_start(self.data, parsed.end)
            if start is not None:
                return self._model.stream(value, _FileStream(self, start, number, generation))
        return value

    def _decrypt_strings(self, value: Any, number: int, generation: int) -> Any:
        """Return an object with its strings decrypted, in place where it is a container."""
        cipher = self.cipher
        assert cipher is not None
        box = [value]
        pending: list[Any] = [box]
        while pending:
            container = pending.pop()
            pairs = container.items() if isinstance(container, dict) else enumerate(container)
            for key, item in list(pairs):
                if isinstance(item, bytes):
                    plain = self._model.string(cipher.string(item, number, generation))
                    if isinstance(container, dict):
                        dict.__setitem__(container, key, plain)
                    else:
                        container[key] = plain
                elif isinstance(item, dict | list):
                    pending.append(item)
        return box[0]

    def _note_source(self, length: int) -> None:
        """Count the bytes of an object that was parsed, and what its Python objects weigh beyond that."""
        self._cached_source += length + _OBJECT_WEIGHT
        self.parsed_source += length

    def _from_object_stream(self, number: int, stream: int) -> Any:
        """Return an object that lies in an object stream (7.5.7)."""
        packed = self._object_streams.read(stream, self.issues)
        start = packed.starts.get(number)
        if start is None:
            return self._load_misplaced(number)
        parsed = self.parser.parse(packed.data, start)
        self._note_source(parsed.end - start)
        return parsed.value

    def cut_stream(self, dictionary: Mapping[str, Any], start: int) -> bytes:
        """Return the bytes of a stream; a /Length that does not lead to its end is corrected (7.3.8.2)."""
        length = as_integer(entry(dictionary, "/Length"))
        if length is not None and 0 <= length <= len(self.data) - start:
            if _STREAM_END.match(self.data, start + length):
                return self.data[start : start + length]
        else:
            length = None
        end = self._find(b"endstream", start)
        if end < 0:
            end = self._find(b"endobj", start)
        if end < 0:
            end = len(self.data) if length is None else start + length
            self.issues.add("cut_stream", "a stream has no end")
            return self.data[start:end]
        self.issues.add("wrong_length", "a stream is not as long as its dictionary says")
        tail = self.data[max(start, end - 2) : end]
        return self.data[start : end - (2 if tail == b"\r\n" else 1 if tail[-1:] in (b"\r", b"\n") else 0)]

    def _find(self, word: bytes, start: int) -> int:
        """Return where a word comes next; that it does not is remembered, so that no file is searched twice for it."""
        if start >= self._absent_from.get(word, len(self.data)):
            return -1
        found = self.data.find(word, start)
        if found < 0:
            self._absent_from[word] = start
        return found

    def undo_filters(self, raw: bytes, dictionary: Mapping[str, Any]) -> bytes:
        """Return the data of a stream with the filters of its dictionary undone (7.4)."""
        named = resolve(raw_entry(dictionary, "/Filter") or raw_entry(dictionary, "/F"))
        if named is None:
            return raw[: self._options.max_stream_length]
        names = (
            [as_name(named)] if isinstance(named, str) else [as_name(name) for name in as_array(named) or ()]
        )
        parameters = resolve(raw_entry(dictionary, "/DecodeParms") or raw_entry(dictionary, "/DP"))
        listed = (
            [parameters]
            if isinstance(parameters, Mapping)
            else [resolve(p) for p in as_array(parameters) or ()]
        )
        return decode(
            raw, [name or "" for name in names], listed, self._options.max_stream_length, self.issues
        )

    def _decode_at(self, dictionary: Mapping[str, Any], start: int) -> bytes:
        """Return the decoded data of a stream that is never encrypted (7.5.8.2)."""
        return self.undo_filters(self.cut_stream(dictionary, start), dictionary)
