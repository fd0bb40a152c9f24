"""The commands of the project, run as processes, the way a user runs them.

In: arguments. Out: exit code, standard output and standard error, as text.
"""

from __future__ import annotations

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
