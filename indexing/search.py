"""Searching a store: from a question to typed results.

In: a store's folder and questions. Out: `SearchResult`s of plain values. Readers never lock; an `Index` shows the
snapshot it was opened at for as long as it lives, and may be used from several threads. It must not know how results
are shown.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from indexing.errors import StoreError
from indexing.evaluate import Evaluator
from indexing.generation import Generation
from indexing.scoring import Matches
from indexing.snapshot import Snapshot, read_current
from indexing.snippets import Marker, Snippet, cut_snippet
from indexing.syntax import read_question
from indexing.textfield import Budget

_ATTEMPTS: Final = 5


@dataclass(frozen=True, slots=True)
class Hit:
    """A page that answers a question.

    Attributes:
        doc_id: content hash of the document; extraction_id: of the extraction whose page this is.
        path: the document's first path, in order; paths: all of them.
        page: page number, from 1; label: what the document calls the page.
        title: the document's title, or "".
        author: its author, or "".
        score: the higher the better; comparable within one result.
        snippet: the piece of the text that shows the hit.
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


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The answer to a question.

    Attributes:
        question: as asked.
        hits: best first, or as sorted.
        total: pages found in all; documents: documents they belong to.
        partial: True if a limit cut the search off; `notes` says which.
        notes: what was left out or read otherwise than typed.
        elapsed_ms: wall time, milliseconds.
        snapshot: number of the snapshot that was searched.
    """

    question: str
    hits: tuple[Hit, ...]
    total: int
    documents: int
    partial: bool
    notes: tuple[str, ...]
    elapsed_ms: float
    snapshot: int


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to search.

    Attributes:
        strict: raise QueryError for a question that is not well formed, instead of guessing.
        seconds: time that a question may take; what was found by then is shown.
        terms: words that one pattern may stand for.
        snippet: size of snippets in characters; 0 for none.
    """

    strict: bool = False
    seconds: float = 2.0
    terms: int = 1_000
    snippet: int = 240


DEFAULT_OPTIONS: Final = SearchOptions()


class Index:
    """An opened index; close it, or use it in a `with` statement."""

    def __init__(self, store: Path, snapshot: Snapshot, generation: Generation) -> None:
        self.store = store
        self.snapshot = snapshot
        self.generation = generation

    def __enter__(self) -> Index:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the files; they are unmapped when the last result that shows them is gone."""

    def search(
        self, question: str, limit: int = 10, *, offset: int = 0, options: SearchOptions = DEFAULT_OPTIONS
    ) -> SearchResult:
        """Find the pages that answer a question.

        Raises:
            QueryError: if `options.strict` and the question is not well formed; or if it is too long.
        """
        started = time.perf_counter()
        budget = Budget(options.seconds, options.terms)
        read = read_question(question, options.strict)
        evaluator = Evaluator(self.generation, budget)
        matches = evaluator.answer(read.tree)
        pages = self._rank(matches, offset + limit)[offset:]
        marker = Marker(evaluator.marks, self.generation.analysis.stem)
        hits = tuple(self._hit(int(page), matches, marker, options.snippet) for page in pages)
        documents = self.generation.pages.document[matches.found]
        return SearchResult(
            question,
            hits,
            total=int(matches.found.sum()),
            documents=int(np.count_nonzero(np.bincount(documents))) if len(documents) else 0,
            partial=budget.partial,
            notes=(*read.notes, *budget.notes),
            elapsed_ms=round((time.perf_counter() - started) * 1000, 3),
            snapshot=self.snapshot.number,
        )

    def _rank(self, matches: Matches, count: int) -> npt.NDArray[np.int64]:
        """Return the best pages; equal scores in order of path and page."""
        found = np.flatnonzero(matches.found)
        scores = matches.scores[found]
        if len(found) > count > 0:
            threshold = np.partition(scores, len(scores) - count)[len(scores) - count]
            kept = scores >= threshold
            found, scores = found[kept], scores[kept]
        pages = self.generation.pages
        order = np.lexsort((pages.page_index[found], pages.document[found], -scores))
        return found[order][:count]

    def _hit(self, page: int, matches: Matches, marker: Marker, size: int) -> Hit:
        stored = self.generation.reader.stored(page)
        record = self.generation.record(int(self.generation.pages.document[page]))
        text: str = stored["text"]
        paths: Sequence[Any] = record["paths"]
        return Hit(
            doc_id=stored["doc_id"],
            extraction_id=stored["extraction_id"],
            path=paths[0],
            paths=tuple(paths),
            page=stored["page"],
            label=stored["label"],
            title=record["title"],
            author=record["author"],
            score=round(float(matches.scores[page]), 6),
            snippet=cut_snippet(text, marker.find_spans(text, page), size) if size else Snippet("", ()),
        )


def open_index(store: str | Path) -> Index:
    """Open the index of a store's live snapshot.

    Raises:
        StoreError: "no_store", "no_index", "stale", "damaged" or "unreadable".
    """
    store = Path(store)
    for attempt in range(_ATTEMPTS):
        snapshot = read_current(store)
        if snapshot.index is None:
            raise StoreError(f"{store} has no index yet", "no_index")
        try:
            return Index(store, snapshot, Generation(store / snapshot.index))
        except StoreError:
            # Two commits may have passed since CURRENT was read, and this generation is gone: look again.
            if attempt == _ATTEMPTS - 1 or read_current(store).number == snapshot.number:
                raise
    raise AssertionError("unreachable")
