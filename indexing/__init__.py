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
    from indexing.errors import IndexingError, QueryError, StoreError
    from indexing.search import Hit, Index, SearchOptions, SearchResult, open_index
    from indexing.segment import SegmentReport, build_segment
    from indexing.snapshot import Snapshot, commit_snapshot, current_number, kept_snapshots, read_current
    from indexing.snippets import Snippet
    from indexing.tables import SCHEMA_VERSION, SCHEMAS

_HOMES = {
    "Analysis": "analyzer",
    "GenerationReport": "assemble",
    "Hit": "search",
    "Index": "search",
    "IndexingError": "errors",
    "QueryError": "errors",
    "SCHEMAS": "tables",
    "SCHEMA_VERSION": "tables",
    "SearchOptions": "search",
    "SearchResult": "search",
    "SegmentReport": "segment",
    "Snapshot": "snapshot",
    "Snippet": "snippets",
    "StoreError": "errors",
    "assemble": "assemble",
    "build_segment": "segment",
    "commit_snapshot": "snapshot",
    "current_number": "snapshot",
    "generation_path": "assemble",
    "kept_snapshots": "snapshot",
    "open_index": "search",
    "read_current": "snapshot",
}

__all__ = [
    "SCHEMAS",
    "SCHEMA_VERSION",
    "Analysis",
    "GenerationReport",
    "Hit",
    "Index",
    "IndexingError",
    "QueryError",
    "SearchOptions",
    "SearchResult",
    "SegmentReport",
    "Snapshot",
    "Snippet",
    "StoreError",
    "assemble",
    "build_segment",
    "commit_snapshot",
    "current_number",
    "generation_path",
    "kept_snapshots",
    "open_index",
    "read_current",
]


def __getattr__(name: str) -> Any:
    """Load a public name when it is first asked for."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = value
    return value
