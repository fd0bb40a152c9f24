"""The seam to the index: one segment for one part.

In: the name of a part on disk. Out: a finished segment in the run's staging folder. It must not know the index's format.
"""

from __future__ import annotations

from pathlib import Path

import indexing
from pipeline.staging import Staging
from pipeline.writer import part_file


def segment_folder(staging: Staging, stem: str) -> Path:
    """Return where the segment of a part is built."""
    return staging.folder / "segments" / stem


def build_segment(store: Path, staging: Staging, stem: str) -> None:
    """Build the index segment of one part, from its Parquet rows alone."""
    folder = segment_folder(staging, stem)
    folder.parent.mkdir(parents=True, exist_ok=True)
    indexing.build_segment(part_file(store, "pages", stem), folder)
