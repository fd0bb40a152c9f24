"""The Arrow schemas of the store's tables: the contract between extraction and indexing.

In: nothing. Out: one schema a table, with its version in the key-value metadata. Columns are only ever added.
It must not know how a PDF is read nor how an index is built.
"""

from __future__ import annotations

import pyarrow as pa

SCHEMA_VERSION = 1

_KEYS = [
    pa.field("doc_id", pa.string(), nullable=False),
    pa.field("extraction_id", pa.string(), nullable=False),
]
_BOX = [pa.field(name, pa.float32()) for name in ("x0", "y0", "x1", "y1")]


def _schema(name: str, fields: list[pa.Field]) -> pa.Schema:
    return pa.schema(
        fields, metadata={"glyphdex.table": name, "glyphdex.schema_version": str(SCHEMA_VERSION)}
    )


DOCUMENTS = _schema(
    "documents",
    [
        pa.field("path", pa.string(), nullable=False),
        *_KEYS,
        pa.field("size", pa.int64()),
        pa.field("mtime_ns", pa.int64()),
        pa.field("pages", pa.int32()),
        pa.field("title", pa.string()),
        pa.field("author", pa.string()),
        pa.field("subject", pa.string()),
        pa.field("keywords", pa.string()),
        pa.field("creator", pa.string()),
        pa.field("producer", pa.string()),
        pa.field("created", pa.timestamp("us", tz="UTC")),
        pa.field("modified", pa.timestamp("us", tz="UTC")),
        pa.field("lang", pa.string()),
        pa.field("encrypted", pa.bool_()),
        pa.field("repaired", pa.bool_()),
        pa.field("status", pa.string(), nullable=False),
        pa.field("reason", pa.string()),
        pa.field("message", pa.string()),
        pa.field("run_id", pa.string()),
    ],
)
"""One row a path. status is "ok", "partial" (some pages failed) or "failed"."""

PAGES = _schema(
    "pages",
    [
        *_KEYS,
        pa.field("page_index", pa.int32(), nullable=False),
        pa.field("label", pa.string()),
        pa.field("text", pa.string()),
        pa.field("width", pa.float32()),
        pa.field("height", pa.float32()),
        pa.field("rotation", pa.int16()),
        *[
            pa.field(name, pa.int32())
            for name in (
                "painted", "visible", "overprinted", "off_page", "hidden", "unmapped", "inserted_spaces",
                "from_forms", "from_annotations", "invisible", "white", "covered", "lines", "words", "images",
            )
        ],
        pa.field("flags", pa.list_(pa.string())),
        pa.field("issues", pa.list_(pa.string())),
        pa.field("ms", pa.float32()),
        pa.field("status", pa.string(), nullable=False),
        pa.field("reason", pa.string()),
        pa.field("message", pa.string()),
    ],
)  # fmt: skip
"""One row a page, also for a page that failed. Counts (R12): painted = visible + overprinted + off_page + hidden."""

LINES = _schema(
    "lines",
    [
        *_KEYS,
        pa.field("page_index", pa.int32(), nullable=False),
        pa.field("line", pa.int32(), nullable=False),
        pa.field("text", pa.string()),
        *_BOX,
        pa.field("angle", pa.float32()),
        pa.field("glyphs", pa.int32()),
        pa.field("copies", pa.int32()),
    ],
)
"""One row a line. Box in points, origin top left of the visible box, y down, /Rotate applied; angle in degrees."""

WORDS = _schema(
    "words",
    [
        *_KEYS,
        pa.field("page_index", pa.int32(), nullable=False),
        pa.field("line", pa.int32(), nullable=False),
        pa.field("word", pa.int32(), nullable=False),
        pa.field("text", pa.string()),
        *_BOX,
        pa.field("angle", pa.float32()),
        pa.field("glyphs", pa.int32()),
        pa.field("copies", pa.int32()),
    ],
)
"""One row a word; `word` counts within its page. glyphs: kept; copies: overprinted copies dropped from it."""

ERRORS = _schema(
    "errors",
    [
        pa.field("path", pa.string(), nullable=False),
        *[field.with_nullable(True) for field in _KEYS],
        pa.field("page_index", pa.int32()),
        pa.field("reason", pa.string(), nullable=False),
        pa.field("message", pa.string()),
        pa.field("run_id", pa.string()),
    ],
)
"""One row a failure; page_index is null where the whole document failed."""

SCHEMAS = {"documents": DOCUMENTS, "pages": PAGES, "lines": LINES, "words": WORDS, "errors": ERRORS}
