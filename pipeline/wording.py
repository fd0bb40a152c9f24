"""What people are told: errors of the operating system in plain words, and the name that was meant.

In: exceptions, names. Out: text without error numbers. It must not know who asks.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable


def plain(error: Exception) -> str:
    """Return the message of an exception; of the operating system's, the file and what is wrong with it."""
    if isinstance(error, OSError) and error.strerror:
        said = reason_of(error)
        return f"{error.filename}: {said}" if error.filename else said
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8 text"
    return str(error)


def reason_of(error: Exception) -> str:
    """Return what is wrong with a file that the message names already."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror[:1].lower() + error.strerror[1:]
    return plain(error)


def without_numbers(text: str) -> str:
    """Return what another process or library said of an error of the operating system, without its name and number."""
    return re.sub(r"(?:\w+Error: )*\[Errno \d+\] ", "", text)


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a hint at the known name that is spelt most like `name`, nothing where none is."""
    close = difflib.get_close_matches(name, list(known), n=1, cutoff=0.5)
    return f"; did you mean {close[0]}?" if close else ""
