"""Asking one text field: words, phrases, patterns and like spellings, with scores.

In: needles and patterns. Out: matches over all documents of the index. What costs much is bounded by a `Budget`, and
what the budget cut off is noted. It must not know the question's tree, nor what a document is.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from indexing.analyzer import PLAIN
from indexing.characters import normal_form, plain_form
from indexing.elements import EXACT_SHARE, Element, Needle, find_chains
from indexing.postings import decode_positions, length_scale, read_term
from indexing.reader import NO_POSTINGS, IndexReader, Postings
from indexing.scoring import FieldStatistics, Matches, Scores, bm25, constant, inverse_frequency, nothing

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

    def find(self, needle: Needle, budget: Budget) -> Matches:
        """Find a word or phrase; a second reading counts less."""
        counts: Scores = np.zeros(self.size)
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
        lists = {
            term: self.reader.postings(self.name, term)
            for element in elements
            for term in (*element.terms, *([element.glue] if element.glue else ()))
        }
        candidates = self._candidates(elements, lists)
        counts = np.zeros(len(candidates))
        if not len(candidates):
            return candidates, counts
        columns = {term: _Column(found, candidates) for term, found in lists.items() if len(found.documents)}
        for number in range(len(candidates)):
            if not number & 255 and budget.spent():
                break
            places = {term: found for term, column in columns.items() if (found := column.places(number))}
            counts[number] = len(find_chains(elements, places, slop))
        kept = counts > 0
        return candidates[kept], counts[kept]

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

    def _candidates(self, elements: Sequence[Element], lists: dict[str, Postings]) -> npt.NDArray[np.int32]:
        """List the documents that have every element somewhere."""
        candidates: npt.NDArray[np.int32] | None = None
        for element in elements:
            found = [lists[term].documents for term in element.terms if len(lists[term].documents)]
            if not found:
                return NO_POSTINGS.documents
            some = found[0] if len(found) == 1 else np.unique(np.concatenate(found))
            candidates = some if candidates is None else np.intersect1d(candidates, some, assume_unique=True)
        return candidates if candidates is not None else NO_POSTINGS.documents

    def match_terms(self, terms: Iterable[str], budget: Budget) -> Matches:
        """Match documents with any of these terms; each scores the same, however the index is cut up."""
        found = np.zeros(self.size, np.bool_)
        for term in terms:
            if budget.spent():
                break
            found[self.reader.postings(self.name, term).documents] = True
        return constant(found)

    def expand_pattern(self, pattern: str, budget: Budget) -> list[str]:
        """List the terms that a pattern with `*` and `?` stands for; accents need not match."""
        shape = plain_form(normal_form(pattern))
        stem = re.match(r"[^*?]*", shape)
        literal = stem.group() if stem else ""
        expression = re.compile(
            "".join({"*": ".*", "?": "."}.get(sign, re.escape(sign)) for sign in shape), re.DOTALL
        )
        found: dict[str, int] = {}
        for prefix in (literal, PLAIN + literal):
            for term, count in self._terms(prefix, budget):
                if expression.fullmatch(term, len(prefix) - len(literal)):
                    found[term] = found.get(term, 0) + count
        return self._frequent(pattern, found, budget)

    def _terms(self, prefix: str, budget: Budget) -> Iterator[tuple[str, int]]:
        """Yield terms with a prefix, and in how many documents of a segment they are."""
        marked = prefix.startswith(PLAIN)
        for segment in self.reader.segments:
            for number, (encoded, record) in enumerate(segment.terms(self.name, prefix.encode())):
                if not number & 1023 and budget.spent():
                    return
                term = encoded.decode("utf-8", "replace")
                if marked or term[0] >= " ":
                    yield term, read_term(record).documents

    @staticmethod
    def _frequent(pattern: str, found: dict[str, int], budget: Budget) -> list[str]:
        if len(found) > budget.terms:
            budget.cut(
                f"{pattern} stands for {len(found)} words: the {budget.terms} most frequent were looked for"
            )
            return sorted(found, key=lambda term: (-found[term], term))[: budget.terms]
        return sorted(found)


class _Column:
    """The positions of one term in the candidate documents, decoded as asked for."""

    __slots__ = ("_rows", "_values")

    def __init__(self, postings: Postings, candidates: npt.NDArray[np.int32]) -> None:
        rows = np.searchsorted(postings.documents, candidates)
        rows[rows == len(postings.documents)] = 0
        rows[postings.documents[rows] != candidates] = -1
        self._rows = rows.tolist()
        self._values = postings.values

    def places(self, number: int) -> Sequence[int]:
        """Return the positions in a candidate, or nothing."""
        row = self._rows[number]
        return decode_positions(self._values[row]) if row >= 0 else ()
