"""Which path of a document to show, where it has several.

In: what a question asks of paths. Out: the path that answers it, else the first. It must not know documents.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from indexing.elements import Needle, find_chains
from indexing.token_terms import TokenTerms


@dataclass(frozen=True, slots=True)
class PathWish:
    """What a part of a question asks of a path.

    Attributes:
        sought: a word or phrase, or the terms that a pattern stands for.
        name_only: True if it is asked of the file's name alone.
    """

    sought: Needle | Collection[str]
    name_only: bool


def choose_path(paths: Sequence[str], wishes: Sequence[PathWish], known: TokenTerms) -> str:
    """Return the path that grants most wishes; of several, the first."""
    if len(paths) < 2 or not wishes:
        return paths[0]
    return max(paths, key=lambda path: sum(grants(path, wish, known) for wish in wishes))


def grants(path: str, wish: PathWish, known: TokenTerms) -> bool:
    """Tell whether a path, or a folder, is what is asked for."""
    places = known.places(PurePosixPath(path).name if wish.name_only else path)
    if isinstance(wish.sought, Needle):
        return any(find_chains(reading, places, wish.sought.slop) for reading in wish.sought.readings)
    return any(term in places for term in wish.sought)
