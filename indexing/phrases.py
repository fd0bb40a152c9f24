"""Finding phrases: elements that stand in a row, in all documents at once.

In: elements of `elements`, a reader. Out: which documents have them, and how often. The rarest element comes first, so
that the places of common words are looked at only where they can matter. It must not know questions or scores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Final

import numpy as np
import numpy.typing as npt

from indexing.elements import Element
from indexing.places import Axis, Bools, Numbers, among, merge
from indexing.postings import Ints
from indexing.reader import NO_POSTINGS, IndexReader

MOST_SLOP: Final = 50
"""Words that a phrase may be stretched by at most."""

Scores = npt.NDArray[np.float64]


class PhraseFinder:
    """Finds one phrase in one field."""

    def __init__(
        self, reader: IndexReader, name: str, elements: Sequence[Element], spent: Callable[[], bool]
    ) -> None:
        """Look up which documents have all elements.

        Args:
            reader: of the index.
            name: a field with positions.
            elements: two or more.
            spent: tells when to stop; then nothing more is found, and the caller says so.
        """
        self._spent = spent
        self._reader = reader
        self._name = name
        self._elements = elements
        self._sizes: list[int] = []
        self._wanted = self._candidates()

    def _candidates(self) -> Bools:
        """Tell which documents have every element somewhere."""
        wanted: Bools | None = None
        for element in self._elements:
            here = np.zeros(self._reader.count, np.bool_)
            occurrences = 0.0
            for term in element.terms:
                postings = self._reader.postings(self._name, term)
                here[postings.documents] = True
                occurrences += float(postings.weights.sum())
            self._sizes.append(int(occurrences))
            wanted = here if wanted is None else wanted & here
            if not wanted.any():
                break
            if self._spent():
                wanted[:] = False
                break
        return wanted if wanted is not None else np.zeros(self._reader.count, np.bool_)

    def count(self, slop: int) -> tuple[Ints, Scores]:
        """Count the phrase in each document that has it; nothing if the time is over before all words were looked at.

        Args:
            slop: how much further apart than written the words may be, in all.
        """
        if not self._wanted.any():
            return NO_POSTINGS.documents, np.zeros(0)
        if slop or any(len(self._glued(element)) for element in self._elements):
            places = self._stretched(slop)
        else:
            places = self._in_a_row()
        return self._reader.axis.counts(places)

    def _places(self, terms: Iterable[str]) -> Numbers:
        """Return where any of these terms stands in the documents that may have the phrase."""
        found = [self._reader.places(self._name, term, self._wanted) for term in terms]
        return reduce(merge, found)

    def _glued(self, element: Element) -> Numbers:
        """Return where an element may share the position of the one before it."""
        return self._places([element.glue]) if element.glue else np.zeros(0, np.int64)

    def _in_a_row(self) -> Numbers:
        """Return where the phrase starts: what is left of the rarest element's places after all others."""
        starts: Numbers | None = None
        for number in np.argsort(self._sizes, kind="stable").tolist():
            element = self._elements[number]
            places = self._places(element.terms)
            if starts is None:
                starts = places - places.dtype.type(element.offset)
                continue
            kept = among(starts + starts.dtype.type(element.offset), places, self._reader.axis)
            starts = starts[kept]
            if not len(starts):
                break
            if self._spent():
                return starts[:0]
        assert starts is not None
        first: Numbers = starts + starts.dtype.type(self._elements[0].offset)
        return first

    def _stretched(self, slop: int) -> Numbers:
        """Return the places of the last element, going from element to element as they are written."""
        before = self._elements[0]
        state = _State(self._places(before.terms), self._reader.axis)
        for element in self._elements[1:]:
            if not len(state.places):
                break
            if self._spent():
                return state.places[:0]
            distance = element.offset - before.offset
            state = state.step(distance, self._places(element.terms), self._glued(element), slop)
            before = element
        return state.places


@dataclass(slots=True)
class _State:
    """Where chains of elements have come to, and how far each is stretched beyond what was written."""

    places: Numbers
    axis: Axis
    stretch: npt.NDArray[np.int64] | None = None

    def step(self, distance: int, allowed: Numbers, glued: Numbers, slop: int) -> _State:
        """Go on to the next element: `distance` further, up to `slop` more in all, or where it is glued."""
        one = self.places.dtype.type
        stretch = self.stretch if self.stretch is not None else np.zeros(len(self.places), np.int64)
        places, stretched = [], []
        for more in range(min(slop, MOST_SLOP) + 1):
            there = self.places + one(distance + more)
            kept = among(there, allowed, self.axis) & (stretch + more <= slop)
            places.append(there[kept])
            stretched.append(stretch[kept] + more)
        if len(glued):
            kept = among(self.places, glued, self.axis)
            kept[kept] = among(self.places[kept], allowed, self.axis)
            places.append(self.places[kept])
            stretched.append(stretch[kept])
        if not slop:
            joined = reduce(merge, places)
            return _State(joined, self.axis, np.zeros(len(joined), np.int64))
        joined, first = np.concatenate(places), np.concatenate(stretched)
        order = np.lexsort((first, joined))
        unique, at = np.unique(joined[order], return_index=True)
        return _State(unique, self.axis, first[order][at])
