"""Reading a store: the live snapshot and its documents.

In: the store's folder. Out: snapshots and rows; StoreError, which names the file, where one is damaged. It must not
write.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

import indexing
from pipeline.lock import StoreLockedError, is_locked

Row = Mapping[str, Any]


def live_snapshot(store: Path) -> indexing.Snapshot | None:
    """Return the live snapshot, None where the folder is no store yet."""
    try:
        return indexing.read_current(store)
    except indexing.StoreError as error:
        if error.code == "no_store":
            return None
        raise


def live_snapshot_or_fail(store: Path) -> indexing.Snapshot:
    """Return the live snapshot; raises indexing.StoreError, StoreLockedError while the store's first run goes on."""
    try:
        return indexing.read_current(store)
    except indexing.StoreError as error:
        if error.code == "no_store" and is_locked(store):
            raise StoreLockedError(
                "the first run over this store is going on: nothing is committed yet"
            ) from error
        raise


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
    if (store / name).is_dir():
        raise indexing.StoreError(f"{store / name} is a folder", "damaged")  # Arrow would read what is in it
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


class StoredRow(Mapping[str, Any]):
    """A row of an Arrow table as a mapping; values become Python's when they are asked for.

    Rows of a whole archive are held in memory: as dictionaries they would take eight times as much.
    """

    __slots__ = ("_number", "_table")

    def __init__(self, table: ColumnTable, number: int) -> None:
        self._table = table
        self._number = number

    def __getitem__(self, name: str) -> Any:
        return self._table.columns[name][self._number].as_py()

    def __iter__(self) -> Iterator[str]:
        return iter(self._table.columns)

    def __len__(self) -> int:
        return len(self._table.columns)

    def __repr__(self) -> str:
        return f"StoredRow({dict(self)!r})"

    @property
    def place(self) -> tuple[ColumnTable, int]:
        """The table that holds the row, and its number in it."""
        return self._table, self._number


class ColumnTable:
    """An Arrow table in the columns of a schema, each in one piece."""

    def __init__(self, table: pa.Table, schema: pa.Schema) -> None:
        self.schema = schema
        self.columns = {field.name: _column(table, field) for field in schema}
        self._rows = table.num_rows

    def rows(self) -> Iterator[StoredRow]:
        """Yield all rows."""
        return (StoredRow(self, number) for number in range(self._rows))

    def take(self, numbers: Sequence[int]) -> pa.Table:
        """Return some rows as a table of the schema."""
        chosen = pa.array(numbers, pa.int64())
        return pa.Table.from_arrays(
            [column.take(chosen) for column in self.columns.values()], schema=self.schema
        )


def _column(table: pa.Table, field: pa.Field) -> pa.Array:
    """Return a column in one piece; null where the table was written before there was one."""
    if field.name not in table.column_names:
        return pa.nulls(table.num_rows, field.type)
    column = table.column(field.name).cast(field.type).combine_chunks()
    return column.combine_chunks() if isinstance(column, pa.ChunkedArray) else column


def read_rows(store: Path, snapshot: indexing.Snapshot | None, table: str) -> list[StoredRow]:
    """Return all live rows of a table without pages (documents, errors)."""
    names = snapshot.tables.get(table, ()) if snapshot is not None else ()
    schema = indexing.SCHEMAS[table]
    return [row for name in names for row in ColumnTable(read_table(store, name), schema).rows()]


def documents_by_path(store: Path, snapshot: indexing.Snapshot | None) -> dict[str, StoredRow]:
    """Return the live rows of the documents table, by path."""
    return {row["path"]: row for row in read_rows(store, snapshot, "documents")}


def live_mask(table: pa.Table, live: set[tuple[str, str]]) -> pa.ChunkedArray:
    """Return which rows belong to one of the documents `live`, pairs of doc_id and extraction_id."""
    joined = pc.binary_join_element_wise(table["doc_id"], table["extraction_id"], "/")
    return pc.is_in(
        joined, value_set=pa.array([f"{doc_id}/{extraction}" for doc_id, extraction in live], pa.string())
    )
