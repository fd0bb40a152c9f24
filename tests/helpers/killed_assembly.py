"""A process that kills itself, with SIGKILL, at the n-th file operation of building a segment or of a commit.

python -m tests.helpers.killed_assembly WHAT N FOLDER: WHAT is "segment" or "commit"; exit code 0 if there are fewer
operations than N.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import indexing
from indexing import snapshot as snapshots
from tests.helpers.library import LIBRARY
from tests.helpers.store_maker import build, commit

OPERATIONS = ("fsync", "replace", "link", "mkdir", "open")


def kill_at(count: int) -> None:
    """Make the count-th operation the last thing this process does; half of them are not done, half are."""
    left = count

    def wrap(real: Callable[..., Any]) -> Callable[..., Any]:
        def operation(*arguments: Any, **named: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0 and count % 2:
                os.kill(os.getpid(), signal.SIGKILL)
            result = real(*arguments, **named)
            if left == 0:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return operation

    for name in OPERATIONS:
        setattr(os, name, wrap(getattr(os, name)))


def main() -> None:
    what, count, folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    if what == "segment":
        kill_at(count)
        indexing.build_segment(folder / "p.parquet", folder / "killed")
    else:
        segment = build(folder, LIBRARY[5:9], "new")
        kill_at(count)
        commit(folder / "store", LIBRARY[2:9], [segment])
    assert snapshots is not None


if __name__ == "__main__":
    main()
