"""Work on a store without inputs: compaction, and the index made anew.

In: a store and settings. Out: a new snapshot and a report in STORE/runs. It holds the store's lock meanwhile.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import indexing
from pipeline.adoption import orphan_stems
from pipeline.analysis import index_analysis
from pipeline.commit import CommitContent, SegmentBuilder, commit, stems_of
from pipeline.compaction import CompactionReport, compact
from pipeline.damage import FOLDER as DAMAGED
from pipeline.lock import StoreLock
from pipeline.run_report import RunReport, new_run_id, write_report
from pipeline.segments import build_segment, build_segments, part_groups
from pipeline.settings import Settings
from pipeline.staging import Staging
from pipeline.store import live_snapshot_or_fail, read_rows
from pipeline.sweep import sweep_dead, sweep_leftovers
from pipeline.versions import versions
from pipeline.worker import Worker


@dataclass(frozen=True)
class Workshop:
    """A locked store and what is needed to build segments in it."""

    store: Path
    analysis: indexing.Analysis
    report: RunReport
    build: SegmentBuilder
    build_group: Callable[[list[str]], Path]
    """Builds one segment of all these parts."""


def compact_store(store: Path, settings: Settings) -> CompactionReport:
    """Join small parts, drop dead rows, delete what no kept snapshot names."""
    live_snapshot_or_fail(store)
    with locked_store(store, settings, "compact") as workshop:
        snapshot = live_snapshot_or_fail(store)
        waiting = _never_committed(store)
        done = compact(store, snapshot, settings, workshop.report.run_id, workshop.build)
        workshop.report.snapshot = done.snapshot or snapshot.number
        workshop.report.parts = done.rewritten
        shutil.rmtree(store / DAMAGED, ignore_errors=True)
        sweep_dead(store, settings.store.generations, settings.store.history, waiting)
        return done


def rebuild_index(store: Path, settings: Settings, advance: Callable[[int, int], None]) -> indexing.Snapshot:
    """Build the index anew from the tables alone; `advance` is told (segments done, segments) as it goes."""
    live_snapshot_or_fail(store)
    with locked_store(store, settings, "index rebuild") as workshop:
        before = live_snapshot_or_fail(store)
        stems, waiting = stems_of(before), _never_committed(store)
        segments = []
        groups = part_groups(store, stems)
        for done, group in enumerate(groups):
            advance(done, len(groups))
            segments.append(workshop.build_group(group))
        content = CommitContent(
            workshop.report.run_id,
            read_rows(store, before, "documents"),
            read_rows(store, before, "errors"),
            stems,
            segments,
            versions=before.versions,
            analysis=workshop.analysis,
            from_scratch=True,
        )
        snapshot = commit(store, before, content, workshop.build)
        workshop.report.snapshot = snapshot.number
        sweep_dead(store, settings.store.generations, settings.store.history, waiting)
        return snapshot


def _never_committed(store: Path) -> set[str]:
    """Return the parts of runs that died: what they finished is for the next ingest."""
    numbers = indexing.snapshot_numbers(store)
    known = {stem for snapshot in indexing.kept_snapshots(store, len(numbers)) for stem in stems_of(snapshot)}
    return set(orphan_stems(store, known))


@contextmanager
def locked_store(store: Path, settings: Settings, command: str) -> Iterator[Workshop]:
    """Hold the lock for the time of the work, then write the report."""
    analysis = index_analysis(settings.index)
    run_id = new_run_id()
    staging = Staging(store, run_id)
    started = time.monotonic()
    worker = Worker(settings, [])

    def build(stems: Iterable[str]) -> list[Path]:
        return build_segments(worker, store, staging, stems)

    def build_group(stems: list[str]) -> Path:
        return build_segment(worker, store, staging, stems)

    with StoreLock(store):
        sweep_leftovers(store)
        moment = datetime.now(UTC).isoformat(timespec="seconds")
        report = RunReport(run_id, command, moment, versions=versions())
        try:
            yield Workshop(store, analysis, report, build, build_group)
        finally:
            worker.close()
            staging.remove()
        report.state, report.seconds = "done", round(time.monotonic() - started, 3)
        write_report(store, report)
