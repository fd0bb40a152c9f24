"""PDF objects as Python values, and the syntax of a file made of them (ISO 32000-1, 7.3 and 7.5).

In: values. A str is a name ("/Name", or without its slash), bytes are a string, Raw is syntax as it stands,
Stream is an indirect stream, Indirect makes any value an indirect object; dict, list, int, float, bool and
None are themselves. Out: the bytes of a file, the same for the same values.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

Content = str | bytes
"""Content of a stream; the characters of a str are its bytes (Latin-1)."""


class Raw(str):
    """PDF syntax that is written as it stands."""


@dataclass(eq=False)
class Stream:
    """A stream object (7.3.8); flate=True compresses its bytes."""

    data: Content
    entries: dict[str, Any] = field(default_factory=dict)
    flate: bool = False


@dataclass(eq=False)
class Indirect:
    """A value that is written as an object of its own; one instance is one object."""

    value: Any


def to_bytes(content: Content) -> bytes:
    """Return content as bytes; the characters of a str are its bytes (Latin-1)."""
    return content if isinstance(content, bytes) else content.encode("latin-1")


class PdfSyntax:
    """Numbers indirect objects in the order in which they are met, and lays out the file."""

    def __init__(self) -> None:
        self._numbers: dict[int, int] = {}
        self._bodies: list[bytes] = []
        self._alive: list[Any] = []  # keeps ids unique for as long as the writer lives

    def reference(self, value: Stream | Indirect) -> bytes:
        number = self._numbers.get(id(value))
        if number is None:
            self._bodies.append(b"")
            number = self._numbers[id(value)] = len(self._bodies)
            self._alive.append(value)
            body = self._stream(value) if isinstance(value, Stream) else self.syntax(value.value)
            self._bodies[number - 1] = body
        return b"%d 0 R" % number

    def _stream(self, stream: Stream) -> bytes:
        data = to_bytes(stream.data)
        entries = dict(stream.entries)
        if stream.flate:
            data = zlib.compress(data)
            entries["Filter"] = "/FlateDecode"
        entries.setdefault("Length", len(data))
        return self.syntax(entries) + b"\nstream\n" + data + b"\nendstream"

    def syntax(self, value: Any) -> bytes:
        match value:
            case None:
                return b"null"
            case bool():
                return b"true" if value else b"false"
            case int():
                return b"%d" % value
            case float():
                return f"{value:.6f}".rstrip("0").rstrip(".").encode()
            case Raw():
                return value.encode("latin-1")
            case str():
                return _name(value)
            case bytes():
                return b"<" + value.hex().encode() + b">"
            case Stream() | Indirect():
                return self.reference(value)
            case Mapping():
                pairs = (_name(key) + b" " + self.syntax(item) for key, item in value.items())
                return b"<< " + b" ".join(pairs) + b" >>"
            case list() | tuple():
                return b"[" + b" ".join(self.syntax(item) for item in value) + b"]"
        raise TypeError(f"no PDF syntax for {type(value).__name__}")

    def file(self, trailer: dict[str, Any]) -> bytes:
        trailer_syntax = self.syntax(trailer)  # first: it numbers all objects
        output = bytearray(b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n")
        offsets = []
        for number, body in enumerate(self._bodies, 1):
            offsets.append(len(output))
            output += b"%d 0 obj\n" % number + body + b"\nendobj\n"
        start = len(output)
        output += b"xref\n0 %d\n0000000000 65535 f \n" % (len(offsets) + 1)
        output += b"".join(b"%010d 00000 n \n" % offset for offset in offsets)
        size = b"<< /Size %d " % (len(offsets) + 1)
        output += b"trailer\n" + size + trailer_syntax[2:] + b"\nstartxref\n%d\n%%%%EOF\n" % start
        return bytes(output)


def _name(text: str) -> bytes:
    raw = text.removeprefix("/").encode()
    escaped = b"".join(
        bytes([b]) if 0x21 <= b <= 0x7E and b not in b"#()<>[]{}/%" else b"#%02x" % b for b in raw
    )
    return b"/" + escaped


def text_string(text: str) -> bytes:
    """Return a text string (7.9.2.2): PDFDocEncoding where ASCII is enough, else UTF-16BE with its mark."""
    return text.encode() if text.isascii() else b"\xfe\xff" + text.encode("utf-16-be")
