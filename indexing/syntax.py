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
    word^2  (a b)^2       counts twice
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Final

from indexing.question_tokens import MAX_DEPTH, MAX_NODES, Scanner, Token
from indexing.question_tree import And, Anything, Boost, Fuzzy, Node, Not, Or, Pattern, Word
from indexing.ranges import check_ranges

MAX_CHARACTERS: Final = 8_000
__all__ = ["MAX_CHARACTERS", "MAX_DEPTH", "MAX_NODES", "Question", "read_question"]


@dataclass(frozen=True, slots=True)
class Question:
    """A question that was read: its tree (None: nothing to look for) and remarks for the person who asked."""

    text: str
    tree: Node | None
    notes: tuple[str, ...]
    doubts: tuple[str, ...] = ()
    """What may be a slip, worth saying only where nothing is found."""


_NO_TEXT = re.compile("[\x00-\x08\ud800-\udfff]")
"""Halves of surrogate pairs, and controls, some of which mark terms in the index."""

_TYPED: Final = str.maketrans(
    {**dict.fromkeys("\u201c\u201d\u201e\u201f\u00ab\u00bb\uff02", '"'), "\uff08": "(", "\uff09": ")"}
)
"""Quotation marks and brackets that word processors and East Asian keyboards put in the place of the plain ones."""


class _Parser:
    """Builds the tree; every method returns None for nothing."""

    def __init__(self, scanner: Scanner, tokens: list[Token]) -> None:
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
            return _in_field(inner, token.node) if inner is not None else None
        return token.node

    def _negation(self, token: Token) -> Node | None:
        excluded = True
        while self._kind() == "NOT":
            excluded = not excluded
            self._at += 1
        if self._kind() in (None, ")", "OR", "AND"):
            self._scanner.fail("NOT has nothing to exclude", token.start)
            return None
        inner = self._one()
        return Not(token.start, inner.end, inner) if inner is not None and excluded else inner

    def _bracket(self, token: Token) -> Node | None:
        inner = self._any()
        if self._kind() == ")":
            self._at += 1
            return self._weighed(inner)
        self._scanner.fail("an opening bracket is never closed", token.start, "it is closed at the end")
        return inner

    def _weighed(self, inner: Node | None) -> Node | None:
        """Weigh what stands in brackets by what stands behind them."""
        if self._kind() != "BOOST":
            return inner
        token = self._tokens[self._at]
        self._at += 1
        typed = self._scanner.text[token.start + 1 : token.end]
        return self._scanner.boosted(inner, typed, token.start) if inner is not None else None


def _group(kind: type[And] | type[Or], parts: list[Node]) -> Node | None:
    if len(parts) < 2:
        return parts[0] if parts else None
    return kind(parts[0].start, parts[-1].end, tuple(parts))


def _in_field(node: Node, name: Word) -> Node:
    """Put the field of a word before every leaf that has none."""
    match node:
        case Word(field=None) | Pattern(field=None) | Fuzzy(field=None):
            return replace(node, field=name.field, named=name.named)
        case Anything(field=None):
            return replace(node, field=name.field)
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
    scanner = Scanner(_NO_TEXT.sub(" ", text[:MAX_CHARACTERS].translate(_TYPED)), strict)
    if len(text) > MAX_CHARACTERS:
        scanner.fail(
            f"a question has {MAX_CHARACTERS} characters at most", MAX_CHARACTERS, "the rest is left out"
        )
    tree = _Parser(scanner, scanner.scan()).whole()
    if strict and tree is not None:
        check_ranges(tree)
    return Question(text, tree, tuple(scanner.notes), tuple(scanner.doubts))
