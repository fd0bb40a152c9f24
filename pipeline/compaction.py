"""Joins small parts and drops dead rows.

In: a store. Out: new parts in place of old ones, their index segments, a new snapshot. Pages are copied row by row, nothing
is extracted; those of documents that a stopped run did not finish stay for the next. The caller holds the store's lock.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow as pa

import indexing
from pipeline.analysis import index_analysis
from pipeline.commit import CommitContent, SegmentBuilder, commit, stems_of
from pipeline.run_report import unfinished_keys
from pipeline.settings import Settings
from pipeline.store import live_mask, read_rows, read_table
from pipeline.writer import TABLES, part_file, part_name, part_stem, write_tables

_ORDER = {
    "pages": ["doc_id", "extraction_id", "page_index"],
    "lines": ["doc_id", "extraction_id", "page_index", "line"],
    "words": ["doc_id", "extraction_id", "page_index", "word"],
}


@dataclass(frozen=True)
class PartShare:
    """How many pages of a part live."""

    stem: str
    pages: int
    live: int


@dataclass
class CompactionReport:
    """What a compaction did."""

    parts_before: int = 0
    parts_after: int = 0
    dropped_pages: int = 0
    rewritten: list[str] = field(default_factory=list)
    snapshot: int | None = None


def compact(
    store: Path, snapshot: indexing.Snapshot, settings: Settings, run_id: str, build_segments: SegmentBuilder
) -> CompactionReport:
    """Rewrite what deserves it and commit; without such parts nothing is written."""
    rows = read_rows(store, snapshot, "documents")
    live = {(row["doc_id"], row["extraction_id"]) for row in rows} | unfinished_keys(store)
    stems = stems_of(snapshot)
    shares = [_share(store, stem, live) for stem in stems]
    report = CompactionReport(parts_before=len(stems), parts_after=len(stems))
    groups = list(choose_groups(shares, settings))
    replaced = {share.stem for group in groups for share in group}
    if not groups:
        return report
    for group in groups:
        report.rewritten += _rewrite(store, [share.stem for share in group if share.live], live)
        report.dropped_pages += sum(share.pages - share.live for share in group)
    kept = [stem for stem in stems if stem not in replaced]
    content = CommitContent(
        run_id,
        rows,
        read_rows(store, snapshot, "errors"),
        sorted({*kept, *report.rewritten}),
        build_segments(report.rewritten),
        versions=snapshot.versions,
        analysis=index_analysis(settings.index),
    )
    report.snapshot = commit(store, snapshot, content, build_segments).number
    report.parts_after = len(content.stems)
    return report


def choose_groups(shares: Sequence[PartShare], settings: Settings) -> Iterator[list[PartShare]]:
    """Yield the parts to be joined: small ones together, and those with many dead pages."""
    small, most = settings.store.compact_pages, settings.parts.pages
    group: list[PartShare] = []
    for share in shares:
        dead = share.pages - share.live > settings.store.compact_dead_fraction * share.pages
        if not dead and share.pages >= small:
            continue
        if group and sum(member.live for member in group) + share.live > most:
            yield from _worthwhile(group)
            group = []
        group.append(share)
    yield from _worthwhile(group)


def _worthwhile(group: list[PartShare]) -> Iterator[list[PartShare]]:
    if len(group) > 1 or any(share.live < share.pages for share in group):
        yield group


def _share(store: Path, stem: str, live: set[tuple[str, str]]) -> PartShare:
    table = read_table(store, part_name("pages", stem), ["doc_id", "extraction_id"])
    return PartShare(stem, table.num_rows, table.filter(live_mask(table, live)).num_rows)


def _rewrite(store: Path, stems: Iterable[str], live: set[tuple[str, str]]) -> list[str]:
    """Write the live rows of several parts as one part, and return its name, none where nothing lives."""
    stems = list(stems)
    if not stems:
        return []
    pages = _live_rows(store, "pages", stems, live)
    name = part_stem(pages)
    if not part_file(store, "pages", name).exists():
        for table in TABLES[:-1]:
            write_tables(store, name, {table: _live_rows(store, table, stems, live)})
        write_tables(store, name, {"pages": pages})
    return [name]


def _live_rows(store: Path, table: str, stems: Iterable[str], live: set[tuple[str, str]]) -> pa.Table:
    """Return the live rows of several parts in the order of a part."""
    schema = indexing.SCHEMAS[table]
    pieces = []
    for stem in stems:
        rows = read_table(store, part_name(table, stem))
        pieces.append(rows.filter(live_mask(rows, live)).select(schema.names).cast(schema))
    joined = pa.concat_tables(pieces)
    return joined.sort_by([(column, "ascending") for column in _ORDER[table]])
