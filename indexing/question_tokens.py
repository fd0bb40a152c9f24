"""The parts of a question: words, phrases, patterns, ranges, brackets and operators, one after the other.

In: a question as text. Out: tokens with their places, and remarks on what was read otherwise than typed; or, if strict,
QueryError. It must not know how parts are joined, nor the index.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Final

from indexing.errors import QueryError
from indexing.question_tree import Anything, Boost, Fuzzy, Node, Pattern, Range, Word
from indexing.ranges import ORDERED

FIELDS: Final = {
    "text": "text", "title": "title", "author": "author", "subject": "subject", "keywords": "keywords",
    "creator": "creator", "producer": "producer", "path": "path", "folder": "folder", "filename": "filename",
    "file": "filename", "doc": "doc", "lang": "lang", "flag": "flag", "page": "page", "pages": "pages",
    "year": "year", "date": "created", "created": "created", "modified": "modified", "size": "size",
}  # fmt: skip
"""What may stand before a colon, and the field it names."""

MAX_DEPTH: Final = 40
MAX_NODES: Final = 400
MAX_SLOP: Final = 50
MAX_DISTANCE: Final = 2
MAX_BOOST: Final = 1_000

_FIELD = re.compile(r"([A-Za-z_]+):(?=\S)")
_FIELD_ALONE = re.compile(r"([A-Za-z_]+):(?=\s|$)")
_PHRASE = re.compile(r'"([^"]*)"(?:~([^\s()"^]*))?(?:\^([^\s()"]*))?')
_VALUE: Final = r'("[^"]*"|[^\s\]}]+)'
_RANGE = re.compile(rf"([\[{{])\s*(?:{_VALUE}\s+)?TO(?:\s+{_VALUE})?\s*([\]}}])")
_COMPARE = re.compile(r'(>=|<=|>|<|=)\s*("[^"]*"|[^\s()^]+)')
_DOTS = re.compile(r"([0-9-]*)\.\.([0-9-]*)(?=[\s()^]|$)")
_DASH = re.compile(r"([0-9]+)[-\u2013]([0-9]+)(?=[\s()^]|$)")
_COUNTED: Final = frozenset({"page", "pages", "year", "size"})
_WORD = re.compile(r'[^\s()"]+')
_STARRED = re.compile(r"\w\*|\*\w|\w\W*\s\*+\s\W*\w")
"""A phrase with a pattern in it, or with a star alone between two words, for any word."""

_LIKE = re.compile(r"(.*)~([0-9.]*)", re.DOTALL)
_LIKE_NOTHING = re.compile(r"\w+~\w+")
_WEIGHT = re.compile(r'\^([^\s()"]*)')
_NUMBER = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?|\.[0-9]{1,9}")
_OPERATORS: Final = {"AND": "AND", "&&": "AND", "OR": "OR", "||": "OR", "NOT": "NOT"}


@dataclass(frozen=True, slots=True)
class Token:
    """A part of a question; kind: LEAF, with its node, FIELD before a bracket, an operator or a bracket."""

    kind: str
    start: int
    end: int
    node: Node | None = None


class Scanner:
    """Cuts a question into operators, brackets and leaves."""

    def __init__(self, text: str, strict: bool) -> None:
        self.text = text
        self.strict = strict
        self.notes: list[str] = []
        self.doubts: list[str] = []
        self.tokens: list[Token] = []
        self._depth = self._ignored = 0
        self._named: str | None = None
        self._too_deep = False

    def fail(self, message: str, position: int, instead: str = "it is left out") -> None:
        """Raise if strict, else note what was done instead."""
        if self.strict:
            raise QueryError(message, position)
        self.notes.append(f"{message}: {instead} (at character {position + 1})")

    def scan(self) -> list[Token]:
        """Return the tokens of the whole text."""
        at, text = 0, self.text
        while at < len(text):
            if text[at].isspace():
                at += 1
            elif len(self.tokens) >= MAX_NODES:
                self.fail(f"a question has {MAX_NODES} parts at most", at, "the rest is left out")
                break
            elif text[at] in "()":
                at = self._bracket(at)
            elif text[at] in "+-" and self._starts(at) and at + 1 < len(text) and not text[at + 1].isspace():
                if text[at] == "-":
                    self.tokens.append(Token("NOT", at, at + 1))
                at += 1
            else:
                at = self._leaf(at)
        return self.tokens

    def _bracket(self, at: int) -> int:
        """Take a bracket, with the weight behind it; one that is too deep is left out, and so is its other half."""
        opens = self.text[at] == "("
        if opens and self._depth >= MAX_DEPTH:
            self._ignored += 1
            if not self._too_deep:
                self.fail(f"brackets may be nested {MAX_DEPTH} deep", at, "deeper ones are left out")
            self._too_deep = True
        elif not opens and self._ignored:
            self._ignored -= 1
        else:
            self._depth = max(self._depth + (1 if opens else -1), 0)
            self.tokens.append(Token(self.text[at], at, at + 1))
        weight = _WEIGHT.match(self.text, at + 1) if not opens else None
        if weight is None:
            return at + 1
        self.tokens.append(Token("BOOST", at + 1, weight.end()))
        return weight.end()

    def _starts(self, at: int) -> bool:
        return at == 0 or self.text[at - 1].isspace() or self.text[at - 1] in "(-+"

    def _leaf(self, at: int) -> int:
        """Read one leaf, or an operator, and return where it ends."""
        start = at
        name, at = self._field(at)
        if self.text[at] == "(" and name is not None:
            if self._depth >= MAX_DEPTH:
                return at
            self.tokens.append(Token("FIELD", start, at, Word(start, at, "", name, named=self._named)))
            return at
        for read in (self._range, self._phrase, self._word):
            end = read(start, at, name)
            if end:
                return end
        self.fail("a quotation mark has no other half", at)
        return at + 1

    def _field(self, at: int) -> tuple[str | None, int]:
        """Read the field before a leaf: its name, and where the leaf goes on."""
        self._named = None
        alone = _FIELD_ALONE.match(self.text, at)
        if alone and alone.group(1).lower() in FIELDS:
            self.fail(f"{alone.group()} has nothing right behind it", at, "it was read as a word")
        match = _FIELD.match(self.text, at)
        if match and match.group(1).lower() in FIELDS:
            self._named = match.group(1)
            return FIELDS[match.group(1).lower()], match.end()
        if match and not self.text.startswith("//", match.end()):
            near = get_close_matches(match.group(1).lower(), FIELDS, 1)
            meant = f"; is {near[0]} meant?" if near else ""
            if self.strict:
                raise QueryError(f"there is no field {match.group(1)!r}{meant}", at, "field")
            self.doubts.append(f"there is no field {match.group(1)!r}: it was read as a word{meant}")
        return None, at

    def _add(self, node: Node, boost: str | None = None) -> None:
        if boost is not None:
            node = self.boosted(node, boost, node.end - len(boost) - 1)
        self.tokens.append(Token("LEAF", node.start, node.end, node))

    def boosted(self, node: Node, typed: str, at: int) -> Node:
        """Weigh a node by what stands behind the `^` at a place; leave out what is no such number."""
        if _NUMBER.fullmatch(typed) and float(typed) <= MAX_BOOST:
            return Boost(node.start, node.end, node, float(typed))
        self.fail(f"what stands behind ^ is no number from 0 to {MAX_BOOST:,}", at)
        return node

    def _slop(self, typed: str | None, at: int) -> int:
        """Read what stands behind the `~` of a phrase."""
        if typed is None:
            return 0
        if not (typed.isascii() and typed.isdigit()):
            self.fail("what stands behind ~ is no number of words", at)
            return 0
        if len(typed) > 9 or int(typed) > MAX_SLOP:
            self.fail(f"at most {MAX_SLOP} words may stand between", at, f"~{MAX_SLOP} is taken")
            return MAX_SLOP
        return int(typed)

    def _distance(self, typed: str, at: int) -> int:
        """Read what stands behind the `~` of a word."""
        if typed in ("", "0", "1", "2"):
            return int(typed or 1)
        distance = MAX_DISTANCE if typed.isdigit() else 1
        self.fail(f"at most {MAX_DISTANCE} letters may differ", at, f"~{distance} is taken")
        return distance

    def _range(self, start: int, at: int, name: str | None) -> int:
        if name is None:
            return 0
        match = _RANGE.match(self.text, at)
        if match:
            left, low, high, right = match.groups()
            opened = left == "{", right == "}"
            return self._add_range(
                Range(start, match.end(), name, _end(low), _end(high), *opened, self._named)
            )
        if name in ORDERED and self.text[at] in "[{":
            self.fail("a range is written [1 TO 5]", at, "this was read as words")
        match = _DOTS.match(self.text, at) if name in ORDERED else None
        if match is None and name in _COUNTED:
            match = _DASH.match(self.text, at)
        if match and len(match.group()) > 2:
            low, high = match.group(1) or None, match.group(2) or None
            return self._add_range(Range(start, match.end(), name, low, high, named=self._named))
        match = _COMPARE.match(self.text, at)
        if match:
            sign, value = match.group(1), match.group(2).strip('"')
            low, high = None if sign[0] == "<" else value, None if sign[0] == ">" else value
            ends = low, high, sign == ">", sign == "<"
            return self._add_range(Range(start, match.end(), name, *ends, self._named))
        return 0

    def _add_range(self, node: Range) -> int:
        """Add a range, with the weight behind it; return where both end."""
        weight = _WEIGHT.match(self.text, node.end)
        if weight is None:
            self._add(node)
            return node.end
        self._add(replace(node, end=weight.end()), weight.group(1))
        return weight.end()

    def _phrase(self, start: int, at: int, name: str | None) -> int:
        match = _PHRASE.match(self.text, at)
        if match is None:
            return 0
        words, slop, boost = match.groups()
        if not words.strip():
            self.fail("a phrase is empty", at)
        kind = Pattern if _STARRED.search(words) else Word
        apart = self._slop(slop, match.start(2) - 1)
        self._add(kind(start, match.end(), words, name, True, apart, self._named), boost)
        return match.end()

    def _word(self, start: int, at: int, name: str | None) -> int:
        match = _WORD.match(self.text, at)
        if match is None:
            return 0
        word, end = match.group(), match.end()
        if name is None and word in _OPERATORS:
            self.tokens.append(Token(_OPERATORS[word], at, end))
            return end
        if name is None and word.upper() in _OPERATORS:
            self._doubt(f"{word} was read as a word; is {word.upper()} meant?")
        before, caret, boost = word.rpartition("^")
        boosted = bool(caret) and bool(before or _NUMBER.fullmatch(boost))
        leaf = Word(start, end, before if boosted else word, name, named=self._named)
        self._add_word(leaf, at, boost if boosted else None)
        return end

    def _add_word(self, leaf: Word, at: int, boost: str | None) -> None:
        """Add a word that begins at `at`, as what its signs make of it."""
        word, name = leaf.text, leaf.field
        like = _LIKE.fullmatch(word)
        if like:
            word = like.group(1)
        elif _LIKE_NOTHING.fullmatch(word):
            self._doubt(f"{word} was read as two words: behind ~ goes a number of letters, 1 or 2")
        starred = "*" in word or ("?" in word[:-1] and "/" not in word) or (word.endswith("?") and bool(name))
        if like and word and starred:
            self.fail("like spellings of a pattern are not looked for", at + like.start(2) - 1)
        if "*" in word and not word.strip("*?"):
            self._add(Anything(leaf.start, leaf.end, name), boost)
        elif name is None and word and not word.strip("?"):
            self.fail(f"{word!r} stands for any word that short", at)
        else:
            self._add(self._sought(replace(leaf, text=word), at, like, starred), boost)

    def _sought(self, leaf: Word, at: int, like: re.Match[str] | None, starred: bool) -> Node:
        """Return what is looked for: a pattern, like spellings, or the word."""
        if starred:
            return Pattern(leaf.start, leaf.end, leaf.text, leaf.field, named=self._named)
        if like and leaf.text:
            distance = self._distance(like.group(2), at + like.start(2) - 1)
            return Fuzzy(leaf.start, leaf.end, leaf.text, distance, leaf.field, self._named)
        return leaf

    def _doubt(self, doubt: str) -> None:
        if doubt not in self.doubts:
            self.doubts.append(doubt)


def _end(value: str | None) -> str | None:
    value = value.strip('"') if value else None
    return None if value == "*" else value
