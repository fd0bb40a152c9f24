"""Parquet tables to a full-text index, and the search: the public face of the package.

In: parts of the tables of `SCHEMAS`. Out: segments, generations, snapshots, search results. Names are loaded when they
are asked for, so that searching imports neither pyarrow nor what builds. Callers import from here only.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from indexing.analyzer import Analysis
    from indexing.assemble import GenerationReport, assemble, generation_path
    from indexing.check import Fault, check_index
    from indexing.errors import IndexingError, QueryError, StoreError
    from indexing.files import digest, sync_folder, write_atomically
    from indexing.results import FacetValue, Group, Hit, PageMarks, SearchResult, Snippet, WordBox
    from indexing.search import Index, open_index
    from indexing.search_options import SearchOptions
    from indexing.segment import SegmentReport, build_segment, group_parts
    from indexing.snapshot import (
        Snapshot,
        commit_snapshot,
        current_number,
        kept_snapshots,
        read_current,
        read_snapshot,
        snapshot_numbers,
    )
    from indexing.tables import SCHEMA_VERSION, SCHEMAS

_HOMES = {
    "Analysis": "analyzer",
    "GenerationReport": "assemble",
    "FacetValue": "results",
    "Fault": "check",
    "Group": "results",
    "Hit": "results",
    "Index": "search",
    "IndexingError": "errors",
    "QueryError": "errors",
    "SCHEMAS": "tables",
    "SCHEMA_VERSION": "tables",
    "SearchOptions": "search_options",
    "PageMarks": "results",
    "SearchResult": "results",
    "SegmentReport": "segment",
    "Snapshot": "snapshot",
    "Snippet": "results",
    "WordBox": "results",
    "StoreError": "errors",
    "assemble": "assemble",
    "build_segment": "segment",
    "check_index": "check",
    "commit_snapshot": "snapshot",
    "current_number": "snapshot",
    "digest": "files",
    "generation_path": "assemble",
    "group_parts": "segment",
    "kept_snapshots": "snapshot",
    "open_index": "search",
    "read_current": "snapshot",
    "read_snapshot": "snapshot",
    "snapshot_numbers": "snapshot",
    "sync_folder": "files",
    "write_atomically": "files",
}

__all__ = [
    "SCHEMAS",
    "SCHEMA_VERSION",
    "Analysis",
    "FacetValue",
    "Fault",
    "GenerationReport",
    "Group",
    "Hit",
    "Index",
    "IndexingError",
    "PageMarks",
    "QueryError",
    "SearchOptions",
    "SearchResult",
    "SegmentReport",
    "Snapshot",
    "Snippet",
    "StoreError",
    "WordBox",
    "assemble",
    "build_segment",
    "check_index",
    "commit_snapshot",
    "current_number",
    "digest",
    "generation_path",
    "group_parts",
    "kept_snapshots",
    "open_index",
    "read_current",
    "read_snapshot",
    "snapshot_numbers",
    "sync_folder",
    "write_atomically",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first asked for."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
