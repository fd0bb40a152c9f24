"""Fields with few and exact values: flags of pages, languages and ids of documents.

In: a value as typed, or a pattern. Out: a truth value a document, and a remark where nothing has the value. It must not
know questions.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

import numpy as np

from indexing.budget import Budget
from indexing.expansion import expand_pattern
from indexing.places import Bools
from indexing.postings import read_term
from indexing.reader import IndexReader

_MOST_NAMED: Final = 12
"""Known values that a remark lists."""

_LISTED: Final = frozenset({"flag", "lang"})


def match_exact(reader: IndexReader, name: str, text: str, budget: Budget) -> Bools:
    """Find the documents of an index with a value in an exact field, or with one that a pattern stands for."""
    wanted = text.strip().lower()
    if name == "lang":
        wanted = wanted.replace("_", "-")
    found = np.zeros(reader.count, np.bool_)
    if "*" in wanted or "?" in wanted:
        found |= expand_pattern(reader, name, wanted, budget).found
    else:
        found[reader.postings(name, wanted).documents] = True
    if not found.any():
        budget.notes.append(f"nothing has {name}:{text}{_known_values(reader, name)}")
    return found


def has_any(reader: IndexReader, name: str) -> Bools:
    """Find the documents that have a value in an exact field."""
    found = np.zeros(reader.count, np.bool_)
    for segment, base in zip(reader.segments, reader.bases, strict=True):
        for _, packed in segment.terms(name):
            found[base + segment.counts(read_term(packed))[0]] = True
    return found


def _known_values(reader: IndexReader, name: str) -> str:
    """Name the values that there are, the most frequent first."""
    if name not in _LISTED:
        return ""
    counts: Counter[str] = Counter()
    for segment in reader.segments:
        for term, packed in segment.terms(name):
            counts[term.decode("utf-8", "replace")] += read_term(packed).documents
    known = [f"{value} ({count:,})" for value, count in counts.most_common(_MOST_NAMED)]
    more = ", ..." if len(counts) > _MOST_NAMED else ""
    return f"; there is {', '.join(known)}{more}" if known else "; there is none"
