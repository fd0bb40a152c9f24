"""Recovered faults as values: what was wrong with a document or page although its text was read.

In: a code (stable, for counters) and a message (for people). Out: a capped list. It must not know PDF.
"""

from __future__ import annotations

from dataclasses import dataclass

_DEFAULT_CAPACITY = 50
"""Issues kept per log: enough to see what is wrong; a broken file can raise thousands of the same kind."""

_MESSAGE_LENGTH = 300
"""Characters of a message kept: messages may quote the file."""


@dataclass(frozen=True, slots=True)
class Issue:
    """One recovered fault: a stable code and a sentence."""

    code: str
    message: str


class IssueLog:
    """Collects issues up to a capacity; what comes later is counted, and equal issues are kept once."""

    __slots__ = ("_capacity", "_items", "_seen", "dropped")

    def __init__(self, capacity: int = _DEFAULT_CAPACITY) -> None:
        self._capacity = capacity
        self._items: list[Issue] = []
        self._seen: set[Issue] = set()
        self.dropped = 0

    def add(self, code: str, message: str) -> None:
        """Record one fault; equal ones are kept once, and beyond the capacity they are only counted."""
        issue = Issue(code, message[:_MESSAGE_LENGTH])
        if issue in self._seen:
            return
        if len(self._items) >= self._capacity:
            self.dropped += 1
            return
        self._seen.add(issue)
        self._items.append(issue)

    @property
    def items(self) -> tuple[Issue, ...]:
        """The issues in the order in which they were found, with one more that counts those left out."""
        if not self.dropped:
            return tuple(self._items)
        return (*self._items, Issue("more_issues", f"{self.dropped} further issues were not kept"))

    def __len__(self) -> int:
        return len(self._items)
