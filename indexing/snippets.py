"""Marking hits in a text, and cutting the piece of it that shows them best.

In: a page's text and what to mark. Out: spans of characters, and a snippet with its marks. It uses the same analysis as
the index, so that what is marked is what was found. It must not know the index nor how marks are drawn.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from indexing.analyzer import Slot, read_slots, slot_terms, stemmer
from indexing.elements import find_chains
from indexing.evaluate import Marks

Span = tuple[int, int]
MORE: Final = "…"


@dataclass(frozen=True, slots=True)
class Snippet:
    """A piece of a text on one line.

    Attributes:
        text: the piece, with "…" where text was left out.
        marks: (start, end) of each marked part, in characters of `text`; they rise and do not overlap.
    """

    text: str
    marks: tuple[Span, ...]


def find_spans(text: str, marks: Marks, stem: str | None = None) -> list[tuple[Span, int]]:
    """Find what to mark in a text, each span with the number of the needle that it belongs to."""
    slots = list(read_slots(text))
    places = _places(slots, marks, stem)
    found: dict[int, int] = {}
    for number, needle in enumerate(marks.needles):
        for reading in needle.readings:
            for chain in find_chains(reading, places, needle.slop):
                for position in range(chain[0], chain[-1] + 1) if not needle.slop else chain:
                    found.setdefault(position, number)
                _mark_rest(reading, chain[-1], slots, found, number)
    for term in marks.terms:
        for position in places.get(term, ()):
            found.setdefault(position, len(marks.needles))
    return [((slots[place].start, slots[place].end), found[place]) for place in sorted(found)]


def _mark_rest(
    reading: Sequence[object], last: int, slots: Sequence[Slot], found: dict[int, int], number: int
) -> None:
    """Mark the second half of a pair that ends a needle: a pair stands at its first half's position."""
    element = reading[-1]
    slot = slots[last]
    if last + 1 < len(slots) and (slot.link or slot.paired) and _is_pair(element, slot, slots[last + 1]):
        found.setdefault(last + 1, number)


def _is_pair(element: object, slot: Slot, following: Slot) -> bool:
    terms = getattr(element, "terms", ())
    return bool(terms) and terms[0] not in slot_terms(slot, None) and terms[0] in slot_terms(slot, following)


def _places(slots: Sequence[Slot], marks: Marks, stem: str | None) -> dict[str, list[int]]:
    """Find the positions of all terms that matter."""
    wanted = set(marks.terms)
    for needle in marks.needles:
        for reading in needle.readings:
            for element in reading:
                wanted.update(element.terms)
                if element.glue:
                    wanted.add(element.glue)
    places: defaultdict[str, list[int]] = defaultdict(list)
    function = stemmer(stem)
    for position, slot in enumerate(slots):
        following = slots[position + 1] if position + 1 < len(slots) else None
        for term in slot_terms(slot, following, function):
            if term in wanted:
                places[term].append(position)
    return dict(places)


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
