"""Deletes what no snapshot that is kept needs: parts, generations, snapshots, leftovers of runs that died.

In: the store's folder. Out: less in it. The caller holds the store's lock, so that nothing of a run that
is going on can be taken for a leftover.
"""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterable
from pathlib import Path

import indexing
from pipeline.staging import FOLDER as STAGING

_SMALL_TABLES = ("documents", "errors")
_PART_TABLES = ("pages", "lines", "words", *_SMALL_TABLES)
_OTHER_ENTRIES = {"CURRENT", "damaged", "index", "lock", "lost+found", "runs", "snapshots", STAGING}


def is_of_store(name: str) -> bool:
    """Tell whether an entry with this name may stand in a store's folder."""
    return name in _OTHER_ENTRIES or name in _PART_TABLES or name.startswith((".", "CURRENT.tmp-"))


def sweep_leftovers(store: Path) -> None:
    """Delete half files and the staging folders of runs that died; whole parts stay to be adopted."""
    for folder in (store, store / "runs", *(store / table for table in _PART_TABLES)):
        for path in folder.glob("*.tmp-*"):
            path.unlink(missing_ok=True)
    for path in (store / STAGING).glob("*"):
        shutil.rmtree(path, ignore_errors=True)


def sweep_dead(store: Path, keep: int, history: int, spared: Collection[str] = ()) -> int:
    """Delete what the newest `keep` snapshots, and the small tables of `history`, do not need.

    `spared` are parts that no snapshot names and that stay for the next run to take over. Returns the bytes freed.
    """
    remembered = indexing.kept_snapshots(store, max(keep, history))
    kept = remembered[:keep]
    numbers = {f"{snapshot.number:06d}.json" for snapshot in remembered}
    freed = _delete(path for path in (store / "snapshots").glob("*") if path.name not in numbers)
    for table in _PART_TABLES:
        holders = remembered if table in _SMALL_TABLES else kept
        named = {name for snapshot in holders for name in snapshot.tables.get(table, ())}
        freed += _delete(
            path
            for path in (store / table).glob("*.parquet")
            if f"{table}/{path.name}" not in named and path.stem not in spared
        )
    generations = {snapshot.index for snapshot in kept}
    for folder in (store / "index").glob("*gen-*"):
        if f"index/{folder.name}" not in generations:
            shutil.rmtree(folder, ignore_errors=True)
    return freed


def _delete(paths: Iterable[Path]) -> int:
    freed = 0
    for path in list(paths):
        freed += path.stat().st_size
        if path.is_dir():
            shutil.rmtree(path, ignore_errors=True)  # nothing of ours: something took the place of a file
        else:
            path.unlink(missing_ok=True)
    return freed
