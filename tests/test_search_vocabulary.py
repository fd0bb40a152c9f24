"""The words of an index: patterns and like spellings over all terms at once, against one term at a time."""

from __future__ import annotations

import fnmatch
import time
from functools import cache

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from indexing.analyzer import LINK, PLAIN, STEM
from indexing.vocabulary import Vocabulary, measure_distances, which_match

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


def letter_by_letter(pattern: str, word: str) -> bool:
    """Match `*` and `?` by the definition, sign by sign."""

    @cache
    def rest(at: int, place: int) -> bool:
        if at == len(pattern):
            return place == len(word)
        if pattern[at] == "*":
            return rest(at + 1, place) or (place < len(word) and rest(at, place + 1))
        return place < len(word) and pattern[at] in ("?", word[place]) and rest(at + 1, place + 1)

    return rest(0, 0)


@settings(max_examples=2000)
@given(st.text("ab*?.", max_size=9), st.lists(st.text("ab.", min_size=1, max_size=12), max_size=6))
@example("*ab*ab", ["abab", "ab", "aab", "abbab"])
@example("*?*a?*", ["a", "ab", "ba", "bab"])
def test_patterns_match_as_they_are_defined(pattern: str, words: list[str]) -> None:
    expected = [letter_by_letter(pattern, word) for word in words]
    assert which_match(pattern, words, lambda: False) == expected
    assert which_match(pattern, [PLAIN + word for word in words], lambda: False) == expected


@pytest.mark.parametrize(
    "pattern", ["*a" * 40, "a*" * 40 + "b", "*aa" * 20 + "*b", "*?a" * 30 + "b", "?*" * 30 + "b"]
)
def test_many_stars_cost_no_more_than_few(pattern: str) -> None:
    words = ["a" * length for length in range(1, 200)] * 5
    started = time.process_time()
    found = which_match(pattern, words, lambda: False)
    assert time.process_time() - started < 1.0
    assert any(found) == (not pattern.endswith("b"))


def test_patterns_stop_when_the_time_is_over() -> None:
    words = ["ab"] * 20_000
    looks = iter([False, True])
    found = which_match("a*b", words, lambda: next(looks))
    assert 0 < sum(found) < len(words) == len(found)
    assert found == sorted(found, reverse=True)
