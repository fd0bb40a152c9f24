"""From a file's objects to its catalog and pages: the plain way first, then by scanning the file.

In: an object store over the bytes of a file, and how to make a cipher. Out: catalog and page entries, or the
error that says why there are none. It must not know pypdf, nor what pages contain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from extractor.errors import DamagedError, NotAPdfError
from extractor.issues import IssueLog
from extractor.object_store import Cipher, ObjectStore
from extractor.objects import as_array, as_dictionary, as_integer, as_name, entry, raw_entry, resolve
from extractor.open_options import OpenOptions
from extractor.page_count import CountedPages
from extractor.page_tree import PageEntry, loose_pages, walk_pages
from extractor.xref import XrefError

MakeCipher = Callable[[Mapping[str, Any], bytes], Cipher]
"""Makes a cipher from /Encrypt and the first part of the file's /ID, or raises an ExtractionError."""

_MAX_SEARCHED = 200_000_000
"""Bytes of objects parsed while pages or a catalog are looked for among all objects."""

_MAX_LOOSE = 200_000
"""Objects looked at when pages are looked for without a page tree."""


@dataclass(frozen=True, slots=True)
class Opened:
    """The catalog and the pages of a document, and whether it is encrypted."""

    catalog: Mapping[str, Any]
    pages: Sequence[PageEntry]
    encrypted: bool


class Opener:
    """Opens one file."""

    def __init__(self, store: ObjectStore, name: str, options: OpenOptions, make_cipher: MakeCipher) -> None:
        self._store = store
        self._name = name
        self._options = options
        self._make_cipher = make_cipher
        self._issues: IssueLog = store.issues

    def open(self) -> Opened:
        """Return the document's pages, or raise an ExtractionError."""
        try:
            self._store.read_xref()
        except XrefError as error:
            self._issues.add("no_xref", f"the cross-reference cannot be read: {error}")
            return self._recover(None)
        opened = self._follow_trailer()
        if opened is None:
            return self._recover(None)
        return opened if isinstance(opened.pages, CountedPages) else self.complete(opened)

    def _follow_trailer(self) -> Opened | None:
        """Return what the trailer leads to, None if that is no catalog with pages."""
        encrypted = self._unlock()
        catalog = as_dictionary(raw_entry(self._store.xref.trailer, "/Root"))
        root = raw_entry(catalog, "/Pages")
        if catalog is None or as_dictionary(root) is None:
            return None
        listing = _Listing(self, catalog, root, encrypted)
        counted = CountedPages.read(root, self._options.max_pages, listing.complete)
        return Opened(catalog, listing.walk() if counted is None else counted, encrypted)

    def walk(self, root: Any) -> list[PageEntry]:
        """Return the pages below a page tree's root, all of them read."""
        return walk_pages(root, self._options.max_pages, self._issues)

    def complete(self, plain: Opened) -> Opened:
        """Return a document all of whose pages were listed, completed by a scan if some cannot be read."""
        return self._recover(plain) if _is_doubtful(plain) else plain

    def _unlock(self) -> bool:
        """Set up decryption if the trailer asks for it (7.6.1), and tell whether it does."""
        self._store.cipher = None
        trailer = self._store.xref.trailer
        encrypt = as_dictionary(raw_entry(trailer, "/Encrypt"))
        if not encrypt:
            return False
        parts = as_array(raw_entry(trailer, "/ID"))
        first = resolve(parts[0]) if parts else b""
        cipher = self._make_cipher(encrypt, first if isinstance(first, bytes) else b"")
        self._store.forget()
        self._store.cipher = cipher
        return True

    def _recover(self, plain: Opened | None) -> Opened:
        """Return what a scan finds, unless the plain way found as much; raise if there is nothing."""
        if not self._options.recovery:
            if plain is None or not plain.pages:
                raise DamagedError(f"{self._name} is damaged: it has no readable page tree")
            return plain
        found = self._scan_file()
        if found is not None and _readable(found) > (_readable(plain) if plain else 0):
            self._issues.add("recovered", "pages were found by scanning the file")
            return found
        if plain is not None and (_readable(plain) or self._is_empty_document(plain)):
            return self._return_to(plain)
        if not self._store.scan().offsets and self._store.data.find(b"%PDF-") < 0:
            raise NotAPdfError(f"{self._name} is not a PDF file")
        raise DamagedError(f"{self._name} is damaged: no page can be found in it")

    def _return_to(self, plain: Opened) -> Opened:
        """Go back to the cross-reference of the file after a scan that found no more."""
        try:
            self._store.read_xref()
        except XrefError as error:  # it was readable before
            raise DamagedError(f"{self._name} is damaged: {error}") from error
        self._store.forget()
        self._unlock()
        return plain

    @staticmethod
    def _is_empty_document(plain: Opened) -> bool:
        """Tell whether a document has no pages and says so."""
        return as_integer(entry(entry(plain.catalog, "/Pages"), "/Count")) == 0

    def _scan_file(self) -> Opened | None:
        """Return the document that the objects found by a scan make up."""
        store = self._store
        store.rebuild()
        encrypted = self._unlock()
        store.add_object_streams()
        best: Opened | None = None
        for catalog in self._catalogs():
            candidate = Opened(catalog, self.walk(raw_entry(catalog, "/Pages")), encrypted)
            if best is None or _readable(candidate) > _readable(best):
                best = candidate
            if _readable(best):
                break
        if best is not None and _readable(best):
            return best
        numbers = store.scan().types["Page"] or store.scanned_numbers()[:_MAX_LOOSE]
        pages = loose_pages(map(store.reference, self._within_reason(numbers))) or loose_pages(
            store.scan().stray_pages()
        )
        return (
            Opened(best.catalog if best else {}, pages[: self._options.max_pages], encrypted)
            if pages
            else best
        )

    def _within_reason(self, numbers: Sequence[int]) -> Iterator[int]:
        """Yield object numbers as long as parsing the objects has not cost too much."""
        store = self._store
        end = store.parsed_source + _MAX_SEARCHED
        for number in numbers:
            if store.parsed_source > end:
                self._issues.add("search_limit", "looking for pages was given up")
                return
            yield number

    def _catalogs(self) -> list[Mapping[str, Any]]:
        """Return the catalogs to try in turn: the trailer's, then those that say they are one, latest first."""
        store = self._store
        found: dict[int, Mapping[str, Any]] = {}
        root = as_dictionary(raw_entry(store.xref.trailer, "/Root"))
        if root is not None and raw_entry(root, "/Pages") is not None:
            found[-1] = root
        numbers = store.scan().types["Catalog"] or store.scanned_numbers()[:_MAX_LOOSE]
        for number in self._within_reason(list(reversed(numbers))):
            catalog = as_dictionary(store.get_object(number))
            if catalog is not None and as_name(entry(catalog, "/Type")) == "Catalog":
                found.setdefault(number, catalog)
        return list(found.values())


class _Listing:
    """Lists the pages of a document when its counts turn out to be wrong."""

    def __init__(self, opener: Opener, catalog: Mapping[str, Any], root: Any, encrypted: bool) -> None:
        self._opener = opener
        self._catalog = catalog
        self._root = root
        self._encrypted = encrypted

    def walk(self) -> list[PageEntry]:
        """Return the pages that a walk through the tree finds."""
        return self._opener.walk(self._root)

    def complete(self) -> Sequence[PageEntry]:
        """Return the pages that a walk finds, or a scan of the file if that finds more."""
        return self._opener.complete(Opened(self._catalog, self.walk(), self._encrypted)).pages


def _is_doubtful(opened: Opened) -> bool:
    """Tell whether a scan of the file may find more pages."""
    return not opened.pages or any(page.page is None for page in opened.pages)


def _readable(opened: Opened) -> int:
    """Return how many pages can be read."""
    return sum(page.page is not None for page in opened.pages)
