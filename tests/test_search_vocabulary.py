"""The words of an index: patterns and like spellings over all terms at once, against one term at a time."""

from __future__ import annotations

import fnmatch

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from indexing.analyzer import LINK, PLAIN, STEM
from indexing.vocabulary import Vocabulary, measure_distances

LETTERS = "abjAéж中~"
WORDS = st.text(LETTERS, min_size=1, max_size=6)
TERMS = st.sets(st.tuples(st.sampled_from(["", PLAIN, STEM, LINK]), WORDS).map("".join), max_size=40)


def vocabulary_of(terms: set[str]) -> tuple[Vocabulary, list[str]]:
    ordered = sorted(terms, key=str.encode)
    text = "".join(f"{term}\n" for term in ordered).encode()
    return Vocabulary(text, np.arange(1, len(ordered) + 1)), ordered


def distance(left: str, right: str) -> int:
    """Count letters put in, left out, changed, or neighbours swapped (optimal string alignment)."""
    rows = [list(range(len(right) + 1))]
    for i, one in enumerate(left, 1):
        rows.append([i])
        for j, other in enumerate(right, 1):
            best = min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (one != other))
            if i > 1 and j > 1 and one == right[j - 2] and left[i - 2] == other:
                best = min(best, rows[i - 2][j - 2] + 1)
            rows[i].append(best)
    return rows[-1][-1]


@settings(max_examples=300)
@given(TERMS, WORDS, st.integers(1, 2))
def test_like_spellings(terms: set[str], word: str, most: int) -> None:
    vocabulary, ordered = vocabulary_of(terms)
    near = dict(vocabulary.near(word, most))
    assert near.items() <= {term: number for number, term in enumerate(ordered, 1)}.items()
    slowly = {
        term: far
        for term in ordered
        if not term.startswith(STEM) and (far := distance(word, term.removeprefix(PLAIN))) <= most
    }
    assert measure_distances(word, near, most) == slowly


@settings(max_examples=300)
@example({PLAIN + "A"}, "??")
@given(TERMS, st.text(LETTERS + "*?", max_size=5))
def test_patterns(terms: set[str], pattern: str) -> None:
    vocabulary, ordered = vocabulary_of(terms)
    found, numbers, documents = vocabulary.matching(pattern)
    slowly = [
        term
        for term in ordered
        if not term.startswith(STEM) and fnmatch.fnmatchcase(term.removeprefix(PLAIN), pattern)
    ]
    assert list(found) == slowly == [ordered[number] for number in numbers.tolist()]
    assert documents.tolist() == [number + 1 for number in numbers.tolist()]


@pytest.mark.parametrize(
    ("left", "right", "far"), [("fox", "fox", 0), ("fxo", "fox", 1), ("fo", "fox", 1), ("boxes", "fox", 3)]
)
def test_the_slow_distance_is_right(left: str, right: str, far: int) -> None:
    assert distance(left, right) == far
    assert measure_distances(left, [right], 3) == {right: far}
