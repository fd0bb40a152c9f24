"""Where a page's body starts and ends, so that a phrase can be followed from one page to the next.

In: the pages of documents, in order. Out: for each, the position of the first and the last word of its body, and a hash
of each. Page numbers and running heads, which stand between the last word of a page and the first of the next, are no
body. It must not know how phrases are matched.
"""

from __future__ import annotations

import re
import zlib
from typing import Final

import numpy as np
import numpy.typing as npt

from indexing.analyzer import chunk_terms, cut_chunks, read_slots
from indexing.characters import plain_form

EDGE_LINES: Final = 3
"""Lines at the top and at the bottom that may be running heads or page numbers."""

_DIGITS = re.compile(r"[0-9]+")
_PAGE_NUMBER = re.compile(
    r"\W*(?:[Pp]age|[Ss]eite|[Pp]ágina|[Ss]\.|[Pp]\.)?\s*[0-9ivxlcIVXLC]{1,7}\s*(?:(?:/|of|von|de)\s*[0-9]+)?\W*"
)

Key = tuple[str, str]


def word_hash(word: str) -> int:
    """Hash a word, in plain form, to 31 bits; the same in every process."""
    return zlib.crc32(plain_form(word).encode("utf-8", "surrogatepass")) & 0x7FFFFFFF


class SeamFinder:
    """Collects the edges of pages, and tells bodies from running heads once it has seen a page's neighbours."""

    def __init__(self) -> None:
        self._pages: list[tuple[Key, int, list[str], list[str]]] = []

    def add_page(self, key: Key, page_index: int, text: str) -> None:
        """Add a page."""
        lines = [line for line in text.split("\n") if line.strip()]
        top = lines[: EDGE_LINES + 2]
        bottom = lines[-EDGE_LINES - 2 :]
        self._pages.append((key, page_index, top, bottom))

    def columns(self, words: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
        """Return first, last, first_hash and last_hash of each page; -1 where a page has no words.

        Args:
            words: number of positions of each page, int32.
        """
        shapes = {(key, page): (_shapes(top), _shapes(bottom)) for key, page, top, bottom in self._pages}
        found = np.full((len(self._pages), 4), -1, np.int32)
        for number, (key, page, top, bottom) in enumerate(self._pages):
            near = [shapes[key, page + step] for step in (-2, -1, 1, 2) if (key, page + step) in shapes]
            heads = set().union(*(top_shapes for top_shapes, _ in near)) if near else set()
            feet = set().union(*(bottom_shapes for _, bottom_shapes in near)) if near else set()
            before, body = _skip(top, heads)
            after, foot = _skip(bottom[::-1], feet)
            count = int(words[number])
            start, end = _positions(before), count - 1 - _positions(after)
            if body is None or foot is None or start > end:
                continue
            first, last = _first_word(body), _last_word(foot)
            if first is not None and last is not None:
                found[number] = start, end, word_hash(first), word_hash(last)
        return found


def _shapes(lines: list[str]) -> set[str]:
    """Return the lines with numbers of any value, as running heads repeat them."""
    return {_shape(line) for line in lines[:EDGE_LINES] + lines[-EDGE_LINES:]}


def _shape(line: str) -> str:
    return _DIGITS.sub("0", line.strip())


def _skip(lines: list[str], repeated: set[str]) -> tuple[list[str], str | None]:
    """Part the lines, from the edge inwards, into those that are no body, and the first that is.

    Where all look like running heads the page has nothing else: then they are its body.
    """
    for number, line in enumerate(lines):
        running = _PAGE_NUMBER.fullmatch(line) or _shape(line) in repeated
        if not running or number >= EDGE_LINES:
            return lines[:number], line
    return [], lines[0] if lines else None


def _positions(lines: list[str]) -> int:
    return sum(chunk_terms(chunk)[1] for line in lines for chunk in cut_chunks(line))


def _first_word(line: str) -> str | None:
    for slot in read_slots(line):
        return slot.joined
    return None


def _last_word(line: str) -> str | None:
    last = None
    for slot in read_slots(line):
        last = slot.joined
    return last
