"""Repetition in regular expressions that gives nothing back once it has matched.

In: the pattern of one item. Out: the pattern of many. It must not know what is matched.
"""

from __future__ import annotations

import sys

_EXACT = sys.version_info >= (3, 11, 5)
"""Before that, a possessive repeat of a group keeps what its last, failed round had consumed (gh-106052). Debian 12
and Ubuntu 22.04 have such a Python; an atomic group around a plain repeat is right everywhere, and a little slower."""


def repeated(item: bytes, times: bytes = b"*") -> bytes:
    """Return a pattern for `item` repeated as often as it matches, without backtracking into the repeats.

    Args:
        item: pattern of one item; it needs no group around it.
        times: b"*", b"+" or b"{m,n}".
    """
    plain = b"(?:" + item + b")" + times
    return plain + b"+" if _EXACT else b"(?>" + plain + b")"
