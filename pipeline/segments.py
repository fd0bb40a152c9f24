"""The seam to the index: one segment for one part, built in the child, where it holds up nobody.

In: the name of a part on disk. Out: a finished segment in the run's staging folder. It must not know the
index's format.
"""

from __future__ import annotations

from pathlib import Path

from pipeline.staging import Staging
from pipeline.worker import Worker
from pipeline.writer import part_file


def segment_folder(staging: Staging, stem: str) -> Path:
    """Return where the segment of a part is built."""
    return staging.folder / "segments" / stem


def build_segment(worker: Worker, store: Path, staging: Staging, stem: str) -> None:
    """Build the index segment of one part, from its Parquet rows alone."""
    folder = segment_folder(staging, stem)
    folder.parent.mkdir(parents=True, exist_ok=True)
    worker.build_segment(str(part_file(store, "pages", stem)), str(folder))
