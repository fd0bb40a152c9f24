"""What a store holds, counted: live and dead pages, states, reasons, flags, bytes.

In: a store. Out: numbers. It must not change the store.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pyarrow.compute as pc

import indexing
from pipeline.documents import reason_counts
from pipeline.run_report import unfinished_keys
from pipeline.store import live_mask, live_snapshot_or_fail, read_rows, read_table
from pipeline.writer import TABLES

_COLUMNS = ["doc_id", "extraction_id", "flags"]


def take_inventory(store: Path) -> dict[str, Any]:
    """Return the numbers of the live snapshot."""
    snapshot = live_snapshot_or_fail(store)
    rows = read_rows(store, snapshot, "documents")
    live = {(row["doc_id"], row["extraction_id"]) for row in rows}
    waiting = unfinished_keys(store) - live
    pages, unfinished, dead, flags, dead_bytes = 0, 0, 0, Counter[str](), 0.0
    for name in snapshot.tables.get("pages", ()):
        table = read_table(store, name, _COLUMNS)
        alive = table.filter(live_mask(table, live))
        pages += alive.num_rows
        kept = table.filter(live_mask(table, waiting)).num_rows
        unfinished += kept
        dead += table.num_rows - alive.num_rows - kept
        share = (table.num_rows - alive.num_rows - kept) / max(1, table.num_rows)
        dead_bytes += share * sum(_size(store / f"{kind}/{Path(name).name}") for kind in TABLES)
        flags.update(flag for flag in pc.list_flatten(alive["flags"]).to_pylist())
    states = Counter(row["status"] for row in rows)
    return {
        "snapshot": snapshot.number,
        "created": snapshot.created,
        "run_id": snapshot.run_id,
        "documents": {
            "total": len(rows),
            **{state: states.get(state, 0) for state in ("ok", "partial", "failed")},
        },
        "repaired": sum(bool(row["repaired"]) for row in rows),
        "reasons": reason_counts(rows),
        "pages": {"live": pages, "unfinished": unfinished, "dead": dead},
        "flags": dict(flags.most_common()),
        "parts": len(snapshot.tables.get("pages", ())),
        "segments": _segments(store, snapshot),
        "bytes": {**_bytes(store, snapshot), "dead rows": round(dead_bytes)},
        "versions": dict(snapshot.versions),
    }


def _bytes(store: Path, snapshot: indexing.Snapshot) -> dict[str, int]:
    sizes = {table: sum(_size(store / name) for name in names) for table, names in snapshot.tables.items()}
    sizes["index"] = _folder_size(store / snapshot.index) if snapshot.index else 0
    everything = _folder_size(store)
    return {**sizes, "other generations": max(0, everything - sum(sizes.values()))}


def _folder_size(folder: Path) -> int:
    """Return the bytes of the files below a folder, a file with several names counted once."""
    seen: dict[tuple[int, int], int] = {}
    for path in folder.rglob("*"):
        if path.is_file():
            status = path.stat()
            seen[(status.st_dev, status.st_ino)] = status.st_size
    return sum(seen.values())


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _segments(store: Path, snapshot: indexing.Snapshot) -> int:
    if snapshot.index is None:
        return 0
    try:
        content = json.loads((store / snapshot.index / "index.json").read_text("utf-8"))
    except (OSError, ValueError):
        return 0  # `verify` says what is wrong with it; the numbers of the tables are right all the same
    return len(content["segments"])
