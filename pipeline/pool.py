"""Workers that several stages of a run use one after the other.

In: settings. Out: a worker for as long as it is needed. Stages run one after the other in a process, so
each would start children of its own, half a second each; lent from one pool they start once.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from pipeline.settings import Settings
from pipeline.worker import Worker


class WorkerPool:
    """Lends workers; as many exist as were ever needed at the same time."""

    def __init__(self, settings: Settings, passwords: Sequence[str]) -> None:
        self._settings = settings
        self._passwords = list(passwords)
        self._idle: list[Worker] = []
        self._lock = threading.Lock()

    @contextmanager
    def lend(self) -> Iterator[Worker]:
        """Lend a worker that nobody else has meanwhile."""
        with self._lock:
            worker = self._idle.pop() if self._idle else Worker(self._settings, self._passwords)
        try:
            yield worker
        finally:
            with self._lock:
                self._idle.append(worker)

    def close(self) -> None:
        """End the children of the workers that are not lent; the pool can be used again."""
        with self._lock:
            idle, self._idle = self._idle, []
        for worker in idle:
            worker.close()
