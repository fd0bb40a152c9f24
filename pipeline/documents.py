"""Rows of the documents and errors tables.

In: planned documents, which of their pages are in the store, and which of those failed. Out: rows by path,
and rows of failures. It must not read or write files.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

import pyarrow as pa

import indexing
from pipeline.records import FailedPage, PlannedDocument
from pipeline.store import ColumnTable, Row, StoredRow

_BUFFERED = 4096


@dataclass
class PageOutcomes:
    """Which pages of which documents the store holds after the run, for one extraction id."""

    held: dict[str, int] = field(default_factory=dict)
    """Number of pages by doc_id."""
    failed: dict[str, list[FailedPage]] = field(default_factory=dict)

    def add(self, pages: Mapping[str, int], failed: Iterable[FailedPage]) -> None:
        """Count the pages of one part."""
        for doc_id, count in pages.items():
            self.held[doc_id] = self.held.get(doc_id, 0) + count
        for page in failed:
            self.failed.setdefault(page.doc_id, []).append(page)


class RowBuffer:
    """New rows, turned to Arrow some thousands at a time: those of a whole archive are held in memory."""

    def __init__(self, schema: pa.Schema) -> None:
        self._schema = schema
        self._held: list[Row] = []
        self._rows: list[Row] = []

    def add(self, row: Row) -> None:
        """Take one row."""
        self._held.append(row)
        if len(self._held) >= _BUFFERED:
            self._rows += self._turned()

    def rows(self) -> list[Row]:
        """Return all rows taken, in order."""
        if self._held:
            self._rows += self._turned()
        return self._rows

    def _turned(self) -> Iterator[Row]:
        held, self._held = self._held, []
        return ColumnTable(pa.Table.from_pylist(held, schema=self._schema), self._schema).rows()


@dataclass(frozen=True)
class RunIdentity:
    """What every row of a run carries."""

    run_id: str
    extraction_id: str


def document_row(planned: PlannedDocument, outcomes: PageOutcomes, run: RunIdentity) -> Row | None:
    """Return the row of one path, or None where pages of it are still missing (the run was stopped)."""
    row: dict[str, Any] = {field.name: None for field in indexing.SCHEMAS["documents"]}
    row.update(planned.facts)
    row.update(
        path=planned.path,
        doc_id=planned.doc_id or "",
        extraction_id=run.extraction_id,
        size=planned.size,
        mtime_ns=planned.mtime_ns,
        pages=planned.pages,
        created=_moment(planned.facts.get("created")),
        modified=_moment(planned.facts.get("modified")),
        run_id=run.run_id,
    )
    if planned.reason is not None:
        return {
            **row,
            "pages": None,
            "status": "failed",
            "reason": planned.reason,
            "message": planned.message,
        }
    if planned.pages == 0:
        return {**row, "status": "failed", "reason": "no_pages", "message": "the document has no pages"}
    if outcomes.held.get(planned.doc_id or "", 0) < planned.pages:
        return None
    return {**row, **_status(planned, outcomes.failed.get(planned.doc_id or "", []))}


def _status(planned: PlannedDocument, failed: Sequence[FailedPage]) -> dict[str, Any]:
    if not failed:
        return {"status": "ok", "reason": None, "message": None}
    reason = Counter(page.reason for page in failed).most_common(1)[0][0]
    message = f"{len(failed)} of {planned.pages} pages failed"
    return {
        "status": "failed" if len(failed) >= planned.pages else "partial",
        "reason": reason,
        "message": message,
    }


def _moment(text: str | datetime | None) -> datetime | None:
    if text is None or isinstance(text, datetime):
        return text
    moment = datetime.fromisoformat(text)
    return moment if 1 <= moment.year <= 9999 else None


def error_rows(rows: Iterable[Row], failed: Mapping[str, Sequence[FailedPage]]) -> list[Row]:
    """Return one row a failure of the live documents: of the document itself, or of each page that failed."""
    found: list[Row] = []
    for row in rows:
        if row["status"] == "ok":
            continue
        shared = {name: row[name] for name in ("path", "doc_id", "extraction_id", "run_id")}
        pages = failed.get(row["doc_id"], [])
        if not pages:
            found.append({**shared, "page_index": None, "reason": row["reason"], "message": row["message"]})
        for page in sorted(pages, key=lambda page: page.page_index):
            where = {"page_index": page.page_index, "reason": page.reason, "message": page.message}
            found.append({**shared, **where})
    return found


def documents_table(rows: Iterable[Row]) -> pa.Table:
    """Return the documents table, sorted by path."""
    return as_table(rows, indexing.SCHEMAS["documents"]).sort_by("path")


def errors_table(rows: Sequence[Row]) -> pa.Table:
    """Return the errors table."""
    return as_table(rows, indexing.SCHEMAS["errors"])


def as_table(rows: Iterable[Row], schema: pa.Schema) -> pa.Table:
    """Return rows as a table, those that lie in one already without a Python object a value."""
    stored: dict[ColumnTable, list[int]] = {}
    others: list[Row] = []
    for row in rows:
        if isinstance(row, StoredRow):
            table, number = row.place
            stored.setdefault(table, []).append(number)
        else:
            others.append(row)
    pieces = [table.take(numbers) for table, numbers in stored.items()]
    return pa.concat_tables([*pieces, pa.Table.from_pylist(others, schema=schema)])


def reason_counts(rows: Iterable[Row]) -> dict[str, int]:
    """Return how many documents are not ok, by reason, most frequent first."""
    return dict(Counter(row["reason"] for row in rows if row["status"] != "ok").most_common())
