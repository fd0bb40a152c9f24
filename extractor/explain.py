"""Explains a page (rule B8): every boundary between neighbours and every glyph that is not in the text.

In: what was decided. Out: an `Explanation`, typed values for text, JSON and drawing. It must not decide anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from extractor.boundaries import Boundary, name_boundaries
from extractor.decided import Decided
from extractor.drops import Drop, name_drops
from extractor.glyphs import Bools, Ints


@dataclass(frozen=True)
class Explanation:
    """The decisions of a page, or of the places where some text stands."""

    near: str | None
    """The text that was looked for; None for the whole page."""
    found: int
    """Places where it stands; 0 also where nothing was looked for."""
    glyphs: tuple[int, ...]
    """The painted glyphs that spell it."""
    boundaries: tuple[Boundary, ...]
    drops: tuple[Drop, ...]


def explain_page(decided: Decided, near: str | None = None) -> Explanation:
    """Return the decisions of a page.

    Args:
        decided: what became of the glyphs.
        near: tell only about the places where this text stands, whatever white space and case; it is looked for in the
            text and in what is painted, so that what was dropped is found too.
    """
    boundaries, drops = name_boundaries(decided), name_drops(decided)
    if near is None:
        return Explanation(None, 0, (), tuple(boundaries), tuple(drops))
    chosen, found = _glyphs_near(decided, near)
    copied = decided.twin
    return Explanation(
        near,
        found,
        tuple(np.flatnonzero(chosen).tolist()),
        tuple(one for one in boundaries if chosen[one.before] or chosen[one.after]),
        tuple(
            one
            for one in drops
            if chosen[one.index] or (copied[one.index] >= 0 and chosen[copied[one.index]])
        ),
    )


def _glyphs_near(decided: Decided, near: str) -> tuple[Bools, int]:
    """Return which painted glyphs spell the text, and in how many places they do."""
    glyphs = decided.glyphs
    chosen = np.zeros(len(glyphs), np.bool_)
    in_text = _mark(chosen, near, decided.sequence.index.tolist(), (glyphs.texts, decided.said))
    painted = _mark(chosen, near, range(len(glyphs)), (glyphs.texts, glyphs.text_id))
    return chosen, max(in_text, painted)


def _mark(chosen: Bools, near: str, order: Iterable[int], said: tuple[Sequence[str], Ints]) -> int:
    """Mark the glyphs that spell a text when read in an order, and return how often it is found."""
    needle = _plain(near)
    letters: list[str] = []
    owner: list[int] = []
    for index in order:
        text = _plain(said[0][said[1][index]])
        letters.append(text)
        owner += [index] * len(text)
    line, count = "".join(letters), 0
    place = line.find(needle) if needle else -1
    while place >= 0:
        chosen[owner[place : place + len(needle)]] = True
        count += 1
        place = line.find(needle, place + len(needle))
    return count


def _plain(text: str) -> str:
    return "".join(text.casefold().split())
