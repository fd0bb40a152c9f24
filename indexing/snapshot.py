r"""The store's snapshots: which files are live, and the one pointer whose replacement commits a run.

In: a store's folder. Out: `Snapshot` values, and their files written so that a crash at any moment leaves the last
commit readable. A writer must hold the store's lock; readers never do. It must not know what tables or indexes hold.

    STORE/CURRENT                 "000042\\n"
    STORE/snapshots/000042.json   the fields of `Snapshot`
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from indexing.errors import StoreError
from indexing.files import encode_json, read_json, write_atomically

SNAPSHOT_VERSION: Final = 1
CURRENT: Final = "CURRENT"
SNAPSHOTS: Final = "snapshots"


@dataclass(frozen=True, slots=True)
class Snapshot:
    """What is live in a store after one commit; paths are relative to the store, with "/" between names.

    Attributes:
        number: counts up by one with every commit, from 1.
        parent: the number of the snapshot before, or None.
        tables: live part files of each table.
        index: folder of the index generation, or None for a store without an index.
        files: {"size": bytes, "sha256": hexadecimal} of each live file by its name, and of the index's index.json.
        totals: counts for people and reports, such as documents and pages.
        versions: of the programs that wrote it.
        run_id: the run that committed it.
        created: when, ISO 8601, UTC.
    """

    number: int
    tables: Mapping[str, Sequence[str]]
    index: str | None = None
    parent: int | None = None
    totals: Mapping[str, int] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    run_id: str | None = None
    created: str | None = None
    files: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    version: int = SNAPSHOT_VERSION


def snapshot_path(store: Path, number: int) -> Path:
    """Name the file of a snapshot."""
    return store / SNAPSHOTS / f"{number:06d}.json"


def current_number(store: Path) -> int | None:
    """Return the number of the live snapshot, or None for a folder that is no store (yet).

    A snapshot without CURRENT means that CURRENT is lost, or that the very first commit was cut off just before it.
    """
    try:
        text = (store / CURRENT).read_text("ascii").strip()
    except (FileNotFoundError, NotADirectoryError) as error:
        if snapshot_numbers(store):
            raise StoreError(f"{store / CURRENT} is missing, and there are snapshots", "damaged") from error
        return None
    except OSError as error:
        raise StoreError(f"{store / CURRENT} cannot be read: {error.strerror}", "unreadable") from error
    except UnicodeDecodeError as error:
        raise StoreError(f"{store / CURRENT} does not name a snapshot", "damaged") from error
    if not re.fullmatch("[0-9]{1,12}", text):
        raise StoreError(f"{store / CURRENT} does not name a snapshot", "damaged")
    return int(text)


def snapshot_numbers(store: str | Path) -> list[int]:
    """List the snapshots on disk by number, newest first, whole or not."""
    try:
        names = os.listdir(Path(store) / SNAPSHOTS)
    except (FileNotFoundError, NotADirectoryError):
        return []
    return sorted(
        (int(name[:-5]) for name in names if re.fullmatch(r"[0-9]{6,12}\.json", name)), reverse=True
    )


def read_snapshot(store: str | Path, number: int) -> Snapshot:
    """Read one snapshot; raise StoreError "damaged" where it is not as it was written."""
    path = snapshot_path(Path(store), number)
    value = read_json(path)
    if value.get("version") != SNAPSHOT_VERSION:
        raise StoreError(f"{path} has version {value.get('version')!r}: made by a newer program", "stale")
    if value.get("seal", _seal(value)) != _seal(value):
        raise StoreError(f"{path} is not as it was written", "damaged")
    return _checked(value, path)


def _seal(value: Mapping[str, Any]) -> str:
    """Hash a snapshot's fields; those written before there were seals have none."""
    fields = {name: value[name] for name in value if name != "seal"}
    return hashlib.sha256(json.dumps(fields, sort_keys=True).encode()).hexdigest()


def _checked(value: dict[str, Any], path: Path) -> Snapshot:
    """Make a Snapshot of JSON, refusing paths that lead out of the store."""
    known = {name: value[name] for name in Snapshot.__slots__ if name in value}
    try:
        snapshot = Snapshot(**known)
        names = [name for parts in snapshot.tables.values() for name in parts]
    except (TypeError, AttributeError) as error:
        raise StoreError(f"{path} is not a snapshot: {error}", "damaged") from error
    for name in [*names, *([snapshot.index] if snapshot.index is not None else [])]:
        if not isinstance(name, str) or name.startswith("/") or ".." in name.split("/"):
            raise StoreError(f"{path} names {name!r}, which is not inside the store", "damaged")
    return snapshot


def read_current(store: str | Path) -> Snapshot:
    """Read the live snapshot; raise StoreError "no_store" where there is none."""
    store = Path(store)
    number = current_number(store)
    if number is None:
        why = f"it has no file {CURRENT}"
        if not store.is_dir():
            why = "it is a file" if store.exists() else "there is no such folder"
        raise StoreError(f"{store} is not a store: {why}", "no_store")
    return read_snapshot(store, number)


def write_snapshot(store: Path, snapshot: Snapshot) -> Path:
    """Write a snapshot's file; it is not live before `set_current`."""
    path = snapshot_path(store, snapshot.number)
    path.parent.mkdir(parents=True, exist_ok=True)
    value = asdict(snapshot)
    write_atomically(path, encode_json({**value, "seal": _seal(value)}))
    return path


def set_current(store: Path, number: int) -> None:
    """Make a snapshot the live one: the commit point of a run."""
    write_atomically(store / CURRENT, f"{number:06d}\n".encode())


def commit_snapshot(store: str | Path, snapshot: Snapshot) -> None:
    """Write a snapshot and make it the live one."""
    store = Path(store)
    write_snapshot(store, snapshot)
    set_current(store, snapshot.number)


def kept_snapshots(store: str | Path, keep: int = 2) -> list[Snapshot]:
    """Read the live snapshot and those before it, newest first, `keep` at most.

    A parent that is missing or damaged ends the list.
    """
    store = Path(store)
    found = [read_current(store)]
    while len(found) < keep:
        parent = found[-1].parent
        if parent is None:
            break
        try:
            found.append(read_snapshot(store, parent))
        except StoreError as error:
            if error.code == "unreadable":
                raise
            break
    return found


def dead_snapshots(store: str | Path, keep: int = 2) -> list[Path]:
    """List the files of snapshots that are neither live nor kept, and of those never made live."""
    store = Path(store)
    kept = {snapshot_path(store, snapshot.number).name for snapshot in kept_snapshots(store, keep)}
    folder = store / SNAPSHOTS
    return [folder / name for name in sorted(os.listdir(folder)) if name not in kept]
