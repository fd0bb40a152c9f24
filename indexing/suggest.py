"""Did you mean: questions like the one asked, made of words that the index has.

In: a question's tree, an opened generation. Out: other questions. The words come from the index's own vocabulary, never
from a dictionary. It must not know results.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from indexing.analyzer import PLAIN, read_slots
from indexing.characters import UNSEGMENTED, plain_form
from indexing.syntax import And, Boost, Node, Or, Question, Word
from indexing.textfield import Budget, TextField

SHORT: Final = 4
"""Words of up to so many letters may differ by one letter, longer ones by two."""

RARE: Final = 20
"""A word is taken for a slip if one like it is in so many times more documents."""


def suggest_questions(question: Question, text: TextField, budget: Budget) -> list[str]:
    """Return the question with each word that the index lacks replaced by the likeliest one; none if all are there."""
    if question.tree is None:
        return []
    replacements: list[tuple[int, int, str]] = []
    for node in _words(question.tree):
        offset = question.text.find(node.text, node.start, node.end)
        if offset < 0:
            continue
        for slot in read_slots(node.text):
            if len(slot.parts) == 1 and not slot.link and not slot.before and not slot.after:
                better = _better(slot.parts[0], text, budget)
                if better is not None:
                    replacements.append((offset + slot.start, offset + slot.end, better))
    if not replacements:
        return []
    changed = question.text
    for start, end, better in sorted(replacements, reverse=True):
        changed = changed[:start] + better + changed[end:]
    return [changed]


def _words(node: Node) -> Iterator[Word]:
    """Yield the words that are wanted and are looked for in the text."""
    match node:
        case Word(field=None | "text"):
            yield node
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from _words(part)
        case Boost(part=part):
            yield from _words(part)


def _better(word: str, text: TextField, budget: Budget) -> str | None:
    """Return a word like this one that is in the index, and far more frequent; None for a word that is fine."""
    plain = plain_form(word)
    if len(plain) < 3 or plain[0] in UNSEGMENTED or plain.isdigit():
        return None
    own = sum(len(text.reader.postings(text.name, term).documents) for term in {word, plain, PLAIN + plain})
    if own > 2:
        return None
    best: tuple[int, int, str] | None = None
    for term, (far, count) in text.like(plain, 1 if len(plain) <= SHORT else 2, budget).items():
        shown = term.removeprefix(PLAIN)
        if far and shown != plain and shown.isalpha() and count > own * RARE:
            best = min(best or (far, -count, shown), (far, -count, shown))
    return best[2] if best is not None else None
