"""Compares two snapshots of a store: documents and pages that came, went or changed.

In: two runs. Out: a list of changes with numbers of words. Only snapshots that are still kept can be
compared in full; of older runs the report alone remains.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

import indexing
from pipeline.store import Row, live_mask, read_rows, read_table

Key = tuple[str, str]
Texts = dict[int, str]
"""The texts of a document's pages, by page index."""


@dataclass(frozen=True)
class DocumentChange:
    """What became of one path from the first run to the second."""

    path: str
    kind: str
    """came, went, changed, or status where only the outcome differs."""
    pages_changed: int | None = 0
    """None, as for the words, where the older run's pages are no longer kept."""
    words_came: int | None = 0
    words_went: int | None = 0
    status: str = ""


def compare(store: Path, first: indexing.Snapshot, second: indexing.Snapshot) -> Iterator[DocumentChange]:
    """Yield the differences between the live rows of two snapshots, by path."""
    before = {row["path"]: row for row in read_rows(store, first, "documents")}
    after = {row["path"]: row for row in read_rows(store, second, "documents")}
    differing = [path for path in before.keys() | after.keys() if _differs(before.get(path), after.get(path))]
    texts_before = _texts(store, first, [before[path] for path in differing if path in before])
    texts_after = _texts(store, second, [after[path] for path in differing if path in after])
    for path in sorted(differing):
        old, new = before.get(path), after.get(path)
        changes = _page_changes(_pages_of(old, texts_before), _pages_of(new, texts_after))
        kind = (
            "came" if old is None else "went" if new is None else "changed" if changes[0] != 0 else "status"
        )
        if kind != "status" or _outcome(old) != _outcome(
            new
        ):  # an extraction anew that read the same is no change
            latest = new if new is not None else old
            assert latest is not None
            yield DocumentChange(path, kind, *changes, str(latest["status"]))


def _outcome(row: Row | None) -> tuple[str, str | None] | None:
    return None if row is None else (row["status"], row["reason"])


def _pages_of(row: Row | None, texts: Mapping[Key, Texts]) -> Texts | None:
    """Return the texts of a document's pages, None where some of them are no longer kept."""
    if row is None:
        return {}
    pages = texts.get(_key(row), {})
    return pages if len(pages) >= (row["pages"] or 0) else None


def _differs(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> bool:
    if old is None or new is None:
        return True
    return _key(old) != _key(new) or _outcome(old) != _outcome(new)


def _key(row: Mapping[str, Any]) -> Key:
    return row["doc_id"], row["extraction_id"]


def _texts(store: Path, snapshot: indexing.Snapshot, rows: Sequence[Row]) -> dict[Key, Texts]:
    """Return the texts of the pages of some documents, by document and page index."""
    wanted = {_key(row) for row in rows}
    found: dict[Key, Texts] = {}
    if not wanted:
        return found
    doc_ids = sorted({doc_id for doc_id, _ in wanted})
    for name in snapshot.tables.get("pages", ()):
        if not (store / name).exists():
            continue  # compacted away since: what became of these pages cannot be told any more
        columns = ["doc_id", "extraction_id", "page_index", "text"]
        table = read_table(store, name, columns, pc.field("doc_id").isin(doc_ids))
        for row in table.filter(live_mask(table, wanted)).to_pylist():
            found.setdefault(_key(row), {})[row["page_index"]] = row["text"] or ""
    return found


def _page_changes(old: Texts | None, new: Texts | None) -> tuple[int | None, int | None, int | None]:
    """Return how many pages differ, and how many words came and went on them; None where nobody can tell."""
    if old is None or new is None:
        return None, None, None
    changed = came = went = 0
    for index in old.keys() | new.keys():
        before, after = old.get(index), new.get(index)
        if before == after:
            continue
        changed += 1
        words_before, words_after = Counter((before or "").split()), Counter((after or "").split())
        came += (words_after - words_before).total()
        went += (words_before - words_after).total()
    return changed, came, went
