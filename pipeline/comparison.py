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


@dataclass(frozen=True)
class DocumentChange:
    """What became of one path from the first run to the second."""

    path: str
    kind: str
    """came, went, changed, or status where only the outcome differs."""
    pages_changed: int = 0
    words_came: int = 0
    words_went: int = 0
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
        old_pages = texts_before.get(_key(old), {}) if old is not None else {}
        new_pages = texts_after.get(_key(new), {}) if new is not None else {}
        changed, came, went = _count_changes(old_pages, new_pages)
        kind = "came" if old is None else "went" if new is None else "changed" if changed else "status"
        latest = new if new is not None else old
        assert latest is not None
        yield DocumentChange(path, kind, changed, came, went, str(latest["status"]))


def _differs(old: Mapping[str, Any] | None, new: Mapping[str, Any] | None) -> bool:
    if old is None or new is None:
        return True
    return _key(old) != _key(new) or (old["status"], old["reason"]) != (new["status"], new["reason"])


def _key(row: Mapping[str, Any]) -> Key:
    return row["doc_id"], row["extraction_id"]


def _texts(store: Path, snapshot: indexing.Snapshot, rows: Sequence[Row]) -> dict[Key, dict[int, str]]:
    """Return the texts of the pages of some documents, by document and page index."""
    wanted = {_key(row) for row in rows}
    found: dict[Key, dict[int, str]] = {}
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


def _count_changes(old: Mapping[int, str], new: Mapping[int, str]) -> tuple[int, int, int]:
    """Return how many pages differ, and how many words came and went on them."""
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
