"""Which pages the store's parts hold, and which parts of a run that died can be used.

In: part files on disk. Out: the pages known, as ranges by document, and the names of parts that no commit
names but that are whole. The pages file of a part is written last: where it is, the part is whole.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

import indexing
from pipeline.fan_out import ranges
from pipeline.records import FailedPage
from pipeline.run_report import read_reports
from pipeline.store import live_mask, read_table
from pipeline.writer import TABLES, part_file, part_name, part_stem, write_tables

_COLUMNS = ["doc_id", "extraction_id", "page_index", "status", "reason", "message"]


@dataclass
class KnownPages:
    """The pages of one extraction id in the store's parts."""

    ranges: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """Ranges (first, last) of page indices by doc_id."""
    failed: dict[str, list[FailedPage]] = field(default_factory=dict)
    homes: dict[str, set[str]] = field(default_factory=dict)
    """The parts that hold pages of a document, by doc_id."""

    def counts(self) -> dict[str, int]:
        """Return the number of pages known, by doc_id."""
        return {
            doc_id: sum(last - first + 1 for first, last in spans) for doc_id, spans in self.ranges.items()
        }

    @property
    def total(self) -> int:
        """Number of pages known."""
        return sum(self.counts().values())

    def overlaps(self, other: KnownPages) -> bool:
        """Tell whether a page is known to both."""
        return any(
            first <= last_known and first_known <= last
            for doc_id, spans in other.ranges.items()
            for first, last in spans
            for first_known, last_known in self.ranges.get(doc_id, [])
        )

    def merge(self, other: KnownPages) -> None:
        """Take over the pages of `other`."""
        for doc_id, spans in other.ranges.items():
            self.ranges.setdefault(doc_id, []).extend(spans)
        for doc_id, failed in other.failed.items():
            self.failed.setdefault(doc_id, []).extend(failed)
        for doc_id, homes in other.homes.items():
            self.homes.setdefault(doc_id, set()).update(homes)


def known_pages(store: Path, stems: Iterable[str], extraction_id: str) -> KnownPages:
    """Return the pages of `extraction_id` that the parts `stems` hold."""
    known = KnownPages()
    for stem in stems:
        known.merge(_pages_of(stem, read_columns(store, stem, _COLUMNS), extraction_id))
    return known


def failed_pages(
    store: Path, stems: Iterable[str], live: Iterable[tuple[str, str]]
) -> dict[str, list[FailedPage]]:
    """Return the pages that failed in the parts `stems`, by doc_id; `live` are pairs of doc_id and extraction_id."""
    failed: dict[str, list[FailedPage]] = {}
    wanted = set(live)
    for stem in stems:
        table = read_columns(store, stem, _COLUMNS)
        for page in _failures(table.filter(live_mask(table, wanted))):
            failed.setdefault(page.doc_id, []).append(page)
    return failed


def read_columns(store: Path, stem: str, columns: Sequence[str]) -> pa.Table:
    """Return columns of the pages table of one part."""
    return read_table(store, part_name("pages", stem), columns)


def _pages_of(stem: str, table: pa.Table, extraction_id: str) -> KnownPages:
    table = table.filter(pc.equal(table["extraction_id"], extraction_id))
    known = KnownPages()
    if table.num_rows == 0:
        return known
    encoded = table["doc_id"].combine_chunks().dictionary_encode()
    names = encoded.dictionary.to_pylist()
    documents = encoded.indices.to_numpy()
    pages = table["page_index"].to_numpy()
    order = np.lexsort((pages, documents))
    for document, first, last in _runs(documents[order], pages[order]):
        known.ranges.setdefault(names[document], []).append((first, last))
    known.homes = {name: {stem} for name in names}
    for page in _failures(table):
        known.failed.setdefault(page.doc_id, []).append(page)
    return known


def _failures(table: pa.Table) -> Iterator[FailedPage]:
    for row in table.filter(pc.not_equal(table["status"], "ok")).to_pylist():
        yield FailedPage(row["doc_id"], row["page_index"], row["reason"] or "", row["message"] or "")


def _runs(documents: np.ndarray, pages: np.ndarray) -> Iterator[tuple[int, int, int]]:
    """Yield (document, first, last) of every run of consecutive pages in sorted columns."""
    breaks = np.flatnonzero((np.diff(documents) != 0) | (np.diff(pages) != 1)) + 1
    starts = np.concatenate(([0], breaks))
    ends = np.concatenate((breaks, [len(pages)])) - 1
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        yield int(documents[start]), int(pages[start]), int(pages[end])


def orphan_stems(store: Path, named: Iterable[str]) -> list[str]:
    """Return the parts on disk, whole, that are not among `named`."""
    known = set(named)
    found = sorted(path.stem for path in (store / "pages").glob("part-*.parquet"))
    return [stem for stem in found if stem not in known and is_whole(store, stem)]


def is_whole(store: Path, stem: str) -> bool:
    """Tell whether a part has a file in the folder of every table."""
    return all(part_file(store, table, stem).exists() for table in TABLES)


def unnamed_first(store: Path) -> indexing.Snapshot | None:
    """Return the snapshot of a first run that died between writing it and CURRENT, None where that is not so.

    Once a run has reported a snapshot, CURRENT was there: its absence is damage, and for a person to mend.
    """
    if (store / "CURRENT").exists() or indexing.snapshot_numbers(store) != [1]:
        return None
    if any(report.get("snapshot") is not None for report in read_reports(store)):
        return None
    return indexing.read_snapshot(store, 1)


def adoptable(store: Path, named: Iterable[str], known: KnownPages, extraction_id: str) -> list[str]:
    """Return orphans whose pages are all of `extraction_id` and nowhere else, and add them to `known`.

    A part with a page that another part holds too is left alone: a page must have one home.
    """
    adopted: list[str] = []
    for stem in orphan_stems(store, named):
        try:
            table = read_columns(store, stem, _COLUMNS)
        except indexing.StoreError:
            continue  # cut short by a crash of the machine; the sweep deletes it
        pages = _pages_of(stem, table, extraction_id)
        if sum(pages.counts().values()) == table.num_rows > 0 and not known.overlaps(pages):
            known.merge(pages)
            adopted.append(stem)
    return adopted


def forget_failed(store: Path, known: KnownPages, doc_ids: Iterable[str]) -> dict[str, str | None]:
    """Write parts anew without the failed pages of `doc_ids`, which are then no longer known.

    Returns for each part the name of the one that takes its place, None where nothing is left of it.
    """
    wanted = {doc_id for doc_id in doc_ids if known.failed.get(doc_id)}
    replaced: dict[str, str | None] = {}
    for stem in sorted({home for doc_id in wanted for home in known.homes[doc_id]}):
        pages = read_table(store, part_name("pages", stem))
        drop = pc.and_(
            pc.is_in(pages["doc_id"], value_set=pa.array(sorted(wanted))), pc.not_equal(pages["status"], "ok")
        )
        if pc.any(drop).as_py():
            replaced[stem] = _without(store, stem, pages.filter(pc.invert(drop)))
    for doc_id in wanted:
        failed = {page.page_index for page in known.failed.pop(doc_id)}
        left = {index for first, last in known.ranges[doc_id] for index in range(first, last + 1)} - failed
        known.ranges[doc_id] = ranges(left)
        known.homes[doc_id] = {replaced.get(home) or home for home in known.homes[doc_id]}
    return replaced


def _without(store: Path, stem: str, pages: pa.Table) -> str | None:
    """Write the part again with these pages only; failed pages have no lines and no words, so those stay."""
    if pages.num_rows == 0:
        return None
    name = part_stem(pages)
    for table in TABLES[:-1]:
        target = part_file(store, table, name)
        if not target.exists():
            os.link(part_file(store, table, stem), target)
    write_tables(store, name, {"pages": pages})
    return name
