"""How much memory a run takes, all its processes together.

In: nothing but the system's own account in /proc. Out: the peak of the sum, in MB. Pages that processes share count
once (proportional set size). It must not know what the processes do.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Self

_SECONDS = 0.5
"""Time between two looks; a look at a process of 500 MB takes some milliseconds."""


class MemoryWatch(AbstractContextManager["MemoryWatch"]):
    """Looks at this process and those it started, again and again, and remembers the greatest sum."""

    def __init__(self) -> None:
        self.peak_mb = 0.0
        """Greatest sum so far; 0 where the system does not tell."""
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="memory", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._thread.join()

    def _watch(self) -> None:
        while True:
            self.peak_mb = max(self.peak_mb, sum(map(proportional_mb, process_tree(os.getpid()))))
            if self._over.wait(_SECONDS):
                return


def process_tree(root: int) -> Iterator[int]:
    """Yield a process and all that it started, by id."""
    yield root
    try:
        tasks = os.listdir(f"/proc/{root}/task")
    except OSError:
        return  # ended meanwhile
    for task in tasks:
        for child in _read(f"/proc/{root}/task/{task}/children").split():
            yield from process_tree(int(child))


def proportional_mb(process: int) -> float:
    """Return a process's proportional set size in MB of 2**20 bytes; 0 once it has ended."""
    for line in _read(f"/proc/{process}/smaps_rollup").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1024
    return 0.0


def _read(name: str) -> str:
    try:
        with open(name, encoding="ascii") as content:
            return content.read()
    except OSError:
        return ""
