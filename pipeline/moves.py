"""Which new files are stored documents under another name.

In: a plan. Out: for each such file the path its content is known by. Only files of the size of a stored
document are read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pipeline.catalog import RunPlan, moved_candidates
from pipeline.reading import UnreadableFileError, content_hash, open_bytes

_MOST_BYTES = 1 << 40


def find_moves(stored: Mapping[str, Mapping[str, Any]], plan: RunPlan) -> dict[str, str]:
    """Return the stored path, one that is gone if there is one, for each new file with known content."""
    gone = set(plan.gone)
    moves: dict[str, str] = {}
    for path, candidates in moved_candidates(plan, stored).items():
        origin = _origin(path, sorted(candidates, key=lambda name: (name not in gone, name)), stored)
        if origin is not None:
            moves[path] = origin
            gone.discard(origin)  # the next copy came from another one
    return moves


def _origin(path: str, candidates: list[str], stored: Mapping[str, Mapping[str, Any]]) -> str | None:
    try:
        with open_bytes(path, _MOST_BYTES) as source:
            doc_id = content_hash(source)
    except UnreadableFileError:
        return None
    return next((name for name in candidates if stored[name]["doc_id"] == doc_id), None)
