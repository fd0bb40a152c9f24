"""The terms of tokens, remembered from text to text and from question to question.

In: tokens and texts. Out: index terms with their positions. It must not know what they are looked for.
"""

from __future__ import annotations

from collections import defaultdict

from indexing.analyzer import cut_tokens, stemmer
from indexing.chunks import chunk_terms

Terms = tuple[tuple[str, int], ...]


class TokenTerms:
    """Knows the terms of the tokens that it was asked for; shared by threads."""

    _MOST = 20_000

    def __init__(self, stem: str | None = None) -> None:
        self._stem = stemmer(stem)
        self._known: dict[str, tuple[Terms, int]] = {}

    def of(self, token: str) -> tuple[Terms, int]:
        """Return a token's terms with their positions in it, and its number of positions."""
        entry = self._known.get(token)
        if entry is None:
            terms, width = chunk_terms(token, self._stem)
            entry = tuple(terms), width
            if len(self._known) >= self._MOST:
                self._known = {}
            self._known[token] = entry
        return entry

    def places(self, text: str) -> dict[str, list[int]]:
        """Return the positions of all terms of a text."""
        places: defaultdict[str, list[int]] = defaultdict(list)
        position = 0
        for token, _ in cut_tokens(text):
            terms, width = self.of(token)
            for term, shift in terms:
                places[term].append(position + shift)
            position += width
        return places
