"""Deletes what no snapshot that is kept needs: parts, generations, snapshots, leftovers of runs that died.

In: the store's folder. Out: less in it. The caller holds the store's lock, so that nothing of a run that
is going on can be taken for a leftover.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path

import indexing
from pipeline.staging import FOLDER as STAGING

_PART_TABLES = ("pages", "lines", "words", "documents", "errors")


def sweep_leftovers(store: Path) -> None:
    """Delete half files and the staging folders of runs that died; whole parts stay to be adopted."""
    for table in _PART_TABLES:
        for path in (store / table).glob("*.tmp-*"):
            path.unlink(missing_ok=True)
    for path in (store / STAGING).glob("*"):
        shutil.rmtree(path, ignore_errors=True)


def sweep_dead(store: Path, keep: int) -> int:
    """Delete snapshots beyond the newest `keep`, and what only they name; returns the bytes freed."""
    kept = indexing.kept_snapshots(store, keep)
    numbers = {f"{snapshot.number:06d}.json" for snapshot in kept}
    freed = _delete(path for path in (store / "snapshots").glob("*") if path.name not in numbers)
    named = {name for snapshot in kept for parts in snapshot.tables.values() for name in parts}
    for table in _PART_TABLES:
        freed += _delete(
            path for path in (store / table).glob("*.parquet") if f"{table}/{path.name}" not in named
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
        path.unlink(missing_ok=True)
    return freed
