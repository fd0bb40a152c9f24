"""An ingest that is killed at its N-th change of the file system: `python -m tests.helpers.killed_run N
ARGUMENTS`.

In: a number and the arguments of `glyphdex`. Out: nothing, by SIGKILL, just before the change number N; or
the run's own end where it makes fewer. The number of changes made is then written to standard output.
"""

from __future__ import annotations

import os
import signal
import sys
from typing import Any

from pipeline.cli.main import main

CHANGES = {"os.rename", "os.remove", "os.link", "os.mkdir", "os.rmdir"}


class Countdown:
    """Counts changes of the file system and kills this process before the last one it allows."""

    def __init__(self, allowed: int) -> None:
        self.allowed = allowed
        self.made = 0

    def __call__(self, event: str, arguments: Any) -> None:
        """Take one audit event."""
        if event not in CHANGES or "__pycache__" in str(arguments[0]):
            return
        self.made += 1
        if self.made == self.allowed:
            os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    countdown = Countdown(int(sys.argv[1]))
    sys.addaudithook(countdown)
    try:
        main(sys.argv[2:])
    finally:
        print(countdown.made)
