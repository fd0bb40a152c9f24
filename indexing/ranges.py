"""The ends of ranges as they are typed: numbers, years, months and days.

In: a range of a question. Out: the smallest and the greatest number that it lets through, or a remark. It must not know
what the numbers are of.
"""

from __future__ import annotations

import datetime
import re
from typing import Final

from indexing.errors import QueryError
from indexing.question_tree import And, Boost, Fuzzy, Node, Not, Or, Pattern, Range, Word

_DATE = re.compile(r"([0-9]{4})(?:-([0-9]{1,2})(?:-([0-9]{1,2}))?)?")
_DATES: Final = frozenset({"created", "modified"})
ORDERED: Final = _DATES | {"page", "pages", "year", "size"}
"""Fields whose values have an order."""

_EXAMPLES: Final = {"year": "2019", **dict.fromkeys(_DATES, "2019-06-30")}
_FARTHEST: Final = 2**61


def read_bounds(node: Range, notes: list[str]) -> tuple[int, int] | None:
    """Return the bounds of a range, inclusive; None, and a note, if an end is not understood; a note if empty.

    Dates are in seconds since 1970, UTC; a year or month is all of its days.
    """
    name = node.named or node.field
    if node.field not in ORDERED:
        notes.append(f"{name} has no order: nothing matches a range of it")
        return None
    low, high = -_FARTHEST, _FARTHEST
    for text, is_low in ((node.low, True), (node.high, False)):
        if text is None:
            continue
        bounds = _dates(text) if node.field in _DATES else _whole_number(text)
        if bounds is None:
            example = _EXAMPLES.get(node.field, "5")
            notes.append(
                f"{name}:{text} is not understood: nothing matches it (write {name}:{example}, "
                f"{name}:>={example} or {name}:{example}..)"
            )
            return None
        if is_low:
            low = bounds[1] + 1 if node.low_open else bounds[0]
        else:
            high = bounds[0] - 1 if node.high_open else bounds[1]
    if low > high:
        notes.append(f"the range is empty: no {name} is from {node.low} to {node.high}")
    return low, high


def as_range(node: Word | Pattern | Fuzzy) -> Range:
    """Read a word in an ordered field as the range from it to itself."""
    return Range(node.start, node.end, node.field or "", node.text, node.text, named=node.named)


def check_ranges(node: Node) -> None:
    """Raise QueryError for the first range of a tree that nothing can be in, or that is not understood."""
    match node:
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                check_ranges(part)
        case Not(part=part) | Boost(part=part):
            check_ranges(part)
        case Word(field=name) | Pattern(field=name) | Fuzzy(field=name) if name in ORDERED:
            check_ranges(as_range(node))
        case Range():
            notes: list[str] = []
            read_bounds(node, notes)
            if notes:
                raise QueryError(notes[0], node.start)


def _whole_number(text: str) -> tuple[int, int] | None:
    try:
        value = int(text)
    except ValueError:
        return None
    return (value, value) if abs(value) < _FARTHEST // 2 else None


def _dates(text: str) -> tuple[int, int] | None:
    """Read a year, month or day, UTC, as first and last second since 1970."""
    match = _DATE.fullmatch(text)
    if match is None:
        return None
    year, month, day = (int(part) if part else None for part in match.groups())
    try:
        first = datetime.datetime(year or 1, month or 1, day or 1, tzinfo=datetime.UTC)
        if day:
            after = first + datetime.timedelta(days=1)
        elif month:
            after = first.replace(year=first.year + month // 12, month=month % 12 + 1)
        else:
            after = first.replace(year=first.year + 1)
    except (ValueError, OverflowError):
        return None
    return int(first.timestamp()), int(after.timestamp()) - 1
