"""What patterns stand for: terms of the index, and the documents that have any of them.

In: patterns with `*` and `?`, a budget. Out: terms, and a truth value a document. What was found is kept for the next
time. It must not know questions or scores.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

from indexing.analyzer import PLAIN
from indexing.budget import Budget
from indexing.characters import normal_form, plain_form
from indexing.reader import IndexReader, SegmentReader, TermRange
from indexing.schema import PAGE_TEXT
from indexing.vocabulary import which_match

_BYTES_A_TERM: Final = 100


@dataclass(frozen=True, slots=True)
class Expansion:
    """What a pattern stands for.

    Attributes:
        terms: the terms looked for, the most frequent ones where there are too many.
        known: how many terms match.
        found: one truth value a document, live or not.
        complete: False if the time was over before all terms were looked at.
    """

    terms: tuple[str, ...]
    known: int
    found: npt.NDArray[np.bool_]
    complete: bool

    @property
    def size(self) -> int:
        """Bytes that it takes, about."""
        return self.found.nbytes + len(self.terms) * _BYTES_A_TERM


def expand_pattern(reader: IndexReader, name: str, pattern: str, budget: Budget) -> Expansion:
    """Find the terms that a pattern stands for, and their documents; accents need not match."""
    shape = re.sub(r"\*+", "*", plain_form(normal_form(pattern)))
    key = ("pattern", name, shape, budget.terms)
    found: Expansion | None = reader.cache.get(key)
    if found is None:
        found = _expand(reader, name, shape, budget)
        if found.complete:
            reader.cache.put(key, found, found.size)
    if found.known > len(found.terms):
        where = "" if name == PAGE_TEXT else f" of the field {budget.named.get(name, name)}"
        budget.cut(
            f"{pattern} stands for {found.known:,} words{where}: the {len(found.terms)} most frequent were looked for"
        )
    return found


def _expand(reader: IndexReader, name: str, shape: str, budget: Budget) -> Expansion:
    ranges: list[tuple[SegmentReader, int, TermRange]] = []
    counts: Counter[str] = Counter()
    late = False

    def spent() -> bool:
        nonlocal late
        late = late or budget.spent()
        return late

    for segment, base in zip(reader.segments, reader.bases, strict=True):
        if spent():
            break
        for some in _matching(segment, name, shape, spent):
            ranges.append((segment, base, some))
            for term, documents in zip(some.terms, some.documents.tolist(), strict=True):
                counts[term] += documents
    terms = sorted(counts)
    if len(terms) > budget.terms:
        terms = sorted(terms, key=lambda term: (-counts[term], term))[: budget.terms]
    # What was found may be looked up even if finding it took all the time: it is the answer.
    chosen = frozenset(terms)
    found = np.zeros(reader.count, np.bool_)
    for segment, base, some in ranges:
        part = some if len(terms) == len(counts) else some.only([term in chosen for term in some.terms])
        if part.terms:
            found[base : base + segment.count] |= segment.documents_of(part.numbers)
    return Expansion(tuple(terms), len(counts), found, not late)


def _matching(
    segment: SegmentReader, name: str, shape: str, spent: Callable[[], bool]
) -> Iterator[TermRange]:
    """Yield the terms of one segment that match: those with a known beginning, or from all terms."""
    literal = re.split(r"[*?]", shape, maxsplit=1)[0]
    if not literal:
        yield segment.matching(name, shape, spent)
        return
    for prefix in (literal, PLAIN + literal):
        some = segment.starting(name, prefix)
        if len(some.terms) and shape != literal + "*":
            some = some.only(which_match(shape, some.terms, spent))
        yield some
