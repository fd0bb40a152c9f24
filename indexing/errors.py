"""The errors that the index and the search raise, each with a documented code.

In: nothing. Out: exception types. A caller that catches `IndexingError` has caught them all.
It must not know what raises them.
"""

from __future__ import annotations

import pickle
import struct
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

DAMAGE: Final = (
    ArithmeticError,
    AttributeError,
    EOFError,
    LookupError,
    MemoryError,
    TypeError,
    ValueError,
    pickle.UnpicklingError,
    struct.error,
    zlib.error,
)
"""What reading bytes that are not what they should be ends in."""


class IndexingError(Exception):
    """The caller must act; `code` is stable and documented, the message is for people.

    Codes: "no_store" (nothing there, or not a store), "no_index" (a store without an index), "stale" (the index was made
    with another schema or analysis: rebuild it), "damaged" (a file is missing, cut or changed), "query" (the question
    cannot be understood; only when asked to be strict), "field" (no such field; only when strict), "unreadable" (the
    operating system says no), "input" (a part file is not what the contract says).
    """

    code = "indexing"

    def __init__(self, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        if code is not None:
            self.code = code


class StoreError(IndexingError):
    """The store or its index cannot be used: "no_store", "no_index", "stale", "damaged", "unreadable", "input"."""

    code = "damaged"


class QueryError(IndexingError):
    """A question that strict reading rejects, with the place where reading failed.

    Attributes:
        position: 0-based index into the question's characters.
    """

    code = "query"

    def __init__(self, message: str, position: int, code: str | None = None) -> None:
        super().__init__(message, code)
        self.position = position


@contextmanager
def damage_told(place: str) -> Iterator[None]:
    """Turn what reading damaged bytes ends in into a StoreError that says where; for code that only reads bytes."""
    try:
        yield
    except DAMAGE as error:
        raise StoreError(f"{place} is damaged: {error}", "damaged") from error
