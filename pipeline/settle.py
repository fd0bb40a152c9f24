"""Which rows are live after a run.

In: the plan, what opening the files told, which pages are in the store. Out: all rows of the next
documents and errors tables, and how many files are still waiting. It must not read or write files.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import indexing
from pipeline.adoption import KnownPages
from pipeline.catalog import RunPlan
from pipeline.documents import PageOutcomes, RowBuffer, RunIdentity, document_row, error_rows
from pipeline.records import PartSummary, PlannedDocument
from pipeline.store import Row

_OUT_OF_REACH = ("unreadable", "vanished")


@dataclass(frozen=True)
class History:
    """What was live before, and who asks."""

    stored: Mapping[str, Row]
    errors: Sequence[Row]
    identity: RunIdentity


@dataclass
class Settled:
    """What is to be live."""

    rows: list[Row] = field(default_factory=list)
    errors: list[Row] = field(default_factory=list)
    pending: int = 0
    """Files that a stopped run has not finished."""
    unfinished: dict[str, str] = field(default_factory=dict)
    """The doc_ids of those of which some pages are in the store, by path."""
    kept_for_pending: list[Row] = field(default_factory=list)
    """Rows of the state before, which stay live for such files."""
    unread: list[Row] = field(default_factory=list)
    """What failed now of documents that were read before, whose rows stay as they were."""
    moved: int = 0
    """Paths that are new and whose content was known."""
    differs: bool = False
    """Whether anything is not as it was before."""


def settle(
    plan: RunPlan,
    planned: Mapping[str, PlannedDocument],
    known: KnownPages,
    written: Sequence[PartSummary],
    history: History,
) -> Settled:
    """Return the rows that are live after the run."""
    settled = Settled(rows=[*plan.unchanged.values(), *plan.outside.values()], differs=bool(plan.gone))
    outcomes = _outcomes(known, written)
    copies: dict[str, str] = {}
    buffer = RowBuffer(indexing.SCHEMAS["documents"])
    for found in plan.to_read:
        document = planned.get(found.path)
        row = document_row(document, outcomes, history.identity) if document is not None else None
        before = history.stored.get(found.path)
        if row is None:
            settled.pending += 1
            if document is not None and document.doc_id and outcomes.held.get(document.doc_id):
                settled.unfinished[found.path] = document.doc_id
            if before is not None:
                settled.kept_for_pending.append(before)
        elif before is not None and (kept := _kept(row, before)) is not None:
            settled.differs = settled.differs or (kept is not before and kept != before)
            settled.rows.append(kept)
            if _is_out_of_reach(row, before):
                settled.unread.append(row)
        else:
            settled.differs = True
            if before is None and row["doc_id"] in known.ranges:
                copies[row["path"]] = row["doc_id"]
            buffer.add(row)
    fresh = buffer.rows()
    stored = {row["doc_id"] for row in history.stored.values()} if copies else set()
    settled.moved = sum(doc_id in stored for doc_id in copies.values())
    settled.rows += [*settled.kept_for_pending, *fresh]
    renewed = {row["path"] for row in fresh}
    live = {row["path"] for row in settled.rows} - renewed
    settled.errors = [row for row in history.errors if row["path"] in live]
    settled.errors += error_rows(fresh, outcomes.failed)
    return settled


def _outcomes(known: KnownPages, written: Sequence[PartSummary]) -> PageOutcomes:
    outcomes = PageOutcomes()
    outcomes.add(known.counts(), [page for pages in known.failed.values() for page in pages])
    for part in written:
        outcomes.add(part.pages, part.failed)
    return outcomes


def _kept(row: Row, before: Row) -> Row | None:
    """Return the row that stays of a document that was read again, None where the new one takes its place."""
    if _same(row, before) and row["reason"] != "wrong_password":
        return before
    if _was_read(row, before):
        return {**before, "size": row["size"], "mtime_ns": row["mtime_ns"]}
    return before if _is_out_of_reach(row, before) else None


def _is_out_of_reach(row: Row, before: Row) -> bool:
    """Tell whether not a byte of a document could be read now that was read before: nothing is known to have changed.

    A permission was taken away, or what its link leads to is not mounted.
    """
    return not row["doc_id"] and row["reason"] in _OUT_OF_REACH and before["status"] != "failed"


def _was_read(row: Row, before: Row) -> bool:
    """Tell whether a document failed now whose very content was read before, by the same extractor.

    Its password may not be at hand this time, or the machine was short of memory: what was read stays good.
    """
    keys = ("doc_id", "extraction_id")
    same = bool(row["doc_id"]) and all(row[key] == before[key] for key in keys)
    return same and row["status"] == "failed" and before["status"] != "failed"


def _same(row: Row, before: Row) -> bool:
    return all(row[name] == before[name] for name in row if name != "run_id")
