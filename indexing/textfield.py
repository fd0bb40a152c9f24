"""Asking one text field: words, phrases, patterns and like spellings, with scores.

In: needles and patterns. Out: matches over all documents of the index. What costs much is bounded by a `Budget`, and
what the budget cut off is noted. It must not know the question's tree, nor what a document is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt

from indexing.budget import Budget
from indexing.characters import normal_form, plain_form
from indexing.elements import EXACT_SHARE, Element, Needle
from indexing.expansion import expand_pattern
from indexing.phrases import PhraseFinder
from indexing.postings import length_scale
from indexing.reader import IndexReader
from indexing.scoring import FieldStatistics, Matches, Scores, bm25, constant, inverse_frequency, nothing
from indexing.vocabulary import measure_distances

LOOSE_WORTH: Final = 0.75
"""Worth of a hyphenated word found as words apart."""

_BYTES_A_TERM: Final = 150
_TERMS_IN_PHRASE: Final = 200
"""Words that a pattern within a phrase may stand for: the places of all of them are read."""


class TextField:
    """One field of one index, with its statistics."""

    def __init__(self, reader: IndexReader, name: str, lengths: npt.NDArray[np.int32] | None) -> None:
        self.reader = reader
        self.name = name
        scale = np.array(length_scale(), np.float64)
        live = int(reader.live.sum())
        rounded = scale[reader.length_bytes(name)]
        exact = rounded if lengths is None else lengths
        average = float(exact[reader.live].sum()) / live if live else 0.0
        self.statistics = FieldStatistics(rounded, live, average or 1.0)

    @property
    def size(self) -> int:
        """Number of documents, live or not."""
        return self.reader.count

    def find(self, needle: Needle, budget: Budget, across: Iterable[int] = ()) -> Matches:
        """Find a word or phrase; a second reading counts less.

        Args:
            needle: what to find.
            budget: what it may cost.
            across: documents in which the phrase starts, to end in the next (`seam_search`).
        """
        counts: Scores = np.zeros(self.size)
        for document in across:
            counts[document] += 1.0
        for number, reading in enumerate(needle.readings):
            documents, some = self._count(reading, needle.slop, budget)
            counts[documents] += some if not number else some * LOOSE_WORTH
        return self._score(counts)

    def _score(self, counts: Scores) -> Matches:
        """Score what was counted, as one term."""
        found = counts > 0
        documents = np.flatnonzero(found)
        if not len(documents):
            return nothing(self.size)
        statistics = self.statistics
        idf = inverse_frequency(statistics.documents, len(documents))
        scores = np.zeros(self.size)
        scores[documents] = bm25(
            counts[documents], statistics.lengths[documents], max(idf, 1e-6), statistics.average
        )
        return Matches(found, scores)

    def _count(
        self, elements: Sequence[Element], slop: int, budget: Budget
    ) -> tuple[npt.NDArray[np.int32], Scores]:
        """Count the occurrences of one reading in each document."""
        if len(elements) == 1:
            return self._count_word(elements[0])
        return PhraseFinder(self.reader, self.name, elements, budget.spent).count(slop)

    def _count_word(self, element: Element) -> tuple[npt.NDArray[np.int32], Scores]:
        """Count a single position's terms, exact forms counting more."""
        worth = [
            *zip(element.terms, element.worth, strict=True),
            *((term, EXACT_SHARE) for term in element.bonus),
        ]
        lists = [(self.reader.postings(self.name, term), share) for term, share in worth]
        lists = [(found, share) for found, share in lists if len(found.documents)]
        if len(lists) == 1:
            found, share = lists[0]
            return found.documents, found.weights * np.float64(share)
        counts = np.zeros(self.size)
        for found, share in lists:
            counts[found.documents] += found.weights * share
        documents = np.flatnonzero(counts).astype(np.int32)
        return documents, counts[documents]

    def match_terms(self, terms: Mapping[str, float]) -> Matches:
        """Match documents with any of these terms; each scores the best of theirs, however the index is cut up."""
        scores = np.zeros(self.size)
        for term, score in terms.items():
            documents = self.reader.postings(self.name, term).documents
            scores[documents] = np.maximum(scores[documents], score)
        return Matches(scores > 0, scores)

    def match_pattern(self, pattern: str, budget: Budget) -> tuple[Matches, Sequence[str]]:
        """Match documents with any word that a pattern stands for, all with the same score; and name those words."""
        found = expand_pattern(self.reader, self.name, pattern, budget)
        return constant(found.found & self.reader.live), found.terms

    def expand(self, pattern: str, budget: Budget) -> Sequence[str]:
        """List the words that a pattern stands for, as one word of a phrase; fewer of them than alone."""
        small = Budget(budget.seconds, min(budget.terms, _TERMS_IN_PHRASE), budget.started, budget.notes)
        small.named = budget.named
        terms = expand_pattern(self.reader, self.name, pattern, small).terms
        budget.partial |= small.partial
        return terms

    def like(self, word: str, distance: int, budget: Budget) -> dict[str, tuple[int, int]]:
        """List the terms at most `distance` letters from a word: how far, and in how many documents."""
        shape = plain_form(normal_form(word))
        key = ("like", self.name, shape, distance)
        found: dict[str, tuple[int, int]] | None = self.reader.cache.get(key)
        if found is not None:
            return found
        counts: Counter[str] = Counter()
        complete = True
        for segment in self.reader.segments:
            if budget.spent():
                complete = False
                break
            for term, documents in segment.vocabulary(self.name).near(shape, distance):
                counts[term] += documents
        distances = measure_distances(shape, counts, distance)
        found = {term: (far, counts[term]) for term, far in distances.items()}
        if complete:
            self.reader.cache.put(key, found, _BYTES_A_TERM * len(found))
        return found
