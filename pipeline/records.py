"""What travels between the stages of a run: small facts about files, spans, parts. Never page content.

In: values. Out: frozen dataclasses that pickle and turn to JSON. It must not know which stage made them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


class RunFailedError(Exception):
    """The stages of a run gave up; nothing was committed. `details` is what Beam printed, for the run's report."""

    def __init__(self, message: str, details: str = "") -> None:
        super().__init__(message)
        self.details = details


class BeamOptionError(Exception):
    """An option for Apache Beam that Beam does not know, or whose value it does not take."""


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file to be read.

    `path` is text as of `paths.path_text`, size in bytes, time of change in nanoseconds.
    """

    path: str
    size: int
    mtime_ns: int


@dataclass(frozen=True)
class PlannedDocument:
    """What opening a file told; `doc_id` is None where not even its bytes could be read."""

    path: str
    size: int
    mtime_ns: int
    doc_id: str | None
    pages: int = 0
    facts: Mapping[str, Any] = field(default_factory=dict)
    """Columns of the documents table: title, author, ..., encrypted, repaired."""
    reason: str | None = None
    message: str | None = None


@dataclass(frozen=True)
class PageSpan:
    """Pages `first` to `last`, both counted from 0 and included, of one document."""

    path: str
    doc_id: str
    size: int
    mtime_ns: int
    first: int
    last: int


@dataclass(frozen=True)
class PageRows:
    """One extracted page.

    Its row of the pages table, and its lines and words as serialised record batches.
    """

    doc_id: str
    page_index: int
    row: Mapping[str, Any]
    lines: bytes = b""
    words: bytes = b""

    @property
    def size(self) -> int:
        """Bytes held in memory, about."""
        return len(self.lines) + len(self.words) + len(self.row.get("text") or "") + 512


@dataclass(frozen=True)
class FailedPage:
    """A page without text, and why."""

    doc_id: str
    page_index: int
    reason: str
    message: str


@dataclass(frozen=True)
class PartSummary:
    """One part on disk: `stem` names its files in the folder of every table.

    `pages` counts pages by document.
    """

    stem: str
    pages: Mapping[str, int]
    totals: Mapping[str, float]
    """Sums over the part's pages: pages, failed, painted, visible, overprinted, words, ms and so on."""
    failed: tuple[FailedPage, ...] = ()
