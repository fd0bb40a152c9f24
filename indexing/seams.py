"""Where a page's body starts and ends, so that words and phrases can be followed from one page to the next.

In: the pages of documents, in order. Out: for each, the position of the first and the last word of its body, and a hash
of each; and the words that a hyphen parts between two pages. Page numbers and running heads, which stand between the
last word of a page and the first of the next, are no body. It must not know how phrases are matched.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from indexing.analyzer import HYPHENS, LETTER, read_slots, slot_terms
from indexing.characters import plain_form

EDGE_LINES: Final = 3
"""Lines at the top and at the bottom that may be running heads or page numbers."""

_LETTER = re.compile(LETTER)
_DIGITS = re.compile(r"[0-9]+")
_PAGE_NUMBER = re.compile(
    r"\W*(?:[Pp]age|[Ss]eite|[Pp]ágina|[Ss]\.|[Pp]\.)?\s*[0-9ivxlcIVXLC]{1,7}\s*(?:(?:/|of|von|de)\s*[0-9]+)?\W*"
)

Key = tuple[str, str]


def word_hash(word: str) -> int:
    """Hash a word, in plain form, to 31 bits; the same in every process."""
    return zlib.crc32(plain_form(word).encode("utf-8", "surrogatepass")) & 0x7FFFFFFF


@dataclass(frozen=True, slots=True)
class _Edge:
    """The lines at the top or at the bottom of a page, from the edge inwards."""

    lines: list[str]
    shapes: list[str]


class _Body(NamedTuple):
    """The body of a page: the page's number, its first and last line, and the position of its last word."""

    page: int
    top: str
    foot: str
    last: int


class SeamFinder:
    """Collects the edges of pages, and tells bodies from running heads once it has seen a page's neighbours."""

    def __init__(self) -> None:
        self._pages: list[tuple[Key, int, _Edge, _Edge]] = []
        self._bodies: dict[tuple[Key, int], _Body] = {}
        self._widths: dict[str, int] = {}

    def add_page(self, key: Key, page_index: int, text: str) -> None:
        """Add a page."""
        lines = [line for line in text.split("\n") if line and not line.isspace()]
        top, bottom = lines[: EDGE_LINES + 2], lines[: -EDGE_LINES - 3 : -1]
        self._pages.append((key, page_index, _Edge(top, _shapes(top)), _Edge(bottom, _shapes(bottom))))

    def columns(self, words: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """Return first, last, first_hash and last_hash of each page; -1 where a page has no words.

        Args:
            words: number of positions of each page, int32.
        """
        pages = {(key, page): (top.shapes, bottom.shapes) for key, page, top, bottom in self._pages}
        found = np.full((len(self._pages), 4), -1, np.int32)
        for number, (key, page, top, bottom) in enumerate(self._pages):
            near = [pages[key, page + step] for step in (-2, -1, 1, 2) if (key, page + step) in pages]
            heads = {shape for shapes, _ in near for shape in shapes}
            feet = {shape for _, shapes in near for shape in shapes}
            before, body = _skip(top.lines, top.shapes, heads)
            after, foot = _skip(bottom.lines, bottom.shapes, feet)
            start, end = self._positions(before), int(words[number]) - 1 - self._positions(after)
            if body is None or foot is None:
                continue
            if after and foot.rstrip()[-1] in HYPHENS and _LETTER.match(after[-1]):
                # The analysis of the page takes what stands below for the rest of the word.
                end += 1
            if start > end:
                continue
            first, last = _first_word(body), _last_word(foot)
            if first is not None and last is not None:
                found[number] = start, end, word_hash(first), word_hash(last)
                self._bodies[key, page] = _Body(number, body, foot, end)
        return found

    def parted_words(self, stem: Callable[[str], str] | None = None) -> Iterator[tuple[int, int, list[str]]]:
        """Yield words that a hyphen parts between two pages; `columns` comes first.

        Each with the page that it starts on, its position there, and the terms of the whole word that neither part has.
        """
        for (key, page), body in self._bodies.items():
            following = self._bodies.get((key, page + 1))
            if following is not None and body.foot.rstrip()[-1] in HYPHENS:
                terms = _parted_terms(body.foot.split()[-1], following.top.split()[0], stem)
                if terms:
                    yield body.page, body.last, terms

    def _positions(self, shapes: list[str]) -> int:
        """Count the positions of lines by their shapes: the value of a number makes no difference."""
        known = self._widths
        for shape in shapes:
            if shape not in known:
                known[shape] = sum(1 for _ in read_slots(shape))
        return sum(known[shape] for shape in shapes)


def _shapes(lines: list[str]) -> list[str]:
    """Return lines with numbers of any value, as running heads repeat them."""
    return _DIGITS.sub("0", "\n".join(map(str.strip, lines))).split("\n") if lines else []


def _skip(lines: list[str], shapes: list[str], repeated: set[str]) -> tuple[list[str], str | None]:
    """Part the lines, from the edge inwards, into the shapes of those that are no body, and the first that is.

    Where all look like running heads the page has nothing else: then they are its body.
    """
    for number, (line, shape) in enumerate(zip(lines, shapes, strict=True)):
        if number >= EDGE_LINES or not (shape in repeated or _PAGE_NUMBER.fullmatch(line)):
            return shapes[:number], line
    return [], lines[0] if lines else None


def _parted_terms(left: str, right: str, stem: Callable[[str], str] | None) -> list[str]:
    """Name the terms that a word has if `left`, with a hyphen at its end, goes on with `right`."""
    text = f"{left}\n{right}"
    whole = next((slot for slot in read_slots(text) if slot.start < len(left) < slot.end), None)
    if whole is None:
        return []
    parts = [*read_slots(text[whole.start : len(left)]), *read_slots(text[len(left) : whole.end])]
    known = {term for slot in parts for term in slot_terms(slot, None, stem)}
    return [term for term in slot_terms(whole, None, stem) if term not in known]


def _first_word(line: str) -> str | None:
    for slot in read_slots(line):
        return slot.joined
    return None


def _last_word(line: str) -> str | None:
    for piece in reversed(line.split()):
        slots = list(read_slots(piece))
        if slots:
            return slots[-1].joined
    return None
