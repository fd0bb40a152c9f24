"""Parquet parts: pages collected in memory, then written as one file a table, all under one name.

In: PageRows. Out: files in the folders pages, lines and words of the store and a PartSummary. The name
comes from the content, so that a repeated bundle writes the same names; the pages file is written last, so
that it vouches for the others. It must not know which parts are live.
"""

from __future__ import annotations

import hashlib
import os
import time
import uuid
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq

import indexing
from pipeline.records import FailedPage, PageRows, PartSummary
from pipeline.rows import COUNTS, lines_table, pages_table, words_table
from pipeline.settings import PartSettings

TABLES = ("words", "lines", "pages")
"""The tables of a part in the order in which they are written."""

SUMMED = (*COUNTS, "ms")
"""The columns of pages whose sums a part's summary holds."""

_HASHED = ("doc_id", "extraction_id", "page_index", "status", "reason", "lines", "words", "text")
_ROW_GROUP = {"pages": 1024, "lines": 65_536, "words": 65_536}
_COMPRESSION_LEVEL = 3


class PartWriter:
    """Collects pages until a limit is met; `add` and `flush` return the summaries of parts written."""

    def __init__(self, store: Path, extraction_id: str, limits: PartSettings) -> None:
        self._store = store
        self._extraction_id = extraction_id
        self._limits = limits
        self._pages: list[PageRows] = []
        self._bytes = 0
        self._since = 0.0

    def add(self, page: PageRows) -> list[PartSummary]:
        """Take one page; writes a part when it is full or old."""
        if not self._pages:
            self._since = time.monotonic()
        self._pages.append(page)
        self._bytes += page.size
        full = len(self._pages) >= self._limits.pages or self._bytes >= self._limits.mb << 20
        old = time.monotonic() - self._since >= self._limits.seconds
        return self.flush() if full or old else []

    def flush(self) -> list[PartSummary]:
        """Write what is held as one part, if anything is."""
        if not self._pages:
            return []
        pages = sorted(self._pages, key=lambda page: (page.doc_id, page.page_index))
        self._pages, self._bytes = [], 0
        return [write_part(self._store, self._extraction_id, pages)]


def write_part(store: Path, extraction_id: str, pages: Sequence[PageRows]) -> PartSummary:
    """Write pages, sorted by document and number, as one part, unless it is there already."""
    table = pages_table(pages, extraction_id)
    stem = part_stem(table)
    if not part_file(store, "pages", stem).exists():
        write_tables(
            store,
            stem,
            {"words": words_table(pages, extraction_id), "lines": lines_table(pages, extraction_id)},
        )
        write_tables(store, stem, {"pages": table})
    return summarize(stem, pages)


def write_tables(store: Path, stem: str, tables: Mapping[str, pa.Table]) -> None:
    """Write files of a part, in the order of `tables`; pages must come last of a part."""
    for table, rows in tables.items():
        write_table(rows, part_file(store, table, stem), _ROW_GROUP[table])


def part_file(store: Path, table: str, stem: str) -> Path:
    """Return where a part keeps the rows of a table."""
    return store / part_name(table, stem)


def part_name(table: str, stem: str) -> str:
    """Return what a snapshot calls that file: its path in the store."""
    return f"{table}/{stem}.parquet"


def part_stem(pages: pa.Table) -> str:
    """Return a part's name, a hash of keys, texts and outcomes of its pages table; not of times."""
    digest = hashlib.blake2b(digest_size=12)
    columns = [pages.column(name).to_pylist() for name in _HASHED]
    for row in zip(*columns, strict=True):
        digest.update(repr(row).encode("utf-8"))
    return f"part-{digest.hexdigest()}"


def write_table(table: pa.Table, path: Path, row_group: int = 65_536) -> None:
    """Write one Parquet file so that it is there whole or not at all, also after a power cut."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.tmp-{uuid.uuid4().hex}")
    try:
        with open(temporary, "wb") as target:
            pq.write_table(
                table,
                target,
                compression="zstd",
                compression_level=_COMPRESSION_LEVEL,
                row_group_size=row_group,
                write_page_checksum=True,
            )
            target.flush()
            os.fsync(target.fileno())
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    indexing.sync_folder(path.parent)


def summarize(stem: str, pages: Sequence[PageRows]) -> PartSummary:
    """Return the sums over the pages of a part."""
    totals: dict[str, float] = {name: sum(page.row.get(name) or 0 for page in pages) for name in SUMMED}
    failed = tuple(
        FailedPage(page.doc_id, page.page_index, str(page.row["reason"]), str(page.row["message"]))
        for page in pages
        if page.row["status"] != "ok"
    )
    totals["pages"], totals["failed"] = len(pages), len(failed)
    return PartSummary(stem, dict(Counter(page.doc_id for page in pages)), totals, failed)
