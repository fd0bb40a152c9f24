"""Reading a store: the live snapshot and its documents.

In: the store's folder. Out: snapshots and rows; StoreError, which names the file, where one is damaged. It must not
write.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import indexing


def live_snapshot(store: Path) -> indexing.Snapshot | None:
    """Return the live snapshot, None where the folder is no store yet."""
    try:
        return indexing.read_current(store)
    except indexing.StoreError as error:
        if error.code == "no_store":
            return None
        raise


def live_snapshot_or_fail(store: Path) -> indexing.Snapshot:
    """Return the live snapshot; raises indexing.StoreError where the folder is no store."""
    return indexing.read_current(store)


def index_opens(store: Path, analysis: indexing.Analysis) -> bool:
    """Tell whether the live index is there, whole at first sight, and made with this analysis."""
    try:
        with indexing.open_index(store) as index:
            index.search("a", 1)
            return bool(index.generation.analysis == analysis)
    except indexing.StoreError as error:
        if error.code in ("no_store", "unreadable"):
            raise
        return False


def read_table(
    store: Path, name: str, columns: Sequence[str] | None = None, filters: pc.Expression | None = None
) -> pa.Table:
    """Return columns of the Parquet file that a snapshot calls `name`; raises indexing.StoreError."""
    wanted = None if columns is None else list(columns)
    try:
        return pq.read_table(store / name, columns=wanted, filters=filters, partitioning=None)
    except FileNotFoundError as error:
        raise indexing.StoreError(f"{store / name} is missing", "damaged") from error
    except PermissionError as error:
        raise indexing.StoreError(f"{store / name} cannot be read: {error.strerror}", "unreadable") from error
    except (
        OSError,
        pa.ArrowException,
    ) as error:  # Arrow says broken compression as an OSError without a number
        code = "damaged" if getattr(error, "errno", None) is None else "unreadable"
        raise indexing.StoreError(f"{store / name} cannot be read: {error}", code) from error


def read_rows(store: Path, snapshot: indexing.Snapshot | None, table: str) -> list[dict[str, Any]]:
    """Return all live rows of a small table (documents, errors)."""
    if snapshot is None:
        return []
    parts = [read_table(store, name) for name in snapshot.tables.get(table, ())]
    rows: list[dict[str, Any]] = pa.concat_tables(parts).to_pylist() if parts else []
    return rows


def documents_by_path(store: Path, snapshot: indexing.Snapshot | None) -> dict[str, dict[str, Any]]:
    """Return the live rows of the documents table, by path."""
    return {row["path"]: row for row in read_rows(store, snapshot, "documents")}


def live_mask(table: pa.Table, live: set[tuple[str, str]]) -> pa.ChunkedArray:
    """Return which rows belong to one of the documents `live`, pairs of doc_id and extraction_id."""
    joined = pc.binary_join_element_wise(table["doc_id"], table["extraction_id"], "/")
    return pc.is_in(
        joined, value_set=pa.array([f"{doc_id}/{extraction}" for doc_id, extraction in live], pa.string())
    )
