"""Asking one text field: words, phrases, patterns and like spellings, with scores.

In: needles and patterns. Out: matches over all documents of the index. What costs much is bounded by a `Budget`, and
what the budget cut off is noted. It must not know the question's tree, nor what a document is.
"""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from indexing.analyzer import PLAIN
from indexing.characters import normal_form, plain_form
from indexing.elements import EXACT_SHARE, Element, Needle
from indexing.phrases import PhraseFinder
from indexing.postings import length_scale, read_term
from indexing.reader import IndexReader
from indexing.scoring import FieldStatistics, Matches, Scores, bm25, inverse_frequency, nothing
from indexing.vocabulary import compile_pattern

LOOSE_WORTH: Final = 0.75
"""Worth of a hyphenated word found as words apart."""


@dataclass(slots=True)
class Budget:
    """How much a question may cost; what was cut off is said in `notes`.

    Attributes:
        seconds: time for the whole question.
        terms: words that one pattern may stand for.
    """

    seconds: float = 2.0
    terms: int = 1_000
    started: float = field(default_factory=time.monotonic)
    notes: list[str] = field(default_factory=list)
    partial: bool = False

    def spent(self) -> bool:
        """Tell whether the time is over; note it, once."""
        if time.monotonic() - self.started < self.seconds:
            return False
        self.cut(f"the time limit of {self.seconds:g} s was reached: there may be more")
        return True

    def cut(self, note: str) -> None:
        """Note that the answer is not complete."""
        self.partial = True
        if note not in self.notes:
            self.notes.append(note)


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
        return PhraseFinder(self.reader, self.name, elements).count(slop, budget.spent)

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

    def match_terms(self, terms: Mapping[str, float], budget: Budget) -> Matches:
        """Match documents with any of these terms; each scores the best of theirs, however the index is cut up."""
        scores = np.zeros(self.size)
        for number, (term, score) in enumerate(terms.items()):
            # What was found may be looked up even if finding it took all the time: it is the answer.
            if number > 200 and budget.spent():
                break
            documents = self.reader.postings(self.name, term).documents
            scores[documents] = np.maximum(scores[documents], score)
        return Matches(scores > 0, scores)

    def expand_pattern(self, pattern: str, budget: Budget) -> list[str]:
        """List the terms that a pattern with `*` and `?` stands for; accents need not match."""
        shape = plain_form(normal_form(pattern))
        literal = re.split(r"[*?]", shape, maxsplit=1)[0]
        found: Counter[str] = Counter()
        if literal:
            for prefix in (literal, PLAIN + literal):
                self._count_terms(prefix, compile_pattern(shape), found, budget)
        else:
            for segment in self.reader.segments:
                if budget.spent():
                    break
                for term, count in segment.vocabulary(self.name).matching(shape):
                    found[term] += count
        return self._frequent(pattern, found, budget)

    def _count_terms(
        self, prefix: str, expression: re.Pattern[str], found: Counter[str], budget: Budget
    ) -> None:
        """Count the documents of terms that start with a prefix and match."""
        for segment in self.reader.segments:
            for number, (encoded, record) in enumerate(segment.terms(self.name, prefix.encode())):
                if not number & 1023 and budget.spent():
                    return
                term = encoded.decode("utf-8", "replace")
                if expression.fullmatch(term):
                    found[term] += read_term(record).documents

    def like(self, word: str, distance: int, budget: Budget) -> dict[str, tuple[int, int]]:
        """List the terms at most `distance` letters from a word: how far, and in how many documents."""
        shape = plain_form(normal_form(word))
        found: dict[str, tuple[int, int]] = {}
        for segment in self.reader.segments:
            if budget.spent():
                break
            for term, far, count in segment.vocabulary(self.name).similar(shape, distance):
                found[term] = far, found.get(term, (0, 0))[1] + count
        return found

    @staticmethod
    def _frequent(pattern: str, found: Counter[str], budget: Budget) -> list[str]:
        if len(found) > budget.terms:
            budget.cut(
                f"{pattern} stands for {len(found)} words: the {budget.terms} most frequent were looked for"
            )
            return sorted(found, key=lambda term: (-found[term], term))[: budget.terms]
        return sorted(found)
