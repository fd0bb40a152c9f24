"""One page's result as Arrow data, and many pages' data as the tables of a part.

In: extractor.PageResult in the child; serialised batches in the parent. Out: rows of the schemas of
`indexing`. No Python object a word is made: word and line columns go from numpy to Arrow buffers. It must
not know where parts are stored.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np
import pyarrow as pa

import indexing
from pipeline.records import PageRows

KEYS = ("doc_id", "extraction_id", "page_index")
"""Columns that are the same for all lines and words of a page; added when a part is written."""

COUNTS = tuple(
    field.name
    for field in indexing.SCHEMAS["pages"]
    if pa.types.is_int32(field.type) and field.name not in KEYS
)
"""The columns of the pages table that count something: glyphs by kind, lines, words, images."""

_BOX = ("x0", "y0", "x1", "y1", "angle")


def _without_keys(schema: pa.Schema) -> pa.Schema:
    return pa.schema([field for field in schema if field.name not in KEYS])


_LINE_COLUMNS = _without_keys(indexing.SCHEMAS["lines"])
_WORD_COLUMNS = _without_keys(indexing.SCHEMAS["words"])


def page_row(result: Any) -> dict[str, Any]:
    """Return the columns of the pages table, without its keys, of one extractor.PageResult."""
    row: dict[str, Any] = asdict(result.counts)
    row.update(
        label=_valid(result.label),
        text=_valid(result.text),
        width=float(result.width),
        height=float(result.height),
        rotation=int(result.rotation),
        lines=_length(result.lines),
        words=_length(result.words),
        images=int(result.images),
        flags=[str(flag) for flag in result.flags],
        issues=[_valid(str(issue)) for issue in result.issues],
        ms=float(result.ms),
        status=result.status,
        reason=result.reason,
        message=_valid(result.message),
    )
    return row


def failed_row(reason: str, message: str) -> dict[str, Any]:
    """Return the row of a page that could not be extracted."""
    counts = dict.fromkeys(COUNTS, 0)
    return {
        **counts,
        "text": "",
        "flags": [],
        "issues": [],
        "status": "failed",
        "reason": reason,
        "message": message,
    }


def line_batch(lines: Any) -> bytes:
    """Return extractor.Lines as a serialised record batch of the lines table without its keys."""
    if lines is None:
        return b""
    count = len(lines)
    columns = [_counter(count), _text_column(lines, count), *_columns(lines, (*_BOX, "glyphs", "copies"))]
    return _serialised(columns, _LINE_COLUMNS)


def word_batch(words: Any) -> bytes:
    """Return extractor.Words as a serialised record batch of the words table without its keys."""
    if words is None:
        return b""
    count = len(words)
    line = pa.array(np.asarray(words.line, dtype=np.int32))
    columns = [
        line,
        _counter(count),
        _text_column(words, count),
        *_columns(words, (*_BOX, "glyphs", "copies")),
    ]
    return _serialised(columns, _WORD_COLUMNS)


def pages_table(pages: Sequence[PageRows], extraction_id: str) -> pa.Table:
    """Return the pages table of a part, in the order of `pages`."""
    keyed = [
        {"doc_id": page.doc_id, "extraction_id": extraction_id, "page_index": page.page_index, **page.row}
        for page in pages
    ]
    return pa.Table.from_pylist(keyed, schema=indexing.SCHEMAS["pages"])


def lines_table(pages: Sequence[PageRows], extraction_id: str) -> pa.Table:
    """Return the lines table of a part, in the order of `pages`."""
    return _joined(pages, [page.lines for page in pages], extraction_id, indexing.SCHEMAS["lines"])


def words_table(pages: Sequence[PageRows], extraction_id: str) -> pa.Table:
    """Return the words table of a part, in the order of `pages`."""
    return _joined(pages, [page.words for page in pages], extraction_id, indexing.SCHEMAS["words"])


def _valid(text: str | None) -> str | None:
    """Return `text` without lone surrogates, which no UTF-8 column can hold."""
    return None if text is None else text.encode("utf-8", "replace").decode("utf-8")


def _length(items: Any) -> int:
    """Return the number of lines or words; a page that failed has None."""
    return 0 if items is None else len(items)


def _counter(count: int) -> pa.Array:
    return pa.array(np.arange(count, dtype=np.int32))


def _text_column(items: Any, count: int) -> pa.Array:
    offsets, content = items.utf8()
    offsets = np.ascontiguousarray(offsets, dtype=np.int32)
    return pa.StringArray.from_buffers(count, pa.py_buffer(offsets), pa.py_buffer(content))


def _columns(items: Any, names: Iterable[str]) -> list[pa.Array]:
    return [pa.array(np.ascontiguousarray(getattr(items, name))) for name in names]


def _serialised(columns: list[pa.Array], schema: pa.Schema) -> bytes:
    cast = [
        column
        if column.type == field.type
        else column.cast(field.type)  # a cast to the same type takes time too
        for column, field in zip(columns, schema, strict=True)
    ]
    return bytes(pa.RecordBatch.from_arrays(cast, schema=schema).serialize())


def _joined(pages: Sequence[PageRows], blobs: list[bytes], extraction_id: str, schema: pa.Schema) -> pa.Table:
    columns = _without_keys(schema)
    batches = [pa.ipc.read_record_batch(pa.py_buffer(blob), columns) for blob in blobs if blob]
    counts = np.array([_rows_in(blob, columns) for blob in blobs], dtype=np.int64)
    table = pa.Table.from_batches(batches, schema=columns)
    keys = _key_columns(pages, counts, extraction_id)
    arrays = [keys[field.name] if field.name in keys else table.column(field.name) for field in schema]
    return pa.Table.from_arrays(arrays, schema=schema)


def _rows_in(blob: bytes, columns: pa.Schema) -> int:
    return int(pa.ipc.read_record_batch(pa.py_buffer(blob), columns).num_rows) if blob else 0


def _key_columns(pages: Sequence[PageRows], counts: np.ndarray, extraction_id: str) -> Mapping[str, pa.Array]:
    """Return the key columns for `counts[i]` rows of page i, without a Python object a row."""
    names = sorted({page.doc_id for page in pages})
    position = {name: at for at, name in enumerate(names)}
    documents = np.repeat(np.array([position[page.doc_id] for page in pages], dtype=np.int32), counts)
    indices = np.repeat(np.array([page.page_index for page in pages], dtype=np.int32), counts)
    total = int(counts.sum())
    return {
        "doc_id": pa.DictionaryArray.from_arrays(documents, pa.array(names, pa.string())).cast(pa.string()),
        "extraction_id": pa.DictionaryArray.from_arrays(
            np.zeros(total, dtype=np.int32), pa.array([extraction_id])
        ).cast(pa.string()),
        "page_index": pa.array(indices),
    }
