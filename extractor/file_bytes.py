"""The bytes of a document, from wherever it comes.

In: a path, bytes, or a binary file. Out: a buffer and a name for messages. It must not know PDF.
"""

from __future__ import annotations

import mmap
import os
from pathlib import Path
from typing import BinaryIO, NamedTuple

from extractor.errors import EmptyFileError, TooLargeError, UnreadableError
from extractor.syntax import Buffer

Source = str | os.PathLike[str] | bytes | BinaryIO
"""What a document can be opened from."""

_MAPPED_FROM = 64_000_000
"""Bytes from which a file is mapped into memory rather than read: most of such a file is images."""


class FileBytes(NamedTuple):
    """A document's bytes and what to call it."""

    data: Buffer
    name: str


def read_source(source: Source, max_size: int) -> FileBytes:
    """Return a document's bytes, or raise UnreadableError, EmptyFileError or TooLargeError.

    Args:
        source: A path, the bytes themselves, or a binary file, which is read to its end and left open.
        max_size: Bytes at most.
    """
    if isinstance(source, bytes | bytearray | memoryview):
        found = FileBytes(bytes(source), "the document")
    elif isinstance(source, str | os.PathLike):
        found = _read_path(Path(source), max_size)
    else:
        found = FileBytes(source.read(max_size + 1), str(getattr(source, "name", "the document")))
    if len(found.data) > max_size:
        raise TooLargeError(f"{found.name} is larger than {max_size} bytes")
    if len(found.data) == 0:
        raise EmptyFileError(f"{found.name} is empty")
    return found


def _read_path(path: Path, max_size: int) -> FileBytes:
    """Return a file's bytes, mapped if it is large."""
    name = os.fsencode(path).decode("utf-8", "backslashreplace")
    try:
        with path.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size > max_size:
                raise TooLargeError(f"{name} has {size} bytes, more than {max_size}")
            if size >= _MAPPED_FROM:
                return FileBytes(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ), name)
            return FileBytes(file.read(max_size + 1), name)
    except (OSError, ValueError) as error:
        raise UnreadableError(
            f"{name} cannot be read: {getattr(error, 'strerror', None) or error}"
        ) from error
