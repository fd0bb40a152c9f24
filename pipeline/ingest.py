"""One run: from inputs to a new snapshot.

In: a store, inputs, settings. Out: a RunReport, written to STORE/runs too. It decides the order of things
and leaves each of them to its module; Beam is imported only where there is a file to open.
"""

from __future__ import annotations

import contextlib
import dataclasses
import resource
import time
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

import indexing
from pipeline.adoption import KnownPages, adoptable, forget_failed, known_pages, unnamed_first
from pipeline.analysis import index_analysis
from pipeline.catalog import RunPlan, check_guard, exceeds_guard, make_plan
from pipeline.commit import CommitContent, SegmentBuilder, commit, stems_of
from pipeline.damage import LiveTables, live_tables, set_aside
from pipeline.discover import Discovery, InputError, discover
from pipeline.documents import RunIdentity, reason_counts
from pipeline.extraction import extraction_id
from pipeline.lock import StoreLock
from pipeline.memory import MemoryWatch
from pipeline.moves import find_moves
from pipeline.passwords import collect_passwords
from pipeline.paths import path_text
from pipeline.progress import Log, format_bytes, quiet_libraries
from pipeline.records import FoundFile, PartSummary, PlannedDocument
from pipeline.request import NAMED, IngestRequest, check_request, listed_paths, plan_rules
from pipeline.run_report import RunReport, new_run_id, unfinished_documents, write_report
from pipeline.segments import build_segments, built_segments
from pipeline.settle import History, Settled, settle
from pipeline.staging import Staging
from pipeline.store import Row, index_opens, live_snapshot
from pipeline.sweep import sweep_dead, sweep_leftovers
from pipeline.versions import versions
from pipeline.worker import Worker
from pipeline.writer import SUMMED


@dataclass
class _Run:
    """The state of one run, from phase to phase."""

    request: IngestRequest
    report: RunReport
    staging: Staging
    log: Log
    snapshot: indexing.Snapshot | None
    live: LiveTables
    extraction_id: str
    plan: RunPlan = field(default_factory=RunPlan)
    discovery: Discovery = field(default_factory=Discovery)
    stems: list[str] = field(default_factory=list)
    known: KnownPages = field(default_factory=KnownPages)
    adopted: list[str] = field(default_factory=list)
    adopted_pages: int = 0
    rewritten: list[str] = field(default_factory=list)
    written: list[PartSummary] = field(default_factory=list)
    planned: Mapping[str, PlannedDocument] = field(default_factory=dict)
    passwords: tuple[str, ...] = field(default=(), repr=False)

    @cached_property
    def stored(self) -> dict[str, Row]:
        """The live rows of the documents table, by path."""
        return {row["path"]: row for row in self.live.rows}


def ingest(request: IngestRequest, log: Log) -> RunReport:
    """Bring the store up to date with the inputs, and return what was done."""
    check_request(request)
    passwords = collect_passwords(
        request.settings.passwords
    )  # a wrong list is said also where none is needed
    request.store.mkdir(parents=True, exist_ok=True)
    with StoreLock(request.store):
        sweep_leftovers(request.store)
        run = _begin(request, log)
        run.passwords = tuple(passwords)
        started = time.monotonic()
        watch = MemoryWatch()
        try:
            with watch:
                _work(run)
        except InputError:
            raise  # nothing was begun: that is no run to report
        except BaseException as error:
            run.report.state, run.report.error = "failed", f"{type(error).__name__}: {error}"
            run.report.details = getattr(error, "details", "")
            run.report.seconds = round(time.monotonic() - started, 3)
            with contextlib.suppress(OSError):  # the disk may be full: the error itself is what matters
                write_report(request.store, run.report)
            raise
        run.report.seconds = round(time.monotonic() - started, 3)
        _measure(run.report, watch)
        run.report.check()
        write_report(request.store, run.report)
        run.staging.remove()
        return run.report


@dataclass(frozen=True)
class Preview:
    """What a run would do."""

    plan: RunPlan
    found: int
    moves: dict[str, str]
    """For new paths with known content, the path it is known by."""


def preview(request: IngestRequest) -> Preview:
    """Return what a run would do, without writing anything."""
    check_request(request)
    collect_passwords(request.settings.passwords)
    snapshot = unnamed_first(request.store) or live_snapshot(request.store)
    stored = {row["path"]: row for row in live_tables(request.store, snapshot).rows}
    discovery = discover(request.inputs, request.settings.discover, stored, listed_paths(request, stored))
    plan = make_plan(discovery, stored, plan_rules(request))
    return Preview(plan, len(discovery.files), find_moves(stored, plan))


def _begin(request: IngestRequest, log: Log) -> _Run:
    run_id = new_run_id()
    begun = unnamed_first(request.store)
    if begun is not None:  # whole, with all it names: to write it again under the same number could only lose
        indexing.commit_snapshot(request.store, begun)
    snapshot = live_snapshot(request.store)
    options = {
        name: value for name, value in dataclasses.asdict(request.settings).items() if name != "passwords"
    }
    report = RunReport(
        run_id=run_id,
        command=request.command,
        started=datetime.now(UTC).isoformat(timespec="seconds"),
        inputs=[path_text(name) for name in (*request.inputs, *request.listed[:NAMED])],
        options=options,
        versions=versions(),
        extraction_id=extraction_id(request.settings.extractor),
    )
    live = live_tables(request.store, snapshot)
    report.damaged = live.damaged
    staging = Staging(request.store, run_id)
    return _Run(request, report, staging, log, snapshot, live, report.extraction_id)


def _work(run: _Run) -> None:
    with _phase(run, "discover"):
        _discover(run)
    with _phase(run, "resume"):
        _resume(run)
    files = run.plan.to_read
    if files:
        with _phase(run, "extract"):
            _extract(run, files)
    with _phase(run, "commit"):
        _commit(run)
    if run.report.state == "running":
        run.report.state = "done"


def _discover(run: _Run) -> None:
    request, settings = run.request, run.request.settings
    run.discovery = discover(request.inputs, settings.discover, run.stored, listed_paths(request, run.stored))
    run.plan = make_plan(run.discovery, run.stored, plan_rules(request))
    run.report.plan = run.plan.counts
    run.report.bytes = run.discovery.bytes
    run.report.skipped = [dataclasses.asdict(entry) for entry in run.discovery.skipped]
    if not settings.guard.allow_mass_delete:
        _guard(run)
    found = len(run.discovery.files)
    run.log.say("found", f"{found:,} documents found, {format_bytes(run.discovery.bytes)}", **run.plan.counts)
    if run.live.damaged:
        run.log.say(
            "damaged",
            f"{len(run.live.damaged):,} parts of the store are damaged or missing: "
            + (
                f"pages of {len(run.live.lost):,} documents are extracted anew where their files are found."
                if run.live.lost
                else "they held nothing that is live."
            ),
            parts=run.live.damaged,
        )
    if run.plan.outdated:
        number = len(run.plan.outdated)
        run.log.say(
            "outdated", f"The extractor or its options changed: {number:,} documents are extracted anew."
        )


def _guard(run: _Run) -> None:
    """Stop the run where too much would be dropped; what only moved is not dropped, which costs reading it."""
    most, dropped = run.request.settings.guard.max_delete_fraction, len(run.plan.gone)
    if exceeds_guard(dropped, len(run.stored), most):
        dropped = len(set(run.plan.gone) - set(find_moves(run.stored, run.plan).values()))
    check_guard(dropped, len(run.stored), most)


def _resume(run: _Run) -> None:
    """Find out which pages are in the store already, those of a run that died among them."""
    store = run.request.store
    run.stems = list(run.live.stems)
    set_aside(store, run.live.damaged)
    if not run.plan.to_read:
        return
    run.known = known_pages(store, run.stems, run.extraction_id)
    before = run.known.total
    run.adopted = adoptable(store, run.stems, run.known, run.extraction_id)
    run.adopted_pages = run.known.total - before
    if run.adopted:
        run.log.say(
            "resumed", f"{run.adopted_pages:,} pages of an earlier run that did not finish are taken over."
        )
    again = {run.stored[found.path]["doc_id"] for found in run.plan.again}
    for old, new in forget_failed(store, run.known, again).items():
        run.stems = [stem for stem in run.stems if stem != old]
        run.adopted = [stem for stem in run.adopted if stem != old]
        if new is not None:
            run.rewritten.append(new)


def _extract(run: _Run, files: list[FoundFile]) -> None:
    """Open and extract `files` through Beam."""
    quiet_libraries()
    from pipeline.beam_run import run_beam
    from pipeline.transforms import StageContext

    settings = run.request.settings
    run.staging.create()
    context = StageContext(
        str(run.request.store), run.report.run_id, run.extraction_id, settings, run.passwords
    )
    outcome = run_beam(files, run.known.ranges, context, run.request.beam_options, run.log)
    run.written = outcome.parts
    run.report.counters = outcome.counters
    run.report.state = "stopped" if outcome.stopped else "running"
    run.planned = run.staging.read_documents()


def _commit(run: _Run) -> None:
    """Make what was found, extracted and taken over live, unless nothing differs from what is live."""
    settled = settle(run.plan, run.planned, run.known, run.written, _history(run))
    _count(run, settled)
    run.report.unfinished = {**_left_unfinished(run), **settled.unfinished}
    run.stems = sorted({*run.stems, *run.adopted, *run.rewritten, *(part.stem for part in run.written)})
    if run.snapshot is not None and not settled.differs and _is_up_to_date(run, run.snapshot):
        run.report.snapshot = run.snapshot.number
        return
    worker = Worker(run.request.settings, [])
    try:
        builder = _segment_builder(run, worker)
        segments = [*built_segments(run.staging), *builder([*run.adopted, *run.rewritten])]
        snapshot = commit(run.request.store, run.snapshot, _content(run, settled, segments), builder)
    finally:
        worker.close()
    run.report.snapshot = snapshot.number
    run.report.pages["live"] = snapshot.totals["pages"]
    _sweep(run)


def _left_unfinished(run: _Run) -> dict[str, str]:
    """Return what an earlier run left unfinished and the inputs of this one say nothing about."""
    identity, documents = unfinished_documents(run.request.store)
    if identity != run.extraction_id:
        return {}
    found = run.discovery
    return {
        path: name for path, name in documents.items() if path not in found.files and path not in found.scope
    }


def _is_up_to_date(run: _Run, snapshot: indexing.Snapshot) -> bool:
    """Tell whether no part was written and the index is one that this version can read."""
    return run.stems == sorted(stems_of(snapshot)) and index_opens(
        run.request.store, index_analysis(run.request.settings.index)
    )


def _sweep(run: _Run) -> None:
    """Delete what is dead; the commit is done, so that a failure here is only said."""
    try:
        kept = run.request.settings.store
        sweep_dead(run.request.store, kept.generations, kept.history)
    except OSError as error:
        run.log.say("sweep", f"Old files could not be deleted: {error}")


def _history(run: _Run) -> History:
    return History(run.stored, run.live.errors, RunIdentity(run.report.run_id, run.extraction_id))


def _content(run: _Run, settled: Settled, segments: list[Path]) -> CommitContent:
    return CommitContent(
        run.report.run_id,
        settled.rows,
        settled.errors,
        run.stems,
        segments,
        run.known.homes,
        run.report.versions,
        index_analysis(run.request.settings.index),
        fresh=[*run.rewritten, *(part.stem for part in run.written)],
    )


def _segment_builder(run: _Run, worker: Worker) -> SegmentBuilder:
    def build(stems: Iterable[str]) -> list[Path]:
        return build_segments(worker, run.request.store, run.staging, stems)

    return build


def _count(run: _Run, settled: Settled) -> None:
    """Put the numbers of the run into its report."""
    report = run.report
    unread = {row["path"]: row for row in settled.unread}
    of_found = [unread.get(row["path"], row) for row in settled.rows if row["path"] in run.discovery.files]
    report.unread = [{name: row[name] for name in ("path", "reason", "message")} for row in settled.unread]
    states = {state: sum(row["status"] == state for row in of_found) for state in ("ok", "partial", "failed")}
    report.documents = {"found": len(run.discovery.files), **states, "pending": settled.pending}
    report.documents["ok"] -= sum(row["status"] == "ok" for row in settled.kept_for_pending)
    for state in ("partial", "failed"):
        report.documents[state] -= sum(row["status"] == state for row in settled.kept_for_pending)
    report.reasons = reason_counts(of_found)
    report.repaired = sum(bool(row["repaired"]) for row in of_found)
    report.moved = settled.moved
    report.parts = [part.stem for part in run.written]
    totals = {name: sum(part.totals[name] for part in run.written) for name in ("pages", "failed", *SUMMED)}
    extracted, failed = int(totals.pop("pages")), int(totals.pop("failed"))
    report.pages = {"extracted": extracted, "ok": extracted - failed, "failed": failed}
    report.pages["adopted"] = run.adopted_pages
    report.pages["live"] = run.snapshot.totals.get("pages", 0) if run.snapshot is not None else 0
    report.glyphs = {name: round(amount, 1) for name, amount in totals.items()}


def _measure(report: RunReport, watch: MemoryWatch) -> None:
    """Record CPU time of all processes, and the greatest memory of this one, of any child and of all together, in MB."""
    own, children = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime
    report.cpu_seconds = round(spent, 2)
    report.peak_memory_mb = {
        "pipeline": round(own.ru_maxrss / 1024),
        "child": round(children.ru_maxrss / 1024),
        "all": round(watch.peak_mb),
    }


@contextlib.contextmanager
def _phase(run: _Run, name: str) -> Iterator[None]:
    started = time.monotonic()
    try:
        yield
    finally:
        run.report.phases[name] = round(time.monotonic() - started, 3)
