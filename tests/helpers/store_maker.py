"""Stores from texts: pages as Parquet parts, segments, generations, snapshots, without any PDF."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

import indexing


@dataclass
class Doc:
    """A document: its paths, the texts of its pages, and what the documents table says of it."""

    path: str
    texts: Sequence[str]
    more: Mapping[str, Any] = field(default_factory=dict)
    copies: Sequence[str] = ()
    flags: Mapping[int, Sequence[str]] = field(default_factory=dict)
    extraction_id: str = "x1"

    @property
    def doc_id(self) -> str:
        return hashlib.sha256("\f".join([self.extraction_id and "", *self.texts]).encode()).hexdigest()[:32]

    def page_rows(self) -> list[dict[str, Any]]:
        return [
            {
                "doc_id": self.doc_id,
                "extraction_id": self.extraction_id,
                "page_index": number,
                "label": str(number + 1),
                "text": text,
                "flags": list(self.flags.get(number, ())),
                "issues": [],
                "status": "ok",
            }
            for number, text in enumerate(self.texts)
        ]

    def document_rows(self) -> list[dict[str, Any]]:
        row = {
            "doc_id": self.doc_id,
            "extraction_id": self.extraction_id,
            "pages": len(self.texts),
            "status": "ok",
            "created": datetime(2020, 5, 17, tzinfo=UTC),
            **self.more,
        }
        return [{**row, "path": path} for path in (self.path, *self.copies)]


def write_part(path: Path, rows: Sequence[Mapping[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    pq.write_table(pa.Table.from_pylist(list(rows), schema=indexing.SCHEMAS["pages"]), path)
    return path


def build(folder: Path, docs: Iterable[Doc], name: str = "part") -> indexing.SegmentReport:
    """Write one part of all pages and make its segment."""
    rows = [row for doc in docs for row in doc.page_rows()]
    part = write_part(folder / f"{name}.parquet", rows)
    return indexing.build_segment(part, folder / f"segment-{name}")


def commit(
    store: Path,
    docs: Sequence[Doc],
    segments: Sequence[indexing.SegmentReport],
    *,
    fresh: bool = False,
    number: int | None = None,
) -> indexing.GenerationReport:
    """Assemble the next generation from segments and make it live."""
    current = indexing.current_number(store)
    before = indexing.read_current(store) if current is not None else None
    following = number or (current or 0) + 1
    rows = [row for doc in docs for row in doc.document_rows()]
    previous = before.index if before is not None and not fresh else None
    report = indexing.assemble(store, following, rows, segments, previous)
    indexing.commit_snapshot(
        store, indexing.Snapshot(following, {"pages": []}, report.path, current, {"pages": report.pages})
    )
    return report


def make_store(folder: Path, docs: Sequence[Doc], *, parts: int = 1) -> Path:
    """Make a store of documents, their pages dealt to a number of parts in order."""
    store = folder / "store"
    store.mkdir(parents=True)
    size = -(-len(docs) // parts) if docs else 1
    segments = [
        build(folder / "parts", docs[start : start + size], f"p{start:04d}")
        for start in range(0, len(docs), size)
    ]
    commit(store, docs, segments)
    return store


def found(store: Path, question: str, **options: Any) -> list[tuple[str, int]]:
    """Return path and page number of all hits."""
    with indexing.open_index(store) as index:
        result = index.search(question, 1000, options=indexing.SearchOptions(**options))
    return [(hit.path, hit.page) for hit in result.hits]
