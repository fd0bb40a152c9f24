"""The commands of the project, run as processes, the way a user runs them.

In: arguments. Out: exit code, standard output and standard error, as text.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent.parent
TIME_LIMIT = 240
"""Seconds after which a command counts as hung."""


def environment(**extra: str) -> dict[str, str]:
    """Return this process's environment without GLYPHDEX_ settings, with the project importable, in UTF-8."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GLYPHDEX_")}
    return {**kept, "PYTHONPATH": str(PROJECT), "PYTHONUTF8": "1", "NO_COLOR": "1", "COLUMNS": "200", **extra}


def run_python(
    *arguments: str | Path,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: str = "",
    seconds: float = TIME_LIMIT,
) -> subprocess.CompletedProcess[str]:
    """Run this Python with the arguments and return how it ended."""
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=cwd or PROJECT,
        env=environment(**(env or {})),
        input=stdin,
        capture_output=True,
        encoding="utf-8",
        timeout=seconds,
        check=False,
    )


_DROP_FROM_BOUNDING_SET = 24
"""prctl's PR_CAPBSET_DROP."""
_OVERRIDES = (1, 2)
"""CAP_DAC_OVERRIDE and CAP_DAC_READ_SEARCH: with them root reads and writes what the permissions forbid."""


def obey_permissions() -> None:
    """Make this process and what it executes obey the permissions of files, as any user's does, also as root."""
    if os.geteuid() != 0:
        return
    libc = ctypes.CDLL(None, use_errno=True)
    for capability in _OVERRIDES:
        if libc.prctl(_DROP_FROM_BOUNDING_SET, capability, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "the capability cannot be dropped")


def run_glyphdex_as_plain_user(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run `glyphdex` as a process for which the permissions of files hold."""
    start = "import sys; from pipeline.cli.main import main; sys.argv[0] = 'glyphdex'; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", start, *map(str, arguments)],
        cwd=PROJECT,
        env=environment(),
        capture_output=True,
        encoding="utf-8",
        timeout=TIME_LIMIT,
        check=False,
        preexec_fn=obey_permissions,
    )


def run_glyphdex(
    *arguments: str | Path,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdin: str = "",
    seconds: float = TIME_LIMIT,
) -> subprocess.CompletedProcess[str]:
    """Run `glyphdex` with the arguments, by its entry point, and return how it ended."""
    start = "import sys; from pipeline.cli.main import main; sys.argv[0] = 'glyphdex'; sys.exit(main())"
    return run_python("-c", start, *arguments, cwd=cwd, env=env, stdin=stdin, seconds=seconds)
