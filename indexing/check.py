"""Checking a generation from its files to its last posting.

In: an index's folder. Out: what is wrong, in words. Nothing is repaired: an index is made anew from the tables. Nothing
is unpickled that could run code: Whoosh's own table of contents is compared with its hash, not read. It must not know
the tables of the store.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from indexing.errors import StoreError
from indexing.files import digest
from indexing.generation import Generation, read_generation
from indexing.places import Axis, read_places
from indexing.postings import read_term
from indexing.reader import IndexReader, SegmentReader
from indexing.schema import DOCUMENT_EXACT_FIELDS, PAGE_FLAG
from indexing.snapshot import read_current

WITHOUT_POSITIONS = frozenset({PAGE_FLAG, *DOCUMENT_EXACT_FIELDS})


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong with an index: where, and what."""

    place: str
    message: str


def check_index(store: str | Path) -> list[Fault]:
    """Check the live index of a store: files against their hashes, then every term, posting and stored record.

    Raises:
        StoreError: "no_store" or "no_index" if there is nothing to check.
    """
    store = Path(store)
    snapshot = read_current(store)
    if snapshot.index is None:
        raise StoreError(f"{store} has no index yet", "no_index")
    folder = store / snapshot.index
    try:
        faults = list(_check_files(folder))
        if not faults:
            generation = Generation(folder)
            faults = [
                *_check_index(generation.reader, generation.pages.words),
                *_check_index(generation.documents, None),
                *_check_pages(generation),
            ]
    except StoreError as error:
        return [Fault(snapshot.index, error.message)]
    return faults


def _check_files(folder: Path) -> Iterator[Fault]:
    """Compare all files with the hashes in index.json."""
    head = read_generation(folder)
    files: dict[str, Any] = dict(head["files"])
    for segment in head["segments"]:
        files.update(segment["files"])
    for name, entry in files.items():
        try:
            if digest(folder / name) != entry["sha256"]:
                yield Fault(name, "is not as it was written")
        except FileNotFoundError:
            yield Fault(name, "is missing")
        except OSError as error:
            yield Fault(name, f"cannot be read: {error.strerror}")


def _check_index(reader: IndexReader, words: Any) -> Iterator[Fault]:
    """Check the segments of one Whoosh index."""
    for segment, base in zip(reader.segments, reader.bases, strict=True):
        limits = None if words is None else words[base : base + segment.count]
        try:
            yield from _check_terms(segment, limits)
        except StoreError as error:
            yield Fault(segment.name, error.message)


def _check_terms(segment: SegmentReader, words: Any) -> Iterator[Fault]:
    """Decode every posting of a segment."""
    for name in segment.table.fields:
        before = b""
        for term, packed in segment.terms(name):
            record = read_term(packed)
            postings = segment.postings(record)
            documents = postings.documents
            shown = f"{name}:{term.decode('utf-8', 'replace')}"
            if term <= before:
                yield Fault(segment.name, f"{shown} is not in order")
            before = term
            if len(documents) != record.documents or float(postings.weights.sum()) != record.weight:
                yield Fault(segment.name, f"{shown}: its record does not agree with its postings")
            if np.any(np.diff(documents) <= 0) or documents[0] < 0 or documents[-1] >= segment.count:
                yield Fault(segment.name, f"{shown}: its documents are not in order")
            elif name not in WITHOUT_POSITIONS:
                yield from _check_positions(segment, shown, postings, words)


def _check_positions(segment: SegmentReader, shown: str, postings: Any, words: Any) -> Iterator[Fault]:
    axis = Axis.of_documents(segment.count) if words is None else Axis.of_sizes(words)
    try:
        places = read_places(postings.documents, postings.values, axis).places
    except StoreError as error:
        yield Fault(segment.name, f"{shown}: {error.message}")
        return
    if len(places) != postings.weights.sum() or np.any(places[1:] <= places[:-1]):
        yield Fault(segment.name, f"{shown}: its positions are not in order")


def _check_pages(generation: Generation) -> Iterator[Fault]:
    """Compare the stored records of all live pages with the map of pages and with the documents; read their texts."""
    documents = [generation.record(number)["doc_id"] for number in range(generation.documents.count)]
    for page in np.flatnonzero(generation.live).tolist():
        stored = generation.reader.stored(page)
        doc_id = documents[int(generation.pages.document[page])]
        if stored["doc_id"] != doc_id:
            yield Fault("pages.npy", f"page {page} is of document {stored['doc_id']}, not {doc_id}")
        if stored["page"] != generation.pages.page_index[page] + 1:
            yield Fault("pages.npy", f"page {page} is page {stored['page']} of its document")
        generation.reader.text(page)
