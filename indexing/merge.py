"""Merging segments: several finished ones, without their dead pages, into one.

In: segments and which of their pages live. Out: the files of one segment, as `build_segment` writes them. Postings are
renumbered, never parsed or inverted again; texts are copied packed. It must not know when merging pays.
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any, Final

import numpy as np

from indexing.posting_columns import TermColumns, pickle_values
from indexing.postings import Ints, Row, read_term
from indexing.ragged import ragged
from indexing.reader import SegmentReader
from indexing.schema import PAGE_FLAG, PAGE_TEXT
from indexing.segment import PageTable, collector_paused, describe_files
from indexing.segment_files import FieldContent, write_segment
from indexing.texts import TextWriter, texts_path


@dataclass(frozen=True, slots=True)
class MergeInput:
    """A segment to be merged.

    Attributes:
        folder: where its files are; segment_id: what they are called.
        keys: its documents; table: its pages, as in `PageMap` but with key numbers.
        parts: file names of the parts that it was built from.
        live: one truth value a page.
    """

    folder: Path
    segment_id: str
    parts: Sequence[str]
    keys: Sequence[tuple[str, str]]
    table: Ints
    live: Any


def merge_segments(inputs: Sequence[MergeInput], folder: Path, mark: str) -> str:
    """Merge segments in their order into an existing, empty folder; return the name of the new segment.

    Args:
        inputs: at least one segment with at least one live page.
        folder: where the files go.
        mark: fingerprint of schema and analysis, that of all inputs.
    """
    name = hashlib.sha256()
    for one in inputs:
        name.update(one.segment_id.encode() + np.packbits(one.live).tobytes())
    segment_id = name.hexdigest()[:20]
    numbers, base = [], 0
    for one in inputs:
        numbers.append((np.cumsum(one.live) - 1 + base).astype(np.int32))
        base += int(one.live.sum())
    readers = [SegmentReader(one.folder, one.segment_id, len(one.live)) for one in inputs]
    table = _merge_tables(inputs)
    fields = {
        PAGE_TEXT: FieldContent(_merge_field(PAGE_TEXT, readers, inputs, numbers), table.columns[:, 2]),
        PAGE_FLAG: FieldContent(_merge_field(PAGE_FLAG, readers, inputs, numbers)),
    }
    stored: list[bytes] = []
    texts = TextWriter()
    for reader, one in zip(readers, inputs, strict=True):
        for page in np.flatnonzero(one.live).tolist():
            stored.append(reader.stored.packed(page))
            texts.add(reader.texts[page])
    texts.write(texts_path(folder, segment_id))
    with collector_paused():
        facts = write_segment(folder, segment_id, fields, stored)
    parts = dict.fromkeys(part for one in inputs for part in one.parts)
    describe_files(folder, list(parts), mark, facts, table)
    return segment_id


def _merge_tables(inputs: Sequence[MergeInput]) -> PageTable:
    """Join the tables of live pages; documents keep their keys."""
    keys: dict[tuple[str, str], int] = {}
    pieces = []
    for one in inputs:
        rows = one.table[one.live].copy()
        used = set(rows[:, 0].tolist())
        renumbered = [
            keys.setdefault((key[0], key[1]), len(keys)) if number in used else -1
            for number, key in enumerate(one.keys)
        ]
        rows[:, 0] = np.array([*renumbered, -1], np.int32)[rows[:, 0]]
        pieces.append(rows)
    return PageTable(list(keys), np.concatenate(pieces))


def _terms(reader: SegmentReader, name: str, source: int) -> Iterator[tuple[bytes, int, bytes]]:
    """Yield a segment's terms with the segment's number and their records."""
    for term, record in reader.terms(name):
        yield term, source, record


def _merge_field(
    name: str, readers: Sequence[SegmentReader], inputs: Sequence[MergeInput], numbers: Sequence[Ints]
) -> Iterator[TermColumns]:
    """Yield the terms of a field over all segments, in order, with the postings of live pages."""
    streams = [_terms(reader, name, source) for source, reader in enumerate(readers)]
    places_of = [np.where(one.live, places, -1).tolist() for one, places in zip(inputs, numbers, strict=True)]
    batch = _Batch()
    for term, source, record in heapq.merge(*streams, key=itemgetter(0, 1)):
        if len(batch.documents) > _BATCH and term != batch.terms[-1]:
            yield batch.columns()
            batch = _Batch()
        for row in readers[source].rows(read_term(record)):
            batch.add(term, row, places_of[source])
    if batch.terms:
        yield batch.columns()


@dataclass(slots=True)
class _Batch:
    """Postings of some terms, renumbered."""

    terms: list[bytes] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    documents: list[int] = field(default_factory=list)
    weights: list[float] = field(default_factory=list)
    values: list[bytes] = field(default_factory=list)

    def add(self, term: bytes, row: Row, places: Sequence[int]) -> None:
        """Add a block of a term's postings, those of live pages; `places` are the pages' new numbers."""
        found = [places[document] for document in row.documents]
        weights: Sequence[float] = row.weights
        values = row.values or ()
        if min(found) < 0:
            kept = [number for number, place in enumerate(found) if place >= 0]
            if not kept:
                return
            found, weights = [found[number] for number in kept], [weights[number] for number in kept]
            values = [values[number] for number in kept] if values else ()
        if not self.terms or self.terms[-1] != term:
            self.terms.append(term)
            self.starts.append(len(self.documents))
        self.documents += found
        self.weights += weights
        self.values += values

    def columns(self) -> TermColumns:
        """Return what was collected."""
        return TermColumns(
            self.terms,
            np.array([*self.starts, len(self.documents)], np.int64),
            np.array(self.documents, np.int32),
            np.array(self.weights, np.int32),
            pickle_values(ragged(self.values)) if self.values else None,
        )


_BATCH: Final = 200_000
"""Postings that are encoded at once."""
