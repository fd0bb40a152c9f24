"""Checks a store: files against hashes, tables against each other, the index against the tables.

In: a store. Out: what is wrong, each in one sentence, none where all is well. It must not change the store.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import indexing
from pipeline.commit import stems_of
from pipeline.damage import count_pages, damaged_files, lost_rows
from pipeline.store import Row, live_snapshot_or_fail, read_rows
from pipeline.writer import TABLES, part_file, part_stem

Key = tuple[str, str]


def verify_store(store: Path) -> Iterator[str]:
    """Yield every fault found; a file that cannot be read ends the checks that need it, not the others."""
    try:
        snapshot = live_snapshot_or_fail(store)
    except indexing.StoreError as error:
        if error.code != "damaged":
            raise
        yield error.message
        return
    counts = _Counts()
    damaged = list(damaged_files(store, snapshot, hashed=True))
    yield from (f"{item.name} {item.message}" for item in damaged)
    unusable = {item.stem for item in damaged}
    for stem in stems_of(snapshot):
        if stem not in unusable:
            yield from _part_faults(store, stem, counts)
    try:
        rows = read_rows(store, snapshot, "documents")
        errors = read_rows(store, snapshot, "errors")
    except indexing.StoreError as error:
        yield error.message
        return
    lost = lost_rows(rows, counts.pages) if damaged else {}
    if lost:
        yield f"{len(lost):,} documents lose pages with the damaged files"
    rows = [row for row in rows if row["path"] not in lost]
    errors = [row for row in errors if row["path"] not in lost]
    yield from _check_documents(rows, errors, counts)
    yield from _check_index(store, snapshot, rows, counts.pages) if not lost else _index_lines(store)


def faulty_parts(store: Path, stems: Iterable[str]) -> Iterator[str]:
    """Yield the parts whose tables do not agree with each other or with their name."""
    for stem in stems:
        if any(_part_faults(store, stem, _Counts())):
            yield stem


def index_faults(store: Path, snapshot: indexing.Snapshot) -> Iterator[str]:
    """Yield the faults of the live index, and whether its own list of files is as it was written."""
    yield from (
        f"{item.name} {item.message}"
        for item in damaged_files(store, snapshot, hashed=True)
        if item.name.startswith("index/")
    )
    yield from _index_lines(store)


def _index_lines(store: Path) -> Iterator[str]:
    try:
        yield from (f"index: {fault.place}: {fault.message}" for fault in indexing.check_index(store))
    except indexing.StoreError as error:
        yield error.message


def check_index(store: Path) -> Iterator[str]:
    """Yield the faults of the index alone."""
    snapshot = live_snapshot_or_fail(store)
    pages = count_pages(store, stems_of(snapshot))
    yield from _check_index(store, snapshot, read_rows(store, snapshot, "documents"), pages)


@dataclass
class _Counts:
    """Pages of the parts read so far, and those of them that failed, by document."""

    pages: Counter[Key] = field(default_factory=Counter)
    failed: Counter[Key] = field(default_factory=Counter)


def _part_faults(store: Path, stem: str, counts: _Counts) -> Iterator[str]:
    try:
        yield from _check_part(store, stem, counts)
    except (OSError, pa.ArrowException) as error:
        yield f"part {stem} cannot be read: {error}"


def _check_part(store: Path, stem: str, counts: _Counts) -> Iterator[str]:
    """Check one part's name against its content and its tables against each other, and count its pages."""
    tables = {table: _read(part_file(store, table, stem)) for table in TABLES}
    table = tables["pages"]
    if part_stem(table) != stem:
        yield f"part {stem}: the pages are not those it is named after"
    for name in ("lines", "words"):
        expected, found = pc.sum(table[name]).as_py() or 0, tables[name].num_rows
        if expected != found:
            yield f"part {stem}: {found} {name}, the pages count {expected}"
    keys = list(zip(table["doc_id"].to_pylist(), table["extraction_id"].to_pylist(), strict=True))
    numbers = Counter(zip(keys, table["page_index"].to_pylist(), strict=True))
    yield from (
        f"part {stem}: page {page + 1} of {key[0]} twice" for (key, page), n in numbers.items() if n > 1
    )
    counts.pages.update(keys)
    counts.failed.update(
        key for key, status in zip(keys, table["status"].to_pylist(), strict=True) if status != "ok"
    )


def _read(path: Path) -> pa.Table:
    """Read a whole part file, with the checksums of its pages."""
    return pq.read_table(path, partitioning=None, page_checksum_verification=True)


def _check_documents(rows: Sequence[Row], errors: Sequence[Row], counts: _Counts) -> Iterator[str]:
    """Check that every document has its pages, and every failure its row."""
    explained = Counter(row["path"] for row in errors)
    paths = Counter(row["path"] for row in rows)
    yield from (
        f"{path} stands {count} times in the documents table" for path, count in paths.items() if count > 1
    )
    for row in rows:
        key = (row["doc_id"], row["extraction_id"])
        if row["pages"] and counts.pages[key] != row["pages"]:
            yield f"{row['path']}: {row['pages']} pages, {counts.pages[key]} in the pages table"
        expected = 0 if row["status"] == "ok" else max(1, counts.failed[key] if row["pages"] else 1)
        if explained[row["path"]] != expected:
            yield f"{row['path']}: {explained[row['path']]} rows in the errors table, not {expected}"
    yield from (f"{path}: in the errors table only" for path in explained if path not in paths)


def _check_index(
    store: Path, snapshot: indexing.Snapshot, rows: Sequence[Row], pages: Counter[Key]
) -> Iterator[str]:
    """Check the index against itself, and its number of pages against the tables."""
    try:
        faults = indexing.check_index(store)
    except indexing.StoreError as error:
        yield error.message
        return
    yield from (f"index: {fault.place}: {fault.message}" for fault in faults)
    if faults:
        return
    live = {(row["doc_id"], row["extraction_id"]) for row in rows if row["status"] != "failed"}
    expected = sum(pages[key] for key in live)
    with indexing.open_index(store) as index:
        found = index.generation.head["totals"]["pages"]
    if found != expected:
        yield f"{found} pages in the index of snapshot {snapshot.number}, {expected} in the tables"
