"""An open document whose pages can be asked for their text.

In: a path, bytes or a file. Out: `Document`, a sequence of pages. It must not know how files or pages are read.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, Self

from extractor.document import open_source
from extractor.file_bytes import Source
from extractor.fonts import load_font
from extractor.glyph_table import GlyphTable
from extractor.issues import Issue, IssueLog
from extractor.metadata import Metadata
from extractor.objects import is_stream, resolve
from extractor.options import Options
from extractor.page import Page, Shared
from extractor.pages import DocumentSource


class Document:
    """An open document; a sequence of `Page`. Use it as a context manager.

    Pages are made anew at each request, so that memory does not grow with the pages already read; fonts are kept.
    """

    def __init__(self, source: DocumentSource, options: Options) -> None:
        """Wrap an open source; callers use `open_document`."""
        self._source, self._fonts_log = source, IssueLog()
        table = GlyphTable(lambda dictionary: load_font(dictionary, self._fonts_log))
        self._shared = Shared(table, _decode, source.optional_content.hidden, options)

    def __len__(self) -> int:
        """Return the number of pages."""
        return len(self._source)

    def __getitem__(self, index: int) -> Page:
        """Return a page by its index from 0, from the end if negative; IndexError beyond."""
        count = len(self)
        if not -count <= index < count:
            raise IndexError(f"page index {index} is out of range: the document has {count} pages")
        source = self._source.page(index % count)
        return Page(source, self._shared, source.issues)

    def __iter__(self) -> Iterator[Page]:
        """Yield the pages in order."""
        for index in range(len(self)):
            yield self[index]

    @property
    def metadata(self) -> Metadata:
        """Title, author and the like, from the information dictionary and XMP (14.3)."""
        return self._source.metadata

    @property
    def encrypted(self) -> bool:
        """Whether the file is encrypted (7.6), also with an empty password."""
        return self._source.encrypted

    @property
    def repaired(self) -> bool:
        """Whether the file had to be repaired to be read."""
        return self._source.repaired

    @property
    def issues(self) -> tuple[Issue, ...]:
        """Faults recovered in the file's structure and its fonts."""
        return (*self._source.issues.items, *self._fonts_log.items)

    def close(self) -> None:
        """Release the file."""
        self._source.close()

    def __enter__(self) -> Self:
        """Return the document."""
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Release the file."""
        self.close()


def _decode(stream: Any) -> bytes:
    stream = resolve(stream)
    return stream.get_data() if is_stream(stream) else b""


def open_document(
    source: Source, password: str | Sequence[str] | None = None, options: Options | None = None
) -> Document:
    """Return an open document.

    Args:
        source: a path, bytes or a binary file.
        password: one password or several that are tried; the empty one always is.
        options: thresholds and limits.

    Raises:
        ExtractionError: the file can't be opened; its reason and message say why.
    """
    options = options or Options()
    return Document(open_source(source, password, options.opening), options)
