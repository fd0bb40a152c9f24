"""The way back from a damaged store: what is whole stays, what is lost is named and extracted anew by the next ingest.

In: a store. Out: a store without faults, and what was done, in sentences. Nothing is deleted: damaged files are set
aside. No PDF is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import indexing
from pipeline.commit import CommitContent, commit, stems_of
from pipeline.damage import Damage, LiveTables, damaged_files, set_aside, without_parts
from pipeline.settings import Settings
from pipeline.store import live_snapshot_or_fail, read_rows
from pipeline.upkeep import Workshop, locked_store
from pipeline.verification import faulty_parts, index_faults

Say = Callable[[str], None]


@dataclass
class RepairReport:
    """What a repair did."""

    actions: list[str] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    """Paths of documents that the next ingest extracts anew."""
    snapshot: int | None = None


def repair_store(store: Path, settings: Settings) -> RepairReport:
    """Make a store whole again from what is left of it."""
    report = RepairReport()
    _refuse_what_is_no_store(store)
    with locked_store(store, settings, "repair") as workshop:
        base = _whole_snapshot(store, report.actions.append)
        if base is None:
            report.snapshot = _start_over(workshop, report).number
        else:
            report.snapshot = _mend(workshop, base, report)
        workshop.report.snapshot = report.snapshot
    return report


def _refuse_what_is_no_store(store: Path) -> None:
    try:
        live_snapshot_or_fail(store)
    except indexing.StoreError as error:
        if error.code != "damaged":
            raise


def _whole_snapshot(store: Path, say: Say) -> indexing.Snapshot | None:
    """Return the newest snapshot that is whole and whose documents are known, and make it the live one."""
    live: indexing.Snapshot | None = None
    try:
        live = indexing.read_current(store)
    except indexing.StoreError as error:
        if error.code != "damaged":
            raise
        say(error.message)
    for snapshot in [live] if live is not None else []:
        if not _table_damage(store, snapshot, "documents"):
            return snapshot
        say(f"the documents table of snapshot {snapshot.number} is damaged or missing")
    for snapshot in _other_snapshots(store, live):
        if not _table_damage(store, snapshot, "documents"):
            indexing.commit_snapshot(store, snapshot)
            say(f"snapshot {snapshot.number} of {snapshot.created} is the newest whole one: it is live again")
            return snapshot
    return None


def _other_snapshots(store: Path, live: indexing.Snapshot | None) -> Iterator[indexing.Snapshot]:
    for number in indexing.snapshot_numbers(store):
        if live is not None and number >= live.number:
            continue  # a commit that was never completed
        try:
            yield indexing.read_snapshot(store, number)
        except indexing.StoreError as error:
            if error.code != "damaged":
                raise
            set_aside(store, [], [f"snapshots/{number:06}.json"])  # a later commit may have its number


def _table_damage(store: Path, snapshot: indexing.Snapshot, table: str) -> list[Damage]:
    names = set(snapshot.tables.get(table, ()))
    found = [damage for damage in damaged_files(store, snapshot, hashed=True) if damage.name in names]
    if found or not names:
        return found or [Damage(table, "is not named")]
    try:
        read_rows(store, snapshot, table)
    except indexing.StoreError as error:  # written before hashes were kept
        return [Damage(table, error.message)]
    return []


def _start_over(workshop: Workshop, report: RepairReport) -> indexing.Snapshot:
    """Commit a store without documents; its parts stay on disk, where the next ingest finds their pages."""
    report.actions.append(
        "no documents table is whole: the next ingest hashes every file and takes its pages over"
    )
    number = max(indexing.snapshot_numbers(workshop.store), default=0) + 1
    return _commit(workshop, None, LiveTables([], [], []), from_scratch=True, number=number)


def _mend(workshop: Workshop, base: indexing.Snapshot, report: RepairReport) -> int:
    """Leave out what is damaged, and commit where anything is; return the number of the live snapshot."""
    store = workshop.store
    damage = list(damaged_files(store, base, hashed=True))
    damaged = {item.stem for item in damage if item.stem is not None}
    damaged |= set(faulty_parts(store, [stem for stem in stems_of(base) if stem not in damaged]))
    errors_damage = _table_damage(store, base, "errors")
    index_damage = list(index_faults(store, base))
    if not (damage or damaged or errors_damage or index_damage):
        return base.number
    tables = without_parts(store, base, damaged, errors_whole=not errors_damage)
    report.actions += [f"{item.name} {item.message}: set aside" for item in damage if item.stem is not None]
    report.actions += ["the errors table was written anew"] if errors_damage else []
    report.actions += ["the index was built anew"] if index_damage else []
    report.lost = tables.lost
    set_aside(store, damaged, [name for name in base.tables.get("errors", ()) if errors_damage])
    number = max(indexing.snapshot_numbers(store)) + 1
    return _commit(workshop, base, tables, from_scratch=bool(index_damage), number=number).number


def _commit(
    workshop: Workshop, base: indexing.Snapshot | None, tables: LiveTables, *, from_scratch: bool, number: int
) -> indexing.Snapshot:
    segments: Sequence[Path] = workshop.build(tables.stems) if from_scratch else []
    content = CommitContent(
        workshop.report.run_id,
        tables.rows,
        tables.errors,
        tables.stems,
        segments,
        versions=base.versions if base is not None else workshop.report.versions,
        analysis=workshop.analysis,
        from_scratch=from_scratch,
        number=number,
    )
    return commit(workshop.store, base, content, workshop.build)
