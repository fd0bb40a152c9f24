"""Finished segments as the sources of a generation, and which of their pages live.

In: folders of segments, live documents. Out: `Source`s. It must not know when segments are merged, nor what else a
generation holds.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from indexing.documents import Key
from indexing.errors import StoreError
from indexing.files import adopt_file
from indexing.generation import load_array, read_generation
from indexing.merge import MergeInput
from indexing.postings import Ints
from indexing.segment import SegmentReport, read_description
from indexing.segment_files import INDEX_NAME, SegmentFacts


@dataclass(slots=True)
class Source:
    """A finished segment that may enter the generation: where its files are, and which of its pages live."""

    folder: Path
    description: Mapping[str, Any]
    table: Ints
    document: Ints

    @property
    def segment_id(self) -> str:
        """The segment's name for ever."""
        return str(self.description["segment_id"])

    @property
    def live(self) -> int:
        """Number of live pages."""
        return int((self.document >= 0).sum())

    def merge_input(self) -> MergeInput:
        """Describe the segment for merging."""
        facts = self.description
        live = self.document >= 0
        return MergeInput(self.folder, self.segment_id, facts["parts"], facts["keys"], self.table, live)


def collect_sources(
    store: Path, previous: str | None, segments: Sequence[SegmentReport | str | Path], mark: str
) -> list[Source]:
    """List the segments of the generation before and the new ones, oldest first, each once."""
    folders: dict[str, Path] = {}
    if previous is not None:
        head = read_generation(store / previous)
        if head["fingerprint"] != mark:
            raise StoreError(
                f"{previous} was made with another schema or analysis: rebuild the index", "stale"
            )
        folders = {segment["segment_id"]: store / previous for segment in head["segments"]}
    for segment in segments:
        folder = Path(segment.folder if isinstance(segment, SegmentReport) else segment)
        folders.setdefault(_segment_id(folder), folder)
    sources = []
    for segment_id, folder in folders.items():
        source = read_source(folder, segment_id)
        if source.description["fingerprint"] != mark:
            raise StoreError(f"{folder} was made with another schema or analysis", "stale")
        sources.append(source)
    return sources


def read_source(folder: Path, segment_id: str) -> Source:
    """Read the description of a finished segment; no page lives yet."""
    description = read_description(folder, segment_id)
    table = load_array(folder / f"{INDEX_NAME}_{segment_id}.pages.npy")
    if table.ndim != 2 or len(table) != description["documents"]:
        raise StoreError(f"{folder} holds {len(table)} pages, not {description['documents']}", "damaged")
    return Source(folder, description, table, np.full(len(table), -1, np.int32))


def _segment_id(folder: Path) -> str:
    """Find the name of the one segment in a folder."""
    found = [name for name in os.listdir(folder) if name.endswith(".segment.json")]
    if len(found) != 1:
        raise StoreError(f"{folder} does not hold one finished segment", "input")
    return found[0].removeprefix(f"{INDEX_NAME}_").removesuffix(".segment.json")


def mark_live(sources: Sequence[Source], places: Mapping[Key, int]) -> None:
    """Set each source's `document`: the number of the live document of each page, or -1.

    A page lives if its document does and no newer segment holds the same page.
    """
    for source in sources:
        keys = [
            places.get((doc_id, extraction_id), -1) for doc_id, extraction_id in source.description["keys"]
        ]
        source.document = np.array([*keys, -1], np.int32)[source.table[:, 0]]
    newest_first = sources[::-1]
    if not newest_first:
        return
    codes = np.concatenate(
        [source.document.astype(np.int64) << 32 | source.table[:, 1] for source in newest_first]
    )
    kept = np.zeros(len(codes), np.bool_)
    kept[np.unique(codes, return_index=True)[1]] = True
    start = 0
    for source in newest_first:
        stop = start + len(source.document)
        source.document[~kept[start:stop]] = -1
        start = stop


def adopt_segment(source: Source, folder: Path) -> None:
    """Give the files of a segment a second name in a generation's folder."""
    name = f"{INDEX_NAME}_{source.segment_id}"
    for file in (*source.description["files"], f"{name}.segment.json"):
        adopt_file(source.folder / file, folder / file)


def segment_facts(description: Mapping[str, Any]) -> SegmentFacts:
    """Read a segment's facts out of its description."""
    return SegmentFacts(
        description["segment_id"],
        description["documents"],
        description["field_lengths"],
        description["terms"],
    )
