"""The words of an index, for patterns, like spellings and suggestions.

In: the sorted terms of one field of one segment, with their document counts. Out: those that match a pattern or differ
by few letters. Searching is done over all terms at once, in numpy and in C, never term by term. It must not know files
nor questions.
"""

from __future__ import annotations

import itertools
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from indexing.analyzer import PLAIN, STEM

Int64s = npt.NDArray[np.int64]

_TERMS_A_LOOK: Final = 4096
"""Terms that are compared with a pattern between two looks at the clock."""


def compile_pattern(pattern: str) -> re.Pattern[str]:
    """Make a regular expression of a pattern with `*` and `?`, for whole terms, with or without `PLAIN` before them.

    What stands between two stars is looked for as far left as it can be, once and for all (an atomic group): no place
    further right lets more through, and many stars cost no more than few.
    """
    any_sign = f"[^{PLAIN}]"
    first, *others = (
        "".join(any_sign if sign == "?" else re.escape(sign) for sign in piece)
        for piece in re.sub(r"\*+", "*", pattern).split("*")
    )
    if not others:
        return re.compile(f"{PLAIN}?{first}", re.DOTALL)
    between = "".join(f"(?>{any_sign}*?{piece})" for piece in others[:-1])
    return re.compile(f"{PLAIN}?{first}{between}{any_sign}*{others[-1]}", re.DOTALL)


def which_match(pattern: str, terms: Sequence[str], spent: Callable[[], bool]) -> list[bool]:
    """Tell for each term whether a pattern matches all of it; False for those that there was no time to look at."""
    whole = compile_pattern(pattern).fullmatch
    kept: list[bool] = []
    for start in range(0, len(terms), _TERMS_A_LOOK):
        if start and spent():
            return kept + [False] * (len(terms) - start)
        kept += [whole(term) is not None for term in terms[start : start + _TERMS_A_LOOK]]
    return kept


@dataclass(frozen=True, slots=True)
class _Columns:
    """Facts about the terms of a vocabulary.

    Attributes:
        starts: offset of each term in the text, and the length of the text, int32 or int64.
        kinds: the letters of each as a set of 32 kinds, one bit each.
        marked: True for terms with a mark before them.
    """

    starts: npt.NDArray[Any]
    kinds: npt.NDArray[np.uint32]
    marked: npt.NDArray[np.bool_]


class Vocabulary:
    """The terms of a field in one segment."""

    def __init__(self, terms: bytes, documents: npt.NDArray[np.int64]) -> None:
        """Take the terms.

        Args:
            terms: UTF-8, each with a line feed behind it, in order.
            documents: number of documents that have each.
        """
        self._text = terms.decode("utf-8", "replace")
        self._documents = documents.astype(np.int32)

    def __len__(self) -> int:
        return len(self._documents)

    @cached_property
    def _columns(self) -> _Columns:
        letters = _letters_of(self._text)
        starts = np.concatenate([[0], np.flatnonzero(letters == 10) + 1])
        kinds = np.bitwise_or.reduceat(_kinds_of(letters), starts[:-1]) if len(self) else letters
        marked = letters[starts[:-1]] < 32
        return _Columns(starts.astype(np.int32 if len(letters) < 2**31 else np.int64), kinds, marked)

    def _term(self, number: int) -> str:
        starts = self._columns.starts
        return self._text[int(starts[number]) : int(starts[number + 1]) - 1]

    def matching(
        self, pattern: str, spent: Callable[[], bool] = lambda: False
    ) -> tuple[list[str], Int64s, Int64s]:
        """Return the terms that a pattern with `*` and `?` matches, their numbers, and how many documents have each.

        A plain form behind `PLAIN` matches as if the mark were not there. What `spent` leaves no time for is left out.
        """
        literal = max(re.split(r"[*?]+", pattern), key=len)
        numbers = self._containing(literal)
        terms = [self._term(number) for number in numbers.tolist()]
        kept = [not term.startswith(STEM) for term in terms]
        if re.fullmatch(r"\*+[^*?]*\*+", pattern) is None:
            kept = [
                ours and fits for ours, fits in zip(kept, which_match(pattern, terms, spent), strict=True)
            ]
        numbers = numbers[np.array(kept, np.bool_)]
        return list(itertools.compress(terms, kept)), numbers, self._documents[numbers].astype(np.int64)

    def _containing(self, literal: str) -> Int64s:
        """Return the numbers of the terms that contain a text; all of them for no text."""
        if not literal:
            return np.arange(len(self))
        found = [match.start() for match in re.finditer(re.escape(literal), self._text)]
        return np.unique(np.searchsorted(self._columns.starts, np.array(found, np.int64), side="right") - 1)

    def near(self, word: str, distance: int) -> Iterator[tuple[str, int]]:
        """Yield the terms that may be at most `distance` letters away, and how many documents have each.

        They are of about the same length and made of nearly the same kinds of letters: a hundredth of all terms.
        """
        starts = self._columns.starts
        lengths = starts[1:] - 1 - starts[:-1] - self._columns.marked
        kinds = np.bitwise_or.reduce(_kinds_of(_letters_of(word)))
        # A letter changed is one less and one more: whatever differs by more letters is further away.
        near = np.bitwise_count(self._columns.kinds ^ kinds) <= 2 * distance
        near &= np.abs(lengths - len(word)) <= distance
        numbers = np.flatnonzero(near)
        columns = starts[numbers], starts[numbers + 1], self._documents[numbers]
        for start, end, documents in zip(*(column.tolist() for column in columns), strict=True):
            term = self._text[start : end - 1]
            if not term.startswith(STEM):
                yield term, documents


def measure_distances(word: str, terms: Iterable[str], most: int) -> dict[str, int]:
    """Return the terms at most `most` letters away from a word, and how far they are.

    A letter put in, left out, changed, or two neighbours swapped, count one. Marked terms count without the mark.
    """
    by_length: defaultdict[int, list[str]] = defaultdict(list)
    for term in terms:
        by_length[len(term.removeprefix(PLAIN))].append(term)
    found: dict[str, int] = {}
    for length, some in by_length.items():
        if length:
            letters = _letters_of("".join(term.removeprefix(PLAIN) for term in some)).reshape(-1, length)
            far = _distances(_letters_of(word), letters).tolist()
            found |= {term: steps for term, steps in zip(some, far, strict=True) if steps <= most}
    return found


def _letters_of(text: str) -> npt.NDArray[np.uint32]:
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


_KINDS: Final = np.where(np.arange(128) < 32, 0, 1 << (np.arange(128) & 31)).astype(np.uint32)
"""The bit of each letter's kind, by the lower seven bits of the letter; line feeds and marks have none."""


def _kinds_of(letters: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint32]:
    """Return the bit of each letter's kind."""
    kinds: npt.NDArray[np.uint32] = _KINDS[letters & np.uint32(127)]
    return kinds


def _distances(word: npt.NDArray[np.uint32], letters: npt.NDArray[np.uint32]) -> npt.NDArray[np.uint8]:
    """Compute the distance (optimal string alignment) of a word to each row of letters."""
    count, length = letters.shape
    before = np.zeros((length + 1, count), np.uint8)
    last = np.repeat(np.arange(length + 1, dtype=np.uint8)[:, None], count, axis=1)
    columns = letters.T
    for row, letter in enumerate(word, 1):
        current = np.empty_like(last)
        current[0] = row
        for column in range(1, length + 1):
            same = columns[column - 1] == letter
            best = np.minimum(last[column], current[column - 1]) + np.uint8(1)
            np.minimum(best, last[column - 1] + ~same, out=best)
            if row > 1 and column > 1:
                swapped = (columns[column - 2] == letter) & (columns[column - 1] == word[row - 2])
                best = np.where(swapped, np.minimum(best, before[column - 2] + np.uint8(1)), best)
            current[column] = best
        before, last = last, current
    return last[length]
