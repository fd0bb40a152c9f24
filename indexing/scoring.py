"""Scores: BM25 as Whoosh computes it, over arrays.

In: counts of a term in documents, lengths of fields, sizes of the index. Out: scores, and sets of documents with
scores that can be joined. It must not know terms or files.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt

B: Final = 0.75
K1: Final = 1.2
"""Whoosh's defaults."""

Bools = npt.NDArray[np.bool_]
Scores = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Matches:
    """The documents that answer a question, or a part of it.

    Attributes:
        found: one truth value a document.
        scores: one score a document, 0 where not found.
    """

    found: Bools
    scores: Scores


@dataclass(frozen=True, slots=True)
class FieldStatistics:
    """What BM25 needs of a field.

    Attributes:
        lengths: length of each document, rounded as the index stores it, float64.
        documents: number of live documents.
        average: mean length of the live documents, not rounded.
    """

    lengths: Scores
    documents: int
    average: float


def inverse_frequency(documents: int, containing: int) -> float:
    """Return the weight of a term that `containing` of `documents` have; Whoosh's formula."""
    return math.log(documents / (containing + 1)) + 1.0 if documents else 0.0


def bm25(counts: Scores, lengths: Scores, idf: float, average: float) -> Scores:
    """Score occurrences: Whoosh's `scoring.bm25`, for many documents at once."""
    return idf * (counts * (K1 + 1)) / (counts + K1 * ((1 - B) + B * lengths / average))


def nothing(size: int) -> Matches:
    """Match no document."""
    return Matches(np.zeros(size, np.bool_), np.zeros(size))


def constant(found: Bools, score: float = 1.0) -> Matches:
    """Give every found document the same score."""
    return Matches(found, np.where(found, score, 0.0))


def intersect(parts: Sequence[Matches]) -> Matches:
    """Match what all parts match; scores add up."""
    found = np.logical_and.reduce([part.found for part in parts])
    return Matches(found, np.where(found, np.sum([part.scores for part in parts], axis=0), 0.0))


def unite(parts: Sequence[Matches]) -> Matches:
    """Match what any part matches; scores add up."""
    found = np.logical_or.reduce([part.found for part in parts])
    return Matches(found, np.sum([part.scores for part in parts], axis=0))


def exclude(found: Bools) -> Matches:
    """Match what is not found; it scores nothing."""
    return Matches(~found, np.zeros(len(found)))


def scale(part: Matches, factor: float) -> Matches:
    """Multiply scores."""
    return Matches(part.found, part.scores * factor)
