"""The terms of a text as an index is built with them."""

from __future__ import annotations

from collections.abc import Iterator

from indexing.chunks import chunk_terms, cut_texts


def built_terms(text: str) -> Iterator[tuple[str, int]]:
    """Yield the terms of a text with their positions, in the order of chunks."""
    distinct, order = cut_texts([text])
    before = 0
    for number in order.tolist():
        terms, width = chunk_terms(distinct[number])
        for term, shift in terms:
            yield term, before + shift
        before += width
