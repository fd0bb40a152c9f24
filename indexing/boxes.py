"""Where a question's words stand on a page: from marks in the text to boxes of words.

In: the live parts of the `pages` and `words` tables, what to mark. Out: boxes in points. The only place where the search
reads Parquet, and only when it is asked for boxes. It must not know how pages are drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from indexing.errors import StoreError
from indexing.results import WordBox
from indexing.snapshot import Snapshot

Key = tuple[str, str]


def read_page_rows(
    store: Path, snapshot: Snapshot, table: str, key: Key, page: int, columns: Sequence[str]
) -> list[dict[str, Any]]:
    """Read the rows of one page from a table; the newest part that has them wins.

    Args:
        store: the store's folder.
        snapshot: names the live parts.
        table: "pages", "lines" or "words".
        key: doc_id and extraction_id.
        page: page number, from 1.
        columns: names of the columns.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    wanted = [("doc_id", "=", key[0]), ("extraction_id", "=", key[1]), ("page_index", "=", page - 1)]
    for name in reversed(list(snapshot.tables.get(table, ()))):
        try:
            rows = pq.read_table(store / name, columns=list(columns), filters=wanted, partitioning=None)
        except (pa.ArrowException, OSError) as error:
            raise StoreError(f"{store / name} cannot be read: {error}", "damaged") from error
        if rows.num_rows:
            found: list[dict[str, Any]] = rows.to_pylist()
            return found
    return []


def boxes_of(
    text: str, words: Sequence[dict[str, Any]], spans: Sequence[tuple[int, int]]
) -> tuple[WordBox, ...]:
    """Find the words that marked parts of a page's text cover, wholly or in part.

    Args:
        text: the page's text.
        words: rows of the `words` table, in reading order.
        spans: marked parts, in characters of the text; they rise.
    """
    found: list[WordBox] = []
    at = number = 0
    for word in words:
        start = text.find(word["text"], at)
        if start < 0:
            continue
        at = end = start + len(word["text"])
        while number < len(spans) and spans[number][1] <= start:
            number += 1
        if number < len(spans) and spans[number][0] < end:
            found.append(WordBox(*(word[name] for name in ("text", "x0", "y0", "x1", "y1", "angle"))))
    return tuple(found)
