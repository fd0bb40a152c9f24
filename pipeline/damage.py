"""Files of a snapshot that are not as they were written, and the documents whose pages are lost with them.

In: a store's folder and a snapshot. Out: damaged files, each with what is wrong; rows of documents that lost pages.
It must not change the store, but for setting damaged files aside.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import indexing
from pipeline.adoption import failed_pages
from pipeline.documents import error_rows
from pipeline.store import Row, read_rows, read_table
from pipeline.writer import TABLES, part_name

FOLDER = "damaged"
"""Where damaged files are set aside, until `glyphdex compact` deletes them."""
INDEX_FILE = "index.json"
"""The file of an index that holds the hashes of all its others."""

Key = tuple[str, str]


@dataclass(frozen=True)
class Damage:
    """A live file that is not as it was written; `name` is its path in the store."""

    name: str
    message: str

    @property
    def stem(self) -> str | None:
        """The part that the file belongs to, None for a table of the whole store or the index."""
        folder, _, file = self.name.partition("/")
        return Path(file).stem if folder in TABLES else None


def file_facts(path: Path) -> dict[str, Any]:
    """Return what a snapshot remembers of a file: its size in bytes and its SHA-256."""
    return {"size": path.stat().st_size, "sha256": indexing.digest(path)}


def live_files(snapshot: indexing.Snapshot) -> Iterator[str]:
    """Yield the names of a snapshot's files that it vouches for."""
    for names in snapshot.tables.values():
        yield from names
    if snapshot.index is not None:
        yield f"{snapshot.index}/{INDEX_FILE}"


def damaged_files(store: Path, snapshot: indexing.Snapshot, *, hashed: bool) -> Iterator[Damage]:
    """Yield the live files that are missing or have another size, and with `hashed` those with other bytes.

    Raises indexing.StoreError where the operating system does not let us look: that says nothing about the files.
    """
    for name in live_files(snapshot):
        facts = snapshot.files.get(name, {})
        try:
            size = (store / name).stat().st_size
            if size != facts.get("size", size):
                yield Damage(name, f"has {size} bytes, not {facts['size']}")
            elif hashed and facts and indexing.digest(store / name) != facts["sha256"]:
                yield Damage(name, "is not as it was written")
        except (FileNotFoundError, NotADirectoryError):
            yield Damage(name, "is missing")
        except OSError as error:
            raise indexing.StoreError(
                f"{store / name} cannot be read: {error.strerror}", "unreadable"
            ) from error


def count_pages(store: Path, stems: Iterable[str]) -> Counter[Key]:
    """Return the number of pages in these parts, by doc_id and extraction_id."""
    counted: Counter[Key] = Counter()
    for stem in stems:
        table = read_table(store, part_name("pages", stem), ["doc_id", "extraction_id"])
        counted.update(zip(table["doc_id"].to_pylist(), table["extraction_id"].to_pylist(), strict=True))
    return counted


def lost_rows(rows: Iterable[Row], pages: Mapping[Key, int]) -> dict[str, Row]:
    """Return, by path, the documents that have more pages than `pages` counts, as rows with the reason `lost`."""
    return {
        row["path"]: {
            **row,
            "pages": None,
            "status": "failed",
            "reason": "lost",
            "message": _lost(row, pages),
        }
        for row in rows
        if row["pages"] and pages.get((row["doc_id"], row["extraction_id"]), 0) < row["pages"]
    }


def _lost(row: Row, pages: Mapping[Key, int]) -> str:
    lacking = row["pages"] - pages.get((row["doc_id"], row["extraction_id"]), 0)
    return f"{lacking} of {row['pages']} pages were in damaged files of the store"


@dataclass
class LiveTables:
    """What is live in a snapshot, without its damaged files."""

    rows: list[Row] = field(default_factory=list)
    errors: list[Row] = field(default_factory=list)
    stems: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)
    """Parts left out."""
    lost: list[str] = field(default_factory=list)
    """Paths of the documents that lost pages with them."""


def live_tables(store: Path, snapshot: indexing.Snapshot | None) -> LiveTables:
    """Return what is live; parts that are missing or have another size are left out, which costs no reading."""
    if snapshot is None:
        return LiveTables()
    damage = list(damaged_files(store, snapshot, hashed=False))
    errors_whole = not any(item.name.startswith("errors/") for item in damage)
    damaged = {item.stem for item in damage if item.stem is not None}
    return without_parts(store, snapshot, damaged, errors_whole=errors_whole)


def without_parts(
    store: Path, snapshot: indexing.Snapshot, damaged: Collection[str], *, errors_whole: bool = True
) -> LiveTables:
    """Return what is live without the parts `damaged`: documents that lost pages have the reason `lost`."""
    stems = [Path(name).stem for name in snapshot.tables.get("pages", ())]
    left = [stem for stem in stems if stem not in damaged]
    rows: list[Row] = [*read_rows(store, snapshot, "documents")]
    if not damaged and errors_whole:
        return LiveTables(rows, [*read_rows(store, snapshot, "errors")], left)
    lost = lost_rows(rows, count_pages(store, left)) if damaged else {}
    errors: list[Row]
    if errors_whole:
        errors = [row for row in read_rows(store, snapshot, "errors") if row["path"] not in lost]
    else:
        kept = [row for row in rows if row["path"] not in lost and row["status"] != "ok"]
        errors = error_rows(
            kept, failed_pages(store, left, {(row["doc_id"], row["extraction_id"]) for row in kept})
        )
    errors += error_rows(lost.values(), {})
    rows = [lost.get(row["path"], row) for row in rows]
    return LiveTables(rows, errors, left, sorted(damaged), sorted(lost))


def set_aside(store: Path, stems: Iterable[str], names: Iterable[str] = ()) -> None:
    """Move all files of these parts, and these other files, to the folder of what is damaged."""
    for name in [*(part_name(table, stem) for stem in stems for table in TABLES), *names]:
        target = store / FOLDER / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if (store / name).exists():
            os.replace(store / name, target)
