"""Marking hits in a text, and cutting the piece of it that shows them best.

In: a page's text and what to mark. Out: spans of characters, and a snippet with its marks. It uses the same analysis as
the index, so that what is marked is what was found. It must not know the index nor how marks are drawn.
"""

from __future__ import annotations

import itertools
import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from indexing.analyzer import cut_tokens, token_slots
from indexing.elements import Needle, find_chains
from indexing.evaluate import Marks
from indexing.results import Snippet, Span
from indexing.token_terms import Terms, TokenTerms

MORE: Final = "…"


class Marker:
    """Finds what to mark in texts; remembers what it saw of words, for the next text."""

    def __init__(self, marks: Marks, known: TokenTerms | None = None) -> None:
        self._marks = marks
        self._seen = _Seen(frozenset(_wanted(marks)), known or TokenTerms())

    def find_spans(self, text: str, page: int = -1) -> list[tuple[Span, int]]:
        """Find what to mark in a page's text, each span with the number of the needle that it belongs to."""
        places: defaultdict[str, list[int]] = defaultdict(list)
        firsts: list[int] = []
        position, seen = 0, self._seen
        tokens = list(cut_tokens(text))
        for token, _ in tokens:
            terms, width = seen[token]
            if terms:
                for term, shift in terms:
                    places[term].append(position + shift)
            firsts.append(position)
            position += width
        found = self._positions(places, self._marks.tails.get(page, ())) if places else {}
        return _locate(tokens, firsts, found) if found else []

    def _positions(self, places: Mapping[str, Sequence[int]], tails: Sequence[Needle]) -> dict[int, int]:
        """Return the positions to mark, with the number of their needle; of a tail, where it stands last."""
        found: dict[int, int] = {}
        for tail in tails:
            for chain in find_chains(tail.readings[0], places, 0)[-1:]:
                found |= dict.fromkeys(range(chain[0], chain[-1] + tail.readings[0][-1].width), 0)
        for number, needle in enumerate(self._marks.needles):
            for reading in needle.readings:
                for chain in find_chains(reading, places, needle.slop):
                    marked = chain if needle.slop else range(chain[0], chain[-1] + reading[-1].width)
                    for position in marked:
                        found.setdefault(position, number)
        for term in self._marks.terms:
            for position in places.get(term, ()):
                found.setdefault(position, len(self._marks.needles))
        return found


def _wanted(marks: Marks) -> Iterator[str]:
    """Yield all terms that matter."""
    yield from marks.terms
    for needle in itertools.chain(marks.needles, *marks.tails.values()):
        for reading in needle.readings:
            for element in reading:
                yield from element.terms
                if element.glue:
                    yield element.glue


class _Seen(dict[str, tuple[Terms, int]]):
    """What matters of each token for one question: its terms that are looked for, and its number of positions."""

    def __init__(self, wanted: frozenset[str], known: TokenTerms) -> None:
        super().__init__()
        self._wanted = wanted
        self._known = known

    def __missing__(self, token: str) -> tuple[Terms, int]:
        terms, width = self._known.of(token)
        entry = self[token] = tuple(pair for pair in terms if pair[0] in self._wanted), width
        return entry


def _locate(
    tokens: Sequence[tuple[str, int]], firsts: Sequence[int], found: Mapping[int, int]
) -> list[tuple[Span, int]]:
    """Find the characters of positions; tokens are (text, offset), firsts their first positions."""
    spans: list[tuple[Span, int]] = []
    for position in sorted(found):
        number = bisect_right(firsts, position) - 1
        token, offset = tokens[number]
        slot = token_slots(token, offset)[position - firsts[number]]
        spans.append(((slot.start, slot.end), found[position]))
    return spans


def cut_snippet(text: str, spans: Sequence[tuple[Span, int]], size: int) -> Snippet:
    """Cut the piece of about `size` characters that shows most of what was asked for.

    The best piece has the most different needles; then the most marks; then it is the first.
    """
    start, end = 0, min(len(text), size)
    if spans:
        start, end = _best_window(text, spans, size)
    start, end = _to_words(text, start, end)
    return _flatten(text, start, end, [span for span, _ in spans if span[0] >= start and span[1] <= end])


def _best_window(text: str, spans: Sequence[tuple[Span, int]], size: int) -> Span:
    starts = [span[0] for span, _ in spans]
    best, best_worth = 0, (-1, -1)
    for first in range(len(spans)):
        last = bisect_left(starts, starts[first] + size)
        inside = [number for span, number in spans[first:last] if span[1] <= starts[first] + size]
        worth = (len(set(inside)), min(len(inside), 8))
        if worth > best_worth:
            best, best_worth = first, worth
    left = spans[best][0][0]
    right = max(span[1] for span, _ in spans[best:] if span[0] == left or span[1] <= left + size)
    spare = max(size - (right - left), 0)
    start = max(0, left - min(spare // 2, size // 4))
    return start, min(len(text), max(start + size, right))


_SPACE = re.compile(r"\s+")


def _to_words(text: str, start: int, end: int) -> Span:
    """Move the ends to white space, by 20 characters at most."""
    if start > 0:
        space = _SPACE.search(text, start, min(start + 20, end))
        if space and not text[start - 1].isspace():
            start = space.end()
    if end < len(text):
        space_at = max(
            text.rfind(" ", max(end - 20, start), end), text.rfind("\n", max(end - 20, start), end)
        )
        if space_at > start:
            end = space_at
    return start, end


def _flatten(text: str, start: int, end: int, spans: Sequence[Span]) -> Snippet:
    """Put the piece on one line and move the marks along."""
    merged: list[Span] = []
    for left, right in spans:
        if merged and left <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(right, merged[-1][1]))
        else:
            merged.append((left, right))
    out: list[str] = [MORE] if start > 0 else []
    length = len(out)
    marks: list[Span] = []
    at = start
    for left, right in [*merged, (end, end)]:
        for piece, marked in ((text[at:left], False), (text[left:right], True)):
            flat = _SPACE.sub(" ", piece)
            if marked and flat:
                marks.append((length, length + len(flat)))
            out.append(flat)
            length += len(flat)
        at = right
    return Snippet("".join(out).rstrip() + (MORE if end < len(text) else ""), tuple(marks))
