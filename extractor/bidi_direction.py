"""Which way a line runs, and whether a producer turned its right-to-left text at all.

In: items of lines from left to right, and the letters of the page. Out: the direction of each line; lines whose
reading order was painted from left to right. It must not know in what order the items are read.
"""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TypeVar

import numpy as np

from extractor.bidi_line import Item, Source
from extractor.bidi_order import ARABIC, LEFT, SPACE, ends_word_only

_CLOSES = frozenset(".!?:;,،؛؟۔")
Key = TypeVar("Key")


def page_letters(source: Source) -> tuple[int, int]:
    """Return how many right-to-left letters the page holds, and how many others."""
    ids, counts = np.unique(source.said[source.sequence.index], return_counts=True)
    totals: Counter[bool] = Counter()
    for number, count in zip(ids.tolist(), counts.tolist(), strict=True):
        for character in source.table.texts[number]:
            kind = unicodedata.bidirectional(character)
            if kind in ("L", "R", "AL"):
                totals[kind != "L"] += count
    return totals[True], totals[False]


def direction(items: list[Item], letters: tuple[int, int]) -> float:
    """Return which way a line runs, positive for right to left, the page's other letters considered.

    Args:
        items: the line, in any order.
        letters: the page's right-to-left letters and its others.
    """
    rights, lefts = (max(all_of - own, 0) for all_of, own in zip(letters, _count(items), strict=True))
    lean = (rights - lefts) / max(rights + lefts, 1)
    return lean_of(sorted(items, key=lambda item: item.low), lean)


def lean_of(items: list[Item], lean: float) -> float:
    """Return which way a line or cell runs, positive for right to left: by most of its letters first.

    What stands at its ends and what is around it decide mixed lines. A line that has right-to-left letters at its
    right end and others at its left end may begin at either: there what is around weighs more. Punctuation that
    closes a line stands at its end, so that at the right end only it says left to right, whatever the letters.

    Args:
        items: the line from left to right.
        lean: the same of what is around it, -1 to 1.
    """
    strong = [item for item in items if item.rtl or item.kind == LEFT]
    if not strong:
        return lean
    rights, lefts = _count(strong)
    by_ends = {(True, True): 0.6, (False, False): -0.25, (False, True): 0.8 * lean, (True, False): 0.0}
    ends = by_ends[strong[0].rtl, strong[-1].rtl]
    closed = 2.0 * (_closes(items[:2]) - _closes(items[:-3:-1]))
    return (rights - lefts) / (rights + lefts) + ends + closed + 0.3 * lean


def _closes(end: list[Item]) -> bool:
    """Tell whether the outermost of the last two items is a single closing punctuation mark."""
    return len(end) == 2 and end[0].text in _CLOSES and end[1].text not in _CLOSES and end[1].kind != SPACE


def _count(items: list[Item]) -> tuple[int, int]:
    """Return how many right-to-left letters there are, and how many others."""
    rights = sum(max(len(item.text), 1) for item in items if item.rtl)
    lefts = sum(max(len(item.text), 1) for item in items if item.kind == LEFT)
    return rights, lefts


def unturned_lines(seen: Mapping[Key, list[list[Item]]]) -> list[Key]:
    """Return the lines whose reading order was painted from left to right, so that readers see words reversed.

    Letters that only end words say so: they are seen at the left end of a word, or else at its right end. A line
    that has none goes with the others of its script, or of the other script if its own says nothing.

    Args:
        seen: what is seen of each line that was painted from left to right.
    """
    votes: dict[Key, tuple[int, int]] = {}
    total: Counter[tuple[bool, bool]] = Counter()
    arabic: dict[Key, bool] = {}
    for key, pieces in seen.items():
        words = [word for piece in pieces for word in _words(piece)]
        votes[key] = (
            sum(ends_word_only(word[-1].text) for word in words),
            sum(ends_word_only(word[0].text) for word in words),
        )
        arabic[key] = any(item.kind == ARABIC for piece in pieces for item in piece)
        total[arabic[key], True] += votes[key][0]
        total[arabic[key], False] += votes[key][1]
    result = []
    for key, (unturned, turned) in votes.items():
        script = arabic[key]
        told = script if total[script, True] or total[script, False] else not script
        usual = total[told, True] > 3 * total[told, False]
        certain = unturned > 3 * turned and (unturned > 1 or total[script, True] > total[script, False])
        if certain or (usual and not turned):
            result.append(key)
    return result


def _words(items: list[Item]) -> Iterator[list[Item]]:
    """Yield the words of more than one letter, right-to-left letters only."""
    word: list[Item] = []
    for item in [*items, None]:
        if item is not None and item.rtl:
            word.append(item)
        elif item is None or item.kind == SPACE:
            if len(word) > 1:
                yield word
            word = []
