"""Searching a store: from a question to typed results.

In: a store's folder and questions. Out: `SearchResult`s of plain values. Readers never lock; an `Index` shows the
snapshot it was opened at for as long as it lives, and may be used from several threads. It must not know how results
are shown.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import numpy as np

from indexing.boxes import Key, boxes_of, read_page_rows
from indexing.budget import Budget, bounded
from indexing.errors import StoreError
from indexing.evaluate import Evaluator
from indexing.generation import Generation
from indexing.hits import HitMaker
from indexing.question_tree import And
from indexing.ranking import count_facets
from indexing.results import FacetValue, PageMarks, SearchResult
from indexing.scoring import Matches
from indexing.search_options import DEFAULT_OPTIONS, SearchOptions
from indexing.snapshot import Snapshot, read_current
from indexing.snippets import Marker
from indexing.suggest import suggest_questions
from indexing.syntax import Question, read_question
from indexing.token_terms import TokenTerms

_ATTEMPTS: Final = 5
_SHORTEST_ID: Final = 4
"""Letters of a doc_id that name a document."""

_MOST_PARTS: Final = 8
"""Parts of a question that are counted one by one where no page has them all."""

_FEW: Final = 3
"""Pages found up to which a question may have been mistyped."""


class Index:
    """An opened index; close it, or use it in a `with` statement."""

    def __init__(self, store: Path, snapshot: Snapshot, generation: Generation) -> None:
        self.store = store
        self.snapshot = snapshot
        self.generation = generation
        self._tokens = TokenTerms(generation.analysis.stem)

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

        Args:
            question: in the query language.
            limit: hits, or documents where they are grouped, at most.
            offset: how many of them to pass over first.
            options: how to search.

        Raises:
            QueryError: if `options.strict` and the question is not well formed.
            ValueError: if limit or offset is negative.
        """
        if limit < 0 or offset < 0:
            raise ValueError("limit and offset are counts")
        started = time.perf_counter()
        budget = Budget(options.seconds, options.terms)
        read = read_question(question, options.strict)
        evaluator = Evaluator(self.generation, budget)
        matches = evaluator.answer(read.tree)
        if evaluator.says_nothing and not read.notes:
            budget.notes.append("there is no word to look for: * finds every page")
        if not matches.found.any():
            budget.notes += (*self._counts_apart(read, budget), *read.doubts)
        groups, hits = HitMaker(self.generation, matches, evaluator.marks, self._tokens, options).make(
            offset, limit
        )
        suggestions = self._suggestions(read, matches, budget) if options.suggest else ()
        counted = count_facets(self.generation, matches, options.facets, options.facet_values)
        return SearchResult(
            question,
            hits,
            total=int(matches.found.sum()),
            documents=int(np.count_nonzero(np.bincount(self.generation.pages.document[matches.found]))),
            partial=budget.partial,
            notes=bounded((*read.notes, *budget.notes, *_cut(counted))),
            elapsed_ms=round((time.perf_counter() - started) * 1000, 3),
            snapshot=self.snapshot.number,
            groups=groups,
            facets={name: values for name, (values, _) in counted.items()},
            suggestions=suggestions,
        )

    def _counts_apart(self, question: Question, budget: Budget) -> Iterator[str]:
        """Yield a note on how many pages have each part of a question, if all are somewhere but no page has them all."""
        tree = question.tree
        if not isinstance(tree, And) or len(tree.parts) > _MOST_PARTS or budget.partial:
            return
        counts = {
            question.text[part.start : part.end]: int(
                Evaluator(self.generation, budget.rest()).answer(part).found.sum()
            )
            for part in tree.parts
        }
        if all(counts.values()):
            each = ", ".join(f"{part} {count:,}" for part, count in counts.items())
            yield f"no page has all of it; pages with each: {each}"

    def _suggestions(self, question: Question, matches: Matches, budget: Budget) -> tuple[str, ...]:
        """Return like questions that find more, if this one finds little."""
        total = int(matches.found.sum())
        if total > _FEW or budget.partial:
            return ()
        found = []
        for other in suggest_questions(question, self.generation.field, budget.rest()):
            answer = Evaluator(self.generation, budget.rest()).answer(read_question(other).tree)
            if int(answer.found.sum()) > total:
                found.append(other)
        return tuple(found)

    def page_marks(self, document: str, page: int, question: str) -> PageMarks:
        """Find where the words of a question stand on one page, in points; reads the Parquet tables.

        Args:
            document: a path, or a doc_id or the start of one.
            page: page number, from 1.
            question: what to mark; an empty one marks nothing.

        Raises:
            StoreError: "input" if there is no such document or page; "damaged" if a table cannot be read.
        """
        number = self.find_document(document)
        record = self.generation.record(number)
        key = record["doc_id"], record["extraction_id"]
        rows = self._page_rows("pages", key, page, ("text", "width", "height"))
        if not rows:
            raise StoreError(f"{record['paths'][0]} has no page {page}", "input")
        budget, read = Budget(), read_question(question)
        evaluator = Evaluator(self.generation, budget)
        evaluator.answer(read.tree)
        text = rows[0]["text"] or ""
        found = self._page_number(number, page)
        spans = [span for span, _ in Marker(evaluator.marks, self._tokens).find_spans(text, found)]
        words: list[dict[str, Any]] = []
        if spans:
            columns = ("word", "text", "x0", "y0", "x1", "y1", "angle")
            words = self._page_rows("words", key, page, columns)
        boxes = boxes_of(text, sorted(words, key=lambda word: word["word"]), spans)
        path = _named(record["paths"], document) or record["paths"][0]
        size = rows[0]["width"] or 0.0, rows[0]["height"] or 0.0
        notes = bounded((*read.notes, *budget.notes))
        return PageMarks(path, page, *size, boxes, paths=tuple(record["paths"]), notes=notes)

    def _page_rows(self, table: str, key: Key, page: int, columns: Sequence[str]) -> list[dict[str, Any]]:
        """Read the rows of a page; from the parts that are live now where a later commit joined those of this snapshot."""
        try:
            return read_page_rows(self.store, self.snapshot, table, key, page, columns)
        except StoreError:
            live = read_current(self.store)
            if live.number == self.snapshot.number:
                raise
            return read_page_rows(self.store, live, table, key, page, columns)

    def _page_number(self, document: int, page: int) -> int:
        """Return the number of a page in the index, or -1."""
        pages = self.generation.pages
        found = np.flatnonzero((pages.document == document) & (pages.page_index == page - 1))
        return int(found[0]) if len(found) else -1

    def find_document(self, name: str) -> int:
        """Find a document by a path, the end of one, its doc_id or the start of that; StoreError "input" if there is none.

        A path may be relative to where the caller stands. An end, such as a file's name, must be of one document.
        """
        documents = self.generation.documents
        ends: dict[int, str] = {}
        for segment in documents.segments if len(name) >= _SHORTEST_ID else ():
            for term, _ in segment.terms("doc", name.encode("utf-8", "surrogatepass")):
                ends[int(documents.postings("doc", term.decode()).documents[0])] = term.decode()
        if len(ends) == 1:
            return next(iter(ends))
        for number in range(documents.count):
            path = _named(self.generation.record(number)["paths"], name)
            if path is not None:
                if path in (name, os.path.abspath(name)):
                    return number
                ends[number] = path
        if len(ends) > 1:
            raise StoreError(f"{name} may be any of {', '.join(sorted(ends.values())[:5])}", "input")
        if ends:
            return next(iter(ends))
        raise StoreError(f"there is no document {name} with pages in the store", "input")


def _cut(counted: Mapping[str, tuple[tuple[FacetValue, ...], int]]) -> Iterator[str]:
    """Yield a note for each facet that has more values than are listed."""
    for name, (values, known) in counted.items():
        if known > len(values):
            yield f"{name} has {known:,} values: the {len(values)} most frequent are listed"


def _named(paths: Sequence[str], name: str) -> str | None:
    """Return the path that a person means by a path or the end of one; None if there is none."""
    for path in paths:
        if path in (name, os.path.abspath(name)):
            return path
    return next((path for path in paths if path.endswith("/" + name)), None)


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
