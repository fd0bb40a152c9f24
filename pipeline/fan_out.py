"""Which pages of a document are still to be extracted, cut into spans.

In: a planned document and the page ranges already in the store. Out: page spans. It must not know who
extracts them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from pipeline.records import PageSpan, PlannedDocument


def page_spans(
    document: PlannedDocument, known: Iterable[Sequence[int]], span_pages: int
) -> Iterator[PageSpan]:
    """Yield spans of at most `span_pages` pages over the pages of `document` outside the ranges `known`."""
    if document.doc_id is None:
        return
    for first, last in gaps(known, document.pages):
        for start in range(first, last + 1, span_pages):
            stop = min(start + span_pages - 1, last)
            yield PageSpan(document.path, document.doc_id, document.size, document.mtime_ns, start, stop)


def gaps(known: Iterable[Sequence[int]], pages: int) -> Iterator[tuple[int, int]]:
    """Yield the ranges (first, last) of 0..pages-1 that the ranges `known` leave open."""
    at = 0
    for first, last in sorted((known_range[0], known_range[1]) for known_range in known):
        if first > at:
            yield at, min(first, pages) - 1
        at = max(at, last + 1)
    if at < pages:
        yield at, pages - 1


def ranges(indices: Iterable[int]) -> list[tuple[int, int]]:
    """Return sorted page numbers as ranges (first, last)."""
    found: list[tuple[int, int]] = []
    for index in sorted(set(indices)):
        if found and found[-1][1] == index - 1:
            found[-1] = (found[-1][0], index)
        else:
            found.append((index, index))
    return found
