"""The one analysis of text, for building and for asking: what the words of a text are and where they stand.

In: text as extracted. Out: slots (one a position, for asking and for marking hits) and index terms with positions (for
building). A slot is what stands in one place: a word with its hyphens and apostrophes, or one character of a script
without word spaces. The terms of a slot:

- each part of the word in its exact form (case, width and ligatures folded) and, where that has accents, in its plain
  form behind `PLAIN`, so that both can be asked for and the exact one scores higher;
- for a word with hyphens: neighbouring parts with what joins them ("well-known"), and all parts run together
  ("wellknown"), all at the word's one position, whether a line ended at the hyphen or not;
- where two slots are joined by a dot, a slash and the like: the part before it with the joint, behind `LINK` ("3.",
  "foo@"), so that 3.11 finds 3.11.2 and not "3 11". Both parts with the joint would be a term of its own for nearly
  every number, path and address: a third of all terms, most of them on one page;
- a character of an unsegmented script: itself, and itself with its neighbour.

It must not know Whoosh, Parquet or the query language.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

from indexing.characters import HAN_KANA, MARKS, UNSEGMENTED, normal_form, plain_form

ANALYSIS_VERSION = 2
"""Part of the hash in index.json: counted up whenever the same text would give other terms."""

PLAIN = "\x01"
"""Before the plain form of a word that has accents. Such terms sort before all words."""

STEM = "\x03"
"""Before the stem of a word, where stemming is on."""

LINK = STEM + "\x02"
"""Before a part with the hard joint behind it. What starts with `STEM` is no word, for patterns and suggestions."""

LONGEST_PART = 80
"""Characters of a part that are looked at: beyond that it is binary data, not a word."""

LETTER = f"[^\\W_{UNSEGMENTED}]"
_INSIDE = f"(?:[{MARKS}]|\u00ad(?![^\\S\\n]*+\\n))"
# A possessive repeat of a group is wrong before Python 3.11.5 (gh-106052); an atomic group around a plain one never is.
_WORD = f"{LETTER}++(?>(?:(?>{_INSIDE}+){LETTER}*+)*)"
_SOFT = "-\u2010\u2011\u2013\u00b7\u2027\uff0d"
_QUOTES = "'\u2019\u02bc\u2018\uff07\u05f3\u05f4"
HYPHENS = "-\u2010\u2011\u00ad"
"""Signs that part a word between two lines."""

_BREAK = f"[{HYPHENS}][^\\S\\n]*+\\n\\s*+"
_HARD = "://|[._/:@&+=~%\\\\?#\uff0e\uff0f\uff20\uff3f]|(?<=\\d),(?=\\d)"
_JOINT = f"(?:{_BREAK}|[{_SOFT}{_QUOTES}]|{_HARD})"
OPEN_SIGNS = '"!$()*;<>\\[\\]^`{|}\u00ab\u00bb\u201c-\u201f\u2026\u2039\u203a\u2014\u00a1\u00bf'
"""Signs that never stand inside a token, as the inside of a regular expression's brackets."""
_RUN = f"[{UNSEGMENTED}](?>{_INSIDE}*)"
TOKENS = re.compile(
    f"(?:(?<![^\\s\\\\{OPEN_SIGNS}])[.@#])?{_WORD}(?>(?:{_JOINT}{_WORD})*)(?:(?:\\+\\+|\\#)(?!\\w))?"
    f"|(?>(?:{_RUN})+)(?>(?:(?<=[{HAN_KANA}])[^\\S\\n]*+\\n\\s*+(?=[{HAN_KANA}])(?>(?:{_RUN})+))*)"
)
_PIECES = re.compile(f"({_WORD})|({_BREAK}|[{_SOFT}])|([{_QUOTES}])|(\\+\\+)|({_HARD})")
CLUSTERS = re.compile(_RUN)
_RAISED = re.compile("[\u00b2\u00b3\u00b9\u2070-\u209c]+|[^\u00b2\u00b3\u00b9\u2070-\u209c]+")
_FULL_WIDTH = str.maketrans("\uff0e\uff0f\uff20\uff3f", "./@_")


class Slot(NamedTuple):
    """What stands at one position.

    Attributes:
        parts: exact forms of the word's parts; one for a simple word or a character.
        joints: what joins part i and i + 1: "-", "'" or "" (before raised characters); one fewer than parts.
        link: what joins this slot to the next: "", or a hard joint such as "." or "/"; "" also for characters.
        paired: True if this is a character that forms a pair with the next slot's.
        start: offset of the first character, in the text.
        end: offset after the last one.
        before: a sign before the word that belongs to it: ".", "#" or "@".
        after: a sign behind it: "++" or "#".
    """

    parts: tuple[str, ...]
    joints: tuple[str, ...] = ()
    link: str = ""
    paired: bool = False
    start: int = 0
    end: int = 0
    before: str = ""
    after: str = ""

    @property
    def joined(self) -> str:
        """The parts run together, in exact form."""
        return "".join(self.parts)


@dataclass(frozen=True)
class Analysis:
    """Settings of the analysis that change the terms; part of the index's hash.

    Attributes:
        stem: language (ISO 639-1) whose stems are indexed beside the words, or None. Off by default.
    """

    stem: str | None = None
    version: int = field(default=ANALYSIS_VERSION)


def stemmer(language: str | None) -> Callable[[str], str] | None:
    """Return the stemming function of a language, or None."""
    if language is None:
        return None
    from whoosh.lang import stemmer_for_language

    function: Callable[[str], str] = stemmer_for_language(language)
    return function


@cache
def character_form(text: str) -> str:
    """Return the plain form of a character with its marks; there are some ten thousand."""
    return plain_form(normal_form(text[:LONGEST_PART]))


ANY_UNSEGMENTED = re.compile(f"[{UNSEGMENTED}]")


def read_slots(text: str) -> Iterator[Slot]:
    """Yield the slots of a text in reading order, with their offsets; one a position."""
    for match in TOKENS.finditer(text):
        yield from token_slots(match.group(), match.start())


def cut_tokens(text: str) -> Iterator[tuple[str, int]]:
    """Yield the tokens of a text, what `token_slots` takes apart, with their offsets."""
    for match in TOKENS.finditer(text):
        yield match.group(), match.start()


def token_slots(token: str, offset: int) -> list[Slot]:
    """Take a token of `TOKENS` apart; offsets count from `offset`."""
    if token.isascii() and token.isalnum():
        return [Slot((token[:LONGEST_PART].lower(),), start=offset, end=offset + len(token))]
    if CLUSTERS.match(token):
        return _character_slots(token, offset)
    return _word_slots(token, offset)


def _character_slots(token: str, offset: int) -> list[Slot]:
    """Cut a run of an unsegmented script into characters with their marks."""
    found = list(CLUSTERS.finditer(token))
    return [
        Slot(
            (character_form(match.group()),),
            paired=number < len(found),
            start=offset + match.start(),
            end=offset + match.end(),
        )
        for number, match in enumerate(found, 1)
    ]


def _word_slots(token: str, offset: int) -> list[Slot]:
    """Cut a token at its hard joints into slots, and each slot at its soft joints into parts."""
    slots: list[Slot] = []
    parts: list[str] = []
    joints: list[str] = []
    joint = before = ""
    start = end = offset
    for piece in _PIECES.finditer(token):
        word, soft, quote, plus, hard = piece.groups()
        if word:
            start = start if parts else offset + piece.start()
            end = offset + piece.end()
            _add_parts(word, joint, parts, joints)
        elif soft or quote:
            joint = "-" if soft else "'"
        elif not parts:
            before = hard
        elif piece.end() == len(token):
            return [
                *slots,
                Slot(
                    tuple(parts), tuple(joints), "", False, start, offset + len(token), before, piece.group()
                ),
            ]
        else:
            link = (hard or plus)[-1].translate(_FULL_WIDTH)
            slots.append(Slot(tuple(parts), tuple(joints), link, False, start, end, before))
            parts, joints, before = [], [], ""
    return [*slots, Slot(tuple(parts), tuple(joints), "", False, start, end, before)] if parts else slots


def _add_parts(word: str, joint: str, parts: list[str], joints: list[str]) -> None:
    """Append a word's parts: raised and lowered characters are parts of their own."""
    exact = normal_form(word)[:LONGEST_PART]
    pieces = [exact] if exact.isascii() else _RAISED.findall(exact)
    for number, piece in enumerate(pieces):
        if parts:
            joints.append("" if number else joint)
        parts.append(piece)


def pair_term(left: str, joint: str, right: str) -> str:
    """Name the term of two neighbouring parts with what joins them, in plain form."""
    return plain_form(f"{left}{joint}{right}")


def link_term(left: str, link: str) -> str:
    """Name the term of a part with what joins it to the next slot, in plain form."""
    return f"{LINK}{plain_form(left)}{link}"


def neighbour_term(left: str, right: str) -> str:
    """Name the term of two neighbouring characters of an unsegmented script, which are in plain form already."""
    return left + right


def sign_terms(slot: Slot) -> list[str]:
    """Name the terms of a word with the sign that belongs to it: "c++", "c#", ".net"."""
    terms = [slot.parts[-1] + slot.after] if slot.after else []
    return [*terms, slot.before + slot.parts[0]] if slot.before else terms


def word_forms(word: str, stem: Callable[[str], str] | None) -> list[str]:
    """Name the terms of one word: exact form, plain form if another, stem if asked for."""
    plain = plain_form(word)
    terms = [word] if plain == word else [word, PLAIN + plain]
    if stem is not None:
        terms.append(STEM + stem(plain))
    return terms


def slot_terms(slot: Slot, following: Slot | None, stem: Callable[[str], str] | None = None) -> list[str]:
    """Name all index terms of a slot, each once."""
    terms = [form for part in slot.parts for form in word_forms(part, stem)]
    if slot.joints:
        pairs = zip(slot.parts, slot.joints, slot.parts[1:], strict=False)
        terms += [pair_term(left, joint, right) for left, joint, right in pairs]
        terms += word_forms(slot.joined[:LONGEST_PART], stem)
    if following is not None and slot.paired:
        terms.append(neighbour_term(slot.parts[0], following.parts[0]))
    if following is not None and slot.link:
        terms.append(link_term(slot.parts[-1], slot.link))
    terms += sign_terms(slot)
    return list(dict.fromkeys(terms))
