"""The seam to the index: segments for parts, built in the child, where they hold up nobody.

In: names of parts on disk. Out: finished segments in the run's staging folder, one for several parts: a few large segments
are smaller and searched faster than many small ones. It must not know the index's format.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import indexing
from pipeline.staging import Staging
from pipeline.worker import Worker
from pipeline.writer import part_file


def part_groups(store: Path, stems: Iterable[str], workers: int = 1) -> list[list[str]]:
    """Say which parts become one segment; the same parts are always grouped alike."""
    parts = [part_file(store, "pages", stem) for stem in sorted(set(stems))]
    return [[part.stem for part in group] for group in indexing.group_parts(parts, workers)]


def build_segment(worker: Worker, store: Path, staging: Staging, stems: list[str]) -> Path:
    """Build one index segment from the Parquet rows of some parts, and return its folder."""
    folder = staging.folder / "segments" / stems[0]
    folder.parent.mkdir(parents=True, exist_ok=True)
    worker.build_segment([str(part_file(store, "pages", stem)) for stem in stems], str(folder))
    return folder


def build_segments(worker: Worker, store: Path, staging: Staging, stems: Iterable[str]) -> list[Path]:
    """Build the segments of any number of parts, one after the other."""
    return [build_segment(worker, store, staging, group) for group in part_groups(store, stems)]


def built_segments(staging: Staging) -> list[Path]:
    """Return the segments that stand in the staging folder, finished."""
    return sorted(path for path in (staging.folder / "segments").glob("[!.]*") if path.is_dir())
