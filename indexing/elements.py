"""From slots to what must stand where: the terms that a word or phrase of a question asks the index for.

In: slots of the analysis. Out: elements, one a position, each with the terms that may stand there and their worth, and
the places of a phrase in lists of positions. Used for finding and for marking hits alike. It must not know the index.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from indexing.analyzer import (
    LONGEST_PART,
    PLAIN,
    STEM,
    Slot,
    link_term,
    neighbour_term,
    pair_term,
    read_slots,
    sign_terms,
)
from indexing.characters import plain_form

EXACT_SHARE: Final = 0.25
"""Part of an occurrence's worth that only the exact form earns: accents, hyphens as asked for."""

STEM_WORTH: Final = 0.5

Stemmer = Callable[[str], str]


@dataclass(frozen=True, slots=True)
class Element:
    """What may stand at one position.

    Attributes:
        offset: position relative to the first element.
        terms: terms that may stand there, any of them.
        worth: worth of each term's occurrences; an occurrence may be counted by two terms.
        bonus: terms whose places `terms` cover as well, and that only add worth.
        width: positions that it covers: 2 for a pair.
        glue: pair term ("state-of") that allows this element at the position of the element before it.
    """

    offset: int
    terms: tuple[str, ...]
    worth: tuple[float, ...]
    bonus: tuple[str, ...] = ()
    width: int = 1
    glue: str | None = None


@dataclass(frozen=True, slots=True)
class Needle:
    """A word or phrase to look for, in one or two readings, each a sequence of elements; slots: what it was made of."""

    readings: tuple[tuple[Element, ...], ...]
    slop: int = 0
    slots: tuple[Slot, ...] = ()


@dataclass(frozen=True, slots=True)
class Split:
    """A phrase that goes on from one page to the next.

    Attributes:
        left: what ends the page; right: what starts the next.
        last: the last word on the page; first: the first one on the next.
    """

    left: tuple[Element, ...]
    right: tuple[Element, ...]
    last: str
    first: str


def make_needle(text: str, slop: int = 0, stem: Stemmer | None = None) -> Needle | None:
    """Analyse words that stand in a row; None if there is nothing to look for.

    Hyphenated words have two readings: one word, as printed or run together, and words apart.
    """
    slots = list(read_slots(text))
    if not slots:
        return None
    readings = [_elements(slots, stem)]
    if any(slot.joints for slot in slots):
        readings.append(_elements(_apart(slots), stem))
    return Needle(tuple(readings), slop, tuple(slots))


def split_needle(needle: Needle, stem: Stemmer | None = None) -> Iterator[Split]:
    """Yield all ways to part a phrase between two pages."""
    slots = needle.slots
    for place in range(1, len(slots)):
        before = slots[place - 1]
        if not before.link:
            left = (*slots[: place - 1], before._replace(paired=False))
            yield Split(
                _elements(left, stem), _elements(slots[place:], stem), before.joined, slots[place].joined
            )


_ANY_LETTERS: Final = "\ua66e"
_ANY_LETTER: Final = "\ua669"
"""Letters of no living language that stand for `*` and `?` while a pattern is cut into slots."""

_SIGNS: Final = str.maketrans({_ANY_LETTERS: "*", _ANY_LETTER: "?"})


def pattern_slots(text: str, quoted: bool = False) -> list[Slot]:
    """Cut a pattern into slots as the words are that it stands for; in quotes a question mark is one."""
    coded = text.replace("*", _ANY_LETTERS)
    return list(read_slots(coded if quoted else coded.replace("?", _ANY_LETTER)))


def pattern_of(slot: Slot) -> str:
    """Return the pattern that a slot of `pattern_slots` stands for, its parts run together."""
    return slot.joined.translate(_SIGNS)


def pattern_elements(
    slots: Sequence[Slot], expand: Callable[[str], Sequence[str]], stem: Stemmer | None = None
) -> tuple[Element, ...]:
    """Make the elements of a pattern's slots; one that stands for any word at all makes none.

    Args:
        slots: of `pattern_slots`.
        expand: lists the terms that a pattern of one word stands for.
        stem: of the analysis.
    """
    elements: list[Element] = []
    run: list[Slot] = []
    for offset, slot in enumerate((*slots, None)):
        shape = pattern_of(slot) if slot is not None else "*"
        if slot is not None and not set(shape) & {"*", "?"}:
            run.append(slot)
            continue
        start = offset - len(run)
        elements += [replace(element, offset=element.offset + start) for element in _elements(run, stem)]
        if slot is not None and run and run[-1].link:
            elements.append(Element(offset - 1, (link_term(run[-1].parts[-1], run[-1].link),), (1.0,)))
        if shape.strip("*?"):
            terms = tuple(expand(shape))
            elements.append(Element(offset, terms, (1.0,) * len(terms)))
        run = []
    return tuple(elements)


def _apart(slots: Sequence[Slot]) -> list[Slot]:
    """Read each part of a hyphenated word as a word."""
    apart: list[Slot] = []
    for slot in slots:
        if not slot.joints:
            apart.append(slot)
            continue
        *before, last = slot.parts
        apart += [Slot((part,)) for part in before]
        apart.append(Slot((last,), link=slot.link))
    return apart


def _elements(slots: Sequence[Slot], stem: Stemmer | None) -> tuple[Element, ...]:
    """Make the elements of slots: words, pairs of characters, and what joins a word to the next."""
    elements: list[Element] = []
    joined = False
    for offset, slot in enumerate(slots):
        following = slots[offset + 1] if offset + 1 < len(slots) else None
        paired = following is not None and slot.paired
        if following is not None and slot.paired:
            term = neighbour_term(slot.parts[0], following.parts[0])
            elements.append(Element(offset, (term,), (1.0,), width=2))
        elif following is not None and slot.link:
            elements.append(Element(offset, (link_term(slot.parts[-1], slot.link),), (1.0,)))
        if sign_terms(slot):
            elements += [Element(offset, (term,), (1.0,)) for term in sign_terms(slot)]
        elif slot.joints:
            elements.append(_hyphenated(offset, slot, stem))
        elif not paired and not joined:
            before = slots[offset - 1] if offset else slot
            glue = None
            if offset and not before.joints and not before.link:
                glue = pair_term(before.parts[-1], "-", slot.parts[0])
            elements.append(_word(offset, slot.parts[0], stem, glue))
        joined = paired
    return tuple(elements)


def _word(offset: int, word: str, stem: Stemmer | None, glue: str | None = None) -> Element:
    """Ask for a word in its exact form, its plain form, and where others have accents."""
    plain = plain_form(word)
    if plain == word:
        terms, worth = [word, PLAIN + word], [1.0, 1.0 - EXACT_SHARE]
    else:
        terms, worth = [PLAIN + plain, plain], [1.0 - EXACT_SHARE] * 2
    if stem is not None:
        terms.append(STEM + stem(plain))
        worth.append(STEM_WORTH)
    return Element(offset, tuple(terms), tuple(worth), (word,) if plain != word else (), glue=glue)


def _hyphenated(offset: int, slot: Slot, stem: Stemmer | None) -> Element:
    """Ask for a hyphenated word by its parts run together, which every way of writing it has."""
    run = _word(offset, slot.joined[:LONGEST_PART], stem)
    pairs = [
        pair_term(left, joint, right)
        for left, joint, right in zip(slot.parts, slot.joints, slot.parts[1:], strict=False)
    ]
    return Element(
        offset, run.terms, tuple(worth * (1.0 - EXACT_SHARE) for worth in run.worth), tuple(pairs[:1])
    )


Places = Mapping[str, Sequence[int]]


def find_chains(elements: Sequence[Element], places: Places, slop: int) -> list[tuple[int, ...]]:
    """Find where elements stand in a row, in one document.

    Args:
        elements: what must stand where.
        places: rising positions of each term that the elements name; a missing term stands nowhere.
        slop: how many positions further apart than written the words may be, in all.

    Returns:
        For each place found, the position of each element; starts rise.
    """
    standing = [_union(element.terms, places) for element in elements]
    if not all(standing):
        return []
    chains = []
    for start in standing[0]:
        chain = [start]
        for before, element, allowed in zip(elements, elements[1:], standing[1:], strict=False):
            place = _next_place(chain[-1], element, element.offset - before.offset, allowed, places, slop)
            if place is None or place - start - element.offset + elements[0].offset > slop:
                break
            chain.append(place)
        else:
            chains.append(tuple(chain))
    return chains


def _union(terms: Sequence[str], places: Places) -> dict[int, None]:
    found = [places[term] for term in terms if term in places]
    if len(found) == 1:
        return dict.fromkeys(found[0])
    return dict.fromkeys(sorted(set(itertools.chain.from_iterable(found))))


def _next_place(
    last: int, element: Element, step: int, allowed: Mapping[int, None], places: Places, slop: int
) -> int | None:
    """Find the nearest place for an element after the one before it."""
    for place in range(last + step, last + step + slop + 1):
        if place in allowed:
            return place
    if element.glue is not None and last in allowed and last in places.get(element.glue, ()):
        return last
    return None
