"""The record of a run: what it was asked, what it found, did and left, with totals that add up.

In: counts and times. Out: RunReport, its JSON form in STORE/runs, its summary for people, its exit code.
It must not know how the numbers came about.
"""

from __future__ import annotations

import json
import secrets
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import indexing
from pipeline.paths import shown
from pipeline.progress import format_bytes

FOLDER = "runs"
EXIT_OK, EXIT_FAILED_RUN, EXIT_USAGE, EXIT_SOME_FAILED, EXIT_LOCKED, EXIT_GUARD = 0, 1, 2, 3, 4, 5
EXIT_INTERRUPTED = 130
_NAMED = 3
"""Paths that a line of the summary names."""


@dataclass
class RunReport:
    """One run; every number is about this run unless it says otherwise."""

    run_id: str
    command: str
    started: str
    inputs: list[str] = field(default_factory=list)
    options: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, str] = field(default_factory=dict)
    extraction_id: str = ""
    state: str = "running"
    """running, done, stopped (by a person, committed what was whole) or failed (nothing committed)."""
    snapshot: int | None = None
    seconds: float = 0.0
    phases: dict[str, float] = field(default_factory=dict)
    """Wall-clock seconds of each phase."""
    plan: dict[str, int] = field(default_factory=dict)
    """Files by what was to be done with them: new, changed, outdated, again, unchanged, gone, outside."""
    documents: dict[str, int] = field(default_factory=dict)
    """found = ok + partial + failed + pending; pending are those a stopped run has not finished."""
    unfinished: dict[str, str] = field(default_factory=dict)
    """The doc_ids, by path, of documents of which the store holds some pages only: resumed by the next run over them."""
    moved: int = 0
    repaired: int = 0
    """Documents that are cut short or damaged and were read all the same."""
    reasons: dict[str, int] = field(default_factory=dict)
    unread: list[dict[str, str]] = field(default_factory=list)
    """Documents that could not be read now and were before: their rows stay; among the failed here."""
    pages: dict[str, int] = field(default_factory=dict)
    """extracted = ok + failed; adopted from a run that died; live in the store after the run."""
    glyphs: dict[str, float] = field(default_factory=dict)
    bytes: int = 0
    skipped: list[dict[str, str]] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)
    """Parts of the store that were damaged or missing when the run began."""
    peak_memory_mb: dict[str, float] = field(default_factory=dict)
    """Greatest resident memory of the pipeline and of any child; of all processes together (proportional set sizes)."""
    cpu_seconds: float = 0.0
    counters: dict[str, int] = field(default_factory=dict)
    error: str | None = None
    details: str = ""
    """What Beam printed where a stage failed."""

    @property
    def exit_code(self) -> int:
        """The code the command ends with."""
        if self.state == "failed":
            return EXIT_FAILED_RUN
        if self.state == "stopped":
            return EXIT_INTERRUPTED
        troubled = sum(self.documents.get(state, 0) for state in ("failed", "partial", "pending"))
        return EXIT_SOME_FAILED if troubled or self.unlisted else EXIT_OK

    @property
    def unlisted(self) -> list[str]:
        """The folders that could not be listed."""
        return [entry["path"] for entry in self.skipped if entry["reason"] == "unreadable_folder"]

    def check(self) -> None:
        """Raise ArithmeticError where the totals do not add up: documents or pages were lost on the way."""
        documents, pages = self.documents, self.pages
        parts = sum(documents.get(name, 0) for name in ("ok", "partial", "failed", "pending"))
        if parts != documents.get("found", 0):
            raise ArithmeticError(f"{documents.get('found')} documents found, {parts} accounted for")
        if pages.get("ok", 0) + pages.get("failed", 0) != pages.get("extracted", 0):
            raise ArithmeticError(f"{pages.get('extracted')} pages extracted, not the sum of ok and failed")


def new_run_id() -> str:
    """Return a name that sorts by time and is used once."""
    now = datetime.now(UTC)
    return f"{now:%Y%m%dT%H%M%S}.{now.microsecond // 1000:03}Z-{secrets.token_hex(2)}"


def write_report(store: Path, report: RunReport) -> Path:
    """Write the report to STORE/runs and return its file."""
    folder = store / FOLDER
    folder.mkdir(exist_ok=True)
    path = folder / f"{report.run_id}.json"
    content = json.dumps(asdict(report), ensure_ascii=False, indent=1) + "\n"
    indexing.write_atomically(path, content.encode())
    return path


def read_reports(store: Path) -> Iterator[dict[str, Any]]:
    """Yield the reports of a store, oldest first; a file that is no report is passed over."""
    for path in sorted((store / FOLDER).glob("*.json")):
        try:
            report = json.loads(path.read_text("utf-8"))
        except (OSError, ValueError):
            continue  # a report cut short by a full disk is no reason not to show the others
        if isinstance(report, dict) and "run_id" in report:
            yield report


def unfinished_documents(store: Path) -> tuple[str, dict[str, str]]:
    """Return the extraction id and the unfinished documents of the last ingest that came to its end."""
    for path in sorted((store / FOLDER).glob("*.json"), reverse=True):
        try:
            report = json.loads(path.read_text("utf-8"))
            if report["command"] in ("ingest", "retry") and report["state"] in ("done", "stopped"):
                return str(report["extraction_id"]), dict(report.get("unfinished", {}))
        except (OSError, ValueError, KeyError, TypeError):
            continue  # cut short by a full disk, or no report
    return "", {}


def unfinished_keys(store: Path) -> set[tuple[str, str]]:
    """Return doc_id and extraction_id of the documents whose pages wait for the rest of them."""
    extraction_id, documents = unfinished_documents(store)
    return {(doc_id, extraction_id) for doc_id in documents.values()}


def plan_words(plan: Mapping[str, int], moved: int) -> str:
    """Return what is to be done with the files, in words; those moved or copied are among the new ones."""
    names = ("new", "changed", "outdated", "again", "unchanged", "gone")
    changes = ", ".join(f"{plan[name]:,} {name}" for name in names if plan.get(name))
    return changes + (f"; {moved:,} moved or copied" if moved else "")


def summary_lines(report: RunReport) -> Iterator[str]:
    """Yield the end-of-run summary, a line at a time."""
    documents, pages, plan = report.documents, report.pages, report.plan
    yield (
        f"{documents.get('found', 0):,} documents found: {documents.get('ok', 0):,} ok, "
        f"{documents.get('partial', 0):,} partial, {documents.get('failed', 0):,} failed"
        + (f", {documents['pending']:,} pending" if documents.get("pending") else "")
        + f" ({format_bytes(report.bytes)})"
    )
    changes = plan_words(plan, report.moved)
    if changes:
        yield f"  of them {changes}"
    extracted, ok, failed = (pages.get(name, 0) for name in ("extracted", "ok", "failed"))
    yield (
        f"{extracted:,} pages extracted: {ok:,} ok, {failed:,} failed"
        + (f"; {pages['adopted']:,} taken over from a run that died" if pages.get("adopted") else "")
        + f"; {pages.get('live', 0):,} pages in the store"
    )
    yield from _reason_lines(report.reasons)
    if report.repaired:
        yield f"  {report.repaired:,} repaired: cut short or damaged, pages or text may be missing"
    if report.skipped:
        counts = Counter(entry["reason"] for entry in report.skipped).most_common()
        yield "  passed over: " + ", ".join(f"{count:,} {reason}" for reason, count in counts)
    yield from _named_lines("folders could not be listed", report.unlisted)
    yield from _named_lines("documents could not be read", [entry["path"] for entry in report.unread])
    pace = pages.get("extracted", 0) / report.seconds if report.seconds else 0.0
    speed = f", {pace:,.0f} pages a second" if pages.get("extracted") else ""
    yield f"{report.seconds:,.1f} s{speed}" + (f"; snapshot {report.snapshot}" if report.snapshot else "")


def _named_lines(what: str, paths: Sequence[str]) -> Iterator[str]:
    """Yield a line that names some of the paths whose rows stay although this run could not look."""
    if paths:
        names = ", ".join(shown(path) for path in paths[:_NAMED]) + (", ..." if len(paths) > _NAMED else "")
        yield f"  {len(paths):,} {what}, what the store holds of them stays: {names}"


def _reason_lines(reasons: Mapping[str, int]) -> Iterator[str]:
    if reasons:
        yield "  not ok: " + ", ".join(f"{count:,} {shown(reason)}" for reason, count in reasons.items())
