"""Checks a store: files against hashes, tables against each other, the index against the tables.

In: a store. Out: what is wrong, each in one sentence, none where all is well. It must not change the store.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import indexing
from pipeline.commit import stems_of
from pipeline.store import live_snapshot_or_fail, read_rows
from pipeline.writer import TABLES, part_file, part_stem

Key = tuple[str, str]


def verify_store(store: Path) -> Iterator[str]:
    """Yield every fault found; a file that cannot be read ends the checks that need it, not the others."""
    snapshot = live_snapshot_or_fail(store)
    pages: Counter[Key] = Counter()
    failed: Counter[Key] = Counter()
    for stem in stems_of(snapshot):
        try:
            yield from _check_part(store, stem, pages, failed)
        except (OSError, pa.ArrowException) as error:
            yield f"part {stem} cannot be read: {error}"
    try:
        rows = read_rows(store, snapshot, "documents")
        errors = read_rows(store, snapshot, "errors")
    except (OSError, pa.ArrowException) as error:
        yield f"the documents or errors table cannot be read: {error}"
        return
    yield from _check_documents(rows, errors, pages, failed)
    yield from _check_index(store, snapshot, rows, pages)


def check_index(store: Path) -> Iterator[str]:
    """Yield the faults of the index alone."""
    snapshot = live_snapshot_or_fail(store)
    pages: Counter[Key] = Counter()
    for stem in stems_of(snapshot):
        table = pq.read_table(
            part_file(store, "pages", stem), columns=["doc_id", "extraction_id"], partitioning=None
        )
        pages.update(zip(table["doc_id"].to_pylist(), table["extraction_id"].to_pylist(), strict=True))
    yield from _check_index(store, snapshot, read_rows(store, snapshot, "documents"), pages)


def _check_part(store: Path, stem: str, pages: Counter[Key], failed: Counter[Key]) -> Iterator[str]:
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
    pages.update(keys)
    failed.update(
        key for key, status in zip(keys, table["status"].to_pylist(), strict=True) if status != "ok"
    )


def _read(path: Path) -> pa.Table:
    """Read a whole part file, with the checksums of its pages."""
    return pq.read_table(path, partitioning=None, page_checksum_verification=True)


def _check_documents(
    rows: list[dict[str, Any]], errors: list[dict[str, Any]], pages: Counter[Key], failed: Counter[Key]
) -> Iterator[str]:
    """Check that every document has its pages, and every failure its row."""
    explained = Counter(row["path"] for row in errors)
    paths = Counter(row["path"] for row in rows)
    yield from (
        f"{path} stands {count} times in the documents table" for path, count in paths.items() if count > 1
    )
    for row in rows:
        key = (row["doc_id"], row["extraction_id"])
        if row["pages"] and pages[key] != row["pages"]:
            yield f"{row['path']}: {row['pages']} pages, {pages[key]} in the pages table"
        expected = 0 if row["status"] == "ok" else max(1, failed[key] if row["pages"] else 1)
        if explained[row["path"]] != expected:
            yield f"{row['path']}: {explained[row['path']]} rows in the errors table, not {expected}"
    yield from (f"{path}: in the errors table only" for path in explained if path not in paths)


def _check_index(
    store: Path, snapshot: indexing.Snapshot, rows: list[dict[str, Any]], pages: Counter[Key]
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
