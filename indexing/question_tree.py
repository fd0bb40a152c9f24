"""The tree of a question: its nodes, with their places in what was typed.

In: nothing. Out: types. `named` is a node's field as it was typed: `date` for `created`. It must not know how a
question is read nor how it is answered.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Node:
    """A part of the question; start and end are offsets into its text."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Written(Node):
    """Text between white space, or between quotes (quoted). slop: how much further apart its words may be."""

    text: str
    field: str | None = None
    quoted: bool = False
    slop: int = 0
    named: str | None = dataclasses.field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Word(Written):
    """A word; quoted: words in a row."""


@dataclass(frozen=True, slots=True)
class Pattern(Written):
    """A word with `*` for any characters and `?` for one; quoted: a phrase with words that have a `*`."""


@dataclass(frozen=True, slots=True)
class Anything(Node):
    """Every page; with a field, those that have a value in it."""

    field: str | None = None


@dataclass(frozen=True, slots=True)
class Fuzzy(Node):
    """Words that differ from this one by at most `distance` letters."""

    text: str
    distance: int
    field: str | None = None
    named: str | None = dataclasses.field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Range(Node):
    """Values from low to high; None is open; low_open and high_open leave the ends out."""

    field: str
    low: str | None
    high: str | None
    low_open: bool = False
    high_open: bool = False
    named: str | None = dataclasses.field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class And(Node):
    """All of them."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Or(Node):
    """Any of them."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Not(Node):
    """Everything else."""

    part: Node


@dataclass(frozen=True, slots=True)
class Boost(Node):
    """The same pages, with their scores times a factor."""

    part: Node
    factor: float
