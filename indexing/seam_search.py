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
        for page in _possible(generation, split).tolist():
            if _ends(generation, split, page) and _starts(generation, split, int(generation.following[page])):
                found[page] = split.left
    return found


def _possible(generation: Generation, split: Split) -> Ints:
    """List the pages whose last word, and whose next page's first word, are the right ones."""
    pages, following = generation.pages, generation.following
    here = np.flatnonzero((pages.last_hash == word_hash(split.last)) & (following >= 0)).astype(np.int32)
    possible: Ints = here[pages.first_hash[following[here]] == word_hash(split.first)]
    return possible


def _ends(generation: Generation, split: Split, page: int) -> bool:
    last = int(generation.pages.last[page])
    chains = _chains(generation.text, split.left, page)
    return any(chain[-1] + split.left[-1].width - 1 == last for chain in chains)


def _starts(generation: Generation, split: Split, page: int) -> bool:
    first = int(generation.pages.first[page])
    return any(chain[0] == first for chain in _chains(generation.text, split.right, page))


def _chains(text: TextField, elements: tuple[Element, ...], page: int) -> list[tuple[int, ...]]:
    """Find where elements stand in a row on one page."""
    places = {}
    reader = text.reader
    wanted = np.zeros(reader.count, np.bool_)
    wanted[page] = True
    start = int(reader.axis.starts[page])
    stop = int(reader.axis.starts[page + 1])
    for element in elements:
        for term in (*element.terms, *([element.glue] if element.glue else ())):
            # Of a common word, the places on all pages may be at hand: then they come all.
            found = reader.places(text.name, term, wanted)
            first, last = np.searchsorted(found, [start, stop])
            if first < last:
                places[term] = (found[first:last] - start).tolist()
    return find_chains(elements, places, 0)
