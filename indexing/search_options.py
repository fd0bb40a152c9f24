"""How to search: the options of a question.

In: nothing. Out: a type that refuses what does not exist. It must not know how anything is found.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from indexing.ranking import FACETS, SORTS, Sort


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """How to search.

    Attributes:
        strict: raise QueryError for a question that is not well formed, instead of guessing.
        seconds: time that a question may take; what was found by then is shown.
        terms: words that one pattern may stand for.
        snippet: size of snippets in characters; 0 for none.
        sort: "score", "path", "page", "newest" or "oldest".
        group: find documents, each with its best `group_pages` pages; limit and offset then count documents.
        group_pages: pages shown of a document.
        facets: of "author", "folder", "lang", "producer", "year".
        facet_values: values listed of each; where there are more, a note says so.
        suggest: look for like words where a word is not in the index.
    """

    strict: bool = False
    seconds: float = 2.0
    terms: int = 1_000
    snippet: int = 240
    sort: Sort = "score"
    group: bool = False
    group_pages: int = 3
    facets: Sequence[str] = ()
    facet_values: int = 20
    suggest: bool = True

    def __post_init__(self) -> None:
        """Refuse a sort or facet that there is not, and a time that is none."""
        if not self.seconds >= 0:
            raise ValueError(f"{self.seconds} is no number of seconds")
        for name, known in ((self.sort, SORTS), *((facet, FACETS) for facet in self.facets)):
            if name not in known:
                raise ValueError(f"{name!r} is none of {', '.join(known)}")


DEFAULT_OPTIONS: Final = SearchOptions()
