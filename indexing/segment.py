"""From Parquet parts of pages to one finished Whoosh segment in a folder of its own.

In: part files of the `pages` table. Out: the segment's files, a description beside them, and a report. Runs in a
worker process, needs no lock and touches nothing else. It must not know of PDF, of Beam or of other segments.
"""

from __future__ import annotations

import gc
import hashlib
import itertools
import os
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from indexing.analyzer import Analysis, stemmer
from indexing.errors import StoreError
from indexing.files import digest, encode_json, read_json, sync_file, sync_folder, write_atomically
from indexing.inversion import Inverter
from indexing.merge_policy import LARGE_PAGE, group_sizes
from indexing.schema import PAGE_FLAG, PAGE_TEXT, fingerprint
from indexing.seams import SeamFinder
from indexing.segment_files import FieldContent, SegmentFacts, encode_stored, write_segment
from indexing.texts import TextWriter, texts_path

DESCRIPTION: Final = "segment.json"
_COLUMNS: Final = ("doc_id", "extraction_id", "page_index", "label", "text", "flags", "status")


@dataclass(frozen=True, slots=True)
class SegmentReport:
    """What `build_segment` made; plain values, so that it can cross a process.

    Attributes:
        folder: where the segment's files are.
        segment_id: made of the parts' content and the analysis: the same parts give the same segment.
        fingerprint: of schema and analysis; only equal ones can be assembled.
        parts: file names of the parts.
        pages: pages in the parts, all of them in the segment, failed ones without terms.
        terms: distinct terms.
        size: bytes of the segment's files.
        cpu_ms: CPU time taken, milliseconds.
    """

    folder: str
    segment_id: str
    fingerprint: str
    parts: tuple[str, ...]
    pages: int
    terms: int
    size: int
    cpu_ms: float


@dataclass(frozen=True, slots=True)
class PageTable:
    """Which page stands behind each document number of a segment, and what scores and phrases need of it.

    Attributes:
        keys: distinct (doc_id, extraction_id), in order of first appearance.
        columns: one row a page, int32: key number, page_index, length of the text field, number of positions, and
            where the body starts and ends (`seams`).
    """

    keys: list[tuple[str, str]]
    columns: npt.NDArray[np.int32]


def build_segment(
    parts: str | Path | Sequence[str | Path], folder: str | Path, analysis: Analysis | None = None
) -> SegmentReport:
    """Make one finished segment of one or several parts of the `pages` table.

    A segment of several parts is smaller than theirs would be, and is searched faster: most words stand in all of them.

    Args:
        parts: path of the Parquet file, or of several (`group_parts`), whose pages are taken in their order.
        folder: folder to make; it is replaced where it exists (a stage that is run again).
        analysis: settings of the analysis; the same for all segments of an index.

    Raises:
        StoreError: "input" if a file is not a part of the `pages` table.
    """
    started = time.process_time()
    analysis = analysis or Analysis()
    files = [Path(parts)] if isinstance(parts, (str, Path)) else [Path(part) for part in parts]
    folder = Path(folder)
    names = tuple(file.name for file in files)
    mark = fingerprint(analysis)
    segment_id = hashlib.sha256(f"{mark}{''.join(map(digest, files))}".encode()).hexdigest()[:20]
    beside = folder.with_name(f".{folder.name}.{os.getpid()}.tmp")
    shutil.rmtree(beside, ignore_errors=True)
    beside.mkdir(parents=True)
    with collector_paused():
        table, facts = _invert_parts(files, beside, segment_id, analysis)
    describe_files(beside, names, mark, facts, table)
    if folder.exists():
        shutil.rmtree(folder)
    os.replace(beside, folder)
    sync_folder(folder.parent)
    size = sum(entry.stat().st_size for entry in os.scandir(folder))
    spent = (time.process_time() - started) * 1000
    return SegmentReport(
        str(folder), segment_id, mark, names, facts.documents, facts.terms, size, round(spent, 1)
    )


def group_parts(parts: Sequence[Path], workers: int = 1) -> list[list[Path]]:
    """Say which parts of the `pages` table to build into one segment, neighbours together; see `group_sizes`."""
    import pyarrow.parquet as pq

    sizes = [max(pq.read_metadata(part).num_rows, part.stat().st_size // LARGE_PAGE) for part in parts]
    return [[parts[place] for place in group] for group in group_sizes(sizes, workers)]


@contextmanager
def collector_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector: inverting makes millions of small objects and no cycles, a third of its time."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def read_pages(part: Path, columns: Sequence[str] = _COLUMNS) -> Iterator[list[dict[str, Any]]]:
    """Yield the rows of a part of the `pages` table, some hundred at a time."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(part) as file:
            for batch in file.iter_batches(batch_size=1024, columns=list(columns)):
                arrays = [batch.column(name).to_pylist() for name in columns]
                yield [dict(zip(columns, values, strict=True)) for values in zip(*arrays, strict=True)]
    except (pa.ArrowException, OSError, KeyError) as error:
        raise StoreError(f"{part} is not a part of the pages table: {error}", "input") from error


def _invert_parts(
    parts: Sequence[Path], folder: Path, segment_id: str, analysis: Analysis
) -> tuple[PageTable, SegmentFacts]:
    """Invert all pages of the parts and write the segment's files."""
    texts, flags = Inverter(stemmer(analysis.stem)), Inverter()
    seams = SeamFinder()
    stored: list[bytes] = []
    written = TextWriter()
    pages: list[tuple[int, int]] = []
    numbers: dict[tuple[str, str], int] = {}
    for rows in itertools.chain.from_iterable(map(read_pages, parts)):
        texts.add_texts([row["text"] or "" for row in rows])
        for row in rows:
            flags.add_exact(_flags(row))
            key = (row["doc_id"], row["extraction_id"])
            seams.add_page(key, row["page_index"], row["text"] or "")
            pages.append((numbers.setdefault(key, len(numbers)), row["page_index"]))
            stored.append(encode_stored(_stored(row)))
            written.add(row["text"] or "")
    words = texts.words()
    edges = seams.columns(words)
    texts.add_terms(seams.parted_words(stemmer(analysis.stem)))
    lengths = texts.lengths()
    keyed = np.array(pages, np.int32).reshape(-1, 2)
    columns = np.column_stack([keyed, lengths, words, edges]).astype(np.int32)
    written.write(texts_path(folder, segment_id))
    fields = {
        PAGE_TEXT: FieldContent(texts.batches(), lengths),
        PAGE_FLAG: FieldContent(flags.batches(positions=False)),
    }
    return PageTable(list(numbers), columns), write_segment(folder, segment_id, fields, stored)


def _flags(row: Mapping[str, Any]) -> list[str]:
    return [*(row["flags"] or ()), *(["failed"] if row["status"] != "ok" else ())]


def _stored(row: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "doc_id": row["doc_id"],
        "page": row["page_index"] + 1,
        "label": row["label"] or "",
    }


def describe_files(
    folder: Path, parts: Sequence[str], mark: str, facts: SegmentFacts, table: PageTable
) -> None:
    """Write which pages a segment holds, and its description, into the folder of its files."""
    name = f"MAIN_{facts.segment_id}"
    np.save(folder / f"{name}.pages.npy", table.columns, allow_pickle=False)
    sync_file(folder / f"{name}.pages.npy")
    files = {
        entry.name: {"size": entry.stat().st_size, "sha256": digest(Path(entry.path))}
        for entry in sorted(os.scandir(folder), key=lambda entry: entry.name)
        if entry.name.startswith(f"{name}.")
    }
    content = {**asdict(facts), "fingerprint": mark, "parts": list(parts), "keys": table.keys, "files": files}
    write_atomically(folder / f"{name}.{DESCRIPTION}", encode_json(content))


def read_description(folder: Path, segment_id: str) -> dict[str, Any]:
    """Read a segment's description."""
    return read_json(folder / f"MAIN_{segment_id}.{DESCRIPTION}")
