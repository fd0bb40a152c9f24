"""Order, groups and facets of the pages found.

In: matches over all pages, an opened generation. Out: page numbers in order, documents with counts, facet values. It
must not know texts nor snippets.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from indexing.documents import UNKNOWN
from indexing.generation import Generation
from indexing.results import FacetValue
from indexing.scoring import Matches

Sort = Literal["score", "path", "page", "newest", "oldest"]
SORTS: Final = ("score", "path", "page", "newest", "oldest")
FACETS: Final = ("author", "folder", "lang", "producer", "year")
Pages = npt.NDArray[np.int64]


def rank_pages(generation: Generation, matches: Matches, count: int, sort: Sort = "score") -> Pages:
    """Return the first `count` pages found, in order; those that are equal in order of path and page."""
    found = np.flatnonzero(matches.found)
    scores = matches.scores[found]
    if sort == "score" and len(found) > count > 0:
        threshold = np.partition(scores, len(scores) - count)[len(scores) - count]
        kept = scores >= threshold
        found, scores = found[kept], scores[kept]
    pages = generation.pages
    document, page = pages.document[found], pages.page_index[found]
    keys: tuple[npt.NDArray[Any], ...]
    match sort:
        case "path":
            keys = (page, document)
        case "page":
            keys = (document, page)
        case "newest" | "oldest":
            keys = (page, document, *(key[document] for key in _dates(generation, sort)))
        case _:
            keys = (page, document, -scores)
    ordered: Pages = found[np.lexsort(keys)][:count]
    return ordered


def _dates(generation: Generation, sort: Sort) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return keys of the documents, the lesser one first: time of the file, and the date: created, else modified.

    Documents without a date come last either way: a file's time says little of its age. It orders only them.
    """
    numbers = generation.numbers
    dates = np.where(numbers["created"] == UNKNOWN, numbers["modified"], numbers["created"])
    undated = dates == UNKNOWN
    sign = np.int64(-1 if sort == "newest" else 1)
    return np.where(undated, numbers["mtime"] * sign, 0), np.where(undated, 2**62, dates * sign)


@dataclass(frozen=True, slots=True)
class DocumentPages:
    """The pages found of one document: how many, and the best."""

    document: int
    pages: int
    best: Sequence[int]


def group_pages(
    generation: Generation, matches: Matches, count: int, sort: Sort, best: int
) -> list[DocumentPages]:
    """Return the first `count` documents, each with its best pages; a document stands where its first page does."""
    ordered = rank_pages(generation, matches, int(matches.found.sum()), sort)
    documents = generation.pages.document[ordered]
    counts = np.bincount(documents) if len(documents) else np.zeros(0, np.int64)
    _, firsts = np.unique(documents, return_index=True)
    groups = []
    for first in np.sort(firsts)[:count].tolist():
        document = int(documents[first])
        pages = ordered[documents == document][:best].tolist()
        groups.append(DocumentPages(document, int(counts[document]), pages))
    return groups


def count_facets(
    generation: Generation, matches: Matches, names: Sequence[str], most: int
) -> dict[str, tuple[tuple[FacetValue, ...], int]]:
    """Count the values of facets over all pages found; documents without a value are left out.

    Returns:
        For each facet the `most` frequent values, those of most documents first, and how many values there are.
    """
    if not names:
        return {}
    counts = np.bincount(generation.pages.document[matches.found])
    documents: dict[str, Counter[str]] = {name: Counter() for name in names}
    pages: dict[str, Counter[str]] = {name: Counter() for name in names}
    for document in np.flatnonzero(counts).tolist():
        record = generation.record(document)
        for name in names:
            for value in _facet_values(record, name):
                documents[name][value] += 1
                pages[name][value] += int(counts[document])
    return {
        name: (_most_frequent(documents[name], pages[name], most), len(documents[name])) for name in names
    }


def _most_frequent(documents: Counter[str], pages: Counter[str], most: int) -> tuple[FacetValue, ...]:
    ordered = sorted(documents, key=lambda value: (-documents[value], -pages[value], value))
    return tuple(FacetValue(value, documents[value], pages[value]) for value in ordered[:most])


def _facet_values(record: dict[str, Any], name: str) -> list[str]:
    """Return a document's values of a facet: each folder it is in, else the one value."""
    if name == "folder":
        return list(dict.fromkeys(str(PurePosixPath(path).parent) for path in record["paths"]))
    return [str(record[name])] if record[name] else []
