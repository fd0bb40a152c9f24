"""One opened generation: the page index, the document index, and how their numbers belong together.

In: a generation's folder. Out: readers, the map from pages to documents, and documents' records. Read-only, shared by
threads. It must not know questions.
"""

from __future__ import annotations

import os
import tokenize
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from indexing.analyzer import Analysis
from indexing.documents import NUMBERS
from indexing.errors import DAMAGE, StoreError
from indexing.files import read_json
from indexing.postings import Ints
from indexing.reader import IndexReader
from indexing.schema import DOCUMENT_TEXT_FIELDS, INDEX_VERSION, PAGE_TEXT, fingerprint
from indexing.textfield import TextField

GENERATION_FILE: Final = "index.json"
PAGES_FILE: Final = "pages.npy"
DOCUMENTS_FOLDER: Final = "documents"


_ONE_HEADER: Final = Lock()
"""numpy parses an array's header with `ast`, which counts wrongly in several threads before Python 3.11.5 (gh-106905)."""


def read_generation(folder: Path) -> dict[str, Any]:
    """Read index.json; raise StoreError "stale" if another version wrote it."""
    head = read_json(folder / GENERATION_FILE)
    if head.get("version") != INDEX_VERSION:
        raise StoreError(f"{folder} was made by another version of this program: rebuild the index", "stale")
    return head


def load_array(path: Path, *, mapped: bool = False) -> npt.NDArray[Any]:
    """Load an array; raise StoreError where it is missing or damaged."""
    try:
        with _ONE_HEADER:
            found: npt.NDArray[Any] = np.load(path, mmap_mode="r" if mapped else None, allow_pickle=False)
    except FileNotFoundError as error:
        raise StoreError(f"{path} is missing", "damaged") from error
    except OSError as error:
        raise StoreError(f"{path} cannot be read: {error.strerror}", "unreadable") from error
    except (*DAMAGE, SyntaxError, tokenize.TokenError) as error:
        raise StoreError(f"{path} is damaged: {error}", "damaged") from error
    return found


@dataclass(frozen=True, slots=True)
class PageMap:
    """Columns of the pages, by page number in the index, int32.

    Attributes:
        document: number of the live document in the document index, or -1.
        page_index: page in the document, from 0.
        length: length of the text field, not rounded.
        words: number of positions.
        first: position of the first word of the body; last: of the last one.
        first_hash: hash of that word; last_hash: of the last one.
    """

    document: Ints
    page_index: Ints
    length: Ints
    words: Ints
    first: Ints
    last: Ints
    first_hash: Ints
    last_hash: Ints


class Generation:
    """An opened generation."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.head = read_generation(folder)
        try:
            self.analysis = Analysis(**self.head["analysis"])
            made_with, segments = self.head["fingerprint"], self.head["segments"]
            facts = self.head["documents"]
        except (KeyError, TypeError) as error:
            raise StoreError(f"{folder / GENERATION_FILE} is not complete: {error}", "damaged") from error
        if made_with != fingerprint(self.analysis):
            raise StoreError(f"{folder} was made with another schema or analysis: rebuild the index", "stale")
        self._check_sizes()
        pages = load_array(folder / PAGES_FILE)
        if pages.ndim != 2 or pages.shape[1] != len(PageMap.__slots__) or pages.dtype != np.int32:
            raise StoreError(f"{folder / PAGES_FILE} is not a map of pages", "damaged")
        self.pages = PageMap(*pages.T.copy())
        self.live = self.pages.document >= 0
        self.reader = IndexReader(folder, segments, self.live, self.pages.words)
        count = facts["documents"]
        if len(pages) and not -1 <= self.pages.document.min() <= self.pages.document.max() < count:
            raise StoreError(f"{folder / PAGES_FILE} names documents that are not there", "damaged")
        self.documents = IndexReader(folder / DOCUMENTS_FOLDER, [facts], np.ones(count, np.bool_))
        self._columns = load_array(folder / DOCUMENTS_FOLDER / "numbers.npy")
        if self._columns.shape != (count, len(NUMBERS)) or self._columns.dtype != np.int64:
            raise StoreError(f"{folder / DOCUMENTS_FOLDER} holds numbers of other documents", "damaged")
        self._fields: dict[str, TextField] = {}

    def _check_sizes(self) -> None:
        """Compare the files with index.json: present, and of the size that was written."""
        files = {name: entry for segment in self.head["segments"] for name, entry in segment["files"].items()}
        for name, entry in {**files, **self.head["files"]}.items():
            try:
                size = (self.folder / name).stat().st_size
            except FileNotFoundError as error:
                raise StoreError(f"{self.folder / name} is missing", "damaged") from error
            except OSError as error:
                raise StoreError(
                    f"{self.folder / name} cannot be read: {error.strerror}", "unreadable"
                ) from error
            if size != entry["size"]:
                raise StoreError(f"{self.folder / name} has {size} bytes, not {entry['size']}", "damaged")

    @cached_property
    def text(self) -> TextField:
        """The text of the pages."""
        return TextField(self.reader, PAGE_TEXT, self.pages.length)

    def document_field(self, name: str) -> TextField:
        """Return a text field of the document index."""
        assert name in DOCUMENT_TEXT_FIELDS
        found = self._fields.get(name)
        if found is None:
            found = self._fields[name] = TextField(self.documents, name, None)
        return found

    def field(self, name: str) -> TextField:
        """Return a text field of the pages or the documents."""
        return self.text if name == PAGE_TEXT else self.document_field(name)

    @cached_property
    def following(self) -> Ints:
        """Number of the page after each page in its document, or -1."""
        pages = self.pages
        order = np.lexsort((pages.page_index, pages.document))
        here, there = order[:-1], order[1:]
        next_to = (
            (pages.document[here] >= 0)
            & (pages.document[here] == pages.document[there])
            & (pages.page_index[here] + 1 == pages.page_index[there])
        )
        found = np.full(len(order), -1, np.int32)
        found[here[next_to]] = there[next_to]
        return found

    @cached_property
    def numbers(self) -> dict[str, npt.NDArray[np.int64]]:
        """The documents' numbers, by name."""
        return dict(zip(NUMBERS, self._columns.T.copy(), strict=True))

    @cached_property
    def folders(self) -> list[tuple[str, ...]]:
        """The folders that each document lies in."""
        return [
            tuple(dict.fromkeys(os.path.dirname(path) for path in self.record(document)["paths"]))
            for document in range(self.documents.count)
        ]

    def record(self, document: int) -> dict[str, Any]:
        """Read what is known of a document."""
        value = self.documents.stored(document)["record"]
        assert isinstance(value, dict)
        return value

    def spread(self, found: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """Give each page the value of its document; dead pages get zero."""
        if not len(found):
            return np.zeros(len(self.live), found.dtype)
        values: npt.NDArray[Any] = found[self.pages.document]
        values[~self.live] = 0
        return values
