"""How much a question may cost.

In: limits. Out: whether they are reached, and notes on what was cut off. It must not know what is searched.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

_MOST_NOTES: Final = 20
_LONGEST_NOTE: Final = 400


def bounded(notes: Iterable[str]) -> tuple[str, ...]:
    """Return notes as a person can read them: none twice, not too many, none too long."""
    different = list(dict.fromkeys(notes))
    shown = [
        note
        if len(note) <= _LONGEST_NOTE
        else f"{note[: _LONGEST_NOTE // 2]} … {note[-_LONGEST_NOTE // 2 :]}"
        for note in different[:_MOST_NOTES]
    ]
    more = len(different) - len(shown)
    return (*shown, *([f"there are {more:,} more notes"] if more else []))


@dataclass(slots=True)
class Budget:
    """How much a question may cost; what was cut off is said in `notes`.

    Attributes:
        seconds: time for the whole question.
        terms: words that one pattern may stand for.
        named: fields as the question calls them, for the notes.
    """

    seconds: float = 2.0
    terms: int = 1_000
    started: float = field(default_factory=time.monotonic)
    notes: list[str] = field(default_factory=list)
    partial: bool = False
    named: dict[str, str] = field(default_factory=dict)

    def rest(self) -> Budget:
        """Return a budget of the time that is left, for work whose cuts nobody needs to hear of."""
        return Budget(self.seconds, self.terms, self.started)

    def spent(self) -> bool:
        """Tell whether the time is over; note it, once."""
        if time.monotonic() - self.started < self.seconds:
            return False
        self.cut(f"the time limit of {self.seconds:g} s was reached: there may be more")
        return True

    def cut(self, note: str) -> None:
        """Note that the answer is not complete."""
        self.partial = True
        if note not in self.notes:
            self.notes.append(note)
