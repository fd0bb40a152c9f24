"""The end of a run: everything that is live after it, made visible by one rename.

In: rows of documents, names of parts, finished segments. Out: a new snapshot. Whatever stops the process
before the last line leaves the snapshot before it live and whole. The caller holds the store's lock.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

import indexing
from pipeline.damage import file_facts, live_files
from pipeline.documents import documents_table, errors_table
from pipeline.writer import TABLES, part_file, part_name, write_table

Row = Mapping[str, Any]
SegmentBuilder = Callable[[Iterable[str]], list[Path]]
"""Builds the segment of the part with this name and returns its folder."""


@dataclass
class CommitContent:
    """What is to be live."""

    run_id: str
    rows: Sequence[Row]
    """All live rows of the documents table."""
    errors: Sequence[Row]
    stems: Sequence[str]
    """All live parts."""
    segments: Sequence[Path] = ()
    """Segments of parts that the index before does not hold."""
    homes: Mapping[str, Iterable[str]] = field(default_factory=dict)
    """Parts by doc_id, for documents whose pages may have left the index and are live again."""
    versions: Mapping[str, str] = field(default_factory=dict)
    analysis: indexing.Analysis | None = None
    from_scratch: bool = False
    """Take nothing over from the index before."""
    fresh: Iterable[str] = ()
    """Live parts written since the snapshot before, whatever it says of a part of the same name."""
    number: int | None = None
    """Of the snapshot, where it is not the next one."""


def commit(
    store: Path, previous: indexing.Snapshot | None, content: CommitContent, build_segments: SegmentBuilder
) -> indexing.Snapshot:
    """Write tables and index of the next snapshot, and make it the live one."""
    number = content.number or (previous.number + 1 if previous is not None else 1)
    tables = {table: [part_name(table, stem) for stem in sorted(content.stems)] for table in TABLES}
    tables["documents"] = [_write_rows(store, "documents", documents_table(content.rows))]
    tables["errors"] = [_write_rows(store, "errors", errors_table(content.errors))]
    index = _assemble(store, number, previous, content, build_segments)
    snapshot = indexing.Snapshot(
        number=number,
        tables=tables,
        index=index.path,
        parent=previous.number if previous is not None else None,
        totals={
            "documents": len(content.rows),
            "pages": index.pages,
            "failed": sum(row["status"] == "failed" for row in content.rows),
            "errors": len(content.errors),
        },
        versions=dict(content.versions),
        run_id=content.run_id,
        created=datetime.now(UTC).isoformat(timespec="seconds"),
    )
    snapshot = replace(snapshot, files=_facts(store, previous, snapshot, content.fresh))
    indexing.commit_snapshot(store, snapshot)
    return snapshot


def _facts(
    store: Path, previous: indexing.Snapshot | None, snapshot: indexing.Snapshot, fresh: Iterable[str]
) -> dict[str, Mapping[str, Any]]:
    """Return what the snapshot remembers of its files; those of the snapshot before are not read again."""
    known = dict(previous.files) if previous is not None else {}
    for stem in fresh:
        for table in TABLES:
            known.pop(part_name(table, stem), None)
    return {name: known.get(name) or file_facts(store / name) for name in live_files(snapshot)}


def stems_of(snapshot: indexing.Snapshot | None) -> list[str]:
    """Return the names of the live parts."""
    return [] if snapshot is None else [Path(name).stem for name in snapshot.tables.get("pages", ())]


def _assemble(
    store: Path,
    number: int,
    previous: indexing.Snapshot | None,
    content: CommitContent,
    build_segments: SegmentBuilder,
) -> indexing.GenerationReport:
    """Return the next generation of the index; pages it lacks are indexed anew from their parts."""
    before = previous.index if previous is not None and not content.from_scratch else None

    def assemble(segments: Sequence[Path], onto: str | None) -> indexing.GenerationReport:
        return indexing.assemble(store, number, content.rows, list(segments), onto, content.analysis)

    try:
        report = assemble(content.segments, before)
    except indexing.StoreError as error:
        if before is None or error.code not in ("stale", "damaged", "no_index"):
            raise
        return assemble(build_segments(content.stems), None)
    lacking = {stem for doc_id, _, _ in report.missing for stem in content.homes.get(doc_id, ())}
    if not lacking:
        return report
    return assemble([*content.segments, *build_segments(lacking)], before)


def _write_rows(store: Path, table: str, rows: pa.Table) -> str:
    """Write a table of the whole store under a name made of its content, and return the name."""
    digest = hashlib.blake2b(digest_size=12)
    for batch in rows.combine_chunks().to_batches():
        digest.update(batch.serialize())
    stem = f"{table}-{digest.hexdigest()}"
    path = part_file(store, table, stem)
    if not path.exists():
        write_table(rows, path)
    return part_name(table, stem)
