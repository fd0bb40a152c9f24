"""What the commands on one file share: opening it, taking a page, and saying what is wrong with either.

In: the name of a file. Out: an open document or a page of it, or the end of the process with one plain
line on standard error. It must not print results.
"""

from __future__ import annotations

import os
import sys
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import click

FILE = click.argument("file", type=click.Path(path_type=str, readable=False))
PAGE = click.option(
    "--page", "number", type=click.IntRange(min=1), default=1, show_default=True, help="Page, counted from 1."
)
PASSWORD_FILE = click.option("--password-file", type=click.Path(), help="File with one password a line.")

_RECURSION_LIMIT = 5000
"""Deeply nested objects are met in real files; the extractor guards its own depth, pypdf does not always."""


@dataclass(frozen=True)
class OpenPage:
    """A page of an open file."""

    name: str
    """Of the file, as text."""
    page: Any
    """A page of the extractor."""
    passwords: tuple[str, ...]

    def read(self) -> bytes:
        """Return the bytes of the file."""
        from pipeline.reading import open_bytes

        with open_bytes(self.name, sys.maxsize) as source:
            return source.read()


def read_passwords(password_file: str | None) -> list[str]:
    """Return the lines of a password file; raises click.UsageError."""
    if password_file is None:
        return []
    from pipeline.wording import reason_of

    try:
        return [line for line in Path(password_file).read_text("utf-8").splitlines() if line]
    except (OSError, UnicodeDecodeError) as error:
        raise click.UsageError(f"password file {password_file}: {reason_of(error)}") from error


def open_file(file: str, password_file: str | None) -> tuple[Any, tuple[str, ...]]:
    """Return the open document and the passwords that were tried.

    Raises:
        extractor.ExtractionError: it is no PDF that can be opened.
        UnreadableFileError: its bytes cannot be had.
    """
    from pipeline.paths import path_text
    from pipeline.reading import UnreadableFileError, open_bytes, open_document, passwords_for

    sys.setrecursionlimit(max(sys.getrecursionlimit(), _RECURSION_LIMIT))
    name = path_text(file)
    _refuse_what_is_no_file(file)
    passwords = passwords_for(name, read_passwords(password_file), sidecar=True)
    source = open_bytes(name, sys.maxsize)
    try:
        return open_document(source, passwords, {}), tuple(passwords)
    except (MemoryError, RecursionError) as error:
        raise UnreadableFileError("limit", f"the file asks for too much: {type(error).__name__}") from error


def _refuse_what_is_no_file(file: str) -> None:
    """Raise UnreadableFileError for a name that leads nowhere, to a folder, or to a whole archive."""
    from pipeline.paths import MEMBER_MARK, path_text, split_member, text_path
    from pipeline.reading import UnreadableFileError

    container, member = split_member(path_text(file))
    if os.path.isdir(file):
        raise UnreadableFileError("not_a_file", "this is a folder; name a PDF file, or ingest the folder")
    if not os.path.lexists(file) and (member is None or not os.path.isfile(text_path(container))):
        raise UnreadableFileError("not_found", "there is no such file")
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as archive:
            names = [name for name in archive.namelist() if name.lower().endswith(".pdf")]
        example = f", for example {container}{MEMBER_MARK}{path_text(names[0])}" if names else ""
        raise UnreadableFileError(
            "not_a_pdf", f"this is a zip archive of {len(names)} PDFs; name one{example}"
        )


@contextmanager
def opened_page(file: str, number: int, password_file: str | None) -> Iterator[OpenPage]:
    """Open one page, counted from 1; end with 2 where the file cannot be opened, 3 where the page cannot."""
    import extractor
    from pipeline.paths import path_text
    from pipeline.reading import UnreadableFileError

    name = path_text(file)
    try:
        document, passwords = open_file(file, password_file)
    except (extractor.ExtractionError, UnreadableFileError) as error:
        refuse(name, f"{error.reason}: {error}", 2)
    with document:
        if number > len(document):
            raise click.UsageError(f"page {number}: the file has {len(document)} pages")
        result, page = extract(document, number - 1)
        if result.status != "ok":
            refuse(name, f"page {number}: {result.reason}: {result.message}", 3)
        yield OpenPage(name, page, passwords)


class _LastPage:
    """A document that remembers the page asked for, whose results need not be made twice."""

    def __init__(self, document: Any) -> None:
        self._document = document
        self.page: Any = None

    def __getitem__(self, index: int) -> Any:
        self.page = self._document[index]
        return self.page


def extract(document: Any, index: int) -> tuple[Any, Any]:
    """Return the result of a page and the page itself, whose steps are done if the result is ok."""
    import extractor

    pages = _LastPage(document)
    return extractor.extract_page(pages, index), pages.page


def refuse(name: str, message: str, exit_code: int) -> NoReturn:
    """End the process with one line on standard error."""
    from pipeline.paths import shown

    click.echo(f"{shown(name)}: {message.encode('utf-8', 'replace').decode('utf-8')}", err=True)
    raise SystemExit(exit_code)
