"""Phrases that start on one page and end on the next.

In: a needle and an opened generation. Out: the pages on which it starts so. Which pages can be meant is told by the
hashes of the last word of a page and the first word of the next, for all pages at once; those are looked at closely. It
must not know questions.
"""

from __future__ import annotations

import numpy as np

from indexing.budget import Budget
from indexing.elements import Element, Needle, Split, Stemmer, find_chains, split_needle
from indexing.generation import Generation
from indexing.postings import Ints
from indexing.seams import word_hash
from indexing.textfield import TextField


def find_across(
    generation: Generation, needle: Needle, budget: Budget, stem: Stemmer | None
) -> dict[int, tuple[Element, ...]]:
    """Return the pages where a phrase starts to end on the next page, and what of it stands on the page."""
    found: dict[int, tuple[Element, ...]] = {}
    if needle.slop or len(needle.slots) < 2:
        return found
    for split in split_needle(needle, stem):
        if budget.spent():
            break
        pages = _possible(generation, split)
        if not len(pages):
            continue
        ends = _PagePlaces(generation.text, split.left, pages)
        starts = _PagePlaces(generation.text, split.right, generation.following[pages])
        for page in pages.tolist():
            following = int(generation.following[page])
            if _ends(ends, page, int(generation.pages.last[page])) and _starts(
                starts, following, int(generation.pages.first[following])
            ):
                found[page] = split.left
    return found


def _possible(generation: Generation, split: Split) -> Ints:
    """List the pages whose last word, and whose next page's first word, are the right ones."""
    pages, following = generation.pages, generation.following
    here = np.flatnonzero((pages.last_hash == word_hash(split.last)) & (following >= 0)).astype(np.int32)
    possible: Ints = here[pages.first_hash[following[here]] == word_hash(split.first)]
    return possible


class _PagePlaces:
    """Where the terms of some elements stand on some pages; read for all pages at once."""

    def __init__(self, text: TextField, elements: tuple[Element, ...], pages: Ints) -> None:
        self.elements = elements
        self._starts = text.reader.axis.starts
        wanted = np.zeros(text.reader.count, np.bool_)
        wanted[pages] = True
        terms = {
            term
            for element in elements
            for term in (*element.terms, *([element.glue] if element.glue else ()))
        }
        self._places = {term: text.reader.places(text.name, term, wanted) for term in terms}

    def chains(self, page: int) -> list[tuple[int, ...]]:
        """Find where the elements stand in a row on one page."""
        start, stop = int(self._starts[page]), int(self._starts[page + 1])
        here = {}
        for term, places in self._places.items():
            first, last = np.searchsorted(places, [start, stop])
            if first < last:
                here[term] = (places[first:last] - start).tolist()
        return find_chains(self.elements, here, 0)


def _ends(places: _PagePlaces, page: int, last: int) -> bool:
    width = places.elements[-1].width
    return any(chain[-1] + width - 1 == last for chain in places.chains(page))


def _starts(places: _PagePlaces, page: int, first: int) -> bool:
    return any(chain[0] == first for chain in places.chains(page))
