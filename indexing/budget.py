"""How much a question may cost.

In: limits. Out: whether they are reached, and notes on what was cut off. It must not know what is searched.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field


@dataclass(slots=True)
class Budget:
    """How much a question may cost; what was cut off is said in `notes`.

    Attributes:
        seconds: time for the whole question.
        terms: words that one pattern may stand for.
    """

    seconds: float = 2.0
    terms: int = 1_000
    started: float = field(default_factory=time.monotonic)
    notes: list[str] = field(default_factory=list)
    partial: bool = False

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
