"""What a search answers: plain, frozen values, and their one documented form as JSON.

In: nothing. Out: types. They hold no handle of the index and may be kept, pickled, sent. It must not know how they are
found.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of a text on one line.

    Attributes:
        text: the piece, with "…" where text was left out.
        marks: (start, end) of each marked part, in characters of `text`; they rise and do not overlap.
    """

    text: str
    marks: tuple[Span, ...]


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that answers a question.

    Attributes:
        doc_id: content hash of the document; extraction_id: of the extraction whose page this is.
        path: the document's path that the question names, else the first in order; paths: all of them.
        page: page number, from 1; label: what the document calls the page.
        title: the document's title, or "".
        author: its author, or "".
        score: the higher the better; comparable within one result.
        snippet: the piece of the text that shows the hit.
        year: of the document's date, or None.
        found_in: where words of the question were found: "text", "title", "author", "filename", "subject", "keywords",
            "path", "creator", "producer". Words without a field are looked for in the first six of them, and in all but
            the text for the sake of a document's first page.
    """

    doc_id: str
    extraction_id: str
    path: str
    paths: tuple[str, ...]
    page: int
    label: str
    title: str
    author: str
    score: float
    snippet: Snippet
    year: int | None = None
    found_in: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """A document with pages that answer a question.

    Attributes:
        doc_id: content hash of the document.
        path, paths, title, author, year: as in `Hit`.
        pages: how many of its pages were found, of `page_count`.
        score: that of its best page.
        hits: its best pages.
    """

    doc_id: str
    path: str
    paths: tuple[str, ...]
    title: str
    author: str
    year: int | None
    pages: int
    page_count: int | None
    score: float
    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class FacetValue:
    """One value of a facet: how many documents have it, and how many of the pages found are theirs."""

    value: str
    documents: int
    pages: int


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The answer to a question.

    Attributes:
        question: as asked.
        hits: best first, or as sorted; with groups, all of theirs.
        total: pages found in all; documents: documents they belong to.
        partial: True if a limit cut the search off; `notes` says which.
        notes: what was left out or read otherwise than typed.
        elapsed_ms: wall time, milliseconds.
        snapshot: number of the snapshot that was searched.
        groups: the documents found, where they were asked for.
        facets: the most frequent values of each facet asked for, over all pages found.
        suggestions: questions like this one that find more, for a word that the index does not have.
    """

    question: str
    hits: tuple[Hit, ...]
    total: int
    documents: int
    partial: bool
    notes: tuple[str, ...]
    elapsed_ms: float
    snapshot: int
    groups: tuple[Group, ...] = ()
    facets: Mapping[str, tuple[FacetValue, ...]] = field(default_factory=dict)
    suggestions: tuple[str, ...] = ()

    def as_values(self) -> dict[str, Any]:
        """Return the result as values for JSON: the attributes under their names, but "query" for the question.

        A hit's snippet is its text, with the marks beside it.
        """
        return {
            "query": self.question,
            "total": self.total,
            "documents": self.documents,
            "partial": self.partial,
            "notes": list(self.notes),
            "suggestions": list(self.suggestions),
            "elapsed_ms": self.elapsed_ms,
            "snapshot": self.snapshot,
            "hits": [_hit_values(hit) for hit in self.hits],
            "groups": [
                {
                    **asdict(group),
                    "paths": list(group.paths),
                    "hits": [_hit_values(hit) for hit in group.hits],
                }
                for group in self.groups
            ],
            "facets": {name: [asdict(value) for value in values] for name, values in self.facets.items()},
        }


def _hit_values(hit: Hit) -> dict[str, Any]:
    return {
        "path": hit.path,
        "paths": list(hit.paths),
        "page": hit.page,
        "label": hit.label,
        "title": hit.title,
        "author": hit.author,
        "year": hit.year,
        "score": hit.score,
        "snippet": hit.snippet.text,
        "marks": [list(mark) for mark in hit.snippet.marks],
        "found_in": list(hit.found_in),
        "doc_id": hit.doc_id,
        "extraction_id": hit.extraction_id,
    }


@dataclass(frozen=True, slots=True)
class WordBox:
    """A word to be marked on a page; box in points, origin top left of the visible box, y down."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    angle: float


@dataclass(frozen=True, slots=True)
class PageMarks:
    """Where a question's words stand on a page.

    Attributes:
        path: the path of the document that was asked for, else its first; paths: all of them.
        page: page number, from 1.
        width: of the page in points; height: likewise; /Rotate is applied.
        boxes: the words, in reading order.
        notes: what of the question was left out or read otherwise than typed.
    """

    path: str
    page: int
    width: float
    height: float
    boxes: tuple[WordBox, ...]
    paths: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
