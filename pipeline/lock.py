"""One writer at a time on a store.

In: the store's folder. Out: a lock held until it is released or the process ends, however it ends. Readers
never lock.
"""

from __future__ import annotations

import fcntl
import os
import socket
from pathlib import Path
from types import TracebackType
from typing import Self

_NAME = "lock"


class StoreLockedError(Exception):
    """Another run is writing to the store."""


class StoreLock:
    """An advisory lock of the operating system on STORE/lock; a process that dies lets go of it."""

    def __init__(self, store: Path) -> None:
        self._path = store / _NAME
        self._descriptor: int | None = None

    def __enter__(self) -> Self:
        descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            holder = os.read(descriptor, 200).decode("utf-8", "replace").strip()
            os.close(descriptor)
            raise StoreLockedError(f"another run is writing to this store ({holder or 'unknown'})") from error
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, f"process {os.getpid()} on {socket.gethostname()}\n".encode(), 0)
        self._descriptor = descriptor
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None


def is_locked(store: Path) -> bool:
    """Tell whether a run is writing to the store; of a folder that may not be looked at, no."""
    try:
        descriptor = os.open(store / _NAME, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False
