"""A process that kills itself, with SIGKILL, at the n-th file operation of building a segment or of a commit.

python -m tests.helpers.killed_assembly N FOLDER builds FOLDER/killed of FOLDER/p.parquet; exit code 0 if there are
fewer operations than N.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

OPERATIONS = ("fsync", "replace", "link", "mkdir", "open")


def kill_at(count: int) -> None:
    """Make the count-th operation the last thing this process does: an odd one is not done any more, an even one is."""
    left = count

    def wrap(real: Callable[..., Any]) -> Callable[..., Any]:
        def operation(*arguments: Any, **named: Any) -> Any:
            nonlocal left
            left -= 1
            if left == 0 and count % 2:
                os.kill(os.getpid(), signal.SIGKILL)
            try:
                return real(*arguments, **named)
            finally:
                # Also where the operation fails, as making a folder does before its parent is made.
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        return operation

    for name in OPERATIONS:
        setattr(os, name, wrap(getattr(os, name)))


def run_in_child(count: int, work: Callable[[], object]) -> bool:
    """Do some work in a forked child that dies at its count-th operation; tell whether it died."""
    child = os.fork()
    if child == 0:
        kill_at(count)
        try:
            work()
        except BaseException:
            os._exit(1)
        os._exit(0)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    assert code in (0, -signal.SIGKILL), code
    return code != 0


def main() -> None:
    import indexing

    count, folder = int(sys.argv[1]), Path(sys.argv[2])
    kill_at(count)
    indexing.build_segment(folder / "p.parquet", folder / "killed")


if __name__ == "__main__":
    main()
