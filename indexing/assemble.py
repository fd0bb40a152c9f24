"""From finished segments to the next generation of the index.

In: the folder of the generation before, finished segments, and the live rows of `documents`. Out: a new folder
`index/gen-NNNNNN`, complete and synced, holding a Whoosh index of the live pages, `documents/`, a Whoosh index of the
live documents, and index.json. Nothing is parsed or inverted again: files get a second name. The generation is not
live before a snapshot names it and CURRENT names the snapshot; that is the caller's commit. The caller holds the
store's lock. It must not know of PDF or Beam, nor how a question is answered.
"""

from __future__ import annotations

import datetime
import os
import shutil
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from indexing.analyzer import Analysis
from indexing.documents import DocumentEntry, collect_documents, write_documents
from indexing.files import (
    digest,
    encode_json,
    sync_file,
    sync_folder,
    write_atomically,
)
from indexing.generation import DOCUMENTS_FOLDER, GENERATION_FILE, PAGES_FILE
from indexing.merge import merge_segments
from indexing.merge_policy import plan_merges
from indexing.schema import INDEX_VERSION, document_schema, fingerprint, page_schema
from indexing.segment import DESCRIPTION, SegmentReport
from indexing.segment_files import INDEX_NAME, SegmentFacts, describe_segment
from indexing.sources import Source, adopt_segment, collect_sources, mark_live, read_source, segment_facts

_MERGING: Final = "merging"


@dataclass(frozen=True, slots=True)
class GenerationReport:
    """What `assemble` made.

    Attributes:
        path: folder of the generation, relative to the store: what the snapshot's `index` must name.
        pages: live pages.
        documents: live documents (several paths may lead to one).
        deleted: pages still in the files that no longer live.
        segments: segments of pages.
        size: bytes, counting files shared with the generation before.
        missing: live documents with fewer pages in the index than `documents` says: (doc_id, expected, found).
    """

    path: str
    pages: int
    documents: int
    deleted: int
    segments: int
    size: int
    missing: tuple[tuple[str, int, int], ...]


def generation_path(number: int) -> str:
    """Name the folder of a generation, relative to the store."""
    return f"index/gen-{number:06d}"


def assemble(
    store: str | Path,
    number: int,
    documents: Iterable[Mapping[str, Any]],
    segments: Sequence[SegmentReport | str | Path],
    previous: str | None = None,
    analysis: Analysis | None = None,
) -> GenerationReport:
    """Make generation `number` of a store's index.

    Args:
        store: the store's folder.
        number: number of the generation, that of the snapshot that will name it.
        documents: ALL live rows of the `documents` table, one a path, as mappings.
        segments: new segments, as reported by `build_segment` or as folders.
        previous: the generation before, as its snapshot names it, or None to start anew.
        analysis: as for the segments.

    Raises:
        StoreError: "stale" if a segment or the generation before was made with another schema or analysis.
    """
    store = Path(store)
    analysis = analysis or Analysis()
    mark = fingerprint(analysis)
    entries = collect_documents(documents)
    sources = collect_sources(store, previous, segments, mark)
    mark_live(sources, {entry.key: place for place, entry in enumerate(entries)})
    sources = [source for source in sources if source.live]
    target = store / generation_path(number)
    beside = target.with_name(f".{target.name}.tmp")
    for leftover in (target, beside):
        shutil.rmtree(leftover, ignore_errors=True)
    (beside / DOCUMENTS_FOLDER).mkdir(parents=True)
    sources = _merge_some(sources, beside / _MERGING, mark)
    facts = write_documents(beside / DOCUMENTS_FOLDER, entries, analysis)
    _write_generation(beside, number, sources, facts, mark, analysis)
    shutil.rmtree(beside / _MERGING, ignore_errors=True)
    os.replace(beside, target)
    sync_folder(target.parent)
    return _report(target, generation_path(number), sources, entries)


def _merge_some(sources: list[Source], folder: Path, mark: str) -> list[Source]:
    """Merge what the policy names; a merged segment stands where the last of its members stood."""
    groups = plan_merges([source.live for source in sources], [len(source.document) for source in sources])
    merged = list[Source | None](sources)
    for number, group in enumerate(groups):
        into = folder / str(number)
        into.mkdir(parents=True)
        members = [sources[place] for place in group]
        segment_id = merge_segments([member.merge_input() for member in members], into, mark)
        for place in group:
            merged[place] = None
        one = read_source(into, segment_id)
        one.document = np.concatenate([member.document[member.document >= 0] for member in members])
        merged[group[-1]] = one
    return [source for source in merged if source is not None]


def _write_generation(
    folder: Path, number: int, sources: Sequence[Source], facts: SegmentFacts, mark: str, analysis: Analysis
) -> None:
    """Adopt the segments' files and write both tables of contents, the map of pages and index.json."""
    for source in sources:
        adopt_segment(source, folder)
    pages = [np.column_stack([source.document, source.table[:, 1:]]) for source in sources]
    np.save(folder / PAGES_FILE, np.concatenate([np.zeros((0, 8), np.int32), *pages]), allow_pickle=False)
    dead = [np.flatnonzero(source.document < 0).tolist() for source in sources]
    _write_contents(folder, page_schema(), [
        describe_segment(segment_facts(source.description), deleted)
        for source, deleted in zip(sources, dead, strict=True)
    ])  # fmt: skip
    _write_contents(folder / DOCUMENTS_FOLDER, document_schema(), [describe_segment(facts)])
    own = [folder / PAGES_FILE, *(path for path in folder.rglob("*") if path.is_file() and _is_own(path))]
    for path in own:
        sync_file(path)
    head = {
        "version": INDEX_VERSION,
        "number": number,
        "created": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "fingerprint": mark,
        "analysis": asdict(analysis),
        "totals": {
            "pages": sum(source.live for source in sources),
            "deleted": sum(map(len, dead)),
            "documents": facts.documents,
        },
        "segments": [
            {**source.description, "keys": len(source.description["keys"]), "live": source.live}
            for source in sources
        ],
        "documents": asdict(facts),
        "files": {
            path.relative_to(folder).as_posix(): {"size": path.stat().st_size, "sha256": digest(path)}
            for path in sorted({*own, *folder.glob(f"*.{DESCRIPTION}")})
        },
    }
    write_atomically(folder / GENERATION_FILE, encode_json(head))
    sync_folder(folder / DOCUMENTS_FOLDER)


def _is_own(path: Path) -> bool:
    """Tell files of this generation only from those shared with others."""
    return path.parent.name == DOCUMENTS_FOLDER or path.suffix == ".toc"


def _write_contents(folder: Path, schema: object, segments: list[Any]) -> None:
    """Write Whoosh's table of contents."""
    from whoosh.filedb.filestore import FileStorage
    from whoosh.index import TOC

    TOC(schema, segments, 1).write(FileStorage(str(folder)), INDEX_NAME)


def _report(
    folder: Path, path: str, sources: Sequence[Source], entries: Sequence[DocumentEntry]
) -> GenerationReport:
    """Count what the generation holds, and whether all pages are there."""
    found = np.zeros(len(entries), np.int64)
    for source in sources:
        found += np.bincount(source.document[source.document >= 0], minlength=len(entries))
    missing = tuple(
        (entry.key[0], int(entry.row["pages"] or 0), int(count))
        for entry, count in zip(entries, found, strict=True)
        if entry.row.get("pages") is not None and entry.row["pages"] != count
    )
    return GenerationReport(
        path,
        pages=int(found.sum()),
        documents=len(entries),
        deleted=sum(len(source.document) for source in sources) - int(found.sum()),
        segments=len(sources),
        size=sum(item.stat().st_size for item in folder.rglob("*") if item.is_file()),
        missing=missing,
    )
