"""Bytes of input files and the documents in them, as the child process sees them.

In: the text of a path (also of a file in a zip archive), passwords, limits. Out: bytes, content hash, an open
extractor document, columns of the documents table. It must not know of Beam, Arrow or the store.
"""

from __future__ import annotations

import hashlib
import io
import os
import stat
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import extractor
from pipeline.paths import split_member, text_path

_HASH_BYTES = 16
_CHUNK = 1 << 20
_IN_MEMORY = 64 << 20
"""Files up to this size are read whole before they are parsed: faster, and a file that changes meanwhile
is harmless."""
_ZIP = b"PK\x03\x04"
"""The first bytes of a zip archive."""
_REPAIRS = {"no_xref", "recovered"}
"""Issues of documents that are cut short or damaged: pages or text may be missing."""
SIDECAR = ".password"
"""What the name of a document's own password file adds to its name."""
_FIELDS = ("title", "author", "subject", "keywords", "creator", "producer", "lang")


class UnreadableFileError(Exception):
    """A file whose bytes cannot be had; `reason` is one of the stable reason codes."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason
        self.message = message


def content_hash(source: BinaryIO) -> str:
    """Return the content's identity, 32 hexadecimal digits of BLAKE2b, and rewind `source`."""
    digest = hashlib.blake2b(digest_size=_HASH_BYTES)
    while chunk := source.read(_CHUNK):
        digest.update(chunk)
    source.seek(0)
    return digest.hexdigest()


def open_bytes(path: str, max_bytes: int) -> BinaryIO:
    """Return the content of the file, or of the archive member, that the text `path` names.

    Open at its start.
    """
    name, member = split_member(path)
    try:
        if member is not None and not os.path.isfile(text_path(path)):
            return _open_member(text_path(name), member, max_bytes)
        return _open_plain(text_path(path), max_bytes)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise UnreadableFileError("vanished", "the file is no longer there") from error
    except PermissionError as error:
        raise UnreadableFileError("unreadable", "no permission to read the file") from error
    except OSError as error:
        raise UnreadableFileError("unreadable", error.strerror or str(error)) from error
    except ValueError as error:
        raise UnreadableFileError("unreadable", str(error)) from error


def _open_plain(name: str, max_bytes: int) -> BinaryIO:
    status = os.stat(name)
    if not stat.S_ISREG(status.st_mode):
        raise UnreadableFileError("not_a_file", "not a regular file")
    if status.st_size > max_bytes:
        raise UnreadableFileError(
            "too_large", f"{status.st_size} bytes are more than the limit of {max_bytes}"
        )
    source: BinaryIO = open(name, "rb")  # noqa: SIM115 - the caller closes it
    if status.st_size <= _IN_MEMORY:
        with source:
            source = io.BytesIO(source.read())
    if source.read(len(_ZIP)) == _ZIP:
        source.close()
        raise _not_unpacked(name)
    source.seek(0)
    return source


def _not_unpacked(name: str) -> UnreadableFileError:
    """Return why an archive is not read as a PDF, although a PDF in it may begin near its start."""
    if name.lower().endswith(".zip"):
        return UnreadableFileError("damaged", "the archive cannot be unpacked")
    return UnreadableFileError(
        "not_a_pdf", "this is a zip archive; ingest reads those whose names end in .zip"
    )


def _open_member(archive: str, member: str, max_bytes: int) -> BinaryIO:
    try:
        with zipfile.ZipFile(archive) as opened, opened.open(text_path(member)) as content:
            unpacked = content.read(max_bytes + 1)
    except KeyError as error:
        raise UnreadableFileError("vanished", "the archive no longer holds this file") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError) as error:
        if "password" in str(error):
            raise UnreadableFileError("encrypted", "the archive is encrypted") from error
        raise UnreadableFileError("damaged", f"the archive cannot be unpacked: {error}") from error
    if len(unpacked) > max_bytes:
        raise UnreadableFileError("too_large", f"unpacks to more than the limit of {max_bytes} bytes")
    return io.BytesIO(unpacked)


def passwords_for(path: str, known: Sequence[str], sidecar: bool) -> list[str]:
    """Return the passwords to try: those of a file beside the document first, then those known for all."""
    beside: list[str] = []
    if sidecar:
        name, _ = split_member(path)
        companion = Path(text_path(name) + SIDECAR)
        try:
            beside = [line for line in companion.read_text("utf-8").splitlines() if line]
        except (OSError, UnicodeDecodeError, ValueError):
            beside = []  # none there, or not ours to read: the document then says that it is encrypted
    return [*beside, *known]


def open_document(source: BinaryIO, passwords: Sequence[str], options: Mapping[str, Any]) -> Any:
    """Return the extractor's document; raises extractor.ExtractionError."""
    return extractor.open_document(
        source, password=list(passwords) or None, options=extractor.Options(**options)
    )


def document_facts(document: Any) -> dict[str, Any]:
    """Return the columns of the documents table that opening a document tells; dates in ISO 8601."""
    metadata = document.metadata
    facts: dict[str, Any] = {name: _clean(getattr(metadata, name)) for name in _FIELDS}
    for name in ("created", "modified"):
        moment = getattr(metadata, name)
        facts[name] = moment.isoformat() if moment is not None else None
    facts["encrypted"] = bool(document.encrypted)
    facts["repaired"] = bool(document.repaired) or any(issue.code in _REPAIRS for issue in document.issues)
    return facts


def _clean(text: str | None) -> str | None:
    return None if text is None else text.encode("utf-8", "replace").decode("utf-8")
