"""From pages found to hits: typed results with snippets, and which path of a document they name.

In: matches over all pages, and what to mark. Out: hits and groups, plain values. It must not know questions.
"""

from __future__ import annotations

from typing import Any, Final

from indexing.copies import choose_path
from indexing.evaluate import Marks
from indexing.generation import Generation
from indexing.ranking import DocumentPages, group_pages, rank_pages
from indexing.results import Group, Hit, Snippet
from indexing.scoring import Matches
from indexing.search_options import SearchOptions
from indexing.snippets import Marker, cut_snippet
from indexing.token_terms import TokenTerms

_SHOWN_FIELDS: Final = (
    "text", "title", "author", "filename", "subject", "keywords", "path", "creator", "producer",
)  # fmt: skip
"""Fields that `Hit.found_in` names, in this order."""


class HitMaker:
    """Makes hits of pages."""

    def __init__(
        self,
        generation: Generation,
        matches: Matches,
        marks: Marks,
        known: TokenTerms,
        options: SearchOptions,
    ) -> None:
        self._generation = generation
        self._matches = matches
        self._marks = marks
        self._known = known
        self._marker = Marker(marks, known)
        self._options = options

    def make(self, offset: int, limit: int) -> tuple[tuple[Group, ...], tuple[Hit, ...]]:
        """Make the documents, where they are asked for, and the hits, from `offset` on."""
        options = self._options
        if options.group:
            groups = self._groups(offset, limit)
            return groups, tuple(hit for group in groups for hit in group.hits)
        pages = rank_pages(self._generation, self._matches, offset + limit, options.sort)[offset:]
        return (), tuple(self._hit(page) for page in pages.tolist())

    def _groups(self, offset: int, limit: int) -> tuple[Group, ...]:
        options = self._options
        found = group_pages(
            self._generation, self._matches, offset + limit, options.sort, options.group_pages
        )
        return tuple(self._group(one) for one in found[offset:])

    def _group(self, one: DocumentPages) -> Group:
        record = self._generation.record(one.document)
        hits = tuple(self._hit(page) for page in one.best)
        return Group(
            doc_id=record["doc_id"],
            path=self._path(record),
            paths=tuple(record["paths"]),
            title=record["title"],
            author=record["author"],
            year=record["year"],
            pages=one.pages,
            page_count=record["pages"],
            score=max((hit.score for hit in hits), default=0.0),
            hits=hits,
        )

    def _hit(self, page: int) -> Hit:
        stored = self._generation.reader.stored(page)
        record = self._generation.record(int(self._generation.pages.document[page]))
        size = self._options.snippet
        text = self._generation.reader.text(page)
        fields = self._marks.fields
        return Hit(
            doc_id=stored["doc_id"],
            extraction_id=record["extraction_id"],
            path=self._path(record),
            paths=tuple(record["paths"]),
            page=stored["page"],
            label=stored["label"],
            title=record["title"],
            author=record["author"],
            score=round(float(self._matches.scores[page]), 6),
            snippet=cut_snippet(text, self._marker.find_spans(text, page), size) if size else Snippet("", ()),
            year=record["year"],
            found_in=tuple(name for name in _SHOWN_FIELDS if name in fields and fields[name][page]),
        )

    def _path(self, record: dict[str, Any]) -> str:
        """Choose which of a document's paths to show."""
        return choose_path(record["paths"], self._marks.paths, self._known)
