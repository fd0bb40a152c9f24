"""Pages with a flag: those that need text recognition, those whose text is garbled.

In: a store's live snapshot. Out: rows with path, page and flag. It must not change the store.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pyarrow.compute as pc

import indexing
from pipeline.reasons import DOCUMENT_FLAGS
from pipeline.store import read_rows, read_table

_COLUMNS = ["doc_id", "extraction_id", "page_index", "flags"]


def flagged_pages(store: Path, snapshot: indexing.Snapshot, flag: str) -> list[dict[str, Any]]:
    """Return one row a live page (and path), or document, that carries `flag`, in the columns of the errors table."""
    paths: dict[tuple[str, str], list[str]] = {}
    rows = read_rows(store, snapshot, "documents")
    if flag in DOCUMENT_FLAGS:
        return [
            {"path": row["path"], "page_index": None, "reason": flag, "message": None}
            for row in rows
            if row[flag]
        ]
    for row in rows:
        paths.setdefault((row["doc_id"], row["extraction_id"]), []).append(row["path"])
    found: list[dict[str, Any]] = []
    for name in snapshot.tables.get("pages", ()):
        table = read_table(store, name, _COLUMNS)
        table = table.filter(pc.greater(pc.list_value_length(table["flags"]), 0))
        for page in table.to_pylist():
            if flag in page["flags"]:
                for path in paths.get((page["doc_id"], page["extraction_id"]), ()):
                    found.append(
                        {"path": path, "page_index": page["page_index"], "reason": flag, "message": None}
                    )
    return found
