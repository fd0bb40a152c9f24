"""The query language: from what a person typed to a tree.

In: a question as text. Out: a tree of nodes with their places in the text, and notes on what was read as plain text.
Reading is forgiving: a stray quote or bracket is text, an unknown field is text with a colon. Strict reading raises
QueryError with the position instead. It must not know the index: not even which words exist.

    words                 all of them            a OR b, a AND b, NOT a, -a, (a b)
    "a b"  "a b"~3        a phrase, with slop    word* w?rd *word "a b*"  wildcards
    word~  word~2         like spellings         field:word field:"a b"   in one field
    field:[1 TO 5]  field:{1 TO 5}  field:>=5    ranges; * or nothing for an open end
    field:1..5  field:..5  field:5..             the same for numbers and dates
    page:1-5              the same for numbers   *  field:*               every page; those with a value
    word^2                counts twice
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Final

from indexing.errors import QueryError
from indexing.question_tree import And, Anything, Boost, Fuzzy, Node, Not, Or, Pattern, Range, Word

FIELDS: Final = {
    "text": "text", "title": "title", "author": "author", "subject": "subject", "keywords": "keywords",
    "creator": "creator", "producer": "producer", "path": "path", "folder": "folder", "filename": "filename",
    "file": "filename", "doc": "doc", "lang": "lang", "flag": "flag", "page": "page", "pages": "pages",
    "year": "year", "date": "created", "created": "created", "modified": "modified", "size": "size",
}  # fmt: skip
"""What may stand before a colon, and the field it names."""

MAX_DEPTH: Final = 40
MAX_NODES: Final = 400
MAX_CHARACTERS: Final = 8_000


@dataclass(frozen=True, slots=True)
class Question:
    """A question that was read: its tree (None: nothing to look for) and remarks for the person who asked."""

    text: str
    tree: Node | None
    notes: tuple[str, ...]
    doubts: tuple[str, ...] = ()
    """What may be a slip, worth saying only where nothing is found."""


_FIELD = re.compile(r"([A-Za-z_]+):(?=\S)")
_PHRASE = re.compile(r'"([^"]*)"(?:~([0-9]{1,3}))?(?:\^([0-9]+(?:\.[0-9]+)?))?')
_VALUE: Final = r'("[^"]*"|[^\s\]}]+)'
_RANGE = re.compile(rf"([\[{{])\s*(?:{_VALUE}\s+)?TO(?:\s+{_VALUE})?\s*([\]}}])")
_COMPARE = re.compile(r'(>=|<=|>|<|=)\s*("[^"]*"|[^\s()]+)')
_DOTS = re.compile(r"([0-9-]*)\.\.([0-9-]*)(?=[\s()]|$)")
_DASH = re.compile(r"([0-9]+)[-\u2013]([0-9]+)(?=[\s()]|$)")
_COUNTED: Final = frozenset({"page", "pages", "year", "size"})
_ORDERED: Final = _COUNTED | {"created", "modified"}
_WORD = re.compile(r'[^\s()"]+')
_STARRED = re.compile(r"\w\*|\*\w")
_SUFFIX = re.compile(r"(.*?)(?:~([0-9]?))?(?:\^([0-9]+(?:\.[0-9]+)?))?$", re.DOTALL)
_NO_TEXT = re.compile("[\x00-\x08\ud800-\udfff]")
"""Halves of surrogate pairs, and controls, some of which mark terms in the index."""

_TYPED: Final = str.maketrans(
    {**dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02", '"'), "\uff08": "(", "\uff09": ")"}
)
"""Quotation marks and brackets that word processors and East Asian keyboards put in the place of the plain ones."""

_OPERATORS: Final = {"AND": "AND", "&&": "AND", "OR": "OR", "||": "OR", "NOT": "NOT"}


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    start: int
    end: int
    node: Node | None = None


class _Scanner:
    """Cuts a question into operators, brackets and leaves."""

    def __init__(self, text: str, strict: bool) -> None:
        self.text = text
        self.strict = strict
        self.notes: list[str] = []
        self.doubts: list[str] = []
        self.tokens: list[_Token] = []
        self._depth = self._ignored = 0

    def fail(self, message: str, position: int, instead: str = "it is left out") -> None:
        """Raise if strict, else note what was done instead."""
        if self.strict:
            raise QueryError(message, position)
        self.notes.append(f"{message}: {instead} (at character {position + 1})")

    def scan(self) -> list[_Token]:
        """Return the tokens of the whole text."""
        at, text = 0, self.text
        while at < len(text):
            if text[at].isspace():
                at += 1
            elif len(self.tokens) >= MAX_NODES:
                self.fail(f"a question has {MAX_NODES} parts at most", at, "the rest is left out")
                break
            elif text[at] in "()":
                self._bracket(at)
                at += 1
            elif text[at] in "+-" and self._starts(at) and at + 1 < len(text) and not text[at + 1].isspace():
                if text[at] == "-":
                    self.tokens.append(_Token("NOT", at, at + 1))
                at += 1
            else:
                at = self._leaf(at)
        return self.tokens

    def _bracket(self, at: int) -> None:
        """Take a bracket; one that is too deep is left out, and so is its other half."""
        opens = self.text[at] == "("
        if opens and self._depth >= MAX_DEPTH:
            self._ignored += 1
            self.fail(f"brackets may be nested {MAX_DEPTH} deep", at, "deeper ones are left out")
        elif not opens and self._ignored:
            self._ignored -= 1
        else:
            self._depth = max(self._depth + (1 if opens else -1), 0)
            self.tokens.append(_Token(self.text[at], at, at + 1))

    def _starts(self, at: int) -> bool:
        return at == 0 or self.text[at - 1].isspace() or self.text[at - 1] in "(-+"

    def _leaf(self, at: int) -> int:
        """Read one leaf, or an operator, and return where it ends."""
        start, name = at, None
        match = _FIELD.match(self.text, at)
        if match and match.group(1).lower() in FIELDS:
            name, at = FIELDS[match.group(1).lower()], match.end()
        elif match and not self.text.startswith("//", match.end()):
            near = get_close_matches(match.group(1).lower(), FIELDS, 1)
            meant = f"; is {near[0]} meant?" if near else ""
            if self.strict:
                raise QueryError(f"there is no field {match.group(1)!r}{meant}", at, "field")
            self.doubts.append(f"there is no field {match.group(1)!r}: it was read as a word{meant}")
        if self.text[at] == "(" and name is not None:
            if self._depth >= MAX_DEPTH:
                return at
            self.tokens.append(_Token("FIELD", start, at, Word(start, at, "", name)))
            return at
        for read in (self._range, self._phrase, self._word):
            end = read(start, at, name)
            if end:
                return end
        self.fail("a quotation mark has no other half", at)
        return at + 1

    def _add(self, node: Node, boost: str | None) -> None:
        if boost is not None:
            node = Boost(node.start, node.end, node, float(boost))
        self.tokens.append(_Token("LEAF", node.start, node.end, node))

    def _range(self, start: int, at: int, name: str | None) -> int:
        if name is None:
            return 0
        match = _RANGE.match(self.text, at)
        if match:
            left, low, high, right = match.groups()
            node = Range(start, match.end(), name, _end(low), _end(high), left == "{", right == "}")
            self._add(node, None)
            return match.end()
        match = _DOTS.match(self.text, at) if name in _ORDERED else None
        if match is None and name in _COUNTED:
            match = _DASH.match(self.text, at)
        if match and len(match.group()) > 2:
            self._add(Range(start, match.end(), name, match.group(1) or None, match.group(2) or None), None)
            return match.end()
        match = _COMPARE.match(self.text, at)
        if match:
            sign, value = match.group(1), match.group(2).strip('"')
            low_end, high_end = None if sign[0] == "<" else value, None if sign[0] == ">" else value
            opened = len(sign) == 1
            node = Range(
                start, match.end(), name, low_end, high_end, opened and sign == ">", opened and sign == "<"
            )
            self._add(node, None)
            return match.end()
        return 0

    def _phrase(self, start: int, at: int, name: str | None) -> int:
        match = _PHRASE.match(self.text, at)
        if match is None:
            return 0
        words, slop, boost = match.groups()
        if not words.strip():
            self.fail("a phrase is empty", at)
        kind = Pattern if _STARRED.search(words) else Word
        self._add(kind(start, match.end(), words, name, True, int(slop or 0)), boost)
        return match.end()

    def _word(self, start: int, at: int, name: str | None) -> int:
        match = _WORD.match(self.text, at)
        if match is None:
            return 0
        end = match.end()
        if name is None and match.group() in _OPERATORS:
            self.tokens.append(_Token(_OPERATORS[match.group()], at, end))
            return end
        suffix = _SUFFIX.match(match.group())
        word, distance, boost = suffix.groups() if suffix else (match.group(), None, None)
        if "*" in word and not word.strip("*?"):
            self._add(Anything(start, end, name), boost)
        elif name is None and word and not word.strip("?"):
            self.fail(f"{word!r} stands for any word that short", at)
        elif "*" in word or ("?" in word[:-1] and "/" not in word) or (word.endswith("?") and name):
            self._add(Pattern(start, end, word, name), boost)
        elif distance is not None and word:
            self._add(Fuzzy(start, end, word, min(int(distance or 1), 2), name), boost)
        else:
            self._add(Word(start, end, word, name), boost)
        return end


def _end(value: str | None) -> str | None:
    value = value.strip('"') if value else None
    return None if value == "*" else value


class _Parser:
    """Builds the tree; every method returns None for nothing."""

    def __init__(self, scanner: _Scanner, tokens: list[_Token]) -> None:
        self._scanner = scanner
        self._tokens = tokens
        self._at = 0

    def _kind(self) -> str | None:
        return self._tokens[self._at].kind if self._at < len(self._tokens) else None

    def whole(self) -> Node | None:
        """Read everything, whatever stray closing brackets there are."""
        parts: list[Node] = []
        while self._at < len(self._tokens):
            node = self._any()
            if node is not None:
                parts.append(node)
            if self._kind() == ")":
                self._scanner.fail("a closing bracket has no opening one", self._tokens[self._at].start)
                self._at += 1
        return _group(And, parts)

    def _any(self) -> Node | None:
        parts = [self._all()]
        while self._kind() == "OR":
            self._operator()
            parts.append(self._all())
        return _group(Or, [part for part in parts if part is not None])

    def _all(self) -> Node | None:
        parts: list[Node] = []
        while self._kind() not in (None, ")", "OR"):
            if self._kind() == "AND":
                self._operator()
                continue
            node = self._one()
            if node is not None:
                parts.append(node)
        return _group(And, parts)

    def _operator(self) -> None:
        """Step over AND or OR; complain if it joins nothing."""
        token = self._tokens[self._at]
        before = self._tokens[self._at - 1].kind if self._at else None
        self._at += 1
        if before in (None, "(", "AND", "OR", "NOT") or self._kind() in (None, ")", "AND", "OR"):
            self._scanner.fail(f"{token.kind} has nothing to join", token.start)

    def _one(self) -> Node | None:
        token = self._tokens[self._at]
        self._at += 1
        if token.kind == "NOT":
            return self._negation(token)
        if token.kind == "(":
            return self._bracket(token)
        if token.kind == "FIELD":
            self._at += 1
            inner = self._bracket(token)
            assert isinstance(token.node, Word)
            return _in_field(inner, token.node.field or "text") if inner is not None else None
        return token.node

    def _negation(self, token: _Token) -> Node | None:
        excluded = True
        while self._kind() == "NOT":
            excluded = not excluded
            self._at += 1
        if self._kind() in (None, ")", "OR", "AND"):
            self._scanner.fail("NOT has nothing to exclude", token.start)
            return None
        inner = self._one()
        return Not(token.start, inner.end, inner) if inner is not None and excluded else inner

    def _bracket(self, token: _Token) -> Node | None:
        inner = self._any()
        if self._kind() == ")":
            self._at += 1
        else:
            self._scanner.fail("an opening bracket is never closed", token.start, "it is closed at the end")
        return inner


def _group(kind: type[And] | type[Or], parts: list[Node]) -> Node | None:
    if len(parts) < 2:
        return parts[0] if parts else None
    return kind(parts[0].start, parts[-1].end, tuple(parts))


def _in_field(node: Node, name: str) -> Node:
    """Put a field before every leaf that has none."""
    match node:
        case Word(field=None) | Pattern(field=None) | Fuzzy(field=None) | Anything(field=None):
            return replace(node, field=name)
        case And(parts=parts) | Or(parts=parts):
            return replace(node, parts=tuple(_in_field(part, name) for part in parts))
        case Not(part=part) | Boost(part=part):
            return replace(node, part=_in_field(part, name))
    return node


def read_question(text: str, strict: bool = False) -> Question:
    """Read a question.

    Args:
        text: what was typed.
        strict: raise instead of guessing.

    Raises:
        QueryError: where strict reading fails. Forgiving reading never does.
    """
    scanner = _Scanner(_NO_TEXT.sub(" ", text[:MAX_CHARACTERS].translate(_TYPED)), strict)
    if len(text) > MAX_CHARACTERS:
        scanner.fail(
            f"a question has {MAX_CHARACTERS} characters at most", MAX_CHARACTERS, "the rest is left out"
        )
    tree = _Parser(scanner, scanner.scan()).whole()
    return Question(text, tree, tuple(scanner.notes), tuple(scanner.doubts))
