"""Did you mean: questions like the one asked, made of words that the index has.

In: a question's tree, an opened generation. Out: other questions. The words come from the index's own vocabulary, never
from a dictionary. It must not know results.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from indexing.analyzer import PLAIN, read_slots
from indexing.budget import Budget
from indexing.characters import UNSEGMENTED, plain_form
from indexing.question_tree import And, Boost, Node, Or, Word
from indexing.schema import DOCUMENT_TEXT_FIELDS, PAGE_TEXT
from indexing.syntax import Question
from indexing.textfield import TextField

SHORT: Final = 4
"""Words of up to so many letters may differ by one letter, longer ones by two."""

MOST: Final = 3
"""Words that are tried in the place of one."""

RARE: Final = 20
"""A word is taken for a slip if one like it is in so many times more documents."""


_FIELDS: Final = frozenset({PAGE_TEXT, *DOCUMENT_TEXT_FIELDS})


def suggest_questions(question: Question, field_of: Callable[[str], TextField], budget: Budget) -> list[str]:
    """Return the question with each word that its field lacks replaced by likely ones, the likeliest first.

    Args:
        question: as read.
        field_of: returns a field by its name.
        budget: what it may cost.
    """
    if question.tree is None:
        return []
    replacements: list[tuple[int, int, list[str]]] = []
    for node in _words(question.tree):
        offset = question.text.find(node.text, node.start, node.end)
        if offset < 0:
            continue
        for slot in read_slots(node.text):
            if len(slot.parts) == 1 and not slot.link and not slot.before and not slot.after:
                better = _better(slot.parts[0], field_of(node.field or PAGE_TEXT), budget)
                if better:
                    replacements.append((offset + slot.start, offset + slot.end, better))
    if not replacements:
        return []
    rounds = range(max(len(better) for _, _, better in replacements))
    return [_replace(question.text, replacements, number) for number in rounds]


def _replace(text: str, replacements: list[tuple[int, int, list[str]]], number: int) -> str:
    """Put in the likeliest words, or the next likely ones where there are such."""
    for start, end, better in sorted(replacements, reverse=True):
        text = text[:start] + better[min(number, len(better) - 1)] + text[end:]
    return text


def _words(node: Node) -> Iterator[Word]:
    """Yield the words that are wanted and are looked for in a text."""
    match node:
        case Word(field=name) if name is None or name in _FIELDS:
            yield node
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from _words(part)
        case Boost(part=part):
            yield from _words(part)


def _better(word: str, text: TextField, budget: Budget) -> list[str]:
    """Return words like this one that are in the index, and far more frequent; none for a word that is fine."""
    plain = plain_form(word)
    if len(plain) < 3 or plain[0] in UNSEGMENTED or plain.isdigit():
        return []
    own = sum(len(text.reader.postings(text.name, term).documents) for term in {word, plain, PLAIN + plain})
    if own > 2:
        return []
    found: set[tuple[int, int, str]] = set()
    for term, (far, count) in text.like(plain, 1 if len(plain) <= SHORT else 2, budget).items():
        shown = term.removeprefix(PLAIN)
        if far and shown != plain and shown.isalpha() and count > own * RARE:
            found.add((far, -count, shown))
    return [shown for _, _, shown in sorted(found)[:MOST]]
