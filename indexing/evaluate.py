"""From a question's tree to the pages that answer it.

In: a tree of `syntax`, an opened generation, a budget. Out: matches over all pages, and the needles to mark in their
texts. It must not know how results are shown.

A word without a field is looked for in the pages' text. A document whose title, author or file name has it is found at
its first page, and its pages that have the word as well score higher.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from indexing.analyzer import Slot, stemmer
from indexing.budget import Budget
from indexing.copies import PathWish, grants
from indexing.documents import UNKNOWN
from indexing.elements import Needle, make_needle, pattern_elements, pattern_of, pattern_slots
from indexing.exact_fields import has_any, match_exact
from indexing.generation import Generation
from indexing.question_tree import And, Anything, Boost, Fuzzy, Node, Not, Or, Pattern, Range, Word
from indexing.ranges import ORDERED, as_range, read_bounds
from indexing.schema import DOCUMENT_TEXT_FIELDS
from indexing.scoring import Bools, Matches, constant, exclude, intersect, nothing, scale, unite
from indexing.seam_search import find_across
from indexing.textfield import TextField
from indexing.token_terms import TokenTerms

DOCUMENT_WORTH: Final = {"title": 2.0, "author": 1.0, "filename": 1.0, "subject": 0.5, "keywords": 0.5}
"""Fields that a word without a field is looked for in, and what they add to the score of the first page."""

SHARE_OF_PAGES: Final = 0.25
"""Part of that which the document's other pages get, where they have the word themselves."""


@dataclass(slots=True)
class Marks:
    """What to mark in the texts of hits.

    Attributes:
        needles: words and phrases.
        terms: terms that patterns stood for.
        tails: on single pages, starts of phrases that end on the next page.
        paths: what is asked of the documents' paths.
        fields: pages found by each field, one truth value a page; the text is "text".
    """

    needles: list[Needle] = field(default_factory=list)
    terms: set[str] = field(default_factory=set)
    tails: dict[int, list[Needle]] = field(default_factory=dict)
    paths: list[PathWish] = field(default_factory=list)
    fields: dict[str, Bools] = field(default_factory=dict)

    def add_field(self, name: str, found: Bools) -> None:
        """Add pages found by a field."""
        before = self.fields.get(name)
        self.fields[name] = found if before is None else before | found


class Evaluator:
    """Answers one question."""

    def __init__(self, generation: Generation, budget: Budget) -> None:
        self._generation = generation
        self._budget = budget
        self._stem = stemmer(generation.analysis.stem)
        self._size = len(generation.live)
        self._negated = self._leaves = 0
        self._asked: PathWish | None = None
        self.marks = Marks()
        self.says_nothing = False

    def answer(self, tree: Node | None) -> Matches:
        """Return the live pages that match."""
        matches = self._visit(tree) if tree is not None else None
        if matches is None:
            self.says_nothing = True
            return nothing(self._size)
        live = self._generation.live
        return Matches(matches.found & live, np.where(live, matches.scores, 0.0))

    def _visit(self, node: Node) -> Matches | None:
        """Evaluate a node; None if it says nothing, like a word of punctuation only."""
        match node:
            case And(parts=parts):
                return self._join(parts, intersect)
            case Or(parts=parts):
                return self._join(parts, unite)
            case Not(part=part):
                return self._not(part)
            case Boost(part=part, factor=factor):
                inner = self._visit(part)
                return scale(inner, factor) if inner is not None else None
        return self._leaf_in_time(node)

    def _leaf_in_time(self, node: Node) -> Matches | None:
        """Evaluate a leaf; what is not known for want of time is not found, and from within NOT excludes everything."""
        self._leaves += 1
        excluded = self._negated % 2 == 1
        if self._leaves > 1 and self._budget.spent():
            return constant(np.full(self._size, excluded), 0.0)
        found = self._leaf(node)
        if excluded and found is not None and self._budget.spent():
            return constant(np.ones(self._size, np.bool_), 0.0)
        return found

    def _leaf(self, node: Node) -> Matches | None:
        match node:
            case Word(field=name):
                found = self._word(node)
                return self._only_folders(found) if name == "folder" else found
            case Pattern(field=name) | Fuzzy(field=name):
                found = self._pattern(node)
                return self._only_folders(found) if name == "folder" else found
            case Range():
                return constant(self._range(node))
            case Anything(field=name):
                return constant(self._anything(name), 0.0 if name is None else 1.0)
        raise AssertionError(node)

    def _not(self, part: Node) -> Matches | None:
        self._negated += 1
        inner = self._visit(part)
        self._negated -= 1
        return exclude(inner.found) if inner is not None else None

    def _join(self, parts: tuple[Node, ...], join: Callable[[list[Matches]], Matches]) -> Matches | None:
        """Join what the parts match; parts that say nothing are passed over."""
        found = [some for part in parts if (some := self._visit(part)) is not None]
        return join(found) if found else None

    def _word(self, node: Word) -> Matches | None:
        if node.field in _EXACT:
            return constant(self._exact(node.field, node.text))
        if node.field in ORDERED:
            return constant(self._range(as_range(node)))
        name = "path" if node.field == "folder" else node.field
        needle = make_needle(node.text, node.slop, self._stem)
        if needle is None:
            return None
        if name in (None, "text") and not self._negated:
            self.marks.needles.append(needle)
        self._wish(name, needle)
        across = {}
        if name in (None, "text"):
            across = find_across(self._generation, needle, self._budget, self._stem)
            for page, left in across.items():
                self.marks.tails.setdefault(page, []).append(Needle((left,)))

        def find(text_field: TextField) -> Matches:
            return text_field.find(
                needle, self._budget, across if text_field is self._generation.text else ()
            )

        return self._search(name, find)

    def _pattern(self, node: Pattern | Fuzzy) -> Matches | None:
        if node.field in _EXACT or node.field in ORDERED:
            return self._word(Word(node.start, node.end, node.text, node.field, named=node.named))
        name = "path" if node.field == "folder" else node.field
        if name is not None and node.named is not None:
            self._budget.named[name] = node.named
        slots = pattern_slots(node.text, isinstance(node, Pattern) and node.quoted)
        if isinstance(node, Fuzzy):
            if len(slots) > 1:
                self._budget.notes.append(
                    f"{node.text} is more than one word: it was looked for as it is, without like spellings"
                )
                return self._word(Word(node.start, node.end, node.text, node.field))
            return self._search(name, lambda text_field: self._like(text_field, node))
        if len(slots) > 1:
            return self._search(name, lambda text_field: self._pattern_phrase(text_field, node, slots))
        if slots and "*" in node.text and not pattern_of(slots[0]).strip("*?"):
            return constant(self._anything(node.field))
        # Every way to write a hyphenated word has its parts run together.
        shape = pattern_of(slots[0]) if slots and slots[0].joints else node.text
        return self._search(name, lambda text_field: self._word_pattern(text_field, shape))

    def _like(self, text_field: TextField, node: Fuzzy) -> Matches:
        like = text_field.like(node.text, node.distance, self._budget)
        worth = {term: 1.0 / (1 + far) for term, (far, _) in like.items()}
        self._mark_terms(text_field, worth)
        return text_field.match_terms(worth)

    def _word_pattern(self, text_field: TextField, shape: str) -> Matches:
        matches, terms = text_field.match_pattern(shape, self._budget)
        self._mark_terms(text_field, terms)
        return matches

    def _mark_terms(self, text_field: TextField, terms: Iterable[str]) -> None:
        if text_field is not self._generation.text:
            self._wish(text_field.name, frozenset(terms))
        elif not self._negated:
            self.marks.terms.update(terms)

    def _pattern_phrase(self, text_field: TextField, node: Pattern, slots: Sequence[Slot]) -> Matches:
        """Find a pattern that has several words: "brown fo*", 3.1*, john.d*@example.com."""
        elements = pattern_elements(slots, lambda shape: text_field.expand(shape, self._budget), self._stem)
        if not elements or not all(element.terms for element in elements):
            return nothing(text_field.size)
        needle = Needle((elements,), node.slop)
        if text_field is not self._generation.text:
            self._wish(text_field.name, needle)
        elif not self._negated:
            self.marks.needles.append(needle)
        return text_field.find(needle, self._budget)

    def _wish(self, name: str | None, sought: Needle | frozenset[str]) -> None:
        """Remember what is asked of paths, to show the one that answers."""
        if name in (None, "filename", "path"):
            self._asked = PathWish(sought, name != "path")
            if not self._negated:
                self.marks.paths.append(self._asked)

    def _only_folders(self, found: Matches | None) -> Matches | None:
        """Keep of the pages found by a path those whose document is in such a folder, not only of such a name."""
        if found is None or self._asked is None or not found.found.any():
            return found
        generation, known = self._generation, TokenTerms(self._generation.analysis.stem)
        answers: dict[str, bool] = {}
        kept = np.zeros(generation.documents.count, np.bool_)
        for document in np.unique(generation.pages.document[found.found & generation.live]).tolist():
            for folder in generation.folders[document]:
                if folder not in answers:
                    answers[folder] = grants(folder, self._asked, known)
                kept[document] |= answers[folder]
        pages = generation.spread(kept)
        return Matches(found.found & pages, np.where(pages, found.scores, 0.0))

    def _search(self, name: str | None, find: Callable[[TextField], Matches]) -> Matches:
        """Look in one field, or in the text and, for the first pages, in the documents' fields."""
        generation = self._generation
        if name in DOCUMENT_TEXT_FIELDS:
            found = find(generation.document_field(name))
            spread = generation.spread(found.found)
            self._note_field(name, spread)
            return Matches(spread, generation.spread(found.scores))
        matches = find(generation.text)
        self._note_field("text", matches.found)
        if name == "text":
            return matches
        first_pages = generation.pages.page_index == 0
        worth = np.zeros(generation.documents.count)
        for field_name, factor in DOCUMENT_WORTH.items():
            found = find(generation.document_field(field_name))
            if found.found.any():
                worth += found.scores * factor
                self._note_field(field_name, generation.spread(found.found) & first_pages)
        if not worth.any():
            return matches
        spread = generation.spread(worth)
        first = first_pages & (spread > 0)
        share = np.where(first, spread, np.where(matches.found, spread * SHARE_OF_PAGES, 0.0))
        return Matches(matches.found | first, matches.scores + share)

    def _note_field(self, name: str, found: Bools) -> None:
        if not self._negated:
            self.marks.add_field(name, found)

    def _anything(self, name: str | None) -> Bools:
        """Find all pages, or those that have a value in a field."""
        generation = self._generation
        if name is None or name == "page":
            return np.ones(self._size, np.bool_)
        if name == "flag":
            return has_any(generation.reader, name)
        if name == "text":
            return generation.text.statistics.lengths > 0
        if name in _EXACT:
            return generation.spread(has_any(generation.documents, name))
        if name in ORDERED:
            return generation.spread(generation.numbers[name] != UNKNOWN)
        of_documents = generation.document_field("path" if name == "folder" else name)
        return generation.spread(of_documents.statistics.lengths > 0)

    def _range(self, node: Range) -> Bools:
        """Find pages by a number, or a date, of theirs or their document's."""
        generation = self._generation
        bounds = read_bounds(node, self._budget.notes)
        if bounds is None:
            return np.zeros(self._size, np.bool_)
        of_pages = node.field == "page"
        values = generation.pages.page_index + np.int64(1) if of_pages else generation.numbers[node.field]
        found = (values >= bounds[0]) & (values <= bounds[1]) & (values != UNKNOWN)
        return found if of_pages else generation.spread(found)

    def _exact(self, name: str, text: str) -> Bools:
        """Find pages by an exact value of theirs or their document's."""
        generation = self._generation
        if name == "flag":
            return match_exact(generation.reader, name, text, self._budget)
        return generation.spread(match_exact(generation.documents, name, text, self._budget))


_EXACT: Final = frozenset({"doc", "flag", "lang"})
